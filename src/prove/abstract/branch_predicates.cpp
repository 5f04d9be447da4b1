#include "prove/abstract/branch_predicates.hpp"

#include <algorithm>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "prove/explore/memory_inputs.hpp"
#include "support/saturating.hpp"

namespace pto::driver {
namespace {

using isa::OpcodeClass;

constexpr int kMaxDepth = 200;
constexpr size_t kMaxNodes = 20'000, kMaxCachedValuations = 50'000;
constexpr int64_t kMaxIterations = 20'000;
constexpr int64_t kEnds = 8;  ///< of a loop: so many of its first and of its last iterations are asked

void mix(uint64_t& hash, uint64_t more) {
  hash ^= more + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccd;
  hash ^= hash >> 32;
}

}  // namespace

// ---- formulas

BranchPredicates::BranchPredicates(const InputSlice& slice) : slice_(slice), tree_(slice.program_) {
  const Program& program = slice.program_;
  for (const uint32_t function : slice.functions_used_) {
    const Function& each = slice.functions_[function];
    for (uint32_t i = each.info.op + 1; i < each.end; ++i) {
      const OpView op(program, i);
      const OpcodeClass opcode_class = isa::opcode_class(op);
      if (isa::is_control_flow(opcode_class) && opcode_class != OpcodeClass::while_loop &&
          !slice.affects_synchronisation(op))
        continue;
      if (opcode_class == OpcodeClass::loop) {
        for (unsigned k = 0; k < 3; ++k) find_loop_carried(i, op.operand(k));
        add_predicate({op.operand(0), op.operand(1), op.operand(2)}, true);
      } else if (opcode_class == OpcodeClass::branch || opcode_class == OpcodeClass::index_switch)
        add_condition(i, op.operand(0));
      else if (const auto last = opcode_class == OpcodeClass::while_loop
                                     ? terminator(program, program.regions_of(op.op())[0])
                                     : std::nullopt)
        add_condition(i, OpView(program, *last).operand(0));
    }
  }
  for (const ValueId whole : slice.fully_enumerated_) add_predicate({whole, kNoValue, kNoValue}, false);
}

/// Where loops or calls carry it, the comparisons that it is made of.
void BranchPredicates::add_condition(uint32_t op, ValueId value) {
  if (node_of(value, 0)) return add_predicate({value, kNoValue, kNoValue}, false);
  std::vector<ValueId> asked;
  slice_.for_each_source(value, [&](ValueId at, const InputSlice::Def* origin) {
    const bool compares = origin != nullptr && origin->kind == InputSlice::Def::Kind::op &&
                          isa::opcode_class(OpView(slice_.program_, origin->at)) == OpcodeClass::compare;
    if (compares) asked.push_back(at);
    return !compares;
  });
  for (const ValueId each : asked) {
    add_predicate({each, kNoValue, kNoValue}, false);
    find_loop_carried(op, each);
  }
}

void BranchPredicates::find_loop_carried(uint32_t decides, ValueId value) {
  slice_.for_each_source(value, [&](ValueId at, const InputSlice::Def* origin) {
    if (node_of(at, 0)) return false;
    if (origin == nullptr || origin->kind != InputSlice::Def::Kind::op) return true;
    const OpView op(slice_.program_, origin->at);
    const OpcodeClass opcode_class = isa::opcode_class(op);
    const bool two = isa::is_binary_arithmetic(opcode_class) && op.result_type(0).elem != Elem::i1;
    if (two && !slice_.constant(op.operand(0)) && !slice_.constant(op.operand(1)))
      loop_carried_.emplace(decides, origin->at);
    return true;
  });
}

void BranchPredicates::add_predicate(std::array<ValueId, 3> values, bool loop) {
  Predicate built;
  built.loop = loop;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == kNoValue) continue;
    const auto node = node_of(values[i], 0);
    if (!node || nodes_.size() > kMaxNodes) return;
    built.nodes[i] = *node;
  }
  std::set<uint32_t> leaves;
  built.formula = formula_of(built.nodes, leaves);
  for (std::set<uint32_t> fresh = leaves; !fresh.empty();) {  // what the bounds of their loops are made of
    std::set<uint32_t> more;
    for (const uint32_t each : fresh) {
      if (leaves_[each].kind != Leaf::Kind::counter) continue;
      add_bounds(each);
      std::set<uint32_t> behind;
      (void)formula_of(bounds_[each].nodes, behind);
      std::ranges::set_difference(behind, leaves, std::inserter(more, more.end()));
    }
    leaves.insert(more.begin(), more.end());
    fresh = std::move(more);
  }
  for (const uint32_t each : leaves) {
    if (leaves_[each].kind == Leaf::Kind::input) {
      built.inputs.push_back(leaves_[each].at);
      built.leaves.push_back(each);
    } else
      built.moving.push_back(each);
  }
  determined_.insert(values.begin(), values.end());
  if (!added_.emplace(built.nodes, loop).second) return;
  if (built.inputs.empty()) return;
  std::ranges::sort(built.moving, {}, [&](uint32_t each) {
    return std::pair(leaves_[each].kind == Leaf::Kind::counter, leaves_[each].at);
  });
  built.parts = parts_of(built.formula, built.moving);
  predicates_.push_back(std::move(built));
}

std::optional<uint32_t> BranchPredicates::node_of(ValueId value, int depth) {
  if (value == kNoValue || depth > kMaxDepth) return std::nullopt;
  if (const auto before = known_.find(value); before != known_.end()) return before->second;
  known_[value] = std::nullopt;  // while it is looked for: what a loop passes on to itself
  std::optional<uint32_t> built;
  if (const Number number = slice_.constant(value)) {
    built = add({.number = *number});
  } else if (const auto found = slice_.defs_.find(value); found != slice_.defs_.end()) {
    built = node_of_def(found->second, value, depth);
  }
  return known_[value] = built;
}

std::optional<uint32_t> BranchPredicates::node_of_def(const InputSlice::Def& origin, ValueId value,
                                                      int depth) {
  using Kind = InputSlice::Def::Kind;
  const Program& program = slice_.program_;
  const Type& type = program.type_of(value);
  if (type.kind != TypeKind::scalar || is_float(type.elem)) return std::nullopt;
  const auto chosen = [&](bool load, uint32_t at) {
    auto found = std::ranges::find(inputs_, Input{load, at});
    if (found == inputs_.end()) {
      inputs_.push_back({load, at});
      types_.push_back(type);
      found = inputs_.end() - 1;
    }
    return leaf({Leaf::Kind::input, static_cast<uint32_t>(found - inputs_.begin())});
  };
  switch (origin.kind) {
    case Kind::none:
      return std::nullopt;
    case Kind::parameter:
      return chosen(false, origin.at);
    case Kind::counter:
      return leaf({Leaf::Kind::counter, congruent_induction_variable(origin.at, depth)});
    case Kind::phi: {
      if (origin.incoming.empty()) return leaf({Leaf::Kind::vector_core, 0});
      if (origin.incoming.size() == 1) return node_of(origin.incoming[0], depth + 1);
      const OpView chooser(program, origin.at);
      if (isa::opcode_class(chooser) != OpcodeClass::branch || origin.incoming.size() != 2)
        return std::nullopt;
      const auto on = node_of(chooser.operand(0), depth + 1);
      const auto yes = node_of(origin.incoming[0], depth + 1);
      const auto no = node_of(origin.incoming[1], depth + 1);
      if (!on || !yes || !no) return std::nullopt;
      return add({.how = {.opcode_class = OpcodeClass::select}, .from = {*on, *yes, *no}});
    }
    case Kind::op:
      break;
  }
  const OpView op(program, origin.at);
  if (!gives_number(op)) {
    if (slice_.loads_.contains(origin.at)) return chosen(true, origin.at);
    if (op.op().n_operand_words != 0 || InputSlice::reads_register(op)) return std::nullopt;
    if (!InputSlice::reads_block_id(op)) return leaf({Leaf::Kind::vector_core, 0});
    const bool count = isa::row(op.op().row).name.ends_with("num");
    return leaf({count ? Leaf::Kind::blocks : Leaf::Kind::block, 0});
  }
  Node built{.how = arithmetic_of(op)};
  for (unsigned i = 0; i < built.from.size(); ++i) {
    const ValueId from = op.operand(i);
    if (from == kNoValue) continue;
    const auto node = node_of(from, depth + 1);
    if (!node) return std::nullopt;
    built.from[i] = *node;
  }
  return add(built);
}

/// Of loops that are as deep and count alike, what is asked about the counter of one is asked about that of
/// all. Those of a function that is called may be within any other one.
uint32_t BranchPredicates::congruent_induction_variable(uint32_t loop, int depth) {
  const Functions& functions = slice_.functions_;
  if (slice_.is_called(functions.index_of(*functions.enclosing_function(loop)))) return loop;
  const OpView op(slice_.program_, loop);
  std::array<uint32_t, 3> bounds{};
  for (unsigned i = 0; i < bounds.size(); ++i) {
    const auto node = node_of(op.operand(i), depth + 1);
    if (!node) return loop;
    bounds[i] = *node;
  }
  int deep = 0;
  for (uint32_t at = loop; at != kNoOp; at = tree_.parent(at)) {
    const OpcodeClass opcode_class = isa::row(slice_.program_.ops[at].row).opcode_class;
    deep += isa::is_loop(opcode_class) ? 1 : 0;
  }
  return loops_.try_emplace({bounds, deep}, loop).first->second;
}

uint32_t BranchPredicates::add(const Node& node) {
  const auto [at, fresh] = by_key_.try_emplace(node.key(), static_cast<uint32_t>(nodes_.size()));
  if (!fresh) return at->second;
  nodes_.push_back(node);
  values_.push_back(0);
  return at->second;
}

uint32_t BranchPredicates::leaf(Leaf leaf) {
  const auto found = leaf_nodes_.find(leaf);
  if (found != leaf_nodes_.end()) return found->second;
  leaves_.push_back(leaf);
  leaf_values_.push_back(0);
  return leaf_nodes_[leaf] = add({.leaf = static_cast<uint32_t>(leaves_.size() - 1)});
}

void BranchPredicates::add_bounds(uint32_t counter) {
  if (bounds_.contains(counter)) return;
  const OpView loop(slice_.program_, leaves_[counter].at);
  Bounds built;
  for (unsigned i = 0; i < built.nodes.size(); ++i) {
    const auto node = node_of(loop.operand(i), 0);
    if (!node) {
      built.nodes = {kNone, kNone, kNone};
      break;
    }
    built.nodes[i] = *node;
  }
  std::set<uint32_t> leaves;
  built.formula = formula_of(built.nodes, leaves);
  bounds_[counter] = std::move(built);
}

BranchPredicates::Formula BranchPredicates::formula_of(const std::array<uint32_t, 3>& nodes,
                                                       std::set<uint32_t>& leaves) const {
  std::set<uint32_t> all;
  std::vector<uint32_t> left(nodes.begin(), nodes.end());
  while (!left.empty()) {
    const uint32_t at = left.back();
    left.pop_back();
    if (at == kNone || !all.insert(at).second) continue;
    left.insert(left.end(), nodes_[at].from.begin(), nodes_[at].from.end());
    if (nodes_[at].leaf != kNone) leaves.insert(nodes_[at].leaf);
  }
  return {all.begin(), all.end()};  // what a node is made of has been made before it
}

std::vector<BranchPredicates::Group> BranchPredicates::groups() const {
  std::vector<uint32_t> group_of(inputs_.size());
  for (uint32_t i = 0; i < group_of.size(); ++i) group_of[i] = i;
  for (bool more = true; more;) {
    more = false;
    for (const Predicate& each : predicates_) {
      uint32_t least = kNone;
      for (const uint32_t one : each.inputs) least = std::min(least, group_of[one]);
      for (const uint32_t one : each.inputs) more = std::exchange(group_of[one], least) != least || more;
    }
  }
  std::map<uint32_t, Group> found;
  for (uint32_t i = 0; i < predicates_.size(); ++i) {
    Group& group = found[group_of[predicates_[i].inputs.front()]];
    group.predicates.push_back(i);
    for (const uint32_t one : predicates_[i].inputs) {
      if (std::ranges::find(group.inputs, one) == group.inputs.end()) group.inputs.push_back(one);
    }
    for (const uint32_t node : predicates_[i].formula) {
      if (nodes_[node].leaf == kNone && nodes_[node].how.opcode_class == OpcodeClass::constant)
        group.constants.insert(nodes_[node].number);
    }
  }
  std::vector<Group> groups;
  for (auto& [first, group] : found) groups.push_back(std::move(group));
  return groups;
}

// ---- answers

std::optional<uint64_t> BranchPredicates::valuation(const Group& group, const std::vector<int64_t>& numbers) {
  for (uint32_t i = 0; i < leaves_.size(); ++i) {
    if (leaves_[i].kind != Leaf::Kind::input) continue;
    const auto at = std::ranges::find(group.inputs, leaves_[i].at);
    if (at != group.inputs.end()) leaf_values_[i] = numbers[static_cast<size_t>(at - group.inputs.begin())];
  }
  uint64_t hash = 1;
  for (const uint32_t each : group.predicates) {
    Predicate& question = predicates_[each];
    uint64_t about = 1;
    for (const uint32_t leaf : question.leaves) mix(about, static_cast<uint64_t>(leaf_values_[leaf]));
    const auto before = question.cache.find(about);
    const auto own = before != question.cache.end() ? before->second : evaluate_predicate(question);
    if (before == question.cache.end() && question.cache.size() < kMaxCachedValuations)
      question.cache.emplace(about, own);
    if (!own) return std::nullopt;
    mix(hash, *own);
  }
  return hash;
}

std::optional<uint64_t> BranchPredicates::evaluate_predicate(const Predicate& question) {
  uint64_t hash = 1;
  is_valid_.assign(question.parts.size(), true);
  is_valid_[0] = compute(question.parts[0]);
  return evaluate_predicate(question, 0, hash) ? std::optional(hash) : std::nullopt;
}

BranchPredicates::Parts BranchPredicates::parts_of(const Formula& formula,
                                                   const std::vector<uint32_t>& moving) const {
  Parts parts(moving.size() + 1);
  std::map<uint32_t, size_t> part;
  for (const uint32_t at : formula) {
    const Node& node = nodes_[at];
    size_t last = 0;
    if (node.leaf != kNone) {
      const auto moves = std::ranges::find(moving, node.leaf);
      last = moves == moving.end() ? 0 : static_cast<size_t>(moves - moving.begin()) + 1;
    }
    for (const uint32_t from : node.from) {
      if (from != kNone) last = std::max(last, part.at(from));
    }
    part[at] = last;
    parts[last].push_back(at);
  }
  return parts;
}

bool BranchPredicates::compute(const Formula& formula) {
  for (const uint32_t at : formula) {
    const auto number = value_of(nodes_[at]);
    if (!number) return false;
    values_[at] = *number;
  }
  return true;
}

std::optional<int64_t> BranchPredicates::value_of(const Node& node) const {
  if (node.leaf != kNone) return leaf_values_[node.leaf];
  const auto operand = [&](unsigned i) { return values_[node.from[i]]; };
  switch (node.how.opcode_class) {
    case OpcodeClass::constant:
      return node.number;
    case OpcodeClass::select:
      return operand(0) != 0 ? operand(1) : operand(2);
    case OpcodeClass::cast:
    case OpcodeClass::cast_unsigned:
      return evaluate(node.how, operand(0));
    default:
      // A run ends at a division by 0.
      return isa::is_division(node.how.opcode_class) && operand(1) == 0
                 ? 0
                 : evaluate(node.how, operand(0), operand(1));
  }
}

bool BranchPredicates::evaluate_predicate(const Predicate& question, size_t depth, uint64_t& hash) {
  return depth == question.moving.size() ? evaluate_predicate_now(question, hash)
                                         : enumerate_leaf(question, depth, hash);
}

/// The first and the last iterations of a loop; all blocks; both vector cores.
bool BranchPredicates::enumerate_leaf(const Predicate& question, size_t depth, uint64_t& hash) {
  const uint32_t leaf = question.moving[depth];
  int64_t first = 0, step = 1, trip_counts = 1, ends = kEnds;
  switch (leaves_[leaf].kind) {
    case Leaf::Kind::blocks:
      first = 3;
      break;
    case Leaf::Kind::block:
      trip_counts = 3;
      break;
    case Leaf::Kind::vector_core:
      trip_counts = 2;
      break;
    default: {
      const auto counters = static_cast<int64_t>(std::ranges::count_if(
          question.moving, [&](uint32_t each) { return leaves_[each].kind == Leaf::Kind::counter; }));
      ends = std::max<int64_t>(2, kEnds >> (2 * (counters - 1)));
      trip_counts = ends;
      const Bounds& bounds = bounds_.at(leaf);
      if (bounds.nodes[0] == kNone) break;
      if (!compute(bounds.formula)) return false;
      first = values_[bounds.nodes[0]];
      step = values_[bounds.nodes[2]];
      const int64_t last = values_[bounds.nodes[1]];
      trip_counts = step <= 0 ? 0 : trip_count(first, last, step);
    }
  }
  mix(hash, static_cast<uint64_t>(std::min(trip_counts, 2 * ends)));
  for (int64_t i = 0; i < trip_counts; ++i) {
    if (i == ends && trip_counts > 2 * ends) i = trip_counts - ends;
    leaf_values_[leaf] = sat_add(first, sat_mul(i, step));
    is_valid_[depth + 1] = compute(question.parts[depth + 1]);
    if (!evaluate_predicate(question, depth + 1, hash)) return false;
  }
  return true;
}

bool BranchPredicates::evaluate_predicate_now(const Predicate& question, uint64_t& hash) {
  if (std::ranges::find(is_valid_, false) != is_valid_.end()) return false;
  if (!question.loop) {
    mix(hash, static_cast<uint64_t>(values_[question.nodes[0]]));
    return true;
  }
  const int64_t first = values_[question.nodes[0]];
  const int64_t last = values_[question.nodes[1]];
  const int64_t step = values_[question.nodes[2]];
  if (step <= 0) {
    mix(hash, ~uint64_t{0});
    return true;
  }
  const int64_t trip_counts = trip_count(first, last, step);
  if (trip_counts > kMaxIterations) return false;
  const int64_t most = slice_.explored_trips();
  const int64_t over = trip_counts - most;
  mix(hash, static_cast<uint64_t>(over <= 0 ? trip_counts : most + 1 + (over - 1) % slice_.period()));
  return true;
}

}  // namespace pto::driver
