#include "analysis/congruence.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;

constexpr unsigned kMaxDepth = 24;  ///< of an expression that is looked at
constexpr Congruence kUnknown{};

uint64_t magnitude(int64_t number) {
  return number < 0 ? ~static_cast<uint64_t>(number) + 1 : static_cast<uint64_t>(number);
}

/// Where a number leaves 64 bits nothing is known.
Congruence add(Congruence a, Congruence b) {
  Congruence sum{0, std::gcd(a.step, b.step)};
  return __builtin_add_overflow(a.at, b.at, &sum.at) ? kUnknown : sum;
}

Congruence negative(Congruence a) {
  Congruence less{0, a.step};
  return __builtin_sub_overflow(int64_t{0}, a.at, &less.at) ? kUnknown : less;
}

Congruence multiply(Congruence a, Congruence b) {
  Congruence product;
  uint64_t left = 0, right = 0, both = 0;
  if (__builtin_mul_overflow(a.at, b.at, &product.at) ||
      __builtin_mul_overflow(magnitude(a.at), b.step, &left) ||
      __builtin_mul_overflow(magnitude(b.at), a.step, &right) ||
      __builtin_mul_overflow(a.step, b.step, &both))
    return kUnknown;
  product.step = std::gcd(std::gcd(left, right), both);
  return product;
}

/// Of a number of which the lowest bits are kept.
Congruence wrapped(Congruence a, uint32_t bits) {
  return bits >= 64 ? a : Congruence{a.at, std::gcd(a.step, uint64_t{1} << bits)};
}

/// Either of them.
Congruence either(Congruence a, Congruence b) {
  int64_t apart = 0;
  if (__builtin_sub_overflow(a.at, b.at, &apart)) return kUnknown;
  return {a.at, std::gcd(std::gcd(a.step, b.step), magnitude(apart))};
}

/// Of elements that fill whole bytes.
std::optional<int64_t> bytes_of(const Type& type) {
  if (bit_width(type.elem) % 8 != 0 || bit_width(type.elem) == 0 || type.vec_lanes > 1) return std::nullopt;
  return byte_width(type.elem);
}

}  // namespace

GmWindowAnalysis::GmWindowAnalysis(const Program& program, const Constants& constants, SameValues same)
    : program_(program), constants_(constants), intervals_(program, constants), same_(std::move(same)) {}

std::vector<ValueId> core_numbers(const Program& program, const SameValues& same) {
  std::vector<ValueId> found(same.core_numbers().begin(), same.core_numbers().end());
  for (const Op& op : program.ops) {
    if (isa::row(op.row).opcode_class == OpcodeClass::vector_core_number) found.push_back(op.first_result);
  }
  return found;
}

Congruence GmWindowAnalysis::congruence(ValueId value, unsigned depth) {
  if (value == kNoValue || depth > kMaxDepth) return kUnknown;
  if (const Number number = constants_.value_of(value)) return {*number, 0};
  if (const auto known = known_.find(value); known != known_.end()) return known->second;
  const Congruence found = compute(value, depth);
  known_.emplace(value, found);
  return found;
}

Congruence GmWindowAnalysis::compute(ValueId value, unsigned depth) {
  if (const uint32_t loop = intervals_.loop_of(value); loop != kNoOp) {
    const OpView op(program_, loop);
    const Congruence step = congruence(op.operand(2), depth + 1);
    return add(congruence(op.operand(0), depth + 1), multiply(kUnknown, step));
  }
  const uint32_t defining_op = constants_.defining_op(value);
  if (defining_op == kNoOp) return kUnknown;
  const OpView op(program_, defining_op);
  const auto of_operand = [&](unsigned i) { return congruence(op.operand(i), depth + 1); };
  const OpcodeClass opcode_class = isa::opcode_class(op);
  if (opcode_class == OpcodeClass::branch) return branch_window(op, value, depth);
  if (!gives_number(op) || number_bits(op.type(0)) == 1)
    return opcode_class == OpcodeClass::select ? select_window(op, depth) : kUnknown;
  // Where the number may leave its type, its lowest bits are what is known.
  const auto kept = [&](Congruence found) {
    return intervals_.exact(op) ? found : wrapped(found, number_bits(op.result_type(0)));
  };
  switch (opcode_class) {
    case OpcodeClass::cast:
      return kept(of_operand(0));
    case OpcodeClass::cast_unsigned:
      return intervals_.exact(op) ? of_operand(0) : kept(wrapped(of_operand(0), number_bits(op.type(0))));
    case OpcodeClass::add:
      return kept(add(of_operand(0), of_operand(1)));
    case OpcodeClass::sub:
      return kept(add(of_operand(0), negative(of_operand(1))));
    case OpcodeClass::mul:
      return kept(multiply(of_operand(0), of_operand(1)));
    case OpcodeClass::shift_left: {
      const Number by = constants_.value_of(op.operand(1));
      const auto bits = static_cast<int64_t>(number_bits(op.result_type(0)));
      constexpr int64_t kMaxMagnitude = 62;
      if (!by || *by < 0 || *by >= std::min(bits, kMaxMagnitude)) return kUnknown;
      return kept(multiply(of_operand(0), {int64_t{1} << *by, 0}));
    }
    default:
      return kUnknown;
  }
}

Congruence GmWindowAnalysis::select_window(const OpView& select, unsigned depth) {
  return either(congruence(select.operand(1), depth + 1), congruence(select.operand(2), depth + 1));
}

Congruence GmWindowAnalysis::branch_window(const OpView& op, ValueId value, unsigned depth) {
  std::optional<Congruence> found;
  for (const Region& region : program_.regions_of(op.op())) {
    const std::span<const ValueId> values = yielded_values(program_, region);
    const size_t which = value - op.op().first_result;
    if (which >= values.size()) return kUnknown;
    const Congruence one = congruence(values[which], depth + 1);
    found = found ? either(*found, one) : one;
  }
  return found.value_or(kUnknown);
}

/// From the buffer that a pointer goes into.
std::optional<Window> GmWindowAnalysis::pointer(ValueId value) {
  Window window{.buffer = value, .begin = {0, 0}};
  for (unsigned depth = 0; depth < kMaxDepth; ++depth) {
    const uint32_t defining_op = constants_.defining_op(window.buffer);
    if (defining_op == kNoOp) {
      window.buffer = same_(window.buffer);
      return window;
    }
    const OpView op(program_, defining_op);
    const OpcodeClass opcode_class = isa::opcode_class(op);
    if (opcode_class != OpcodeClass::add_ptr && opcode_class != OpcodeClass::cast_ptr) return std::nullopt;
    if (opcode_class == OpcodeClass::add_ptr) {
      const std::optional<int64_t> bytes = bytes_of(op.type(0));
      if (!bytes) return std::nullopt;
      window.begin = add(window.begin, multiply(congruence(op.operand(1)), {*bytes, 0}));
    }
    window.buffer = op.operand(0);
  }
  return std::nullopt;
}

std::optional<Window> GmWindowAnalysis::window_of(ValueId view) {
  const uint32_t defining_op = view == kNoValue ? kNoOp : constants_.defining_op(view);
  if (defining_op == kNoOp) return std::nullopt;
  const OpView part(program_, defining_op);
  const bool is_part = isa::opcode_class(part) == OpcodeClass::partition;
  const uint32_t source = is_part ? constants_.defining_op(part.operand(0)) : defining_op;
  if (source == kNoOp) return std::nullopt;
  const OpView whole(program_, source);
  if (isa::opcode_class(whole) != OpcodeClass::make_view) return std::nullopt;
  const std::optional<int64_t> bytes = bytes_of(whole.result_type(0));
  std::optional<Window> window = pointer(whole.operand(0));
  const std::span<const ValueId> strides = whole.operands(2);
  const std::span<const ValueId> sizes = is_part ? part.operands(2) : whole.operands(1);
  const std::span<const ValueId> offsets = is_part ? part.operands(1) : std::span<const ValueId>();
  if (!bytes || !window || strides.size() != sizes.size() || offsets.size() > sizes.size())
    return std::nullopt;
  Congruence extent{1, 0};
  for (size_t i = 0; i < sizes.size(); ++i) {
    const Congruence stride = congruence(strides[i]);
    if (i < offsets.size())
      window->begin =
          add(window->begin, multiply(multiply(congruence(offsets[i]), stride), Congruence{*bytes, 0}));
    const Number size = constants_.value_of(sizes[i]), apart = constants_.value_of(strides[i]);
    if (!size || *size < 1 || (*size > 1 && (!apart || *apart < 0))) return std::nullopt;
    if (*size > 1) extent = add(extent, multiply({*size - 1, 0}, {*apart, 0}));
  }
  extent = multiply(extent, {*bytes, 0});
  constexpr int64_t kMaxMagnitude = int64_t{1}
                                    << 60;  // no buffer reaches there, and sums with it stay numbers
  const Congruence& begin = window->begin;
  if (extent.step != 0 || extent.at <= 0 || extent.at > kMaxMagnitude || begin.step == 1 ||
      begin.at > kMaxMagnitude || begin.at < -kMaxMagnitude ||
      begin.step > static_cast<uint64_t>(kMaxMagnitude))
    return std::nullopt;
  window->bytes = static_cast<uint64_t>(extent.at);
  return window;
}

}  // namespace pto::planner
