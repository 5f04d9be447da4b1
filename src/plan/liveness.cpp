// Live ranges over structured control flow.
#include <algorithm>

#include "plan/memory.hpp"

namespace pto::planner {
namespace {

class Liveness {
 public:
  Liveness(const Program& program, const Storage& storage)
      : program_(program), storage_(storage), ranges_(storage.roots().size()) {}

  std::vector<LiveRange> run() {
    const Rows& rows = Rows::get();
    for (uint32_t op = 0; op < program_.ops.size(); ++op) {
      while (!loops_.empty() && op >= program_.end_of(loops_.back())) loops_.pop_back();
      for (const Access& access : storage_.accesses(op)) touch(storage_.set(access.roots), op);
      if (program_.ops[op].row == rows.call) touch_operands(op);
      if (program_.ops[op].row == rows.for_ || program_.ops[op].row == rows.while_) loops_.push_back(op);
    }
    for (const Storage::Carried& carried : storage_.carried()) extend(carried.root, carried.loop, last_of(carried.loop));
    return std::move(ranges_);
  }

 private:
  void extend(RootId root, uint32_t begin, uint32_t end) {
    ranges_[root].begin = std::min(ranges_[root].begin, begin);
    ranges_[root].end = std::max(ranges_[root].end, end);
  }
  [[nodiscard]] uint32_t last_of(uint32_t op) const { return program_.end_of(op) - 1; }

  void touch(std::span<const RootId> roots, uint32_t op) {
    for (const RootId root : roots) {
      if (storage_.roots()[root].kind != Root::Kind::tile) continue;
      const uint32_t made = storage_.roots()[root].op;
      // The outermost loop that the tile was made before: its bytes may be needed in every iteration.
      const auto loop = std::upper_bound(loops_.begin(), loops_.end(), made);
      if (loop == loops_.end())
        extend(root, op, op);
      else
        extend(root, *loop, last_of(*loop));
    }
  }

  void touch_operands(uint32_t op) {
    for (const ValueId value : OpView(program_, op).operands(0)) touch(storage_.roots_of(value), op);
  }

  const Program& program_;
  const Storage& storage_;
  std::vector<LiveRange> ranges_;
  std::vector<uint32_t> loops_;  ///< open loops, outermost first
};

}  // namespace

std::vector<LiveRange> live_ranges(const Program& program, const Storage& storage) {
  return Liveness(program, storage).run();
}

}  // namespace pto::planner
