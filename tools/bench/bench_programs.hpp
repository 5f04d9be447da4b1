// Generated programs of the benchmarks: one kind per way that assembler time is spent. Equal for equal
// arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pto::bench {

struct Kind {
  std::string_view name, what;
  std::string (*make)(size_t lines, uint64_t seed);
};

/// long, short, arithmetic, mixed, micro, functions.
std::span<const Kind> kinds();
/// nullptr when there is none of this name.
const Kind* find_kind(std::string_view name);

}  // namespace pto::bench
