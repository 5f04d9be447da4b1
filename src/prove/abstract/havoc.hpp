// Havoc abstraction: branch conditions and trip counts are replaced by nondeterministic values. The
// transformed program over-approximates the original one, so a proof for it holds for the original,
// and far fewer inputs control its flow. An error in it may be spurious.
//
// Conditions and trip counts with equal expressions get the same nondeterministic value, so two
// cores that test the same condition take the same branch.
#pragma once

#include <cstdint>
#include <optional>

#include "prove/abstract/control_slice.hpp"
#include "pto/program.hpp"

namespace pto::driver {

/// The abstraction level.
enum class HavocLevel : uint8_t {
  tile_extents,  ///< valid regions that numbers set are all of their tiles: more bytes, and no number decides
                 ///< them
  control_flow,  ///< branches and loops as well
};

/// The functions of a launch get one more parameter, the first: a buffer. Each number that is loaded from it
/// is one of its own, but that those which represent the same formula are the same one. Branches and loops in
/// vector functions and called functions stay as they are, loops of up to eight iterations, and those in
/// which nothing decides. `slice`: of this launch. Nothing: all of them stay, or a function of the launch
/// is called as well, with the parameters that it has.
std::optional<Program> havoc(const Program& program, const Functions& functions,
                             const LaunchedFunctions& launch, InputSlice& slice, HavocLevel freedom);

/// A number that an operation loads, in a program that was freed.
struct NondetValue {
  uint32_t equality_class = 0;           ///< 0: it is one of its own
  bool block = false, subblock = false;  ///< each has its own
};
/// Nothing for other operations.
std::optional<NondetValue> nondet_value(const OpView& op);

}  // namespace pto::driver
