#include "lower/vector_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ir/regions.hpp"
#include "isa/layout_attribute.hpp"

namespace pto::lower {
namespace {

using isa::OpcodeClass;

/// A turn of a loop counts as much as so many instructions outside.
constexpr unsigned kTurns = 8, kMaxDepth = 4;

Elem granularity(unsigned width) { return width == 1 ? Elem::i8 : width == 2 ? Elem::i16 : Elem::i32; }

}  // namespace

void Writer::begin_function() {
  constants_.clear();
  for (const auto& [elem, number] : std::set(wanted_.constants)) constant(elem, number);
}
void Writer::begin_scope(uint32_t scope) {
  scope_ = scope;
  first_lanes_.clear();
  for (const FirstLanes& mask : std::set(wanted_.masks[scope])) shared(mask);
}
void Writer::end_scope() {
  scope_ = kNoOp;
  first_lanes_.clear();
}

TypeId Writer::vector_type(Elem elem) {
  Type type;
  type.kind = TypeKind::vreg;
  type.elem = elem;
  type.rank = 1;
  type.dims[0] = kRegisterBytes / byte_width(elem);
  return program_.types.intern(type);
}
TypeId Writer::mask_type(unsigned width) {
  Type type;
  type.kind = TypeKind::mask;
  type.elem = granularity(width);
  return program_.types.intern(type);
}

Regs Writer::emit(RowId row, std::span<const ValueId> operands, std::span<const TypeId> results,
                  const Settings& settings) {
  const isa::Schema& schema = isa::schema(row);
  std::vector<ValueId> words(operands.begin(), operands.end());
  words.resize(schema.operands.size(), kNoValue);
  std::vector<Attr> attrs;
  for (unsigned spec = 0; spec < schema.attrs.size(); ++spec) {
    const auto set = std::ranges::find(settings, schema.attrs[spec].name, &Setting::name);
    if (set == settings.end() || set->value.empty()) continue;
    Attr attr;
    attr.spec = static_cast<uint16_t>(spec);
    attr.value.kind = AttrValue::Kind::enumerant;
    attr.value.integer = isa::find_case(*schema.attrs[spec].domain, set->value)->value;
    attrs.push_back(attr);
  }
  if (!note.empty()) {
    Attr attr;
    attr.name = program_.strings.intern(isa::kLayoutMark);
    attr.value.kind = AttrValue::Kind::string;
    attr.value.text = program_.strings.intern(note);
    attrs.push_back(attr);
  }
  const uint32_t op = begin(row, words, attrs, results, {});
  Regs built;
  for (uint32_t i = 0; i < results.size(); ++i) built.push_back(program_.ops[op].first_result + i);
  return built;
}
ValueId Writer::emit(Lowering part, unsigned width, std::initializer_list<ValueId> operands, TypeId result,
                     const Settings& settings) {
  return emit(isa::instruction(part, width), operands, {&result, 1}, settings)[0];
}
void Writer::store(Lowering part, std::initializer_list<ValueId> operands, const Settings& settings) {
  emit(isa::instruction(part), operands, {}, settings);
}

void Writer::store_barrier(std::string_view kind) {
  const std::string kept = std::exchange(note, {});
  emit(isa::id_of(OpcodeClass::memory_barrier), {}, {}, {{"kind", kind}});
  note = kept;
}

uint32_t Writer::begin(RowId row, std::span<const ValueId> words, std::span<const Attr> attrs,
                       std::span<const TypeId> results, std::span<const StrId> names) {
  if (isa::row(row).layer == isa::Layer::vector) {
    ++instructions_;
    uint64_t weight = 1;
    for (unsigned i = 0; i < std::min(depth_, kMaxDepth); ++i) weight *= kTurns;
    cost_ += weight;
  }
  return builder_.begin_op(row, where, words, attrs, results, names);
}

ValueId Writer::arithmetic(OpcodeClass opcode_class, ValueId a, ValueId b) {
  const ValueId operands[] = {a, b};
  const TypeId type = program_.values[a].type;
  const uint32_t op = builder_.begin_op(isa::id_of(opcode_class), where, operands, {}, {&type, 1}, {});
  return program_.ops[op].first_result;
}
ValueId Writer::cast(ValueId value, Elem to) {
  if (elem_of(value) == to) return value;
  const TypeId type = scalar(to);
  const uint32_t op =
      builder_.begin_op(isa::id_of(OpcodeClass::cast), where, {&value, 1}, {}, {&type, 1}, {});
  return program_.ops[op].first_result;
}
ValueId Writer::constant(Elem elem, int64_t number) {
  const auto [it, fresh] = constants_.try_emplace({elem, number}, kNoValue);
  if (!fresh) return it->second;
  wanted_.constants.emplace(elem, number);
  const TypeId type = scalar(elem);
  Attr value;
  value.spec = static_cast<uint16_t>(isa::schema(isa::id_of(OpcodeClass::constant)).attr_index("value"));
  value.value.type = type;
  value.value.kind = is_float(elem) ? AttrValue::Kind::floating : AttrValue::Kind::integer;
  if (is_float(elem))
    value.value.floating = static_cast<double>(number);
  else
    value.value.integer = number;
  const uint32_t op =
      builder_.begin_op(isa::id_of(OpcodeClass::constant), where, {}, {&value, 1}, {&type, 1}, {});
  return it->second = program_.ops[op].first_result;
}

ValueId Writer::shared(const FirstLanes& mask) {
  const auto [it, fresh] = first_lanes_.try_emplace(mask, kNoValue);
  if (!fresh) return it->second;
  wanted_.masks[scope_].insert(mask);
  if (mask.as != mask.width) {
    const ValueId own = first_lanes(mask.width, mask.count);
    const std::string kept = std::exchange(note, {});
    const ValueId cast = emit(Lowering::to_mask_cast, 1, {own}, mask_type(mask.as));
    note = kept;
    return first_lanes_[mask] = cast;
  }
  const std::string kept = std::exchange(note, {});
  const bool all = mask.count == kRegisterBytes / mask.width;
  const std::string pattern = all               ? "PAT_ALL"
                              : mask.count == 0 ? "PAT_ALLF"
                                                : fmt::format("PAT_VL{}", mask.count);
  const RowId row = isa::instruction(Lowering::to_pattern, mask.width);
  if (isa::find_case(*isa::schema(row).attrs[0].domain, pattern) != nullptr) {
    const TypeId type = mask_type(mask.width);
    it->second = emit(row, {}, {&type, 1}, {{"pattern", pattern}})[0];
  } else {
    const TypeId results[] = {mask_type(mask.width), scalar(Elem::i32)};
    const ValueId count = constant(Elem::i32, mask.count);
    it->second = emit(isa::instruction(Lowering::to_count_down, mask.width), {&count, 1}, results)[0];
  }
  note = kept;
  return it->second;
}
bool Writer::is_shared(ValueId mask) const {
  return std::ranges::any_of(first_lanes_, [&](const auto& built) { return built.second == mask; });
}
ValueId Writer::literal(const AttrValue& value, Elem elem) {
  Attr attr;
  attr.spec = static_cast<uint16_t>(isa::schema(isa::id_of(OpcodeClass::constant)).attr_index("value"));
  attr.value = value;
  if (value.kind == AttrValue::Kind::raw) {
    std::string_view text = program_.strings[value.text];
    if (text.starts_with("dense<")) text = text.substr(6, text.find('>') - 6);
    std::string digits;
    for (const char c : text)
      if (c != '[' && c != ']' && c != ' ') digits += c;
    char* end = nullptr;
    const double number = std::strtod(digits.c_str(), &end);
    if (digits.empty() || *end != '\0') return kNoValue;
    const bool bits = digits.starts_with("0x");  // 0x7F800000 : f32
    attr.value.kind = is_float(elem) && !bits ? AttrValue::Kind::floating : AttrValue::Kind::integer;
    if (attr.value.kind == AttrValue::Kind::floating)
      attr.value.floating = number;
    else
      attr.value.integer = std::strtoll(digits.c_str(), nullptr, 0);
  } else if (value.kind == AttrValue::Kind::int_array && value.array.count == 1) {
    attr.value.kind = AttrValue::Kind::integer;
    attr.value.integer = program_.ints[value.array.first];
  } else if (value.kind != AttrValue::Kind::integer && value.kind != AttrValue::Kind::floating) {
    return kNoValue;
  }
  const TypeId type = scalar(is_float(elem) ? elem : signless(elem));
  attr.value.type = type;
  const uint32_t op =
      builder_.begin_op(isa::id_of(OpcodeClass::constant), where, {}, {&attr, 1}, {&type, 1}, {});
  return program_.ops[op].first_result;
}
ValueId Writer::lanes_between(unsigned width, unsigned first, unsigned end) {
  const ValueId below = first_lanes(width, end);
  if (first == 0) return below;
  const ValueId before = first_lanes(width, first);
  return masks(Lowering::to_mask_xor, below, before);
}
ValueId Writer::masks(Lowering part, ValueId a, ValueId b) {
  const unsigned width = byte_width(elem_of(a));
  return emit(part, width, {a, b, all_lanes(width)}, mask_type(width));
}
ValueId Writer::mask_cast(ValueId mask, unsigned width) {
  if (byte_width(elem_of(mask)) == width) return mask;
  const auto common = std::ranges::find(first_lanes_, mask, &std::pair<const FirstLanes, ValueId>::second);
  if (common != first_lanes_.end()) return shared({common->first.width, common->first.count, width});
  const std::string kept = std::exchange(note, {});
  const ValueId built = emit(Lowering::to_mask_cast, 1, {mask}, mask_type(width));
  note = kept;
  return built;
}

ValueId Writer::bits_as(ValueId reg, Elem elem) {
  if (elem_of(reg) == elem) return reg;
  const std::string kept = std::exchange(note, {});
  const ValueId built = emit(Lowering::to_cast, 1, {reg}, vector_type(elem));
  note = kept;
  return built;
}
Regs Writer::bits_as(const Regs& regs, Elem elem) {
  Regs built;
  for (const ValueId reg : regs) built.push_back(bits_as(reg, elem));
  return built;
}

StrId Writer::free_name(const std::string& base) {
  for (unsigned number = 0;; ++number) {
    const StrId name = program_.strings.intern(number == 0 ? base : fmt::format("{}_{}", base, number));
    if (names_.insert(name).second) return name;
  }
}
void Writer::name(ValueId reg, StrId value, unsigned i, unsigned n) {
  if (value == 0 || program_.values[reg].name != 0) return;
  const std::string base(program_.strings[value]);
  program_.values[reg].name = free_name(n == 1 ? base : fmt::format("{}_{}", base, i));
}

}  // namespace pto::lower
