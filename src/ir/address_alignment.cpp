#include "ir/address_alignment.hpp"

#include <algorithm>

#include "isa/row.hpp"

namespace pto::isa {
namespace {

struct Narrow {
  std::string_view distribution;
  uint32_t bytes;
};
constexpr Narrow kNarrow[] = {
    {"BRC_B8", 1},  {"BRC_B16", 2}, {"BRC_B32", 4},  {"1PT_B8", 1},
    {"1PT_B16", 2}, {"1PT_B32", 4}, {"E2B_B16", 16},
};

}  // namespace

uint32_t distribution_alignment(std::string_view distribution) {
  const auto narrow = std::ranges::find(kNarrow, distribution, &Narrow::distribution);
  return narrow == std::end(kNarrow) ? kBlockBytes : narrow->bytes;
}

uint32_t block_alignment(const OpView& op) {
  const Schema& schema = isa::schema(op.op().row);
  const int dist = schema.attr_index("dist");
  const AttrValue* value = dist < 0 ? nullptr : op.attr(static_cast<unsigned>(dist));
  if (value == nullptr) return kBlockBytes;
  return distribution_alignment(case_name(*schema.attrs[static_cast<size_t>(dist)].domain, value->integer));
}

}  // namespace pto::isa
