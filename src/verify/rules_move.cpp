// Views, windows and moves: shapes that must fit each other (E036x).
#include <fmt/format.h>

#include "verify/checker.hpp"

namespace pto::legality {
namespace {

bool differ(int64_t a, int64_t b) { return a != kDynamic && b != kDynamic && a != b; }

/// Elements of a view type when all extents are known.
std::optional<int64_t> elements(const Type& view) {
  int64_t product = 1;
  for (int i = 0; i < view.rank; ++i) {
    if (view.dims[static_cast<size_t>(i)] == kDynamic) return std::nullopt;
    product *= view.dims[static_cast<size_t>(i)];
  }
  return product;
}

/// A view and the valid region it is copied to or from hold the same number of elements.
void same_elements(Checker& check, const OpView& op, unsigned view_slot, unsigned tile_slot) {
  const Type& view = op.type(view_slot);
  const Type& tile = op.type(tile_slot);
  if (!view.is_view() || !tile.is_tile()) return;
  const std::optional<int64_t> count = elements(view);
  if (!count || tile.valid[0] == kDynamic || tile.valid[1] == kDynamic || *count == tile.valid[0] * tile.valid[1]) return;
  check.warn("W0361", op,
             fmt::format("{} copies {} elements of {} but the tile's valid region is {}x{}", op.mnemonic(), *count, describe(view), tile.valid[0],
                         tile.valid[1]),
             "make the sizes of pto.partition_view and the tile's valid= agree");
}

void load_shape(Checker& check, const OpView& op, std::string_view) {
  same_elements(check, op, 0, 1);
  const Type& dst = op.type(1);
  const bool nz = dst.blayout == BLayout::col_major && dst.slayout == SLayout::row_major;
  if (check.target() == Target::a5 && dst.space == Space::ub && dst.slayout != SLayout::none_box && !nz) {
    check.fail("E0351", op, Anchor::Part::operand_type, 1, fmt::format("{} into vec fills unboxed or NZ tiles, not {}", op.mnemonic(), describe(dst)),
               "use slayout=none_box, or blayout=col_major with slayout=row_major");
  }
  if (dst.space == Space::ub || dst.space == Space::l1) return;
  check.fail("E0341", op, Anchor::Part::operand_type, 1,
             fmt::format("{} loads into vec or mat tiles, not {}", op.mnemonic(), tile_loc(dst.space)), "load into mat, then pto.tmov");
}

void store_shape(Checker& check, const OpView& op, std::string_view) {
  same_elements(check, op, 1, 0);
  const Space from = op.type(0).space;
  if (from == Space::ub || from == Space::l1 || from == Space::l0c) return;
  check.fail("E0341", op, Anchor::Part::operand_type, 0, fmt::format("{} stores vec, mat or acc tiles, not {}", op.mnemonic(), tile_loc(from)),
             "move the tile to vec first");
}

/// Without the accumulator the bytes are copied as they are; the accumulator may be converted on the way.
void store_types(Checker& check, const OpView& op, std::string_view) {
  const Type& tile = op.type(0);
  const Type& view = op.type(1);
  if (tile.space == Space::l0c) {
    if (tile.elem == Elem::f32 || signless(tile.elem) == Elem::i32) return;
    check.fail("E0331", op, Anchor::Part::operand_type, 0, fmt::format("the accumulator holds f32 or i32, not {}", to_string(tile.elem)), "use an f32 or i32 acc tile");
    return;
  }
  if (bit_width(tile.elem) == bit_width(view.elem)) return;
  check.fail("E0331", op, Anchor::Part::operand_type, 1,
             fmt::format("{} copies elements unchanged: the tile has {}, the view {}", op.mnemonic(), to_string(tile.elem), to_string(view.elem)),
             "convert with pto.tcvt first");
}

/// indices + inner extent <= outer extent, where the indices are constants.
void window(Checker& check, const OpView& op, const Type& outer, const Type& inner, std::string_view outer_name) {
  static constexpr std::string_view kIndex[] = {"indexRow", "indexCol"};
  static constexpr std::string_view kWhat[] = {"rows", "columns"};
  for (unsigned d = 0; d < 2; ++d) {
    const unsigned slot = static_cast<unsigned>(slot_of(op, kIndex[d]));
    const std::optional<int64_t> index = check.constant(op.operand(slot));
    // Only the valid part of the smaller tile is moved.
    const int64_t extent = inner.valid[d] == kDynamic ? 1 : inner.valid[d];
    if (!index || (*index >= 0 && *index + extent <= outer.dims[d])) continue;
    check.fail("E0362", op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("the window of {} covers {} {} to {}, '{}' has {}", op.mnemonic(), kWhat[d], *index, *index + extent, outer_name, outer.dims[d]),
               fmt::format("{} may be at most {}", kIndex[d], outer.dims[d] - extent));
  }
}

void extract(Checker& check, const OpView& op, std::string_view) {
  const Type& src = op.type(0);
  const Type& dst = op.type(3);
  window(check, op, src, dst, "src");
  if (src.space != Space::ub || dst.space != Space::ub || (src.slayout == SLayout::none_box && dst.slayout == SLayout::none_box)) return;
  check.fail("E0351", op, Anchor::Part::operand_type, 0, fmt::format("{} within vec works on unboxed tiles, not {}", op.mnemonic(), describe(src.slayout == SLayout::none_box ? dst : src)),
             "use slayout=none_box");
}

/// Windows are written within vec, or from vec and acc into mat; A2/A3 converts f32 accumulators on the way.
void insert(Checker& check, const OpView& op, std::string_view) {
  const Type& src = op.type(0);
  const Type& dst = op.type(3);
  window(check, op, dst, src, "dst");
  const bool acc = src.space == Space::l0c && dst.space == Space::l1;
  if (!acc && !(src.space == Space::ub && (dst.space == Space::ub || dst.space == Space::l1))) {
    check.fail("E0342", op, Anchor::Part::operand_type, 3, fmt::format("{} from {} into {}", op.mnemonic(), tile_loc(src.space), tile_loc(dst.space)),
               "paths: vec to vec, vec to mat, acc to mat");
  } else if (acc && check.target() == Target::a2a3 && (src.elem != Elem::f32 || (dst.elem != Elem::f16 && dst.elem != Elem::bf16))) {
    check.fail("E0331", op, Anchor::Part::operand_type, 0, fmt::format("{} on a2a3 converts f32 to f16 or bf16, not {} to {}", op.mnemonic(), to_string(src.elem), to_string(dst.elem)),
               "use an f32 accumulator and an f16 or bf16 tile");
  }
}

void fillpad(Checker& check, const OpView& op, std::string_view) {
  const Type& src = op.type(0);
  const Type& dst = op.type(1);
  if (dst.pad == 0) {
    check.fail("E0363", op, Anchor::Part::operand_type, 1, fmt::format("{} fills with the pad value of dst, which has none (pad=0)", op.mnemonic()),
               "use pad=1 (zero), 2 (max) or 3 (min)");
  } else if (dst.rows() < src.rows() || dst.cols() < src.cols()) {
    check.fail("E0353", op, Anchor::Part::operand_type, 1,
               fmt::format("dst of {} is {}x{}, smaller than src {}x{}", op.mnemonic(), dst.rows(), dst.cols(), src.rows(), src.cols()),
               "dst must be at least as large as src");
  }
}

void reshape(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  if (from.space != to.space) {
    check.fail("E0364", op, Anchor::Part::result_type, 0,
               fmt::format("{} keeps the location: {} and {}", op.mnemonic(), tile_loc(from.space), tile_loc(to.space)), "move with pto.tmov");
  } else if (tile_bytes(from) != tile_bytes(to)) {
    check.fail("E0364", op, Anchor::Part::result_type, 0,
               fmt::format("{} keeps the bytes: {} has {} bytes, {} has {}", op.mnemonic(), describe(from), tile_bytes(from), describe(to), tile_bytes(to)),
               "both types must have the same size");
  } else if ((from.slayout == SLayout::none_box) != (to.slayout == SLayout::none_box)) {
    check.fail("E0364", op, Anchor::Part::result_type, 0, fmt::format("{} between a boxed and an unboxed layout", op.mnemonic()), "convert with pto.tmov");
  }
}

/// Integers of an int_array attribute.
std::span<const int64_t> int_array(const OpView& op, std::string_view name) {
  const AttrValue* value = op.attr(name);
  if (value == nullptr || value->kind != AttrValue::Kind::int_array) return {};
  return {op.program().ints.data() + value->array.first, value->array.count};
}

void subview(Checker& check, const OpView& op, std::string_view) {
  const Type& parent = op.type(0);
  const std::span<const int64_t> sizes = int_array(op, "sizes");
  const std::span<const ValueId> offsets = op.operands(1);
  if (sizes.size() != 2 || offsets.size() != 2) {
    check.fail("E0365", op, fmt::format("{} takes two offsets and two sizes, got {} and {}", op.mnemonic(), offsets.size(), sizes.size()),
               "write %tile[%row, %col] sizes [rows, cols]");
    return;
  }
  const InnerBox box = inner_box(parent);
  const int64_t box_size[2] = {box.rows, box.cols};
  for (unsigned d = 0; d < 2; ++d) {
    const std::optional<int64_t> offset = check.constant(offsets[d]);
    if (sizes[d] <= 0 || sizes[d] > parent.dims[d] || (offset && (*offset < 0 || *offset + sizes[d] > parent.dims[d]))) {
      check.fail("E0365", op, Anchor::Part::operand, 1 + d,
                 fmt::format("{} of {} elements at {} exceeds the tile's {} {}", op.mnemonic(), sizes[d],
                             offset ? fmt::format("{}", *offset) : "a run-time offset", parent.dims[d], d == 0 ? "rows" : "columns"),
                 "the window must lie inside the tile");
    } else if (sizes[d] % box_size[d] != 0 || (offset && *offset % box_size[d] != 0)) {
      check.fail("E0365", op, Anchor::Part::operand, 1 + d,
                 fmt::format("{} of a boxed tile must start and end at boxes of {}x{}", op.mnemonic(), box.rows, box.cols),
                 fmt::format("use multiples of {}", box_size[d]));
    }
  }
}

void view_rank(Checker& check, const OpView& op, std::string_view) {
  const Type& view = op.result_type(0);
  const size_t shape = op.operands(1).size(), strides = op.operands(2).size();
  if (shape != view.rank || strides != view.rank) {
    check.fail("E0366", op, Anchor::Part::result_type, 0,
               fmt::format("{} makes a view of rank {} from {} extents and {} strides", op.mnemonic(), view.rank, shape, strides),
               "give one extent and one stride per dimension");
  } else if (op.type(0).kind == TypeKind::ptr && op.type(0).space != Space::gm) {
    check.fail("E0411", op, Anchor::Part::operand_type, 0,
               fmt::format("{} describes GM, but {} points to {}", op.mnemonic(), value_name(op.program(), op.operand(0)), to_string(op.type(0).space)),
               "tiles on chip are made by pto.alloc_tile");
  } else if (op.type(0).kind == TypeKind::ptr && signless(op.type(0).elem) != signless(view.elem)) {
    check.fail("E0366", op, Anchor::Part::result_type, 0,
               fmt::format("{} makes a view of {} on a pointer to {}", op.mnemonic(), to_string(view.elem), to_string(op.type(0).elem)),
               "use pto.castptr to change the element type");
  }
}

void partition(Checker& check, const OpView& op, std::string_view) {
  const Type& source = op.type(0);
  const Type& part = op.result_type(0);
  const std::span<const ValueId> offsets = op.operands(1);
  const std::span<const ValueId> sizes = op.operands(2);
  if (offsets.size() != source.rank || sizes.size() != source.rank || part.rank != source.rank) {
    check.fail("E0366", op, fmt::format("{} of a rank {} view takes {} offsets and {} sizes and gives rank {}", op.mnemonic(), source.rank,
                                        offsets.size(), sizes.size(), part.rank),
               "one offset and one size per dimension");
    return;
  }
  for (unsigned d = 0; d < source.rank; ++d) {
    const int64_t extent = source.dims[d];
    const std::optional<int64_t> offset = check.constant(offsets[d]), size = check.constant(sizes[d]);
    if (size && differ(*size, part.dims[d])) {
      check.fail("E0366", op, Anchor::Part::result_type, 0,
                 fmt::format("dimension {} of {} has size {}, its result type says {}", d, op.mnemonic(), *size, part.dims[d]), "make both agree");
    } else if (extent != kDynamic && ((offset && *offset < 0) || (size && *size + offset.value_or(0) > extent))) {
      check.fail("E0362", op, Anchor::Part::operand, 1 + d,
                 fmt::format("dimension {} of {} covers {} to {}, the view has {}", d, op.mnemonic(), offset.value_or(0), offset.value_or(0) + *size, extent),
                 "the part must lie inside the view");
    }
  }
}

/// valid_row / valid_col operands exactly where the type says `?`.
void alloc_valid(Checker& check, const OpView& op, std::string_view) {
  const Type& tile = op.result_type(0);
  static constexpr std::string_view kNames[] = {"valid_row", "valid_col"};
  for (unsigned d = 0; d < 2; ++d) {
    const ValueId given = op.operand(1 + d);
    if ((tile.valid[d] == kDynamic) == (given != kNoValue)) continue;
    const bool missing = given == kNoValue;
    // A dynamic region without an operand starts at the full size.
    if (missing) continue;
    check.fail("E0367", op, Anchor::Part::result_type, 0,
               fmt::format("{} gives {} but the type's valid region is fixed to {}", op.mnemonic(), kNames[d], tile.valid[d]),
               "write ? in the type's valid region");
  }
}

void dynamic_valid(Checker& check, const OpView& op, std::string_view) {
  const Type& tile = op.type(0);
  for (unsigned d = 0; d < 2; ++d) {
    const std::optional<int64_t> value = check.constant(op.operand(1 + d));
    if (value && (*value < 0 || *value > tile.dims[d])) {
      check.fail("E0367", op, Anchor::Part::operand, 1 + d,
                 fmt::format("{} sets {} valid {}, the tile has {}", op.mnemonic(), *value, d == 0 ? "rows" : "columns", tile.dims[d]),
                 "stay within the tile");
    }
  }
  if (tile.valid[0] == kDynamic || tile.valid[1] == kDynamic) return;
  check.fail("E0367", op, Anchor::Part::operand_type, 0, fmt::format("{} on a tile whose valid region is fixed: {}", op.mnemonic(), describe(tile)),
             "write valid=?x? in the tile's type");
}

void mem_elem(Checker& check, const OpView& op, std::string_view) {
  const unsigned tile = static_cast<unsigned>(slot_of(op, op.mnemonic() == "pto.mgather" ? "dst" : "src"));
  const unsigned mem = static_cast<unsigned>(slot_of(op, "mem"));
  if (bit_width(op.type(tile).elem) == bit_width(op.type(mem).elem)) return;
  check.fail("E0331", op, Anchor::Part::operand_type, flat_index(op, mem),
             fmt::format("{} moves elements unchanged: the tile has {}, GM {}", op.mnemonic(), to_string(op.type(tile).elem), to_string(op.type(mem).elem)),
             "use one element type");
}

void index_i32(Checker& check, const OpView& op, std::string_view name) {
  const unsigned slot = static_cast<unsigned>(slot_of(op, name));
  if (signless(op.type(slot).elem) == Elem::i32) return;
  check.fail("E0331", op, Anchor::Part::operand_type, flat_index(op, slot),
             fmt::format("'{}' of {} holds 32-bit integers, not {}", name, op.mnemonic(), to_string(op.type(slot).elem)), "use i32 or ui32");
}

/// Exactly one of: index tile, mask pattern, comparison value.
void tgather_form(Checker& check, const OpView& op, std::string_view) {
  const bool index = op.operand(static_cast<unsigned>(slot_of(op, "indices"))) != kNoValue;
  const bool compare = op.operand(static_cast<unsigned>(slot_of(op, "kValue"))) != kNoValue;
  const bool mask = op.attr("maskPattern") != nullptr;
  const Elem elem = op.type(0).elem;
  const bool comparable = is_float(elem) || (signless(elem) == Elem::i32 && op.attr_int("cmpMode") == 0);
  if (compare && check.target() == Target::a2a3 && !comparable) {
    check.fail("E0331", op, Anchor::Part::operand_type, 0, fmt::format("{} on a2a3 compares f16 and f32, or i32 for equality, not {}", op.mnemonic(), to_string(elem)),
               "use an index tile");
  }
  if (index + compare + mask == 1) return;
  check.fail("E0368", op, fmt::format("{} takes exactly one of an index tile, maskPattern, and a comparison value; {} given", op.mnemonic(), index + compare + mask),
             "choose one form");
}

/// The scratch tile of the list form holds the merged list.
void mrgsort_tmp(Checker& check, const OpView& op) {
  const Type& tmp = op.type(3);
  if (op.operands(2).empty() || !tmp.is_tile()) return;
  const Type& dst = op.program().type_of(op.operands(2)[0]);
  if (tmp.cols() >= dst.cols()) return;
  check.fail("E0371", op, Anchor::Part::operand_type, flat_index(op, 3), fmt::format("tmp of {} has {} columns, dst {}", op.mnemonic(), tmp.cols(), dst.cols()),
             "tmp must hold the merged list");
}

void mrgsort_form(Checker& check, const OpView& op, std::string_view) {
  mrgsort_tmp(check, op);
  const size_t sources = op.operands(0).size();
  const bool one = op.operand(1) != kNoValue;
  if (one ? sources == 1 : sources >= 2 && sources <= 4) return;
  check.fail("E0368", op, fmt::format("{} merges the blocks of one tile (with blockLen) or 2 to 4 tiles; {} given{}", op.mnemonic(), sources,
                                      one ? " with blockLen" : ""),
             "give one source and blockLen, or 2 to 4 sources");
}

void result_elem(Checker& check, const OpView& op, std::string_view) {
  if (signless(op.type(0).elem) == signless(op.result_type(0).elem)) return;
  check.fail("E0331", op, Anchor::Part::result_type, 0,
             fmt::format("{} gives {}, the tile holds {}", op.mnemonic(), to_string(op.result_type(0).elem), to_string(op.type(0).elem)), "use the tile's element type");
}

void tquant_offset(Checker& check, const OpView& op, std::string_view) {
  const bool asymmetric = op.attr_int("quant_type") == 1;
  if (asymmetric == (op.operand(2) != kNoValue)) return;
  check.fail("E0368", op, asymmetric ? "INT8_ASYM quantisation needs an offset tile" : "INT8_SYM quantisation takes no offset tile",
             asymmetric ? "add the offset operand" : "drop the offset, or use INT8_ASYM");
}

constexpr OpRule kRules[] = {
    {"load_shape", Sees::types, load_shape},
    {"store_shape", Sees::types, store_shape},
    {"store_types", Sees::types, store_types},
    {"extract", Sees::values, extract},
    {"insert", Sees::values, insert},
    {"fillpad", Sees::types, fillpad},
    {"reshape", Sees::types, reshape},
    {"subview", Sees::values, subview},
    {"view_rank", Sees::types, view_rank},
    {"partition", Sees::values, partition},
    {"alloc_valid", Sees::types, alloc_valid},
    {"dynamic_valid", Sees::values, dynamic_valid},
    {"mem_elem", Sees::types, mem_elem},
    {"index_i32", Sees::types, index_i32},
    {"tgather_form", Sees::values, tgather_form},
    {"mrgsort_form", Sees::values, mrgsort_form},
    {"result_elem", Sees::types, result_elem},
    {"tquant_offset", Sees::values, tquant_offset},
};

}  // namespace

std::span<const OpRule> move_rules() { return kRules; }

}  // namespace pto::legality
