// Over 500 lines: the tables of one compiler and the checks that read them.
// Forms without a lowering in the public compiler (E0579): layouts that fit no row of its tables, vectors of
// more or fewer registers than an instruction takes, strides of groups. Facts: PTOAS
// lib/PTO/Transforms/VMILayoutSupport.cpp (tables), VMIToVPTO.cpp and VMILayoutAssignment.cpp (conditions),
// lib/PTO/IR/VMI.cpp (verifiers). A vector without a layout is judged only where no choice of the compiler
// helps.
#include "verify/rules/vmi_placement.hpp"

#include <algorithm>
#include <charconv>

#include "isa/lane_layout.hpp"
#include "support/saturating.hpp"
#include "support/strings.hpp"
#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

constexpr int64_t kRegisterBytes = 256, kBlockBytes = 32;

bool is_logical(const Type& type) {
  return type.kind == TypeKind::vmi_vreg || type.kind == TypeKind::vmi_mask;
}
bool is_placed(const Type& type) { return is_logical(type) && !type.text.empty(); }
int64_t laid_out_bytes(const Type& type) { return std::max<int64_t>(byte_width(type.elem), 1); }
int64_t lanes_per_register(const Type& type) { return kRegisterBytes / laid_out_bytes(type); }
uint64_t registers_of(const Type& type) { return isa::LanePlaces(type).registers(); }

/// The number behind `key = ` at a word's beginning; 0 where it is not there.
int64_t entry(std::string_view layout, std::string_view key) {
  for (size_t at = layout.find(key); at != layout.npos; at = layout.find(key, at + 1)) {
    std::string_view rest = layout.substr(at + key.size());
    if (at == 0 || (layout[at - 1] != '<' && layout[at - 1] != ' ') || !rest.starts_with(" = ")) continue;
    rest.remove_prefix(3);
    int64_t value = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), value);
    return value;
  }
  return 0;
}

/// A layout in short: c (contiguous), ls2 (with a lane stride of 2), d2 (deinterleaved), bd4 (in blocks), gs8
/// (groups, 8 slots), gs8/2 (with a lane stride). Nothing where none is stated.
std::string short_layout(const Type& type) {
  if (!is_placed(type)) return {};
  const int64_t stride = entry(type.text, "lane_stride");
  const std::string behind = stride > 1 ? fmt::format("/{}", stride) : std::string();
  if (entry(type.text, "num_groups") != 0) return fmt::format("gs{}{}", entry(type.text, "slots"), behind);
  if (const int64_t parts = entry(type.text, "block_deinterleaved"); parts != 0)
    return fmt::format("bd{}", parts);
  if (const int64_t parts = entry(type.text, "deinterleaved"); parts != 0)
    return fmt::format("d{}{}", parts, behind);
  return stride > 1 ? fmt::format("ls{}", stride) : "c";
}
bool is_contiguous(const Type& type) { return !is_placed(type) || short_layout(type) == "c"; }

void refuse(Checker& check, const OpView& op, const Named& named, std::string_view why, Fix help) {
  Diagnostic& built =
      check.fail(E0579, op, named.type_part(), named.index,
                 fmt::format("{}: {}; {}", op.mnemonic(), role_is(op, named), why), std::move(help));
  note_definition(check, built, named);
}

/// A row of a table: lane counts (0: any) of elements of some widths, from one layout to another.
struct Step {
  std::string_view bits;     ///< "16 32"
  std::string_view lanes;    ///< "128 256", or "" for any number
  std::string_view layouts;  ///< "c>d2 d2>c"
};

bool lists(std::string_view list, std::string_view word) {
  bool found = false;
  for_each_part(list, ' ', [&](std::string_view part) { return !(found = found || part == word); });
  return found;
}

bool has_step(std::span<const Step> table, const Type& from, const Type& to) {
  const std::string step = short_layout(from) + '>' + short_layout(to);
  const std::string bits = fmt::format("{}", bit_width(from.elem));
  const std::string lanes = fmt::format("{}", from.dims[0]);
  return std::ranges::any_of(table, [&](const Step& row) {
    return lists(row.bits, bits) && (row.lanes.empty() || lists(row.lanes, lanes)) &&
           lists(row.layouts, step);
  });
}

constexpr Step kDataSteps[] = {
    {"8 16 32", "1", "c>gs1 gs1>c"},     {"16", "256", "c>d2 d2>c"},
    {"32", "128 256", "c>d2 d2>c"},      {"32", "256", "c>d4 d4>c"},
    {"32", "256 512", "d2>d4 d4>d2"},    {"8 16 32", "", "c>ls2 ls2>c"},
    {"8 16", "", "gs8>gs8/2 gs8/2>gs8"}, {"8", "", "c>ls4 ls4>c gs8>gs8/4 gs8/4>gs8 gs8/2>gs8/4 gs8/4>gs8/2"},
};
constexpr Step kMaskSteps[] = {
    {"16", "256", "c>d2 d2>c"},
    {"32", "128 256 512", "c>d2 d2>c"},
    {"32", "128", "c>bd2 bd2>c"},
    {"32", "256", "c>d4 d4>c c>bd4 bd4>c"},
    {"8", "1 2 4 8 64 128", "c>ls2 ls2>c"},
    {"16 32", "1 2 4 8 64", "c>ls2 ls2>c"},
    {"8", "1 2 4 8 64", "c>ls4 ls4>c"},
    {"16 32", "1 2 4 8", "c>ls4 ls4>c"},
};

/// ensure_layout and ensure_mask_layout.
void change_of_layout(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  if (!is_placed(from) || !is_placed(to) || from.text == to.text) return;
  const bool mask = from.kind == TypeKind::vmi_mask;
  // Out of the contiguous layout what makes the vector can give it the other one at once.
  const std::string wanted = short_layout(to);
  if (short_layout(from) == "c" && (wanted.starts_with('d') || wanted.starts_with("bd"))) return;
  if (has_step(mask ? std::span<const Step>(kMaskSteps) : kDataSteps, from, to)) return;
  refuse(check, op, find_named(op, "result"), fmt::format("no instructions bring {} there", describe(from)),
         "change between contiguous and deinterleaved vectors of whole registers only");
}

/// Layouts of a conversion by the widths of source and result.
struct Widths {
  std::string_view bits, layouts;
};
constexpr Widths kVmiPlacementConversions[] = {
    {"8>16", "c>d2 ls2>c d2>d4 gs1>gs1 gs2>gs2 gs4>gs4 gs8>gs8 gs8/2>gs8"},
    {"16>32", "c>d2 ls2>c d2>d4 gs1>gs1 gs2>gs2 gs4>gs4 gs8>gs8 gs8/2>gs8"},
    {"16>8", "c>c d2>c c>ls2 d4>d2 gs1>gs1 gs8>gs8/2"},
    {"32>16", "c>c d2>c c>ls2 d4>d2 gs1>gs1 gs8>gs8/2"},
    {"8>32", "c>d4 ls2>d2 ls4>c gs1>gs1 gs2>gs2 gs4>gs4 gs8>gs8 gs8/4>gs8"},
    {"32>8", "c>c d4>c c>ls4 d2>ls2 gs1>gs1 gs8>gs8/4"},
};

void layout_conversion(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  if (!is_placed(from) || !is_placed(to)) return;
  const std::string bits = fmt::format("{}>{}", bit_width(from.elem), bit_width(to.elem));
  if (bits == "32>8" && from.elem == Elem::i32 && to.elem == Elem::i8)
    return refuse(check, op, find_named(op, "result"), "integers of 32 bits become unsigned bytes only",
                  Fix::use(to_string(Elem::ui8)));
  const auto row = std::ranges::find(kVmiPlacementConversions, bits, &Widths::bits);
  if (row == std::end(kVmiPlacementConversions) ||
      lists(row->layouts, short_layout(from) + '>' + short_layout(to)))
    return;
  refuse(check, op, find_named(op, "result"),
         fmt::format("the conversion of {} does not put it there", describe(from)),
         fmt::format("layouts of source and result from {} bits: {}", bits, row->layouts));
}

/// Another width of the elements keeps the bits in place only when both lie one behind the other.
void reinterpretation(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  if (!is_placed(from) || bit_width(from.elem) == bit_width(to.elem)) return;
  if (short_layout(from) == "c" && short_layout(to) == "c") return;
  refuse(check, op, find_named(op, "source"), "with elements of another width both are contiguous",
         "bring the vector into the contiguous layout first");
}

/// As many registers as the vector's layout takes.
void registers(Checker& check, const OpView& op, std::string_view name) {
  const Named whole = find_named(op, name);
  const Type& type = whole.type(op);
  if (!is_logical(type) || type.elem == Elem::i1) return;
  const size_t given = op.op().n_results == 1 && name == "result" ? op.operands(0).size() : op.op().n_results;
  const uint64_t needed = registers_of(type);
  if (needed == given) return;
  refuse(check, op, whole, fmt::format("it lies in {} registers, not {}", needed, given),
         "name every register");
}

void channel_layouts(Checker& check, const OpView& op, std::string_view name) {
  const Named whole = find_named(op, name);
  if (!whole.present()) return;
  const bool split = !whole.result;
  std::vector<const Type*> parts;
  if (split)
    for (unsigned i = 0; i < op.op().n_results; ++i) parts.push_back(&op.result_type(i));
  else
    for (const ValueId value : op.operands(0)) parts.push_back(&op.program().type_of(value));
  if (parts.size() != 2 && parts.size() != 4)
    return refuse(check, op, whole, fmt::format("{} channels", parts.size()), "there are 2 or 4 channels");
  const Type& type = whole.type(op);
  if (!is_placed(type)) return;
  const std::string layout = short_layout(type);
  if (layout != "c" && layout != fmt::format("d{}", parts.size()))
    return refuse(check, op, whole, fmt::format("it is contiguous or deinterleaved = {}", parts.size()),
                  "give it one of these layouts");
  uint64_t sum = 0;
  for (const Type* part : parts) {
    if (short_layout(*part) != "c")
      return refuse(check, op, whole, "its channels are contiguous", "give the channels that layout");
    sum += registers_of(*part);
  }
  if (sum != registers_of(type))
    refuse(check, op, whole,
           fmt::format("its channels lie in {} registers, it in {}", sum, registers_of(type)),
           "use channels of whole registers");
}

/// One register, in order: of 64, 128 or 256 lanes for a choice by index.
void choice(Checker& check, const OpView& op, std::string_view names) {
  for (const std::string_view name : split(names, ',')) {
    const Named named = find_named(op, name);
    const Type& type = named.type(op);
    const int64_t n = type.dims[0];
    if (!is_placed(type)) continue;  // this tool's own lowering chooses out of several registers
    if ((n == 64 || n == 128 || n == 256) && n <= lanes_per_register(type) && is_contiguous(type)) continue;
    return refuse(check, op, named, "it is one contiguous register of 64, 128 or 256 lanes",
                  "split the vector, or choose within one register");
  }
}

/// Exactly one register: nothing carries from one to the next, and lanes behind the last would take part.
void one_register(Checker& check, const OpView& op, std::string_view name) {
  const Named named = find_named(op, name);
  const Type& type = named.type(op);
  if (!is_placed(type)) return;  // this tool's own lowering carries from one register to the next
  if (is_contiguous(type) && type.dims[0] == lanes_per_register(type)) return;
  refuse(check, op, named, fmt::format("it is one contiguous register of {} lanes", lanes_per_register(type)),
         "work on whole registers one by one");
}

/// Whole registers in order, where the layout is stated; wide: of 32-bit elements.
void whole_registers(Checker& check, const OpView& op, std::string_view argument) {
  const auto [name, width] = split_pair(argument);
  const Named named = find_named(op, name);
  const Type& type = named.type(op);
  if (!is_placed(type) || op.attr("group") != nullptr) return;
  if (!width.empty() && is_integer(type.elem) && bit_width(type.elem) == 16) return;  // by 16-bit offsets
  if (!width.empty() && bit_width(type.elem) != 32)
    return refuse(check, op, named, "its elements have 32 bits", "convert them before");
  if (short_layout(type) == "c" && type.dims[0] % lanes_per_register(type) == 0) return;
  refuse(check, op, named, "it consists of whole registers, one behind the other",
         "use a contiguous vector of whole registers");
}

/// Sums of integers are of 32 bits.
void sum(Checker& check, const OpView& op, std::string_view name) {
  const Named named = find_named(op, name);
  const Type& type = named.type(op);
  if (!is_placed(type) || op.attr("group") != nullptr || !is_integer(type.elem) || bit_width(type.elem) == 32)
    return;
  refuse(check, op, named, "integers are added in 32 bits", "convert them before");
}

/// Layouts of a product of both halves.
void not_in_blocks(Checker& check, const OpView& op, std::string_view name) {
  const Named named = find_named(op, name);
  const std::string layout = short_layout(named.type(op));
  if (layout.empty() || layout == "c" || layout == "d2" || layout == "d4") return;
  refuse(check, op, named, "it is contiguous or deinterleaved, without a lane stride",
         "give it such a layout");
}

// ---- groups

/// Lanes of one group; 0 where they do not divide.
int64_t lanes_per_group(const Type& type, int64_t groups) {
  return groups > 0 && type.dims[0] % groups == 0 ? type.dims[0] / groups : 0;
}

int64_t groups_of(const OpView& op) {
  return op.attr("group") != nullptr        ? op.attr_int("group")
         : op.attr("num_groups") != nullptr ? op.attr_int("num_groups")
                                            : 0;
}

/// Source and result of a reduction by groups of so many bytes.
struct GroupRow {
  int64_t bytes;
  std::string_view layouts;
};
constexpr GroupRow kGroupReductions[] = {
    {8, "ls4>gs8"}, {16, "ls2>gs8"}, {32, "c>gs8"}, {64, "d2>gs8 bd2>gs8"}, {128, "d4>gs8 bd4>gs8"},
};

void group_reduction(Checker& check, const OpView& op, std::string_view) {
  const int64_t groups = groups_of(op);
  const Named source = find_named(op, "source");
  const Type& from = source.type(op);
  const Type& to = op.result_type(0);
  const int64_t bytes = sat_mul(lanes_per_group(from, groups), laid_out_bytes(from));
  if (bytes == 0) return;
  const bool full = bytes % kRegisterBytes == 0;
  const auto row = std::ranges::find(kGroupReductions, bytes, &GroupRow::bytes);
  if (!full && row == std::end(kGroupReductions))
    return refuse(check, op, source, fmt::format("a group has {} bytes", bytes),
                  "groups have 8, 16, 32, 64 or 128 bytes, or whole registers");
  if (!is_placed(from) || !is_placed(to)) return;
  const std::string step = short_layout(from) + '>' + short_layout(to);
  if (full ? step == "c>gs1" || step == "d2>gs1" || step == "d4>gs1" : lists(row->layouts, step)) return;
  refuse(check, op, find_named(op, "result"), fmt::format("{} is not reduced to it", describe(from)),
         full ? "layouts: contiguous or deinterleaved to slots = 1"
              : fmt::format("layouts of source and result: {}", row->layouts));
}

/// A value per group, in slots that the instruction knows.
void group_slots(Checker& check, const OpView& op, std::string_view name) {
  const Named named = find_named(op, name);
  if (!named.present() || !is_placed(named.type(op))) return;
  const std::string_view layout = named.type(op).text;
  if (entry(layout, "num_groups") == 0) return;
  const int64_t slots = entry(layout, "slots");
  if (slots == 1 || slots == 8) return;
  refuse(check, op, named, "slots are 1 or 8", "state slots = 8, or slots = 1 for groups of whole registers");
}

/// Groups of two or four blocks of 32-bit elements lie one behind the other, or whole blocks apart.
void group_load(Checker& check, const OpView& op, std::string_view) {
  const Type& type = op.result_type(0);
  const int64_t lanes = lanes_per_group(type, groups_of(op));
  const Named result = find_named(op, "result");
  const Named stride = find_named(op, "stride");
  const std::string layout = short_layout(type);
  const int64_t bytes = sat_mul(lanes, laid_out_bytes(type));
  if (layout.starts_with("bd") && bytes != kBlockBytes * entry(type.text, "block_deinterleaved"))
    return refuse(check, op, result, fmt::format("a group has {} bytes", bytes),
                  "a group has as many blocks of 32 bytes as the layout has parts");
  const bool spread =
      op.attr("dist_mode") != nullptr && op.attr_int("dist_mode") != 0;  // one element per group
  if (bit_width(type.elem) != 32 || (bytes != 64 && bytes != 128) || !stride.present() || spread) return;
  const Number step = check.constant(stride.value);
  if (step && *step > 0 && (*step == lanes || *step % (kBlockBytes / laid_out_bytes(type)) == 0)) return;
  check.fail(
      E0579, op, Anchor::Part::operand, stride.index,
      fmt::format("{}: groups of {} bytes, {} apart", op.mnemonic(), bytes,
                  step ? fmt::format("{} elements", *step) : "an unknown number of elements"),
      fmt::format("write a constant stride, a multiple of {} elements", kBlockBytes / laid_out_bytes(type)));
}

/// Values of groups from or to memory: one behind the other, or a block of 32 bytes apart.
void slot_stride(Checker& check, const OpView& op, std::string_view argument) {
  const auto [name, data] = split_pair(argument);
  const Named stride = find_named(op, name);
  const Named value = find_named(op, data);
  if (!stride.present() || !value.present() || groups_of(op) == 0) return;
  const Type& type = value.type(op);
  const int64_t slots = entry(type.text, "slots");
  const int64_t groups = entry(type.text, "num_groups");
  if (groups == 0 && (is_placed(type) || type.dims[0] != groups_of(op))) return;  // rows of lanes
  if (groups != 0 && groups != groups_of(op))
    return refuse(check, op, value, fmt::format("{} groups are named", groups_of(op)),
                  "name as many as the layout");
  group_slots(check, op, data);
  if (groups != 0 && slots != 1 && slots != 8) return;
  const bool store = op.op().n_results == 0;
  if (store && slots != 8) return;  // one by one
  const Number step = check.constant(stride.value);
  const bool packed = step && *step == 1;
  const bool apart = step && *step > 0 && *step % (kBlockBytes / laid_out_bytes(type)) == 0;
  if (packed ? slots != 1 || groups == 1 : apart && slots != 8) return;
  check.fail(
      E0579, op, Anchor::Part::operand, stride.index,
      fmt::format("{}: the values of the groups are {} apart", op.mnemonic(),
                  step ? fmt::format("{} elements", *step) : "an unknown number of elements"),
      fmt::format(
          "write a constant: 1 for values in 8 slots, a multiple of {} for values in slots of their own",
          kBlockBytes / laid_out_bytes(type)));
}

/// Values that are spread over parts come from places that are known.
void known_stride(Checker& check, const OpView& op, std::string_view argument) {
  const auto [name, data] = split_pair(argument);
  const Named stride = find_named(op, name);
  if (is_contiguous(find_named(op, data).type(op)) || check.constant(stride.value)) return;
  check.fail(
      E0579, op, Anchor::Part::operand, stride.index,
      fmt::format("{}: the values of the groups are an unknown number of elements apart", op.mnemonic()),
      "write a constant stride");
}

/// The stride of a store of blocks fits its field of 16 bits.
void block_stride(Checker& check, const OpView& op, std::string_view argument) {
  const auto [name, data] = split_pair(argument);
  const Named stride = find_named(op, name);
  const Type& type = find_named(op, data).type(op);
  const Number step = check.constant(stride.value);
  const int64_t lanes = lanes_per_group(type, groups_of(op));
  if (!step || sat_mul(lanes, laid_out_bytes(type)) != kBlockBytes) return;
  if (sat_mul(*step, laid_out_bytes(type)) / kBlockBytes <= 0xffff) return;
  check.fail(E0579, op, Anchor::Part::operand, stride.index,
             fmt::format("{}: {} blocks of 32 bytes from one group to the next", op.mnemonic(),
                         sat_mul(*step, laid_out_bytes(type)) / kBlockBytes),
             "the field of the instruction holds 65535 blocks");
}

/// A store writes contiguous or deinterleaved values whose parts take as many registers each.
void stored(Checker& check, const OpView& op, std::string_view name) {
  const Named named = find_named(op, name);
  const Type& type = named.type(op);
  if (!is_placed(type) || groups_of(op) != 0) return;
  if (type.text.find("block_deinterleaved") != type.text.npos)
    return refuse(check, op, named, "a store takes no layout in blocks",
                  "bring it into the contiguous layout first");
  const int64_t parts = std::max<int64_t>(entry(type.text, "deinterleaved"), 1);
  const int64_t per = lanes_per_register(type);
  const auto registers_for = [&](int64_t lanes) { return (lanes + per - 1) / per; };
  if (registers_for((type.dims[0] + parts - 1) / parts) == registers_for(type.dims[0] / parts)) return;
  refuse(check, op, named, "its parts take unequal numbers of registers",
         "use a number of lanes that the parts share");
}

/// Memory that an access walks element by element, and a window whose place is not known.
void plain_memory(Checker& check, const OpView& op, std::string_view name) {
  const Named named = find_named(op, name);
  if (!named.present()) return;
  const Type& type = check.written_type(named.value);
  if (type.kind != TypeKind::memref || type.text.find("strided<") == type.text.npos) return;
  check.fail(E0579, op, named.type_part(), named.index,
             fmt::format("{}: '{}' is {}", op.mnemonic(), name, describe(type)),
             "access the memref itself, or a pointer; strides and windows are not followed");
}

/// A load by mask into more than one register is one without a mask.
void expanded(Checker& check, const OpView& op, std::string_view) {
  const Type& type = op.result_type(0);
  if (!is_placed(type) || registers_of(type) == 1) return;
  const Named mask = find_named(op, "mask");
  const Named offset = find_named(op, "offset");
  const uint32_t defining_op = check.definition(mask.value);
  Number active;
  if (defining_op != kNoOp) {
    const OpView built(op.program(), defining_op);
    if (isa::schema(built.op().row).operands.size() == 1 && built.operands(0).size() == 1)
      active = check.constant(built.operands(0).front());
  }
  const Number start = check.constant(offset.value);
  if (active && *active >= type.dims[0] && (!start || *start >= 0) &&
      type.dims[0] % lanes_per_register(type) == 0)
    return;
  refuse(check, op, find_named(op, "result"),
         "with several registers every lane is loaded, from the pointer on",
         "use one register, or a mask of all lanes and an offset that is not negative");
}

/// The values of a placed constant are all alike.
void splat(Checker& check, const OpView& op, std::string_view) {
  const AttrValue* value = op.attr("value");
  if (!is_placed(op.result_type(0)) || value == nullptr || value->kind != AttrValue::Kind::raw) return;
  std::string_view text = op.program().strings[value->text];
  const size_t open = text.find('[');
  const size_t close = text.find(']');
  if (!text.starts_with("dense<[") || close == text.npos) return;
  std::string_view first;
  const bool alike = for_each_part(text.substr(open + 1, close - open - 1), ',', [&](std::string_view item) {
    while (item.starts_with(' ')) item.remove_prefix(1);
    if (first.empty()) first = item;
    return item == first;
  });
  if (!alike)
    refuse(check, op, find_named(op, "result"), "its lanes have different values, which no instruction makes",
           "load them from memory");
}

/// A choice of lanes that instructions make: whole registers, one lane for all, or lanes in step within one
/// register.
void forwarded(Checker& check, const OpView& op, std::string_view) {
  const Type& from = op.type(0);
  const Type& to = op.result_type(0);
  const AttrValue* value = op.attr("indices");
  if (!is_placed(from) || value == nullptr || value->array.count == 0) return;
  const int64_t* index = &op.program().ints[value->array.first];
  const int64_t n = value->array.count;
  const int64_t per = lanes_per_register(from);
  bool same = true;
  bool chunks = true;
  bool steps = from.dims[0] <= per && n > 1;
  for (int64_t i = 0; i < n; ++i) {
    same = same && index[i] == 0;
    chunks = chunks && index[i] % per == i % per && index[i] / per == index[i - i % per] / per;
    steps = steps && (i < 2 || index[i] - index[i - 1] == index[1] - index[0]);
  }
  const bool step_of_one = n > 1 && (index[1] - index[0] == 1 || index[1] - index[0] == -1);
  if (same || chunks || (steps && step_of_one)) return;
  refuse(check, op, find_named(op, "result"),
         fmt::format("no instructions choose these lanes of {}", describe(to)),
         "choose whole registers, lane 0 for all lanes, or neighbours within one register");
}

/// No other unit knows where the lanes of a logical argument lie.
void declaration(Checker& check, const OpView& op, std::string_view) {
  const std::span<const Region> regions = op.program().regions_of(op.op());
  if (!regions.empty() && regions[0].begin != regions[0].end) return;
  bool found = false;
  for (uint32_t i = 0; !regions.empty() && i < regions[0].n_args; ++i)
    found = found || is_logical(op.program().type_of(regions[0].first_arg + i));
  const AttrValue* results = op.attr("function_results");
  if (results != nullptr && results->kind == AttrValue::Kind::raw)
    found = found || op.program().strings[results->text].find("!pto.vmi.") != std::string_view::npos;
  if (found)
    check.fail(E0579, op, "a function without a body has a logical vector in its type",
               "define it in this file: where the lanes lie is settled between a function and its callers");
}

constexpr Rule kVmiPlacementRules[] = {
    {.id = E0579,
     .title = "placement of a logical vector",
     .cause = "The instruction cannot be made for a vector of this layout, of so many registers or of groups "
              "so far "
              "apart. The tables are those of the public compiler.",
     .example = "pto.vmi.ensure_layout from deinterleaved = 4 to contiguous of 128 lanes of f32",
     .fix = "Omit layouts, so that the compiler chooses them, or follow the help text."},
};

constexpr OpRule kVmiPlacementChecks[] = {
    {.name = "vmi_change",
     .check = change_of_layout,
     .sees = Sees::types,
     .ids = {E0579},
     .words = "a change of layout that instructions make"},
    {.name = "vmi_conversion",
     .check = layout_conversion,
     .sees = Sees::types,
     .ids = {E0579},
     .words = "layouts of source and result that go with their widths"},
    {.name = "vmi_reinterpretation",
     .check = reinterpretation,
     .sees = Sees::types,
     .ids = {E0579},
     .words = "contiguous where the width changes"},
    {.name = "vmi_registers",
     .check = registers,
     .ids = {E0579},
     .words = "one register for each that $ lies in"},
    {.name = "vmi_channel_places",
     .check = channel_layouts,
     .ids = {E0579},
     .words = "2 or 4 channels of whole registers"},
    {.name = "vmi_choice",
     .check = choice,
     .sees = Sees::types,
     .ids = {E0579},
     .words = "one contiguous register of 64, 128 or 256 lanes: $"},
    {.name = "vmi_one_register",
     .check = one_register,
     .sees = Sees::types,
     .ids = {E0579},
     .words = "one contiguous register: $"},
    {.name = "vmi_whole_registers",
     .check = whole_registers,
     .ids = {E0579},
     .words = "whole registers one behind the other where a layout is stated: $"},
    {.name = "vmi_sum", .check = sum, .ids = {E0579}, .words = "placed integers of 32 bits: $"},
    {.name = "vmi_not_in_blocks",
     .check = not_in_blocks,
     .sees = Sees::types,
     .ids = {E0579},
     .words = "contiguous or deinterleaved: $"},
    {.name = "vmi_group_reduction",
     .check = group_reduction,
     .ids = {E0579},
     .words = "groups of 8, 16, 32, 64 or 128 bytes, or of whole registers"},
    {.name = "vmi_group_slots",
     .check = group_slots,
     .sees = Sees::types,
     .ids = {E0579},
     .words = "1 or 8 slots: $"},
    {.name = "vmi_group_load", .check = group_load, .ids = {E0579}, .words = "groups whole blocks apart"},
    {.name = "vmi_slot_stride",
     .check = slot_stride,
     .ids = {E0579},
     .words = "$ is a constant: 1, or whole blocks"},
    {.name = "vmi_known_stride",
     .check = known_stride,
     .ids = {E0579},
     .words = "$ is a constant where `@` is not contiguous"},
    {.name = "vmi_block_stride", .check = block_stride, .ids = {E0579}, .words = "$ of up to 65535 blocks"},
    {.name = "vmi_stored",
     .check = stored,
     .ids = {E0579},
     .words = "contiguous, or parts of as many registers each: $"},
    {.name = "vmi_plain_memory", .check = plain_memory, .ids = {E0579}, .words = "no memref with strides: $"},
    {.name = "vmi_expanded", .check = expanded, .ids = {E0579}, .words = "one register, or all lanes"},
    {.name = "vmi_splat", .check = splat, .ids = {E0579}, .words = "one value where a layout is stated"},
    {.name = "vmi_forwarded",
     .check = forwarded,
     .ids = {E0579},
     .words = "whole registers, one lane for all, or neighbours"},
    {.name = "vmi_declaration",
     .check = declaration,
     .ids = {E0579},
     .words = "a body where a type is a logical vector"},
};

}  // namespace

RuleFamily vmi_placement_rules() { return {.rules = kVmiPlacementRules, .checks = kVmiPlacementChecks}; }

}  // namespace pto::legality
