#include "sim/signal_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "isa/row.hpp"
#include "sim/describe.hpp"
#include "sim/places.hpp"

namespace pto::sim {
namespace {

constexpr int kHalf = 16;  ///< ids of the second vector core, as the cube core names them

/// A signal or a wait in the text of a core; `id` is the one that the waiting core has.
struct SignalLine {
  const Core* core = nullptr;
  const Code* code = nullptr;
  int id = 0;
};

bool named(const Device& device, const Code& code) {
  const isa::Does does = isa::row(device.program->ops[code.pc].row).does;
  return (does == isa::Does::sync_set || does == isa::Does::sync_wait) && code.b == kOneToOne &&
         (code.flags & kDynamicId) == 0;
}

class Cluster {
 public:
  Cluster(const Device& device, const Core& core) : device_(device), core_(core), places_(*device.program) {}

  std::string missing(const Code& wait, int id) const {
    if (!named(device_, wait)) return {};
    const std::vector<SignalLine> sets = sets_to(core_), waits = waits_of(core_);
    if (has(sets, id)) return {};
    for (const SignalLine& set : sets) {
      if (has(waits, set.id)) continue;
      const int wanted = written(*set.core, id);
      if (const Code* twin = twin_of(*set.core, wanted); twin != nullptr && twin != set.code)
        return fmt::format("write {} at {}: nobody waits for id {}", set_of(set.code->lane, wanted),
                           at(set.code->pc), set.code->id);
      return fmt::format("write {} at {}: id {} is signalled at {}, and nobody waits for it",
                         wait_of(wait.lane, set.id), at(wait.pc), set.code->id, at(set.code->pc));
    }
    const Core* from = partner(id);
    return from == nullptr ? "" : missing_set(*from, wait, written(*from, id));
  }

  std::string left(int id) const {
    if (has(waits_of(core_), id)) return {};
    for (const SignalLine& set : sets_to(core_)) {
      if (set.id != id || !named(device_, *set.code)) continue;
      const Code* first = answer_begin(set);
      if (first == nullptr) first = entry_behind(core_, 0, ~0u, kNoOp);
      if (first == nullptr) return {};
      const std::optional<uint32_t> place = out_to_depth(first->pc, depth(set.code->pc));
      if (!place) return {};
      return fmt::format("add {} {}: nothing waits for the signal at {}", wait_of(lane_of(*first), id),
                         places_.before(*place), at(set.code->pc));
    }
    return {};
  }

 private:
  // ---- who hears what

  [[nodiscard]] std::vector<const Core*> others(const Core& core) const {
    std::vector<const Core*> found;
    for (const auto& each : device_.cores) {
      const bool pair = (each->role_index() == 0) != (core.role_index() == 0);
      if (each->info.block == core.info.block && pair) found.push_back(each.get());
    }
    return found;
  }
  [[nodiscard]] const Core* partner(int id) const {
    for (const Core* other : others(core_)) {
      if (core_.role_index() != 0 || other->role_index() == 1 + static_cast<uint32_t>(id / kHalf))
        return other;
    }
    return nullptr;
  }
  /// The id that `from` writes to signal `id` of this core.
  [[nodiscard]] int written(const Core& from, int id) const {
    return from.role_index() == 0 ? id + kHalf * (static_cast<int>(core_.role_index()) - 1) : id % kHalf;
  }
  [[nodiscard]] std::vector<SignalLine> sets_to(const Core& core) const {
    std::vector<SignalLine> found;
    for (const Core* from : others(core)) {
      for (const Code& code : from->role->code) {
        if (code.op != OpCode::sync_set || code.b != kOneToOne) continue;
        if (from->role_index() != 0)
          found.push_back({from, &code, code.id + kHalf * (static_cast<int>(from->role_index()) - 1)});
        else if (static_cast<uint32_t>(code.id / kHalf) + 1 == core.role_index())
          found.push_back({from, &code, code.id % kHalf});
      }
    }
    return found;
  }
  [[nodiscard]] static std::vector<SignalLine> waits_of(const Core& core) {
    std::vector<SignalLine> found;
    for (const Code& code : core.role->code) {
      if (code.op == OpCode::sync_wait && code.b == kOneToOne)
        found.push_back({&core, &code, core.role_index() == 0 ? code.id : code.id % kHalf});
    }
    return found;
  }
  [[nodiscard]] static bool has(const std::vector<SignalLine>& lines, int id) {
    return std::ranges::any_of(
        lines, [&](const SignalLine& line) { return (line.code->flags & kDynamicId) != 0 || line.id == id; });
  }
  /// The cube core's signal of the same id to the other vector core.
  [[nodiscard]] static const Code* twin_of(const Core& core, int id) {
    if (core.role_index() != 0) return nullptr;
    const auto found = std::ranges::find_if(core.role->code, [&](const Code& code) {
      return code.op == OpCode::sync_set && code.b == kOneToOne && code.id != id &&
             code.id % kHalf == id % kHalf;
    });
    return found == core.role->code.end() ? nullptr : &*found;
  }

  // ---- where a line belongs

  std::string missing_set(const Core& from, const Code& wait, int id) const {
    if (const Code* twin = twin_of(from, id))
      return fmt::format("add {} {}, beside that of the other vector core", set_of(twin->lane, id),
                         places_.before(twin->pc));
    // Before the wait for what this core answers.
    uint32_t end = ~0u, region = kNoOp;
    for (const SignalLine& reply : sets_to(from)) {
      if (reply.core != &core_ || reply.code->pc < wait.pc || !beside(reply.code->pc, wait.pc)) continue;
      for (const SignalLine& awaited : waits_of(from)) {
        if (awaited.id == reply.id && awaited.code->pc < end)
          end = awaited.code->pc, region = places_.tree().region_of(end);
      }
    }
    const Code* last = entry_before(from, end, region);
    if (last == nullptr) return {};
    const std::optional<uint32_t> place = out_to_depth(last->pc, depth(wait.pc));
    if (!place) return {};
    return fmt::format("add {} {}: {} of {} waits for it", set_of(lane_of(*last), id), places_.after(*place),
                       to_string(pipe_of_lane(wait.lane)), spoken_name(core_.info));
  }

  /// The first instruction of this core that leads to an answer to a signal.
  [[nodiscard]] const Code* answer_begin(const SignalLine& set) const {
    for (const SignalLine& awaited : waits_of(*set.core)) {
      if (awaited.code->pc < set.code->pc || !beside(awaited.code->pc, set.code->pc)) continue;
      for (const SignalLine& reply : sets_to(*set.core)) {
        if (reply.core != &core_ || reply.id != awaited.id) continue;
        const uint32_t region = places_.tree().region_of(reply.code->pc);
        return entry_behind(core_, 0, reply.code->pc, region);
      }
    }
    return nullptr;
  }

  /// The last entry of a queue before `end`, in `region` if one is named; waits count for the pipe that
  /// waits.
  [[nodiscard]] const Code* entry_before(const Core& core, uint32_t end, uint32_t region) const {
    const Code* found = nullptr;
    for (const Code& code : core.role->code) {
      const bool counts = works(code) || code.op == OpCode::wait_flag;
      if (counts && code.pc < end && inside(code.pc, region) && (found == nullptr || code.pc > found->pc))
        found = &code;
    }
    return found;
  }
  [[nodiscard]] const Code* entry_behind(const Core& core, uint32_t begin, uint32_t end,
                                         uint32_t region) const {
    const Code* found = nullptr;
    for (const Code& code : core.role->code) {
      if (works(code) && code.pc >= begin && code.pc < end && inside(code.pc, region) &&
          (found == nullptr || code.pc < found->pc))
        found = &code;
    }
    return found;
  }
  [[nodiscard]] static bool works(const Code& code) {
    return code.op == OpCode::enqueue || code.op == OpCode::vector_function;
  }
  [[nodiscard]] static uint8_t lane_of(const Code& code) {
    return code.op == OpCode::wait_flag ? code.dst : code.lane;
  }
  [[nodiscard]] bool inside(uint32_t op, uint32_t region) const {
    return region == kNoOp || places_.tree().ancestor_in(op, region) != kNoOp;
  }
  [[nodiscard]] bool beside(uint32_t a, uint32_t b) const {
    return places_.tree().region_of(a) == places_.tree().region_of(b);
  }
  [[nodiscard]] bool is_loop(uint32_t op) const {
    const isa::Does does = isa::row(device_.program->ops[op].row).does;
    return does == isa::Does::loop || does == isa::Does::while_loop;
  }
  [[nodiscard]] unsigned depth(uint32_t op) const {
    unsigned loops = 0;
    for (op = places_.tree().around(op); op != kNoOp; op = places_.tree().around(op)) loops += is_loop(op);
    return loops;
  }
  /// The operation or a loop around it that so many loops are around.
  [[nodiscard]] std::optional<uint32_t> out_to_depth(uint32_t op, unsigned wanted) const {
    unsigned loops = depth(op);
    for (uint32_t at = op; loops > wanted; at = places_.tree().around(at)) {
      if (is_loop(at)) op = at, --loops;
    }
    return loops == wanted ? std::optional(op) : std::nullopt;
  }

  [[nodiscard]] std::string at(uint32_t op) const { return place(*device_.program, op); }
  [[nodiscard]] static std::string set_of(uint8_t lane, int id) {
    return fmt::format("pto.sync.set <{}>, {}", to_string(pipe_of_lane(lane)), id);
  }
  [[nodiscard]] static std::string wait_of(uint8_t lane, int id) {
    return fmt::format("pto.sync.wait <{}>, {}", to_string(pipe_of_lane(lane)), id);
  }

  const Device& device_;
  const Core& core_;
  Places places_;
};

}  // namespace

std::string advice_on_missing_signal(const Device& device, const Core& core, const Code& wait, int id) {
  return Cluster(device, core).missing(wait, id);
}

std::string advice_on_left_signal(const Device& device, const Core& core, int id) {
  return Cluster(device, core).left(id);
}

}  // namespace pto::sim
