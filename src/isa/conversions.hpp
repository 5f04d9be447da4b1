// Requirements of the conversion between two element types in registers.
#pragma once

#include <string_view>

#include "pto/element.hpp"

namespace pto::isa {

/// Attributes of vcvt that a pair of element types needs; the others it must not have.
struct ConversionContract {
  Elem from, to;
  std::string_view needs;              ///< r: rnd, s: sat, p: part
  std::string_view rounds = "RAFCZO";  ///< permitted values of rnd
};

/// Nothing when the pair has none.
const ConversionContract* conversion_contract(Elem from, Elem to);

}  // namespace pto::isa
