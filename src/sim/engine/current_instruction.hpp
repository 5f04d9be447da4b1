// The instruction that is being carried out: where findings and events that it causes are placed.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pto/simulator.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/engine/hidden_phase.hpp"
#include "sim/simt/warps.hpp"

namespace pto::sim {

class CurrentInstruction final : public RunContext, public HiddenPhase {
 public:
  explicit CurrentInstruction(const Device& device) : d_(device) {}

  /// An instruction of the scalar unit.
  void enter_scalar(Core& core, uint32_t pc) {
    core_ = &core;
    pipe_ = Pipe::s;
    pc_ = pc;
  }
  /// An entry of the queue of a pipe.
  void enter_entry(Core& core, Pipe pipe, const Slot& slot) {
    core_ = &core;
    pipe_ = pipe;
    pc_ = slot.code->pc;
    block_end_ = core.end_of_block(slot);
  }
  /// Another operation of the same entry.
  void set_pc(uint32_t pc) { pc_ = pc; }
  /// The threads that the entry runs; null: none.
  void set_threads(const Warps* threads) { threads_ = threads; }
  /// What follows is a part of the instruction that its function does not have.
  void set_hidden(bool hidden) { hidden_ = hidden; }

  [[nodiscard]] Core& core() const { return *core_; }
  [[nodiscard]] uint32_t pc() const { return pc_; }
  /// " by thread .." for messages about a SIMT launch, else empty. Its loops are put into the frame
  /// for the moment of the finding.
  [[nodiscard]] std::string thread_name() const;
  void place(FootprintEvent& event) const;

  // ---- RunContext, HiddenPhase
  [[nodiscard]] Moment moment() const override;
  [[nodiscard]] EntryMark mark() const override;
  [[nodiscard]] Moment moment_of(const EntryMark& mark) const override;
  [[nodiscard]] ValueId operand_at(Space space, uint64_t addr) const override;
  [[nodiscard]] bool in_hidden_phase() const override { return hidden_; }

 private:
  /// A tile or a pointer.
  struct ChipOperand {
    ValueId value;
    Space space;
    bool tile;
    uint32_t offset;  ///< in the frame
    uint64_t bytes;   ///< of a tile
  };
  using Key = std::pair<const exec::Inst*, uint32_t>;  ///< instruction and operation
  struct OperandCache {
    std::map<Key, std::vector<ChipOperand>> all;
    Key last_key{nullptr, ~0u};
    const std::vector<ChipOperand>* last = nullptr;
  };
  [[nodiscard]] const exec::Word* block_end() const { return pipe_ == Pipe::s ? nullptr : block_end_; }
  [[nodiscard]] std::span<const ChipOperand> chip_operands() const;

  const Device& d_;
  Core* core_ = nullptr;
  Pipe pipe_ = Pipe::none;
  uint32_t pc_ = ~0u;
  const Warps* threads_ = nullptr;
  const exec::Word* block_end_ = nullptr;  ///< of the entry; stale while the scalar unit runs
  bool hidden_ = false;
  mutable OperandCache operands_;
};

}  // namespace pto::sim
