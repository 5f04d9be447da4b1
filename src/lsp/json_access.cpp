#include "lsp/json_access.hpp"

#include <limits>

#include "support/json.hpp"

namespace pto::lsp {

const Json* member(const Json& json, std::initializer_list<std::string_view> path) {
  const Json* at = &json;
  for (const std::string_view name : path) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(name);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::optional<std::string> text_at(const Json& json, std::initializer_list<std::string_view> path) {
  const Json* found = member(json, path);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

std::optional<bool> flag_at(const Json& json, std::initializer_list<std::string_view> path) {
  const Json* found = member(json, path);
  if (found == nullptr || !found->is_boolean()) return std::nullopt;
  return found->get<bool>();
}

namespace {

std::optional<uint32_t> number(const Json& json, std::string_view name) {
  const Json* found = member(json, {name});
  if (found == nullptr || !found->is_number_unsigned()) return std::nullopt;
  const auto value = found->get<uint64_t>();
  if (value > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  return static_cast<uint32_t>(value);
}

}  // namespace

std::optional<Position> position_of(const Json* json) {
  if (json == nullptr) return std::nullopt;
  const auto line = number(*json, "line"), character = number(*json, "character");
  if (!line || !character) return std::nullopt;
  return Position{*line, *character};
}

std::optional<Range> range_of(const Json* json) {
  if (json == nullptr) return std::nullopt;
  const auto start = position_of(member(*json, {"start"})), end = position_of(member(*json, {"end"}));
  if (!start || !end) return std::nullopt;
  return Range{*start, *end};
}

Json to_json(Position position) { return {{"line", position.line}, {"character", position.character}}; }

Json to_json(const Range& range) { return {{"start", to_json(range.start)}, {"end", to_json(range.end)}}; }

std::string dump(const Json& json) { return print_json(json); }

}  // namespace pto::lsp
