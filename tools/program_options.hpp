// Options about the program that the tools share: --level and --sync.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "options.hpp"
#include "pto/sync_by.hpp"

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
}

}  // namespace pto::tools
