// Operands and results by name, for rules about register types.
#pragma once

#include <fmt/format.h>

#include "support/strings.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {

/// An operand or result that a rule names in its argument.
struct Named {
  std::string_view name;
  bool result = false;
  unsigned index = 0;  ///< flat operand position or result number, for anchors
  ValueId value = kNoValue;

  [[nodiscard]] bool present() const { return value != kNoValue; }
  /// Of what is not present a type that is none.
  [[nodiscard]] const Type& type(const OpView& op) const {
    static const Type kNone;
    return present() ? op.program().type_of(value) : kNone;
  }
  [[nodiscard]] Anchor::Part part() const { return result ? Anchor::Part::result : Anchor::Part::operand; }
  [[nodiscard]] Anchor::Part type_part() const {
    return result ? Anchor::Part::result_type : Anchor::Part::operand_type;
  }
};

/// The operand or result with this name; not present when the row has none or it is left out.
Named find_named(const OpView& op, std::string_view name);
/// The first result, whatever its row calls it; not present when there is none.
Named first_result(const OpView& op);

/// "'lhs' %x is !pto.vreg<64xf32>"; results have no name before theirs.
inline std::string role_is(const OpView& op, const Named& named) {
  return named.result ? fmt::format("'{}' is {}", named.name, describe(named.type(op)))
                      : fmt::format("'{}' {} is {}", named.name, value_name(op.program(), named.value),
                                    describe(named.type(op)));
}

/// A note at the operation that made the value, when one did.
void note_definition(const Checker& check, Diagnostic& diagnostic, const OpView& op, const Named& named);

/// "a=b" into a and b.
inline std::pair<std::string_view, std::string_view> split_pair(std::string_view text) {
  const size_t at = std::min(text.find('='), text.size());
  return {text.substr(0, at), text.substr(std::min(at + 1, text.size()))};
}

}  // namespace pto::legality
