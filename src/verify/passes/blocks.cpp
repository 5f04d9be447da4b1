// Blocks and branches between them (E044x). Regions without labels and branches are left alone.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "ir/dominators.hpp"
#include "ir/regions.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

using isa::OpcodeClass;

bool is_branch(OpcodeClass opcode_class) {
  return opcode_class == OpcodeClass::jump || opcode_class == OpcodeClass::cond_jump;
}

class Blocks {
 public:
  explicit Blocks(Checker& check) : check_(check), program_(check.program()) {}

  void run() {
    for (uint32_t i = 0; i < program_.ops.size(); ++i) {
      const Op& op = program_.ops[i];
      if (opcode_class(i) == OpcodeClass::index_switch) check_switch(OpView(program_, i));
      for (const Region& region : program_.regions_of(op)) check_region(OpView(program_, i), region);
    }
    if (!flows_.empty()) check_uses();
  }

  [[nodiscard]] bool needed() const {
    return std::ranges::any_of(check_.rows(), [](RowId row) {
      const OpcodeClass opcode_class = isa::row(row).opcode_class;
      return is_branch(opcode_class) || opcode_class == OpcodeClass::block ||
             opcode_class == OpcodeClass::index_switch;
    });
  }

 private:
  [[nodiscard]] OpcodeClass opcode_class(uint32_t op) const {
    return isa::row(program_.ops[op].row).opcode_class;
  }
  [[nodiscard]] std::string_view text_of(const OpView& op, std::string_view attr) const {
    const AttrValue* value = op.attr(attr);
    return value == nullptr ? std::string_view{} : program_.strings[value->text];
  }

  /// A region of several blocks.
  struct Flow {
    uint32_t begin, end;
    std::vector<uint32_t> blocks;  ///< first operations; that of a later one is its label
    Dominators dominators;

    [[nodiscard]] uint32_t block_of(uint32_t op) const {
      return static_cast<uint32_t>(std::ranges::upper_bound(blocks, op) - blocks.begin() - 1);
    }
  };

  void check_region(const OpView& parent, const Region& region) {
    check_blocks(parent, region);
    add_flow(region);
  }

  void add_flow(const Region& region) {
    std::vector<uint32_t> blocks{region.begin};
    std::map<std::string_view, uint32_t> by_name;
    for (const uint32_t i : ops_in(program_, region)) {
      if (opcode_class(i) != OpcodeClass::block) continue;
      by_name.emplace(text_of(OpView(program_, i), "name"), static_cast<uint32_t>(blocks.size()));
      blocks.push_back(i);
    }
    if (by_name.empty()) return;
    std::vector<std::vector<uint32_t>> successors(blocks.size());
    uint32_t block = 0;
    for (const uint32_t i : ops_in(program_, region)) {
      if (opcode_class(i) == OpcodeClass::block) ++block;
      if (!is_branch(opcode_class(i))) continue;
      const OpView branch(program_, i);
      for (const std::string_view attr : {"dest", "trueDest", "falseDest"}) {
        const auto target = by_name.find(text_of(branch, attr));
        if (target != by_name.end()) successors[block].push_back(target->second);
      }
    }
    flows_.push_back({region.begin, region.end, std::move(blocks), Dominators(successors)});
  }

  /// Values of blocks that need not have run.
  void check_uses() {
    std::ranges::sort(flows_, {}, &Flow::begin);
    std::vector<const Flow*> around;
    size_t next = 0;
    for (uint32_t i = 0; i < program_.ops.size(); ++i) {
      while (!around.empty() && around.back()->end <= i) around.pop_back();
      while (next < flows_.size() && flows_[next].begin <= i) {
        if (flows_[next].end > i) around.push_back(&flows_[next]);
        ++next;
      }
      if (around.empty()) continue;
      const OpView op(program_, i);
      for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
        unsigned position = flat_index(op, slot);
        for (const ValueId value : op.operands(slot)) check_use(op, position++, value, around);
      }
    }
  }

  void check_use(const OpView& op, unsigned position, ValueId value, const std::vector<const Flow*>& around) {
    const uint32_t defining_op = value == kNoValue ? ~0u : check_.definition(value);
    if (defining_op == ~0u) return;
    // The innermost region that both are in.
    const auto behind =
        std::ranges::upper_bound(around, defining_op, {}, [](const Flow* each) { return each->begin; });
    if (behind == around.begin()) return;
    const Flow& flow = **std::prev(behind);
    const uint32_t from = flow.block_of(defining_op);
    const uint32_t to = flow.block_of(op.index());
    const Dominators& order = flow.dominators;
    if (from == to || !order.reachable(to) || (order.reachable(from) && order.dominates(from, to))) return;
    Diagnostic& built = check_.fail(
        E0451, op, Anchor::Part::operand, position,
        fmt::format("{} is used in {}, which is also reached without {}, where it is defined",
                    value_name(program_, value), block_name(flow, to), block_name(flow, from)),
        "hand it on as an argument of the block, or define it in a block that every way comes by");
    add_note(built, OpView(program_, defining_op), "it is defined here");
  }

  [[nodiscard]] std::string block_name(const Flow& flow, uint32_t block) const {
    return block == 0 ? std::string("the first block")
                      : fmt::format("^{}", text_of(OpView(program_, flow.blocks[block]), "name"));
  }

  void check_blocks(const OpView& parent, const Region& region) {
    std::map<std::string_view, uint32_t> blocks;
    std::vector<uint32_t> branches;
    uint32_t previous = ~0u;
    bool any = false;
    for (const uint32_t i : ops_in(program_, region)) {
      const uint32_t before = std::exchange(previous, i);
      if (is_branch(opcode_class(i))) branches.push_back(i);
      if (opcode_class(i) != OpcodeClass::block) continue;
      const OpView block(program_, i);
      if (!any) check_parent(parent, block);
      any = true;
      check_end(block, before);
      const auto [found, fresh] = blocks.emplace(text_of(block, "name"), i);
      if (fresh) continue;
      Diagnostic& d =
          check_.fail(E0447, block, fmt::format("^{} is defined twice in this region", found->first),
                      "rename one of them");
      add_note(d, OpView(program_, found->second), "the first one");
    }
    if (any && previous != ~0u && !is_terminator(program_, previous))
      check_.fail(
          E0443, OpView(program_, previous),
          fmt::format("the last block of {} does not end with a branch or a return", parent.mnemonic()),
          "add func.return or cf.br");
    for (const uint32_t branch : branches) check_branch(OpView(program_, branch), blocks);
  }

  void check_parent(const OpView& parent, const OpView& block) {
    if (isa::opcode_class(parent) == OpcodeClass::function ||
        isa::opcode_class(parent) == OpcodeClass::inline_region)
      return;
    check_.fail(E0446, block,
                fmt::format("^{} begins a second block, but a region of {} is one block",
                            text_of(block, "name"), parent.mnemonic()),
                Fix::use("scf.if", " or scf.while there"));
  }
  void check_end(const OpView& block, uint32_t previous) {
    if (previous != ~0u && is_terminator(program_, previous)) return;
    const std::string name = fmt::format("^{}", text_of(block, "name"));
    check_.fail(E0443, block,
                fmt::format("the block in front of {} does not end with a branch or a return", name),
                fmt::format("add cf.br {} in front of the label", name));
  }

  void check_branch(const OpView& op, const std::map<std::string_view, uint32_t>& blocks) {
    if (isa::opcode_class(op) == OpcodeClass::jump) return check_target(op, "dest", 0, blocks);
    check_target(op, "trueDest", 1, blocks);
    check_target(op, "falseDest", 2, blocks);
  }
  void check_target(const OpView& op, std::string_view attr, unsigned slot,
                    const std::map<std::string_view, uint32_t>& blocks) {
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
      check_.fail(E0444, op, Anchor::Part::attribute,
                  static_cast<unsigned>(isa::schema(op.op().row).attr_index(attr)),
                  fmt::format("{} goes to ^{}, which no block behind the first of this region is",
                              op.mnemonic(), name),
                  !near.empty()  ? fmt::format("did you mean '^{}'?", near)
                  : list.empty() ? "the region has one block only"
                                 : "the blocks are " + list);
      return;
    }
    const OpView block(program_, found->second);
    const std::span<const ValueId> values = op.operands(slot);
    const auto note = [&](Diagnostic& d) { add_note(d, block, "the block"); };
    if (values.size() != block.op().n_results) {
      note(check_.fail(
          E0445, op,
          fmt::format("^{} takes {} value{}, but {} {} given", name, block.op().n_results,
                      block.op().n_results == 1 ? "" : "s", values.size(), values.size() == 1 ? "is" : "are"),
          "pass one value per argument of the block"));
      return;
    }
    for (unsigned i = 0; i < values.size(); ++i) {
      if (program_.type_of(values[i]) == block.result_type(i)) continue;
      note(check_.fail(
          E0445, op, Anchor::Part::operand, flat_index(op, slot) + i,
          fmt::format("argument {} of ^{} is {}, but {} is {}", i, name, describe(block.result_type(i)),
                      value_name(program_, values[i]), describe(program_.type_of(values[i]))),
          "pass a value of the argument's type"));
    }
  }

  void check_switch(const OpView& op) {
    const AttrValue* cases = op.attr("cases");
    if (cases == nullptr || cases->kind != AttrValue::Kind::int_array) return;
    std::map<int64_t, bool> seen;
    for (uint32_t i = 0; i < cases->array.count; ++i) {
      const int64_t number = program_.ints[cases->array.first + i];
      if (!seen.emplace(number, true).second)
        check_.fail(E0448, op, fmt::format("{} names case {} twice", op.mnemonic(), number),
                    "give every case its own value");
    }
    if (op.op().n_regions != cases->array.count + 1)
      check_.fail(
          E0448, op,
          fmt::format("{} has {} cases and {} regions", op.mnemonic(), cases->array.count, op.op().n_regions),
          "one region per case and one for the default");
  }

  Checker& check_;
  const Program& program_;
  std::vector<Flow> flows_;
};

constexpr Rule kBlocksRules[] = {
    {.id = E0443,
     .title = "end of a block",
     .cause = "Every block ends with an operation that says where to go on: cf.br, cf.cond_br or "
              "func.return.",
     .example = "^bb1: followed by an operation that is no terminator",
     .fix = "Add cf.br ^next at the end of the block."},
    {.id = E0444,
     .title = "branch target",
     .cause = "A branch names a block that its region does not have, or the region's first block.",
     .example = "cf.br ^bb7 without a ^bb7:",
     .fix = "Correct the name; the message lists the blocks."},
    {.id = E0445,
     .title = "values for a block",
     .cause = "A branch hands over one value of the right type for every argument of the block.",
     .example = "cf.br ^bb1(%x : i32) to ^bb1(%a: index):",
     .fix = "Pass the values that the block's label lists."},
    {.id = E0446,
     .title = "blocks in a structured region",
     .cause = "Only func.func and scf.execute_region have several blocks.",
     .example = "^bb1: inside scf.for",
     .fix = "Use scf.if or scf.while, or put the blocks into scf.execute_region."},
    {.id = E0447,
     .title = "block label",
     .cause = "Two blocks of a region have the same name.",
     .example = "^bb1: .. ^bb1:",
     .fix = "Rename one of them."},
    {.id = E0448,
     .title = "cases of a switch",
     .cause = "scf.index_switch has one region per case and one for default; a case is named once.",
     .example = "case 1 {..} case 1 {..}",
     .fix = "Give every case its own value."},
    {.id = E0451,
     .title = "value of a block that need not have run",
     .cause = "A value is used in a block that some way from the first block reaches without the block that "
              "defines the value.",
     .example = "cf.cond_br %c, ^bb1, ^bb2  ^bb1: %x = ..  cf.br ^bb2  ^bb2: pto.store %x, ..",
     .fix = "Pass the value as an argument of the block, from every branch to it."},
};

}  // namespace

RuleFamily block_rules() { return {.rules = kBlocksRules, .checks = {}}; }

void check_blocks(Checker& check) {
  Blocks blocks(check);
  if (blocks.needed()) blocks.run();
}

}  // namespace pto::legality
