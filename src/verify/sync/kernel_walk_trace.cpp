// The walk that writes down what a core does, instead of judging it: every iteration of loops with known
// bounds that synchronise. What is not certain leaves a mark, so that less is said of the block.
#include <algorithm>

#include "ir/pipe_rules.hpp"
#include "ir/regions.hpp"
#include "verify/sync/kernel_walk.hpp"

namespace pto::legality::sync {

void Walk::note(Step step) {
  Trace& trace = *options_.trace;
  step.certain = certain();
  const bool signal = step.kind == Step::Kind::send_signal || step.kind == Step::Kind::wait_signal;
  if (step.certain || signal) {
    if (!step.certain) trace.order_open = true;
    return trace.steps.push_back(step);
  }
  if (step.kind != Step::Kind::work || step.scalar_waits) trace.order_open = true;
  if (step.kind != Step::Kind::work && step.kind != Step::Kind::drain) trace.flags_open = true;
}

void Walk::note_work(const OpView& op, const OperationFacts& facts, int lane,
                     std::vector<TileAccess>& accesses) {
  Trace& trace = *options_.trace;
  Step step{.kind = Step::Kind::work, .lane = static_cast<uint8_t>(lane), .op = op.index()};
  step.scalar_waits = facts.scalar_result && lane != kScalarLane;
  step.begin = static_cast<uint32_t>(trace.accesses.size());
  // What the scalar unit touches may be a word that cores meet at.
  if (certain() && lane != kScalarLane) {
    for (TileAccess& access : accesses)
      if (access.space == Space::gm && access.certain) trace.accesses.push_back(std::move(access));
  }
  step.end = static_cast<uint32_t>(trace.accesses.size());
  if (step.scalar_waits || step.begin != step.end) note(step);
}

void Walk::note_flag(bool set, const std::optional<FlagKey>& key, uint32_t op) {
  if (!key) {
    options_.trace->flags_open = options_.trace->order_open = true;
    return;
  }
  note({.kind = set ? Step::Kind::set : Step::Kind::wait,
        .lane = static_cast<uint8_t>(set ? key->src : key->dst),
        .flag = *key,
        .op = op});
}

/// Without a mode, signals of A5 go from one core to one other. Those of groups of one kind of core are not
/// followed; other waits for the same id take them as well.
void Walk::note_signal(const Signal& signal, int lane, bool pair) {
  constexpr int64_t kMaxIds = 32;
  const bool group = !pair && signal.mode != 2;
  if (group || lane < 0 || !signal.id || *signal.id < 0 || *signal.id >= kMaxIds) return note_opaque();
  note({.kind = signal.set ? Step::Kind::send_signal : Step::Kind::wait_signal,
        .pair = pair,
        .lane = static_cast<uint8_t>(lane),
        .id = static_cast<int16_t>(*signal.id),
        .op = signal.op});
}

void Walk::note_opaque() {
  if (options_.trace == nullptr) return;
  options_.trace->opaque = true;
  overrun_ = true;  // the rest says nothing
}

/// Holds what orders pipes or cores, or a call of something that may.
bool Walk::synchronises(uint32_t op) {
  const auto [at, fresh] = synchronises_.try_emplace(op, false);
  if (!fresh) return at->second;
  for (const uint32_t i : descendants(program_, op)) {
    const OperationFacts& facts = facts_.find(program_.ops[i].row);
    if (!facts.fifo && facts.opcode_class != OpcodeClass::call && facts.opcode_class != OpcodeClass::fence &&
        !isa::is_synchronisation(facts.opcode_class))
      continue;
    return synchronises_[op] = true;
  }
  return false;
}

}  // namespace pto::legality::sync
