// What the tools say about a wrong command line.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"

namespace pto::tools {

/// A value that must be one of `names`; the message lists them and suggests a near one.
inline CLI::Validator one_of(std::vector<std::string> names) {
  return {[names](std::string& value) {
            std::vector<std::string_view> candidates;
            for (const std::string& name : names) {
              if (name == value) return std::string{};
              candidates.push_back(name);
            }
            const std::string_view near = nearest(value, candidates);
            return fmt::format("'{}' is not one of {}{}", value, fmt::join(names, ", "),
                               near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
          },
          fmt::format("{}", fmt::join(names, "|"))};
}

/// Whether `app` knows every option that the command line names; words that are no options count as known.
inline bool knows_all(const CLI::App& app, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.size() < 2 || argument[0] != '-') continue;
    const bool is_long = argument[1] == '-';
    const std::string name(argument.substr(0, is_long ? argument.find('=') : 2));
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option == nullptr || option == app.get_help_ptr()) return false;
  }
  return true;
}

/// Makes the options of a tool, the common ones first. CLI11 compares each new option with all others, which
/// takes longer than assembling a small kernel, so the rarer ones are made only when the command line names
/// something that is not known yet, or asks for help.
template <typename Options>
void add_in_stages(CLI::App& app, Options& options, int argc, char** argv,
                   std::initializer_list<void (*)(CLI::App&, Options&)> stages) {
  for (const auto stage : stages) {
    stage(app, options);
    if (knows_all(app, argc, argv)) return;
  }
}

/// One line for a command line that does not parse: which argument, and what is near to it.
inline std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> names;
  const auto add_names = [&](const CLI::App& of) {
    for (const CLI::Option* option : of.get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  };
  add_names(app);
  for (const CLI::App* command : app.get_subcommands()) add_names(*command);
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ExtrasError)) return error.what();
  const std::vector<std::string> rest = app.remaining(true);
  for (const std::string& argument : rest) {
    if (!argument.starts_with('-')) continue;
    const std::string written = argument.substr(0, argument.find('='));
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    const std::string_view near = nearest(written, candidates);
    return fmt::format("unknown option '{}'{}", written,
                       near.empty() ? "; --help lists them" : fmt::format("; did you mean '{}'?", near));
  }
  return fmt::format("'{}' is one file too many", rest.empty() ? "" : rest.front());
}

}  // namespace pto::tools
