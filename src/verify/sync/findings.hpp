// The findings of a walk in the words of the program.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "verify/sync/block_model.hpp"
#include "verify/sync/kernel_walk.hpp"

namespace pto::legality::sync {

inline std::string_view plural_suffix(uint64_t count) { return count == 1 ? "" : "s"; }
/// Of pointers and views the first byte is followed only.
inline std::string range_text(int64_t begin, int64_t end) {
  return end - begin == 1 ? fmt::format("byte {}", begin) : fmt::format("bytes {} to {}", begin, end - 1);
}
/// The operation itself where it stands in a vector scope.
inline uint32_t place_of(const LastAccess& access) {
  return access.inside != ~0U ? access.inside : access.when.op;
}

/// Diagnostics of all kernels of a program, each told once.
class Report {
 public:
  explicit Report(Checker& check) : check_(check), program_(check.program()) {}
  void flags(Walk& walk, uint32_t function);
  void orders(Walk& walk);
  void tiles(Walk& walk);
  /// Signals between the two kinds of core of one kernel.
  void signals(const std::vector<Signal>& cube, const std::vector<Signal>& vector);
  /// What is certain of the cores of a block together; in front of signals().
  void block(const BlockModel& model);
  /// Hands everything over, in the order of the text.
  void finish();

 private:
  void never_set(Walk& walk, size_t flag, uint32_t function);
  void deficit(const FlagUse& use, const FlagDeficit& each);
  void double_set(const CoreModel& core, const DoubleSet& each);
  void leftover_set(const FlagUse& use, const LeftoverSet& each);
  void held_over(const FlagUse& use, const FlagHeldOver& each);
  void reuse(const CoreModel& core, const Reuse& each);
  bool order(const CoreModel& core, const Race& race);
  [[nodiscard]] Fix order_help(const CoreModel& core, const Race& race, const FlagUse* idle) const;
  [[nodiscard]] std::string shared_bytes(const Race& race) const;
  [[nodiscard]] const FlagUse* idle_flag(const CoreModel& core, const Race& race) const;
  [[nodiscard]] std::optional<FlagKey> free_flag(const CoreModel& core, int src, int dst) const;
  void never_awaited(const FlagUse& use);
  void deadlock(const CoreModel& core, const Deadlock& deadlock);
  void cycle(const CoreModel& core, const Deadlock& stuck);
  void buffers(const CoreModel& core);
  void unanswered(const Hang& hang);
  void core_cycle(const Hang& hang);
  void left_signal(const LeftSignal& left);
  void too_many_signals(const Overflow& overflow);
  bool core_order(const BlockModel& model, const BlockRace& race);
  [[nodiscard]] Fix signal_help(const BlockModel& model, const BlockAccess& first, const BlockAccess& second,
                                bool both) const;
  void lost_waits(const std::vector<Signal>& own, const std::vector<Signal>& others, CoreKind kind);
  void half_answered(const Signal& wait, const std::vector<Signal>& others);
  void lost_sets(const std::vector<Signal>& own, const std::vector<Signal>& others, CoreKind kind);
  Diagnostic* add(FindingId id, Severity severity, uint32_t op, Anchor anchor, uint32_t other,
                  std::string message, Fix help);
  /// An error with the first id where it is so whatever the inputs are, else a warning with the second.
  Diagnostic* add(bool certain, FindingId error, FindingId warning, uint32_t op, Anchor anchor,
                  uint32_t other, std::string message, Fix help);
  void note(Diagnostic& diagnostic, uint32_t op, std::string message, Anchor::Part part = Anchor::Part::op,
            uint32_t index = 0) const;
  void note_unreached(Diagnostic& diagnostic, FlagKey key, uint32_t function) const;
  [[nodiscard]] std::string place(uint32_t op) const;
  [[nodiscard]] TextPlace beside(TextPlace::Side side, uint32_t op) const;
  [[nodiscard]] Fix add_flag(const FlagKey& flag, uint32_t first, uint32_t second, bool next,
                             std::string_view rest) const;
  [[nodiscard]] uint32_t id_attribute(uint32_t op) const;
  [[nodiscard]] std::string operand_name(uint32_t op, unsigned slot) const;

  Checker& check_;
  const Program& program_;
  std::vector<Diagnostic> found_;
  std::set<uint32_t> double_sets_;  ///< statements that count on flags that keep their sets
  std::set<uint32_t> meant_;        ///< signals that belong to the slip of a wait
  std::set<std::tuple<FindingId, uint32_t, uint32_t>> told_;
};

}  // namespace pto::legality::sync
