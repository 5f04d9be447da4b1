// What the tools print about themselves: the rules, the explanation of one rule, and of pto-as the
// instruction reference.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "options.hpp"
#include "pto/output_files.hpp"
#include "pto/reference.hpp"
#include "pto/result.hpp"
#include "pto/rules.hpp"
#include "tool_main.hpp"

namespace pto {

struct DocumentOptions {
  std::string format = "md", output_dir, explain;
  bool instructions = false, rules = false, unsupported = false;
};

/// About errors, warnings and findings of runs.
inline void add_rule_options(CLI::App& app, DocumentOptions& o) {
  app.add_flag("--list-rules", o.rules,
               "print every error, warning and finding of a run with its id and name");
  app.add_option("--explain", o.explain,
                 "say what an error, warning or finding means, by id or name: E0115, element-count, RACE");
  app.add_option("--format", o.format, "of lists")->check(tools::one_of({"md", "json"}));
}

inline void add_document_options(CLI::App& app, DocumentOptions& o) {
  add_rule_options(app, o);
  app.add_flag("--list-instructions", o.instructions, "print the instruction reference");
  app.add_option("--output-dir", o.output_dir, "write the instruction reference as pages into this folder");
  app.add_flag("--unsupported", o.unsupported, "only instructions that are not supported yet");
}

inline bool wants_documents(const DocumentOptions& o) {
  return o.instructions || o.rules || !o.explain.empty();
}

inline Result<bool> explain(std::string_view name) {
  const Rule* rule = find_rule(name);
  if (rule == nullptr) {
    const std::string near = nearest_rule(name);
    return Error{
        fmt::format("there is no rule '{}'{}", name,
                    near.empty() ? "; --list-rules shows all" : fmt::format("; did you mean '{}'?", near))};
  }
  tools::put(stdout, fmt::format("{}: {} ({})\n\n{}\n\nExample:\n{}\n\nFix: {}\n", rule->id, rule->title,
                                 slug(*rule), rule->cause, rule->example, rule->fix));
  return true;
}

/// The pages of docs/isa.
inline Result<bool> write_pages(const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return Error{fmt::format("cannot make {}: {}", folder.string(), problem.message())};
  OutputFiles files;
  for (const ReferencePage& page : reference_pages()) {
    const auto file = files.open(folder / page.file);
    if (!file) return file.error();
    (*file)->write(page.text);
    (*file)->finish();
  }
  return files.commit();
}

inline Result<bool> print_documents(const DocumentOptions& o, std::optional<Target> target) {
  if (!o.explain.empty()) return explain(o.explain);
  if (!o.output_dir.empty()) return write_pages(o.output_dir);
  tools::put(stdout, o.rules ? list_rules(o.format) : list_instructions(o.format, {target, o.unsupported}));
  return true;
}

}  // namespace pto
