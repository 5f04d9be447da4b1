// Requests of the editor about a position of a text. Each function returns the result of its
// request, and null if there is none.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isa/row.hpp"
#include "lsp/json_access.hpp"
#include "lsp/open_document.hpp"

namespace pto::lsp {

Json hover(OpenText& text, const Settings& settings, uint32_t offset);
/// The page of an instruction, as its hover shows it.
std::string page_of(const isa::Row& row);

/// textDocument/publishDiagnostics: its parameters.
Json faults(OpenText& text, const Settings& settings);
/// One of them.
Json fault(const Finding& finding, const std::string& uri);

Json completion(OpenText& text, const Settings& settings, uint32_t offset);
/// An item of a completion with its documentation.
Json resolved(Json item);

Json definition(OpenText& text, const Settings& settings, uint32_t offset);
Json references(OpenText& text, const Settings& settings, uint32_t offset, bool definitions);
Json highlights(OpenText& text, const Settings& settings, uint32_t offset);
/// The range of the text that a rename changes.
Json rename_range(OpenText& text, const Settings& settings, uint32_t offset);
/// Refuses a new name that is not a valid name, or that would change the meaning of the program.
Result<Json> rename(OpenText& text, const Settings& settings, uint32_t offset, std::string name);

Json outline(OpenText& text, const Settings& settings);
Json formatting(OpenText& text, const Settings& settings);
Json hints(OpenText& text, const Settings& settings, const Range& range);
/// Quick fixes of the faults in the range.
Json actions(OpenText& text, const Settings& settings, const Range& range);

}  // namespace pto::lsp
