#include "profile/profile_files.hpp"

#include <fmt/format.h>

#include "pto/diagnostic_formats.hpp"

namespace pto::driver {
namespace fs = std::filesystem;

Result<OutputFile*> ProfileFiles::file(const fs::path& folder, const std::string& name) {
  const fs::path path = folder / name;
  if (auto good = guard_.may_write({"an output", path}); !good) return good.error();
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  if (problem)
    return Error{fmt::format("cannot make {}: {}", path.parent_path().string(), problem.message())};
  return files_.open(path);
}

Result<bool> ProfileFiles::put(const std::string& name, std::string_view text) {
  const auto out = file(options_.out / name_, name);
  if (!out) return out.error();
  (*out)->write(text);
  (*out)->finish();
  return true;
}

Result<bool> ProfileFiles::open(const Machine& machine) {
  if (options_.out.empty()) return true;
  const auto trace = file(options_.out / name_, "trace.json");
  if (!trace) return trace.error();
  ReportOptions wanted;
  wanted.target = prepared_.target;
  wanted.settings = prepared_.settings;
  wanted.inserted = prepared_.inserted;
  wanted.timeline = true;
  wanted.trace = [out = *trace](std::string_view piece) { out->write(piece); };
  reports_.emplace(std::move(wanted));
  clean_.emplace(machine.clock_ghz);
  return true;
}

std::vector<Observer*> ProfileFiles::observers() {
  if (!reports_) return {};
  std::vector<Observer*> all = reports_->observers();
  all.push_back(&*clean_);
  return all;
}

Result<bool> ProfileFiles::write(const SimResult& result, const KernelProfile& built) {
  if (!reports_) return true;
  const Program& program = prepared_.program;
  reports_->finish(program, result);
  const std::string found = format_text(built.diagnostics, built.source_name, built.source, {});
  const std::string text = reports_->text(program, result) + "\n" + reports_->timeline(program, result);
  for (const auto& [name, contents] :
       {std::pair{"report.txt", built.printed + found + text},
        std::pair{"stats.json", reports_->stats(program, result)},
        std::pair{"trace.clean.json", clean_->trace()}, std::pair{"instr_metrics.json", clean_->metrics()}}) {
    if (auto good = put(name, contents); !good) return good;
  }
  return true;
}

Result<bool> ProfileFiles::add_case(const Case& the_case, const std::vector<std::string>& shown) {
  std::vector<fs::path> places;
  if (!options_.out.empty()) places.push_back(options_.out / name_ / "case.toml");
  if (!options_.cases.empty()) places.push_back(options_.cases / (name_ + ".toml"));
  for (const fs::path& place : places) {
    const auto out = file(place.parent_path(), place.filename().string());
    if (!out) return out.error();
    (*out)->write(case_text(the_case, place, shown));
    (*out)->finish();
  }
  return true;
}

}  // namespace pto::driver
