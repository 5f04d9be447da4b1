// Attributes and operands of the instructions of tile queues, one instruction at a time (E0394, E0481, E0482,
// E0487).
#include <fmt/format.h>

#include <algorithm>

#include "isa/memory_spaces.hpp"
#include "support/saturating.hpp"
#include "verify/named_operands.hpp"

namespace pto::legality {
namespace {

using Part = Anchor::Part;

constexpr std::string_view kInRange = "choose a value in this range";

void positive(Checker& check, const OpView& op, std::string_view attr, int64_t low, std::string_view what) {
  const AttrValue* value = op.attr(attr);
  if (value == nullptr || value->integer >= low) return;
  check.fail(E0394, op, Part::attribute, attr_index(op, attr),
             fmt::format("'{}' of {} is {}", attr, op.mnemonic(), value->integer), std::string(what));
}

/// Whether an operand is given, and where it represents messages.
struct Given {
  bool is = false;
  unsigned flat = 0;
};
Given queue_given(const OpView& op, std::string_view name) {
  const int slot = slot_of(op, name);
  if (slot < 0 || op.operand(static_cast<unsigned>(slot)) == kNoValue) return {};
  return {true, flat_index(op, static_cast<unsigned>(slot))};
}

void common(Checker& check, const OpView& op) {
  attr_in_range(check, op, "dir_mask", 1, 3, kInRange);
  positive(check, op, "slot_size", 1, "give the bytes of one tile");
}

/// The slots of a queue that are a view of GM: alone, or in one direction with copies on the vector cores.
void slots_in_gm(Checker& check, const OpView& op) {
  const bool copies = op.attr_int("dir_mask") == 1 && queue_given(op, "c2v_consumer_buf").is;
  for (const std::string_view name :
       {std::string_view("gm_slot_buffer"), std::string_view("c2v_consumer_buf"),
        std::string_view("v2c_consumer_buf")}) {
    const Given other = queue_given(op, name);
    if (!other.is || (copies && name == "c2v_consumer_buf")) continue;
    check.fail(E0481, op, Part::operand, other.flat,
               fmt::format("{}: '{}' beside 'gm_slot_tensor'", op.mnemonic(), name),
               "the slots lie in GM or on chip; with dir_mask = 1 alone c2v_consumer_buf holds copies");
  }
  if (op.attr("local_slot_num") != nullptr && !copies)
    check.fail(E0481, op, Part::attribute, attr_index(op, "local_slot_num"),
               fmt::format("{}: 'local_slot_num' beside 'gm_slot_tensor'", op.mnemonic()),
               "slots in GM have none on chip; drop it");
  const Type& view = op.type(static_cast<unsigned>(slot_of(op, "gm_slot_tensor")));
  const AttrValue* size = op.attr("slot_size");
  uint64_t bytes = byte_width(view.elem);
  for (unsigned i = 0; i < view.rank; ++i) {
    if (view.dims[i] < 0) return;
    bytes = sat_mul(bytes, static_cast<uint64_t>(view.dims[i]));
  }
  if (size == nullptr || size->integer < 1 || bytes == static_cast<uint64_t>(size->integer) ||
      sat_mul<uint64_t>(bytes, 2) == static_cast<uint64_t>(size->integer))
    return;
  check.fail(E0482, op, Part::attribute, attr_index(op, "slot_size"),
             fmt::format("slot_size is {}, but one entry of {} takes {} bytes", size->integer, describe(view),
                         bytes),
             fmt::format("slot_size = {}, or {} where two vector cores take half each", bytes,
                         sat_mul<uint64_t>(bytes, 2)));
}

void slots_on_chip(Checker& check, const OpView& op) {
  const Given to_vector = queue_given(op, "c2v_consumer_buf");
  const Given to_cube = queue_given(op, "v2c_consumer_buf");
  if (to_vector.is != to_cube.is) {
    const Given& there = to_vector.is ? to_vector : to_cube;
    check.fail(E0481, op, Part::operand, there.flat,
               fmt::format("{}: '{}' without '{}'", op.mnemonic(),
                           to_vector.is ? "c2v_consumer_buf" : "v2c_consumer_buf",
                           to_vector.is ? "v2c_consumer_buf" : "c2v_consumer_buf"),
               "give both; the one of a direction that is not used may be a constant 0");
  } else if (!to_vector.is) {
    check.fail(E0481, op, fmt::format("{} has no slots", op.mnemonic()),
               "give c2v_consumer_buf and v2c_consumer_buf, or gm_slot_tensor");
  } else if (check.target() == Target::a2a3 && check.program().target_stated &&
             !queue_given(op, "gm_slot_buffer").is) {
    check.fail(E0481, op,
               fmt::format("{} lacks 'gm_slot_buffer': on a2a3 tiles pass through GM", op.mnemonic()),
               "pass the GM memory of the slots");
  }
}

/// aic_initialize_pipe and aiv_initialize_pipe.
void fifo(Checker& check, const OpView& op, std::string_view) {
  positive(check, op, "id", 0, "ids count from 0");
  common(check, op);
  positive(check, op, "slot_num", 1, "a queue has at least one slot");
  // Eight slots in one direction, four in each of two, where nothing else is said.
  const AttrValue* slots = op.attr("slot_num");
  attr_in_range(check, op, "local_slot_num", 1,
                slots != nullptr               ? std::max<int64_t>(slots->integer, 1)
                : op.attr_int("dir_mask") == 3 ? 4
                                               : 8,
                kInRange);
  if (queue_given(op, "gm_slot_tensor").is)
    slots_in_gm(check, op);
  else
    slots_on_chip(check, op);
}

/// initialize_l2l_pipe and initialize_l2g2l_pipe.
void l2_pipe(Checker& check, const OpView& op, std::string_view) {
  common(check, op);
  const int64_t slots = op.attr_int("slot_num");
  const int64_t directions = op.attr_int("dir_mask");
  positive(check, op, "slot_num", 1, "a queue has at least one slot");
  positive(check, op, "flag_base", 0, "flags count from 0");
  const int64_t width = directions == 3 ? 4 : 2;
  if (const AttrValue* base = op.attr("flag_base"); base != nullptr && base->integer > 16 - width)
    check.fail(E0490, op, Part::attribute, attr_index(op, "flag_base"),
               fmt::format("flags {} to {} are needed; there are 0 to 15", base->integer,
                           sat_add(base->integer, width - 1)),
               fmt::format("flag_base is at most {}", 16 - width));
  const Given local = queue_given(op, "local_addr");
  const Given peer = queue_given(op, "peer_local_addr");
  if (slot_of(op, "gm_addr") >= 0) {
    if (!local.is && peer.is)
      check.fail(E0481, op, Part::operand, peer.flat,
                 fmt::format("{}: 'peer_local_addr' without 'local_addr'", op.mnemonic()),
                 "give both, or none");
    if (!local.is && op.attr("local_slot_num") != nullptr)
      check.fail(E0481, op, Part::attribute, attr_index(op, "local_slot_num"),
                 fmt::format("{}: 'local_slot_num' without 'local_addr'", op.mnemonic()),
                 "give local_addr, or drop it");
    if (local.is) attr_in_range(check, op, "local_slot_num", 1, std::max<int64_t>(slots, 1), kInRange);
    if (!local.is) return;
  }
  if (directions == 3 && !peer.is)
    check.fail(E0481, op,
               fmt::format("{} lacks 'peer_local_addr': dir_mask = 3 has slots on both sides", op.mnemonic()),
               "give the address of the other direction's slots");
  if (directions != 3 && peer.is)
    check.fail(E0481, op, Part::operand, peer.flat,
               fmt::format("{}: 'peer_local_addr' with dir_mask = {}", op.mnemonic(), directions),
               "only dir_mask = 3 has slots on both sides; drop it");
}

/// Instructions that move entries.
void queue_split(Checker& check, const OpView& op, std::string_view) {
  attr_in_range(check, op, "split", 0, 4, kInRange);
  positive(check, op, "id", 0, "ids count from 0");
}

/// valid_row and valid_col go together, with a tile whose valid region is dynamic.
void fifo_valid(Checker& check, const OpView& op, std::string_view) {
  const Type& tile = op.result_type(0);
  const bool rows = op.operand(0) != kNoValue;
  const bool cols = op.operand(1) != kNoValue;
  if (rows != cols) {
    check.fail(E0367, op, Part::operand, 0,
               fmt::format("{} has {} without {}", op.mnemonic(), rows ? "valid_row" : "valid_col",
                           rows ? "valid_col" : "valid_row"),
               "give both, or none");
  } else if (rows && !tile.is_tile()) {
    check.fail(E0367, op, Part::result_type, 0,
               fmt::format("{} gives a valid region, but {} has none", op.mnemonic(), describe(tile)),
               "receive a tile, or drop valid_row and valid_col");
  } else if (rows && (tile.valid[0] != kDynamic || tile.valid[1] != kDynamic)) {
    check.fail(
        E0367, op, Part::result_type, 0,
        fmt::format("{} gives a valid region, its result type fixes {}", op.mnemonic(), describe(tile)),
        "write valid=?x? in the type");
  }
}

void reserve(Checker& check, const OpView& op, std::string_view) {
  positive(check, op, "size", 1, "give the bytes of all slots");
  positive(check, op, "base", 0, "addresses count from 0");
  const AttrValue* location = op.attr("location");
  const isa::EnumDomain* spaces = isa::find_enum("address_space");
  if (location != nullptr) {
    const std::string_view name = isa::case_name(*spaces, location->integer);
    if (name != "vec" && name != "mat") {
      check.fail(E0487, op, Part::attribute, attr_index(op, "location"),
                 fmt::format("{} in {}; queues lie in vec or mat", op.mnemonic(), name),
                 Fix::write("#pto.address_space<vec>", " or <mat>"));
    } else if (const uint64_t size =
                   isa::on_chip_bytes(check.target(), name == "vec" ? Space::ub : Space::l1);
               size != 0 && op.attr_int("size") > 0) {
      const int64_t base = op.attr("base") == nullptr ? 0 : op.attr_int("base");
      if (base >= 0 && static_cast<uint64_t>(sat_add(base, op.attr_int("size"))) > size)
        check.fail(E0376, op, Part::attribute, attr_index(op, "size"),
                   fmt::format("{} reserves {} bytes from {}; {} has {} on {}", op.mnemonic(),
                               op.attr_int("size"), base, name, size, to_string(check.target())),
                   "reserve less");
    }
  }
  if (const int64_t base = op.attr("base") == nullptr ? 0 : op.attr_int("base"); base % 32 != 0)
    check.fail(E0378, op, Part::attribute, attr_index(op, "base"),
               fmt::format("{} from {}: buffers begin at multiples of 32", op.mnemonic(), base),
               Fix::use(std::to_string(base / 32 * 32)));
  if (check.level() == Level::level3 && op.attr_int("auto") != 0)
    check.fail(
        E0379, op, Part::attribute, attr_index(op, "auto"),
        fmt::format("{} with auto = true at level 3, where the tools choose no addresses", op.mnemonic()),
        "write auto = false and base = address, or assemble at level 2");
  else if (check.level() != Level::level3 && op.attr("base") != nullptr && op.attr_int("auto") == 0)
    check.fail(E0379, op, Part::attribute, attr_index(op, "base"),
               fmt::format("{} has a base, but at level {} the tools choose the addresses of buffers",
                           op.mnemonic(), static_cast<int>(check.level())),
               "write auto = true, or assemble at level 3");
  if (op.attr("base") != nullptr && op.attr_int("auto") != 0)
    check.fail(E0487, op, Part::attribute, attr_index(op, "base"),
               fmt::format("{} has a base beside auto = true", op.mnemonic()),
               "write auto = false, or leave base out");
  if (op.attr_int("auto") == 0 && op.attr("base") == nullptr && op.attr("auto") != nullptr)
    check.fail(E0487, op, Part::attribute, attr_index(op, "auto"),
               fmt::format("{} with auto = false has no 'base'", op.mnemonic()),
               "write base = address, or auto = true");
}

/// Tiles are printed from vec, element by element.
void printable(Checker& check, const OpView& op, std::string_view) {
  const Type& src = op.type(0);
  if (!src.is_tile() && op.operand(1) != kNoValue) {
    check.fail(E0322, op, Part::operand, flat_index(op, 1),
               fmt::format("{} of a view takes no scratch", op.mnemonic()),
               Fix::remove("drop tmp; it is for tiles"));
  }
  if (!src.is_tile()) return;
  const std::string name = value_name(op.program(), op.operand(0));
  if (src.space != Space::ub) {
    check.fail(E0341, op, Part::operand_type, 0,
               fmt::format("{} prints tiles in vec, but {} is {}", op.mnemonic(), name, describe(src)),
               "move it to vec, or print the view of GM");
  }
  const Elem elem = signless(src.elem);
  if (elem == Elem::i8 || elem == Elem::i16 || elem == Elem::i32 || elem == Elem::f16 || elem == Elem::f32)
    return;
  check.fail(E0331, op, Part::operand_type, 0,
             fmt::format("{} does not print elements of {}: {} is {}", op.mnemonic(), to_string(src.elem),
                         name, describe(src)),
             "it prints i8, i16, i32, f16 and f32");
}

constexpr Rule kQueueRules[] = {
    {.id = E0481,
     .title = "queue operands",
     .cause = "The slots of a queue lie on chip, in GM, or (a2a3) in both; the operands say which. "
              "dir_mask = 3 has slots on both sides.",
     .example = "pto.aic_initialize_pipe with gm_slot_tensor and c2v_consumer_buf",
     .fix = "Give the operands of one kind of queue."},
    {.id = E0482,
     .title = "slot size",
     .cause = "slot_size is the size of one entry in GM, or twice that where two vector cores take half "
              "each.",
     .example = "slot_size = 512 with gm_slot_tensor 16x16xf32",
     .fix = "Use the value in the message."},
    {.id = E0487,
     .title = "reserved buffer",
     .cause = "A buffer has a name of its own in its function, lies in vec or mat, and has a base where "
              "auto = false. Bases and tiles without addresses do not mix.",
     .example = "pto.reserve_buffer {.., auto = false} without base",
     .fix = "Follow the message."},
    {.id = E0490,
     .title = "queue flags",
     .cause = "The queues of a function share 16 flags: two per direction, from an even number.",
     .example = "nine one-way queues in one function",
     .fix = "Use fewer queues, or another flag_base."},
};

constexpr OpRule kQueueChecks[] = {
    {.name = "fifo", .check = fifo, .ids = {E0394}, .words = "slot_size is positive"},
    {.name = "l2_pipe",
     .check = l2_pipe,
     .ids = {E0394, E0481, E0490},
     .words = "slots, flags and addresses go with the direction"},
    {.name = "split",
     .check = queue_split,
     .ids = {E0394},
     .words = "split is 0 to 4: none, rows, columns, odd rows, odd columns"},
    {.name = "fifo_valid",
     .check = fifo_valid,
     .sees = Sees::types,
     .ids = {E0367},
     .words = "a valid region is given only where the result's type leaves it open"},
    {.name = "reserve",
     .check = reserve,
     .ids = {E0376, E0378, E0379, E0487},
     .words = "the buffer is in vec or mat and fits; a base is given without auto"},
    {.name = "printable",
     .check = printable,
     .sees = Sees::types,
     .ids = {E0331, E0341},
     .words = "tiles are in vec; the elements can be printed"},
};

}  // namespace

RuleFamily queue_rules() { return {.rules = kQueueRules, .checks = kQueueChecks}; }

}  // namespace pto::legality
