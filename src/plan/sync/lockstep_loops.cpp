#include "plan/sync/lockstep_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;

constexpr unsigned kMaxDepth = 24;
constexpr std::string_view kIteration = "turn";  ///< the number that both loops count
constexpr std::string_view kVectorCore = "vector core";

/// A sum of products of numbers and of what is not known, by its name. What two sections compute in the same
/// way has the same name.
struct Sum {
  std::map<std::string, int64_t> terms;
  int64_t constant = 0;
  bool operator==(const Sum&) const = default;
};

std::optional<Sum> times(const Sum& sum, int64_t factor) {
  Sum built;
  if (__builtin_mul_overflow(sum.constant, factor, &built.constant)) return std::nullopt;
  for (const auto& [name, count] : sum.terms) {
    if (factor != 0 && __builtin_mul_overflow(count, factor, &built.terms[name])) return std::nullopt;
  }
  return built;
}

std::optional<Sum> plus(Sum a, const Sum& b) {
  if (__builtin_add_overflow(a.constant, b.constant, &a.constant)) return std::nullopt;
  for (const auto& [name, count] : b.terms) {
    int64_t& mine = a.terms[name];
    if (__builtin_add_overflow(mine, count, &mine)) return std::nullopt;
    if (mine == 0) a.terms.erase(name);
  }
  return a;
}

std::string text_of(const Sum& sum) {
  std::string text = fmt::format("{}", sum.constant);
  for (const auto& [name, count] : sum.terms) text += fmt::format("+{}*({})", count, name);
  return text;
}

/// Bytes of a buffer: from `begin` on so many.
struct IterationRange {
  ValueId buffer = kNoValue;
  Sum begin;
  int64_t bytes = 0;
};

/// What a loop does to storage.
struct Access {
  uint32_t op = 0;
  RootId root = 0;
  bool read = false, write = false;
  std::optional<IterationRange> stretch;  ///< nothing: the same bytes in every turn, or nobody knows which
  bool same_bytes = false;
};

/// What values are, as a section or one of two functions computes them.
class Sums {
 public:
  /// `loop`: where they are asked for; kNoOp: beside all loops.
  Sums(const Program& program, const Storage& storage, const SameValues& same, uint32_t loop)
      : program_(program),
        storage_(storage),
        same_(same),
        loop_(loop),
        turn_(loop == kNoOp ? kNoValue : body_of(program, loop).first_arg) {}

  [[nodiscard]] std::optional<Sum> sum(ValueId value, unsigned depth = 0) const {
    if (value == kNoValue || depth > kMaxDepth) return std::nullopt;
    if (const Number number = storage_.constants().value_of(value)) return Sum{{}, *number};
    if (value == turn_) return Sum{{{std::string(kIteration), 1}}, 0};
    const uint32_t defining_op = storage_.constants().defining_op(value);
    if (same_.is_core_number(value)) return Sum{{{std::string(kVectorCore), 1}}, 0};
    if (defining_op == kNoOp) return Sum{{{fmt::format("%{}", same_(value)), 1}}, 0};
    const OpView op(program_, defining_op);
    const auto operand = [&](unsigned slot) { return sum(op.operand(slot), depth + 1); };
    const auto wide = [&] {
      const Elem elem = op.result_type(0).elem;
      return elem == Elem::index || bit_width(elem) >= 32;
    };
    switch (isa::opcode_class(op)) {
      case OpcodeClass::vector_core_number:
        return Sum{{{std::string(kVectorCore), 1}}, 0};
      case OpcodeClass::cast:
      case OpcodeClass::cast_unsigned:
        if (wide()) return operand(0);
        break;
      case OpcodeClass::add:
      case OpcodeClass::sub: {
        const std::optional<Sum> a = operand(0), b = operand(1);
        if (!a || !b) return std::nullopt;
        const std::optional<Sum> signed_b = times(*b, isa::opcode_class(op) == OpcodeClass::add ? 1 : -1);
        return signed_b ? plus(*a, *signed_b) : std::nullopt;
      }
      case OpcodeClass::mul: {
        const std::optional<Sum> a = operand(0), b = operand(1);
        if (!a || !b) return std::nullopt;
        if (b->terms.empty()) return times(*a, b->constant);
        if (a->terms.empty()) return times(*b, a->constant);
        break;
      }
      default:
        break;
    }
    return named(op, defining_op, depth);
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
    Sum begin;
    int64_t last = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const Number size = constants.value_of(sizes[i]), stride = constants.value_of(strides[i]);
      if (!size || *size < 1 || !stride || *stride < 0) return std::nullopt;
      last += (*size - 1) * *stride;
      if (i >= offsets.size()) continue;
      const std::optional<Sum> offset = sum(offsets[i]);
      const std::optional<Sum> far = offset ? times(*offset, *stride) : std::nullopt;
      const std::optional<Sum> next = far ? plus(begin, *far) : std::nullopt;
      if (!next) return std::nullopt;
      begin = *next;
    }
    const std::optional<Sum> in_bytes = times(begin, *bytes);
    if (!in_bytes) return std::nullopt;
    return pointer({whole.operand(0), *in_bytes, (last + 1) * *bytes});
  }

 private:
  /// Something else that depends on its operands alone.
  std::optional<Sum> named(const OpView& op, uint32_t defining_op, unsigned depth) const {
    const isa::Row& row = isa::row(op.op().row);
    const bool inner = loop_ != kNoOp && defining_op > loop_ && defining_op < program_.end_of(loop_);
    if ((row.flags & isa::kPure) == 0 && !isa::is_scalar_evaluable(row.opcode_class))
      return inner ? std::nullopt : std::optional(Sum{{{fmt::format("%{}", op.result(0)), 1}}, 0});
    std::string name(row.name);
    for (const Attr& attr : program_.attrs_of(op.op())) name += fmt::format(" {}", attr.value.integer);
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) {
        const std::optional<Sum> one = sum(value, depth + 1);
        if (!one) return std::nullopt;
        name += fmt::format(" [{}]", text_of(*one));
      }
    }
    return Sum{{{std::move(name), 1}}, 0};
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
        const std::optional<Sum> offset = sum(op.operand(1));
        const std::optional<Sum> far = bytes && offset ? times(*offset, *bytes) : std::nullopt;
        const std::optional<Sum> next = far ? plus(found.begin, *far) : std::nullopt;
        if (!next) return std::nullopt;
        found.begin = *next;
      }
      found.buffer = op.operand(0);
    }
    return std::nullopt;
  }

  const Program& program_;
  const Storage& storage_;
  const SameValues& same_;
  uint32_t loop_;
  ValueId turn_;
};

class LoopAccesses {
 public:
  LoopAccesses(const Program& program, const Storage& storage, const SameValues& same, uint32_t loop)
      : program_(program), storage_(storage), sums_(program, storage, same, loop), loop_(loop) {
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
      access.stretch = sums_.stretch(use.value);
      if (access.stretch && access.stretch->buffer != root.value) access.stretch.reset();
    }
    all_.push_back(std::move(access));
  }

  const Program& program_;
  const Storage& storage_;
  Sums sums_;
  uint32_t loop_;
  std::vector<Access> all_;
};

/// How two accesses lie to each other from turn to turn.
enum class IterationOverlap : uint8_t { same_iteration, every_iteration, later_iterations };

/// Terms that depend on the turn.
Sum by_iteration(const Sum& sum) {
  Sum part;
  for (const auto& term : sum.terms) {
    if (term.first.find(kIteration) != std::string::npos) part.terms.insert(term);
  }
  return part;
}

/// Whether bytes of the first one in a later turn are bytes of the second one.
IterationOverlap meeting(const Access& first, const Access& second, int64_t step) {
  if (first.same_bytes && second.same_bytes) return IterationOverlap::every_iteration;
  if (!first.stretch || !second.stretch) return IterationOverlap::later_iterations;
  const IterationRange &a = *first.stretch, &b = *second.stretch;
  const Sum iteration = by_iteration(a.begin);
  if (iteration != by_iteration(b.begin)) return IterationOverlap::later_iterations;
  const std::optional<Sum> minus = times(a.begin, -1);
  std::optional<Sum> apart = minus ? plus(b.begin, *minus) : std::nullopt;  // from a's begin to b's
  if (!apart) return IterationOverlap::later_iterations;
  int64_t lowest = apart->constant, highest = apart->constant;
  for (const auto& [name, count] : apart->terms) {
    if (name != kVectorCore) return IterationOverlap::later_iterations;
    lowest += std::min<int64_t>(count, 0), highest += std::max<int64_t>(count, 0);
  }
  if (iteration.terms.empty()) return IterationOverlap::every_iteration;
  if (iteration.terms.size() > 1 || iteration.terms.begin()->first != kIteration)
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
      const IterationOverlap met = step ? meeting(a, b, *step) : IterationOverlap::later_iterations;
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
  const std::optional<IterationRange> found = Sums(program, storage, same, kNoOp).stretch(view);
  if (!found) return std::nullopt;
  FixedBytes bytes{{}, found->begin.constant, found->bytes};
  for (const auto& [name, count] : found->begin.terms) {
    if (name == kVectorCore) {
      bytes.per_core = count;
      continue;
    }
    if (name.find('%') != std::string::npos || name.find(kVectorCore) != std::string::npos)
      return std::nullopt;  // arguments, of functions or of loops
    bytes.from += fmt::format("+{}*({})", count, name);
  }
  return bytes;
}

bool count_alike(const Program& program, const Storage& storage, const SameValues& same, uint32_t first,
                 uint32_t second) {
  const Sums sums(program, storage, same, kNoOp);
  const OpView one(program, first), other(program, second);
  for (unsigned slot = 0; slot < 3; ++slot) {
    const std::optional<Sum> a = sums.sum(one.operand(slot)), b = sums.sum(other.operand(slot));
    if (!a || !b || *a != *b) return false;
    for (const auto& term : a->terms) {
      if (term.first.find(kVectorCore) != std::string::npos) return false;
    }
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
          meeting(a, b, *step) == IterationOverlap::every_iteration)
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
    return meeting(writer, reader, *step) == IterationOverlap::later_iterations;
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
