// Spaces and types: spellings, sizes, interning.
#include "pto/type.hpp"

#include <fmt/format.h>

#include "isa/tile_defaults.hpp"
#include "support/hash.hpp"
#include "support/saturating.hpp"

namespace pto {
namespace {

std::string dim(int64_t size) { return size == kDynamic ? "?" : fmt::format("{}", size); }

std::string shape(const Type& type) {
  std::string text;
  for (int i = 0; i < type.rank; ++i) text += dim(type.dims[i]) + 'x';
  return text;
}

std::string elem_text(const Type& type) {
  return type.vec_lanes ? fmt::format("vector<{}x{}>", type.vec_lanes, to_string(type.elem))
                        : std::string(to_string(type.elem));
}

std::string_view layout_text(BLayout layout) {
  return layout == BLayout::row_major ? "row_major" : "col_major";
}

std::string_view layout_text(SLayout layout) {
  switch (layout) {
    case SLayout::row_major:
      return "row_major";
    case SLayout::col_major:
      return "col_major";
    case SLayout::none_box:
      break;
  }
  return "none_box";
}

std::string tile_parts(const Type& type) {
  std::string text = fmt::format("{}, {}{}", tile_loc(type.space), shape(type), elem_text(type));
  if (type.valid[0] != type.dims[0] || type.valid[1] != type.dims[1])
    text += fmt::format(", valid={}x{}", dim(type.valid[0]), dim(type.valid[1]));
  if (type.blayout != BLayout::row_major) text += fmt::format(", blayout={}", layout_text(type.blayout));
  if (type.slayout != SLayout::none_box) text += fmt::format(", slayout={}", layout_text(type.slayout));
  // Readers differ in what an accumulator has when nothing is written, so it is.
  if (type.fractal != default_fractal(Space::ub) || type.space == Space::l0c)
    text += fmt::format(", fractal={}", type.fractal);
  if (type.pad != 0) text += fmt::format(", pad={}", type.pad);
  if (type.compact != 0) text += fmt::format(", compact={}", type.compact);
  return text;
}

std::string tile_text(const Type& type) { return fmt::format("!pto.tile_buf<{}>", tile_parts(type)); }

std::string vmi_layout(const Type& type) { return type.text.empty() ? "" : ", " + type.text; }

std::string granularity(const Type& type) {
  return type.elem == Elem::i1 ? "pred" : fmt::format("b{}", bit_width(type.elem));
}

std::string memref_text(const Type& type) {
  std::string text = "memref<" + shape(type) + elem_text(type);
  if (!type.text.empty()) text += ", " + type.text;
  if (type.space != Space::none) {
    const std::string_view name = type.space == Space::gm ? "gm" : tile_loc(type.space);
    text += fmt::format(", #pto.address_space<{}>", name);
  }
  return text + '>';
}

size_t hash_of(const Type& type) {
  size_t seed = hash_text(type.text);
  const auto mix = [&seed](uint64_t value) {
    seed ^= value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2);
  };
  mix(static_cast<uint64_t>(type.kind) | static_cast<uint64_t>(type.elem) << 8 |
      static_cast<uint64_t>(type.space) << 16 | static_cast<uint64_t>(type.blayout) << 24 |
      static_cast<uint64_t>(type.slayout) << 26 | static_cast<uint64_t>(type.fractal) << 28 |
      static_cast<uint64_t>(type.pad) << 44 | static_cast<uint64_t>(type.compact) << 48 |
      static_cast<uint64_t>(type.rank) << 52 | static_cast<uint64_t>(type.vec_lanes) << 56);
  for (const int64_t size : type.dims) mix(static_cast<uint64_t>(size));
  for (const int64_t size : type.valid) mix(static_cast<uint64_t>(size));
  return seed;
}

}  // namespace

std::string_view to_string(Target target) {
  switch (target) {
    case Target::a2a3:
      return "a2a3";
    case Target::a5:
      return "a5";
    case Target::cpu:
      break;
  }
  return "cpu";
}

std::optional<Target> target_named(std::string_view name) {
  if (name == "a5") return Target::a5;
  if (name == "a2a3" || name == "a2" || name == "a3") return Target::a2a3;
  if (name == "cpu") return Target::cpu;
  return std::nullopt;
}

std::string_view to_string(Space space) {
  static constexpr std::string_view kNames[] = {"none", "gm", "ub", "l1",     "l0a",   "l0b",
                                                "l0c",  "bt", "fb", "l0a_mx", "l0b_mx"};
  return kNames[static_cast<size_t>(space)];
}

std::string_view tile_loc(Space space) {
  static constexpr std::string_view kNames[] = {
      "none", "gm", "vec", "mat", "left", "right", "acc", "bias", "scaling", "left_scale", "right_scale"};
  return kNames[static_cast<size_t>(space)];
}

InnerBox inner_box(const Type& tile) {
  if (tile.slayout == SLayout::none_box) return {1, 1};
  if (tile.fractal == 1024) return {16, 16};
  const bool row = tile.slayout == SLayout::row_major;
  if (tile.fractal == 32) return row ? InnerBox{16, 2} : InnerBox{2, 16};
  const int64_t c0 = tile.elem == Elem::none ? 32 : 32 * 8 / bit_width(tile.elem);
  return row ? InnerBox{16, c0} : InnerBox{c0, 16};
}

uint64_t tile_bytes(const Type& tile) {
  const auto rows = static_cast<uint64_t>(tile.rows()), cols = static_cast<uint64_t>(tile.cols());
  return sat_add<uint64_t>(sat_mul<uint64_t>(sat_mul(rows, cols), bit_width(tile.elem)), 7) / 8;
}

std::string to_string(const Type& type) {
  switch (type.kind) {
    case TypeKind::none:
      return "none";
    case TypeKind::scalar:
      return std::string(to_string(type.elem));
    case TypeKind::ptr:
      return fmt::format("!pto.ptr<{}, {}>", elem_text(type), to_string(type.space));
    case TypeKind::tensor_view:
      return fmt::format("!pto.tensor_view<{}{}>", shape(type), elem_text(type));
    case TypeKind::partition_view:
      return fmt::format("!pto.partition_tensor_view<{}{}>", shape(type), elem_text(type));
    case TypeKind::tile_buf:
      return tile_text(type);
    case TypeKind::vreg:
      return fmt::format("!pto.vreg<{}{}>", shape(type), elem_text(type));
    case TypeKind::mask:
      return fmt::format("!pto.mask<b{}>", bit_width(type.elem));
    case TypeKind::align:
      return "!pto.align";
    case TypeKind::vector:
      return fmt::format("vector<{}{}>", shape(type), elem_text(type));
    case TypeKind::memref:
      return memref_text(type);
    case TypeKind::pipe:
      return "!pto.pipe";
    case TypeKind::eventid_array:
      return fmt::format("!pto.eventid_array<{}>", dim(type.dims[0]));
    case TypeKind::local_array:
      return fmt::format("!pto.local_array<{}{}>", shape(type), elem_text(type));
    case TypeKind::async_session:
      return "!pto.async_session";
    case TypeKind::async_event:
      return "!pto.async_event";
    case TypeKind::vmi_vreg:
      return fmt::format("!pto.vmi.vreg<{}{}{}>", shape(type), elem_text(type), vmi_layout(type));
    case TypeKind::vmi_mask:
      return fmt::format("!pto.vmi.mask<{}{}{}>", shape(type), granularity(type), vmi_layout(type));
    case TypeKind::multi_tile:
      return fmt::format("!pto.multi_tile_buf<{}, count={}>", tile_parts(type), type.dims[2]);
    case TypeKind::structure:
      return fmt::format("!pto.struct<{}>", type.text);
    case TypeKind::prefetch_context:
      return "!pto.prefetch_async_context";
    case TypeKind::opaque:
      break;
  }
  return type.text;
}

TypeTable::TypeTable() { intern(Type{}); }

TypeId TypeTable::intern(const Type& type) {
  const size_t hash = hash_of(type);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (types_[it->second] == type) return it->second;
  }
  types_.push_back(type);
  const TypeId id = static_cast<TypeId>(types_.size() - 1);
  by_hash_.emplace(hash, id);
  return id;
}

}  // namespace pto
