#include "cases/dtype.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "numeric/float_formats.hpp"
#include "support/parse_number.hpp"

namespace pto::report {
namespace {

struct Dtype {
  Elem elem;
  bool bits_only;
};
constexpr std::array<Dtype, 19> kDtypes = {{
    {Elem::f16, false},   {Elem::bf16, false},    {Elem::f32, false},     {Elem::f64, false},
    {Elem::i8, false},    {Elem::i16, false},     {Elem::i32, false},     {Elem::i64, false},
    {Elem::ui8, false},   {Elem::ui16, false},    {Elem::ui32, false},    {Elem::ui64, false},
    {Elem::i1, true},     {Elem::hif8, true},     {Elem::f8e4m3, true},   {Elem::f8e5m2, true},
    {Elem::f8e8m0, true}, {Elem::f4e1m2x2, true}, {Elem::f4e2m1x2, true},
}};

const Dtype* find(Elem elem) {
  const auto found = std::ranges::find(kDtypes, elem, &Dtype::elem);
  return found == kDtypes.end() ? nullptr : &*found;
}

Error not_a(Elem dtype, std::string_view number) {
  return {fmt::format("'{}' is not a value of {}", number, dtype_name(dtype))};
}

std::optional<double> real(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return parse_number<double>(text);
}

/// A number without fraction, also when written as a float ("3.0").
std::optional<int64_t> integral(std::string_view text) {
  if (auto value = parse_number<int64_t>(text)) return value;
  const auto value = real(text);
  if (!value || std::trunc(*value) != *value || std::fabs(*value) >= 0x1p63) return std::nullopt;
  return static_cast<int64_t>(*value);
}

Result<uint64_t> integer_bits(Elem dtype, std::string_view number) {
  const unsigned width = bit_width(dtype);
  if (is_unsigned(dtype)) {
    auto value = parse_number<uint64_t>(number);
    if (!value) {
      const auto from_real = integral(number);
      if (from_real && *from_real >= 0) value = static_cast<uint64_t>(*from_real);
    }
    if (!value || (width < 64 && *value >> width)) return not_a(dtype, number);
    return *value;
  }
  const auto value = integral(number);
  if (!value) return not_a(dtype, number);
  const int64_t limit = width == 64 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << (width - 1)) - 1;
  // iN carries no sign: its upper half may be written as an unsigned number, as in program text.
  const int64_t highest = width == 64 ? limit : 2 * limit + 1;
  if (*value > highest || *value < -limit - 1) return not_a(dtype, number);
  return static_cast<uint64_t>(*value) & (~uint64_t{0} >> (64 - width));
}

}  // namespace

std::optional<Elem> parse_dtype(std::string_view name) {
  for (const Dtype& entry : kDtypes) {
    if (dtype_name(entry.elem) == name) return entry.elem;
  }
  return std::nullopt;
}

std::string_view dtype_name(Elem dtype) {
  if (dtype == Elem::i1) return "bool";
  return find(dtype) != nullptr ? short_name(dtype) : to_string(dtype);
}

std::vector<std::string_view> dtype_names() {
  std::vector<std::string_view> names;
  for (const Dtype& entry : kDtypes) names.push_back(dtype_name(entry.elem));
  return names;
}

std::string dtype_list() { return fmt::format("{}", fmt::join(dtype_names(), ", ")); }

bool bits_only(Elem dtype) {
  const Dtype* entry = find(dtype);
  return !entry || entry->bits_only;
}

Result<uint64_t> bits_of_number(Elem dtype, std::string_view number) {
  if (dtype == Elem::i1) {
    if (number == "true" || number == "1") return uint64_t{1};
    if (number == "false" || number == "0") return uint64_t{0};
    return not_a(dtype, number);
  }
  if (is_integer(dtype)) return integer_bits(dtype, number);
  const auto value = real(number);
  if (!value) return not_a(dtype, number);
  if (is_float4(dtype))
    return Error{
        fmt::format("{} holds two values per element; give the buffer as a file", dtype_name(dtype))};
  if (dtype == Elem::f32) {
    const auto narrow = static_cast<float>(*value);
    uint32_t bits = 0;
    std::memcpy(&bits, &narrow, sizeof bits);
    return uint64_t{bits};
  }
  return num::from_f64(dtype, *value);
}

uint64_t element_bits(Elem dtype, const std::byte* data, uint64_t index) {
  uint64_t bits = 0;
  const uint32_t width = byte_width(dtype);
  std::memcpy(&bits, data + index * width, width);
  return bits;
}

std::string show_element(Elem dtype, uint64_t bits) {
  if (bits_only(dtype)) return fmt::format("0x{:x}", bits);
  if (is_unsigned(dtype)) return fmt::format("{} (0x{:x})", bits, bits);
  if (is_integer(dtype)) {
    const unsigned shift = 64 - bit_width(dtype);
    return fmt::format("{} (0x{:x})", static_cast<int64_t>(bits << shift) >> shift, bits);
  }
  const double value = num::to_f64(dtype, bits);
  return fmt::format("{:.{}g} (0x{:x})", value, dtype == Elem::f64 ? 17 : 9, bits);
}

std::optional<uint64_t> element_count(const std::vector<int64_t>& shape) {
  uint64_t count = 1;
  for (const int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(count, static_cast<uint64_t>(size), &count)) return std::nullopt;
  }
  return count;
}

std::string show_shape(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace pto::report
