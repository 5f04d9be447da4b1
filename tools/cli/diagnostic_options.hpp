// Options about diagnostics that the tools share: -W, --max-errors, --diagnostics, --color.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "cli/option_facts.hpp"
#include "cli/options.hpp"
#include "cli/tool_main.hpp"
#include "pto/diagnostic_formats.hpp"
#include "pto/rules.hpp"

namespace pto {

struct DiagnosticOptions {
  std::string form = "text", color = "auto";
  std::vector<std::string> switches;  ///< without the W
  bool no_warnings = false;
  size_t limit = Diagnostics::kDefaultLimit;
};

inline void add_diagnostic_options(CLI::App& app, DiagnosticOptions& o) {
  const auto known = [](const std::string& text) {
    WarningPolicy policy;
    const auto applied = apply_switch(policy, text);
    return applied ? std::string() : applied.error().message;
  };
  tools::begin_group(app, tools::group::kDiagnostics);
  app.add_option("-W,--warn", o.switches,
                 "control warnings: -Wno-NAME, -WNAME, -Werror, -Werror=NAME, -Wno-error=NAME; --list-rules "
                 "prints names and ids")
      ->allow_extra_args(false)
      ->type_name("SWITCH")
      ->check(known);
  app.add_flag("-w,--no-warnings", o.no_warnings, "disable all warnings");
  tools::add_count(app, "--max-errors", o.limit, "print at most N errors and N warnings; 0: all")
      ->capture_default_str();
  app.add_option("--diagnostics", o.form, "format of messages")
      ->check(tools::one_of({"text", "json", "sarif"}))
      ->capture_default_str();
  app.add_option("--color", o.color, "auto: colours if standard error is a terminal and NO_COLOR is not set")
      ->check(tools::one_of({"auto", "always", "never"}))
      ->capture_default_str();
}

inline WarningPolicy warning_policy(const DiagnosticOptions& options) {
  WarningPolicy policy;
  for (const std::string& text : options.switches)
    (void)apply_switch(policy, text);  // unknown names have been refused
  if (options.no_warnings) policy.silence();
  return policy;
}

inline Diagnostics make_diagnostics(const DiagnosticOptions& options) {
  return Diagnostics(options.limit, warning_policy(options));
}

/// As PrepareOptions::fold_warnings; with --max-errors 0 all are shown.
inline std::optional<Diagnostics> folded_warnings(const DiagnosticOptions& options) {
  constexpr size_t kMax = 10'000;
  if (options.limit == 0) return std::nullopt;
  return Diagnostics(kMax, warning_policy(options));
}

inline TextStyle text_style(const DiagnosticOptions& options) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool colorful = (no_color == nullptr || *no_color == '\0') && isatty(STDERR_FILENO) != 0;
  return {.color = options.color == "always" || (options.color == "auto" && colorful)};
}

/// To standard error. The machine-readable forms are complete documents, also when there is nothing to say.
inline void print_diagnostics(const DiagnosticOptions& options, const Diagnostics& diagnostics,
                              std::string_view file, std::string_view source, std::string_view tool) {
  if (options.form == "json") {
    tools::put(stderr, format_json(diagnostics, file, source) + "\n");
  } else if (options.form == "sarif") {
    tools::put(stderr, format_sarif(diagnostics, file, source, tool) + "\n");
  } else {
    tools::put(stderr, format_text(diagnostics, file, source, text_style(options)));
  }
}

}  // namespace pto
