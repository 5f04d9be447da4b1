// Storage that the values of a program may denote. Memory planning and flag insertion share this analysis.
//
// A root is one piece of storage: a tile's bytes, the buffer behind a pointer argument, or "anything in this
// memory" for a pointer of unknown origin. A value represents a set of roots: views, casts and subviews hand
// on those of their source, selects and loop-carried values join those of all sources.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "analysis/equal_values.hpp"
#include "analysis/expression.hpp"
#include "analysis/multi_buffer_slots.hpp"
#include "isa/row.hpp"
#include "pto/program.hpp"

namespace pto::planner {

using RootId = uint32_t;
using SetId = uint32_t;  ///< interned set of roots; 0 is the empty set

struct Root {
  enum class Kind : uint8_t { tile, buffer, unknown } kind = Kind::unknown;
  Space space = Space::none;
  uint32_t op = 0;               ///< tile: the operation that makes it; else the function
  ValueId value = kNoValue;      ///< tile: its value; buffer: the argument
  uint64_t bytes = 0;            ///< tile; the buffer of a tile queue counts as one
  uint32_t slot = 0, slots = 1;  ///< of an alloc_multi_tile: which one, of how many roots in a row
  uint64_t offset = 0;           ///< from the first slot
  std::optional<uint64_t> addr;  ///< tile: given or planned
  bool planned = false;          ///< tile: the address is the planner's to choose
};

/// One access of an operation to the storage of one of its values.
struct StorageUse {
  SetId roots = 0;
  bool read = false, write = false;
  ValueId value = kNoValue;  ///< the operand, where it is all that the operation does with it
  Pipe pipe = Pipe::none;    ///< of a phase on another pipe than the operation's own; none: its own
};

class Storage {
 public:
  /// `same`: arguments of functions of one launch that are one buffer.
  explicit Storage(const Program& program, SameValues same = {});

  [[nodiscard]] std::span<const RootId> roots_of(ValueId value) const { return set(value_set_[value]); }
  [[nodiscard]] std::span<const RootId> set(SetId id) const { return sets_[id]; }
  [[nodiscard]] const std::vector<Root>& roots() const { return roots_; }
  [[nodiscard]] std::vector<Root>& roots() { return roots_; }
  [[nodiscard]] const Constants& constants() const { return constants_; }
  [[nodiscard]] const SameValues& same() const { return same_; }
  /// Of values that functions are compared by; terms are added on demand.
  [[nodiscard]] ExpressionTable& expressions() const { return expressions_; }
  /// The accesses of the operation itself, without its regions; none for address arithmetic.
  [[nodiscard]] std::vector<StorageUse> accesses(uint32_t op) const;
  /// Loops that hand a tile made inside them to their next iteration, with the tile's root.
  struct LoopCarried {
    uint32_t loop;
    RootId root;
  };
  [[nodiscard]] const std::vector<LoopCarried>& loop_carried() const { return carried_; }

 private:
  void visit(uint32_t op);
  void visit_regions(uint32_t op);
  void visit_function(uint32_t op);
  void flow(ValueId from, ValueId to);
  void join(ValueId to, SetId more);
  SetId join_sets(SetId a, SetId b);
  SetId single(RootId root);
  SetId tile_made_by(const OpView& op);
  SetId slots_meant(const OpView& get);
  RootId new_root(Root root);
  SetId unknown(Space space);
  void find_loop_carried();
  void make_room_for_scratch();
  void find_queues();
  SetId reserved(uint32_t reserve);

  const Program& program_;
  SameValues same_;
  std::vector<Root> roots_;
  std::vector<std::vector<RootId>> sets_;
  std::map<std::vector<RootId>, SetId> set_ids_;
  std::vector<SetId> value_set_;
  Constants constants_;
  Slots slots_;
  mutable ExpressionTable expressions_;
  std::vector<SetId> op_root_;  ///< by operation that makes storage, so that later rounds find it
  SetId unknown_[kSpaceCount] = {};
  SetId status_ = 0;  ///< registers that V leaves results in; 0: the program reads none
  std::vector<LoopCarried> carried_;
  std::map<uint32_t, uint32_t> buffer_of_;  ///< operation that receives or gives back -> reserve_buffer
  std::map<ValueId, uint32_t> received_;    ///< received tile -> reserve_buffer
  bool changed_ = false;
};

/// Types whose values denote storage.
bool denotes_storage(const Type& type);

}  // namespace pto::planner
