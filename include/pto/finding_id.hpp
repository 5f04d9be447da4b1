// The ids of everything the tools report, and what code may ask about an id. Ids become text when they are
// printed; the words of an id are in its Rule (pto/rule.hpp).
//
//   diagnostics.error(E0301, ..);                  rules of the text
//   finding.id == FindingId::race                  findings of a run
//   has_trait(finding.id, kOfOrder)                sets of ids are traits of pto/finding_id.inc
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace pto {

/// In the order of the catalogue. `none`: notes and verdicts, which have no id.
enum class FindingId : uint16_t {
  none,
#define PTO_ERROR(id) id,
#define PTO_WARNING(id, traits) id,
#define PTO_FINDING(name, id, title, weight, traits) name,
#include "pto/finding_id.inc"
#undef PTO_ERROR
#undef PTO_WARNING
#undef PTO_FINDING
};

#define PTO_ERROR(id) using FindingId::id;
#define PTO_WARNING(id, traits) using FindingId::id;
#define PTO_FINDING(name, id, title, weight, traits)
#include "pto/finding_id.inc"
#undef PTO_ERROR
#undef PTO_WARNING
#undef PTO_FINDING

/// The severity of a finding. `either`: it depends on the case.
enum class Weight : uint8_t { error, warning, either };

enum FindingTrait : uint16_t {
  kOfFlags = 1,           ///< sets and waits of flags do not match: pipes stop, or would
  kOfOrder = 2,           ///< flags, signals and order; includes kOfFlags
  kOfCores = 4,           ///< between two cores, or sets and waits of signals do not match
  kRepairable = 8,        ///< as an error, repairs of the program are tried
  kLeavesUnwritten = 16,  ///< the instruction does not write its result
  kInProofs = 32,         ///< a proof says that it does not happen
  kShownEach = 64,        ///< warnings of one function are not folded: each one is a fault of its own
  kDoubleSet = 128,       ///< shown only with -Wdouble-set
};

struct FindingEntry {
  std::string_view id;  ///< E0301, FindingId::race; stable
  Weight weight = Weight::error;
  uint16_t traits = 0;
  bool of_a_run = false;
  std::string_view title = {};  ///< of findings of a run; rules of the text have theirs beside the check
};

const FindingEntry& entry(FindingId id);
inline std::string_view to_string(FindingId id) { return entry(id).id; }
inline bool has_trait(FindingId id, FindingTrait trait) { return (entry(id).traits & trait) != 0; }
/// All with a trait, in the order of the catalogue.
std::vector<FindingId> findings_with(FindingTrait trait);

}  // namespace pto
