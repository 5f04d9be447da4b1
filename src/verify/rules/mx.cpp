// Microscaling (MX): groups of 32 with a common exponent. Tiles of pto.tquant.mx, and of the move that
// arranges exponents for the matrix unit (E0596 and rules shared with other instructions).
// Over 500 lines: one family of rules, whose checks take the extents of one structure.
#include <fmt/format.h>

#include <algorithm>

#include "support/rounding.hpp"
#include "support/saturating.hpp"
#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

void bad_form(Checker& check, const OpView& op, FindingId id, std::string_view attr, std::string message,
              Fix help) {
  check.fail(id, op, Anchor::Part::attribute,
             static_cast<unsigned>(isa::schema(op.op().row).attr_index(attr)), std::move(message),
             std::move(help));
}

bool known(const TileOperand& tile) {
  return tile.type->valid[0] != kDynamic && tile.type->valid[1] != kDynamic;
}
int64_t room(const Type& tile) { return sat_mul(tile.rows(), tile.cols()); }

// ---- places

/// Bytes of a tile: where its storage begins, when that is known, and which of them it covers.
struct Bytes {
  ValueId root = kNoValue;
  std::optional<int64_t> address;
  int64_t begin = 0, end = 0;
};

/// Follows views to the tile that is allocated. Windows cover all from their first byte to their last.
Bytes mx_bytes_of(const Checker& check, const OpView& op, const TileOperand& tile) {
  Bytes bytes{.root = tile.value};
  const Type& type = *tile.type;
  int64_t pitch = type.cols();
  int64_t rows = type.rows();
  const int64_t width = std::max<int64_t>(byte_width(type.elem), 1);
  while (check.definition(bytes.root) != ~0U) {
    const OpView built(op.program(), check.definition(bytes.root));
    const isa::OpcodeClass opcode_class = isa::opcode_class(built);
    if (opcode_class == isa::OpcodeClass::alloc_tile) {
      bytes.address = check.constant(built.operand(0));
      break;
    }
    if (opcode_class == isa::OpcodeClass::subview && built.operands(1).size() == 2 && is_nd(built.type(0))) {
      const int64_t stride = built.type(0).cols();
      const Number row = check.constant(built.operands(1)[0]);
      const Number col = check.constant(built.operands(1)[1]);
      const int64_t first = sat_add(sat_mul(row.value_or(0), stride), col.value_or(0));
      bytes.begin = sat_add(bytes.begin, sat_mul(first, width));
      pitch = stride;
    } else if (opcode_class != isa::OpcodeClass::reshape && opcode_class != isa::OpcodeClass::rename) {
      break;
    }
    bytes.root = built.operand(0);
  }
  const int64_t elements = sat_add(sat_mul(rows - 1, pitch), type.cols());
  bytes.end = sat_add(bytes.begin, sat_mul(elements, width));
  return bytes;
}

/// Whether a destination may lie on the source: values of a group along a row are narrower than the source's,
/// and are written behind what has been read (the board test tmov_zz places both at one address).
bool follows(const OpView& op, const TileOperand& src, const TileOperand& dst, int64_t from, int64_t to) {
  return src.name == "src" && dst.name == "dst" && op.attr("quant_type") != nullptr &&
         op.attr_int("grpAxis") != 0 && to <= from;
}

/// The library reads and writes the tiles of one instruction in turns: no two share bytes.
void apart(Checker& check, const OpView& op) {
  const std::vector<TileOperand> tiles = tiles_of(op, "*");
  for (size_t i = 0; i < tiles.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (tiles[i].value == tiles[j].value && tiles[i].name == tiles[j].name) continue;
      const Bytes a = mx_bytes_of(check, op, tiles[j]);
      const Bytes b = mx_bytes_of(check, op, tiles[i]);
      const bool same = a.root == b.root;
      const bool comparable = same || (a.address && b.address);
      const int64_t at = same ? 0 : a.address.value_or(0);
      const int64_t to = same ? 0 : b.address.value_or(0);
      if (!comparable || sat_add(at, a.begin) >= sat_add(to, b.end) ||
          sat_add(to, b.begin) >= sat_add(at, a.end) ||
          follows(op, tiles[j], tiles[i], sat_add(at, a.begin), sat_add(to, b.begin)))
        continue;
      check.note_definition(check.fail(E0370, op, Anchor::Part::operand, tiles[i].flat,
                                       fmt::format("{}: {} and {} share bytes", op.mnemonic(),
                                                   label(op, tiles[j]), label(op, tiles[i])),
                                       "its tiles are read and written alternately; put them apart"),
                            tiles[j].value);
      return;
    }
  }
}

// ---- exponents

/// The bytes that exponents, padding and scratch take.
void exponent_shapes(Checker& check, const OpView& op, const TileOperand& src, const TileOperand& dst,
                     const TileOperand& tmp) {
  const Type& from = *src.type;
  const Type& to = *dst.type;
  const auto& part = from.valid;
  const auto wrong = [&](const TileOperand& at, std::string message, Fix help) {
    fail_at(check, E0353, op, at, fmt::format("{}: {}", op.mnemonic(), message), std::move(help));
  };
  for (const TileOperand* tile : {&src, &dst}) {
    if (tile->type->valid[0] != kDynamic && tile->type->valid[1] != kDynamic) continue;
    return wrong(*tile, fmt::format("the valid region of {} is not known", label(op, *tile)),
                 "write valid= in the type");
  }
  const int64_t count = sat_mul(part[0], part[1]);
  const int64_t room = sat_mul(from.rows(), from.cols());
  const int64_t taken = sat_mul(to.rows(), to.cols());
  const int64_t wanted = sat_mul(to.valid[0], to.valid[1]);
  const AttrValue* const along = op.attr("grpAxis");
  // One row of exponents may have the padding of the last rows among what is valid.
  const bool with_padding = part[0] == 1 && (along == nullptr || along->integer != 0) && count > wanted &&
                            count <= sat_mul(round_up(to.valid[0], 16), to.valid[1]);
  if (count != wanted && !with_padding)
    return wrong(dst,
                 fmt::format("{} holds {} exponents, {} {}", label(op, src), count, label(op, dst), wanted),
                 "both hold as many");
  const AttrValue* axis = op.attr("grpAxis");
  if (axis != nullptr && axis->integer == 0) {  // groups along columns
    if (part[0] < 2 || part[0] % 2 != 0)
      wrong(src, fmt::format("{} has {} rows of exponents", label(op, src), part[0]),
            "they come in pairs of rows");
    else if (part[1] % 16 != 0 || from.cols() != part[1])
      wrong(src,
            fmt::format("{} has {} columns, {} valid; they are whole boxes of 16 without gaps",
                        label(op, src), from.cols(), part[1]),
            "use a multiple of 16, all valid");
    else if (room < count || taken < count)
      wrong(room < count ? src : dst, fmt::format("{} exponents do not fit", count), "use a larger tile");
    return;
  }
  const int64_t padded = sat_mul(ceil_div(to.valid[0], 16) * 16, to.valid[1]);
  const int64_t scratch = sat_add<int64_t>(64, sat_mul(ceil_div(to.valid[0], 16), to.valid[1]));
  if (to.valid[1] % 2 != 0)
    wrong(dst, fmt::format("{} has {} columns of exponents", label(op, dst), to.valid[1]),
          "they come in pairs");
  else if (part[0] != 1 && from.cols() != part[1])
    wrong(src,
          fmt::format("{} has {} columns, {} valid; exponents have no gaps between them", label(op, src),
                      from.cols(), part[1]),
          "use a tile whose columns are all valid");
  else if (room < padded || taken < padded)
    wrong(room < padded ? src : dst,
          fmt::format("{} has {} bytes; rows are padded to a multiple of 16, which takes {}",
                      label(op, room < padded ? src : dst), std::min(room, taken), padded),
          "use a larger tile");
  else if (sat_mul(tmp.type->rows(), tmp.type->cols()) < scratch)
    fail_at(check, E0371, op, tmp,
            fmt::format("{}: {} has {} bytes; {} are needed", op.mnemonic(), label(op, tmp),
                        sat_mul(tmp.type->rows(), tmp.type->cols()), scratch),
            "use a larger tile");
}

/// Exponents of groups of 32 from rows (or columns) into boxes of 16x2: what the tile types have to say.
void mov_exponents(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  const TileOperand dst = tile_of(op, "dst");
  const TileOperand tmp = tile_of(op, "fp");
  if (tmp.type == nullptr || tmp.type->space == Space::fb) return;
  if (check.target() == Target::a2a3) {
    check.fail(E0368, op, Anchor::Part::operand, tmp.flat,
               fmt::format("{} of {} rearranges exponents in vec, which a2a3 has not", op.mnemonic(),
                           label(op, tmp)),
               "an fp tile in scaling quantises the accumulator");
    return;
  }
  for (const TileOperand* tile : {&src, &dst, &tmp}) {
    if (tile->type->space == Space::ub) continue;
    return static_cast<void>(fail_at(check, E0341, op, *tile,
                                     fmt::format("{} rearranges exponents in vec; {} is in {}", op.mnemonic(),
                                                 label(op, *tile), tile_loc(tile->type->space)),
                                     "an fp tile is in scaling; exponents and scratch are in vec"));
  }
  for (const std::string_view name : {"accToVecMode", "reluPreMode"}) {
    if (op.attr(name) == nullptr || (name == "reluPreMode" && op.attr_int(name) == 0)) continue;
    return bad_form(check, op, E0322, name,
                    fmt::format("{} of {} is for the accumulator, not for exponents", name, op.mnemonic()),
                    Fix::remove("drop it"));
  }
  const auto slot = static_cast<unsigned>(slot_of(op, "preQuantScalar"));
  if (op.operand(slot) != kNoValue) {
    check.fail(E0368, op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("preQuantScalar of {} is for the accumulator, not for exponents", op.mnemonic()),
               Fix::remove("drop it"));
  } else if (src.value == dst.value || src.value == tmp.value || dst.value == tmp.value) {
    check.fail(E0368, op, Anchor::Part::operand, tmp.flat,
               fmt::format("{}: source, destination and scratch of exponents are three tiles", op.mnemonic()),
               "allocate another tile");
  } else if (src.type->elem != dst.type->elem || src.type->elem != tmp.type->elem ||
             (src.type->elem != Elem::ui8 && src.type->elem != Elem::hif8 &&
              src.type->elem != Elem::f8e8m0)) {
    fail_at(
        check, E0331, op, src,
        fmt::format("{} rearranges bytes of ui8, hif8 or f8E8M0, all three tiles of one type: {} {}, {} {}, "
                    "{} {}",
                    op.mnemonic(), label(op, src), to_string(src.type->elem), label(op, dst),
                    to_string(dst.type->elem), label(op, tmp), to_string(tmp.type->elem)),
        "use ui8 for all");
  } else if (!is_nd(*src.type)) {
    fail_at(check, E0351, op, src,
            fmt::format("{}: {} has {}; exponents are read row by row", op.mnemonic(), label(op, src),
                        layout_name(*src.type)),
            Fix::use("blayout=row_major, slayout=none_box"));
  } else if (dst.type->blayout != BLayout::row_major || dst.type->slayout != SLayout::row_major) {
    fail_at(check, E0351, op, dst,
            fmt::format("{}: {} has {}; exponents are written into boxes", op.mnemonic(), label(op, dst),
                        layout_name(*dst.type)),
            Fix::use("blayout=row_major, slayout=row_major"));
  } else {
    exponent_shapes(check, op, src, dst, tmp);
    apart(check, op);
  }
}

// ---- quantisation

enum : int64_t { kMxfp8 = 2, kMxfp4 = 3 };

/// The tiles of one pto.tquant.mx.
struct Mx {
  TileOperand src, dst, exp, max, scaling, exp_zz;
  bool four, down;  ///< 4-bit results; groups run along a column (axis0)
  int64_t rows, cols, stride, groups;
  [[nodiscard]] bool wide() const { return src.type->elem == Elem::f32; }
  /// Groups along rows, exponents in one row.
  [[nodiscard]] bool flat() const { return !down && exp.type->rows() == 1; }
  /// Groups that the library makes of a row: those of the stored columns where it does not go row by row.
  [[nodiscard]] int64_t per_row() const { return flat() ? stride / 32 : ceil_div(cols, 32); }
};

/// Whether the program says where the tile lies; then a run sees what is written behind it.
bool has_place(const Checker& check, const OpView& op, const TileOperand& tile) {
  return mx_bytes_of(check, op, tile).address.has_value();
}

void wrong(Checker& check, const OpView& op, const TileOperand& at, std::string message, Fix help) {
  fail_at(check, E0596, op, at, fmt::format("{}: {}", op.mnemonic(), message), std::move(help));
}
void not_known(Checker& check, const OpView& op, std::string message, Fix help) {
  check.fail(E0596, op, fmt::format("{}: {}", op.mnemonic(), message), std::move(help));
}

/// Element types; false when one does not fit.
bool mx_elements(Checker& check, const OpView& op, const Mx& mx) {
  const auto fail = [&](const TileOperand& at, std::string_view help) {
    fail_at(check, E0331, op, at,
            fmt::format("{}: {} holds {}", op.mnemonic(), label(op, at), to_string(at.type->elem)),
            Fix::use(help));
    return false;
  };
  const Elem from = mx.src.type->elem;
  const Elem to = mx.dst.type->elem;
  if (from != Elem::f16 && from != Elem::bf16 && (mx.four || from != Elem::f32))
    return fail(mx.src, mx.four ? "f16 or bf16" : "f16, bf16 or f32");
  if (mx.four ? to != Elem::f4e2m1x2 : signless(to) != Elem::i8 && to != Elem::f8e4m3)
    return fail(mx.dst, mx.four ? "!pto.f4E2M1x2" : "i8 or ui8");
  for (const TileOperand* tile : {&mx.exp, &mx.exp_zz}) {
    if (tile->type != nullptr && signless(tile->type->elem) != Elem::i8 && tile->type->elem != Elem::f8e8m0)
      return fail(*tile, "i8 or ui8");
  }
  for (const TileOperand* tile : {&mx.max, &mx.scaling}) {
    if (tile->type->elem != from) return fail(*tile, to_string(from));
  }
  return true;
}

/// Attributes among each other.
bool mx_form(Checker& check, const OpView& op, const Mx& mx) {
  const bool interleave = op.attr_int("interleave") != 0;
  const bool store = op.attr("storeMode") != nullptr;
  if (interleave && !mx.down)
    bad_form(check, op, E0596, "interleave",
             fmt::format("{}: interleave is of groups along axis0", op.mnemonic()), Fix::remove("remove it"));
  else if ((mx.exp_zz.type != nullptr) != store)
    not_known(check, op, "exp_zz and storeMode go together", "write both, or none");
  else if (store && mx.down)
    bad_form(check, op, E0596, "storeMode", fmt::format("{}: exp_zz is of groups along axis1", op.mnemonic()),
             "arrange the exponents with pto.tmov and a scratch tile");
  else if (store && op.attr_int("quantScaleAlg") != 0)
    bad_form(check, op, E0596, "quantScaleAlg", fmt::format("{}: exp_zz is of scales by ocp", op.mnemonic()),
             Fix::remove("drop quantScaleAlg"));
  else
    return true;
  return false;
}

/// Whether src is cut into whole groups. Columns that are not valid are zero in sources of 16 bits, and left
/// out of f32 where the library goes row by row.
bool mx_whole(Checker& check, const OpView& op, const Mx& mx) {
  const auto fail = [&](std::string message, Fix help) {
    wrong(check, op, mx.src, std::move(message), std::move(help));
    return false;
  };
  if (mx.rows < 1 || mx.cols < 1)
    return fail(fmt::format("{} has no valid element", label(op, mx.src)), "quantise a group or more");
  const bool whole = (mx.down ? mx.rows : mx.cols) % 32 == 0;
  if (!whole && (mx.down || (mx.wide() && mx.flat())))
    return fail(fmt::format("{} has {} valid {}; groups have 32", label(op, mx.src),
                            mx.down ? mx.rows : mx.cols, mx.down ? "rows" : "columns"),
                "use a multiple of 32");
  if (mx.down) return true;
  if (mx.wide() && mx.flat() && mx.stride != mx.cols)
    return fail(fmt::format("{} has {} columns, {} valid; exponents of f32 in one row are of a source "
                            "without gaps",
                            label(op, mx.src), mx.stride, mx.cols),
                "use a tile whose columns are all valid");
  if (mx.flat() ? mx.stride % 32 != 0 : !mx.wide() && mx.stride < sat_mul(mx.per_row(), int64_t{32}))
    return fail(fmt::format("{} has {} columns; groups have 32", label(op, mx.src), mx.stride),
                "store a multiple of 32");
  return true;
}

/// The valid regions: dst as src, one exponent, maximum and scale per group.
bool mx_regions(Checker& check, const OpView& op, const Mx& mx) {
  const auto region = [](const TileOperand& t) { return std::pair(t.type->valid[0], t.type->valid[1]); };
  if (!mx_whole(check, op, mx)) return false;
  const std::pair each = mx.down ? std::pair(mx.rows / 32, mx.cols) : std::pair(mx.rows, mx.per_row());
  const bool interleave = op.attr_int("interleave") != 0;
  for (const TileOperand* tile : {&mx.max, &mx.scaling, &mx.exp}) {
    const bool paired = interleave && tile == &mx.exp;
    const std::pair wanted = paired ? std::pair(mx.rows / 64, sat_mul<int64_t>(mx.cols, 2)) : each;
    if (paired && (mx.rows % 64 != 0 || mx.src.type->rows() % 64 != 0)) {
      wrong(check, op, mx.src,
            fmt::format("{} has {} rows, {} valid; interleaved exponents are of 64", label(op, mx.src),
                        mx.src.type->rows(), mx.rows),
            "use a multiple of 64");
      return false;
    }
    const bool row = !mx.down && tile->type->valid[0] == 1 && tile->type->valid[1] >= mx.groups;
    if (region(*tile) == wanted || row) continue;
    wrong(check, op, *tile,
          fmt::format("{} has valid={}; {} has {} groups of 32", label(op, *tile), valid_region(*tile->type),
                      label(op, mx.src), mx.groups),
          Fix::use(fmt::format("valid={}", extents(wanted.first, wanted.second))));
    return false;
  }
  const int64_t values = mx.four ? ceil_div(mx.cols, 2) : mx.cols;
  // Values of the columns that fill the last group, too, and all rows as one.
  const bool filled = !mx.down && !mx.wide() &&
                      region(mx.dst) == std::pair(mx.rows, round_up(mx.cols, 32) / (mx.four ? 2 : 1));
  const bool line = !mx.down && mx.four && mx.dst.type->rows() == 1 && mx.dst.type->valid[0] == 1 &&
                    mx.dst.type->valid[1] >= sat_mul(mx.rows, mx.stride / 2);
  if (mx.exp_zz.type != nullptr && sat_mul(mx.exp_zz.type->valid[0], mx.exp_zz.type->valid[1]) != mx.groups) {
    wrong(check, op, mx.exp_zz,
          fmt::format("{} has valid={}; there are {} groups", label(op, mx.exp_zz),
                      valid_region(*mx.exp_zz.type), mx.groups),
          "one exponent per group");
  } else if (mx.four && mx.stride % 2 != 0) {
    wrong(check, op, mx.src, fmt::format("{} has {} columns", label(op, mx.src), mx.stride),
          "two values share a byte: use an even number");
  } else if (!line &&
             ((region(mx.dst) != std::pair(mx.rows, values) && !filled) || mx.dst.type->rows() < mx.rows)) {
    wrong(check, op, mx.dst,
          fmt::format("{} is {} (valid {})", label(op, mx.dst), shape(*mx.dst.type),
                      valid_region(*mx.dst.type)),
          Fix::use(fmt::format("valid={}", extents(mx.rows, values))));
  } else {
    return true;
  }
  return false;
}

/// Whether a tile has as many columns as its neighbour is stored with, and room for what is written.
bool mx_stored(Checker& check, const OpView& op, const TileOperand& tile, int64_t stride, int64_t elements) {
  if (stride >= 0 && tile.type->cols() != stride) {
    wrong(check, op, tile, fmt::format("{} has {} columns", label(op, tile), tile.type->cols()),
          Fix::use(std::to_string(stride), ", as src is stored"));
    return false;
  }
  if (room(*tile.type) >= elements || has_place(check, op, tile)) return true;
  wrong(check, op, tile,
        fmt::format("{} has {} elements; {} are written", label(op, tile), room(*tile.type), elements),
        "use a larger tile, or say where it lies (addr =)");
  return false;
}

/// Groups along columns: exponents, maxima and scales stand as the source's columns do.
void mx_columns(Checker& check, const OpView& op, const Mx& mx) {
  const int64_t groups = sat_mul(mx.rows / 32, mx.stride);
  const bool interleave = op.attr_int("interleave") != 0;
  const int64_t packed = mx.four ? mx.stride / 2 : -1;
  if (!mx_stored(check, op, mx.dst, packed,
                 sat_add(sat_mul(mx.rows - 1, mx.dst.type->cols()), mx.dst.type->valid[1])) ||
      !mx_stored(check, op, mx.max, mx.stride, groups) ||
      !mx_stored(check, op, mx.scaling, mx.stride, groups))
    return;
  if (mx.four && mx.src.type->elem == Elem::f16 && packed % 32 != 0) {
    wrong(check, op, mx.src,
          fmt::format("{} of f16 has rows of {} packed bytes; the library takes multiples of 32",
                      label(op, mx.src), packed),
          "pad the columns");
  } else if (!interleave) {
    mx_stored(check, op, mx.exp, mx.stride, groups);
  } else if (mx.src.type->elem == Elem::f32) {
    bad_form(check, op, E0596, "interleave",
             fmt::format("{}: the library does not interleave exponents of f32", op.mnemonic()),
             Fix::remove("remove it"));
  } else if (mx.exp.type->rows() != mx.src.type->rows() / 64) {
    wrong(check, op, mx.exp, fmt::format("{} has {} rows", label(op, mx.exp), mx.exp.type->rows()),
          fmt::format("use {}: one for 64 of src", mx.src.type->rows() / 64));
  } else {
    mx_stored(check, op, mx.exp, round_up(sat_mul<int64_t>(mx.stride, 2), 32), 0);
  }
}

/// Groups along rows, exponents in one row: of f32 the library writes scales in whole registers.
void mx_flat(Checker& check, const OpView& op, const Mx& mx) {
  const int64_t all = room(*mx.src.type);
  const int64_t used = sat_mul(mx.rows, mx.stride);
  const bool unrolled = mx.wide() && all > 1024 && all % 256 == 0 && used % 256 == 0;
  const int64_t scales = mx.wide() ? round_up(sat_mul<int64_t>(mx.groups, unrolled ? 2 : 1), 64) : mx.groups;
  if (mx_stored(check, op, mx.exp, -1, mx.groups)) mx_stored(check, op, mx.scaling, -1, scales);
}

void mx_rows(Checker& check, const OpView& op, const Mx& mx) {
  const int64_t pitch = mx.four ? mx.stride / 2 : mx.stride;
  const bool line = mx.four && mx.dst.type->rows() == 1;
  if (!mx_stored(check, op, mx.dst, line ? -1 : pitch,
                 line ? sat_mul(mx.rows, pitch)
                      : sat_add(sat_mul(mx.rows - 1, mx.dst.type->cols()), mx.dst.type->valid[1])))
    return;
  for (const TileOperand* tile : {&mx.max, &mx.scaling}) {
    if (tile->type->valid[0] == 1 || tile->type->cols() == tile->type->valid[1]) continue;
    return wrong(check, op, *tile,
                 fmt::format("{} has {} columns, {} valid; its elements have no gaps between them",
                             label(op, *tile), tile->type->cols(), tile->type->valid[1]),
                 "use a tile whose columns are all valid");
  }
  if (!mx_stored(check, op, mx.max, -1, mx.groups)) return;
  if (mx.flat()) return mx_flat(check, op, mx);
  const int64_t per_row = mx.per_row();
  if (mx.exp.type->valid[0] != mx.rows || mx.exp.type->valid[1] != per_row || mx.exp.type->rows() < mx.rows)
    wrong(check, op, mx.exp,
          fmt::format("{} is {} (valid {})", label(op, mx.exp), shape(*mx.exp.type),
                      valid_region(*mx.exp.type)),
          mx.exp.type->valid[0] == 1 ? "exponents in one row are in a tile of one row"
                                     : Fix::use(fmt::format("valid={}", extents(mx.rows, per_row))));
  else
    mx_stored(check, op, mx.scaling, -1, mx.groups);
}

/// Groups of 32 become 8-bit or 4-bit floats.
void quant_mx(Checker& check, const OpView& op, std::string_view) {
  const int64_t kind = op.attr_int("quant_type");
  if (kind != kMxfp8 && kind != kMxfp4)
    return bad_form(check, op, E0596, "quant_type",
                    fmt::format("{} makes MXFP8 or MXFP4_E2M1", op.mnemonic()), "INT8 is for pto.tquant");
  Mx mx{tile_of(op, "src"),
        tile_of(op, "dst"),
        tile_of(op, "exp"),
        tile_of(op, "max"),
        tile_of(op, "scaling"),
        tile_of(op, "exp_zz"),
        kind == kMxfp4,
        op.attr_int("grpAxis") == 0,
        0,
        0,
        0,
        0};
  if (!mx_form(check, op, mx) || !mx_elements(check, op, mx)) return;
  apart(check, op);
  for (const TileOperand* tile : {&mx.src, &mx.dst, &mx.exp, &mx.max, &mx.scaling, &mx.exp_zz}) {
    if (tile->type == nullptr || known(*tile)) continue;
    return wrong(check, op, *tile, fmt::format("the valid region of {} is not known", label(op, *tile)),
                 "write valid= in the type");
  }
  mx.rows = mx.src.type->valid[0];
  mx.cols = mx.src.type->valid[1];
  mx.stride = mx.src.type->cols();
  mx.groups = mx.down ? sat_mul(mx.rows, mx.cols) / 32 : sat_mul(mx.rows, mx.per_row());
  if (!mx_regions(check, op, mx)) return;
  const size_t before = check.errors();
  if (mx.down)
    mx_columns(check, op, mx);
  else
    mx_rows(check, op, mx);
  // The columns that are not valid become zero in all rows of the last register of 128.
  const int64_t zeroed = round_up(sat_mul(mx.rows, mx.stride), 128);
  if (check.errors() != before || mx.wide() || mx.cols == mx.stride || 128 % mx.stride != 0 ||
      room(*mx.src.type) >= zeroed || has_place(check, op, mx.src))
    return;
  wrong(check, op, mx.src,
        fmt::format("{} has {} elements, of which the library zeroes those of no valid column up to {}",
                    label(op, mx.src), room(*mx.src.type), zeroed),
        "use columns that are all valid, more rows, or say where the tile lies (addr =)");
}

constexpr Rule kMxRules[] = {
    {.id = E0596,
     .title = "microscaled quantisation",
     .cause =
         "pto.tquant.mx makes MXFP8 or MXFP4_E2M1 of groups of 32 along a row (axis1) or a column (axis0), "
         "with one exponent, maximum and scale per group; exp_zz goes with storeMode, interleave with "
         "axis0. The library fixes how the tiles are stored.",
     .example = "pto.tquant.mx of 16x40 along axis1",
     .fix = "Give the tile the shape the message names."},
};

constexpr OpRule kMxChecks[] = {
    {.name = "quant_mx",
     .check = quant_mx,
     .sees = Sees::values,
     .ids = {E0331, E0370, E0596},
     .words =
         "whole groups of 32; an exponent, a maximum and a scale for each, stored as the library has them"},
    {.name = "mov_exponents",
     .check = mov_exponents,
     .ids = {E0322, E0331, E0341, E0351, E0353, E0368, E0370, E0371},
     .words = "a third tile in vec is scratch for exponents, which go from rows or columns into boxes"},
};

}  // namespace

RuleFamily mx_rules() { return {.rules = kMxRules, .checks = kMxChecks}; }

}  // namespace pto::legality
