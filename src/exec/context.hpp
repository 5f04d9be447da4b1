// What an instruction's semantics may touch: its operands, the memories of its core, the control registers.
//
// A loaded instruction is an Inst; its operand values are words in a frame. Scalar instructions read and write the frame
// of the scalar unit. Instructions queued on a pipe get their operands captured when they issue, and run when they
// complete. Inside a vecscope, vector instructions work on the frame of the vector function. The function does not see
// the difference: it asks the Context.
//
// Words per value: scalar, ptr 1 (raw bits: integers sign-extended from their width, i1 0/1, floats as their bit
// pattern); tile_buf sizeof(TileDesc)/8; views and memref sizeof(ViewDesc)/8; vreg 32; mask 4; align sizeof(AlignState)/8;
// eventid_array, local_array one per element; vector<NxT> ceil(bytes/8); pipe 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "isa/row.hpp"
#include "pto/machine.hpp"
#include "pto/program.hpp"

namespace pto::exec {

using Word = uint64_t;

/// A tile at run time: where it is and how much of it is valid. Layout, element and static shape are in its Type.
struct TileDesc {
  uint64_t addr;                       ///< byte offset in the tile's memory
  uint32_t valid_rows, valid_cols;
  uint32_t storage_rows, storage_cols; ///< Rows and Cols of the offset formula: the type's, or the parent's for a subview
};
/// A window of GM, 5-D: offset of (i0..i4) is sum(i_k * stride_k) elements. Ranks below 5 are filled with 1 on the left.
struct ViewDesc {
  uint64_t addr;                       ///< GM byte address of element 0
  int64_t shape[5];
  int64_t stride[5];                   ///< elements
  uint64_t layout;                     ///< 0 nd, 1 dn, 2 nz
};
struct VReg { alignas(8) uint8_t byte[256]; };
struct Mask { uint64_t bit[4]; };      ///< bit i = byte i of a vreg; a lane is active when the bit of its lowest byte is set
struct AlignState { uint8_t byte[32]; uint64_t fill; uint64_t addr; };   ///< pending bytes of an unaligned stream

constexpr uint32_t words_of_bytes(uint64_t bytes) { return static_cast<uint32_t>((bytes + 7) / 8); }
uint32_t words_of(const Type& type);

class Context;
using ExecFn = void (*)(Context&);

/// A value's place in a frame.
struct ValueRef {
  uint32_t offset = 0;                 ///< word offset in the frame
  const Type* type = nullptr;          ///< null: absent
};

/// One loaded instruction. Immutable during the run.
struct Inst {
  uint32_t pc = 0;                     ///< index in Program::ops
  RowId row = 0;
  Pipe pipe = Pipe::none;
  ExecFn fn = nullptr;
  const isa::Schema* schema = nullptr;
  std::span<const uint32_t> slot_begin;   ///< per operand slot: first entry in `values`; slot_begin[n_slots] = end
  std::span<const ValueRef> values;       ///< operands of all slots, absent optionals left out
  std::span<const ValueRef> results;
  std::span<const AttrValue> attrs;       ///< one per attribute spec; not written: the default, kind unit + 0 when none
  std::span<const uint8_t> attr_set;      ///< 1 when written
};

enum class Access : uint8_t { read, write, update };

/// Control registers of one core (docs/micro-semantics.md lists the bits).
struct ControlState {
  uint64_t ctrl = uint64_t{1} << 48;   ///< CTRL: 46 TF32 enable, 47 rounding (1 = away), 48 no saturation (set at launch), ..
  uint64_t loop_size_out_ub = 0x200001, loop1_stride_out_ub = 0, loop2_stride_out_ub = 0;   ///< size: loop1[20:0] | loop2<<21
  uint64_t loop_size_ub_out = 0x200001, loop1_stride_ub_out = 0, loop2_stride_ub_out = 0;
  uint64_t loop_size_out_l1 = 0x200001, loop1_stride_out_l1 = 0, loop2_stride_out_l1 = 0;
  uint64_t mov_pad_val = 0, pad_val_out_l1 = 0, mte2_nz_para = 0;
  uint64_t loop3_para[2] = {0, 0}, channel_para = 0, quant_pre = 0, relu_alpha = 0, fix_clip_relu = 0, fpc = 0;
  uint64_t ar = 0, sqzn = 0;            ///< SPR AR: byte offset of vstur/vstar; SPR SQZN: bytes kept by the last vsqz/vusqz
  uint64_t vms4_sr = 0;                ///< executed counts of the last vmrgsort4
};
inline constexpr int kCtrlTf32 = 46, kCtrlTf32Away = 47, kCtrlNoSat = 48;

/// Ids of findings an instruction can raise while it runs; the texts are the engine's.
enum class Fault : uint8_t { out_of_bounds, misaligned, divide_by_zero, undefined_value, bad_operand, unsupported };

/// The memories of a core plus GM, as the engine lends them. Every access is bounds-checked and reported to observers.
class Memory {
 public:
  virtual ~Memory() = default;
  /// Checked pointer to `bytes` bytes at `addr`; null after a finding. Reported as one contiguous footprint.
  virtual std::byte* access(Space space, uint64_t addr, uint64_t bytes, Access how) = 0;
  /// Checked pointer to the first row of `rows` rows of `row_bytes`, `pitch` bytes apart (may be 0 or negative: the
  /// lowest and highest byte are checked). Reported as one strided footprint. The pointer is to the byte at `addr`.
  virtual std::byte* access_rows(Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes, int64_t pitch, Access how) = 0;
  /// A write to the local memory of another core of the cluster (A5 fixpipe L0C -> UB of an AIV, UB -> L1).
  /// core: 0 AIC, 1 AIV0, 2 AIV1.
  virtual std::byte* access_peer(int core, Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes, int64_t pitch, Access how) = 0;
};

class Context {
 public:
  const Inst* inst = nullptr;
  Word* frame = nullptr;               ///< operand and result words
  Memory* memory = nullptr;
  ControlState* control = nullptr;     ///< of the core; for queued instructions the snapshot taken at issue
  const Machine* machine = nullptr;
  uint32_t block_idx = 0, block_num = 1, subblock_idx = 0, subblock_num = 2;

  // ---- operands by slot
  [[nodiscard]] unsigned count(unsigned slot) const { return inst->slot_begin[slot + 1] - inst->slot_begin[slot]; }
  [[nodiscard]] bool has(unsigned slot) const { return count(slot) != 0; }
  [[nodiscard]] const ValueRef& ref(unsigned slot, unsigned i = 0) const { return inst->values[inst->slot_begin[slot] + i]; }
  [[nodiscard]] const Type& type(unsigned slot, unsigned i = 0) const { return *ref(slot, i).type; }
  [[nodiscard]] Word word(unsigned slot, unsigned i = 0) const { return frame[ref(slot, i).offset]; }
  [[nodiscard]] int64_t i64(unsigned slot, unsigned i = 0) const { return static_cast<int64_t>(word(slot, i)); }
  template <typename T>
  [[nodiscard]] T& as(unsigned slot, unsigned i = 0) const { return *reinterpret_cast<T*>(frame + ref(slot, i).offset); }
  [[nodiscard]] TileDesc& tile(unsigned slot) const { return as<TileDesc>(slot); }
  [[nodiscard]] ViewDesc& view(unsigned slot) const { return as<ViewDesc>(slot); }
  [[nodiscard]] VReg& vreg(unsigned slot) const { return as<VReg>(slot); }
  [[nodiscard]] Mask& mask(unsigned slot) const { return as<Mask>(slot); }

  // ---- results
  [[nodiscard]] const Type& result_type(unsigned i = 0) const { return *inst->results[i].type; }
  void set(Word value, unsigned i = 0) const { frame[inst->results[i].offset] = value; }
  template <typename T>
  [[nodiscard]] T& result(unsigned i = 0) const { return *reinterpret_cast<T*>(frame + inst->results[i].offset); }

  // ---- attributes by spec index
  [[nodiscard]] int64_t attr(unsigned spec) const { return inst->attrs[spec].integer; }
  [[nodiscard]] bool attr_set(unsigned spec) const { return inst->attr_set[spec] != 0; }
  [[nodiscard]] std::string_view attr_text(unsigned spec) const;   ///< string attributes

  /// Records a finding at this instruction; the instruction's remaining effects are the caller's to skip.
  void fault(Fault kind, std::string message) const;

  void* engine = nullptr;              ///< the engine's own
  const Program* program = nullptr;
};

/// Semantics by row name. One table per family file; `find` is used once per instruction at load.
struct Semantics { std::string_view name; ExecFn fn; };
ExecFn find(std::string_view row_name);
/// The families, for the completeness test.
std::span<const Semantics> tile_elementwise();
std::span<const Semantics> tile_reduce_expand();   ///< reductions and partial operations
std::span<const Semantics> tile_expand();
std::span<const Semantics> tile_irregular();
std::span<const Semantics> tile_sort();
std::span<const Semantics> tile_gather();
std::span<const Semantics> tile_load_store();
std::span<const Semantics> tile_fused();
std::span<const Semantics> tile_select();
std::span<const Semantics> tile_convert();
std::span<const Semantics> tile_move();
std::span<const Semantics> tile_matmul();
std::span<const Semantics> vector_alu();
std::span<const Semantics> vector_memory();
std::span<const Semantics> predicate();
std::span<const Semantics> dma();
std::span<const Semantics> cube();
std::span<const Semantics> fixpipe();
std::span<const Semantics> scalar();
std::span<const Semantics> descriptor();     ///< views, pointers, tiles: address arithmetic only

}  // namespace pto::exec
