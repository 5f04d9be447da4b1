// The two sorting helpers that work from UB to UB: vbitsort (32 proposals) and vmrgsort4 (merge of up to four
// lists). A proposal is 8 bytes: the score (f32, or f16 in the low half) and a 32-bit index. Facts: PTO micro
// ISA page 13.
#include <algorithm>
#include <array>
#include <vector>

#include "exec/exec_context.hpp"
#include "exec/status_registers.hpp"
#include "exec/vector/memory.hpp"

namespace pto::exec {
namespace {

using namespace vec;

constexpr unsigned kProposalBytes = 8, kProposals = 32, kLists = 4;

float score_value(Elem elem, const std::byte* at) {
  uint32_t bits = 0;
  std::memcpy(&bits, at, byte_width(elem));
  return elem == Elem::f16 ? from_bits<F16>(bits) : from_bits<float>(bits);
}

/// Sorts each group of 32 scores in descending order; equal scores keep their order. NaN counts as lower than
/// any number.
void vbitsort(Context& ctx) {
  const Elem elem = ctx.type(1).elem;
  if (elem != Elem::f16 && elem != Elem::f32) return refuse_type(ctx, elem);
  const unsigned width = byte_width(elem);
  const auto repeats = static_cast<uint64_t>(std::max<int64_t>(ctx.i64(3), 0));
  const uint64_t n = repeats * kProposals;
  if (repeats > 255) return ctx.fault(Fault::bad_operand, "vbitsort: the repeat count is an 8-bit field");
  if (n == 0) return;
  const std::byte* scores = ctx.memory->access(space_of(ctx, 1), ctx.word(1), n * width, AccessMode::read);
  const std::byte* indices = ctx.memory->access(space_of(ctx, 2), ctx.word(2), n * 4, AccessMode::read);
  std::byte* out = ctx.memory->access(space_of(ctx, 0), ctx.word(0), n * kProposalBytes, AccessMode::write);
  if (scores == nullptr || indices == nullptr || out == nullptr) return;
  for (uint64_t first = 0; first < n; first += kProposals) {
    struct Proposal {
      float score;
      std::array<std::byte, kProposalBytes> bytes;
    };
    std::array<Proposal, kProposals> group{};
    for (unsigned i = 0; i < kProposals; ++i) {
      const std::byte* score = scores + (first + i) * width;
      group[i].score = score_value(elem, score);
      std::memcpy(group[i].bytes.data(), score, width);
      std::memcpy(group[i].bytes.data() + 4, indices + (first + i) * 4, 4);
    }
    std::stable_sort(group.begin(), group.end(),
                     [](const Proposal& a, const Proposal& b) { return score_above(a.score, b.score); });
    for (unsigned i = 0; i < kProposals; ++i)
      std::memcpy(out + (first + i) * kProposalBytes, group[i].bytes.data(), kProposalBytes);
  }
}

/// config: repeat [7:0], lists used [11:8], stop when one list is exhausted [12]. count: four 16-bit lengths.
struct MergeConfig {
  unsigned repeat, lists;
  bool until_exhausted;
  std::array<uint64_t, kLists> length{};
  explicit MergeConfig(uint64_t count, uint64_t config)
      : repeat(config & 0xff), lists((config >> 8) & 0xf), until_exhausted(((config >> 12) & 1) != 0) {
    for (unsigned i = 0; i < kLists; ++i)
      length[i] = ((lists >> i) & 1) != 0 ? (count >> (16 * i)) & 0xffff : 0;
  }
  [[nodiscard]] uint64_t total() const { return length[0] + length[1] + length[2] + length[3]; }
};

/// Merges once, descending, ties from the lower list. Returns how many proposals of each list were taken.
std::array<uint64_t, kLists> merge(Elem elem, const MergeConfig& config,
                                   const std::array<const std::byte*, kLists>& lists,
                                   std::vector<std::byte>& out) {
  std::array<uint64_t, kLists> taken{};
  for (;;) {
    int best = -1;
    float best_score = 0;
    for (unsigned i = 0; i < kLists; ++i) {
      if (taken[i] == config.length[i]) continue;
      const float score = score_value(elem, lists[i] + taken[i] * kProposalBytes);
      if (best < 0 || score > best_score) {
        best = static_cast<int>(i);
        best_score = score;
      }
    }
    if (best < 0) return taken;
    const auto list = static_cast<unsigned>(best);
    const std::byte* proposal = lists[list] + taken[list] * kProposalBytes;
    out.insert(out.end(), proposal, proposal + kProposalBytes);
    if (++taken[list] == config.length[list] && config.until_exhausted) return taken;
  }
}

void vmrgsort4(Context& ctx) {
  const Elem elem = ctx.type(0).elem;
  if (elem != Elem::f16 && elem != Elem::f32) return refuse_type(ctx, elem);
  const MergeConfig config(ctx.word(5), ctx.word(6));
  for (unsigned r = 0; r < config.repeat; ++r) {
    const uint64_t step = r * config.total() * kProposalBytes;  // repeats: the four lists lie back to back
    std::array<const std::byte*, kLists> lists{};
    for (unsigned i = 0; i < kLists; ++i) {
      if (config.length[i] == 0) continue;
      lists[i] = ctx.memory->access(space_of(ctx, 1 + i), ctx.word(1 + i) + step,
                                    config.length[i] * kProposalBytes, AccessMode::read);
      if (lists[i] == nullptr) return;
    }
    std::vector<std::byte> sorted;
    const auto taken = merge(elem, config, lists, sorted);
    if (sorted.empty()) continue;
    std::byte* out =
        ctx.memory->access(space_of(ctx, 0), ctx.word(0) + step, sorted.size(), AccessMode::write);
    if (out == nullptr) return;
    std::memcpy(out, sorted.data(), sorted.size());
    touch_status(ctx, AccessMode::write);
    ctx.control->vms4_sr = taken[0] | taken[1] << 16 | taken[2] << 32 | taken[3] << 48;
  }
}

constexpr Semantics kVectorSortSemantics[] = {
    {"pto.vbitsort", vbitsort},
    {"pto.vmrgsort4", vmrgsort4},
};

}  // namespace

std::span<const Semantics> vector_sorting() { return kVectorSortSemantics; }

}  // namespace pto::exec
