#include "lower/logical_values.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/lane_element.hpp"

namespace pto::lower {
namespace {

using isa::Lowering;
using isa::OpcodeClass;
using Kind = Logical::Kind;

Lowering lowering_of(const OpView& op) { return isa::row(op.op().row).lowering; }

/// Operations that compute each lane from the lanes at the same place.
bool lane_by_lane(Lowering how) {
  return (how >= Lowering::lanes && how <= Lowering::logic_not) || how == Lowering::convert ||
         how == Lowering::exp_difference || how == Lowering::recast;
}

/// All operands, or all results, that are logical values of a kind.
template <typename Visit>
void each_operand(const OpView& op, Visit visit) {
  const size_t slots = isa::schema(op.op().row).operands.size();
  for (unsigned slot = 0; slot < slots; ++slot)
    for (const ValueId value : op.operands(slot)) visit(value);
}

}  // namespace

Elem register_elem(Elem elem) { return elem == Elem::bf16x2 ? Elem::ui32 : isa::lane_elem(elem); }

Values::Values(const Program& program)
    : program_(program),
      constants_(program),
      integers_(program, constants_, {.overflow = Overflow64::wraps, .alignment = kBlockBytes}),
      all_(program.values.size()) {
  parent_.resize(all_.size());
  std::iota(parent_.begin(), parent_.end(), 0U);
  describe();
  tie();
  number();
}

void Values::describe() {
  for (ValueId value = 0; value < all_.size(); ++value) {
    const Type& type = program_.type_of(value);
    Logical& of = all_[value];
    if (type.kind != TypeKind::vmi_vreg && type.kind != TypeKind::vmi_mask) continue;
    of.kind = type.kind == TypeKind::vmi_vreg ? Kind::vector : Kind::mask;
    of.lanes = static_cast<unsigned>(type.dims[0]);
    of.elem = register_elem(type.elem);
    of.width = of.kind == Kind::mask && type.elem == Elem::i1 ? 0 : byte_width(type.elem);
  }
  owner_.assign(all_.size(), kNoOp);
  for (uint32_t at = 0; at < program_.ops.size(); ++at) {
    const OpView op(program_, at);
    for (unsigned i = 0; i < op.op().n_results; ++i) owner_[op.result(i)] = at;
    for (const Region& region : program_.regions_of(op.op()))
      for (uint32_t i = 0; i < region.n_args; ++i) owner_[region.first_arg + i] = at;
    if (isa::row(op.op().row).layer != isa::Layer::vmi) continue;
    for (unsigned i = 0; i < op.op().n_results; ++i) describe_result(op, i);
  }
}

void Values::describe_result(const OpView& op, unsigned i) {
  const Lowering how = lowering_of(op);
  Logical& of = all_[op.result(i)];
  of.defining_op = op.index();
  if (of.kind == Kind::mask) {
    of.full = gives_full(op);
    of.made_anew = how == Lowering::constant_mask || how == Lowering::first_lanes ||
                   how == Lowering::first_of_groups || how == Lowering::pattern;
    if ((how == Lowering::compare || how == Lowering::compare_integers)) of.width = all_[op.operand(0)].width;
    return;
  }
  if (of.kind != Kind::vector) return;
  of.uniform = gives_uniform(op);
  of.made_anew =
      of.uniform && (how == Lowering::constant || (how == Lowering::broadcast && !is_logical(op.operand(0))));
}

bool Values::gives_uniform(const OpView& op) const {
  const Lowering how = lowering_of(op);
  const Logical& result = all_[op.result(0)];
  const auto uniform_operands = [&] {
    bool all = true;
    each_operand(op, [&](ValueId value) {
      if (!is_logical(value)) return;
      all = all && (all_[value].kind == Kind::vector ? all_[value].uniform : all_[value].full);
    });
    return all;
  };
  switch (how) {
    case Lowering::constant: {
      const AttrValue* value = op.attr("value");
      return result.lanes == 1 || value == nullptr || value->kind != AttrValue::Kind::raw ||
             program_.strings[value->text].find('[') == std::string_view::npos;
    }
    case Lowering::broadcast:
      return !is_logical(op.operand(0)) || all_[op.operand(0)].lanes == 1;
    case Lowering::load:
      return result.lanes == 1 || (op.attr("dist_mode") != nullptr && op.attr_int("dist_mode") == 3);
    case Lowering::load_groups:
    case Lowering::load_group_broadcast:
      return result.lanes == 1;
    case Lowering::recast:
      return all_[op.operand(0)].uniform && all_[op.operand(0)].width == result.width;
    default:
      return lane_by_lane(how) && uniform_operands();
  }
}

bool Values::gives_full(const OpView& op) const {
  const auto lanes = static_cast<int64_t>(all_[op.result(0)].lanes);
  switch (lowering_of(op)) {
    case Lowering::first_lanes: {
      const Number n = constants_.value_of(op.operand(0));
      return n && *n >= lanes;
    }
    case Lowering::first_of_groups: {
      const Number n = constants_.value_of(op.operand(0));
      return n && *n >= op.attr_int("group_size");
    }
    case Lowering::pattern: {
      const AttrValue* pattern = op.attr("pattern");
      std::string_view name = pattern == nullptr ? "" : program_.strings[pattern->text];
      if (name == "PAT_ALL") return true;
      if (!name.starts_with("PAT_VL")) return false;
      name.remove_prefix(6);
      int64_t n = 0;
      std::from_chars(name.data(), name.data() + name.size(), n);
      const int64_t groups = op.attr("group") == nullptr ? 1 : op.attr_int("group");
      return groups > 0 && n >= lanes / groups;
    }
    case Lowering::place:
      return all_[op.operand(0)].full;
    default:
      return false;
  }
}

uint32_t Values::root(ValueId value) {
  while (parent_[value] != value) value = parent_[value] = parent_[parent_[value]];
  return value;
}

/// Vectors that are not the same in every lane, and masks that have a place of their own, of one shape.
void Values::tie_all(const std::vector<ValueId>& values) {
  std::optional<ValueId> first;
  for (const ValueId value : values) {
    if (!is_logical(value)) continue;
    const Logical& of = all_[value];
    if (of.kind == Kind::vector ? of.uniform : (of.made_anew || of.full)) continue;
    if (!first)
      first = value;
    else if (of.lanes == all_[*first].lanes)
      parent_[root(value)] = root(*first);
  }
}

void Values::tie_operation(const OpView& op) {
  const Lowering how = lowering_of(op);
  std::vector<ValueId> values;
  for (unsigned i = 0; i < op.op().n_results; ++i) values.push_back(op.result(i));
  if (how == Lowering::interleave || how == Lowering::deinterleave) return tie_all(values);
  const bool same_width = how != Lowering::recast || all_[op.operand(0)].width == all_[op.result(0)].width;
  if ((lane_by_lane(how) && same_width) || how == Lowering::compare || how == Lowering::compare_integers) {
    each_operand(op, [&](ValueId value) {
      if (is_logical(value) && all_[value].kind == all_[op.operand(how == Lowering::choose ? 1 : 0)].kind)
        values.push_back(value);
    });
    tie_all(values);
  }
}

void Values::tie_structure(const OpView& op, const Functions& functions) {
  const OpcodeClass opcode_class = isa::opcode_class(op);
  const std::span<const Region> regions = program_.regions_of(op.op());
  std::vector<ValueId> results;
  for (unsigned i = 0; i < op.op().n_results; ++i) results.push_back(op.result(i));
  const auto pairwise = [&](const std::vector<ValueId>& a, const std::vector<ValueId>& b) {
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) tie_all({a[i], b[i]});
  };
  const auto arguments = [&](const Region& region) {
    std::vector<ValueId> list(region.n_args);
    std::iota(list.begin(), list.end(), region.first_arg);
    return list;
  };
  const auto list = [](std::span<const ValueId> values) {
    return std::vector<ValueId>(values.begin(), values.end());
  };
  if (opcode_class == OpcodeClass::call) {
    const Function* from = functions.enclosing_function(op.index());
    if (from == nullptr) return;
    for (const uint32_t index : functions.called(op, *from)) {
      const uint32_t callee = functions[index].info.op;
      if (functions[index].info.declaration) continue;
      pairwise(list(op.operands(0)), arguments(body_of(program_, callee)));
      take_returned(callee, results);
    }
    return;
  }
  if (!isa::is_control_flow(opcode_class)) return;
  for (const Region& region : regions) pairwise(list(yielded_values(program_, region)), results);
  if (opcode_class == OpcodeClass::loop) {
    std::vector<ValueId> carried = arguments(regions[0]);
    if (!carried.empty()) carried.erase(carried.begin());
    pairwise(list(op.operands(3)), results);
    pairwise(carried, results);
  } else if (opcode_class == OpcodeClass::while_loop) {
    pairwise(list(op.operands(0)), arguments(regions[0]));
    pairwise(list(yielded_values(program_, regions[1])), arguments(regions[0]));
    pairwise(list(yielded_values(program_, regions[0])), arguments(regions[1]));
  }
}

/// A block's arguments are what the jumps to it hand on; the names of blocks are those of a function.
void Values::tie_jump(const OpView& op, const std::map<std::string_view, uint32_t>& blocks) {
  const bool both = isa::opcode_class(op) == OpcodeClass::cond_jump;
  for (const unsigned way : both ? std::vector<unsigned>{0, 1} : std::vector<unsigned>{0}) {
    const auto to = blocks.find(program_.strings[op.attr(way)->text]);
    if (to == blocks.end()) continue;
    const OpView block(program_, to->second);
    const std::span<const ValueId> given = op.operands(both ? way + 1 : 0);
    for (unsigned i = 0; i < std::min<size_t>(given.size(), block.op().n_results); ++i)
      tie_all({given[i], block.result(i)});
  }
}
void Values::tie_blocks(uint32_t function) {
  std::map<std::string_view, uint32_t> blocks;
  for (const uint32_t at : descendants(program_, function))
    if (const OpView op(program_, at); isa::opcode_class(op) == OpcodeClass::block)
      blocks.emplace(program_.strings[op.attr("name")->text], at);
  if (blocks.empty()) return;
  for (const uint32_t at : descendants(program_, function))
    if (const OpView op(program_, at);
        isa::opcode_class(op) == OpcodeClass::jump || isa::opcode_class(op) == OpcodeClass::cond_jump)
      tie_jump(op, blocks);
}

/// What calls get and what functions return stands in the same registers: those of the first that has a
/// layout.
void Values::take_returned(uint32_t function, const std::vector<ValueId>& values) {
  const auto placed = [&](ValueId value) {
    const Logical& of = all_[value];
    return of.kind == Kind::vector ? !of.uniform : !of.made_anew && !of.full;
  };
  std::vector<ValueId>& known = returned_[function];
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == known.size()) known.push_back(values[i]);
    if (!is_logical(values[i]) || !is_logical(known[i])) continue;
    if (!placed(known[i])) known[i] = values[i];
    tie_all({known[i], values[i]});
  }
}
const std::vector<ValueId>& Values::returned(uint32_t function) const {
  static const std::vector<ValueId> none;
  const auto found = returned_.find(function);
  return found == returned_.end() ? none : found->second;
}

void Values::tie() {
  const Functions functions(program_);
  for (uint32_t at = 0; at < program_.ops.size(); ++at) {
    const OpView op(program_, at);
    if (isa::row(op.op().row).layer == isa::Layer::vmi)
      tie_operation(op);
    else
      tie_structure(op, functions);
  }
  for (const Function& function : functions.all()) {
    tie_blocks(function.info.op);
    for (const uint32_t at : descendants(program_, function.info.op))
      if (const OpView op(program_, at); isa::opcode_class(op) == OpcodeClass::ret) {
        const std::span<const ValueId> values = op.operands(0);
        take_returned(function.info.op, {values.begin(), values.end()});
      }
  }
}

void Values::number() {
  std::vector<uint32_t> of_root(all_.size(), kNoOp);
  for (ValueId value = 0; value < all_.size(); ++value) {
    if (!is_logical(value) || all_[value].uniform || all_[value].made_anew) continue;
    uint32_t& cluster = of_root[root(value)];
    if (cluster == kNoOp) {
      cluster = clusters_++;
      members_.emplace_back();
    }
    all_[value].cluster = cluster;
    members_[cluster].push_back(value);
  }
  // Masks of an unsaid width have that of what they share a layout with.
  for (const std::vector<ValueId>& together : members_) {
    unsigned width = 0;
    for (const ValueId value : together) width = std::max(width, all_[value].width);
    for (const ValueId value : together)
      if (all_[value].kind == Kind::mask && all_[value].width == 0)
        all_[value].width = width == 0 ? 4 : width;
  }
}

}  // namespace pto::lower
