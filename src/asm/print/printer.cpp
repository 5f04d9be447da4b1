#include "asm/print/printer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "numeric/float_formats.hpp"

namespace pto::text {

namespace {

using SyntaxKind = isa::SyntaxNode::Kind;

std::string real_text(double value, Elem elem) {
  if (!std::isfinite(value)) {
    const Elem format = elem == Elem::none ? Elem::f32 : elem;
    return fmt::format("0x{:0{}X}", num::from_f64(format, value), bit_width(format) / 4);
  }
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

bool plain_key(std::string_view key) {
  return !key.empty() && (std::isalpha(static_cast<unsigned char>(key[0])) != 0 || key[0] == '_') &&
         std::all_of(key.begin(), key.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
         });
}

}  // namespace

Printer::Printer(const Program& program, const PrintOptions& options, bool numbered)
    : p_(program), options_(options) {
  if (numbered) count_values();
}

/// Values get the number of their definition in the order of the text, so that the numbers survive a round
/// trip.
void Printer::count_values() {
  numbers_.assign(p_.values.size(), 0);
  uint32_t next = 0;
  const auto number = [&](uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n && first + i < numbers_.size(); ++i) numbers_[first + i] = next++;
  };
  std::vector<std::pair<uint32_t, uint32_t>> regions;  // begin, index: in order of their begin
  std::vector<Open> pending;
  for (uint32_t i = 0; i < p_.ops.size(); ++i) {
    const Op& op = p_.ops[i];
    number(op.first_result, op.n_results);
    for (uint32_t r = op.n_regions; r > 0; --r) pending.push_back({i, op.regions + r - 1, 0});
    while (!pending.empty() && p_.regions[pending.back().region].begin <= i + 1) {
      const Region& region = p_.regions[pending.back().region];
      number(region.first_arg, region.n_args);
      pending.pop_back();
    }
  }
}

void Printer::value(ValueId id) {
  if (id == kNoValue || id >= p_.values.size()) {
    out_ += "%<none>";
  } else if (p_.values[id].name != 0) {
    out_ += '%';
    out_ += p_.name_of(id);
  } else {
    fmt::format_to(std::back_inserter(out_), "%{}", numbers_.empty() ? id : numbers_[id]);
  }
}

void Printer::values(std::span<const ValueId> list) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out_ += ", ";
    value(list[i]);
  }
}

void Printer::type(ValueId id) {
  out_ += id < p_.values.size() ? to_string(p_.type_of(id)) : std::string("none");
}

void Printer::types(std::span<const ValueId> list) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out_ += ", ";
    type(list[i]);
  }
}

std::span<const ValueId> Printer::slot(const OpView& op, std::string_view name) const {
  const int index = isa::schema(op.op().row).operand_slot(name);
  return index < 0 ? std::span<const ValueId>{} : op.operands(static_cast<unsigned>(index));
}

std::span<const ValueId> Printer::region_args(const OpView& op, unsigned region) {
  args_.clear();
  const std::span<const Region> regions = p_.regions_of(op.op());
  if (region < regions.size()) {
    for (uint32_t i = 0; i < regions[region].n_args; ++i) args_.push_back(regions[region].first_arg + i);
  }
  return args_;
}

// ---- attributes ----

void Printer::attr_value(const AttrValue& value, const isa::AttrSpec* spec) {
  const auto typed = [&] {
    if (value.type != kNoType) out_ += " : " + to_string(p_.types[value.type]);
  };
  switch (value.kind) {
    case AttrValue::Kind::unit:
      out_ += "unit";
      break;
    case AttrValue::Kind::boolean:
      out_ += value.integer != 0 ? "true" : "false";
      break;
    case AttrValue::Kind::integer:
      out_ += fmt::format("{}", value.integer);
      typed();
      break;
    case AttrValue::Kind::floating:
      out_ += real_text(value.floating, p_.types[value.type].elem);
      typed();
      break;
    case AttrValue::Kind::string:
      out_ += fmt::format("\"{}\"", text(value.text));
      break;
    case AttrValue::Kind::symbol:
      out_ += fmt::format("@{}", text(value.text));
      break;
    case AttrValue::Kind::type:
      out_ += to_string(p_.types[value.type]);
      break;
    case AttrValue::Kind::raw:
      out_ += text(value.text);
      break;
    case AttrValue::Kind::int_array:
      out_ += '[';
      for (uint32_t i = 0; i < value.array.count; ++i)
        out_ += fmt::format("{}{}", i == 0 ? "" : ", ", p_.ints[value.array.first + i]);
      out_ += ']';
      break;
    case AttrValue::Kind::enumerant: {
      const std::string_view name = spec == nullptr || spec->domain == nullptr
                                        ? std::string_view{}
                                        : isa::case_name(*spec->domain, value.integer);
      if (name.empty())
        out_ += fmt::format("{}", value.integer);
      else if (spec->domain->style == isa::EnumStyle::keyword)
        out_ += name;
      else if (spec->domain->style == isa::EnumStyle::string)
        out_ += fmt::format("\"{}\"", name);
      else if (spec->domain->style == isa::EnumStyle::angle)
        out_ += fmt::format("#pto<{} {}>", spec->domain->name, name);
      else
        out_ += fmt::format("#pto.{}<{}>", spec->domain->name, name);
      break;
    }
  }
}

void Printer::dictionary(const OpView& op, std::initializer_list<std::string_view> skip,
                         std::string_view space) {
  const isa::Schema& schema = isa::schema(op.op().row);
  bool any = false;
  for (const Attr& attr : p_.attrs_of(op.op())) {
    const isa::AttrSpec* spec = attr.spec < schema.attrs.size() ? &schema.attrs[attr.spec] : nullptr;
    const std::string_view key = spec != nullptr ? spec->name : text(attr.name);
    if (std::find(skip.begin(), skip.end(), key) != skip.end()) continue;
    if (spec != nullptr && attr.spec < in_syntax_.size() && in_syntax_[attr.spec]) continue;
    out_ += any ? std::string_view(", ") : space;
    if (!any) out_ += '{';
    any = true;
    out_ += plain_key(key) ? std::string(key) : fmt::format("\"{}\"", key);
    if (attr.value.kind != AttrValue::Kind::unit) {
      out_ += " = ";
      attr_value(attr.value, spec);
    }
  }
  if (any) out_ += '}';
}

/// Whether an attribute is left for the dictionary.
bool Printer::has_dictionary(const OpView& op) {
  return std::ranges::any_of(p_.attrs_of(op.op()), [&](const Attr& attr) {
    return attr.spec >= in_syntax_.size() || !in_syntax_[attr.spec];
  });
}

// ---- operations by syntax string ----

void Printer::results(const OpView& op) {
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    if (i > 0) out_ += ", ";
    value(op.result(i));
  }
  if (op.op().n_results > 0) out_ += " = ";
}

// ---- tile forms ----

void Printer::tile_form(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  const isa::TileSyntax& tile = schema.tile;
  std::vector<ValueId> ins, outs;
  std::vector<std::pair<std::string_view, ValueId>> named;
  for (const uint16_t slot : tile.ins) {
    const isa::OperandSpec& spec = schema.operands[slot];
    for (const ValueId v : op.operands(slot)) {
      if (tile.clauses && spec.arity == isa::Arity::optional)
        named.emplace_back(spec.name, v);
      else
        ins.push_back(v);
    }
  }
  for (const uint16_t slot : tile.outs) {
    for (const ValueId v : op.operands(slot)) outs.push_back(v);
  }
  const auto group = [&](std::string_view word, const std::vector<ValueId>& list, bool attrs) {
    fmt::format_to(std::back_inserter(out_), " {}(", word);
    values(list);
    if (attrs) dictionary(op, {}, list.empty() ? "" : " ");
    if (!list.empty()) out_ += " : ";
    types(list);
    out_ += ')';
  };
  group("ins", ins, tile.inside);
  group("outs", outs, false);
  if (!tile.inside) dictionary(op);
  for (const auto& [name, v] : named) {
    fmt::format_to(std::back_inserter(out_), " {} = ", name);
    value(v);
    out_ += " : ";
    type(v);
  }
}

// ---- operations and regions ----

void Printer::body(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  in_syntax_.assign(schema.attrs.size(), false);
  if (const PrintHook hook = find_print_hook(*schema.row)) {
    hook(*this, op);
  } else if (schema.row->syntax.starts_with('@')) {
    tile_form(op);
  } else {
    mark_named(schema);
    argument_ = 0;
    syntax(op, schema.syntax, kNoRepeat);
  }
}

void Printer::head(uint32_t index) {
  const OpView op(p_, index);
  const isa::Row& row = isa::row(op.op().row);
  if (row.opcode_class == isa::OpcodeClass::block) return print_block(*this, op);
  results(op);
  out_ += isa::written_name(row);
  body(op);
}

void Printer::location(const Op& op) {
  if (!options_.locations) return;
  if (op.where.line == 0) {
    out_ += " loc(unknown)";
    return;
  }
  const Origin* origin = p_.origins.empty() ? nullptr : p_.origin_of(op.where);
  out_ += origin == nullptr ? " loc(" : " loc(fused[";
  place(p_.source_name, op.where);
  if (origin != nullptr) {
    out_ += ", ";
    place(p_.strings[origin->file], origin->at);
    out_ += ']';
  }
  out_ += ')';
}

void Printer::place(std::string_view file, Location at) {
  out_ += '"';
  for (const char c : file) {
    if (c == '"' || c == '\\') out_ += '\\';
    if (c != '\n') out_ += c;
  }
  fmt::format_to(std::back_inserter(out_), "\":{}:{}", at.line, at.col);
}

void Printer::open_region(uint32_t op, uint32_t region) {
  const Region& r = p_.regions[p_.ops[op].regions + region];
  out_ += " {\n";
  open_.push_back({op, region, r.end});
  // Where the operation itself does not name the arguments, a label does.
  const isa::Schema& schema = isa::schema(p_.ops[op].row);
  const bool named =
      region == 0 && (schema.names_arguments || schema.row->opcode_class == isa::OpcodeClass::function);
  // A label that begins the region names its first block: a block of its own there needs another in front.
  const bool block_first =
      r.begin != r.end && isa::row(p_.ops[r.begin].row).opcode_class == isa::OpcodeClass::block;
  if (r.n_args == 0 && block_first) {
    indent(open_.size() - 1);
    out_ += "^bb0:\n";
  }
  if (named || r.n_args == 0) return;
  indent(open_.size() - 1);
  out_ += "^bb0(";
  for (uint32_t i = 0; i < r.n_args; ++i) {
    if (i > 0) out_ += ", ";
    value(r.first_arg + i);
    out_ += ": ";
    type(r.first_arg + i);
  }
  out_ += "):\n";
}

void Printer::close_regions(uint32_t at) {
  while (!open_.empty() && open_.back().end <= at) {
    const Open done = open_.back();
    open_.pop_back();
    indent(open_.size());
    out_ += '}';
    const Op& op = p_.ops[done.op];
    const isa::Schema& schema = isa::schema(op.row);
    const Region* next = done.region + 1 < op.n_regions ? &p_.regions[op.regions + done.region + 1] : nullptr;
    const bool cases = schema.row->opcode_class == isa::OpcodeClass::index_switch;
    const bool optional = !cases && next != nullptr && schema.regions[done.region + 1].optional;
    if (next != nullptr && (!optional || next->begin != next->end)) {
      if (cases)
        print_case(*this, OpView(p_, done.op), done.region + 1);
      else {
        put(" ");
        put(schema.regions[done.region + 1].word);
      }
      open_region(done.op, done.region + 1);
      continue;
    }
    const OpView view(p_, done.op);
    in_syntax_.assign(schema.attrs.size(), false);
    mark_named(schema);
    if (cases)
      dictionary(view, {"cases", "default_first"});
    else
      syntax(view, schema.tail, kNoRepeat);
    location(op);
    out_ += '\n';
  }
}

std::string Printer::operation(uint32_t op) {
  head(op);
  return std::move(out_);
}

std::string Printer::program() {
  out_.reserve(p_.ops.size() * 96);
  if (options_.locations) {
    out_ += "#source = loc(";
    place(p_.source_name, {});
    out_ += ")\n";
  }
  for (uint32_t i = 0; i < p_.ops.size(); ++i) {
    close_regions(i);
    const Op& op = p_.ops[i];
    const isa::OpcodeClass opcode_class = isa::row(op.row).opcode_class;
    indent(opcode_class == isa::OpcodeClass::block && !open_.empty() ? open_.size() - 1 : open_.size());
    head(i);
    const bool declaration = opcode_class == isa::OpcodeClass::function && op.n_regions > 0 &&
                             p_.regions[op.regions].begin == p_.regions[op.regions].end;
    if (op.n_regions > 0 && !declaration) {
      open_region(i, 0);
    } else {
      location(op);
      out_ += '\n';
    }
  }
  close_regions(static_cast<uint32_t>(p_.ops.size()));
  return std::move(out_);
}

}  // namespace pto::text

namespace pto {

std::string print(const Program& program, const PrintOptions& options) {
  return text::Printer(program, options, true).program();
}

std::string print_op(const Program& program, uint32_t op) {
  return text::Printer(program, {}, false).operation(op);
}

}  // namespace pto
