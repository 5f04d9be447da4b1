#include "cases/fill_patterns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "cases/dtype.hpp"
#include "cases/rank_placeholders.hpp"
#include "pto/ranks.hpp"
#include "support/parse_number.hpp"

namespace pto::report {
namespace {

using Period = std::vector<uint64_t>;  ///< bits of elements that repeat

constexpr std::string_view kContext = "context:";
constexpr int64_t kMaxPeriod = int64_t{1} << 20;
constexpr uint64_t kRandomValues = 4096;  ///< different floats of random fills

Error bad_fill(std::string_view fill, std::string_view why) {
  return {fmt::format("fill '{}': {}", fill, why)};
}

/// first .. first + count - 1 as far as the format has them; at least one.
Result<Period> counted(Elem dtype, int64_t first, int64_t count) {
  Period period;
  for (int64_t i = 0; i < count; ++i) {
    const auto bits = bits_of_number(dtype, fmt::format("{}", first + i));
    if (!bits && period.empty()) return bits.error();
    if (!bits) break;
    // Where floats are further apart than 1 the numbers would repeat.
    if (!period.empty() && period.back() == *bits) break;
    period.push_back(*bits);
  }
  return period;
}

Result<Period> range(Elem dtype, std::string_view fill, std::string_view rest) {
  const size_t colon = rest.find(':');
  const auto first = parse_number<int64_t>(rest.substr(0, colon));
  const auto end = parse_number<int64_t>(colon == std::string_view::npos ? "" : rest.substr(colon + 1));
  if (!first || !end || *first >= *end) return bad_fill(fill, "write range:A:B with A less than B");
  int64_t count = 0;
  if (__builtin_sub_overflow(*end, *first, &count) || count > kMaxPeriod)
    return bad_fill(fill, fmt::format("at most {} numbers", kMaxPeriod));
  for (const int64_t number : {*first, *end - 1}) {
    if (const auto bits = bits_of_number(dtype, fmt::format("{}", number)); !bits)
      return bad_fill(fill, bits.error().message);
  }
  return counted(dtype, *first, count);
}

Result<Period> random_floats(Elem dtype) {
  Period values;
  for (uint64_t i = 0; i < kRandomValues; ++i) {
    const double half = static_cast<double>(kRandomValues) / 2;
    const auto bits = bits_of_number(dtype, fmt::format("{}", static_cast<double>(i) / half - 1));
    if (!bits) return bits.error();
    values.push_back(*bits);
  }
  return values;
}

/// splitmix64: a good hash of a counter.
uint64_t mixed(uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

/// The elements that repeat, in order or drawn by `seed`; no values: any bits.
struct Pattern {
  Period values;
  std::optional<uint64_t> seed;
  [[nodiscard]] uint64_t at(uint64_t index) const {
    if (!seed) return values[index % values.size()];
    const uint64_t drawn = mixed(*seed + index);
    return values.empty() ? drawn : values[drawn % values.size()];
  }
};

Result<Pattern> pattern_of(Elem dtype, std::string_view fill) {
  const auto built = [](Result<Period> period, std::optional<uint64_t> seed = {}) -> Result<Pattern> {
    if (!period) return period.error();
    return Pattern{std::move(*period), seed};
  };
  constexpr std::string_view kRandom = "random:", kRange = "range:";
  if (fill == "zeros") return Pattern{{0}, {}};
  if (fill == "iota") return built(counted(dtype, 0, kMaxPeriod));
  if (fill.starts_with(kRange)) return built(range(dtype, fill, fill.substr(kRange.size())));
  if (fill.starts_with(kRandom)) {
    const auto seed = parse_number<uint64_t>(fill.substr(kRandom.size()));
    if (!seed) return bad_fill(fill, "write random:SEED with an integer");
    if (dtype == Elem::i1) return Pattern{{0, 1}, mixed(*seed)};
    return built(is_float(dtype) ? random_floats(dtype) : Period{}, mixed(*seed));
  }
  const auto bits = bits_of_number(dtype, fill);
  if (!bits) return bits.error();
  return Pattern{{*bits}, {}};
}

}  // namespace

Result<bool> check_fill(Elem dtype, std::string_view fill) {
  if (fill == kContextFill || fill.starts_with(kContext)) {
    return byte_width(dtype) == sizeof(uint64_t) ? Result<bool>(true)
                                                 : bad_fill(fill, "its words have 64 bits: i64");
  }
  const auto pattern = pattern_of(dtype, fill);
  if (!pattern) return pattern.error();
  return true;
}

Result<bool> fill_elements(std::span<std::byte> bytes, Elem dtype, std::string_view fill) {
  if (fill.starts_with(kContext)) {
    const std::string_view rest = fill.substr(kContext.size());
    const size_t colon = std::min(rest.find(':'), rest.size());
    const auto rank = parse_number<uint32_t>(rest.substr(0, colon));
    const auto ranks = parse_number<uint32_t>(rest.substr(std::min(colon + 1, rest.size())));
    if (!rank || !ranks) return bad_fill(fill, "is not of a rank");
    write_context(bytes, *rank, *ranks);
    return true;
  }
  const auto pattern = pattern_of(dtype, fill);
  if (!pattern) return pattern.error();
  if (!pattern->seed && std::ranges::all_of(pattern->values, [](uint64_t bits) { return bits == 0; })) {
    std::ranges::fill(bytes, std::byte{0});
    return true;
  }
  const size_t width = byte_width(dtype);
  for (size_t i = 0; (i + 1) * width <= bytes.size(); ++i) {
    const uint64_t bits = pattern->at(i);
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return true;
}

}  // namespace pto::report
