// Manual pages and shell completion, generated from the options of a program.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pto::tools {

/// Commands that run in the order of a page, in an empty folder (asm-tests/cli/manual_examples.sh runs them).
struct ManualExample {
  std::string about;
  std::string commands;  ///< one per line
};

struct ManualFile {
  std::string name, about;
};

/// The hand-written part of a manual page.
struct ManualText {
  std::string_view tool;
  std::string description;
  std::vector<ManualExample> examples;
  std::vector<ManualFile> files;
};

/// The manual page of a program and its commands, for man(1).
std::string manual_page(const CLI::App& app, const ManualText& text);
/// A completion script; `shell` is "bash", "zsh" or "fish".
std::string completion(const CLI::App& app, std::string_view tool, std::string_view shell);

/// Adds --man and --completion, which print and exit. Call it after all other options are added.
void add_manual_options(CLI::App& app, const ManualText& text);

}  // namespace pto::tools
