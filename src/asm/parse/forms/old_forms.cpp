#include "asm/parse/forms/old_forms.hpp"

#include <algorithm>
#include <utility>

namespace pto::text {

namespace {

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

std::string folded(std::string_view word) {
  std::string text;
  for (const char c : word) {
    if (c != '_') text += folded(c);
  }
  return text;
}

}  // namespace

void OldForms::warn(Span where, std::string message, Fix now) {
  if (!said_.insert(message).second) return;
  report_.warn(W0111, where, std::move(message)).help = std::move(now);
}

bool OldForms::is_zero_when_left_out(std::string_view operand) {
  static constexpr std::string_view kStarts[] = {"start_row", "start_col"};
  return std::ranges::find(kStarts, operand) != std::end(kStarts);
}

bool is_same_keyword(std::string_view keyword, std::string_view written) {
  // Stores of one element, places of a duplicated lane.
  static constexpr std::pair<std::string_view, std::string_view> kBegin[] = {{"onept", "1pt"}, {"pos", ""}};
  const std::string name = folded(written);
  const std::string now = folded(keyword);
  if (name == now) return true;
  return std::ranges::any_of(kBegin, [&](const auto& begin) {
    return name.starts_with(begin.first) &&
           std::string(begin.second) + name.substr(begin.first.size()) == now;
  });
}

}  // namespace pto::text
