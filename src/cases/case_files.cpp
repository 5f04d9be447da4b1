#include "cases/case_files.hpp"

#include <fmt/format.h>

#include "support/file.hpp"
#include "target/config_layers.hpp"

namespace pto::report {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

std::string described(std::string_view what, const CaseArg& arg, size_t position) {
  return arg.name.empty() ? fmt::format("{} of argument {}", what, position)
                          : fmt::format("{} of '{}'", what, arg.name);
}

/// The configuration and its bases. With a folder to stay in, files outside of it are named but not read.
void add_configurations(std::vector<NamedFile>& files, const std::string& target,
                        const std::optional<fs::path>& folder) {
  const auto may_read = [&](const fs::path& file) { return !folder || lies_below(*folder, file); };
  std::string_view what = "the configuration";
  for (const fs::path& file : machine::target_files(target, may_read)) {
    files.push_back({std::string(what), file});
    what = "a base of the configuration";
  }
}

std::vector<NamedFile> inputs_of(const Case& the_case, const std::optional<fs::path>& folder) {
  std::vector<NamedFile> files = {{"the program", the_case.program}};
  if (!the_case.file.empty()) files.push_back({"the case file", the_case.file});
  if (!the_case.target.empty() && !target_named(the_case.target))
    add_configurations(files, the_case.target, folder);
  for (size_t i = 0; i < the_case.args.size(); ++i) {
    const CaseArg& arg = the_case.args[i];
    if (!arg.input.empty()) files.push_back({described("the input", arg, i), arg.input});
    if (!arg.expect.empty()) files.push_back({described("the expectation", arg, i), arg.expect});
  }
  return files;
}

std::vector<NamedFile> outputs_of(const Case& the_case) {
  std::vector<NamedFile> files;
  for (size_t i = 0; i < the_case.args.size(); ++i) {
    const CaseArg& arg = the_case.args[i];
    if (!arg.output.empty()) files.push_back({described("the output", arg, i), arg.output});
  }
  return files;
}

Result<bool> check_below(const FileGuard& guard, const std::vector<NamedFile>& files) {
  for (const NamedFile& named : files) {
    if (auto good = guard.may_touch(named); !good) return good;
  }
  return true;
}

/// With the files of all ranks.
Case with_all_ranks(const Case& the_case) {
  Case all = case_of_rank(the_case, 0);
  for (uint32_t rank = 1; rank < the_case.ranks; ++rank) {
    for (CaseArg& arg : case_of_rank(the_case, rank).args) all.args.push_back(std::move(arg));
  }
  return all;
}

}  // namespace

FileGuard guard_of(const Case& one, const fs::path& file, const FilePolicy& policy) {
  FileGuard guard;
  if (policy.sandbox) guard.folder = folder_of(file);
  guard.inputs = inputs_of(with_all_ranks(one), policy.sandbox ? std::optional(guard.folder) : std::nullopt);
  return guard;
}

Result<bool> check_files(const Case& one, const fs::path& file, const FilePolicy& policy) {
  const FileGuard guard = guard_of(one, file, policy);
  std::vector<NamedFile> outputs = outputs_of(with_all_ranks(one));
  outputs.insert(outputs.end(), policy.reports.begin(), policy.reports.end());
  if (auto good = check_below(guard, guard.inputs); !good) return good;
  if (auto good = check_below(guard, outputs); !good) return good;
  if (!policy.source_root.empty()) {
    if (auto good = guard.may_touch({"--source-root", policy.source_root}); !good) return good;
  }
  return check_distinct(outputs, guard.inputs);
}

std::string source_text(const std::string& source_name, const fs::path& object, const fs::path& root) {
  const fs::path name(source_name), folder = root.empty() ? folder_of(object) : root;
  if (name.extension() != ".pto") return {};
  // An object names what it likes: only a text of programs beside it is looked at, or below the folder that
  // the user names.
  std::vector<fs::path> places;
  if (!root.empty()) places.push_back(folder / name.relative_path());
  places.push_back(folder / name.filename());
  for (const fs::path& file : places) {
    if (!lies_below(folder, file)) continue;
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) continue;
    auto text = read_file(file, kMaxSourceBytes);
    if (text) return std::move(*text);
  }
  return {};
}

}  // namespace pto::report
