// The decoded instruction and its operands, for the semantics and for the cost models.
//
// A loaded instruction is an Inst; its operand values are words in a frame. Words per value: scalar, ptr 1
// (raw bits: integers sign-extended from their width, i1 0/1, floats as their bit pattern); tile_buf
// sizeof(TileDesc)/8; views and memref sizeof(ViewDesc)/8; vreg 32; mask 4; align sizeof(AlignState)/8; vmi
// vreg 32 per 256 bytes; vmi mask a bit per lane; eventid_array, local_array one per element; vector<NxT>
// ceil(bytes/8); pipe 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/row.hpp"
#include "pto/pipe.hpp"
#include "pto/program.hpp"

namespace pto::exec {
class Context;
}

namespace pto::decode {

using Word = uint64_t;

/// A tile at run time: where it is and how much of it is valid. Layout, element and static shape are in its
/// Type.
struct TileDesc {
  uint64_t addr;  ///< byte offset in the tile's memory
  uint32_t valid_rows, valid_cols;
  uint32_t storage_rows,
      storage_cols;  ///< Rows and Cols of the offset formula: the type's, or the parent's for a subview
};
/// A window of GM, 5-D: offset of (i0..i4) is sum(i_k * stride_k) elements. Ranks below 5 are filled with 1
/// on the left.
struct ViewDesc {
  uint64_t addr;  ///< GM byte address of element 0
  int64_t shape[5];
  int64_t stride[5];  ///< elements
  uint64_t layout;    ///< 0 nd, 1 dn, 2 nz
};
struct VReg {
  alignas(8) uint8_t byte[256];
};
struct Mask {
  uint64_t bit[4];
};  ///< bit i = byte i of a vreg; a lane is active when the bit of its lowest byte is set
struct AlignState {
  uint8_t byte[32];
  uint64_t fill;
  uint64_t addr;
};  ///< pending bytes of an unaligned stream

constexpr uint32_t words_of_bytes(uint64_t bytes) { return static_cast<uint32_t>((bytes + 7) / 8); }
uint32_t words_of(const Type& type);

/// Its semantics.
using ExecFn = void (*)(exec::Context&);

/// A value's place in a frame.
struct ValueRef {
  uint32_t offset = 0;         ///< word offset in the frame
  const Type* type = nullptr;  ///< null: absent
};

/// One loaded instruction. Immutable during the run.
struct Inst {
  uint32_t pc = 0;  ///< index in Program::ops
  RowId row = 0;
  Pipe pipe = Pipe::none;
  ExecFn fn = nullptr;
  const isa::Schema* schema = nullptr;
  std::span<const uint32_t>
      slot_begin;                    ///< per operand slot: first entry in `values`; slot_begin[n_slots] = end
  std::span<const ValueRef> values;  ///< operands of all slots, absent optionals left out
  std::span<const ValueRef> results;
  std::span<const AttrValue>
      attrs;  ///< one per attribute spec; not written: the default, kind unit + 0 when none
  std::span<const uint8_t> attr_set;  ///< 1 when written
  bool beside_micro = false;  ///< its function has micro instructions, so templates make it, not the library
};

/// Control registers that keep the value of an earlier kernel until a kernel writes them. Loop
/// sizes are 1 at the start, as public kernels assume.
enum class LeftOver : uint8_t {
  loop1_stride_out_ub,
  loop2_stride_out_ub,
  loop1_stride_ub_out,
  loop2_stride_ub_out,
  loop1_stride_out_l1,
  loop2_stride_out_l1,
  mov_pad_val,
  mte2_nz_para
};
/// Control registers of one core (docs/reference/numerics.md lists the bits).
struct ControlState {
  uint32_t written = 0;  ///< a bit for each LeftOver
  uint64_t ctrl =
      uint64_t{1}
      << 48;  ///< CTRL: 46 TF32 enable, 47 rounding (1 = away), 48 no saturation (set at launch), ..
  uint64_t loop_size_out_ub = 0x200001, loop1_stride_out_ub = 0,
           loop2_stride_out_ub = 0;  ///< size: loop1[20:0] | loop2<<21
  uint64_t loop_size_ub_out = 0x200001, loop1_stride_ub_out = 0, loop2_stride_ub_out = 0;
  uint64_t loop_size_out_l1 = 0x200001, loop1_stride_out_l1 = 0, loop2_stride_out_l1 = 0;
  uint64_t mov_pad_val = 0, pad_val_out_l1 = 0, mte2_nz_para = 0;
  uint64_t loop3_para[2] = {0, 0}, channel_para = 0, quant_pre = 0, relu_alpha = 0, fix_clip_relu = 0,
           fpc = 0;
  uint64_t ar = 0,
           sqzn = 0;     ///< SPR AR: byte offset of vstur/vstar; SPR SQZN: bytes kept by the last vsqz/vusqz
  uint64_t vms4_sr = 0;  ///< executed counts of the last vmrgsort4
  uint64_t vector_mask[2] = {~uint64_t{0},
                             ~uint64_t{0}};  ///< MASK of pto.ub.*: a bit per element, or their number
};
inline constexpr int kCtrlTf32 = 46, kCtrlTf32Away = 47, kCtrlNoSat = 48, kCtrlMaskCount = 56;

}  // namespace pto::decode
