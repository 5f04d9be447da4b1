// Manual pages and shell completion, made of the description that --help shows.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace pto::tools {

/// The manual page of a program and its commands, for man(1).
std::string manual_page(const CLI::App& app, std::string_view tool);
/// For "bash", "zsh" or "fish".
std::string completion(const CLI::App& app, std::string_view tool, std::string_view shell);

/// --man and --completion: print, and nothing else. Behind all other options of the tool.
void add_manual_options(CLI::App& app, std::string_view tool);

}  // namespace pto::tools
