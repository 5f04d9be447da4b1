// GM to tile and back: pto.tload, pto.tstore, pto.tstore_fp, pto.tprefetch.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <vector>

#include "exec/deferred_work.hpp"
#include "exec/lane_ops.hpp"
#include "exec/peer_access.hpp"
#include "exec/tile/pad.hpp"
#include "exec/tile/quant.hpp"
#include "exec/tile/rows.hpp"
#include "exec/tile/view.hpp"
#include "support/rounding.hpp"
#include "support/saturating.hpp"

namespace pto::exec {
namespace {

/// The part of a window and a tile that both have.
struct Extent {
  uint64_t rows = 0, cols = 0;
  [[nodiscard]] bool empty() const { return rows == 0 || cols == 0; }
};

/// A window as the tile sees it. Only windows of boxes have extents in the outer two dimensions when the tile
/// is NZ, so such a window is one of boxes, whether or not its view says so.
ViewDesc seen_by(const ViewDesc& view, const Type& tile) {
  ViewDesc seen = view;
  const bool nz = tile.blayout == BLayout::col_major && tile.slayout == SLayout::row_major;
  if (nz && view.layout == kLayoutNd && view.shape[0] * view.shape[1] > 1) seen.layout = kLayoutNz;
  return seen;
}

// ---- MX scales in L1 (pto-isa include/pto/npu/a5/TLoad.hpp:127..235)

constexpr int64_t kScaleRows = 16, kScaleCols = 2;  ///< of a box; columns of mx_b_nn

/// The layout that a tile of scales takes: of the left operand Zz, of the right one Nn. A single row of the
/// left one is no box.
std::optional<uint64_t> scale_layout(const Type& tile, const TileDesc& desc) {
  const bool rows = tile.slayout == SLayout::row_major;
  const bool same = rows == (tile.blayout == BLayout::row_major);
  if (tile.space != Space::l1 || tile.elem != Elem::f8e8m0 || tile.slayout == SLayout::none_box || !same)
    return std::nullopt;
  if (rows) return desc.storage_rows == 1 ? std::nullopt : std::optional(kLayoutMxA);
  return kLayoutMxB;
}

bool is_scale_layout(uint64_t layout) { return layout == kLayoutMxA || layout == kLayoutMxB; }

/// A window of scales as its boxes. One of rows and columns represents the boxes that hold them, one behind
/// the other, as the public assembler has it (PTOAS, PTOToEmitC line 640).
ViewDesc boxes_of_scales(ViewDesc view, uint64_t layout) {
  view.layout = layout;
  const bool boxes = view.shape[3] == kScaleRows && view.shape[4] == kScaleCols;
  if (boxes || view.shape[0] != 1 || view.shape[1] != 1 || view.shape[2] != 1) return view;
  const bool left = layout == kLayoutMxA;
  const int64_t across = ceil_div(view.shape[left ? 3 : 4], kScaleRows);
  const int64_t along = ceil_div(view.shape[left ? 4 : 3], kScaleCols);
  const int64_t box = kScaleRows * kScaleCols;
  const std::array<int64_t, 5> shape{1, across, along, kScaleRows, kScaleCols},
      stride{0, sat_mul(along, box), box, kScaleCols, 1};
  std::ranges::copy(shape, std::begin(view.shape));
  std::ranges::copy(stride, std::begin(view.stride));
  return view;
}

/// The window that a load reads; nothing after a finding.
std::optional<ViewDesc> loaded_window(Context& context) {
  const ViewDesc& view = context.view(0);
  const Type& type = context.type(1);
  const std::optional<uint64_t> scales = scale_layout(type, context.tile(1));
  if (scales && (view.layout == kLayoutNd || view.layout == *scales)) return boxes_of_scales(view, *scales);
  if (!is_scale_layout(view.layout)) return seen_by(view, type);
  context.fault(
      Fault::bad_operand,
      fmt::format("a window with layout = {} goes into a mat tile of f8E8M0FNU with {}",
                  view.layout == kLayoutMxA ? "mx_a_zz" : "mx_b_nn",
                  view.layout == kLayoutMxA ? "slayout=row_major and fractal=32"
                                            : "blayout=col_major, slayout=col_major and fractal=32"));
  return std::nullopt;
}

/// Empty after a finding: a window of as many elements in another shape would lose those beyond the smaller
/// extents. Boxes of scales move whole, whatever part of them is valid.
Extent common_extent(Context& context, const ViewDesc& view, unsigned tile_slot) {
  const WindowMap map(view);
  const TileDesc& tile = context.tile(tile_slot);
  if (is_scale_layout(view.layout))
    return {std::min<uint64_t>(map.rows(), tile.storage_rows),
            std::min<uint64_t>(map.cols(), tile.storage_cols)};
  const Extent window{map.rows(), map.cols()}, valid{tile.valid_rows, tile.valid_cols};
  if (window.rows != valid.rows && window.rows * window.cols == valid.rows * valid.cols) {
    context.fault(
        Fault::bad_operand,
        fmt::format("the window is {}x{}, the tile's valid region {}x{}: as many elements in another shape",
                    window.rows, window.cols, valid.rows, valid.cols));
    return {};
  }
  return {std::min(window.rows, valid.rows), std::min(window.cols, valid.cols)};
}

/// What a load writes: hardware fills each burst up to its 32-byte block, in UB with the pad value (pto-isa
/// a2a3/TLoad.hpp), where a tile without one keeps what was there, and with zeros where it sorts rows or
/// columns into boxes of L1 (CANN, copy_gm_to_cbuf_multi_nd2nz). Everything beyond the block stays.
Extent with_gap(const Type& type, const TileDesc& desc, const ViewDesc& view, Extent data) {
  const bool boxes = type.slayout != SLayout::none_box;
  const bool in_boxes = view.layout == kLayoutNz || is_scale_layout(view.layout);
  if (boxes ? type.space != Space::l1 || in_boxes : type.pad == 0) return data;
  const auto filled = [&](uint64_t length, uint64_t storage) {
    return std::max(length, std::min(storage, round_up(length, uint64_t{32} / byte_width(type.elem))));
  };
  if (boxes ? type.slayout == SLayout::col_major : type.blayout == BLayout::col_major)
    data.rows = filled(data.rows, desc.storage_rows);
  else
    data.cols = filled(data.cols, desc.storage_cols);
  return data;
}

/// False when the layouts of the two have nothing in common; then rows are moved one by one.
bool move_loops(const Tile& tile, const Window& window, bool load) {
  StridedCopy copy;
  const auto both = [&](const IndexDigits& of_tile, const IndexDigits& of_window) {
    return load ? copy.add(of_window, of_tile) : copy.add(of_tile, of_window);
  };
  if (!both(tile.row_digits(), window.map().first_rows(tile.rows())) ||
      !both(tile.col_digits(), window.map().first_cols(tile.cols())))
    return false;
  if (!copy.distinct()) return false;
  std::byte* const inside = tile.at(0, 0);
  std::byte* const outside = window.at(0, 0);
  copy.run(load ? outside : inside, load ? inside : outside, tile.size(), load);
  return true;
}

void load_rows(const Tile& dst, const Window& src) {
  if (move_loops(dst, src, true)) return;
  with_bits(dst.size(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> scratch(dst.cols());
    for (uint64_t row = 0; row < dst.rows(); ++row) {
      const T* from = src.read(row, dst.cols(), scratch.data());
      if (dst.direct())
        std::memcpy(dst.at(row, 0), from, dst.cols() * sizeof(T));
      else
        dst.written(row, 0, dst.cols(), from);
    }
  });
}

void tload(Context& context) {
  const std::optional<ViewDesc> window = loaded_window(context);
  if (!window) return;
  const ViewDesc& view = *window;
  const Extent extent = common_extent(context, view, 1);
  if (extent.empty()) return;
  for (unsigned slot = 2; slot < 6; ++slot) {
    if (context.has(slot)) return context.fault(Fault::unsupported, "tload with explicit padding operands");
  }
  for (unsigned attr = 0; attr < 2; ++attr) {  // pad_mode, init_out_buffer
    if (context.attr_set(attr) && context.attr(attr) != 0)
      return context.fault(Fault::unsupported, "tload with a padding mode");
  }
  const Work work(context);
  const Type& type = context.type(1);
  const Extent all = with_gap(type, context.tile(1), view, extent);
  const Tile dst(context, 1, AccessMode::write, all.rows, all.cols);
  const Window src(context, view, AccessMode::read, extent.rows, extent.cols, dst.size());
  if (!dst.good() || !src.good()) return;
  const uint64_t pad = type.slayout == SLayout::none_box ? pad_bits(type.elem, type.pad) : 0;
  work.run([dst, src, extent, all, pad] {
    load_rows(dst.part(0, 0, extent.rows, extent.cols), src);
    if (all.rows > extent.rows) fill(dst.part(extent.rows, 0, all.rows - extent.rows, all.cols), pad);
    if (all.cols > extent.cols) fill(dst.part(0, extent.cols, all.rows, all.cols - extent.cols), pad);
  });
}

/// Nothing observable but the read of GM.
void tprefetch(Context& context) {
  const std::optional<ViewDesc> view = loaded_window(context);
  if (!view) return;
  const Extent extent = common_extent(context, *view, 1);
  if (!extent.empty())
    Window(context, *view, AccessMode::read, extent.rows, extent.cols, byte_width(context.type(1).elem));
}

uint64_t sum_bits(Elem elem, uint64_t a, uint64_t b) {
  if (is_integer(elem)) return a + b;
  const double sum = num::to_f64(elem, a) + num::to_f64(elem, b);
  // f16 and bf16 sums are exact in f64; an f32 sum rounds once as the f32 adder does (53 >= 2 * 24 + 2).
  return num::from_f64(elem, canonical(sum));
}

struct StoreOptions {
  OutputPath path;
  bool atomic_add = false;
  const std::byte* words = nullptr;  ///< in memory, one per column; null: `word` for all
  uint64_t word = 0;
  [[nodiscard]] uint64_t word_of(uint64_t col) const {
    uint64_t own = word;
    if (words != nullptr) std::memcpy(&own, words + col * sizeof own, sizeof own);
    return own;
  }
};

void store_converted(const Tile& src, const Window& dst, const StoreOptions& options) {
  const Elem to = options.path.to;
  with_bits(byte_width(to), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> line(src.cols()), old(src.cols());
    for (uint64_t row = 0; row < src.rows(); ++row) {
      const T* before = options.atomic_add ? dst.read(row, src.cols(), old.data()) : nullptr;
      for (uint64_t col = 0; col < src.cols(); ++col) {
        uint64_t bits = options.path.convert(src.bits(row, col), options.word_of(col));
        if (before) bits = sum_bits(to, before[col], bits);
        line[col] = static_cast<T>(bits);
      }
      dst.write(row, src.cols(), line.data());
    }
  });
}

void store_copied(const Tile& src, const Window& dst) {
  if (move_loops(src, dst, false)) return;
  with_bits(src.size(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> scratch(src.cols());
    for (uint64_t row = 0; row < src.rows(); ++row)
      dst.write(row, src.cols(), src.read(row, 0, src.cols(), scratch.data()));
  });
}

void store(Context& context, const Work& work, unsigned view_slot, const StoreOptions& options) {
  const ViewDesc view = seen_by(context.view(view_slot), context.type(0));
  if (is_scale_layout(view.layout))
    return context.fault(Fault::unsupported, "a store to a window with layout = mx_a_zz or mx_b_nn");
  const Extent extent = common_extent(context, view, 0);
  if (extent.empty()) return;
  const Tile src(context, 0, AccessMode::read, extent.rows, extent.cols);
  if (!src.good()) return;
  if (options.atomic_add) will_add(context, options.path.to);
  const Window dst(context, view, options.atomic_add ? AccessMode::update : AccessMode::write, extent.rows,
                   extent.cols, byte_width(options.path.to));
  if (!dst.good()) return;
  if (!options.atomic_add && meets_itself(view, extent.rows, extent.cols))
    context.fault(Fault::bad_operand,
                  fmt::format("the window overlaps itself: elements of its {} rows and {} columns share "
                              "bytes, and the element that remains is unspecified",
                              extent.rows, extent.cols));
  work.run([src, dst, options] {
    if (options.path.copies() && !options.atomic_add)
      store_copied(src, dst);
    else
      store_converted(src, dst, options);
  });
}

constexpr unsigned kStoreAtomic = 1, kStoreRelu = 2;

OutputPath store_path(const Context& context, unsigned from, unsigned to) {
  OutputPath path;
  path.from = context.type(from).elem;
  path.to = context.type(to).elem;
  if (context.machine != nullptr) path.target = context.machine->target;
  path.saturate_infinity = context.control != nullptr && (context.control->ctrl >> kCtrlNoSat & 1) == 0;
  return path;
}

void tstore_fp(Context& context);

void tstore(Context& context) {
  if (context.inst->schema->operands[1].name == "fp") return tstore_fp(context);
  StoreOptions options;
  options.path = store_path(context, 0, 1);
  options.atomic_add = context.attr(kStoreAtomic) == 1;
  if (context.type(0).space == Space::l0c) {
    const auto relu = static_cast<Relu>(context.attr(kStoreRelu));
    if (!relu_supported(context, relu)) return;
    options.path.relu = relu == Relu::normal;
    if (context.has(2)) {
      options.word = context.word(2);
      options.path.mode = quant_mode(options.path.from, options.path.to);
    }
  } else if (byte_width(options.path.from) == byte_width(options.path.to)) {
    options.path.from = options.path.to;  // vector and matrix tiles move bits
  }
  store(context, Work(context), 1, options);
}

void tstore_fp(Context& context) {
  StoreOptions options;
  options.path = store_path(context, 0, 2);
  options.path.mode = quant_mode(options.path.from, options.path.to);
  options.path.vector_word = true;
  if (!context.inst->attrs.empty()) {
    const auto relu = static_cast<Relu>(context.attr(kStoreRelu));
    if (!relu_supported(context, relu)) return;
    options.path.relu = relu == Relu::normal;
    options.atomic_add = context.attr(kStoreAtomic) == 1;
  }
  const uint64_t cols = std::min<uint64_t>(context.tile(1).valid_cols, context.tile(0).valid_cols);
  if (cols < context.tile(0).valid_cols)
    return context.fault(Fault::bad_operand, "fewer quantisation words than columns");
  if (cols == 0) return;
  const Work work(context);
  const std::byte* from = context.memory->access(context.type(1).space, context.tile(1).addr,
                                                 cols * sizeof(uint64_t), AccessMode::read);
  if (from == nullptr) return;
  options.words = from;
  store(context, work, 2, options);
}

constexpr Semantics kTileLoadStoreSemantics[] = {
    {"pto.tload", tload},
    {"pto.tprefetch", tprefetch},
    {"pto.tstore", tstore},
    {"pto.tstore_fp", tstore_fp},
};

}  // namespace

std::span<const Semantics> tile_load_store() { return kTileLoadStoreSemantics; }

}  // namespace pto::exec
