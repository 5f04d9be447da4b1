// Live ranges over structured control flow.
#include <algorithm>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "plan/memory/placement.hpp"

namespace pto::planner {
namespace {

class Liveness {
 public:
  Liveness(const Program& program, const Storage& storage)
      : program_(program),
        storage_(storage),
        ranges_(storage.roots().size()),
        seen_(storage.roots().size()),
        loops_(program),
        with_blocks_(program) {}

  std::vector<LiveRange> run() {
    for (uint32_t op = 0; op < program_.ops.size(); ++op) {
      loops_.advance_to(op);
      with_blocks_.advance_to(op);
      enter(op);
      for (const StorageUse& access : storage_.accesses(op)) touch(storage_.set(access.roots), op, access);
      const isa::OpcodeClass opcode_class = isa::opcode_class(program_.ops[op]);
      if (opcode_class == isa::OpcodeClass::reserve_buffer) other_core_writes(op);
      if (isa::is_loop(opcode_class)) loops_.enter(op);
      if (has_blocks(op)) with_blocks_.enter(op);
    }
    for (const Storage::LoopCarried& carried : storage_.loop_carried()) {
      for (uint32_t slot = 0; slot < storage_.roots()[carried.root].slots; ++slot)
        extend(carried.root + slot, carried.loop, last_of(carried.loop));
    }
    for (RootId root = 0; root < ranges_.size(); ++root) widen(root);
    return std::move(ranges_);
  }

 private:
  /// What decides whether a tile's bytes matter beyond its own accesses.
  struct Seen {
    uint32_t function = ~0u, section = ~0u;   ///< of the first access
    bool other_core = false;                  ///< also in a section of the other kind
    bool comes_in = false, goes_out = false;  ///< the first access reads, the last one writes
  };

  void enter(uint32_t op) {
    const isa::OpcodeClass opcode_class = isa::opcode_class(program_.ops[op]);
    if (opcode_class == isa::OpcodeClass::function) function_ = op;
    if (section_ != ~0u && op >= program_.end_of(section_)) section_ = ~0u;
    if (isa::is_section(opcode_class)) section_ = op;
  }

  [[nodiscard]] bool has_blocks(uint32_t op) const {
    for (const Region& region : program_.regions_of(program_.ops[op])) {
      for (const uint32_t child : ops_in(program_, region)) {
        if (isa::row(program_.ops[child].row).opcode_class == isa::OpcodeClass::block) return true;
      }
    }
    return false;
  }

  /// The buffer of a tile queue is filled at any time.
  void other_core_writes(uint32_t op) {
    for (RootId root = 0; root < ranges_.size(); ++root) {
      if (storage_.roots()[root].kind == Root::Kind::tile && storage_.roots()[root].op == op)
        extend(root, function_, last_of(function_));
    }
  }

  void extend(RootId root, uint32_t begin, uint32_t end) {
    ranges_[root].begin = std::min(ranges_[root].begin, begin);
    ranges_[root].end = std::max(ranges_[root].end, end);
  }
  [[nodiscard]] uint32_t last_of(uint32_t op) const { return program_.end_of(op) - 1; }

  void touch(std::span<const RootId> roots, uint32_t op, const StorageUse& access) {
    for (const RootId root : roots) {
      if (storage_.roots()[root].kind != Root::Kind::tile) continue;
      const uint32_t built = storage_.roots()[root].op;
      // The outermost loop that the tile was made before: its bytes may be needed in every iteration.
      const auto loop = std::ranges::upper_bound(loops_.all(), built);
      if (loop == loops_.all().end())
        extend(root, op, op);
      else
        extend(root, *loop, last_of(*loop));
      // Blocks run in any order, and again.
      if (!with_blocks_.all().empty())
        extend(root, with_blocks_.all().front(), last_of(with_blocks_.all().front()));
      note(seen_[root], access);
    }
  }

  void note(Seen& seen, const StorageUse& access) {
    if (seen.function == ~0u) seen = {function_, section_, false, access.read, false};
    seen.goes_out = access.write;
    seen.other_core = seen.other_core || (seen.section != section_ && !same_kind(seen.section, section_));
  }
  [[nodiscard]] bool same_kind(uint32_t a, uint32_t b) const {
    return a != ~0u && b != ~0u && program_.ops[a].row == program_.ops[b].row;
  }

  /// Cores run side by side, whatever the order of the text; and a tile with an address of its own may be
  /// filled or read by somebody else who knows the address.
  void widen(RootId root) {
    const Seen& seen = seen_[root];
    if (seen.function == ~0u) return;
    const bool fixed = !storage_.roots()[root].planned;
    if (seen.other_core || (fixed && seen.comes_in)) extend(root, seen.function, seen.function);
    if (seen.other_core || (fixed && seen.goes_out))
      extend(root, last_of(seen.function), last_of(seen.function));
  }

  const Program& program_;
  const Storage& storage_;
  std::vector<LiveRange> ranges_;
  std::vector<Seen> seen_;
  EnclosingOps loops_, with_blocks_;
  uint32_t function_ = 0, section_ = ~0u;
};

}  // namespace

std::vector<LiveRange> live_ranges(const Program& program, const Storage& storage) {
  return Liveness(program, storage).run();
}

}  // namespace pto::planner
