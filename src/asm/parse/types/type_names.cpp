#include "asm/parse/types/type_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

#include "pto/diagnostic.hpp"

namespace pto::text {
namespace {

struct SpaceName {
  std::string_view name;
  Space space;
  bool tile;
};
constexpr SpaceName kSpaceNames[] = {
    {"gm", Space::gm, false},   {"ub", Space::ub, false},   {"vec", Space::ub, true},
    {"l1", Space::l1, false},   {"mat", Space::l1, true},   {"l0a", Space::l0a, false},
    {"left", Space::l0a, true}, {"l0b", Space::l0b, false}, {"right", Space::l0b, true},
    {"l0c", Space::l0c, false}, {"acc", Space::l0c, true},  {"bt", Space::bt, false},
    {"bias", Space::bt, true},  {"fb", Space::fb, false},   {"scaling", Space::fb, true},
};

/// Names of the same thing in C, Python, CUDA and the hardware manuals.
struct Synonym {
  std::string_view written, meant;
};
constexpr Synonym kElemSynonyms[] = {
    {"float", "f32"},
    {"fp32", "f32"},
    {"float32", "f32"},
    {"float32_t", "f32"},
    {"single", "f32"},
    {"half", "f16"},
    {"fp16", "f16"},
    {"float16", "f16"},
    {"float16_t", "f16"},
    {"bfloat16", "bf16"},
    {"bfloat16_t", "bf16"},
    {"bfloat", "bf16"},
    {"fp64", "f64"},
    {"double", "f64"},
    {"float64", "f64"},
    {"int", "i32"},
    {"int8", "i8"},
    {"int8_t", "i8"},
    {"s8", "i8"},
    {"char", "i8"},
    {"int16", "i16"},
    {"int16_t", "i16"},
    {"s16", "i16"},
    {"short", "i16"},
    {"int32", "i32"},
    {"int32_t", "i32"},
    {"s32", "i32"},
    {"int64", "i64"},
    {"int64_t", "i64"},
    {"s64", "i64"},
    {"long", "i64"},
    {"uint8", "ui8"},
    {"uint8_t", "ui8"},
    {"u8", "ui8"},
    {"uint16", "ui16"},
    {"uint16_t", "ui16"},
    {"u16", "ui16"},
    {"uint32", "ui32"},
    {"uint32_t", "ui32"},
    {"u32", "ui32"},
    {"uint", "ui32"},
    {"uint64", "ui64"},
    {"uint64_t", "ui64"},
    {"u64", "ui64"},
    {"bool", "i1"},
    {"size_t", "index"},
    {"fp8_e4m3", "f8E4M3FN"},
    {"f8e4m3", "f8E4M3FN"},
    {"float8_e4m3", "f8E4M3FN"},
    {"fp8_e5m2", "f8E5M2"},
    {"float8_e5m2", "f8E5M2"},
    {"hif8", "!pto.hif8"},
    {"hifloat8", "!pto.hif8"},
};
constexpr Synonym kLocationSynonyms[] = {
    {"ub", "vec"},   {"ubuf", "vec"},   {"vector", "vec"},    {"l1", "mat"},
    {"cbuf", "mat"}, {"l0a", "left"},   {"l0b", "right"},     {"l0c", "acc"},
    {"bt", "bias"},  {"fb", "scaling"}, {"scale", "scaling"}, {"matrix", "mat"},
};

std::string_view meant_by(std::span<const Synonym> synonyms, std::string_view word) {
  for (const Synonym& synonym : synonyms) {
    if (synonym.written == word) return synonym.meant;
  }
  return {};
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

Hint hint_at(std::string_view meant) { return {fmt::format("did you mean '{}'?", meant), meant}; }

Hint with_synonyms(std::span<const Synonym> synonyms, std::string_view word,
                   const std::vector<std::string_view>& names, std::string_view what) {
  if (const std::string_view meant = meant_by(synonyms, lower_case(word)); !meant.empty())
    return hint_at(meant);
  return suggest(word, names, what);
}

}  // namespace

Hint suggest(std::string_view word, const std::vector<std::string_view>& names, std::string_view what) {
  if (const std::string_view near = nearest(word, names); !near.empty()) return hint_at(near);
  return {fmt::format("{}: {}", what, fmt::join(names, ", ")), {}};
}

Space find_space(std::string_view name) {
  for (const SpaceName& entry : kSpaceNames) {
    if (entry.name == name) return entry.space;
  }
  return Space::none;
}

Space find_tile_location(std::string_view name) {
  for (const SpaceName& entry : kSpaceNames) {
    if (entry.tile && entry.name == name) return entry.space;
  }
  return Space::none;
}

Hint elem_help(std::string_view name) {
  return with_synonyms(kElemSynonyms, name, elem_spellings(), "element types");
}

Hint space_help(std::string_view name) {
  return suggest(name, {"gm", "ub", "l1", "l0a", "l0b", "l0c", "bt", "fb"}, "memories");
}

Hint tile_location_help(std::string_view name) {
  return with_synonyms(kLocationSynonyms, name, {"vec", "mat", "left", "right", "acc", "bias", "scaling"},
                       "locations");
}

Hint type_help(std::string_view head) {
  return suggest(head,
                 {"!pto.tile_buf",
                  "!pto.tile",
                  "!pto.tensor_view",
                  "!pto.partition_tensor_view",
                  "!pto.ptr",
                  "!pto.vreg",
                  "!pto.mask",
                  "!pto.align",
                  "!pto.pipe",
                  "!pto.local_array",
                  "!pto.eventid_array",
                  "!pto.async_session",
                  "!pto.async_event",
                  "!pto.prefetch_async_context",
                  "!pto.vmi.vreg",
                  "!pto.vmi.mask",
                  "!pto.multi_tile_buf",
                  "!pto.struct",
                  "!pto.hif8",
                  "!pto.hif8x2",
                  "!pto.f4E1M2x2",
                  "!pto.f4E2M1x2"},
                 "types");
}

Hint tile_key_help(std::string_view key) {
  return suggest(key,
                 {"loc", "dtype", "rows", "cols", "v_row", "v_col", "valid", "blayout", "slayout", "fractal",
                  "pad", "compact"},
                 "keys");
}

}  // namespace pto::text
