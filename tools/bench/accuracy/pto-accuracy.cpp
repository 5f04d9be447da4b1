// Compares the cost models with the public measurements in sim-configs/evidence and prints the tables of
// docs/timing.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include "cli/help.hpp"
#include "cli/option_facts.hpp"
#include "support/file.hpp"
#include "timing/accuracy_tables.hpp"

namespace {

using pto::timing::AccuracyModels;
using pto::timing::error_percent;
using pto::timing::Evidence;
using pto::timing::Prediction;

struct Row {
  Evidence evidence;
  Prediction prediction;
};

struct Errors {
  int rows = 0;
  double sum = 0, max = 0;
  void add(double percent) {
    ++rows;
    sum += std::abs(percent);
    max = std::max(max, std::abs(percent));
  }
  [[nodiscard]] std::string mean_text() const { return rows ? fmt::format("{:.1f}", sum / rows) : "-"; }
  [[nodiscard]] std::string max_text() const { return rows ? fmt::format("{:.1f}", max) : "-"; }
};

struct ClassErrors {
  int all = 0;
  Errors measured, documented;
  void add(const Row& row) {
    ++all;
    if (row.prediction.measured_model)
      measured.add(error_percent(*row.prediction.measured_model, row.evidence.cycles));
    if (row.prediction.documented_model)
      documented.add(error_percent(*row.prediction.documented_model, row.evidence.cycles));
  }
};

using Table = std::vector<Row>;

std::string class_table(const Table& rows, const std::function<std::string(const Evidence&)>& class_of,
                        bool total = true) {
  std::map<std::string, ClassErrors> classes;
  ClassErrors all;
  for (const Row& row : rows) {
    classes[class_of(row.evidence)].add(row);
    all.add(row);
  }
  std::string out =
      "| class | rows | answered | ours: mean % | max % | documented: mean % | max % "
      "|\n|---|---|---|---|---|---|---|\n";
  const auto line = [&](const std::string& name, const ClassErrors& errors) {
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name, errors.all, errors.measured.rows,
                       errors.measured.mean_text(), errors.measured.max_text(), errors.documented.mean_text(),
                       errors.documented.max_text());
  };
  for (const auto& [name, errors] : classes) line(name, errors);
  if (total) line("**all of these rows**", all);
  return out;
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.0f}", *value) : "-"; }
std::string percent(const std::optional<double>& value, double measured) {
  return value ? fmt::format("{:+.1f}", error_percent(*value, measured)) : "-";
}

std::string row_table(const Table& rows) {
  std::string out =
      "| instruction | types | shape | measure | use | measured | ours | % | documented | % "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& [e, p] : rows) {
    out += fmt::format("| {} | {} | {} | {} | {} | {:.0f} | {} | {} | {} | {} |\n", e.subject, e.types,
                       e.shape, e.busy ? "busy" : "latency", e.use, e.cycles, number(p.measured_model),
                       percent(p.measured_model, e.cycles), number(p.documented_model),
                       percent(p.documented_model, e.cycles));
  }
  return out;
}

Table select(const Table& rows, const std::function<bool(const Evidence&)>& wanted) {
  Table out;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(out),
               [&](const Row& row) { return wanted(row.evidence); });
  return out;
}

std::string report(const Table& rows) {
  const auto subject = [](const Evidence& e) { return e.subject; };
  const auto use = [](const Evidence& e) { return fmt::format("{}: {}", e.target, e.use); };
  const auto tiles = [&](const char* target) {
    return select(rows, [=](const Evidence& e) { return e.kind == "tile" && e.target == target; });
  };
  const auto table_rows = [](const Evidence& e) { return e.source.starts_with("pto-isa formula_params"); };
  const Table anchors = select(tiles("a2a3"), [&](const Evidence& e) { return !table_rows(e); });
  const Table counted =
      select(anchors, [](const Evidence& e) { return e.use == "judged" || e.use == "fitted"; });
  std::string out;
  const auto section = [&](std::string_view title, const std::string& body) {
    out += fmt::format("### {}\n\n{}\n", title, body);
  };
  section("A2/A3 tile instructions: anchor rows, by use", class_table(anchors, use, false));
  section("A2/A3 tile instructions: judged and fitted anchor rows, by instruction",
          class_table(counted, subject));
  section("A2/A3 tile instructions: every row", row_table(anchors));
  section("A2/A3 tile instructions: the fitted table of the public model, 32 rows",
          class_table(select(tiles("a2a3"), table_rows), subject));
  section("A2/A3 vector instructions back to back (910B1)",
          class_table(select(rows, [](const Evidence& e) { return e.kind == "vector" && e.busy; }), subject));
  section("A2/A3 vector instructions alone (910B3)",
          class_table(select(rows, [](const Evidence& e) { return e.kind == "vector" && !e.busy; }),
                      [](const Evidence& e) { return e.subject + ", " + e.use; }));
  section("Data paths", class_table(select(rows, [](const Evidence& e) { return e.kind == "path"; }),
                                    [](const Evidence& e) {
                                      return fmt::format("{} {}, {}", e.target, e.subject, e.use);
                                    }));
  section(
      "Cube",
      class_table(select(rows, [](const Evidence& e) { return e.kind == "cube"; }), [](const Evidence& e) {
        return fmt::format("{} {} {}, {}", e.target, e.subject, e.busy ? "back to back" : "alone", e.use);
      }));
  section("A5 tile instructions", class_table(tiles("a5"), subject));
  Table functions = select(rows, [](const Evidence& e) { return e.kind == "vf"; });
  for (Row& row : functions) row.evidence.shape = row.evidence.shape.substr(0, row.evidence.shape.find(':'));
  section("A5 vector functions", class_table(functions, use) + "\n" + row_table(functions));
  return out;
}

constexpr std::string_view kBegin = "<!-- accuracy: begin (./tools/bench/accuracy/accuracy --write) -->\n",
                           kEnd = "<!-- accuracy: end -->\n";

std::optional<std::string> with_tables(const std::string& page, const std::string& tables) {
  const size_t begin = page.find(kBegin);
  const size_t end = page.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return std::nullopt;
  return page.substr(0, begin + kBegin.size()) + "\n" + tables + page.substr(end);
}

int fail(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::string root = ".";
  bool write = false, check = false;
  CLI::App app("Compares the cost models with public measurements.");
  pto::tools::use_help_text(app);
  pto::tools::begin_group(app, pto::tools::group::kGeneral);
  app.add_option("--root", root, "folder of the repository (default: .)")->type_name("DIR");
  app.add_flag("--write", write, "write the tables to docs/timing.md");
  app.add_flag("--check", check, "fail if docs/timing.md has different tables");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }

  std::map<std::string, AccuracyModels> models;
  Table rows;
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(root) / "sim-configs" / "evidence"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    const auto evidence = pto::timing::read_evidence(file.string());
    if (!evidence.ok()) return fail(evidence.error().message);
    for (const Evidence& row : *evidence) {
      if (!models.contains(row.target)) {
        auto loaded = AccuracyModels::load(row.target);
        if (!loaded.ok()) return fail(loaded.error().message);
        models.emplace(row.target, std::move(*loaded));
      }
      rows.push_back({row, models.at(row.target).predict(row)});
    }
  }

  const std::string tables = report(rows);
  const std::filesystem::path page = std::filesystem::path(root) / "docs" / "timing.md";
  if (!write && !check) {
    fmt::print("{}", tables);
    return 0;
  }
  const auto before = pto::read_file(page);
  if (!before) return fail(before.error().message);
  const std::optional<std::string> after = with_tables(*before, tables);
  if (!after) return fail(page.string() + ": the markers of the accuracy tables are missing");
  if (check && *after != *before) {
    fmt::print(stderr, "{}: tables are stale, run ./tools/bench/accuracy/accuracy --write\n", page.string());
    return 1;
  }
  const auto written = write ? pto::write_file(page, *after) : true;
  return written ? 0 : fail(written.error().message);
}
