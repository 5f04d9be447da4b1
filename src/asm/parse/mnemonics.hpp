// The words that name operations in a text.
#pragma once

#include <string_view>
#include <unordered_map>

#include "asm/parse/text/statement_syntax.hpp"
#include "isa/row.hpp"
#include "support/hash.hpp"

namespace pto::text {

class Reader;
class Reporter;

class Vocabulary final : public Oracle {
 public:
  /// The first row of the instruction that a word of a text means; nullptr when there is none.
  const isa::Row* row_of(std::string_view word) const;
  /// Today's name of an instruction whose name in a text is an old form; "" for all others.
  [[nodiscard]] std::string_view current_name(std::string_view word) const {
    const auto found = old_.empty() ? old_.end() : old_.find(word);
    return found == old_.end() ? std::string_view() : found->second;
  }

  [[nodiscard]] bool begins_operation(std::string_view word) const override;
  [[nodiscard]] bool has_region(std::string_view name) const override;
  [[nodiscard]] bool has_cases(std::string_view name) const override;

 private:
  const isa::Row* look_up(std::string_view word) const;

  mutable std::unordered_map<std::string_view, const isa::Row*, TextHash> rows_;  ///< of words seen
  mutable std::unordered_map<std::string_view, std::string_view, TextHash> old_;  ///< old names seen
  mutable std::string_view last_word_;  ///< the last one, which often comes again
  mutable const isa::Row* last_row_ = nullptr;
};

/// Reports an instruction that the table knows by name only, another dialect, or a spelling that nothing has.
void report_unsupported(const Reader& reader, Reporter& report);

}  // namespace pto::text
