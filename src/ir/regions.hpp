// Walks through the structured program: what stands in a region, how it ends, what is around an operation.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "pto/program.hpp"

namespace pto {

inline constexpr uint32_t kNoOp = ~0u;

/// The operations that stand directly in a region, in order; what is nested in them is stepped over.
class ChildOps {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;  // as a range of numbers it gives values
    using value_type = uint32_t;
    using difference_type = std::ptrdiff_t;
    using pointer = const uint32_t*;
    using reference = uint32_t;

    Iterator() = default;
    Iterator(const Program& program, uint32_t at) : program_(&program), at_(at) {}
    uint32_t operator*() const { return at_; }
    Iterator& operator++() {
      at_ = program_->end_of(at_);
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const Program* program_ = nullptr;
    uint32_t at_ = 0;
  };

  ChildOps(const Program& program, uint32_t begin, uint32_t end)
      : begin_(program, begin), end_(program, end) {}
  [[nodiscard]] Iterator begin() const { return begin_; }
  [[nodiscard]] Iterator end() const { return end_; }

 private:
  Iterator begin_, end_;
};
inline ChildOps ops_in(const Program& program, const Region& region) {
  return {program, region.begin, region.end};
}

/// Of all regions of an operation.
inline ChildOps ops_in(const Program& program, uint32_t op) { return {program, op + 1, program.end_of(op)}; }

/// All operations inside of one, at every depth.
class Descendants {
 public:
  class Iterator {
   public:
    explicit Iterator(uint32_t at) : at_(at) {}
    uint32_t operator*() const { return at_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    uint32_t at_;
  };

  Descendants(const Program& program, uint32_t op) : begin_(op + 1), end_(program.end_of(op)) {}
  [[nodiscard]] Iterator begin() const { return Iterator(begin_); }
  [[nodiscard]] Iterator end() const { return Iterator(end_); }

 private:
  uint32_t begin_, end_;
};
inline Descendants descendants(const Program& program, uint32_t op) { return {program, op}; }

/// The first region of an operation that has one.
inline const Region& body_of(const Program& program, uint32_t op) {
  return program.regions[program.ops[op].regions];
}
inline const Region& body_of(const OpView& op) { return body_of(op.program(), op.index()); }

bool is_terminator(const Program& program, uint32_t op);
/// The last operation that stands directly in a region, kNoOp when it is empty.
uint32_t last_of(const Program& program, const Region& region);
/// The same, if it is one that ends regions.
std::optional<uint32_t> terminator(const Program& program, const Region& region);
/// The values that a terminator hands on; of scf.condition those behind the condition.
std::span<const ValueId> yielded_values(const OpView& terminator);
/// The values that a region hands on; none when it has no terminator.
std::span<const ValueId> yielded_values(const Program& program, const Region& region);

/// A vecscope, or a loop in the older spelling: with all that is in it one instruction of PIPE_V.
bool opens_vector_scope(const OpView& op);

/// The operations around the one at which a walk in flat order stands, of those that the walk names.
class EnclosingOps {
 public:
  explicit EnclosingOps(const Program& program) : program_(program) {}
  /// The walk comes to `op`: those that end before it are left, innermost first, and handed to `leave`.
  template <typename Leave>
  void advance_to(uint32_t op, Leave leave) {
    while (!open_.empty() && program_.end_of(open_.back()) <= op) {
      const uint32_t left = open_.back();
      open_.pop_back();
      leave(left);
    }
  }
  void advance_to(uint32_t op) {
    advance_to(op, [](uint32_t) {});
  }
  void enter(uint32_t op) { open_.push_back(op); }
  /// Outermost first.
  [[nodiscard]] std::span<const uint32_t> all() const { return open_; }
  [[nodiscard]] uint32_t innermost() const { return open_.empty() ? kNoOp : open_.back(); }

 private:
  const Program& program_;
  std::vector<uint32_t> open_;
};

/// Whether a function holds synchronisation of its own, so that the tools insert none. Signals between cores
/// order nothing among the pipes of one. Barriers alone are the order of a function on pointers; kernels on
/// tiles have them around what reaches beyond the core, and leave the rest to the tools.
bool has_own_synchronisation(const Program& program, uint32_t function_op);

/// Where every operation stands; made once by those who ask about many.
class RegionTree {
 public:
  explicit RegionTree(const Program& program);

  /// The region an operation stands in, kNoOp for the top module.
  [[nodiscard]] uint32_t region_of(uint32_t op) const { return region_[op]; }
  /// The operation that a region belongs to.
  [[nodiscard]] uint32_t owner(uint32_t region) const { return owner_[region]; }
  /// The operation around one, kNoOp for the top module.
  [[nodiscard]] uint32_t parent(uint32_t op) const {
    return region_[op] == kNoOp ? kNoOp : owner_[region_[op]];
  }
  /// The operation of `region` that is or encloses `op`, kNoOp when `op` stands outside of it.
  [[nodiscard]] uint32_t ancestor_in(uint32_t op, uint32_t region) const;
  /// Whether `first` has always run when `second` runs.
  [[nodiscard]] bool dominates(uint32_t first, uint32_t second) const;

 private:
  std::vector<uint32_t> region_, owner_;
};

}  // namespace pto
