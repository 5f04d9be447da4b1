// Rows that say a thing about themselves in their `rules` column, which demands nothing of an operation
// alone.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "isa/row.hpp"
#include "isa/rule_text.hpp"
#include "pto/program.hpp"

namespace pto::legality {

/// Whether a row has a rule without operands.
[[nodiscard]] inline bool is_marked(const isa::Row& row, std::string_view rule) {
  const size_t at = row.rules.find(rule);
  return at != std::string_view::npos && (at == 0 || row.rules[at - 1] == ' ') &&
         (at + rule.size() == row.rules.size() || row.rules[at + rule.size()] == ' ');
}

/// The rows that name a rule; one look per operation.
class Mark {
 public:
  explicit Mark(std::string_view rule) {
    for (const isa::Row& row : isa::rows()) rows_.push_back(is_marked(row, rule));
  }
  [[nodiscard]] bool operator()(const OpView& op) const { return rows_[op.op().row]; }
  /// The first of them, for messages.
  [[nodiscard]] std::string_view name() const {
    const auto at = static_cast<size_t>(std::find(rows_.begin(), rows_.end(), true) - rows_.begin());
    return at == rows_.size() ? std::string_view{} : isa::rows()[at].name;
  }

 private:
  std::vector<bool> rows_;
};

/// Sections that start threads.
[[nodiscard]] inline bool is_thread_section(const OpView& op) {
  static const Mark kMark("simt_section");
  return kMark(op);
}
/// Registers of 32 bits per thread that hold fragments.
inline constexpr int64_t kFragmentSlots = 123;

}  // namespace pto::legality
