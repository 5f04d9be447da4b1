#include "lsp/run_overlay.hpp"

#include <limits>

#include "lsp/json_access.hpp"
#include "support/file.hpp"
#include "support/json.hpp"

namespace pto::lsp {

namespace {

constexpr uint64_t kMaxBytes = uint64_t{64} << 20;

std::optional<uint64_t> count_at(const Json& json, std::string_view name) {
  const Json* found = member(json, {name});
  if (found == nullptr || !found->is_number_unsigned()) return std::nullopt;
  return found->get<uint64_t>();
}

}  // namespace

std::filesystem::path stats_of(const std::filesystem::path& program) {
  return std::filesystem::path(program).replace_extension(".stats.json");
}

RunCycles last_run(const std::filesystem::path& program) {
  std::error_code missing;
  const std::filesystem::path stats = stats_of(program);
  const auto written = std::filesystem::last_write_time(stats, missing);
  if (missing || !std::filesystem::is_regular_file(stats, missing)) return {};
  const auto saved = std::filesystem::last_write_time(program, missing);
  if (missing || written < saved) return {};
  const Result<std::string> text = read_file(stats, kMaxBytes);
  if (!text) return {};
  const Json json = parse_json(*text);
  const Json* lines = member(json, {"lines"});
  if (lines == nullptr || !lines->is_array()) return {};
  RunCycles cycles;
  for (const Json& one : *lines) {
    const auto line = count_at(one, "line"), count = count_at(one, "count"), took = count_at(one, "cycles");
    if (line && count && took && *line > 0 && *line <= std::numeric_limits<uint32_t>::max() && *took > 0)
      cycles[static_cast<uint32_t>(*line - 1)] = {*count, *took};
  }
  return cycles;
}

RunCycles moved(const RunCycles& cycles, const Range& range, std::string_view text) {
  const Document inserted{std::string(text)};
  RunCycles result;
  for (const auto& [line, one] : cycles) {
    if (line < range.start.line) result[line] = one;
    if (line > range.end.line) result[line - range.end.line + range.start.line + inserted.lines() - 1] = one;
  }
  return result;
}

}  // namespace pto::lsp
