// A scalar operation on the elements of its operands: one of them, or those of vectors side by side.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "exec/exec_context.hpp"

namespace pto::exec {

/// Computes the bits of the results from those of `kOperands` operands of equal size. Integer words
/// of scalars are sign-extended, elements of vectors are not.
template <size_t kOperands, typename F>
void each_element(Context& c, F&& compute) {
  const Type& type = c.type(0);
  std::array<Word, kOperands> in{};
  if (type.kind != TypeKind::vector) {
    for (unsigned i = 0; i < kOperands; ++i) in[i] = c.word(i);
    return c.set(compute(in));
  }
  const unsigned from = byte_width(type.elem);
  const unsigned to = byte_width(c.result_type().elem);
  const auto lanes = static_cast<unsigned>(type.dims[0]);
  // A result may be in place of an operand.
  std::array<Word, 64> built{};
  auto* out = reinterpret_cast<std::byte*>(built.data());
  if (size_t{lanes} * to > sizeof built) return c.fault(Fault::unsupported, "a vector of so many elements");
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (unsigned i = 0; i < kOperands; ++i) {
      in[i] = 0;
      std::memcpy(&in[i], reinterpret_cast<const std::byte*>(&c.as<Word>(i)) + size_t{lane} * from, from);
    }
    const Word value = compute(in);
    std::memcpy(out + size_t{lane} * to, &value, to);
  }
  std::memcpy(&c.result<Word>(), built.data(), words_of(c.result_type()) * sizeof(Word));
}

}  // namespace pto::exec
