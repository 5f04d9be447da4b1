// What is known of the program's values while the checks walk through it: integers, and places in memory.
//
// A place is a base and a distance in bytes. Bases are the on-chip memories (for addresses that are
// constants), tiles without an address, arguments, and pointers of unknown origin, which are a base of their
// own each time they are computed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "pto/program.hpp"
#include "verify/sync/row_facts.hpp"

namespace pto::legality::sync {

using Base = uint32_t;

struct AbstractValue {
  enum class Kind : uint8_t { nothing, integer, place } kind = Kind::nothing;
  bool window = false;        ///< place: a subview, whose rows are apart
  Space space = Space::none;  ///< place
  Base base = 0;              ///< place
  ValueId tile = kNoValue;    ///< place in a tile: the alloc_tile or tassign result it belongs to
  int64_t number = 0;         ///< integer; place: bytes from the base
  bool operator==(const AbstractValue&) const = default;
};

class AbstractValues {
 public:
  explicit AbstractValues(const Program& program) : program_(program), known_(program.values.size()) {}

  [[nodiscard]] const AbstractValue& value_of(ValueId value) const {
    return value == kNoValue ? nothing_ : known_[value];
  }
  [[nodiscard]] std::optional<int64_t> integer(ValueId value) const;
  void set(ValueId value, const AbstractValue& known) { known_[value] = known; }
  void set_integer(ValueId value, std::optional<int64_t> number);
  /// A value nothing is known of; storage becomes a base of its own.
  void forget(ValueId value);
  /// An argument of an entry function: a buffer of its own.
  void set_argument(ValueId value);
  /// Results of operations without regions.
  void evaluate(const OpView& op, const OperationFacts& facts);

 private:
  void place_tile(const OpView& op, ValueId address);
  void slot(const OpView& op);
  void cast_pointer(const OpView& op);
  void add_pointer(const OpView& op);
  void window(const OpView& op);
  void partition(const OpView& op);
  void rename(const OpView& op);

  const Program& program_;
  AbstractValue nothing_;
  std::vector<AbstractValue> known_;
  Base fresh_ = 0x80000000U;
};

/// Base of constant addresses in a memory.
inline Base memory_base(Space space) { return static_cast<Base>(space); }
inline bool is_memory_base(Base base) { return base < static_cast<Base>(kSpaceCount); }
/// Whether values of the type denote storage.
bool denotes_storage(const Type& type);

}  // namespace pto::legality::sync
