// Gathering, scattering, sorting and counting: which form, which index tiles, which extents.
#include <fmt/format.h>

#include <algorithm>

#include "isa/cmp_predicate.hpp"
#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

bool given(const OpView& op, std::string_view name) {
  return op.operand(static_cast<unsigned>(slot_of(op, name))) != kNoValue;
}

/// The window of GM that single elements are taken from lies in rows; strides are known where
/// make_tensor_view has constants.
void mem_rows(Checker& check, const OpView& op, std::string_view) {
  const auto slot = static_cast<unsigned>(slot_of(op, "mem"));
  if (op.type(slot).kind == TypeKind::ptr && op.type(slot).space != Space::gm) {
    check.fail(E0411, op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("{} reaches GM, but {} points to {}", op.mnemonic(),
                           value_name(op.program(), op.operand(slot)), to_string(op.type(slot).space)),
               "use a view of GM");
    return;
  }
  uint32_t defining_op = check.definition(op.operand(slot));
  if (defining_op != ~0u &&
      isa::opcode_class(OpView(check.program(), defining_op)) == isa::OpcodeClass::partition)
    defining_op = check.definition(OpView(check.program(), defining_op).operand(0));
  if (defining_op == ~0u ||
      isa::opcode_class(OpView(check.program(), defining_op)) != isa::OpcodeClass::make_view)
    return;
  const OpView view(check.program(), defining_op);
  const std::span<const ValueId> strides = view.operands(2);
  if (strides.size() < 2) return;
  const std::optional<int64_t> last = check.constant(strides.back());
  const std::optional<int64_t> first = check.constant(strides.front());
  const Type& type = view.result_type(0);
  if (!last || !first || *last == 1 || *first != 1 || type.dims[0] == kDynamic) return;
  check.note_definition(
      check.fail(E0366, op, Anchor::Part::operand, flat_index(op, slot),
                 fmt::format("{} takes rows of GM, but the elements of {} lie column by column",
                             op.mnemonic(), value_name(op.program(), op.operand(slot))),
                 "make a view whose last stride is 1"),
      view.result(0));
}

/// One index per element, or per row: as coalesce says, and either where it is silent. The whole tiles may
/// tell it too, as documents of June have it.
void index_shape(Checker& check, const OpView& op, std::string_view data_name) {
  const TileOperand data = tile_of(op, data_name);
  const TileOperand idx = tile_of(op, "idx");
  if (data.type == nullptr || idx.type == nullptr) return;
  const AttrValue* coalesce = op.attr("coalesce");
  const auto is = [](int64_t extent, int64_t wanted) { return extent == 0 || !differ(extent, wanted); };
  const auto& region = idx.type->valid;
  const int64_t rows = data.type->valid[0];
  const int64_t cols = data.type->valid[1];
  const bool column = is(region[0], rows) && is(region[1], 1);
  const bool row = is(region[0], 1) && is(region[1], rows);
  const bool elements = is(region[0], rows) && is(region[1], cols);
  const bool older = coalesce == nullptr && idx.type->rows() == data.type->rows() &&
                     (idx.type->cols() == 1 || idx.type->cols() == data.type->cols());
  const bool fits = coalesce == nullptr      ? column || elements || older
                    : coalesce->integer == 0 ? row || column
                                             : elements;
  if (fits) return;
  const bool by_row = coalesce != nullptr && coalesce->integer == 0;
  fail_pair(check, E0353, op, data, idx,
            fmt::format("{}: {} has valid={}, {} has valid={}; it holds one index per {}", op.mnemonic(),
                        label(op, idx), valid_region(*idx.type), label(op, data), valid_region(*data.type),
                        by_row                ? "row"
                        : coalesce != nullptr ? "element"
                                              : "element, or one column of them"),
            by_row ? Fix::use(fmt::format("valid=1x{}", rows), fmt::format(" or {}x1", rows))
            : row  ? fmt::format("for one index per row write {{coalesce = #pto.coalesce<row>}}; for one per "
                                  "element use valid={}",
                                 valid_region(*data.type))
                   : Fix::use(fmt::format("valid={}", valid_region(*data.type))));
}

void index_i32(Checker& check, const OpView& op, std::string_view name) {
  const TileOperand idx = tile_of(op, name);
  if (idx.type == nullptr || signless(idx.type->elem) == Elem::i32) return;
  fail_at(
      check, E0331, op, idx,
      fmt::format("'{}' of {} holds 32-bit integers, not {}", name, op.mnemonic(), to_string(idx.type->elem)),
      Fix::use_one_of({"i32", "ui32"}));
}

void scatter_atomic(Checker& check, const OpView& op, std::string_view) {
  const int64_t atomic = op.attr_int("scatterAtomicOp");
  const Elem elem = tile_of(op, "src").type->elem;
  const bool plain = elem == Elem::i32 || elem == Elem::f32;
  if (atomic == 0 || plain || (atomic == 1 && (elem == Elem::ui32 || elem == Elem::f16))) return;
  // The library of A2/A3 adds more (pto-isa npu/a2a3/MScatter.hpp, IsValidMScatterAtomic).
  const bool narrow = elem == Elem::bf16 ||
                      ((signless(elem) == Elem::i16 || signless(elem) == Elem::i8) && !is_unsigned(elem));
  if (atomic == 1 && narrow && check.target() == Target::a2a3) return;
  check.fail(E0322, op, Anchor::Part::attribute,
             static_cast<unsigned>(isa::schema(op.op().row).attr_index("scatterAtomicOp")),
             fmt::format("{} has no atomic operation of this kind on {}", op.mnemonic(), to_string(elem)),
             "add takes i32, ui32, f16 and f32; max and min take i32 and f32");
}

// ---- tgather

void bad_elem(Checker& check, const OpView& op, const TileOperand& at, std::string_view form,
              std::string_view allowed) {
  fail_at(check, E0331, op, at,
          fmt::format("{} by {} on {} takes {}; {} holds {}", op.mnemonic(), form, to_string(check.target()),
                      allowed, label(op, at), to_string(at.type->elem)),
          "convert with pto.tcvt");
}

void gather_by_mask(Checker& check, const OpView& op) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  const uint32_t width = byte_width(src.type->elem);
  if (one_of(src.type->elem, {Elem::i1, Elem::i4, Elem::f64}))
    return bad_elem(check, op, src, "mask pattern", "whole bytes of integers and floats");
  if (width != byte_width(dst.type->elem)) {
    fail_pair(
        check, E0331, op, src, dst,
        fmt::format("{}: {} holds {}, {} holds {}; their elements must have one size", op.mnemonic(),
                    label(op, src), to_string(src.type->elem), label(op, dst), to_string(dst.type->elem)),
        "use one element type");
  } else if (check.target() == Target::a2a3 && width != 2 && width != 4) {
    bad_elem(check, op, src, "mask pattern", "elements of 2 or 4 bytes");
  }
}

void gather_by_index(Checker& check, const OpView& op) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  const TileOperand indices = tile_of(op, "indices");
  const TileOperand tmp = tile_of(op, "tmp");
  const bool old = check.target() == Target::a2a3;
  if (signless(src.type->elem) != signless(dst.type->elem)) {
    fail_pair(check, E0331, op, src, dst,
              fmt::format("{}: {} holds {}, {} holds {}; they must be equal", op.mnemonic(), label(op, src),
                          to_string(src.type->elem), label(op, dst), to_string(dst.type->elem)),
              "use one element type");
  } else if (!one_of(src.type->elem, {Elem::i16, Elem::i32, Elem::f16, Elem::f32}) &&
             (old || !one_of(src.type->elem,
                             {Elem::i8, Elem::i64, Elem::bf16, Elem::f8e4m3, Elem::f8e5m2, Elem::hif8}))) {
    bad_elem(check, op, src, "index",
             old ? "i16, i32, f16 and f32" : "i8, i16, i32, i64, f16, bf16, f32, f8E4M3FN, f8E5M2 and hif8");
  }
  if (indices.type == nullptr) return;
  // 64 bits are gathered as two words each (pto-isa include/pto/npu/a5/TGather.hpp:206).
  const bool words = old || byte_width(src.type->elem) == 8;
  if (!one_of(indices.type->elem, {Elem::i32}) && (words || !one_of(indices.type->elem, {Elem::i16}))) {
    fail_at(check, E0331, op, indices,
            fmt::format("the indices of {} {}are {} on {}; {} holds {}", op.mnemonic(),
                        words && !old ? "of 64-bit elements " : "", words ? "i32" : "i32 or i16",
                        to_string(check.target()), label(op, indices), to_string(indices.type->elem)),
            Fix::use("i32"));
  }
  if (old && tmp.type == nullptr) {
    check.fail(E0371, op,
               fmt::format("{} by index on {} computes addresses in a scratch tile", op.mnemonic(),
                           to_string(check.target())),
               "give tmp, of the indices' type and shape");
  }
  if (!old || tmp.type == nullptr || signless(tmp.type->elem) == signless(indices.type->elem)) return;
  fail_pair(check, E0371, op, indices, tmp,
            fmt::format("{}: {} holds {}, {} holds {}; the scratch tile must hold the same", op.mnemonic(),
                        label(op, tmp), to_string(tmp.type->elem), label(op, indices),
                        to_string(indices.type->elem)),
            Fix::use(to_string(indices.type->elem)));
}

void gather_by_value(Checker& check, const OpView& op) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  const TileOperand cdst = tile_of(op, "cdst");
  const Elem elem = src.type->elem;
  const auto mode = static_cast<isa::CmpPredicate>(op.attr_int("cmpMode"));
  if (mode != isa::CmpPredicate::eq && mode != isa::CmpPredicate::sgt) {
    check.fail(E0322, op, Anchor::Part::attribute,
               static_cast<unsigned>(isa::schema(op.op().row).attr_index("cmpMode")),
               fmt::format("{} compares for eq or gt", op.mnemonic()),
               Fix::write("cmpMode = #pto<cmp eq>", " or gt"));
  }
  const bool comparable =
      one_of(elem, {Elem::f16, Elem::f32}) ||
      (one_of(elem, {Elem::i32}) && (mode == isa::CmpPredicate::eq || check.target() != Target::a2a3)) ||
      (one_of(elem, {Elem::i8, Elem::i16}) && check.target() != Target::a2a3);
  if (!comparable) {
    fail_at(check, E0331, op, src,
            fmt::format("{} on {} compares {}, not {}", op.mnemonic(), to_string(check.target()),
                        check.target() == Target::a2a3 ? "f16 and f32, or i32 for equality"
                                                       : "i8, i16, i32, f16 and f32",
                        to_string(elem)),
            "use an index tile");
  }
  if (!one_of(dst.type->elem, {Elem::i32})) bad_elem(check, op, dst, "comparison", "i32 for the positions");
  if (cdst.type != nullptr && cdst.type->elem != dst.type->elem) {
    fail_pair(check, E0331, op, dst, cdst,
              fmt::format("{}: {} holds {}, {} holds {}; they must be equal", op.mnemonic(), label(op, dst),
                          to_string(dst.type->elem), label(op, cdst), to_string(cdst.type->elem)),
              Fix::use("i32"));
  }
  const auto value = static_cast<unsigned>(slot_of(op, "kValue"));
  if (op.type(value).elem == elem || !comparable) return;
  check.fail(E0333, op, Anchor::Part::operand, flat_index(op, value),
             fmt::format("kValue of {} is {}, {} holds {}", op.mnemonic(), to_string(op.type(value).elem),
                         label(op, src), to_string(elem)),
             Fix::use(to_string(elem)));
}

/// A pattern picks one element of two or four; the tile with all of them is the wide one. Programs of June
/// name no axis, and some of them have one extent on both sides.
void pattern_extents(Checker& check, const OpView& op, std::string_view names) {
  if (op.attr("maskPattern") == nullptr || op.attr("axis") == nullptr) return;
  const size_t comma = names.find(',');
  const TileOperand wide = tile_of(op, names.substr(0, comma));
  const TileOperand narrow = tile_of(op, names.substr(comma + 1));
  if (wide.type == nullptr || narrow.type == nullptr) return;
  const isa::EnumDomain& axes = *isa::find_enum("axis");
  const bool rows = isa::case_name(axes, op.attr_int("axis")) == "col";
  const std::string_view pattern =
      isa::case_name(*isa::find_enum("mask_pattern"), op.attr_int("maskPattern"));
  const int64_t picked = std::ranges::count(pattern, '1');
  const int64_t factor = picked == 0 ? 1 : 4 / picked;
  for (unsigned axis = 0; axis < 2; ++axis) {
    const int64_t times = (axis == 0) == rows ? factor : 1;
    const int64_t all = wide.type->valid[axis];
    const int64_t some = narrow.type->valid[axis];
    if (all == kDynamic || some == kDynamic || all == some * times) continue;
    fail_pair(check, E0353, op, wide, narrow,
              fmt::format("{} by {} {}: {} has {} valid {}, {} has {}", op.mnemonic(), pattern,
                          times == 1 ? "keeps the other extent" : fmt::format("picks one of {}", times),
                          label(op, wide), all, axis == 0 ? "rows" : "columns", label(op, narrow), some),
              times == 1 ? Fix::use(std::to_string(all))
                         : fmt::format("use tiles of {} and {}", some * times, some));
    return;
  }
}

/// Exactly one of: index tile, mask pattern, comparison value.
void tgather_form(Checker& check, const OpView& op, std::string_view) {
  const bool index = given(op, "indices");
  const bool compare = given(op, "kValue");
  const bool mask = op.attr("maskPattern") != nullptr;
  if (index + compare + mask != 1) {
    check.fail(
        E0368, op,
        fmt::format("{} takes exactly one of an index tile, maskPattern, and a comparison value; {} given",
                    op.mnemonic(), index + compare + mask),
        "choose one form");
    return;
  }
  if (!mask && op.attr("axis") != nullptr)
    check.fail(E0368, op, Anchor::Part::attribute,
               static_cast<unsigned>(isa::schema(op.op().row).attr_index("axis")),
               fmt::format("{} has an axis with maskPattern only", op.mnemonic()), Fix::remove("drop it"));
  const TileOperand tmp = tile_of(op, "tmp");
  const TileOperand cdst = tile_of(op, "cdst");
  if (mask && (tmp.type != nullptr || cdst.type != nullptr)) {
    const TileOperand& extra = tmp.type != nullptr ? tmp : cdst;
    check.fail(E0368, op, Anchor::Part::operand, extra.flat,
               fmt::format("{} with maskPattern takes src and dst only; {} is given", op.mnemonic(),
                           label(op, extra)),
               Fix::remove("drop it"));
  } else if (compare != (cdst.type != nullptr)) {
    check.fail(
        E0368, op,
        fmt::format("{} {} a second destination for the counts", op.mnemonic(),
                    compare ? "with a comparison value needs" : "without a comparison value has no use for"),
        compare ? "write outs(%dst, %cdst : ..)" : "drop cdst");
  }
  if (mask) gather_by_mask(check, op);
  if (index) gather_by_index(check, op);
  if (compare) gather_by_value(check, op);
}

// ---- sorting and counting

/// The scratch tile of the list form holds the merged list.
void mrgsort_tmp(Checker& check, const OpView& op) {
  const TileOperand tmp = tile_of(op, "tmp");
  const TileOperand dst = tile_of(op, "dsts");
  if (tmp.type == nullptr || dst.type == nullptr) return;
  if (tmp.type->elem != dst.type->elem) {
    fail_pair(
        check, E0371, op, dst, tmp,
        fmt::format("{}: {} holds {}, {} holds {}; the scratch tile must hold the same", op.mnemonic(),
                    label(op, tmp), to_string(tmp.type->elem), label(op, dst), to_string(dst.type->elem)),
        Fix::use(to_string(dst.type->elem)));
  } else if (tmp.type->cols() < dst.type->cols()) {
    fail_pair(
        check, E0371, op, dst, tmp,
        fmt::format("tmp of {} has {} columns, dst {}", op.mnemonic(), tmp.type->cols(), dst.type->cols()),
        "tmp must hold the merged list");
  }
}

void mrgsort_block(Checker& check, const OpView& op) {
  const TileOperand src = tile_of(op, "srcs");
  const TileOperand dst = tile_of(op, "dsts");
  if (src.type != nullptr && dst.type != nullptr && differ(src.type->cols(), dst.type->cols())) {
    fail_pair(check, E0353, op, src, dst,
              fmt::format("{}: {} has {} columns, {} has {}; merging blocks keeps the list", op.mnemonic(),
                          label(op, src), src.type->cols(), label(op, dst), dst.type->cols()),
              "use one shape");
  }
  const std::optional<int64_t> length = check.constant(op.operand(1));
  if (length && *length > 0 && *length % 64 == 0) {
    const int64_t valid = src.type != nullptr ? src.type->valid[1] : kDynamic;
    if (check.target() != Target::a2a3 || valid == kDynamic || valid % (*length * 4) == 0) return;
    check.warn(W0375, op, Anchor::Part::operand, flat_index(op, 1),
               fmt::format("{} valid columns are not a whole number of 4 blocks of {}, which the library of "
                           "a2a3 merges at once",
                           valid, *length),
               "choose blockLen so that 4 blocks divide the list");
    return;
  }
  if (!length) return;
  check.fail(E0323, op, Anchor::Part::operand, flat_index(op, 1),
             fmt::format("blockLen of {} is {}; blocks have a positive multiple of 64 elements",
                         op.mnemonic(), *length),
             Fix::use("64", ", 128, .."));
}

void mrgsort_form(Checker& check, const OpView& op, std::string_view) {
  mrgsort_tmp(check, op);
  const size_t sources = op.operands(0).size();
  const bool one = op.operand(1) != kNoValue;
  if (one) mrgsort_block(check, op);
  const auto excuted = static_cast<unsigned>(slot_of(op, "excuted"));
  const Type& counts = op.type(excuted);
  if (counts.kind == TypeKind::vector &&
      (counts.rank != 1 || counts.dims[0] != 4 || signless(counts.elem) != Elem::i16)) {
    check.fail(E0301, op, Anchor::Part::operand_type, flat_index(op, excuted),
               fmt::format("the counts of {} are vector<4xi16>, not {}", op.mnemonic(), describe(counts)),
               Fix::use("vector<4xi16>"));
  }
  if (one ? sources == 1 : sources >= 2 && sources <= 4) return;
  check.fail(E0368, op,
             fmt::format("{} merges the blocks of one tile (with blockLen) or 2 to 4 tiles; {} given{}",
                         op.mnemonic(), sources, one ? " with blockLen" : ""),
             "give one source and blockLen, or 2 to 4 sources");
}

/// Which byte is counted: `byte`, or the older `isMSB`. ui32 has four, ui16 two.
void histogram_byte(Checker& check, const OpView& op, bool wide) {
  const AttrValue* byte = op.attr("byte");
  const AttrValue* high = op.attr("isMSB");
  const auto at = static_cast<unsigned>(isa::schema(op.op().row).attr_index("byte"));
  if (byte != nullptr && high != nullptr && byte->integer != (high->integer != 0 ? 1 : 0)) {
    check.fail(E0322, op, Anchor::Part::attribute, at,
               fmt::format("{}: byte = {} and isMSB = {} name different bytes", op.mnemonic(), byte->integer,
                           high->integer != 0),
               Fix::remove("drop isMSB"));
  } else if (const int64_t last = wide ? 3 : 1;
             byte != nullptr && (byte->integer < 0 || byte->integer > last)) {
    check.fail(E0322, op, Anchor::Part::attribute, at,
               fmt::format("{} of byte {}; {} has bytes 0 to {}", op.mnemonic(), byte->integer,
                           wide ? "ui32" : "ui16", last),
               fmt::format("use 0 to {}", last));
  }
}

/// ui16: the filter has one column, a row per row of the source.
void histogram_column(Checker& check, const OpView& op, const TileOperand& src, const TileOperand& idx) {
  if (!is_dn(*idx.type)) {
    fail_at(check, E0351, op, idx,
            fmt::format("{}: {} has {}; filters of ui16 are a column", op.mnemonic(), label(op, idx),
                        layout_name(*idx.type)),
            Fix::use("blayout=col_major, slayout=none_box"));
  } else if (differ(src.type->rows(), idx.type->rows()) || differ(src.type->valid[0], idx.type->valid[0])) {
    fail_pair(check, E0353, op, src, idx,
              fmt::format("{}: {} has {} rows ({} valid), {} has {} ({} valid); they must be equal",
                          op.mnemonic(), label(op, src), src.type->rows(), src.type->valid[0], label(op, idx),
                          idx.type->rows(), idx.type->valid[0]),
              "use as many rows");
  } else if (differ(idx.type->cols(), 1) || exceeds(idx.type->valid[1], 1)) {
    fail_at(check, E0353, op, idx,
            fmt::format("{}: {} is {}; it has one column", op.mnemonic(), label(op, idx), shape(*idx.type)),
            "use one column");
  }
}

/// ui32: a row per byte above the counted one, a column per column of the source.
void histogram_rows(Checker& check, const OpView& op, const TileOperand& src, const TileOperand& idx) {
  const int64_t rows = 3 - (op.attr("byte") == nullptr ? 1 : op.attr_int("byte"));
  if (rows < 1 || rows > 3) return;  // no filter for the highest byte
  if (!is_nd(*idx.type)) {
    fail_at(check, E0351, op, idx,
            fmt::format("{}: {} has {}; filters of ui32 are rows", op.mnemonic(), label(op, idx),
                        layout_name(*idx.type)),
            Fix::use("blayout=row_major, slayout=none_box"));
  } else if (differ(src.type->cols(), idx.type->cols()) || differ(src.type->valid[1], idx.type->valid[1])) {
    fail_pair(check, E0353, op, src, idx,
              fmt::format("{}: {} has {} columns ({} valid), {} has {} ({} valid); they must be equal",
                          op.mnemonic(), label(op, src), src.type->cols(), src.type->valid[1], label(op, idx),
                          idx.type->cols(), idx.type->valid[1]),
              "use as many columns");
  } else if (differ(idx.type->rows(), rows) ||
             (idx.type->valid[0] != 0 && differ(idx.type->valid[0], rows))) {
    fail_at(check, E0353, op, idx,
            fmt::format("{}: {} has {} rows ({} valid); byte {} has {} bytes above it", op.mnemonic(),
                        label(op, idx), idx.type->rows(), idx.type->valid[0], 3 - rows, rows),
            fmt::format("use {} rows", rows));
  }
}

/// One bin per value of a byte.
void histogram(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand idx = tile_of(op, "idx");
  const TileOperand dst = tile_of(op, "dst");
  const bool wide = signless(src.type->elem) == Elem::i32;
  histogram_byte(check, op, wide);
  if (wide)
    histogram_rows(check, op, src, idx);
  else
    histogram_column(check, op, src, idx);
  if (differ(src.type->rows(), dst.type->rows()) || differ(src.type->valid[0], dst.type->valid[0]))
    fail_pair(check, E0353, op, src, dst,
              fmt::format("{}: {} has {} rows ({} valid), {} has {} ({} valid); they must be equal",
                          op.mnemonic(), label(op, src), src.type->rows(), src.type->valid[0], label(op, dst),
                          dst.type->rows(), dst.type->valid[0]),
              "use as many rows");
  if (dst.type->valid[1] == 0 || (!below(dst.type->cols(), 256) && !below(dst.type->valid[1], 256))) return;
  fail_at(check, E0353, op, dst,
          fmt::format("{}: {} has {} columns ({} valid) for 256 values of a byte", op.mnemonic(),
                      label(op, dst), dst.type->cols(), dst.type->valid[1]),
          "use at least 256 valid columns");
}

constexpr Rule kGatherRules[] = {
    {.id = E0368,
     .title = "instruction form",
     .cause = "The operands mix forms of the instruction.",
     .example = "pto.tgather with an index tile and a maskPattern",
     .fix = "Choose one form."},
    {.id = W0375,
     .title = "blocks of a list",
     .cause = "The library of A2/A3 merges four blocks at once.",
     .example = "pto.tmrgsort of 192 elements with blockLen 64",
     .fix = "Choose blockLen so that four blocks divide the list."},
};

constexpr OpRule kGatherChecks[] = {
    {.name = "mem_rows", .check = mem_rows, .ids = {E0366, E0411}, .words = "the window of GM lies in rows"},
    {.name = "index_shape",
     .check = index_shape,
     .ids = {E0353},
     .words = "one index per element of `$` or per row, as coalesce says"},
    {.name = "index_i32",
     .check = index_i32,
     .sees = Sees::types,
     .ids = {E0331},
     .words = "`$` holds 32-bit integers"},
    {.name = "scatter_atomic",
     .check = scatter_atomic,
     .ids = {E0322},
     .words = "the atomic operation exists for the element type"},
    {.name = "tgather_form",
     .check = tgather_form,
     .ids = {E0322, E0331, E0333, E0368, E0371},
     .words = "exactly one of an index tile, maskPattern and a comparison value"},
    {.name = "pattern",
     .check = pattern_extents,
     .ids = {E0353},
     .words = "the pattern picks every element of one of $ from two or four of the other"},
    {.name = "mrgsort_form",
     .check = mrgsort_form,
     .ids = {E0301, E0323, E0353, E0368, E0371, W0375},
     .words = "the blocks of one tile (blockLen), or 2 to 4 tiles; the scratch tile holds the merged list"},
    {.name = "histogram",
     .check = histogram,
     .ids = {E0322, E0351, E0353},
     .words = "256 bins, a row per row of the source; the filter of ui16 is a column, that of ui32 has a row "
              "per byte above the counted one"},
};

}  // namespace

RuleFamily gather_rules() { return {.rules = kGatherRules, .checks = kGatherChecks}; }

}  // namespace pto::legality
