// Writes of the control registers: DMA loops, padding values, fixpipe parameters, atomic and TF32 mode (CTRL
// itself is a scalar instruction, scalar/scalar.cpp). Bit layouts: public ISA notes gathered in
// docs/reference/numerics.md.
#include "exec/atomic_update.hpp"
#include "exec/exec_context.hpp"

namespace pto::exec {
namespace {

/// Atomic stores to GM: CTRL [8:6] the element type, [10:9] the operation (atomic_update.hpp).
constexpr int kAtomicTypeShift = 6, kAtomicOpShift = 9;

/// Writes of registers that hold something else before.
template <LeftOver kRegister, ExecFn kWrite>
void first_write(Context& ctx) {
  kWrite(ctx);
  ctx.control->written |= 1u << static_cast<unsigned>(kRegister);
}
/// Registers written from one operand as it is.
template <uint64_t ControlState::*kField>
void write_register(Context& ctx) {
  ctx.control->*kField = ctx.word(0);
}
/// Stride registers: source in the low 40 bits, destination above.
template <uint64_t ControlState::*kField>
void write_strides(Context& ctx) {
  ctx.control->*kField = (ctx.word(0) & ((uint64_t{1} << 40) - 1)) | ctx.word(1) << 40;
}
/// Size registers: operands are loop2, loop1; loop1 in the low 21 bits.
template <uint64_t ControlState::*kField>
void write_sizes(Context& ctx) {
  constexpr uint64_t kMask = (uint64_t{1} << 21) - 1;
  ctx.control->*kField = (ctx.word(1) & kMask) | (ctx.word(0) & kMask) << 21;
}
/// Words given as low 40 and high 24 bits.
template <uint64_t ControlState::*kField>
void write_split(Context& ctx) {
  write_strides<kField>(ctx);
}

void set_loop3_para(Context& ctx) {
  ctx.control->loop3_para[0] = (ctx.word(0) & ((uint64_t{1} << 40) - 1)) | ctx.word(1) << 40;
}

void replace_ctrl(Context& ctx, int shift, uint64_t mask, uint64_t value) {
  ctx.control->ctrl = (ctx.control->ctrl & ~(mask << shift)) | value << shift;
}
template <uint64_t kType>
void set_atomic_type(Context& ctx) {
  replace_ctrl(ctx, kAtomicTypeShift, 7, kType);
}
template <AtomicOp kOp>
void set_atomic_op(Context& ctx) {
  replace_ctrl(ctx, kAtomicOpShift, 3, static_cast<uint64_t>(kOp));
}

/// enable, mode: TF32 on later f32 multiplies. The only defined mode, CAST_ROUND, rounds to nearest even, so
/// bit 47 is cleared. a2a3: no state is established; cpu keeps the state and cube/cube.cpp ignores it.
void settf32mode(Context& ctx) {
  if (ctx.machine->target == Target::a2a3) return;
  constexpr uint64_t kBoth = uint64_t{1} << kCtrlTf32 | uint64_t{1} << kCtrlTf32Away;
  ctx.control->ctrl &= ~kBoth;
  if (ctx.attr(0) != 0) ctx.control->ctrl |= uint64_t{1} << kCtrlTf32;
}

constexpr Semantics kControlRegistersSemantics[] = {
    {"pto.set_loop_size_outtoub", write_sizes<&ControlState::loop_size_out_ub>},
    {"pto.set_loop1_stride_outtoub",
     first_write<LeftOver::loop1_stride_out_ub, write_strides<&ControlState::loop1_stride_out_ub>>},
    {"pto.set_loop2_stride_outtoub",
     first_write<LeftOver::loop2_stride_out_ub, write_strides<&ControlState::loop2_stride_out_ub>>},
    {"pto.set_loop_size_ubtoout", write_sizes<&ControlState::loop_size_ub_out>},
    {"pto.set_loop1_stride_ubtoout",
     first_write<LeftOver::loop1_stride_ub_out, write_strides<&ControlState::loop1_stride_ub_out>>},
    {"pto.set_loop2_stride_ubtoout",
     first_write<LeftOver::loop2_stride_ub_out, write_strides<&ControlState::loop2_stride_ub_out>>},
    {"pto.set_loop_size_outtol1", write_register<&ControlState::loop_size_out_l1>},
    {"pto.set_loop1_stride_outtol1",
     first_write<LeftOver::loop1_stride_out_l1, write_register<&ControlState::loop1_stride_out_l1>>},
    {"pto.set_loop2_stride_outtol1",
     first_write<LeftOver::loop2_stride_out_l1, write_register<&ControlState::loop2_stride_out_l1>>},
    {"pto.set_mov_pad_val", first_write<LeftOver::mov_pad_val, write_register<&ControlState::mov_pad_val>>},
    {"pto.set_pad_val_outtol1", write_register<&ControlState::pad_val_out_l1>},
    {"pto.set_mte2_nz_para",
     first_write<LeftOver::mte2_nz_para, write_register<&ControlState::mte2_nz_para>>},
    {"pto.set_loop3_para", set_loop3_para},
    {"pto.set_channel_para", write_split<&ControlState::channel_para>},
    {"pto.set_quant_pre", write_register<&ControlState::quant_pre>},
    {"pto.set_relu_alpha", write_register<&ControlState::relu_alpha>},
    {"pto.set_fix_clip_relu", write_register<&ControlState::fix_clip_relu>},
    {"pto.set_fpc", write_register<&ControlState::fpc>},
    {"pto.set_atomic_none", set_atomic_type<0>},
    {"pto.set_atomic_f32", set_atomic_type<1>},
    {"pto.set_atomic_f16", set_atomic_type<2>},
    {"pto.set_atomic_s16", set_atomic_type<3>},
    {"pto.set_atomic_s32", set_atomic_type<4>},
    {"pto.set_atomic_s8", set_atomic_type<5>},
    {"pto.set_atomic_bf16", set_atomic_type<6>},
    {"pto.set_atomic_add", set_atomic_op<AtomicOp::add>},
    {"pto.set_atomic_max", set_atomic_op<AtomicOp::max>},
    {"pto.set_atomic_min", set_atomic_op<AtomicOp::min>},
    {"pto.settf32mode", settf32mode},
    {"pto.tsettf32mode", settf32mode},
};

}  // namespace

std::span<const Semantics> control_registers() { return kControlRegistersSemantics; }

}  // namespace pto::exec
