// One walk over the program: the first who touches a tile decides, everybody later can only take it away.
#include "plan/loops/privatisable_tiles.hpp"

#include <algorithm>
#include <map>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;

/// Finds the tiles from before a loop that could as well be made in it: no other one looks at them, and every
/// turn begins by filling them.
class PrivatisableTiles {
 public:
  PrivatisableTiles(const Program& program, const Storage& storage, uint32_t loop)
      : program_(program), storage_(storage), loop_(loop), end_(program.end_of(loop)) {}

  std::vector<uint32_t> find() {
    for (uint32_t op = 0; op < program_.ops.size(); ++op) visit(op);
    std::vector<uint32_t> found;
    for (const auto& [root, seen] : seen_) {
      if (seen == Seen::filled) found.push_back(storage_.roots()[root].op);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  enum class Seen : uint8_t { filled, shared };

  void visit(uint32_t op) {
    const OpView view(program_, op);
    const isa::Schema& schema = isa::schema(view.op().row);
    if (op >= end_of_inner_ && view.op().n_regions > 0 && op > loop_ && op < end_)
      end_of_inner_ = program_.end_of(op);
    // Reads first: an instruction that reads what it fills needs what was there.
    for (const bool fills : {false, true}) {
      for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
        const isa::Role role = schema.operands[slot].role;
        const bool filled = role == isa::Role::out || role == isa::Role::tmp;
        if (filled != fills) continue;
        for (const ValueId value : view.operands(slot)) {
          for (const RootId root : storage_.roots_of(value)) note_use(root, value, view, filled);
        }
      }
    }
    for (unsigned i = 0; i < view.op().n_results; ++i) {
      for (const RootId root : storage_.roots_of(view.result(i))) {
        if (storage_.roots()[root].op != op) seen_[root] = Seen::shared;  // known by another name
      }
    }
  }

  void note_use(RootId id, ValueId value, const OpView& op, bool fills) {
    const Root& root = storage_.roots()[id];
    if (root.kind != Root::Kind::tile || !root.planned || root.op > loop_) return;
    if (isa::row(program_.ops[root.op].row).opcode_class != OpcodeClass::alloc_tile) return;
    const bool inside = op.index() > loop_ && op.index() < end_;
    const bool certain = value == root.value && (isa::row(op.op().row).flags & isa::kPartial) == 0 &&
                         isa::opcode_class(op) != OpcodeClass::set_extents &&
                         isa::opcode_class(op) != OpcodeClass::store_element;
    const auto found = seen_.find(id);
    if (found == seen_.end())
      seen_[id] = inside && certain && fills && op.index() >= end_of_inner_ ? Seen::filled : Seen::shared;
    else if (!inside || value != root.value || isa::opcode_class(op) == OpcodeClass::set_extents)
      found->second = Seen::shared;
  }

  const Program& program_;
  const Storage& storage_;
  uint32_t loop_, end_;
  uint32_t end_of_inner_ = 0;  ///< of the structure in the loop at hand
  std::map<RootId, Seen> seen_;
};

}  // namespace

std::vector<uint32_t> privatisable_tiles(const Program& program, const Storage& storage, uint32_t loop) {
  return PrivatisableTiles(program, storage, loop).find();
}

}  // namespace pto::planner
