// Checkers: observers that find what a program does wrong. simulate() attaches them as SimOptions says and
// moves what they found into SimResult::findings; a caller may also attach them itself.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "isa/row.hpp"
#include "pto/machine.hpp"
#include "pto/simulator.hpp"
#include "sim/engine/hidden_phase.hpp"

namespace pto::sim {

class RunChecker : public Observer {
 public:
  void on_context(const RunContext& context) override {
    context_ = &context;
    hidden_ = dynamic_cast<const HiddenPhase*>(&context);
  }
  /// Moves the findings out, in the order they were made; call after the run.
  virtual std::vector<Diagnostic> take_findings() = 0;

 protected:
  /// Now, and the operand that an address belongs to; unknown without an engine.
  [[nodiscard]] bool has_context() const { return context_ != nullptr; }
  [[nodiscard]] std::optional<Moment> moment() const {
    return context_ ? std::optional(context_->moment()) : std::nullopt;
  }
  /// Of the whole entry that runs; with an engine only.
  [[nodiscard]] EntryMark mark() const { return context_->mark(); }
  [[nodiscard]] Moment moment_of(const EntryMark& mark) const { return context_->moment_of(mark); }
  /// HiddenPhase::in_hidden_phase().
  [[nodiscard]] bool in_hidden_phase() const { return hidden_ != nullptr && hidden_->in_hidden_phase(); }
  [[nodiscard]] ValueId operand_at(Space space, uint64_t addr) const {
    return context_ && space != Space::gm ? context_->operand_at(space, addr) : kNoValue;
  }
  /// Whether the bytes belong to a tile that the instruction reads, be it one that it writes as well.
  [[nodiscard]] bool is_input(const Program& program, const FootprintEvent& event) const {
    const ValueId value = operand_at(event.space, event.addr);
    if (value == kNoValue) return false;
    const OpView op(program, event.pc);
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      if (schema.operands[slot].role == isa::Role::in && std::ranges::count(op.operands(slot), value) != 0)
        return true;
    }
    return false;
  }

 private:
  const RunContext* context_ = nullptr;
  const HiddenPhase* hidden_ = nullptr;
};

/// RACE: two accesses to the same bytes, one of them a write, that no flag, barrier or token orders. Advises
/// flags with the ids that the machine has.
class RaceFindings : public RunChecker {
 public:
  [[nodiscard]] virtual bool has_errors() const = 0;
  /// A flag that is set again before its wait is known.
  [[nodiscard]] virtual bool has_reuse() const = 0;
  /// SimResult::double_sets of all timings.
  [[nodiscard]] virtual uint64_t double_sets() const = 0;
  /// Operations that read what others write behind them without waiting.
  [[nodiscard]] virtual std::set<uint32_t> racing_readers() const = 0;
  /// UnorderedPair::first_issued of pairs whose first access is the entry that runs.
  [[nodiscard]] virtual uint64_t issued(uint32_t core, Pipe pipe) const = 0;
  /// Of a second run, in which what is in no order happens the other way round: an output that came out
  /// otherwise.
  virtual void confirm_effect(std::string_view output) = 0;
};
/// Two accesses to the same bytes, or a wait and a set of its flag behind it, that nothing orders. The second
/// one is what runs now.
struct UnorderedPair {
  uint64_t begin = 0, end = 0;  ///< the part of the second one's footprint; nothing of flags
  uint32_t first_core = 0, second_core = 0;
  Pipe first = Pipe::none, second = Pipe::none;
  uint64_t first_issued = 0;  ///< twice the number of entries that scalar units had put into queues
  bool behind_write = false;  ///< the first one writes and comes first in the text
  bool is_benign = false;     ///< both vector cores do the same
  int flag = -1;              ///< the event id of a set
};
using Unordered = std::function<void(const UnorderedPair&)>;
/// `rank`: of several devices; RANK-RACE is about accesses of others.
std::unique_ptr<RaceFindings> make_race_checker(const Machine& machine, Unordered unordered = nullptr,
                                                std::optional<uint32_t> rank = {});
/// MEM-BAR: accesses of one vector function to the same bytes of UB that no mem_bar and no register orders.
/// `any_bytes`: stores over others count whatever was put there in this run; sorted.
std::unique_ptr<RunChecker> make_vector_order_checker(const std::vector<uint32_t>& any_bytes);
/// STALE: scalar accesses of GM and those of others, without what maintains the data cache between them.
std::unique_ptr<RunChecker> make_cache_checker();
/// OVERLAP: buffers of on-chip memory that share bytes and destroy what is needed; OPERAND: an instruction
/// that writes across a tile which it reads. Advises places within the machine's memories.
std::unique_ptr<RunChecker> make_overlap_checker(const Machine& machine);
/// CLOBBERED: a read of bytes in which an instruction has left something else: what was in its scratch tile
/// or behind it, and sources that it works in.
std::unique_ptr<RunChecker> make_clobber_checker();
/// UNINIT: a read of bytes that nothing wrote. What is only a warning waits for more runs, with other
/// bytes there.
class UninitialisedFindings : public RunChecker {
 public:
  [[nodiscard]] virtual bool has_warnings() const = 0;
  /// Something reads bytes none of which were written.
  [[nodiscard]] virtual bool reads_nothing() const = 0;
  /// Of these: an output that came out otherwise, "" for none, whether more than the bytes themselves has
  /// come there, and whether nothing else has.
  virtual void confirm_effect(std::string_view output, bool computed, bool nothing_else) = 0;
  /// Moves that confirm_effect() has taken for padding, of which an output holds some.
  virtual std::vector<Diagnostic> take_padding() = 0;
};
std::unique_ptr<UninitialisedFindings> make_uninitialised_checker();

/// The note of another finding that this one follows from.
Note derived_note(const Diagnostic& finding);
/// Adds what checkers found to what the engine told; what follows from another finding becomes its note.
void add_with_consequences(const Program& program, std::vector<Diagnostic> found, Diagnostics& reported);

}  // namespace pto::sim
