// What is known of one id: an error, a warning, a finding of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pto {

/// What a finding counts as by itself. `either`: it depends on the case.
enum class Weight : uint8_t { error, warning, either };

struct Rule {
  std::string_view id;     ///< stable: "E0301" an error, "W0361" a warning
  std::string_view title;  ///< short name, as people say it; its slug is the warning's name behind -W
  std::string_view cause, example, fix;  ///< for --explain
  std::optional<Weight> weight = {};     ///< of findings of a run; other ids say it by their letter

  [[nodiscard]] bool of_a_run() const { return weight.has_value(); }
  [[nodiscard]] Weight weighs() const {
    return weight.value_or(id.starts_with('W') ? Weight::warning : Weight::error);
  }
};

}  // namespace pto
