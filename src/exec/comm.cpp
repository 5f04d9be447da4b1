// Communication as one device sees it: its windows are its own, so a copy to a peer is a copy in GM, and a
// signal is a word there. Cache maintenance and fences of memory change no value.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "exec/atomic.hpp"
#include "exec/tile_layout.hpp"
#include "exec/tile_view.hpp"

namespace pto::exec {
namespace {

void nothing(Context&) {}

/// The tile that a copy goes through keeps its last chunk.
void leave_in_tile(Context& c, const Window& from, uint64_t rows, uint64_t cols) {
  const TileDesc& desc = c.tile(2);
  const uint64_t height = desc.valid_rows, width = desc.valid_cols;
  if (height == 0 || width == 0) return;
  const uint64_t row = (rows - 1) / height * height, col = (cols - 1) / width * width;
  const Tile tile(c, 2, AccessMode::write, std::min(height, rows - row), std::min(width, cols - col));
  if (!tile.good()) return;
  for (uint64_t r = 0; r < tile.rows(); ++r) {
    for (uint64_t k = 0; k < tile.cols(); ++k) {
      uint64_t bits = 0;
      std::memcpy(&bits, from.at(row + r, col + k), tile.size());
      tile.put_bits(r, k, bits);
    }
  }
}

void copy(Context& c, bool add) {
  const ViewDesc &to = c.view(0), &from = c.view(1);
  const WindowMap from_map(from), to_map(to);
  const uint64_t rows = std::min(from_map.rows(), to_map.rows()),
                 cols = std::min(from_map.cols(), to_map.cols());
  if (rows == 0 || cols == 0) return;
  const Elem elem = c.type(1).elem;
  const uint32_t size = byte_width(elem);
  const Window source(c, from, AccessMode::read, rows, cols, size);
  if (!source.good()) return;
  const Window target(c, to, add ? AccessMode::update : AccessMode::write, rows, cols, size);
  if (!target.good()) return;
  if (c.type(2).is_tile()) leave_in_tile(c, source, rows, cols);
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t col = 0; col < cols; ++col) {
      if (add)
        atomic_update(elem, AtomicOp::add, target.at(row, col), source.at(row, col));
      else
        std::memmove(target.at(row, col), source.at(row, col), size);
    }
  }
}
void tput(Context& c) { copy(c, c.attr(0) == 1); }
void tget(Context& c) { copy(c, false); }

enum NotifyOp : int64_t { kAdd, kSet };

/// The first word of the window; setting it reads nothing.
void tnotify(Context& c) {
  const bool set = c.attr(0) == kSet;
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

enum WaitCmp : int64_t { kEq, kNe, kGt, kGe, kLt, kLe };

bool compares(int64_t cmp, int32_t a, int32_t b) {
  switch (cmp) {
    case kEq:
      return a == b;
    case kNe:
      return a != b;
    case kGt:
      return a > b;
    case kGe:
      return a >= b;
    case kLt:
      return a < b;
    default:
      return a <= b;
  }
}

/// Whether all words of the window compare; true after a finding, so that nobody waits for them.
bool all_compare(Context& c) {
  const WindowMap map(c.view(0));
  const uint64_t rows = map.rows(), cols = map.cols();
  const Window window(c, c.view(0), AccessMode::read, rows, cols, sizeof(int32_t));
  if (rows == 0 || cols == 0 || !window.good()) return true;
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t col = 0; col < cols; ++col) {
      int32_t value = 0;
      std::memcpy(&value, window.at(row, col), sizeof value);
      if (!compares(c.attr(0), value, static_cast<int32_t>(c.i64(1)))) return false;
    }
  }
  return true;
}
void twait(Context& c) { c.again = !all_compare(c); }
void ttest(Context& c) { c.set(all_compare(c) ? 1 : 0); }

/// Sessions, contexts and events say nothing: a transfer is done when it has been started.
void handle(Context& c) { c.set(0); }
void transfer(Context& c) {
  copy(c, false);
  c.set(0);
}
void completed(Context& c) { c.set(1); }

constexpr Semantics kTable[] = {
    {"pto.comm.tput", tput},
    {"pto.comm.tget", tget},
    {"pto.comm.tnotify", tnotify},
    {"pto.comm.twait", twait},
    {"pto.cmo.cacheinvalid", nothing},
    {"pto.dsb", nothing},
    {"pto.dcci", nothing},
    {"pto.comm.ttest", ttest},
    {"pto.comm.build_async_session", handle},
    {"pto.build_async_session", handle},
    {"pto.make_prefetch_async_context", handle},
    {"pto.get_prefetch_async_session", handle},
    {"pto.tprefetch_async", handle},
    {"pto.comm.tput_async", transfer},
    {"pto.tput_async", transfer},
    {"pto.comm.tget_async", transfer},
    {"pto.tget_async", transfer},
    {"pto.comm.wait_async_event", completed},
    {"pto.wait_async_event", completed},
    {"pto.comm.test_async_event", completed},
    {"pto.test_async_event", completed},
};

}  // namespace

std::span<const Semantics> comm() { return kTable; }

}  // namespace pto::exec
