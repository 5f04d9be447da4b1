// The value of lane `lane` of vci: base + lane, or base - lane; floats round once.
#pragma once

#include "exec/vector/lanes.hpp"

namespace pto::exec::vec {

template <typename T>
Compute<T> counted(Compute<T> base, unsigned lane, bool descending) {
  const auto steps = static_cast<Compute<T>>(lane);
  if constexpr (kIsFloat<T>)
    return canonical(descending ? base - steps : base + steps);
  else
    return descending ? Sub::i<T>(base, steps) : Add::i<T>(base, steps);
}

}  // namespace pto::exec::vec
