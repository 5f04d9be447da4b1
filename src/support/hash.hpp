// The hash of names and spellings.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace pto {

/// So many bytes as a little-endian number; also at compile time, where memory has no bytes to copy.
template <class Word>
constexpr Word load_word(const char* at) {
  static_assert(std::endian::native == std::endian::little, "the hash is defined on little-endian words");
  Word word = 0;
  if (std::is_constant_evaluated()) {
    for (size_t i = sizeof(Word); i-- > 0;) word = static_cast<Word>(word << 8 | static_cast<uint8_t>(at[i]));
  } else {
    std::memcpy(&word, at, sizeof word);
  }
  return word;
}

/// Words of eight bytes; the rest and the length are a word of their own. Object files hold such hashes of
/// the instruction table, so the function is part of their format.
constexpr uint64_t hash_text(std::string_view text, uint64_t seed = 0xcbf29ce484222325ULL) {
  uint64_t hash = seed;
  const auto mix = [&hash](uint64_t word) { hash = std::rotl((hash ^ word) * 0x9e3779b97f4a7c15ULL, 29); };
  const char* at = text.data();
  size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) mix(load_word<uint64_t>(at));
  uint64_t rest = 0;
  if (left >= 4) {  // two loads that may overlap
    rest = load_word<uint32_t>(at) | static_cast<uint64_t>(load_word<uint32_t>(at + left - 4)) << 32;
  } else if (left > 0) {
    const auto byte = [at](size_t i) { return static_cast<uint64_t>(static_cast<uint8_t>(at[i])); };
    rest = byte(0) | byte(left / 2) << 8 | byte(left - 1) << 16;
  }
  mix(rest ^ uint64_t{text.size()} << 56);
  // The low bits, which tables use, depend on every byte only now.
  hash = (hash ^ hash >> 32) * 0xff51afd7ed558ccdULL;
  return hash ^ hash >> 29;
}

struct TextHash {
  size_t operator()(std::string_view text) const { return hash_text(text); }
};

}  // namespace pto
