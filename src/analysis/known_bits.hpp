// The low bits of numbers that the program computes: what is known of an address where the turn of a loop or
// a parameter decides about the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "ir/regions.hpp"

namespace pto::legality {

/// The lowest `count` bits of a number are those of `bits`; all of a constant.
struct KnownLowBits {
  unsigned count = 0;
  uint64_t bits = 0;

  static constexpr unsigned kAll = 64;
  [[nodiscard]] bool constant() const { return count == kAll; }
  /// Whether the number is certainly no multiple of a power of two.
  [[nodiscard]] bool is_definitely_misaligned(uint64_t unit) const;
  /// "at 16", "8 behind a multiple of 16", as far as `unit` reaches.
  [[nodiscard]] std::string place(uint64_t unit) const;
};
KnownLowBits known_constant(int64_t number);
KnownLowBits sum(const KnownLowBits& a, const KnownLowBits& b);
KnownLowBits product(const KnownLowBits& a, const KnownLowBits& b);

/// Counters of loops in one of their turns.
struct LoopIteration {
  ValueId counter = kNoValue;
  int64_t number = 0;
};
using IterationVector = std::vector<LoopIteration>;

class LowBitsSearch;

class LowBitsAnalysis {
 public:
  LowBitsAnalysis(const Program& program, const Constants& constants);

  /// In the given turns of loops, or in any.
  [[nodiscard]] KnownLowBits low_bits(ValueId value, std::span<const LoopIteration> iterations) const;
  /// Turns in which an operation of a kernel certainly runs, whatever the inputs are: of the loops around it
  /// the first ones, and of each the second one and the last. None where something else decides whether it
  /// runs.
  [[nodiscard]] const std::vector<IterationVector>& definitely_executed_iterations(uint32_t op) const;

 private:
  friend class LowBitsSearch;
  [[nodiscard]] std::vector<IterationVector> turns_inside(uint32_t around) const;
  /// What a value of a loop's body is in each turn: its counter (0), or what the loop carries.
  struct Part {
    uint32_t loop = kNoOp, position = 0;
  };

  const Program& program_;
  const Constants& constants_;
  RegionTree tree_;
  std::vector<Part> parts_;  ///< by value; no loop for others
  mutable std::unordered_map<uint32_t, std::vector<IterationVector>> certain_;  ///< by the operation around
};

/// " where %i = 1 and %j = 0"
std::string words_of(const Program& program, std::span<const LoopIteration> iterations);

/// An address that is no multiple of what it has to be.
struct Misaligned {
  KnownLowBits address;
  std::string when;  ///< " where %i = 1"; "": always
};
/// Whether what `address` gives for turns misses a power of two, in all turns or in one that certainly comes.
template <typename SymbolicAddress>
std::optional<Misaligned> misaligned(const LowBitsAnalysis& numbers, const OpView& op, uint64_t unit,
                                     SymbolicAddress address) {
  const KnownLowBits any = address(IterationVector{});
  if (any.is_definitely_misaligned(unit)) return Misaligned{any, {}};
  if (any.count >= KnownLowBits::kAll || (uint64_t{1} << any.count) >= unit) return std::nullopt;
  for (const IterationVector& iterations : numbers.definitely_executed_iterations(op.index())) {
    const KnownLowBits at = address(iterations);
    if (at.is_definitely_misaligned(unit)) return Misaligned{at, words_of(op.program(), iterations)};
  }
  return std::nullopt;
}

}  // namespace pto::legality
