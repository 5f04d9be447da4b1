// Descriptions of options, as --help, manual pages and shell completion show them, and their groups.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pto::tools {

/// Groups of options. --help and manual pages print them in this order; an option without a group is hidden.
namespace group {
inline constexpr const char* kProgram = "Program";
inline constexpr const char* kLaunch = "Launch";
inline constexpr const char* kTarget = "Target";
inline constexpr const char* kCompilation = "Compilation";
inline constexpr const char* kSimulation = "Simulation";
inline constexpr const char* kOutput = "Output";
inline constexpr const char* kReports = "Reports";
inline constexpr const char* kDiagnostics = "Diagnostics";
inline constexpr const char* kReference = "Reference";
inline constexpr const char* kGeneral = "General";
inline constexpr const char* kHidden = "";
inline constexpr const char* kAll[] = {kProgram, kLaunch,  kTarget,      kCompilation, kSimulation,
                                       kOutput,  kReports, kDiagnostics, kReference,   kGeneral};
}  // namespace group

/// Options that are added to `app` from here on belong to the group `name`.
inline void begin_group(CLI::App& app, const char* name) { app.option_defaults()->group(name); }

struct OptionFacts {
  std::vector<std::string> names;    ///< with dashes; empty for a positional argument
  std::vector<std::string> aliases;  ///< accepted, but not shown by --help
  std::string value;                 ///< "FILE", "run|time|check", or "" for a switch
  std::vector<std::string> choices;  ///< all values, when the option accepts no others
  std::string description;           ///< with the default value
  std::string group;
  bool is_required = false, is_repeatable = false;
};

/// Positional arguments and options of `app` that have a group, in the order in which they were added.
/// Throws std::logic_error for an option whose group is not in `group::kAll`.
std::vector<OptionFacts> option_facts(const CLI::App& app);
std::vector<const CLI::App*> commands_of(const CLI::App& app);
/// "FILE..." and the like, in brackets when it may be left out.
std::string usage_of(const OptionFacts& positional);

}  // namespace pto::tools
