// Vector loads and stores between UB and vector registers: distributions, block strides, gather and scatter,
// and the streams at unaligned addresses. Facts: PTO micro ISA page 03; see
// docs/reference/numerics.md.
//
// Forms with an updated base result access memory at the base itself and then move it; forms without access
// base + offset.
#include "exec/vector/memory.hpp"

#include <optional>

#include "ir/address_alignment.hpp"
#include "support/saturating.hpp"

namespace pto::exec {
namespace {

using namespace vec;

// ---- loads
enum class LoadKind : uint8_t {
  normal,
  broadcast,
  upsample,
  downsample,
  unpack,
  unpack4,
  broadcast_block,
  element_to_block
};
struct LoadDist {
  std::string_view name;
  LoadKind kind;
  unsigned width;  ///< bytes of the memory elements
};
constexpr LoadDist kLoadDists[] = {
    {"NORM", LoadKind::normal, 1},
    {"", LoadKind::normal, 1},
    {"BRC_B8", LoadKind::broadcast, 1},
    {"BRC_B16", LoadKind::broadcast, 2},
    {"BRC_B32", LoadKind::broadcast, 4},
    {"US_B8", LoadKind::upsample, 1},
    {"US_B16", LoadKind::upsample, 2},
    {"DS_B8", LoadKind::downsample, 1},
    {"DS_B16", LoadKind::downsample, 2},
    {"UNPK_B8", LoadKind::unpack, 1},
    {"UNPK_B16", LoadKind::unpack, 2},
    {"UNPK_B32", LoadKind::unpack, 4},
    {"UNPK4", LoadKind::unpack4, 1},
    {"UNPK4_B8", LoadKind::unpack4, 1},
    {"BRC_BLK", LoadKind::broadcast_block, 1},
    {"E2B_B16", LoadKind::element_to_block, 2},
    {"E2B_B32", LoadKind::element_to_block, 4},
};
const LoadDist* find_load(std::string_view name) {
  for (const LoadDist& dist : kLoadDists) {
    if (dist.name == name) return &dist;
  }
  return nullptr;
}
/// Bytes read from memory.
unsigned footprint(const LoadDist& dist) {
  switch (dist.kind) {
    case LoadKind::normal:
      return kVRegBytes;
    case LoadKind::broadcast:
      return dist.width;
    case LoadKind::upsample:
    case LoadKind::unpack:
      return kVRegBytes / 2;
    case LoadKind::downsample:
      return 2 * kVRegBytes;
    case LoadKind::unpack4:
      return kVRegBytes / 4;
    case LoadKind::broadcast_block:
      return kBlockBytes;
    case LoadKind::element_to_block:
      return kVRegBytes / kBlockBytes * dist.width;
  }
  return 0;
}
/// Copies memory element `from` to register lane `to`, both of `width` bytes.
void copy_lane(VReg& reg, unsigned to, const std::byte* memory, unsigned from, unsigned width) {
  std::memcpy(reg.byte + to * width, memory + from * width, width);
}
void distribute(const LoadDist& dist, const std::byte* memory, VReg& reg) {
  const unsigned width = dist.width;
  const unsigned lanes = kVRegBytes / width;
  switch (dist.kind) {
    case LoadKind::normal:
      std::memcpy(reg.byte, memory, kVRegBytes);
      return;
    case LoadKind::broadcast:
      for (unsigned i = 0; i < lanes; ++i) copy_lane(reg, i, memory, 0, width);
      return;
    case LoadKind::upsample:
      for (unsigned i = 0; i < lanes; ++i) copy_lane(reg, i, memory, i / 2, width);
      return;
    case LoadKind::downsample:
      for (unsigned i = 0; i < lanes; ++i) copy_lane(reg, i, memory, 2 * i, width);
      return;
    case LoadKind::unpack:
      for (unsigned i = 0; i < lanes / 2; ++i) copy_lane(reg, 2 * i, memory, i, width);
      return;
    case LoadKind::unpack4:
      for (unsigned i = 0; i < lanes / 4; ++i) copy_lane(reg, 4 * i, memory, i, width);
      return;
    case LoadKind::broadcast_block:
      for (unsigned i = 0; i < kVRegBytes; i += kBlockBytes) std::memcpy(reg.byte + i, memory, kBlockBytes);
      return;
    case LoadKind::element_to_block:
      for (unsigned i = 0; i < lanes; ++i) copy_lane(reg, i, memory, i / (kBlockBytes / width), width);
      return;
  }
}
void vlds(Context& ctx) {
  const LoadDist* dist = find_load(token(ctx, 0));
  if (dist == nullptr)
    return ctx.fault(Fault::unsupported,
                     "vlds distribution " + std::string(token(ctx, 0)) + ": the layout is not documented");
  const uint64_t address = access_address(ctx, 0, ctx.i64(1), 1);
  const unsigned bytes = footprint(*dist);
  ctx.aligned(space_of(ctx, 0), address, isa::distribution_alignment(dist->name));
  const std::byte* memory = ctx.memory->access(space_of(ctx, 0), address, bytes, AccessMode::read);
  if (memory == nullptr) return;
  VReg result{};
  distribute(*dist, memory, result);
  ctx.result<VReg>() = result;
}

/// Width of the units a two-register distribution deals out: DINTLV_B8/B16/B32, INTLV_B8/B16/B32, or 32-byte
/// blocks.
std::optional<unsigned> pair_unit(std::string_view name) {
  if (name == "BDINTLV") return kBlockBytes;
  if (name.ends_with("INTLV_B8")) return 1;
  if (name.ends_with("INTLV_B16")) return 2;
  if (name.ends_with("INTLV_B32")) return 4;
  return std::nullopt;
}
void vldsx2(Context& ctx) {
  const auto unit = pair_unit(token(ctx, 0));
  if (!unit) return ctx.fault(Fault::bad_operand, "no such vldsx2 distribution");
  const uint64_t address = access_address(ctx, 0, ctx.i64(1), 2);
  ctx.aligned(space_of(ctx, 0), address, kBlockBytes);
  const std::byte* memory = ctx.memory->access(space_of(ctx, 0), address, 2 * kVRegBytes, AccessMode::read);
  if (memory == nullptr) return;
  VReg low, high;
  for (unsigned i = 0; i < kVRegBytes / *unit; ++i) {
    copy_lane(low, i, memory, 2 * i, *unit);
    copy_lane(high, i, memory, 2 * i + 1, *unit);
  }
  ctx.result<VReg>(0) = low;
  ctx.result<VReg>(1) = high;
}

// ---- stores
/// Calls store(first, n) for every run of consecutive active lanes.
template <typename Active, typename Store>
void for_runs(unsigned lanes, Active&& is_active, Store&& store) {
  for (unsigned i = 0; i < lanes;) {
    if (!is_active(i)) {
      ++i;
      continue;
    }
    const unsigned first = i;
    while (i < lanes && is_active(i)) ++i;
    store(first, i - first);
  }
}
/// How a store picks register lanes: lanes of `lane` bytes, of which the low `keep` bytes are written back to
/// back.
struct StoreDist {
  std::string_view name;
  unsigned lane, keep;
  bool first_only;
};
constexpr StoreDist kStoreDists[] = {
    {"NORM_B8", 1, 1, false}, {"NORM_B16", 2, 2, false}, {"NORM_B32", 4, 4, false}, {"1PT_B8", 1, 1, true},
    {"1PT_B16", 2, 2, true},  {"1PT_B32", 4, 4, true},   {"PK_B16", 2, 1, false},   {"PK_B32", 4, 2, false},
    {"PK_B64", 8, 4, false},  {"PK4_B32", 4, 1, false},
};
std::optional<StoreDist> find_store(std::string_view name, unsigned width) {
  if (name.empty() || name == "NORM") return StoreDist{"NORM", width, width, false};
  for (const StoreDist& dist : kStoreDists) {
    if (dist.name == name) return dist;
  }
  return std::nullopt;
}
void vsts(Context& ctx) {
  const auto dist = find_store(token(ctx, 0), byte_width(ctx.type(0).elem));
  if (!dist)
    return ctx.fault(Fault::unsupported,
                     "vsts distribution " + std::string(token(ctx, 0)) + " is not supported by the hardware");
  const uint64_t address = access_address(ctx, 1, ctx.i64(2), 0);
  ctx.aligned(space_of(ctx, 1), address, isa::distribution_alignment(dist->name));
  const VReg value = ctx.vreg(0);
  const Mask mask = ctx.mask(3);
  const auto is_active = [&](unsigned i) { return dist->first_only ? i == 0 : active(mask, i, dist->lane); };
  for_runs(kVRegBytes / dist->lane, is_active, [&](unsigned first, unsigned n) {
    std::byte* memory = ctx.memory->access(space_of(ctx, 1), address + first * dist->keep,
                                           uint64_t{n} * dist->keep, AccessMode::write);
    if (memory == nullptr) return;
    for (unsigned i = 0; i < n; ++i)
      std::memcpy(memory + i * dist->keep, value.byte + (first + i) * dist->lane, dist->keep);
  });
}
/// Interleaves two registers into 512 bytes; the mask is ignored (page 03).
void vstsx2(Context& ctx) {
  const auto unit = pair_unit(token(ctx, 0));
  if (!unit) return ctx.fault(Fault::bad_operand, "no such vstsx2 distribution");
  const uint64_t address = element_address(ctx, 2, ctx.i64(3));
  ctx.aligned(space_of(ctx, 2), address, kBlockBytes);
  std::byte* memory = ctx.memory->access(space_of(ctx, 2), address, 2 * kVRegBytes, AccessMode::write);
  if (memory == nullptr) return;
  for (unsigned i = 0; i < kVRegBytes / *unit; ++i) {
    std::memcpy(memory + 2 * i * *unit, ctx.vreg(0).byte + i * *unit, *unit);
    std::memcpy(memory + (2 * i + 1) * *unit, ctx.vreg(1).byte + i * *unit, *unit);
  }
}

// ---- 32-byte blocks with strides; block b takes part when b32 lane b of the mask is set
constexpr unsigned kRegisterBlocks = kVRegBytes / kBlockBytes;

/// Runs of participating blocks as one strided access each: copy(first block, its memory).
template <typename Copy>
void for_blocks(const Context& ctx, Space space, uint64_t start, int64_t pitch, const Mask& mask,
                AccessMode how, Copy&& copy) {
  ctx.aligned(space, start, kBlockBytes);
  for_runs(
      kRegisterBlocks, [&](unsigned b) { return active(mask, b, 4); },
      [&](unsigned first, unsigned n) {
        std::byte* memory =
            ctx.memory->access_rows(space, moved(start, first, pitch), n, kBlockBytes, pitch, how);
        if (memory == nullptr) return;
        for (unsigned i = 0; i < n; ++i) copy(first + i, memory + i * pitch);
      });
}
void vsldb(Context& ctx) {
  const int64_t block_stride = ctx.i64(1);
  const int64_t repeat_stride = ctx.i64(2);
  const uint64_t base = address_of(ctx, 0);
  const uint64_t behind = moved(base, repeat_stride, kBlockBytes);
  if (post_update(ctx, 1)) ctx.set(behind, 1);
  VReg result{};
  for_blocks(ctx, space_of(ctx, 0), post_update(ctx, 1) ? base : behind,
             sat_mul<int64_t>(block_stride, kBlockBytes), ctx.mask(3), AccessMode::read,
             [&](unsigned b, const std::byte* memory) {
               std::memcpy(result.byte + b * kBlockBytes, memory, kBlockBytes);
             });
  ctx.result<VReg>() = result;
}
void vsstb(Context& ctx) {
  const int64_t block_stride = ctx.i64(2);
  const int64_t repeat_stride = ctx.i64(3);
  const uint64_t base = address_of(ctx, 1);
  const uint64_t behind = moved(base, repeat_stride, kBlockBytes);
  if (post_update(ctx, 0)) ctx.set(behind);
  const VReg value = ctx.vreg(0);
  for_blocks(
      ctx, space_of(ctx, 1), post_update(ctx, 0) ? base : behind, sat_mul<int64_t>(block_stride, kBlockBytes),
      ctx.mask(4), AccessMode::write,
      [&](unsigned b, std::byte* memory) { std::memcpy(memory, value.byte + b * kBlockBytes, kBlockBytes); });
}

// ---- gather and scatter
/// Lane i reads element offsets[i] (unsigned). An 8-bit element lands zero-extended when the lanes are wider.
void vgather2(Context& ctx) {
  const unsigned element = byte_width(ctx.type(0).elem);
  const unsigned lane = byte_width(ctx.result_type().elem);
  const unsigned index = byte_width(ctx.type(1).elem);
  VReg result{};
  for (unsigned i = 0; i < kVRegBytes / std::max(lane, index); ++i) {
    if (!active(ctx.mask(2), i, lane)) continue;
    const uint64_t address =
        moved(address_of(ctx, 0), static_cast<int64_t>(lane_bits(ctx.vreg(1), i, index)), element);
    const std::byte* memory = ctx.memory->access(space_of(ctx, 0), address, element, AccessMode::read);
    if (memory == nullptr) return;
    std::memcpy(result.byte + i * lane, memory, std::min(element, lane));
  }
  ctx.result<VReg>() = result;
}
/// Block b comes from base + byte offset offsets[b].
void vgatherb(Context& ctx) {
  VReg result{};
  for (unsigned b = 0; b < kRegisterBlocks; ++b) {
    if (!active(ctx.mask(2), b, 4)) continue;
    const uint64_t address = moved(address_of(ctx, 0), static_cast<int64_t>(lane_bits(ctx.vreg(1), b, 4)));
    if (!ctx.aligned(space_of(ctx, 0), address, kBlockBytes, "a block's address")) return;
    const std::byte* memory = ctx.memory->access(space_of(ctx, 0), address, kBlockBytes, AccessMode::read);
    if (memory == nullptr) return;
    std::memcpy(result.byte + b * kBlockBytes, memory, kBlockBytes);
  }
  ctx.result<VReg>() = result;
}
/// Lanes store in ascending order, so of equal offsets the highest lane stays.
/// A request per offset; those of 8-bit elements store the even lanes (PTO micro ISA page 03).
void vscatter(Context& ctx) {
  const unsigned lane = byte_width(ctx.type(0).elem);
  const unsigned index = byte_width(ctx.type(2).elem);
  const unsigned request = std::max(lane, index);
  for (unsigned i = 0; i < kVRegBytes / request; ++i) {
    if (!active(ctx.mask(3), i, request)) continue;
    const uint64_t address =
        moved(address_of(ctx, 1), static_cast<int64_t>(lane_bits(ctx.vreg(2), i, index)), lane);
    std::byte* memory = ctx.memory->access(space_of(ctx, 1), address, lane, AccessMode::write);
    if (memory == nullptr) return;
    std::memcpy(memory, ctx.vreg(0).byte + i * request, lane);
  }
}

// ---- unaligned streams
uint64_t block_start(uint64_t address) { return address / kBlockBytes * kBlockBytes; }

void vldas(Context& ctx) {
  AlignState state{};
  state.addr = block_start(ctx.word(0));
  const std::byte* memory = ctx.memory->access(space_of(ctx, 0), state.addr, kBlockBytes, AccessMode::read);
  if (memory == nullptr) return;
  std::memcpy(state.byte, memory, kBlockBytes);
  ctx.result<AlignState>() = state;
}
void vldus(Context& ctx) {
  const uint64_t source = ctx.word(0);
  if (ctx.as<AlignState>(1).addr != block_start(source))
    return ctx.fault(
        Fault::bad_operand,
        "vldus: the alignment state was not primed for this address (vldas on the same pointer comes first)");
  const std::byte* memory = ctx.memory->access(space_of(ctx, 0), source, kVRegBytes, AccessMode::read);
  if (memory == nullptr) return;
  VReg result;
  std::memcpy(result.byte, memory, kVRegBytes);
  const uint64_t next = ctx.has(2) ? element_address(ctx, 0, ctx.i64(2)) : moved(source, kVRegBytes);
  AlignState state{};
  state.addr = block_start(next);
  ctx.result<VReg>(0) = result;
  ctx.result<AlignState>(1) = state;
  if (post_update(ctx, 2)) ctx.set(next, 2);
}
/// Load at any address: vldas and vldus in one.
void uvld(Context& ctx) {
  const std::byte* memory =
      ctx.memory->access(space_of(ctx, 0), element_address(ctx, 0, ctx.i64(1)), kVRegBytes, AccessMode::read);
  if (memory == nullptr) return;
  std::memcpy(ctx.result<VReg>().byte, memory, kVRegBytes);
}
void init_align(Context& ctx) { ctx.result<AlignState>() = AlignState{}; }

/// Stores the first `offset` elements at the base, which moves behind them.
void vstus(Context& ctx) {
  AlignState state = ctx.as<AlignState>(0);
  const int64_t bytes = sat_mul<int64_t>(ctx.i64(1), byte_width(ctx.type(2).elem));
  if (bytes < 0 || bytes > static_cast<int64_t>(kVRegBytes))
    return ctx.fault(Fault::bad_operand, "vstus: the offset is at most one vector register");
  const VReg value = ctx.vreg(2);
  append_unaligned(ctx, space_of(ctx, 3), state, ctx.word(3), value.byte, static_cast<uint64_t>(bytes));
  ctx.result<AlignState>() = state;
  if (post_update(ctx, 1)) ctx.set(moved(ctx.word(3), bytes), 1);
}
/// Stores the lanes kept by the last squeeze at base + AR; POST_UPDATE moves AR on.
void vstur(Context& ctx) {
  AlignState state = ctx.as<AlignState>(0);
  const VReg value = ctx.vreg(1);
  append_unaligned(ctx, space_of(ctx, 2), state, moved(ctx.word(2), static_cast<int64_t>(ctx.control->ar)),
                   value.byte, ctx.control->sqzn);
  if (token(ctx, 0) == "POST_UPDATE") ctx.control->ar += ctx.control->sqzn;
  ctx.result<AlignState>() = state;
}
void vstas(Context& ctx) {
  const AlignState state = ctx.as<AlignState>(0);
  const uint64_t address = access_address(ctx, 1, ctx.i64(2), 0);
  if (state.fill != 0 && state.addr != address)
    return ctx.fault(Fault::bad_operand, "vstas: destination and offset are not where the stream stopped");
  flush_unaligned(ctx, space_of(ctx, 1), state);
}
void vstar(Context& ctx) { flush_unaligned(ctx, space_of(ctx, 1), ctx.as<AlignState>(0)); }
void sprclr(Context& ctx) { ctx.control->ar = 0; }
/// The low 32 bits of AR; `kUnit`: bytes of one offset.
template <int64_t kUnit>
void store_ar(Context& ctx) {
  const uint64_t address = access_address(ctx, 0, ctx.i64(1), 0, kUnit);
  std::byte* memory = ctx.memory->access(space_of(ctx, 0), address, 4, AccessMode::write);
  const auto ar = static_cast<uint32_t>(ctx.control->ar);
  if (memory != nullptr) std::memcpy(memory, &ar, sizeof ar);
}

constexpr Semantics kVectorMemorySemantics[] = {
    {"pto.vlds", vlds},          {"pto.vldsx2", vldsx2},         {"pto.vsts", vsts},
    {"pto.vstsx2", vstsx2},      {"pto.vsldb", vsldb},           {"pto.vsstb", vsstb},
    {"pto.vgather2", vgather2},  {"pto.vgather2_bc", vgather2},  {"pto.vgatherb", vgatherb},
    {"pto.vscatter", vscatter},  {"pto.vldas", vldas},           {"pto.vldus", vldus},
    {"pto.uvld", uvld},          {"pto.init_align", init_align}, {"pto.vstus", vstus},
    {"pto.vstur", vstur},        {"pto.vstas", vstas},           {"pto.vsta", vstas},
    {"pto.vstar", vstar},        {"pto.sprclr", sprclr},         {"pto.sprsti", store_ar<4>},
    {"pto.sprsts", store_ar<1>},
};

}  // namespace

void vec::append_unaligned(const Context& ctx, Space space, AlignState& state, uint64_t position,
                           const uint8_t* data, uint64_t bytes) {
  if (state.fill != 0 && state.addr != position)
    return ctx.fault(Fault::bad_operand, "unaligned store: the address is not where the stream stopped");
  uint8_t buffer[kBlockBytes + kVRegBytes];
  std::memcpy(buffer, state.byte, state.fill);
  std::memcpy(buffer + state.fill, data, bytes);
  const uint64_t start = position - state.fill;
  const uint64_t end = position + bytes;
  const uint64_t commit = block_start(end) > start ? block_start(end) - start : 0;
  if (commit != 0) {
    std::byte* memory = ctx.memory->access(space, start, commit, AccessMode::write);
    if (memory == nullptr) return;
    std::memcpy(memory, buffer, commit);
  }
  state.fill = end - start - commit;
  state.addr = end;
  std::memcpy(state.byte, buffer + commit, state.fill);
}

void vec::flush_unaligned(const Context& ctx, Space space, const AlignState& state) {
  if (state.fill == 0) return;
  std::byte* memory = ctx.memory->access(space, state.addr - state.fill, state.fill, AccessMode::write);
  if (memory != nullptr) std::memcpy(memory, state.byte, state.fill);
}

std::span<const Semantics> vector_memory() { return kVectorMemorySemantics; }

}  // namespace pto::exec
