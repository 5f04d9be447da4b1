#include "sim/findings/naming.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "ir/op_queries.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "support/number_text.hpp"

namespace pto::sim {

std::string_view mnemonic(const Program& program, uint32_t pc) {
  return pc < program.ops.size() ? OpView(program, pc).mnemonic() : "";
}

Location where(const Program& program, uint32_t pc) {
  return pc < program.ops.size() ? program.ops[pc].where : Location{};
}

std::string place(const Program& program, uint32_t pc) {
  const Location at = where(program, pc);
  if (at.line == 0) return fmt::format("operation {}", pc);
  return place_at(program, at.line);
}

std::string place_at(const Program& program, uint32_t line) {
  const auto file = std::filesystem::path(program.source_name).filename().string();
  return fmt::format("{}:{}", file.empty() ? "line" : file, line);
}

std::string describe(const Program& program, uint32_t pc, Pipe pipe) {
  return fmt::format("{} ({}, {})", mnemonic(program, pc), short_name(pipe), place(program, pc));
}

void ArgumentMap::add(std::string_view name, uint64_t addr, uint64_t bytes) {
  buffers_.push_back({std::string(name), addr, bytes});
}

const ArgumentMap::Buffer* ArgumentMap::buffer_at(Space space, uint64_t addr) const {
  for (const Buffer& buffer : buffers_) {
    if (space == Space::gm && addr >= buffer.addr && addr - buffer.addr < buffer.bytes) return &buffer;
  }
  return nullptr;
}

std::string ArgumentMap::argument_at(Space space, uint64_t addr) const {
  const Buffer* const buffer = buffer_at(space, addr);
  return buffer == nullptr ? std::string() : buffer->name;
}

std::string ArgumentMap::place(Space space, uint64_t addr) const {
  if (const Buffer* const buffer = buffer_at(space, addr))
    return fmt::format("argument '{}' at byte {}", buffer->name, grouped(addr - buffer->addr));
  if (space == Space::none) return "the register VMS4_SR";
  return fmt::format("{} at {:#x}", to_string(space), addr);
}

std::string ArgumentMap::bytes_at(const Program& program, ValueId tile, Space space, uint64_t addr,
                                  uint64_t bytes) const {
  const std::string range =
      fmt::format("{} byte{} of {}", grouped(bytes), bytes == 1 ? "" : "s", place(space, addr));
  return tile == kNoValue ? range : fmt::format("{} ({})", isa::value_name(program, tile), range);
}

ValueId operand_before(const Program& program, uint32_t pc, Space space, ValueId here) {
  const OpView view(program, pc);
  ValueId only = kNoValue;
  unsigned found = 0;
  for (unsigned slot = 0; slot < isa::schema(view.op().row).operands.size(); ++slot) {
    for (const ValueId value : view.operands(slot)) {
      const Type& type = program.type_of(value);
      if (type.space != space || (!type.is_tile() && type.kind != TypeKind::ptr)) continue;
      if (value == here) return value;
      found += value != only;
      only = value;
    }
  }
  return found == 1 ? only : kNoValue;
}

std::string grouped(uint64_t number) { return with_commas(number); }

std::string percent(uint64_t part, uint64_t of) {
  const double share = of ? 100.0 * static_cast<double>(part) / static_cast<double>(of) : 0;
  if (share > 0 && share < 0.05) return "<0.1 %";
  return share != 0 && share < 9.95 ? fmt::format("{:.1f} %", share) : fmt::format("{:.0f} %", share);
}

std::string core_name(const CoreInfo& core) {
  switch (core.kind) {
    case CoreKind::aic:
      return fmt::format("AIC {}", core.block);
    case CoreKind::aiv:
      return fmt::format("AIV {}.{}", core.block, core.subblock);
    default:
      return fmt::format("core {}", core.block);
  }
}

std::string spoken_name(const CoreInfo& core) {
  return core.kind == CoreKind::aic   ? "the AIC"
         : core.kind == CoreKind::aiv ? fmt::format("AIV{}", core.subblock)
                                      : "the core";
}

Diagnostic finding(const Program& program, FindingId id, uint32_t pc, std::string message,
                   Severity severity) {
  Diagnostic found;
  found.id = id;
  found.severity = severity;
  found.message = std::move(message);
  found.anchor = isa::anchor_at(program, pc);
  found.where = where(program, pc);
  return found;
}

Note note_at(const Program& program, uint32_t pc, std::string message) {
  Note note;
  note.message = std::move(message);
  note.where = where(program, pc);
  note.anchor = isa::anchor_at(program, pc);
  return note;
}

Moment moment_at(const CoreInfo& core, uint64_t cycle) {
  return {core.index, core.block, spoken_name(core), cycle, {}};
}

}  // namespace pto::sim
