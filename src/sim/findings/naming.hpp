// How reports and findings name things: operations, pipes, byte ranges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/pipe_rules.hpp"
#include "pto/simulator.hpp"

namespace pto::sim {

using isa::short_name;

/// "pto.tload"; "" for an unknown operation.
std::string_view mnemonic(const Program& program, uint32_t pc);
Location where(const Program& program, uint32_t pc);
/// "k.pto:41" or "operation 17" when the line is unknown.
std::string place(const Program& program, uint32_t pc);
/// "k.pto:41"
std::string place_at(const Program& program, uint32_t line);
/// "pto.tload (MTE2, k.pto:41)"
std::string describe(const Program& program, uint32_t pc, Pipe pipe);
/// Where the kernel's buffers lie in GM, so that addresses can be told as bytes of an argument.
class ArgumentMap {
 public:
  void add(std::string_view name, uint64_t addr, uint64_t bytes);
  /// "128 bytes of ub at 0x100", "64 bytes of argument 'a' at byte 32"
  /// with a tile "%a (128 bytes of ub at 0x100)"
  [[nodiscard]] std::string bytes_at(const Program& program, ValueId tile, Space space, uint64_t addr,
                                     uint64_t bytes) const;
  /// "ub at 0x100", "argument 'a' at byte 32"
  [[nodiscard]] std::string place(Space space, uint64_t addr) const;
  /// "a"; empty where none lies there.
  [[nodiscard]] std::string argument_at(Space space, uint64_t addr) const;

 private:
  struct Buffer {
    std::string name;
    uint64_t addr, bytes;
  };
  [[nodiscard]] const Buffer* buffer_at(Space space, uint64_t addr) const;
  std::vector<Buffer> buffers_;
};
/// "%i", or the only operand of an operation in a memory that can be `here` or is alone; kNoValue otherwise.
ValueId operand_before(const Program& program, uint32_t pc, Space space, ValueId here);
/// 12430 -> "12,430"
std::string grouped(uint64_t number);
/// "87 %", "3.5 %", "0 %"; `of` may be 0.
std::string percent(uint64_t part, uint64_t of);
/// "AIC 0", "AIV 1.0" (block.subblock), "core 0"
std::string core_name(const CoreInfo& core);
/// "the AIC", "AIV1", "the core"
std::string spoken_name(const CoreInfo& core);

/// What a run found at an operation.
Diagnostic finding(const Program& program, FindingId id, uint32_t pc, std::string message,
                   Severity severity = Severity::error);
Note note_at(const Program& program, uint32_t pc, std::string message);
/// Without loops.
Moment moment_at(const CoreInfo& core, uint64_t cycle);

}  // namespace pto::sim
