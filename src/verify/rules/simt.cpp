// SIMT: types of values, atomics, lane operations, conversions, launch dimensions.
// verify/passes/simt.cpp checks the positions of operations and launches.
#include <fmt/format.h>

#include "verify/element_type_rules.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

using Part = Anchor::Part;

constexpr uint32_t kValue = isa::kScalar | isa::kVector;

bool is_pair(const Type& type) {
  return type.kind == TypeKind::vector && type.rank == 1 && type.dims[0] == 2;
}

bool contains_type(const ElemSet& set, const Type& type) {
  if (type.kind == TypeKind::scalar) return set.has(type.elem);
  return type.kind == TypeKind::vector && type.rank == 1 && set.has_vector(type.dims[0], type.elem);
}

std::vector<TypeAlternative> alternatives(const OpView& op) {
  std::vector<TypeAlternative> list;
  std::string problem;
  const isa::Schema& schema = isa::schema(op.op().row);
  compile_types(schema.row->types.a5, schema, list, problem);
  return list;
}

/// Of a short name. Integers represent several formats in the types column, so they stay.
std::string_view language_name(std::string_view name) {
  const Elem elem = elem_named(name);
  return is_float(elem) ? to_string(elem) : name;
}

/// `f16 2xf16` as the language spells it.
std::string spelled(std::string_view names) {
  std::string text;
  while (!names.empty()) {
    const size_t end = std::min(names.find_first_of(" |"), names.size());
    const std::string_view name = names.substr(0, end);
    text += text.empty() ? "" : ", ";
    const size_t times = name.find('x');
    const bool lanes = times == 1;
    const std::string_view elem = language_name(name.substr(lanes ? 2 : 0));
    text += lanes ? fmt::format("vector<{}x{}>", name[0], elem) : std::string(elem);
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return text;
}

/// A value of an operation: an operand or a result that the types column speaks of.
struct Typed {
  std::string_view name;
  ValueId value;
  Part part;
  unsigned index;
};

std::vector<Typed> typed_values(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  std::vector<Typed> found;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if ((schema.operands[slot].kinds & kValue) == 0) continue;
    for (const ValueId value : op.operands(slot))
      found.push_back({schema.operands[slot].name, value, Part::operand_type, flat_index(op, slot)});
  }
  for (unsigned i = 0; i < op.op().n_results && i < schema.results.size(); ++i) {
    if ((schema.results[i].kinds & kValue) != 0)
      found.push_back({schema.results[i].name, op.result(i), Part::result_type, i});
  }
  return found;
}

/// The values have one of the row's types, all the same, and the pointer points to such.
void values(Checker& check, const OpView& op, std::string_view) {
  const std::vector<Typed> all = typed_values(op);
  if (all.empty()) return;
  const Program& program = op.program();
  const Typed& first = all.front();
  const Type& type = program.type_of(first.value);
  const std::string allowed = fmt::format("allowed on a5: {}", spelled(isa::row(op.op().row).types.a5));
  bool known = false;
  for (const TypeAlternative& alternative : alternatives(op))
    known = known || contains_type(alternative.operands[0].second, type);
  if (!known) {
    check.fail(E0331, op, first.part, first.index,
               fmt::format("{} does not take {}: {} is {}", op.mnemonic(), describe(type), first.name,
                           value_name(program, first.value)),
               allowed);
    return;
  }
  for (const Typed& other : all) {
    if (program.type_of(other.value) == type) continue;
    Diagnostic& built =
        check.fail(E0331, op, other.part, other.index,
                   fmt::format("{}: {} is {} ({}), but {} is {} ({}); both have one type", op.mnemonic(),
                               first.name, describe(type), value_name(program, first.value), other.name,
                               describe(program.type_of(other.value)), value_name(program, other.value)),
                   "convert one of them");
    check.note_definition(built, first.value);
    return;
  }
  const int slot = slot_of(op, "ptr");
  if (slot < 0) return;
  const Type& pointer = op.type(static_cast<unsigned>(slot));
  const auto lanes = static_cast<uint8_t>(type.kind == TypeKind::vector ? type.dims[0] : 0);
  if (pointer.elem == type.elem && pointer.vec_lanes == lanes) return;
  check.fail(E0331, op, first.part, first.index,
             fmt::format("{}: {} is {} ({}), but {} is {}", op.mnemonic(), first.name, describe(type),
                         value_name(program, first.value),
                         value_name(program, op.operand(static_cast<unsigned>(slot))), describe(pointer)),
             "the pointer's element is the value's type");
}

/// GM and UB have atomics; UB none on 64 bits. Only integers have a sign.
void simt_atomic(Checker& check, const OpView& op, std::string_view) {
  const Type& pointer = op.type(0);
  if (pointer.space != Space::gm && pointer.space != Space::ub) {
    check.fail(E0411, op, Part::operand_type, 0,
               fmt::format("operand 'ptr' of {} must point to gm or ub, but {} points to {}", op.mnemonic(),
                           value_name(op.program(), op.operand(0)), to_string(pointer.space)),
               "use a !pto.ptr<.., gm> or a !pto.ptr<.., ub>");
  } else if (pointer.space == Space::ub && is_integer(pointer.elem) && bit_width(pointer.elem) == 64) {
    check.fail(E0468, op, Part::operand_type, 0,
               fmt::format("{} on {}: UB has no 64-bit atomics", op.mnemonic(), describe(pointer)),
               Fix::use("i32", ", or a pointer into gm"));
  }
}

void no_sign_of_floats(Checker& check, const OpView& op, std::string_view) {
  const Type& value = op.type(0).kind == TypeKind::ptr ? op.type(1) : op.type(0);
  if (op.attr("signedness") == nullptr || is_integer(value.elem)) return;
  const isa::EnumDomain* domain = isa::find_enum("signedness");
  check.fail(E0469, op, Part::attribute, attr_index(op, "signedness"),
             fmt::format("{} on {} takes no '{}'", op.mnemonic(), describe(value),
                         isa::case_name(*domain, op.attr_int("signedness"))),
             Fix::remove("remove it"));
}

/// The order of integers depends on their sign.
void needs_sign(Checker& check, const OpView& op, std::string_view) {
  if (op.attr("signedness") != nullptr || !is_integer(op.type(0).elem)) return;
  check.fail(E0469, op,
             fmt::format("{} on {} needs 'signed' or 'unsigned'", op.mnemonic(), describe(op.type(0))),
             fmt::format("write {} {} signed : ..", op.mnemonic(), value_name(op.program(), op.operand(0))));
}

void shuffle_width(Checker& check, const OpView& op, std::string_view) {
  const int64_t width = op.attr_int("width");
  if (width == 16 || width == 32) return;
  check.fail(E0313, op, Part::attribute, attr_index(op, "width"),
             fmt::format("attribute 'width' of {} is {}", op.mnemonic(), width), "allowed: 16 or 32");
}

/// Constant dimensions are positive and make at most 2048 threads.
void simt_dims(Checker& check, const OpView& op, std::string_view) {
  const isa::Schema& schema = isa::schema(op.op().row);
  int64_t threads = 1;
  bool known = true;
  for (unsigned slot = 0; slot < 3; ++slot) {
    const std::optional<int64_t> size = check.constant(op.operand(slot));
    known = known && size.has_value();
    if (!size) continue;
    if (*size < 1 || *size > 2048) {
      check.fail(E0471, op, Part::operand, slot,
                 fmt::format("{} of {} is {}; it must be 1 to 2048", schema.operands[slot].name,
                             op.mnemonic(), *size),
                 "a launch has 1 to 2048 threads");
      return;
    }
    threads *= *size;
  }
  if (!known || threads <= 2048) return;
  check.fail(E0471, op, Part::operand, 0,
             fmt::format("{} of {} x {} x {} is {} threads; a launch has at most 2048", op.mnemonic(),
                         *check.constant(op.operand(0)), *check.constant(op.operand(1)),
                         *check.constant(op.operand(2)), threads),
             "launch several times");
}

// ---- conversions

constexpr uint32_t bit(int64_t rounding) { return 1u << rounding; }
constexpr uint32_t kPlain = 0x1f;               ///< r a f c z
constexpr uint32_t kWithOdd = kPlain | bit(5);  ///< and o

/// The rounding modes of a legal pair of types.
uint32_t roundings(const Type& src, const Type& dst) {
  const bool pair = is_pair(src) && is_pair(dst);
  if (dst.elem == Elem::hif8x2) return bit(1) | bit(6);
  if (pair && (dst.elem == Elem::f8e4m3 || dst.elem == Elem::f8e5m2)) return bit(0);
  if (src.elem == Elem::f32 && dst.elem == Elem::f16) return kWithOdd;
  return kPlain;
}

std::string rounding_names(uint32_t set) {
  std::string text;
  for (const isa::EnumCase& item : isa::find_enum("rounding")->cases) {
    if ((set & bit(item.value)) != 0) text += (text.empty() ? "" : ", ") + std::string(item.name);
  }
  return text;
}

/// What a source type converts to, for the help.
std::string targets_of(const OpView& op) {
  for (const TypeAlternative& alternative : alternatives(op)) {
    if (!contains_type(alternative.operands[0].second, op.type(0))) continue;
    const std::string_view text = alternative.text;
    return fmt::format("{} converts to {}", describe(op.type(0)),
                       spelled(text.substr(text.find("dst:") + 4)));
  }
  return fmt::format("{} does not convert at all", describe(op.type(0)));
}

bool legal_pair(const OpView& op) {
  for (const TypeAlternative& alternative : alternatives(op)) {
    if (contains_type(alternative.operands[0].second, op.type(0)) &&
        contains_type(alternative.operands[1].second, op.result_type(0)))
      return true;
  }
  return false;
}

void convert_sign(Checker& check, const OpView& op, bool integer) {
  if (integer == (op.attr("signedness") != nullptr)) return;
  if (integer) {
    check.fail(E0469, op,
               fmt::format("{} from {} to {} needs 'signed' or 'unsigned'", op.mnemonic(),
                           describe(op.type(0)), describe(op.result_type(0))),
               "write it behind sat or nosat");
  } else {
    check.fail(E0469, op, Part::attribute, attr_index(op, "signedness"),
               fmt::format("{} from {} to {} takes no signedness: neither is an integer", op.mnemonic(),
                           describe(op.type(0)), describe(op.result_type(0))),
               Fix::remove("remove it"));
  }
}

void simt_convert(Checker& check, const OpView& op, std::string_view) {
  const Type& src = op.type(0);
  const Type& dst = op.result_type(0);
  if (!legal_pair(op)) {
    check.fail(E0466, op, Part::result_type, 0,
               fmt::format("{} has no conversion from {} to {}", op.mnemonic(), describe(src), describe(dst)),
               targets_of(op));
    return;
  }
  const bool integer = is_integer(src.elem) || is_integer(dst.elem);
  convert_sign(check, op, integer);
  const int64_t rounding = op.attr_int("rounding");
  if (const uint32_t allowed = roundings(src, dst); (allowed & bit(rounding)) == 0) {
    check.fail(E0467, op, Part::attribute, attr_index(op, "rounding"),
               fmt::format("{} from {} to {} does not round({})", op.mnemonic(), describe(src), describe(dst),
                           isa::case_name(*isa::find_enum("rounding"), rounding)),
               fmt::format("allowed: {}", rounding_names(allowed)));
  }
  if (is_integer(dst.elem) && op.attr_int("saturation") == 0) {
    check.fail(E0467, op, Part::attribute, attr_index(op, "saturation"),
               fmt::format("{} from {} to {} saturates: nosat is not possible", op.mnemonic(), describe(src),
                           describe(dst)),
               Fix::write("sat"));
  }
}

constexpr Rule kSimtRules[] = {
    {.id = E0466,
     .title = "SIMT conversion",
     .cause = "pto.convert does not convert between these types.",
     .example = "pto.convert %i round(r) nosat signed : i32 -> i64",
     .fix = "Go through a type that both sides convert to; arith has conversions of integers."},
    {.id = E0467,
     .title = "conversion mode",
     .cause = "The conversion does not have this rounding mode, or must saturate.",
     .example = "pto.convert %f round(o) nosat signed : f32 -> i32",
     .fix = "Use a rounding mode the message lists; write sat for integers."},
    {.id = E0468,
     .title = "atomic",
     .cause = "UB has no 64-bit atomics; atomics on pairs give no old value.",
     .example = "pto.atomic_add %p, %v : !pto.ptr<i64, ub>, i64 -> i64",
     .fix = "Use GM or 32 bits; leave the result of a pair unused."},
    {.id = E0469,
     .title = "signedness",
     .cause = "Integers whose order or value depends on their sign need 'signed' or 'unsigned'; floats "
              "take neither.",
     .example = "pto.redux_max %i : i32 -> i32",
     .fix = "Write signed or unsigned, or remove it."},
    {.id = E0471,
     .title = "launch size",
     .cause = "A launch has 1 to 2048 threads.",
     .example = "pto.store_vfsimt_info of 1, 64 and 64",
     .fix = "Launch several times."},
};

constexpr OpRule kSimtChecks[] = {
    {.name = "values",
     .check = values,
     .sees = Sees::types,
     .ids = {E0331},
     .words = "the values of one operation have one type"},
    {.name = "atomic",
     .check = simt_atomic,
     .sees = Sees::types,
     .ids = {E0411, E0468},
     .words = "the pointer is to gm or ub; elements and cache mode exist there"},
    {.name = "sign",
     .check = no_sign_of_floats,
     .ids = {E0469},
     .words = "signedness is given for integers only"},
    {.name = "needs_sign", .check = needs_sign, .ids = {E0469}, .words = "signedness is given for integers"},
    {.name = "shuffle_width",
     .check = shuffle_width,
     .ids = {E0313},
     .words = "the width is a power of two up to 32"},
    {.name = "simt_dims",
     .check = simt_dims,
     .ids = {E0471},
     .words = "dimensions are positive, together at most 2048 threads"},
    {.name = "simt_convert",
     .check = simt_convert,
     .ids = {E0466, E0467, E0469},
     .words = "the pair of types has this conversion, rounding and saturation"},
};

}  // namespace

RuleFamily simt_rules() { return {.rules = kSimtRules, .checks = kSimtChecks}; }

}  // namespace pto::legality
