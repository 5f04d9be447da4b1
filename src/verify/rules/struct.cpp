// Structs, tiles of several slots, SIMT sections, fills and hints of August (E0592 to E0597).
#include <algorithm>

#include "ir/struct_members.hpp"
#include "isa/memory_spaces.hpp"
#include "isa/tile_defaults.hpp"
#include "pto/assembler.hpp"
#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

/// The path leads to a scalar of the value's type.
void struct_path(Checker& check, const OpView& op, std::string_view) {
  const AttrValue* path = op.attr("path");
  const Named value = find_named(op, "value");
  if (path == nullptr || !value.present()) return;
  const auto fail = [&](std::string message, Fix help) {
    check.fail(E0593, op, Anchor::Part::attribute, attr_index(op, "path"),
               fmt::format("{}: {}", op.mnemonic(), message), std::move(help));
  };
  std::string_view text = op.type(0).text;
  std::string_view member;
  for (uint32_t i = 0; i < path->array.count; ++i) {
    const int64_t index = op.program().ints[path->array.first + i];
    const std::vector<std::string_view> all = struct_members(text);
    if (index < 0 || index >= static_cast<int64_t>(all.size()))
      return fail(fmt::format("there is no member {} of {}", index, all.size()), "members count from 0");
    member = all[static_cast<size_t>(index)];
    const std::string_view nested = nested_struct(member);
    if (i + 1 < path->array.count && nested.empty())
      return fail(fmt::format("member {} is {}, no struct", index, member), "end the path here");
    if (!nested.empty()) text = nested;
  }
  if (path->array.count == 0 || !nested_struct(member).empty())
    return fail("the path leads to a struct", "name one of its members");
  if (member == describe(value.type(op))) return;
  check.fail(E0593, op, value.type_part(), value.index,
             fmt::format("{}: the member is {}, {}", op.mnemonic(), member, role_is(op, value)),
             Fix::use(member));
}

/// Extents are given where the type leaves them open, the address at level 3 and only there.
void multi_tile(Checker& check, const OpView& op, std::string_view) {
  const Type& type = op.result_type(0);
  if (is_float(type.elem) && (bit_width(type.elem) <= 8 || type.elem == Elem::bf16x2)) {
    check.fail(E0331, op, Anchor::Part::result_type, 0,
               fmt::format("{} makes no slots of {}", op.mnemonic(), to_string(type.elem)),
               "use one pto.alloc_tile for each slot");
    return;
  }
  for (unsigned axis = 0; axis < 2; ++axis) {
    const bool given = !op.operands(axis + 1).empty();
    const bool open = type.valid[axis] == kDynamic;
    if (given == open) continue;
    check.fail(
        E0592, op,
        fmt::format("{} {} {}, and the slots {}", op.mnemonic(), given ? "with" : "without",
                    axis == 0 ? "valid_row" : "valid_col", given ? "have a constant size" : "leave it open"),
        given ? Fix::remove("remove it, or write ? in the type")
              : "give it, or write an integer in the type");
    return;
  }
  const bool placed = !op.operands(0).empty();
  if (check.level() == Level::level3 && !placed)
    check.fail(E0592, op, fmt::format("{} at level 3 needs an address", op.mnemonic()),
               Fix::write("addr = %x"));
  else if (check.level() != Level::level3 && placed)
    check.fail(E0379, op, fmt::format("{} with an address below level 3", op.mnemonic()),
               "assemble with --level=level3, or remove it");
  const Number address = placed ? check.constant(op.operand(0)) : std::nullopt;
  const int64_t alignment = isa::tile_alignment(type.space);
  if (address && *address % alignment != 0)
    check.fail(E0378, op, Anchor::Part::operand, 0,
               fmt::format("the address {} of {} is not a multiple of {}, as addresses in {} are", *address,
                           value_name(op.program(), op.result(0)), alignment, tile_loc(type.space)),
               Fix::use(std::to_string(*address / alignment * alignment)));
}

/// The slot exists, and its type is the result's.
void multi_tile_slot(Checker& check, const OpView& op, std::string_view) {
  const Type slot = slot_type(op.type(0));
  const int64_t count = op.type(0).dims[2];
  if (op.result_type(0) != slot) {
    check.fail(
        E0592, op, Anchor::Part::result_type, 0,
        fmt::format("{} of {} makes no {}", op.mnemonic(), describe(op.type(0)), describe(op.result_type(0))),
        Fix::use(to_string(slot)));
    return;
  }
  const Number index = check.constant(op.operand(1));
  if (index && (*index < 0 || *index >= count))
    check.fail(E0592, op, Anchor::Part::operand, 1,
               fmt::format("{}: slot {} of {}", op.mnemonic(), *index, count), "slots count from 0");
}

/// 1 to 2048 threads.
void simt_section(Checker& check, const OpView& op, std::string_view) {
  int64_t threads = 1;
  for (const std::string_view name : {"dimX", "dimY", "dimZ"}) {
    const int64_t dim = op.attr_int(name);
    threads = dim <= 0 || dim > 2048 ? 0 : threads * dim;
  }
  if (threads >= 1 && threads <= 2048) return;
  check.fail(E0462, op, Anchor::Part::attribute, attr_index(op, "dimX"),
             fmt::format("{} with {} x {} x {} threads", op.mnemonic(), op.attr_int("dimX"),
                         op.attr_int("dimY"), op.attr_int("dimZ")),
             "the product is 1 to 2048");
}

/// Fields of the fill and of the cache hint that are known.
void value_in_range(Checker& check, const OpView& op, std::string_view name, int64_t most,
                    int64_t multiple = 1, int64_t least = 0) {
  const Named named = find_named(op, name);
  if (!named.present()) return;
  const Number value = check.constant(named.value);
  if (!value || (*value >= least && *value <= most && *value % multiple == 0)) return;
  check.fail(E0594, op, named.part(), named.index,
             fmt::format("'{}' of {} is {}", name, op.mnemonic(), *value),
             multiple > 1 ? fmt::format("a multiple of {} from 0", multiple)
                          : fmt::format("from {} to {}", least, most));
}
void fill_fields(Checker& check, const OpView& op, std::string_view) {
  for (const std::string_view name : {"repeat_times", "block_num_32b", "dst_gap_32b"})
    value_in_range(check, op, name, 32767);
  value_in_range(check, op, "byte_offset", int64_t{1} << 40, 32);
  const int64_t bits = op.attr_int("fill_word_bits");
  const Type& type = op.type(0);
  const bool other = op.mnemonic().ends_with("matrix") && type.kind == TypeKind::ptr &&
                     int64_t{bit_width(type.elem)} != bits;
  if ((bits == 16 || bits == 32) && !other) return;
  check.fail(
      E0594, op, Anchor::Part::attribute, attr_index(op, "fill_word_bits"),
      fmt::format("'fill_word_bits' of {} is {}, the pointer is {}", op.mnemonic(), bits, describe(type)),
      "16 or 32, as the elements have");
}
/// Positions, steps and strides of fractals as the instruction holds them.
void l0_fields(Checker& check, const OpView& op, std::string_view) {
  for (const std::string_view name : {"m_start", "k_start"}) value_in_range(check, op, name, 65535);
  for (const std::string_view name : {"m_step", "k_step"}) value_in_range(check, op, name, 255, 1, 1);
  for (const std::string_view name : {"src_stride", "dst_stride"})
    value_in_range(check, op, name, 65535, 1, 1);
}
/// The same of scales, which may stand still.
void scale_fields(Checker& check, const OpView& op, std::string_view) {
  for (const std::string_view name : {"x_start", "y_start", "x_start_position", "y_start_position", "x_step",
                                      "y_step", "src_stride", "dst_stride"})
    value_in_range(check, op, name, 65535);
}
/// A flag.
void transposed(Checker& check, const OpView& op, std::string_view) {
  value_in_range(check, op, "transpose", 1);
}

void l2_cache(Checker& check, const OpView& op, std::string_view) {
  value_in_range(check, op, "l2_cache_ctl", 15);
}
void repeat(Checker& check, const OpView& op, std::string_view) { value_in_range(check, op, "repeat", 255); }

/// The moved pointer comes with an increment, and the other way round.
void increment(Checker& check, const OpView& op, std::string_view) {
  const bool step = find_named(op, "increment").present();
  const bool moved = op.op().n_results == 3;
  if (step == moved) return;
  check.fail(
      E0595, op,
      fmt::format("{} with {} and without {}", op.mnemonic(), step ? "an increment" : "a moved pointer",
                  step ? "a moved pointer" : "an increment"),
      "write both, or none");
}

/// f32 times a scalar becomes f16, rounded away from zero.
void vmulscvt(Checker& check, const OpView& op, std::string_view) {
  const Named scalar = find_named(op, "scalar");
  const isa::EnumDomain* rounding = isa::find_enum("rnd");
  if (scalar.present() && scalar.type(op).elem != Elem::f32)
    check.fail(E0552, op, scalar.type_part(), scalar.index,
               fmt::format("{}: {}", op.mnemonic(), role_is(op, scalar)), Fix::use("f32"));
  else if (isa::case_name(*rounding, op.attr_int("rnd")) != "A")
    check.fail(E0595, op, Anchor::Part::attribute, attr_index(op, "rnd"),
               fmt::format("{} rounds \"A\" only", op.mnemonic()), Fix::write("\"A\""));
}

void quant_scale(Checker& check, const OpView& op, std::string_view) {
  if (op.type(0).elem == Elem::f32) return;
  check.fail(E0331, op, Anchor::Part::operand_type, 0,
             fmt::format("{}: the scale is {}", op.mnemonic(), describe(op.type(0))), Fix::use("f32"));
}

constexpr Rule kStructRules[] = {
    {.id = E0592,
     .title = "tile of several slots",
     .cause = "A multi_tile_buf has 2 to 16 slots of one tile type; open extents are given where it is "
              "allocated, its address at "
              "level 3; a slot is one of them and has their type.",
     .example = "pto.multi_tile_get %t[%c2] of a multi_tile_buf with count=2",
     .fix = "Name a slot from 0 to count - 1."},
    {.id = E0593,
     .title = "member of a struct",
     .cause = "The path names members from the outermost struct to a scalar, whose type the value has.",
     .example = "pto.struct_get %s[2] of a struct of two members",
     .fix = "Correct the path or the type."},
    {.id = E0594,
     .title = "field of a transfer",
     .cause = "A constant does not fit its field of the instruction.",
     .example = "repeat_times 40000 of pto.raw_fill_l1",
     .fix = "Use a value in the range that the message states."},
    {.id = E0595,
     .title = "form of a vector instruction",
     .cause =
         "An operand, result or rounding that the instruction has only together with another, or in one way.",
     .example = "pto.vldus with an increment and two results",
     .fix = "Follow the message."},
};

constexpr OpRule kStructChecks[] = {
    {.name = "struct_path",
     .check = struct_path,
     .ids = {E0593},
     .words = "the path leads to a scalar of the value's type"},
    {.name = "multi_tile",
     .check = multi_tile,
     .ids = {E0331, E0379, E0592},
     .words = "elements of 16 bits and more or integers; open extents are given; an address at level 3"},
    {.name = "multi_tile_slot", .check = multi_tile_slot, .ids = {E0592}, .words = "a slot and its type"},
    {.name = "simt_section", .check = simt_section, .ids = {E0462}, .words = "1 to 2048 threads"},
    {.name = "fill_fields",
     .check = fill_fields,
     .ids = {E0594},
     .words = "fields up to 32767, words of 16 or 32 bits"},
    {.name = "l0_fields",
     .check = l0_fields,
     .ids = {E0594},
     .words = "starts up to 65535, steps 1 to 255, strides 1 to 65535"},
    {.name = "scale_fields",
     .check = scale_fields,
     .ids = {E0594},
     .words = "starts, steps and strides up to 65535"},
    {.name = "transposed", .check = transposed, .ids = {E0594}, .words = "transpose is 0 or 1"},
    {.name = "l2_cache", .check = l2_cache, .ids = {E0594}, .words = "a hint from 0 to 15"},
    {.name = "repeat", .check = repeat, .ids = {E0594}, .words = "at most 255 repeats"},
    {.name = "increment",
     .check = increment,
     .ids = {E0595},
     .words = "an increment goes with a moved pointer"},
    {.name = "vmulscvt", .check = vmulscvt, .ids = {E0552, E0595}, .words = "a scalar of f32, rounded \"A\""},
    {.name = "quant_scale", .check = quant_scale, .ids = {E0331}, .words = "an f32 scale"},
};

}  // namespace

RuleFamily struct_rules() { return {.rules = kStructRules, .checks = kStructChecks}; }

}  // namespace pto::legality
