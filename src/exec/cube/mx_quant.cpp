// pto.tquant.mx: groups of 32 values share an exponent, and the move that arranges these exponents for the
// matrix unit, as A5's public tile library has them. See docs/reference/numerics.md, "Microscaling".
#include "exec/cube/mx_quant.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "exec/address_math.hpp"
#include "exec/lane_ops.hpp"
#include "numeric/float_formats.hpp"
#include "support/rounding.hpp"

namespace pto::exec {
namespace {

constexpr uint64_t kGroup = 32;
constexpr unsigned kSrc = 0, kDst = 1, kExp = 2, kMax = 3, kScale = 4, kExpZz = 5;
constexpr unsigned kQuantType = 0, kScaleAlg = 1, kStoreMode = 2, kGroupAxis = 3, kInterleave = 4;
constexpr int64_t kMxfp4 = 3, kNv = 1, kNz = 1, kAxis0 = 0;

/// Rows of a tile's memory whose pitch the instruction chooses.
class Grid {
 public:
  Grid(Context& context, unsigned slot, AccessMode how, uint64_t rows, uint64_t cols, uint64_t pitch,
       uint64_t first_row = 0, uint64_t first_col = 0)
      : size_(byte_width(context.type(slot).elem)), pitch_(pitch * size_) {
    const auto first = static_cast<int64_t>(first_row * pitch_ + first_col * size_);
    base_ = context.memory->access_rows(context.type(slot).space, within(context.tile(slot).addr, first),
                                        rows, cols * size_, static_cast<int64_t>(pitch_), how);
  }
  [[nodiscard]] bool good() const { return base_ != nullptr; }
  [[nodiscard]] uint32_t get(uint64_t row, uint64_t col) const {
    uint32_t bits = 0;
    std::memcpy(&bits, at(row, col), size_);
    return bits;
  }
  void put(uint64_t row, uint64_t col, uint32_t bits) const { std::memcpy(at(row, col), &bits, size_); }

 private:
  [[nodiscard]] std::byte* at(uint64_t row, uint64_t col) const { return base_ + row * pitch_ + col * size_; }
  uint32_t size_;
  uint64_t pitch_;
  std::byte* base_ = nullptr;
};

// ---- one group

/// What a group has in common, as it is stored: 16-bit sources have scales of bf16, and by ocp maxima of
/// bf16.
struct Shared {
  uint32_t max, exponent, scale;
};

struct MxFormat {
  Elem from;
  bool four, nv, down;  ///< 4-bit results; scales by nv; groups along columns

  [[nodiscard]] bool wide() const { return from == Elem::f32; }
  [[nodiscard]] float largest() const { return four ? 6.0f : 448.0f; }
  [[nodiscard]] uint32_t exponents() const { return four ? 2 : 8; }  ///< of the largest value
  [[nodiscard]] uint32_t scale_nan() const { return wide() ? 0x7fc00000u : four ? 0x7fc0u : 0x7f81u; }
};

constexpr uint32_t exponent_of(uint32_t bits) { return bits >> 23 & 0xff; }
constexpr uint32_t mantissa_of(uint32_t bits) { return bits & 0x7fffff; }

/// The bits whose greatest is the group's maximum: bf16 of 16-bit sources, cut, but f16 as it is by nv.
uint32_t magnitude(const MxFormat& format, uint32_t bits) {
  if (format.from != Elem::f16 || format.nv) return bits & 0x7fff;
  const uint32_t magnitude = bits & 0x7fff;
  if (magnitude > 0x7c00) return 0x7fc0;
  return std::bit_cast<uint32_t>(num::f16_to_f32(static_cast<uint16_t>(magnitude))) >> 16;
}

float value_of(Elem elem, uint32_t bits) {
  if (elem == Elem::f32) return std::bit_cast<float>(bits);
  const auto narrow = static_cast<uint16_t>(bits);
  return elem == Elem::f16 ? num::f16_to_f32(narrow) : num::bf16_to_f32(narrow);
}

/// A scale of 2^(127 - exponent); where that is below the normal numbers the library stores other bits.
uint32_t scale_bits(const MxFormat& format, uint32_t exponent) {
  return (254 - exponent) << (format.wide() ? 23 : 7);
}

/// ocp: the exponent of the maximum less that of the format's largest value, at least 0.
Shared shared_ocp(const MxFormat& format, uint32_t max) {
  const uint32_t bits = format.wide() ? max : max << 16;
  const uint32_t exponent = exponent_of(bits);
  if (exponent == 255 && mantissa_of(bits) != 0) return {max, 255, format.scale_nan()};
  const uint32_t shared = std::max(exponent, format.exponents()) - format.exponents();
  return {max, shared, scale_bits(format, shared)};
}

/// nv: the exponent of maximum / largest value, rounded up to the next power of two.
Shared shared_nv(const MxFormat& format, uint32_t max) {
  const auto bits = std::bit_cast<uint32_t>(value_of(format.from, max) * (1.0f / format.largest()));
  const uint32_t exponent = exponent_of(bits);
  const uint32_t mantissa = mantissa_of(bits);
  if (exponent == 255 && mantissa != 0) return {max, 255, format.scale_nan()};
  if (exponent == 255) return {max, 254, format.wide() ? 0x400000u : 0x40u};
  const bool up = exponent == 0 ? mantissa > 0x400000 : mantissa != 0 && exponent < 254;
  const uint32_t shared = exponent + (up ? 1 : 0);
  return {max, shared, scale_bits(format, shared)};
}

/// The maximum of the magnitudes. A NaN is the greatest.
template <typename At>
uint32_t group_maximum(const MxFormat& format, At&& at) {
  if (format.wide()) {
    float max = 0;
    for (uint64_t i = 0; i < kGroup; ++i) max = maximum(max, std::fabs(std::bit_cast<float>(at(i))));
    return std::bit_cast<uint32_t>(canonical(max));
  }
  uint32_t max = 0;
  for (uint64_t i = 0; i < kGroup; ++i) max = std::max(max, magnitude(format, at(i)));
  return max;
}

/// One value: the product is rounded to bf16 where the library multiplies in that format.
uint32_t quantise(const MxFormat& format, uint32_t bits, uint32_t scale) {
  float product = value_of(format.from, bits) * value_of(format.wide() ? Elem::f32 : Elem::bf16, scale);
  if (format.from == Elem::bf16 && (format.four || !format.down)) product = num::round_to_bf16(product);
  if (std::isnan(product)) return format.four ? 0x7 : 0x7f;
  return static_cast<uint32_t>(num::from_f64(format.four ? Elem::f4e2m1x2 : Elem::f8e4m3,
                                             static_cast<double>(product), num::Round::rint,
                                             num::Overflow::saturate)) &
         (format.four ? 0xf : 0xff);
}

// ---- tiles

/// The extents of an instruction. Along rows a group may reach into the columns that are not valid.
struct Extents {
  uint64_t rows, cols, stride;
  bool flat;                        ///< exponents of groups along rows, in one row
  uint64_t group_rows, group_cols;  ///< with the groups that a row is stored with
  uint64_t used_cols;               ///< groups of a row whose exponents are written
  uint64_t written;                 ///< columns of a row whose values are written

  Extents(const Context& context, const MxFormat& format)
      : rows(context.tile(kSrc).valid_rows),
        cols(context.tile(kSrc).valid_cols),
        stride(context.tile(kSrc).storage_cols),
        flat(!format.down && context.type(kExp).rows() == 1),
        group_rows(format.down ? rows / kGroup : rows),
        group_cols(format.down ? cols
                   : flat      ? stride / kGroup
                               : ceil_div(cols, kGroup)),
        used_cols(group_cols),
        written(format.down || format.wide() ? cols : group_cols * kGroup) {
    // Rows of whole registers go by themselves (pto-isa include/pto/npu/a5/TQuant.hpp:2207).
    constexpr uint64_t kAlone = 512;
    if (!flat || format.wide() || format.four || format.nv || cols == stride || stride % kAlone != 0) return;
    used_cols = ceil_div(cols, kGroup);
    written = cols;
  }
};

/// Where the library puts what groups share; coordinates are those of the group.
class Groups {
 public:
  Groups(Context& context, const MxFormat& format, const Extents& extents) {
    const uint64_t of_exp = context.tile(kExp).storage_cols;
    const uint64_t rows = extents.group_rows;
    interleave_ = context.attr(kInterleave) != 0;
    twice_ = doubled(context, format, extents);
    const uint64_t pitch = format.down ? extents.stride : extents.group_cols;
    const uint64_t copies = twice_ ? 2 : 1;
    max_.emplace(context, kMax, AccessMode::write, rows, extents.group_cols, pitch);
    scale_.emplace(context, kScale, AccessMode::write, rows, extents.used_cols * copies, pitch * copies);
    if (interleave_)
      exp_.emplace(context, kExp, AccessMode::write, rows / 2, extents.used_cols * 2, of_exp);
    else
      exp_.emplace(context, kExp, AccessMode::write, rows, extents.used_cols,
                   format.down || extents.flat ? pitch : of_exp);
  }
  [[nodiscard]] bool good() const { return max_->good() && scale_->good() && exp_->good(); }
  void put_max(uint64_t row, uint64_t col, uint32_t bits) const { max_->put(row, col, bits); }
  void put(uint64_t row, uint64_t col, const Shared& shared) const {
    put_max(row, col, shared.max);
    scale_->put(row, twice_ ? 2 * col : col, shared.scale);
    if (twice_) scale_->put(row, 2 * col + 1, shared.scale);
    if (interleave_)
      exp_->put(row / 2, 2 * col + row % 2, shared.exponent);
    else
      exp_->put(row, col, shared.exponent);
  }
  /// Rows of exponents of 16-bit sources: the first maxima are where the library lays the scales of eight
  /// groups at a time (pto-isa include/pto/npu/a5/TQuant.hpp:1908, 2282). Fewer than eight groups of 8 bits
  /// go elsewhere.
  void leave_scales(const MxFormat& format, const Extents& extents) const {
    constexpr uint64_t kWindow = 8;
    const uint64_t last = extents.group_rows - 1;
    const uint64_t cols = extents.group_cols;
    if (format.down || extents.flat || format.wide()) return;
    if (!format.four && extents.group_rows * cols < kWindow) return;
    for (uint64_t first = 0; first < cols; first += kWindow) {
      for (uint64_t i = 0; i < std::min(kWindow, cols - first); ++i)
        max_->put(i / cols, i % cols, scale_->get(last, first + i));
    }
  }

 private:
  /// Sources of f32 that fill groups of 256 without gaps get each scale twice.
  static bool doubled(const Context& context, const MxFormat& format, const Extents& extents) {
    const Type& src = context.type(kSrc);
    const int64_t all = src.rows() * src.cols();
    return extents.flat && format.wide() && all > 1024 && all % 256 == 0 &&
           extents.rows * extents.stride % 256 == 0;
  }
  bool interleave_ = false, twice_ = false;
  std::optional<Grid> max_, scale_, exp_;
};

/// The library zeroes the columns that are not valid in sources of 16 bits; where rows are parts of a
/// register, in all rows that the last register holds. False after a finding.
bool zero_padding(Context& context, const Extents& extents) {
  constexpr uint64_t kRegister = 128;
  const uint64_t cols = extents.cols, stride = extents.stride;
  if (cols >= stride) return true;
  const uint64_t rows =
      kRegister % stride == 0 ? round_up(extents.rows * stride, kRegister) / stride : extents.rows;
  const Grid padding(context, kSrc, AccessMode::write, rows, stride - cols, stride, 0, cols);
  for (uint64_t row = 0; padding.good() && row < rows; ++row) {
    for (uint64_t col = cols; col < stride; ++col) padding.put(row, col - cols, 0);
  }
  return padding.good();
}

/// Byte of the exponent of (row, group) among boxes of 16x2.
constexpr uint64_t box_offset(uint64_t row, uint64_t group, uint64_t groups) {
  return (row / 16 * (groups / 2) + group / 2) * 32 + row % 16 * 2 + group % 2;
}

}  // namespace

void quant_mx(Context& context) {
  const MxFormat format{context.type(kSrc).elem, context.attr(kQuantType) == kMxfp4,
                        context.attr(kScaleAlg) == kNv, context.attr(kGroupAxis) == kAxis0};
  const Extents extents(context, format);
  const uint64_t rows = extents.rows, cols = extents.cols, stride = extents.stride;
  if (rows == 0 || cols == 0) return;
  const bool boxes = context.has(kExpZz);
  if (boxes && (context.attr(kStoreMode) != kNz || rows % 16 != 0 || cols % 64 != 0))
    return context.fault(Fault::unsupported,
                         "exp_zz is defined for storeMode nz, rows in 16s and columns in 64s");
  const uint64_t packed = format.four ? 2 : 1;
  const Grid src(context, kSrc, AccessMode::read, rows, cols, stride);
  const Grid dst(context, kDst, AccessMode::write, rows, extents.written / packed,
                 format.down && !format.four ? context.tile(kDst).storage_cols : stride / packed);
  const Groups groups(context, format, extents);
  if (!src.good() || !dst.good() || !groups.good()) return;
  if (!format.wide() && !zero_padding(context, extents)) return;
  std::optional<Grid> zz;
  if (boxes) zz.emplace(context, kExpZz, AccessMode::write, 1, rows * extents.group_cols, 0);
  if (boxes && !zz->good()) return;
  for (uint64_t row = 0; row < extents.group_rows; ++row) {
    for (uint64_t col = 0; col < extents.group_cols; ++col) {
      const auto at = [&](uint64_t i) {
        return format.down ? std::pair(row * kGroup + i, col) : std::pair(row, col * kGroup + i);
      };
      const auto bits = [&](uint64_t i) {
        const auto [r, c] = at(i);
        return c < cols ? src.get(r, c) : 0;
      };
      const uint32_t max = group_maximum(format, bits);
      if (col >= extents.used_cols) {
        groups.put_max(row, col, max);
        continue;
      }
      const Shared shared = format.nv ? shared_nv(format, max) : shared_ocp(format, max);
      groups.put(row, col, shared);
      if (boxes) zz->put(0, box_offset(row, col, extents.group_cols), shared.exponent);
      for (uint64_t i = 0; i < kGroup; ++i) {
        const auto [r, c] = at(i);
        if (c >= extents.written) break;
        uint32_t value = quantise(format, bits(i), shared.scale);
        if (format.four) {
          const uint32_t other = c % 2 == 0 ? 0 : dst.get(r, c / 2) & 0xf;  // the even one came before
          value = other | value << (c % 2 * 4);
        }
        dst.put(r, c / packed, value);
      }
    }
  }
  groups.leave_scales(format, extents);
}

/// Rows or columns of exponents into boxes of 16x2. Along rows the library first fills the source up to 16
/// rows with zeros.
void move_exponents(Context& context) {
  constexpr unsigned kAxis = 2;
  const bool down = context.attr_set(kAxis) && context.attr(kAxis) == kAxis0;
  const TileDesc& extents = context.tile(down ? 0 : 1);
  const uint64_t rows = extents.valid_rows, cols = extents.valid_cols;
  if (rows == 0 || cols == 0) return;
  const uint64_t padded = down ? rows : round_up<uint64_t>(rows, 16);
  const Grid src(context, 0, AccessMode::read, rows, cols, cols);
  const Grid dst(context, 1, AccessMode::write, 1, padded * cols, 0);
  if (!src.good() || !dst.good()) return;
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t col = 0; col < cols; ++col)
      dst.put(0, down ? box_offset(col, row, rows) : box_offset(row, col, cols), src.get(row, col));
  }
  if (padded == rows) return;
  const Grid padding(context, 0, AccessMode::write, padded - rows, cols, cols, rows);
  if (!padding.good()) return;
  for (uint64_t row = rows; row < padded; ++row) {
    for (uint64_t col = 0; col < cols; ++col) {
      padding.put(row - rows, col, 0);
      dst.put(0, box_offset(row, col, cols), 0);
    }
  }
}

}  // namespace pto::exec
