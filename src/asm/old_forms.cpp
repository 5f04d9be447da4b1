#include "asm/old_forms.hpp"

#include <algorithm>

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

void OldForms::warn(Span where, std::string message, std::string now) {
  if (!said_.insert(message).second) return;
  report_.warn("W0111", where, std::move(message)).help = std::move(now);
}

bool OldForms::is_zero_when_left_out(std::string_view operand) {
  static constexpr std::string_view kStarts[] = {"start_row", "start_col"};
  return std::ranges::find(kStarts, operand) != std::end(kStarts);
}

bool is_same_keyword(std::string_view keyword, std::string_view written) {
  static constexpr std::string_view kOld = "onept", kNow = "1pt";  // stores of one element
  std::string name = folded(written);
  if (name.starts_with(kOld)) name.replace(0, kOld.size(), kNow);
  return folded(keyword) == name;
}

}  // namespace pto::text
