// Flags between pipes of two cores are signals: counters, one per id and core. A wait takes one; a counter
// holds up to 15. A cube core's signal reaches both vector cores of its block, and a cube core is signalled
// when both have done so (mode 2 of pto.sync.set, which A2/A3 and A5 have).
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "plan/loops/multi_buffer.hpp"
#include "plan/sync/sync_insertion.hpp"
#include "plan/sync/vector_core_barriers.hpp"

namespace pto::planner {
namespace {

constexpr int64_t kMaxUnansweredSignals = 15;

std::string_view core_name(int agent) { return core_of(agent) == 0 ? "cube" : "vector"; }

}  // namespace

/// Whether the source could be more signals ahead than a counter holds.
bool SyncPlanner::needs_credit(const PlannedFlag& flag) const {
  const Block& block = blocks_[flag.block];
  if (!block.repeats || flag.known_again >= flag.wait_stamp || (block.end_barrier & kTogether) != 0)
    return false;
  const Constants constants(program_);
  int64_t most = 1;
  for (const Block* inner = &block; inner->parent != kNone; inner = &blocks_[inner->parent]) {
    const uint32_t op = inner->op;
    if (isa::opcode_class(program_.ops[op]) != isa::OpcodeClass::loop) continue;
    const Number trips = trips_of(program_, constants, op);
    if (!trips || __builtin_mul_overflow(most, std::max<int64_t>(*trips, 1), &most)) return true;
  }
  return most >= kMaxUnansweredSignals;
}

/// Says of each signal whether it needs an answer as well.
size_t SyncPlanner::ids_wanted() {
  bool meets = false;
  for (const Block& block : blocks_) {
    meets = meets || ((block.start_barrier | block.end_barrier) & kTogether) != 0;
    for (const Item& item : block.items) meets = meets || item.meets;
  }
  if (meets && meeting_ < 0) {
    meeting_ = next_signal_;
    next_signal_ += 2;
  }
  size_t wanted = static_cast<size_t>(next_signal_);
  for (PlannedFlag& flag : flags_) {
    if (flag.dropped || !flag.crosses()) continue;
    flag.credit_id = needs_credit(flag) ? 0 : -1;
    wanted += flag.credit_id == 0 ? 2 : 1;
  }
  return wanted;
}

/// In the block with most signals both cores wait for each other, all their pipes done: that takes two ids,
/// however often. False: there are no signals any more.
bool SyncPlanner::meet_instead() {
  std::vector<size_t> count(blocks_.size());
  for (const PlannedFlag& flag : flags_) count[flag.block] += !flag.dropped && flag.crosses() ? 1 : 0;
  const auto most = std::ranges::max_element(count);
  if (most == count.end() || *most == 0) return false;
  Block& block = blocks_[static_cast<size_t>(most - count.begin())];
  std::vector<PlannedFlag*> forward;
  for (const uint32_t id : block.forward) {
    if (!flags_[id].dropped && flags_[id].crosses()) forward.push_back(&flags_[id]);
  }
  std::ranges::stable_sort(forward, {}, &PlannedFlag::wait_item);
  uint32_t met = 0;  // behind the items before this one
  for (PlannedFlag* flag : forward) {
    flag->dropped = true;
    if (flag->set_item < met) continue;
    met = flag->wait_item;
    block.items[met].meets = true;
    const uint32_t section = section_of_[block.items[met].op];
    while (section != kNone && met > 0 && section_of_[block.items[met - 1].op] == section) --met;
  }
  for (const uint32_t id : block.backward) {
    if (!flags_[id].crosses() || flags_[id].dropped) continue;
    flags_[id].dropped = true;
    block.end_barrier |= kBothCores | kTogether;
  }
  return true;
}

void SyncPlanner::give_signals() {
  refuse_uneven();
  const int ids = kSignalIds - function_.kept_signals;
  while (static_cast<int>(ids_wanted()) > ids && meet_instead()) met_ = true;
  for (uint32_t index = 0; index < flags_.size(); ++index) {
    PlannedFlag& flag = flags_[index];
    if (flag.dropped || !flag.crosses()) continue;
    flag.id = next_signal_++;
    if (flag.credit_id == 0) flag.credit_id = next_signal_++;
  }
  if (next_signal_ <= ids) return;
  const auto first = std::ranges::find_if(flags_, &PlannedFlag::crosses);
  if (first == flags_.end()) return;  // it takes none; whom the ids are kept for says it
  refuse(*first,
         fmt::format("functions that call each other take {} ids of signals; there are {}",
                     next_signal_ + function_.kept_signals, kSignalIds),
         "put the called function's instructions into its caller, or write the signals");
}

void SyncPlanner::refuse(const PlannedFlag& flag, std::string_view why, std::string_view help) {
  const Block& block = blocks_[flag.block];
  const uint32_t first = block.items[flag.set_item].op, second = block.items[flag.wait_item].op;
  const auto name = [&](uint32_t op) { return std::string(isa::row(program_.ops[op].row).name); };
  Diagnostic& d = diagnostics_.error(
      E0607,
      fmt::format("{} on the {} core depends on {} on the {} core through {}, and cannot be ordered: {}",
                  name(second), core_name(flag.destination), name(first), core_name(flag.source),
                  memory_of(first, second), why),
      Span{}, program_.ops[second].where);
  Note note;
  note.message = fmt::format("{} of the {} core is here", name(first), core_name(flag.source));
  note.where = program_.ops[first].where;
  d.notes.push_back(std::move(note));
  d.help = help;
}

/// Signals in a loop or a branch are as many on one core as on the other only where all cores take the same
/// way.
void SyncPlanner::refuse_uneven() {
  std::vector<uint8_t> differs;
  for (const PlannedFlag& flag : flags_) {
    if (flag.dropped || !flag.crosses()) continue;
    if (differs.empty()) differs = differing_values(program_, same_, function_.op);
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
                    "put the code that depends on the index of the vector core into pto.section.vector");
    }
  }
}

}  // namespace pto::planner
