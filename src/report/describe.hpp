// How reports and findings name things: operations, pipes, byte ranges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pto/simulator.hpp"

namespace pto::report {

/// "MTE2", "V", "S": the pipe's name without its prefix.
std::string_view short_name(Pipe pipe);
/// "pto.tload"; "" for an unknown operation.
std::string_view mnemonic(const Program& program, uint32_t pc);
Location where(const Program& program, uint32_t pc);
/// "k.pto:41" or "operation 17" when the line is unknown.
std::string place(const Program& program, uint32_t pc);
/// "pto.tload (MTE2, k.pto:41)"
std::string describe(const Program& program, uint32_t pc, Pipe pipe);
/// "128 bytes of ub at 0x100"
std::string bytes_at(Space space, uint64_t addr, uint64_t bytes);
/// 12430 -> "12,430"
std::string grouped(uint64_t number);
/// "87 %", "3.5 %", "0 %"; `of` may be 0.
std::string percent(uint64_t part, uint64_t of);
/// "AIC 0", "AIV 1.0" (block.subblock), "core 0"
std::string core_name(const CoreInfo& core);

}  // namespace pto::report
