// Elements by index, mask or comparison: pto.tgather, pto.tgatherb, pto.tscatter, and GM by index:
// pto.mgather, pto.mscatter.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "exec/address_math.hpp"
#include "exec/fault_sink.hpp"
#include "exec/lane_ops.hpp"
#include "exec/tile/rows.hpp"
#include "exec/tile/view.hpp"
#include "isa/cmp_predicate.hpp"
#include "support/saturating.hpp"

namespace pto::exec {
namespace {

// ---- pto.tgather

constexpr unsigned kSrc = 0, kDst = 1, kCounts = 2, kIndices = 3, kValue = 5;
constexpr unsigned kAttrPattern = 0, kAttrCompare = 1, kAttrOffset = 2, kAttrAxis = 3;

/// Indices of one instruction that lie beyond its source. The chips read whatever lies there (pto-isa
/// include/pto/npu/a2a3/TGather.hpp:66,83: vgather at base + index * size; npu/a5/TGather.hpp:44: vgather2).
class BeyondSource {
 public:
  void add(int64_t index, uint64_t row, uint64_t col) {
    if (count_++ == 0) {
      index_ = index;
      row_ = row;
      col_ = col;
    }
  }
  /// `what` an index counts, of `total` indices, and what this run does: a value of the CPU simulator.
  void report(const Context& context, std::string_view index, std::string_view tile, std::string_view size,
              uint64_t total, std::string_view instead) const {
    FaultSink* const sink = context.faults;
    if (count_ == 0 || sink == nullptr) return;
    sink->beyond_table(
        context,
        fmt::format("{} {} at ({}, {}) of the {} tile: the source has {}; {} of {} lie beyond it", index,
                    index_, row_, col_, tile, size, count_, total),
        fmt::format("keep every {} inside the source: the chip reads the bytes after it, this run {}", index,
                    instead));
  }

 private:
  int64_t index_ = 0;  ///< the first one
  uint64_t row_ = 0, col_ = 0, count_ = 0;
};

/// dst(r, c) = the element of src's storage, row after row, with number idx(r, c); 0 when there is none.
void gather_by_index(Context& context) {
  const Tile dst(context, kDst, AccessMode::write);
  if (!dst.good() || dst.empty() || !covers(context, kIndices, dst.rows(), dst.cols())) return;
  const Tile indices(context, kIndices, AccessMode::read, dst.rows(), dst.cols());
  const Tile src = Tile::whole(context, kSrc, AccessMode::read);
  if (!indices.good() || !src.good()) return;
  const uint64_t count = src.rows() * src.cols();
  BeyondSource beyond;
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    for (uint64_t col = 0; col < dst.cols(); ++col) {
      const int64_t given = num::int_value(indices.elem(), indices.bits(row, col));
      const auto index = static_cast<uint64_t>(given);
      if (index >= count) beyond.add(given, row, col);
      dst.put_bits(row, col, index < count ? src.bits(index / src.cols(), index % src.cols()) : 0);
    }
  }
  beyond.report(context, "index", "index", fmt::format("{} elements", count), dst.rows() * dst.cols(),
                "takes 0");
}

/// Which columns a mask pattern selects (pto.mask_pattern); the pattern reads right to left.
bool selected(int64_t pattern, uint64_t col) {
  switch (pattern) {
    case 1:
      return col % 2 == 0;
    case 2:
      return col % 2 == 1;
    case 3:
      return col % 4 == 0;
    case 4:
      return col % 4 == 1;
    case 5:
      return col % 4 == 2;
    case 6:
      return col % 4 == 3;
    default:
      return true;
  }
}

/// "row" spreads or gathers along a row, which is the default; "col" along a column.
constexpr int64_t kAxisCol = 1;

/// The selected rows become the rows of dst.
void gather_rows(Context& context, const Tile& src) {
  uint64_t rows = 0;
  for (uint64_t row = 0; row < src.rows(); ++row) rows += selected(context.attr(kAttrPattern), row);
  if (rows == 0 || !covers(context, kDst, rows, src.cols())) return;
  const Tile dst(context, kDst, AccessMode::write, rows, src.cols());
  if (!dst.good()) return;
  uint64_t to = 0;
  for (uint64_t row = 0; row < src.rows(); ++row) {
    if (!selected(context.attr(kAttrPattern), row)) continue;
    for (uint64_t col = 0; col < src.cols(); ++col) dst.put_bits(to, col, src.bits(row, col));
    ++to;
  }
}

/// The selected columns of all rows, one after another from the start of dst's storage.
void gather_by_pattern(Context& context) {
  const Tile src(context, kSrc, AccessMode::read);
  if (!src.good() || src.empty()) return;
  if (context.attr_set(kAttrAxis) && context.attr(kAttrAxis) == kAxisCol) return gather_rows(context, src);
  std::vector<uint64_t> values;
  for (uint64_t row = 0; row < src.rows(); ++row) {
    for (uint64_t col = 0; col < src.cols(); ++col) {
      if (selected(context.attr(kAttrPattern), col)) values.push_back(src.bits(row, col));
    }
  }
  const TileDesc& desc = context.tile(kDst);
  const Type& type = context.type(kDst);
  const uint32_t size = byte_width(type.elem);
  if (values.size() > uint64_t{desc.storage_rows} * desc.storage_cols) {
    return context.fault(Fault::out_of_bounds,
                         fmt::format("{} selected elements: the destination has {}", values.size(),
                                     uint64_t{desc.storage_rows} * desc.storage_cols));
  }
  std::byte* to =
      values.empty() ? nullptr
                     : context.memory->access(type.space, desc.addr, values.size() * size, AccessMode::write);
  for (size_t i = 0; to != nullptr && i < values.size(); ++i) std::memcpy(to + i * size, &values[i], size);
}

/// Per row: the column numbers (plus `offset`) where the comparison with kValue holds, and how many there
/// are.
void gather_by_comparison(Context& context) {
  const Tile src(context, kSrc, AccessMode::read);
  if (!src.good() || src.empty()) return;
  const double value = num::to_f64(src.elem(), scalar_bits(context, kValue, src.elem()));
  const auto predicate = static_cast<isa::CmpPredicate>(context.attr(kAttrCompare));
  const Tile dst(context, kDst, AccessMode::write);
  if (!dst.good() || dst.rows() < src.rows()) return;
  const bool has_counts = context.has(kCounts);
  const Tile counts = has_counts ? Tile(context, kCounts, AccessMode::write) : Tile();
  if (has_counts && (!counts.good() || counts.empty())) return;
  for (uint64_t row = 0; row < src.rows(); ++row) {
    uint64_t found = 0;
    for (uint64_t col = 0; col < src.cols(); ++col) {
      if (!isa::holds(predicate, num::to_f64(src.elem(), src.bits(row, col)), value)) continue;
      if (found < dst.cols())
        dst.put_bits(row, found, col + static_cast<uint64_t>(context.attr(kAttrOffset)));
      ++found;
    }
    if (has_counts && counts.rows() > 1)
      counts.put_bits(std::min(row, counts.rows() - 1), 0, found);
    else if (has_counts)
      counts.put_bits(0, std::min(row, counts.cols() - 1), found);
  }
}

void tgather(Context& context) {
  if (context.attr_set(kAttrPattern)) return gather_by_pattern(context);
  if (context.has(kValue)) return gather_by_comparison(context);
  if (context.has(kIndices)) return gather_by_index(context);
  context.fault(Fault::bad_operand, "tgather needs indices, a mask pattern or a value to compare with");
}

/// 32-byte blocks of src's storage at byte offsets; a block outside leaves the destination as it was.
void tgatherb(Context& context) {
  constexpr uint64_t kBlock = 32;
  const TileDesc& desc = context.tile(2);
  const Type& type = context.type(2);
  const uint32_t size = byte_width(type.elem);
  const uint64_t per_block = kBlock / size;
  const uint64_t blocks = desc.valid_cols / per_block;
  if (desc.valid_rows == 0 || blocks == 0 || !covers(context, 1, desc.valid_rows, blocks)) return;
  const Tile offsets(context, 1, AccessMode::read, desc.valid_rows, blocks);
  if (!offsets.good()) return;
  const TileDesc& table = context.tile(0);
  const uint64_t bytes = uint64_t{table.storage_rows} * table.storage_cols * byte_width(context.type(0).elem);
  BeyondSource beyond;
  for (uint64_t row = 0; row < desc.valid_rows; ++row) {
    for (uint64_t block = 0; block < blocks; ++block) {
      const uint64_t offset = offsets.bits(row, block) & 0xffffffffu;
      if (offset + kBlock > bytes) {
        beyond.add(static_cast<int64_t>(offset), row, block);
        continue;
      }
      const std::byte* from = context.memory->access(
          context.type(0).space, within(table.addr, static_cast<int64_t>(offset)), kBlock, AccessMode::read);
      std::byte* to = context.memory->access(
          type.space,
          within(desc.addr, static_cast<int64_t>(row * desc.storage_cols + block * per_block), size), kBlock,
          AccessMode::write);
      if (from == nullptr || to == nullptr) return;
      std::memmove(to, from, kBlock);
    }
  }
  beyond.report(context, "byte offset", "offset", fmt::format("{} bytes in blocks of {}", bytes, kBlock),
                desc.valid_rows * blocks, "leaves the block of the destination as it was");
}

/// The selected columns (or rows) of dst are those of src one after the other, the others 0.
void scatter_by_pattern(Context& context) {
  constexpr unsigned kPattern = 0, kAxis = 1;
  const bool of_rows = context.attr_set(kAxis) && context.attr(kAxis) == kAxisCol;
  const Tile dst(context, 1, AccessMode::write);
  if (!dst.good() || dst.empty()) return;
  const auto taken = [&](uint64_t end) {
    uint64_t count = 0;
    for (uint64_t at = 0; at < end; ++at) count += selected(context.attr(kPattern), at);
    return count;
  };
  const uint64_t rows = of_rows ? taken(dst.rows()) : dst.rows();
  const uint64_t cols = of_rows ? dst.cols() : taken(dst.cols());
  if (!covers(context, 0, rows, cols)) return;
  const Tile src(context, 0, AccessMode::read, rows, cols);
  if (!src.good()) return;
  uint64_t from_row = 0;
  for (uint64_t row = 0; row < dst.rows(); ++row) {
    const bool row_taken = !of_rows || selected(context.attr(kPattern), row);
    uint64_t from_col = 0;
    for (uint64_t col = 0; col < dst.cols(); ++col) {
      const bool used = row_taken && (of_rows || selected(context.attr(kPattern), col));
      dst.put_bits(row, col, used ? src.bits(from_row, from_col) : 0);
      from_col += used;
    }
    from_row += row_taken;
  }
}

/// The libraries of the chips clear the whole tile first (pto-isa include/pto/npu/a2a3/TScatter.hpp:20-34,
/// npu/a5/TScatter.hpp:167-202), and the goldens of the board tests start from zeros (tests/npu/a5/src/st/
/// testcase/tscatter/gen_data.py:45-51). The CPU simulator keeps what the tile holds.
bool clear_tile(Context& context, unsigned slot) {
  const Type& type = context.type(slot);
  const TileDesc& desc = context.tile(slot);
  const uint64_t bytes = tile_bytes(type);
  std::byte* const to = context.memory->access(type.space, desc.addr, bytes, AccessMode::write);
  if (to == nullptr) return false;
  std::memset(to, 0, bytes);
  return true;
}

/// dst's storage[index] = src, in row-major order of the indices: the last writer stays. On the CPU simulator
/// only the elements written are claimed.
void tscatter(Context& context) {
  if (context.inst->schema->operand_slot("indexes") < 0) return scatter_by_pattern(context);
  const Tile indices(context, 1, AccessMode::read);
  if (!indices.good()) return;
  if ((on_a5(context) || on_a2a3(context)) && !clear_tile(context, 2)) return;
  if (indices.empty() || !covers(context, 0, indices.rows(), indices.cols())) return;
  const Tile src(context, 0, AccessMode::read, indices.rows(), indices.cols());
  const Type& type = context.type(2);
  const TileDesc& desc = context.tile(2);
  const uint32_t size = byte_width(type.elem);
  const uint64_t count = uint64_t{desc.storage_rows} * desc.storage_cols;
  if (!src.good()) return;
  for (uint64_t row = 0; row < indices.rows(); ++row) {
    for (uint64_t col = 0; col < indices.cols(); ++col) {
      const int64_t given = num::int_value(indices.elem(), indices.bits(row, col));
      const auto index = static_cast<uint64_t>(given);
      if (index >= count)
        return context.fault(
            Fault::out_of_bounds,
            fmt::format("index {} at ({}, {}) of the index tile: the destination has {} elements", given, row,
                        col, count));
      std::byte* to = context.memory->access(type.space, within(desc.addr, static_cast<int64_t>(index), size),
                                             size, AccessMode::write);
      if (to == nullptr) return;
      const uint64_t bits = src.bits(row, col);
      std::memcpy(to, &bits, size);
    }
  }
}

// ---- GM by index

/// What an index outside the table means.
enum class Outside : uint8_t { as_is, clamp, wrap, drop };

/// A GM operand addressed by element or row number.
struct Table {
  uint64_t addr = 0, elements = 0, rows = 0;  ///< counts are 0 for a bare pointer
  int64_t row_stride = 0, col_stride = 1;
  uint32_t size = 0;

  Table(Context& context, unsigned slot, uint32_t element_size) : size(element_size) {
    if (!context.type(slot).is_view()) {
      addr = context.word(slot);
      return;
    }
    const ViewDesc& view = context.view(slot);
    addr = view.addr;
    rows = static_cast<uint64_t>(view.shape[3]);
    row_stride = view.stride[3];
    col_stride = view.stride[4];
    elements = 1;
    for (const int64_t extent : view.shape) elements = sat_mul(elements, static_cast<uint64_t>(extent));
  }
  [[nodiscard]] std::byte* at(Context& context, uint64_t element, AccessMode how) const {
    return context.memory->access(Space::gm, moved(addr, static_cast<int64_t>(element), size), size, how);
  }
};

/// The index to use, or false to leave the element out. Indices are unsigned 64-bit here: a negative one
/// clamps to the last element (pto-isa include/pto/cpu/MGather.hpp).
bool resolve(uint64_t& index, uint64_t count, Outside outside) {
  if (index < count || outside == Outside::as_is || count == 0) return true;
  if (outside == Outside::clamp) index = count - 1;
  if (outside == Outside::wrap) index %= count;
  return outside != Outside::drop;
}

/// Indices that lie in GM.
class WindowIndices {
 public:
  WindowIndices(Context& context, unsigned slot)
      : map_(context.view(slot)),
        elem_(context.type(slot).elem),
        window_(context, context.view(slot), AccessMode::read, map_.rows(), map_.cols(), byte_width(elem_)) {}
  [[nodiscard]] bool good() const { return window_.good(); }
  [[nodiscard]] bool empty() const { return rows() * cols() == 0; }
  [[nodiscard]] uint64_t rows() const { return map_.rows(); }
  [[nodiscard]] uint64_t cols() const { return map_.cols(); }
  [[nodiscard]] Elem elem() const { return elem_; }
  [[nodiscard]] uint64_t bits(uint64_t row, uint64_t col) const {
    uint64_t value = 0;
    std::memcpy(&value, window_.at(row, col), byte_width(elem_));
    return value;
  }

 private:
  WindowMap map_;
  Elem elem_;
  Window window_;
};

/// One index per element, or one per row: as `coalesce` says, else when the index tile has only as many
/// elements as the tile has rows.
template <typename Indices>
bool indexes_rows(const Context& context, unsigned coalesce, const Indices& indices, uint64_t rows,
                  uint64_t cols) {
  if (context.attr_set(coalesce)) return context.attr(coalesce) == 0;
  return indices.rows() * indices.cols() == rows && cols > 1;
}

template <typename Indices>
bool indices_cover(Context& context, const Indices& indices, bool by_row, uint64_t rows, uint64_t cols) {
  const bool enough =
      by_row ? indices.rows() * indices.cols() >= rows : indices.rows() >= rows && indices.cols() >= cols;
  if (!enough) context.fault(Fault::bad_operand, "the index tile has fewer indices than the tile needs");
  return enough;
}

/// An index that nothing brings back into the table: it reaches other bytes of the buffer, or none.
void tell_index(const Context& context, int64_t index, uint64_t row, uint64_t col, bool by_row,
                const Table& table, uint64_t element) {
  FaultSink* const sink = context.faults;
  const bool inside =
      sink == nullptr ||
      sink->is_in_argument(moved(table.addr, static_cast<int64_t>(element), table.size), table.size);
  context.fault(inside ? Fault::beyond_view : Fault::out_of_bounds,
                fmt::format("index {} at ({}, {}) of the index tile: the table has {} {}", index, row, col,
                            by_row ? table.rows : table.elements, by_row ? "rows" : "elements"));
}

/// Calls f(row, col, whether it takes part, element number) for every element of a rows x cols tile.
template <typename Indices, typename F>
void for_indices(const Context& context, const Indices& indices, const Table& table, Outside outside,
                 bool by_row, uint64_t rows, uint64_t cols, F&& f) {
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t col = 0; col < cols; ++col) {
      const uint64_t from_row = by_row && indices.rows() == 1 ? 0 : row;
      const uint64_t from_col = !by_row ? col : indices.rows() == 1 ? row : 0;
      const int64_t given = num::int_value(indices.elem(), indices.bits(from_row, from_col));
      auto index = static_cast<uint64_t>(given);
      const uint64_t count = by_row ? table.rows : table.elements;
      const bool used = resolve(index, count, outside);
      const bool stray = used && count != 0 && index >= count;
      if (by_row)
        index = static_cast<uint64_t>(static_cast<int64_t>(index) * table.row_stride +
                                      static_cast<int64_t>(col) * table.col_stride);
      if (stray) tell_index(context, given, from_row, from_col, by_row, table, index);
      if (!f(row, col, used, index)) return;
    }
  }
}

template <typename Indices>
void gather(Context& context, const Indices& indices) {
  constexpr Outside kModes[] = {Outside::as_is, Outside::clamp, Outside::wrap, Outside::drop};
  const Tile dst(context, 2, AccessMode::write);
  if (!dst.good() || dst.empty() || !indices.good() || indices.empty()) return;
  const Table table(context, 0, dst.size());
  constexpr unsigned kAttrCoalesce = 1;
  const bool by_row = indexes_rows(context, kAttrCoalesce, indices, dst.rows(), dst.cols());
  if (!indices_cover(context, indices, by_row, dst.rows(), dst.cols())) return;
  for_indices(context, indices, table, kModes[context.attr(0) & 3], by_row, dst.rows(), dst.cols(),
              [&](uint64_t row, uint64_t col, bool used, uint64_t index) {
                uint64_t bits = 0;
                if (used) {
                  const std::byte* from = table.at(context, index, AccessMode::read);
                  if (from == nullptr) return false;
                  std::memcpy(&bits, from, table.size);
                }
                dst.put_bits(row, col, bits);
                return true;
              });
}

void mgather(Context& context) {
  if (context.type(1).is_view()) return gather(context, WindowIndices(context, 1));
  gather(context, Tile(context, 1, AccessMode::read));
}

enum class Combine : int64_t { none = 0, add = 1, max = 2, min = 3 };

uint64_t combined(Elem elem, Combine how, uint64_t old, uint64_t value) {
  if (how == Combine::none) return value;
  if (is_float(elem)) {
    const double a = num::to_f64(elem, old);
    const double b = num::to_f64(elem, value);
    if (how == Combine::add) return num::from_f64(elem, canonical(a + b));
    return (how == Combine::max ? a < b : b < a) ? value : old;
  }
  const int64_t a = num::int_value(elem, old);
  const int64_t b = num::int_value(elem, value);
  if (how == Combine::add) return old + value;
  return (how == Combine::max ? a < b : b < a) ? value : old;
}

void mscatter(Context& context) {
  constexpr Outside kModes[] = {Outside::as_is, Outside::drop, Outside::clamp, Outside::wrap};
  const Tile src(context, 0, AccessMode::read);
  const Tile indices(context, 1, AccessMode::read);
  if (!src.good() || src.empty() || !indices.good() || indices.empty()) return;
  const Table table(context, 2, src.size());
  const auto how = static_cast<Combine>(context.attr(0));
  constexpr unsigned kAttrCoalesce = 2;
  const bool by_row = indexes_rows(context, kAttrCoalesce, indices, src.rows(), src.cols());
  if (!indices_cover(context, indices, by_row, src.rows(), src.cols())) return;
  for_indices(context, indices, table, kModes[context.attr(1) & 3], by_row, src.rows(), src.cols(),
              [&](uint64_t row, uint64_t col, bool used, uint64_t index) {
                if (!used) return true;
                std::byte* to =
                    table.at(context, index, how == Combine::none ? AccessMode::write : AccessMode::update);
                if (to == nullptr) return false;
                uint64_t bits = 0;
                std::memcpy(&bits, to, table.size);
                bits = combined(src.elem(), how, bits, src.bits(row, col));
                std::memcpy(to, &bits, table.size);
                return true;
              });
}

constexpr Semantics kTileGatherSemantics[] = {
    {"pto.tgather", tgather}, {"pto.tgatherb", tgatherb}, {"pto.tscatter", tscatter},
    {"pto.mgather", mgather}, {"pto.mscatter", mscatter},
};

}  // namespace

std::span<const Semantics> tile_gather() { return kTileGatherSemantics; }

}  // namespace pto::exec
