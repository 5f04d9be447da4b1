// The stream of a program built anew, with operations put in. Operands, attributes, values and the
// operations' own contents stay where they are.
#pragma once

#include <utility>
#include <vector>

#include "pto/program.hpp"

namespace pto {

/// What may stand between the operations of a program: `before` and `after` are told the operation's number
/// in the old stream and may append to Program::ops, `before` also change the operation; `region_end` is told
/// the number of the region that ends.
template <typename Insertions>
class Rebuilder {
 public:
  Rebuilder(Program& program, Insertions& insertions) : program_(program), insertions_(insertions) {}

  void run() {
    old_ops_ = std::move(program_.ops);
    old_regions_ = program_.regions;
    program_.ops.clear();
    program_.ops.reserve(old_ops_.size());
    const auto count = static_cast<uint32_t>(old_ops_.size());
    for (uint32_t op = 0; op < count; ++op) {
      close(op);
      Op& old = old_ops_[op];
      insertions_.before(op, old);
      program_.ops.push_back(old);
      if (old.n_regions == 0)
        insertions_.after(op, old.where);
      else
        open(op, 0);
    }
    close(count);
  }

 private:
  /// A region that is being copied; without recursion, as structures may be nested deeply.
  struct Open {
    uint32_t op, number;
  };
  [[nodiscard]] uint32_t region_of(const Open& open) const { return old_ops_[open.op].regions + open.number; }

  void open(uint32_t op, uint32_t number) {
    open_.push_back({op, number});
    program_.regions[region_of(open_.back())].begin = static_cast<uint32_t>(program_.ops.size());
  }
  /// All regions that end in front of `next`, and the next ones of their operations, which may be empty.
  void close(uint32_t next) {
    while (!open_.empty() && old_regions_[region_of(open_.back())].end <= next) {
      const Open ended = open_.back();
      open_.pop_back();
      const Op& old = old_ops_[ended.op];
      insertions_.region_end(region_of(ended), old.where);
      program_.regions[region_of(ended)].end = static_cast<uint32_t>(program_.ops.size());
      if (ended.number + 1u < old.n_regions)
        open(ended.op, ended.number + 1);
      else
        insertions_.after(ended.op, old.where);
    }
  }

  Program& program_;
  Insertions& insertions_;
  std::vector<Op> old_ops_;
  std::vector<Region> old_regions_;
  std::vector<Open> open_;
};

}  // namespace pto
