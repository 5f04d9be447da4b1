// Conversions between element types: requirements of each pair of types (E0416, E0551, E0556).
#include <algorithm>

#include "isa/conversions.hpp"
#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

std::string pair_of(const OpView& op) {
  return fmt::format("{} to {}", to_string(op.type(0).elem), to_string(op.result_type(0).elem));
}
void needs(Checker& check, const OpView& op, FindingId id, bool needed, std::string_view attr,
           std::string_view also, std::string_view values) {
  const bool given = op.attr(attr) != nullptr || (!also.empty() && op.attr(also) != nullptr);
  if (given == needed) return;
  if (needed) {
    check.fail(id, op, fmt::format("{} from {} needs {}", op.mnemonic(), pair_of(op), attr),
               fmt::format("write {{{} = ..}} with one of {}", attr, values));
    return;
  }
  const std::string_view written = op.attr(attr) != nullptr ? attr : also;
  check.fail(id, op, Anchor::Part::attribute, attr_index(op, written),
             fmt::format("{} from {} takes no {}", op.mnemonic(), pair_of(op), written),
             Fix::remove(fmt::format("drop {}", written)));
}

uint32_t lane_width(Elem elem) { return is_float4(elem) ? 4 : bit_width(elem); }

/// EVEN and ODD are halves, P0 to P3 quarters.
void part(Checker& check, const OpView& op) {
  const uint32_t from = lane_width(op.type(0).elem);
  const uint32_t to = lane_width(op.result_type(0).elem);
  const uint32_t ratio = std::max(from, to) / std::min(from, to);
  needs(check, op, E0416, ratio > 1, "part", "", ratio == 4 ? "P0, P1, P2, P3" : "EVEN, ODD");
  if (op.attr("part") == nullptr || ratio == 1) return;
  const bool quarter = op.attr_int("part") >= 4;
  if (quarter == (ratio == 4)) return;
  const isa::Schema& schema = isa::schema(op.op().row);
  const std::string_view name =
      isa::case_name(*schema.attrs[attr_index(op, "part")].domain, op.attr_int("part"));
  check.fail(E0416, op, Anchor::Part::attribute, attr_index(op, "part"),
             fmt::format("{} from {} has {} parts, {} is not one of them", op.mnemonic(), pair_of(op),
                         ratio == 4 ? "four" : "two", name),
             ratio == 4 ? Fix::use_one_of({"P0", "P1", "P2", "P3"}) : "use EVEN or ODD");
}

void vcvt(Checker& check, const OpView& op, std::string_view) {
  part(check, op);
  if (op.attr("rnd") != nullptr && op.attr("round_mode") != nullptr) {
    check.fail(E0556, op, Anchor::Part::attribute, attr_index(op, "round_mode"),
               fmt::format("{} has rnd and round_mode, which are the same", op.mnemonic()), "keep rnd");
    return;
  }
  const isa::ConversionContract* contract = isa::conversion_contract(op.type(0).elem, op.result_type(0).elem);
  if (contract == nullptr) return;
  std::string letters;
  for (const char letter : contract->rounds)
    letters += (letters.empty() ? "" : ", ") + std::string(1, letter);
  needs(check, op, E0556, contract->needs.find('r') != contract->needs.npos, "rnd", "round_mode", letters);
  needs(check, op, E0556, contract->needs.find('s') != contract->needs.npos, "sat", "", "SAT, NOSAT");
  const std::string_view written = op.attr("rnd") != nullptr ? "rnd" : "round_mode";
  if (op.attr(written) == nullptr || contract->needs.find('r') == contract->needs.npos) return;
  const isa::EnumDomain& modes = *isa::schema(op.op().row).attrs[attr_index(op, written)].domain;
  const std::string_view mode = isa::case_name(modes, op.attr_int(written));
  if (contract->rounds.find(mode) != contract->rounds.npos) return;
  check.fail(E0556, op, Anchor::Part::attribute, attr_index(op, written),
             fmt::format("{} from {} does not round {}", op.mnemonic(), pair_of(op), mode),
             fmt::format("use one of {}", letters));
}

/// The mask has the granularity of the source, at most b32.
void vcvt_mask(Checker& check, const OpView& op, std::string_view) {
  const uint32_t width = std::min(bit_width(op.type(0).elem), 32u);
  const Named mask = find_named(op, "mask");
  if (!mask.present() || mask.type(op).kind != TypeKind::mask || width < 8 ||
      bit_width(mask.type(op).elem) == width)
    return;
  Diagnostic& built = check.fail(
      E0551, op, mask.part(), mask.index,
      fmt::format("the mask of {} from {} is {}", op.mnemonic(), pair_of(op), describe(mask.type(op))),
      Fix::use_a(fmt::format("!pto.mask<b{}>", width), ", a bit per source lane"));
  note_definition(check, built, mask);
}

/// vtrc rounds to a neighbour: O (to odd) and H (hybrid) are for vcvt.
void vtrc_round(Checker& check, const OpView& op, std::string_view) {
  if (op.attr_int("round_mode") < 5) return;
  check.fail(E0556, op, Anchor::Part::attribute, attr_index(op, "round_mode"),
             fmt::format("{} does not round to odd or hybrid", op.mnemonic()),
             Fix::use_one_of({"R", "A", "F", "C", "Z"}));
}

constexpr Rule kConvertRules[] = {
    {.id = E0416,
     .title = "conversion part",
     .cause = "part says which lanes of a conversion between widths are meant.",
     .example = "pto.vcvt .. {part = \"EVEN\"} from f32 to s32",
     .fix = "Drop part, or use one that exists."},
    {.id = E0556,
     .title = "rounding or saturation",
     .cause = "rnd and sat belong to conversions that round or can overflow; there they are needed, "
              "elsewhere they have no meaning.",
     .example = "pto.vcvt %v, %m {part = \"EVEN\"} from f32 to f16",
     .fix = "Write or drop the attribute as the message says."},
};

constexpr OpRule kConvertChecks[] = {
    {.name = "vcvt",
     .check = vcvt,
     .ids = {E0416, E0556},
     .words = "part is given exactly where source and result lanes differ in width"},
    {.name = "vcvt_mask",
     .check = vcvt_mask,
     .sees = Sees::types,
     .ids = {E0416, E0551},
     .words = "the mask has a bit per source lane"},
    {.name = "vtrc_round", .check = vtrc_round, .ids = {E0556}, .words = "does not round to odd or hybrid"},
};

}  // namespace

RuleFamily convert_rules() { return {.rules = kConvertRules, .checks = kConvertChecks}; }

}  // namespace pto::legality
