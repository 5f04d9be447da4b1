// The nearest spelling, for "did you mean".
#include <algorithm>

#include "pto/diagnostic.hpp"

namespace pto {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

/// Edit distance in insertions, deletions, substitutions and swaps of neighbours; upper and lower case are
/// equal.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min(
          {above[j] + 1, row[j - 1] + 1, above[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.size() > 128 || word.size() < 2) return {};
  const size_t most_equal = word.size() <= 3 ? 2 : 3;  // more equally near ones are no suggestion
  size_t best = std::max<size_t>(word.size() / 3, 1) + 1;
  size_t equal = 0;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const size_t gap =
        candidate.size() > word.size() ? candidate.size() - word.size() : word.size() - candidate.size();
    if (gap > best || candidate == word || candidate == found || candidate.empty()) continue;
    if (word.size() <= 3 && lower(candidate.front()) != lower(word.front())) continue;
    const size_t edits = distance(word, candidate);
    if (edits > best || (edits == best && found.empty())) continue;
    equal = edits == best ? equal + 1 : 1;
    if (edits == best) continue;
    best = edits;
    found = candidate;
  }
  return equal > most_equal ? std::string_view{} : found;
}

}  // namespace pto
