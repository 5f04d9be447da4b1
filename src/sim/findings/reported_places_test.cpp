// One report per place, and an error behind a warning.
#include "sim/findings/reported_places.hpp"

#include <limits>

#include "sim/findings/engine_findings.hpp"
#include "testing/catch_main.hpp"

namespace pto::sim {

TEST_CASE("a warning does not stand for a later error at its place, an error stands for both", "[sim]") {
  ReportedPlaces<int> places;
  CHECK_FALSE(places.contains(1, Severity::warning));
  CHECK(places.add(1, Severity::warning));
  CHECK_FALSE(places.add(1, Severity::warning));
  CHECK(places.contains(1, Severity::warning));
  CHECK_FALSE(places.contains(1, Severity::error));
  CHECK(places.add(1, Severity::error));
  CHECK(places.contains(1, Severity::error));
  CHECK_FALSE(places.add(1, Severity::error));
  CHECK_FALSE(places.add(1, Severity::warning));
  CHECK(places.add(2, Severity::warning));
}

TEST_CASE("the findings of a run keep an error after a warning of its rule, also beyond the limit", "[sim]") {
  constexpr uint32_t kNowhere = std::numeric_limits<uint32_t>::max();
  const Program program;
  for (const bool silent : {false, true}) {
    SimOptions options;
    options.limits.findings = 1;
    if (silent) options.warnings.silence();
    FindingList list(program, options);
    CHECK((list.add(FindingId::cross_left, kNowhere, "first", Severity::warning) == nullptr) == silent);
    CHECK(list.add(FindingId::cross_left, kNowhere, "first", Severity::warning) == nullptr);
    CHECK_FALSE(list.raised(FindingId::cross_left, kNowhere, Severity::error));
    CHECK(list.add(FindingId::cross_left, kNowhere, "first") != nullptr);  // even in the same words
    CHECK(list.raised(FindingId::cross_left, kNowhere, Severity::error));
    CHECK(list.add(FindingId::cross_left, kNowhere, "again") == nullptr);
    CHECK(list.take_findings().errors() == 1);
  }
}

}  // namespace pto::sim
