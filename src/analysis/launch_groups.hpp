// What runs together: the functions of one launch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/call_graph.hpp"
#include "pto/result.hpp"

namespace pto {

struct LaunchedFunctions {
  std::string_view name;  ///< of the first function
  /// Indices into Functions::all(): one definition, or one per kind of core. The first, of the cube cores
  /// where there is one, has the parameters of the launch; a vector function may have one more, which vector
  /// core it runs on.
  std::vector<uint32_t> functions;
  /// Neither their names nor a tile queue say that they belong together; they are the only two that are
  /// marked.
  bool by_marks = false;
};

/// Every launch of a program, in its order. A cube and a vector function that nobody calls are one launch
/// when they have one name (in two modules), or names that differ in their ending only (_aic and _aiv, ..),
/// or share a tile queue, or are the only two kernels that the program marks.
std::vector<LaunchedFunctions> launches(const Program& program, const Functions& functions,
                                        const CallGraph& calls);

/// The launch that a name means: of one of its functions, their common stem, or several of them with commas;
/// empty: the only one. Any other function that is defined can be run too.
Result<LaunchedFunctions> find_launch(const Program& program, const Functions& functions,
                                      const CallGraph& calls, std::string_view name);

}  // namespace pto
