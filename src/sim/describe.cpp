#include "sim/describe.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "isa/row.hpp"
#include "isa/words.hpp"

namespace pto::sim {

std::string_view short_name(Pipe pipe) {
  std::string_view name = to_string(pipe);
  if (name.starts_with("PIPE_")) name.remove_prefix(5);
  return name;
}

std::string_view mnemonic(const Program& program, uint32_t pc) {
  return pc < program.ops.size() ? OpView(program, pc).mnemonic() : "";
}

Location where(const Program& program, uint32_t pc) {
  return pc < program.ops.size() ? program.ops[pc].where : Location{};
}

std::string place(const Program& program, uint32_t pc) {
  const Location at = where(program, pc);
  if (at.line == 0) return fmt::format("operation {}", pc);
  const auto file = std::filesystem::path(program.source_name).filename().string();
  return fmt::format("{}:{}", file.empty() ? "line" : file, at.line);
}

std::string describe(const Program& program, uint32_t pc, Pipe pipe) {
  return fmt::format("{} ({}, {})", mnemonic(program, pc), short_name(pipe), place(program, pc));
}

void ArgumentMap::add(std::string_view name, uint64_t addr, uint64_t bytes) {
  buffers_.push_back({std::string(name), addr, bytes});
}

std::string ArgumentMap::place(Space space, uint64_t addr) const {
  for (const Buffer& buffer : buffers_) {
    if (space == Space::gm && addr >= buffer.addr && addr - buffer.addr < buffer.bytes) {
      return fmt::format("argument '{}' at byte {}", buffer.name, grouped(addr - buffer.addr));
    }
  }
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

namespace {

std::string describe(const Moment::Iteration& loop, const Program& program) {
  const std::string where = loop.where.line == 0 ? fmt::format("the loop (operation {})", loop.pc)
                                                 : fmt::format("the loop at line {}", loop.where.line);
  const std::string value =
      loop.variable == kNoValue
          ? ""
          : fmt::format(" ({} = {})", isa::value_name(program, loop.variable), loop.value);
  return loop.number == 0 ? fmt::format("in {}{}", where, value)
                          : fmt::format("iteration {} of {}{}", grouped(loop.number), where, value);
}

}  // namespace

std::string describe(const Moment& moment, const Program& program) {
  const CoreInfo& core = moment.core;
  const std::string name = core.kind == CoreKind::aic   ? "the AIC"
                           : core.kind == CoreKind::aiv ? fmt::format("AIV{}", core.subblock)
                                                        : "the core";
  std::string text = fmt::format("in cycle {} on {} of block {}", grouped(moment.cycle), name, core.block);
  for (const Moment::Iteration& loop : moment.loops) text += ", " + describe(loop, program);
  return text;
}

std::string grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

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

}  // namespace pto::sim
