// JSON that comes from outside.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pto {

/// Values within values; the library copies, prints and compares them recursively.
inline constexpr size_t kMaxJsonDepth = 200;

/// Whether brackets are nested deeper; of a text that is JSON.
bool nested_deeper(std::string_view json, size_t levels);

/// Discarded when the text is no JSON, or nested deeper than kMaxJsonDepth.
inline nlohmann::ordered_json parse_json(std::string_view text) {
  using Json = nlohmann::ordered_json;
  return nested_deeper(text, kMaxJsonDepth) ? Json(Json::value_t::discarded)
                                            : Json::parse(text, nullptr, false);
}

/// In one line, or indented; bytes that are no UTF-8 are replaced.
inline std::string print_json(const nlohmann::ordered_json& json, int indent = -1) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace pto
