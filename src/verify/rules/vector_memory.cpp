// Vector loads and stores: distributions, immediates, predicate streams (E0551, E0558 to E0560, W0551,
// W0552).
#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

/// The keyword of the distribution, "" when absent.
std::string_view dist_of(const OpView& op) {
  const AttrValue* value = op.attr("dist");
  if (value == nullptr) return {};
  const isa::Schema& schema = isa::schema(op.op().row);
  return isa::case_name(*schema.attrs[static_cast<size_t>(schema.attr_index("dist"))].domain, value->integer);
}

/// Distributions that merge or narrow lanes and so read one mask bit for several of them.
struct DistMask {
  std::string_view dist;
  uint32_t element, mask;
};
constexpr DistMask kDistMasks[] = {
    {"PK_B16", 8, 16},     {"PK_B32", 16, 32},      {"MRG4CHN_B8", 8, 32},
    {"MRG2CHN_B8", 8, 16}, {"MRG2CHN_B16", 16, 32}, {"PK4_B32", 8, 32},
};

/// Mask bits per lane of a store, and per group of lanes for distributions that pack or merge.
void store_mask(Checker& check, const OpView& op, std::string_view) {
  const Named value = find_named(op, "value");
  const Named mask = find_named(op, "mask");
  if (!value.present() || !mask.present() || value.type(op).kind != TypeKind::vreg ||
      mask.type(op).kind != TypeKind::mask)
    return;
  uint32_t wanted = bit_width(value.type(op).elem);
  const std::string_view dist = dist_of(op);
  for (const DistMask& special : kDistMasks) {
    if (special.dist == dist && special.element == wanted) wanted = special.mask;
  }
  if (wanted < 8 || wanted > 32 || bit_width(mask.type(op).elem) == wanted) return;
  Diagnostic& built =
      check.fail(E0551, op, mask.part(), mask.index,
                 fmt::format("mask 'mask' of {} is {}; {} of {} needs !pto.mask<b{}>", op.mnemonic(),
                             describe(mask.type(op)), dist.empty() ? std::string_view("a store") : dist,
                             describe(value.type(op)), wanted),
                 Fix::use_a(fmt::format("!pto.mask<b{}>", wanted)));
  note_definition(check, built, mask);
}

/// The width in a distribution's name, 0 when it has none or means something else than the lanes.
uint32_t dist_width(std::string_view dist) {
  if (!dist.starts_with("BRC_B") && !dist.starts_with("US_") && !dist.starts_with("DS_") &&
      !dist.starts_with("NORM_") && !dist.starts_with("1PT_") && !dist.starts_with("DINTLV_") &&
      !dist.starts_with("INTLV_") && !dist.starts_with("E2B_")) {
    return 0;
  }
  return dist.ends_with("_B8") ? 8 : dist.ends_with("_B16") ? 16 : dist.ends_with("_B32") ? 32 : 0;
}

/// The hardware goes by the width in the name, so lanes of another width are cut or joined.
void dist_lanes(Checker& check, const OpView& op, std::string_view name) {
  const Named reg = find_named(op, name);
  const std::string_view dist = dist_of(op);
  const uint32_t width = dist_width(dist);
  if (!reg.present() || reg.type(op).kind != TypeKind::vreg || width == 0 ||
      width == bit_width(reg.type(op).elem))
    return;
  Diagnostic& built =
      check.warn(W0551, op,
                 fmt::format("{} of {} moves {}-bit lanes, but '{}' is {}", dist, op.mnemonic(), width, name,
                             describe(reg.type(op))),
                 fmt::format("use the distribution for {} bits", bit_width(reg.type(op).elem)));
  built.subject = name;
}

void no_merge(Checker& check, const OpView& op, std::string_view) {
  const std::string_view dist = dist_of(op);
  if (!dist.starts_with("MRG")) return;
  check.warn(W0552, op, fmt::format("no present hardware has distribution {} of {}", dist, op.mnemonic()),
             "interleave in registers and store with NORM");
}

/// The offset is part of the instruction word.
void immediate(Checker& check, const OpView& op, std::string_view name) {
  const Named offset = find_named(op, name);
  if (!offset.present() || check.constant(offset.value)) return;
  Diagnostic& built = check.fail(
      E0560, op, Anchor::Part::operand, offset.index,
      fmt::format("'{}' of {} must be a constant, {} is not", name, op.mnemonic(),
                  value_name(op.program(), offset.value)),
      isa::opcode_class(op) == isa::OpcodeClass::vector_load ? Fix::use("pto.plds") : "use pto.psts");
  note_definition(check, built, offset);
}

/// A stream of predicates goes to unsigned words as wide as the mask's granularity.
void predicate_stream(Checker& check, const OpView& op, std::string_view) {
  const Named base = find_named(op, "base");
  const Named value = find_named(op, "value");
  if (!base.present() || !value.present() || value.type(op).kind != TypeKind::mask) return;
  const Elem elem = base.type(op).elem;
  const uint32_t width = bit_width(value.type(op).elem);
  const bool words = (elem == Elem::ui16 || elem == Elem::ui32 || elem == Elem::i16 || elem == Elem::i32);
  if (words && (width == 8 || width == bit_width(elem))) return;
  check.fail(
      E0558, op, base.part(), base.index,
      fmt::format("'base' of {} points to {}, the mask is {}", op.mnemonic(), to_string(elem),
                  describe(value.type(op))),
      width == 8 ? "use a pointer to ui16 or ui32" : Fix::use_a(fmt::format("!pto.ptr<ui{}, ub>", width)));
}

constexpr Rule kVectorMemoryRules[] = {
    {.id = W0551,
     .title = "lanes of another width",
     .cause = "A distribution goes by the width in its name; lanes of another width are cut or joined.",
     .example = "pto.vlds {dist = \"BRC_B16\"} to !pto.vreg<64xf32>",
     .fix = "Use the distribution for the width of the lanes, if that is intended."},
    {.id = W0552,
     .title = "distribution without hardware",
     .cause = "Public descriptions say that no present hardware merges channels in a store.",
     .example = "pto.vsts {dist = \"MRG4CHN_B8\"}",
     .fix = "Interleave in registers."},
    {.id = E0558,
     .title = "predicate stream",
     .cause = "pto.pstu appends masks as unsigned words of their granularity.",
     .example = "pto.pstu of a !pto.mask<b32> to a !pto.ptr<ui16, ub>",
     .fix = "Cast the pointer with pto.castptr."},
    {.id = E0560,
     .title = "constant offset",
     .cause = "The offset of pto.pldi and pto.psti is part of the instruction word.",
     .example = "pto.pldi %ub[%i], \"NORM\" in a loop over %i",
     .fix = "Use pto.plds or pto.psts."},
};

constexpr OpRule kVectorMemoryChecks[] = {
    {.name = "store_mask",
     .check = store_mask,
     .ids = {E0551},
     .words = "mask bits per lane, or per group of lanes for distributions that pack"},
    {.name = "dist_lanes",
     .check = dist_lanes,
     .ids = {W0551},
     .words = "lanes of `$` are as wide as the distribution's name says"},
    {.name = "no_merge",
     .check = no_merge,
     .ids = {W0552},
     .words = "distributions that merge exist on no present hardware"},
    {.name = "immediate", .check = immediate, .ids = {E0560}, .words = "constant: $"},
    {.name = "predicate_stream",
     .check = predicate_stream,
     .sees = Sees::types,
     .ids = {E0558},
     .words = "the words in memory are unsigned and as wide as the mask's granularity"},
};

}  // namespace

RuleFamily vector_memory_rules() { return {.rules = kVectorMemoryRules, .checks = kVectorMemoryChecks}; }

}  // namespace pto::legality
