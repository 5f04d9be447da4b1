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
void note_definition(const Checker& check, Diagnostic& diagnostic, const Named& named);

/// Calls differs(first, other) for each of the named operands that is not alike(first, other).
template <typename Alike, typename Differs>
void all_same(const OpView& op, std::string_view names, Alike alike, Differs differs) {
  Named first;
  for (const std::string_view name : split(names, ',')) {
    const Named named = find_named(op, name);
    if (!named.present()) continue;
    if (!first.present()) first = named;
    if (!alike(first, named)) differs(first, named);
  }
}
/// The same of their element types.
template <typename Differs>
void all_same_elements(const OpView& op, std::string_view names, Differs differs) {
  const auto alike = [&](const Named& first, const Named& named) {
    return named.type(op).elem == first.type(op).elem;
  };
  all_same(op, names, alike, differs);
}

/// A finding at an attribute.
inline Diagnostic& fail_attr(Checker& check, FindingId id, const OpView& op, std::string_view attr,
                             std::string message, Fix help = {}) {
  return check.fail(id, op, Anchor::Part::attribute, attr_index(op, attr), std::move(message),
                    std::move(help));
}

/// E0394 where an attribute is given and is not `low` to `high`.
inline void attr_in_range(Checker& check, const OpView& op, std::string_view attr, int64_t low, int64_t high,
                          std::string_view help) {
  const AttrValue* value = op.attr(attr);
  if (value == nullptr || (value->integer >= low && value->integer <= high)) return;
  fail_attr(
      check, E0394, op, attr,
      fmt::format("'{}' of {} is {}; it must be {} to {}", attr, op.mnemonic(), value->integer, low, high),
      std::string(help));
}

/// "a=b" into a and b.
inline std::pair<std::string_view, std::string_view> split_pair(std::string_view text) {
  const size_t at = std::min(text.find('='), text.size());
  return {text.substr(0, at), text.substr(std::min(at + 1, text.size()))};
}

}  // namespace pto::legality
