// Where the lanes of a logical value stand in registers, seen from words of 4 bytes: lanes are dealt out to
// 1, 2 or 4 streams, stream t having the lanes t, t + streams, .., one to a word. What has the same streams
// stands at the same words whatever the width of its lanes, so conversions need not move anything:
//
//                 4 bytes               2 bytes                       1 byte
//   1 stream      contiguous            contiguous, lane_stride = 2   contiguous, lane_stride = 4
//   2 streams     deinterleaved = 2     contiguous                    contiguous, lane_stride = 2
//   4 streams     deinterleaved = 4     deinterleaved = 2             contiguous
//
// Beside these: blocks of 32 bytes dealt out in place of lanes, and one lane per group, 8 or 1 to a register.
#pragma once

#include <cstdint>
#include <string>

namespace pto::lower {

inline constexpr unsigned kRegisterBytes = 256, kWordBytes = 4, kBlockBytes = 32, kBlocks = 8;

/// How many lanes of how many bytes.
struct Shape {
  unsigned lanes = 0, width = 0;
  [[nodiscard]] unsigned per_register() const { return kRegisterBytes / width; }
  [[nodiscard]] unsigned bytes() const { return lanes * width; }
};

struct Place {
  unsigned reg = 0, lane = 0;  ///< lane of the register, not of the value
  bool operator==(const Place&) const = default;
};

struct Layout {
  unsigned streams = 1;
  bool blocks = false;
  unsigned slots = 0;  ///< lanes of a register that hold a group's; 0: not by groups
  auto operator<=>(const Layout&) const = default;

  /// Registers that are filled side by side, and how far lanes stand apart in one.
  [[nodiscard]] unsigned parts(unsigned width) const;
  [[nodiscard]] unsigned stride(unsigned width) const;
  [[nodiscard]] bool fits(Shape shape) const;
  [[nodiscard]] unsigned registers(Shape shape) const;
  [[nodiscard]] Place layout_of(Shape shape, unsigned lane) const;
  /// Lane i at byte i * width, without gaps.
  [[nodiscard]] bool is_memory_order(unsigned width) const;
  /// As #pto.vmi.layout<..> writes it.
  [[nodiscard]] std::string text(Shape shape) const;
};

/// The one whose registers are the bytes in memory.
inline Layout memory_order(unsigned width) { return {.streams = kWordBytes / width}; }
/// That of lanes that go to and from memory by index: bytes stand in lanes of 2.
inline Layout by_index(unsigned width) { return memory_order(width == 1 ? 2 : width); }

}  // namespace pto::lower
