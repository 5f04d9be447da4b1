// The work of the scalar unit for an entry of a tile queue: counts the entry, computes its slot,
// and decides whether it has to wait for a free slot or to release one. The data is moved by the
// instruction that would move it without a queue (queue_transfer).
#pragma once

#include <array>

#include "exec/exec_context.hpp"

namespace pto::exec {

enum class QueueStep : int64_t { push, pop, free };

/// Numbers of a step, as attributes of its Inst.
struct QueueParameters {
  QueueStep step = QueueStep::push;
  int64_t slots = 1;
  int64_t slot_size = 0;                      ///< bytes
  int64_t ring_offset = 0;                    ///< of the direction's slots within the GM buffer
  int64_t local_slots = 1, local_stride = 0;  ///< copies on chip of slots in GM; bytes
  int64_t split = 0;                          ///< pto.split: none, rows, columns, odd rows, odd columns
  int64_t on_vector = 0;                      ///< 1: a vector core takes or leaves its part of the slot
  int64_t element_bytes = 0;                  ///< of what is in the slot

  static constexpr unsigned kCount = 9;
  [[nodiscard]] std::array<int64_t, kCount> words() const {
    return {static_cast<int64_t>(step),
            slots,
            slot_size,
            ring_offset,
            local_slots,
            local_stride,
            split,
            on_vector,
            element_bytes};
  }
};

/// Operand slots of a step; those that it has not are absent. The upper half is written.
enum QueueSlot : unsigned {
  kQueueGlobal,    ///< pointer to or view of the slots in GM
  kQueueLocal,     ///< address of the slots, or of their copies, on chip
  kQueueValidRow,  ///< of a tile that is received
  kQueueValidCol,
  kQueueSubblock,  ///< acts for this vector core instead of its own
  kQueueTile,      ///< that is sent, or received
  kQueueCounter,   ///< entries so far
  kQueueSignal,    ///< 1: a free slot is waited for, or given back
  kQueueWindow,    ///< the tile's part of the slot in GM
  kQueueEntry,     ///< the slot itself as a view
  kQueuePeer,      ///< the slot as a tile in the memory of the other core
  kQueueScale,     ///< of a push that converts: an f32
  kQueueWord,      ///< the quantisation word made of it
  kQueueRow,       ///< where the tile is in it
  kQueueCol,
  kQueueSlots
};

void queue_step(Context& context);

/// The instruction that moves a tile from one memory to another; scaled: with scales from a tile.
RowId queue_transfer(Space from, Space to, bool scaled);

/// The instruction that sets the scale, or the tile of scales, of a converting queue.
std::string_view queue_scale_setter(bool vector);

/// Whether the instruction distinguishes vector cores.
bool asks_subblock(const isa::Row& row);

/// How many slots one free signal represents.
constexpr int64_t queue_period(int64_t slots) { return slots <= 2 ? slots : slots / 2; }

}  // namespace pto::exec
