// A program whose branches go either way and whose loops run as often as they like, whatever its numbers are:
// what can happen in the program can happen in this one. So what is proved of this one is proved of the
// program, and far fewer numbers decide; what goes wrong in this one may not in the program.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "pto/program.hpp"

namespace pto::driver {

/// What is let go.
enum class Freedom : uint8_t {
  extents,  ///< valid regions that numbers set are all of their tiles: more bytes, and no number decides them
  ways,     ///< branches and loops as well
};

/// Of the functions of a launch (operations), which get one more parameter, the first: a buffer. Each number
/// that is loaded from it is one of its own. Branches and loops in vector functions and called functions stay
/// as they are, and loops of up to eight iterations, or in which nothing decides. Nothing: all of them stay.
std::optional<Program> freed(const Program& program, std::span<const uint32_t> functions, Freedom freedom);

/// Whether an operation loads such a number, in a program that was freed.
bool loads_free_number(const OpView& op);

}  // namespace pto::driver
