// What operations touch of the memories that several cores reach, and how messages name it.
#include <fmt/format.h>

#include <array>
#include <map>
#include <string>
#include <utility>

#include "ir/call_graph.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "plan/sync/sync_insertion.hpp"

namespace pto::planner {

/// What a call touches of the arguments that it is given.
class SyncPlanner::CallTouches {
 public:
  CallTouches(const Program& program, const ByteSegments& segments)
      : program_(program), segments_(segments), functions_(program), calls_(program, functions_) {}

  std::vector<Touch> of(uint32_t call) {
    std::vector<Touch> found;
    const Storage& storage = segments_.storage();
    for (const Call& each : calls_.calls()) {
      if (each.op != call) continue;
      const Region& body = body_of(program_, functions_[each.callee].info.op);
      const std::span<const ValueId> given = OpView(program_, call).operands(0);
      for (const auto& [value, use] : arguments_of(each.callee)) {
        const uint32_t number = value - body.first_arg;
        if (number >= given.size()) continue;
        for (const RootId root : storage.roots_of(given[number])) {
          if (storage.roots()[root].kind == Root::Kind::unknown) continue;
          const auto [first, last] = segments_.all_of(root);
          found.push_back({call, root, first, last, use.first, use.second, kNoValue, false});
        }
      }
    }
    return found;
  }

 private:
  using Uses = std::map<ValueId, std::pair<bool, bool>>;  ///< read, written; by argument

  const Uses& arguments_of(uint32_t function) {
    const auto [at, built] = known_.try_emplace(function);
    if (!built || functions_[function].info.declaration) return at->second;  // a circle adds nothing new
    Uses uses;
    const Storage& storage = segments_.storage();
    const Region& body = body_of(program_, functions_[function].info.op);
    const auto add = [&](RootId id, bool read, bool write) {
      const ValueId value = storage.roots()[id].value;
      if (storage.roots()[id].kind != Root::Kind::buffer || value < body.first_arg ||
          value >= body.first_arg + body.n_args)
        return;
      auto& [reads, writes] = uses[value];
      reads = reads || read;
      writes = writes || write;
    };
    for (const uint32_t op : descendants(program_, functions_[function].info.op)) {
      if (isa::opcode_class(program_.ops[op]) == isa::OpcodeClass::call) {
        for (const Touch& touch : of(op)) add(touch.root, touch.read, touch.write);
        continue;
      }
      for (const StorageUse& use : storage.accesses(op)) {
        for (const RootId root : storage.set(use.roots)) add(root, use.read, use.write);
      }
    }
    return known_[function] = std::move(uses);
  }

  const Program& program_;
  const ByteSegments& segments_;
  const pto::Functions functions_;
  const CallGraph calls_;
  std::map<uint32_t, Uses> known_;
};

/// What cube and vector cores have in common.
bool SyncPlanner::is_shared(Space space) const {
  return space == Space::gm || (program_.target == Target::a5 && (space == Space::ub || space == Space::l1));
}

std::vector<Touch> SyncPlanner::touches_of(uint32_t op) {
  std::vector<Touch> found;
  if (isa::opcode_class(program_.ops[op]) == isa::OpcodeClass::call) {
    if (!call_touches_) call_touches_ = std::make_shared<CallTouches>(program_, segments_);
    found = call_touches_->of(op);
  } else {
    found = segments_.touches(op);
  }
  std::erase_if(
      found, [&](const Touch& touch) { return !is_shared(segments_.storage().roots()[touch.root].space); });
  return found;
}

/// Whether the two functions have anything to do with each other.
bool SyncPlanner::meet_in_memory(uint32_t cube, uint32_t vector) {
  std::array<std::vector<Touch>, kCores> all;
  for (int core = 0; core < kCores; ++core) {
    std::map<std::pair<uint32_t, uint32_t>, Touch> once;
    for (const uint32_t op : descendants(program_, core == 0 ? cube : vector)) {
      for (const Touch& touch : touches_of(op)) {
        Touch& kept = once.try_emplace({touch.first, touch.last}, touch).first->second;
        kept.read = kept.read || touch.read;
        kept.write = kept.write || touch.write;
      }
    }
    for (const auto& each : once) all[static_cast<size_t>(core)].push_back(each.second);
  }
  for (const Touch& a : all[0]) {
    for (const Touch& b : all[1])
      if (meet(a, b)) return true;
  }
  return false;
}

std::string SyncPlanner::name_of(RootId id) const {
  const Root& root = segments_.storage().roots()[id];
  const std::string_view name = root.value == kNoValue ? std::string_view() : program_.name_of(root.value);
  if (root.kind == Root::Kind::buffer) return fmt::format("argument '{}'", name);
  return name.empty() ? std::string("a tile") : fmt::format("tile %{}", name);
}

/// What two operations, or what is in them, have in common.
std::string SyncPlanner::memory_of(uint32_t first, uint32_t second) {
  std::vector<Touch> all;
  for (uint32_t op = first; op < program_.end_of(first); ++op) {
    for (const Touch& touch : touches_of(op)) all.push_back(touch);
  }
  for (uint32_t op = second; op < program_.end_of(second); ++op) {
    for (const Touch& touch : touches_of(op)) {
      for (const Touch& other : all)
        if (meet(other, touch)) return name_of(touch.root);
    }
  }
  return "memory that both reach";
}

}  // namespace pto::planner
