#include "analysis/gm_windows.hpp"

#include <span>
#include <utility>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;

constexpr unsigned kMaxPointerDepth = 24;  ///< of pointers that are made of each other
/// Beyond every buffer; sums with it stay within 64 bits.
constexpr int64_t kMaxMagnitude = int64_t{1} << 60;

Congruence constant_congruence(int64_t value) { return {value, 0}; }

/// Of elements that fill whole bytes.
std::optional<int64_t> extent_bytes(const Type& type) {
  if (bit_width(type.elem) % 8 != 0 || bit_width(type.elem) == 0 || type.vec_lanes > 1) return std::nullopt;
  return byte_width(type.elem);
}

}  // namespace

GmWindowAnalysis::GmWindowAnalysis(const Program& program, const Constants& constants, SameValues same)
    : program_(program), constants_(constants), facts_(program, constants), same_(std::move(same)) {}

std::vector<ValueId> core_numbers(const Program& program, const SameValues& same) {
  std::vector<ValueId> found(same.core_numbers().begin(), same.core_numbers().end());
  for (const Op& op : program.ops) {
    if (isa::row(op.row).opcode_class == OpcodeClass::vector_core_number) found.push_back(op.first_result);
  }
  return found;
}

/// From the buffer that a pointer goes into.
std::optional<Window> GmWindowAnalysis::pointer(ValueId value) const {
  Window window{.buffer = value, .begin = {0, 0}};
  for (unsigned depth = 0; depth < kMaxPointerDepth; ++depth) {
    const uint32_t defining_op = constants_.defining_op(window.buffer);
    if (defining_op == kNoOp) {
      window.buffer = same_(window.buffer);
      return window;
    }
    const OpView op(program_, defining_op);
    const OpcodeClass opcode_class = isa::opcode_class(op);
    if (opcode_class != OpcodeClass::add_ptr && opcode_class != OpcodeClass::cast_ptr) return std::nullopt;
    if (opcode_class == OpcodeClass::add_ptr) {
      const std::optional<int64_t> bytes = extent_bytes(op.type(0));
      if (!bytes) return std::nullopt;
      const Congruence elements = facts_.congruence(op.operand(1));
      window.begin = sum(window.begin, product(elements, constant_congruence(*bytes)));
    }
    window.buffer = op.operand(0);
  }
  return std::nullopt;
}

std::optional<Window> GmWindowAnalysis::window_of(ValueId view) const {
  const uint32_t defining_op = view == kNoValue ? kNoOp : constants_.defining_op(view);
  if (defining_op == kNoOp) return std::nullopt;
  const OpView part(program_, defining_op);
  const bool is_part = isa::opcode_class(part) == OpcodeClass::partition;
  const uint32_t source = is_part ? constants_.defining_op(part.operand(0)) : defining_op;
  if (source == kNoOp) return std::nullopt;
  const OpView whole(program_, source);
  if (isa::opcode_class(whole) != OpcodeClass::make_view) return std::nullopt;
  const std::optional<int64_t> bytes = extent_bytes(whole.result_type(0));
  std::optional<Window> window = pointer(whole.operand(0));
  const std::span<const ValueId> strides = whole.operands(2);
  const std::span<const ValueId> sizes = is_part ? part.operands(2) : whole.operands(1);
  const std::span<const ValueId> offsets = is_part ? part.operands(1) : std::span<const ValueId>();
  if (!bytes || !window || strides.size() != sizes.size() || offsets.size() > sizes.size())
    return std::nullopt;
  Congruence extent = constant_congruence(1);
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i < offsets.size()) {
      const Congruence elements = product(facts_.congruence(offsets[i]), facts_.congruence(strides[i]));
      window->begin = sum(window->begin, product(elements, constant_congruence(*bytes)));
    }
    const Number size = constants_.value_of(sizes[i]), stride = constants_.value_of(strides[i]);
    if (!size || *size < 1 || (*size > 1 && (!stride || *stride < 0))) return std::nullopt;
    if (*size > 1)
      extent = sum(extent, product(constant_congruence(*size - 1), constant_congruence(*stride)));
  }
  extent = product(extent, constant_congruence(*bytes));
  Congruence& begin = window->begin;
  if (begin.step > static_cast<uint64_t>(kMaxMagnitude))
    begin = join(begin, {begin.at, static_cast<uint64_t>(kMaxMagnitude)});
  if (!extent.is_constant() || extent.at <= 0 || extent.at > kMaxMagnitude || begin.is_unknown() ||
      begin.at > kMaxMagnitude || begin.at < -kMaxMagnitude)
    return std::nullopt;
  window->bytes = static_cast<uint64_t>(extent.at);
  return window;
}

}  // namespace pto::planner
