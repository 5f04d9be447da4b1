// The programs of a build folder.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pto/object.hpp"
#include "pto/profile.hpp"
#include "support/file.hpp"

namespace pto {
namespace {

namespace fs = std::filesystem;

bool holds_object(const fs::path& file) {
  const auto head = read_head(file, 64);
  return head && is_object(std::as_bytes(std::span(*head)));
}

/// Texts, and objects that were not made from a text beside them.
bool is_program(const fs::path& file) {
  if (file.extension() == ".pto") return true;
  std::error_code ignored;
  if (file.extension() != ".bin" || fs::exists(fs::path(file).replace_extension(".pto"), ignored))
    return false;
  return holds_object(file);
}

std::string name_below(const fs::path& folder, const fs::path& file) {
  return fs::path(file).replace_extension().lexically_relative(folder).generic_string();
}

Result<bool> add_folder(const fs::path& folder, std::vector<ProfileInput>& all) {
  std::vector<fs::path> found;
  std::error_code problem;
  for (fs::recursive_directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored) && is_program(at->path())) found.push_back(at->path());
  }
  if (problem) return Error{fmt::format("cannot read {}: {}", folder.string(), problem.message())};
  if (found.empty()) return Error{fmt::format("{} holds no program (.pto or an object)", folder.string())};
  std::ranges::sort(found);
  for (const fs::path& file : found)
    all.push_back({file.string(), name_below(folder, file), folder.string()});
  return true;
}

/// Two inputs of one name would write the same files; so might a text of several kernels, which have folders
/// below its name, and the programs of a folder of that name.
void make_distinct(std::vector<ProfileInput>& all) {
  std::set<std::string> names;
  for (const ProfileInput& input : all) {
    for (size_t at = input.name.find('/'); at != std::string::npos; at = input.name.find('/', at + 1))
      names.insert(input.name.substr(0, at));
  }
  for (ProfileInput& input : all) {
    std::string name = input.name;
    for (int number = 2; !names.insert(name).second; ++number)
      name = fmt::format("{}-{}", input.name, number);
    input.name = name;
  }
}

}  // namespace

Result<std::vector<ProfileInput>> find_programs(const std::vector<std::string>& paths) {
  std::vector<ProfileInput> all;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (path != "-" && !fs::exists(path, ignored))
      return Error{fmt::format("{}: no such file or folder", path)};
    if (!fs::is_directory(path, ignored)) {
      const std::string stem = path == "-" ? "stdin" : fs::path(path).stem().string();
      all.push_back({.file = path, .name = stem.empty() ? "program" : stem});
    } else if (auto added = add_folder(path, all); !added) {
      return added.error();
    }
  }
  make_distinct(all);
  return all;
}

}  // namespace pto
