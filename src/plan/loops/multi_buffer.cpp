// The loop keeps its operations as the first copy; the others are cloned behind it.
#include "plan/loops/multi_buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "ir/hardware_lanes.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "ir/rewriter.hpp"
#include "plan/loops/privatisable_tiles.hpp"
#include "support/saturating.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;

constexpr unsigned kLower = 0, kUpper = 1, kStep = 2, kInit = 3;  ///< slots of a loop

Number count_trips(Number lower, Number upper, Number step) {
  if (!lower || !upper || !step || *step <= 0) return std::nullopt;
  int64_t span = 0;
  if (__builtin_sub_overflow(*upper, *lower, &span)) return std::nullopt;
  return span <= 0 ? 0 : (span - 1) / *step + 1;
}

/// Values go in, around and out one by one. Programs that were not verified may hold others.
bool is_regular(const OpView& loop) {
  const Program& program = loop.program();
  const uint32_t values = loop.op().n_results;
  if (loop.op().n_regions != 1 || loop.operands(kInit).size() != values) return false;
  const Region& body = body_of(loop);
  const uint32_t last = last_of(program, body);
  const bool yields = last != kNoOp && isa::opcode_class(program.ops[last]) == OpcodeClass::yield;
  return body.n_args == values + 1 && (yields ? yielded_values(program, body).size() : 0) == values;
}

/// What a copy would double that exists once, or whose place counts.
bool stands_alone(OpcodeClass opcode_class) {
  switch (opcode_class) {
    case OpcodeClass::block:
    case OpcodeClass::reserve_buffer:
    case OpcodeClass::import_buffer:
    case OpcodeClass::alloc_buffer:
    case OpcodeClass::declare_tile:
    case OpcodeClass::queue_init:
    case OpcodeClass::launch_threads:
    case OpcodeClass::describe_threads:
    case OpcodeClass::section_cube:
    case OpcodeClass::section_vector:
    case OpcodeClass::ret:
    case OpcodeClass::jump:
    case OpcodeClass::cond_jump:
      return true;
    default:
      return false;
  }
}

class Unroller {
 public:
  Unroller(Program& program, const LoopShape& loop, unsigned copies, Copies& built)
      : program_(program),
        shape_(loop),
        copies_(copies),
        made_(built),
        where_(program.ops[loop.op].where),
        rewriter_(program) {
    for (const Value& value : program.values) {
      if (value.name != 0) names_.insert(value.name);
    }
  }

  void run() {
    const auto count = static_cast<OpId>(program_.ops.size());
    const OpId behind = program_.end_of(shape_.op);
    read_loop();
    rewriter_.set_before(shape_.op);
    tiles_.resize(copies_);
    for (unsigned copy = 1; copy < copies_; ++copy) make_tiles(tiles_[copy]);
    const Number trips = count_trips(shape_.lower, shape_.upper, shape_.step);
    if (trips)
      known(static_cast<uint64_t>(*trips));
    else
      unknown();
    for (OpId op = behind; op < count && !results_.empty(); ++op) rewriter_.replace_operands(op, results_);
    rewriter_.finish();
  }

 private:
  void read_loop() {
    const Op& loop = program_.ops[shape_.op];
    body_ = program_.regions[loop.regions];
    operations_ = rewriter_.children(loop.regions);
    if (!operations_.empty() && isa::opcode_class(program_.ops[operations_.back()]) == OpcodeClass::yield) {
      yield_ = operations_.back();
      operations_.pop_back();
      const std::span<const ValueId> values = OpView(program_, yield_).operands(0);
      yields_.assign(values.begin(), values.end());
    }
    index_type_ = program_.values[body_.first_arg].type;
    results_begin_ = loop.first_result;
    for (unsigned slot = 0; slot < kInit; ++slot) bounds_[slot] = program_.operands[loop.operands + slot];
    for (uint32_t i = 0; i < loop.n_results; ++i)
      inits_.push_back(program_.operands[loop.operands + kInit + 1 + i]);
  }

  // ---- scalars
  ValueId constant(int64_t number) { return rewriter_.constant(index_type_, number); }
  ValueId binary(OpcodeClass opcode_class, ValueId a, ValueId b) {
    return rewriter_.binary(opcode_class, index_type_, a, b);
  }

  /// The trip count is known: the remainder follows the loop, one iteration after the other.
  void known(uint64_t trips) {
    const int64_t lower = *shape_.lower;
    const int64_t step = *shape_.step;
    const uint64_t rounds = trips / copies_;
    const auto behind = static_cast<int64_t>(rounds * copies_);
    offsets_.push_back(kNoValue);
    for (unsigned copy = 1; copy < copies_; ++copy) offsets_.push_back(constant(step * copy));
    const ValueId upper = constant(lower + behind * step);
    const ValueId stride = constant(step * copies_);
    last_ = trips == rounds * copies_;
    std::vector<ValueId> values = loop(bounds_[kLower], upper, stride);
    for (uint64_t iteration = rounds * copies_; iteration < trips; ++iteration)
      values = copy_single_iteration(constant(lower + static_cast<int64_t>(iteration) * step), values);
    for (uint32_t i = 0; i < values.size() && !last_; ++i) results_[results_begin_ + i] = values[i];
  }

  /// Whole rounds where there is one, and the remainder, each iteration of it inside of the one before. The
  /// remainder is there twice, behind the rounds and where there is none, so that a few iterations pay for
  /// neither flags nor bounds of a loop; the scalar unit finds out where the remainder begins while the
  /// rounds are under way.
  void unknown() {
    offsets_.push_back(kNoValue);
    for (unsigned copy = 1; copy < copies_; ++copy) offsets_.push_back(steps(copy));
    const ValueId most = offsets_.back();  // from the first iteration of a round to its last
    const ValueId lower = bounds_[kLower];
    const OpId whole =
        begin_branch(shape_.lower && shape_.step ? constant(*shape_.lower + *shape_.step * (copies_ - 1))
                                                 : binary(OpcodeClass::add, lower, most));
    const ValueId stride = steps(copies_);
    const ValueId upper = binary(OpcodeClass::sub, bounds_[kUpper], most);
    const std::vector<ValueId> values = loop(lower, upper, stride);
    const ValueId below =
        shape_.step ? constant(*shape_.step * copies_ - 1) : binary(OpcodeClass::sub, stride, constant(1));
    const ValueId span = binary(OpcodeClass::sub, upper, lower);
    const ValueId rounds = binary(OpcodeClass::div_s, binary(OpcodeClass::add, span, below), stride);
    const ValueId rest = binary(OpcodeClass::add, lower, binary(OpcodeClass::mul, rounds, stride));
    else_branch(whole, remainder(rest, values, 1));
    end_branch(whole, remainder(lower, inits_, 1), results_begin_);
  }

  std::vector<ValueId> remainder(ValueId index, const std::vector<ValueId>& values, unsigned iteration) {
    const OpId more = begin_branch(index);
    std::vector<ValueId> built = copy_single_iteration(index, values);
    if (iteration + 1 < copies_)
      built = remainder(binary(OpcodeClass::add, index, bounds_[kStep]), built, iteration + 1);
    else_branch(more, built);
    return end_branch(more, values, new_values(results_begin_, static_cast<uint32_t>(inits_.size())));
  }

  /// With tiles of its own.
  std::vector<ValueId> copy_single_iteration(ValueId index, const std::vector<ValueId>& values) {
    ValueMap renamed;
    make_tiles(renamed);
    copy_body(index, values, renamed);
    return yielded(renamed);
  }

  [[nodiscard]] ValueId steps(unsigned count) {
    if (count == 1) return bounds_[kStep];
    return shape_.step ? constant(*shape_.step * count)
                       : binary(OpcodeClass::mul, bounds_[kStep], constant(count));
  }

  // ---- branches
  /// Where `index` is below the loop's end.
  OpId begin_branch(ValueId index) {
    const ValueId less = rewriter_.compare(isa::CmpPredicate::slt, index, bounds_[kUpper]);
    const OpId branch = rewriter_.create(isa::id_of(OpcodeClass::branch), {&less, 1}, {}, {}, 2);
    rewriter_.set_end(rewriter_.region(branch, 0));
    return branch;
  }
  void else_branch(OpId branch, const std::vector<ValueId>& then) {
    yield(then);
    rewriter_.set_end(rewriter_.region(branch, 1));
  }
  /// The results, numbered from `first`, are those that either region yields.
  std::vector<ValueId> end_branch(OpId branch, const std::vector<ValueId>& otherwise, ValueId first) {
    yield(otherwise);
    rewriter_.set_after(branch);
    program_.ops[branch].first_result = first;
    program_.ops[branch].n_results = static_cast<uint16_t>(otherwise.size());
    return consecutive(first, otherwise.size());
  }
  void yield(const std::vector<ValueId>& values) {
    if (values.empty()) return;
    rewriter_.create(isa::id_of(OpcodeClass::yield), list_words(values));
  }

  // ---- loops and bodies
  /// The loop of whole rounds: the loop that there was, with its values, and its body as the first iteration
  /// of a round; where nothing remains it has its old results.
  std::vector<ValueId> loop(ValueId lower, ValueId upper, ValueId step) {
    if (rewriter_.point().next != shape_.op) rewriter_.move(shape_.op);
    std::vector<ValueId> words{lower, upper, step};
    const std::vector<ValueId> inits = list_words(inits_);
    words.insert(words.end(), inits.begin(), inits.end());
    rewriter_.set_operands(shape_.op, words);
    const auto count = static_cast<uint32_t>(inits_.size());
    if (!last_) program_.ops[shape_.op].first_result = new_values(results_begin_, count);
    copy_iterations();
    rewriter_.set_after(shape_.op);
    return consecutive(program_.ops[shape_.op].first_result, count);
  }

  void copy_iterations() {
    if (yield_ != kNoOp)
      rewriter_.set_before(yield_);
    else
      rewriter_.set_end(rewriter_.region(shape_.op, 0));
    rewriter_.set_location(where_);
    std::vector<ValueId> values = yielded({});
    for (unsigned iteration = 1; iteration < copies_; ++iteration) {
      const ValueId index = binary(OpcodeClass::add, body_.first_arg, offsets_[iteration]);
      copy_body(index, values, tiles_[iteration]);
      values = yielded(tiles_[iteration]);
    }
    if (yield_ != kNoOp) rewriter_.set_operands(yield_, list_words(values));
  }

  /// The iteration of `index`, with the values that the one before yields.
  void copy_body(ValueId index, const std::vector<ValueId>& values, ValueMap& renamed) {
    renamed[body_.first_arg] = index;
    for (uint32_t i = 0; i < values.size(); ++i) renamed[body_.first_arg + 1 + i] = values[i];
    for (const OpId op : operations_) rewriter_.clone(op, renamed, copier_);
  }

  void make_tiles(ValueMap& renamed) {
    for (const OpId tile : shape_.tiles) {
      ValueMap own;
      rewriter_.clone(tile, own, copier_);
      renamed.insert(own.begin(), own.end());
    }
  }

  /// What an iteration yields whose values are renamed so.
  [[nodiscard]] std::vector<ValueId> yielded(const ValueMap& renamed) const {
    std::vector<ValueId> values;
    for (const ValueId value : yields_) {
      const auto found = renamed.find(value);
      values.push_back(found == renamed.end() ? value : found->second);
    }
    return values;
  }

  // ---- parts
  static std::vector<ValueId> list_words(const std::vector<ValueId>& values) {
    std::vector<ValueId> words{static_cast<ValueId>(values.size())};
    words.insert(words.end(), values.begin(), values.end());
    return words;
  }
  static std::vector<ValueId> consecutive(ValueId first, size_t count) {
    std::vector<ValueId> values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
  }
  ValueId new_values(ValueId first, uint32_t count) {
    const auto built = static_cast<ValueId>(program_.values.size());
    for (uint32_t i = 0; i < count; ++i) {
      Value value = program_.values[first + i];
      if (value.name != 0) value.name = other_name(value.name);
      program_.values.push_back(value);
      made_.emplace(built + i, first + i);
    }
    return built;
  }
  StrId other_name(StrId name) {
    for (unsigned number = 2;; ++number) {
      const StrId other = program_.strings.intern(fmt::format("{}_{}", program_.strings[name], number));
      if (names_.insert(other).second) return other;
    }
  }

  Program& program_;
  const LoopShape& shape_;
  unsigned copies_;
  Copies& made_;
  Location where_;
  Rewriter rewriter_;
  Rewriter::ValueCopier copier_ = [this](ValueId first, uint32_t count) { return new_values(first, count); };
  Region body_;
  std::vector<OpId> operations_;  ///< of the body, without its terminator
  OpId yield_ = kNoOp;
  std::vector<ValueId> yields_;  ///< of the body as it was
  TypeId index_type_ = kNoType;
  bool last_ = false;  ///< no iteration remains behind the loop
  ValueId bounds_[kInit] = {};
  ValueId results_begin_ = kNoValue;
  std::vector<ValueId> inits_, offsets_;  ///< offsets_: from the first iteration of a round
  std::vector<ValueMap> tiles_;
  ValueMap results_;
  std::set<StrId> names_;
};

}  // namespace

Number trips_of(const Program& program, const Constants& constants, uint32_t loop) {
  const OpView op(program, loop);
  return count_trips(constants.value_of(op.operand(kLower)), constants.value_of(op.operand(kUpper)),
                     constants.value_of(op.operand(kStep)));
}

bool can_be_bounded(const OpView& loop) {
  if (isa::opcode_class(loop) != OpcodeClass::loop || opens_vector_scope(loop) || !is_regular(loop))
    return false;
  const Elem index = loop.type(kLower).elem;
  return index == Elem::index || index == Elem::i32 || index == Elem::i64;
}

bool can_unroll(const Program& program, uint32_t loop) {
  if (!can_be_bounded(OpView(program, loop))) return false;
  uint32_t lanes = 0;
  for (const uint32_t inner : descendants(program, loop)) {
    const OpView view(program, inner);
    if (stands_alone(isa::opcode_class(view))) return false;
    const int lane = lane_of(opens_vector_scope(view) ? Pipe::v : isa::pipe_of(view));
    if (lane >= kFirstQueue) lanes |= 1u << lane;
  }
  return (lanes & (lanes - 1)) != 0;  // two queues or more
}

LoopShape shape_of(const Program& program, const Storage& storage, const Constants& constants,
                   uint32_t loop) {
  const OpView op(program, loop);
  LoopShape shape{loop,
                  constants.value_of(op.operand(kLower)),
                  constants.value_of(op.operand(kUpper)),
                  constants.value_of(op.operand(kStep)),
                  {}};
  shape.tiles = privatisable_tiles(program, storage, loop);
  return shape;
}

void unroll(Program& program, const LoopShape& loop, unsigned copies, Copies& built) {
  if (copies > 1) Unroller(program, loop, copies, built).run();
}

}  // namespace pto::planner
