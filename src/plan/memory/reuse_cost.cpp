// One walk in the order of the text. Vector clocks, as in plan/sync/order_requirements.cpp, give
// the orders that follow from data dependences alone, before any two tiles share bytes.
#include "plan/memory/reuse_cost.hpp"

#include <algorithm>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"

namespace pto::planner {

ReuseCost::ReuseCost(const Program& program, const Storage& storage, bool vector_barriers)
    : program_(program),
      storage_(storage),
      vector_barriers_(vector_barriers),
      uses_(storage.roots().size()),
      seen_(storage.roots().size()) {
  loops_[0].end = static_cast<uint32_t>(program.ops.size());
  uint32_t end_of_scope = 0;
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    enter(op);
    const OpView view(program, op);
    if (op >= end_of_scope && opens_vector_scope(view)) end_of_scope = program.end_of(op);
    const int pipe = lane_of(op < end_of_scope ? Pipe::v : isa::pipe_of(view));
    if (pipe >= 0) step(op, pipe);
  }
  for (; open_ != 0; open_ = loops_[open_].around) loops_[open_].last = place_;
  loops_[0].last = place_;
}

void ReuseCost::enter(uint32_t op) {
  for (; open_ != 0 && op >= loops_[open_].end; open_ = loops_[open_].around) loops_[open_].last = place_;
  if (!isa::is_loop(isa::opcode_class(program_.ops[op]))) return;
  loops_.push_back({op, program_.end_of(op), open_, place_, place_});
  depth_.push_back(depth_[open_] + 1);
  open_ = static_cast<uint32_t>(loops_.size() - 1);
}

void ReuseCost::step(uint32_t op, int pipe) {
  const std::vector<StorageUse> accesses = storage_.accesses(op);
  if (accesses.empty()) return;
  const auto self = static_cast<uint32_t>(pipe);
  for (const StorageUse& access : accesses) {
    for (const RootId root : storage_.set(access.roots)) order(access, root, pipe);
  }
  for (const StorageUse& access : accesses) {
    for (const RootId root : storage_.set(access.roots)) {
      note_use(root, pipe);
      if (access.read) seen_[root].read.set(self, place_);
      if (access.write) seen_[root].write.set(self, place_);
    }
  }
  order_.execute(self, place_);
  done_.push_back(order_.release_store(self));
  ++place_;
}

/// Learns what those know for whom it has to wait.
void ReuseCost::order(const StorageUse& access, RootId root, int pipe) {
  const auto self = static_cast<uint32_t>(pipe);
  for (uint32_t other = 0; other < kLanes; ++other) {
    const uint32_t need = std::max(seen_[root].write[other], access.write ? seen_[root].read[other] : kNever);
    if (!order_.is_ordered({other, need}, self)) order_.acquire(self, done_[need]);
  }
}

void ReuseCost::note_use(RootId root, int pipe) {
  Use& use = uses_[root];
  if (use.first == kNever) {
    use.first = place_;
    use.first_pipe = pipe;
    use.known = order_.clock(static_cast<uint32_t>(pipe));
    use.loop = open_;
  }
  use.last.set(static_cast<uint32_t>(pipe), place_);
  use.loop = common(use.loop, open_);
}

uint32_t ReuseCost::common(uint32_t a, uint32_t b) const {
  while (a != b) (depth_[a] >= depth_[b] ? a : b) = loops_[depth_[a] >= depth_[b] ? a : b].around;
  return a;
}

/// From the last work on one tile to the first on another, `later` places further on than the text has it.
/// The shorter the way, the more likely somebody waits.
double ReuseCost::edge(const Use& before, const Use& after, uint32_t later) const {
  if (before.first == kNever || after.first == kNever) return 0;
  double sum = 0;
  for (int pipe = 0; pipe < kLanes; ++pipe) {
    const uint32_t last = before.last[static_cast<uint32_t>(pipe)];
    if (last == kNever ||
        (later == 0 && pipe != after.first_pipe && after.known[static_cast<uint32_t>(pipe)] >= last))
      continue;
    constexpr double kBarrier = 0.05;  // beside a wait for another pipe
    const bool same = pipe == after.first_pipe;
    if (same && !(vector_barriers_ && pipe == lane_of(Pipe::v))) continue;
    const int64_t distance = int64_t{after.first} + later - last;
    sum += (same ? kBarrier : 1.0) / static_cast<double>(std::max<int64_t>(1, distance));
  }
  return sum;
}

double ReuseCost::cost(const std::vector<RootId>& tiles) const {
  double sum = 0;
  for (size_t i = 1; i < tiles.size(); ++i) sum += edge(uses_[tiles[i - 1]], uses_[tiles[i]], 0);
  // Around each loop, from the last tile in it to the first.
  for (size_t first = 0; first < tiles.size();) {
    const uint32_t loop = uses_[tiles[first]].loop;
    size_t last = first;
    while (last + 1 < tiles.size() && uses_[tiles[last + 1]].loop == loop) ++last;
    if (loop != 0)
      sum += edge(uses_[tiles[last]], uses_[tiles[first]], loops_[loop].last - loops_[loop].first);
    first = last + 1;
  }
  return sum;
}

}  // namespace pto::planner
