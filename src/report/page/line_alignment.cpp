#include "report/page/line_alignment.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace pto::report {
namespace {

constexpr size_t kMaxPairs = 16'000'000;

/// The first word behind the results: "pto.tload".
std::string_view mnemonic_of(std::string_view text) {
  if (const size_t equals = text.find(" = "); equals != std::string_view::npos)
    text.remove_prefix(equals + 3);
  const auto end = std::ranges::find_if(text, [](char c) { return c == ' ' || c == '(' || c == '['; });
  return text.substr(0, static_cast<size_t>(end - text.begin()));
}

struct Entry {
  uint32_t line = 0;
  std::string_view text, mnemonic;
  std::string bare;
};

std::vector<Entry> entries(const Lines& lines) {
  std::vector<Entry> list;
  for (const auto& [line, text] : lines) list.push_back({line, text, mnemonic_of(text), without_types(text)});
  return list;
}

/// How much two lines are the same: 0 is not at all.
uint32_t likeness(const Entry& a, const Entry& b) {
  if (a.text == b.text) return 6;
  if (a.bare == b.bare) return 5;
  return a.mnemonic == b.mnemonic && !a.mnemonic.empty() ? 2 : 0;
}

}  // namespace

std::string without_types(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '!') {
      out += text[i];
      continue;
    }
    while (i + 1 < text.size() && (std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0 ||
                                   text[i + 1] == '.' || text[i + 1] == '_'))
      ++i;
    if (i + 1 >= text.size() || text[i + 1] != '<') continue;
    for (int depth = 0; i + 1 < text.size();) {
      ++i;
      depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
      if (depth == 0) break;
    }
  }
  return out;
}

/// The longest common subsequence, weighted by likeness.
std::map<uint32_t, uint32_t> align(const Lines& a, const Lines& b) {
  const std::vector<Entry> left = entries(a);
  const std::vector<Entry> right = entries(b);
  std::map<uint32_t, uint32_t> pairs;
  if (left.size() * right.size() > kMaxPairs) {  // too long to look at all pairs: lines that stayed in place
    for (const Entry& entry : left)
      if (const auto at = b.find(entry.line); at != b.end() && mnemonic_of(at->second) == entry.mnemonic)
        pairs[entry.line] = entry.line;
    return pairs;
  }
  const size_t width = right.size() + 1;
  std::vector<uint32_t> best((left.size() + 1) * width, 0);
  for (size_t i = left.size(); i-- > 0;) {
    for (size_t j = right.size(); j-- > 0;) {
      const uint32_t like = likeness(left[i], right[j]);
      best[i * width + j] = std::max({best[(i + 1) * width + j], best[i * width + j + 1],
                                      like == 0 ? 0 : like + best[(i + 1) * width + j + 1]});
    }
  }
  for (size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    const uint32_t like = likeness(left[i], right[j]);
    const uint32_t here = best[i * width + j];
    if (like != 0 && here == like + best[(i + 1) * width + j + 1]) {
      pairs[left[i++].line] = right[j++].line;
    } else if (here == best[(i + 1) * width + j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return pairs;
}

}  // namespace pto::report
