// Arguments for a kernel that nobody gave any: scalars from what they are used for, sizes of buffers from
// views, strides and loop bounds, numbers for buffers that the scalar unit reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/launch_groups.hpp"

namespace pto::driver {

/// InferredArgument::why of numbers that decide branches and nothing else.
inline constexpr std::string_view kCompared = "compared";

/// One parameter of a kernel and what is given for it.
struct InferredArgument {
  std::string name;
  const Type* type = nullptr;  ///< the program's
  bool buffer = false;
  std::optional<int64_t> value;  ///< scalars; buffers: the number that every element has, where it matters
  std::string_view why;          ///< what the value is chosen for: "loop bound"
  uint64_t bytes = 0;          ///< buffers: what is known to be accessed, and what the views over it declare
  std::vector<int64_t> shape;  ///< in elements, of the view that spans it; empty: just so many bytes
};

/// For the parameters of a launch, from what all of its functions do with them; they are shared by position.
/// Numbers that cannot be known are left out of the sizes, so a run may still reach further. Time is bounded,
/// whatever the program is.
std::vector<InferredArgument> infer_arguments(const Program& program, const Functions& functions,
                                              const LaunchedFunctions& launch);

}  // namespace pto::driver
