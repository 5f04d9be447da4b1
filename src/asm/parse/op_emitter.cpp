#include "asm/parse/op_emitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ir/named_constants.hpp"

namespace pto::text {

uint32_t Emitter::emit(unsigned n_regions) {
  const std::vector<ResultName>& left = reader_.result_names();
  if (reader_.result_count() != draft_.results.size() && !report_.failed()) {
    const size_t has = draft_.results.size();
    const Span where = reader_.statement().first_item == 0
                           ? reader_.statement().name
                           : Span{reader_.statement().nodes[0].begin, reader_.statement().name.begin};
    // Results that nobody names are allowed.
    if (reader_.statement().first_item != 0)
      report_.fail(
          E0119, where,
          fmt::format("{} has {} result{}, but {} {} named", reader_.op_name(), has, has == 1 ? "" : "s",
                      reader_.result_count(), reader_.result_count() == 1 ? "is" : "are"));
  }
  if (report_.failed()) return 0;
  kept_.clear();
  keys_.clear();
  for (const ResultName& name : left) {
    keys_.push_back(names_.key_of(name.name));
    kept_.push_back(NameTable::kept(keys_.back()));
    if (name.count > 1) kept_.resize(kept_.size() + name.count - 1);
  }
  const uint32_t op = emit_named(kept_, n_regions);
  ValueId value = program_.ops[op].first_result;
  for (size_t i = 0; i < left.size(); ++i) {
    if (n_regions == 0)
      names_.define(keys_[i], left[i].name, value, left[i].span, left[i].count);
    else
      names_.announce(keys_[i], left[i].name, value, left[i].span, left[i].count);
    value += std::max(left[i].count, 1u);
  }
  return op;
}

uint32_t Emitter::emit_named(std::span<const StrId> names, unsigned n_regions) {
  std::vector<ValueId>& words = words_;
  words.clear();
  const isa::Schema& schema = *draft_.schema;
  for (size_t i = 0; i < schema.operands.size(); ++i) {
    const auto& values = draft_.slots[i];
    if (schema.operands[i].arity == isa::Arity::variadic) {
      words.push_back(static_cast<ValueId>(values.size()));
      for (const Draft::Operand& operand : values) words.push_back(operand.value);
    } else {
      if (values.empty() && schema.operands[i].arity == isa::Arity::one) {
        report_.fail(E0116, reader_.statement().name,
                     fmt::format("{}: operand '{}' is missing", reader_.op_name(), schema.operands[i].name));
        return 0;
      }
      words.push_back(values.empty() ? kNoValue : values.front().value);
    }
  }
  if (words.size() > 0xffff || draft_.attrs.size() > kMaxAttributes || draft_.results.size() > 0xffff) {
    report_.fail(E0116, reader_.statement().name,
                 fmt::format("{} has too many operands, results or attributes", reader_.op_name()));
    return 0;
  }
  if (draft_.attrs.size() > 1)
    std::stable_sort(draft_.attrs.begin(), draft_.attrs.end(),
                     [](const Attr& a, const Attr& b) { return a.spec < b.spec; });
  std::vector<TypeId>& types = types_;
  types.clear();
  for (const Draft::Result& result : draft_.results) types.push_back(result.type);
  const Location at = locations_.written() ? *locations_.written() : where();
  const uint32_t op = builder_.begin_op(schema.id, at, words, draft_.attrs, types, names, n_regions);
  locations_.belongs_to(op);
  if (defines_ != nullptr && schema.row->opcode_class == isa::OpcodeClass::constant)
    set_parameter(program_, op, *defines_);
  return op;
}

ValueId Emitter::allocation(TypeId type, StrId name) {
  const isa::Schema& schema = isa::schema(isa::id_of(isa::OpcodeClass::alloc_tile));
  const std::vector<ValueId> words(schema.operands.size(), kNoValue);
  return program_.ops[builder_.begin_op(schema.id, where(), words, {}, {&type, 1}, {&name, 1})].first_result;
}

ValueId Emitter::constant(int64_t value, TypeId type) {
  const isa::Schema& schema = isa::schema(isa::id_of(isa::OpcodeClass::constant));
  Attr attr;
  attr.spec = static_cast<uint16_t>(schema.attr_index("value"));
  attr.value.kind = AttrValue::Kind::integer;
  attr.value.integer = value;
  attr.value.type = type;
  return program_.ops[builder_.begin_op(schema.id, where(), {}, {&attr, 1}, {&type, 1}, {})].first_result;
}

ValueId Emitter::combination(isa::OpcodeClass opcode_class, ValueId left, ValueId right, TypeId type) {
  const isa::Schema& schema = isa::schema(isa::id_of(opcode_class));
  const std::array words = {left, right};
  return program_.ops[builder_.begin_op(schema.id, where(), words, {}, {&type, 1}, {})].first_result;
}

ValueId Emitter::all_lanes(TypeId mask) {
  const unsigned bytes = bit_width(program_.types[mask].elem) / 8;
  const isa::Schema& schema = isa::schema(isa::instruction(isa::Lowering::to_pattern, bytes));
  Attr attr;
  attr.spec = 0;
  attr.value.kind = AttrValue::Kind::enumerant;
  attr.value.integer = isa::find_case(*schema.attrs[0].domain, "PAT_ALL")->value;
  return program_.ops[builder_.begin_op(schema.id, where(), {}, {&attr, 1}, {&mask, 1}, {})].first_result;
}

uint32_t Emitter::placeholder(const isa::Schema& schema, unsigned n_regions) {
  words_.clear();
  for (const isa::OperandSpec& spec : schema.operands)
    words_.push_back(spec.arity == isa::Arity::variadic ? 0 : kNoValue);
  return builder_.begin_op(schema.id, where(), words_, {}, {}, {}, n_regions);
}

void Emitter::begin_region(uint32_t op, unsigned i, const std::vector<Draft::Result>& args,
                           const std::vector<Node>& names) {
  types_.clear();
  kept_.clear();
  for (const Draft::Result& arg : args) types_.push_back(arg.type);
  for (const Node& name : names) kept_.push_back(names_.kept(reader_.text(name).substr(1)));
  kept_.resize(types_.size());
  builder_.begin_region(op, i, types_, kept_);
}

void Emitter::region_arguments(Region& region, const std::vector<Draft::Result>& args,
                               const std::vector<Node>& names) {
  region.first_arg = static_cast<uint32_t>(program_.values.size());
  region.n_args = static_cast<uint32_t>(args.size());
  for (size_t i = 0; i < args.size(); ++i)
    builder_.new_value(args[i].type, i < names.size() ? names_.kept(reader_.text(names[i]).substr(1)) : 0);
}

void Emitter::append_attrs(uint32_t op) {
  Op& target = program_.ops[op];
  const uint32_t first = static_cast<uint32_t>(program_.attrs.size());
  for (const Attr& given : program_.attrs_of(target)) {
    const auto same = [&](const Attr& attr) { return attr.spec == given.spec && attr.name == given.name; };
    if (std::none_of(draft_.attrs.begin(), draft_.attrs.end(), same)) continue;
    const std::string_view key =
        given.spec == kUnknownAttr ? program_.strings[given.name] : draft_.schema->attrs[given.spec].name;
    report_.fail(E0108, reader_.statement().name,
                 fmt::format("{}: attribute '{}' is given twice", reader_.op_name(), key));
    return;
  }
  if (target.n_attrs + draft_.attrs.size() > kMaxAttributes) {
    report_.fail(E0116, reader_.statement().name,
                 fmt::format("{} has too many attributes", reader_.op_name()));
    return;
  }
  for (uint32_t i = 0; i < target.n_attrs; ++i) program_.attrs.push_back(program_.attrs[target.attrs + i]);
  program_.attrs.insert(program_.attrs.end(), draft_.attrs.begin(), draft_.attrs.end());
  target.attrs = first;
  target.n_attrs = static_cast<uint8_t>(program_.attrs.size() - first);
  std::stable_sort(program_.attrs.begin() + first, program_.attrs.end(),
                   [](const Attr& a, const Attr& b) { return a.spec < b.spec; });
}

}  // namespace pto::text
