// What the editor asks about a place of a text. Each gives the result of its request, null where there is
// nothing to say.
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
/// What of the text is renamed.
Json rename_range(OpenText& text, const Settings& settings, uint32_t offset);
/// Refused where the new name is none, or would change what the program means.
Result<Json> rename(OpenText& text, const Settings& settings, uint32_t offset, std::string name);

Json outline(OpenText& text, const Settings& settings);
Json formatting(OpenText& text, const Settings& settings);
Json hints(OpenText& text, const Settings& settings, const Range& range);
/// Quick fixes of the faults in the range.
Json actions(OpenText& text, const Settings& settings, const Range& range);

}  // namespace pto::lsp
