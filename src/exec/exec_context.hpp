// The state that the semantics of an instruction can access: its operands, the memories of its core,
// and the control registers.
//
// A loaded instruction is an Inst; its operand values are words in a frame. Scalar instructions read and
// write the frame of the scalar unit. Instructions queued on a pipe get their operands captured when they
// issue, and run when they complete. Inside a vecscope, vector instructions work on the frame of the vector
// function. The semantics access all of them through the Context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "exec/semantics.hpp"
#include "isa/row.hpp"
#include "pto/machine.hpp"
#include "pto/program.hpp"
#include "target/decoded_inst.hpp"

namespace pto::exec {

using decode::AlignState, decode::ControlState, decode::ExecFn, decode::Inst, decode::LeftOver, decode::Mask,
    decode::TileDesc, decode::ValueRef, decode::ViewDesc, decode::VReg, decode::Word;
using decode::kCtrlNoSat, decode::kCtrlTf32, decode::kCtrlTf32Away, decode::words_of, decode::words_of_bytes;

class Context;
class FaultSink;

enum class AccessMode : uint8_t { read, write, update };

/// Ids of findings an instruction can raise while it runs; the texts are the engine's.
enum class Fault : uint8_t {
  out_of_bounds,
  misaligned,
  divide_by_zero,
  undefined_value,
  bad_operand,
  unsupported,
  beyond_view,  ///< inside the memory, outside its view: a warning
};

/// The memories of a core plus GM, as the engine lends them. Every access is bounds-checked and reported to
/// observers.
class Memory {
 public:
  virtual ~Memory() = default;
  /// Checked pointer to `bytes` bytes at `addr`; null after a finding. Reported as one contiguous footprint.
  virtual std::byte* access(Space space, uint64_t addr, uint64_t bytes, AccessMode how) = 0;
  /// Checked pointer to the first row of `rows` rows of `row_bytes`, `pitch` bytes apart (may be 0 or
  /// negative: the lowest and highest byte are checked). Reported as one strided footprint. The pointer is to
  /// the byte at `addr`.
  virtual std::byte* access_rows(Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes, int64_t pitch,
                                 AccessMode how) = 0;
  /// A write to the local memory of another core of the cluster (A5 fixpipe L0C -> UB of an AIV, UB -> L1).
  /// core: 0 AIC, 1 AIV0, 2 AIV1.
  virtual std::byte* access_peer(int core, Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes,
                                 int64_t pitch, AccessMode how) = 0;
  /// The scalar unit writes back and drops the line of its data cache that holds an address of GM, or all
  /// lines. Every access here is coherent; observers are notified, and judge the behaviour of hardware.
  virtual void clean_cache(uint64_t /*addr*/, bool /*all*/) {}
};

class Context {
 public:
  const Inst* inst = nullptr;
  Word* frame = nullptr;  ///< operand and result words
  Memory* memory = nullptr;
  ControlState* control = nullptr;  ///< of the core; for queued instructions the snapshot taken at issue
  const Machine* machine = nullptr;
  uint32_t block_idx = 0, block_num = 1, subblock_idx = 0, subblock_num = 2;

  // ---- operands by slot
  [[nodiscard]] unsigned count(unsigned slot) const {
    return inst->slot_begin[slot + 1] - inst->slot_begin[slot];
  }
  [[nodiscard]] bool has(unsigned slot) const { return count(slot) != 0; }
  [[nodiscard]] const ValueRef& ref(unsigned slot, unsigned i = 0) const {
    return inst->values[inst->slot_begin[slot] + i];
  }
  [[nodiscard]] const Type& type(unsigned slot, unsigned i = 0) const { return *ref(slot, i).type; }
  [[nodiscard]] Word word(unsigned slot, unsigned i = 0) const { return frame[ref(slot, i).offset]; }
  [[nodiscard]] int64_t i64(unsigned slot, unsigned i = 0) const {
    return static_cast<int64_t>(word(slot, i));
  }
  /// A size, 0 where it is negative.
  [[nodiscard]] uint64_t size(unsigned slot) const {
    return static_cast<uint64_t>(std::max<int64_t>(i64(slot), 0));
  }
  template <typename T>
  [[nodiscard]] T& as(unsigned slot, unsigned i = 0) const {
    return *reinterpret_cast<T*>(frame + ref(slot, i).offset);
  }
  [[nodiscard]] TileDesc& tile(unsigned slot) const { return as<TileDesc>(slot); }
  [[nodiscard]] ViewDesc& view(unsigned slot) const { return as<ViewDesc>(slot); }
  [[nodiscard]] VReg& vreg(unsigned slot) const { return as<VReg>(slot); }
  [[nodiscard]] Mask& mask(unsigned slot) const { return as<Mask>(slot); }

  // ---- results
  [[nodiscard]] const Type& result_type(unsigned i = 0) const { return *inst->results[i].type; }
  void set(Word value, unsigned i = 0) const { frame[inst->results[i].offset] = value; }
  template <typename T>
  [[nodiscard]] T& result(unsigned i = 0) const {
    return *reinterpret_cast<T*>(frame + inst->results[i].offset);
  }

  // ---- attributes by spec index
  [[nodiscard]] int64_t attr(unsigned spec) const { return inst->attrs[spec].integer; }
  [[nodiscard]] bool attr_set(unsigned spec) const { return inst->attr_set[spec] != 0; }
  [[nodiscard]] std::string_view attr_text(unsigned spec) const;  ///< string attributes

  /// Whether an on-chip address is a multiple of `unit` bytes; a finding when it is not. GM has no such rule
  /// here.
  bool aligned(Space space, uint64_t address, uint64_t unit, std::string_view what = "the address") const;
  /// Records a finding at this instruction; the instruction's remaining effects are the caller's to skip.
  void fault(Fault kind, std::string message) const;

  bool no_values = false;       ///< the bytes are touched and stay as they are (sim::RunHooks::no_values)
  bool again = false;           ///< set by an instruction of the scalar unit that waits for memory: not yet
  FaultSink* faults = nullptr;  ///< takes reports of the instruction; null: reports are dropped
  const Program* program = nullptr;
};

/// The memory that a pointer, view or memref refers to; GM where its type names none.
inline Space memory_space(const Type& type) {
  return type.is_view() || type.space == Space::none ? Space::gm : type.space;
}

}  // namespace pto::exec
