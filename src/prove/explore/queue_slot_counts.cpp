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

using isa::OpcodeClass;

class SlotCounterAnalysis {
 public:
  SlotCounterAnalysis(const Program& program, const Functions& functions, const LaunchedFunctions& launch,
                      const InputSlice& slice)
      : program_(program), functions_(functions), launch_(launch), slice_(slice), tree_(program) {}

  [[nodiscard]] std::optional<QueueSlotCounter> counter_of(uint32_t op) const {
    const QueueEnd* end = slice_.queues().end_of(op);
    if (end == nullptr || end->slots <= 0 || !is_balanced(*end)) return QueueSlotCounter{op, 0};
    if (opcode_class(op) == OpcodeClass::queue_free) return std::nullopt;
    const int64_t local =
        std::lcm(exec::queue_period(end->slots), std::max<int64_t>(1, end->local_slots.value_or(1)));
    constexpr uint64_t kEnds = uint64_t{1} << 32;  // behind all operations
    return QueueSlotCounter{kEnds + end->op * uint64_t{256} + static_cast<uint64_t>(opcode_class(op)),
                            static_cast<uint64_t>(std::lcm(end->slots, local))};
  }

 private:
  [[nodiscard]] OpcodeClass opcode_class(uint32_t op) const {
    return isa::row(program_.ops[op].row).opcode_class;
  }

  /// Loops tell how often it comes: no calls and no loops without a counter bring it more often.
  [[nodiscard]] bool is_counted(uint32_t op) const {
    uint32_t around = tree_.parent(op);
    while (around != kNoOp && opcode_class(around) != OpcodeClass::while_loop &&
           opcode_class(around) != OpcodeClass::function)
      around = tree_.parent(around);
    return std::ranges::any_of(launch_.functions, [&](uint32_t function) {
      return functions_[function].info.op == around && !slice_.is_called(function);
    });
  }

  /// Whether what has been taken says what has been given back, wherever a core stands: both in one region,
  /// and as often.
  [[nodiscard]] bool is_balanced(const QueueEnd& end) const {
    std::map<uint32_t, int> taken;
    for (const uint32_t op : end.users) {
      if (opcode_class(op) == OpcodeClass::queue_alloc ||
          (isa::is_queue_transfer(opcode_class(op)) && !is_counted(op)))
        return false;
      taken[tree_.region_of(op)] += opcode_class(op) == OpcodeClass::queue_pop    ? 1
                                    : opcode_class(op) == OpcodeClass::queue_free ? -1
                                                                                  : 0;
    }
    return std::ranges::all_of(taken, [](const auto& each) { return each.second == 0; });
  }

  const Program& program_;
  const Functions& functions_;
  const LaunchedFunctions& launch_;
  const InputSlice& slice_;
  const RegionTree tree_;
};

}  // namespace

QueueSlotCounters queue_slot_counters(const Program& program, const Functions& functions,
                                      const LaunchedFunctions& launch, const InputSlice& slice) {
  const SlotCounterAnalysis finding(program, functions, launch, slice);
  QueueSlotCounters found;
  for (const uint32_t function : slice.functions()) {
    for (const uint32_t op : descendants(program, functions[function].info.op)) {
      if (!isa::is_queue_transfer(isa::opcode_class(OpView(program, op)))) continue;
      if (const auto use = finding.counter_of(op)) found[op] = *use;
    }
  }
  return found;
}

std::map<uint32_t, uint32_t> queue_signals(const Program& program, const Functions& functions,
                                           const InputSlice& slice) {
  std::map<uint32_t, uint32_t> found;
  std::map<std::pair<const QueueEnd*, size_t>, uint32_t> firsts;  // by end and opcode class
  for (const uint32_t function : slice.functions()) {
    for (const uint32_t op : descendants(program, functions[function].info.op)) {
      const OpcodeClass opcode_class = isa::opcode_class(OpView(program, op));
      const QueueEnd* end = isa::is_queue_transfer(opcode_class) ? slice.queues().end_of(op) : nullptr;
      if (end == nullptr) continue;
      const auto key = std::pair(end, static_cast<size_t>(opcode_class));
      found[op] = firsts.try_emplace(key, op).first->second;
    }
  }
  return found;
}

}  // namespace pto::driver
