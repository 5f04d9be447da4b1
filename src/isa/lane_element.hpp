// The element that the lanes of a logical vector are read as.
#pragma once

#include "pto/type.hpp"

namespace pto::isa {

/// Integers without a sign are unsigned.
constexpr Elem lane_elem(Elem elem) {
  switch (elem) {
    case Elem::i8:
      return Elem::ui8;
    case Elem::i16:
      return Elem::ui16;
    case Elem::i32:
      return Elem::ui32;
    case Elem::i64:
    case Elem::index:
      return Elem::ui64;
    default:
      return elem;
  }
}

}  // namespace pto::isa
