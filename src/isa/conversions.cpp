#include "isa/conversions.hpp"

#include <algorithm>

namespace pto::isa {
namespace {

/// Source: the table of conversions in the verifier of 2026-08.
constexpr ConversionContract kContracts[] = {
    {Elem::f32, Elem::f16, "rsp"},
    {Elem::f32, Elem::bf16, "rsp"},
    {Elem::f32, Elem::i16, "rsp"},
    {Elem::f32, Elem::i64, "rsp"},
    {Elem::f32, Elem::i32, "rs"},
    {Elem::f16, Elem::f32, "p"},
    {Elem::f16, Elem::i32, "rp"},
    {Elem::f16, Elem::i16, "rs"},
    {Elem::f16, Elem::i8, "rsp"},
    {Elem::f16, Elem::ui8, "rsp"},
    {Elem::bf16, Elem::f16, "rs"},
    {Elem::bf16, Elem::f32, "p"},
    {Elem::bf16, Elem::i32, "rsp"},
    {Elem::ui8, Elem::f16, "p"},
    {Elem::ui8, Elem::ui16, "p"},
    {Elem::ui8, Elem::ui32, "p"},
    {Elem::i8, Elem::f16, "p"},
    {Elem::i8, Elem::i16, "p"},
    {Elem::i8, Elem::i32, "p"},
    {Elem::ui16, Elem::ui8, "sp"},
    {Elem::ui16, Elem::ui32, "p"},
    {Elem::i16, Elem::f16, "r"},
    {Elem::i16, Elem::f32, "p"},
    {Elem::i16, Elem::ui32, "p"},
    {Elem::i16, Elem::i32, "p"},
    {Elem::i16, Elem::ui8, "sp"},
    {Elem::ui32, Elem::ui8, "sp"},
    {Elem::ui32, Elem::ui16, "sp"},
    {Elem::ui32, Elem::i16, "sp"},
    {Elem::i32, Elem::f32, "r"},
    {Elem::i32, Elem::ui8, "sp"},
    {Elem::i32, Elem::ui16, "sp"},
    {Elem::i32, Elem::i16, "sp"},
    {Elem::i32, Elem::i64, "p"},
    {Elem::i64, Elem::f32, "rp"},
    {Elem::i64, Elem::i32, "sp"},
    {Elem::f32, Elem::f8e4m3, "rsp", "RAHZ"},
    {Elem::f32, Elem::f8e5m2, "rsp", "RAHZ"},
    {Elem::f32, Elem::hif8, "rsp", "AH"},
    {Elem::f16, Elem::f8e4m3, "rsp", "RAFCZ"},
    {Elem::f16, Elem::f8e5m2, "rsp", "RAFCZ"},
    {Elem::f16, Elem::hif8, "rsp", "AH"},
    {Elem::bf16, Elem::f8e4m3, "rsp", "RAFCZ"},
    {Elem::bf16, Elem::f8e5m2, "rsp", "RAFCZ"},
    {Elem::bf16, Elem::f4e1m2x2, "rp", "RAFCZ"},
    {Elem::bf16, Elem::f4e2m1x2, "rp", "RAFCZ"},
    {Elem::f8e4m3, Elem::f32, "p"},
    {Elem::f8e5m2, Elem::f32, "p"},
    {Elem::hif8, Elem::f32, "p"},
    {Elem::f4e1m2x2, Elem::bf16, "p"},
    {Elem::f4e2m1x2, Elem::bf16, "p"},
};

/// Signed and signless are one thing here.
Elem plain(Elem elem) { return is_unsigned(elem) ? elem : signless(elem); }

}  // namespace

const ConversionContract* conversion_contract(Elem from, Elem to) {
  const auto* found = std::ranges::find_if(
      kContracts, [&](const ConversionContract& c) { return c.from == plain(from) && c.to == plain(to); });
  return found == std::end(kContracts) ? nullptr : found;
}

}  // namespace pto::isa
