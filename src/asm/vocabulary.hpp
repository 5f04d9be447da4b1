// The words that name operations in a text.
#pragma once

#include <string_view>
#include <unordered_map>

#include "asm/syntax.hpp"
#include "isa/row.hpp"
#include "support/hash.hpp"

namespace pto::text {

class Reader;
class Reporter;

class Vocabulary final : public Oracle {
 public:
  /// The first row of the instruction that a word of a text means; nullptr when there is none.
  const isa::Row* row_of(std::string_view word) const;

  [[nodiscard]] bool begins_operation(std::string_view word) const override;
  [[nodiscard]] bool has_region(std::string_view name) const override;
  [[nodiscard]] bool has_cases(std::string_view name) const override;

 private:
  const isa::Row* look_up(std::string_view word) const;

  mutable std::unordered_map<std::string_view, const isa::Row*, TextHash> rows_;  ///< of words seen
  mutable std::string_view last_word_;  ///< the last one, which often comes again
  mutable const isa::Row* last_row_ = nullptr;
};

/// Reports an instruction that the table knows by name only, another dialect, or a spelling that nothing has.
void report_unsupported(const Reader& reader, Reporter& report);

}  // namespace pto::text
