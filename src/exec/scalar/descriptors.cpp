// Views, pointers and tiles: address arithmetic only, no data moves.
//
// Offsets of tiles follow pto-isa's tile layouts: a plain tile is row or column major over its Rows x Cols; a
// boxed tile is a grid of inner boxes, the grid ordered by blayout, each box by slayout.
#include "exec/scalar/descriptors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "exec/address_math.hpp"
#include "exec/cube/cube_layout.hpp"
#include "isa/memory_spaces.hpp"
#include "support/saturating.hpp"

namespace pto::exec {

uint64_t address_of(const Context& c, unsigned slot) {
  switch (c.type(slot).kind) {
    case TypeKind::tile_buf:
      return c.tile(slot).addr;
    case TypeKind::tensor_view:
    case TypeKind::partition_view:
    case TypeKind::memref:
      return c.view(slot).addr;
    default:
      return c.word(slot);
  }
}

namespace {

void clear_view(ViewDesc& view, uint64_t addr) {
  std::memset(&view, 0, sizeof view);
  view.addr = addr;
  std::fill(std::begin(view.shape), std::end(view.shape), 1);
}

}  // namespace

void fill_static_view(ViewDesc& view, const Type& type, uint64_t addr) {
  clear_view(view, addr);
  int64_t stride = 1;
  for (int i = type.rank - 1; i >= 0; --i) {
    const int at = kMaxRank - type.rank + i;
    view.shape[at] = type.dims[static_cast<size_t>(i)] == kDynamic ? 1 : type.dims[static_cast<size_t>(i)];
    view.stride[at] = stride;
    stride = sat_mul(stride, view.shape[at]);
  }
}

std::vector<int64_t> numbers(const Context& c, unsigned list, unsigned slot) {
  const isa::MixedList& mixed = c.inst->schema->mixed[list];
  const auto array = c.inst->attrs[mixed.attr].array;
  std::vector<int64_t> built;
  for (uint32_t i = 0, open = 0; i < array.count; ++i) {
    const int64_t written = c.program->ints[array.first + i];
    built.push_back(written == mixed.marker ? c.i64(slot, open++) : written);
  }
  return built;
}

TileDesc tile_of_type(const Type& type, uint64_t addr) {
  const auto extent = [&](int i) {
    const int64_t valid = type.valid[static_cast<size_t>(i)];
    return static_cast<uint32_t>(valid == kDynamic ? type.dims[static_cast<size_t>(i)] : valid);
  };
  return {addr, extent(0), extent(1), static_cast<uint32_t>(type.rows()), static_cast<uint32_t>(type.cols())};
}

namespace {

bool valid_extent(const Context& c, int64_t value, int64_t limit, const char* what) {
  if (value >= 0 && value <= limit) return true;
  c.fault(Fault::bad_operand, std::string("valid ") + what + " " + std::to_string(value) +
                                  " of a tile with " + std::to_string(limit) + " " + what);
  return false;
}

}  // namespace

void take_valid(const Context& c, TileDesc& tile, const Type& type, unsigned row_slot, unsigned col_slot) {
  if (c.has(row_slot) && valid_extent(c, c.i64(row_slot), type.rows(), "rows"))
    tile.valid_rows = static_cast<uint32_t>(c.i64(row_slot));
  if (c.has(col_slot) && valid_extent(c, c.i64(col_slot), type.cols(), "columns"))
    tile.valid_cols = static_cast<uint32_t>(c.i64(col_slot));
}

namespace {

// ---- pointers

/// Result of an address-only instruction: a pointer, or a memref that takes its shape from its type.
void set_address(Context& c, uint64_t addr) {
  if (c.result_type().kind == TypeKind::memref) {
    fill_static_view(c.result<ViewDesc>(), c.result_type(), addr);
  } else {
    c.set(addr);
  }
}

void castptr(Context& c) { set_address(c, address_of(c, 0)); }

void addptr(Context& c) {
  const Type& type = c.type(0);
  c.set(moved(c.word(0), c.i64(1), int64_t{byte_width(type.elem)} * (type.vec_lanes ? type.vec_lanes : 1)));
}

// ---- views: 5 dimensions, missing outer ones are 1

void make_tensor_view(Context& c) {
  ViewDesc view;
  clear_view(view, address_of(c, 0));
  const unsigned rank = c.count(1);
  for (unsigned i = 0; i < rank; ++i) view.shape[kMaxRank - rank + i] = c.i64(1, i);
  for (unsigned i = 0; i < c.count(2); ++i) view.stride[kMaxRank - c.count(2) + i] = c.i64(2, i);
  if (c.attr_set(0)) view.layout = static_cast<uint64_t>(c.attr(0));
  c.result<ViewDesc>() = view;
}

/// `count` strides of elements on; an element may be half a byte.
uint64_t moved_elements(uint64_t addr, int64_t count, int64_t stride, Elem elem) {
  int64_t elements = 0;
  if (__builtin_mul_overflow(count, stride, &elements)) return kNowhere;
  return bit_width(elem) < 8 ? moved(addr, elements / (8 / bit_width(elem)))
                             : moved(addr, elements, byte_width(elem));
}

/// Extents of a view are what the program says of a buffer; nothing but the buffer's end stops an access.
void check_window(const Context& c) {
  const unsigned rank = c.count(1);
  for (unsigned i = 0; i < std::min(rank, c.count(2)); ++i) {
    const int64_t extent = c.view(0).shape[kMaxRank - rank + i];
    const int64_t offset = c.i64(1, i);
    const int64_t size = c.i64(2, i);
    if (size <= 0 || (offset >= 0 && offset <= extent && size <= extent - offset)) continue;
    return c.fault(Fault::beyond_view,
                   fmt::format("the window takes {} from {} on of dimension {}, of which its view has {}",
                               size, offset, i, extent));
  }
}

void partition_view(Context& c) {
  check_window(c);
  ViewDesc view = c.view(0);
  const unsigned rank = c.count(1);
  for (unsigned i = 0; i < rank; ++i) {
    const unsigned at = kMaxRank - rank + i;
    view.addr = moved_elements(view.addr, c.i64(1, i), view.stride[at], c.type(0).elem);
  }
  for (unsigned i = 0; i < c.count(2); ++i) view.shape[kMaxRank - c.count(2) + i] = c.i64(2, i);
  c.result<ViewDesc>() = view;
}

/// Position of a dimension operand within the 5-D view, or -1 after a finding.
int view_dimension(const Context& c) {
  const int64_t index = c.i64(1);
  const int rank = c.type(0).rank;
  if (index >= 0 && index < rank) return kMaxRank - rank + static_cast<int>(index);
  c.fault(Fault::out_of_bounds,
          "dimension " + std::to_string(index) + " of a view of rank " + std::to_string(rank));
  return -1;
}
void get_tensor_view_dim(Context& c) {
  const int at = view_dimension(c);
  c.set(at < 0 ? 0 : static_cast<Word>(c.view(0).shape[at]));
}
void get_tensor_view_stride(Context& c) {
  const int at = view_dimension(c);
  c.set(at < 0 ? 0 : static_cast<Word>(c.view(0).stride[at]));
}
void tensor_view_addr(Context& c) {
  if (c.result_type().kind == TypeKind::memref) {
    c.result<ViewDesc>() = c.view(0);
  } else {
    c.set(c.view(0).addr);
  }
}

// ---- tiles

void alloc_tile(Context& c) {
  const Type& type = c.result_type();
  TileDesc tile = tile_of_type(type, c.has(0) ? c.word(0) : 0);
  c.aligned(type.space, tile.addr, isa::tile_alignment(type.space), "the tile's address");
  take_valid(c, tile, type, 1, 2);
  c.result<TileDesc>() = tile;
}

void multi_tile_get(Context& c) {
  TileDesc tile = c.tile(0);
  const int64_t slot = c.i64(1);
  const int64_t count = c.type(0).dims[2];
  if (slot < 0 || slot >= count)
    c.fault(Fault::out_of_bounds, "slot " + std::to_string(slot) + " of " + std::to_string(count));
  else
    tile.addr = within(tile.addr, slot * static_cast<int64_t>(isa::slot_stride(c.type(0))));
  c.result<TileDesc>() = tile;
}

void get_validshape(Context& c) {
  c.set(c.tile(0).valid_rows, 0);
  c.set(c.tile(0).valid_cols, 1);
}

void declare_tile(Context& c) { c.result<TileDesc>() = tile_of_type(c.result_type(), 0); }

void declare_global(Context& c) { fill_static_view(c.result<ViewDesc>(), c.result_type(), 0); }

void set_validshape(Context& c) {
  TileDesc& tile = c.tile(0);
  take_valid(c, tile, c.type(0), 1, 2);
}

void tassign(Context& c) {
  TileDesc tile = c.tile(0);
  tile.addr = c.word(1);
  c.result<TileDesc>() = tile;
}

/// Element offset of (row, col) in a tile of `rows` x `cols` storage.
uint64_t tile_offset(const Type& type, uint64_t rows, uint64_t cols, uint64_t row, uint64_t col) {
  const InnerBox box = inner_box(type);
  const uint64_t box_rows = static_cast<uint64_t>(box.rows);
  const uint64_t box_cols = static_cast<uint64_t>(box.cols);
  if (type.slayout == SLayout::none_box)
    return type.blayout == BLayout::row_major ? row * cols + col : col * rows + row;
  const uint64_t block = box_rows * box_cols;
  const uint64_t outer_row = row / box_rows;
  const uint64_t outer_col = col / box_cols;
  const uint64_t inner_row = row % box_rows;
  const uint64_t inner_col = col % box_cols;
  const uint64_t outer = type.blayout == BLayout::row_major ? outer_row * (cols / box_cols) + outer_col
                                                            : outer_col * (rows / box_rows) + outer_row;
  const uint64_t inner = type.slayout == SLayout::row_major ? inner_row * box_cols + inner_col
                                                            : inner_col * box_rows + inner_row;
  return outer * block + inner;
}

/// A window at a box boundary keeps the parent's storage extents in the offset formula.
void subview(Context& c) {
  const Type& type = c.type(0);
  const Type& window = c.result_type();
  const TileDesc& parent = c.tile(0);
  const int64_t row = c.i64(1, 0);
  const int64_t col = c.i64(1, 1);
  TileDesc tile = tile_of_type(window, parent.addr);
  tile.storage_rows = parent.storage_rows;
  tile.storage_cols = parent.storage_cols;
  if (row < 0 || col < 0 || row > parent.storage_rows - window.rows() ||
      col > parent.storage_cols - window.cols()) {
    c.fault(Fault::out_of_bounds,
            "window of " + std::to_string(window.rows()) + "x" + std::to_string(window.cols()) + " at (" +
                std::to_string(row) + ", " + std::to_string(col) + ") leaves its tile of " +
                std::to_string(parent.storage_rows) + "x" + std::to_string(parent.storage_cols));
    c.result<TileDesc>() = tile;
    return;
  }
  const uint64_t offset = tile_offset(type, parent.storage_rows, parent.storage_cols,
                                      static_cast<uint64_t>(row), static_cast<uint64_t>(col));
  tile.addr = within(tile.addr, static_cast<int64_t>(offset * bit_width(type.elem) / 8));
  if (c.has(2) || c.has(3)) {
    take_valid(c, tile, window, 2, 3);
  } else if (window.valid[0] == kDynamic || window.valid[1] == kDynamic) {
    const auto clip = [](uint32_t valid, int64_t from, int64_t size) {
      return static_cast<uint32_t>(std::clamp<int64_t>(static_cast<int64_t>(valid) - from, 0, size));
    };
    if (window.valid[0] == kDynamic) tile.valid_rows = clip(parent.valid_rows, row, window.rows());
    if (window.valid[1] == kDynamic) tile.valid_cols = clip(parent.valid_cols, col, window.cols());
  }
  c.result<TileDesc>() = tile;
}

/// treshape, bitcast: the same bytes under another tile type. Extents that the new type leaves open carry
/// over.
void retype(Context& c) {
  if (c.type(0).kind != TypeKind::tile_buf || c.result_type().kind != TypeKind::tile_buf) {
    c.fault(Fault::unsupported, "only tile_buf values can be given another tile type");
    return;
  }
  const TileDesc from = c.tile(0);
  const Type& type = c.result_type();
  TileDesc tile = tile_of_type(type, from.addr);
  const bool same_shape = type.rows() == c.type(0).rows() && type.cols() == c.type(0).cols();
  if (type.valid[0] == kDynamic && same_shape) tile.valid_rows = from.valid_rows;
  if (type.valid[1] == kDynamic && same_shape) tile.valid_cols = from.valid_cols;
  c.result<TileDesc>() = tile;
}

/// The scale tile lies where the hardware looks for the scales of the data tile.
void tget_scale_addr(Context& c) { c.tile(1).addr = cube_layout::mx_address(c.tile(0).addr, c.type(0).elem); }

void tile_buf_addr(Context& c) { set_address(c, address_of(c, 0)); }
void tile_valid_rows(Context& c) { c.set(c.tile(0).valid_rows); }
void tile_valid_cols(Context& c) { c.set(c.tile(0).valid_cols); }

constexpr Semantics kDescriptor[] = {
    {"pto.castptr", castptr},
    {"pto.inttoptr", castptr},
    {"pto.ptrtoint", castptr},
    {"pto.addptr", addptr},
    {"pto.make_tensor_view", make_tensor_view},
    {"pto.partition_view", partition_view},
    {"pto.get_tensor_view_dim", get_tensor_view_dim},
    {"pto.get_tensor_view_stride", get_tensor_view_stride},
    {"pto.tensor_view_addr", tensor_view_addr},
    {"pto.alloc_tile", alloc_tile},
    {"pto.alloc_multi_tile", alloc_tile},
    {"pto.multi_tile_get", multi_tile_get},
    {"pto.get_validshape", get_validshape},
    {"pto.declare_tile", declare_tile},
    {"pto.declare_global", declare_global},
    {"pto.subview", subview},
    {"pto.set_validshape", set_validshape},
    {"pto.tassign", tassign},
    {"pto.treshape", retype},
    {"pto.bitcast", retype},
    {"pto.talias", retype},
    {"pto.bind_tile", retype},
    {"pto.tget_scale_addr", tget_scale_addr},
    {"pto.tile_buf_addr", tile_buf_addr},
    {"pto.tile_valid_rows", tile_valid_rows},
    {"pto.tile_valid_cols", tile_valid_cols},
};

}  // namespace

std::span<const Semantics> descriptor() { return kDescriptor; }

}  // namespace pto::exec
