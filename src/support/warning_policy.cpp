// Which warnings are shown, and which count as errors.
#include <fmt/format.h>

#include <algorithm>

#include "pto/diagnostic.hpp"
#include "support/number_text.hpp"
#include "support/quiet_warnings.hpp"

namespace pto {

std::string assumption_of_flags(uint64_t double_sets) {
  return fmt::format(
      "assumes that flags keep their sets: {} statement{} a flag again before its wait is sure to have "
      "taken it (-Wdouble-set)",
      with_commas(double_sets), double_sets == 1 ? " sets" : "s set");
}

WarningPolicy::Choice& WarningPolicy::choice(FindingId id) {
  const auto found =
      std::find_if(choices_.begin(), choices_.end(), [&](const Choice& c) { return c.id == id; });
  return found != choices_.end() ? *found : choices_.emplace_back(Choice{id, true, std::nullopt});
}

void WarningPolicy::show(FindingId id, bool on) { choice(id).on = on; }

void WarningPolicy::fail(FindingId id, bool on) {
  Choice& chosen = choice(id);
  chosen.error = on;
  chosen.on = chosen.on || on;
}

WarningPolicy::Verdict WarningPolicy::verdict(FindingId id) const {
  if (silent_) return Verdict::drop;
  const auto found =
      std::find_if(choices_.begin(), choices_.end(), [&](const Choice& c) { return c.id == id; });
  if (found == choices_.end() && has_trait(id, kDoubleSet)) return Verdict::drop;
  if (found == choices_.end()) return errors_ ? Verdict::fail : Verdict::warn;
  if (!found->on) return Verdict::drop;
  return found->error.value_or(errors_) ? Verdict::fail : Verdict::warn;
}

}  // namespace pto
