#include "lsp/text_edits.hpp"

#include <algorithm>

namespace pto::lsp {

std::string applied(std::string_view text, std::vector<Edit> edits) {
  std::ranges::stable_sort(edits, {}, [](const Edit& edit) { return edit.span.begin; });
  std::string result;
  size_t at = 0;
  for (const Edit& edit : edits) {
    result += text.substr(at, edit.span.begin - at);
    result += edit.text;
    at = edit.span.end;
  }
  return result.append(text.substr(at));
}

Json to_json(const std::vector<Edit>& edits, const Document& document) {
  Json list = Json::array();
  for (const Edit& edit : edits)
    list.push_back({{"range", to_json(document.range(edit.span))}, {"newText", edit.text}});
  return list;
}

Json workspace_edit(const std::vector<Edit>& edits, const Document& document, const std::string& uri) {
  return {{"changes", {{uri, to_json(edits, document)}}}};
}

}  // namespace pto::lsp
