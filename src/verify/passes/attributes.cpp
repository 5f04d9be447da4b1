// Required attributes, unknown attributes, values outside their domain (E031x).
#include <fmt/format.h>

#include <algorithm>

#include "support/strings.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

using isa::AttrSpec;
using isa::AttrType;

std::string cases_of(const isa::EnumDomain& domain) {
  std::string text;
  for (const isa::EnumCase& item : domain.cases) {
    if (isa::case_name(domain, item.value) == item.name)
      text += (text.empty() ? "" : ", ") + std::string(item.name);
  }
  return text;
}

bool right_kind(const AttrSpec& spec, AttrValue::Kind kind) {
  switch (spec.type) {
    case AttrType::enumerant:
      return kind == AttrValue::Kind::enumerant || kind == AttrValue::Kind::integer;
    case AttrType::integer:
      return kind == AttrValue::Kind::integer || kind == AttrValue::Kind::enumerant ||
             kind == AttrValue::Kind::boolean;
    case AttrType::floating:
      return kind == AttrValue::Kind::floating || kind == AttrValue::Kind::integer;
    case AttrType::boolean:
      return kind == AttrValue::Kind::boolean;
    case AttrType::unit:
      return kind == AttrValue::Kind::unit || kind == AttrValue::Kind::boolean;
    case AttrType::string:
      return kind == AttrValue::Kind::string || kind == AttrValue::Kind::symbol;
    case AttrType::symbol:
      return kind == AttrValue::Kind::symbol || kind == AttrValue::Kind::string;
    case AttrType::ints:
      return kind == AttrValue::Kind::int_array;
    case AttrType::type:
      return kind == AttrValue::Kind::type;
    case AttrType::any:
      return true;
  }
  return true;
}

std::string_view type_name(const AttrSpec& spec) {
  static constexpr std::string_view kNames[] = {
      "one of its cases", "an integer", "a float",  "true or false", "a unit (no value)",
      "a string",         "a symbol",   "integers", "a type",        "any value"};
  return kNames[static_cast<size_t>(spec.type)];
}

void check_value(Checker& check, const OpView& op, const AttrSpec& spec, unsigned index,
                 const AttrValue& value) {
  if (!right_kind(spec, value.kind)) {
    check.fail(E0314, op, Anchor::Part::attribute, index,
               fmt::format("attribute '{}' of {} must be {}", spec.name, op.mnemonic(), type_name(spec)),
               fmt::format("write {} = ..", spec.name));
    return;
  }
  if (spec.type != AttrType::enumerant || !isa::case_name(*spec.domain, value.integer).empty()) return;
  check.fail(E0313, op, Anchor::Part::attribute, index,
             fmt::format("attribute '{}' of {}: {} is not a case of {}", spec.name, op.mnemonic(),
                         value.integer, spec.domain->name),
             fmt::format("allowed: {}", cases_of(*spec.domain)));
}

/// A type of logical vectors, or a list that has one.
bool holds_logical(const Program& program, const AttrValue& value) {
  if (value.kind == AttrValue::Kind::type) {
    const TypeKind kind = program.types[value.type].kind;
    return kind == TypeKind::vmi_vreg || kind == TypeKind::vmi_mask;
  }
  return value.kind == AttrValue::Kind::raw &&
         program.strings[value.text].find("!pto.vmi.") != std::string_view::npos;
}

/// Whether the instruction is without an attribute of this name on purpose.
bool refuses(const isa::Schema& schema, std::string_view name) {
  return std::ranges::any_of(schema.rules, [name](const RowRule& rule) {
    return rule.id == RuleName::without && rule.argument == name;
  });
}

/// Names with the prefix of a dialect belong to any pass of any tool; one that is nearly ours is a slip.
void with_prefix(Checker& check, const OpView& op, const isa::Schema& schema, std::string_view name,
                 const Anchor& key) {
  const size_t prefix = name.find('.') + 1;
  std::vector<std::string_view> names;
  for (const AttrSpec& spec : schema.attrs) {
    if (spec.name.starts_with(name.substr(0, prefix))) names.push_back(spec.name.substr(prefix));
  }
  const std::string_view word = name.substr(prefix);
  const std::string_view near = nearest(word, names);
  constexpr size_t kSame = 3;  // letters in front that no slip changes
  const auto same_letter = [](char one, char other) { return (one | 0x20) == (other | 0x20); };
  if (near.empty() || !std::ranges::equal(near.substr(0, kSame), word.substr(0, kSame), same_letter)) return;
  Diagnostic& built =
      check.warn(W0312, op, fmt::format("{} has no attribute '{}'", op.mnemonic(), name),
                 fmt::format("it has no effect; did you mean '{}{}'?", name.substr(0, prefix), near));
  built.anchor = key;
  built.subject = name;
}

/// Near a known name, or where the row speaks against it, it is a typing error. Other names are kept, as the
/// public tools do, with a warning unless prefixed.
void unknown(Checker& check, const OpView& op, const isa::Schema& schema, const Attr& attr) {
  const std::string_view name = op.program().strings[attr.name];
  const Anchor key = isa::anchor_at(op, Anchor::Part::attribute, kUnknownAttr + attr.name);
  if (name == "pto.multi_buffer_addrs") {
    check
        .fail(E0312, op, fmt::format("{} has no attribute '{}'", op.mnemonic(), name),
              "it passes addresses between passes of the public compiler; at level 3 write addr = %x")
        .anchor = key;
  }
  if (name == "pto.multi_buffer" && attr.value.kind == AttrValue::Kind::integer &&
      (attr.value.integer < 2 || attr.value.integer > 16)) {
    check.fail(E0313, op, fmt::format("pto.multi_buffer = {}", attr.value.integer), "it is 2 to 16").anchor =
        key;
  }
  if (holds_logical(op.program(), attr.value))
    check
        .fail(E0598, op, fmt::format("attribute '{}' of {} holds a logical vector type", name, op.mnemonic()),
              "logical vectors are types of values only; remove it")
        .anchor = key;
  if (name.find('.') != std::string_view::npos) return with_prefix(check, op, schema, name, key);
  std::vector<std::string_view> names;
  for (const AttrSpec& spec : schema.attrs) names.push_back(spec.name);
  const std::string_view near = nearest(name, names);
  std::string message = fmt::format("{} has no attribute '{}'", op.mnemonic(), name);
  const auto prefixed = std::ranges::find_if(names, [&](std::string_view known) {
    const size_t dot = known.find('.');
    return dot != known.npos && known.substr(dot + 1) == name;
  });
  const bool refused = refuses(schema, name);
  std::string known;
  for (const std::string_view item : names) known += (known.empty() ? "" : ", ") + std::string(item);
  if (near.empty() && !refused) {
    Diagnostic& built =
        check.warn(W0312, op, std::move(message),
                   prefixed != names.end() ? fmt::format("it has no effect; did you mean '{}'?", *prefixed)
                   : known.empty()         ? "it has none; this one is kept and has no effect"
                                           : fmt::format("it has no effect; attributes: {}", known));
    built.anchor = key;
    built.subject = name;
  } else {
    check
        .fail(E0312, op, std::move(message),
              refused ? "this form does without it; remove it" : fmt::format("did you mean '{}'?", near))
        .anchor = key;
  }
}

/// Marks of the public compiler's fusion, a group and a place in it. They change nothing here, so half of a
/// mark is refused for what it would be elsewhere. Regions keep their group alone.
void fusion_marks(Checker& check, const OpView& op) {
  const std::span<const Attr> attrs = check.program().attrs_of(op.op());
  const auto find = [&](std::string_view name) {
    return std::ranges::find_if(attrs, [&](const Attr& attr) {
      return attr.spec == kUnknownAttr && check.program().strings[attr.name] == name;
    });
  };
  const auto group = find("pto.fusion.group_id");
  const auto order = find("pto.fusion.order");
  if ((group == attrs.end()) == (order == attrs.end()) || op.op().n_regions > 0) return;
  const auto one = group == attrs.end() ? order : group;
  check
      .fail(E0315, op, fmt::format("{} has {} alone", op.mnemonic(), check.program().strings[one->name]),
            "write pto.fusion.group_id and pto.fusion.order, or neither")
      .anchor = isa::anchor_at(op, Anchor::Part::attribute, kUnknownAttr + one->name);
}

/// Whether the operation compares in the form at hand. tgather does with a value to compare with only.
bool compares(const OpView& op) {
  const int value = slot_of(op, "kValue");
  return value < 0 || op.operand(static_cast<unsigned>(value)) != kNoValue;
}

/// The attributes, by their bits, that it matters to leave out.
uint64_t missed_attributes(const isa::Schema& schema) {
  uint64_t missed = 0;
  for (size_t i = 0; i < schema.attrs.size(); ++i) {
    if (schema.attrs[i].required || schema.attrs[i].name == "cmpMode") missed |= uint64_t{1} << (i & 63);
  }
  return missed;
}

void check_op(Checker& check, const OpView& op, uint64_t missed) {
  const isa::Schema& schema = isa::schema(op.op().row);
  uint64_t written = 0;
  bool marked = false;
  for (const Attr& attr : check.program().attrs_of(op.op())) {
    if (attr.spec == kUnknownAttr) {
      unknown(check, op, schema, attr);
      marked = true;
      continue;
    }
    written |= uint64_t{1} << (attr.spec & 63);
    check_value(check, op, schema.attrs[attr.spec], attr.spec, attr.value);
  }
  if (marked) fusion_marks(check, op);
  if ((missed & ~written) == 0) return;
  for (unsigned i = 0; i < schema.attrs.size(); ++i) {
    if (schema.attrs[i].name == "cmpMode" && ((written >> (i & 63)) & 1) == 0 && compares(op)) {
      check.warn(W0102, op,
                 fmt::format("{} has no compare mode: it compares for equality (eq)", op.mnemonic()),
                 Fix::write("cmpMode = #pto<cmp eq>",
                            fmt::format("; modes: {}", cases_of(*schema.attrs[i].domain))));
    }
    if (!schema.attrs[i].required || ((written >> (i & 63)) & 1) != 0) continue;
    check.fail(E0311, op, fmt::format("{} lacks its attribute '{}'", op.mnemonic(), schema.attrs[i].name),
               schema.attrs[i].domain != nullptr
                   ? fmt::format("allowed: {}", cases_of(*schema.attrs[i].domain))
                   : fmt::format("write {} = ..", schema.attrs[i].name));
  }
}

constexpr Rule kAttributesRules[] = {
    {.id = W0102,
     .title = "compare mode left out",
     .cause = "Without cmpMode a comparison tests for equality, which is rarely meant by leaving it out.",
     .example = "pto.tcmp ins(%a, %b : ..) outs(%m : ..)",
     .fix = "Write cmpMode = #pto<cmp lt> or the mode that is meant."},
    {.id = E0311,
     .title = "required attribute",
     .cause = "An attribute without a default is missing.",
     .example = "pto.tquant ins(..) outs(..)",
     .fix = "Write the attribute."},
    {.id = E0312,
     .title = "unknown attribute",
     .cause = "The instruction has no attribute of this name. Names with a dialect prefix (a.b) are kept "
              "and ignored.",
     .example = "pto.tcvt ins(%a {rmod = ..} : ..) outs(..)",
     .fix = "Correct the name."},
    {.id = W0312,
     .title = "ignored attribute",
     .cause = "The instruction has no attribute of this name; it is kept and has no effect.",
     .example = "pto.tadd ins(..) outs(..) {note = 1 : i32}",
     .fix = "Remove it, or give it a dialect prefix."},
    {.id = E0313,
     .title = "attribute value",
     .cause = "The value is not one of the attribute's cases.",
     .example = "pto.ttri ins(%d {upperOrLower = 2 : i32} : i32) outs(..)",
     .fix = "Use one of the listed cases."},
    {.id = E0314,
     .title = "attribute type",
     .cause = "The attribute's value has the wrong type.",
     .example = "pto.tcolsum ins(%a, %t {isBinary = \"yes\"} : ..) outs(..)",
     .fix = "Use the type the message names."},
    {.id = E0315,
     .title = "mark of fusion",
     .cause = "pto.fusion.group_id and pto.fusion.order are given together: the group of an operation and "
              "its position in it.",
     .example = "pto.tadd ins(..) outs(..) {pto.fusion.group_id = 0 : i64}",
     .fix = "Write both, or neither."},
};

}  // namespace

RuleFamily attribute_rules() { return {.rules = kAttributesRules, .checks = {}}; }

void check_attributes(Checker& check) {
  const Program& program = check.program();
  std::vector<uint64_t> missed(isa::rows().size(), 0);
  for (const RowId row : check.rows()) missed[row] = missed_attributes(isa::schema(row));
  for (uint32_t i = 0; i < program.ops.size(); ++i)
    check_op(check, OpView(program, i), missed[program.ops[i].row]);
}

}  // namespace pto::legality
