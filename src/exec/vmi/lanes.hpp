// Logical vectors and masks (pto.vmi): values of any number of lanes, without assigned registers.
//
// A logical vector is in the frame as whole 256-byte registers, lane i of an element of w bytes at bytes
// [i*w, i*w+w); bytes after the last lane are zero. A logical mask is one bit per lane. The semantics
// of a vector instruction are defined with that instruction: `Micro` calls them for one register at a time.
// See docs/reference/numerics.md, "Logical vectors".
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "exec/exec_context.hpp"
#include "exec/vector/lanes.hpp"
#include "isa/lane_element.hpp"

namespace pto::exec::vmi {

inline constexpr unsigned kRegisterWords = vec::kVRegBytes / sizeof(Word);

/// Lanes of a logical value.
inline unsigned lanes_of(const Type& type) { return static_cast<unsigned>(type.dims[0]); }
inline unsigned registers_of(const Type& type) {
  return (lanes_of(type) * byte_width(type.elem) + vec::kVRegBytes - 1) / vec::kVRegBytes;
}
using isa::lane_elem;

/// The lanes of an operand or result.
class Lanes {
 public:
  Lanes(uint8_t* bytes, const Type& type)
      : bytes_(bytes), count_(lanes_of(type)), width_(byte_width(type.elem)) {}
  [[nodiscard]] unsigned count() const { return count_; }
  [[nodiscard]] unsigned width() const { return width_; }
  [[nodiscard]] uint8_t* at(unsigned lane) const { return bytes_ + size_t{lane} * width_; }
  [[nodiscard]] uint64_t bits(unsigned lane) const {
    uint64_t bits = 0;
    std::memcpy(&bits, at(lane), width_);
    return bits;
  }
  void set(unsigned lane, uint64_t bits) const { std::memcpy(at(lane), &bits, width_); }

 private:
  uint8_t* bytes_;
  unsigned count_, width_;
};
inline Lanes operand(const Context& ctx, unsigned slot, unsigned i = 0) {
  return {ctx.as<VReg>(slot, i).byte, ctx.type(slot, i)};
}
/// The lanes of a result, zero at first. It shares no words with an operand.
Lanes result(const Context& ctx, unsigned i = 0);

/// The bits of a mask, one per lane.
class Bits {
 public:
  Bits(Word* words, const Type& type) : words_(words), count_(lanes_of(type)) {}
  [[nodiscard]] unsigned count() const { return count_; }
  [[nodiscard]] bool get(unsigned lane) const { return ((words_[lane / 64] >> (lane % 64)) & 1) != 0; }
  void set(unsigned lane) const { words_[lane / 64] |= Word{1} << (lane % 64); }
  [[nodiscard]] unsigned words() const { return (count_ + 63) / 64; }
  [[nodiscard]] Word& word(unsigned i) const { return words_[i]; }
  /// The lanes from `first` on that a register of `width` bytes per lane holds, as vector instructions see
  /// them.
  [[nodiscard]] Mask of_register(unsigned first, unsigned width) const;
  /// Sets the lanes from `first` on that are active in a register's mask.
  void set_lanes(const Mask& mask, unsigned first, unsigned width) const;

 private:
  Word* words_;
  unsigned count_;
};
inline Bits mask(const Context& ctx, unsigned slot) { return {&ctx.as<Word>(slot), ctx.type(slot)}; }
Bits mask_result(const Context& ctx, unsigned i = 0);
/// The lanes below `count`, as Bits::of_register gives them.
Mask first_lanes(unsigned count, unsigned first, unsigned width);

/// Inactive lanes of a value are zero here: there is nothing that `merge` could keep. A finding where it is
/// written.
bool refuses_merge(const Context& ctx);

/// One vector instruction on registers of its own.
class Micro {
 public:
  Micro(const Context& ctx, const isa::Row& row, Elem elem, Elem result_elem);
  Micro(const Context& ctx, std::string_view name, Elem elem, Elem result_elem);
  Micro(const Micro&) = delete;
  Micro& operator=(const Micro&) = delete;

  [[nodiscard]] const isa::Schema& schema() const { return *inst_.schema; }
  [[nodiscard]] VReg& in(unsigned slot) { return as<VReg>(values_[slot]); }
  [[nodiscard]] Mask& mask(unsigned slot) { return as<Mask>(values_[slot]); }
  [[nodiscard]] Word& word(unsigned slot) { return as<Word>(values_[slot]); }
  [[nodiscard]] VReg& out(unsigned i = 0) { return as<VReg>(results_[i]); }
  [[nodiscard]] Mask& mask_out(unsigned i = 0) { return as<Mask>(results_[i]); }
  /// The case of an enumerated attribute, by its name.
  void attribute(std::string_view name, std::string_view value);
  void run() { inst_.fn(context_); }

 private:
  static constexpr unsigned kMax = 6, kMaxAttributes = 8;
  template <typename T>
  T& as(const ValueRef& ref) {
    return *reinterpret_cast<T*>(words_.data() + ref.offset);
  }
  ValueRef place(uint32_t kinds, Elem elem);

  std::array<Word, kMax * kRegisterWords> words_{};
  uint32_t used_ = 0;
  std::array<ValueRef, kMax> values_{}, results_{};
  std::array<uint32_t, kMax + 1> slots_{};
  std::array<AttrValue, kMaxAttributes> attrs_;
  std::array<uint8_t, kMaxAttributes> written_{};
  Inst inst_;
  Context context_;
};

}  // namespace pto::exec::vmi
