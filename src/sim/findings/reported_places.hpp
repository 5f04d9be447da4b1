// Which places have a finding already.
#pragma once

#include <map>

#include "pto/diagnostic.hpp"

namespace pto::sim {

/// A rule is reported once per place: an operation, or two of them. A warning there does not stand for an
/// error that comes later; an error stands for all that follows.
template <typename Place>
class ReportedPlaces {
 public:
  /// Whether a finding of this severity is the first one, or the first error.
  bool add(const Place& place, Severity severity) {
    const auto [at, fresh] = known_.try_emplace(place, severity);
    if (!fresh && at->second <= severity) return false;
    at->second = severity;
    return true;
  }
  /// Whether the place has a finding that is at least as severe.
  [[nodiscard]] bool contains(const Place& place, Severity severity) const {
    static_assert(Severity::error < Severity::warning);
    const auto at = known_.find(place);
    return at != known_.end() && at->second <= severity;
  }

 private:
  std::map<Place, Severity> known_;  ///< the most severe one
};

}  // namespace pto::sim
