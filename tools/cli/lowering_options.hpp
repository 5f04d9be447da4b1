// Options about the lowering of logical vectors that the tools share: -Rlayout, --vmi.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/tool_main.hpp"
#include "pto/prepare.hpp"

namespace pto::tools {

inline void add_remark_option(CLI::App& app, std::vector<std::string>& remarks) {
  app.add_option("-R,--remarks", remarks,
                 "-Rlayout: print the layout of every logical vector, and the cost of layout conversions")
      ->type_name("layout")
      ->allow_extra_args(false)
      ->check(one_of({"layout"}));
}

inline void add_vectors_option(CLI::App& app, Vectors& vectors) {
  app.add_option_function<std::string>(
         "--vmi",
         [&vectors](const std::string& word) {
           vectors = word == "logical" ? Vectors::logical : Vectors::lowered;
         },
         "execution of logical vectors on A5: lowered (default): as vector registers; logical: lane by lane, "
         "without lowering")
      ->check(one_of({"logical", "lowered"}));
}

/// Prints one line for each value and conversion to standard error, in the order of the text.
inline void print_layouts(const std::vector<std::string>& remarks, const Lowered& lowered,
                          std::string_view file) {
  if (remarks.empty()) return;
  const auto place = [&](Location where) {
    return fmt::format("{}:{}:{}: note: ", file, where.line, where.col);
  };
  const auto value = [](const std::string& name) {
    return name.empty() ? std::string("a value") : "%" + name;
  };
  const auto times = [](unsigned n, std::string_view what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  std::string text;
  for (const PlacedValue& each : lowered.values)
    text += fmt::format("{}{} {}: {}, {}\n", place(each.where), value(each.name), each.type, each.layout,
                        times(each.registers, "register"));
  for (const Conversion& each : lowered.conversions)
    text += fmt::format("{}{} is moved from {} to {}: {}\n", place(each.where), value(each.name), each.from,
                        each.to, times(each.instructions, "instruction"));
  put(stderr, text);
}

}  // namespace pto::tools
