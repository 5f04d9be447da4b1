// Pipes of a core.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace pto {

/// Hardware pipes; numeric values are the public enum's (pto.pipe).
enum class Pipe : uint8_t { s = 0, v = 1, m = 2, mte1 = 3, mte2 = 4, mte3 = 5, all = 6, fix = 10, none = 99 };
std::string_view to_string(Pipe pipe);  ///< "PIPE_MTE2"
/// Queues a core executes, in dataflow order; index into per-core arrays.
inline constexpr std::array<Pipe, 6> kQueuePipes = {Pipe::mte2, Pipe::mte1, Pipe::m,
                                                    Pipe::v,    Pipe::fix,  Pipe::mte3};

/// Which core of a cluster runs an instruction. `mixed`: a function without kind or sections that uses both.
enum class CoreKind : uint8_t { aic, aiv, mixed };

}  // namespace pto
