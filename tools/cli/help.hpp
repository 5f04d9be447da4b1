// The text of --help: options by group, with the names of their values, at most 100 columns wide.
//
//   Simulation:
//     --mode run|time|check       run: values and cycles; time: cycles only; check: values without
//                                 cycles
//     --max-cycles CYCLES         stop after this number of cycles
//
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pto::tools {

/// What --help prints for `app`, which is called `name` on its command line.
std::string help_text(const CLI::App& app, const std::string& name);
/// --help of `app` and its commands is `help_text`.
void use_help_text(CLI::App& app);

}  // namespace pto::tools
