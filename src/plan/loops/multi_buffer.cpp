// The stream is cut at the loop: what stands before it, the loop anew, what stands behind it.
#include "plan/loops/multi_buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "ir/hardware_lanes.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
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
  const bool yields = last != kNoOp && program.ops[last].row == KnownRows::get().yield;
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

/// Values of the old operations by those of a copy.
using Renamed = std::map<ValueId, ValueId>;

class Unroller {
 public:
  Unroller(Program& program, const LoopShape& loop, unsigned copies, Copies& built)
      : program_(program), shape_(loop), copies_(copies), end_(program.end_of(loop.op)), made_(built) {
    for (const Value& value : program.values) {
      if (value.name != 0) names_.insert(value.name);
    }
  }

  void run() {
    old_ = std::move(program_.ops);
    old_regions_ = program_.regions;
    program_.ops.assign(old_.begin(), old_.begin() + shape_.op);
    program_.ops.reserve(old_.size() + copies_ * (end_ - shape_.op));
    loop_ = old_[shape_.op];
    body_ = old_regions_[loop_.regions];
    where_ = loop_.where;
    const std::optional<uint32_t> last = last_in_body();
    body_end_ = last.value_or(body_.end);
    index_type_ = program_.values[body_.first_arg].type;
    for (unsigned slot = 0; slot < kInit; ++slot) bounds_[slot] = word(slot);
    for (uint32_t i = 0; i < loop_.n_results; ++i) inits_.push_back(word(kInit + 1 + i));
    tiles_.resize(copies_);
    for (unsigned copy = 1; copy < copies_; ++copy) make_tiles(tiles_[copy]);
    const Number trips = count_trips(shape_.lower, shape_.upper, shape_.step);
    if (trips)
      known(static_cast<uint64_t>(*trips));
    else
      unknown();
    const auto delta = static_cast<uint32_t>(program_.ops.size()) - end_;
    for (uint32_t op = end_; op < old_.size(); ++op) program_.ops.push_back(old_[op]);
    move_regions(delta);
    if (!results_.empty()) {
      for (uint32_t op = end_ + delta; op < program_.ops.size(); ++op)
        rename_operands(program_.ops[op], results_, false);
    }
  }

 private:
  [[nodiscard]] ValueId word(uint32_t at) const { return program_.operands[loop_.operands + at]; }
  [[nodiscard]] std::optional<uint32_t> last_in_body() const {
    uint32_t last = kNoOp;
    for (uint32_t op = body_.begin; op < body_.end;) {
      last = op;
      op = old_[op].n_regions ? old_regions_[old_[op].regions + old_[op].n_regions - 1u].end : op + 1;
    }
    if (last == kNoOp || old_[last].row != KnownRows::get().yield) return std::nullopt;
    return last;
  }

  // ---- scalars in front of the loop
  ValueId constant(int64_t number) {
    Attr value;
    value.spec = static_cast<uint16_t>(isa::schema(KnownRows::get().constant).attr_index("value"));
    value.value.kind = AttrValue::Kind::integer;
    value.value.type = index_type_;
    value.value.integer = number;
    const uint32_t op =
        builder_.begin_op(KnownRows::get().constant, where_, {}, {&value, 1}, {&index_type_, 1}, {});
    return program_.ops[op].first_result;
  }
  ValueId binary(OpcodeClass opcode_class, ValueId a, ValueId b) {
    const ValueId operands[] = {a, b};
    const uint32_t op =
        builder_.begin_op(isa::id_of(opcode_class), where_, operands, {}, {&index_type_, 1}, {});
    return program_.ops[op].first_result;
  }

  /// Turns are counted: what is left over stands behind the loop, one turn after the other.
  void known(uint64_t trips) {
    const int64_t lower = *shape_.lower, step = *shape_.step;
    const uint64_t rounds = trips / copies_;
    const auto behind = static_cast<int64_t>(rounds * copies_);
    offsets_.push_back(kNoValue);
    for (unsigned copy = 1; copy < copies_; ++copy) offsets_.push_back(constant(step * copy));
    const ValueId upper = constant(lower + behind * step), stride = constant(step * copies_);
    last_ = trips == rounds * copies_;
    std::vector<ValueId> values = loop(bounds_[kLower], upper, stride, inits_);
    for (uint64_t iteration = rounds * copies_; iteration < trips; ++iteration) {
      Renamed renamed = enter(constant(lower + static_cast<int64_t>(iteration) * step), values, std::nullopt);
      copy_body(renamed);
      values = yielded(renamed);
    }
    for (uint32_t i = 0; i < values.size() && !last_; ++i) results_[loop_.first_result + i] = values[i];
  }

  /// Whole rounds where there is one, and what is left over, each turn of it in the one before. What is left
  /// over stands twice, behind the rounds and where there is none, so that a few turns pay for neither flags
  /// nor bounds of a loop; where the rest begins the scalar unit finds out while the rounds are under way.
  void unknown() {
    offsets_.push_back(kNoValue);
    for (unsigned copy = 1; copy < copies_; ++copy) offsets_.push_back(steps(copy));
    const ValueId most = offsets_.back();  // from the first turn of a round to its last
    const ValueId lower = bounds_[kLower];
    const uint32_t whole =
        begin_branch(shape_.lower && shape_.step ? constant(*shape_.lower + *shape_.step * (copies_ - 1))
                                                 : binary(OpcodeClass::add, lower, most));
    const ValueId stride = steps(copies_), upper = binary(OpcodeClass::sub, bounds_[kUpper], most);
    const std::vector<ValueId> values = loop(lower, upper, stride, inits_);
    const ValueId below =
        shape_.step ? constant(*shape_.step * copies_ - 1) : binary(OpcodeClass::sub, stride, constant(1));
    const ValueId span = binary(OpcodeClass::sub, upper, lower);
    const ValueId rounds = binary(OpcodeClass::div_s, binary(OpcodeClass::add, span, below), stride);
    const ValueId rest = binary(OpcodeClass::add, lower, binary(OpcodeClass::mul, rounds, stride));
    else_branch(whole, left_over(rest, values, 1));
    end_branch(whole, left_over(lower, inits_, 1), loop_.first_result);
  }

  std::vector<ValueId> left_over(ValueId index, const std::vector<ValueId>& values, unsigned iteration) {
    const uint32_t more = begin_branch(index);
    std::vector<ValueId> built = copy_single_iteration(index, values);
    if (iteration + 1 < copies_)
      built = left_over(binary(OpcodeClass::add, index, bounds_[kStep]), built, iteration + 1);
    else_branch(more, built);
    return end_branch(more, values, new_values(loop_.first_result, loop_.n_results));
  }

  /// With tiles of its own.
  std::vector<ValueId> copy_single_iteration(ValueId index, const std::vector<ValueId>& values) {
    Renamed renamed = enter(index, values, std::nullopt);
    copy_body(renamed);
    return yielded(renamed);
  }

  [[nodiscard]] ValueId steps(unsigned count) {
    if (count == 1) return bounds_[kStep];
    return shape_.step ? constant(*shape_.step * count)
                       : binary(OpcodeClass::mul, bounds_[kStep], constant(count));
  }

  // ---- branches
  /// Where `index` is below the loop's end.
  uint32_t begin_branch(ValueId index) {
    constexpr int64_t kLess = 2;  // signed, of arith.cmpi
    const RowId row = isa::id_of(OpcodeClass::compare);
    Attr predicate;
    predicate.spec = static_cast<uint16_t>(isa::schema(row).attr_index("predicate"));
    predicate.value.kind = AttrValue::Kind::enumerant;
    predicate.value.integer = kLess;
    const ValueId words[] = {index, bounds_[kUpper]};
    const TypeId bit = program_.types.intern(scalar_type(Elem::i1));
    const uint32_t less = builder_.begin_op(row, where_, words, {&predicate, 1}, {&bit, 1}, {});
    const ValueId condition[] = {program_.ops[less].first_result};
    const uint32_t op = builder_.begin_op(KnownRows::get().if_, where_, condition, {}, {}, {}, 2);
    builder_.begin_region(op, 0, {}, {});
    return op;
  }
  void else_branch(uint32_t op, const std::vector<ValueId>& then) {
    yield(then);
    builder_.end_region(op, 0);
    builder_.begin_region(op, 1, {}, {});
  }
  /// The results, numbered from `first`, are what either side hands on.
  std::vector<ValueId> end_branch(uint32_t op, const std::vector<ValueId>& otherwise, ValueId first) {
    yield(otherwise);
    builder_.end_region(op, 1);
    program_.ops[op].first_result = first;
    program_.ops[op].n_results = static_cast<uint16_t>(otherwise.size());
    std::vector<ValueId> results(otherwise.size());
    std::iota(results.begin(), results.end(), first);
    return results;
  }
  void yield(const std::vector<ValueId>& values) {
    if (values.empty()) return;
    std::vector<ValueId> words{static_cast<ValueId>(values.size())};
    words.insert(words.end(), values.begin(), values.end());
    builder_.begin_op(KnownRows::get().yield, where_, words, {}, {}, {});
  }

  // ---- loops and bodies
  /// The loop of whole rounds. It is made of the old operations, with their values, and its first turn of the
  /// old body; where nothing is left over it has the results of the old one.
  std::vector<ValueId> loop(ValueId lower, ValueId upper, ValueId step, const std::vector<ValueId>& inits) {
    Op op = loop_;
    std::vector<ValueId> words{lower, upper, step, static_cast<ValueId>(inits.size())};
    words.insert(words.end(), inits.begin(), inits.end());
    op.operands = static_cast<uint32_t>(program_.operands.size());
    program_.operands.insert(program_.operands.end(), words.begin(), words.end());
    if (!last_) op.first_result = new_values(loop_.first_result, loop_.n_results);
    const auto at = static_cast<uint32_t>(program_.ops.size());
    program_.ops.push_back(op);
    program_.regions[op.regions].begin = at + 1;
    const uint32_t first_arg = program_.regions[op.regions].first_arg;
    std::vector<ValueId> values;
    for (uint32_t i = 0; i < inits.size(); ++i) values.push_back(first_arg + 1 + i);
    Renamed renamed;
    for (unsigned iteration = 0; iteration < copies_; ++iteration) {
      if (iteration == 0) {
        move_body();
      } else {
        renamed = enter(binary(OpcodeClass::add, first_arg, offsets_[iteration]), values, iteration);
        copy_body(renamed);
      }
      values = yielded(renamed);
    }
    if (body_end_ < body_.end) {
      Op yield = old_[body_end_];
      std::vector<ValueId> handed{static_cast<ValueId>(values.size())};
      handed.insert(handed.end(), values.begin(), values.end());
      yield.operands = static_cast<uint32_t>(program_.operands.size());
      program_.operands.insert(program_.operands.end(), handed.begin(), handed.end());
      program_.ops.push_back(yield);
    }
    program_.regions[op.regions].end = static_cast<uint32_t>(program_.ops.size());
    std::vector<ValueId> results(op.n_results);
    std::iota(results.begin(), results.end(), ValueId{op.first_result});
    return results;
  }

  /// The loop's arguments, and the tiles that every turn fills, as a copy has them. What is left over behind
  /// the rounds does not wait for their tiles.
  Renamed enter(ValueId index, const std::vector<ValueId>& values, std::optional<uint64_t> iteration) {
    Renamed renamed;
    if (iteration)
      renamed = tiles_[*iteration];
    else
      make_tiles(renamed);
    renamed[body_.first_arg] = index;
    for (uint32_t i = 0; i < values.size(); ++i) renamed[body_.first_arg + 1 + i] = values[i];
    return renamed;
  }

  [[nodiscard]] std::vector<ValueId> yielded(const Renamed& renamed) const {
    std::vector<ValueId> values;
    if (body_end_ >= body_.end) return values;
    const Op& yield = old_[body_end_];
    for (uint32_t i = 1; i < yield.n_operand_words; ++i) {
      const ValueId value = program_.operands[yield.operands + i];
      const auto found = renamed.find(value);
      values.push_back(found == renamed.end() ? value : found->second);
    }
    return values;
  }

  void move_body() {
    const auto to = static_cast<uint32_t>(program_.ops.size());
    for (uint32_t op = body_.begin; op < body_end_; ++op) {
      program_.ops.push_back(old_[op]);
      for (uint32_t i = 0; i < old_[op].n_regions; ++i) {
        moved_.insert(old_[op].regions + i);
        Region& region = program_.regions[old_[op].regions + i];
        region.begin += to - body_.begin, region.end += to - body_.begin;
      }
    }
  }

  void copy_body(Renamed& renamed) {
    const auto to = static_cast<uint32_t>(program_.ops.size());
    for (uint32_t at = body_.begin; at < body_end_; ++at) {
      Op op = old_[at];
      const uint32_t first = op.first_result;
      op.first_result = new_values(first, op.n_results);
      for (uint32_t i = 0; i < op.n_results; ++i) renamed[first + i] = op.first_result + i;
      const uint32_t regions = op.regions;
      if (op.n_regions != 0) op.regions = static_cast<uint32_t>(program_.regions.size());
      for (uint32_t i = 0; i < op.n_regions; ++i) {
        Region region = old_regions_[regions + i];
        region.begin += to - body_.begin, region.end += to - body_.begin;
        const uint32_t first_arg = region.first_arg;
        region.first_arg = new_values(first_arg, region.n_args);
        for (uint32_t k = 0; k < region.n_args; ++k) renamed[first_arg + k] = region.first_arg + k;
        program_.regions.push_back(region);
      }
      program_.ops.push_back(op);
      rename_operands(program_.ops.back(), renamed, true);
    }
  }

  void make_tiles(Renamed& renamed) {
    for (const uint32_t built : shape_.tiles) {
      Op op = old_[built];
      const ValueId old = op.first_result;
      op.first_result = new_values(old, 1);
      renamed[old] = op.first_result;
      program_.ops.push_back(op);
      rename_operands(program_.ops.back(), {}, true);
    }
  }

  // ---- parts
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
  /// Operand words are values, but for the counts of variadic slots. A copy has words of its own, because
  /// tiles get their addresses there.
  void rename_operands(Op& op, const Renamed& renamed, bool copy) {
    const isa::Schema& schema = isa::schema(op.row);
    std::vector<ValueId> words(program_.operands.begin() + op.operands,
                               program_.operands.begin() + op.operands + op.n_operand_words);
    bool changed = false;
    const auto rename = [&](ValueId& value) {
      const auto found = value == kNoValue ? renamed.end() : renamed.find(value);
      if (found == renamed.end()) return;
      value = found->second;
      changed = true;
    };
    uint32_t at = 0;
    for (const isa::OperandSpec& slot : schema.operands) {
      if (at >= words.size()) break;
      if (slot.arity != isa::Arity::variadic) {
        rename(words[at++]);
        continue;
      }
      const uint32_t count = words[at++];
      for (uint32_t i = 0; i < count && at < words.size(); ++i) rename(words[at++]);
    }
    if (!changed && !copy) return;
    op.operands = static_cast<uint32_t>(program_.operands.size());
    program_.operands.insert(program_.operands.end(), words.begin(), words.end());
  }

  /// Regions around the loop grow, those behind it move. An empty one at the end of the body begins where
  /// those behind it do.
  void move_regions(uint32_t delta) {
    for (uint32_t i = 0; i < old_regions_.size(); ++i) {
      if (moved_.contains(i)) continue;
      const Region& old = old_regions_[i];
      Region& region = program_.regions[i];
      if (old.begin >= end_)
        region.begin += delta, region.end += delta;
      else if (old.begin <= shape_.op && old.end >= end_)
        region.end += delta;
    }
  }

  Program& program_;
  const LoopShape& shape_;
  unsigned copies_;
  uint32_t end_;
  Copies& made_;
  ProgramBuilder builder_{program_};
  std::vector<Op> old_;
  std::vector<Region> old_regions_;
  Op loop_;
  Region body_;
  uint32_t body_end_ = 0;  ///< where the terminator stands, if there is one
  Location where_;
  TypeId index_type_ = kNoType;
  bool last_ = false;  ///< nothing is left over behind the loop
  ValueId bounds_[kInit] = {};
  std::vector<ValueId> inits_, offsets_;  ///< offsets_: from the first turn of a round
  std::vector<Renamed> tiles_;
  Renamed results_;
  std::set<StrId> names_;
  std::set<uint32_t> moved_;  ///< regions of the first copy
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
