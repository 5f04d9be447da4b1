#include "exec/dense_constants.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "exec/integer_ops.hpp"
#include "numeric/float_formats.hpp"

namespace pto::exec {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) + 1 - first);
}

std::optional<Word> number(std::string_view text, Elem elem) {
  text = trimmed(text);
  if (text == "true") return 1;
  if (text == "false") return 0;
  const std::string digits(text);
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  if (digits.empty() || *end != '\0') return std::nullopt;
  if (!is_float(elem)) return int_word(elem, static_cast<uint64_t>(std::strtoll(digits.c_str(), nullptr, 0)));
  // 0x7F800000 : f32
  if (text.starts_with("0x")) return std::strtoull(digits.c_str(), nullptr, 16);
  return num::from_f64(elem, value);
}

std::optional<Word> of_text(std::string_view text, uint32_t i, Elem elem) {
  constexpr std::string_view kOpen = "dense<";
  const size_t close = text.find('>');  // a type may follow
  if (!text.starts_with(kOpen) || close == std::string_view::npos) return std::nullopt;
  text = trimmed(text.substr(kOpen.size(), close - kOpen.size()));
  if (text.starts_with('[') && text.ends_with(']')) {
    text = text.substr(1, text.size() - 2);
    for (; i > 0; --i) {
      const size_t comma = text.find(',');
      if (comma == std::string_view::npos) return std::nullopt;
      text.remove_prefix(comma + 1);
    }
    text = text.substr(0, text.find(','));
  }
  return number(text, elem);
}

}  // namespace

Word constant_word(const AttrValue& value, Elem elem) {
  if (value.kind == AttrValue::Kind::floating) return num::from_f64(elem, value.floating);
  if (is_float(elem))
    return value.kind == AttrValue::Kind::integer ? static_cast<Word>(value.integer) : 0;  // 0x7F800000 : f32
  return int_word(elem, static_cast<uint64_t>(value.integer));
}

std::optional<Word> dense_element(const Program& program, const AttrValue& value, uint32_t i, Elem elem) {
  switch (value.kind) {
    case AttrValue::Kind::int_array:
      if (value.array.count == 0) return 0;
      return static_cast<Word>(
          program
              .ints[value.array.first + (value.array.count == 1 ? 0 : std::min(i, value.array.count - 1))]);
    case AttrValue::Kind::integer:
    case AttrValue::Kind::floating:
    case AttrValue::Kind::boolean:
      return constant_word(value, elem);
    case AttrValue::Kind::raw:
      return of_text(program.strings[value.text], i, elem);
    default:
      return std::nullopt;
  }
}

}  // namespace pto::exec
