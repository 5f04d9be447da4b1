// Test support: logical vectors and masks built lane by lane.
#pragma once

#include <cstring>

#include "exec/vector/vector_fixture.hpp"

namespace pto::exec::test {

inline Type vector_of(Elem elem, unsigned lanes) {
  Type type;
  type.kind = TypeKind::vmi_vreg;
  type.elem = elem;
  type.dims[0] = lanes;
  return type;
}
inline Type mask_of(unsigned lanes) {
  Type type;
  type.kind = TypeKind::vmi_mask;
  type.elem = Elem::i1;
  type.dims[0] = lanes;
  return type;
}
inline Arg lanes(Elem elem, unsigned count, const std::function<uint64_t(unsigned)>& f) {
  const Type type = vector_of(elem, count);
  std::vector<Word> words(words_of(type));
  const unsigned width = byte_width(elem);
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t bits = f(i);
    std::memcpy(reinterpret_cast<std::byte*>(words.data()) + i * width, &bits, width);
  }
  return {type, words};
}
inline Arg mask(unsigned count, const std::function<bool(unsigned)>& f) {
  const Type type = mask_of(count);
  std::vector<Word> words(words_of(type));
  for (unsigned i = 0; i < count; ++i)
    if (f(i)) words[i / 64] |= Word{1} << (i % 64);
  return {type, words};
}
inline Arg index(int64_t v) { return MicroBench::scalar(Elem::index, static_cast<Word>(v)); }

}  // namespace pto::exec::test
