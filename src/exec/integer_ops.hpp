// Integer words: a value of an N-bit integer type is in its word sign-extended from N bits; i1 is 0 or 1.
#pragma once

#include <cstdint>

#include "exec/exec_context.hpp"
#include "pto/type.hpp"

namespace pto::exec {

/// Bits of an integer element as arithmetic sees it: i1 has one, index 64.
inline unsigned int_bits(Elem elem) { return elem == Elem::i1 ? 1u : bit_width(elem); }

/// The word that holds the low bits of `value`.
inline Word int_word(Elem elem, uint64_t value) {
  const unsigned bits = int_bits(elem);
  if (bits == 1) return value & 1;
  if (bits >= 64) return value;
  const unsigned shift = 64 - bits;
  return static_cast<Word>(static_cast<int64_t>(value << shift) >> shift);
}

/// Signed value of a word: i1 true is -1, as in two's complement.
inline int64_t signed_value(Elem elem, Word word) {
  return int_bits(elem) == 1 ? -static_cast<int64_t>(word & 1) : static_cast<int64_t>(int_word(elem, word));
}

inline uint64_t unsigned_value(Elem elem, Word word) {
  const unsigned bits = int_bits(elem);
  return bits >= 64 ? word : word & ((uint64_t{1} << bits) - 1);
}

}  // namespace pto::exec
