// A text that is one number, all of it.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace pto {

/// Nothing where `text` is empty, has anything besides the number, or where T does not hold it.
template <typename T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const char* last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, value);
  if (problem != std::errc() || end != last) return std::nullopt;
  return value;
}

}  // namespace pto
