#include "verify/element_types.hpp"

#include <algorithm>
#include <array>

#include "verify/checker.hpp"

namespace pto::legality {
namespace {

constexpr uint64_t bit(Elem elem) { return uint64_t{1} << static_cast<unsigned>(elem); }
/// Two of them in one SIMT register, `vector<2xf16>`.
constexpr uint64_t packed(Elem elem) { return bit(elem) << ElemSet::kPacked; }

struct ElemName {
  std::string_view name;
  uint64_t bits;
};
constexpr ElemName kElems[] = {
    {"i1", bit(Elem::i1)},
    {"i4", bit(Elem::i4)},
    {"i8", bit(Elem::i8) | bit(Elem::si8) | bit(Elem::ui8)},
    {"i16", bit(Elem::i16) | bit(Elem::si16) | bit(Elem::ui16)},
    {"i32", bit(Elem::i32) | bit(Elem::si32) | bit(Elem::ui32)},
    {"i64", bit(Elem::i64) | bit(Elem::si64) | bit(Elem::ui64)},
    {"s8", bit(Elem::i8) | bit(Elem::si8)},
    {"s16", bit(Elem::i16) | bit(Elem::si16)},
    {"s32", bit(Elem::i32) | bit(Elem::si32)},
    {"s64", bit(Elem::i64) | bit(Elem::si64)},
    {"u8", bit(Elem::ui8)},
    {"u16", bit(Elem::ui16)},
    {"u32", bit(Elem::ui32)},
    {"u64", bit(Elem::ui64)},
    {"si8", bit(Elem::si8)},
    {"si16", bit(Elem::si16)},
    {"si32", bit(Elem::si32)},
    {"ui8", bit(Elem::i8) | bit(Elem::ui8)},
    {"ui16", bit(Elem::i16) | bit(Elem::ui16)},
    {"ui32", bit(Elem::i32) | bit(Elem::ui32)},
    {"f16", bit(Elem::f16)},
    {"bf16", bit(Elem::bf16)},
    {"f32", bit(Elem::f32)},
    {"f64", bit(Elem::f64)},
    {"f8e4m3", bit(Elem::f8e4m3)},
    {"f8e5m2", bit(Elem::f8e5m2)},
    {"f8e8m0", bit(Elem::f8e8m0)},
    {"hif8", bit(Elem::hif8)},
    {"f4e1m2x2", bit(Elem::f4e1m2x2)},
    {"f4e2m1x2", bit(Elem::f4e2m1x2)},
    {"bf16x2", bit(Elem::bf16x2)},
    {"2xf16", packed(Elem::f16)},
    {"2xbf16", packed(Elem::bf16)},
    {"2xf32", packed(Elem::f32)},
    {"2xi8", packed(Elem::i8) | packed(Elem::si8) | packed(Elem::ui8)},
    {"2xi16", packed(Elem::i16) | packed(Elem::si16) | packed(Elem::ui16)},
    {"2xi32", packed(Elem::i32) | packed(Elem::si32) | packed(Elem::ui32)},
    {"2xf8e4m3", packed(Elem::f8e4m3)},
    {"2xf8e5m2", packed(Elem::f8e5m2)},
    {"hif8x2", bit(Elem::hif8x2)},
};

template <typename Each>
bool split(std::string_view text, char separator, Each each) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0 && !each(text.substr(0, end))) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

bool parse_set(std::string_view text, ElemSet& set, std::string& problem) {
  return split(text, '|', [&](std::string_view name) {
    const auto* found = std::ranges::find(kElems, name, &ElemName::name);
    if (found == std::end(kElems))
      problem = "unknown element type '" + std::string(name) + "'";
    else
      set.bits |= found->bits;
    return problem.empty();
  });
}

bool known_operand(const isa::Schema& schema, std::string_view name) {
  return schema.operand_slot(name) >= 0 ||
         std::ranges::find(schema.results, name, &isa::OperandSpec::name) != schema.results.end();
}

/// name:set, or name:= for "as the first operand".
bool parse_pair(std::string_view text, const isa::Schema& schema, TypeAlternative& out,
                std::string& problem) {
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  if (!known_operand(schema, name)) {
    problem = "types name the unknown operand '" + std::string(name) + "'";
    return false;
  }
  out.operands.emplace_back(name, ElemSet{});
  const std::string_view set = text.substr(colon + 1);
  return set == "=" || parse_set(set, out.operands.back().second, problem);
}

/// Kinds that take part in element checks.
constexpr uint32_t kTyped =
    isa::kTile | isa::kVReg | isa::kView | isa::kTView | isa::kPtr | isa::kMemRef | isa::kVmiVReg;

bool takes_part(const isa::OperandSpec& spec, std::string_view exempt) {
  const bool excluded = !exempt.empty() && in_list(exempt, spec.name);
  return spec.role != isa::Role::tmp && !excluded && (spec.kinds & kTyped) != 0 &&
         (spec.kinds & isa::kAny) == 0;
}

bool has_element(const Type& type) {
  switch (type.kind) {
    case TypeKind::tile_buf:
    case TypeKind::vreg:
    case TypeKind::vmi_vreg:
    case TypeKind::tensor_view:
    case TypeKind::partition_view:
    case TypeKind::ptr:
      return true;
    default:
      return false;
  }
}

const TypedOperand* find(const std::vector<TypedOperand>& operands, std::string_view name) {
  const auto found = std::ranges::find(operands, name, &TypedOperand::name);
  return found == operands.end() ? nullptr : &*found;
}

bool matches_common(const ElemSet& set, const std::vector<TypedOperand>& operands) {
  return std::ranges::all_of(operands, [&](const TypedOperand& operand) {
    return set.has(operand.elem) && signless(operand.elem) == signless(operands.front().elem);
  });
}

bool matches_tuple(const TypeAlternative& alternative, const std::vector<TypedOperand>& operands) {
  const TypedOperand* first = find(operands, alternative.operands.front().first);
  for (const auto& [name, set] : alternative.operands) {
    const TypedOperand* operand = find(operands, name);
    if (operand == nullptr) return false;
    const bool same = set.bits == 0;
    if (same ? operand->elem != first->elem : !set.has(operand->elem)) return false;
  }
  return true;
}

}  // namespace

bool compile_types(std::string_view text, const isa::Schema& schema, std::vector<TypeAlternative>& out,
                   std::string& problem) {
  return split(text, ' ', [&](std::string_view part) {
    TypeAlternative alternative;
    alternative.text = part;
    const bool tuple = part.find(':') != std::string_view::npos;
    if (!tuple) {
      alternative.operands.emplace_back("", ElemSet{});
      if (!parse_set(part, alternative.operands[0].second, problem)) return false;
    } else if (!split(part, ',', [&](std::string_view pair) {
                 return parse_pair(pair, schema, alternative, problem);
               })) {
      return false;
    }
    out.push_back(std::move(alternative));
    return true;
  });
}

std::vector<TypedOperand> typed_operands(const OpView& op, std::string_view exempt) {
  const isa::Schema& schema = isa::schema(op.op().row);
  std::vector<TypedOperand> found;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (!takes_part(schema.operands[slot], exempt)) continue;
    for (const ValueId value : op.operands(slot)) {
      const Type& type = op.program().type_of(value);
      if (has_element(type)) found.push_back({schema.operands[slot].name, type.elem, false, slot});
    }
  }
  for (unsigned i = 0; i < schema.results.size() && i < op.op().n_results; ++i) {
    if (!takes_part(schema.results[i], exempt)) continue;
    const Type& type = op.result_type(i);
    if (has_element(type)) found.push_back({schema.results[i].name, type.elem, true, i});
  }
  return found;
}

bool matches(const std::vector<TypeAlternative>& alternatives, const std::vector<TypedOperand>& operands) {
  if (operands.empty()) return true;
  return std::ranges::any_of(alternatives, [&](const TypeAlternative& alternative) {
    const bool common = alternative.operands.size() == 1 && alternative.operands[0].first.empty();
    return common ? matches_common(alternative.operands[0].second, operands)
                  : matches_tuple(alternative, operands);
  });
}

}  // namespace pto::legality
