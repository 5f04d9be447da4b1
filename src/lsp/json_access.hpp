// Access to values of messages whose structure is not guaranteed.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/document.hpp"
#include "support/json.hpp"

namespace pto::lsp {

using Json = nlohmann::ordered_json;

/// The member at the end of a path of names; nullptr when one of them is not there.
const Json* member(const Json& json, std::initializer_list<std::string_view> path);
/// Nothing where it is not there or of another kind.
std::optional<std::string> text_at(const Json& json, std::initializer_list<std::string_view> path);
std::optional<bool> flag_at(const Json& json, std::initializer_list<std::string_view> path);
std::optional<Position> position_of(const Json* json);
std::optional<Range> range_of(const Json* json);

Json to_json(Position position);
Json to_json(const Range& range);
/// Valid UTF-8 for any strings.
std::string dump(const Json& json);

}  // namespace pto::lsp
