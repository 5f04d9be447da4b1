// Several devices that run one kernel at the same time, each with memory of its own, and reach each other's
// windows over links (docs/user/ranks.md).
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

inline constexpr uint32_t kMostRanks = 64;
inline constexpr size_t kContextWords = 132;  ///< of 64 bits, in the context that a kernel gets

/// The processes that share the ranks of a run: this is one of them. The base is alone.
class RankTransport {
 public:
  virtual ~RankTransport() = default;
  [[nodiscard]] virtual uint32_t process() const { return 0; }
  [[nodiscard]] virtual uint32_t processes() const { return 1; }
  /// The least number of all processes.
  virtual uint64_t least(uint64_t mine) { return mine; }
  /// Hands a text to each process and gives what each of them had for this one.
  virtual std::vector<std::string> exchange(std::vector<std::string> texts) { return texts; }

  /// Which process runs a rank.
  [[nodiscard]] uint32_t owner(uint32_t rank, uint32_t ranks) const {
    return static_cast<uint32_t>(uint64_t{rank} * processes() / ranks);
  }
};

/// The first error that a process has, at all of them: nobody goes on alone.
std::optional<Error> first_error(RankTransport& transport, const std::optional<Error>& mine);
template <typename T>
std::optional<Error> first_error(RankTransport& transport, const Result<T>& mine) {
  return first_error(transport, mine.ok() ? std::nullopt : std::optional(mine.error()));
}

/// What an argument is among devices.
struct RankArgument {
  uint32_t peer = ~0u, of = 0;  ///< no buffer of its own, but argument `of` of rank `peer`
  bool window = true;           ///< the others may access it
  [[nodiscard]] bool of_peer() const { return peer != ~0u; }
};

/// A rank that this process runs.
struct RankJob {
  uint32_t rank = 0;
  std::vector<Argument> arguments;       ///< in kernel order; they receive the outputs
  std::vector<RankArgument> known = {};  ///< in that order; may be shorter
  std::vector<Observer*> observers = {};
  std::function<void(const Printed&)> print = nullptr;  ///< in place of SimOptions::print
};

/// What went over the links of a rank.
struct RankTraffic {
  uint64_t sent_bytes = 0, got_bytes = 0;  ///< written there, and read from there
  uint64_t notifies = 0;
};
struct RankResult {
  uint32_t rank = 0;
  SimResult result;
  RankTraffic traffic;
};

/// The context of a rank, as kernels get it: number, count, and where the windows of all ranks lie.
void write_context(std::span<std::byte> bytes, uint32_t rank, uint32_t ranks);

/// Runs `ranks` devices, of which `jobs` are those of this process. Every rank's arguments have the same
/// sizes. `topology`: one of the target's; empty: the one it names. The same results whatever process runs
/// what.
Result<std::vector<RankResult>> simulate_ranks(const Program& program, uint32_t ranks,
                                               std::vector<RankJob>& jobs, const SimOptions& options,
                                               const std::string& topology, RankTransport& transport);

}  // namespace pto
