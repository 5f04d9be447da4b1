// Options that print reference material: rules, the explanation of a rule, instructions, examples.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "cli/option_facts.hpp"
#include "cli/options.hpp"
#include "cli/tool_main.hpp"
#include "pto/diagnostic.hpp"
#include "pto/examples.hpp"
#include "pto/output_files.hpp"
#include "pto/reference.hpp"
#include "pto/result.hpp"
#include "pto/rules.hpp"
#include "support/printable.hpp"

namespace pto {

struct DocumentOptions {
  std::string format = "md", output_dir, explain, example;
  bool instructions = false, rules = false, unsupported = false;
};

/// Options about errors, warnings and findings of runs.
inline void add_rule_options(CLI::App& app, DocumentOptions& o) {
  tools::begin_group(app, tools::group::kReference);
  app.add_flag("--list-rules", o.rules,
               "list all errors, warnings and findings of a run with their ids and names");
  app.add_option("--explain", o.explain,
                 "explain an error, warning or finding, given by id or name: E0115, element-count, RACE")
      ->type_name("RULE");
  app.add_option("--format", o.format, "format of --list-rules and --list-instructions (default: md)")
      ->check(tools::one_of({"md", "json"}));
}

inline void add_document_options(CLI::App& app, DocumentOptions& o) {
  add_rule_options(app, o);
  app.add_flag("--list-instructions", o.instructions, "print the instruction reference");
  app.add_flag("--unsupported", o.unsupported,
               "list only instructions that are not supported yet (with --list-instructions)");
  app.add_option("--example", o.example,
                 "print the kernel of an example, or write all its files (with --output-dir); list: print "
                 "the names of all examples")
      ->type_name("NAME");
  app.add_option("--output-dir", o.output_dir,
                 "folder for the files of an example, or for the pages of the instruction reference")
      ->type_name("DIR");
}

inline bool wants_documents(const DocumentOptions& o) {
  return o.instructions || o.rules || !o.explain.empty() || !o.example.empty();
}

inline Result<bool> explain(std::string_view name) {
  const Rule* rule = find_rule(name);
  if (rule == nullptr) {
    const std::string near = nearest_rule(name);
    return Error{
        fmt::format("there is no rule '{}'{}", name,
                    near.empty() ? "; --list-rules shows all" : fmt::format("; did you mean '{}'?", near))};
  }
  tools::put(stdout, fmt::format("{}: {} ({})\n\n{}\n\nExample:\n{}\n\nFix: {}\n", to_string(rule->id),
                                 rule->title, slug(*rule), rule->cause, rule->example, rule->fix));
  return true;
}

/// Writes files into a folder, which is created if it does not exist.
template <typename Files>
Result<bool> write_files(const std::filesystem::path& folder, const Files& list) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return Error{fmt::format("cannot make {}: {}", folder.string(), problem.message())};
  OutputFiles files;
  for (const auto& [name, text] : list) {
    const auto file = files.open(folder / name);
    if (!file) return file.error();
    (*file)->write(text);
    (*file)->finish();
  }
  return files.commit();
}

/// Prints the names of all examples or the kernel of one, or writes the files of one into `folder`.
inline Result<bool> print_example(const std::string& name, const std::string& folder) {
  const std::vector<Example> all = examples();
  std::vector<std::string_view> names;
  for (const Example& example : all) {
    names.push_back(example.name);
    if (name == "list") tools::put(stdout, fmt::format("{:<16} {}\n", example.name, example.about));
    if (name != example.name) continue;
    if (folder.empty()) {
      tools::put(stdout, example.program());
      return true;
    }
    tools::put(stderr, fmt::format("run it: pto-sim {}/case.toml\n", printable_line(folder, kMaxPathLength)));
    return write_files(folder, example.files);
  }
  if (name == "list") return true;
  const std::string_view near = nearest(name, names);
  return Error{
      fmt::format("there is no example '{}'{}", printable_line(name),
                  near.empty() ? "; --example list names them" : fmt::format("; did you mean '{}'?", near))};
}

inline Result<bool> print_documents(const DocumentOptions& o, std::optional<Target> target) {
  if (!o.explain.empty()) return explain(o.explain);
  if (!o.example.empty()) return print_example(o.example, o.output_dir);
  if (!o.output_dir.empty()) return write_files(o.output_dir, reference_pages());
  tools::put(stdout, o.rules ? list_rules(o.format) : list_instructions(o.format, {target, o.unsupported}));
  return true;
}

}  // namespace pto
