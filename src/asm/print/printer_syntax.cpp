// Operations by their syntax string.
#include <fmt/format.h>

#include <algorithm>

#include "asm/print/printer.hpp"

namespace pto::text {

namespace {

using SyntaxKind = isa::SyntaxNode::Kind;
using Nodes = std::vector<isa::SyntaxNode>;

bool is_type(SyntaxKind kind) {
  return kind == SyntaxKind::type_operand || kind == SyntaxKind::type_result || kind == SyntaxKind::type_attr;
}

}  // namespace

/// Appends a token with the space that belongs in front of it.
void Printer::piece(std::string_view token) {
  const char last = out_.empty() ? ' ' : out_.back();
  const bool tight = token == "," || token == ")" || token == "]" || token == "(" || token == "[" ||
                     token == ">>>" || token == "<<<" || last == '(' || last == '[' || last == ' ' ||
                     last == '<';
  const bool after_colon = last == ':' || last == ',' || last == '=' || out_.ends_with("->");
  if (!tight || (after_colon && (token == "(" || token == "["))) out_ += ' ';
  out_ += token;
}

/// How often the first thing that the nodes speak of is there.
size_t Printer::present(const OpView& op, const Nodes& nodes) {
  for (const isa::SyntaxNode& node : nodes) {
    switch (node.kind) {
      case SyntaxKind::operand:
        return op.operands(node.index).size();
      case SyntaxKind::type_operand:
        return node.not_index && op.type(node.index).elem == Elem::index ? 0 : op.operands(node.index).size();
      case SyntaxKind::attr:
      case SyntaxKind::type_attr:
        return op.attr(node.index) != nullptr ? 1 : 0;
      case SyntaxKind::mixed:
        return op.attr(isa::schema(op.op().row).mixed[node.index].attr) != nullptr ? 1 : 0;
      case SyntaxKind::type_result:
        return node.index < op.op().n_results ? 1 : 0;
      case SyntaxKind::attr_dict:
        return has_dictionary(op) ? 1 : 0;
      case SyntaxKind::is:
        return op.attr(node.index) != nullptr && op.attr(node.index)->integer == node.value ? 1 : 0;
      case SyntaxKind::choice: {
        const isa::SyntaxNode* one = written(op, node);
        return one == nullptr ? 0 : present(op, one->children);
      }
      case SyntaxKind::accepted:
        continue;
      default:
        break;
    }
    if (!node.children.empty()) {
      if (const size_t n = present(op, node.children); n != 0) return n;
    }
  }
  return 0;
}

/// Whether everything is there that these nodes cannot do without.
bool Printer::whole(const OpView& op, const Nodes& nodes) {
  return std::ranges::all_of(nodes, [&](const isa::SyntaxNode& node) {
    switch (node.kind) {
      case SyntaxKind::operand:
        return !op.operands(node.index).empty() ||
               isa::schema(op.op().row).operands[node.index].arity == isa::Arity::variadic;
      case SyntaxKind::attr:
        return op.attr(node.index) != nullptr;
      case SyntaxKind::is:
        return op.attr(node.index) != nullptr && op.attr(node.index)->integer == node.value;
      case SyntaxKind::group:
        return whole(op, node.children);
      case SyntaxKind::choice:
        return std::ranges::any_of(node.children, [&](const auto& one) { return whole(op, one.children); });
      default:
        return true;
    }
  });
}

/// The alternative that is written; nullptr when each lacks something.
const isa::SyntaxNode* Printer::written(const OpView& op, const isa::SyntaxNode& choice) {
  const auto one =
      std::ranges::find_if(choice.children, [&](const auto& c) { return whole(op, c.children); });
  return one == choice.children.end() ? nullptr : &*one;
}

void Printer::syntax(const OpView& op, const Nodes& nodes, size_t repeat) {
  for (const isa::SyntaxNode& node : nodes) syntax_node(op, node, repeat);
}

void Printer::syntax_node(const OpView& op, const isa::SyntaxNode& node, size_t repeat) {
  const auto select = [&](unsigned slot) {
    const std::span<const ValueId> all = op.operands(slot);
    return repeat == kNoRepeat ? all : all.subspan(std::min(repeat, all.size()), repeat < all.size() ? 1 : 0);
  };
  switch (node.kind) {
    case SyntaxKind::word:
      piece(node.text);
      break;
    case SyntaxKind::punct:
      if (node.near && node.text == ":")
        out_ += ':';
      else if (!node.near && node.text == "[") {
        piece("");
        out_ += '[';
      } else
        piece(node.text);
      break;
    case SyntaxKind::operand:
      piece("");
      values(select(node.index));
      break;
    case SyntaxKind::type_operand:
      piece("");
      if (!node.unless_one || op.operands(node.index).size() == 1)
        types(select(node.index));
      else {
        out_ += '(';
        types(select(node.index));
        out_ += ')';
      }
      break;
    case SyntaxKind::type_result:
      piece("");
      result_types(op, node);
      break;
    case SyntaxKind::type_attr:
    case SyntaxKind::attr:
      attribute(op, node);
      break;
    case SyntaxKind::attr_dict:
      flags(op);
      dictionary(op);
      break;
    case SyntaxKind::mixed:
      mixed(op, isa::schema(op.op().row).mixed[node.index]);
      break;
    case SyntaxKind::argument: {
      const Region& first = p_.regions[op.op().regions];
      piece("");
      value(argument_ < first.n_args ? first.first_arg + argument_ : kNoValue);
      ++argument_;
      break;
    }
    case SyntaxKind::group:
      if (node.near)
        piece("(");
      else {
        piece("");
        out_ += '(';
      }
      syntax(op, node.children, repeat);
      piece(")");
      break;
    case SyntaxKind::sequence:
      syntax(op, node.children, repeat);
      break;
    case SyntaxKind::is:
    case SyntaxKind::accepted:
    case SyntaxKind::region:
      break;
    default:
      several(op, node, repeat);
  }
}

/// Groups that are written when they are needed.
void Printer::several(const OpView& op, const isa::SyntaxNode& node, size_t repeat) {
  if (node.kind == SyntaxKind::optional) {
    if (present(op, node.children) != 0) syntax(op, node.children, repeat);
  } else if (node.kind == SyntaxKind::repeat) {
    for (size_t i = 0, n = present(op, node.children); i < n; ++i) {
      if (node.comma && i > 0) piece(",");
      syntax(op, node.children, i);
    }
  } else if (node.kind == SyntaxKind::choice) {
    if (const isa::SyntaxNode* one = written(op, node)) syntax(op, one->children, repeat);
  } else {
    bool first = true;
    for (const isa::SyntaxNode& clause : node.children) {
      if (present(op, clause.children) == 0 || !whole(op, clause.children)) continue;
      if (node.comma && !first) piece(",");
      first = false;
      syntax(op, clause.children, repeat);
    }
  }
}

void Printer::result_types(const OpView& op, const isa::SyntaxNode& node) {
  const unsigned end = isa::schema(op.op().row).results[node.index].arity == isa::Arity::variadic
                           ? op.op().n_results
                           : node.index + 1u;
  const bool paren = node.unless_one && end != node.index + 1u;
  if (paren) out_ += '(';
  for (unsigned i = node.index; i < std::min<unsigned>(end, op.op().n_results); ++i) {
    if (i > node.index) out_ += ", ";
    type(op.result(i));
  }
  if (paren) out_ += ')';
}

void Printer::attribute(const OpView& op, const isa::SyntaxNode& node) {
  const isa::AttrSpec& spec = isa::schema(op.op().row).attrs[node.index];
  const AttrValue* found = op.attr(node.index);
  if (!node.near) piece("");
  if (found == nullptr) return;
  switch (node.form) {
    case isa::SyntaxNode::Form::string: {
      const bool name = found->kind == AttrValue::Kind::enumerant && spec.domain != nullptr;
      put("\"");
      put(name ? isa::case_name(*spec.domain, found->integer) : text(found->text));
      return put("\"");
    }
    case isa::SyntaxNode::Form::symbol:
      return put("@"), put(text(found->text));
    case isa::SyntaxNode::Form::label:
      return put("^"), put(text(found->text));
    case isa::SyntaxNode::Form::plain:
      break;
  }
  if (found->kind == AttrValue::Kind::unit)
    put(spec.name);
  else
    attr_value(*found, &spec);
}

void Printer::mixed(const OpView& op, const isa::MixedList& list) {
  const AttrValue* numbers = op.attr(list.attr);
  std::span<const ValueId> values = op.operands(list.slot);
  for (uint32_t i = 0; numbers != nullptr && i < numbers->array.count; ++i) {
    if (i > 0) put(", ");
    const int64_t number = p_.ints[numbers->array.first + i];
    if (number != list.marker || values.empty()) {
      fmt::format_to(std::back_inserter(out_), "{}", number);
      continue;
    }
    value(values.front());
    values = values.subspan(1);
  }
}

/// `overflow<nsw>` and `fastmath<fast>` precede the dictionary.
void Printer::flags(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  for (const Attr& attr : p_.attrs_of(op.op())) {
    if (attr.spec >= schema.attrs.size() || attr.value.kind != AttrValue::Kind::raw || in_syntax_[attr.spec])
      continue;
    const std::string_view value = text(attr.value.text);
    const std::string_view name = schema.attrs[attr.spec].name;
    if ((name != "overflow" && name != "fastmath") || !value.starts_with(name) ||
        value.substr(name.size()).substr(0, 1) != "<")
      continue;
    fmt::format_to(std::back_inserter(out_), " {}", value);
    in_syntax_[attr.spec] = true;
  }
}

namespace {

void mark(const isa::Schema& schema, const Nodes& nodes, std::vector<bool>& named) {
  for (const isa::SyntaxNode& node : nodes) {
    if (node.kind == SyntaxKind::accepted) continue;
    if (node.kind == SyntaxKind::attr || node.kind == SyntaxKind::type_attr || node.kind == SyntaxKind::is)
      named[node.index] = true;
    if (node.kind == SyntaxKind::mixed) named[schema.mixed[node.index].attr] = true;
    if (!is_type(node.kind)) mark(schema, node.children, named);
  }
}

}  // namespace

void Printer::mark_named(const isa::Schema& schema) { mark(schema, schema.syntax, in_syntax_); }

}  // namespace pto::text
