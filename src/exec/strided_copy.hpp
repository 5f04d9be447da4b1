// Copies elements from one layout to another, as a nest of loops over strides. Elements that are
// contiguous in both layouts are moved together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pto::exec {

/// An index range as digits with a distance each, in elements; the fastest digit first.
struct IndexDigits {
  struct Digit {
    uint64_t extent = 1;
    int64_t stride = 0;
  };
  static constexpr size_t kMax = 5;
  std::array<Digit, kMax> digits{};
  size_t n = 0;  ///< 0: the range has no such form
  void add(uint64_t extent, int64_t stride) { digits[n++] = {extent, stride}; }
};

class StridedCopy {
 public:
  /// Adds a range of indices with its digits in the source and in the destination. False if the two
  /// cut the range at different positions.
  bool add(const IndexDigits& from, const IndexDigits& to);
  /// Copies elements of 1, 2, 4 or 8 bytes; the memories do not overlap. `by_source`: reads in the order of
  /// addresses rather than writes.
  void run(const std::byte* from, std::byte* to, uint32_t size, bool by_source);
  /// Whether both layouts are equal.
  [[nodiscard]] bool same() const;
  /// Whether no element of the destination is written twice.
  [[nodiscard]] bool distinct() const;
  /// Whether the elements at `from` and those at `to` lie apart.
  [[nodiscard]] bool apart(const std::byte* from, const std::byte* to, uint32_t size) const;

 private:
  struct Loop {
    uint64_t extent = 1;
    int64_t from = 0, to = 0;
  };
  void add_loop(uint64_t extent, int64_t from, int64_t to);
  void order(bool by_source);

  static constexpr size_t kMax = 4 * IndexDigits::kMax;
  std::array<Loop, kMax> loops_{};  ///< after order(): the outer ones first
  size_t n_ = 0;
};

}  // namespace pto::exec
