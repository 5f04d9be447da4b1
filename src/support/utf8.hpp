// UTF-8, one code point at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pto {

/// Stands for a byte that is no part of a code point.
inline constexpr char32_t kBadCodePoint = 0xffff'ffff;

struct CodePoint {
  char32_t value;
  size_t bytes;  ///< at least 1
};

/// The first code point of a text that is not empty. Overlong forms and surrogates are bad.
inline CodePoint decode_utf8(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {kBadCodePoint, 1};
  char32_t value = lead & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) return {kBadCodePoint, 1};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  const bool overlong = value < (bytes == 4 ? 0x10000u : bytes == 3 ? 0x800u : 0x80u);
  if (overlong || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return {kBadCodePoint, 1};
  return {value, bytes};
}

}  // namespace pto
