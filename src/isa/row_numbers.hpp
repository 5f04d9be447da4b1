// A small number for each row of the instruction table, computed at its first use. It replaces
// a search in the strings of the row for each operation.
//
//   static RowNumbers known;  // in a function
//   return known.of(row, [&] { return row_has_scratch(row) ? 1 : 0; });
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "isa/row.hpp"

namespace pto::isa {

/// Safe from several threads: all of them compute the same.
class RowNumbers {
 public:
  /// `compute()`: a number below 255.
  template <typename Compute>
  uint8_t of(RowId id, Compute compute) {
    std::atomic<uint8_t>& number = numbers_[id];
    const uint8_t known = number.load(std::memory_order_relaxed);
    if (known != 0) return known - 1;
    const auto built = static_cast<uint8_t>(compute());
    number.store(built + 1, std::memory_order_relaxed);
    return built;
  }

 private:
  std::unique_ptr<std::atomic<uint8_t>[]> numbers_ {
    new std::atomic<uint8_t>[ rows().size() ]()
  };  ///< 0: unasked
};

}  // namespace pto::isa
