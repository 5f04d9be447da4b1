// Over 500 lines: one part of a report for each fault of flags, each with its words.
// Over 500 lines: the message of each kind of finding.
#include "verify/sync/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ir/value_names.hpp"
#include "support/quiet_warnings.hpp"

namespace pto::legality::sync {
namespace {

constexpr std::string_view kCounts = "this works with counting flags, the vendor's page requires pairs";

std::string_view name_of(int lane) { return to_string(pipe_of_lane(lane)); }
isa::FlagName words(FlagKey key) { return {pipe_of_lane(key.src), pipe_of_lane(key.dst), key.id}; }
std::string flag_name(FlagKey key) { return isa::to_string(words(key)); }

std::string_view core_name(CoreKind kind) { return kind == CoreKind::aic ? "cube" : "vector"; }
CoreKind other(CoreKind kind) { return kind == CoreKind::aic ? CoreKind::aiv : CoreKind::aic; }

/// Whether the other core has the counterpart, or, for signals of a group (modes 0 and 1), the same core has.
/// The 16 ids of the second vector core on A5 count as those of the first: both run the same text.
bool answered(const Signal& signal, const std::vector<Signal>& own, const std::vector<Signal>& others) {
  const auto counterpart = [&](const Signal& s) {
    return s.set != signal.set && (!s.id || *s.id % 16 == *signal.id % 16);
  };
  return std::ranges::any_of(others, counterpart) || std::ranges::any_of(own, [&](const Signal& s) {
           return (s.mode != 2 || signal.mode != 2) && counterpart(s);
         });
}

}  // namespace

// ---- parts of messages

std::string Report::place(uint32_t op) const {
  const Location where = program_.ops[op].where;
  const std::string_view name = isa::row(program_.ops[op].row).name;
  return where.line == 0 ? std::string(name) : fmt::format("{} at line {}", name, where.line);
}

TextPlace Report::beside(TextPlace::Side side, uint32_t op) const {
  return {side, place(op), program_.ops[op].where.line};
}

uint32_t Report::id_attribute(uint32_t op) const {
  return static_cast<uint32_t>(std::max(0, isa::schema(program_.ops[op].row).attr_index("event_id")));
}

std::string Report::operand_name(uint32_t op, unsigned slot) const {
  const OpView view(program_, op);
  return slot < isa::schema(view.op().row).operands.size() && view.operand(slot) != kNoValue
             ? value_name(program_, view.operand(slot))
             : std::string();
}

Diagnostic* Report::add(FindingId id, Severity severity, uint32_t op, Anchor anchor, uint32_t other,
                        std::string message, Fix help) {
  if (!told_.emplace(id, op, other).second) return nullptr;
  Diagnostic& built = found_.emplace_back();
  built.id = id;
  built.severity = severity;
  built.message = std::move(message);
  built.help = std::move(help);
  built.anchor = isa::anchor_at(program_, op, anchor.part, anchor.index);
  built.where = program_.ops[op].where;
  return &built;
}

Diagnostic* Report::add(bool certain, FindingId error, FindingId warning, uint32_t op, Anchor anchor,
                        uint32_t other, std::string message, Fix help) {
  Diagnostic* built = add(error, Severity::error, op, anchor, other, std::move(message), std::move(help));
  if (built == nullptr || certain) return built;
  built->id = warning;
  built->severity = Severity::warning;
  return built;
}

void Report::note(Diagnostic& diagnostic, uint32_t op, std::string message, Anchor::Part part,
                  uint32_t index) const {
  add_note(diagnostic, OpView(program_, op), std::move(message), part, index);
}

void Report::finish() {
  std::ranges::stable_sort(found_, {}, [](const Diagnostic& d) { return d.anchor.op; });
  for (Diagnostic& diagnostic : found_) check_.add(std::move(diagnostic));
  found_.clear();
  if (check_.errors() != 0 || double_sets_.empty()) return;
  // What a program that is accepted relies on, whether its warnings are shown or not.
  const uint32_t first = *double_sets_.begin();
  Diagnostic built;
  built.severity = Severity::note;
  built.message = assumption_of_flags(double_sets_.size());
  built.anchor = isa::anchor_at(program_, first);
  built.where = program_.ops[first].where;
  check_.add(std::move(built));
}

// ---- flags

void Report::flags(Walk& walk, uint32_t function) {
  CoreModel& core = walk.core();
  for (size_t i = 0; i < core.uses().size(); ++i) never_set(walk, i, function);
  for (const FlagUse& use : core.uses()) {
    if (!core.pair_unknown(use.key.src, use.key.dst)) never_awaited(use);
  }
  for (const Deadlock& each : core.deadlocks) deadlock(core, each);
  for (const FlagDeficit& each : core.flag_deficits) deficit(core.uses()[each.flag], each);
  for (const DoubleSet& each : core.double_sets) double_set(core, each);
  for (const FlagHeldOver& each : core.held_over) held_over(core.uses()[each.flag], each);
  for (const LeftoverSet& each : core.leftover_sets) {
    // A set that is lost is not left.
    if (std::ranges::none_of(core.double_sets,
                             [&](const DoubleSet& d) { return d.flag == each.flag && d.certain; }))
      leftover_set(core.uses()[each.flag], each);
  }
  for (const Reuse& each : core.reuses) reuse(core, each);
  buffers(core);
}

void Report::deficit(const FlagUse& use, const FlagDeficit& each) {
  if (use.reported || use.waits.empty()) return;
  const uint32_t wait = use.waits.back().op;
  Diagnostic* built =
      add(false, E0504, W0504, wait, {Anchor::Part::attribute, wait, id_attribute(wait)}, each.loop.op,
          fmt::format("every iteration of the loop takes {} {} more time{} than it sets it: a later "
                      "iteration waits for ever",
                      flag_name(use.key), each.missing, plural_suffix(static_cast<uint64_t>(each.missing))),
          "set the flag as often in the loop as it is waited for");
  if (built == nullptr) return;
  note(*built, each.loop.op, "the loop");
  note(*built, use.sets.front().op, "a set of this flag");
}

void Report::double_set(const CoreModel& core, const DoubleSet& each) {
  const FlagUse& use = core.uses()[each.flag];
  if (use.n_waits == 0 || use.reported) return;  // told already
  const bool again = each.first.op == each.second.op;
  if (!core.loses_sets()) double_sets_.insert(each.second.op);
  Diagnostic* built = add(each.certain, E0503, W0503, each.second.op,
                          {Anchor::Part::attribute, 0, id_attribute(each.second.op)}, each.first.op,
                          fmt::format("{} again before any wait asks for it; {}",
                                      again ? fmt::format("the next iteration sets {}", flag_name(use.key))
                                            : fmt::format("{} is set", flag_name(use.key)),
                                      each.certain ? "this set is lost" : kCounts),
                          "put a wait_flag between the two sets, or use another id");
  if (built == nullptr) return;
  if (!again) note(*built, each.first.op, "the set before");
  if (!use.waits.empty()) note(*built, use.waits.front().op, "the wait for it");
}

void Report::reuse(const CoreModel& core, const Reuse& each) {
  const FlagUse& use = core.uses()[each.flag];
  // The flag back is told already where bytes need it.
  const bool reported_findings = std::ranges::any_of(core.races, [&](const Race& race) {
    return race.first.lane == use.key.dst && race.second.lane == use.key.src;
  });
  if (use.reported || reported_findings) return;
  const uint32_t set = each.set.op;
  if (!core.loses_sets()) double_sets_.insert(set);
  const std::optional<FlagKey> back = free_flag(core, use.key.dst, use.key.src);
  const bool next = each.wait.op >= set;
  Diagnostic* built = add(
      each.certain, E0515, W0515, set, {Anchor::Part::attribute, set, id_attribute(set)}, each.wait.op,
      fmt::format("{} is set again{}, and {} is not ordered after the wait of {} for the previous set: {}",
                  flag_name(use.key), each.before.op == set ? " in the next iteration" : "",
                  name_of(use.key.src), name_of(use.key.dst),
                  each.certain
                      ? fmt::format("with a late {} this set is lost and a wait hangs", name_of(use.key.dst))
                      : std::string(kCounts)),
      !back ? "use another event id, or a barrier between the wait and this set"
            : add_flag(*back, each.wait.op, set, next, ", or use another event id"));
  if (built == nullptr) return;
  if (each.before.op != set) note(*built, each.before.op, "the set before");
  note(*built, each.wait.op, "the wait that takes it");
}

void Report::held_over(const FlagUse& use, const FlagHeldOver& each) {
  const OpView by(program_, each.over.op);
  Diagnostic* built = add(
      each.certain, E0518, W0518, each.over.op, {Anchor::Part::op, each.over.op, 0}, each.set.op,
      fmt::format("{} sets {} itself and waits for it, while the set in {} is still open: the wait inside "
                  "takes that set",
                  by.mnemonic(), flag_name(use.key), place(each.set.op)),
      "use another event id for the flag that is open, or wait for it before");
  if (built != nullptr)
    note(*built, each.set.op, "the set that is open", Anchor::Part::attribute, id_attribute(each.set.op));
}

void Report::leftover_set(const FlagUse& use, const LeftoverSet& each) {
  if (use.n_waits == 0 || use.reported || use.waits.empty()) return;
  Diagnostic* built = add(each.certain, E0505, W0505, each.set.op,
                          {Anchor::Part::attribute, 0, id_attribute(each.set.op)}, ~0U,
                          fmt::format("{} is still set when the kernel ends: {} set{} more than waits",
                                      flag_name(use.key), each.count, plural_suffix(each.count)),
                          "wait for it before the kernel ends; the next kernel on this core finds it set");
  if (built != nullptr) note(*built, use.waits.back().op, "a wait for this flag");
}

/// Waits that no set of the core can ever satisfy. The nearest set that nobody waits for belongs to the same
/// slip.
void Report::never_set(Walk& walk, size_t index, uint32_t function) {
  CoreModel& core = walk.core();
  FlagUse& use = core.uses()[index];
  if (use.n_sets != 0 || use.waits.empty() || core.pair_unknown(use.key.src, use.key.dst)) return;
  FlagUse* near = nullptr;
  int best = 0;
  for (FlagUse& other : core.uses()) {
    const int score = other.n_waits == 0 && !other.sets.empty() && !other.reported
                          ? isa::likeness(words(other.key), words(use.key))
                          : 0;
    if (score > best) {
      near = &other;
      best = score;
    }
  }
  use.reported = true;
  const uint32_t wait = use.waits.front().op;
  const bool certain = use.wait_certain;
  Diagnostic* built = add(
      certain, E0501, W0501, wait, {Anchor::Part::attribute, wait, id_attribute(wait)}, ~0U,
      fmt::format("{} waits for {}, which nothing sets: {}", name_of(use.key.dst), flag_name(use.key),
                  certain ? "the kernel hangs here" : "the kernel hangs when it comes here"),
      Fix::add(
          isa::spelt(program_, "set", {words(use.key)}),
          {TextPlace::Side::after, fmt::format("the operation that {} waits for", name_of(use.key.dst))}));
  if (built == nullptr) return;
  if (near != nullptr) {
    near->reported = true;
    const uint32_t set = near->sets.front().op;
    note(*built, set, isa::slip(words(near->key), words(use.key)), Anchor::Part::attribute,
         best == 3 ? id_attribute(set) : 0);
    built->help = isa::kSlipHelp;
  } else {
    note_unreached(*built, use.key, function);
  }
  for (size_t i = 1; i < use.waits.size() && i < 3; ++i) {
    if (use.waits[i].op != wait && use.waits[i].op != use.waits[i - 1].op)
      note(*built, use.waits[i].op, "so does this wait");
  }
}

/// The flag has no set that runs; if the text has one, it is not reached.
void Report::note_unreached(Diagnostic& diagnostic, FlagKey key, uint32_t function) const {
  uint32_t around = ~0U, around_end = 0;
  for (uint32_t i = function + 1; i < program_.end_of(function); ++i) {
    const isa::OpcodeClass opcode_class = isa::row(program_.ops[i].row).opcode_class;
    if (i >= around_end) around = ~0U;
    if (isa::is_control_flow(opcode_class) && program_.end_of(i) > i + 1) {
      around = i;
      around_end = program_.end_of(i);
    }
    if (opcode_class != isa::OpcodeClass::set_flag) continue;
    const OpView set(program_, i);
    if (lane_of(static_cast<Pipe>(set.attr_int("src_pipe"))) != key.src ||
        lane_of(static_cast<Pipe>(set.attr_int("dst_pipe"))) != key.dst || set.attr_int("event_id") != key.id)
      continue;
    if (around == ~0U) return note(diagnostic, i, "this set does not run on this core");
    const bool branch = isa::row(program_.ops[around].row).opcode_class == isa::OpcodeClass::branch;
    return note(diagnostic, i,
                branch ? fmt::format("this set never runs: its branch of the {} is not taken", place(around))
                       : fmt::format("this set never runs: the {} makes no iteration", place(around)));
  }
}

void Report::never_awaited(const FlagUse& use) {
  if (use.n_waits != 0 || use.sets.empty() || use.reported) return;
  const uint32_t set = use.sets.front().op;
  Diagnostic* built =
      add(use.set_certain, E0502, W0502, set, {Anchor::Part::attribute, set, id_attribute(set)}, ~0U,
          fmt::format("nothing waits for {}: it orders nothing, and is still set when the next kernel starts",
                      flag_name(use.key)),
          Fix::add(isa::spelt(program_, "wait", {words(use.key)}),
                   {TextPlace::Side::before, fmt::format("{} uses the data", name_of(use.key.dst))},
                   ", or remove the set"));
  if (built == nullptr) return;
  for (size_t i = 1; i < use.sets.size() && i < 3; ++i) {
    if (use.sets[i].op != set && use.sets[i].op != use.sets[i - 1].op)
      note(*built, use.sets[i].op, "it is also set here");
  }
}

void Report::deadlock(const CoreModel& core, const Deadlock& stuck) {
  const FlagUse& use = core.uses()[stuck.entry.flag];
  if (use.reported || use.n_sets == 0) return;
  if (stuck.why == Deadlock::Why::cycle) return cycle(core, stuck);
  if (stuck.entry.kind == Entry::Kind::set) return;  // nobody takes the sets before: told as flags left set
  const bool certain = stuck.entry.certain;
  const uint32_t wait = stuck.entry.when.op;
  Diagnostic* built =
      add(certain, E0504, W0504, wait, {Anchor::Part::attribute, wait, id_attribute(wait)}, ~0U,
          fmt::format("{} waits for {} more often than it is set: {} wait{}, {} set{}", name_of(use.key.dst),
                      flag_name(use.key), stuck.waits, plural_suffix(stuck.waits), stuck.sets,
                      plural_suffix(stuck.sets)),
          "there is one wait too many, or one set too few");
  if (built == nullptr) return;
  for (const ProgramPoint& set : use.sets) {
    if (set.op == wait) continue;
    note(*built, set.op,
         use.key.dst == kScalarLane && set.time > stuck.entry.when.time
             ? "this set comes too late: the scalar unit issues nothing while it waits"
             : "this set was taken by an earlier wait");
    break;
  }
}

void Report::cycle(const CoreModel& core, const Deadlock& stuck) {
  const bool certain =
      stuck.entry.certain && std::ranges::all_of(stuck.others, [](const Entry& e) { return e.certain; });
  const FlagKey key = core.uses()[stuck.entry.flag].key;
  const uint32_t wait = stuck.entry.when.op;
  const bool sets = stuck.entry.kind == Entry::Kind::set;
  Diagnostic* built =
      add(certain, E0506, W0506, wait, {Anchor::Part::op, wait, 0}, ~0U,
          sets ? fmt::format("{} cannot set {} again: it is set {} time{}, and the wait that takes one is "
                             "after a wait for {} itself",
                             name_of(key.src), flag_name(key), stuck.pending, plural_suffix(stuck.pending),
                             name_of(key.src))
               : fmt::format("{} waits for {}, whose set is after a wait for {} itself", name_of(key.dst),
                             flag_name(key), name_of(key.dst)),
          sets ? "wait for the flag between the sets, or use another event id"
               : fmt::format("set {} once before the loop or the first wait, or move its set "
                             "before the wait that blocks {}",
                             flag_name(key), name_of(key.src)));
  if (built == nullptr) return;
  const auto note_set = [&](const Entry& entry) {
    if (entry.kind == Entry::Kind::set) return;
    const FlagUse& use = core.uses()[entry.flag];
    const auto after =
        std::ranges::find_if(use.sets, [&](const ProgramPoint& set) { return set.time > entry.when.time; });
    const ProgramPoint& set = after != use.sets.end() ? *after : use.sets.back();
    note(*built, set.op,
         fmt::format("the set of {} is after a wait in the queue of {}", flag_name(use.key),
                     name_of(use.key.src)));
  };
  note_set(stuck.entry);
  for (const Entry& other : stuck.others) {
    const FlagKey theirs = core.uses()[other.flag].key;
    note(*built, other.when.op,
         other.kind == Entry::Kind::set
             ? fmt::format("{} cannot set {} again here", name_of(theirs.src), flag_name(theirs))
             : fmt::format("{} waits here for {}", name_of(theirs.dst), flag_name(theirs)));
    note_set(other);
  }
}

void Report::buffers(const CoreModel& core) {
  for (const Buffers& each : core.buffers) {
    const OpView view(program_, each.when.op);
    const auto id = static_cast<uint32_t>(std::max(0, isa::schema(view.op().row).attr_index("buf_id")));
    add(each.certain, E0507, W0507, each.when.op, {Anchor::Part::attribute, each.when.op, id}, ~0U,
        each.got ? fmt::format("buffer id {} is got here and not released by the same pipe", each.id)
                 : fmt::format("buffer id {} is released here, but the pipe has not got it", each.id),
        each.got ? "add the rls_buf that belongs to it: other pipes order themselves by it"
                 : "add the get_buf that belongs to it, or remove the release");
  }
}

// ---- orders between pipes

void Report::orders(Walk& walk) {
  constexpr size_t kMax = 50;
  size_t count = 0;
  for (const Race& race : walk.core().races) {
    if (count >= kMax) return;
    count += order(walk.core(), race);
  }
}

/// A flag of the two pipes that the kernel does not use yet.
std::optional<FlagKey> Report::free_flag(const CoreModel& core, int src, int dst) const {
  for (int16_t id = 0; id < isa::kEventIds; ++id) {
    const FlagKey key{static_cast<int8_t>(src), static_cast<int8_t>(dst), id};
    if (std::ranges::none_of(core.uses(), [&](const FlagUse& use) { return use.key == key; })) return key;
  }
  return std::nullopt;
}

/// A flag of the two pipes that is set between both instructions and never waited for.
const FlagUse* Report::idle_flag(const CoreModel& core, const Race& race) const {
  for (const FlagUse& use : core.uses()) {
    if (use.key.src != race.first.lane || use.key.dst != race.second.lane || use.n_waits != 0 ||
        use.sets.empty())
      continue;
    const uint32_t set = use.sets.front().time;
    if (race.first.when.time < set && set < race.second.when.time) return &use;
  }
  return nullptr;
}

/// A flag of its own between two operations; `next`: the second one belongs to the next iteration.
Fix Report::add_flag(const FlagKey& flag, uint32_t first, uint32_t second, bool next,
                     std::string_view rest) const {
  const std::string iteration =
      next ? " of the next iteration (set it once before the loop, wait once after it)" : "";
  return Fix::add_both(
      {.text = isa::spelt(program_, "set", {words(flag)}), .place = beside(TextPlace::Side::after, first)},
      {.text = isa::spelt(program_, "wait", {words(flag)}), .place = beside(TextPlace::Side::before, second)},
      iteration + std::string(rest));
}

Fix Report::order_help(const CoreModel& core, const Race& race, const FlagUse* idle) const {
  const uint32_t first = place_of(race.first), second = place_of(race.second);
  if (race.first.lane == race.second.lane)
    return Fix::add(fmt::format("pto.barrier <{}>", name_of(race.second.lane)),
                    beside(TextPlace::Side::before, second),
                    fmt::format(": {} starts an instruction before the ones in front are done",
                                name_of(race.second.lane)));
  if (idle != nullptr)
    return Fix::add(isa::spelt(program_, "wait", {words(idle->key)}), beside(TextPlace::Side::before, second),
                    fmt::format("; {} sets it already", place(idle->sets.front().op)));
  const std::optional<FlagKey> flag = free_flag(core, race.first.lane, race.second.lane);
  if (!flag)
    return isa::no_free_flag(pipe_of_lane(race.first.lane), pipe_of_lane(race.second.lane), isa::kEventIds,
                             beside(TextPlace::Side::before, second));
  return add_flag(*flag, first, second, race.first.when.op >= race.second.when.op, "");
}

bool Report::order(const CoreModel& core, const Race& race) {
  const uint32_t first = place_of(race.first), second = place_of(race.second);
  const int64_t begin = std::max(race.first_bytes.begin, race.second_bytes.begin),
                end = std::min(race.first_bytes.end, race.second_bytes.end);
  const OpView view(program_, second);
  const std::string bytes =
      is_memory_base(race.second_bytes.base)
          ? fmt::format("{} of {}", range_text(begin, end), to_string(race.space))
          : fmt::format("{} of {}", end - begin == 1 ? "bytes" : fmt::format("{} bytes", end - begin),
                        to_string(race.space));
  const bool next = race.first.when.op >= race.second.when.op;
  // Which pipes overlap with themselves is the target's: a program that names none may be meant for another.
  const bool certain = race.certain && (race.first.lane != race.second.lane || program_.target_stated);
  Diagnostic* built =
      add(certain, E0511, W0511, second, {Anchor::Part::operand, second, flat_index(view, race.second.slot)},
          first,
          fmt::format("{} on {} {} {} ({}), which {} on {} {}{}; nothing orders the two", view.mnemonic(),
                      name_of(race.second.lane), race.second.write ? "writes" : "reads",
                      operand_name(second, race.second.slot), bytes, place(first), name_of(race.first.lane),
                      race.first.write ? "writes" : "reads", next ? " in the iteration before" : ""),
          order_help(core, race, idle_flag(core, race)).after(shared_bytes(race)));
  if (built == nullptr) return false;
  note(*built, first,
       fmt::format("{} {} {} here", name_of(race.first.lane), race.first.write ? "writes" : "reads",
                   operand_name(first, race.first.slot)),
       Anchor::Part::operand, flat_index(OpView(program_, first), race.first.slot));
  return true;
}

// ---- signals between cores

void Report::signals(const std::vector<Signal>& cube, const std::vector<Signal>& vector) {
  lost_waits(cube, vector, CoreKind::aic);
  lost_waits(vector, cube, CoreKind::aiv);
  lost_sets(cube, vector, CoreKind::aic);
  lost_sets(vector, cube, CoreKind::aiv);
}

void Report::lost_waits(const std::vector<Signal>& own, const std::vector<Signal>& others, CoreKind kind) {
  for (const Signal& wait : own) {
    if (wait.set || !wait.id) continue;
    if (answered(wait, own, others)) {
      if (kind == CoreKind::aiv) half_answered(wait, others);
      continue;
    }
    Diagnostic* built =
        add(false, E0508, W0508, wait.op, {Anchor::Part::attribute, wait.op, id_attribute(wait.op)}, ~0U,
            fmt::format("the {} core waits for id {}, which the {} core never signals", core_name(kind),
                        *wait.id, core_name(other(kind))),
            "let sync.set and sync.wait name the same id");
    if (built == nullptr) continue;
    const auto near = std::ranges::find_if(
        others, [&](const Signal& s) { return s.set && s.id && !answered(s, others, own); });
    if (near == others.end()) continue;
    meant_.insert(near->op);
    note(*built, near->op,
         fmt::format("id {} is signalled here and never waited for; did you mean {}?", *near->id, *near->id),
         Anchor::Part::attribute, id_attribute(near->op));
  }
}

/// On A5 the cube core signals each vector core under an id of its own, 0 to 15 the first, 16 to 31 the
/// second, unless a mode is stated: mode 2 is both of them.
void Report::half_answered(const Signal& wait, const std::vector<Signal>& others) {
  if (program_.target != Target::a5 || !wait.certain || *wait.id >= 16) return;
  const auto signals = [&](int64_t id) {
    return [id](const Signal& s) { return s.set && (!s.id || *s.id == id); };
  };
  const auto reaches_both = [&](const Signal& s) { return s.to_all && signals(*wait.id)(s); };
  if (std::ranges::any_of(others, reaches_both)) return;
  const bool first = std::ranges::any_of(others, signals(*wait.id)),
             second = std::ranges::any_of(others, signals(*wait.id + 16));
  if (first == second) return;
  const int64_t missing = first ? *wait.id + 16 : *wait.id;
  Diagnostic* built = add(
      false, E0508, W0508, wait.op, {Anchor::Part::attribute, wait.op, id_attribute(wait.op)}, ~0U,
      fmt::format(
          "both vector cores wait for id {}, and the cube core never signals the {} one: that is its id {}",
          *wait.id, first ? "second" : "first", missing),
      fmt::format("add pto.sync.set of id {} on the cube core, or wait on one vector core only", missing));
  if (built == nullptr) return;
  const auto set = std::ranges::find_if(others, signals(first ? *wait.id : *wait.id + 16));
  note(*built, set->op, fmt::format("the {} one is signalled here", first ? "first" : "second"));
}

void Report::lost_sets(const std::vector<Signal>& own, const std::vector<Signal>& others, CoreKind kind) {
  for (const Signal& set : own) {
    if (!set.set || !set.id || set.mode != 2 || meant_.contains(set.op) || answered(set, own, others))
      continue;
    // Board cases signal both vector cores and use the first: whether the second one does anything, the block
    // knows.
    const bool for_second = program_.target == Target::a5 && kind == CoreKind::aic && *set.id >= 16;
    add(set.certain && !for_second, E0509, W0509, set.op,
        {Anchor::Part::attribute, set.op, id_attribute(set.op)}, ~0U,
        fmt::format("the {} core signals id {}, for which the {} core never waits", core_name(kind), *set.id,
                    core_name(other(kind))),
        "add the sync.wait on the other core, or remove the signal: counts that are not taken add up");
  }
}

}  // namespace pto::legality::sync
