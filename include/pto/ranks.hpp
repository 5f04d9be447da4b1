// Several devices that run one kernel at the same time. Each has its own memory, and accesses the
// windows of the others over links (docs/user/ranks.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pto/program.hpp"
#include "pto/result.hpp"
#include "pto/simulator.hpp"

namespace pto {

inline constexpr uint32_t kMaxRanks = 64;
inline constexpr size_t kContextWords = 132;  ///< 64-bit words in the context that a kernel receives

/// This process among the processes that share the ranks of a run. The base class is a single
/// process.
class RankTransport {
 public:
  virtual ~RankTransport() = default;
  [[nodiscard]] virtual uint32_t process() const { return 0; }
  [[nodiscard]] virtual uint32_t processes() const { return 1; }
  /// The minimum of the values of all processes.
  virtual uint64_t least(uint64_t mine) { return mine; }
  /// Sends one text to each process, and returns the texts that each process sent to this one.
  virtual std::vector<std::string> exchange(std::vector<std::string> texts) { return texts; }

  /// The process that runs a rank.
  [[nodiscard]] uint32_t owner(uint32_t rank, uint32_t ranks) const {
    return static_cast<uint32_t>(uint64_t{rank} * processes() / ranks);
  }
};

/// The first error of any process, returned in all of them: either all processes continue, or none.
std::optional<Error> first_error(RankTransport& transport, const std::optional<Error>& mine);
template <typename T>
std::optional<Error> first_error(RankTransport& transport, const Result<T>& mine) {
  return first_error(transport, mine.ok() ? std::nullopt : std::optional(mine.error()));
}

/// The role of an argument among the devices.
struct RankArgument {
  uint32_t peer = ~0u, of = 0;  ///< refers to argument `of` of rank `peer`; ~0: has its own buffer
  bool window = true;           ///< the others may access it
  [[nodiscard]] bool of_peer() const { return peer != ~0u; }
};

/// A rank that this process runs.
struct RankJob {
  uint32_t rank = 0;
  std::vector<Argument> arguments;       ///< in kernel order; they receive the outputs
  std::vector<RankArgument> known = {};  ///< in the same order; may be shorter
  std::vector<Observer*> observers = {};
  std::function<void(const Printed&)> print = nullptr;  ///< replaces SimOptions::print
};

/// Bytes and notifications of a rank over its links.
struct RankTraffic {
  uint64_t sent_bytes = 0, got_bytes = 0;  ///< written to and read from other ranks
  uint64_t notifies = 0;
};
struct RankResult {
  uint32_t rank = 0;
  SimResult result;
  RankTraffic traffic;
};

/// Writes the context that kernels of a rank receive: rank, rank count, and the addresses of the
/// windows of all ranks.
void write_context(std::span<std::byte> bytes, uint32_t rank, uint32_t ranks);

/// Runs `ranks` devices; `jobs` are those of this process. The arguments of all ranks have the same
/// sizes. `topology` names a topology of the target; empty: its default. The results do not depend
/// on the distribution of ranks over processes.
Result<std::vector<RankResult>> simulate_ranks(const Program& program, uint32_t ranks,
                                               std::vector<RankJob>& jobs, const SimOptions& options,
                                               const std::string& topology, RankTransport& transport);

}  // namespace pto
