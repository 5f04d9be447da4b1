// The old tile must have been read before the new one is written, or both be operands of one instruction that
// may work in place; and no third tile may be due at the same time.
#include "plan/memory/loop_carried_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ir/in_place_rules.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"

namespace pto::planner {
namespace {

bool holds(std::span<const RootId> roots, RootId root) {
  return std::find(roots.begin(), roots.end(), root) != roots.end();
}

/// The same element at the same byte; valid regions are the instruction's own business.
bool same_layout(const Type& a, const Type& b) {
  return a.kind == b.kind && a.space == b.space && a.elem == b.elem && a.rows() == b.rows() &&
         a.cols() == b.cols() && a.blayout == b.blayout && a.slayout == b.slayout && a.fractal == b.fractal &&
         a.compact == b.compact;
}

class LoopCarriedTile {
 public:
  LoopCarriedTile(const Program& program, const Storage& storage, const Storage::LoopCarried& carried)
      : program_(program), storage_(storage), loop_(carried.loop), root_(carried.root) {}

  /// What is wrong; empty when one address will do.
  std::string_view problem() {
    if (outlives_next()) return "which hands it on once more: two of its tiles are due at the same time";
    for (const uint32_t op : descendants(program_, loop_)) {
      if (op >= inner_end_) enter(op);
      visit(op);
    }
    const bool ordered = last_read_ == kNowhere || first_write_ == kNowhere || last_read_ < first_write_;
    if (ordered || (last_read_ == first_write_ && works_in_place(first_write_))) return {};
    return "which still reads it after its successor is written";
  }

 private:
  static constexpr uint32_t kNowhere = ~0u;

  /// Handed on by a value that may also be an older one, beside the value that is this iteration's.
  [[nodiscard]] bool outlives_next() const {
    size_t positions = 0, joined = 0;
    for (const ValueId value : yielded_values(program_, program_.regions_of(program_.ops[loop_]).back())) {
      const std::span<const RootId> roots = storage_.roots_of(value);
      if (!denotes_storage(program_.type_of(value)) || !holds(roots, root_)) continue;
      ++positions;
      joined += !is_new(value);
    }
    return positions > 1 && joined > 0;
  }

  /// Whether the value is this iteration's tile for certain. Through the loop's argument it joins the first
  /// iteration's.
  [[nodiscard]] bool is_new(ValueId value) const {
    return std::ranges::all_of(storage_.roots_of(value), [&](RootId root) { return is_slot(root); });
  }
  [[nodiscard]] bool touches(ValueId value) const {
    return std::ranges::any_of(storage_.roots_of(value), [&](RootId root) { return is_slot(root); });
  }
  /// The tile itself; slots of one tile go together.
  [[nodiscard]] bool is_slot(RootId root) const {
    return storage_.roots()[root].kind == Root::Kind::tile &&
           storage_.roots()[root].op == storage_.roots()[root_].op;
  }

  void visit(uint32_t op) {
    const bool call = isa::opcode_class(program_.ops[op]) == isa::OpcodeClass::call;
    if (!call && storage_.accesses(op).empty()) return;
    const OpView view(program_, op);
    const isa::Schema& schema = isa::schema(view.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      const bool writes = call || schema.operands[slot].role != isa::Role::in;
      for (const ValueId value : view.operands(slot)) {
        if (!touches(value)) continue;
        if (is_new(value) && writes) first_write_ = std::min(first_write_, inner_loop(op).value_or(op));
        if (!is_new(value)) note_read(op);
      }
    }
  }
  void note_read(uint32_t op) {
    const uint32_t moment = inner_loop(op) ? inner_end_ - 1 : op;
    last_read_ = last_read_ == kNowhere ? moment : std::max(last_read_, moment);
  }

  void enter(uint32_t op) {
    const bool loop = isa::is_loop(isa::opcode_class(program_.ops[op]));
    inner_ = op;
    inner_end_ = loop ? program_.end_of(op) : 0;
  }
  /// The outermost loop around an operation inside of this one: what it does is repeated.
  [[nodiscard]] std::optional<uint32_t> inner_loop(uint32_t op) const {
    return op < inner_end_ ? std::optional(inner_) : std::nullopt;
  }

  [[nodiscard]] bool works_in_place(uint32_t op) const {
    const OpView view(program_, op);
    const isa::Schema& schema = isa::schema(view.op().row);
    for (const isa::OperandSpec& destination : schema.operands) {
      if (destination.role == isa::Role::in) continue;
      for (const isa::OperandSpec& source : schema.operands)
        if (!fits(view, destination, source)) return false;
    }
    return true;
  }
  /// Whether the new tile, where it is the destination, may lie on the old one, where it is the source.
  [[nodiscard]] bool fits(const OpView& view, const isa::OperandSpec& destination,
                          const isa::OperandSpec& source) const {
    const isa::Schema& schema = isa::schema(view.op().row);
    const auto to = view.operands(static_cast<unsigned>(schema.operand_slot(destination.name)));
    const auto from = view.operands(static_cast<unsigned>(schema.operand_slot(source.name)));
    const bool is_source =
        std::any_of(from.begin(), from.end(), [&](ValueId v) { return touches(v) && !is_new(v); });
    const bool is_destination =
        std::any_of(to.begin(), to.end(), [&](ValueId v) { return touches(v) && is_new(v); });
    if (!is_source || !is_destination) return true;
    if (from.size() != 1 || to.size() != 1 || source.role != isa::Role::in) return false;
    const Type& a = program_.type_of(from[0]);
    const Type& b = program_.type_of(to[0]);
    const bool whole = tile_bytes(b) == storage_.roots()[root_].bytes;  // a window may begin anywhere
    return whole && same_layout(a, b) &&
           isa::in_place(view, program_.target, source.name, destination.name) == isa::InPlace::allowed;
  }

  const Program& program_;
  const Storage& storage_;
  uint32_t loop_;
  RootId root_;
  uint32_t first_write_ = kNowhere, last_read_ = kNowhere;
  uint32_t inner_ = 0, inner_end_ = 0;  ///< the outermost inner loop at hand
};

}  // namespace

void check_loop_carried(const Program& program, const Storage& storage, const Storage::LoopCarried& carried,
                        Diagnostics& diagnostics) {
  const Root& root = storage.roots()[carried.root];
  if (!root.planned) return;
  const std::string_view problem = LoopCarriedTile(program, storage, carried).problem();
  if (problem.empty()) return;
  const std::string_view name = program.name_of(root.value);
  Diagnostic& d =
      diagnostics.error(E0602,
                        fmt::format("%{} is made in a loop and handed to the next iteration, {}",
                                    name.empty() ? std::to_string(root.value) : std::string(name), problem),
                        Span{}, program.ops[root.op].where);
  d.help = "make two tiles before the loop and hand both through iter_args, swapped in the yield";
}

}  // namespace pto::planner
