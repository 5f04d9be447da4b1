// Logical vectors and masks: lanes, element types, groups, conversions, rearrangement (E0580 to E0588).
// Over 500 lines: one list of the checks of logical vectors.
#include <algorithm>

#include "isa/cmp_predicate.hpp"
#include "support/saturating.hpp"
#include "support/strings.hpp"
#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

bool logical(const Type& type) { return type.kind == TypeKind::vmi_vreg || type.kind == TypeKind::vmi_mask; }

Diagnostic& vmi_fail_at(Checker& check, FindingId id, const OpView& op, const Named& named,
                        std::string message, Fix help = {}) {
  Diagnostic& built = check.fail(id, op, named.type_part(), named.index, std::move(message), std::move(help));
  note_definition(check, built, named);
  return built;
}

bool agree_in_placement(const Type& a, const Type& b) { return a.text.empty() == b.text.empty(); }

/// All named values, or all logical ones, have as many lanes as the first; all or none have a layout, unless
/// the instruction gives its result another one.
void lanes(Checker& check, const OpView& op, std::string_view names) {
  const bool converts = names == "converted";
  if (converts) names = {};
  const isa::Schema& schema = isa::schema(op.op().row);
  std::string all;
  if (names.empty()) {
    for (const isa::OperandSpec& spec : schema.operands) all += std::string(spec.name) + ',';
    for (const isa::OperandSpec& spec : schema.results) all += std::string(spec.name) + ',';
    names = all;
  }
  Named first;
  for (const std::string_view name : split(names, ',')) {
    const Named named = find_named(op, name);
    if (!named.present() || !logical(named.type(op))) continue;
    if (!first.present()) first = named;
    if (named.type(op).dims[0] == first.type(op).dims[0] &&
        (converts || agree_in_placement(named.type(op), first.type(op))))
      continue;
    vmi_fail_at(check, E0582, op, named,
                fmt::format("{}: {}, {}; lanes differ, or one of them has a layout", op.mnemonic(),
                            role_is(op, first), role_is(op, named)),
                "give all of them as many lanes, and a layout to all or to none");
  }
}

/// masks=vector: as many lanes, and wide enough for the elements unless the width is left open.
void mask(Checker& check, const OpView& op, std::string_view argument) {
  const auto [masks, of] = split_pair(argument);
  const Named data = find_named(op, of);
  if (!data.present() || data.type(op).kind != TypeKind::vmi_vreg) return;
  const Type& type = data.type(op);
  for (const std::string_view name : split(masks, ',')) {
    const Named named = find_named(op, name);
    if (!named.present() || named.type(op).kind != TypeKind::vmi_mask) continue;
    const Type& found = named.type(op);
    if (found.dims[0] != type.dims[0]) {
      vmi_fail_at(check, E0582, op, named,
                  fmt::format("{}: {}, {}", op.mnemonic(), role_is(op, data), role_is(op, named)),
                  fmt::format("use a mask of {} lanes", type.dims[0]));
    } else if (found.elem != Elem::i1 && bit_width(found.elem) != bit_width(type.elem)) {
      vmi_fail_at(check, E0583, op, named,
                  fmt::format("{}: {}, but {} with elements of {} bits", op.mnemonic(), role_is(op, named),
                              role_is(op, data), bit_width(type.elem)),
                  Fix::use(fmt::format("!pto.vmi.mask<{}xpred>", type.dims[0]),
                           fmt::format(" or b{}", bit_width(type.elem))));
    } else if (found.text != type.text) {
      vmi_fail_at(check, E0582, op, named,
                  fmt::format("{}: {}, {}; a mask lies as its data", op.mnemonic(), role_is(op, data),
                              role_is(op, named)),
                  "give both one layout, or none");
    }
  }
}

/// attr=vector: the number of groups divides the lanes.
void groups(Checker& check, const OpView& op, std::string_view argument) {
  const auto [attr, of] = split_pair(argument);
  const Named data = find_named(op, of);
  if (op.attr(attr) == nullptr || !data.present()) return;
  const int64_t count = op.attr_int(attr);
  const int64_t total = data.type(op).dims[0];
  if (count > 0 && total % count == 0) return;
  fail_attr(check, E0584, op, attr,
            fmt::format("{} in {} groups: {} has {} lanes", op.mnemonic(), count, of, total),
            "the number of groups is positive and divides the lanes");
}

/// attr=vector: one lane per group.
void slots(Checker& check, const OpView& op, std::string_view argument) {
  const auto [attr, of] = split_pair(argument);
  const Named data = find_named(op, of);
  if (op.attr(attr) == nullptr || !data.present() || op.attr_int(attr) == data.type(op).dims[0]) return;
  vmi_fail_at(check, E0584, op, data,
              fmt::format("{} in {} groups: {}", op.mnemonic(), op.attr_int(attr), role_is(op, data)),
              "it has one lane per group");
}

void group_mask(Checker& check, const OpView& op, std::string_view) {
  const int64_t count = op.attr_int("num_groups");
  const int64_t size = op.attr_int("group_size");
  const int64_t total = op.result_type(0).dims[0];
  if (count > 0 && size > 0 && total % count == 0 && total / count == size) return;
  fail_attr(
      check, E0584, op, "num_groups",
      fmt::format("{}: {} groups of {} lanes in {}", op.mnemonic(), count, size, describe(op.result_type(0))),
      "num_groups times group_size is the number of lanes");
}

/// scalar=vector: the scalar has the vector's element type.
void scalar(Checker& check, const OpView& op, std::string_view argument) {
  const auto [name, of] = split_pair(argument);
  const Named named = find_named(op, name);
  const Named data = find_named(op, of);
  if (!named.present() || !data.present() || named.type(op).elem == data.type(op).elem) return;
  vmi_fail_at(check, E0585, op, named,
              fmt::format("{}: {}, {}", op.mnemonic(), role_is(op, named), role_is(op, data)),
              Fix::use(to_string(data.type(op).elem)));
}

/// A scalar, a vector of one lane, or one lane per group.
void broadcast(Checker& check, const OpView& op, std::string_view) {
  const Named value = find_named(op, "value");
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  const bool grouped = op.attr("group") != nullptr;
  const int64_t wanted = grouped ? op.attr_int("group") : 1;
  if (grouped && from.kind != TypeKind::vmi_vreg) {
    vmi_fail_at(check, E0584, op, value,
                fmt::format("{} with 'group' takes a vector; {}", op.mnemonic(), role_is(op, value)),
                "remove 'group', or pass a vector of one lane per group");
  } else if (from.kind == TypeKind::vmi_vreg && from.dims[0] != wanted) {
    vmi_fail_at(check, E0584, op, value,
                fmt::format("{}: {}, it must have {}", op.mnemonic(), role_is(op, value),
                            wanted == 1 ? "one lane" : fmt::format("{} lanes", wanted)),
                "a vector is broadcast from one lane, or from one lane per group");
  } else if (grouped && (wanted <= 0 || to.dims[0] % wanted != 0)) {
    groups(check, op, "group=result");
  } else if (from.elem != to.elem) {
    scalar(check, op, "value=result");
  }
}

/// One lane, or one per group; sums of floats say that their order is free.
void reduce(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  const std::string_view attr = op.attr("group") != nullptr        ? "group"
                                : op.attr("num_groups") != nullptr ? "num_groups"
                                                                   : "";
  const int64_t wanted = attr.empty() ? 1 : op.attr_int(attr);
  const int free = isa::schema(op.op().row).attr_index("reassoc");
  if (!attr.empty() && (wanted <= 0 || from.dims[0] % wanted != 0)) {
    fail_attr(check, E0584, op, attr,
              fmt::format("{} in {} groups: source has {} lanes", op.mnemonic(), wanted, from.dims[0]),
              "the number of groups is positive and divides the lanes");
  } else if (to.dims[0] != wanted) {
    vmi_fail_at(check, E0584, op, find_named(op, "result"),
                fmt::format("{}: {}, it must have {}", op.mnemonic(), role_is(op, find_named(op, "result")),
                            wanted == 1 ? "one lane" : fmt::format("{} lanes", wanted)),
                "a reduction leaves one lane, or one per group");
  } else if (from.elem != to.elem) {
    scalar(check, op, "result=source");
  } else if (free >= 0 && is_float(from.elem) && op.attr("reassoc") == nullptr) {
    check.fail(E0586, op, fmt::format("{} of {} adds in any order", op.mnemonic(), to_string(from.elem)),
               Fix::write("{reassoc}"));
  }
}

/// Masks are combined without a mask and a mode.
void logic(Checker& check, const OpView& op, std::string_view) {
  const isa::Schema& schema = isa::schema(op.op().row);
  const Named first = find_named(op, schema.operands[0].name);
  const Named given = find_named(op, "mask");
  if (first.type(op).kind == TypeKind::vmi_mask) {
    if (given.present())
      vmi_fail_at(check, E0586, op, given, fmt::format("{} of masks takes no mask", op.mnemonic()),
                  Fix::remove("remove it"));
    else if (op.attr("pmode") != nullptr)
      fail_attr(check, E0586, op, "pmode", fmt::format("{} of masks takes no pmode", op.mnemonic()),
                Fix::remove("remove it"));
  } else if (!is_integer(first.type(op).elem)) {
    vmi_fail_at(check, E0331, op, first,
                fmt::format("{} does not take {}: {}", op.mnemonic(), to_string(first.type(op).elem),
                            role_is(op, first)),
                "use an integer of 8, 16 or 32 bits, or pto.vmi.vinterpret_cast");
  }
}

/// `oeq` and its like speak of floats.
void compare(Checker& check, const OpView& op, std::string_view) {
  const Type& type = op.type(0);
  if (is_float(type.elem) || !isa::vmi_comparison(op.attr_int("cmp")).ordered) return;
  fail_attr(check, E0585, op, "cmp",
            fmt::format("{} on {}: ordered comparisons are of floats", op.mnemonic(), to_string(type.elem)),
            Fix::use_one_of({"eq", "ne", "lt", "le", "gt", "ge"}, "; the sign is that of the element type"));
}

void vmi_product(Checker& check, const OpView& op, std::string_view) {
  const Type& type = op.type(0);
  const int64_t n = type.dims[0];
  if (n != 64 && n != 128 && n != 256)
    vmi_fail_at(check, E0582, op, find_named(op, "a"),
                fmt::format("{} has 64, 128 or 256 lanes, not {}", op.mnemonic(), n));
  else if (op.attr("pmode") != nullptr && op.attr_int("pmode") == 0)
    fail_attr(check, E0586, op, "pmode", fmt::format("{} has no pmode \"merge\"", op.mnemonic()),
              Fix::write("\"zero\"", ", or leave it out"));
}

void vmi_histogram(Checker& check, const OpView& op, std::string_view) {
  const int64_t n = op.type(0).dims[0];
  if (n == 128 || n == 256) return;
  vmi_fail_at(check, E0582, op, find_named(op, "acc"),
              fmt::format("{} counts 128 or 256 values, not {}", op.mnemonic(), n));
}

/// low and high hold the lanes of lhs and rhs.
void pair(Checker& check, const OpView& op, std::string_view names) {
  lanes(check, op, names);
  all_same_elements(op, names, [&](const Named& first, const Named& named) {
    vmi_fail_at(check, E0585, op, named,
                fmt::format("{}: {}, {}", op.mnemonic(), role_is(op, first), role_is(op, named)),
                Fix::use(to_string(first.type(op).elem)));
  });
}

void signless_result(Checker& check, const OpView& op, std::string_view name) {
  const Named named = find_named(op, name);
  if (named.type(op).elem == signless(named.type(op).elem)) return;
  vmi_fail_at(check, E0585, op, named,
              fmt::format("{}: {} has a sign in its type", op.mnemonic(), role_is(op, named)),
              Fix::use(fmt::format("{}", to_string(signless(named.type(op).elem)))));
}

/// Indices are integers as wide as what they choose from.
void vmi_indices(Checker& check, const OpView& op, std::string_view argument) {
  const auto [name, of] = split_pair(argument);
  const Named named = find_named(op, name);
  const Named data = find_named(op, of);
  const Type& type = named.type(op);
  if (is_integer(type.elem) && bit_width(type.elem) == bit_width(data.type(op).elem)) return;
  vmi_fail_at(check, E0585, op, named,
              fmt::format("{}: {}, {}", op.mnemonic(), role_is(op, named), role_is(op, data)),
              fmt::format("use integers of {} bits", bit_width(data.type(op).elem)));
}

/// The same number of bits in all.
void bits(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  const auto total = [](const Type& type) { return sat_mul<int64_t>(type.dims[0], bit_width(type.elem)); };
  if (total(from) == total(to) && agree_in_placement(from, to) && from.elem != Elem::index) return;
  vmi_fail_at(check, E0582, op, find_named(op, "result"),
              fmt::format("{} makes {} of {}", op.mnemonic(), describe(to), describe(from)),
              "both hold as many bits, and both or none have a layout");
}

void shuffle(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  const AttrValue* value = op.attr("indices");
  if (value == nullptr) return;
  if (from.elem != to.elem) return scalar(check, op, "result=source");
  if (int64_t{value->array.count} != to.dims[0]) {
    fail_attr(
        check, E0582, op, "indices",
        fmt::format("{} has {} indices, the result {} lanes", op.mnemonic(), value->array.count, to.dims[0]),
        "one index per lane of the result");
    return;
  }
  for (uint32_t i = 0; i < value->array.count; ++i) {
    const int64_t index = op.program().ints[value->array.first + i];
    if (index >= 0 && index < from.dims[0]) continue;
    fail_attr(check, E0582, op, "indices",
              fmt::format("index {} of {}: the source has {} lanes", index, op.mnemonic(), from.dims[0]),
              "indices count from 0");
    return;
  }
}

/// One vector and the channels it consists of.
void vector_channels(Checker& check, const OpView& op, std::string_view) {
  std::vector<const Type*> parts;
  const bool split = op.op().n_results != 1;
  if (split) {
    for (unsigned i = 0; i < op.op().n_results; ++i) parts.push_back(&op.result_type(i));
  } else {
    for (const ValueId value : op.operands(0)) parts.push_back(&op.program().type_of(value));
  }
  const Type& whole = split ? op.type(0) : op.result_type(0);
  const auto fail = [&](std::string message) {
    check.fail(E0582, op, fmt::format("{}: {}", op.mnemonic(), message),
               "the channels are two or more, of one type, and hold all lanes");
  };
  if (parts.size() < 2) return fail("one channel");
  for (const Type* part : parts) {
    if (*part != *parts[0])
      return fail(fmt::format("channels are {} and {}", describe(*parts[0]), describe(*part)));
  }
  if (parts[0]->elem != whole.elem ||
      sat_mul(parts[0]->dims[0], static_cast<int64_t>(parts.size())) != whole.dims[0] ||
      !agree_in_placement(*parts[0], whole))
    fail(fmt::format("{} channels of {} and {}", parts.size(), describe(*parts[0]), describe(whole)));
}

void placed(Checker& check, const OpView& op, std::string_view names) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  if (from.elem != to.elem) {
    vmi_fail_at(check, E0585, op, find_named(op, "result"),
                fmt::format("{} makes {} of {}", op.mnemonic(), describe(to), describe(from)),
                "only the layout changes");
    return;
  }
  for (const std::string_view name : split(names, ',')) {
    const Named named = find_named(op, name);
    if (named.type(op).text.empty())
      vmi_fail_at(check, E0582, op, named,
                  fmt::format("{}: {} has no layout", op.mnemonic(), role_is(op, named)),
                  "both sides have a layout");
  }
}

/// The text of a constant: `dense<..> : tensor<64xf32>`.
void vmi_constant(Checker& check, const OpView& op, std::string_view) {
  const AttrValue* value = op.attr("value");
  const Type& type = op.result_type(0);
  const std::string elem = type.kind == TypeKind::vmi_mask ? "i1" : std::string(to_string(type.elem));
  const std::string wanted = fmt::format("<{}x{}>", type.dims[0], elem);
  const std::string_view text =
      value != nullptr && value->kind == AttrValue::Kind::raw ? op.program().strings[value->text] : "";
  std::string found(value != nullptr && value->type != kNoType ? to_string(op.program().types[value->type])
                                                               : "");
  if (found.empty() && text.rfind(" : ") != text.npos) found = text.substr(text.rfind(" : ") + 3);
  if (text.starts_with("dense<") && found.ends_with(wanted)) return;
  fail_attr(check, E0588, op, "value",
            fmt::format("{}: the value is no constant for {}", op.mnemonic(), describe(type)),
            fmt::format("write dense<..> : tensor{}", wanted));
}

/// PAT_ALL, PAT_VL<n>.
void pattern(Checker& check, const OpView& op, std::string_view) {
  const AttrValue* value = op.attr("pattern");
  if (value == nullptr) return;
  const std::string_view text = op.program().strings[value->text];
  const bool all = op.mnemonic().ends_with("pset");
  const Type& type = op.result_type(0);
  bool fits = all ? text == "PAT_ALL" : text.starts_with("PAT_VL");
  if (fits && !all) {
    const std::string_view digits = text.substr(6);
    int64_t n = 0;
    for (const char c : digits)
      fits = fits && c >= '0' && c <= '9' && (n = std::min<int64_t>(n * 10 + c - '0', 1 << 30)) >= 0;
    fits = fits && n > 0 && n <= type.dims[0];
  }
  if (!fits)
    fail_attr(check, E0587, op, "pattern",
              fmt::format("{}: pattern \"{}\" of {}", op.mnemonic(), text, describe(type)),
              all ? Fix::write("\"PAT_ALL\"")
                  : fmt::format("write \"PAT_VL<n>\" with n from 1 to {}", type.dims[0]));
  else if (type.elem != Elem::i1 && type.text.empty())
    vmi_fail_at(check, E0583, op, find_named(op, "result"),
                fmt::format("{}: {} has a width and no layout", op.mnemonic(), describe(type)),
                Fix::use(fmt::format("!pto.vmi.mask<{}xpred>", type.dims[0])));
}

/// Logical vectors are values of VMI operations, calls and control flow: nothing else turns them into one
/// another.
void no_logical(Checker& check, const OpView& op, std::string_view) {
  if (!logical(op.type(0)) && !logical(op.result_type(0))) return;
  check.fail(E0598, op, Anchor::Part::operand, 0,
             fmt::format("{} of {}: logical vectors are for VMI operations", op.mnemonic(),
                         describe(logical(op.type(0)) ? op.type(0) : op.result_type(0))),
             Fix::use("pto.vmi.vinterpret_cast"));
}

constexpr Rule kVmiRules[] = {
    {.id = E0580,
     .title = "no logical vector",
     .cause = "A logical vector or mask has a positive number of lanes; its elements have 8, 16 or 32 bits.",
     .example = "!pto.vmi.vreg<64xi64>",
     .fix = "Write as many lanes as the computation has, of an element type that logical vectors hold."},
    {.id = E0581,
     .title = "no layout of a logical vector",
     .cause = "#pto.vmi.layout is contiguous, deinterleaved = 2 or 4, block_deinterleaved = 2 or 4, or "
              "num_groups = n.",
     .example = "#pto.vmi.layout<deinterleaved = 3>",
     .fix = "Leave the layout out: the compiler chooses it."},
    {.id = E0582,
     .title = "lanes of logical vectors",
     .cause = "The vectors and masks of one operation have as many lanes, and a layout all or none.",
     .example = "pto.vmi.vadd of 64 and 128 lanes",
     .fix = "Use values of one number of lanes."},
    {.id = E0583,
     .title = "width of a logical mask",
     .cause = "A mask that states the width of its data states another one.",
     .example = "!pto.vmi.mask<64xb16> for !pto.vmi.vreg<64xf32>",
     .fix = "Use pred, which fits every width."},
    {.id = E0584,
     .title = "groups of lanes",
     .cause = "The number of groups divides the lanes; a vector with one lane per group has as many lanes as "
              "groups.",
     .example = "group = 6 on 64 lanes",
     .fix = "Choose a number of groups that divides the lanes."},
    {.id = E0585,
     .title = "element types of logical vectors",
     .cause = "Scalars, indices and results have the element type that the vectors ask for.",
     .example = "pto.vmi.vadds of 64 lanes of f32 and a scalar of f16",
     .fix = "Convert the scalar or the vector."},
    {.id = E0586,
     .title = "not with this logical operation",
     .cause =
         "A mask, a mode or an order that the operation on logical vectors cannot have, or does not state.",
     .example = "pto.vmi.vcadd on f32 without {reassoc}",
     .fix = "Follow the message."},
    {.id = E0587,
     .title = "pattern of a logical mask",
     .cause = "pto.vmi.pset takes PAT_ALL, pto.vmi.pge takes PAT_VL<n> with n from 1 to the lanes.",
     .example = "pto.vmi.pge \"PAT_VL100\" : !pto.vmi.mask<64xpred>",
     .fix = "Use pto.vmi.create_mask for other masks."},
    {.id = E0588,
     .title = "constant of a logical vector",
     .cause = "The value is dense<..> of a tensor with the result's lanes and element type; i1 for masks.",
     .example = "dense<0.0> : tensor<32xf32> for 64 lanes",
     .fix = "State the tensor of the result."},
    {.id = E0598,
     .title = "logical vector outside of VMI",
     .cause = "Logical vectors and masks are types of values of VMI operations, calls and control flow. "
              "Attributes do not hold them, and no cast of another dialect makes one of another.",
     .example = "module attributes {pto.note = !pto.vmi.vreg<128xf32>}",
     .fix = "Remove the attribute; pto.vmi.vinterpret_cast reads bits under another type."},
};

constexpr OpRule kVmiChecks[] = {
    {.name = "vmi_lanes", .check = lanes, .ids = {E0582}, .words = "as many lanes in all logical values"},
    {.name = "vmi_mask", .check = mask, .ids = {E0582, E0583}, .words = "$: one lane per lane of `@`"},
    {.name = "vmi_groups", .check = groups, .ids = {E0584}, .words = "$ divides the lanes of `@`"},
    {.name = "vmi_slots", .check = slots, .ids = {E0584}, .words = "`@` has $ lanes"},
    {.name = "vmi_group_mask",
     .check = group_mask,
     .ids = {E0584},
     .words = "num_groups times group_size lanes"},
    {.name = "vmi_scalar", .check = scalar, .ids = {E0585}, .words = "$ has the element type of `@`"},
    {.name = "vmi_broadcast",
     .check = broadcast,
     .ids = {E0584, E0585},
     .words = "a scalar, one lane, or one lane per group"},
    {.name = "vmi_reduce",
     .check = reduce,
     .ids = {E0584, E0585, E0586},
     .words = "the result has one lane, or one per group; sums of floats are `reassoc`"},
    {.name = "vmi_logic",
     .check = logic,
     .ids = {E0331, E0586},
     .words = "integers, or masks without mask and pmode"},
    {.name = "vmi_compare", .check = compare, .ids = {E0585}, .words = "ordered predicates on floats only"},
    {.name = "vmi_product",
     .check = vmi_product,
     .ids = {E0582, E0586},
     .words = "64, 128 or 256 lanes, pmode zero"},
    {.name = "vmi_histogram", .check = vmi_histogram, .ids = {E0582}, .words = "128 or 256 counts"},
    {.name = "vmi_pair",
     .check = pair,
     .ids = {E0582, E0585},
     .words = "$ have as many lanes of one element type"},
    {.name = "no_logical",
     .check = no_logical,
     .sees = Sees::types,
     .ids = {E0598},
     .words = "makes no logical vector of another"},
    {.name = "vmi_signless", .check = signless_result, .ids = {E0585}, .words = "no sign in the type of $"},
    {.name = "vmi_indices", .check = vmi_indices, .ids = {E0585}, .words = "$: integers as wide as `@`"},
    {.name = "vmi_bits", .check = bits, .ids = {E0582}, .words = "as many bits"},
    {.name = "vmi_shuffle",
     .check = shuffle,
     .ids = {E0582, E0585},
     .words = "one index per lane of the result, each of a lane of the source"},
    {.name = "vmi_channels",
     .check = vector_channels,
     .ids = {E0582},
     .words = "two or more channels of one type hold all lanes"},
    {.name = "vmi_placed", .check = placed, .ids = {E0582, E0585}, .words = "$ have a layout"},
    {.name = "vmi_constant",
     .check = vmi_constant,
     .ids = {E0588},
     .words = "a dense constant of the result's lanes"},
    {.name = "vmi_pattern",
     .check = pattern,
     .ids = {E0583, E0587},
     .words = "a pattern of the result's lanes"},
};

}  // namespace

RuleFamily vmi_rules() { return {.rules = kVmiRules, .checks = kVmiChecks}; }

}  // namespace pto::legality
