#include "asm/parse/types/vmi_layout.hpp"

#include <fmt/format.h>

#include <charconv>

#include "asm/parse/text/scanner.hpp"

namespace pto::text {
namespace {

/// `contiguous`, or `key = number`.
struct Entry {
  std::string_view key;
  int64_t value = 0;
  bool valued = false;
};

bool read_entry(std::string_view text, Entry& entry) {
  const size_t equal = text.find('=');
  entry.key = trim(text.substr(0, equal));
  if (equal == text.npos) return true;
  const std::string_view number = trim(text.substr(equal + 1));
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), entry.value);
  entry.valued = true;
  return error == std::errc{} && end == number.data() + number.size();
}

/// The kind of placement, the first entry.
std::string_view wrong_kind(const Entry& kind, const Type& type) {
  if (kind.key == "contiguous") return kind.valued ? "contiguous has no parameter" : "";
  if (kind.key == "deinterleaved" || kind.key == "block_deinterleaved")
    return kind.value == 2 || kind.value == 4 ? "" : "lanes are dealt out to 2 or 4 parts";
  if (kind.key != "num_groups")
    return "a layout begins with contiguous, deinterleaved, block_deinterleaved or num_groups";
  if (kind.value <= 0) return "num_groups is a positive integer";
  return type.kind == TypeKind::vmi_vreg && type.dims[0] != kind.value
             ? "a vector in this layout has one lane per group"
             : "";
}

std::string_view wrong_extra(const Entry& extra, const Entry& kind) {
  if (extra.key != "lane_stride" && extra.key != "slots") return "a layout has lane_stride and slots";
  if (extra.value <= 0) return "lane_stride and slots are positive integers";
  if (extra.key == "slots" && kind.key != "num_groups") return "slots goes with num_groups";
  return kind.key == "block_deinterleaved" ? "block_deinterleaved has no lane_stride" : "";
}

}  // namespace

std::string vmi_layout(std::string_view entries, const Type& type, std::string& problem) {
  if (type.kind == TypeKind::vmi_mask && type.elem == Elem::i1)
    problem = "a mask of 'pred' has no layout yet";
  std::string text;
  Entry kind;
  for (bool first = true; problem.empty() && (first || !entries.empty()); first = false) {
    const size_t end = std::min(entries.find(','), entries.size());
    Entry entry;
    if (!read_entry(entries.substr(0, end), entry)) problem = "expected an integer after '='";
    entries.remove_prefix(std::min(end + 1, entries.size()));
    if (!problem.empty()) break;
    problem = first ? wrong_kind(entry, type) : wrong_extra(entry, kind);
    if (first) kind = entry;
    text += (first ? "" : ", ") + std::string(entry.key);
    if (entry.valued) text += fmt::format(" = {}", entry.value);
  }
  return fmt::format("#pto.vmi.layout<{}>", text);
}

}  // namespace pto::text
