// The generic form takes operands and attributes in any combination. These checks refuse
// combinations that the operation's own syntax cannot print.
#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/forms/syntax_matcher.hpp"

namespace pto::text {

namespace {

void named_attributes(const isa::Schema& schema, const std::vector<isa::SyntaxNode>& nodes,
                      std::vector<bool>& named) {
  for (const isa::SyntaxNode& node : nodes) {
    if (node.kind == isa::SyntaxNode::Kind::attr || node.kind == isa::SyntaxNode::Kind::type_attr ||
        node.kind == isa::SyntaxNode::Kind::is)
      named[node.index] = true;
    if (node.kind == isa::SyntaxNode::Kind::mixed) named[schema.mixed[node.index].attr] = true;
    const bool read_only = node.kind == isa::SyntaxNode::Kind::accepted;
    if (!read_only) named_attributes(schema, node.children, named);
  }
}

}  // namespace

/// An attribute with a place of its own in the operation's syntax cannot be left out: there would be no way
/// to print it.
void GenericForm::check_positional_attributes(const isa::Schema& schema, std::span<const Attr> attrs) {
  std::vector<bool> named(schema.attrs.size(), schema.row->syntax.starts_with("@custom"));
  named_attributes(schema, schema.syntax, named);
  for (size_t i = 0; i < schema.attrs.size(); ++i) {
    const isa::AttrSpec& spec = schema.attrs[i];
    const bool positional = named[i];
    const auto written = [i](const Attr& attr) { return attr.spec == i; };
    if (spec.required && positional && std::none_of(attrs.begin(), attrs.end(), written))
      p_.report.fail(E0101, p_.reader.statement().name,
                     fmt::format("{}: the attribute '{}' is missing", p_.reader.op_name(), spec.name));
    const auto no_symbol = [i](const Attr& attr) {
      return attr.spec == i && attr.value.kind != AttrValue::Kind::symbol;
    };
    if (positional && spec.type == isa::AttrType::symbol &&
        std::any_of(attrs.begin(), attrs.end(), no_symbol))
      p_.report.fail(E0108, p_.reader.statement().name,
                     fmt::format("{}: '{}' is a symbol, as in @name", p_.reader.op_name(), spec.name));
  }
}

/// A marker in the array for every value of the slot, and no other: the list could not be printed.
void GenericForm::check_mixed_lists(const isa::Schema& schema) {
  for (const isa::MixedList& list : schema.mixed) {
    size_t markers = 0;
    for (const Attr& attr : p_.draft.attrs) {
      if (attr.spec != list.attr || attr.value.kind != AttrValue::Kind::int_array) continue;
      const auto first = p_.program.ints.begin() + attr.value.array.first;
      markers += static_cast<size_t>(std::count(first, first + attr.value.array.count, list.marker));
    }
    const size_t values = p_.draft.slots[list.slot].size();
    if (markers == values) continue;
    p_.report
        .fail(E0152, p_.reader.statement().name,
              fmt::format("{}: {} has {} dynamic entr{}, but {} value{} given as {}", p_.reader.op_name(),
                          schema.attrs[list.attr].name, markers, markers == 1 ? "y" : "ies", values,
                          values == 1 ? " is" : "s are", schema.operands[list.slot].name))
        .help = fmt::format("a dynamic entry is {}", list.marker);
    return;
  }
}

namespace {

bool names_result(const std::vector<isa::SyntaxNode>& nodes, size_t result) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const isa::SyntaxNode& node) {
    return (node.kind == isa::SyntaxNode::Kind::type_result && node.index == result) ||
           names_result(node.children, result);
  });
}

/// The operand whose type a result has by `type($operand, $result)`; -1 when there is none.
int same_type(const std::vector<isa::SyntaxNode>& nodes, size_t result) {
  for (const isa::SyntaxNode& node : nodes) {
    if (node.kind == isa::SyntaxNode::Kind::type_operand && names_result(node.children, result))
      return node.index;
    if (const int inner = same_type(node.children, result); inner >= 0) return inner;
  }
  return -1;
}

}  // namespace

/// A result whose type the operation's own syntax leaves out has the type that follows from the rest.
void GenericForm::check_implied_results(const isa::Schema& schema) {
  for (size_t i = 0; i < schema.results.size() && i < p_.draft.results.size(); ++i) {
    TypeId implied = kNoType;
    if (const int same = same_type(schema.syntax, i);
        same >= 0 && !p_.draft.slots[static_cast<size_t>(same)].empty())
      implied = p_.types.type_of(p_.draft.slots[static_cast<size_t>(same)].front().value);
    else if (!schema.row->syntax.starts_with('@') && schema.results[i].arity == isa::Arity::one &&
             !names_result(schema.syntax, i))
      implied = implied_type(p_, schema.results[i]);
    if (p_.report.failed() || implied == kNoType || implied == p_.draft.results[i].type) continue;
    p_.report.fail(E0115, p_.draft.results[i].span,
                   fmt::format("{}: its result is {}, but {} is written", p_.reader.op_name(),
                               p_.types.name(implied), p_.types.name(p_.draft.results[i].type)));
  }
}

/// Operands that stand together in a repeated group are equally many: other counts could not be printed.
void GenericForm::check_groups(const std::vector<isa::SyntaxNode>& nodes) {
  for (const isa::SyntaxNode& node : nodes) {
    if (node.kind != isa::SyntaxNode::Kind::repeat) {
      check_groups(node.children);
      continue;
    }
    std::optional<uint16_t> first;
    for (const isa::SyntaxNode& part : node.children) {
      if (part.kind != isa::SyntaxNode::Kind::group) continue;
      for (const isa::SyntaxNode& item : part.children) {
        if (item.kind != isa::SyntaxNode::Kind::operand || p_.report.failed()) continue;
        if (!first) first = item.index;
        const size_t wanted = p_.draft.slots[*first].size();
        const size_t has = p_.draft.slots[item.index].size();
        if (has == wanted) continue;
        p_.report.fail(E0116, p_.reader.statement().name,
                       fmt::format("{}: '{}' and '{}' come in groups, but {} and {} are given",
                                   p_.reader.op_name(), p_.draft.schema->operands[*first].name,
                                   p_.draft.schema->operands[item.index].name, wanted, has));
      }
    }
  }
}

}  // namespace pto::text
