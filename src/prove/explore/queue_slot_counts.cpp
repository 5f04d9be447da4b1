#include "prove/explore/queue_slot_counts.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "analysis/tile_queues.hpp"
#include "exec/scalar/tile_queue.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::driver {
namespace {

using isa::Does;

class Finding {
 public:
  Finding(const Program& program, const Functions& functions, const LaunchedFunctions& launch,
          const Deciders& deciders)
      : program_(program), functions_(functions), launch_(launch), deciders_(deciders), tree_(program) {}

  [[nodiscard]] std::optional<SlotUse> of(uint32_t op) const {
    const QueueEnd* end = deciders_.queues().end_of(op);
    if (end == nullptr || end->slots <= 0 || !is_balanced(*end)) return SlotUse{op, 0};
    if (does(op) == Does::queue_free) return std::nullopt;
    const int64_t local =
        std::lcm(exec::queue_period(end->slots), std::max<int64_t>(1, end->local_slots.value_or(1)));
    constexpr uint64_t kEnds = uint64_t{1} << 32;  // behind all operations
    return SlotUse{kEnds + end->op * uint64_t{256} + static_cast<uint64_t>(does(op)),
                   static_cast<uint64_t>(std::lcm(end->slots, local))};
  }

 private:
  [[nodiscard]] Does does(uint32_t op) const { return isa::row(program_.ops[op].row).does; }

  /// Loops tell how often it comes: no calls and no loops without a counter bring it more often.
  [[nodiscard]] bool is_counted(uint32_t op) const {
    uint32_t around = tree_.around(op);
    while (around != kNoOp && does(around) != Does::while_loop && does(around) != Does::function)
      around = tree_.around(around);
    return std::ranges::any_of(launch_.functions, [&](uint32_t function) {
      return functions_[function].info.op == around && !deciders_.is_called(function);
    });
  }

  /// Whether what has been taken says what has been given back, wherever a core stands: both in one region,
  /// and as often.
  [[nodiscard]] bool is_balanced(const QueueEnd& end) const {
    std::map<uint32_t, int> taken;
    for (const uint32_t op : end.users) {
      if (does(op) == Does::queue_alloc || (moves_slot(does(op)) && !is_counted(op))) return false;
      taken[tree_.region_of(op)] += does(op) == Does::queue_pop ? 1 : does(op) == Does::queue_free ? -1 : 0;
    }
    return std::ranges::all_of(taken, [](const auto& each) { return each.second == 0; });
  }

  const Program& program_;
  const Functions& functions_;
  const LaunchedFunctions& launch_;
  const Deciders& deciders_;
  const RegionTree tree_;
};

}  // namespace

SlotUses slot_uses(const Program& program, const Functions& functions, const LaunchedFunctions& launch,
                   const Deciders& deciders) {
  const Finding finding(program, functions, launch, deciders);
  SlotUses found;
  for (const uint32_t function : deciders.functions()) {
    for (const uint32_t op : inside(program, functions[function].info.op)) {
      if (!moves_slot(isa::does(OpView(program, op)))) continue;
      if (const auto use = finding.of(op)) found[op] = *use;
    }
  }
  return found;
}

std::map<uint32_t, uint32_t> queue_signals(const Program& program, const Functions& functions,
                                           const Deciders& deciders) {
  std::map<uint32_t, uint32_t> found;
  std::map<std::pair<const QueueEnd*, Does>, uint32_t> firsts;
  for (const uint32_t function : deciders.functions()) {
    for (const uint32_t op : inside(program, functions[function].info.op)) {
      const Does does = isa::does(OpView(program, op));
      const QueueEnd* end = moves_slot(does) ? deciders.queues().end_of(op) : nullptr;
      if (end != nullptr) found[op] = firsts.try_emplace({end, does}, op).first->second;
    }
  }
  return found;
}

}  // namespace pto::driver
