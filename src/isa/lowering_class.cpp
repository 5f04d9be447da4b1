#include "isa/lowering_class.hpp"

#include <array>
#include <bit>
#include <string>

#include "isa/row.hpp"

namespace pto::isa {
namespace {

constexpr size_t kWidths = 3;
using Instructions = std::array<std::array<RowId, kWidths>, static_cast<size_t>(Lowering::count)>;

/// Those of one part are in the order of their widths; one that has no brothers is for every width.
Instructions collect() {
  Instructions found{};
  std::array<size_t, static_cast<size_t>(Lowering::count)> seen{};
  const auto all = rows();
  for (RowId id = 0; id < all.size(); ++id) {
    const auto part = static_cast<size_t>(all[id].lowering);
    if (part == 0 || seen[part] == kWidths) continue;
    for (size_t width = seen[part]++; width < kWidths; ++width) found[part][width] = id;
  }
  return found;
}

}  // namespace

RowId instruction(Lowering part, unsigned bytes) {
  static const Instructions all = collect();
  return all[static_cast<size_t>(part)][static_cast<size_t>(std::bit_width(bytes) - 1)];
}

const Row& lane_instruction(const Row& row) {
  return *find_row("pto." + std::string(row.cost.substr(row.cost.find('.') + 1)));
}

}  // namespace pto::isa
