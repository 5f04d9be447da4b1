// Addresses and unaligned store streams, shared by the vector and predicate loads and stores.
#pragma once

#include "exec/address_math.hpp"
#include "exec/exec_context.hpp"
#include "exec/vector/lanes.hpp"

namespace pto::exec::vec {

inline constexpr unsigned kBlockBytes = 32;

/// Byte address held by a pointer or memref operand.
inline uint64_t address_of(const Context& ctx, unsigned slot) {
  return ctx.type(slot).kind == TypeKind::memref ? ctx.view(slot).addr : ctx.word(slot);
}
inline Space space_of(const Context& ctx, unsigned slot) {
  const Space space = ctx.type(slot).space;
  return space == Space::none ? Space::ub : space;
}
/// Address of element `offset` behind a pointer operand.
inline uint64_t element_address(const Context& ctx, unsigned slot, int64_t offset) {
  return moved(address_of(ctx, slot), offset, byte_width(ctx.type(slot).elem));
}

/// Whether the form has an updated base behind its `plain_results` results.
inline bool post_update(const Context& ctx, unsigned plain_results) {
  return ctx.inst->results.size() > plain_results;
}
/// Address of this access, `offset` units of `unit` bytes (0: elements) behind the pointer; with an updated
/// base the pointer itself, and the address behind it is that result.
inline uint64_t access_address(const Context& ctx, unsigned slot, int64_t offset, unsigned plain_results,
                               int64_t unit = 0) {
  const uint64_t behind =
      unit == 0 ? element_address(ctx, slot, offset) : moved(address_of(ctx, slot), offset, unit);
  if (!post_update(ctx, plain_results)) return behind;
  ctx.set(behind, plain_results);
  return address_of(ctx, slot);
}

/// Appends `bytes` bytes at `position` to an unaligned store stream: whole 32-byte blocks reach memory, the
/// rest stays pending in `state` until the next append or a flush. A stream must continue where it stopped.
void append_unaligned(const Context& ctx, Space space, AlignState& state, uint64_t position,
                      const uint8_t* data, uint64_t bytes);
/// Writes the pending bytes.
void flush_unaligned(const Context& ctx, Space space, const AlignState& state);

}  // namespace pto::exec::vec
