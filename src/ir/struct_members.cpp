#include "ir/struct_members.hpp"

#include <algorithm>

namespace pto {

std::vector<std::string_view> struct_members(std::string_view text) {
  std::vector<std::string_view> found;
  size_t begin = 0, depth = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '<') ++depth;
    if (i < text.size() && text[i] == '>') --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    found.push_back(text.substr(begin, i - begin));
    begin = std::min(i + 2, text.size());
  }
  return found;
}

std::string_view nested_struct(std::string_view member) {
  constexpr std::string_view kBegin = "!pto.struct<";
  return member.starts_with(kBegin) ? member.substr(kBegin.size(), member.size() - kBegin.size() - 1)
                                    : std::string_view{};
}

uint32_t struct_leaves(std::string_view text) {
  uint32_t count = 0;
  for (const std::string_view member : struct_members(text))
    count += nested_struct(member).empty() ? 1 : struct_leaves(nested_struct(member));
  return count;
}

uint32_t struct_leaf(std::string_view text, const int64_t* path, uint32_t length) {
  uint32_t leaf = 0;
  for (uint32_t i = 0; i < length; ++i) {
    const std::vector<std::string_view> members = struct_members(text);
    for (int64_t before = 0; before < path[i] && before < static_cast<int64_t>(members.size()); ++before) {
      const std::string_view nested = nested_struct(members[static_cast<size_t>(before)]);
      leaf += nested.empty() ? 1 : struct_leaves(nested);
    }
    text = path[i] < static_cast<int64_t>(members.size())
               ? nested_struct(members[static_cast<size_t>(path[i])])
               : std::string_view{};
  }
  return leaf;
}

}  // namespace pto
