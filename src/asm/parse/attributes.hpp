// Attribute values as texts write them, and the dictionaries that hold them.
#pragma once

#include <span>
#include <string_view>

#include "asm/parse/op_draft.hpp"
#include "asm/parse/text/statement_reader.hpp"
#include "asm/parse/types/type_table.hpp"

namespace pto::text {

/// Entries go into the draft.
class Attributes {
 public:
  Attributes(Program& program, Reader& reader, Types& types, Draft& draft, OldForms& old_forms,
             Reporter& report)
      : program_(program),
        reader_(reader),
        types_(types),
        draft_(draft),
        old_forms_(old_forms),
        report_(report) {}

  /// Reads the value from the cursor to the end of its siblings. `spec`: the attribute in the row,
  /// or null.
  AttrValue value(Cursor cursor, const isa::AttrSpec* spec, Span where);
  AttrValue numbers(std::span<const int64_t> numbers);
  void entry(std::string_view key, Span key_span, Cursor value, Span where);
  void dictionary(const Node& dict) {
    dictionary(dict, [](std::string_view, Cursor) { return false; });
  }
  /// `special(key, value)` says whether it has dealt with an entry.
  template <typename Special>
  void dictionary(const Node& dict, const Special& special) {
    Cursor entries = reader_.items().into(dict);
    while (!entries.done()) {
      const Node& node = entries.take_token();
      if (node.kind != NodeKind::entry) continue;
      Cursor inner = entries.into(node);
      const Node& key = inner.take_token();
      const std::string_view name = key_of(key);
      inner.accept(NodeKind::equal);
      if (!special(name, inner)) entry(name, span_of(key), inner, span_of(node));
    }
  }

 private:
  [[nodiscard]] std::string_view key_of(const Node& key) const;
  [[nodiscard]] std::string_view current_key(std::string_view key, Span where);
  AttrValue enumerant(const Node& node, std::string_view written, const isa::AttrSpec& spec);
  AttrValue number(Cursor& cursor, std::string_view written, const isa::AttrSpec* spec);
  [[nodiscard]] bool integers(const Node& node, std::string_view written, std::vector<int64_t>& out) const;

  Program& program_;
  Reader& reader_;
  Types& types_;
  Draft& draft_;
  OldForms& old_forms_;
  Reporter& report_;
};

}  // namespace pto::text
