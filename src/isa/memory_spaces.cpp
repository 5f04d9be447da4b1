#include "isa/memory_spaces.hpp"

#include <algorithm>

#include "support/rounding.hpp"

namespace pto::isa {
namespace {

constexpr uint64_t kKiB = 1024;

struct Size {
  Space space;
  uint64_t a2a3, a5;
};
// Sources: public headers (buffer sizes per chip). The documents' 256 KiB UB for A2/A3 contradicts them.
constexpr Size kSizes[] = {
    {Space::ub, 192 * kKiB, 256 * kKiB},  {Space::l1, 512 * kKiB, 512 * kKiB},
    {Space::l0a, 64 * kKiB, 64 * kKiB},   {Space::l0b, 64 * kKiB, 64 * kKiB},
    {Space::l0c, 128 * kKiB, 256 * kKiB}, {Space::bt, 1 * kKiB, 4 * kKiB},
    {Space::fb, 2 * kKiB, 4 * kKiB},
};

}  // namespace

uint64_t on_chip_bytes(Target target, Space space) {
  for (const Size& size : kSizes) {
    if (size.space != space) continue;
    if (target == Target::a2a3) return size.a2a3;
    return target == Target::a5 ? size.a5 : std::max(size.a2a3, size.a5);
  }
  return 0;
}

uint64_t slot_stride(const Type& multi_tile) {
  return round_up(tile_bytes(multi_tile), uint64_t{tile_alignment(multi_tile.space)});
}

}  // namespace pto::isa
