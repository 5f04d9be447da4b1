// Numbers for people.
#pragma once

#include <cstdint>
#include <string>

namespace pto {

/// 12430 -> "12,430"
inline std::string with_commas(uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace pto
