// Copies between memories: element widths, pad values, fractal loads, captures of strict scopes (E0331,
// E0362, E0568 to E0572).
#include <array>

#include "ir/regions.hpp"
#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

/// Copies move bytes: both sides have elements of one width.
void same_width(Checker& check, const OpView& op, std::string_view) {
  const Named source = find_named(op, "source");
  const Named destination = find_named(op, "destination");
  if (!source.present() || !destination.present()) return;
  const Elem from = source.type(op).elem;
  const Elem to = destination.type(op).elem;
  if (bit_width(from) == bit_width(to)) return;
  Diagnostic& built =
      check.fail(E0568, op, destination.type_part(), destination.index,
                 fmt::format("{} copies elements unchanged: {} has {}, {} has {}", op.mnemonic(),
                             value_name(op.program(), source.value), to_string(from),
                             value_name(op.program(), destination.value), to_string(to)),
                 "use elements of one width");
  note_definition(check, built, destination);
}

/// All named operands have the element type of the first.
void same_elements(Checker& check, const OpView& op, std::string_view names) {
  all_same_elements(op, names, [&](const Named& first, const Named& named) {
    Diagnostic& built = check.fail(
        E0331, op, named.type_part(), named.index,
        fmt::format("{} needs one element type: '{}' has {}, '{}' has {}", op.mnemonic(), first.name,
                    to_string(first.type(op).elem), named.name, to_string(named.type(op).elem)),
        Fix::use(to_string(first.type(op).elem)));
    note_definition(check, built, first);
  });
}

/// Padding writes whole elements of 8, 16 or 32 bits.
void pad_type(Checker& check, const OpView& op, std::string_view name) {
  static constexpr std::array kAllowed = {Elem::i8, Elem::i16, Elem::i32, Elem::f16, Elem::bf16, Elem::f32};
  const Named value = find_named(op, name);
  if (!value.present()) return;
  for (const Elem elem : kAllowed) {
    if (value.type(op).kind == TypeKind::scalar && value.type(op).elem == elem) return;
  }
  Diagnostic& built =
      check.fail(E0569, op, value.type_part(), value.index,
                 fmt::format("the pad value '{}' of {} is {}", name, op.mnemonic(), describe(value.type(op))),
                 Fix::use_one_of({"i8", "i16", "i32", "f16", "bf16", "f32"}));
  note_definition(check, built, value);
}

/// Constants that count or step are not negative.
void not_negative(Checker& check, const OpView& op, std::string_view names) {
  for (const std::string_view name : split(names, ',')) {
    const Named named = find_named(op, name);
    if (!named.present()) continue;
    const std::optional<int64_t> value = check.constant(named.value);
    if (!value || *value >= 0) continue;
    check.fail(E0362, op, Anchor::Part::operand, named.index,
               fmt::format("{} of {} is {}", name, op.mnemonic(), *value), Fix::use("0", " or more"));
  }
}

void fractal_load(Checker& check, const OpView& op, std::string_view) {
  const Named groups = find_named(op, "group_count");
  const Named small = find_named(op, "smallc0_en");
  const Named columns = find_named(op, "d_value");
  if (check.constant(groups.value) == 0) {
    check.fail(E0570, op, Anchor::Part::operand, groups.index,
               fmt::format("group_count of {} is 0", op.mnemonic()), "load at least one group");
  }
  const std::optional<int64_t> d = check.constant(columns.value);
  if (check.constant(small.value).value_or(0) == 0 || !d || *d <= 4) return;
  check.fail(E0570, op, Anchor::Part::operand, columns.index,
             fmt::format("{} with smallc0_en loads {} columns, at most 4 are possible", op.mnemonic(), *d),
             "use 4 columns or fewer, or turn smallc0_en off");
}

/// The region of a strict scope has an argument for every captured value.
void captures(Checker& check, const OpView& op, std::string_view) {
  const Region& body = body_of(op);
  const std::span<const ValueId> given = op.operands(0);
  if (body.n_args != given.size()) {
    check.fail(E0571, op,
               fmt::format("{} captures {} values, its region has {} arguments", op.mnemonic(), given.size(),
                           body.n_args),
               "name one argument per captured value");
    return;
  }
  for (unsigned i = 0; i < given.size(); ++i) {
    const Type& argument = op.program().type_of(body.first_arg + i);
    if (argument == op.program().type_of(given[i])) continue;
    check.fail(E0571, op, Anchor::Part::operand, i,
               fmt::format("argument {} of the region is {}, {} is {}",
                           value_name(op.program(), body.first_arg + i), describe(argument),
                           value_name(op.program(), given[i]), describe(op.program().type_of(given[i]))),
               "give both one type");
  }
}

/// pto.vecscope sees the values around it, so its region takes none.
void no_arguments(Checker& check, const OpView& op, std::string_view) {
  const Region& body = body_of(op);
  if (body.n_args == 0) return;
  check.fail(E0571, op,
             fmt::format("the region of {} has {} arguments, it takes none", op.mnemonic(), body.n_args),
             "use pto.strict_vecscope to pass values in");
}

constexpr Rule kDmaRules[] = {
    {.id = E0568,
     .title = "width of copied elements",
     .cause = "Copies between memories do not convert: source and destination have elements of one width.",
     .example = "pto.mte_gm_ub from f16 to f32",
     .fix = "Cast a pointer with pto.castptr, or convert in registers."},
    {.id = E0569,
     .title = "type of the pad value",
     .cause = "Padding writes elements of 8, 16 or 32 bits: i8, i16, i32, f16, bf16, f32.",
     .example = "pto.set_mov_pad_val %x : i64",
     .fix = "Use a value of one of these types."},
    {.id = E0570,
     .title = "fractal load",
     .cause = "A fractal load has at least one group; smallc0_en is for at most 4 columns.",
     .example = "pto.mte_gm_l1_frac with a group_count of 0",
     .fix = "Correct the constant."},
    {.id = E0571,
     .title = "captures of a strict scope",
     .cause = "The region of pto.strict_vecscope has one argument per captured value, of its type.",
     .example = "pto.strict_vecscope(%p, %i) with one argument",
     .fix = "Name an argument for every captured value."},
};

constexpr OpRule kDmaChecks[] = {
    {.name = "same_width",
     .check = same_width,
     .sees = Sees::types,
     .ids = {E0568},
     .words = "both sides have elements of one width"},
    {.name = "pad_type",
     .check = pad_type,
     .sees = Sees::types,
     .ids = {E0569},
     .words = "$ is i8, i16, i32, f16, bf16 or f32"},
    {.name = "not_negative", .check = not_negative, .ids = {E0362}, .words = "constants are not negative: $"},
    {.name = "fractal_load",
     .check = fractal_load,
     .ids = {E0570},
     .words = "at least one group; at most 4 columns with smallc0_en"},
    {.name = "same_elements",
     .check = same_elements,
     .sees = Sees::types,
     .ids = {E0331},
     .words = "one element type: $"},
    {.name = "captures",
     .check = captures,
     .ids = {E0571},
     .words = "the region has an argument per captured value"},
    {.name = "no_arguments", .check = no_arguments, .ids = {E0571}, .words = "the region takes no arguments"},
};

}  // namespace

RuleFamily dma_rules() { return {.rules = kDmaRules, .checks = kDmaChecks}; }

}  // namespace pto::legality
