// Which findings about a text and its run are worth showing: warnings of functions that run, and of each
// kind one.
//
//   W0361 at lines 12, 14 and 20 of @a, at line 40 of @b; @a runs
//   shown:  12: warning[W0361] ..
//           note: 2 more of this rule in @a, at lines 14, 20
#pragma once

#include <string>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/program.hpp"

namespace pto::driver {

/// Where the functions of a program are in its text, and which of them a launch runs. Taken before the
/// planner numbers operations anew.
class FunctionPlaces {
 public:
  explicit FunctionPlaces(const Program& program);

  /// Marks operations that no launch with this name runs. Marks none if the name has no launch: a
  /// run reports it.
  void keep_only(const Program& program, const std::string& entry);
  /// Takes warnings about functions that do not run away.
  void drop_idle(Diagnostics& diagnostics) const;
  /// Folds the warnings of one rule in one function into the first, with a note of the other lines.
  /// Warnings about two accesses are kept, because each needs its own repair. Quoted names are
  /// compared, so two unknown attributes are two warnings.
  ///
  /// Before that, findings about operations that the tools made from one statement (iterations of
  /// an unrolled loop) are folded into the first one, also errors.
  void fold(Diagnostics& diagnostics) const;

 private:
  struct Place {
    uint32_t function = 0;  ///< in the order of the program
    std::string name;
    Location begin, end;
    bool runs = true;
  };
  [[nodiscard]] const Place* around(Location where) const;
  std::vector<Place> places_;  ///< in the order of the text
};

}  // namespace pto::driver
