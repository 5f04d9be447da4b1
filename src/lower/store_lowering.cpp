// Logical vectors to UB. The distribution of a store collects lanes from streams, where there is one; lanes
// that fill no register are stored under a mask.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "lower/lowering.hpp"

namespace pto::lower {
namespace {

using isa::OpcodeClass;

constexpr unsigned kMaxScalarLanes = 8;  ///< such accesses need no alignment

std::string sized(std::string_view name, unsigned width) { return fmt::format("{}{}", name, 8 * width); }

}  // namespace

/// `masks` are those of the layout; `all`: nothing is left out but what fills no register.
void VectorLowering::stored(const Access& to, const Regs& regs, Shape shape, Layout layout, const Regs& masks,
                            bool all, bool) {
  const unsigned width = shape.width, per = shape.per_register(), parts = layout.parts(width),
                 stride = layout.stride(width);
  const auto n = static_cast<unsigned>(regs.size());
  const auto one = [&](ValueId reg, int64_t first, ValueId mask, const std::string& dist) {
    writer_.store(Lowering::to_store, {reg, to.base, at(to, first), mask}, {{"dist", dist}});
  };
  if (layout.slots == 1) {
    for (unsigned i = 0; i < n; ++i) one(regs[i], i, writer_.all_lanes(width), sized("1PT_B", width));
    return;
  }
  if (layout.slots != 0 && (layout.slots * width % kBlockBytes != 0 || stride != 1))
    return refuse("slots of groups that fill no blocks");
  const unsigned lanes_each = layout.slots != 0 ? layout.slots : per / stride;
  if (parts == 1 && shape.lanes == 1)
    return one(regs[0], 0, all ? writer_.all_lanes(width) : masks[0],
               all ? sized("1PT_B", width) : sized("NORM_B", width));
  if (parts == 1) {
    const std::string dist = stride == 1   ? sized("NORM_B", width)
                             : stride == 4 ? std::string("PK4_B32")
                                           : sized("PK_B", 2 * width);
    for (unsigned i = 0; i < n; ++i)
      one(regs[i], i * lanes_each, writer_.mask_cast(masks[i], width * stride), dist);
    return;
  }
  if (layout.blocks) {
    const unsigned per_part = n / parts, block = kBlockBytes / width;
    for (unsigned i = 0; i < per_part; ++i) {
      const unsigned left = std::min(kBlocks, shape.bytes() / kBlockBytes / parts - i * kBlocks);
      const ValueId mask = writer_.mask_cast(writer_.first_lanes(kWordBytes, left), width);
      for (unsigned part = 0; part < parts; ++part)
        writer_.store(Lowering::to_store_blocks,
                      {regs[part * per_part + i], pointer(to, int64_t{parts} * i * per + part * block),
                       writer_.constant(Elem::i16, parts), writer_.constant(Elem::i16, 0), mask});
    }
    return;
  }
  Regs two = regs;
  for (Layout from = layout; from.parts(width) > 2; from.streams /= 2) two = wider(two, shape, from);
  for (unsigned i = 0; i < n / 2; ++i)
    writer_.store(Lowering::to_store_pair,
                  {two[i], two[n / 2 + i], to.base, at(to, int64_t{2} * i * per), writer_.all_lanes(width)},
                  {{"dist", sized("INTLV_B", width)}});
}

/// A layout that a store takes as it is, or memory order.
Layout VectorLowering::storable(ValueId value, bool all, bool aligned) const {
  const Logical& of = info(value);
  const Shape shape = of.shape();
  const Layout order = memory_order(of.width);
  if (of.uniform) return order;
  const Layout layout = assigned_layout(value);
  if (!aligned && shape.lanes <= kMaxScalarLanes && layout.slots != 1)
    return of.width == 1 ? Layout{.streams = 2} : order;
  const unsigned parts = layout.parts(of.width);
  if (parts > 1 && !(all && (layout.blocks || shape.bytes() % (parts * kRegisterBytes) == 0))) return order;
  return layout;
}

/// Contiguous lanes, under a mask where there is one.
void VectorLowering::store_lanes(const OpView& op, ValueId value, ValueId given) {
  const Shape shape = info(value).shape();
  const bool all = given == kNoValue || info(given).full, aligned = block_aligned(op, 1, 2);
  const Layout layout = storable(value, all, aligned);
  order_accesses(op, true, 1, 2);
  const Regs regs = vector(value, layout);
  const bool few = !aligned && shape.lanes <= kMaxScalarLanes && shape.lanes > 1;
  const bool plain = all && layout.parts(shape.width) > 1;
  const Regs masks = plain ? Regs() : all ? valid(layout, shape) : mask(given, layout, shape.width, true);
  writer_.note = layout.text(shape);
  const Access to = access(op, 1, 2);
  if (few && layout.slots != 1)
    stored_by_index(to, regs, shape, kNoValue, masks);
  else
    stored(to, regs, shape, layout, masks, all, aligned);
  writer_.note.clear();
}

void VectorLowering::store(const OpView& op) {
  const bool masked = isa::schema(op.op().row).operands.size() > 3;
  store_lanes(op, op.operand(0), masked ? op.operand(3) : kNoValue);
}

void VectorLowering::store_groups(const OpView& op) {
  const ValueId value = op.operand(0), stride = op.operand(3);
  const Logical& of = info(value);
  const Shape shape = of.shape();
  const int spec = isa::schema(op.op().row).attr_index("group");
  const auto groups = static_cast<unsigned>(op.attr_int(spec >= 0 ? "group" : "num_groups"));
  const unsigned size = shape.lanes / groups, width = shape.width;
  const Number known = values_.constants().value_of(stride);
  const Access to = access(op, 1, 2);
  if (to.element != width) {
    if (size != 1) return refuse("rows of narrower elements");
    if (known != 1 || width != kWordBytes || !block_aligned(op, 1, 2)) return store_narrowed(op, to);
    const Layout order = memory_order(width);
    const Regs regs = vector(value, order), masks = valid(order, shape);
    order_accesses(op, true, 1, 2);
    for (unsigned i = 0; i < regs.size(); ++i)
      writer_.store(Lowering::to_store, {regs[i], to.base, at(to, i * shape.per_register()), masks[i]},
                    {{"dist", to.element == 1 ? "PK4_B32" : "PK_B32"}});
    return;
  }
  if (known && (*known == size || groups == 1)) return store_lanes(op, value, kNoValue);
  order_accesses(op, true, 1, 2);
  if (size == 1) {
    const Layout placed = of.uniform ? memory_order(width) : assigned_layout(value);
    if (placed.slots == 1) {
      const Regs regs = vector(value, placed);
      writer_.note = placed.text(shape);
      for (unsigned row = 0; row < groups; ++row)
        writer_.store(Lowering::to_store,
                      {regs[row], to.base, row_offset(to, stride, row, 0), writer_.all_lanes(width)},
                      {{"dist", sized("1PT_B", width)}});
    } else {
      const Layout order = width == 1 ? Layout{.streams = 2} : memory_order(width);
      const Regs regs = vector(value, order), masks = valid(order, shape);
      writer_.note = order.text(shape);
      stored_by_index(to, regs, shape, scalar(stride), masks);
    }
    return writer_.note.clear();
  }
  // Rows of one block of every part.
  const unsigned block = kBlockBytes / width;
  const Layout placed = of.uniform || size == block ? memory_order(width) : assigned_layout(value);
  const unsigned parts = placed.parts(width);
  if (placed.slots == 0 && size == parts * block &&
      (parts == 1 ? placed.is_memory_order(width) : placed.blocks)) {
    const Regs regs = vector(value, placed);
    const ValueId apart = block_stride(stride, width);
    const unsigned per_part = static_cast<unsigned>(regs.size()) / parts;
    writer_.note = placed.text(shape);
    for (unsigned i = 0; i < per_part; ++i) {
      const ValueId mask =
          writer_.mask_cast(writer_.first_lanes(kWordBytes, std::min(kBlocks, groups - i * kBlocks)), width);
      for (unsigned part = 0; part < parts; ++part)
        writer_.store(Lowering::to_store_blocks,
                      {regs[part * per_part + i], row_pointer(to, stride, i * kBlocks, part * block), apart,
                       writer_.constant(Elem::i16, 0), mask});
    }
    return writer_.note.clear();
  }
  const Layout order = memory_order(width);
  const unsigned bytes = size * width;
  if (bytes % kRegisterBytes != 0 && (bytes % kBlockBytes != 0 || kRegisterBytes % bytes != 0))
    return refuse("rows that fill no blocks");
  const Regs regs = vector(value, order);
  writer_.note = order.text(shape);
  for (unsigned row = 0; row < groups; ++row) {
    if (bytes % kRegisterBytes == 0) {
      const unsigned each = bytes / kRegisterBytes;
      for (unsigned i = 0; i < each; ++i)
        writer_.store(Lowering::to_store,
                      {regs[row * each + i], to.base, row_offset(to, stride, row, i * shape.per_register()),
                       writer_.all_lanes(width)},
                      {{"dist", sized("NORM_B", width)}});
      continue;
    }
    const unsigned per_row = bytes / kBlockBytes, rows_each = kBlocks / per_row,
                   first = row % rows_each * per_row;
    const ValueId mask = writer_.mask_cast(writer_.lanes_between(kWordBytes, first, first + per_row), width);
    writer_.store(Lowering::to_store_blocks,
                  {regs[row / rows_each], row_pointer(to, stride, row, -static_cast<int64_t>(first * block)),
                   writer_.constant(Elem::i16, 1), writer_.constant(Elem::i16, 0), mask});
  }
  writer_.note.clear();
}

/// Two vectors by turns, without a mask.
void VectorLowering::store_pairs(const OpView& op) {
  const Shape shape = info(op.operand(0)).shape();
  if (shape.bytes() % kRegisterBytes != 0) return refuse("lanes that fill no registers");
  order_accesses(op, true, 2, 3);
  const Layout order = memory_order(shape.width), apart{.streams = 2 * order.streams};
  Regs regs = vector(op.operand(0), order);
  const Regs high = vector(op.operand(1), order);
  regs.insert(regs.end(), high.begin(), high.end());
  writer_.note = apart.text({2 * shape.lanes, shape.width});
  stored(access(op, 2, 3), regs, {2 * shape.lanes, shape.width}, apart, {}, true, true);
  writer_.note.clear();
}

/// The active lanes one behind the other: squeezed, and appended to a stream.
void VectorLowering::store_compressed(const OpView& op) {
  const ValueId value = op.operand(0);
  const Shape shape = info(value).shape();
  const Layout order = memory_order(shape.width);
  order_accesses(op, true, 1, 2);
  const Regs regs = vector(value, order), active = mask(op.operand(3), order, shape.width, true);
  writer_.note = order.text(shape);
  const ValueId base = pointer(access(op, 1, 2), 0);
  Type align;
  align.kind = TypeKind::align;
  const TypeId type = to_.types.intern(align);
  const std::string note = std::exchange(writer_.note, {});
  writer_.store(Lowering::to_clear_stream, {}, {{"spr", "AR"}});
  ValueId state = writer_.emit(Lowering::to_begin_stream, 1, {}, type);
  writer_.note = note;
  for (unsigned i = 0; i < regs.size(); ++i) {
    const ValueId packed =
        writer_.emit(Lowering::to_squeeze, 1, {regs[i], active[i]}, to_.values[regs[i]].type);
    state = writer_.emit(Lowering::to_stream, 1, {state, packed, base}, type, {{"mode", "POST_UPDATE"}});
  }
  writer_.store(Lowering::to_end_stream, {state, base});
  writer_.note.clear();
}

/// Logical vectors access memory in program order; instructions on the same bytes want a barrier between.
void VectorLowering::order_accesses(const OpView& op, bool store, unsigned base, int offset) {
  // Where the pointer comes from, the first element, how many there may be.
  ValueId root = op.operand(base);
  for (uint32_t defining_op = values_.constants().defining_op(root);
       defining_op != kNoOp && (isa::opcode_class(OpView(from_, defining_op)) == OpcodeClass::cast_ptr);
       defining_op = values_.constants().defining_op(root)) {
    const ValueId next = OpView(from_, defining_op).operand(0);
    if (from_.type_of(next).kind != TypeKind::ptr && values_.constants().value_of(next)) {
      root = next;
      break;
    }
    root = next;
  }
  const Number address = values_.constants().value_of(root);
  const auto element = static_cast<int64_t>(byte_width(from_.type_of(op.operand(base)).elem));
  Touched now{store, root, kNoValue, std::nullopt, 0};
  if (offset >= 0) now.offset = op.operand(static_cast<unsigned>(offset));
  const Number first = offset >= 0 ? values_.constants().value_of(now.offset) : std::nullopt;
  const ValueId value = store ? op.operand(0) : op.result(0);
  if (first) now.first = address.value_or(0) + *first * element;
  now.bytes = static_cast<int64_t>(info(value).shape().bytes());
  const isa::Schema& schema = isa::schema(op.op().row);
  if (schema.operand_slot("stride") >= 0 || schema.operand_slot("block_stride") >= 0 || offset < 0)
    now.first.reset(), now.bytes = 0;
  const auto same_root = [&](const Touched& other) {
    if (other.root == root) return true;
    const Number there = values_.constants().value_of(other.root);
    return address && there && *address == *there;
  };
  const bool met = std::ranges::any_of(touched_, [&](const Touched& before) {
    if (!before.store) return false;
    const bool comparable = address && values_.constants().value_of(before.root);
    if (now.first && before.first && (comparable || before.root == root))
      return *now.first < *before.first + before.bytes && *before.first < *now.first + now.bytes;
    return same_root(before) && now.offset != kNoValue && before.offset == now.offset;
  });
  if (met) {
    writer_.store_barrier(store ? "VST_VST" : "VST_VLD");
    touched_.clear();
  }
  if (store) touched_.push_back(now);
}

}  // namespace pto::lower
