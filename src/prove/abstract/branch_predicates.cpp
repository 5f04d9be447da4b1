#include "prove/abstract/branch_predicates.hpp"

#include <algorithm>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "prove/explore/memory_inputs.hpp"
#include "support/saturating.hpp"

namespace pto::driver {
namespace {

using isa::Does;

constexpr int kDeepest = 200;
constexpr size_t kMostNodes = 20'000, kMostKnown = 50'000;
constexpr int64_t kMostTurns = 20'000;
constexpr int64_t kEnds = 8;  ///< of a loop: so many of its first and of its last iterations are asked

void mix(uint64_t& hash, uint64_t more) {
  hash ^= more + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccd;
  hash ^= hash >> 32;
}

bool divides(Does does) {
  return does == Does::div_s || does == Does::rem_s || does == Does::div_u || does == Does::rem_u;
}

}  // namespace

// ---- formulas

Questions::Questions(const Deciders& deciders) : deciders_(deciders), tree_(deciders.program_) {
  const Program& program = deciders.program_;
  for (const uint32_t function : deciders.functions_used_) {
    const Function& each = deciders.functions_[function];
    for (uint32_t i = each.info.op + 1; i < each.end; ++i) {
      const OpView op(program, i);
      const Does does = isa::does(op);
      if (isa::controls(does) && does != Does::while_loop && !deciders.matters(op)) continue;
      if (does == Does::loop) {
        for (unsigned k = 0; k < 3; ++k) find_carried(i, op.operand(k));
        ask({op.operand(0), op.operand(1), op.operand(2)}, true);
      } else if (does == Does::branch || does == Does::index_switch)
        ask_condition(i, op.operand(0));
      else if (const auto last = does == Does::while_loop
                                     ? terminator(program, program.regions_of(op.op())[0])
                                     : std::nullopt)
        ask_condition(i, OpView(program, *last).operand(0));
    }
  }
  for (const ValueId whole : deciders.whole_) ask({whole, kNoValue, kNoValue}, false);
}

/// Where loops or calls carry it, the comparisons that it is made of.
void Questions::ask_condition(uint32_t op, ValueId value) {
  if (node_of(value, 0)) return ask({value, kNoValue, kNoValue}, false);
  std::vector<ValueId> asked;
  deciders_.for_each_source(value, [&](ValueId at, const Deciders::Origin* origin) {
    const bool compares = origin != nullptr && origin->kind == Deciders::Origin::Kind::op &&
                          isa::does(OpView(deciders_.program_, origin->at)) == Does::compare;
    if (compares) asked.push_back(at);
    return !compares;
  });
  for (const ValueId each : asked) {
    ask({each, kNoValue, kNoValue}, false);
    find_carried(op, each);
  }
}

void Questions::find_carried(uint32_t decides, ValueId value) {
  deciders_.for_each_source(value, [&](ValueId at, const Deciders::Origin* origin) {
    if (node_of(at, 0)) return false;
    if (origin == nullptr || origin->kind != Deciders::Origin::Kind::op) return true;
    const OpView op(deciders_.program_, origin->at);
    const Does does = isa::does(op);
    const bool two = (does >= Does::add && does <= Does::max_s) && op.result_type(0).elem != Elem::i1;
    if (two && !deciders_.constant(op.operand(0)) && !deciders_.constant(op.operand(1)))
      carried_.emplace(decides, origin->at);
    return true;
  });
}

void Questions::ask(std::array<ValueId, 3> values, bool loop) {
  Question made;
  made.loop = loop;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == kNoValue) continue;
    const auto node = node_of(values[i], 0);
    if (!node || nodes_.size() > kMostNodes) return;
    made.nodes[i] = *node;
  }
  std::set<uint32_t> leaves;
  made.formula = formula_of(made.nodes, leaves);
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
    if (leaves_[each].kind == Leaf::Kind::chosen)
      made.chosen.push_back(leaves_[each].at), made.leaves.push_back(each);
    else
      made.moving.push_back(each);
  }
  covered_.insert(values.begin(), values.end());
  if (!asked_.emplace(made.nodes, loop).second) return;
  if (made.chosen.empty()) return;
  std::ranges::sort(made.moving, {}, [&](uint32_t each) {
    return std::pair(leaves_[each].kind == Leaf::Kind::counter, leaves_[each].at);
  });
  made.parts = parts_of(made.formula, made.moving);
  questions_.push_back(std::move(made));
}

std::optional<uint32_t> Questions::node_of(ValueId value, int depth) {
  if (value == kNoValue || depth > kDeepest) return std::nullopt;
  if (const auto before = known_.find(value); before != known_.end()) return before->second;
  known_[value] = std::nullopt;  // while it is looked for: what a loop hands on to itself
  std::optional<uint32_t> made;
  if (const Number number = deciders_.constant(value)) {
    made = add({.number = *number});
  } else if (const auto found = deciders_.origins_.find(value); found != deciders_.origins_.end()) {
    made = made_of(found->second, value, depth);
  }
  return known_[value] = made;
}

std::optional<uint32_t> Questions::made_of(const Deciders::Origin& origin, ValueId value, int depth) {
  using Kind = Deciders::Origin::Kind;
  const Program& program = deciders_.program_;
  const Type& type = program.type_of(value);
  if (type.kind != TypeKind::scalar || is_float(type.elem)) return std::nullopt;
  const auto chosen = [&](bool load, uint32_t at) {
    auto found = std::ranges::find(chosen_, Chosen{load, at});
    if (found == chosen_.end()) {
      chosen_.push_back({load, at}), types_.push_back(type);
      found = chosen_.end() - 1;
    }
    return leaf({Leaf::Kind::chosen, static_cast<uint32_t>(found - chosen_.begin())});
  };
  switch (origin.kind) {
    case Kind::none:
      return std::nullopt;
    case Kind::parameter:
      return chosen(false, origin.at);
    case Kind::counter:
      return leaf({Leaf::Kind::counter, counting_like(origin.at, depth)});
    case Kind::joined: {
      if (origin.others.empty()) return leaf({Leaf::Kind::vector_core, 0});
      if (origin.others.size() == 1) return node_of(origin.others[0], depth + 1);
      const OpView chooser(program, origin.at);
      if (isa::does(chooser) != Does::branch || origin.others.size() != 2) return std::nullopt;
      const auto on = node_of(chooser.operand(0), depth + 1), yes = node_of(origin.others[0], depth + 1),
                 no = node_of(origin.others[1], depth + 1);
      if (!on || !yes || !no) return std::nullopt;
      return add({.how = {.does = Does::select}, .from = {*on, *yes, *no}});
    }
    case Kind::op:
      break;
  }
  const OpView op(program, origin.at);
  if (!gives_number(op)) {
    if (deciders_.loads_.contains(origin.at)) return chosen(true, origin.at);
    if (op.op().n_operand_words != 0 || Deciders::reads_register(op)) return std::nullopt;
    if (!Deciders::asks_for_block(op)) return leaf({Leaf::Kind::vector_core, 0});
    const bool count = isa::row(op.op().row).name.ends_with("num");
    return leaf({count ? Leaf::Kind::blocks : Leaf::Kind::block, 0});
  }
  Node made{.how = arithmetic_of(op)};
  for (unsigned i = 0; i < made.from.size(); ++i) {
    const ValueId from = op.operand(i);
    if (from == kNoValue) continue;
    const auto node = node_of(from, depth + 1);
    if (!node) return std::nullopt;
    made.from[i] = *node;
  }
  return add(made);
}

/// Of loops that are as deep and count alike, what is asked about the counter of one is asked about that of
/// all. Those of a function that is called may stand within any other one.
uint32_t Questions::counting_like(uint32_t loop, int depth) {
  const Functions& functions = deciders_.functions_;
  if (deciders_.is_called(functions.index_of(*functions.around(loop)))) return loop;
  const OpView op(deciders_.program_, loop);
  std::array<uint32_t, 3> bounds{};
  for (unsigned i = 0; i < bounds.size(); ++i) {
    const auto node = node_of(op.operand(i), depth + 1);
    if (!node) return loop;
    bounds[i] = *node;
  }
  int deep = 0;
  for (uint32_t at = loop; at != kNoOp; at = tree_.around(at)) {
    const Does does = isa::row(deciders_.program_.ops[at].row).does;
    deep += does == Does::loop || does == Does::while_loop ? 1 : 0;
  }
  return loops_.try_emplace({bounds, deep}, loop).first->second;
}

uint32_t Questions::add(const Node& node) {
  const auto [at, fresh] = by_key_.try_emplace(node.key(), static_cast<uint32_t>(nodes_.size()));
  if (!fresh) return at->second;
  nodes_.push_back(node);
  numbers_.push_back(0);
  return at->second;
}

uint32_t Questions::leaf(Leaf leaf) {
  const auto found = leaf_nodes_.find(leaf);
  if (found != leaf_nodes_.end()) return found->second;
  leaves_.push_back(leaf);
  leaf_numbers_.push_back(0);
  return leaf_nodes_[leaf] = add({.leaf = static_cast<uint32_t>(leaves_.size() - 1)});
}

void Questions::add_bounds(uint32_t counter) {
  if (bounds_.contains(counter)) return;
  const OpView loop(deciders_.program_, leaves_[counter].at);
  Bounds made;
  for (unsigned i = 0; i < made.nodes.size(); ++i) {
    const auto node = node_of(loop.operand(i), 0);
    if (!node) {
      made.nodes = {kNone, kNone, kNone};
      break;
    }
    made.nodes[i] = *node;
  }
  std::set<uint32_t> leaves;
  made.formula = formula_of(made.nodes, leaves);
  bounds_[counter] = std::move(made);
}

Questions::Formula Questions::formula_of(const std::array<uint32_t, 3>& nodes,
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

std::vector<Questions::Group> Questions::groups() const {
  std::vector<uint32_t> of(chosen_.size());
  for (uint32_t i = 0; i < of.size(); ++i) of[i] = i;
  for (bool more = true; more;) {
    more = false;
    for (const Question& each : questions_) {
      uint32_t least = kNone;
      for (const uint32_t one : each.chosen) least = std::min(least, of[one]);
      for (const uint32_t one : each.chosen) more = std::exchange(of[one], least) != least || more;
    }
  }
  std::map<uint32_t, Group> found;
  for (uint32_t i = 0; i < questions_.size(); ++i) {
    Group& group = found[of[questions_[i].chosen.front()]];
    group.questions.push_back(i);
    for (const uint32_t one : questions_[i].chosen) {
      if (std::ranges::find(group.chosen, one) == group.chosen.end()) group.chosen.push_back(one);
    }
    for (const uint32_t node : questions_[i].formula) {
      if (nodes_[node].leaf == kNone && nodes_[node].how.does == Does::constant)
        group.constants.insert(nodes_[node].number);
    }
  }
  std::vector<Group> groups;
  for (auto& [first, group] : found) groups.push_back(std::move(group));
  return groups;
}

// ---- answers

std::optional<uint64_t> Questions::answers(const Group& group, const std::vector<int64_t>& numbers) {
  for (uint32_t i = 0; i < leaves_.size(); ++i) {
    if (leaves_[i].kind != Leaf::Kind::chosen) continue;
    const auto at = std::ranges::find(group.chosen, leaves_[i].at);
    if (at != group.chosen.end()) leaf_numbers_[i] = numbers[static_cast<size_t>(at - group.chosen.begin())];
  }
  uint64_t hash = 1;
  for (const uint32_t each : group.questions) {
    Question& question = questions_[each];
    uint64_t about = 1;
    for (const uint32_t leaf : question.leaves) mix(about, static_cast<uint64_t>(leaf_numbers_[leaf]));
    const auto before = question.known.find(about);
    const auto own = before != question.known.end() ? before->second : answer(question);
    if (before == question.known.end() && question.known.size() < kMostKnown)
      question.known.emplace(about, own);
    if (!own) return std::nullopt;
    mix(hash, *own);
  }
  return hash;
}

std::optional<uint64_t> Questions::answer(const Question& question) {
  uint64_t hash = 1;
  good_.assign(question.parts.size(), true);
  good_[0] = work_out(question.parts[0]);
  return answer(question, 0, hash) ? std::optional(hash) : std::nullopt;
}

Questions::Parts Questions::parts_of(const Formula& formula, const std::vector<uint32_t>& moving) const {
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

bool Questions::work_out(const Formula& formula) {
  for (const uint32_t at : formula) {
    const auto number = number_of(nodes_[at]);
    if (!number) return false;
    numbers_[at] = *number;
  }
  return true;
}

std::optional<int64_t> Questions::number_of(const Node& node) const {
  if (node.leaf != kNone) return leaf_numbers_[node.leaf];
  const auto of = [&](unsigned i) { return numbers_[node.from[i]]; };
  switch (node.how.does) {
    case Does::constant:
      return node.number;
    case Does::select:
      return of(0) != 0 ? of(1) : of(2);
    case Does::cast:
    case Does::cast_unsigned:
      return give(node.how, of(0));
    default:
      // A run ends at a division by 0.
      return divides(node.how.does) && of(1) == 0 ? 0 : give(node.how, of(0), of(1));
  }
}

bool Questions::answer(const Question& question, size_t depth, uint64_t& hash) {
  return depth == question.moving.size() ? answer_now(question, hash) : go_through(question, depth, hash);
}

/// The first and the last iterations of a loop; all blocks; both vector cores.
bool Questions::go_through(const Question& question, size_t depth, uint64_t& hash) {
  const uint32_t leaf = question.moving[depth];
  int64_t first = 0, step = 1, turns = 1, ends = kEnds;
  switch (leaves_[leaf].kind) {
    case Leaf::Kind::blocks:
      first = 3;
      break;
    case Leaf::Kind::block:
      turns = 3;
      break;
    case Leaf::Kind::vector_core:
      turns = 2;
      break;
    default: {
      const auto counters = static_cast<int64_t>(std::ranges::count_if(
          question.moving, [&](uint32_t each) { return leaves_[each].kind == Leaf::Kind::counter; }));
      ends = std::max<int64_t>(2, kEnds >> (2 * (counters - 1)));
      turns = ends;
      const Bounds& bounds = bounds_.at(leaf);
      if (bounds.nodes[0] == kNone) break;
      if (!work_out(bounds.formula)) return false;
      first = numbers_[bounds.nodes[0]], step = numbers_[bounds.nodes[2]];
      const int64_t last = numbers_[bounds.nodes[1]];
      turns = step <= 0 ? 0 : iterations(first, last, step);
    }
  }
  mix(hash, static_cast<uint64_t>(std::min(turns, 2 * ends)));
  for (int64_t i = 0; i < turns; ++i) {
    if (i == ends && turns > 2 * ends) i = turns - ends;
    leaf_numbers_[leaf] = sat_add(first, sat_mul(i, step));
    good_[depth + 1] = work_out(question.parts[depth + 1]);
    if (!answer(question, depth + 1, hash)) return false;
  }
  return true;
}

bool Questions::answer_now(const Question& question, uint64_t& hash) {
  if (std::ranges::find(good_, false) != good_.end()) return false;
  if (!question.loop) {
    mix(hash, static_cast<uint64_t>(numbers_[question.nodes[0]]));
    return true;
  }
  const int64_t first = numbers_[question.nodes[0]], last = numbers_[question.nodes[1]],
                step = numbers_[question.nodes[2]];
  if (step <= 0) {
    mix(hash, ~uint64_t{0});
    return true;
  }
  const int64_t turns = iterations(first, last, step);
  if (turns > kMostTurns) return false;
  const int64_t most = deciders_.trips(), over = turns - most;
  mix(hash, static_cast<uint64_t>(over <= 0 ? turns : most + 1 + (over - 1) % deciders_.period()));
  return true;
}

}  // namespace pto::driver
