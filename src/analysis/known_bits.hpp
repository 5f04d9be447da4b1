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
struct LowBits {
  unsigned count = 0;
  uint64_t bits = 0;

  static constexpr unsigned kAll = 64;
  [[nodiscard]] bool constant() const { return count == kAll; }
  /// Whether the number is certainly no multiple of a power of two.
  [[nodiscard]] bool misses(uint64_t unit) const;
  /// "at 16", "8 behind a multiple of 16", as far as `unit` reaches.
  [[nodiscard]] std::string place(uint64_t unit) const;
};
LowBits exactly(int64_t number);
LowBits sum(const LowBits& a, const LowBits& b);
LowBits product(const LowBits& a, const LowBits& b);

/// Counters of loops in one of their turns.
struct Turn {
  ValueId counter = kNoValue;
  int64_t number = 0;
};
using Turns = std::vector<Turn>;

class Search;

class Numbers {
 public:
  Numbers(const Program& program, const Constants& constants);

  /// In the given turns of loops, or in any.
  [[nodiscard]] LowBits low_bits(ValueId value, std::span<const Turn> turns) const;
  /// Turns in which an operation of a kernel certainly runs, whatever the inputs are: of the loops around it
  /// the first ones, and of each the second one and the last. None where something else decides whether it
  /// runs.
  [[nodiscard]] const std::vector<Turns>& certain_turns(uint32_t op) const;

 private:
  friend class Search;
  [[nodiscard]] std::vector<Turns> turns_inside(uint32_t around) const;
  /// What a value of a loop's body is in each turn: its counter (0), or what the loop carries.
  struct Part {
    uint32_t loop = kNoOp, position = 0;
  };

  const Program& program_;
  const Constants& constants_;
  RegionTree tree_;
  std::vector<Part> parts_;                                           ///< by value; no loop for others
  mutable std::unordered_map<uint32_t, std::vector<Turns>> certain_;  ///< by the operation around
};

/// " where %i = 1 and %j = 0"
std::string words_of(const Program& program, std::span<const Turn> turns);

/// An address that is no multiple of what it has to be.
struct Misaligned {
  LowBits address;
  std::string when;  ///< " where %i = 1"; "": always
};
/// Whether what `address` gives for turns misses a power of two, in all turns or in one that certainly comes.
template <typename Address>
std::optional<Misaligned> misaligned(const Numbers& numbers, const OpView& op, uint64_t unit,
                                     Address address) {
  const LowBits any = address(Turns{});
  if (any.misses(unit)) return Misaligned{any, {}};
  if (any.count >= LowBits::kAll || (uint64_t{1} << any.count) >= unit) return std::nullopt;
  for (const Turns& turns : numbers.certain_turns(op.index())) {
    const LowBits at = address(turns);
    if (at.misses(unit)) return Misaligned{at, words_of(op.program(), turns)};
  }
  return std::nullopt;
}

}  // namespace pto::legality
