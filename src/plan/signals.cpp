// Flags between pipes of two cores are signals: counters, one per id and core. A wait takes one; a counter
// holds up to 15. A cube core's signal reaches both vector cores of its block, and a cube core is signalled
// when both have done so (mode 2 of pto.sync.set, which A2/A3 and A5 have).
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "isa/walk.hpp"
#include "plan/sync.hpp"
#include "plan/unroll.hpp"

namespace pto::planner {
namespace {

/// 11 to 14 are those of pto.syncall (docs/engine.md).
constexpr int kSignalIds = 11;
constexpr int64_t kMostUnanswered = 15;
/// Signals of one id, and each may be kAhead turns ahead.
constexpr size_t kMostOfAnId = 3;
static_assert(kMostOfAnId * (kAhead + 1) <= kMostUnanswered);

std::string_view core_name(int agent) { return core_of(agent) == 0 ? "cube" : "vector"; }

}  // namespace

/// Whether the source could be more signals ahead than a counter holds.
bool SyncPlanner::needs_credit(const PlannedFlag& flag) const {
  const Block& block = blocks_[flag.block];
  if (!block.repeats || flag.known_again >= flag.wait_stamp) return false;
  const KnownRows& rows = KnownRows::get();
  const Constants constants(program_);
  int64_t most = 1;
  for (const Block* inner = &block; inner->parent != kNone; inner = &blocks_[inner->parent]) {
    const uint32_t op = inner->op;
    if (program_.ops[op].row != rows.for_) continue;
    const Number trips = trips_of(program_, constants, op);
    if (!trips || __builtin_mul_overflow(most, std::max<int64_t>(*trips, 1), &most)) return true;
  }
  return most >= static_cast<int64_t>(kMostUnanswered / kMostOfAnId);
}

/// Whether one id does for both: set in the order in which they are waited for.
bool SyncPlanner::may_follow(const PlannedFlag& first, const PlannedFlag& second) const {
  return first.block == second.block && first.source == second.source &&
         first.destination == second.destination && !first.backward && !second.backward &&
         first.set_item < second.set_item && first.wait_item < second.wait_item;
}

void SyncPlanner::give_signals() {
  refuse_uneven();
  for (const Block& block : blocks_) {
    if (((block.start_barrier | block.end_barrier) & kTogether) == 0) continue;
    if (meeting_ < 0) meeting_ = next_signal_, next_signal_ += 2;
  }
  struct Users {
    std::vector<uint32_t> flags;
    int id = 0;
  };
  std::vector<Users> ids;
  const auto give = [&](uint32_t index, bool share) {
    PlannedFlag& flag = flags_[index];
    for (Users& users : ids) {
      if (!share || users.flags.size() >= kMostOfAnId || !may_follow(flags_[users.flags.back()], flag))
        continue;
      users.flags.push_back(index);
      return flag.id = users.id;
    }
    ids.push_back({{index}, next_signal_++});
    return flag.id = ids.back().id;
  };
  size_t wanted = static_cast<size_t>(next_signal_);
  for (PlannedFlag& flag : flags_) {
    if (flag.dropped || !flag.crosses()) continue;
    const bool credit = needs_credit(flag);
    if (credit) flag.credit_id = 0;
    wanted += credit ? 2 : 1;
  }
  for (uint32_t index = 0; index < flags_.size(); ++index) {
    PlannedFlag& flag = flags_[index];
    if (flag.dropped || !flag.crosses()) continue;
    give(index, wanted > kSignalIds);
    if (flag.credit_id == 0) flag.credit_id = next_signal_++;
    if (next_signal_ <= kSignalIds) continue;
    refuse(flag,
           fmt::format("no id is left for a signal: {} are wanted, and there are {}", wanted, kSignalIds),
           "divide the kernel, or write the signals (pto.sync.set, pto.sync.wait) and join some of them");
    return;
  }
}

void SyncPlanner::refuse(const PlannedFlag& flag, std::string_view why, std::string_view help) {
  const Block& block = blocks_[flag.block];
  const uint32_t first = block.items[flag.set_item].op, second = block.items[flag.wait_item].op;
  const auto name = [&](uint32_t op) { return std::string(isa::row(program_.ops[op].row).name); };
  Diagnostic& d = diagnostics_.error(
      "E0607",
      fmt::format("{} on the vector core depends on {} on the cube core, and cannot be ordered: {}",
                  core_of(flag.destination) == 1 ? name(second) : name(first),
                  core_of(flag.destination) == 1 ? name(first) : name(second), why),
      Span{}, program_.ops[second].where);
  Note note;
  note.message = fmt::format("{} of the {} core stands here", name(first), core_name(flag.source));
  note.where = program_.ops[first].where;
  d.notes.push_back(std::move(note));
  d.help = help;
}

/// Values that are not the same on all cores of a block.
std::vector<bool> SyncPlanner::differing_values() const {
  std::vector<bool> differs(program_.values.size(), false);
  for (bool more = true; more;) {
    more = false;
    const auto mark = [&](ValueId value) {
      if (!differs[value]) differs[value] = more = true;
    };
    for (uint32_t index = function_.op; index < program_.end_of(function_.op); ++index) {
      const OpView op(program_, index);
      bool any = isa::does(op) == isa::Does::vector_core_number;
      for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
        for (const ValueId value : op.operands(slot)) any = any || (value != kNoValue && differs[value]);
      }
      if (!any) continue;
      for (uint32_t r = 0; r < op.op().n_results; ++r) mark(op.result(r));
      for (const Region& region : program_.regions_of(op.op())) {
        for (uint32_t i = 0; i < region.n_args; ++i) mark(region.first_arg + i);
      }
    }
  }
  return differs;
}

/// Signals in a loop or a branch are as many on one core as on the other only where all cores take the same
/// way.
void SyncPlanner::refuse_uneven() {
  std::vector<bool> differs;
  for (const PlannedFlag& flag : flags_) {
    if (flag.dropped || !flag.crosses()) continue;
    if (differs.empty()) differs = differing_values();
    const Block* inner = &blocks_[flag.block];
    for (; inner->parent != kNone; inner = &blocks_[inner->parent]) {
      const OpView around(program_, inner->op);
      bool uneven = false;
      for (unsigned slot = 0; slot < isa::schema(around.op().row).operands.size(); ++slot) {
        for (const ValueId value : around.operands(slot))
          uneven = uneven || (value != kNoValue && differs[value]);
      }
      if (!uneven) continue;
      return refuse(flag,
                    fmt::format("{} around it depends on pto.get_subblock_idx, so that the cores of a block "
                                "do not run it equally often",
                                isa::row(around.op().row).name),
                    "put what depends on the number of the vector core into pto.section.vector");
    }
  }
}

}  // namespace pto::planner
