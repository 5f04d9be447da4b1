// Element formats: spellings and widths.
#include "pto/element.hpp"

namespace pto {
namespace {

struct ElemFacts {
  std::string_view name;
  uint16_t bits;  ///< storage bits of one element
  bool is_float;
};

constexpr ElemFacts kElems[] = {
    {"none", 0, false},        {"i1", 8, false},           {"i4", 4, false},
    {"i8", 8, false},          {"i16", 16, false},         {"i32", 32, false},
    {"i64", 64, false},        {"si8", 8, false},          {"si16", 16, false},
    {"si32", 32, false},       {"si64", 64, false},        {"ui8", 8, false},
    {"ui16", 16, false},       {"ui32", 32, false},        {"ui64", 64, false},
    {"index", 64, false},      {"f16", 16, true},          {"bf16", 16, true},
    {"f32", 32, true},         {"f64", 64, true},          {"f8E4M3FN", 8, true},
    {"f8E5M2", 8, true},       {"f8E8M0FNU", 8, true},     {"!pto.hif8", 8, true},
    {"!pto.hif8x2", 16, true}, {"!pto.f4E1M2x2", 8, true}, {"!pto.f4E2M1x2", 8, true},
    {"!pto.bf16x2", 32, true},
};

const ElemFacts& facts(Elem elem) { return kElems[static_cast<size_t>(elem)]; }

}  // namespace

std::string_view to_string(Elem elem) { return facts(elem).name; }
uint32_t bit_width(Elem elem) { return facts(elem).bits; }
bool is_float(Elem elem) { return facts(elem).is_float; }
bool is_integer(Elem elem) { return elem != Elem::none && !is_float(elem); }
bool is_unsigned(Elem elem) { return elem >= Elem::ui8 && elem <= Elem::ui64; }

Elem signless(Elem elem) {
  switch (elem) {
    case Elem::si8:
    case Elem::ui8:
      return Elem::i8;
    case Elem::si16:
    case Elem::ui16:
      return Elem::i16;
    case Elem::si32:
    case Elem::ui32:
      return Elem::i32;
    case Elem::si64:
    case Elem::ui64:
      return Elem::i64;
    default:
      return elem;
  }
}

}  // namespace pto
