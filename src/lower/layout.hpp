// Layouts: the registers and lanes of registers that hold the lanes of a logical value.
//
// Words of 4 bytes are the unit. Lanes are dealt out to 1, 2 or 4 streams: stream t has the lanes t,
// t + streams, .., one to a word. Values with the same streams have their lanes at the same words, whatever
// the width of a lane, so that a conversion of elements moves no lane:
//
//                 4 bytes               2 bytes                       1 byte
//   1 stream      contiguous            contiguous, lane_stride = 2   contiguous, lane_stride = 4
//   2 streams     deinterleaved = 2     contiguous                    contiguous, lane_stride = 2
//   4 streams     deinterleaved = 4     deinterleaved = 2             contiguous
//
// Beside these: blocks of 32 bytes dealt out in place of lanes, and one lane per group, 8 or 1 to a register.
//
// Example: 128 lanes of f16 are converted to f32, added to f32 from memory, and stored.
//
//   %a = pto.vmi.vload %x[%c0]    -> !pto.vmi.vreg<128xf16>
//   %b = pto.vmi.vcvt %a          -> !pto.vmi.vreg<128xf32>
//   %s = pto.vmi.vload %z[%c0]    -> !pto.vmi.vreg<128xf32>
//   %c = pto.vmi.vadd %b, %s      -> !pto.vmi.vreg<128xf32>
//   pto.vmi.vstore %c, %y[%c0]
//
// The add ties %b, %s and %c to one layout. Both candidates for %a fit 128 lanes, with these registers:
//
//                   word 0   word 1   word 2   ..   word 63
//   2 streams  %a   0,1      2,3      4,5      ..   126,127     contiguous: memory order of f16
//              %b_0 0        2        4        ..   126         deinterleaved = 2: even lanes,
//              %b_1 1        3        5        ..   127           then odd lanes
//   1 stream   %a_0 0,-      1,-      2,-      ..   63,-        contiguous, lane_stride = 2
//              %a_1 64,-     65,-     66,-     ..   127,-
//              %b_0 0        1        2        ..   63          contiguous: memory order of f32
//              %b_1 64       65       66       ..   127
//
// With 2 streams one load serves both halves of the conversion. The memory order of f32 has 1 stream, but the
// load and the store of a pair deal lanes out themselves. So 2 streams take 7 instructions in the scope:
//
//   %a = pto.vlds %x[0]                        %b_0 = pto.vcvt %a {part = "EVEN"}
//   %s_0, %s_1 = pto.vldsx2 %z[0], DINTLV_B32  %b_1 = pto.vcvt %a {part = "ODD"}
//   %c_0 = pto.vadd %b_0, %s_0                 pto.vstsx2 %c_0, %c_1, %y[0], INTLV_B32
//   %c_1 = pto.vadd %b_1, %s_1
//
// With 1 stream there are 10: two loads (UNPK_B16), two conversions, two loads, two adds and two stores.
// Of 96 lanes the second register is half full in memory order, and no load or store of a pair fits. One
// pto.vdintlv follows two loads of %s, and one pto.vintlv precedes two stores of %c. The golden test
// asm-tests/lower/layouts.pto has both.
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
  [[nodiscard]] Place place_of(Shape shape, unsigned lane) const;
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
