// Blocks and branches between them (E044x). Regions without labels and branches are left alone.
#include <fmt/format.h>

#include <map>
#include <vector>

#include "verify/checker.hpp"

namespace pto::legality {
namespace {

struct Rows {
  RowId block = isa::id_of(*isa::find_row("builtin.block")), br = isa::id_of(*isa::find_row("cf.br")),
        cond_br = isa::id_of(*isa::find_row("cf.cond_br")), index_switch = isa::id_of(*isa::find_row("scf.index_switch"));
};

class Blocks {
 public:
  explicit Blocks(Checker& check) : check_(check), program_(check.program()) {}

  void run() {
    for (uint32_t i = 0; i < program_.ops.size(); ++i) {
      const Op& op = program_.ops[i];
      if (op.row == rows_.index_switch) check_switch(OpView(program_, i));
      for (const Region& region : program_.regions_of(op)) check_region(OpView(program_, i), region);
    }
  }

  [[nodiscard]] bool needed() const {
    for (const Op& op : program_.ops) {
      if (op.row == rows_.block || op.row == rows_.br || op.row == rows_.cond_br || op.row == rows_.index_switch) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] std::string_view text_of(const OpView& op, std::string_view attr) const {
    const AttrValue* value = op.attr(attr);
    return value == nullptr ? std::string_view{} : program_.strings[value->text];
  }

  void check_region(const OpView& parent, const Region& region) {
    std::map<std::string_view, uint32_t> blocks;
    std::vector<uint32_t> branches;
    uint32_t previous = ~0u;
    bool any = false;
    for (uint32_t i = region.begin; i < region.end; previous = i, i = program_.end_of(i)) {
      const RowId row = program_.ops[i].row;
      if (row == rows_.br || row == rows_.cond_br) branches.push_back(i);
      if (row != rows_.block) continue;
      const OpView block(program_, i);
      if (!any) check_parent(parent, block);
      any = true;
      check_end(block, previous);
      const auto [found, fresh] = blocks.emplace(text_of(block, "name"), i);
      if (fresh) continue;
      Diagnostic& d = check_.fail("E0447", block, fmt::format("^{} is defined twice in this region", found->first), "rename one of them");
      d.notes.push_back({"the first one", {}, program_.ops[found->second].where, Anchor{Anchor::Part::op, found->second, 0}});
    }
    if (any && previous != ~0u && !terminates(previous))
      check_.fail("E0443", OpView(program_, previous), fmt::format("the last block of {} does not end with a branch or a return", parent.mnemonic()), "add func.return or cf.br");
    for (const uint32_t branch : branches) check_branch(OpView(program_, branch), blocks);
  }

  [[nodiscard]] bool terminates(uint32_t op) const { return (isa::row(program_.ops[op].row).flags & isa::kTerminator) != 0; }

  void check_parent(const OpView& parent, const OpView& block) {
    const std::string_view name = parent.mnemonic();
    if (name == "func.func" || name == "scf.execute_region") return;
    check_.fail("E0446", block, fmt::format("^{} begins a second block, but a region of {} is one block", text_of(block, "name"), name), "use scf.if or scf.while there");
  }
  void check_end(const OpView& block, uint32_t previous) {
    if (previous != ~0u && terminates(previous)) return;
    const std::string name = fmt::format("^{}", text_of(block, "name"));
    check_.fail("E0443", block, fmt::format("the block in front of {} does not end with a branch or a return", name), fmt::format("add cf.br {} in front of the label", name));
  }

  void check_branch(const OpView& op, const std::map<std::string_view, uint32_t>& blocks) {
    if (op.op().row == rows_.br) return check_target(op, "dest", 0, blocks);
    check_target(op, "trueDest", 1, blocks);
    check_target(op, "falseDest", 2, blocks);
  }
  void check_target(const OpView& op, std::string_view attr, unsigned slot, const std::map<std::string_view, uint32_t>& blocks) {
    const std::string_view name = text_of(op, attr);
    const auto found = blocks.find(name);
    if (found == blocks.end()) {
      std::string list;
      std::vector<std::string_view> labels;
      for (const auto& [label, index] : blocks) {
        list += (list.empty() ? "^" : ", ^") + std::string(label);
        labels.push_back(label);
      }
      const std::string_view near = nearest(name, labels);
      check_.fail("E0444", op, Anchor::Part::attribute, static_cast<unsigned>(isa::schema(op.op().row).attr_index(attr)),
                  fmt::format("{} goes to ^{}, which no block behind the first of this region is", op.mnemonic(), name),
                  !near.empty() ? fmt::format("did you mean '^{}'?", near) : list.empty() ? "the region has one block only" : "the blocks are " + list);
      return;
    }
    const OpView block(program_, found->second);
    const std::span<const ValueId> values = op.operands(slot);
    const auto note = [&](Diagnostic& d) { d.notes.push_back({"the block", {}, block.op().where, Anchor{Anchor::Part::op, block.index(), 0}}); };
    if (values.size() != block.op().n_results) {
      note(check_.fail("E0445", op, fmt::format("^{} takes {} value{}, but {} {} given", name, block.op().n_results, block.op().n_results == 1 ? "" : "s", values.size(), values.size() == 1 ? "is" : "are"),
                       "pass one value per argument of the block"));
      return;
    }
    for (unsigned i = 0; i < values.size(); ++i) {
      if (program_.type_of(values[i]) == block.result_type(i)) continue;
      note(check_.fail("E0445", op, Anchor::Part::operand, flat_index(op, slot) + i,
                       fmt::format("argument {} of ^{} is {}, but {} is {}", i, name, describe(block.result_type(i)), value_name(program_, values[i]), describe(program_.type_of(values[i]))),
                       "pass a value of the argument's type"));
    }
  }

  void check_switch(const OpView& op) {
    const AttrValue* cases = op.attr("cases");
    if (cases == nullptr || cases->kind != AttrValue::Kind::int_array) return;
    std::map<int64_t, bool> seen;
    for (uint32_t i = 0; i < cases->array.count; ++i) {
      const int64_t number = program_.ints[cases->array.first + i];
      if (!seen.emplace(number, true).second) check_.fail("E0448", op, fmt::format("{} names case {} twice", op.mnemonic(), number), "give every case another number");
    }
    if (op.op().n_regions != cases->array.count + 1)
      check_.fail("E0448", op, fmt::format("{} has {} cases and {} regions", op.mnemonic(), cases->array.count, op.op().n_regions), "one region per case and one for the default");
  }

  Checker& check_;
  const Program& program_;
  const Rows rows_;
};

}  // namespace

void check_blocks(Checker& check) {
  Blocks blocks(check);
  if (blocks.needed()) blocks.run();
}

}  // namespace pto::legality
