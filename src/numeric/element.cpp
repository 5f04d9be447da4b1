// Element formats: spellings and widths.
#include "pto/element.hpp"

#include <iterator>

namespace pto {
namespace {

struct ElemFacts {
  std::string_view name, short_name;
  uint16_t bits;  ///< storage bits of one element
  bool is_float;
  std::string_view older = {};  ///< a name that programs may have too
};

constexpr ElemFacts kElems[] = {
    {"none", "none", 0, false},
    {"i1", "i1", 8, false},
    {"i4", "i4", 4, false},
    {"i8", "i8", 8, false},
    {"i16", "i16", 16, false},
    {"i32", "i32", 32, false},
    {"i64", "i64", 64, false},
    {"si8", "s8", 8, false},
    {"si16", "s16", 16, false},
    {"si32", "s32", 32, false},
    {"si64", "s64", 64, false},
    {"ui8", "u8", 8, false},
    {"ui16", "u16", 16, false},
    {"ui32", "u32", 32, false},
    {"ui64", "u64", 64, false},
    {"index", "index", 64, false},
    {"f16", "f16", 16, true},
    {"bf16", "bf16", 16, true},
    {"f32", "f32", 32, true},
    {"f64", "f64", 64, true},
    {"f8E4M3FN", "f8e4m3", 8, true, "f8E4M3"},
    {"f8E5M2", "f8e5m2", 8, true},
    {"f8E8M0FNU", "f8e8m0", 8, true, "!pto.f8E8M0"},
    {"!pto.hif8", "hif8", 8, true},
    {"!pto.hif8x2", "hif8x2", 16, true},
    {"!pto.f4E1M2x2", "f4e1m2x2", 8, true},
    {"!pto.f4E2M1x2", "f4e2m1x2", 8, true},
    {"!pto.bf16x2", "bf16x2", 32, true},
};

const ElemFacts& facts(Elem elem) { return kElems[static_cast<size_t>(elem)]; }

}  // namespace

std::string_view to_string(Elem elem) { return facts(elem).name; }
std::string_view short_name(Elem elem) { return facts(elem).short_name; }

Elem elem_spelled(std::string_view text) {
  for (size_t i = 1; i < std::size(kElems); ++i) {
    if (kElems[i].name == text) return static_cast<Elem>(i);
  }
  for (size_t i = 1; i < std::size(kElems); ++i) {
    if (!text.empty() && kElems[i].older == text) return static_cast<Elem>(i);
  }
  return Elem::none;
}

Elem elem_named(std::string_view short_name) {
  for (size_t i = 1; i < std::size(kElems); ++i) {
    if (kElems[i].short_name == short_name) return static_cast<Elem>(i);
  }
  return Elem::none;
}

std::vector<std::string_view> elem_spellings() {
  std::vector<std::string_view> names, older;
  for (const ElemFacts& elem : kElems) {
    if (elem.bits != 0) names.push_back(elem.name);
    if (!elem.older.empty()) older.push_back(elem.older);
  }
  names.insert(names.end(), older.begin(), older.end());
  return names;
}

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
