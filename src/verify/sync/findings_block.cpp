// Findings of the cores of a block together.
#include <fmt/format.h>

#include <algorithm>

#include "ir/value_names.hpp"
#include "verify/sync/findings.hpp"

namespace pto::legality::sync {
namespace {

constexpr std::array<std::string_view, kBlockCores> kNames = {"the cube core", "the first vector core",
                                                              "the second vector core"};

std::string_view pipe_name(uint8_t lane) { return to_string(pipe_of_lane(lane)); }
std::string who(BlockPlace at) { return fmt::format("{} of {}", pipe_name(at.lane), kNames[at.core]); }

/// Who signals what a core waits for, and under which id.
std::string_view source(const Hang& hang) {
  if (hang.at.core != 0) return kNames[0];
  return hang.wait.pair ? kNames[hang.wait.id < kIdsPerVectorCore ? 1 : 2] : "each vector core";
}
int source_id(const Hang& hang) {
  if (!hang.wait.pair) return hang.wait.id;
  return hang.wait.id % kIdsPerVectorCore + (hang.at.core == 2 ? kIdsPerVectorCore : 0);
}

}  // namespace

void Report::block(const BlockModel& model) {
  for (const Hang& hang : model.hangs) hang.circle.empty() ? unanswered(hang) : core_cycle(hang);
  for (const LeftSignal& left : model.left) left_signal(left);
  for (const Overflow& overflow : model.overflows) too_many_signals(overflow);
  constexpr size_t kMax = 50;
  size_t count = 0;
  for (const BlockRace& race : model.races) {
    if (count >= kMax) return;
    count += core_order(model, race);
  }
}

void Report::unanswered(const Hang& hang) {
  const uint32_t wait = hang.wait.op;
  const int id = source_id(hang);
  const std::string known_as = id == hang.wait.id ? "" : fmt::format(" (there id {})", id);
  Diagnostic* built = add(
      E0508, Severity::error, wait, {Anchor::Part::attribute, wait, id_attribute(wait)}, ~0U,
      hang.signals == 0
          ? fmt::format("{} waits for id {}, which {} never signals{}: the kernel hangs here", who(hang.at),
                        hang.wait.id, source(hang), known_as)
          : fmt::format("{} waits for id {} more often than {} signals it{}: {} signal{}, all taken before",
                        who(hang.at), hang.wait.id, source(hang), known_as, hang.signals,
                        plural_suffix(hang.signals)),
      fmt::format("add pto.sync.set of id {} on {}: as many signals as waits", id, source(hang)));
  if (built == nullptr) return;
  if (hang.idle) {
    meant_.insert(hang.idle->op);
    note(*built, hang.idle->op,
         fmt::format("id {} is signalled here and never waited for; did you mean {}?", hang.idle->id,
                     hang.idle->id),
         Anchor::Part::attribute, id_attribute(hang.idle->op));
    built->help = "let sync.set and sync.wait name the same id";
  } else if (hang.signal) {
    note(*built, hang.signal->op, "this signal comes too seldom");
  }
}

void Report::core_cycle(const Hang& hang) {
  const uint32_t wait = hang.wait.op;
  Diagnostic* built =
      add(E0506, Severity::error, wait, {Anchor::Part::op, wait, 0}, ~0U,
          fmt::format("{} waits for id {}, whose signal is after a wait for {} itself", who(hang.at),
                      hang.wait.id, who(hang.at)),
          "signal one of the ids once before the first wait, or move its signal in front of the wait that "
          "holds it up");
  if (built == nullptr) return;
  for (const auto& [at, step] : hang.circle) {
    told_.emplace(E0506, step.op, ~0U);  // the circle is told once
    if (step.kind == Step::Kind::wait_signal)
      note(*built, step.op, fmt::format("{} waits here for id {}", who(at), step.id));
    else if (step.kind == Step::Kind::wait)
      note(*built, step.op,
           fmt::format("{} waits here for {}", who(at), pipe_name(static_cast<uint8_t>(step.flag.src))));
    else
      note(*built, step.op, fmt::format("{} is here", who(at)));
  }
}

void Report::left_signal(const LeftSignal& left) {
  const uint32_t set = left.signal.op;
  const std::string_view from = left.target == 0 ? "vector" : "cube",
                         to = left.target == 0 ? "cube" : "vector";
  add(E0509, Severity::error, set, {Anchor::Part::attribute, set, id_attribute(set)}, ~0U,
      left.taken == 0
          ? fmt::format("the {} core signals id {}, for which the {} core never waits", from, left.signal.id,
                        to)
          : fmt::format("the {} core signals id {} more often than the {} core waits for it: {} signals, {} "
                        "wait{}",
                        from, left.signal.id, to, left.signals, left.taken, plural_suffix(left.taken)),
      "add the sync.wait on the other core, or remove the signal: counts that are not taken add up");
}

void Report::too_many_signals(const Overflow& overflow) {
  const uint32_t set = overflow.signal.op;
  Diagnostic* built =
      add(E0510, Severity::error, set, {Anchor::Part::attribute, set, id_attribute(set)}, ~0U,
          fmt::format("the signal of id {} is not ordered after the wait of {} for the signal 15 before: "
                      "with a late {} the counter of 15 is full, and the signal is lost (CROSS-OVERFLOW)",
                      overflow.signal.id, kNames[overflow.target], kNames[overflow.target].substr(4)),
          "hold the signalling core back with a signal in the other direction");
  if (built != nullptr && overflow.wait) note(*built, overflow.wait->op, "the wait");
}

/// The write comes first, as the text probably means it.
bool Report::core_order(const BlockModel& model, const BlockRace& race) {
  const bool swap = !race.first.access.write;
  const BlockAccess &first = swap ? race.second : race.first, &second = swap ? race.first : race.second;
  const auto twin = [&](const BlockRace& other) {
    return other.first.op == race.first.op && other.second.op == race.second.op &&
           (other.first.at.core != race.first.at.core || other.second.at.core != race.second.at.core);
  };
  const OpView view(program_, second.op);
  Diagnostic* built =
      add(E0511, Severity::error, second.op,
          {Anchor::Part::operand, second.op, flat_index(view, second.access.slot)}, first.op,
          fmt::format("{} on {} {} {} (bytes of gm), which {} on {} {}; no signal orders the two",
                      view.mnemonic(), who(second.at), second.access.write ? "writes" : "reads",
                      operand_name(second.op, second.access.slot), place(first.op), who(first.at),
                      first.access.write ? "writes" : "reads"),
          signal_help(model, first, second, std::ranges::any_of(model.races, twin)));
  if (built == nullptr) return false;
  note(*built, first.op,
       fmt::format("{} {} {} here", who(first.at), first.access.write ? "writes" : "reads",
                   operand_name(first.op, first.access.slot)),
       Anchor::Part::operand, flat_index(OpView(program_, first.op), first.access.slot));
  return true;
}

Fix Report::signal_help(const BlockModel& model, const BlockAccess& first, const BlockAccess& second,
                        bool both) const {
  const std::optional<int> id = model.free_id();
  if (!id || (first.at.core != 0 && second.at.core != 0))
    return fmt::format("order {} before {} with sync.set and sync.wait, or give the cores separate bytes",
                       place(first.op), place(second.op));
  const uint8_t vector_core = std::max(first.at.core, second.at.core);
  // On A5 the cube core names each vector core by ids of its own.
  const auto line = [&](std::string_view what, BlockPlace at) {
    const bool apart = program_.target == Target::a5 && at.core == 0;
    const std::string plain = fmt::format("pto.sync.{} <{}>, {}", what, pipe_name(at.lane), *id),
                      shifted = fmt::format("pto.{}_intra_block <{}>, {}", what, pipe_name(at.lane),
                                            *id + kIdsPerVectorCore);
    if (!apart) return plain;
    return both ? plain + " and " + shifted : vector_core == 2 ? shifted : plain;
  };
  return Fix::add_both(
      {.text = line("set", first.at), .place = beside(TextPlace::Side::after, first.op)},
      {.text = line("wait", second.at), .place = beside(TextPlace::Side::before, second.op)});
}

}  // namespace pto::legality::sync
