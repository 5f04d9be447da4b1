// A case as the text of a case file.
#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "cases/dtype.hpp"
#include "pto/case_file.hpp"
#include "support/toml.hpp"

namespace pto {
namespace {

/// A number or word as it was written, in the kind of TOML value that says it.
void insert(toml::table& table, std::string_view key, const std::string& text) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  int64_t whole = 0;
  double real = 0;
  if (std::from_chars(begin, end, whole).ptr == end) {
    table.insert(key, whole);
  } else if (std::from_chars(begin, end, real).ptr == end) {
    table.insert(key, real);
  } else if (text == "true" || text == "false") {
    table.insert(key, text == "true");
  } else {
    table.insert(key, text);
  }
}

toml::table argument(const CaseArg& arg, const auto& shown_path) {
  toml::table table;
  table.insert("name", arg.name);
  if (!arg.peer.empty()) {
    table.insert("peer", arg.peer);
    return table;
  }
  if (arg.window) table.insert("window", *arg.window);
  table.insert("dtype", report::dtype_name(arg.dtype));
  if (!arg.shape.empty()) {
    toml::array shape;
    for (const int64_t size : arg.shape) shape.push_back(size);
    table.insert("shape", std::move(shape));
  }
  if (arg.value) insert(table, "value", *arg.value);
  if (arg.fill) insert(table, "fill", *arg.fill);
  if (arg.bits) table.insert("bits", true);
  if (!arg.input.empty()) table.insert("input", shown_path(arg.input));
  return table;
}

}  // namespace

std::string case_text(const Case& the_case, const std::filesystem::path& file,
                      const std::vector<std::string>& notes) {
  const auto relative = [&](const std::string& path) {
    std::error_code problem;
    const auto folder = std::filesystem::absolute(file, problem).parent_path();
    const auto whole = std::filesystem::absolute(path, problem);
    const auto shown = whole.lexically_relative(folder);
    return (shown.empty() ? whole : shown).generic_string();
  };
  toml::table root;
  root.insert("program", relative(the_case.program));
  if (!the_case.entry.empty()) root.insert("entry", the_case.entry);
  if (!the_case.target.empty()) root.insert("target", the_case.target);
  if (the_case.blocks != 1) root.insert("blocks", int64_t{the_case.blocks});
  if (the_case.ranks != 0) root.insert("ranks", int64_t{the_case.ranks});
  if (!the_case.topology.empty()) root.insert("topology", the_case.topology);
  if (the_case.level) root.insert("level", fmt::format("level{}", static_cast<int>(*the_case.level)));
  if (the_case.sync != SyncBy::by_program)
    root.insert("sync", the_case.sync == SyncBy::tools ? "auto" : "explicit");
  if (!the_case.watch.empty()) {
    toml::array names;
    for (const std::string& name : the_case.watch) names.push_back(name);
    root.insert("watch", std::move(names));
  }
  toml::array args;
  for (const CaseArg& arg : the_case.args) args.push_back(argument(arg, relative));
  root.insert("arg", std::move(args));
  if (!notes.empty()) {
    toml::array list;
    for (const std::string& note : notes) list.push_back(note);
    root.insert("meta", toml::table{{"chosen", std::move(list)}});
  }
  std::ostringstream out;
  out << toml::toml_formatter{root, toml::toml_formatter::default_flags &
                                        ~toml::format_flags::quote_dates_and_times}
      << "\n";
  return out.str();
}

}  // namespace pto
