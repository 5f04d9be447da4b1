// Over 500 lines: one family: moves, views and windows ask the same of their operands.
// Views of GM and of tiles, gathering and sorting (E036x).
#include <fmt/format.h>

#include "support/saturating.hpp"
#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

void reshape(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  if (from.space != to.space) {
    check.fail(E0364, op, Anchor::Part::result_type, 0,
               fmt::format("{} keeps the location: {} and {}", op.mnemonic(), tile_loc(from.space),
                           tile_loc(to.space)),
               "move with pto.tmov");
  } else if (tile_bytes(from) != tile_bytes(to)) {
    check.fail(E0364, op, Anchor::Part::result_type, 0,
               fmt::format("{} keeps the bytes: {} has {} bytes, {} has {}", op.mnemonic(), describe(from),
                           tile_bytes(from), describe(to), tile_bytes(to)),
               "both types must have the same size");
  } else if ((from.slayout == SLayout::none_box) != (to.slayout == SLayout::none_box)) {
    check.fail(E0364, op, Anchor::Part::result_type, 0,
               fmt::format("{} between a boxed and an unboxed layout", op.mnemonic()),
               "convert with pto.tmov");
  }
}

/// Another element type on the same bytes: nothing else may change.
void bitcast(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  Type same = from;
  same.elem = to.elem;
  if (from.elem == to.elem) {
    check.fail(E0364, op, Anchor::Part::result_type, 0,
               fmt::format("{} of {} keeps the element type", op.mnemonic(), describe(from)),
               "pto.treshape changes the shape");
  } else if (same != to) {
    check.fail(E0364, op, Anchor::Part::result_type, 0,
               fmt::format("{} changes the element type only: {} becomes {}, not {}", op.mnemonic(),
                           describe(from), describe(same), describe(to)),
               "pto.treshape changes the shape");
  } else if (tile_bytes(to) > tile_bytes(from)) {
    check.fail(E0364, op, Anchor::Part::result_type, 0,
               fmt::format("{} has {} bytes, {} needs {}", describe(from), tile_bytes(from), describe(to),
                           tile_bytes(to)),
               "use a type of at most the same width");
  }
}

void assign(Checker& check, const OpView& op, std::string_view) {
  if (op.type(0) != op.result_type(0)) {
    check.note_definition(
        check.fail(E0364, op, Anchor::Part::result_type, 0,
                   fmt::format("{} moves {} to another address; it stays {}", op.mnemonic(),
                               value_name(op.program(), op.operand(0)), describe(op.type(0))),
                   "use one type"),
        op.operand(0));
  }
  if (check.level() == Level::level3) return;
  check.fail(E0379, op, Anchor::Part::operand, 1,
             fmt::format("{} gives an address below level 3, where the planner does", op.mnemonic()),
             "assemble with --level level3, and give every alloc_tile an address");
}

/// The pointer or memref to a tile or view has its element type and memory.
void address_of(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  const Space space = from.is_tile() ? from.space : Space::gm;
  if (to.kind == TypeKind::ptr && signless(to.elem) != signless(from.elem)) {
    check.fail(
        E0331, op, Anchor::Part::result_type, 0,
        fmt::format("{} of {} gives a pointer to {}", op.mnemonic(), describe(from), to_string(to.elem)),
        Fix::use(to_string(from.elem)));
  } else if ((to.kind == TypeKind::ptr || to.kind == TypeKind::memref) && to.space != space &&
             to.space != Space::none) {
    check.fail(E0411, op, Anchor::Part::result_type, 0,
               fmt::format("{} of {} gives a pointer into {}, not {}", op.mnemonic(), describe(from),
                           to_string(space), to_string(to.space)),
               fmt::format("use !pto.ptr<.., {}>", to_string(space)));
  }
}

/// Integers of an int_array attribute.
std::span<const int64_t> int_array(const OpView& op, std::string_view name) {
  const AttrValue* value = op.attr(name);
  if (value == nullptr || value->kind != AttrValue::Kind::int_array) return {};
  return {op.program().ints.data() + value->array.first, value->array.count};
}

/// What a window keeps of its tile, and its valid region.
void subview_result(Checker& check, const OpView& op, std::span<const int64_t> sizes) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  const auto differs = [&](std::string_view what, const std::string& a, const std::string& b) {
    if (a == b) return false;
    check.note_definition(check.fail(E0365, op, Anchor::Part::result_type, 0,
                                     fmt::format("{} gives {} {}, {} has {}", op.mnemonic(), what, b,
                                                 value_name(op.program(), op.operand(0)), a),
                                     fmt::format("a window keeps the {}", what)),
                          op.operand(0));
    return true;
  };
  if (differs("element type", std::string(to_string(from.elem)), std::string(to_string(to.elem)))) return;
  if (differs("location", std::string(tile_loc(from.space)), std::string(tile_loc(to.space)))) return;
  if (differs("layout", layout_name(from), layout_name(to)) ||
      differs("fractal", std::to_string(from.fractal), std::to_string(to.fractal)))
    return;
  if (differs("pad", std::to_string(from.pad), std::to_string(to.pad))) return;
  for (unsigned d = 0; d < 2; ++d) {
    const std::string_view what = d == 0 ? "rows" : "columns";
    const ValueId operand = op.operand(2 + d);
    // Without operands the type of the result says it.
    const std::optional<int64_t> given =
        operand == kNoValue ? std::optional(to.valid[d]) : check.constant(operand);
    if (to.dims[d] != sizes[d]) {
      check.fail(E0365, op, Anchor::Part::result_type, 0,
                 fmt::format("{} of {} {} gives a tile of {}", op.mnemonic(), sizes[d], what, to.dims[d]),
                 "make sizes and the result type agree");
    } else if (given == kDynamic && operand == kNoValue) {
      check.fail(E0365, op, Anchor::Part::result_type, 0,
                 fmt::format("{} leaves its valid {} open and is given none", op.mnemonic(), what),
                 "write valid [%rows, %cols], or integers in the type");
    } else if (given && (*given < 0 || *given > sizes[d])) {
      check.fail(E0365, op, Anchor::Part::operand, flat_index(op, 2 + d),
                 fmt::format("{} has {} valid {} of {}", op.mnemonic(), *given, what, sizes[d]),
                 fmt::format("use 0 to {}", sizes[d]));
    } else if (given && differ(to.valid[d], *given)) {
      check.fail(E0365, op, Anchor::Part::result_type, 0,
                 fmt::format("{} has {} valid {}, its result type says {}", op.mnemonic(), *given, what,
                             to.valid[d]),
                 "make both agree");
    }
  }
  if ((op.operand(2) == kNoValue) != (op.operand(3) == kNoValue)) {
    check.fail(E0365, op, fmt::format("{} gives one of valid_row and valid_col", op.mnemonic()),
               "give both, or none");
  }
}

void subview(Checker& check, const OpView& op, std::string_view) {
  const Type& parent = op.type(0);
  const std::span<const int64_t> sizes = int_array(op, "sizes");
  const std::span<const ValueId> offsets = op.operands(1);
  if (sizes.size() != 2 || offsets.size() != 2) {
    check.fail(E0365, op,
               fmt::format("{} takes two offsets and two sizes, got {} and {}", op.mnemonic(), offsets.size(),
                           sizes.size()),
               "write %tile[%row, %col] sizes [rows, cols]");
    return;
  }
  subview_result(check, op, sizes);
  const InnerBox box = inner_box(parent);
  const int64_t box_size[2] = {box.rows, box.cols};
  for (unsigned d = 0; d < 2; ++d) {
    const std::optional<int64_t> offset = check.constant(offsets[d]);
    if (sizes[d] <= 0 || sizes[d] > parent.dims[d] ||
        (offset && (*offset < 0 || sat_add(*offset, sizes[d]) > parent.dims[d]))) {
      check.fail(E0365, op, Anchor::Part::operand, 1 + d,
                 fmt::format("{} of {} elements at {} exceeds the tile's {} {}", op.mnemonic(), sizes[d],
                             offset ? fmt::format("{}", *offset) : "a run-time offset", parent.dims[d],
                             d == 0 ? "rows" : "columns"),
                 "the window must lie inside the tile");
    } else if (sizes[d] % box_size[d] != 0 || (offset && *offset % box_size[d] != 0)) {
      check.fail(E0365, op, Anchor::Part::operand, 1 + d,
                 fmt::format("{} of a boxed tile must start and end at boxes of {}x{}", op.mnemonic(),
                             box.rows, box.cols),
                 fmt::format("use multiples of {}", box_size[d]));
    }
  }
}

void view_rank(Checker& check, const OpView& op, std::string_view) {
  const Type& view = op.result_type(0);
  const size_t shape = op.operands(1).size();
  const size_t strides = op.operands(2).size();
  if (shape != view.rank || strides != view.rank) {
    check.fail(E0366, op, Anchor::Part::result_type, 0,
               fmt::format("{} makes a view of rank {} from {} extents and {} strides", op.mnemonic(),
                           view.rank, shape, strides),
               "give one extent and one stride per dimension");
  } else if (op.type(0).kind == TypeKind::ptr && op.type(0).space != Space::gm) {
    check.fail(E0411, op, Anchor::Part::operand_type, 0,
               fmt::format("{} describes GM, but {} points to {}", op.mnemonic(),
                           value_name(op.program(), op.operand(0)), to_string(op.type(0).space)),
               "tiles on chip are made by pto.alloc_tile");
  } else if (op.type(0).kind == TypeKind::ptr && signless(op.type(0).elem) != signless(view.elem)) {
    check.fail(E0366, op, Anchor::Part::result_type, 0,
               fmt::format("{} makes a view of {} on a pointer to {}", op.mnemonic(), to_string(view.elem),
                           to_string(op.type(0).elem)),
               "use pto.castptr to change the element type");
  }
}

/// The stated layout of a view is the one of its strides, where those say it: rows (nd) or columns (dn)
/// without gaps.
void view_layout(Checker& check, const OpView& op, std::string_view) {
  const AttrValue* stated = op.attr("layout");
  const std::span<const ValueId> shape = op.operands(1);
  const std::span<const ValueId> strides = op.operands(2);
  if (stated == nullptr || stated->integer > 1 || shape.size() != strides.size() || shape.size() < 2) return;
  bool rows = true, columns = true;
  int64_t by_rows = 1, by_columns = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    const size_t last = shape.size() - 1 - i;
    const std::optional<int64_t> a = check.constant(shape[i]);
    const std::optional<int64_t> b = check.constant(shape[last]);
    const std::optional<int64_t> step = check.constant(strides[i]);
    const std::optional<int64_t> back = check.constant(strides[last]);
    if (!a || !b || !step || !back) return;
    columns &= *a == 1 || *step == by_columns;  // one element has no step
    rows &= *b == 1 || *back == by_rows;
    by_columns = sat_mul(by_columns, *a);
    by_rows = sat_mul(by_rows, *b);
  }
  if (rows == columns || rows == (stated->integer == 0)) return;
  check.fail(E0366, op, Anchor::Part::attribute,
             static_cast<unsigned>(isa::schema(op.op().row).attr_index("layout")),
             fmt::format("layout={} of {}, but its strides lay the elements out {}", rows ? "dn" : "nd",
                         op.mnemonic(), rows ? "row by row" : "column by column"),
             Fix::write(fmt::format("layout = #pto.layout<{}>", rows ? "nd" : "dn"), ", or drop it"));
}

/// A constant dimension number names a dimension of the view.
void dim_index(Checker& check, const OpView& op, std::string_view) {
  const std::optional<int64_t> index = check.constant(op.operand(1));
  const Type& view = op.type(0);
  if (!index || !view.is_view() || (*index >= 0 && *index < view.rank)) return;
  check.note_definition(check.fail(E0366, op, Anchor::Part::operand, 1,
                                   fmt::format("{} of dimension {}; {} has {}", op.mnemonic(), *index,
                                               value_name(op.program(), op.operand(0)), view.rank),
                                   fmt::format("use 0 to {}", view.rank - 1)),
                        op.operand(0));
}

/// How many elements a view has in a dimension, as its type or the operation that makes it says.
std::optional<int64_t> extent_of(const Checker& check, ValueId view, unsigned dim) {
  const Type& type = check.program().type_of(view);
  if (type.dims[dim] != kDynamic) return type.dims[dim];
  const uint32_t built = check.definition(view);
  if (built == kNoOp) return std::nullopt;
  const OpView defining_op(check.program(), built);
  const bool makes = isa::opcode_class(defining_op) == isa::OpcodeClass::make_view;
  const bool cuts = isa::opcode_class(defining_op) == isa::OpcodeClass::partition;
  if (!makes && !cuts) return std::nullopt;
  const std::span<const ValueId> extents = defining_op.operands(makes ? 1 : 2);
  return dim < extents.size() ? check.constant(extents[dim]) : std::nullopt;
}

/// A window that certainly leaves its view: always, or in an iteration of the loops around that certainly
/// comes.
void outside_of_view(Checker& check, const OpView& op, unsigned dim, int64_t size) {
  const std::optional<int64_t> extent = extent_of(check, op.operand(0), dim);
  if (!extent) return;
  const ValueId offset = op.operands(1)[dim];
  const auto leaves = [&](int64_t begin, const IterationVector& iterations) {
    const int64_t end = sat_add(begin, size);
    if (begin >= 0 && end <= *extent) return false;
    check.fail(E0362, op, Anchor::Part::operand, 1 + dim,
               fmt::format("dimension {} of {} covers {} to {}{}, the view has {}", dim, op.mnemonic(), begin,
                           end, words_of(check.program(), iterations), *extent),
               size > *extent ? fmt::format("the part must lie inside the view: take at most {}", *extent)
               : size == *extent
                   ? "the part must lie inside the view: at offset 0"
                   : fmt::format("the part must lie inside the view: at offset 0 to {}", *extent - size));
    return true;
  };
  if (const Number known = check.constant(offset)) return void(leaves(*known, {}));
  if (size > *extent) return void(leaves(0, {}));
  for (const IterationVector& iterations : check.executed_iterations(op)) {
    const Number begin = check.integers().fact(offset, iterations).value();
    if (begin && leaves(*begin, iterations)) return;
  }
}

void partition(Checker& check, const OpView& op, std::string_view) {
  const Type& source = op.type(0);
  const Type& part = op.result_type(0);
  const std::span<const ValueId> offsets = op.operands(1);
  const std::span<const ValueId> sizes = op.operands(2);
  if (offsets.size() != source.rank || sizes.size() != source.rank || part.rank != source.rank) {
    check.fail(E0366, op,
               fmt::format("{} of a rank {} view takes {} offsets and {} sizes and gives rank {}",
                           op.mnemonic(), source.rank, offsets.size(), sizes.size(), part.rank),
               "one offset and one size per dimension");
    return;
  }
  if (source.elem != part.elem) {
    check.fail(E0366, op, Anchor::Part::result_type, 0,
               fmt::format("{} of a view of {} gives {}", op.mnemonic(), to_string(source.elem),
                           to_string(part.elem)),
               Fix::use(to_string(source.elem)));
  }
  for (unsigned d = 0; d < source.rank; ++d) {
    const std::optional<int64_t> offset = check.constant(offsets[d]);
    const std::optional<int64_t> size = check.constant(sizes[d]);
    if (size && *size < 1) {
      check.fail(E0366, op, Anchor::Part::operand, 1 + source.rank + d,
                 fmt::format("dimension {} of {} has {} elements", d, op.mnemonic(), *size),
                 "give every dimension at least one element");
    } else if (offset && *offset < 0) {
      check.fail(E0362, op, Anchor::Part::operand, 1 + d,
                 fmt::format("dimension {} of {} begins at {}", d, op.mnemonic(), *offset),
                 "the part must lie inside the view");
    } else if (size && differ(*size, part.dims[d])) {
      check.fail(
          E0366, op, Anchor::Part::operand, static_cast<unsigned>(1 + offsets.size()) + d,
          fmt::format("dimension {} of {} has size {} ({}), but its result type {} says {}", d, op.mnemonic(),
                      *size, value_name(op.program(), sizes[d]), describe(part), part.dims[d]),
          "make both agree");
    } else if (size) {
      outside_of_view(check, op, d, *size);
    }
  }
}

constexpr std::string_view kNames[] = {"valid_row", "valid_col"}, kWhat[] = {"rows", "columns"};

/// valid_row / valid_col operands exactly where the type says `?`.
void alloc_valid(Checker& check, const OpView& op, std::string_view) {
  const Type& tile = op.result_type(0);
  for (unsigned d = 0; d < 2; ++d) {
    const ValueId given = op.operand(1 + d);
    if ((tile.valid[d] == kDynamic) == (given != kNoValue)) continue;
    if (given == kNoValue)
      check.fail(
          E0367, op, Anchor::Part::result_type, 0,
          fmt::format("{} lacks {}: the type leaves the valid {} open", op.mnemonic(), kNames[d], kWhat[d]),
          fmt::format("add {} = with the valid size, or write an integer instead of ?", kNames[d]));
    else
      check.fail(E0367, op, Anchor::Part::result_type, 0,
                 fmt::format("{} gives {} but the type's valid region is fixed to {}", op.mnemonic(),
                             kNames[d], tile.valid[d]),
                 "write ? in the type's valid region");
  }
}

/// What is known of valid_row and valid_col is within the tile.
void valid_inside(Checker& check, const OpView& op, std::string_view) {
  const Type& tile = op.op().n_results != 0 ? op.result_type(0) : op.type(0);
  if (!tile.is_tile() && tile.kind != TypeKind::multi_tile) return;
  for (unsigned d = 0; d < 2; ++d) {
    const auto slot = static_cast<unsigned>(slot_of(op, kNames[d]));
    if (op.operand(slot) == kNoValue) continue;
    const std::optional<int64_t> value = check.constant(op.operand(slot));
    if (!value || (*value >= 0 && *value <= tile.dims[d])) continue;
    check.fail(
        E0367, op, Anchor::Part::operand, flat_index(op, slot),
        fmt::format("{} gives {} valid {}, the tile has {}", op.mnemonic(), *value, kWhat[d], tile.dims[d]),
        "stay within the tile");
  }
}

void dynamic_valid(Checker& check, const OpView& op, std::string_view) {
  const Type& tile = op.type(0);
  if (tile.valid[0] == kDynamic || tile.valid[1] == kDynamic) return;
  check.fail(E0367, op, Anchor::Part::operand_type, 0,
             fmt::format("{} on a tile whose valid region is fixed: {}", op.mnemonic(), describe(tile)),
             "write valid=?x? in the tile's type");
}

void result_elem(Checker& check, const OpView& op, std::string_view) {
  if (signless(op.type(0).elem) == signless(op.result_type(0).elem)) return;
  check.fail(E0331, op, Anchor::Part::result_type, 0,
             fmt::format("{} gives {}, the tile holds {}", op.mnemonic(), to_string(op.result_type(0).elem),
                         to_string(op.type(0).elem)),
             "use the tile's element type");
}

/// The value written is of the tile's element type.
void set_elem(Checker& check, const OpView& op, std::string_view) {
  const auto value = static_cast<unsigned>(slot_of(op, "val"));
  const Type& tile = op.type(static_cast<unsigned>(slot_of(op, "dst")));
  if (!tile.is_tile() || signless(op.type(value).elem) == signless(tile.elem)) return;
  check.note_definition(check.fail(E0333, op, Anchor::Part::operand, flat_index(op, value),
                                   fmt::format("{} writes {} into a tile of {}", op.mnemonic(),
                                               to_string(op.type(value).elem), to_string(tile.elem)),
                                   Fix::use(to_string(tile.elem))),
                        op.operand(static_cast<unsigned>(slot_of(op, "dst"))));
}

void tquant_offset(Checker& check, const OpView& op, std::string_view) {
  if (op.attr_int("quant_type") > 1) {
    check.fail(E0322, op, Anchor::Part::attribute,
               static_cast<unsigned>(isa::schema(op.op().row).attr_index("quant_type")),
               fmt::format("{} makes INT8_SYM and INT8_ASYM", op.mnemonic()), "use pto.tquant.mx for groups");
    return;
  }
  const bool asymmetric = op.attr_int("quant_type") == 1;
  const TileOperand offset = tile_of(op, "offset");
  if (offset.type != nullptr && offset.type->elem != Elem::f32) {
    fail_at(check, E0331, op, offset,
            fmt::format("{}: {} holds {}; offsets are f32", op.mnemonic(), label(op, offset),
                        to_string(offset.type->elem)),
            Fix::use("f32"));
  }
  if (asymmetric == (op.operand(2) != kNoValue)) return;
  check.fail(E0368, op,
             asymmetric ? "INT8_ASYM quantisation needs an offset tile"
                        : "INT8_SYM quantisation takes no offset tile",
             asymmetric ? "add the offset operand" : "drop the offset, or use INT8_ASYM");
}

/// A2/A3: scale and offset are columns, a value per row. The older form without a scratch tile takes rows
/// too.
void tquant_params(Checker& check, const OpView& op, std::string_view) {
  const TileOperand dst = tile_of(op, "dst");
  for (const TileOperand& param : tiles_of(op, "fp,offset")) {
    if (param.type->blayout == BLayout::row_major) {
      fail_at(check, E0351, op, param,
              fmt::format("{}: {} has {}; on {} it is a column", op.mnemonic(), label(op, param),
                          layout_name(*param.type), to_string(check.target())),
              Fix::use("blayout=col_major"));
    } else if (differ(param.type->valid[0], dst.type->valid[0]) || differ(param.type->valid[1], 1)) {
      fail_pair(
          check, E0352, op, dst, param,
          fmt::format("{}: {} has valid={}, {} has {}; it holds one value per row", op.mnemonic(),
                      label(op, param), valid_region(*param.type), label(op, dst), valid_region(*dst.type)),
          "use one column of as many rows");
    }
  }
}

/// A2/A3 spread the rows in a scratch tile like the source, which the tools make when they know its size.
void tquant_open(Checker& check, const OpView& op, std::string_view) {
  const TileOperand src = tile_of(op, "src");
  if (src.type->valid[0] != kDynamic && src.type->valid[1] != kDynamic) return;
  check.fail(E0371, op, fmt::format("{} of a dynamic valid region needs a scratch tile", op.mnemonic()),
             "give tmp");
}

constexpr Rule kMoveRules[] = {
    {.id = E0364,
     .title = "reinterpretation",
     .cause = "Another view of the same bytes must keep location, size and boxing.",
     .example = "pto.treshape from 16x64xf32 to 16x64xf16",
     .fix = "Choose a type of the same bytes."},
    {.id = E0365,
     .title = "subview",
     .cause = "The window of a subview does not lie inside the tile, or cuts a box.",
     .example = "pto.subview %t[%c8, %c0] sizes [16, 32] of a 16x64 tile",
     .fix = "Stay inside the tile, on box borders."},
    {.id = E0366,
     .title = "view",
     .cause = "Extents, strides, offsets or sizes do not fit the view's rank or type.",
     .example = "pto.make_tensor_view with one stride for two dimensions",
     .fix = "Give one per dimension."},
    {.id = E0367,
     .title = "valid region operand",
     .cause = "valid_row, valid_col and set_validshape go with ? in the type, and stay within the tile.",
     .example = "pto.set_validshape of a tile with valid=16x64",
     .fix = "Write valid=?x? in the type, and no more rows and columns than the tile has."},
};

constexpr OpRule kMoveChecks[] = {
    {.name = "reshape",
     .check = reshape,
     .sees = Sees::types,
     .ids = {E0364},
     .words = "memory, size in bytes and boxing stay"},
    {.name = "bitcast",
     .check = bitcast,
     .sees = Sees::types,
     .ids = {E0364},
     .words = "only the element type changes"},
    {.name = "assign",
     .check = assign,
     .ids = {E0364, E0379},
     .words = "the result is the same tile at another address; level 3 only"},
    {.name = "address_of",
     .check = address_of,
     .sees = Sees::types,
     .ids = {E0331, E0411},
     .words = "the pointer has the operand's element type and memory"},
    {.name = "subview",
     .check = subview,
     .ids = {E0365},
     .words = "the window lies inside the tile and cuts no box"},
    {.name = "view_rank",
     .check = view_rank,
     .sees = Sees::types,
     .ids = {E0366, E0411},
     .words = "an extent and a stride per dimension, on a pointer to gm",
     .places = "ptr=gm"},
    {.name = "view_layout",
     .check = view_layout,
     .ids = {E0366},
     .words = "a stated layout is that of the strides"},
    {.name = "dim_index", .check = dim_index, .ids = {E0366}, .words = "the view has the dimension"},
    {.name = "partition",
     .check = partition,
     .ids = {E0362, E0366},
     .words = "an offset and a size per dimension; the window lies inside the view"},
    {.name = "alloc_valid",
     .check = alloc_valid,
     .sees = Sees::types,
     .ids = {E0367},
     .words = "valid_row and valid_col are given exactly where the type says ?"},
    {.name = "dynamic_valid",
     .check = dynamic_valid,
     .sees = Sees::types,
     .ids = {E0367},
     .words = "the tile's type has a dynamic valid region"},
    {.name = "valid_inside",
     .check = valid_inside,
     .ids = {E0367},
     .words = "valid_row and valid_col are within the tile, where they are known"},
    {.name = "result_elem",
     .check = result_elem,
     .sees = Sees::types,
     .ids = {E0331},
     .words = "the result has the tile's element type"},
    {.name = "set_elem",
     .check = set_elem,
     .sees = Sees::types,
     .ids = {E0333},
     .words = "the value has the tile's element type"},
    {.name = "tquant_params",
     .check = tquant_params,
     .sees = Sees::types,
     .ids = {E0351, E0352},
     .words = "scale and offset are a column, a value per row"},
    {.name = "tquant_open",
     .check = tquant_open,
     .sees = Sees::types,
     .ids = {E0371},
     .words = "without a scratch tile the valid region is known"},
    {.name = "tquant_offset",
     .check = tquant_offset,
     .ids = {E0322, E0331, E0368},
     .words = "an offset tile exactly with INT8_ASYM"},
};

}  // namespace

RuleFamily move_rules() { return {.rules = kMoveRules, .checks = kMoveChecks}; }

}  // namespace pto::legality
