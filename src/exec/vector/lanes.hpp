// Lanes of a vector register: element types, masks and the dispatch from a run-time element format to a
// compile-time one.
//
// A vector register is 256 bytes, lane i of an element of w bytes occupies bytes [i*w, i*w+w). A predicate
// has one bit per byte; the bit of a lane's lowest byte decides. Inactive lanes of a result are zero
// (docs/reference/numerics.md).
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "exec/denormals.hpp"
#include "exec/exec_context.hpp"
#include "exec/lane_ops.hpp"
#include "numeric/float_formats.hpp"

namespace pto::exec::vec {

inline constexpr unsigned kVRegBytes = 256;

/// Storage types of the two 16-bit floats; lanes of these are computed in f32 and rounded once.
struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};

template <typename T>
struct LaneTraits {
  using Compute = T;
};
template <>
struct LaneTraits<F16> {
  using Compute = float;
};
template <>
struct LaneTraits<BF16> {
  using Compute = float;
};

template <typename T>
using Compute = typename LaneTraits<T>::Compute;
template <typename T>
inline constexpr unsigned kLanes = kVRegBytes / sizeof(T);
template <typename T>
inline constexpr bool kIsFloat = std::is_floating_point_v<Compute<T>>;
/// The element format of a float lane.
template <typename T>
inline constexpr Elem kElem = std::is_same_v<T, F16>    ? Elem::f16
                              : std::is_same_v<T, BF16> ? Elem::bf16
                                                        : Elem::f32;
template <typename T>
using Lanes = std::array<Compute<T>, kLanes<T>>;

template <typename T>
struct Tag {
  using type = T;
};

// ---- one lane <-> bits
template <typename T>
Compute<T> from_bits(uint64_t bits) {
  if constexpr (std::is_same_v<T, F16>)
    return num::f16_to_f32(static_cast<uint16_t>(bits));
  else if constexpr (std::is_same_v<T, BF16>)
    return num::bf16_to_f32(static_cast<uint16_t>(bits));
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  else
    return static_cast<T>(bits);
}
template <typename T>
uint64_t to_bits(Compute<T> value) {
  if constexpr (std::is_same_v<T, F16>)
    return num::f32_to_f16(value);
  else if constexpr (std::is_same_v<T, BF16>)
    return num::f32_to_bf16(value);
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else
    return static_cast<std::make_unsigned_t<T>>(value);
}
// ---- whole registers
template <typename T>
Lanes<T> load(const VReg& reg) {
  Lanes<T> lanes;
  if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, BF16>) {
    std::array<uint16_t, kLanes<T>> raw;
    std::memcpy(raw.data(), reg.byte, kVRegBytes);
    if constexpr (std::is_same_v<T, F16>)
      num::f16_to_f32(raw, lanes.data());
    else
      num::bf16_to_f32(raw, lanes.data());
  } else {
    std::memcpy(lanes.data(), reg.byte, kVRegBytes);
  }
  return lanes;
}
template <typename T>
void store(const Lanes<T>& lanes, VReg& reg) {
  if constexpr (std::is_same_v<T, F16> || std::is_same_v<T, BF16>) {
    std::array<uint16_t, kLanes<T>> raw;
    if constexpr (std::is_same_v<T, F16>)
      num::f32_to_f16(lanes, raw.data());
    else
      num::f32_to_bf16(lanes, raw.data());
    std::memcpy(reg.byte, raw.data(), kVRegBytes);
  } else {
    std::memcpy(reg.byte, lanes.data(), kVRegBytes);
  }
}
/// Denormal lanes become zeros where the machine flushes them.
template <typename T>
void flush_lanes(const Context& ctx, VReg& reg) {
  if constexpr (kIsFloat<T>) {
    if (!flushes(ctx)) return;
    std::array<std::conditional_t<sizeof(T) == 2, uint16_t, float>, kLanes<T>> lanes;
    std::memcpy(lanes.data(), reg.byte, kVRegBytes);
    flush_denormals(kElem<T>, lanes.data(), lanes.size());
    std::memcpy(reg.byte, lanes.data(), kVRegBytes);
  }
}
/// The lanes of an arithmetic operand.
template <typename T>
Lanes<T> operand(const Context& ctx, unsigned slot) {
  if constexpr (kIsFloat<T>) {
    if (flushes(ctx)) [[unlikely]] {
      VReg flushed = ctx.vreg(slot);
      flush_lanes<T>(ctx, flushed);
      return load<T>(flushed);
    }
  }
  return load<T>(ctx.vreg(slot));
}
template <typename T>
Compute<T> scalar_lane(const Context& ctx, unsigned slot) {
  const Compute<T> value = from_bits<T>(ctx.word(slot));
  if constexpr (kIsFloat<T>) {
    if (flushes(ctx)) [[unlikely]] {
      Compute<T> flushed = value;
      flush_denormals(kElem<T>, &flushed, 1);
      return flushed;
    }
  }
  return value;
}
/// A scalar operand in all lanes.
template <typename T>
Lanes<T> scalar_operand(const Context& ctx, unsigned slot) {
  Lanes<T> lanes;
  lanes.fill(scalar_lane<T>(ctx, slot));
  return lanes;
}
/// Lane `i` of `width` bytes, zero-extended.
inline uint64_t lane_bits(const VReg& reg, unsigned i, unsigned width) {
  uint64_t bits = 0;
  std::memcpy(&bits, reg.byte + i * width, width);
  return bits;
}
inline void set_lane_bits(VReg& reg, unsigned i, unsigned width, uint64_t bits) {
  std::memcpy(reg.byte + i * width, &bits, width);
}

// ---- predicates
inline bool bit_of(const Mask& mask, unsigned byte) {
  return ((mask.bit[byte / 64] >> (byte % 64)) & 1) != 0;
}
inline void set_bit(Mask& mask, unsigned byte) { mask.bit[byte / 64] |= uint64_t{1} << (byte % 64); }
inline bool active(const Mask& mask, unsigned lane, unsigned width) { return bit_of(mask, lane * width); }
/// The bits that lanes of `width` bytes look at, within one word of a mask.
constexpr uint64_t lane_pattern(unsigned width) {
  switch (width) {
    case 1:
      return ~uint64_t{0};
    case 2:
      return 0x5555555555555555u;
    case 4:
      return 0x1111111111111111u;
    default:
      return 0x0101010101010101u;
  }
}
inline bool all_active(const Mask& mask, unsigned width) {
  const uint64_t pattern = lane_pattern(width);
  return (mask.bit[0] & mask.bit[1] & mask.bit[2] & mask.bit[3] & pattern) == pattern;
}
template <typename Raw>
void clear_inactive_lanes(VReg& reg, const Mask& mask) {
  std::array<Raw, kVRegBytes / sizeof(Raw)> lanes;
  std::memcpy(lanes.data(), reg.byte, kVRegBytes);
  for (unsigned i = 0; i < lanes.size(); ++i) lanes[i] = active(mask, i, sizeof(Raw)) ? lanes[i] : Raw{0};
  std::memcpy(reg.byte, lanes.data(), kVRegBytes);
}
/// Zeroing predication: lanes without their mask bit become zero.
inline void clear_inactive(VReg& reg, const Mask& mask, unsigned width) {
  if (all_active(mask, width)) return;
  switch (width) {
    case 1:
      return clear_inactive_lanes<uint8_t>(reg, mask);
    case 2:
      return clear_inactive_lanes<uint16_t>(reg, mask);
    case 4:
      return clear_inactive_lanes<uint32_t>(reg, mask);
    default:
      return clear_inactive_lanes<uint64_t>(reg, mask);
  }
}

// ---- dispatch
/// Calls f(Tag<T>) for the integer type behind `elem` (signless counts as signed). False when it is none.
template <typename F>
bool with_integer(Elem elem, F&& f) {
  switch (elem) {
    case Elem::i8:
    case Elem::si8:
      f(Tag<int8_t>{});
      return true;
    case Elem::i16:
    case Elem::si16:
      f(Tag<int16_t>{});
      return true;
    case Elem::i32:
    case Elem::si32:
      f(Tag<int32_t>{});
      return true;
    case Elem::i64:
    case Elem::si64:
      f(Tag<int64_t>{});
      return true;
    case Elem::ui8:
      f(Tag<uint8_t>{});
      return true;
    case Elem::ui16:
      f(Tag<uint16_t>{});
      return true;
    case Elem::ui32:
      f(Tag<uint32_t>{});
      return true;
    case Elem::ui64:
      f(Tag<uint64_t>{});
      return true;
    default:
      return false;
  }
}
template <typename F>
bool with_float(Elem elem, F&& f) {
  switch (elem) {
    case Elem::f16:
      f(Tag<F16>{});
      return true;
    case Elem::bf16:
      f(Tag<BF16>{});
      return true;
    case Elem::f32:
      f(Tag<float>{});
      return true;
    default:
      return false;
  }
}
template <typename F>
bool with_number(Elem elem, F&& f) {
  return with_float(elem, f) || with_integer(elem, f);
}
/// By storage width only.
template <typename F>
void with_width(unsigned width, F&& f) {
  switch (width) {
    case 1:
      return f(Tag<uint8_t>{});
    case 2:
      return f(Tag<uint16_t>{});
    case 4:
      return f(Tag<uint32_t>{});
    default:
      return f(Tag<uint64_t>{});
  }
}

inline void refuse_type(const Context& ctx, Elem elem) {
  ctx.fault(Fault::unsupported,
            "element type " + std::string(to_string(elem)) + " is not supported by this vector instruction");
}

// ---- attributes
/// The token of an attribute, whether its row declares it as a string or as an enumeration; "" when not
/// written.
std::string_view token(const Context& ctx, unsigned spec);

}  // namespace pto::exec::vec
