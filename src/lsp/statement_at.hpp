// The statement around a place, found by its shape alone: also where the text is not right yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "isa/row.hpp"
#include "pto/diagnostic.hpp"

namespace pto::lsp {

/// The first row of the instruction that a word of a text means; nullptr when there is none.
const isa::Row* row_named(std::string_view word);
/// All rows of the mnemonic.
std::vector<const isa::Row*> forms_of(const isa::Row& first);

struct Statement {
  Span name;  ///< without quotes
  const isa::Row* row = nullptr;
};
/// That on the line of the offset, or on one of the lines in front of it that it may go on from.
std::optional<Statement> statement_at(std::string_view text, uint32_t offset);
/// The word (letters, digits, `_.$`) at or directly in front of an offset.
Span word_at(std::string_view text, uint32_t offset);
/// Whether the offset lies in a comment.
bool in_comment(std::string_view text, uint32_t offset);
/// Behind the results of a statement that begins at `at`: `%a, %b:2 = `.
const char* skip_results(const char* at, const char* last);

}  // namespace pto::lsp
