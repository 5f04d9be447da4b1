// Small programs and machines of the engine's tests.
#pragma once

#include <cstring>
#include <string>

#include "sim/engine/sim_fixture.hpp"

namespace pto::sim::test {

/// A vector kernel around `body`; %ga and %gb are GM pointers, %u0..%u2 UB pointers 256 bytes apart, %c0..%c8
/// i64.
inline std::string vector_kernel(const std::string& body) {
  return R"(module attributes {pto.target_arch = "a5", pto.kernel_kind = #pto.kernel_kind<vector>} {
  func.func @k(%ga: !pto.ptr<f32, gm>, %gb: !pto.ptr<f32, gm>) attributes {pto.kernel} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c256 = arith.constant 256 : i64
    %c512 = arith.constant 512 : i64
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i4 = arith.constant 4 : index
    %i20 = arith.constant 20 : index
    %u0 = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
    %u1 = pto.castptr %c256 : i64 -> !pto.ptr<f32, ub>
    %u2 = pto.castptr %c512 : i64 -> !pto.ptr<f32, ub>
)" + body +
         R"(
    return
  }
})";
}

inline const std::string kLoad =
    "    pto.mte_gm_ub %ga, %u0, %c0, %c256 nburst(%c1, %c256, %c256) : !pto.ptr<f32, gm>, !pto.ptr<f32, "
    "ub>, i64, i64, "
    "i64, i64, i64\n";
inline const std::string kStore =
    "    pto.mte_ub_gm %u0, %gb, %c256 nburst(%c1, %c256, %c256) : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, "
    "i64, i64, i64, "
    "i64\n";
inline std::string set_flag(const char* src, const char* dst, int id = 0) {
  return std::string("    pto.set_flag[\"") + src + "\", \"" + dst + "\", \"EVENT_ID" + std::to_string(id) +
         "\"]\n";
}
inline std::string wait_flag(const char* src, const char* dst, int id = 0) {
  return std::string("    pto.wait_flag[\"") + src + "\", \"" + dst + "\", \"EVENT_ID" + std::to_string(id) +
         "\"]\n";
}

inline Bench two_buffers() {
  Bench bench;
  bench.machine = make_machine(Target::a5);
  bench.buffer(256);
  bench.buffer(256);
  std::memset(bench.arguments[1].bytes.data(), 0xee, 256);
  return bench;
}

}  // namespace pto::sim::test
