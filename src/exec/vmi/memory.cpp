// Logical vectors from and to UB. Every lane that takes part touches its own element, nothing beside it.
#include "exec/vector/memory.hpp"

#include <algorithm>

#include "exec/vmi/lanes.hpp"
#include "support/saturating.hpp"

namespace pto::exec::vmi {
namespace {

using vec::element_address, vec::space_of, vec::kBlockBytes;

/// Up to so many lanes go to and from memory one by one, wherever they stand.
constexpr unsigned kMaxScalarLanes = 8;

/// Where the elements of an access are in memory.
struct Place {
  Space space;
  uint64_t addr;
  unsigned element;  ///< bytes
};
/// `ptr` and, behind it, `offset` elements.
Place place(const Context& ctx, unsigned ptr, int64_t offset) {
  return {space_of(ctx, ptr), element_address(ctx, ptr, offset), byte_width(ctx.type(ptr).elem)};
}
Place place(const Context& ctx, unsigned ptr) { return place(ctx, ptr, ctx.i64(ptr + 1)); }

/// Bytes of a lane that memory has.
unsigned moved_bytes(const Lanes& lanes, const Place& at) { return std::min(lanes.width(), at.element); }

/// Rows of memory with `pitch` bytes between their starts.
struct Rows {
  unsigned count, per_row;
  int64_t pitch;
};
void check_alignment(const Context& ctx, const Place& at, const Rows& rows) {
  const unsigned bytes = rows.per_row * at.element;
  const bool few = rows.count * rows.per_row <= kMaxScalarLanes;
  if (few || bytes < kBlockBytes) {
    ctx.aligned(at.space, at.addr, at.element);
  } else if (ctx.aligned(at.space, at.addr, kBlockBytes) && rows.count > 1 && bytes % kBlockBytes == 0) {
    ctx.aligned(at.space, static_cast<uint64_t>(rows.pitch), kBlockBytes, "the stride");
  }
}
std::byte* rows_of(const Context& ctx, const Place& at, const Rows& rows, AccessMode how) {
  check_alignment(ctx, at, rows);
  if (rows.count == 1) return ctx.memory->access(at.space, at.addr, rows.per_row * at.element, how);
  return ctx.memory->access_rows(at.space, at.addr, rows.count, uint64_t{rows.per_row} * at.element,
                                 rows.pitch, how);
}

/// Active lanes, as many at once as stand together: touch(first, length).
template <typename Active, typename Touch>
void runs(unsigned lanes, Active&& active, Touch&& touch) {
  for (unsigned i = 0; i < lanes;) {
    const unsigned first = i;
    while (i < lanes && active(i)) ++i;
    if (i > first) touch(first, i - first);
    if (i == first) ++i;
  }
}

// ---- loads
void load_lanes(const Lanes& to, const Place& at, const std::byte* from, unsigned first, unsigned n,
                unsigned step = 1) {
  const unsigned bytes = moved_bytes(to, at);
  for (unsigned i = 0; i < n; ++i) std::memcpy(to.at(first + i), from + size_t{i} * step * at.element, bytes);
}
/// Row after row.
void load_rows(const Context& ctx, const Place& at, const Rows& rows) {
  const std::byte* memory = rows_of(ctx, at, rows, AccessMode::read);
  if (memory == nullptr) return;
  const Lanes to = result(ctx);
  for (unsigned row = 0; row < rows.count; ++row)
    load_lanes(to, at, memory + row * rows.pitch, row * rows.per_row, rows.per_row);
}
/// One element for all lanes of a group.
void load_broadcast(const Context& ctx, const Place& at, unsigned groups, int64_t stride) {
  const int64_t pitch = sat_mul<int64_t>(stride, at.element);
  const std::byte* memory = rows_of(ctx, at, {groups, 1, pitch}, AccessMode::read);
  if (memory == nullptr) return;
  const Lanes to = result(ctx);
  const unsigned size = to.count() / groups;
  for (unsigned i = 0; i < to.count(); ++i) load_lanes(to, at, memory + i / size * pitch, i, 1);
}
/// Lanes in groups whose starts are `stride` elements apart.
void load_groups(const Context& ctx, unsigned groups, int64_t stride) {
  const Place at = place(ctx, 0);
  load_rows(ctx, at, {groups, lanes_of(ctx.result_type()) / groups, sat_mul<int64_t>(stride, at.element)});
}
void load_one_row(Context& ctx) { load_groups(ctx, 1, 0); }
/// The even elements, and the odd ones.
void load_pairs(Context& ctx) {
  const Place at = place(ctx, 0);
  const Lanes low = result(ctx, 0);
  const Lanes high = result(ctx, 1);
  const std::byte* memory = rows_of(ctx, at, {1, 2 * low.count(), 0}, AccessMode::read);
  if (memory == nullptr) return;
  load_lanes(low, at, memory, 0, low.count(), 2);
  load_lanes(high, at, memory + at.element, 0, high.count(), 2);
}

// ---- lanes that take part, run by run
bool takes_part(const Context& ctx, int mask_slot, unsigned lane) {
  return mask_slot < 0 || !ctx.has(static_cast<unsigned>(mask_slot)) ||
         mask(ctx, static_cast<unsigned>(mask_slot)).get(lane);
}
/// Runs of active lanes out of [first, end); lane i has element i - first: touch(lane, length, memory).
template <typename Touch>
void access_runs(const Context& ctx, const Place& at, unsigned first, unsigned end, int mask_slot,
                 AccessMode how, Touch&& touch) {
  runs(
      end - first, [&](unsigned i) { return takes_part(ctx, mask_slot, first + i); },
      [&](unsigned i, unsigned n) {
        std::byte* memory =
            ctx.memory->access(at.space, moved(at.addr, i, at.element), uint64_t{n} * at.element, how);
        if (memory != nullptr) touch(first + i, n, memory);
      });
}
/// Blocks of 32 bytes; they start `block` blocks apart, `repeat` blocks behind the address.
template <typename Touch>
void access_blocks(const Context& ctx, const Lanes& lanes, Place at, int64_t block, int64_t repeat,
                   int mask_slot, AccessMode how, Touch&& touch) {
  at.addr = moved(at.addr, repeat, kBlockBytes);
  ctx.aligned(at.space, at.addr, kBlockBytes);
  const unsigned per_block = kBlockBytes / lanes.width();
  for (unsigned first = 0; first < lanes.count(); first += per_block) {
    const Place here{at.space, moved(at.addr, first / per_block, sat_mul<int64_t>(block, kBlockBytes)),
                     at.element};
    access_runs(ctx, here, first, std::min(first + per_block, lanes.count()), mask_slot, how, touch);
  }
}
void load_blocks(Context& ctx) {
  const Place at = place(ctx, 0);
  const Lanes to = result(ctx);
  const int mask_slot = ctx.inst->slot_begin.size() > 5 ? 4 : -1;
  access_blocks(
      ctx, to, at, ctx.i64(2), ctx.i64(3), mask_slot, AccessMode::read,
      [&](unsigned lane, unsigned n, const std::byte* memory) { load_lanes(to, at, memory, lane, n); });
}
/// Lanes that take no part have the value of `passthru`.
Lanes start_from(const Context& ctx, unsigned passthru) {
  const Lanes from = operand(ctx, passthru);
  const Lanes to = result(ctx);
  std::memcpy(to.at(0), from.at(0), size_t{to.count()} * to.width());
  return to;
}
void load_masked(Context& ctx) {
  const Place at = place(ctx, 0);
  const Lanes to = start_from(ctx, 3);
  check_alignment(ctx, at, {1, to.count(), 0});
  access_runs(
      ctx, at, 0, to.count(), 2, AccessMode::read,
      [&](unsigned lane, unsigned n, const std::byte* memory) { load_lanes(to, at, memory, lane, n); });
}
/// Active lanes and elements, both one after the other.
void load_expanded(Context& ctx) {
  const Place at = place(ctx, 0);
  const Lanes to = start_from(ctx, 3);
  const Bits active = mask(ctx, 2);
  unsigned n = 0;
  for (unsigned i = 0; i < to.count(); ++i) n += active.get(i);
  if (n == 0) return;
  const std::byte* memory = ctx.memory->access(at.space, at.addr, uint64_t{n} * at.element, AccessMode::read);
  if (memory == nullptr) return;
  unsigned taken = 0;
  for (unsigned i = 0; i < to.count(); ++i)
    if (active.get(i)) load_lanes(to, at, memory + size_t{taken++} * at.element, i, 1);
}

// ---- by offsets
/// Active lane i and its element: touch(lane, memory).
template <typename Touch>
void each_offset(const Context& ctx, unsigned ptr, unsigned offsets, unsigned mask_slot, AccessMode how,
                 bool in_bytes, Touch&& touch) {
  const Place at = place(ctx, ptr, 0);
  const Lanes index = operand(ctx, offsets);
  const Bits active = mask(ctx, mask_slot);
  for (unsigned i = 0; i < index.count(); ++i) {
    if (!active.get(i)) continue;
    const uint64_t address = moved(at.addr, static_cast<int64_t>(index.bits(i)), in_bytes ? 1 : at.element);
    std::byte* memory = ctx.memory->access(at.space, address, at.element, how);
    if (memory == nullptr) return;
    touch(at, i, memory);
  }
}
template <bool kBytes>
void gather(Context& ctx) {
  if (refuses_merge(ctx)) return;
  const Lanes to = ctx.inst->slot_begin.size() > 4 ? start_from(ctx, 3) : result(ctx);
  each_offset(
      ctx, 0, 1, 2, AccessMode::read, kBytes,
      [&](const Place& at, unsigned lane, const std::byte* memory) { load_lanes(to, at, memory, lane, 1); });
}

// ---- stores
void store_lanes(const Lanes& from, const Place& at, std::byte* to, unsigned first, unsigned n,
                 unsigned step = 1) {
  const unsigned bytes = moved_bytes(from, at);
  for (unsigned i = 0; i < n; ++i) std::memcpy(to + size_t{i} * step * at.element, from.at(first + i), bytes);
}
/// Lanes that are active, wherever there is a mask.
void store_row(Context& ctx) {
  const Place at = place(ctx, 1);
  const Lanes from = operand(ctx, 0);
  check_alignment(ctx, at, {1, from.count(), 0});
  access_runs(ctx, at, 0, from.count(), ctx.inst->slot_begin.size() > 4 ? 3 : -1, AccessMode::write,
              [&](unsigned lane, unsigned n, std::byte* memory) { store_lanes(from, at, memory, lane, n); });
}
void store_groups(const Context& ctx, unsigned groups) {
  const Place at = place(ctx, 1);
  const Lanes from = operand(ctx, 0);
  const Rows rows{groups, from.count() / groups, sat_mul<int64_t>(ctx.i64(3), at.element)};
  std::byte* memory = rows_of(ctx, at, rows, AccessMode::write);
  if (memory == nullptr) return;
  for (unsigned row = 0; row < groups; ++row)
    store_lanes(from, at, memory + row * rows.pitch, row * rows.per_row, rows.per_row);
}
/// Two vectors by turns, without a mask.
void store_pairs(Context& ctx) {
  const Place at = place(ctx, 2);
  const Lanes low = operand(ctx, 0);
  const Lanes high = operand(ctx, 1);
  std::byte* memory = rows_of(ctx, at, {1, 2 * low.count(), 0}, AccessMode::write);
  if (memory == nullptr) return;
  store_lanes(low, at, memory, 0, low.count(), 2);
  store_lanes(high, at, memory + at.element, 0, high.count(), 2);
}
void store_blocks_as(const Context& ctx, int64_t repeat, int mask_slot) {
  const Place at = place(ctx, 1);
  const Lanes from = operand(ctx, 0);
  access_blocks(
      ctx, from, at, ctx.i64(3), repeat, mask_slot, AccessMode::write,
      [&](unsigned lane, unsigned n, std::byte* memory) { store_lanes(from, at, memory, lane, n); });
}
void store_blocks(Context& ctx) { store_blocks_as(ctx, ctx.i64(4), 5); }
void store_blocks_once(Context& ctx) { store_blocks_as(ctx, 0, 4); }
void store_compressed(Context& ctx) {
  const Place at = place(ctx, 1);
  const Lanes from = operand(ctx, 0);
  const Bits active = mask(ctx, 3);
  unsigned n = 0;
  for (unsigned i = 0; i < from.count(); ++i) n += active.get(i);
  if (n == 0) return;
  std::byte* memory = ctx.memory->access(at.space, at.addr, uint64_t{n} * at.element, AccessMode::write);
  if (memory == nullptr) return;
  unsigned stored = 0;
  for (unsigned i = 0; i < from.count(); ++i)
    if (active.get(i)) store_lanes(from, at, memory + size_t{stored++} * at.element, i, 1);
}
/// Lanes in ascending order.
void scatter(Context& ctx) {
  if (refuses_merge(ctx)) return;
  const Lanes from = operand(ctx, 0);
  each_offset(ctx, 1, 2, 3, AccessMode::write, false, [&](const Place& at, unsigned lane, std::byte* memory) {
    store_lanes(from, at, memory, lane, 1);
  });
}

// ---- the forms of vload and vstore: continuous, by groups with a stride, by blocks with two
enum Distribution : int64_t { kContinuous, kUnpack, kDeinterleave, kBroadcast };
constexpr unsigned kDistribution = 0, kGroups = 1;  // attributes
unsigned groups_of(const Context& ctx, unsigned attribute) {
  return static_cast<unsigned>(ctx.attr(attribute));
}

void vload(Context& ctx) {
  if (refuses_merge(ctx)) return;
  const size_t operands = ctx.inst->slot_begin.size() - 1;
  const bool broadcast = ctx.attr(kDistribution) == kBroadcast;
  if (operands == 4) return load_blocks(ctx);
  if (operands == 3 && broadcast)
    return load_broadcast(ctx, place(ctx, 0), groups_of(ctx, kGroups), ctx.i64(2));
  if (operands == 3) return load_groups(ctx, groups_of(ctx, kGroups), ctx.i64(2));
  if (broadcast) return load_broadcast(ctx, place(ctx, 0), 1, 0);
  if (ctx.attr(kDistribution) == kDeinterleave) return load_pairs(ctx);
  load_one_row(ctx);
}
void group_load(Context& ctx) { load_groups(ctx, groups_of(ctx, 0), ctx.i64(2)); }
void group_broadcast_load(Context& ctx) { load_broadcast(ctx, place(ctx, 0), groups_of(ctx, 0), ctx.i64(2)); }
void vstore(Context& ctx) {
  const std::string_view second = ctx.inst->schema->operands[1].name;
  const size_t operands = ctx.inst->slot_begin.size() - 1;
  if (second == "high") return store_pairs(ctx);
  if (operands == 6) return store_blocks(ctx);
  if (ctx.inst->schema->operands[3].kinds == isa::kIndex) return store_groups(ctx, groups_of(ctx, kGroups));
  store_row(ctx);
}
void group_store(Context& ctx) { store_groups(ctx, groups_of(ctx, 0)); }

constexpr Semantics kVmiMemorySemantics[] = {
    {"pto.vmi.vload", vload},
    {"pto.vmi.load", load_one_row},
    {"pto.vmi.deinterleave_load", load_pairs},
    {"pto.vmi.group_load", group_load},
    {"pto.vmi.group_slot_load", group_load},
    {"pto.vmi.group_broadcast_load", group_broadcast_load},
    {"pto.vmi.stride_load", load_blocks},
    {"pto.vmi.masked_load", load_masked},
    {"pto.vmi.expand_load", load_expanded},
    {"pto.vmi.gather", gather<false>},
    {"pto.vmi.vgather", gather<false>},
    {"pto.vmi.vgatherb", gather<true>},
    {"pto.vmi.vstore", vstore},
    {"pto.vmi.vsstb", store_blocks_once},
    {"pto.vmi.store", store_row},
    {"pto.vmi.interleave_store", store_pairs},
    {"pto.vmi.group_store", group_store},
    {"pto.vmi.masked_store", store_row},
    {"pto.vmi.stride_store", store_blocks},
    {"pto.vmi.scatter", scatter},
    {"pto.vmi.vscatter", scatter},
    {"pto.vmi.compress_store", store_compressed},
};

}  // namespace

}  // namespace pto::exec::vmi

namespace pto::exec {

std::span<const Semantics> vmi_memory() { return vmi::kVmiMemorySemantics; }

}  // namespace pto::exec
