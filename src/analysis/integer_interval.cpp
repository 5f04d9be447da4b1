#include "analysis/integer_interval.hpp"

#include <algorithm>

#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;

constexpr unsigned kMaxDepth = 24;      ///< of an expression that is looked at
constexpr int64_t kMaxBlocks = 65535;   ///< that a launch may have
constexpr int64_t kMaxVectorCores = 2;  ///< of a block
constexpr Interval kAll{};

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// Numbers that say which block or vector core runs, or of how many.
Interval of_launch(const OpView& op) {
  if (isa::opcode_class(op) == OpcodeClass::vector_core_number) return {0, kMaxVectorCores - 1};
  const isa::Schema& schema = isa::schema(op.op().row);
  if (schema.operands.empty() && schema.results.size() == 1) {
    if (schema.results[0].name == "block") return {0, kMaxBlocks - 1};
    if (schema.results[0].name == "blocks") return {1, kMaxBlocks};
  }
  return numbers_of(op.result_type(0));
}

}  // namespace

Interval numbers_of(const Type& type) {
  const uint32_t bits = number_bits(type);
  if (type.kind != TypeKind::scalar || bits == 0 || bits >= 64) return kAll;
  if (bits == 1) return {0, 1};  // as its word holds it
  const int64_t half = int64_t{1} << (bits - 1);
  return {-half, half - 1};
}

IntervalAnalysis::IntervalAnalysis(const Program& program, const Constants& constants)
    : program_(program), constants_(constants) {
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    if (isa::row(program.ops[op].row).opcode_class != OpcodeClass::loop || program.ops[op].n_regions != 1)
      continue;
    loop_of_.emplace(program.regions[program.ops[op].regions].first_arg, op);
  }
}

uint32_t IntervalAnalysis::loop_of(ValueId value) const {
  const auto found = loop_of_.find(value);
  return found == loop_of_.end() ? kNoOp : found->second;
}

Interval IntervalAnalysis::interval_of(ValueId value, unsigned depth) const {
  if (value == kNoValue || depth > kMaxDepth) return kAll;
  if (const Number number = constants_.value_of(value)) return {*number, *number};
  if (const auto known = known_.find(value); known != known_.end()) return known->second;
  const Interval found = compute(value, depth);
  known_.emplace(value, found);
  return found;
}

bool IntervalAnalysis::exact(const OpView& op, unsigned depth) const {
  const Type& type = op.result_type(0);
  if (number_bits(op.type(0)) == 1) return false;  // true is 1, and -1 as a signed number
  const Interval fits = numbers_of(type);
  if (isa::opcode_class(op) == OpcodeClass::cast || isa::opcode_class(op) == OpcodeClass::cast_unsigned) {
    const Interval taken = interval_of(op.operand(0), depth + 1);
    const bool read_signed =
        isa::opcode_class(op) == OpcodeClass::cast || taken.low >= 0 || number_bits(op.type(0)) >= 64;
    return read_signed && fits.holds(taken);
  }
  if (number_bits(type) >= 64) return true;
  const WideInterval built = unbounded(op, depth);
  return built.low >= fits.low && built.high <= fits.high;
}

/// What a sum, difference, product or shift gives as a whole number.
IntervalAnalysis::WideInterval IntervalAnalysis::unbounded(const OpView& op, unsigned depth) const {
  const Interval a = interval_of(op.operand(0), depth + 1), b = interval_of(op.operand(1), depth + 1);
  switch (isa::opcode_class(op)) {
    case OpcodeClass::add:
      return {Wide{a.low} + b.low, Wide{a.high} + b.high};
    case OpcodeClass::sub:
      return {Wide{a.low} - b.high, Wide{a.high} - b.low};
    case OpcodeClass::shift_left: {
      const auto bits = static_cast<int64_t>(number_bits(op.result_type(0)));
      if (b.low != b.high || b.low < 0 || b.low >= bits) break;
      const Wide by = Wide{1} << b.low;
      return {a.low * by, a.high * by};
    }
    case OpcodeClass::mul: {
      const Wide corners[] = {Wide{a.low} * b.low, Wide{a.low} * b.high, Wide{a.high} * b.low,
                              Wide{a.high} * b.high};
      const auto [low, high] = std::minmax_element(std::begin(corners), std::end(corners));
      return {*low, *high};
    }
    default:
      break;
  }
  constexpr Wide kMaxMagnitude = Wide{1} << 120;
  return {-kMaxMagnitude, kMaxMagnitude};
}

Interval IntervalAnalysis::remainder(const OpView& op, unsigned depth) const {
  const Interval a = interval_of(op.operand(0), depth + 1);
  const Number by = constants_.value_of(op.operand(1));
  if (!by || *by <= 0) return numbers_of(op.result_type(0));
  if (a.low >= 0) return {0, std::min(a.high, *by - 1)};
  return {isa::opcode_class(op) == OpcodeClass::rem_s ? 1 - *by : 0, *by - 1};
}

Interval IntervalAnalysis::compute(ValueId value, unsigned depth) const {
  const Interval any = numbers_of(program_.type_of(value));
  if (const uint32_t loop = loop_of(value); loop != kNoOp) {
    const OpView op(program_, loop);
    const Interval lower = interval_of(op.operand(0), depth + 1),
                   upper = interval_of(op.operand(1), depth + 1);
    return {lower.low, std::max(lower.low, upper.high == INT64_MIN ? upper.high : upper.high - 1)};
  }
  const uint32_t defining_op = constants_.defining_op(value);
  if (defining_op == kNoOp) return any;
  const OpView op(program_, defining_op);
  const OpcodeClass opcode_class = isa::opcode_class(op);
  switch (opcode_class) {
    case OpcodeClass::cast:
    case OpcodeClass::cast_unsigned: {
      if (exact(op, depth)) return interval_of(op.operand(0), depth + 1);
      const uint32_t from = number_bits(op.type(0));
      const Interval bits{0, from < 63 ? (int64_t{1} << from) - 1 : INT64_MAX};
      return opcode_class == OpcodeClass::cast_unsigned && any.holds(bits) ? bits : any;
    }
    case OpcodeClass::add:
    case OpcodeClass::sub:
    case OpcodeClass::mul:
    case OpcodeClass::shift_left: {
      const WideInterval built = unbounded(op, depth);
      const bool fits = built.low >= any.low && built.high <= any.high;
      if (!fits && (number_bits(op.result_type(0)) < 64 || opcode_class == OpcodeClass::shift_left))
        return any;
      return {static_cast<int64_t>(std::clamp<Wide>(built.low, INT64_MIN, INT64_MAX)),
              static_cast<int64_t>(std::clamp<Wide>(built.high, INT64_MIN, INT64_MAX))};
    }
    case OpcodeClass::rem_s:
    case OpcodeClass::rem_u:
      return any.low == 0 ? any : remainder(op, depth);
    case OpcodeClass::div_s: {
      const Number by = constants_.value_of(op.operand(1));
      const Interval a = interval_of(op.operand(0), depth + 1);
      return by && *by > 0 && any.low != 0 ? Interval{a.low / *by, a.high / *by} : any;
    }
    case OpcodeClass::bit_and: {
      const Number mask = constants_.value_of(op.operand(1));
      return mask && *mask >= 0 ? Interval{0, *mask} : any;
    }
    case OpcodeClass::min_s:
    case OpcodeClass::max_s: {
      if (any.low == 0) return any;
      const Interval a = interval_of(op.operand(0), depth + 1), b = interval_of(op.operand(1), depth + 1);
      return opcode_class == OpcodeClass::min_s ? Interval{std::min(a.low, b.low), std::min(a.high, b.high)}
                                                : Interval{std::max(a.low, b.low), std::max(a.high, b.high)};
    }
    case OpcodeClass::select:
      return hull(interval_of(op.operand(1), depth + 1), interval_of(op.operand(2), depth + 1));
    default:
      return op.op().n_results == 1 ? of_launch(op) : any;
  }
}

}  // namespace pto::planner
