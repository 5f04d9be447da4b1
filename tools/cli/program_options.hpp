// Options about the program that the tools share: --level, --sync, and those of the reference assembler.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "pto/diagnostic.hpp"
#include "pto/sync_mode.hpp"

namespace pto::tools {

inline void add_level_option(CLI::App& app, const std::string& names, std::optional<Level>& level,
                             const std::string& what) {
  app.add_option_function<std::string>(
         names, [&level](const std::string& word) { level = level_named(word); }, what)
      ->check(one_of({"level1", "level2", "level3"}));
}

inline void add_sync_option(CLI::App& app, SyncBy& sync, const std::string& what) {
  app.add_option_function<std::string>(
         "--sync", [&sync](const std::string& word) { sync = sync_named(word).value_or(sync); }, what)
      ->check(one_of({"auto", "explicit"}));
  app.add_flag_callback(
      "--enable-insert-sync", [&sync] { sync = SyncBy::tools; }, "the same as --sync auto");
}

/// auto is 0, off is 1.
inline void add_buffer_option(CLI::App& app, unsigned& buffers) {
  app.add_option_function<std::string>(
         "--multi-buffer",
         [&buffers](const std::string& word) {
           buffers = word == "auto" ? 0 : word == "off" ? 1 : static_cast<unsigned>(word[0] - '0');
         },
         "turns of a loop under way at the same time, each with tiles of its own, where the tools choose "
         "addresses and flags; auto (default): as many as make it faster by simulation")
      ->check(one_of({"auto", "off", "2", "3", "4", "5", "6", "7", "8"}));
}

/// What was given of the options of ptoas that change nothing here, of those that ask for what is not made,
/// and of those that only a5 has.
struct PtoasOptions {
  std::vector<std::string> unused, refused, of_a5;
  std::string backend, wrong;
};

/// Options of ptoas with few values: others are refused, as there.
struct PtoasChoice {
  const char* name;
  std::vector<std::string> values;
};

inline void add_ptoas_options(CLI::App& app, PtoasOptions& o, bool takes_backend = false) {
  constexpr const char* kHidden = "";
  for (const char* const name :
       {"--enable-tile-op-expand", "--enable-vpto-soft-postupdate", "--enable-graph-sync-solver",
        "--enable-shape-inference", "--enable-inject-barrier-all-sync", "--enable-vexpdif-fusion",
        "--enable-vfsim-costmodel-optimization", "--enable-unroll-after-loop-fusion",
        "--enable-bisheng-vec-misched", "--simt-fastmath", "--plan-memory-order-by-size",
        "--disable-infer-layout", "--mlir-print-ir-after-all", "--mlir-print-ir-before-all"})
    app.add_flag_callback(name, [&o, name] { o.unused.emplace_back(name); })->group(kHidden);
  for (const char* const name : {"--enable-op-fusion", "--enable-bufid_sync"})
    app.add_flag_callback(name,
                          [&o, name] {
                            o.unused.emplace_back(name);
                            o.of_a5.emplace_back(name);
                          })
        ->group(kHidden);
  for (const PtoasChoice& choice : {PtoasChoice{"--pto-backend", {"emitc", "vpto"}},
                                    PtoasChoice{"--plan-memory-impl", {"legacy", "modern"}},
                                    PtoasChoice{"--vpto-scheduler", {"off", "analyze", "on"}},
                                    PtoasChoice{"--bisheng-vf-auto-sync", {"off", "fused", "global"}}}) {
    const bool backend = takes_backend && choice.name == std::string_view("--pto-backend");
    CLI::Option* option = app.add_option_function<std::string>(
        choice.name,
        [&o, backend, choice](const std::string& value) {
          if (std::string one = value; !one_of(choice.values)(one).empty())
            o.wrong = fmt::format("{}: {}", choice.name, one_of(choice.values)(one));
          else if (backend)
            o.backend = value;
          else
            o.unused.emplace_back(choice.name);
        },
        backend ? "the public back end that is to take the program: what it does not make is an error" : "");
    if (!backend) option->group(kHidden);
  }
  for (const char* const name :
       {"--cann-output-version", "--graph-sync-solver-event-id-max", "--pto-insert-sync-debug",
        "--mlir-print-ir-after", "--mlir-print-ir-before"})
    app.add_option_function<std::vector<std::string>>(
           name, [&o, name](const std::vector<std::string>&) { o.unused.emplace_back(name); })
        ->allow_extra_args(false)
        ->group(kHidden);
  for (const char* const name : {"--emit-vpto", "--emit-vpto-llvm-ir"})
    app.add_flag_callback(name, [&o, name] { o.refused.emplace_back(name); })->group(kHidden);
  app.footer(
      "Options of ptoas that change nothing here are accepted with a note: -Wno-ptoas-option hides it.");
}

/// One warning for all that change nothing.
inline void note_unused(const PtoasOptions& options, Diagnostics& diagnostics) {
  if (options.unused.empty()) return;
  diagnostics.warning(W0110, fmt::format("{} of ptoas change{} nothing here", fmt::join(options.unused, ", "),
                                         options.unused.size() == 1 ? "s" : ""));
}

inline constexpr std::string_view kMade = "pto-as makes objects and PTO text (--emit text|pto)";

/// Why the command line asks for what is not made; "" when it does not. `target` as it was given, or "".
inline std::string refusal(const PtoasOptions& options, std::string_view target) {
  if (!options.wrong.empty()) return options.wrong;
  if (!options.of_a5.empty() && (target == "a2" || target == "a3" || target == "a2a3"))
    return fmt::format("{} needs --target a5", options.of_a5.front());
  return options.refused.empty() ? std::string()
                                 : fmt::format("{}: this is not a code generator for VPTO or LLVM; {}",
                                               options.refused.front(), kMade);
}

}  // namespace pto::tools
