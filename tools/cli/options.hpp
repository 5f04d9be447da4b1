// Kinds of options, and messages about a wrong command line.
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

/// An option whose value is an integer from 0; the conversion of CLI11 would take -1 for the greatest one.
template <typename Value>
CLI::Option* add_count(CLI::App& app, const std::string& names, Value& value, const std::string& description,
                       const std::string& value_name = "N") {
  const auto is_not_negative = [](const std::string& text) {
    return text.starts_with('-') ? fmt::format("{} is less than 0", text) : std::string();
  };
  return app.add_option(names, value, description)->type_name(value_name)->check(is_not_negative);
}

/// Whether `app` knows every option that the command line names. Words that are no options are ignored.
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

/// Adds the options of a tool, the common ones first. CLI11 compares each new option with all others, which
/// takes longer than assembling a small kernel. So the rarer ones are added only when the command line names
/// an option that is not known yet, or asks for help.
template <typename Options>
void add_in_stages(CLI::App& app, Options& options, int argc, char** argv,
                   std::initializer_list<void (*)(CLI::App&, Options&)> stages) {
  for (const auto stage : stages) {
    stage(app, options);
    if (knows_all(app, argc, argv)) return;
  }
}

/// The message for a command line that does not parse: the argument, and the option with the nearest name.
inline std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> names;
  const auto add_names = [&](const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
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
