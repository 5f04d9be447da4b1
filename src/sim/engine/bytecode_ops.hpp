// Codes that the scalar unit and vector functions carry out in the same way.
#pragma once

#include <cstdint>
#include <cstring>

#include "sim/engine/device_state.hpp"

namespace pto::sim {

/// Copies words of a frame, as if all at once.
inline void move_words(Core& core, exec::Word* words, const BytecodeInst& code) {
  const Copy* const copies = core.role->copies.data();
  if (code.b - code.a == 1) {
    const Copy& copy = copies[code.a];
    std::memmove(words + copy.to, words + copy.from, copy.words * sizeof(exec::Word));
    return;
  }
  exec::Word* through = core.scratch.data();
  for (uint32_t i = code.a; i < code.b; ++i) {
    std::memcpy(through, words + copies[i].from, copies[i].words * sizeof(exec::Word));
    through += copies[i].words;
  }
  through = core.scratch.data();
  for (uint32_t i = code.a; i < code.b; ++i) {
    std::memcpy(words + copies[i].to, through, copies[i].words * sizeof(exec::Word));
    through += copies[i].words;
  }
}

/// The test of a counted loop (scf.for): whether an iteration follows.
enum class LoopTest : uint8_t { leave, iterate, bad_step };
inline LoopTest test_loop(const BytecodeInst& code, const exec::Word* frame) {
  if (static_cast<int64_t>(frame[code.a]) >= static_cast<int64_t>(frame[code.b])) return LoopTest::leave;
  return static_cast<int64_t>(frame[code.c]) > 0 ? LoopTest::iterate : LoopTest::bad_step;
}

/// Limits of a run are checked once in this many steps of a stream, less one.
inline constexpr uint64_t kLimitMask = 0x3ff;

}  // namespace pto::sim
