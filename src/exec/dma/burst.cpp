#include "exec/dma/burst.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "exec/address_math.hpp"
#include "exec/peer_access.hpp"
#include "support/saturating.hpp"

namespace pto::exec::dma_detail {
namespace {

/// What DMA moves in on-chip memories (micro ISA page 02).
constexpr uint64_t kOnChipBlock = 32;

void fill(std::byte* to, uint64_t bytes, const Padding& padding) {
  for (uint64_t i = 0; i < bytes; ++i)
    to[i] = static_cast<std::byte>(padding.element >> (8 * (i % padding.element_bytes)));
}

Place moved(Place place, int64_t count, int64_t stride) {
  place.addr = exec::moved(place.addr, count, stride);
  return place;
}

/// Element-wise update of a burst; the bytes of a last incomplete element are left alone.
void update(const Place& place, std::byte* to, const std::byte* from, uint64_t bytes) {
  const uint64_t width = byte_width(place.atomic);
  for (uint64_t i = 0; i + width <= bytes; i += width)
    atomic_update(place.atomic, place.atomic_op, to + i, from + i);
}

using Rows = std::vector<std::pair<uint64_t, uint64_t>>;

Rows rows_of(uint64_t addr, uint64_t count, uint64_t bytes, int64_t stride) {
  Rows out(count);
  for (uint64_t r = 0; r < count; ++r) {
    const uint64_t begin = addr + r * static_cast<uint64_t>(stride);
    out[r] = {begin, begin + bytes};
  }
  std::ranges::sort(out);
  return out;
}

/// Whether a burst is written over bytes that another one, or another part of it, is read from: the engine
/// moves many at a time. Each onto itself changes nothing.
bool written_over(const Place& from, const Place& to, const Bursts& bursts, uint64_t row) {
  if (from.space != to.space || from.peer != to.peer) return false;
  if (from.addr == to.addr && bursts.from_stride == bursts.to_stride && row == bursts.bytes) return false;
  const Rows read = rows_of(from.addr, bursts.count, bursts.bytes, bursts.from_stride);
  const Rows written = rows_of(to.addr, bursts.count, row, bursts.to_stride);
  for (size_t i = 0, j = 0; i < read.size() && j < written.size();) {
    if (read[i].second <= written[j].first)
      ++i;
    else if (written[j].second <= read[i].first)
      ++j;
    else
      return true;
  }
  return false;
}

struct Begin {
  uint64_t to = 0, from = 0;
  auto operator<=>(const Begin&) const = default;
};

/// Where the bursts of all passes begin; nothing of so many that it would take long.
std::vector<Begin> begins_of(const Place& to, std::span<const Loop> loops) {
  constexpr uint64_t kMax = 1 << 16;
  std::vector<Begin> all{{.to = to.addr}};
  for (const Loop& loop : loops) {
    const auto count = static_cast<uint64_t>(std::max<int64_t>(loop.count, 0));
    if (count == 0 || count > kMax / all.size()) return {};
    const size_t once = all.size();
    for (uint64_t i = 1; i < count; ++i) {
      for (size_t k = 0; k < once; ++k)
        all.push_back({all[k].to + i * static_cast<uint64_t>(loop.to_stride),
                       all[k].from + i * static_cast<uint64_t>(loop.from_stride)});
    }
  }
  return all;
}

/// Each loop steps over all that those within it write.
bool are_apart(std::span<const Loop> loops, uint64_t row) {
  std::vector<std::pair<uint64_t, uint64_t>> steps;  // and how often
  for (const Loop& loop : loops)
    if (loop.count > 1) steps.emplace_back(magnitude(loop.to_stride), static_cast<uint64_t>(loop.count) - 1);
  std::ranges::sort(steps);
  uint64_t extent = row;
  return std::ranges::all_of(steps, [&](const auto& step) {
    const bool apart = step.first >= extent;
    extent = sat_add(extent, sat_mul(step.first, step.second));
    return apart;
  });
}

/// Bursts are under way at the same time: which one stays where two are written to one place is not known,
/// unless both bring the same bytes there.
void no_overlap(const Context& ctx, const Place& to, const Bursts& bursts, std::span<const Loop> passes,
                uint64_t row) {
  if (to.atomic != Elem::none || row == 0) return;
  std::vector<Loop> loops{{static_cast<int64_t>(bursts.count), bursts.from_stride, bursts.to_stride}};
  loops.insert(loops.end(), passes.begin(), passes.end());
  if (are_apart(loops, row)) return;
  std::vector<Begin> begins = begins_of(to, loops);
  std::ranges::sort(begins);
  const auto two = std::ranges::adjacent_find(begins, [&](const Begin& one, const Begin& other) {
    return other.to - one.to < row && other.to - one.to != other.from - one.from;
  });
  if (two == begins.end()) return;
  ctx.fault(
      Fault::bad_operand,
      fmt::format("its bursts of {} bytes overlap in the destination, the next one begins {} bytes behind "
                  "another: which of them stays there is not known",
                  row, (two + 1)->to - two->to));
}

}  // namespace

std::byte* rows_at(const Context& ctx, const Place& place, uint64_t rows, uint64_t row_bytes, int64_t pitch,
                   AccessMode how) {
  if (rows != 0 && ctx.aligned(place.space, place.addr, kOnChipBlock) && rows > 1)
    ctx.aligned(place.space, static_cast<uint64_t>(magnitude(pitch)), kOnChipBlock, "the step between rows");
  if (place.peer >= 0)
    return ctx.memory->access_peer(place.peer, place.space, place.addr, rows, row_bytes, pitch, how);
  return ctx.memory->access_rows(place.space, place.addr, rows, row_bytes, pitch, how);
}

void needs_written(const Context& ctx, LeftOver which, std::string_view what) {
  constexpr std::string_view kWriters[] = {"pto.set_loop1_stride_outtoub", "pto.set_loop2_stride_outtoub",
                                           "pto.set_loop1_stride_ubtoout", "pto.set_loop2_stride_ubtoout",
                                           "pto.set_loop1_stride_outtol1", "pto.set_loop2_stride_outtol1",
                                           "pto.set_mov_pad_val",          "pto.set_mte2_nz_para"};
  const auto bit = static_cast<unsigned>(which);
  if ((ctx.control->written >> bit & 1) != 0) return;
  ctx.fault(Fault::undefined_value,
            fmt::format("{} is in a control register that this kernel has not written: put {} before it",
                        what, kWriters[bit]));
}

bool in_field(const Context& ctx, std::string_view what, int64_t value, int bits) {
  if (value >= 0 && value < int64_t{1} << bits) return true;
  ctx.fault(Fault::bad_operand, std::string(what) + " " + std::to_string(value) +
                                    " does not fit its field of " + std::to_string(bits) + " bits");
  return false;
}

bool copy_bursts(const Context& ctx, const Place& from, const Place& to, const Bursts& bursts,
                 const Padding& padding) {
  if (!in_field(ctx, "burst count", static_cast<int64_t>(bursts.count), 16) ||
      !in_field(ctx, "burst length", static_cast<int64_t>(bursts.bytes), 32) ||
      !in_field(ctx, "source stride", magnitude(bursts.from_stride), 41) ||
      !in_field(ctx, "destination stride", magnitude(bursts.to_stride), 41))
    return false;
  const uint64_t row = sat_add(sat_add(padding.left, bursts.bytes), padding.right);
  if (bursts.count == 0 || row == 0) return true;
  const std::byte* source = bursts.bytes == 0 ? nullptr
                                              : rows_at(ctx, from, bursts.count, bursts.bytes,
                                                        bursts.from_stride, AccessMode::read);
  if (bursts.bytes != 0 && source == nullptr) return false;
  if (bursts.bytes != 0 && written_over(from, to, bursts, row))
    ctx.fault(Fault::bad_operand, "the transfer writes bytes that it reads; put the destination elsewhere");
  const bool atomic = to.atomic != Elem::none;
  if (atomic && to.atomic_op == AtomicOp::add) will_add(ctx, to.atomic);
  std::byte* target =
      rows_at(ctx, to, bursts.count, row, bursts.to_stride, atomic ? AccessMode::update : AccessMode::write);
  if (target == nullptr) return false;
  const auto bytes = static_cast<int64_t>(bursts.bytes);
  if (atomic) {
    for (uint64_t r = 0; r < bursts.count; ++r)
      update(to, target + static_cast<int64_t>(r) * bursts.to_stride,
             source + static_cast<int64_t>(r) * bursts.from_stride, bursts.bytes);
    return true;
  }
  if (row == bursts.bytes && bursts.from_stride == bytes && bursts.to_stride == bytes) {
    std::memmove(target, source, bursts.count * bursts.bytes);
    return true;
  }
  for (uint64_t r = 0; r < bursts.count; ++r) {
    std::byte* start = target + static_cast<int64_t>(r) * bursts.to_stride;
    fill(start, padding.left, padding);
    if (bursts.bytes != 0)
      std::memmove(start + padding.left, source + static_cast<int64_t>(r) * bursts.from_stride, bursts.bytes);
    fill(start + padding.left + bursts.bytes, padding.right, padding);
  }
  return true;
}

namespace {

void copy_passes(const Context& ctx, const Place& from, const Place& to, const Bursts& bursts,
                 std::span<const Loop> loops, const Padding& padding) {
  if (loops.empty()) {
    copy_bursts(ctx, from, to, bursts, padding);
    return;
  }
  const Loop& outer = loops.back();
  if (!in_field(ctx, "loop count", outer.count, 21)) return;
  if (loops.size() == 1) {
    for (int64_t i = 0; i < loops[0].count; ++i) {
      if (!copy_bursts(ctx, moved(from, i, loops[0].from_stride), moved(to, i, loops[0].to_stride), bursts,
                       padding))
        return;
    }
    return;
  }
  for (int64_t i = 0; i < outer.count; ++i)
    copy_passes(ctx, moved(from, i, outer.from_stride), moved(to, i, outer.to_stride), bursts,
                loops.first(loops.size() - 1), padding);
}

}  // namespace

void copy_loops(const Context& ctx, const Place& from, const Place& to, const Bursts& bursts,
                std::span<const Loop> loops, const Padding& padding) {
  no_overlap(ctx, to, bursts, loops, sat_add(sat_add(padding.left, bursts.bytes), padding.right));
  copy_passes(ctx, from, to, bursts, loops, padding);
}

}  // namespace pto::exec::dma_detail
