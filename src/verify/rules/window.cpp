// Windows of tiles: textract and tinsert, their data paths, bounds and layouts.
#include <fmt/format.h>

#include <algorithm>

#include "support/saturating.hpp"
#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

struct WindowPath {
  Space from, to;
  bool a2a3, a5;
};
/// Data paths of tinsert.
constexpr WindowPath kInsertPaths[] = {{Space::ub, Space::ub, true, true},
                                       {Space::ub, Space::l1, false, true},
                                       {Space::l0c, Space::l1, true, true},
                                       {Space::l0c, Space::ub, false, true}};
/// Data paths of textract; those of the A5 accumulator are on its page, the public verifier lacks them.
constexpr WindowPath kExtractPaths[] = {
    {Space::ub, Space::ub, true, true},   {Space::ub, Space::l1, false, true},
    {Space::l1, Space::l0a, true, true},  {Space::l1, Space::l0b, true, true},
    {Space::l1, Space::fb, false, true},  {Space::l0c, Space::l1, true, true},
    {Space::l0c, Space::ub, false, true},
};

bool has_path(Checker& check, const OpView& op, std::span<const WindowPath> paths) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  std::string list;
  for (const WindowPath& path : paths) {
    if (!(check.target() == Target::a2a3 ? path.a2a3 : path.a5)) continue;
    if (path.from == src.type->space && path.to == dst.type->space) return true;
    list += fmt::format("{}{} to {}", list.empty() ? "" : ", ", tile_loc(path.from), tile_loc(path.to));
  }
  fail_at(check, E0342, op, dst,
          fmt::format("{} has no data path from {} to {} for {}", to_string(check.target()),
                      tile_loc(src.type->space), tile_loc(dst.type->space), op.mnemonic()),
          fmt::format("paths on {}: {}", to_string(check.target()), list));
  return false;
}

/// indices + inner extent <= outer extent, where the indices are constants.
void window(Checker& check, const OpView& op, const Type& outer, const Type& inner,
            std::string_view outer_name) {
  static constexpr std::string_view kIndex[] = {"indexRow", "indexCol"};
  static constexpr std::string_view kWhat[] = {"rows", "columns"};
  for (unsigned d = 0; d < 2; ++d) {
    const auto slot = static_cast<unsigned>(slot_of(op, kIndex[d]));
    const std::optional<int64_t> index = check.constant(op.operand(slot));
    // Only the valid part of the smaller tile is moved.
    const int64_t extent = inner.valid[d] == kDynamic ? 1 : inner.valid[d];
    if (!index || (*index >= 0 && sat_add(*index, extent) <= outer.dims[d])) continue;
    check.fail(E0362, op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("the window of {} covers {} {} to {}, '{}' has {}", op.mnemonic(), kWhat[d],
                           *index, sat_add(*index, extent), outer_name, outer.dims[d]),
               fmt::format("{} may be at most {}", kIndex[d], outer.dims[d] - extent));
  }
}

/// The load into L0A and L0B counts in boxes; a window that begins inside one would silently begin at its
/// border. The transposing load of 32-bit elements into L0B moves halves of boxes, 8x8 (conformance case
/// textract/mat_f32_i16_k8_j8).
void window_on_boxes(Checker& check, const OpView& op, const Type& src, const Type& dst) {
  if (src.space != Space::l1 || src.slayout == SLayout::none_box) return;
  const InnerBox box = inner_box(src);
  static constexpr std::string_view kIndex[] = {"indexRow", "indexCol"};
  const bool halves = dst.space == Space::l0b && bit_width(src.elem) == 32;
  const int64_t step[2] = {halves ? std::min(box.rows, box.cols) : box.rows, box.cols};
  for (unsigned d = 0; d < 2; ++d) {
    const auto slot = static_cast<unsigned>(slot_of(op, kIndex[d]));
    const std::optional<int64_t> index = check.constant(op.operand(slot));
    if (!index || *index % step[d] == 0) continue;
    check.fail(E0362, op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("{} {} of {} lies inside a box; the boxes of src have {}x{} elements", kIndex[d],
                           *index, op.mnemonic(), box.rows, box.cols),
               fmt::format("use a multiple of {}", step[d]));
  }
}

/// Layouts of a window of mat: boxes both ways around; L0A also takes a row-major row.
void mat_layout(Checker& check, const OpView& op, const TileOperand& src, const TileOperand& dst) {
  const Type& type = *src.type;
  if (one_of(type.elem, {Elem::i16, Elem::i32})) {
    fail_at(check, E0331, op, src,
            fmt::format("{} from mat moves operands of matrix products; {} holds {}", op.mnemonic(),
                        label(op, src), to_string(type.elem)),
            "use i8, f16, bf16, f32 or, on a5, an 8-bit float");
  }
  const bool zn = type.blayout == BLayout::row_major && type.slayout == SLayout::col_major;
  const bool plain =
      type.blayout == BLayout::row_major &&
      (check.target() == Target::a2a3 || dst.type->space == Space::l0a || dst.type->space == Space::fb);
  if (!is_nz(type) && !zn && !plain) {
    fail_at(check, E0351, op, src,
            fmt::format("{} to {} on {} does not read {}", op.mnemonic(), tile_loc(dst.type->space),
                        to_string(check.target()), layout_name(type)),
            "use blayout=col_major with slayout=row_major, or blayout=row_major with slayout=col_major");
  }
  if (dst.type->space != Space::l0a && dst.type->space != Space::l0b) return;
  const bool left = dst.type->space == Space::l0a;
  Type wanted = *dst.type;
  wanted.blayout = left && check.target() != Target::a2a3 ? BLayout::col_major : BLayout::row_major;
  wanted.slayout = left ? SLayout::row_major : SLayout::col_major;
  if (check.target() == Target::cpu || layout_name(wanted) == layout_name(*dst.type)) return;
  fail_at(check, E0351, op, dst,
          fmt::format("{}: {} has {}; a {} tile has {} on {}", op.mnemonic(), label(op, dst),
                      layout_name(*dst.type), tile_loc(dst.type->space), layout_name(wanted),
                      to_string(check.target())),
          left ? left_layout_help(check.target()) : Fix::use(layout_name(wanted)));
}

void within_vec(Checker& check, const OpView& op, const TileOperand& src, const TileOperand& dst) {
  for (const TileOperand* tile : {&src, &dst}) {
    if (is_nd(*tile->type) || (check.target() != Target::a5 && tile->type->slayout == SLayout::none_box))
      continue;
    fail_at(check, E0351, op, *tile,
            fmt::format("{} within vec works on unboxed row_major tiles; {} has {}", op.mnemonic(),
                        label(op, *tile), layout_name(*tile->type)),
            Fix::use("blayout=row_major, slayout=none_box"));
  }
}

/// The library of A2/A3 moves whole 32-byte blocks within vec.
void window_on_blocks(Checker& check, const OpView& op, const Type& tile) {
  const auto slot = static_cast<unsigned>(slot_of(op, "indexCol"));
  const std::optional<int64_t> index = check.constant(op.operand(slot));
  if (check.target() != Target::a2a3 || !index) return;
  const int64_t bytes = sat_mul<int64_t>(*index, bit_width(tile.elem)) / 8;
  if (bytes % 32 == 0) return;
  check.warn(
      W0373, op, Anchor::Part::operand, flat_index(op, slot),
      fmt::format(
          "indexCol {} of {} is {} bytes from the start of a row; the library of a2a3 takes multiples of 32",
          *index, op.mnemonic(), bytes),
      fmt::format("use a multiple of {}", 32 * 8 / bit_width(tile.elem)));
}

/// The accumulator and what it is moved to in L1 are in boxes.
void boxed(Checker& check, const OpView& op, const TileOperand& tile) {
  if (is_nz(*tile.type)) return;
  fail_at(check, E0351, op, tile,
          fmt::format("{} from acc on {}: {} has {}", op.mnemonic(), to_string(check.target()),
                      label(op, tile), layout_name(*tile.type)),
          Fix::use("blayout=col_major, slayout=row_major"));
}

/// Conversions and ReLU are of the fixpipe, which reads the accumulator; modes of the vector cores are for
/// what goes there.
void fixpipe_only(Checker& check, const OpView& op, const Type& src, const Type& dst) {
  const auto refuse = [&](std::string_view name, std::string_view path) {
    const int attr = isa::schema(op.op().row).attr_index(name);
    check.fail(E0342, op, Anchor::Part::attribute, static_cast<unsigned>(attr),
               fmt::format("{}: the path {} has no {}", op.mnemonic(), path, name),
               Fix::remove("leave it out"));
  };
  const bool acc = src.space == Space::l0c;
  if (!acc && op.attr("reluPreMode") != nullptr && op.attr_int("reluPreMode") != 0)
    refuse("reluPreMode", fmt::format("from {}", tile_loc(src.space)));
  if (op.attr("accToVecMode") != nullptr && (!acc || dst.space != Space::ub))
    refuse("accToVecMode", fmt::format("from {} to {}", tile_loc(src.space), tile_loc(dst.space)));
}

/// Without a scale the fixpipe rounds f32; it leaves i32 as it is.
void acc_element(Checker& check, const OpView& op, const TileOperand& src, const TileOperand& dst) {
  const Elem from = signless(src.type->elem);
  const Elem to = signless(dst.type->elem);
  const bool a5 = check.target() != Target::a2a3;
  const bool fits = from == Elem::f32 ? to == Elem::f16 || to == Elem::bf16 || (a5 && to == Elem::f32)
                                      : a5 && from == Elem::i32 && to == Elem::i32;
  if (fits || (from != Elem::f32 && from != Elem::i32)) return;
  fail_pair(
      check, E0331, op, src, dst,
      fmt::format("{} from acc on {}: {} holds {}, {} holds {}", op.mnemonic(), to_string(check.target()),
                  label(op, src), to_string(src.type->elem), label(op, dst), to_string(dst.type->elem)),
      a5 ? "f32 becomes f16, bf16 or f32, i32 stays" : "f32 becomes f16 or bf16; others take a scale");
}

void extract(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  window(check, op, *src.type, *dst.type, "src");
  if (!has_path(check, op, kExtractPaths)) return;
  if (src.type->space != Space::l0c && signless(src.type->elem) != signless(dst.type->elem)) {
    fail_pair(
        check, E0331, op, src, dst,
        fmt::format("{} copies elements unchanged: {} holds {}, {} holds {}", op.mnemonic(), label(op, src),
                    to_string(src.type->elem), label(op, dst), to_string(dst.type->elem)),
        "convert with pto.tcvt first");
  }
  if (src.type->space == Space::l1) {
    mat_layout(check, op, src, dst);
    if (dst.type->space != Space::fb) window_on_boxes(check, op, *src.type, *dst.type);
  }
  if (src.type->space == Space::l0c) {
    boxed(check, op, src);
    const bool a5 = check.target() == Target::a5;
    if (dst.type->space == Space::l1) boxed(check, op, dst);
    if (!a5 && dst.type->space == Space::l1 && dst.type->fractal != 512)
      fail_at(check, E0360, op, dst,
              fmt::format("{} from acc on a2a3: {} has fractal={}", op.mnemonic(), label(op, dst),
                          dst.type->fractal),
              "leave fractal= out of the type");
    acc_element(check, op, src, dst);
    if (a5 && dst.type->space == Space::ub && !is_nd(*dst.type))
      fail_at(check, E0351, op, dst,
              fmt::format("{} into vec: {} has {}", op.mnemonic(), label(op, dst), layout_name(*dst.type)),
              Fix::use("blayout=row_major, slayout=none_box"));
  }
  fixpipe_only(check, op, *src.type, *dst.type);
  if (src.type->space != Space::ub || dst.type->space != Space::ub) return;
  within_vec(check, op, src, dst);
  window_on_blocks(check, op, *src.type);
}

/// Windows are written within vec, or from vec and acc into mat; A2/A3 converts f32 accumulators on the way.
void insert_types(Checker& check, const OpView& op, const TileOperand& src, const TileOperand& dst) {
  const Elem from = src.type->elem;
  const Elem to = dst.type->elem;
  const bool acc = src.type->space == Space::l0c;
  const bool narrow = from == Elem::f32 && (to == Elem::f16 || to == Elem::bf16);
  const bool fits = !acc ? signless(from) == signless(to)
                         : narrow || (check.target() != Target::a2a3 && signless(from) == signless(to) &&
                                      one_of(from, {Elem::f32, Elem::i32}));
  if (fits) return;
  fail_pair(check, E0331, op, src, dst,
            acc ? fmt::format("{} on {} converts f32 to f16 or bf16, not {} to {}", op.mnemonic(),
                              to_string(check.target()), to_string(from), to_string(to))
                : fmt::format("{} copies elements unchanged: {} holds {}, {} holds {}", op.mnemonic(),
                              label(op, src), to_string(from), label(op, dst), to_string(to)),
            acc ? "use an f32 accumulator and an f16 or bf16 tile" : "convert with pto.tcvt first");
}

void boxed_into_mat(Checker& check, const OpView& op, const TileOperand& src, const TileOperand& dst) {
  const bool acc = src.type->space == Space::l0c;
  if (!is_nz(*dst.type)) {
    fail_at(check, E0351, op, dst,
            fmt::format("{} into mat: {} has {}", op.mnemonic(), label(op, dst), layout_name(*dst.type)),
            Fix::use("blayout=col_major, slayout=row_major"));
  }
  if (!is_nz(*src.type) && (acc || !is_nd(*src.type))) {
    fail_at(check, E0351, op, src,
            fmt::format("{} into mat: {} has {}", op.mnemonic(), label(op, src), layout_name(*src.type)),
            Fix::use("blayout=col_major, slayout=row_major"));
  }
  if (!acc || check.target() != Target::a2a3 || dst.type->fractal == 512) return;
  fail_at(check, E0360, op, dst,
          fmt::format("{}: {} has fractal={} on a2a3; it must be 512", op.mnemonic(), label(op, dst),
                      dst.type->fractal),
          "leave fractal= out of the type");
}

void insert(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  window(check, op, *dst.type, *src.type, "dst");
  if (!has_path(check, op, kInsertPaths)) return;
  insert_types(check, op, src, dst);
  fixpipe_only(check, op, *src.type, *dst.type);
  // A5 also writes a window of boxes into boxes.
  const bool boxes = check.target() == Target::a5 && is_nz(*src.type) && is_nz(*dst.type);
  if (dst.type->space == Space::l1)
    boxed_into_mat(check, op, src, dst);
  else if (src.type->space == Space::ub && !boxes)
    within_vec(check, op, src, dst);
  else if (!is_nd(*dst.type) && !is_nz(*dst.type))
    fail_at(check, E0351, op, dst,
            fmt::format("{} into vec: {} has {}", op.mnemonic(), label(op, dst), layout_name(*dst.type)),
            "use blayout=row_major with slayout=none_box, or blayout=col_major with slayout=row_major");
}

/// The window of the vector-quantised forms.
void extract_window(Checker& check, const OpView& op, std::string_view) {
  window(check, op, *tile_of(op, "src").type, *tile_of(op, "dst").type, "src");
}
void insert_window(Checker& check, const OpView& op, std::string_view) {
  window(check, op, *tile_of(op, "dst").type, *tile_of(op, "src").type, "dst");
}

constexpr Rule kWindowRules[] = {
    {.id = E0362,
     .title = "window out of range",
     .cause = "A constant window is not inside its source.",
     .example = "pto.textract of 16 rows at row 8 of 16",
     .fix = "Lower the index or the size."},
    {.id = W0373,
     .title = "window alignment",
     .cause = "Within vec the library of A2/A3 moves whole 32-byte blocks.",
     .example = "pto.textract at indexCol 3 of f32 tiles",
     .fix = "Begin the window at a multiple of 32 bytes."},
};

constexpr OpRule kWindowChecks[] = {
    {.name = "extract",
     .check = extract,
     .ids = {E0331, E0342, E0351, E0360, E0362, W0373},
     .words = "the window lies inside the source"},
    {.name = "insert",
     .check = insert,
     .ids = {E0331, E0342, E0351, E0360, E0362, W0373},
     .words = "the window lies inside the destination; a2a3 converts f32 accumulators to f16 or bf16"},
    {.name = "extract_window",
     .check = extract_window,
     .ids = {E0362},
     .words = "the window lies inside the source"},
    {.name = "insert_window",
     .check = insert_window,
     .ids = {E0362},
     .words = "the window lies inside the destination"},
};

}  // namespace

RuleFamily window_rules() { return {.rules = kWindowRules, .checks = kWindowChecks}; }

}  // namespace pto::legality
