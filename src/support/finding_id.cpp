#include "pto/finding_id.hpp"

#include <iterator>

namespace pto {

namespace {

constexpr FindingEntry kEntries[] = {
    FindingEntry{""},
#define PTO_ERROR(id) FindingEntry{#id},
#define PTO_WARNING(id, traits) FindingEntry{#id, Weight::warning, traits},
#define PTO_FINDING(name, id, title, weight, traits) FindingEntry{id, Weight::weight, traits, true, title},
#include "pto/finding_id.inc"
#undef PTO_ERROR
#undef PTO_WARNING
#undef PTO_FINDING
};

}  // namespace

const FindingEntry& entry(FindingId id) { return kEntries[static_cast<size_t>(id)]; }

std::vector<FindingId> findings_with(FindingTrait trait) {
  std::vector<FindingId> found;
  for (size_t i = 0; i < std::size(kEntries); ++i) {
    if ((kEntries[i].traits & trait) != 0) found.push_back(static_cast<FindingId>(i));
  }
  return found;
}

}  // namespace pto
