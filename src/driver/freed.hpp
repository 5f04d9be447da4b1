// A program whose branches go either way and whose loops run as often as they like, whatever its numbers are:
// what can happen in the program can happen in this one. So what is proved of this one is proved of the
// program, and far fewer numbers decide; what goes wrong in this one may not in the program. Conditions and
// loops of one formula go one way in both: what two cores ask alike they answer alike.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "driver/deciders.hpp"
#include "pto/program.hpp"

namespace pto::driver {

/// What is let go.
enum class Freedom : uint8_t {
  extents,  ///< valid regions that numbers set are all of their tiles: more bytes, and no number decides them
  ways,     ///< branches and loops as well
};

/// Of the functions of a launch (operations), which get one more parameter, the first: a buffer. Each number
/// that is loaded from it is one of its own, but that those which stand for the same formula are the same one.
/// Branches and loops in vector functions and called functions stay as they are, and loops of up to eight
/// iterations, or in which nothing decides. `formula_of` tells what a value is made of, where that does not
/// change. Nothing: all of them stay.
using FormulaOf = std::function<std::optional<Deciders::Address>(ValueId)>;
std::optional<Program> freed(const Program& program, std::span<const uint32_t> functions, Freedom freedom,
                             const FormulaOf& formula_of);

/// A number that an operation loads, in a program that was freed.
struct FreeNumber {
  uint32_t alike = 0;                   ///< 0: it is one of its own
  bool block = false, subblock = false; ///< each has its own
};
/// Nothing for other operations.
std::optional<FreeNumber> free_number(const OpView& op);

}  // namespace pto::driver
