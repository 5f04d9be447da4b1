#include "isa/lane_layout.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "support/saturating.hpp"

namespace pto::isa {
namespace {

constexpr uint64_t kRegisterBytes = 256, kBlockBytes = 32;

/// The number behind `key = ` in a layout; `otherwise` where the key is not there.
uint64_t number(std::string_view layout, std::string_view key, uint64_t otherwise) {
  for (size_t at = layout.find(key); at != std::string_view::npos; at = layout.find(key, at + 1)) {
    const bool whole = at > 0 && (layout[at - 1] == '<' || layout[at - 1] == ' ');
    std::string_view rest = layout.substr(at + key.size());
    if (!whole || !rest.starts_with(" = ")) continue;
    rest.remove_prefix(3);
    uint64_t value = otherwise;
    std::from_chars(rest.data(), rest.data() + rest.size(), value);
    return std::max<uint64_t>(value, 1);
  }
  return otherwise;
}

}  // namespace

LanePlaces::LanePlaces(const Type& type)
    : lanes_(static_cast<uint64_t>(type.dims[0])),
      per_register_(kRegisterBytes / std::max(byte_width(type.elem), 1U)),
      per_block_(std::max<uint64_t>(kBlockBytes / std::max(byte_width(type.elem), 1U), 1)),
      stride_(number(type.text, "lane_stride", 1)) {
  const uint64_t blocks = number(type.text, "block_deinterleaved", 1);
  blocks_ = blocks > 1;
  parts_ = blocks_ ? blocks : number(type.text, "deinterleaved", 1);
  if (const uint64_t groups = number(type.text, "num_groups", 0); groups != 0)
    slots_ = number(type.text, "slots", groups);
}

uint64_t LanePlaces::part_of(uint64_t lane) const { return (blocks_ ? lane / per_block_ : lane) % parts_; }
uint64_t LanePlaces::index_of(uint64_t lane) const {
  if (blocks_) return lane / per_block_ / parts_ * per_block_ + lane % per_block_;
  return sat_mul(slots_ != 0 ? lane % slots_ : lane / parts_, stride_);
}
uint64_t LanePlaces::lanes_in_part(uint64_t part) const {
  if (!blocks_) return lanes_ / parts_ + (lanes_ % parts_ > part ? 1 : 0);
  const uint64_t round = per_block_ * parts_, rest = lanes_ % round;
  const uint64_t before = part * per_block_;
  return lanes_ / round * per_block_ + (rest <= before ? 0 : std::min(rest - before, per_block_));
}
uint64_t LanePlaces::registers_in_part(uint64_t part) const {
  const uint64_t n = lanes_in_part(part);
  if (n == 0) return 0;
  return sat_mul(n - 1, blocks_ ? 1 : stride_) / per_register_ + 1;
}

LanePlace LanePlaces::place_of(uint64_t lane) const {
  const uint64_t index = index_of(lane);
  if (slots_ != 0) return {lane / slots_ + index / per_register_, index % per_register_};
  uint64_t first = 0;
  for (uint64_t part = 0; part < part_of(lane); ++part) first += registers_in_part(part);
  return {first + index / per_register_, index % per_register_};
}
uint64_t LanePlaces::registers() const {
  if (slots_ != 0) return (lanes_ + slots_ - 1) / slots_;
  uint64_t sum = 0;
  for (uint64_t part = 0; part < parts_; ++part) sum += registers_in_part(part);
  return sum;
}

}  // namespace pto::isa
