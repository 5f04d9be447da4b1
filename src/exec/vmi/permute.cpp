// Logical vectors and masks made out of nothing or of other lanes: constants, counts, patterns, permutations.
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "exec/dense_constants.hpp"
#include "exec/integer_ops.hpp"
#include "exec/lane_count.hpp"
#include "exec/vmi/lanes.hpp"
#include "isa/lane_layout.hpp"

namespace pto::exec::vmi {
namespace {

// ---- constants, counts
void constant(Context& ctx) {
  const Elem elem = ctx.result_type().elem;
  const Lanes to = result(ctx);
  for (unsigned i = 0; i < to.count(); ++i) {
    const std::optional<Word> bits = dense_element(*ctx.program, ctx.inst->attrs[0], i, elem);
    if (!bits) return ctx.fault(Fault::unsupported, "a dense literal of this form is not supported");
    to.set(i, *bits);
  }
}
void constant_mask(Context& ctx) {
  const Bits to = mask_result(ctx);
  for (unsigned i = 0; i < to.count(); ++i) {
    const std::optional<Word> bit = dense_element(*ctx.program, ctx.inst->attrs[0], i, Elem::i1);
    if (!bit) return ctx.fault(Fault::unsupported, "a dense literal of this form is not supported");
    if ((*bit & 1) != 0) to.set(i);
  }
}
/// How many groups an optional attribute says; 1 without it.
unsigned group_count(const Context& ctx, std::string_view name) {
  const int spec = ctx.inst->schema->attr_index(name);
  if (spec < 0 || !ctx.attr_set(static_cast<unsigned>(spec))) return 1;
  return static_cast<unsigned>(std::max<int64_t>(ctx.attr(static_cast<unsigned>(spec)), 1));
}
/// A scalar, the only lane, or the lane of the group.
void broadcast_to(Context& ctx, unsigned groups) {
  const Lanes to = result(ctx);
  const unsigned size = std::max(to.count() / groups, 1U);
  const bool scalar = ctx.type(0).kind == TypeKind::scalar;
  for (unsigned i = 0; i < to.count(); ++i) to.set(i, scalar ? ctx.word(0) : operand(ctx, 0).bits(i / size));
}
void broadcast(Context& ctx) { broadcast_to(ctx, group_count(ctx, "group")); }
void group_broadcast(Context& ctx) { broadcast_to(ctx, group_count(ctx, "num_groups")); }
/// Counts from the start again in every group.
void count(Context& ctx) {
  const Elem elem = lane_elem(ctx.result_type().elem);
  const Lanes to = result(ctx);
  const unsigned size = to.count() / group_count(ctx, "group");
  const bool descending = vec::token(ctx, 0) == "DESC";
  const auto go = [&](auto tag) {
    using T = typename decltype(tag)::type;
    const vec::Compute<T> base = vec::from_bits<T>(ctx.word(0));
    for (unsigned i = 0; i < to.count(); ++i)
      to.set(i, vec::to_bits<T>(vec::counted<T>(base, i % size, descending)));
  };
  if (!vec::with_number(elem, go)) vec::refuse_type(ctx, elem);
}

// ---- masks
/// The first `n` lanes of every `size`.
void first_of_groups(const Bits& to, int64_t n, unsigned size) {
  for (unsigned i = 0; i < to.count(); ++i)
    if (static_cast<int64_t>(i % size) < n) to.set(i);
}
void create_mask(Context& ctx) {
  const Bits to = mask_result(ctx);
  first_of_groups(to, ctx.i64(0), to.count());
}
void create_group_mask(Context& ctx) {
  first_of_groups(mask_result(ctx), ctx.i64(0), static_cast<unsigned>(ctx.attr(1)));
}
/// PAT_ALL, or the first n lanes: PAT_VLn; of each group where there are groups.
void pattern(Context& ctx) {
  std::string_view name = vec::token(ctx, 0);
  const Bits to = mask_result(ctx);
  int64_t n = to.count();
  if (name.starts_with("PAT_VL")) {
    name.remove_prefix(6);
    std::from_chars(name.data(), name.data() + name.size(), n);
  }
  first_of_groups(to, n, to.count() / group_count(ctx, "group"));
}
/// The first lanes, and what is left of the count.
void first_lanes_of_count(Context& ctx) {
  const Bits to = mask_result(ctx);
  const int64_t n = signed_value(Elem::i32, ctx.word(0));
  first_of_groups(to, n, to.count());
  ctx.set(int_word(Elem::i32, static_cast<uint64_t>(n - std::min<int64_t>(n, to.count()))), 1);
}

// ---- lanes from elsewhere
/// result[i] = source[from(i)]
template <typename From>
void permute(const Lanes& to, const Lanes& source, From&& from) {
  for (unsigned i = 0; i < to.count(); ++i) to.set(i, source.bits(from(i)));
}
/// Beyond the lanes nothing is said; here the count starts again.
void select_lanes(Context& ctx) {
  const Lanes source = operand(ctx, 0);
  const Lanes index = operand(ctx, 1);
  permute(result(ctx), source,
          [&](unsigned i) { return static_cast<unsigned>(index.bits(i) % source.count()); });
}
void shuffle(Context& ctx) {
  const AttrValue& list = ctx.inst->attrs[0];
  permute(result(ctx), operand(ctx, 0),
          [&](unsigned i) { return static_cast<unsigned>(ctx.program->ints[list.array.first + i]); });
}
void interleave(Context& ctx) {
  if (refuses_merge(ctx)) return;
  const Lanes lhs = operand(ctx, 0);
  const Lanes rhs = operand(ctx, 1);
  const Lanes low = result(ctx, 0);
  const Lanes high = result(ctx, 1);
  for (unsigned i = 0; i < 2 * lhs.count(); ++i)
    (i < low.count() ? low : high).set(i % low.count(), (i % 2 == 0 ? lhs : rhs).bits(i / 2));
}
void deinterleave(Context& ctx) {
  if (refuses_merge(ctx)) return;
  const Lanes lhs = operand(ctx, 0);
  const Lanes rhs = operand(ctx, 1);
  const Lanes low = result(ctx, 0);
  const Lanes high = result(ctx, 1);
  for (unsigned i = 0; i < 2 * lhs.count(); ++i)
    (i % 2 == 0 ? low : high).set(i / 2, (i < lhs.count() ? lhs : rhs).bits(i % lhs.count()));
}
/// Every n-th lane.
void split(Context& ctx) {
  const Lanes source = operand(ctx, 0);
  const auto n = static_cast<unsigned>(ctx.inst->results.size());
  for (unsigned c = 0; c < n; ++c) permute(result(ctx, c), source, [&](unsigned i) { return i * n + c; });
}
void merge(Context& ctx) {
  const unsigned n = ctx.count(0);
  const Lanes to = result(ctx);
  for (unsigned i = 0; i < to.count(); ++i) to.set(i, operand(ctx, 0, i % n).bits(i / n));
}

// ---- active lanes
void compress(Context& ctx) {
  const Lanes from = operand(ctx, 0);
  const Lanes to = result(ctx);
  const Bits active = mask(ctx, 1);
  unsigned kept = 0;
  for (unsigned i = 0; i < from.count(); ++i)
    if (active.get(i)) to.set(kept++, from.bits(i));
}
void active_below(Context& ctx) {
  const Bits active = mask(ctx, 0);
  const Lanes to = result(ctx);
  unsigned below = 0;
  for (unsigned i = 0; i < to.count(); ++i) {
    to.set(i, below);
    below += active.get(i);
  }
}

// ---- registers, as the layout says
bool has_registers(const Context& ctx, const Type& type, const isa::LanePlaces& places, size_t given) {
  if (type.kind == TypeKind::vmi_mask && type.elem == Elem::i1) {
    ctx.fault(Fault::bad_operand, "a mask of 'pred' has no registers yet");
    return false;
  }
  if (places.registers() == given) return true;
  ctx.fault(Fault::bad_operand, to_string(type) + " is in " + std::to_string(places.registers()) +
                                    " registers, not " + std::to_string(given));
  return false;
}
void unpack(Context& ctx) {
  const Type& type = ctx.type(0);
  const isa::LanePlaces places(type);
  const size_t n = ctx.inst->results.size();
  if (!has_registers(ctx, type, places, n)) return;
  const unsigned width = byte_width(type.elem);
  const bool is_mask = type.kind == TypeKind::vmi_mask;
  for (unsigned i = 0; i < n; ++i)
    std::memset(&ctx.result<Word>(i), 0, words_of(ctx.result_type(i)) * sizeof(Word));
  for (unsigned i = 0; i < lanes_of(type); ++i) {
    const auto [reg, lane] = places.place_of(i);
    const auto part = static_cast<unsigned>(reg);
    const auto at = static_cast<unsigned>(lane);
    if (!is_mask)
      vec::set_lane_bits(ctx.result<VReg>(part), at, width, operand(ctx, 0).bits(i));
    else if (mask(ctx, 0).get(i))
      vec::set_bit(ctx.result<Mask>(part), at * width);
  }
}
void pack(Context& ctx) {
  const Type& type = ctx.result_type();
  const isa::LanePlaces places(type);
  if (!has_registers(ctx, type, places, ctx.count(0))) return;
  const unsigned width = byte_width(type.elem);
  const bool is_mask = type.kind == TypeKind::vmi_mask;
  if (is_mask)
    mask_result(ctx);
  else
    result(ctx);
  for (unsigned i = 0; i < lanes_of(type); ++i) {
    const auto [reg, lane] = places.place_of(i);
    const auto part = static_cast<unsigned>(reg);
    const auto at = static_cast<unsigned>(lane);
    if (!is_mask)
      Lanes(ctx.result<VReg>().byte, type).set(i, vec::lane_bits(ctx.as<VReg>(0, part), at, width));
    else if (vec::active(ctx.as<Mask>(0, part), at, width))
      Bits(&ctx.result<Word>(), type).set(i);
  }
}

constexpr Semantics kVmiPermuteSemantics[] = {
    {"pto.vmi.unpack", unpack},
    {"pto.vmi.pack", pack},
    {"pto.vmi.constant", constant},
    {"pto.vmi.constant_mask", constant_mask},
    {"pto.vmi.broadcast", broadcast},
    {"pto.vmi.vbrc", broadcast},
    {"pto.vmi.group_broadcast", group_broadcast},
    {"pto.vmi.iota", count},
    {"pto.vmi.group_iota", count},
    {"pto.vmi.vci", count},
    {"pto.vmi.create_mask", create_mask},
    {"pto.vmi.create_group_mask", create_group_mask},
    {"pto.vmi.pset", pattern},
    {"pto.vmi.pge", pattern},
    {"pto.vmi.plt", first_lanes_of_count},
    {"pto.vmi.vselr", select_lanes},
    {"pto.vmi.shuffle", shuffle},
    {"pto.vmi.vintlv", interleave},
    {"pto.vmi.vdintlv", deinterleave},
    {"pto.vmi.channel_split", split},
    {"pto.vmi.channel_merge", merge},
    {"pto.vmi.compress", compress},
    {"pto.vmi.active_prefix_index", active_below},
};

}  // namespace

}  // namespace pto::exec::vmi

namespace pto::exec {

std::span<const Semantics> vmi_rearranging() { return vmi::kVmiPermuteSemantics; }

}  // namespace pto::exec
