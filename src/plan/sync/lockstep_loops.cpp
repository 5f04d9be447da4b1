#include "plan/sync/lockstep_loops.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;

constexpr unsigned kMaxDepth = 24;
using Kind = ExpressionTable::Kind;

/// Bytes of a buffer: from `begin` on so many.
struct IterationRange {
  ValueId buffer = kNoValue;
  LinearExpression begin;
  int64_t bytes = 0;
};

/// What a loop does to storage.
struct Access {
  uint32_t op = 0;
  RootId root = 0;
  bool read = false, write = false;
  std::optional<IterationRange> stretch;  ///< nothing: the same bytes in every iteration, or unknown ones
  bool same_bytes = false;
};

/// The expressions of values, as a section or one of two functions computes them.
class Expressions {
 public:
  /// `loop`: that they belong to; kNoOp: none.
  Expressions(const Program& program, const Storage& storage, const SameValues& same, uint32_t loop)
      : program_(program),
        storage_(storage),
        table_(storage.expressions()),
        same_(same),
        loop_(loop),
        counter_(loop == kNoOp ? kNoValue : body_of(program, loop).first_arg) {}

  [[nodiscard]] std::optional<LinearExpression> expression(ValueId value, unsigned depth = 0) const {
    if (value == kNoValue || depth > kMaxDepth) return std::nullopt;
    if (const Number number = storage_.constants().value_of(value))
      return LinearExpression{.constant = *number};
    if (value == counter_) return leaf(Kind::iteration);
    if (same_.is_core_number(value)) return leaf(Kind::vector_core);
    const uint32_t defining_op = storage_.constants().defining_op(value);
    if (defining_op == kNoOp) return leaf(Kind::value, same_(value));
    const OpView op(program_, defining_op);
    const OpcodeClass opcode_class = isa::opcode_class(op);
    if (opcode_class == OpcodeClass::vector_core_number) return leaf(Kind::vector_core);
    const Elem elem = op.result_type(0).elem;
    const bool is_wide = elem == Elem::index || bit_width(elem) >= kWideBits;
    switch (is_wide ? opcode_class : OpcodeClass::other) {
      case OpcodeClass::cast:
      case OpcodeClass::cast_unsigned:
        return expression(op.operand(0), depth + 1);
      case OpcodeClass::add:
        return sum_of(op, 1, depth);
      case OpcodeClass::sub:
        return sum_of(op, -1, depth);
      case OpcodeClass::mul:
        return product_of(op, depth);
      default:
        return term(op, depth);
    }
  }

  [[nodiscard]] std::optional<IterationRange> stretch(ValueId view) const {
    const Constants& constants = storage_.constants();
    const uint32_t defining_op = view == kNoValue ? kNoOp : constants.defining_op(view);
    if (defining_op == kNoOp) return std::nullopt;
    const OpView part(program_, defining_op);
    const bool is_part = isa::opcode_class(part) == OpcodeClass::partition;
    const uint32_t source = is_part ? constants.defining_op(part.operand(0)) : defining_op;
    if (source == kNoOp) return std::nullopt;
    const OpView whole(program_, source);
    if (isa::opcode_class(whole) != OpcodeClass::make_view) return std::nullopt;
    const std::optional<int64_t> bytes = bytes_of(whole.result_type(0));
    if (!bytes) return std::nullopt;
    const auto strides = whole.operands(2);
    const auto sizes = is_part ? part.operands(2) : whole.operands(1);
    const auto offsets = is_part ? part.operands(1) : std::span<const ValueId>();
    if (strides.size() != sizes.size() || offsets.size() > sizes.size()) return std::nullopt;
    LinearExpression begin;
    int64_t last = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const Number size = constants.value_of(sizes[i]), stride = constants.value_of(strides[i]);
      if (!size || *size < 1 || !stride || *stride < 0) return std::nullopt;
      last += (*size - 1) * *stride;
      if (i >= offsets.size()) continue;
      const std::optional<LinearExpression> offset = expression(offsets[i]);
      const std::optional<LinearExpression> far = offset ? scaled(*offset, *stride) : std::nullopt;
      const std::optional<LinearExpression> next = far ? sum(begin, *far) : std::nullopt;
      if (!next) return std::nullopt;
      begin = *next;
    }
    const std::optional<LinearExpression> in_bytes = scaled(begin, *bytes);
    if (!in_bytes) return std::nullopt;
    return pointer({whole.operand(0), *in_bytes, (last + 1) * *bytes});
  }

 private:
  /// Integers of so many bits are taken not to wrap.
  static constexpr uint32_t kWideBits = 32;

  [[nodiscard]] LinearExpression leaf(Kind kind, ValueId value = kNoValue) const {
    return single(table_.leaf(kind, value));
  }
  static LinearExpression single(TermId term) { return {.terms = {{term, 1}}}; }

  std::optional<LinearExpression> sum_of(const OpView& op, int64_t sign, unsigned depth) const {
    const std::optional<LinearExpression> a = expression(op.operand(0), depth + 1),
                                          b = expression(op.operand(1), depth + 1);
    const std::optional<LinearExpression> signed_b = b ? scaled(*b, sign) : std::nullopt;
    return a && signed_b ? sum(*a, *signed_b) : std::nullopt;
  }

  std::optional<LinearExpression> product_of(const OpView& op, unsigned depth) const {
    const std::optional<LinearExpression> a = expression(op.operand(0), depth + 1),
                                          b = expression(op.operand(1), depth + 1);
    if (!a || !b) return std::nullopt;
    if (b->terms.empty()) return scaled(*a, b->constant);
    if (a->terms.empty()) return scaled(*b, a->constant);
    return term(op, depth);
  }

  /// Something else that depends on its operands alone.
  std::optional<LinearExpression> term(const OpView& op, unsigned depth) const {
    const isa::Row& row = isa::row(op.op().row);
    const bool inner = loop_ != kNoOp && op.index() > loop_ && op.index() < program_.end_of(loop_);
    if ((row.flags & isa::kPure) == 0 && !isa::is_scalar_evaluable(row.opcode_class))
      return inner ? std::nullopt : std::optional(leaf(Kind::value, op.result(0)));
    std::vector<LinearExpression> operands;
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) {
        const std::optional<LinearExpression> one = expression(value, depth + 1);
        if (!one) return std::nullopt;
        operands.push_back(*one);
      }
    }
    return single(table_.operation(op, std::move(operands)));
  }

  static std::optional<int64_t> bytes_of(const Type& type) {
    if (bit_width(type.elem) % 8 != 0 || bit_width(type.elem) == 0 || type.vec_lanes > 1) return std::nullopt;
    return byte_width(type.elem);
  }

  std::optional<IterationRange> pointer(IterationRange found) const {
    for (unsigned depth = 0; depth < kMaxDepth; ++depth) {
      const uint32_t defining_op = storage_.constants().defining_op(found.buffer);
      if (defining_op == kNoOp) {
        found.buffer = same_(found.buffer);
        return found;
      }
      const OpView op(program_, defining_op);
      const OpcodeClass opcode_class = isa::opcode_class(op);
      if (opcode_class != OpcodeClass::add_ptr && opcode_class != OpcodeClass::cast_ptr) return std::nullopt;
      if (opcode_class == OpcodeClass::add_ptr) {
        const std::optional<int64_t> bytes = bytes_of(op.type(0));
        const std::optional<LinearExpression> offset = expression(op.operand(1));
        const std::optional<LinearExpression> far = bytes && offset ? scaled(*offset, *bytes) : std::nullopt;
        const std::optional<LinearExpression> next = far ? sum(found.begin, *far) : std::nullopt;
        if (!next) return std::nullopt;
        found.begin = *next;
      }
      found.buffer = op.operand(0);
    }
    return std::nullopt;
  }

  const Program& program_;
  const Storage& storage_;
  ExpressionTable& table_;
  const SameValues& same_;
  uint32_t loop_;
  ValueId counter_;
};

class LoopAccesses {
 public:
  LoopAccesses(const Program& program, const Storage& storage, const SameValues& same, uint32_t loop)
      : program_(program), storage_(storage), expressions_(program, storage, same, loop), loop_(loop) {
    for (const uint32_t op : descendants(program, loop)) {
      for (const StorageUse& use : storage.accesses(op)) {
        for (const RootId root : storage.set(use.roots)) add(op, root, use);
      }
    }
  }
  [[nodiscard]] const std::vector<Access>& all() const { return all_; }

 private:
  void add(uint32_t op, RootId id, const StorageUse& use) {
    const Root& root = storage_.roots()[id];
    Access access{op, id, use.read, use.write, std::nullopt, false};
    if (root.kind == Root::Kind::tile) {
      const bool made_here = root.op > loop_ && root.op < program_.end_of(loop_);
      access.same_bytes = !made_here;
    } else if (root.kind == Root::Kind::buffer) {
      access.stretch = expressions_.stretch(use.value);
      if (access.stretch && access.stretch->buffer != root.value) access.stretch.reset();
    }
    all_.push_back(std::move(access));
  }

  const Program& program_;
  const Storage& storage_;
  Expressions expressions_;
  uint32_t loop_;
  std::vector<Access> all_;
};

/// How two accesses lie to each other from turn to turn.
enum class IterationOverlap : uint8_t { same_iteration, every_iteration, later_iterations };

/// Terms that depend on the iteration.
LinearExpression by_iteration(const ExpressionTable& table, const LinearExpression& expression) {
  LinearExpression part;
  for (const auto& term : expression.terms) {
    if (table.depends_on(term.first, Kind::iteration)) part.terms.insert(term);
  }
  return part;
}

/// Whether bytes of the first one in a later turn are bytes of the second one.
IterationOverlap meeting(const ExpressionTable& table, const Access& first, const Access& second,
                         int64_t step) {
  if (first.same_bytes && second.same_bytes) return IterationOverlap::every_iteration;
  if (!first.stretch || !second.stretch) return IterationOverlap::later_iterations;
  const IterationRange &a = *first.stretch, &b = *second.stretch;
  const LinearExpression iteration = by_iteration(table, a.begin);
  if (iteration != by_iteration(table, b.begin)) return IterationOverlap::later_iterations;
  const std::optional<LinearExpression> minus = scaled(a.begin, -1);
  std::optional<LinearExpression> apart =
      minus ? sum(b.begin, *minus) : std::nullopt;  // from a's begin to b's
  if (!apart) return IterationOverlap::later_iterations;
  int64_t lowest = apart->constant, highest = apart->constant;
  for (const auto& [term, count] : apart->terms) {
    if (!table.is_leaf(term, Kind::vector_core)) return IterationOverlap::later_iterations;
    lowest += std::min<int64_t>(count, 0);
    highest += std::max<int64_t>(count, 0);
  }
  if (iteration.terms.empty()) return IterationOverlap::every_iteration;
  if (iteration.terms.size() > 1 || !table.is_leaf(iteration.terms.begin()->first, Kind::iteration))
    return IterationOverlap::every_iteration;  // as in k mod 2
  const int64_t far = iteration.terms.begin()->second * step;
  // The next turn of the first one begins at `far`; what the second one touches now ends before that.
  const bool apart_always = far > 0 ? far >= highest + b.bytes : -far >= a.bytes - lowest;
  return apart_always ? IterationOverlap::same_iteration : IterationOverlap::later_iterations;
}

/// Whether nothing is told of what a loop touches: pointers of unknown origin, calls.
bool is_closed(const Program& program, const Storage& storage, const LoopAccesses& loop, uint32_t op) {
  const bool unknown = std::ranges::any_of(loop.all(), [&](const Access& access) {
    return storage.roots()[access.root].kind == Root::Kind::unknown;
  });
  if (unknown) return true;
  for (const uint32_t i : descendants(program, op)) {
    if (isa::row(program.ops[i].row).opcode_class == OpcodeClass::call) return true;
  }
  return false;
}

/// One tile, one buffer, or two tiles on each other.
bool meets(const Storage& storage, const Access& a, const Access& b) {
  if (a.root == b.root) return true;
  const Root &x = storage.roots()[a.root], &y = storage.roots()[b.root];
  return x.kind == Root::Kind::tile && y.kind == Root::Kind::tile && x.space == y.space && x.addr && y.addr &&
         *x.addr < *y.addr + y.bytes && *y.addr < *x.addr + x.bytes;
}

}  // namespace

ProgressFound relative_progress(const Program& program, const Storage& storage, uint32_t first,
                                uint32_t second) {
  const SameValues& same = storage.same();
  const LoopAccesses before(program, storage, same, first), after(program, storage, same, second);
  const Number step = storage.constants().value_of(OpView(program, first).operand(2));
  if (is_closed(program, storage, before, first) || is_closed(program, storage, after, second)) return {};
  std::optional<std::pair<uint32_t, uint32_t>> forth, back;
  bool reused = false;
  for (const Access& a : before.all()) {
    for (const Access& b : after.all()) {
      if (!meets(storage, a, b) || !(a.write || b.write)) continue;
      const IterationOverlap met =
          step ? meeting(storage.expressions(), a, b, *step) : IterationOverlap::later_iterations;
      if (met == IterationOverlap::later_iterations) return {};
      if (met != IterationOverlap::every_iteration) continue;
      reused = true;
      if (a.write && b.read) forth = {a.op, b.op};
      if (a.read && b.write) back = {a.op, b.op};
    }
  }
  if (back && forth) return {RelativeProgress::unclear, back->first, back->second};
  // Every turn of the first loop reads what was there before, and the second one overwrites it.
  if (reused && back) return {};
  return {RelativeProgress::in_step, 0, 0};
}

std::optional<FixedBytes> fixed_bytes(const Program& program, const Storage& storage, const SameValues& same,
                                      ValueId view) {
  const std::optional<IterationRange> found = Expressions(program, storage, same, kNoOp).stretch(view);
  if (!found) return std::nullopt;
  const ExpressionTable& table = storage.expressions();
  FixedBytes bytes{.begin = found->begin.constant, .bytes = found->bytes};
  for (const auto& [term, count] : found->begin.terms) {
    if (table.is_leaf(term, Kind::vector_core)) {
      bytes.per_core = count;
      continue;
    }
    if (table.depends_on(term, Kind::value) || table.depends_on(term, Kind::vector_core))
      return std::nullopt;  // arguments, of functions or of loops
    bytes.from.terms.emplace(term, count);
  }
  return bytes;
}

bool count_alike(const Program& program, const Storage& storage, const SameValues& same, uint32_t first,
                 uint32_t second) {
  const Expressions expressions(program, storage, same, kNoOp);
  const OpView one(program, first), other(program, second);
  for (unsigned slot = 0; slot < 3; ++slot) {
    const std::optional<LinearExpression> a = expressions.expression(one.operand(slot)),
                                          b = expressions.expression(other.operand(slot));
    if (!a || !b || *a != *b) return false;
    if (storage.expressions().depends_on(*a, Kind::vector_core)) return false;
  }
  return true;
}

bool reuse_bytes(const Program& program, const Storage& storage, const SameValues& same, uint32_t first,
                 uint32_t second) {
  const LoopAccesses one(program, storage, same, first), other(program, storage, same, second);
  const Number step = storage.constants().value_of(OpView(program, first).operand(2));
  for (const Access& a : one.all()) {
    for (const Access& b : other.all()) {
      if ((a.write || b.write) && meets(storage, a, b) && step &&
          meeting(storage.expressions(), a, b, *step) == IterationOverlap::every_iteration)
        return true;
    }
  }
  return false;
}

bool take_turns(const Program& program, const Storage& storage, const SameValues& same, uint32_t first,
                uint32_t second) {
  const LoopAccesses one(program, storage, same, first), other(program, storage, same, second);
  const Number step = storage.constants().value_of(OpView(program, first).operand(2));
  if (!step || is_closed(program, storage, one, first) || is_closed(program, storage, other, second))
    return false;
  const auto later = [&](const Access& writer, const Access& reader) {
    return meeting(storage.expressions(), writer, reader, *step) == IterationOverlap::later_iterations;
  };
  for (const Access& a : one.all()) {
    for (const Access& b : other.all()) {
      if (!meets(storage, a, b)) continue;
      if ((a.write && later(a, b)) || (b.write && later(b, a))) return false;
    }
  }
  return true;
}

}  // namespace pto::planner
