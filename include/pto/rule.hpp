// The description of one id: an error, a warning, or a finding of a run.
#pragma once

#include <string_view>

#include "pto/finding_id.hpp"

namespace pto {

struct Rule {
  FindingId id = FindingId::none;
  std::string_view title;  ///< short name, as people say it; its slug is the warning's name behind -W
  std::string_view cause, example, fix;  ///< for --explain

  [[nodiscard]] bool of_a_run() const { return entry(id).of_a_run; }
  [[nodiscard]] Weight weighs() const { return entry(id).weight; }
};

}  // namespace pto
