#include "verify/regions.hpp"

namespace pto::legality {

Regions::Regions(const Program& program)
    : program_(program), of_(program.ops.size(), ~0u), owner_(program.regions.size(), ~0u) {
  struct Open {
    uint32_t region, end;
  };
  std::vector<Open> stack;
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    while (!stack.empty() && i >= stack.back().end) stack.pop_back();
    if (!stack.empty()) of_[i] = stack.back().region;
    const Op& op = program.ops[i];
    for (uint32_t k = op.n_regions; k-- > 0;) {
      owner_[op.regions + k] = i;
      stack.push_back({op.regions + k, program.regions[op.regions + k].end});
    }
  }
}

uint32_t Regions::ancestor_in(uint32_t op, uint32_t region) const {
  while (op != ~0u && of_[op] != region) op = of_[op] == ~0u ? ~0u : owner_[of_[op]];
  return op;
}

bool Regions::dominates(uint32_t first, uint32_t second) const {
  return first < second && ancestor_in(second, of_[first]) != ~0u;
}

std::vector<uint32_t> Regions::block(uint32_t region) const {
  std::vector<uint32_t> list;
  const Region& body = program_.regions[region];
  for (uint32_t i = body.begin; i < body.end; i = program_.end_of(i)) list.push_back(i);
  return list;
}

}  // namespace pto::legality
