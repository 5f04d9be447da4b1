#include "asm/parse/switch_cases.hpp"

#include "asm/parse/text/scanner.hpp"
#include "isa/row.hpp"

namespace pto::text {

namespace {

/// All switches of a text with the numbers of their cases, in one walk: a switch is emitted before its cases
/// are read.
std::unordered_map<uint32_t, Cases> scan_switches(std::string_view source) {
  const std::string_view name = isa::row(isa::id_of(isa::OpcodeClass::index_switch)).name;
  std::unordered_map<uint32_t, Cases> found;
  std::vector<Cases*> latest = {nullptr};  // by depth of braces
  const char* const begin = source.data();
  const char* const last = begin + source.size();
  for (const char* at = begin; (at = skip_trivia(at, last)) != last;) {
    const char* word_end = scan_word(at, last);
    const std::string_view word(at, static_cast<size_t>(word_end - at));
    if (word.empty()) {
      if (*at == '{') latest.push_back(nullptr);
      if (*at == '}' && latest.size() > 1) latest.pop_back();
      const char* string_end = *at == '"' ? scan_string(at, last) : nullptr;
      at = string_end != nullptr ? string_end : at + 1;
      continue;
    }
    if (word == name) latest.back() = &found[static_cast<uint32_t>(at - begin)];
    Cases* cases = latest.back();
    const char* next = skip_trivia(word_end, last);
    if (cases != nullptr && word == "default" && next != last && *next == '{') {
      cases->has_default = true;
      cases->default_first = cases->numbers.empty();
    }
    if (cases != nullptr && word == "case" && next != last && (is(*next, kDigit) || *next == '-')) {
      const bool negative = *next == '-';
      uint64_t number = 0;
      for (const char* digit = next + (negative ? 1 : 0); digit != last && is(*digit, kDigit); ++digit)
        number = number * 10 + static_cast<uint64_t>(*digit - '0');
      cases->numbers.push_back(static_cast<int64_t>(negative ? uint64_t{0} - number : number));
    }
    at = word_end;
  }
  return found;
}

}  // namespace

const Cases& Switches::cases_of(uint32_t offset) {
  static const Cases kNone;
  if (!found_) found_ = scan_switches(source_);
  const auto found = found_->find(offset);
  return found == found_->end() ? kNone : found->second;
}

}  // namespace pto::text
