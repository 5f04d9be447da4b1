// Tile queues of a program: their ends (initialize_*), what uses them, the buffers they lie in, and which
// ends belong together. Collected once; the rules of pass_queues.cpp, queue_peers.cpp and queue_pops.cpp read
// it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "isa/functions.hpp"
#include "isa/walk.hpp"
#include "verify/checker.hpp"

namespace pto::legality {

/// What an instruction is to a queue.
struct QueueRow {
  bool frontend = false;   ///< names its queue by `id`, not by a handle
  bool to_vector = false;  ///< frontend data operations: cube to vector, else vector to cube
  FunctionInfo::Kind core = FunctionInfo::Kind::unknown;  ///< frontend: the core it runs on
};
QueueRow queue_row(const isa::Row& row);
inline QueueRow queue_row(RowId row) { return queue_row(isa::row(row)); }
/// Takes, gives back or fills a slot.
inline bool moves_slot(isa::Does does) {
  return does >= isa::Does::queue_alloc && does <= isa::Does::queue_free;
}
/// Belongs to a queue: its ends, its uses, the buffers it lies in.
inline bool concerns_queues(isa::Does does) {
  return (does >= isa::Does::queue_init && does <= isa::Does::queue_free) ||
         does == isa::Does::reserve_buffer || does == isa::Does::import_buffer;
}

/// One end of a queue.
struct QueueEnd {
  uint32_t op = 0;
  const Function* function = nullptr;
  int64_t id = 0;          ///< frontend
  int64_t directions = 0;  ///< bit 0 cube to vector, bit 1 back
  int64_t slot_size = 0, slots = 0;
  std::optional<int64_t> local_slots, flag_base;
  std::optional<bool> nosplit;
  ValueId local = kNoValue,
          peer_local = kNoValue;  ///< addresses of the slots on chip, second direction second
  ValueId global = kNoValue;      ///< slots in GM: a view
  bool frontend = false;
  bool global_only = false;
  std::vector<uint32_t> users;
};

struct QueueUse {
  uint32_t op = 0;
  const Function* function = nullptr;
  std::optional<size_t> end;  ///< index of the end it belongs to
};

/// A reserved buffer, by the function that reserves it and its name.
using BufferKey = std::pair<uint32_t, std::string_view>;

class Queues {
 public:
  explicit Queues(Checker& check);

  Checker& check;
  const Program& program;
  const Functions functions;
  const RegionTree regions;
  std::vector<QueueEnd> ends;
  std::vector<QueueUse> uses;
  std::vector<uint32_t> reserves, imports;

  /// The buffer an address comes from; nothing when it is computed or passed in.
  [[nodiscard]] std::optional<BufferKey> buffer_of(ValueId address, const Function& function) const;
  /// The reserve_buffer operation of a name in a function; ~0 when there is none.
  [[nodiscard]] uint32_t reserve_in(uint32_t function, std::string_view name) const;
  [[nodiscard]] std::string_view text(const OpView& op, std::string_view attr) const;
  [[nodiscard]] OpView view(uint32_t op) const { return {program, op}; }
  /// "the queue with id 3" or "%pipe".
  [[nodiscard]] std::string name(const QueueEnd& end) const;

 private:
  void add_end(const OpView& op, const Function& function);
  void attach();
};

/// A note at an operation.
void note_at(Diagnostic& diagnostic, const OpView& op, std::string message);
unsigned attribute_of(const OpView& op, std::string_view name);

void check_queue_peers(Queues& queues);
void check_queue_pops(Queues& queues);

}  // namespace pto::legality
