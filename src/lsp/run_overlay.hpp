// The cycles of each line in the last run of a program: from the file of `pto-sim --stats`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "lsp/document.hpp"

namespace pto::lsp {

struct LineCycles {
  uint64_t count = 0, cycles = 0;
};
/// By line, from 0.
using RunCycles = std::map<uint32_t, LineCycles>;

/// The statistics beside a program: `k.pto` has `k.stats.json`.
std::filesystem::path stats_of(const std::filesystem::path& program);
/// None when there is no such file, it is no such file, or the program was saved behind it.
RunCycles last_run(const std::filesystem::path& program);
/// The same behind an edit: lines that it changes have none, those behind it move.
RunCycles moved(const RunCycles& cycles, const Range& range, std::string_view text);

}  // namespace pto::lsp
