#include "sim/findings/flag_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "sim/findings/insertion_points.hpp"
#include "sim/findings/naming.hpp"

namespace pto::sim {
namespace {

using isa::OpcodeClass;
using isa::SpeltFlag;
using Kind = StatementChange::Kind;

Fix move(std::string statement, std::string from, TextPlace place, std::string rest) {
  return ChangeStatements{{{Kind::move, std::move(statement), std::move(place), std::move(from)}},
                          std::move(rest)};
}

/// The code of one core, by operations of the program.
class CoreText {
 public:
  CoreText(const Device& device, const Core& core)
      : program_(*device.program),
        core_(core),
        places_(program_),
        tree_(places_.tree()),
        by_source_(device.config.key_has_src) {}

  struct Use {
    uint32_t pc = 0;
    uint64_t runs = 0;
  };

  /// Where ids of its pipes are computed, all from one value: the flag that has this value. Those with ids of
  /// their own then begin and end its chain.
  [[nodiscard]] SpeltFlag computed(const isa::FlagName& name) const {
    ValueId value = kNoValue;
    for (const BytecodeInst& code : core_.role->code) {
      if (!between(code, name) || (code.flags & kDynamicId) == 0) continue;
      const ValueId id = OpView(program_, code.pc).operand(0);
      if (value != kNoValue && value != id) return {name};
      value = id;
    }
    return value == kNoValue ? SpeltFlag{name} : SpeltFlag{{name.src, name.dst}, value};
  }

  /// False when ids are computed in another way: what belongs together is not known.
  [[nodiscard]] bool find(const SpeltFlag& flag, std::vector<Use>& sets, std::vector<Use>& waits) const {
    for (size_t at = 0; at < core_.role->code.size(); ++at) {
      const BytecodeInst& code = core_.role->code[at];
      if (!between(code, flag.name)) continue;
      if (flag.computed == kNoValue && (code.flags & kDynamicId) != 0) return false;
      if (flag.computed != kNoValue || code.id == flag.name.id)
        (code.op == OpCode::set_flag ? sets : waits).push_back({code.pc, core_.runs(at)});
    }
    const auto earlier = [](const Use& a, const Use& b) { return a.pc < b.pc; };
    std::ranges::sort(sets, earlier);
    std::ranges::sort(waits, earlier);
    return true;
  }

  /// All flags that the core's code names by their ids.
  [[nodiscard]] std::vector<SpeltFlag> flags() const {
    std::vector<SpeltFlag> found;
    for (const BytecodeInst& code : core_.role->code) {
      if ((code.op != OpCode::set_flag && code.op != OpCode::wait_flag) || (code.flags & kDynamicId) != 0)
        continue;
      const SpeltFlag flag{{pipe_of_lane(code.src), pipe_of_lane(code.dst), code.id}};
      if (std::ranges::count(found, flag) == 0) found.push_back(flag);
    }
    return found;
  }
  [[nodiscard]] std::string spelt(std::string_view verb, const SpeltFlag& flag) const {
    return isa::spelt(program_, verb, flag);
  }
  [[nodiscard]] std::string set_of(const SpeltFlag& flag) const { return spelt("set", flag); }
  [[nodiscard]] std::string wait_of(const SpeltFlag& flag) const { return spelt("wait", flag); }
  /// The flag can be named at the place of each of these operations.
  [[nodiscard]] bool reaches(const SpeltFlag& flag, std::initializer_list<uint32_t> places) const {
    return flag.computed == kNoValue ||
           std::ranges::all_of(places, [&](uint32_t op) { return places_.reaches(flag.computed, op); });
  }

  /// Instructions of a pipe within [begin, end), in the order of the text; the scalar unit's are not known.
  [[nodiscard]] std::vector<uint32_t> work(Pipe pipe, uint32_t begin, uint32_t end) const {
    std::vector<uint32_t> found;
    for (const BytecodeInst& code : core_.role->code) {
      const bool instruction = code.op == OpCode::enqueue || code.op == OpCode::vector_function;
      if (instruction && code.lane == lane_of(pipe) && code.pc >= begin && code.pc < end)
        found.push_back(code.pc);
    }
    std::ranges::sort(found);
    return found;
  }

  [[nodiscard]] uint32_t innermost(uint32_t op, bool (*wanted)(OpcodeClass)) const {
    for (op = tree_.parent(op); op != kNoOp; op = tree_.parent(op)) {
      if (wanted(isa::row(program_.ops[op].row).opcode_class)) return op;
    }
    return kNoOp;
  }
  [[nodiscard]] uint32_t loop(uint32_t op) const {
    return innermost(op, [](OpcodeClass opcode_class) {
      return opcode_class == OpcodeClass::loop || opcode_class == OpcodeClass::while_loop;
    });
  }
  [[nodiscard]] uint32_t branch(uint32_t op) const {
    return innermost(op, [](OpcodeClass opcode_class) { return opcode_class == OpcodeClass::branch; });
  }
  [[nodiscard]] uint32_t function(uint32_t op) const {
    return innermost(op, [](OpcodeClass opcode_class) { return opcode_class == OpcodeClass::function; });
  }
  [[nodiscard]] bool holds(uint32_t around, uint32_t op) const {
    return op > around && op < program_.end_of(around);
  }
  [[nodiscard]] uint32_t region(uint32_t op) const { return tree_.region_of(op); }
  [[nodiscard]] bool beside(uint32_t a, uint32_t b) const { return tree_.region_of(a) == tree_.region_of(b); }
  [[nodiscard]] uint32_t end_of(uint32_t op) const { return program_.end_of(op); }
  /// What stands in the same region as `beside` and is or holds `op`.
  [[nodiscard]] uint32_t out_to(uint32_t op, uint32_t beside) const {
    const uint32_t out = tree_.ancestor_in(op, tree_.region_of(beside));
    return out == kNoOp ? op : out;
  }
  [[nodiscard]] std::string name(uint32_t op) const { return place(program_, op); }
  [[nodiscard]] TextPlace at(uint32_t op) const { return places_.at(op); }
  /// As it is written, also where the operation belongs to a vector function.
  [[nodiscard]] TextPlace in_front_of(uint32_t op) const {
    TextPlace found = places_.at(op);
    found.side = TextPlace::Side::before;
    return found;
  }
  [[nodiscard]] TextPlace before(uint32_t op) const { return places_.before(op); }
  [[nodiscard]] TextPlace after(uint32_t op) const { return places_.after(op); }

 private:
  /// A set or a wait between the two pipes.
  [[nodiscard]] bool between(const BytecodeInst& code, const isa::FlagName& flag) const {
    return (code.op == OpCode::set_flag || code.op == OpCode::wait_flag) && code.dst == lane_of(flag.dst) &&
           (!by_source_ || code.src == lane_of(flag.src));
  }

  const Program& program_;
  const Core& core_;
  InsertionPoints places_;
  const RegionTree& tree_;
  bool by_source_;
};

using Uses = std::vector<CoreText::Use>;

/// One of `uses` stands in a branch that the others do not stand in.
Fix out_of_branch(const CoreText& text, const Uses& uses, const Uses& others, const SpeltFlag& flag,
                  std::string_view verb) {
  for (const auto& use : uses) {
    const uint32_t branch = text.branch(use.pc);
    if (branch == kNoOp || !text.reaches(flag, {branch})) continue;
    const bool alone =
        std::ranges::none_of(others, [&](const auto& other) { return text.holds(branch, other.pc); });
    if (alone)
      return move(text.spelt(verb, flag), text.name(use.pc), text.in_front_of(branch),
                  ", so that it runs whether the branch is taken or not");
  }
  return {};
}

/// Two of `uses` follow each other, and neither one of `others` nor an instruction of the pipe stands
/// between. Beside computed ids there may be several, each with an id of its own.
Fix one_of_two(const CoreText& text, const Uses& uses, const Uses& others, Pipe pipe, const SpeltFlag& flag,
               std::string_view verb) {
  for (size_t i = 1; flag.computed == kNoValue && i < uses.size(); ++i) {
    const uint32_t first = uses[i - 1].pc, second = uses[i].pc;
    const auto other = std::ranges::upper_bound(others, first, {}, &CoreText::Use::pc);
    const bool between = other != others.end() && other->pc < second;
    if (!between && text.beside(first, second) && text.work(pipe, first, second).empty())
      return Fix::change(Kind::remove, text.spelt(verb, flag), text.at(second),
                         fmt::format(": it is at {} already", text.name(first)));
  }
  return {};
}

bool between_same(const SpeltFlag& one, const SpeltFlag& other) {
  return one.name.src == other.name.src && one.name.dst == other.name.dst;
}

/// A flag has more sets than waits in a loop, and another one of the same pipes more waits than sets: the
/// wait names the wrong one. Ids follow each other alike in sets and waits.
Fix misnamed_wait(const CoreText& text, const SpeltFlag& flag, const Uses& sets, const Uses& waits) {
  std::set<uint32_t> regions;
  for (const auto& set : sets) {
    if (!regions.insert(text.region(set.pc)).second) continue;  // the first one there spoke for all
    const auto here = [&](const auto& use) { return text.beside(use.pc, set.pc); };
    if (std::ranges::count_if(sets, here) != std::ranges::count_if(waits, here) + 1) continue;
    for (const SpeltFlag& other : text.flags()) {
      Uses other_sets, other_waits, found;
      if (other == flag || !between_same(other, flag) || !text.find(other, other_sets, other_waits)) continue;
      std::ranges::copy_if(other_waits, std::back_inserter(found), here);
      const auto own = std::ranges::find_if(other_sets, here);
      if (static_cast<size_t>(std::ranges::count_if(other_sets, here)) + 1 != found.size()) continue;
      const bool earlier = own == other_sets.end() || set.pc < own->pc;
      return Fix::change(Kind::write, text.wait_of(flag),
                         text.at(earlier ? found.front().pc : found.back().pc),
                         fmt::format(": {} has a set that nothing waits for", isa::to_string(flag.name)));
    }
  }
  return {};
}

/// A flag like the one that is waited for has a set too many: one of the two lines names the wrong one.
Fix misnamed(const CoreText& text, const SpeltFlag& wanted, const Uses& wanted_sets, uint32_t wait) {
  std::optional<SpeltFlag> best;
  int best_score = 0;
  for (const SpeltFlag& other : text.flags()) {
    Uses sets, waits;
    if (other == wanted || !text.find(other, sets, waits) || sets.size() <= waits.size()) continue;
    if (const int score = isa::likeness(other.name, wanted.name); score > best_score) {
      best = other;
      best_score = score;
    }
  }
  if (!best) return {};
  Uses sets, waits;
  if (!text.find(*best, sets, waits)) return {};
  const auto here = [&](const auto& use) { return text.beside(use.pc, wait); };
  if (std::ranges::any_of(wanted_sets, here) && std::ranges::any_of(sets, here) &&
      std::ranges::none_of(waits, here)) {
    if (Fix help = misnamed_wait(text, *best, sets, waits); !help.empty()) return help;
  }
  const std::string why = fmt::format(": {} has a set that nothing waits for", isa::to_string(best->name));
  // A loop begins with a set of the one flag, and none of the other.
  const uint32_t loop = text.loop(wait);
  const auto handed_in = [&](const Uses& all_sets, const Uses& all_waits) {
    const auto in_front = [&](const auto& use) { return use.pc < loop; };
    return std::ranges::count_if(all_sets, in_front) > std::ranges::count_if(all_waits, in_front);
  };
  Uses own_sets, own_waits;
  if (loop != kNoOp && between_same(*best, wanted) && handed_in(sets, waits) &&
      text.find(wanted, own_sets, own_waits) && !handed_in(own_sets, own_waits))
    return Fix::change(Kind::write, text.wait_of(*best), text.at(wait), why);
  if (wanted_sets.empty() && !waits.empty() && between_same(*best, wanted))
    return Fix::change(Kind::write, text.wait_of(*best), text.at(wait), why);
  // Of those whose loop has more sets than waits, the one before the wait.
  uint32_t odd = sets.back().pc;
  std::map<uint32_t, std::ptrdiff_t> more;  // by the loop around: sets beyond waits
  for (const auto& set : sets) ++more[text.loop(set.pc)];
  for (const auto& each : waits) --more[text.loop(each.pc)];
  for (const auto& set : sets) {
    if (more[text.loop(set.pc)] > 0 && (set.pc < wait || odd >= wait)) odd = set.pc;
  }
  return Fix::change(Kind::write, text.set_of(wanted), text.at(odd), why);
}

/// Several sets and waits take turns with one flag: those at the same place of every part of the program get
/// an id of their own.
Fix own_id(const CoreText& text, const SpeltFlag& flag, const Uses& sets, const Uses& waits, int ids) {
  if (flag.computed != kNoValue) return {};
  SpeltFlag fresh = flag;
  int& id = fresh.name.id;
  const std::vector<SpeltFlag> used = text.flags();
  for (id = 0; id < ids && std::ranges::count(used, fresh) != 0;) ++id;
  if (id == ids || sets.size() != waits.size()) return {};
  std::map<uint32_t, std::pair<Uses, Uses>> parts;  // by the loop around
  for (const auto& set : sets) parts[text.loop(set.pc)].first.push_back(set);
  for (const auto& wait : waits) parts[text.loop(wait.pc)].second.push_back(wait);
  ChangeStatements changes{.join = ChangeStatements::Join::list};
  for (const auto& [loop, part] : parts) {
    if (part.first.size() > 2 || part.second.size() > 2) return {};
    if (part.first.size() == 2)
      changes.changes.push_back({Kind::write, text.set_of(fresh), text.at(part.first.back().pc)});
    if (part.second.size() == 2)
      changes.changes.push_back({Kind::write, text.wait_of(fresh), text.at(part.second.back().pc)});
  }
  return changes.changes.empty() ? Fix() : Fix(std::move(changes));
}

}  // namespace

Fix advice_on_extra_set(const Device& device, const Core& core, const isa::FlagName& name) {
  const CoreText text(device, core);
  const SpeltFlag flag = text.computed(name);
  Uses sets, waits;
  if (!text.find(flag, sets, waits) || sets.empty()) return {};
  if (Fix help = out_of_branch(text, waits, sets, flag, "wait"); !help.empty()) return help;
  if (Fix help = one_of_two(text, sets, waits, flag.name.src, flag, "set"); !help.empty()) return help;
  if (Fix help = misnamed_wait(text, flag, sets, waits); !help.empty()) return help;
  std::set<uint32_t> loops;
  for (const auto& set : sets) {
    uint32_t loop = text.loop(set.pc);
    if (loop == kNoOp || !loops.insert(loop).second) continue;  // the first set in it spoke for all
    const auto inside = [&](const auto& use) { return text.holds(loop, use.pc); };
    const auto before_it = [&](const auto& use) { return use.pc < loop; };
    const auto behind = [&](const auto& use) { return use.pc >= text.end_of(loop); };
    // A set and a wait on one side of the loop are a pair of their own.
    const auto first_sets = [&] {
      return std::ranges::count_if(sets, before_it) - std::ranges::count_if(waits, before_it);
    };
    const auto last_waits = [&] {
      return std::ranges::count_if(waits, behind) - std::ranges::count_if(sets, behind);
    };
    if (std::ranges::any_of(waits, inside)) {
      const bool first = first_sets() > 0;
      // Out to where the first set stands: a loop around goes on with the flag of the iteration before.
      const auto beside_first = [&](uint32_t op) {
        return std::ranges::any_of(sets,
                                   [&](const auto& use) { return use.pc < loop && text.beside(use.pc, op); });
      };
      for (uint32_t out = loop; first && out != kNoOp; out = text.loop(out)) {
        if (!beside_first(out)) continue;
        loop = out;
        break;
      }
      if (first && std::ranges::none_of(waits, behind) && text.reaches(flag, {loop}))
        return Fix::add(text.wait_of(flag), text.after(loop), ": it takes the set of the last iteration");
      continue;
    }
    const std::vector<uint32_t> work = text.work(flag.name.dst, loop, text.end_of(loop));
    if (work.empty()) continue;
    // The first work after the set. With a set before the loop, or no work after the set, the wait is in
    // the next iteration.
    const auto next = first_sets() > 0 ? work.end() : std::ranges::upper_bound(work, set.pc);
    const uint32_t before = text.out_to(next == work.end() ? work.front() : *next, set.pc);
    if (!text.reaches(flag, {before})) return {};
    if (last_waits() > 0 && first_sets() <= 0 && text.reaches(flag, {loop}))
      return Fix::add_both({.text = text.wait_of(flag), .place = text.before(before)},
                           {.text = text.set_of(flag), .place = text.before(loop)},
                           ": the wait behind the loop takes one set only");
    return Fix::add(text.wait_of(flag), text.before(before));
  }
  if (waits.empty())
    return Fix::change(Kind::remove, text.set_of(flag), text.at(sets.front().pc),
                       ", or wait for it: nothing does");
  return own_id(text, flag, sets, waits, static_cast<int>(device.config.event_ids));
}

Fix advice_on_extra_wait(const Device& device, const Core& core, const isa::FlagName& name, uint32_t wait) {
  const CoreText text(device, core);
  const SpeltFlag flag = text.computed(name);
  Uses sets, waits;
  if (!text.find(flag, sets, waits)) return {};
  if (Fix help = out_of_branch(text, sets, waits, flag, "set"); !help.empty()) return help;
  if (Fix help = one_of_two(text, waits, sets, flag.name.dst, flag, "wait"); !help.empty()) return help;
  if (Fix help = misnamed(text, flag, sets, wait); !help.empty()) return help;
  const uint32_t function = text.function(wait), loop = text.loop(wait);
  const uint32_t begin = function == kNoOp ? 0 : function,
                 end = function == kNoOp ? ~0u : text.end_of(function);
  const auto in_loop = [&](const auto& use) { return text.holds(loop, use.pc); };
  const auto add_set = [&](uint32_t behind, std::string why) {
    if (!text.reaches(flag, {behind})) return Fix();
    return Fix::add(text.set_of(flag), text.after(behind), std::move(why));
  };
  if (loop != kNoOp) {
    const std::vector<uint32_t> body = text.work(flag.name.src, loop, text.end_of(loop)),
                                later = text.work(flag.name.src, wait, text.end_of(loop));
    const bool set_inside = std::ranges::any_of(sets, in_loop),
               set_before = std::ranges::any_of(sets, [&](const auto&use) { return use.pc < loop; });
    if (!set_inside && body.empty() && text.reaches(flag, {loop}))
      return move(text.wait_of(flag), text.name(wait), text.in_front_of(loop),
                  ": there is one set for the whole loop");
    if (set_inside && !set_before && text.reaches(flag, {loop})) {
      const bool taken =
          std::ranges::any_of(waits, [&](const auto& use) { return use.pc >= text.end_of(loop); });
      return Fix::add(
          text.set_of(flag), text.in_front_of(loop),
          fmt::format(": the first iteration finds no set{}", taken ? "" : "; wait once after the loop"));
    }
    if (!set_inside && set_before && !later.empty())
      return add_set(text.out_to(later.back(), wait), ": the next iteration waits for it");
    if (!set_inside && !body.empty() && body.front() < wait) {
      const std::vector<uint32_t> before = text.work(flag.name.src, loop, wait);
      return add_set(text.out_to(before.back(), wait), "");
    }
  }
  const bool none_ran = std::ranges::none_of(sets, [](const auto& use) { return use.runs > 0; });
  if (!sets.empty() && none_ran) return {};  // they stand where the program did not come to
  const std::vector<uint32_t> before = text.work(flag.name.src, begin, std::min(wait, end));
  if (before.empty()) return {};
  return add_set(text.out_to(before.back(), wait), "");
}

Fix advice_on_circle(const Device& device, const Core& core) {
  const CoreText text(device, core);
  for (const Lane& lane : core.lanes) {
    if (lane.block != Block::flag || lane.empty()) continue;
    const Slot& head = lane.slot(lane.started);
    const SpeltFlag flag =
        text.computed({pipe_of_lane(head.code->src), pipe_of_lane(head.code->dst), head.id});
    Uses sets, waits;
    if (!text.find(flag, sets, waits)) continue;
    if (waits.size() > sets.size()) {
      for (const SpeltFlag& other : text.flags()) {
        Uses other_sets, other_waits;
        if (!between_same(other, flag) || !text.find(other, other_sets, other_waits) || other_sets.empty() ||
            !other_waits.empty())
          continue;
        return Fix::change(Kind::write, text.wait_of(other), text.at(head.code->pc),
                           fmt::format(": {} is set and never waited for", isa::to_string(other.name)));
      }
    }
    std::set<uint32_t> regions;
    for (const auto& wait : waits) {
      if (!regions.insert(text.region(wait.pc)).second) continue;
      const auto beside = [&](const auto& use) { return text.beside(use.pc, wait.pc); };
      if (std::ranges::count_if(waits, beside) <= std::ranges::count_if(sets, beside)) continue;
      Uses here;
      std::ranges::copy_if(waits, std::back_inserter(here), beside);
      if (Fix help = one_of_two(text, here, sets, flag.name.dst, flag, "wait"); !help.empty()) return help;
    }
  }
  return {};
}

Fix advice_on_extra_get(const Device& device, const Core& core, unsigned lane, int id) {
  const CoreText text(device, core);
  const std::string_view pipe = to_string(pipe_of_lane(lane));
  const auto spelt = [&](const char* what, int number) {
    return fmt::format("pto.{}_buf \"{}\", {}, 0", what, pipe, number);
  };
  const auto used_elsewhere = [&](int number) {
    return std::ranges::any_of(core.role->code, [&](const BytecodeInst& code) {
      return (code.op == OpCode::get_buf || code.op == OpCode::rls_buf) && code.lane != lane &&
             code.id == number;
    });
  };
  const auto first = [&](OpCode op, int number) -> const BytecodeInst* {
    const auto found = std::ranges::find_if(core.role->code, [&](const BytecodeInst& code) {
      return code.op == op && code.lane == lane && code.id == number;
    });
    return found == core.role->code.end() ? nullptr : &*found;
  };
  const bool computed = std::ranges::any_of(core.role->code, [](const BytecodeInst& code) {
    return (code.op == OpCode::get_buf || code.op == OpCode::rls_buf) && (code.flags & kDynamicId) != 0;
  });
  const BytecodeInst* const get = first(OpCode::get_buf, id);
  if (get == nullptr || computed) return {};
  for (size_t other = 0; other < core.buffers.size(); ++other) {
    const int number = static_cast<int>(other);
    const BytecodeInst* const release = first(OpCode::rls_buf, number);
    if (core.buffers[other].held[lane] >= 0 || release == nullptr) continue;
    if (used_elsewhere(id) && !used_elsewhere(number))
      return Fix::change(Kind::write, spelt("rls", id), text.at(release->pc));
    return Fix::change(Kind::write, spelt("get", number), text.at(get->pc));
  }
  if (first(OpCode::rls_buf, id) != nullptr) return {};
  // The release belongs behind what the pipe does with the buffer: up to its next get.
  const uint32_t loop = text.loop(get->pc), function = text.function(get->pc);
  uint32_t until = loop != kNoOp ? text.end_of(loop) : function != kNoOp ? text.end_of(function) : ~0u;
  for (const BytecodeInst& code : core.role->code) {
    if (code.op == OpCode::get_buf && code.lane == lane && code.pc > get->pc &&
        !text.work(pipe_of_lane(lane), get->pc, code.pc).empty())
      until = std::min(until, code.pc);
  }
  const std::vector<uint32_t> work = text.work(pipe_of_lane(lane), get->pc, until);
  if (work.empty()) return {};
  return Fix::add(spelt("rls", id), text.after(text.out_to(work.back(), get->pc)));
}

Fix advice_on_extra_release(const Device& device, const Core& core, unsigned lane, int id, uint32_t release) {
  const CoreText text(device, core);
  // The get belongs before what the pipe does with the buffer: behind its release before.
  uint32_t begin = text.loop(release) != kNoOp ? text.loop(release) : text.function(release);
  for (const BytecodeInst& code : core.role->code) {
    const bool buffer = code.op == OpCode::get_buf || code.op == OpCode::rls_buf;
    if (!buffer || code.lane != lane) continue;
    if ((code.flags & kDynamicId) != 0 || (code.op == OpCode::get_buf && code.id == id)) return {};
    if (code.pc < release && code.id == id) begin = std::max(begin == kNoOp ? 0 : begin, code.pc);
  }
  const std::vector<uint32_t> work = text.work(pipe_of_lane(lane), begin == kNoOp ? 0 : begin, release);
  if (work.empty()) return {};
  return Fix::add(fmt::format("pto.get_buf \"{}\", {}, 0", to_string(pipe_of_lane(lane)), id),
                  text.before(text.out_to(work.front(), release)));
}

Fix advice_on_second_get(const Device& device, const Core& core, unsigned lane, int id, uint32_t first,
                         uint32_t second) {
  if (Fix help = advice_on_extra_get(device, core, lane, id); !help.empty()) return help;
  const CoreText text(device, core);
  if (first == second || !text.beside(first, second) ||
      !text.work(pipe_of_lane(lane), std::min(first, second), std::max(first, second)).empty())
    return {};
  return Fix::change(Kind::remove, std::string(mnemonic(*device.program, second)), text.at(second),
                     ": one get and one release belong together");
}

}  // namespace pto::sim
