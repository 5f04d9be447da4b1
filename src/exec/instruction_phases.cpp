#include "exec/instruction_phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "ir/in_place_rules.hpp"
#include "ir/value_names.hpp"
#include "isa/memory_spaces.hpp"

namespace pto::exec {
namespace {

/// What bytes hold that nobody may use: no number that a program would compute with by chance.
constexpr int kLost = 0xa5;

isa::Extents extents_of(const Context& context, unsigned slot) {
  if (!context.has(slot) || !context.type(slot).is_tile()) return {};
  const TileDesc& tile = context.tile(slot);
  return {tile.valid_rows, tile.valid_cols};
}

std::optional<isa::Scratch> scratch_now(const Context& context, const HiddenWork& work) {
  if (!work.open || !work.scratch) return work.scratch;
  return isa::scratch_of(OpView(*context.program, context.inst->pc),
                         [&](unsigned slot) { return extents_of(context, slot); });
}

void fill_rows(std::byte* at, uint64_t rows, uint64_t row_bytes, uint64_t pitch) {
  for (uint64_t row = 0; at != nullptr && row < rows; ++row) std::memset(at + row * pitch, kLost, row_bytes);
}

/// The valid region of a tile whose rows lie in the order of rows.
struct Region {
  uint64_t begin = 0, rows = 0, row_bytes = 0, pitch = 0;
  [[nodiscard]] uint64_t end() const { return rows == 0 ? begin : begin + (rows - 1) * pitch + row_bytes; }
};

Region region_of(const TileDesc& tile, const Type& type) {
  const uint64_t width = byte_width(type.elem);
  if (type.slayout != SLayout::none_box)
    return {.begin = tile.addr, .rows = 1, .row_bytes = tile_bytes(type), .pitch = tile_bytes(type)};
  if (type.blayout == BLayout::row_major)
    return {tile.addr, tile.valid_rows, tile.valid_cols * width, tile.storage_cols * width};
  return {tile.addr, tile.valid_cols, tile.valid_rows * width, tile.storage_rows * width};
}

bool meet(uint64_t begin, uint64_t end, const Region& region) {
  return region.rows != 0 && begin < region.end() && region.begin < end;
}

std::string name_of(const Context& context, unsigned slot) {
  const OpView op(*context.program, context.inst->pc);
  return isa::value_name(*context.program, op.operand(slot));
}

/// A part of the scratch tile beside the instruction's operands.
enum class ScratchPlacement : uint8_t { apart, shared, forbidden };

ScratchPlacement place_of(const Context& context, const isa::Scratch& scratch, uint64_t begin, uint64_t end) {
  const isa::Schema& schema = *context.inst->schema;
  const Space space = context.type(scratch.slot).space;
  ScratchPlacement place = ScratchPlacement::apart;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (slot == scratch.slot) continue;
    for (unsigned i = 0; i < context.count(slot); ++i) {
      const Type& type = context.type(slot, i);
      if (!type.is_tile() || type.space != space) continue;
      const auto& tile = context.as<TileDesc>(slot, i);
      if (!meet(begin, end, region_of(tile, type))) continue;
      if (std::ranges::find(scratch.shared, slot) != scratch.shared.end()) {
        place = ScratchPlacement::shared;
        continue;
      }
      context.fault(
          Fault::bad_operand,
          fmt::format("the scratch tile {} lies on {} ({}): the instruction works there while it "
                      "needs the operand",
                      name_of(context, scratch.slot), schema.operands[slot].name, name_of(context, slot)));
      return ScratchPlacement::forbidden;
    }
  }
  return place;
}

void check_distinct(const Context& context, const HiddenWork& work) {
  for (const auto& [source, destination] : work.distinct) {
    if (!context.has(source) || !context.has(destination)) continue;
    const Type& from = context.type(source);
    const Type& to = context.type(destination);
    if (!from.is_tile() || !to.is_tile() || from.space != to.space) continue;
    if (context.tile(source).addr != context.tile(destination).addr) continue;
    context.fault(Fault::bad_operand,
                  fmt::format("{} and {} have the same address: the instruction does not work in place",
                              name_of(context, source), name_of(context, destination)));
    return;
  }
}

void touch(Context& context, const isa::Scratch& scratch, const isa::ScratchPart& part, AccessMode how) {
  const uint64_t begin = context.tile(scratch.slot).addr + part.begin;
  const ScratchPlacement place = place_of(context, scratch, begin, begin + (part.end() - part.begin));
  if (place == ScratchPlacement::forbidden) return;
  std::byte* const at = context.memory->access_rows(context.type(scratch.slot).space, begin, part.rows,
                                                    part.row_bytes, static_cast<int64_t>(part.pitch), how);
  if (how == AccessMode::write && place == ScratchPlacement::apart)
    fill_rows(at, part.rows, part.row_bytes, part.pitch);
}

}  // namespace

bool HiddenWork::works_on_scalar(const isa::Phase& phase) const {
  if (phase.rest || phase.pipe != Pipe::s) return false;
  if (!phase.reads.empty()) return true;
  return std::ranges::any_of(phase.writes, [&](uint8_t slot) {
    return !is_scratch(slot) || (scratch && std::ranges::any_of(scratch->parts, &isa::ScratchPart::early));
  });
}

HiddenWork hidden_work(const OpView& op) {
  HiddenWork work;
  work.phases = isa::phases_of(op);
  if (isa::row(op.op().row).layer != isa::Layer::tile) return work;
  const int tmp = isa::schema(op.op().row).operand_slot("tmp");
  if (tmp >= 0) work.tmp = static_cast<uint8_t>(tmp);
  work.scratch = isa::scratch_of(op, isa::OpenExtents::most);
  if (work.scratch && !work.scratch->stated) work.scratch.reset();
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : op.operands(slot)) {
      if (value == kNoValue || !op.program().type_of(value).is_tile()) continue;
      const Type& type = op.program().type_of(value);
      work.open = work.open || type.valid[0] == kDynamic || type.valid[1] == kDynamic;
    }
  }
  if (!schema.row->rule_names.has(isa::RuleName::distinct) || schema.has_variadic) return work;
  for (unsigned from = 0; from < schema.operands.size(); ++from) {
    for (unsigned to = 0; to < schema.operands.size(); ++to) {
      const isa::OperandSpec& source = schema.operands[from];
      const isa::OperandSpec& destination = schema.operands[to];
      if (source.role == isa::Role::in && destination.role == isa::Role::out &&
          isa::in_place(op, op.program().target, source.name, destination.name) == isa::InPlace::forbidden)
        work.distinct.emplace_back(static_cast<uint8_t>(from), static_cast<uint8_t>(to));
    }
  }
  return work;
}

void touch_phase(Context& context, const HiddenWork& work, const isa::Phase& phase) {
  const auto touch_operand = [&](uint8_t slot, AccessMode how) {
    if (!context.has(slot) || !context.type(slot).is_tile()) return;
    const Region region = region_of(context.tile(slot), context.type(slot));
    if (region.rows == 0) return;
    context.memory->access_rows(context.type(slot).space, region.begin, region.rows, region.row_bytes,
                                static_cast<int64_t>(region.pitch), how);
  };
  for (const uint8_t slot : phase.reads) touch_operand(slot, AccessMode::read);
  for (const uint8_t slot : phase.writes) {
    if (!work.is_scratch(slot)) touch_operand(slot, AccessMode::write);
  }
  const std::optional<isa::Scratch> scratch = scratch_now(context, work);
  if (!scratch || std::ranges::none_of(phase.writes, [&](uint8_t slot) { return slot == scratch->slot; }))
    return;
  for (const isa::ScratchPart& part : scratch->parts) {
    if (part.early) touch(context, *scratch, part, AccessMode::write);
  }
}

void touch_scratch(Context& context, const HiddenWork& work) {
  check_distinct(context, work);
  const std::optional<isa::Scratch> scratch = scratch_now(context, work);
  if (!scratch) return;
  for (const isa::ScratchPart& part : scratch->parts)
    touch(context, *scratch, part, part.early ? AccessMode::read : AccessMode::write);
}

void touch_sources(Context& context, const HiddenWork& work) {
  const auto change = [&](uint8_t slot, bool lost) {
    if (!context.has(slot) || !context.type(slot).is_tile()) return;
    const Region region = region_of(context.tile(slot), context.type(slot));
    if (region.rows == 0) return;
    std::byte* const at =
        context.memory->access_rows(context.type(slot).space, region.begin, region.rows, region.row_bytes,
                                    static_cast<int64_t>(region.pitch), AccessMode::write);
    if (lost) fill_rows(at, region.rows, region.row_bytes, region.pitch);
  };
  for (const uint8_t slot : work.phases.clobbers) change(slot, true);
  for (const uint8_t slot : work.phases.restores) change(slot, false);
}

}  // namespace pto::exec
