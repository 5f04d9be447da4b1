// Pipes, events and the parameters of a machine that everything but the cost rows needs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "pto/type.hpp"

namespace pto {

/// Hardware pipes; numeric values are the public enum's (pto.pipe).
enum class Pipe : uint8_t { s = 0, v = 1, m = 2, mte1 = 3, mte2 = 4, mte3 = 5, all = 6, fix = 10, none = 99 };
std::string_view to_string(Pipe pipe);          ///< "PIPE_MTE2"
/// Queues a core executes, in dataflow order; index into per-core arrays.
inline constexpr std::array<Pipe, 6> kQueuePipes = {Pipe::mte2, Pipe::mte1, Pipe::m, Pipe::v, Pipe::fix, Pipe::mte3};
int queue_index(Pipe pipe);                     ///< position in kQueuePipes, -1 for S/ALL/none

/// Which core of a cluster runs an instruction. `mixed`: a function without kind or sections that uses both.
enum class CoreKind : uint8_t { aic, aiv, mixed };

enum class Basis : uint8_t { measured, simulator, documented, assumed };
std::string_view to_string(Basis basis);

/// What a target is, apart from cost rows. Read from sim-configs/<target>.toml, section [machine].
struct Machine {
  Target target = Target::a2a3;
  std::string chip;                             ///< e.g. "910B3"
  double clock_ghz = 0;
  std::array<uint64_t, kSpaceCount> bytes{};    ///< capacity per Space; gm unlimited = 0
  uint32_t base_alignment = 32;                 ///< bytes, tile base addresses
  uint32_t l0_alignment = 512;
  int event_ids = 8;                            ///< per ordered pipe pair
  bool flag_is_counter = false;                 ///< false: one bit per flag, a second set before the wait is lost
  bool flag_key_has_src = true;                 ///< key (src,dst,id); false: (dst,id)
  int cross_core_ids = 16;
  int buffer_ids = 32;                          ///< get_buf / rls_buf tokens
  int queue_depth = 0;                          ///< entries per pipe queue
  uint32_t issue_cycles = 1;                    ///< scalar unit: cycles per instruction put into a queue
  uint32_t scalar_cycles = 1;                   ///< scalar unit: cycles per scalar instruction
  uint32_t ub_bank_group_bytes = 32, ub_bank_groups = 16;
  int tf32_mantissa_bits = 10;                  ///< explicit mantissa bits kept by TF32 mode
  bool tf32_supported = false;                  ///< settf32mode has an effect
  bool flush_denormals = false;
  uint32_t clusters = 1;
};

}  // namespace pto
