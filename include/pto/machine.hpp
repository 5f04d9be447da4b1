// The parameters of a machine: everything about a target but its cost rows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "pto/pipe.hpp"
#include "pto/result.hpp"
#include "pto/type.hpp"

namespace pto {

/// The source of a parameter of a machine.
enum class Basis : uint8_t { measured, simulator, documented, assumed };
std::string_view to_string(Basis basis);

/// Effect of a set_flag on a flag that is set. Silicon refutes `bit` (docs/decisions.md).
enum class FlagKind : uint8_t {
  counter,   ///< the flag counts its sets, up to flag_capacity(); a set beyond that waits
  bit,       ///< the second set is lost
  bit_stall  ///< the pipe that sets waits until the first set is taken
};
std::string_view to_string(FlagKind kind);

/// The parameters of a target without its cost rows. Read from sim-configs/<target>.toml, section
/// [machine].
struct Machine {
  Target target = Target::a2a3;
  std::string chip;  ///< e.g. "910B3"
  double clock_ghz = 0;
  std::array<uint64_t, kSpaceCount> bytes{};  ///< capacity per Space; gm unlimited = 0
  uint32_t base_alignment = 32;               ///< bytes, tile base addresses
  uint32_t l0_alignment = 512;
  int event_ids = 8;                   ///< per ordered pipe pair
  FlagKind flags = FlagKind::counter;  ///< effect of a second set before the wait
  bool flag_key_has_src = true;        ///< key (src,dst,id); false: (dst,id)
  bool vector_overlaps = false;  ///< dependent instructions of PIPE_V need a barrier of PIPE_V between them
  int cross_core_ids = 16;
  int buffer_ids = 32;         ///< get_buf / rls_buf tokens
  int queue_depth = 0;         ///< entries per pipe queue
  uint32_t issue_cycles = 1;   ///< scalar unit: cycles per instruction put into a queue
  uint32_t scalar_cycles = 1;  ///< scalar unit: cycles per scalar instruction
  uint32_t ub_bank_group_bytes = 32, ub_bank_groups = 16;
  std::array<uint32_t, kQueuePipes.size()>
      slow{};                   ///< factor on the cycles of the instructions of a queue; 0: none
  int tf32_mantissa_bits = 10;  ///< explicit mantissa bits kept by TF32 mode
  bool tf32_supported = false;  ///< settf32mode is implemented
  bool flush_denormals = false;
  uint32_t clusters = 1;

  /// The number of pending sets that one flag can hold.
  [[nodiscard]] uint32_t flag_capacity() const { return flags == FlagKind::counter ? 15 : 1; }
  /// Whether the pipe starts an entry before the earlier ones are complete.
  [[nodiscard]] bool overlaps(Pipe pipe) const { return vector_overlaps && pipe == Pipe::v; }
};

/// The machine of a target (a2a3, a5, cpu) or of a configuration file, for plan(). simulate() reads
/// the costs of instructions from the same name.
Result<Machine> load_machine(std::string_view target);

}  // namespace pto
