// Inlay hints: addresses of tiles that the planner chose, and cycles of the last run.
#include <fmt/format.h>

#include "lsp/features.hpp"
#include "sim/findings/naming.hpp"

namespace pto::lsp {

namespace {

Json hint(Position position, std::string label, std::string_view tooltip) {
  return {{"position", to_json(position)},
          {"label", std::move(label)},
          {"tooltip", tooltip},
          {"paddingLeft", true}};
}

bool within(const Range& range, Position position) {
  return range.start <= position && position <= range.end;
}

}  // namespace

Json hints(OpenText& text, const Settings& settings, const Range& range) {
  Json list = Json::array();
  const Places& places = text.places(settings);
  const Document& document = text.document();
  for (const NameUse& use : text.analysis(settings).names()) {
    if (use.where.begin != use.definition) continue;
    const auto place = places.find(use.value);
    if (place == places.end() || !place->second.chosen) continue;
    const Position position = document.position(use.where.end);
    if (!within(range, position)) continue;
    list.push_back(
        hint(position, fmt::format("{} {:#x}", to_string(place->second.space), place->second.address),
             fmt::format("{} bytes, address chosen by the planner", sim::grouped(place->second.bytes))));
  }
  for (const auto& [line, cycles] : text.cycles()) {
    const Position position =
        document.position(document.begin_of_line(line) + static_cast<uint32_t>(document.line(line).size()));
    if (line >= document.lines() || !within(range, position)) continue;
    list.push_back(hint(position, fmt::format("{} cycles", sim::grouped(cycles.cycles)),
                        fmt::format("executed {} time{} in the last run", sim::grouped(cycles.count),
                                    cycles.count == 1 ? "" : "s")));
  }
  return list;
}

}  // namespace pto::lsp
