#include "timing/vector_model.hpp"

namespace pto::timing {

namespace {

/// First bank group and number of groups one repeat touches.
struct GroupSpan {
  uint64_t first, width;
};

GroupSpan groups_of(const BankGeometry& banks, const RepeatAccess& access, uint64_t repeat) {
  const uint64_t begin = access.addr + repeat * access.stride;
  const uint64_t first = begin / banks.group_bytes;
  const uint64_t last = (begin + std::max<uint64_t>(access.bytes, 1) - 1) / banks.group_bytes;
  return {first % banks.groups, std::min<uint64_t>(last - first + 1, banks.groups)};
}

bool clash(const BankGeometry& banks, const GroupSpan& a, const GroupSpan& b) {
  const uint64_t ahead = (b.first + banks.groups - a.first) % banks.groups;
  return ahead < a.width || banks.groups - ahead < b.width || (ahead == 0);
}

}  // namespace

uint64_t bank_conflicts(const BankGeometry& banks, const RepeatAccess& a, const RepeatAccess& b,
                        uint64_t repeats) {
  // Only addresses modulo group_bytes * groups matter, so the pattern has a period that divides that number.
  const uint64_t around = uint64_t{banks.group_bytes} * banks.groups;
  const uint64_t step_a = a.stride % around;
  const uint64_t step_b = b.stride % around;
  uint64_t period = 1;
  while (period < around && ((step_a * period) % around != 0 || (step_b * period) % around != 0)) ++period;
  uint64_t in_period = 0, in_rest = 0;
  const uint64_t rest = repeats % period;
  for (uint64_t i = 0; i < std::min(period, repeats); ++i) {
    const bool hit = clash(banks, groups_of(banks, a, i), groups_of(banks, b, i));
    in_period += hit;
    in_rest += hit && i < rest;
  }
  return repeats < period ? in_period : repeats / period * in_period + in_rest;
}

}  // namespace pto::timing
