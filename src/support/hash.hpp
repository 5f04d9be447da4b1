// The hash of names and spellings.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace pto {

/// Words of eight bytes; the rest and the length are a word of their own. Object files hold such hashes of
/// the instruction table, so the function is part of their format.
inline uint64_t hash_text(std::string_view text, uint64_t seed = 0xcbf29ce484222325ULL) {
  static_assert(std::endian::native == std::endian::little, "the hash is defined on little-endian words");
  uint64_t hash = seed;
  const auto mix = [&hash](uint64_t word) { hash = std::rotl((hash ^ word) * 0x9e3779b97f4a7c15ULL, 29); };
  const char* at = text.data();
  size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    mix(word);
  }
  uint64_t rest = 0;
  if (left >= 4) {  // two loads that may overlap
    uint32_t low, high;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + left - 4, 4);
    rest = low | static_cast<uint64_t>(high) << 32;
  } else if (left > 0) {
    const auto byte = [at](size_t i) { return static_cast<uint64_t>(static_cast<uint8_t>(at[i])); };
    rest = byte(0) | byte(left / 2) << 8 | byte(left - 1) << 16;
  }
  mix(rest ^ text.size() << 56);
  // The low bits, which tables use, depend on every byte only now.
  hash = (hash ^ hash >> 32) * 0xff51afd7ed558ccdULL;
  return hash ^ hash >> 29;
}

struct TextHash {
  size_t operator()(std::string_view text) const { return hash_text(text); }
};

}  // namespace pto
