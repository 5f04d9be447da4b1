// Options about a program that the tools share: --level, --sync, and those of the reference assembler.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/option_facts.hpp"
#include "cli/options.hpp"
#include "pto/diagnostic.hpp"
#include "pto/sync_mode.hpp"

namespace pto::tools {

inline void add_level_option(CLI::App& app, const std::string& names, std::optional<Level>& level,
                             const std::string& description) {
  app.add_option_function<std::string>(
         names, [&level](const std::string& word) { level = level_named(word); }, description)
      ->check(one_of({"level1", "level2", "level3"}));
}

inline void add_sync_option(CLI::App& app, SyncBy& sync) {
  app.add_option_function<std::string>(
         "--sync", [&sync](const std::string& word) { sync = sync_named(word).value_or(sync); },
         "auto: insert the flags that order the pipes; explicit: keep those of the program (default: "
         "explicit if the program has flags)")
      ->check(one_of({"auto", "explicit"}));
  app.add_flag_callback("--enable-insert-sync", [&sync] { sync = SyncBy::tools; })->group(group::kHidden);
}

/// `buffers` is 0 for auto and 1 for off.
inline void add_buffer_option(CLI::App& app, unsigned& buffers) {
  app.add_option_function<std::string>(
         "--multi-buffer",
         [&buffers](const std::string& word) {
           buffers = word == "auto" ? 0 : word == "off" ? 1 : static_cast<unsigned>(word[0] - '0');
         },
         "overlapped iterations of a loop, each with its own copies of the tiles, if the tools choose "
         "addresses and flags; auto (default): the count with the fewest simulated cycles")
      ->check(one_of({"auto", "off", "2", "3", "4", "5", "6", "7", "8"}));
}

/// The given options of ptoas: without effect here, for outputs that are not supported, for A5 only.
struct PtoasOptions {
  std::vector<std::string> unused, refused, of_a5;
  std::string backend, wrong;
};

/// An option of ptoas with a list of values. Other values are refused, as in ptoas.
struct PtoasChoice {
  const char* name;
  std::vector<std::string> values;
};

inline void add_ptoas_options(CLI::App& app, PtoasOptions& o, bool takes_backend = false) {
  for (const char* const name :
       {"--enable-tile-op-expand", "--enable-vpto-soft-postupdate", "--enable-graph-sync-solver",
        "--enable-shape-inference", "--enable-inject-barrier-all-sync", "--enable-vexpdif-fusion",
        "--enable-vfsim-costmodel-optimization", "--enable-unroll-after-loop-fusion",
        "--enable-bisheng-vec-misched", "--simt-fastmath", "--plan-memory-order-by-size",
        "--disable-infer-layout", "--mlir-print-ir-after-all", "--mlir-print-ir-before-all"})
    app.add_flag_callback(name, [&o, name] { o.unused.emplace_back(name); })->group(group::kHidden);
  for (const char* const name : {"--enable-op-fusion", "--enable-bufid_sync"})
    app.add_flag_callback(name,
                          [&o, name] {
                            o.unused.emplace_back(name);
                            o.of_a5.emplace_back(name);
                          })
        ->group(group::kHidden);
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
        backend ? "report instructions that this back end of ptoas does not support as errors" : "");
    option->type_name(fmt::format("{}", fmt::join(choice.values, "|")));
    option->group(backend ? group::kTarget : group::kHidden);
  }
  for (const char* const name :
       {"--cann-output-version", "--graph-sync-solver-event-id-max", "--pto-insert-sync-debug",
        "--mlir-print-ir-after", "--mlir-print-ir-before"})
    app.add_option_function<std::vector<std::string>>(
           name, [&o, name](const std::vector<std::string>&) { o.unused.emplace_back(name); })
        ->allow_extra_args(false)
        ->group(group::kHidden);
  for (const char* const name : {"--emit-vpto", "--emit-vpto-llvm-ir"})
    app.add_flag_callback(name, [&o, name] { o.refused.emplace_back(name); })->group(group::kHidden);
  app.footer("Options of ptoas without an effect here are accepted with a warning (-Wno-ptoas-option).");
}

/// Adds one warning for all given options without effect.
inline void note_unused(const PtoasOptions& options, Diagnostics& diagnostics) {
  if (options.unused.empty()) return;
  diagnostics.warning(W0110, fmt::format("{} of ptoas ha{} no effect here", fmt::join(options.unused, ", "),
                                         options.unused.size() == 1 ? "s" : "ve"));
}

inline constexpr std::string_view kOutputs = "pto-as writes objects and PTO text (--emit text|pto)";

/// The error for options of ptoas that are not supported; "" if there is none. `target`: as given, or "".
inline std::string refusal(const PtoasOptions& options, std::string_view target) {
  if (!options.wrong.empty()) return options.wrong;
  if (!options.of_a5.empty() && (target == "a2" || target == "a3" || target == "a2a3"))
    return fmt::format("{} needs --target a5", options.of_a5.front());
  return options.refused.empty() ? std::string()
                                 : fmt::format("{}: code generation for VPTO and LLVM is not supported; {}",
                                               options.refused.front(), kOutputs);
}

}  // namespace pto::tools
