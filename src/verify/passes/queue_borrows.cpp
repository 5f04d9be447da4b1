// Received tiles are borrowed: every tpop has its tfree in the same block, no more are held than there are
// slots, and a tile is not used after it has been given back (E0492).
#include <fmt/format.h>

#include <algorithm>

#include "verify/passes/queue_ends.hpp"

namespace pto::legality {
namespace {

using isa::OpcodeClass;
using Part = Anchor::Part;

class Pops {
 public:
  explicit Pops(Queues& queues) : q_(queues), check_(queues.check) {}

  void run() {
    find_uses();
    for (const QueueEnd& end : q_.ends) {
      if (check_.failed(end.op)) continue;
      std::map<uint32_t, Block> blocks;
      for (const uint32_t user : end.users) {
        if (opcode_class(user) == OpcodeClass::queue_pop)
          blocks[q_.regions.region_of(user)].pops.push_back(user);
        if (opcode_class(user) == OpcodeClass::queue_free)
          blocks[q_.regions.region_of(user)].frees.push_back(user);
      }
      for (const auto& [region, block] : blocks) check_block(end, block);
    }
  }

 private:
  /// The receives and returns of one queue in one block, in order.
  struct Block {
    std::vector<uint32_t> pops, frees;
  };

  OpcodeClass opcode_class(uint32_t op) const { return isa::row(q_.program.ops[op].row).opcode_class; }

  /// The received tile: a result, or the operand that is filled.
  ValueId tile_of(const OpView& op) const {
    return op.op().n_results > 0 ? op.result(0) : op.operand(static_cast<unsigned>(slot_of(op, "tile")));
  }

  /// Where received tiles are used.
  void find_uses() {
    for (const QueueUse& use : q_.uses) {
      if (opcode_class(use.op) == OpcodeClass::queue_pop && tile_of(q_.view(use.op)) != kNoValue)
        uses_.try_emplace(tile_of(q_.view(use.op)));
    }
    if (uses_.empty()) return;
    for (uint32_t i = 0; i < q_.program.ops.size(); ++i) {
      const OpView op = q_.view(i);
      const auto slots = static_cast<unsigned>(isa::schema(op.op().row).operands.size());
      for (unsigned slot = 0; slot < slots; ++slot) {
        for (const ValueId value : op.operands(slot)) {
          if (const auto found = uses_.find(value); found != uses_.end()) found->second.push_back(i);
        }
      }
    }
  }

  /// Slots are given back in the order they were received in.
  void check_block(const QueueEnd& end, const Block& block) {
    size_t free = 0;
    for (size_t i = 0; i < block.pops.size(); ++i) {
      while (free < block.frees.size() && block.frees[free] < block.pops[i])
        ++free;  // of an enclosing or earlier receive
      const OpView pop = q_.view(block.pops[i]);
      if (free >= block.frees.size()) return unmatched(pop, end);
      const auto held =
          static_cast<int64_t>(std::ranges::upper_bound(block.pops, block.frees[free]) - block.pops.begin()) -
          static_cast<int64_t>(i);
      if (held > end.slots) return too_many(end, block, i);
      check_uses(pop, block.frees[free++]);
    }
  }

  void too_many(const QueueEnd& end, const Block& block, size_t first) {
    const OpView pop = q_.view(block.pops[first + static_cast<size_t>(end.slots)]);
    Diagnostic& built =
        check_.fail(E0492, pop,
                    fmt::format("{} receives tile {} while all {} slots are held: it would wait forever",
                                pop.mnemonic(), end.slots + 1, end.slots),
                    "give tiles back with tfree before");
    add_note(built, q_.view(block.pops[first]), "the first tile that is held is received here");
  }

  void unmatched(const OpView& op, const QueueEnd& end) {
    const bool frontend = queue_row(op.op().row).frontend;  // pto.tpop_from_x, else pto.tpop
    Diagnostic& built =
        check_.fail(E0492, op, fmt::format("the tile of {} is never given back in this block", op.mnemonic()),
                    !frontend ? "write pto.tfree behind its last use"
                              : fmt::format("write pto.tfree{} {{id = {}, split = {}}} behind its last use",
                                            op.mnemonic().substr(8), end.id, op.attr_int("split")));
    for (const uint32_t user : end.users) {
      if (user > op.index() && opcode_class(user) == OpcodeClass::queue_free &&
          q_.regions.region_of(user) != q_.regions.region_of(op.index())) {
        add_note(built, q_.view(user), "this tfree is in another block");
        return;
      }
    }
  }

  /// Uses from a later receive into the same tile on belong to that one. On a2a3 the receive has copied the
  /// slot, which lies in GM, into a tile of its own; a view of the slot is borrowed there too.
  void check_uses(const OpView& pop, uint32_t free) {
    const ValueId tile = tile_of(pop);
    if (check_.target() == Target::a2a3 && q_.program.type_of(tile).is_tile()) return;
    const auto uses = uses_.find(tile);
    if (uses == uses_.end()) return;
    const auto next = std::ranges::upper_bound(uses->second, free);
    if (next == uses->second.end() || opcode_class(*next) == OpcodeClass::queue_pop) return;
    const OpView user = q_.view(*next);
    unsigned flat = 0;
    const auto slots = static_cast<unsigned>(isa::schema(user.op().row).operands.size());
    for (unsigned slot = 0; slot < slots; ++slot) {
      const std::span<const ValueId> values = user.operands(slot);
      if (const auto used = std::ranges::find(values, tile); used != values.end())
        flat = flat_index(user, slot) + static_cast<unsigned>(used - values.begin());
    }
    Diagnostic& built = check_.fail(E0492, user, Part::operand, flat,
                                    fmt::format("{} is used by {} after it has been given back",
                                                value_name(q_.program, tile), user.mnemonic()),
                                    "move the tfree behind this use");
    add_note(built, q_.view(free), "it is given back here");
  }

  Queues& q_;
  Checker& check_;
  std::map<ValueId, std::vector<uint32_t>> uses_;
};

constexpr Rule kQueueBorrowsRules[] = {
    {.id = E0492,
     .title = "borrowed tile",
     .cause = "A received tile is given back by a tfree in the same block, in the order of receiving; no "
              "more tiles are held than the queue has slots. After that it is not used, except on a2a3, "
              "where the receive copies the slot into the tile.",
     .example = "pto.tpop_from_aic without pto.tfree_from_aic",
     .fix = "Add the tfree, or move it."},
};

}  // namespace

RuleFamily queue_pop_rules() { return {.rules = kQueueBorrowsRules, .checks = {}}; }

void check_queue_pops(Queues& queues) { Pops(queues).run(); }

}  // namespace pto::legality
