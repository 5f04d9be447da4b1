// Logical vectors from and to UB, and their conversions (E0586, E0589 to E0591).
#include <algorithm>

#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

bool has(const OpView& op, std::string_view name) { return find_named(op, name).present(); }

void no_vmi_merge(Checker& check, const OpView& op, std::string_view) {
  if (op.attr("pmode") == nullptr || op.attr_int("pmode") != 0) return;
  fail_attr(check, E0586, op, "pmode", fmt::format("{} has no pmode \"merge\"", op.mnemonic()),
            op.op().n_results == 0 ? "inactive lanes of a store are not written; leave pmode out"
                                   : "leave pmode out, and choose with pto.vmi.vsel");
}

/// What is counted from has the element type of the lanes, or is the integer of their width without a sign.
void count(Checker& check, const OpView& op, std::string_view) {
  const Elem base = op.type(0).elem;
  const Elem lane = op.result_type(0).elem;
  if (base == lane || base == signless(lane)) return;
  const Named named = find_named(op, "base");
  check.fail(
      E0585, op, named.type_part(), named.index,
      fmt::format("{}: {}, {}", op.mnemonic(), role_is(op, named), role_is(op, find_named(op, "result"))),
      Fix::use(to_string(lane)));
}

/// How an access is reported: by groups, by blocks, or by a distribution.
void access(Checker& check, const OpView& op, std::string_view) {
  enum : int64_t { continuous, unpack, dintlv, brc };
  const bool store = op.op().n_results == 0;
  const bool grouped = op.attr("group") != nullptr;
  const bool reported = op.attr("dist_mode") != nullptr && op.attr_int("dist_mode") != continuous;
  const int64_t dist = reported ? op.attr_int("dist_mode") : int64_t{continuous};
  const bool two = store ? has(op, "low") : op.op().n_results == 2;
  if (!store && op.op().n_results > 2) {
    check.fail(E0589, op, fmt::format("{} has {} results", op.mnemonic(), op.op().n_results),
               "one, or two with dist_mode = \"dintlv\"");
  } else if (grouped && reported && (store || dist != brc)) {
    fail_attr(check, E0589, op, "dist_mode", fmt::format("{} with group and dist_mode", op.mnemonic()),
              "remove one of them");
  } else if (grouped && !has(op, "stride")) {
    fail_attr(check, E0589, op, "group",
              fmt::format("{} with group has a stride behind the offset", op.mnemonic()),
              "write it, or remove group");
  } else if (has(op, "stride") && !grouped) {
    check.fail(E0589, op, fmt::format("{} has a stride and no group", op.mnemonic()),
               "write {group = n}; a stride in blocks is a pair of i16");
  } else if (has(op, "block_stride") && reported) {
    fail_attr(check, E0589, op, "dist_mode",
              fmt::format("{} with a block stride and dist_mode", op.mnemonic()), "remove one of them");
  } else if (store && (dist == unpack || dist == brc)) {
    fail_attr(check, E0589, op, "dist_mode", fmt::format("{} is continuous or dintlv", op.mnemonic()),
              "unpack and brc are of loads");
  } else if (two != (dist == dintlv)) {
    check.fail(E0589, op,
               fmt::format("{} with {} vector{}", op.mnemonic(), two ? "two" : "one", two ? "s" : ""),
               "dist_mode = \"dintlv\" has two, every other access one");
  } else if (store) {
    no_vmi_merge(check, op, {});
  } else if (const bool wider = bit_width(op.result_type(0).elem) > bit_width(op.type(0).elem);
             wider != (dist == unpack)) {
    const Named from = find_named(op, "source");
    const Named to = first_result(op);
    check.fail(E0589, op, fmt::format("{}: {}, {}", op.mnemonic(), role_is(op, from), role_is(op, to)),
               "lanes are wider than elements with dist_mode = \"unpack\", and with no other");
  }
  if (!store && two && op.result_type(0) != op.result_type(1))
    check.fail(E0582, op, Anchor::Part::result_type, 1,
               fmt::format("{} makes {} and {}", op.mnemonic(), describe(op.result_type(0)),
                           describe(op.result_type(1))),
               "both have one type");
}

/// Offsets count elements: 32 bits wide, or 16 for elements of ui16.
void vmi_lane_offsets(Checker& check, const OpView& op, std::string_view argument) {
  const auto [name, of] = split_pair(argument);
  const Named named = find_named(op, name);
  const Named data = find_named(op, of);
  const Type& type = named.type(op);
  const Type& value = data.type(op);
  const bool integer = is_integer(type.elem) && (is_unsigned(type.elem) || type.elem == signless(type.elem));
  const uint32_t width = bit_width(type.elem);
  const bool wide =
      integer && (width == 32 || (width == 16 && (has(op, "value") || value.elem == Elem::ui16)));
  if (wide && type.dims[0] == value.dims[0]) return;
  Diagnostic& built =
      check.fail(E0590, op, named.type_part(), named.index,
                 fmt::format("{}: {}, {}", op.mnemonic(), role_is(op, named), role_is(op, data)),
                 "one i32 or ui32 per lane, or i16 and ui16 for elements of ui16");
  note_definition(check, built, named);
}

// ---- conversions

enum class Says : uint8_t { never, may, must };
/// What a conversion does, and which attributes go with it.
struct VmiMemoryConversion {
  std::string_view name;
  Says rounding = Says::never, saturate = Says::never;
  bool known = false;
  std::string_view letters = "RAFCZ";
};

bool is_signed(Elem elem) { return elem == Elem::si8 || elem == Elem::si16 || elem == Elem::si32; }
bool is_eight_bit(Elem elem) {
  return elem == Elem::f8e4m3 || elem == Elem::f8e5m2 || elem == Elem::hif8 || elem == Elem::f8e8m0;
}

VmiMemoryConversion between_floats(Elem from, Elem to) {
  if (from == Elem::bf16x2 || to == Elem::bf16x2) {
    if (is_float4(from)) return {.name = "extf", .known = true};
    if (is_float4(to)) return {.name = "truncf", .rounding = Says::may, .known = true, .letters = "RAFZC"};
    return {};
  }
  if (is_float4(from) || is_float4(to)) return {};
  if (bit_width(from) < bit_width(to)) return {.name = "extf", .known = true};
  const bool same = bit_width(from) == bit_width(to);
  const bool known = same ? from == Elem::bf16 && to == Elem::f16 : from == Elem::f32 || is_eight_bit(to);
  return {.name = "truncf", .rounding = Says::may, .saturate = Says::may, .known = known, .letters = "RAHZ"};
}

VmiMemoryConversion from_float(Elem from, Elem to) {
  struct Pair {
    Elem from, to;
    Says saturate;
  };
  static constexpr Pair kSigned[] = {
      {Elem::f32, Elem::si32, Says::must},  {Elem::f32, Elem::si16, Says::must},
      {Elem::f16, Elem::si32, Says::never}, {Elem::f16, Elem::si16, Says::must},
      {Elem::f16, Elem::si8, Says::must},   {Elem::bf16, Elem::si32, Says::must}};
  if (!is_signed(to))
    return {.name = "fptoui",
            .rounding = Says::may,
            .saturate = Says::must,
            .known = from == Elem::f16 && signless(to) == Elem::i8};
  for (const Pair& pair : kSigned) {
    if (pair.from == from && pair.to == to)
      return {.name = "fptosi", .rounding = Says::may, .saturate = pair.saturate, .known = true};
  }
  return {.name = "fptosi"};
}

VmiMemoryConversion conversion(Elem from, Elem to) {
  if (is_float(from) && is_float(to)) return between_floats(from, to);
  if (is_float(from)) return from_float(from, to);
  if (is_float(to)) return {.name = "sitofp", .known = is_signed(from) && to != Elem::bf16x2};
  if (bit_width(from) > bit_width(to)) return {.name = "trunci", .saturate = Says::may, .known = true};
  if (bit_width(from) == bit_width(to)) return {};
  return {.name = is_signed(from) ? "extsi" : "extui", .known = true};
}

/// The attribute stands where it must and may.
bool attribute_fits(Checker& check, const OpView& op, std::string_view name, Says says) {
  const bool given = op.attr(name) != nullptr;
  if (given ? says != Says::never : says != Says::must) return true;
  fail_attr(check, E0591, op, name,
            fmt::format("{} from {} to {} {} '{}'", op.mnemonic(), to_string(op.type(0).elem),
                        to_string(op.result_type(0).elem), given ? "takes no" : "needs", name),
            given ? Fix::remove("remove it") : "write saturate = \"SAT\" or \"NOSAT\"");
  return false;
}

/// The pair of element types, and what goes with it.
void convert(Checker& check, const OpView& op, std::string_view) {
  const Elem from = op.type(0).elem;
  const Elem to = op.result_type(0).elem;
  const VmiMemoryConversion found = conversion(from, to);
  const std::string_view own = op.mnemonic().substr(op.mnemonic().rfind('.') + 1);
  const bool general = isa::schema(op.op().row).attr_index("pmode") >= 0;
  bool known = found.known && (general || own == found.name);
  if (!general && own == "sitofp") known = known && from == Elem::si32 && to == Elem::f32;
  if (!known) {
    check.fail(E0591, op, Anchor::Part::result_type, 0,
               fmt::format("{} does not convert {} to {}", op.mnemonic(), to_string(from), to_string(to)),
               "pto-as --explain E0591 lists the pairs");
    return;
  }
  const bool narrows = general && found.saturate == Says::may;  // the typed forms have a default
  if (!attribute_fits(check, op, "rounding", found.rounding) ||
      !attribute_fits(check, op, "saturate", narrows ? Says::must : found.saturate))
    return;
  const isa::EnumDomain* letters = isa::find_enum("vmi_rounding");
  if (op.attr("rounding") != nullptr &&
      found.letters.find(isa::case_name(*letters, op.attr_int("rounding"))) == std::string_view::npos)
    fail_attr(check, E0591, op, "rounding",
              fmt::format("{} from {} to {} does not round \"{}\"", op.mnemonic(), to_string(from),
                          to_string(to), isa::case_name(*letters, op.attr_int("rounding"))),
              fmt::format("one of {}", found.letters));
  else if (from == Elem::si32 && to == Elem::si8 && op.attr_int("saturate") == 1)
    fail_attr(check, E0591, op, "saturate", fmt::format("{} from si32 to si8 cannot saturate", op.mnemonic()),
              Fix::write("saturate = \"NOSAT\"", ", or convert in two steps"));
}

constexpr Rule kVmiMemoryRules[] = {
    {.id = E0589,
     .title = "form of a logical access",
     .cause = "An access of logical vectors is continuous, by groups with a stride, by blocks with a pair of "
              "strides, or has a "
              "dist_mode; these exclude each other.",
     .example = "pto.vmi.vload %p[%i], %stride without group",
     .fix = "Write the attributes and operands of one form."},
    {.id = E0590,
     .title = "offsets of a logical gather or scatter",
     .cause = "Offsets are signless or unsigned, 32 bits wide, or 16 for elements of ui16, one per lane.",
     .example = "offsets of si32",
     .fix = "Use i32."},
    {.id = E0591,
     .title = "conversion of logical vectors",
     .cause = "Floats become wider without attributes, narrower with saturate (f32 to f16, bf16, 8 bits; f16 "
              "to 8 bits; bf16 to "
              "f16; bf16x2 to 4 bits without saturate). f32, f16 and bf16 become si32, f32 and f16 si16, f16 "
              "si8 and ui8. Signed "
              "integers become floats; integers become wider without attributes, narrower with saturate.",
     .example = "pto.vmi.vcvt from f32 to f16 without saturate",
     .fix = "Write the attributes of the pair, or convert in two steps."},
};

constexpr OpRule kVmiMemoryChecks[] = {
    {.name = "vmi_no_merge", .check = no_vmi_merge, .ids = {E0586}, .words = "no pmode merge"},
    {.name = "vmi_count",
     .check = count,
     .ids = {E0585},
     .words = "`base` has the element type of the lanes, with or without its sign"},
    {.name = "vmi_access",
     .check = access,
     .ids = {E0582, E0586, E0589},
     .words = "groups with a stride, blocks with two, or a distribution"},
    {.name = "vmi_offsets",
     .check = vmi_lane_offsets,
     .ids = {E0590},
     .words = "$: one i32 per lane of `@`, or i16 for ui16"},
    {.name = "vmi_convert",
     .check = convert,
     .ids = {E0591},
     .words = "a pair of element types that converts, with its attributes"},
};

}  // namespace

RuleFamily vmi_memory_rules() { return {.rules = kVmiMemoryRules, .checks = kVmiMemoryChecks}; }

}  // namespace pto::legality
