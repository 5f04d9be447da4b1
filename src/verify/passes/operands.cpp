// Operand kinds and counts (E030x).
#include <fmt/format.h>

#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

using isa::Kind;

uint32_t scalar_kinds(Elem elem) {
  uint32_t bits = isa::kScalar;
  if (elem == Elem::index) return bits | isa::kIndex;
  if (is_float(elem)) return bits | isa::kFloat;
  bits |= isa::kInt;
  switch (signless(elem)) {
    case Elem::i1:
      return bits | isa::kI1;
    case Elem::i8:
      return bits | isa::kI8;
    case Elem::i16:
      return bits | isa::kI16;
    case Elem::i32:
      return bits | isa::kI32;
    case Elem::i64:
      return bits | isa::kI64;
    default:
      return bits;
  }
}

/// Every kind a type satisfies.
uint32_t kinds_of(const Type& type) {
  switch (type.kind) {
    case TypeKind::scalar:
      return scalar_kinds(type.elem);
    case TypeKind::tile_buf:
      return from_memref(type) ? isa::kTile | isa::kMemRef : uint32_t{isa::kTile};
    case TypeKind::partition_view:
      return from_memref(type) ? isa::kView | isa::kTView | isa::kMemRef : uint32_t{isa::kView};
    case TypeKind::tensor_view:
      return isa::kTView;
    case TypeKind::ptr:
      return isa::kPtr;
    case TypeKind::memref:
      return isa::kMemRef | (type.space == Space::none || type.space == Space::gm ? isa::kView : isa::kTile);
    case TypeKind::vreg:
      return isa::kVReg;
    case TypeKind::mask:
      return isa::kMask;
    case TypeKind::align:
      return isa::kAlign;
    case TypeKind::vector:
      return isa::kVector;
    case TypeKind::pipe:
      return isa::kPipeHandle;
    case TypeKind::async_session:
      return isa::kAsyncSession;
    case TypeKind::async_event:
      return isa::kAsyncEvent;
    case TypeKind::eventid_array:
      return isa::kEventIdArray;
    case TypeKind::local_array:
      return isa::kLocalArray;
    case TypeKind::vmi_vreg:
      return isa::kVmiVReg;
    case TypeKind::vmi_mask:
      return isa::kVmiMask;
    case TypeKind::multi_tile:
      return isa::kMultiTile;
    case TypeKind::structure:
      return isa::kStruct;
    case TypeKind::prefetch_context:
      return isa::kPrefetch;
    default:
      return 0;
  }
}

std::string kind_names(uint32_t kinds) {
  std::string text;
  for (const isa::OperandKind& kind : isa::operand_kinds()) {
    if ((kinds & kind.bit) != 0) text += (text.empty() ? "" : " or ") + std::string(kind.type);
  }
  return text;
}

std::string_view article(std::string_view noun) {
  return std::string_view("aeio").find(noun.front()) == std::string_view::npos ? "a" : "an";
}

void wrong_kind(Checker& check, const OpView& op, const isa::OperandSpec& spec, const Type& type,
                Anchor::Part part, unsigned index) {
  Diagnostic& built =
      check.fail(E0301, op, part, index,
                 fmt::format("operand '{}' of {} is {}, not {}", spec.name, op.mnemonic(), describe(type),
                             kind_names(spec.kinds)),
                 fmt::format("pass {} {}", article(kind_names(spec.kinds)), kind_names(spec.kinds)));
  if (type.kind == TypeKind::memref || from_memref(type))
    built.help = std::move(built.help).then("; a memref in an on-chip space is a tile, one in gm a view");
}

void check_slot(Checker& check, const OpView& op, unsigned slot, const isa::OperandSpec& spec) {
  const std::span<const ValueId> values = op.operands(slot);
  if (values.empty() && spec.arity == isa::Arity::one) {
    check.fail(E0302, op, fmt::format("{} lacks its operand '{}'", op.mnemonic(), spec.name),
               fmt::format("give a {}", kind_names(spec.kinds)));
  }
  if ((spec.kinds & isa::kAny) != 0) return;
  for (unsigned i = 0; i < values.size(); ++i) {
    const Type& type = op.program().type_of(values[i]);
    if ((kinds_of(type) & spec.kinds) == 0)
      wrong_kind(check, op, spec, type, Anchor::Part::operand_type, flat_index(op, slot) + i);
  }
}

void check_results(Checker& check, const OpView& op, const isa::Schema& schema) {
  const bool variadic = !schema.results.empty() && schema.results.back().arity == isa::Arity::variadic;
  if (variadic) return;
  for (unsigned i = 0; i < op.op().n_results && i < schema.results.size(); ++i) {
    const isa::OperandSpec& spec = schema.results[i];
    if ((spec.kinds & isa::kAny) != 0 || (kinds_of(op.result_type(i)) & spec.kinds) != 0) continue;
    wrong_kind(check, op, spec, op.result_type(i), Anchor::Part::result_type, i);
  }
}

constexpr Rule kOperandsRules[] = {
    {.id = E0301,
     .title = "operand kind",
     .cause = "An operand has a type of a kind the instruction does not take.",
     .example = "pto.tadd ins(%ptr, %b : !pto.ptr<f32>, ..)",
     .fix = "Pass a value of one of the kinds the message lists."},
    {.id = E0302,
     .title = "missing operand",
     .cause = "An operand that the instruction needs is not given.",
     .example = "pto.tadd ins(%a : ..) outs(%d : ..)",
     .fix = "Give every operand of the instruction."},
};

}  // namespace

RuleFamily operand_rules() { return {.rules = kOperandsRules, .checks = {}}; }

void check_operand_kinds(Checker& check, const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot)
    check_slot(check, op, slot, schema.operands[slot]);
  check_results(check, op, schema);
}

}  // namespace pto::legality
