// Read-modify-write of GM elements by stores with an atomic mode.
#pragma once

#include <algorithm>
#include <cstring>

#include "exec/vector/lanes.hpp"

namespace pto::exec {

enum class AtomicOp : uint8_t { add, max, min };

/// CTRL [8:6]: element type of atomic GM stores (0 none), [10:9]: operation.
inline Elem atomic_elem(uint64_t type) {
  constexpr Elem kElems[] = {Elem::none, Elem::f32, Elem::f16,  Elem::si16,
                             Elem::si32, Elem::si8, Elem::bf16, Elem::none};
  return kElems[type & 7];
}
inline Elem atomic_elem_of_ctrl(uint64_t ctrl) { return atomic_elem(ctrl >> 6); }
inline AtomicOp atomic_op_of_ctrl(uint64_t ctrl) {
  return static_cast<AtomicOp>(std::min<uint64_t>((ctrl >> 9) & 3, 2));
}

/// target = target <op> value for one element. Integers wrap, floats round once.
inline void atomic_update(Elem elem, AtomicOp op, std::byte* target, const std::byte* value) {
  const auto go = [&](auto tag) {
    using T = typename decltype(tag)::type;
    uint64_t old_bits = 0, new_bits = 0;
    std::memcpy(&old_bits, target, sizeof(T));
    std::memcpy(&new_bits, value, sizeof(T));
    const auto a = vec::from_bits<T>(old_bits);
    const auto b = vec::from_bits<T>(new_bits);
    auto result = a;
    if (op == AtomicOp::max)
      result = maximum(a, b);
    else if (op == AtomicOp::min)
      result = minimum(a, b);
    else if constexpr (vec::kIsFloat<T>)
      result = canonical(a + b);
    else
      result = Add::i<T>(a, b);
    const uint64_t bits = vec::to_bits<T>(result);
    std::memcpy(target, &bits, sizeof(T));
  };
  vec::with_number(elem, go);
}

}  // namespace pto::exec
