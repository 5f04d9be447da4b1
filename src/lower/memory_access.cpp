#include "lower/memory_access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"

namespace pto::lower {
namespace {

using isa::OpcodeClass;

}  // namespace

std::string dist_name(std::string_view name, unsigned width) { return fmt::format("{}{}", name, 8 * width); }

// ---- addresses
Access make_access(LoweringState& state, const OpView& op, unsigned base, int offset) {
  Access built;
  built.base = state.scalar(op.operand(base));
  built.element = byte_width(state.input.type_of(op.operand(base)).elem);
  built.pointer = state.input.type_of(op.operand(base)).kind == TypeKind::ptr;
  if (offset >= 0) built.old_offset = op.operand(static_cast<unsigned>(offset));
  return built;
}

ValueId build_offset(LoweringState& state, const Access& to, int64_t elements) {
  if (to.offset == kNoValue) {
    if (to.old_offset == kNoValue) return state.writer.index(elements);
    if (const Number known = state.values.constants().value_of(to.old_offset))
      return state.writer.index(*known + elements);
  }
  const ValueId offset = to.offset != kNoValue ? to.offset : state.scalar(to.old_offset);
  return elements == 0 ? offset
                       : state.writer.arithmetic(OpcodeClass::add, offset, state.writer.index(elements));
}

ValueId build_pointer(LoweringState& state, const Access& to, int64_t elements) {
  if (!to.pointer) {
    state.refuse("of a memref, lanes that fill no register");
    return to.base;
  }
  const ValueId offset = build_offset(state, to, elements);
  const std::array operands = {to.base, offset};
  const std::array types = {state.output.values[to.base].type};
  const std::string kept = std::exchange(state.writer.note, {});
  const ValueId built = state.writer.emit(isa::id_of(OpcodeClass::add_ptr), operands, types)[0];
  state.writer.note = kept;
  return built;
}

bool is_block_aligned(const LoweringState& state, const OpView& op, unsigned base, int offset) {
  Congruence address = state.values.integers().congruence(op.operand(base));
  if (offset >= 0) {
    const auto element = static_cast<int64_t>(byte_width(state.input.type_of(op.operand(base)).elem));
    const Congruence elements = state.values.integers().congruence(op.operand(static_cast<unsigned>(offset)));
    address = sum(address, product(elements, {element, 0}));
  }
  return address.is_multiple_of(kBlockBytes);
}

ValueId build_block_stride(LoweringState& state, ValueId old_stride, unsigned element) {
  if (const Number known = state.values.constants().value_of(old_stride))
    return state.writer.constant(Elem::i16, *known * element / kBlockBytes);
  const ValueId blocks = state.writer.arithmetic(OpcodeClass::div_s, state.scalar(old_stride),
                                                 state.writer.index(kBlockBytes / element));
  return state.writer.cast(blocks, Elem::i16);
}

ValueId build_row_offset(LoweringState& state, const Access& from, ValueId old_stride, unsigned row,
                         int64_t more) {
  if (const Number known = state.values.constants().value_of(old_stride))
    return build_offset(state, from, *known * row + more);
  if (row == 0) return build_offset(state, from, more);
  const ValueId rows =
      row == 1 ? state.scalar(old_stride)
               : state.writer.arithmetic(OpcodeClass::mul, state.scalar(old_stride), state.writer.index(row));
  return state.writer.arithmetic(OpcodeClass::add, build_offset(state, from, more), rows);
}

ValueId build_row_pointer(LoweringState& state, const Access& from, ValueId old_stride, unsigned row,
                          int64_t more) {
  Access here = from;
  here.offset = build_row_offset(state, from, old_stride, row, more);
  return build_pointer(state, here, 0);
}

void order_access(LoweringState& state, const OpView& op, bool store, unsigned base, int offset) {
  // Where the pointer comes from, the first element, how many there may be.
  ValueId root = op.operand(base);
  for (uint32_t defining_op = state.values.constants().defining_op(root);
       defining_op != kNoOp && (isa::opcode_class(OpView(state.input, defining_op)) == OpcodeClass::cast_ptr);
       defining_op = state.values.constants().defining_op(root)) {
    const ValueId next = OpView(state.input, defining_op).operand(0);
    if (state.input.type_of(next).kind != TypeKind::ptr && state.values.constants().value_of(next)) {
      root = next;
      break;
    }
    root = next;
  }
  const Number address = state.values.constants().value_of(root);
  const auto element = static_cast<int64_t>(byte_width(state.input.type_of(op.operand(base)).elem));
  AccessedRange now{store, root, kNoValue, std::nullopt, 0};
  if (offset >= 0) now.offset = op.operand(static_cast<unsigned>(offset));
  const Number first = offset >= 0 ? state.values.constants().value_of(now.offset) : std::nullopt;
  const ValueId value = store ? op.operand(0) : op.result(0);
  if (first) now.first = address.value_or(0) + *first * element;
  now.bytes = static_cast<int64_t>(state.info(value).shape().bytes());
  const isa::Schema& schema = isa::schema(op.op().row);
  if (schema.operand_slot("stride") >= 0 || schema.operand_slot("block_stride") >= 0 || offset < 0) {
    now.first.reset();
    now.bytes = 0;
  }
  const auto same_root = [&](const AccessedRange& other) {
    if (other.root == root) return true;
    const Number there = state.values.constants().value_of(other.root);
    return address && there && *address == *there;
  };
  const bool met = std::ranges::any_of(state.stores, [&](const AccessedRange& before) {
    if (!before.store) return false;
    const bool comparable = address && state.values.constants().value_of(before.root);
    if (now.first && before.first && (comparable || before.root == root))
      return *now.first < *before.first + before.bytes && *before.first < *now.first + now.bytes;
    return same_root(before) && now.offset != kNoValue && before.offset == now.offset;
  });
  if (met) {
    state.writer.store_barrier(store ? "VST_VST" : "VST_VLD");
    state.stores.clear();
  }
  if (store) state.stores.push_back(now);
}

}  // namespace pto::lower
