// Gathering, scattering, sorting and counting: which form, which index tiles, which extents.
#include <fmt/format.h>

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
    check.fail("E0411", op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("{} reaches GM, but {} points to {}", op.mnemonic(),
                           value_name(op.program(), op.operand(slot)), to_string(op.type(slot).space)),
               "use a view of GM");
    return;
  }
  uint32_t maker = check.definition(op.operand(slot));
  if (maker != ~0u && isa::does(OpView(check.program(), maker)) == isa::Does::partition)
    maker = check.definition(OpView(check.program(), maker).operand(0));
  if (maker == ~0u || isa::does(OpView(check.program(), maker)) != isa::Does::make_view) return;
  const OpView view(check.program(), maker);
  const std::span<const ValueId> strides = view.operands(2);
  if (strides.size() < 2) return;
  const std::optional<int64_t> last = check.constant(strides.back()), first = check.constant(strides.front());
  const Type& type = view.result_type(0);
  if (!last || !first || *last == 1 || *first != 1 || type.dims[0] == kDynamic) return;
  check.note_definition(
      check.fail("E0366", op, Anchor::Part::operand, flat_index(op, slot),
                 fmt::format("{} takes rows of GM, but the elements of {} lie column by column",
                             op.mnemonic(), value_name(op.program(), op.operand(slot))),
                 "make a view whose last stride is 1"),
      view.result(0));
}

/// One index per element, or per row.
void index_shape(Checker& check, const OpView& op, std::string_view data_name) {
  const TileOperand data = tile_of(op, data_name), idx = tile_of(op, "idx");
  if (data.type == nullptr || idx.type == nullptr) return;
  const bool rows = !differ(data.type->rows(), idx.type->rows());
  const bool cols = idx.type->cols() == 1 || !differ(data.type->cols(), idx.type->cols());
  const bool by_row = op.attr("coalesce") != nullptr && op.attr_int("coalesce") == 0;
  if ((rows && cols) || (by_row && idx.type->rows() == 1 && !differ(data.type->rows(), idx.type->cols())))
    return;
  fail_pair(check, "E0353", op, data, idx,
            fmt::format("{}: {} is {}, {} is {}; it holds one index per element, or one column of them",
                        op.mnemonic(), label(op, idx), shape(*idx.type), label(op, data), shape(*data.type)),
            fmt::format("use {} or {}x1", shape(*data.type), data.type->rows()));
}

void index_i32(Checker& check, const OpView& op, std::string_view name) {
  const TileOperand idx = tile_of(op, name);
  if (idx.type == nullptr || signless(idx.type->elem) == Elem::i32) return;
  fail_at(
      check, "E0331", op, idx,
      fmt::format("'{}' of {} holds 32-bit integers, not {}", name, op.mnemonic(), to_string(idx.type->elem)),
      "use i32 or ui32");
}

void scatter_atomic(Checker& check, const OpView& op, std::string_view) {
  const int64_t atomic = op.attr_int("scatterAtomicOp");
  const Elem elem = tile_of(op, "src").type->elem;
  const bool plain = elem == Elem::i32 || elem == Elem::f32;
  if (atomic == 0 || plain || (atomic == 1 && (elem == Elem::ui32 || elem == Elem::f16))) return;
  check.fail("E0322", op, Anchor::Part::attribute,
             static_cast<unsigned>(isa::schema(op.op().row).attr_index("scatterAtomicOp")),
             fmt::format("{} has no atomic operation of this kind on {}", op.mnemonic(), to_string(elem)),
             "add takes i32, ui32, f16 and f32; max and min take i32 and f32");
}

// ---- tgather

void bad_elem(Checker& check, const OpView& op, const TileOperand& at, std::string_view form,
              std::string_view allowed) {
  fail_at(check, "E0331", op, at,
          fmt::format("{} by {} on {} takes {}; {} holds {}", op.mnemonic(), form, to_string(check.target()),
                      allowed, label(op, at), to_string(at.type->elem)),
          "convert with pto.tcvt");
}

void gather_by_mask(Checker& check, const OpView& op) {
  const TileOperand src = tile_of(op, "src"), dst = tile_of(op, "dst");
  const uint32_t width = byte_width(src.type->elem);
  if (one_of(src.type->elem, {Elem::i1, Elem::i4, Elem::f64}))
    return bad_elem(check, op, src, "mask pattern", "whole bytes of integers and floats");
  if (width != byte_width(dst.type->elem)) {
    fail_pair(
        check, "E0331", op, src, dst,
        fmt::format("{}: {} holds {}, {} holds {}; their elements must have one size", op.mnemonic(),
                    label(op, src), to_string(src.type->elem), label(op, dst), to_string(dst.type->elem)),
        "use one element type");
  } else if (check.target() == Target::a2a3 && width != 2 && width != 4) {
    bad_elem(check, op, src, "mask pattern", "elements of 2 or 4 bytes");
  }
}

void gather_by_index(Checker& check, const OpView& op) {
  const TileOperand src = tile_of(op, "src"), dst = tile_of(op, "dst"), indices = tile_of(op, "indices"),
                    tmp = tile_of(op, "tmp");
  const bool old = check.target() == Target::a2a3;
  if (signless(src.type->elem) != signless(dst.type->elem)) {
    fail_pair(check, "E0331", op, src, dst,
              fmt::format("{}: {} holds {}, {} holds {}; they must be equal", op.mnemonic(), label(op, src),
                          to_string(src.type->elem), label(op, dst), to_string(dst.type->elem)),
              "use one element type");
  } else if (!one_of(src.type->elem, {Elem::i16, Elem::i32, Elem::f16, Elem::f32}) &&
             (old || !one_of(src.type->elem, {Elem::i8, Elem::bf16}))) {
    bad_elem(check, op, src, "index", old ? "i16, i32, f16 and f32" : "i8, i16, i32, f16, bf16 and f32");
  }
  if (indices.type == nullptr) return;
  if (!one_of(indices.type->elem, {Elem::i32}) && (old || !one_of(indices.type->elem, {Elem::i16}))) {
    fail_at(
        check, "E0331", op, indices,
        fmt::format("the indices of {} are {} on {}; {} holds {}", op.mnemonic(), old ? "i32" : "i32 or i16",
                    to_string(check.target()), label(op, indices), to_string(indices.type->elem)),
        "use i32");
  }
  if (!old || tmp.type == nullptr || signless(tmp.type->elem) == signless(indices.type->elem)) return;
  fail_pair(check, "E0371", op, indices, tmp,
            fmt::format("{}: {} holds {}, {} holds {}; the scratch tile must hold the same", op.mnemonic(),
                        label(op, tmp), to_string(tmp.type->elem), label(op, indices),
                        to_string(indices.type->elem)),
            fmt::format("use {}", to_string(indices.type->elem)));
}

void gather_by_value(Checker& check, const OpView& op) {
  const TileOperand src = tile_of(op, "src"), dst = tile_of(op, "dst"), cdst = tile_of(op, "cdst");
  const Elem elem = src.type->elem;
  const int64_t mode = op.attr_int("cmpMode");
  if (mode != 0 && mode != 4) {
    check.fail("E0322", op, Anchor::Part::attribute,
               static_cast<unsigned>(isa::schema(op.op().row).attr_index("cmpMode")),
               fmt::format("{} compares for eq or gt", op.mnemonic()), "write cmpMode = #pto<cmp eq> or gt");
  }
  const bool comparable = one_of(elem, {Elem::f16, Elem::f32}) ||
                          (one_of(elem, {Elem::i32}) && (mode == 0 || check.target() != Target::a2a3)) ||
                          (one_of(elem, {Elem::i8, Elem::i16}) && check.target() != Target::a2a3);
  if (!comparable) {
    fail_at(check, "E0331", op, src,
            fmt::format("{} on {} compares {}, not {}", op.mnemonic(), to_string(check.target()),
                        check.target() == Target::a2a3 ? "f16 and f32, or i32 for equality"
                                                       : "i8, i16, i32, f16 and f32",
                        to_string(elem)),
            "use an index tile");
  }
  if (!one_of(dst.type->elem, {Elem::i32})) bad_elem(check, op, dst, "comparison", "i32 for the positions");
  if (cdst.type != nullptr && cdst.type->elem != dst.type->elem) {
    fail_pair(check, "E0331", op, dst, cdst,
              fmt::format("{}: {} holds {}, {} holds {}; they must be equal", op.mnemonic(), label(op, dst),
                          to_string(dst.type->elem), label(op, cdst), to_string(cdst.type->elem)),
              "use i32");
  }
  const auto value = static_cast<unsigned>(slot_of(op, "kValue"));
  if (op.type(value).elem == elem || !comparable) return;
  check.fail("E0333", op, Anchor::Part::operand, flat_index(op, value),
             fmt::format("kValue of {} is {}, {} holds {}", op.mnemonic(), to_string(op.type(value).elem),
                         label(op, src), to_string(elem)),
             fmt::format("use {}", to_string(elem)));
}

/// Exactly one of: index tile, mask pattern, comparison value.
void tgather_form(Checker& check, const OpView& op, std::string_view) {
  const bool index = given(op, "indices"), compare = given(op, "kValue"),
             mask = op.attr("maskPattern") != nullptr;
  if (index + compare + mask != 1) {
    check.fail(
        "E0368", op,
        fmt::format("{} takes exactly one of an index tile, maskPattern, and a comparison value; {} given",
                    op.mnemonic(), index + compare + mask),
        "choose one form");
    return;
  }
  const TileOperand tmp = tile_of(op, "tmp"), cdst = tile_of(op, "cdst");
  if (mask && (tmp.type != nullptr || cdst.type != nullptr)) {
    const TileOperand& extra = tmp.type != nullptr ? tmp : cdst;
    check.fail("E0368", op, Anchor::Part::operand, extra.flat,
               fmt::format("{} with maskPattern takes src and dst only; {} is given", op.mnemonic(),
                           label(op, extra)),
               "drop it");
  } else if (compare != (cdst.type != nullptr)) {
    check.fail(
        "E0368", op,
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
  const TileOperand tmp = tile_of(op, "tmp"), dst = tile_of(op, "dsts");
  if (tmp.type == nullptr || dst.type == nullptr) return;
  if (tmp.type->elem != dst.type->elem) {
    fail_pair(
        check, "E0371", op, dst, tmp,
        fmt::format("{}: {} holds {}, {} holds {}; the scratch tile must hold the same", op.mnemonic(),
                    label(op, tmp), to_string(tmp.type->elem), label(op, dst), to_string(dst.type->elem)),
        fmt::format("use {}", to_string(dst.type->elem)));
  } else if (tmp.type->cols() < dst.type->cols()) {
    fail_pair(
        check, "E0371", op, dst, tmp,
        fmt::format("tmp of {} has {} columns, dst {}", op.mnemonic(), tmp.type->cols(), dst.type->cols()),
        "tmp must hold the merged list");
  }
}

void mrgsort_block(Checker& check, const OpView& op) {
  const TileOperand src = tile_of(op, "srcs"), dst = tile_of(op, "dsts");
  if (src.type != nullptr && dst.type != nullptr && differ(src.type->cols(), dst.type->cols())) {
    fail_pair(check, "E0353", op, src, dst,
              fmt::format("{}: {} has {} columns, {} has {}; merging blocks keeps the list", op.mnemonic(),
                          label(op, src), src.type->cols(), label(op, dst), dst.type->cols()),
              "use one shape");
  }
  const std::optional<int64_t> length = check.constant(op.operand(1));
  if (length && *length > 0 && *length % 64 == 0) {
    const int64_t valid = src.type != nullptr ? src.type->valid[1] : kDynamic;
    if (check.target() != Target::a2a3 || valid == kDynamic || valid % (*length * 4) == 0) return;
    check.warn("W0375", op, Anchor::Part::operand, flat_index(op, 1),
               fmt::format("{} valid columns are not a whole number of 4 blocks of {}, which the library of "
                           "a2a3 merges at once",
                           valid, *length),
               "choose blockLen so that 4 blocks divide the list");
    return;
  }
  if (!length) return;
  check.fail("E0323", op, Anchor::Part::operand, flat_index(op, 1),
             fmt::format("blockLen of {} is {}; blocks have a positive multiple of 64 elements",
                         op.mnemonic(), *length),
             "use 64, 128, ..");
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
    check.fail("E0301", op, Anchor::Part::operand_type, flat_index(op, excuted),
               fmt::format("the counts of {} are vector<4xi16>, not {}", op.mnemonic(), describe(counts)),
               "use vector<4xi16>");
  }
  if (one ? sources == 1 : sources >= 2 && sources <= 4) return;
  check.fail("E0368", op,
             fmt::format("{} merges the blocks of one tile (with blockLen) or 2 to 4 tiles; {} given{}",
                         op.mnemonic(), sources, one ? " with blockLen" : ""),
             "give one source and blockLen, or 2 to 4 sources");
}

/// One bin per value of a byte.
void histogram(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src"), idx = tile_of(op, "idx"), dst = tile_of(op, "dst");
  for (const TileOperand* tile : {&idx, &dst}) {
    if (!differ(src.type->rows(), tile->type->rows()) && !differ(src.type->valid[0], tile->type->valid[0]))
      continue;
    fail_pair(check, "E0353", op, src, *tile,
              fmt::format("{}: {} has {} rows ({} valid), {} has {} ({} valid); they must be equal",
                          op.mnemonic(), label(op, src), src.type->rows(), src.type->valid[0],
                          label(op, *tile), tile->type->rows(), tile->type->valid[0]),
              "use as many rows");
  }
  if (differ(idx.type->cols(), 1) || differ(idx.type->valid[1], 1))
    fail_at(check, "E0353", op, idx,
            fmt::format("{}: {} is {}; it has one column", op.mnemonic(), label(op, idx), shape(*idx.type)),
            "use one column");
  if (!below(dst.type->cols(), 256) && !below(dst.type->valid[1], 256)) return;
  fail_at(check, "E0353", op, dst,
          fmt::format("{}: {} has {} columns ({} valid) for 256 values of a byte", op.mnemonic(),
                      label(op, dst), dst.type->cols(), dst.type->valid[1]),
          "use at least 256 valid columns");
}

constexpr Rule kRules[] = {
    {.id = "E0368",
     .title = "instruction form",
     .cause = "The operands mix forms of the instruction.",
     .example = "pto.tgather with an index tile and a maskPattern",
     .fix = "Choose one form."},
    {.id = "W0375",
     .title = "blocks of a list",
     .cause = "The library of A2/A3 merges four blocks at once.",
     .example = "pto.tmrgsort of 192 elements with blockLen 64",
     .fix = "Choose blockLen so that four blocks divide the list."},
};

constexpr OpRule kChecks[] = {
    {.name = "mem_rows", .check = mem_rows, .ids = "E0366 E0411", .words = "the window of GM lies in rows"},
    {.name = "index_shape",
     .check = index_shape,
     .sees = Sees::types,
     .ids = "E0353",
     .words = "one index per element of `$`, or one column of them"},
    {.name = "index_i32",
     .check = index_i32,
     .sees = Sees::types,
     .ids = "E0331",
     .words = "`$` holds 32-bit integers"},
    {.name = "scatter_atomic",
     .check = scatter_atomic,
     .ids = "E0322",
     .words = "the atomic operation exists for the element type"},
    {.name = "tgather_form",
     .check = tgather_form,
     .ids = "E0322 E0331 E0333 E0368 E0371",
     .words = "exactly one of an index tile, maskPattern and a comparison value"},
    {.name = "mrgsort_form",
     .check = mrgsort_form,
     .ids = "E0301 E0323 E0353 E0368 E0371 W0375",
     .words = "the blocks of one tile (blockLen), or 2 to 4 tiles; the scratch tile holds the merged list"},
    {.name = "histogram",
     .check = histogram,
     .sees = Sees::types,
     .ids = "E0353",
     .words = "256 bins, a row per row of the source; the index tile has one column"},
};

}  // namespace

RuleFamily gather_rules() { return {.rules = kRules, .checks = kChecks}; }

}  // namespace pto::legality
