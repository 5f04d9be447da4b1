#include "exec/scalar/tile_queue.hpp"

#include <algorithm>

#include "exec/address_math.hpp"
#include "exec/scalar/descriptors.hpp"
#include "support/saturating.hpp"

namespace pto::exec {
namespace {

enum Split : int64_t { kSplitNone, kSplitRows, kSplitColumns, kSplitOddRows, kSplitOddColumns };

QueueParameters parameters_of(const Context& c) {
  const auto at = [&](unsigned i) { return c.attr(i); };
  return {static_cast<QueueStep>(at(0)),
          std::max<int64_t>(at(1), 1),
          at(2),
          at(3),
          std::max<int64_t>(at(4), 1),
          at(5),
          at(6),
          at(7),
          at(8)};
}

/// Where a part of rows x cols is in its slot: bytes from the slot's begin, elements from row to row.
struct Part {
  int64_t offset = 0, pitch = 0;
};

Part queue_part(const QueueParameters& q, int64_t lane, int64_t rows, int64_t cols) {
  const int64_t size = q.element_bytes;
  if (q.on_vector == 0) return {0, cols};  // the cube core sends and receives whole entries
  switch (q.split) {
    case kSplitRows:
      return {sat_mul(sat_mul(lane * size, rows), cols), cols};
    case kSplitColumns:
      return {sat_mul(lane * size, cols), sat_mul<int64_t>(2, cols)};
    case kSplitOddRows:
      return {sat_mul(sat_mul(lane * size, rows + lane), cols), cols};
    case kSplitOddColumns:
      return {sat_mul(lane * size, cols + lane), sat_mul<int64_t>(2, cols) + 2 * lane - 1};
    default:
      return {0, cols};
  }
}

void set_window(const Context& c, unsigned slot, uint64_t addr, int64_t rows, int64_t cols, int64_t pitch) {
  ViewDesc& window = c.view(slot);
  window = {addr, {1, 1, 1, rows, cols}, {}, 0};
  window.stride[4] = 1;
  window.stride[3] = pitch;
  for (int i = 2; i >= 0; --i) window.stride[i] = sat_mul(pitch, rows);
}

/// The slot with the shape of its type; strides are those of the view that the queue was made with.
void set_entry(const Context& c, const QueueParameters& q, uint64_t slot, int64_t lane) {
  const Type& type = c.type(kQueueEntry);
  ViewDesc view;
  fill_static_view(view, type, slot);
  if (c.type(kQueueGlobal).is_view()) {
    const ViewDesc& made_with = c.view(kQueueGlobal);
    std::copy(std::begin(made_with.stride), std::end(made_with.stride), view.stride);
    view.layout = made_with.layout;
    for (int i = 0; i < type.rank; ++i) {
      const int at = kMaxRank - type.rank + i;
      if (type.dims[static_cast<size_t>(i)] == kDynamic) view.shape[at] = made_with.shape[at];
    }
  }
  view.addr = moved(slot, queue_part(q, lane, view.shape[3], view.shape[4]).offset);
  c.view(kQueueEntry) = view;
}

/// The slot as a tile of the other core's memory, and where in it the tile that is sent stands.
void set_peer(const Context& c, const QueueParameters& q, uint64_t slot, int64_t lane, const TileDesc& tile) {
  const Type& type = c.type(kQueuePeer);
  TileDesc& peer = c.tile(kQueuePeer);
  peer = tile_of_type(type, slot);
  if (q.on_vector == 0) {
    peer.valid_rows = q.split == kSplitRows ? tile.valid_rows / 2 : tile.valid_rows;
    peer.valid_cols = q.split == kSplitColumns ? tile.valid_cols / 2 : tile.valid_cols;
    return;
  }
  if (c.has(kQueueRow))
    c.frame[c.ref(kQueueRow).offset] = q.split == kSplitRows ? static_cast<Word>(lane) * tile.valid_rows : 0;
  if (c.has(kQueueCol))
    c.frame[c.ref(kQueueCol).offset] =
        q.split == kSplitColumns ? static_cast<Word>(lane) * tile.valid_cols : 0;
}

/// pto-isa SetQuantScalar.hpp: bit 46 says whether an 8-bit result is signed.
void set_word(const Context& c, Elem to) {
  constexpr Word kSigned = Word{1} << 46;
  c.frame[c.ref(kQueueWord).offset] =
      (c.word(kQueueScale) & 0xffffffffu) |
      (byte_width(to) == 1 && is_integer(to) && !is_unsigned(to) ? kSigned : 0);
}

/// The push that follows takes its scales from the operand (QueueFacts::scales_of).
void set_quant(Context&) {}

constexpr Semantics kScalarTileQueueSemantics[] = {
    {"pto.set_quant_scalar", set_quant},
    {"pto.set_quant_vector", set_quant},
};

}  // namespace

std::span<const Semantics> queue() { return kScalarTileQueueSemantics; }

void queue_step(Context& c) {
  const QueueParameters q = parameters_of(c);
  Word& counter = c.frame[c.ref(kQueueCounter).offset];
  const auto index = static_cast<int64_t>(counter++);
  const int64_t period = queue_period(q.slots);
  c.frame[c.ref(kQueueSignal).offset] =
      q.step == QueueStep::push ? index >= q.slots && index % period == 0 : (index + 1) % period == 0;
  if (q.step == QueueStep::free) return;

  const int64_t lane = q.on_vector == 0        ? 0
                       : c.has(kQueueSubblock) ? c.i64(kQueueSubblock) & 1
                                               : static_cast<int64_t>(c.subblock_idx);
  const bool in_gm = c.has(kQueueGlobal);
  uint64_t slot = 0;
  if (in_gm)
    slot = moved(moved(address_of(c, kQueueGlobal), q.ring_offset), index % q.slots, q.slot_size);
  else if (c.has(kQueueLocal))
    slot = moved(c.word(kQueueLocal), index % q.slots, q.slot_size);
  if (c.has(kQueueEntry)) return set_entry(c, q, slot, lane);
  if (!c.has(kQueueTile)) return;

  TileDesc& tile = c.tile(kQueueTile);
  if (q.step == QueueStep::pop) {
    const Type& type = c.type(kQueueTile);
    tile = tile_of_type(type, slot);
    take_valid(c, tile, type, kQueueValidRow, kQueueValidCol);
    if (in_gm)
      tile.addr = moved(c.has(kQueueLocal) ? c.word(kQueueLocal) : 0, index % q.local_slots, q.local_stride);
  }
  if (c.has(kQueueWindow)) {
    const Part part = queue_part(q, lane, tile.valid_rows, tile.valid_cols);
    set_window(c, kQueueWindow, moved(slot, part.offset), tile.valid_rows, tile.valid_cols, part.pitch);
  }
  if (c.has(kQueuePeer)) set_peer(c, q, slot, lane, tile);
  if (c.has(kQueueScale)) set_word(c, c.type(c.has(kQueuePeer) ? kQueuePeer : kQueueWindow).elem);
}

RowId queue_transfer(Space from, Space to, bool scaled) {
  const char* name = from == Space::gm                       ? "pto.tload"
                     : to == Space::gm                       ? "pto.tstore"
                     : from == Space::l0c && to == Space::ub ? "pto.tmov"
                                                             : "pto.tinsert";
  const isa::Row* row = isa::find_row(name);
  while (scaled && isa::schema(isa::id_of(*row)).operand_slot("fp") < 0) ++row;  // a further form
  return isa::id_of(*row);
}

std::string_view queue_scale_setter(bool vector) {
  return vector ? "pto.set_quant_vector" : "pto.set_quant_scalar";
}

bool asks_subblock(const isa::Row& row) {
  return row.name == "pto.get_subblock_idx" || row.name == "pto.get_subblock_num";
}

}  // namespace pto::exec
