// Expectations: which elements differ by a case's comparison rule. Equal bits always hold; see
// docs/user/case-file.md.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "cases/dtype.hpp"
#include "numeric/float_formats.hpp"
#include "pto/case_file.hpp"

namespace pto {
namespace {

double value_of(Elem dtype, uint64_t bits) {
  if (is_unsigned(dtype)) return static_cast<double>(bits);
  if (is_integer(dtype)) return static_cast<double>(num::int_value(dtype, bits));
  return num::to_f64(dtype, bits);
}

/// How many representable values lie between two bit patterns of sign and magnitude; -0 and +0 are one value.
uint64_t ulp_distance(Elem dtype, uint64_t a, uint64_t b) {
  const uint64_t sign = uint64_t{1} << (bit_width(dtype) - 1);
  const uint64_t mag_a = a & ~sign;
  const uint64_t mag_b = b & ~sign;
  if ((a & sign) == (b & sign)) return mag_a > mag_b ? mag_a - mag_b : mag_b - mag_a;
  return mag_a + mag_b;
}

bool has_rule(const Compare& rule) {
  return rule.atol || rule.rtol || rule.eps || rule.ulp || rule.max_bad || rule.nan_equal;
}

bool holds(Elem dtype, uint64_t got, uint64_t wanted, const Compare& rule) {
  if (got == wanted) return true;
  if (report::bits_only(dtype) || !has_rule(rule)) return false;
  const double g = value_of(dtype, got);
  const double w = value_of(dtype, wanted);
  const bool nan = std::isnan(g) || std::isnan(w);
  if (rule.nan_equal && std::isnan(g) && std::isnan(w)) return true;
  if (nan) return false;
  if (rule.ulp && ulp_distance(dtype, got, wanted) <= *rule.ulp) return true;
  if (!rule.atol && !rule.rtol && !rule.eps) return false;
  if (g == w) return true;
  if (!std::isfinite(g) || !std::isfinite(w)) return false;
  const double off = std::fabs(g - w);
  if ((rule.atol || rule.rtol) && off <= rule.atol.value_or(0) + rule.rtol.value_or(0) * std::fabs(w))
    return true;
  return rule.eps && (off <= *rule.eps || off <= *rule.eps * std::fabs(w));
}

/// Buffer index of the n-th expected element.
uint64_t selected(const CaseArg& arg, uint64_t n) {
  if (!arg.select) return n;
  const auto cols = static_cast<uint64_t>(arg.select->cols);
  return static_cast<uint64_t>(arg.select->offset) + n / cols * static_cast<uint64_t>(arg.select->stride) +
         n % cols;
}

/// How many elements `expect` covers; refuses a selection that leaves the buffer.
Result<uint64_t> covered(const CaseArg& arg, uint64_t count) {
  if (!arg.select) return count;
  const Select& s = *arg.select;
  uint64_t elements = 0, last = 0;
  const auto u = [](int64_t v) { return static_cast<uint64_t>(v); };
  if (__builtin_mul_overflow(u(s.rows), u(s.cols), &elements))
    return Error{fmt::format("'{}': select names too many elements", arg.name)};
  if (elements == 0) return elements;
  if (__builtin_mul_overflow(u(s.rows - 1), u(s.stride), &last) ||
      __builtin_add_overflow(last, u(s.offset) + u(s.cols) - 1, &last) || last >= count) {
    return Error{fmt::format("'{}': select reaches beyond the buffer of {} elements", arg.name, count)};
  }
  return elements;
}

/// The element's index in each dimension.
std::vector<uint64_t> index_in(const std::vector<int64_t>& shape, uint64_t index) {
  std::vector<uint64_t> at(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    at[d] = index % static_cast<uint64_t>(shape[d]);
    index /= static_cast<uint64_t>(shape[d]);
  }
  return at;
}

std::string place(const std::vector<int64_t>& shape, uint64_t index) {
  if (shape.size() < 2) return fmt::format("element {}", index);
  return fmt::format("element [{}] (index {})", fmt::join(index_in(shape, index), ", "), index);
}

/// How far two elements that agree are apart; infinities and NaN are as near as can be.
double error_of(Elem dtype, uint64_t got, uint64_t wanted) {
  if (got == wanted || report::bits_only(dtype)) return 0;
  const double off = std::fabs(value_of(dtype, got) - value_of(dtype, wanted));
  return std::isfinite(off) ? off : 0;
}

std::string distance(Elem dtype, uint64_t got, uint64_t wanted) {
  if (report::bits_only(dtype)) return "";
  const double g = value_of(dtype, got);
  const double w = value_of(dtype, wanted);
  if (!is_float(dtype)) return fmt::format(", off by {:.17g}", std::fabs(g - w));
  if (std::isnan(g) || std::isnan(w)) return "";
  return fmt::format(", {} ulp apart", ulp_distance(dtype, got, wanted));
}

/// Compares one buffer; what comes out goes to `out`, as of argument number `position`.
Result<bool> compare_buffer(const CaseArg& arg, const Argument& argument, size_t position, Comparison& out) {
  if (report::bits_only(arg.dtype) && has_rule(arg.compare)) {
    return Error{fmt::format("'{}': {} is compared bit by bit; remove 'compare'", arg.name,
                             report::dtype_name(arg.dtype))};
  }
  const auto elements = covered(arg, argument.data().size() / byte_width(arg.dtype));
  if (!elements) return elements.error();
  const auto expected = read_buffer(arg.expect, arg.dtype, *elements);
  if (!expected) return Error{fmt::format("'{}': expect {}", arg.name, expected.error().message)};
  uint64_t bad = 0, first = 0, farthest_offset = 0, hash = 0;
  double largest = 0;
  for (uint64_t n = 0; n < *elements; ++n) {
    const uint64_t wanted = report::element_bits(arg.dtype, expected->data(), n);
    const uint64_t got = report::element_bits(arg.dtype, argument.data().data(), selected(arg, n));
    if (!holds(arg.dtype, got, wanted, arg.compare)) {
      if (bad++ == 0) first = n;
      hash = (std::rotl(hash, 5) ^ got ^ n) * 0x9e3779b97f4a7c15ULL;
    } else if (const double off = error_of(arg.dtype, got, wanted); off > largest) {
      largest = off;
      farthest_offset = n;
    }
  }
  if (static_cast<double>(bad) <= arg.compare.max_bad.value_or(0) * static_cast<double>(*elements)) {
    out.agreements.push_back({arg.name, *elements, *elements - bad, largest, {}});
    if (largest > 0) out.agreements.back().where = index_in(arg.shape, selected(arg, farthest_offset));
    return true;
  }
  Mismatch wrong{arg.name, position, selected(arg, first), 0, bad, *elements, {}, hash};
  wrong.byte = wrong.index * byte_width(arg.dtype);
  const uint64_t wanted = report::element_bits(arg.dtype, expected->data(), first);
  const uint64_t got = report::element_bits(arg.dtype, argument.data().data(), wrong.index);
  wrong.message =
      fmt::format("{}: {} of {} elements differ; first at {}: expected {}, got {}{}", arg.name, bad,
                  *elements, place(arg.shape, wrong.index), report::show_element(arg.dtype, wanted),
                  report::show_element(arg.dtype, got), distance(arg.dtype, got, wanted));
  out.mismatches.push_back(std::move(wrong));
  return false;
}

}  // namespace

Result<Comparison> compare_expected(const Case& the_case, const std::vector<Argument>& arguments) {
  Comparison all;
  for (size_t i = 0; i < the_case.args.size() && i < arguments.size(); ++i) {
    if (the_case.args[i].expect.empty()) continue;
    if (auto done = compare_buffer(the_case.args[i], arguments[i], i, all); !done) return done.error();
  }
  return all;
}

}  // namespace pto
