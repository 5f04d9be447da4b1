// Communication as one device sees it: its windows are its own, so a copy to a peer is a copy in GM, and a
// signal is a word there. Cache maintenance and fences of memory change no value; observers are notified of
// it.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "exec/atomic_update.hpp"
#include "exec/lane_ops.hpp"
#include "exec/peer_access.hpp"
#include "exec/scalar/descriptors.hpp"
#include "exec/tile/layout.hpp"
#include "exec/tile/view.hpp"
#include "isa/cmp_predicate.hpp"

namespace pto::exec {
namespace {

constexpr unsigned kNoTile = ~0u;

void nothing(Context&) {}

/// The line of the address, or everything without one.
void cacheinvalid(Context& c) { c.memory->clean_cache(c.has(0) ? address_of(c, 0) : 0, !c.has(0)); }
enum DcciScope : int64_t { kOneLine, kEntireCache };
enum DcciDst : int64_t { kAllMemories, kUbOnly };
void dcci(Context& c) {
  if (c.attr_set(1) && c.attr(1) == kUbOnly) return;
  c.memory->clean_cache(c.word(0), c.attr(0) == kEntireCache);
}
/// Signals do not stay in the cache: the library cleans and drops their lines around each access.
void clean_window(Context& c) { c.memory->clean_cache(c.view(0).addr, false); }

/// The tile that a copy goes through keeps its last chunk.
void leave_in_tile(Context& c, unsigned slot, const Window& from, uint64_t rows, uint64_t cols) {
  if (slot == kNoTile || !c.type(slot).is_tile()) return;
  const TileDesc& desc = c.tile(slot);
  const uint64_t height = desc.valid_rows, width = desc.valid_cols;
  if (height == 0 || width == 0) return;
  const uint64_t row = (rows - 1) / height * height;
  const uint64_t col = (cols - 1) / width * width;
  const Tile tile(c, slot, AccessMode::write, std::min(height, rows - row), std::min(width, cols - col));
  if (!tile.good()) return;
  for (uint64_t r = 0; r < tile.rows(); ++r) {
    for (uint64_t k = 0; k < tile.cols(); ++k) {
      uint64_t bits = 0;
      std::memcpy(&bits, from.at(row + r, col + k), tile.size());
      tile.put_bits(r, k, bits);
    }
  }
}

/// In how many parts a window goes through the tile.
uint64_t parts_through(const Context& c, unsigned slot, uint64_t rows, uint64_t cols) {
  if (slot == kNoTile || !c.type(slot).is_tile()) return 1;
  const uint64_t height = c.tile(slot).valid_rows;
  const uint64_t width = c.tile(slot).valid_cols;
  if (height == 0 || width == 0) return 1;
  return sat_mul(static_cast<int64_t>((rows + height - 1) / height),
                 static_cast<int64_t>((cols + width - 1) / width));
}

/// From window to window, by way of the tile in `slot`.
void transfer(Context& c, const ViewDesc& to, const ViewDesc& from, Elem elem, unsigned slot,
              bool add = false) {
  const WindowMap from_map(from), to_map(to);
  const uint64_t rows = std::min(from_map.rows(), to_map.rows());
  const uint64_t cols = std::min(from_map.cols(), to_map.cols());
  if (rows == 0 || cols == 0) return;
  const uint32_t size = byte_width(elem);
  will_take(c, parts_through(c, slot, rows, cols));
  const Window source(c, from, AccessMode::read, rows, cols, size);
  if (!source.good()) return;
  if (add) will_add(c, elem);
  const Window target(c, to, add ? AccessMode::update : AccessMode::write, rows, cols, size);
  if (!target.good()) return;
  if (!add && meets_itself(to, rows, cols))
    c.fault(Fault::bad_operand,
            "the destination window overlaps itself: elements share bytes, and the element that remains is "
            "unspecified");
  leave_in_tile(c, slot, source, rows, cols);
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t col = 0; col < cols; ++col) {
      if (add)
        atomic_update(elem, AtomicOp::add, target.at(row, col), source.at(row, col));
      else
        std::memmove(target.at(row, col), source.at(row, col), size);
    }
  }
}
void tput(Context& c) { transfer(c, c.view(0), c.view(1), c.type(1).elem, 2, c.attr(0) == 1); }
void tget(Context& c) { transfer(c, c.view(0), c.view(1), c.type(1).elem, 2); }

// ---- groups: the members' windows are those of this device

/// Operands of tbroadcast, tscatter and tgather.
enum GroupSlot : unsigned { kOwn, kPing, kPong, kMembers };

void tbroadcast(Context& c) {
  for (unsigned k = 0; k < c.count(kMembers); ++k)
    transfer(c, c.as<ViewDesc>(kMembers, k), c.view(kOwn), c.type(kOwn).elem, kPing);
}

constexpr size_t kRowDimension =
    3;  ///< the dimension in which the parts of the members stand one behind the other

/// The part of a window that is member k's; a finding, and nothing, where the window is too small.
std::optional<ViewDesc> part_of(Context& c, unsigned k) {
  const ViewDesc& own = c.view(kOwn);
  const int64_t height = c.as<ViewDesc>(kMembers, k).shape[kRowDimension];
  const int64_t begin = sat_mul(height, static_cast<int64_t>(k));
  const WindowMap map(own);
  if (height <= 0 || map.rows() == 0 || map.cols() == 0) return std::nullopt;
  if (sat_add(begin, height) > own.shape[kRowDimension]) {
    c.fault(Fault::bad_operand, fmt::format("{} rows do not hold {} parts of {} rows",
                                            own.shape[kRowDimension], c.count(kMembers), height));
    return std::nullopt;
  }
  const uint32_t size = byte_width(c.type(kOwn).elem);
  if (map.reach(map.rows(), map.cols()) >=
      WindowMap::kMaxMagnitude / 8) {  // nothing in GM is there: says which byte
    const Window whole(c, own, AccessMode::read, map.rows(), map.cols(), size);
    return std::nullopt;
  }
  ViewDesc part = own;
  part.addr += static_cast<uint64_t>(begin * own.stride[kRowDimension] * static_cast<int64_t>(size));
  part.shape[kRowDimension] = height;
  return part;
}

template <bool kToMembers>
void parts(Context& c) {
  for (unsigned k = 0; k < c.count(kMembers); ++k) {
    const std::optional<ViewDesc> part = part_of(c, k);
    if (!part) return;
    const ViewDesc& member = c.as<ViewDesc>(kMembers, k);
    transfer(c, kToMembers ? member : *part, kToMembers ? *part : member, c.type(kOwn).elem, kPing);
  }
}

enum ReduceOp : int64_t { kSum, kMax, kMin };

/// One element of the sum, maximum or minimum, as the tile instructions have it.
template <typename Op>
uint64_t reduced(Elem elem, uint64_t a_bits, uint64_t b_bits) {
  uint64_t bits = 0;
  vec::with_number(elem, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto a = vec::from_bits<T>(a_bits);
    const auto b = vec::from_bits<T>(b_bits);
    if constexpr (!vec::kIsFloat<T>)
      bits = vec::to_bits<T>(Op::template i<T>(a, b));
    else if constexpr (std::is_same_v<Op, Add>)
      bits = vec::to_bits<T>(canonical(Op::f(a, b)));
    else
      bits = vec::to_bits<T>(Op::f(a, b));  // selects
  });
  return bits;
}

/// Combines all members, the first one first.
template <typename Op>
void combine(const Window& target, const std::vector<Window>& members, Elem elem, uint64_t rows,
             uint64_t cols) {
  const uint32_t size = byte_width(elem);
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t col = 0; col < cols; ++col) {
      uint64_t sum = 0;
      std::memcpy(&sum, members.front().at(row, col), size);
      for (size_t k = 1; k < members.size(); ++k) {
        uint64_t next = 0;
        std::memcpy(&next, members[k].at(row, col), size);
        sum = reduced<Op>(elem, sum, next);
      }
      std::memcpy(target.at(row, col), &sum, size);
    }
  }
}

/// The root's own window first, then those of the others in their order.
void treduce(Context& c) {
  enum : unsigned { kDst, kAcc, kReceived, kOther, kGroup };
  const auto op = static_cast<ReduceOp>(c.attr(0));
  const auto root = static_cast<unsigned>(c.attr(1));
  const Elem elem = c.type(kDst).elem;
  const uint32_t size = byte_width(elem);
  const WindowMap to(c.view(kDst)), first(c.as<ViewDesc>(kGroup, 0));
  const uint64_t rows = std::min(to.rows(), first.rows());
  const uint64_t cols = std::min(to.cols(), first.cols());
  if (rows == 0 || cols == 0 || root >= c.count(kGroup)) return;
  will_take(c, parts_through(c, kReceived, rows, cols));
  std::vector<Window> members;
  const auto read = [&](unsigned k) {
    members.emplace_back(c, c.as<ViewDesc>(kGroup, k), AccessMode::read, rows, cols, size);
    return members.back().good();
  };
  if (!read(root)) return;
  for (unsigned k = 0; k < c.count(kGroup); ++k) {
    if (k != root && !read(k)) return;
  }
  const Window target(c, c.view(kDst), AccessMode::write, rows, cols, size);
  if (!target.good()) return;
  if (members.size() > 1) leave_in_tile(c, kReceived, members.back(), rows, cols);
  const auto run = [&]<typename Op>(Op) { combine<Op>(target, members, elem, rows, cols); };
  if (op == kSum) for_target<Add>(c, run);
  if (op == kMax) for_target<Max>(c, run);
  if (op == kMin) for_target<Min>(c, run);
  leave_in_tile(c, kAcc, target, rows, cols);
}

// ---- asynchronous transfers: done when they are started, which is one of the orders they may have

constexpr Word kStarted = 1;  ///< a session or an event; 0 would be one that was not started

void start_session(Context& c) { c.set(kStarted); }
void transfer_async(Context& c) {
  transfer(c, c.view(0), c.view(1), c.type(1).elem, kNoTile);
  c.set(kStarted);
}
void is_done(Context& c) { c.set(1); }

enum NotifyOp : int64_t { kAdd, kSet };

/// The first word of the window; setting it reads nothing.
void tnotify(Context& c) {
  clean_window(c);
  const bool set = c.attr(0) == kSet;
  if (PeerMemory* const peers = peer_memory(c);
      peers != nullptr && peers->notify(c.view(0).addr, static_cast<int32_t>(c.i64(1)), set))
    return;
  std::byte* word = c.memory->access(Space::gm, c.view(0).addr, sizeof(int32_t),
                                     set ? AccessMode::write : AccessMode::update);
  if (word == nullptr) return;
  auto value = static_cast<uint32_t>(c.i64(1));
  if (!set) {
    uint32_t before = 0;
    std::memcpy(&before, word, sizeof before);
    value += before;
  }
  std::memcpy(word, &value, sizeof value);
}

isa::CmpPredicate predicate_of(const Context& c) { return isa::wait_predicate(c.attr(0)); }

/// Whether all words of the window compare; true after a finding, so that nobody waits for them.
bool all_compare(Context& c) {
  const WindowMap map(c.view(0));
  const uint64_t rows = map.rows();
  const uint64_t cols = map.cols();
  const Window window(c, c.view(0), AccessMode::read, rows, cols, sizeof(int32_t));
  if (rows == 0 || cols == 0 || !window.good()) return true;
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t col = 0; col < cols; ++col) {
      int32_t value = 0;
      std::memcpy(&value, window.at(row, col), sizeof value);
      if (!isa::holds(predicate_of(c), value, static_cast<int32_t>(c.i64(1)))) return false;
    }
  }
  return true;
}
bool look(Context& c, bool waits) {
  clean_window(c);
  const bool passed = all_compare(c);
  PeerMemory* const peers = peer_memory(c);
  const bool reported = peers == nullptr || peers->looked(c.view(0), predicate_of(c),
                                                          static_cast<int32_t>(c.i64(1)), passed, waits);
  if (passed || !waits || reported) return passed;
  c.fault(Fault::unsupported, "the words are in the memory of another device, and no wait sees them change");
  return true;
}
void twait(Context& c) { c.again = !look(c, true); }
void ttest(Context& c) { c.set(look(c, false) ? 1 : 0); }

constexpr Semantics kScalarRankCommSemantics[] = {
    {"pto.comm.tput", tput},
    {"pto.comm.tget", tget},
    {"pto.comm.tnotify", tnotify},
    {"pto.comm.twait", twait},
    {"pto.cmo.cacheinvalid", cacheinvalid},
    {"pto.dsb", nothing},
    {"pto.dcci", dcci},
    {"pto.comm.ttest", ttest},
    {"pto.comm.tbroadcast", tbroadcast},
    {"pto.comm.tscatter", parts<true>},
    {"pto.comm.tgather", parts<false>},
    {"pto.comm.treduce", treduce},
    {"pto.comm.build_async_session", start_session},
    {"pto.build_async_session", start_session},
    {"pto.make_prefetch_async_context", start_session},
    {"pto.get_prefetch_async_session", start_session},
    {"pto.tprefetch_async", start_session},
    {"pto.comm.tput_async", transfer_async},
    {"pto.tput_async", transfer_async},
    {"pto.comm.tget_async", transfer_async},
    {"pto.tget_async", transfer_async},
    {"pto.comm.wait_async_event", is_done},
    {"pto.wait_async_event", is_done},
    {"pto.comm.test_async_event", is_done},
    {"pto.test_async_event", is_done},
};

}  // namespace

std::span<const Semantics> comm() { return kScalarRankCommSemantics; }

std::span<const Semantics> notifies() {
  static constexpr Semantics kNotifies[] = {{"pto.comm.tnotify", tnotify}};
  return kNotifies;
}

std::span<const Semantics> transfers() {
  static constexpr Semantics kTransfers[] = {
      {"pto.comm.tput", tput}, {"pto.comm.tbroadcast", tbroadcast}, {"pto.comm.tscatter", parts<true>}};
  return kTransfers;
}

}  // namespace pto::exec
