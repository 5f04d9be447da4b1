#include "verify/element_type_rules.hpp"

#include <algorithm>
#include <array>

#include "support/strings.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

constexpr uint64_t bit(Elem elem) { return uint64_t{1} << static_cast<unsigned>(elem); }

/// What every format represents in a types string: one without a sign for the others of its width too, a
/// signed one for the one without.
std::array<uint64_t, kElemCount> meanings() {
  std::array<uint64_t, kElemCount> all{};
  for (size_t i = 1; i < kElemCount; ++i) {
    const auto elem = static_cast<Elem>(i), plain = signless(elem);
    all[i] |= bit(elem) | (is_unsigned(elem) ? 0 : bit(plain));
    all[static_cast<size_t>(plain)] |= bit(elem);
  }
  return all;
}

/// The formats that a word of a types string means; 0 when it is not one.
uint64_t bits_of(std::string_view name) {
  // As programs spell it: si8 is signed alone, ui8 what may represent an unsigned one.
  if (name.starts_with("si")) return bit(elem_spelled(name));
  if (name.starts_with("ui")) return bit(elem_spelled(name)) | bit(signless(elem_spelled(name)));
  static const std::array<uint64_t, kElemCount> kMeanings = meanings();
  return kMeanings[static_cast<size_t>(elem_named(name))];
}

bool parse_set(std::string_view text, ElemSet& set, std::string& problem) {
  return for_each_part(text, '|', [&](std::string_view name) {
    const char length = name.find('x') == 1 ? name[0] : '1';
    if (length != '1') name.remove_prefix(2);
    const uint64_t bits = bits_of(name);
    if (bits == 0) problem = "unknown element type '" + std::string(name) + "'";
    (length == '2' ? set.pairs : length == '4' ? set.fours : length == '8' ? set.eights : set.bits) |= bits;
    return bits != 0;
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
    const bool same = set.empty();
    if (same ? operand->elem != first->elem : !set.has(operand->elem)) return false;
  }
  return true;
}

}  // namespace

bool compile_types(std::string_view text, const isa::Schema& schema, std::vector<TypeAlternative>& out,
                   std::string& problem) {
  return for_each_part(text, ' ', [&](std::string_view part) {
    TypeAlternative alternative;
    alternative.text = part;
    const bool tuple = part.find(':') != std::string_view::npos;
    if (!tuple) {
      alternative.operands.emplace_back("", ElemSet{});
      if (!parse_set(part, alternative.operands[0].second, problem)) return false;
    } else if (!for_each_part(part, ',', [&](std::string_view pair) {
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
