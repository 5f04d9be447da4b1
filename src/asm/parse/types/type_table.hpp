// The types of a text: their spellings, their aliases, and the types of values.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "asm/parse/forms/old_forms.hpp"
#include "asm/parse/op_draft.hpp"
#include "asm/parse/scopes.hpp"
#include "asm/parse/text/statement_reader.hpp"
#include "support/hash.hpp"

namespace pto::text {

class Types {
 public:
  Types(Program& program, Reader& reader, Names& names, OldForms& old_forms, Reporter& report)
      : program_(program), reader_(reader), names_(names), old_forms_(old_forms), report_(report) {}

  /// A type node; `prefix` completes elided ones (`<f32, gm>`), e.g. "!pto.ptr".
  TypeId read(const Node& node, std::string_view prefix = {});
  /// The same where an operand or result of these kinds (isa::Kind) is meant.
  TypeId read_of(const Node& node, uint32_t kinds);
  /// From here on the spelling of a node means `type`.
  void define_spelling(const Node& node, TypeId type);
  /// Comma list of types, or one parenthesised list.
  bool list(Cursor& cursor, std::vector<Draft::Result>& out);
  /// `written` must be the type of `value`; nullptr when it is.
  Diagnostic* check(ValueId value, Span operand, TypeId written, Span where);

  /// Defines an alias `!name` or `#name`. False if the name is already defined.
  bool define_alias(std::string_view name, std::string_view meaning) {
    return aliases_.emplace(name, meaning).second;
  }
  [[nodiscard]] std::optional<std::string_view> alias(std::string_view name) const;

  [[nodiscard]] TypeId type_of(ValueId value) const { return program_.values[value].type; }
  [[nodiscard]] std::string name(TypeId type) const { return to_string(program_.types[type]); }
  TypeId scalar(Elem elem) { return program_.types.intern(scalar_type(elem)); }

 private:
  [[nodiscard]] std::string with_aliases(std::string_view spelling) const;

  Program& program_;
  Reader& reader_;
  Names& names_;
  OldForms& old_forms_;
  Reporter& report_;
  std::unordered_map<std::string_view, TypeId, TextHash> known_;  ///< by spelling
  /// Of them: those asked for before, of which lines of one kind need few.
  std::array<std::pair<std::string_view, TypeId>, 2> recent_;
  std::unordered_map<std::string_view, std::string_view> aliases_;
};

/// Whether the type is one of these kinds (isa::Kind).
bool is_of_kinds(const Type& type, uint32_t kinds);
/// The kinds of an operand in the spelling of types: "tile_buf or i64".
std::string kinds_in_words(uint32_t kinds);
/// "!pto.ptr" for an operand or result that is a pointer, and so on; "" when the head may not be left out.
std::string_view type_prefix(uint32_t kinds);

}  // namespace pto::text
