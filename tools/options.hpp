// What the tools say about a wrong command line.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
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
