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
    copy(0, static_cast<uint32_t>(old_ops_.size()));
  }

 private:
  [[nodiscard]] uint32_t end_of(uint32_t op) const {
    const Op& old = old_ops_[op];
    return old.n_regions ? old_regions_[old.regions + old.n_regions - 1u].end : op + 1;
  }

  void copy(uint32_t begin, uint32_t end) {
    for (uint32_t op = begin; op < end; op = end_of(op)) {
      Op& old = old_ops_[op];
      insertions_.before(op, old);
      program_.ops.push_back(old);
      for (uint32_t i = 0; i < old.n_regions; ++i) copy_region(old.regions + i, old.where);
      insertions_.after(op, old.where);
    }
  }

  void copy_region(uint32_t region, Location where) {
    program_.regions[region].begin = static_cast<uint32_t>(program_.ops.size());
    copy(old_regions_[region].begin, old_regions_[region].end);
    insertions_.region_end(region, where);
    program_.regions[region].end = static_cast<uint32_t>(program_.ops.size());
  }

  Program& program_;
  Insertions& insertions_;
  std::vector<Op> old_ops_;
  std::vector<Region> old_regions_;
};

}  // namespace pto
