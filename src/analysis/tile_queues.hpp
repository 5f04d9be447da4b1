// Tile queues of a program: their ends (initialize_*), what uses them, the buffers they lie in, which ends
// belong together, and the flags they take. Collected once; legality, planner and loader read it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "ir/regions.hpp"
#include "ir/symbol_table.hpp"
#include "isa/row.hpp"

namespace pto {

/// What an instruction is to a queue.
struct QueueRow {
  bool frontend = false;   ///< names its queue by `id`, not by a handle
  bool to_vector = false;  ///< frontend data operations: cube to vector, else vector to cube
  FunctionInfo::Kind core = FunctionInfo::Kind::unknown;  ///< frontend: the core it runs on
};
QueueRow queue_row(const isa::Row& row);
inline QueueRow queue_row(RowId row) { return queue_row(isa::row(row)); }
bool has_queues(const Program& program);
/// Reserves a buffer that has no address yet.
bool reserves_room(const OpView& op);

/// How a push of the accumulator converts it (acc_push_epilogue).
struct QueueEpilogue {
  std::string_view layout, quant, relu;
  bool operator==(const QueueEpilogue&) const = default;
};

/// One end of a queue.
struct QueueEnd {
  uint32_t op = 0;
  const Function* function = nullptr;
  int64_t id = 0;          ///< frontend
  int64_t directions = 0;  ///< bit 0 cube to vector, bit 1 back
  int64_t slot_size = 0, slots = 0;
  std::optional<int64_t> local_slots, flag_base;
  std::optional<bool> nosplit;
  std::optional<QueueEpilogue> epilogue;
  ValueId local = kNoValue,
          peer_local = kNoValue;  ///< addresses of the slots on chip, second direction second
  ValueId global = kNoValue;      ///< slots in GM: a pointer or a view
  bool frontend = false;
  bool global_only = false;
  bool buffered = false;  ///< over a buffer that one side reserves and the other imports
  size_t group = 0;       ///< ends with one number are one queue
  std::vector<uint32_t> users;
};

struct QueueUse {
  uint32_t op = 0;
  const Function* function = nullptr;
  std::optional<size_t> end;  ///< index of the end it belongs to
};

/// A reserved buffer, by the function that reserves it and its name.
using BufferKey = std::pair<uint32_t, std::string_view>;

/// The flags of one queue: [base, base + width) of the 16 that the cores of a block share.
struct QueueFlags {
  static constexpr int64_t kCount = 16;
  int64_t base = 0, width = 2;
  uint32_t taken_by = ~0u;  ///< a stated base: the end of another queue of these functions that has them
  int64_t taken_base = 0, taken_width = 0;
  [[nodiscard]] bool fits() const { return base + width <= kCount; }
};

class QueueFacts {
 public:
  explicit QueueFacts(const Program& program);

  const Program& program;
  const Functions functions;
  const RegionTree regions;
  const Constants constants;
  std::vector<QueueEnd> ends;
  std::vector<QueueUse> uses;
  std::vector<uint32_t> reserves, imports;
  std::map<size_t, std::vector<size_t>> groups;  ///< group -> its ends, in the order of the program

  /// The buffer an address comes from; nothing when it is computed or passed in.
  [[nodiscard]] std::optional<BufferKey> buffer_of(ValueId address, const Function& function) const;
  /// The reserve_buffer operation of a name in a function; ~0 when there is none.
  [[nodiscard]] uint32_t reserve_in(uint32_t function, std::string_view name) const;
  /// The reserve_buffer operation that reserve_buffer or import_reserved_buffer stands for; ~0: none.
  [[nodiscard]] uint32_t reserve_of(const OpView& buffer) const;
  [[nodiscard]] std::string_view text(const OpView& op, std::string_view attr) const;
  [[nodiscard]] OpView view(uint32_t op) const { return {program, op}; }
  /// The end an operation uses; nullptr when it belongs to none.
  [[nodiscard]] const QueueEnd* end_of(uint32_t op) const;
  /// The last operation in front of a push, in its block, that has this name and is of its queue; kNoOp.
  [[nodiscard]] uint32_t scales_of(const OpView& push, std::string_view setter) const;
  /// The type that the other end of a queue receives; nullptr when it receives nothing.
  [[nodiscard]] const Type* received(const QueueEnd& end) const;
  /// Functions that one function calls run together; without calls the whole program does.
  [[nodiscard]] bool is_same_queue(const Function& a, const Function& b) const;
  /// First fit from 0, or as stated; queues with the smallest id first.
  [[nodiscard]] std::map<size_t, QueueFlags> flags(const std::set<size_t>& of) const;

 private:
  void add_end(const OpView& op, const Function& function);
  void attach();
  void find_callers();
  void join();
  [[nodiscard]] size_t root(size_t end) const;

  std::multimap<const Function*, const Function*> callers_;
  std::map<uint32_t, size_t> end_of_;
};

}  // namespace pto
