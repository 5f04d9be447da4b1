#include "lower/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pto::lower {
namespace {

unsigned rounds(unsigned n, unsigned by) { return (n + by - 1) / by; }

}  // namespace

unsigned Layout::parts(unsigned width) const {
  return slots != 0 ? 1 : std::max(1U, streams * width / kWordBytes);
}
unsigned Layout::stride(unsigned width) const { return std::max(1U, kWordBytes / (streams * width)); }

bool Layout::is_memory_order(unsigned width) const {
  return !blocks && slots == 0 && streams * width == kWordBytes;
}

bool Layout::fits(Shape shape) const {
  const unsigned n = parts(shape.width);
  if (slots != 0) return shape.lanes > slots && streams * shape.width <= kWordBytes;
  if (blocks) return n > 1 && n <= kWordBytes && shape.bytes() % (n * kBlockBytes) == 0;
  return shape.lanes % n == 0;
}

unsigned Layout::registers(Shape shape) const {
  if (slots != 0) return rounds(shape.lanes, slots);
  const unsigned n = parts(shape.width);
  return n * rounds(shape.lanes / n * stride(shape.width), shape.per_register());
}

Place Layout::place_of(Shape shape, unsigned lane) const {
  const unsigned apart = stride(shape.width);
  if (slots != 0) return {lane / slots, lane % slots * apart};
  const unsigned n = parts(shape.width), block = kBlockBytes / shape.width;
  const unsigned part = (blocks ? lane / block : lane) % n;
  const unsigned index = blocks ? lane / block / n * block + lane % block : lane / n * apart;
  return {part * (registers(shape) / n) + index / shape.per_register(), index % shape.per_register()};
}

std::string Layout::text(Shape shape) const {
  const unsigned n = parts(shape.width), apart = stride(shape.width);
  const std::string gaps = apart > 1 ? fmt::format(", lane_stride = {}", apart) : "";
  if (slots != 0) return fmt::format("num_groups = {}, slots = {}{}", shape.lanes, slots, gaps);
  if (n == 1) return "contiguous" + gaps;
  return fmt::format("{} = {}", blocks ? "block_deinterleaved" : "deinterleaved", n);
}

}  // namespace pto::lower
