// Clauses of the accumulator stores mte_l0c_gm, mte_l0c_l1 and mte_l0c_ub (E0417, E0418).
#include <fmt/format.h>

#include <array>

#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

bool present(const OpView& op, std::string_view operand) {
  const int slot = slot_of(op, operand);
  return slot >= 0 && op.operand(static_cast<unsigned>(slot)) != kNoValue;
}
const Type& type_of(const OpView& op, std::string_view operand) {
  return op.type(static_cast<unsigned>(slot_of(op, operand)));
}
std::optional<int64_t> constant(Checker& check, const OpView& op, std::string_view operand) {
  return present(op, operand) ? check.constant(op.operand(static_cast<unsigned>(slot_of(op, operand))))
                              : std::nullopt;
}
/// The keyword of an enumerant attribute, "" when absent.
std::string_view keyword(const OpView& op, std::string_view attr) {
  const AttrValue* value = op.attr(attr);
  if (value == nullptr) return {};
  const isa::Schema& schema = isa::schema(op.op().row);
  return isa::case_name(*schema.attrs[static_cast<size_t>(schema.attr_index(attr))].domain, value->integer);
}
/// At the operand or attribute of this name.
void fail_at(Checker& check, const OpView& op, FindingId id, std::string_view where, std::string message,
             Fix help) {
  const int attr = isa::schema(op.op().row).attr_index(where);
  if (attr >= 0) {
    check.fail(id, op, Anchor::Part::attribute, static_cast<unsigned>(attr), std::move(message),
               std::move(help));
    return;
  }
  const Named named = find_named(op, where);
  Diagnostic& built =
      check.fail(id, op, Anchor::Part::operand, named.index, std::move(message), std::move(help));
  note_definition(check, built, named);
}
void bad_clause(Checker& check, const OpView& op, std::string_view where, std::string message, Fix help) {
  fail_at(check, op, E0418, where, std::move(message), std::move(help));
}
void bad_group(Checker& check, const OpView& op, std::string_view where, std::string message, Fix help) {
  fail_at(check, op, E0417, where, std::move(message), std::move(help));
}

bool float_payload(const Type& type) {
  return type.kind == TypeKind::scalar &&
         (type.elem == Elem::f16 || type.elem == Elem::bf16 || type.elem == Elem::f32);
}
bool vector_payload(const Type& type) {
  return type.kind == TypeKind::ptr && type.space == Space::fb &&
         (type.elem == Elem::f16 || type.elem == Elem::bf16 || type.elem == Elem::f32);
}

/// What a quantisation mode converts.
struct Conversion {
  std::string_view stem;  ///< mode without _vec, _scalar, _pre..
  Elem from;
  std::array<Elem, 3> to;
};
constexpr Conversion kConversions[] = {
    {"f32_f16", Elem::f32, {Elem::f16}},    {"f32_bf16", Elem::f32, {Elem::bf16}},
    {"qf322hif8", Elem::f32, {Elem::hif8}}, {"qf322fp8", Elem::f32, {Elem::f8e4m3, Elem::f8e5m2}},
    {"qf322f32", Elem::f32, {Elem::f32}},   {"qf322b8", Elem::f32, {Elem::i8}},
    {"qf322s4", Elem::f32, {Elem::i4}},     {"qf322f16", Elem::f32, {Elem::f16}},
    {"qf322bf16", Elem::f32, {Elem::bf16}}, {"req8", Elem::i32, {Elem::i8}},
    {"req4", Elem::i32, {Elem::i4}},        {"deqf16", Elem::i32, {Elem::f16}},
    {"deqs16", Elem::i32, {Elem::i16}},     {"qs322bf16", Elem::i32, {Elem::bf16}},
};

void quant_types(Checker& check, const OpView& op, std::string_view mode) {
  const Elem from = type_of(op, "source").elem;
  const Elem to = type_of(op, "destination").elem;
  if (signless(from) != Elem::f32 && from != Elem::i32) {
    return bad_clause(
        check, op, "pre_quant_mode",
        fmt::format("pre_quant of {} converts f32 and i32, the source is {}", op.mnemonic(), to_string(from)),
        Fix::remove("drop pre_quant"));
  }
  for (const Conversion& conversion : kConversions) {
    if (!mode.starts_with(conversion.stem)) continue;
    bool fits = signless(from) == conversion.from;
    bool target = false;
    for (const Elem elem : conversion.to) target |= elem != Elem::none && elem == signless(to);
    fits &= target;
    if (!fits) {
      bad_clause(
          check, op, "pre_quant_mode",
          fmt::format("pre_quant mode {} does not convert {} to {}", mode, to_string(from), to_string(to)),
          fmt::format("it converts {} to {}", to_string(conversion.from), to_string(conversion.to[0])));
    }
    return;
  }
}

/// Modes without a payload only name the conversion.
bool needs_payload(std::string_view mode) { return mode.ends_with("_vec") || mode.ends_with("_scalar"); }

void pre_quant(Checker& check, const OpView& op) {
  const std::string_view mode = keyword(op, "pre_quant_mode");
  const bool payload = present(op, "pre_quant");
  if (mode.empty() && !payload) return;
  if (mode.empty() || (needs_payload(mode) && !payload)) {
    return bad_group(check, op, mode.empty() ? "pre_quant" : "pre_quant_mode",
                     fmt::format("pre_quant of {} needs a payload and a mode", op.mnemonic()),
                     "write pre_quant(%payload, mode = ..)");
  }
  const bool vector = mode.ends_with("_vec");
  if (payload && mode != "no_convert" &&
      !(vector ? vector_payload(type_of(op, "pre_quant")) : float_payload(type_of(op, "pre_quant")))) {
    return bad_group(
        check, op, "pre_quant",
        fmt::format("pre_quant mode {} takes {}, got {}", mode,
                    vector ? "a pointer to f16, bf16 or f32 in fb" : "an f16, bf16 or f32 scalar",
                    describe(type_of(op, "pre_quant"))),
        vector ? Fix::use_a("!pto.ptr<f32, fb>") : "use the _vec form for a pointer");
  }
  quant_types(check, op, mode);
}

void pre_relu(Checker& check, const OpView& op) {
  const std::string_view mode = keyword(op, "pre_relu_mode");
  const bool payload = present(op, "pre_relu");
  const auto got = [&] {
    return payload ? fmt::format(", got {}", describe(type_of(op, "pre_relu"))) : std::string();
  };
  if (mode.empty()) {
    if (payload || present(op, "clip_value")) {
      bad_group(check, op, payload ? "pre_relu" : "clip_value",
                fmt::format("pre_relu of {} needs a mode", op.mnemonic()),
                Fix::write("pre_relu(mode = normal_relu)"));
    }
    return;
  }
  const std::string_view where = payload ? "pre_relu" : "pre_relu_mode";
  if (mode == "scalar_relu" && !(payload && float_payload(type_of(op, "pre_relu")))) {
    bad_group(check, op, where, "scalar_relu needs an f16, bf16 or f32 payload" + got(),
              Fix::write("pre_relu(%alpha, mode = scalar_relu)"));
  } else if (mode == "vector_relu" && !(payload && vector_payload(type_of(op, "pre_relu")))) {
    bad_group(check, op, where, "vector_relu needs a pointer to f16, bf16 or f32 in fb" + got(),
              Fix::write("pre_relu(%table, mode = vector_relu)"));
  } else if ((mode == "no_relu" || mode == "normal_relu") && payload) {
    bad_group(check, op, "pre_relu", fmt::format("pre_relu mode {} takes no payload", mode),
              Fix::remove("drop the payload"));
  } else if (mode == "pwl") {
    bad_clause(check, op, "pre_relu_mode", fmt::format("{} has no pwl relu", op.mnemonic()),
               Fix::use_one_of({"normal_relu", "scalar_relu", "vector_relu"}));
  }
}

void clip(Checker& check, const OpView& op) {
  if (!present(op, "clip_value")) return;
  const Elem to = type_of(op, "destination").elem;
  const Elem payload = type_of(op, "clip_value").elem;
  const Elem plain = signless(to);
  if (to == Elem::f16   ? payload == Elem::f16
      : to == Elem::ui8 ? payload == Elem::i16 || payload == Elem::ui16
                        : !is_unsigned(payload) && is_integer(payload)) {
    if (to == Elem::f16 || plain == Elem::i4 || plain == Elem::i8 || plain == Elem::i16) return;
  }
  bad_clause(
      check, op, "clip_value",
      fmt::format("clip of {} to {} takes no {} value", op.mnemonic(), to_string(to), to_string(payload)),
      "clip works on f16 (f16 value), ui8 (i16 value) and signed 4 to 16 bit destinations");
}

/// Layout clauses and what belongs to each.
void layout(Checker& check, const OpView& op) {
  const std::string_view mode = keyword(op, "mode");
  const bool loop0 = present(op, "loop0_src_stride");
  const bool split = present(op, "split");
  const bool loop3 = present(op, "loop3_count");
  if (mode == "nz2dn" && !loop0)
    bad_clause(check, op, "mode", "nz2dn needs its source stride", Fix::write("nz2dn(%stride)"));
  if (mode != "nz2dn" && loop0)
    bad_clause(check, op, "loop0_src_stride", "a loop0 source stride belongs to nz2dn",
               Fix::write("nz2dn(%stride)"));
  if (mode != "nz2nz" && split)
    bad_clause(check, op, "split", "a split belongs to nz2nz", Fix::write("nz2nz(%split)"));
  if ((mode == "nz2nz" || mode.empty()) && loop3)
    bad_clause(check, op, "loop3_count", "loop3 belongs to nz2nd and nz2dn", Fix::remove("drop loop3"));
  const Elem to = type_of(op, "destination").elem;
  if (mode == "nz2nz" && to != Elem::f32) {
    bad_clause(check, op, "mode",
               fmt::format("nz2nz splits channels of f32, the destination of {} is {}", op.mnemonic(),
                           to_string(to)),
               "leave the layout clause out to keep fractals");
  }
  const std::optional<int64_t> stride = constant(check, op, "loop0_src_stride");
  const bool unit_flag = op.attr("unit_flag") != nullptr && op.attr_int("unit_flag") != 0;
  if (unit_flag && loop0 && stride.value_or(0) != 1) {
    bad_clause(check, op, "unit_flag",
               stride ? fmt::format("unit_flag with an nz2dn stride of {}", *stride)
                      : "unit_flag with an nz2dn stride that is not a constant",
               "use stride 1, or drop unit_flag");
  }
  const int loops =
      present(op, "loop3_count") + present(op, "loop3_src_stride") + present(op, "loop3_dst_stride");
  if (loops != 0 && loops != 3) {
    check.fail(E0417, op, fmt::format("loop3 of {} is incomplete", op.mnemonic()),
               Fix::write("loop3(%count, %src_stride, %dst_stride)"));
  }
}

void atomic(Checker& check, const OpView& op, bool possible) {
  const bool type = op.attr("atomic_type") != nullptr;
  const bool operation = op.attr("atomic_op") != nullptr;
  if (type != operation) {
    bad_group(check, op, type ? "atomic_type" : "atomic_op",
              fmt::format("atomic of {} needs a type and an operation", op.mnemonic()),
              Fix::write("atomic(type = f32, op = add)"));
  }
  if ((type || operation) && !possible) {
    bad_clause(check, op, type ? "atomic_type" : "atomic_op",
               fmt::format("{} has no atomic form", op.mnemonic()), "only mte_l0c_gm has one");
  }
}

/// What keeps a copy to both vector cores from being a plain one; "" when nothing does.
std::string_view transform(const OpView& op) {
  for (const std::string_view name : {"pre_quant_mode", "pre_relu_mode"}) {
    if (op.attr(name) != nullptr) return name;
  }
  for (const std::string_view name : {"clip_value", "loop3_count"}) {
    if (present(op, name)) return name;
  }
  const std::string_view layout = keyword(op, "mode");
  return layout == "nz2dn" || layout == "nz2nz" ? "mode" : std::string_view{};
}

/// Halves for both vector cores: even extents, plain copies only.
void dual_destination(Checker& check, const OpView& op) {
  const std::string_view mode = keyword(op, "dst_mode");
  if (mode.empty()) return;
  const bool dual = mode != "single";
  if (dual == present(op, "sub_blockid")) {
    return bad_group(check, op, "dst_mode",
                     dual ? fmt::format("dst_mode({}) takes no core index", mode)
                          : std::string("dst_mode needs the index of the vector core"),
                     Fix::write_one_of({"dst_mode(%core)", "dst_mode(split_m)", "dst_mode(split_n)"}));
  }
  const std::optional<int64_t> core = constant(check, op, "sub_blockid");
  if (core && (*core < 0 || *core > 1)) {
    bad_clause(check, op, "sub_blockid",
               fmt::format("dst_mode names vector core {}, a cluster has 0 and 1", *core),
               Fix::use_one_of({"0", "1"}));
  }
  if (!dual) return;
  if (const std::string_view what = transform(op); !what.empty()) {
    bad_clause(
        check, op, what,
        fmt::format("dst_mode({}) copies only: no pre_quant, pre_relu, clip, nz2dn, nz2nz, loop3", mode),
        "convert in a second step, or store to one core");
  }
  const std::string_view extent = mode == "split_m" ? "m" : "n";
  const std::optional<int64_t> value = constant(check, op, extent);
  const int64_t unit = mode == "split_m" ? 2 : 32;
  if (value && *value % unit != 0) {
    bad_clause(check, op, extent, fmt::format("dst_mode({}) with {} = {}", mode, extent, *value),
               fmt::format("{} must be a multiple of {}", extent, unit));
  }
}

void fixpipe(Checker& check, const OpView& op, std::string_view forms) {
  pre_quant(check, op);
  pre_relu(check, op);
  clip(check, op);
  layout(check, op);
  atomic(check, op, forms == "atomic");
  dual_destination(check, op);
}

constexpr Rule kFixpipeRules[] = {
    {.id = E0417,
     .title = "clause group",
     .cause = "A clause lacks one of its operands, or its payload is of the wrong kind.",
     .example = "pto.mte_l0c_gm .. pre_quant(%ptr, mode = qf322f16_pre_scalar)",
     .fix = "Complete the clause."},
    {.id = E0418,
     .title = "fixpipe clause",
     .cause = "A clause of an accumulator store does not go with its types or with another clause.",
     .example = "pto.mte_l0c_gm .. nz2dn without a stride",
     .fix = "Follow the message."},
};

constexpr OpRule kFixpipeChecks[] = {
    {.name = "fixpipe",
     .check = fixpipe,
     .ids = {E0417, E0418},
     .words = "clauses go with the element types and with each other"},
};

}  // namespace

RuleFamily fixpipe_rules() { return {.rules = kFixpipeRules, .checks = kFixpipeChecks}; }

}  // namespace pto::legality
