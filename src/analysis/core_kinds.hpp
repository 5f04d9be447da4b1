// Which kind of core an operation needs: what a function says of itself, and where it says nothing, what its
// instructions work on. The tools that divide a function among its cores, and the loader, ask here.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/tile_queues.hpp"
#include "ir/call_graph.hpp"
#include "ir/symbol_table.hpp"
#include "pto/program.hpp"

namespace pto {

/// A set of kinds of core. none: every core may run it.
enum class CoreSet : uint8_t { none = 0, cube = 1, vector = 2, both = 3 };
constexpr CoreSet operator|(CoreSet a, CoreSet b) {
  return static_cast<CoreSet>(static_cast<uint8_t>(a) | static_cast<uint8_t>(b));
}
constexpr bool has(CoreSet set, CoreSet one) {
  return (static_cast<uint8_t>(set) & static_cast<uint8_t>(one)) != 0;
}

/// Whether some function without a kind may need both kinds of core, or has sections: only then Cores has an
/// answer that divides it. Looks at each operation once.
bool may_need_division(const Program& program);

class Cores {
 public:
  Cores(const Program& program, const Functions& functions, const CallGraph& calls);

  /// The operation alone, without its regions; a vector scope is one operation. Sections are their kind.
  /// Calls need what a function without a kind needs; one of a function with a kind is skipped on cores of
  /// the other kind, so every core may come to it.
  [[nodiscard]] CoreSet cores_of(uint32_t op) const;
  /// With everything in it, outside of sections.
  [[nodiscard]] CoreSet cores_of_all(uint32_t op) const;
  /// Of a function and all that it calls; sections count.
  [[nodiscard]] CoreSet cores_of_function(uint32_t function) const { return needed_[function]; }
  /// An instruction of synchronisation that both kinds of core have, where nothing says which one is meant:
  /// a flag between the scalar unit and MTE2.
  [[nodiscard]] bool is_unknown(uint32_t op) const;

 private:
  [[nodiscard]] CoreSet cores_of_call(uint32_t op) const;
  [[nodiscard]] CoreSet cores_of_queue(uint32_t op) const;

  const Program& program_;
  const Functions& functions_;
  std::optional<QueueFacts> queues_;
  std::vector<std::pair<uint32_t, uint32_t>> callees_;  ///< call, function; by call
  std::vector<CoreSet> needed_;                         ///< by function
};

}  // namespace pto
