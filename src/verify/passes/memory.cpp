// On-chip addresses and capacity (E037x): a tile fits its memory, its address is aligned and in range. Two
// tiles at one address alias; that is legal as long as no data is lost (W0512, verify/sync/kernel_walk.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "ir/in_place_rules.hpp"
#include "ir/scratch_bytes.hpp"
#include "isa/memory_spaces.hpp"
#include "support/saturating.hpp"
#include "verify/misalignment.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {

using isa::in_place, isa::InPlace;
namespace {

std::string kib(uint64_t bytes) {
  return bytes % 1024 == 0 ? fmt::format("{}", bytes / 1024)
                           : fmt::format("{:.2f}", static_cast<double>(bytes) / 1024);
}

void check_capacity(Checker& check, const OpView& op, const Type& tile) {
  const uint64_t size = isa::on_chip_bytes(check.target(), tile.space);
  if (size == 0 || tile_bytes(tile) <= size) return;
  std::string message =
      fmt::format("{} takes {} KiB; {} has {} KiB on {}", value_name(op.program(), op.result(0)),
                  kib(tile_bytes(tile)), tile_loc(tile.space), kib(size), to_string(check.target()));
  // The public assembler does not know the size of the scaling buffer.
  Diagnostic& built =
      tile.space == Space::fb
          ? check.warn(W0442, op, Anchor::Part::result_type, 0, std::move(message), "split the tile")
          : check.fail(E0376, op, Anchor::Part::result_type, 0, std::move(message), "split the tile");
  built.anchor.key = "shape";
}

int64_t bytes_of(const Type& tile) {
  return static_cast<int64_t>(std::min<uint64_t>(tile_bytes(tile), std::numeric_limits<int64_t>::max()));
}

/// An address that is no multiple in any turn of the loops around it, or in one that certainly comes.
void check_computed_address(Checker& check, const OpView& op, const Type& tile, unsigned slot) {
  const auto unit = static_cast<uint64_t>(isa::tile_alignment(tile.space));
  const std::optional<Misaligned> found = misaligned(check, op, unit, [&](const IterationVector& iterations) {
    return check.integers().congruence(op.operand(slot), iterations);
  });
  if (!found) return;
  check.fail(
      E0378, op, Anchor::Part::operand, flat_index(op, slot),
      fmt::format("{} lies {}{}; addresses in {} are multiples of {}", value_name(op.program(), op.result(0)),
                  words_of(found->address, unit), found->when, tile_loc(tile.space), unit),
      fmt::format("compute a multiple of {}", unit));
}

void check_address(Checker& check, const OpView& op, const Type& tile, unsigned slot) {
  const std::optional<int64_t> address = check.constant(op.operand(slot));
  if (!address) return op.operand(slot) == kNoValue ? void() : check_computed_address(check, op, tile, slot);
  const uint64_t size = isa::on_chip_bytes(check.target(), tile.space);
  const uint64_t bytes = tile_bytes(tile);
  const uint64_t end = sat_add(static_cast<uint64_t>(std::max<int64_t>(*address, 0)), bytes);
  if (*address < 0 || (size != 0 && end > size)) {
    check.fail(
        E0377, op, Anchor::Part::operand, flat_index(op, slot),
        fmt::format("{} at {} to {} lies outside {}, which has {} bytes on {}",
                    value_name(op.program(), op.result(0)), *address, sat_add(*address, bytes_of(tile)),
                    tile_loc(tile.space), size, to_string(check.target())),
        size >= bytes ? fmt::format("the highest address for it is {}", size - bytes) : "split the tile");
  } else if (const int64_t alignment = isa::tile_alignment(tile.space); *address % alignment != 0) {
    check.fail(E0378, op, Anchor::Part::operand, flat_index(op, slot),
               fmt::format("the address {} of {} is not a multiple of {}, as addresses in {} are", *address,
                           value_name(op.program(), op.result(0)), alignment, tile_loc(tile.space)),
               Fix::use_one_of({std::to_string(*address / alignment * alignment),
                                std::to_string(sat_mul(*address / alignment + 1, alignment))}));
  }
}

/// Level 3: every tile has an address. Below, the planner gives addresses to those that have none, around the
/// others.
void check_level(Checker& check, const OpView& op, bool every_tile_addressed) {
  const std::string name = value_name(op.program(), op.result(0));
  const int level = static_cast<int>(check.level());
  const bool addressed = op.operand(0) != kNoValue;
  if (check.level() == Level::level3 && !addressed)
    check.fail(E0379, op, fmt::format("{} has no address at level 3", name),
               "write addr = %address, or assemble at level 2");
  if (check.level() == Level::level3 || !addressed) return;
  if (every_tile_addressed)
    check.fail(
        E0379, op, Anchor::Part::operand, 0,
        fmt::format(
            "{} has an address, but the program is assembled at level {}, where the tools place the tiles",
            name, level),
        "leave addr = out, or assemble at level 3");
  else if (!check.constant(op.operand(0)))
    check.fail(
        E0379, op, Anchor::Part::operand, 0,
        fmt::format(
            "the address of {} is not a constant: the tools cannot choose addresses of other tiles beside it",
            name),
        "write a constant address, or give every alloc_tile an address (level 3)");
}

/// The bytes of a tile that an alloc_tile puts at a constant address.
struct Placed {
  ValueId value;
  int64_t begin, end;
};

std::optional<Placed> placed(const Checker& check, const OpView& op, unsigned slot) {
  const ValueId value = op.operand(slot);
  if (value == kNoValue || !op.type(slot).is_tile() || check.definition(value) == ~0u) return std::nullopt;
  const OpView built(op.program(), check.definition(value));
  if (isa::opcode_class(built) != isa::OpcodeClass::alloc_tile) return std::nullopt;
  const std::optional<int64_t> address = check.constant(built.operand(0));
  if (!address) return std::nullopt;
  return Placed{value, *address, sat_add(*address, bytes_of(op.type(slot)))};
}

/// What an instruction touches of a tile: its valid region, where the type says how large it is and the rows
/// of it lie in the order of rows; what is filled around it belongs to it.
struct TouchedRows {
  int64_t begin = 0, bytes = 0, pitch = 1, count = 0;
};

TouchedRows touched_rows(const Type& tile, const Placed& at) {
  const bool plain = tile.slayout == SLayout::none_box && tile.pad == 0 && bit_width(tile.elem) % 8 == 0 &&
                     tile.valid[0] >= 0 && tile.valid[1] >= 0;
  if (!plain) return {.begin = at.begin, .bytes = at.end - at.begin, .count = 1};
  const bool by_rows = tile.blayout == BLayout::row_major;
  const int64_t width = byte_width(tile.elem);
  return {.begin = at.begin,
          .bytes = sat_mul(tile.valid[by_rows ? 1 : 0], width),
          .pitch = sat_mul(by_rows ? tile.cols() : tile.rows(), width),
          .count = tile.valid[by_rows ? 0 : 1]};
}

/// Whether a row of one shares a byte with a row of the other.
bool meet(const TouchedRows& one, const TouchedRows& other) {
  if (one.bytes <= 0 || other.bytes <= 0) return false;
  for (int64_t i = 0; i < one.count; ++i) {
    const int64_t begin = sat_add(one.begin, sat_mul(i, one.pitch));
    const int64_t end = sat_add(begin, one.bytes);
    // The first row of the other that ends behind the begin of this one.
    const int64_t before = begin - other.begin - other.bytes;
    const int64_t k = before < 0 ? 0 : before / other.pitch + 1;
    if (k < other.count && sat_add(other.begin, sat_mul(k, other.pitch)) < end) return true;
  }
  return false;
}

/// One address for what an instruction reads and for what it writes, under two names.
void check_one_address(Checker& check, const OpView& op, unsigned out, const Placed& dst, const Placed& src,
                       std::string_view in) {
  const isa::Schema& schema = isa::schema(op.op().row);
  if (in_place(op, check.target(), in, schema.operands[out].name) != InPlace::forbidden) return;
  Diagnostic& built = check.fail(
      E0370, op, Anchor::Part::operand, flat_index(op, out),
      fmt::format("{}: {} ({}) and {} ({}) have the same address, {}; {} does not work in place",
                  op.mnemonic(), in, value_name(op.program(), src.value), schema.operands[out].name,
                  value_name(op.program(), dst.value), dst.begin, to_string(check.target())),
      "put one of the tiles elsewhere");
  check.note_definition(built, dst.value);
  check.note_definition(built, src.value);
}

/// One instruction that reads a tile and writes another one over a part of it. At the same address it works
/// in place.
void check_overlap(Checker& check, const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned out = 0; out < schema.operands.size(); ++out) {
    if (schema.operands[out].role != isa::Role::out || schema.operands[out].arity == isa::Arity::variadic)
      continue;
    const std::optional<Placed> dst = placed(check, op, out);
    for (unsigned in = 0; dst && in < schema.operands.size(); ++in) {
      if (schema.operands[in].role != isa::Role::in || schema.operands[in].arity == isa::Arity::variadic)
        continue;
      const std::optional<Placed> src = placed(check, op, in);
      if (!src || src->value == dst->value || op.type(in).space != op.type(out).space) continue;
      if (src->begin == dst->begin) check_one_address(check, op, out, *dst, *src, schema.operands[in].name);
      const bool partly = src->begin != dst->begin && src->begin < dst->end && dst->begin < src->end &&
                          meet(touched_rows(op.type(in), *src), touched_rows(op.type(out), *dst));
      if (!partly) continue;
      Diagnostic& built = check.warn(
          W0103, op, Anchor::Part::operand, flat_index(op, out),
          fmt::format(
              "{} writes {} (bytes {} to {} of {}) over a part of {} (bytes {} to {}), which it reads",
              op.mnemonic(), value_name(op.program(), dst->value), dst->begin, dst->end - 1,
              tile_loc(op.type(out).space), value_name(op.program(), src->value), src->begin, src->end - 1),
          fmt::format("put {} at {} or behind{}", value_name(op.program(), dst->value), src->end,
                      in_place(op, check.target(), schema.operands[in].name, schema.operands[out].name) ==
                              InPlace::allowed
                          ? ", or at the same address"
                          : ""));
      check.note_definition(built, dst->value);
      check.note_definition(built, src->value);
      break;
    }
  }
}

/// The bytes of the scratch tile that are written share some with an operand of the same instruction.
bool lies_on(const isa::Scratch& scratch, const Placed& tmp, const TouchedRows& operand) {
  return std::ranges::any_of(scratch.parts, [&](const isa::ScratchPart& part) {
    const TouchedRows written{.begin = sat_add(tmp.begin, static_cast<int64_t>(part.begin)),
                              .bytes = static_cast<int64_t>(part.row_bytes),
                              .pitch = static_cast<int64_t>(std::max<uint64_t>(part.pitch, 1)),
                              .count = static_cast<int64_t>(part.rows)};
    return meet(written, operand);
  });
}

void fail_scratch_on(Checker& check, const OpView& op, unsigned tmp, unsigned slot, ValueId value) {
  const isa::Schema& schema = isa::schema(op.op().row);
  const ValueId scratch = op.operand(tmp);
  Diagnostic& built = check.fail(
      E0370, op, Anchor::Part::operand, flat_index(op, tmp),
      fmt::format("{}: the scratch tile {} ({}) lies on {} ({}); {} works there while it needs the operand",
                  op.mnemonic(), schema.operands[tmp].name, value_name(op.program(), scratch),
                  schema.operands[slot].name, value_name(op.program(), value), to_string(check.target())),
      "put the scratch tile elsewhere");
  check.note_definition(built, scratch);
  if (value != scratch) check.note_definition(built, value);
}

uint64_t row_bytes_of(const Type& tile) { return static_cast<uint64_t>(tile.cols()) * byte_width(tile.elem); }

/// A scratch tile on an operand, one that is too small for what the instruction writes there, and one whose
/// end reaches out of the memory.
void check_scratch(Checker& check, const OpView& op) {
  const std::optional<isa::Scratch> scratch = isa::scratch_of(op, isa::OpenExtents::least);
  if (!scratch || !scratch->stated || scratch->parts.empty()) return;
  const isa::Schema& schema = isa::schema(op.op().row);
  const Type& tile = op.type(scratch->slot);
  const std::optional<Placed> tmp = placed(check, op, scratch->slot);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (slot == scratch->slot || std::ranges::find(scratch->shared, slot) != scratch->shared.end()) continue;
    for (const ValueId value : op.operands(slot)) {
      if (value == kNoValue) continue;
      const Type& type = op.program().type_of(value);
      if (!type.is_tile() || type.space != tile.space) continue;
      const bool one = schema.operands[slot].arity != isa::Arity::variadic;
      const std::optional<Placed> other = tmp && one ? placed(check, op, slot) : std::nullopt;
      if (value != op.operand(scratch->slot) &&
          !(other && lies_on(*scratch, *tmp, touched_rows(type, *other))))
        continue;
      return fail_scratch_on(check, op, scratch->slot, slot, value);
    }
  }
  const bool rows_meet = tile.blayout == BLayout::row_major &&
                         std::ranges::any_of(scratch->parts, [](const isa::ScratchPart& part) {
                           return part.rows > 1 && part.row_bytes > part.pitch;
                         });
  if (!scratch->has_rule && rows_meet) {
    const uint64_t row =
        std::ranges::max_element(scratch->parts, {}, &isa::ScratchPart::row_bytes)->row_bytes;
    check.fail(E0371, op, Anchor::Part::operand_type, flat_index(op, scratch->slot),
               fmt::format("{}: a row of the scratch tile {} has {} bytes; {} writes {} in each",
                           op.mnemonic(), value_name(op.program(), op.operand(scratch->slot)),
                           row_bytes_of(tile), to_string(check.target()), row),
               fmt::format("use rows of {} bytes or more", row));
  } else if (!scratch->has_rule && scratch->end() > tile_bytes(tile)) {
    check.fail(E0371, op, Anchor::Part::operand_type, flat_index(op, scratch->slot),
               fmt::format("{}: the scratch tile {} has {} bytes; {} writes {} there", op.mnemonic(),
                           value_name(op.program(), op.operand(scratch->slot)), tile_bytes(tile),
                           to_string(check.target()), scratch->end()),
               fmt::format("use {} bytes or more", scratch->end()));
  } else if (const uint64_t size = isa::on_chip_bytes(check.target(), tile.space);
             tmp && size != 0 && tmp->begin >= 0 &&
             sat_add(static_cast<uint64_t>(tmp->begin), scratch->end()) > size) {
    check.fail(
        E0371, op, Anchor::Part::operand, flat_index(op, scratch->slot),
        fmt::format("{}: the bytes that it writes at and after the scratch tile {} end {} bytes after {}",
                    op.mnemonic(), value_name(op.program(), op.operand(scratch->slot)),
                    sat_add(static_cast<uint64_t>(tmp->begin), scratch->end()) - size, tile_loc(tile.space)),
        fmt::format("the highest address for it is {}", size - std::min(size, scratch->end())));
  }
}

constexpr Rule kMemoryRules[] = {
    {.id = W0103,
     .title = "operands overlap",
     .cause = "An instruction writes a tile over a part of another one that it reads; the values that it "
              "reads depend on its order of work.",
     .example = "pto.tadd of a tile at 0 into a tile at 2048 where both have 4 KiB",
     .fix = "Move one of them, or give both the same address."},
    {.id = E0376,
     .title = "capacity",
     .cause = "A tile is larger than the memory it is in.",
     .example = "a 256x512xf32 tile in vec on a2a3",
     .fix = "Split the tile."},
    {.id = E0377,
     .title = "address out of range",
     .cause = "A tile at a constant address does not fit its memory.",
     .example = "addr 196608 in vec on a2a3",
     .fix = "Lower the address."},
    {.id = E0378,
     .title = "misaligned address",
     .cause = "Tile addresses are multiples of 32, in left, right and acc of 512. A computed address is "
              "reported if no iteration of the loops around it gives a multiple, or if an iteration that "
              "certainly runs does not.",
     .example = "pto.alloc_tile addr = 16",
     .fix = "Round the address up."},
    {.id = E0379,
     .title = "addresses and level",
     .cause = "At level 3 every tile has an address. Below, the tools place the tiles that have none, "
              "around those with a constant address.",
     .example = "--level level3 and a tile without addr",
     .fix = "Give every tile an address, or assemble at level 2."},
    {.id = W0442,
     .title = "scaling buffer",
     .cause = "A tile is larger than the scaling buffer, whose size the public assembler does not know.",
     .example = "!pto.tile_buf<scaling, 32x32xf32> on a2a3",
     .fix = "Split the tile."},
};

}  // namespace

RuleFamily memory_rules() { return {.rules = kMemoryRules, .checks = {}}; }

void check_memory(Checker& check) {
  const Program& program = check.program();
  using isa::OpcodeClass;
  const bool allocates = std::ranges::any_of(
      check.rows(), [](RowId row) { return isa::row(row).opcode_class == OpcodeClass::alloc_tile; });
  const bool every_tile_addressed = allocates && infer_level(program) == Level::level3;
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const OpView op(program, i);
    const OpcodeClass opcode_class = isa::opcode_class(op);
    if (opcode_class != OpcodeClass::alloc_tile && opcode_class != OpcodeClass::assign &&
        opcode_class != OpcodeClass::alloc_buffer) {
      if (isa::row(program.ops[i].row).layer != isa::Layer::tile) continue;
      check_overlap(check, op);
      check_scratch(check, op);
      continue;
    }
    const Type& tile = op.result_type(0);
    if (!tile.is_tile()) continue;
    if (opcode_class == OpcodeClass::alloc_buffer) {
      check_capacity(check, op, tile);
      continue;
    }
    if (opcode_class == OpcodeClass::alloc_tile) {
      check_level(check, op, every_tile_addressed);
      check_capacity(check, op, tile);
    }
    check_address(check, op, tile, opcode_class == OpcodeClass::alloc_tile ? 0 : 1);
  }
}

}  // namespace pto::legality
