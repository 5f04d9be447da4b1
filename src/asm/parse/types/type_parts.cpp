#include "asm/parse/types/type_parts.hpp"

#include <vector>

#include "asm/parse/text/scanner.hpp"

namespace pto::text {
namespace {

/// One entry of the list between '<' and '>'.
struct Part {
  std::string_view key, value;  ///< key empty: `vec`, `16x64xf32`
};

std::vector<Part> parts_of(std::string_view spelling) {
  std::vector<Part> parts;
  const size_t open = spelling.find('<');
  if (open == spelling.npos || !spelling.ends_with('>')) return parts;
  std::string_view list = spelling.substr(open + 1, spelling.size() - open - 2);
  while (!trim(list).empty()) {
    const std::string_view item = trim(list.substr(0, list.find(',')));
    const size_t equal = item.find('=');
    if (equal == item.npos)
      parts.push_back({{}, item});
    else
      parts.push_back({trim(item.substr(0, equal)), trim(item.substr(equal + 1))});
    list.remove_prefix(std::min(list.find(','), list.size() - 1) + 1);
  }
  return parts;
}

/// The entries that state a part, in the long form and as the position in the short one.
struct Wanted {
  std::string_view key;
  std::vector<std::string_view> keys;
  bool shape;  ///< in the short form: (part of) the shape
};

}  // namespace

Span type_part(std::string_view spelling, std::string_view key) {
  static const Wanted kWanted[] = {{"loc", {"loc"}, false},
                                   {"dtype", {"dtype"}, true},
                                   {"valid", {"valid", "v_row", "v_col"}, true},
                                   {"layout", {"blayout", "slayout"}, false},
                                   {"shape", {"rows", "cols"}, true}};
  const Span all{0, static_cast<uint32_t>(spelling.size())};
  const std::vector<Part> parts = parts_of(spelling);
  const auto span = [&](const char* begin, const char* end) {
    return Span{static_cast<uint32_t>(begin - spelling.data()), static_cast<uint32_t>(end - spelling.data())};
  };
  if (key == "space")
    return parts.size() == 2 ? span(parts[1].value.data(), parts[1].value.data() + parts[1].value.size())
                             : all;
  for (const Wanted& wanted : kWanted) {
    if (wanted.key != key) continue;
    const char *begin = nullptr, *end = nullptr;
    for (const Part& part : parts) {
      for (const std::string_view name : wanted.keys) {
        if (part.key != name) continue;
        if (begin == nullptr) begin = part.key.data();
        end = part.value.data() + part.value.size();
      }
    }
    if (begin != nullptr) return span(begin, end);
    for (const Part& part : parts) {
      if (!part.key.empty()) continue;
      const size_t x = part.value.rfind('x');
      const bool shape = x != part.value.npos && (is(part.value[0], kDigit) || part.value[0] == '?');
      if (shape != wanted.shape && !(key == "loc" && !shape)) continue;
      if (key == "layout") continue;
      const char* last = part.value.data() + part.value.size();
      if (key == "dtype") return span(part.value.data() + x + 1, last);
      return span(part.value.data(), shape ? part.value.data() + x : last);
    }
  }
  return all;
}

}  // namespace pto::text
