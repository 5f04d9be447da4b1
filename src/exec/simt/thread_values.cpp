// SIMT: thread ids, exchanges between the lanes of a warp, and kept values. Only active lanes take
// part in an exchange.
#include <bit>
#include <cstring>
#include <string>

#include "exec/fault_sink.hpp"
#include "exec/integer_ops.hpp"
#include "exec/lane_ops.hpp"
#include "exec/simt/simt_family.hpp"
#include "numeric/float_formats.hpp"

namespace pto::exec {
namespace {

Threads& threads_of(const Context& c) { return *static_cast<const ThreadContext&>(c).threads; }

// ---- numbers

void number(Context& c, uint64_t value) { c.set(int_word(c.result_type().elem, value)); }

template <unsigned kDim>
void tid(Context& c) {
  const Threads& threads = threads_of(c);
  uint32_t rest = threads.linear();
  for (unsigned dim = 0; dim < kDim; ++dim) rest /= threads.dims[dim];
  number(c, kDim == 2 ? rest : rest % threads.dims[kDim]);
}
template <unsigned kDim>
void block_dim(Context& c) {
  number(c, threads_of(c).dims[kDim]);
}
/// A launch of a vector core is no grid: a public golden has 0 for its sizes and for its block.
void of_grid(Context& c) { number(c, 0); }

void lane_id(Context& c) { number(c, threads_of(c).lane); }
void lanes_equal(Context& c) { number(c, uint32_t{1} << threads_of(c).lane); }
void lanes_below(Context& c) { number(c, (uint32_t{1} << threads_of(c).lane) - 1); }
void lanes_upto(Context& c) { number(c, ~uint32_t{0} >> (kWarpLanes - 1 - threads_of(c).lane)); }
void lanes_from(Context& c) { number(c, ~uint32_t{0} << threads_of(c).lane); }
void lanes_above(Context& c) { number(c, ~uint32_t{0} << threads_of(c).lane << 1); }

void core_number(Context& c) { number(c, threads_of(c).core); }
void clock(Context& c) { number(c, threads_of(c).cycle); }

// ---- exchange between the lanes of a warp

/// Calls for every active lane.
template <typename F>
void each_lane(const Threads& threads, F&& visit) {
  for (uint32_t rest = threads.active; rest != 0; rest &= rest - 1)
    visit(static_cast<uint32_t>(std::countr_zero(rest)));
}

Word word_of(const Context& c, const Threads& threads, uint32_t lane, unsigned slot) {
  return threads.frames[lane][c.ref(slot).offset];
}
/// The same result for every active lane.
void tell_all(const Context& c, Word value) {
  const Threads& threads = threads_of(c);
  each_lane(threads, [&](uint32_t lane) { threads.frames[lane][c.inst->results[0].offset] = value; });
}

/// Lanes whose predicate holds.
uint32_t ballot_of(const Context& c) {
  const Threads& threads = threads_of(c);
  uint32_t bits = 0;
  each_lane(threads, [&](uint32_t lane) {
    if ((word_of(c, threads, lane, 0) & 1) != 0) bits |= uint32_t{1} << lane;
  });
  return bits;
}
void vote_all(Context& c) { tell_all(c, ballot_of(c) == threads_of(c).active); }
void vote_any(Context& c) { tell_all(c, ballot_of(c) != 0); }
void vote_uni(Context& c) {
  const uint32_t bits = ballot_of(c);
  tell_all(c, bits == 0 || bits == threads_of(c).active);
}
void vote_ballot(Context& c) { tell_all(c, int_word(Elem::i32, ballot_of(c))); }

enum class Shuffle : uint8_t { index, up, down, butterfly };

/// The lane whose value a lane takes; its own beyond the border of its group.
template <Shuffle kKind>
uint32_t source_lane(uint32_t lane, int64_t by, uint32_t width) {
  const uint32_t base = lane - lane % width;
  const uint32_t at = lane % width;
  int64_t from = 0;
  if constexpr (kKind == Shuffle::index) from = by;
  if constexpr (kKind == Shuffle::up) from = at - by;
  if constexpr (kKind == Shuffle::down) from = at + by;
  if constexpr (kKind == Shuffle::butterfly) from = static_cast<int64_t>(at) ^ by;
  return from < 0 || from >= width ? lane : base + static_cast<uint32_t>(from);
}

template <Shuffle kKind>
void shuffle(Context& c) {
  const Threads& threads = threads_of(c);
  const uint32_t words = words_of(c.result_type());
  const uint32_t to = c.inst->results[0].offset;
  const uint32_t from = c.ref(0).offset;
  const auto width = static_cast<uint32_t>(c.attr(0));
  // All of them read before one of them writes: a result may be in place of the value.
  std::array<std::array<Word, 2>, kWarpLanes> values{};
  if (words > values[0].size())
    return c.fault(Fault::unsupported, "a shuffle of more than 16 bytes is not supported");
  each_lane(threads, [&](uint32_t lane) {
    uint32_t source = source_lane<kKind>(lane, static_cast<int32_t>(word_of(c, threads, lane, 1)), width);
    if (!threads.takes_part(source)) {
      c.fault(Fault::undefined_value, "lane " + std::to_string(lane) + " takes the value of lane " +
                                          std::to_string(source) + ", which takes no part");
      source = lane;
    }
    std::memcpy(values[lane].data(), threads.frames[source] + from, words * sizeof(Word));
  });
  each_lane(threads, [&](uint32_t lane) {
    std::memcpy(threads.frames[lane] + to, values[lane].data(), words * sizeof(Word));
  });
}

enum class Redux : uint8_t { add, max, min };

bool is_unsigned_word(const Context& c, unsigned attribute) {
  return c.attr_set(attribute) && c.attr(attribute) != 0;
}

/// Floats are added lane by lane, each sum rounded: nothing public says in which order.
template <Redux kKind>
void redux(Context& c) {
  const Threads& threads = threads_of(c);
  const Elem elem = c.result_type().elem;
  const bool plain = is_unsigned_word(c, 0);
  bool first = true;
  Word all = 0;
  const auto integers = [&](Word a, Word b) -> Word {
    if (kKind == Redux::add) return int_word(elem, a + b);
    const bool above = plain ? unsigned_value(elem, a) > unsigned_value(elem, b)
                             : signed_value(elem, a) > signed_value(elem, b);
    return above == (kKind == Redux::max) ? a : b;
  };
  const auto floats = [&](Word a, Word b) -> Word {
    const double x = num::to_f64(elem, a);
    const double y = num::to_f64(elem, b);
    const double value = kKind == Redux::add   ? canonical(x + y)
                         : kKind == Redux::max ? maximum(x, y)
                                               : minimum(x, y);
    return num::from_f64(elem, value);
  };
  each_lane(threads, [&](uint32_t lane) {
    const Word value = word_of(c, threads, lane, 0);
    all = first ? value : is_float(elem) ? floats(all, value) : integers(all, value);
    first = false;
  });
  tell_all(c, all);
}

// ---- values that a thread keeps

bool is_wide(const Type& type) { return byte_width(type.elem) > 4; }

KeptValues::Slot* slots_of(const Context& c, int64_t slot, bool wide) {
  const Threads& threads = threads_of(c);
  if (slot < 0 || slot + (wide ? 1 : 0) >= kKeptSlots) {
    c.fault(Fault::bad_operand, "slot " + std::to_string(slot) + "; a thread has slots 0..122");
    return nullptr;
  }
  KeptValues& kept = *threads.kept;
  if (kept.slots.empty()) kept.slots.resize(size_t{threads.count()} * kKeptSlots);
  return kept.slots.data() + size_t{threads.linear()} * kKeptSlots + static_cast<size_t>(slot);
}

void keep(Context& c) {
  const Type& type = c.type(0);
  KeptValues::Slot* slot = slots_of(c, c.attr(0), is_wide(type));
  if (slot == nullptr) return;
  const Word word = c.word(0);
  slot[0] = {static_cast<uint32_t>(word), type.elem};
  if (is_wide(type)) slot[1] = {static_cast<uint32_t>(word >> 32), Elem::none};
}
void resume(Context& c) {
  const Type& type = c.result_type();
  c.set(0);
  const KeptValues::Slot* slot = slots_of(c, c.attr(0), is_wide(type));
  if (slot == nullptr) return;
  if (slot->elem != type.elem) {
    const std::string what = slot->elem == Elem::none
                                 ? "no launch of this shape kept a value in slot "
                                 : "a value of type " + std::string(to_string(slot->elem)) + " is in slot ";
    return c.fault(Fault::undefined_value, what + std::to_string(c.attr(0)));
  }
  uint64_t bits = slot[0].bits;
  if (is_wide(type)) bits |= uint64_t{slot[1].bits} << 32;
  c.set(is_integer(type.elem) ? int_word(type.elem, bits) : bits);
}

constexpr Semantics kThreads[] = {
    {"pto.get_tid_x", tid<0>},
    {"pto.get_tid_y", tid<1>},
    {"pto.get_tid_z", tid<2>},
    {"pto.get_block_dim_x", block_dim<0>},
    {"pto.get_block_dim_y", block_dim<1>},
    {"pto.get_block_dim_z", block_dim<2>},
    {"pto.get_block_idx_x", of_grid},
    {"pto.get_block_idx_y", of_grid},
    {"pto.get_block_idx_z", of_grid},
    {"pto.get_grid_dim_x", of_grid},
    {"pto.get_grid_dim_y", of_grid},
    {"pto.get_grid_dim_z", of_grid},
    {"pto.get_laneid", lane_id},
    {"pto.get_lanemask_eq", lanes_equal},
    {"pto.get_lanemask_lt", lanes_below},
    {"pto.get_lanemask_le", lanes_upto},
    {"pto.get_lanemask_ge", lanes_from},
    {"pto.get_lanemask_gt", lanes_above},
    {"pto.get_veccoreid", core_number},
    {"pto.get_clock32", clock},
    {"pto.get_clock64", clock},
    {"pto.keep", keep},
    {"pto.resume", resume},
};

constexpr Semantics kExchange[] = {
    {"pto.vote_all", vote_all},
    {"pto.vote_any", vote_any},
    {"pto.vote_uni", vote_uni},
    {"pto.vote_ballot", vote_ballot},
    {"pto.shuffle_idx", shuffle<Shuffle::index>},
    {"pto.shuffle_up", shuffle<Shuffle::up>},
    {"pto.shuffle_down", shuffle<Shuffle::down>},
    {"pto.shuffle_bfly", shuffle<Shuffle::butterfly>},
    {"pto.redux_add", redux<Redux::add>},
    {"pto.redux_max", redux<Redux::max>},
    {"pto.redux_min", redux<Redux::min>},
};

}  // namespace

std::span<const Semantics> thread_values() { return kThreads; }
std::span<const Semantics> lane_exchange() { return kExchange; }

}  // namespace pto::exec
