// Changes of a text.
#pragma once

#include <string>
#include <vector>

#include "lsp/json_access.hpp"

namespace pto::lsp {

struct Edit {
  Span span;  ///< of the text as it is
  std::string text;
};

/// The text after all of them. They do not overlap; those at one place are there in their order.
std::string applied(std::string_view text, std::vector<Edit> edits);
/// A list of TextEdit.
Json to_json(const std::vector<Edit>& edits, const Document& document);
/// A WorkspaceEdit of one text.
Json workspace_edit(const std::vector<Edit>& edits, const Document& document, const std::string& uri);

}  // namespace pto::lsp
