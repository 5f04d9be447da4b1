#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/strided_copy.cpp"
#include "exec/strided_copy.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace pto::exec {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// 8 x 8 elements of 16 bits: to[i][j] = from[j][i], rows `from_pitch` and `to_pitch` elements apart.
HWY_ATTR void transpose_16(const uint16_t* from, ptrdiff_t from_pitch, uint16_t* to, ptrdiff_t to_pitch) {
#if HWY_TARGET == HWY_SCALAR
  for (ptrdiff_t i = 0; i < 8; ++i) {
    for (ptrdiff_t j = 0; j < 8; ++j) to[i * to_pitch + j] = from[j * from_pitch + i];
  }
#else
  const hn::FixedTag<uint16_t, 8> d;
  const hn::FixedTag<uint32_t, 4> d32;
  const hn::FixedTag<uint64_t, 2> d64;
  using V = hn::Vec<decltype(d)>;
  const auto row = [&](ptrdiff_t i) { return hn::LoadU(d, from + i * from_pitch); };
  const auto low32 = [&](V a, V b) {
    return hn::BitCast(d64, hn::InterleaveLower(d32, hn::BitCast(d32, a), hn::BitCast(d32, b)));
  };
  const auto high32 = [&](V a, V b) {
    return hn::BitCast(d64, hn::InterleaveUpper(d32, hn::BitCast(d32, a), hn::BitCast(d32, b)));
  };
  // Pairs of rows, then pairs of pairs: elements 0 to 3 and 4 to 7 of four rows each.
  const V a0 = hn::InterleaveLower(d, row(0), row(1));
  const V a1 = hn::InterleaveUpper(d, row(0), row(1));
  const V b0 = hn::InterleaveLower(d, row(2), row(3));
  const V b1 = hn::InterleaveUpper(d, row(2), row(3));
  const V c0 = hn::InterleaveLower(d, row(4), row(5));
  const V c1 = hn::InterleaveUpper(d, row(4), row(5));
  const V e0 = hn::InterleaveLower(d, row(6), row(7));
  const V e1 = hn::InterleaveUpper(d, row(6), row(7));
  const auto put = [&](ptrdiff_t i, auto upper, auto lower) {
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(d64, upper, lower)), d, to + i * to_pitch);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(d64, upper, lower)), d, to + (i + 1) * to_pitch);
  };
  put(0, low32(a0, b0), low32(c0, e0));
  put(2, high32(a0, b0), high32(c0, e0));
  put(4, low32(a1, b1), low32(c1, e1));
  put(6, high32(a1, b1), high32(c1, e1));
#endif
}

/// `columns` x `rows` elements, both multiples of 8.
HWY_ATTR void transpose_blocks(const uint16_t* from, ptrdiff_t from_pitch, uint16_t* to, ptrdiff_t to_pitch,
                               size_t rows, size_t columns) {
  constexpr size_t kSide = 8;
  for (size_t r = 0; r < rows; r += kSide) {
    for (size_t c = 0; c < columns; c += kSide) {
      const auto at_row = static_cast<ptrdiff_t>(r);
      const auto at_column = static_cast<ptrdiff_t>(c);
      transpose_16(from + at_row * from_pitch + at_column, from_pitch, to + at_column * to_pitch + at_row,
                   to_pitch);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace pto::exec
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pto::exec {
HWY_EXPORT(transpose_blocks);

namespace {

/// One loop, the innermost.
template <typename T>
void line(const T* from, int64_t from_step, T* to, int64_t to_step, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i, from += from_step, to += to_step) std::memcpy(to, from, sizeof(T));
}

/// Two loops whose inner one moves pieces of a fixed size.
template <size_t kBytes>
void pieces(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i, from += from_step, to += to_step) std::memcpy(to, from, kBytes);
}

void pieces_of(size_t bytes, const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
               uint64_t n) {
  constexpr size_t kRow = 32, kFractal = 512;
  if (bytes == kRow) return pieces<kRow>(from, from_step, to, to_step, n);
  if (bytes == 2 * kRow) return pieces<2 * kRow>(from, from_step, to, to_step, n);
  if (bytes == kFractal) return pieces<kFractal>(from, from_step, to, to_step, n);
  for (uint64_t i = 0; i < n; ++i, from += from_step, to += to_step) std::memcpy(to, from, bytes);
}

}  // namespace

bool StridedCopy::add(const IndexDigits& from, const IndexDigits& to) {
  if (from.n == 0 || to.n == 0) return false;
  size_t a = 0, b = 0;
  IndexDigits::Digit source = from.digits[0];
  IndexDigits::Digit target = to.digits[0];
  for (;;) {
    const uint64_t extent = std::min(source.extent, target.extent);
    if (extent == 0 || source.extent % extent != 0 || target.extent % extent != 0) return false;
    add_loop(extent, source.stride, target.stride);
    const auto rest = [extent](IndexDigits::Digit& digit) {
      digit = {digit.extent / extent, digit.stride * static_cast<int64_t>(extent)};
    };
    rest(source);
    rest(target);
    if (source.extent == 1 && ++a < from.n) source = from.digits[a];
    if (target.extent == 1 && ++b < to.n) target = to.digits[b];
    if (a == from.n || b == to.n) return a == from.n && b == to.n;
  }
}

void StridedCopy::add_loop(uint64_t extent, int64_t from, int64_t to) {
  if (extent != 1) loops_[n_++] = {extent, from, to};
}

void StridedCopy::order(bool by_source) {
  const auto size = [&](const Loop& loop) {
    const int64_t first = by_source ? loop.from : loop.to;
    const int64_t second = by_source ? loop.to : loop.from;
    return std::pair(first < 0 ? -first : first, second < 0 ? -second : second);
  };
  const auto begin = loops_.begin();
  const auto end = begin + static_cast<ptrdiff_t>(n_);
  std::stable_sort(begin, end, [&](const Loop& a, const Loop& b) { return size(a) > size(b); });
  // Neighbours that are one loop in both.
  size_t kept = 0;
  for (size_t i = 0; i < n_; ++i) {
    const auto extent = static_cast<int64_t>(loops_[i].extent);
    if (kept != 0 && loops_[kept - 1].from == loops_[i].from * extent &&
        loops_[kept - 1].to == loops_[i].to * extent)
      loops_[kept - 1] = {loops_[kept - 1].extent * loops_[i].extent, loops_[i].from, loops_[i].to};
    else
      loops_[kept++] = loops_[i];
  }
  n_ = kept;
}

bool StridedCopy::apart(const std::byte* from, const std::byte* to, uint32_t size) const {
  int64_t from_low = 0, from_high = 0, to_low = 0, to_high = 0;
  for (size_t i = 0; i < n_; ++i) {
    const auto steps = static_cast<int64_t>(loops_[i].extent) - 1;
    (loops_[i].from < 0 ? from_low : from_high) += steps * loops_[i].from;
    (loops_[i].to < 0 ? to_low : to_high) += steps * loops_[i].to;
  }
  const auto end = [&](const std::byte* base, int64_t high) { return base + (high + 1) * int64_t{size}; };
  return end(from, from_high) <= to + to_low * int64_t{size} ||
         end(to, to_high) <= from + from_low * int64_t{size};
}

bool StridedCopy::same() const {
  return std::all_of(loops_.begin(), loops_.begin() + static_cast<ptrdiff_t>(n_),
                     [](const Loop& loop) { return loop.from == loop.to; });
}

bool StridedCopy::distinct() const {
  auto loops = loops_;
  const auto end = loops.begin() + static_cast<ptrdiff_t>(n_);
  const auto step = [](const Loop& loop) { return loop.to < 0 ? -loop.to : loop.to; };
  std::sort(loops.begin(), end, [&](const Loop& a, const Loop& b) { return step(a) < step(b); });
  int64_t reach = 0;
  for (auto loop = loops.begin(); loop != end; ++loop) {
    if (step(*loop) <= reach) return false;
    reach += step(*loop) * (static_cast<int64_t>(loop->extent) - 1);
  }
  return true;
}

void StridedCopy::run(const std::byte* from, std::byte* to, uint32_t size, bool by_source) {
  order(by_source);
  size_t inner = n_;  // loops in front of the kernel below
  const auto bytes = [&](int64_t elements) { return elements * int64_t{size}; };
  const bool together = n_ != 0 && loops_[n_ - 1].from == 1 && loops_[n_ - 1].to == 1;
  const size_t piece = together ? loops_[n_ - 1].extent * size : size;
  // A loop that is a row of one side, and one that is a row of the other.
  constexpr uint64_t kSide = 8;
  const auto along = [&](int64_t Loop::*side) {
    for (size_t i = n_; i > 0; --i) {
      if (loops_[i - 1].*side == 1 && loops_[i - 1].extent % kSide == 0) return i - 1;
    }
    return n_;
  };
  const size_t row = along(&Loop::from);
  const size_t column = along(&Loop::to);
  const bool transposes = size == sizeof(uint16_t) && !together && row != n_ && column != n_ && row != column;
  Loop last, before;
  if (transposes) {
    last = loops_[row];
    before = loops_[column];
    const size_t first = std::min(row, column);
    const size_t second = std::max(row, column);
    std::move(loops_.begin() + static_cast<ptrdiff_t>(second) + 1,
              loops_.begin() + static_cast<ptrdiff_t>(n_), loops_.begin() + static_cast<ptrdiff_t>(second));
    std::move(loops_.begin() + static_cast<ptrdiff_t>(first) + 1,
              loops_.begin() + static_cast<ptrdiff_t>(n_) - 1,
              loops_.begin() + static_cast<ptrdiff_t>(first));
    inner = n_ -= 2;
  } else {
    if (together) --inner;
    if (inner != 0) last = loops_[--inner];
  }
  std::array<uint64_t, kMax> at{};
  for (;;) {
    if (transposes) HWY_DYNAMIC_DISPATCH(transpose_blocks)
    (reinterpret_cast<const uint16_t*>(from), before.from, reinterpret_cast<uint16_t*>(to), last.to,
     before.extent, last.extent);
    else if (together) pieces_of(piece, from, bytes(last.from), to, bytes(last.to), last.extent);
    else if (size == sizeof(uint8_t)) line(from, last.from, to, last.to, last.extent);
    else if (size == sizeof(uint16_t)) line(reinterpret_cast<const uint16_t*>(from), last.from,
                                            reinterpret_cast<uint16_t*>(to), last.to, last.extent);
    else if (size == sizeof(uint32_t)) line(reinterpret_cast<const uint32_t*>(from), last.from,
                                            reinterpret_cast<uint32_t*>(to), last.to, last.extent);
    else line(reinterpret_cast<const uint64_t*>(from), last.from, reinterpret_cast<uint64_t*>(to), last.to,
              last.extent);
    // The outer loops, as a counter.
    size_t digit = inner;
    for (; digit > 0; --digit) {
      const Loop& loop = loops_[digit - 1];
      from += bytes(loop.from);
      to += bytes(loop.to);
      if (++at[digit - 1] < loop.extent) break;
      at[digit - 1] = 0;
      const auto all = static_cast<int64_t>(loop.extent);
      from -= bytes(all * loop.from);
      to -= bytes(all * loop.to);
    }
    if (digit == 0) return;
  }
}

}  // namespace pto::exec
#endif
