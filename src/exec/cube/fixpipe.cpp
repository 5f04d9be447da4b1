// Fixpipe: accumulators leave L0C for GM, L1 or a vector core's UB, with quantisation, ReLU, layout change
// and atomics. Facts: PTO micro ISA page 16, "FIXPIPE MTE Ops"; see docs/reference/numerics.md,
// section "Fixpipe".
#include <cstdlib>
#include <cstring>
#include <vector>

#include "exec/atomic_update.hpp"
#include "exec/cube/cube_layout.hpp"
#include "exec/cube/fixpipe_quant.hpp"
#include "exec/dma/burst.hpp"
#include "exec/peer_access.hpp"
#include "exec/vector/memory.hpp"
#include "support/saturating.hpp"

namespace pto::exec {
namespace {

using namespace cube_layout;
using namespace fixpipe_detail;
using dma_detail::Place;
using dma_detail::rows_at;
using vec::address_of;

enum class Layout : uint8_t { nd, dn, nz };

struct Store {
  uint64_t source;  ///< L0C address
  Place target;
  uint64_t m, n;
  uint64_t src_stride;  ///< accumulator rows of 16 values between column blocks
  int64_t dst_stride;   ///< destination elements
  Layout layout = Layout::nd;
  uint64_t row_step = 1;       ///< nz2dn: accumulator rows between logical rows
  bool channel_split = false;  ///< nz2nz to f32: blocks of 8 columns instead of 16
  uint64_t repeat = 1;         ///< loop3
  uint64_t repeat_src = 0;
  int64_t repeat_dst = 0;
  Pipeline pipeline;
  QuantParameter quant;  ///< scalar modes
  float alpha = 0;
  uint64_t quant_table = 0, relu_table = 0;  ///< FB addresses of the vector modes
  Elem atomic = Elem::none;
  AtomicOp atomic_op = AtomicOp::add;
};

constexpr uint64_t kAccBytes = 4;
constexpr uint64_t kAccRow = kRows * kAccBytes;  ///< 16 accumulators of 4 bytes

/// The destination as rows of bytes, and where element (m, n) is.
struct Shape {
  uint64_t rows, row_bytes;
  int64_t pitch;
  uint64_t block = 1;  ///< nz: columns per block
};
Shape stored_shape(const Store& store, uint64_t width) {
  const int64_t pitch = store.dst_stride * static_cast<int64_t>(width);
  switch (store.layout) {
    case Layout::nd:
      return {store.m, store.n * width, pitch};
    case Layout::dn:
      return {store.n, store.m * width, pitch};
    case Layout::nz:
      break;
  }
  const uint64_t block = store.channel_split ? kRowBytes / width : kRows;
  return {ceil_div(store.n, block), store.m * block * width, pitch, block};
}
std::byte* element_at(const Store& store, const Shape& shape, std::byte* base, uint64_t i, uint64_t j,
                      uint64_t width) {
  switch (store.layout) {
    case Layout::nd:
      return base + static_cast<int64_t>(i) * shape.pitch + j * width;
    case Layout::dn:
      return base + static_cast<int64_t>(j) * shape.pitch + i * width;
    case Layout::nz:
      break;
  }
  return base + static_cast<int64_t>(j / shape.block) * shape.pitch +
         (i * shape.block + j % shape.block) * width;
}

/// Parameters of every channel, from scalars or from the fixpipe buffer. False after a finding.
struct Channels {
  std::vector<QuantParameter> quant;
  std::vector<float> alpha;
};
bool read_channels(const Context& ctx, const Store& store, Channels& channels) {
  channels.quant.assign(store.n, store.quant);
  channels.alpha.assign(store.n, store.alpha);
  if (store.pipeline.quant && store.pipeline.quant->vector) {
    const std::byte* table = ctx.memory->access(Space::fb, store.quant_table, store.n * 8, AccessMode::read);
    if (table == nullptr) return false;
    for (uint64_t j = 0; j < store.n; ++j) {
      uint64_t word = 0;
      std::memcpy(&word, table + j * 8, 8);
      channels.quant[j] = decode_parameter(word);
    }
  }
  if (store.pipeline.relu == Relu::vector) {
    const std::byte* table = ctx.memory->access(Space::fb, store.relu_table, store.n * 4, AccessMode::read);
    if (table == nullptr) return false;
    std::memcpy(channels.alpha.data(), table, store.n * 4);
  }
  return true;
}

/// Copies the accumulators unchanged, one store_results of a block's columns at a time.
void store_identity(const Store& store, const Shape& shape, const std::byte* source, std::byte* target) {
  const uint64_t store_results = store.layout == Layout::dn   ? 1
                                 : store.layout == Layout::nz ? std::min(shape.block, kRows)
                                                              : kRows;
  for (uint64_t j = 0; j < store.n; j += store_results) {
    const uint64_t bytes = std::min(store_results, store.n - j) * kAccBytes;
    for (uint64_t i = 0; i < store.m; ++i) {
      const std::byte* from =
          source + (j / kRows * store.src_stride + i * store.row_step) * kAccRow + j % kRows * kAccBytes;
      std::memcpy(element_at(store, shape, target, i, j, kAccBytes), from, bytes);
    }
  }
}
void store_converted(const Store& store, const Shape& shape, const Channels& channels,
                     const std::byte* source, std::byte* target) {
  const uint64_t width = byte_width(store.pipeline.to);
  for (uint64_t i = 0; i < store.m; ++i) {
    for (uint64_t j = 0; j < store.n; ++j) {
      uint32_t accumulator = 0;
      std::memcpy(
          &accumulator,
          source + (j / kRows * store.src_stride + i * store.row_step) * kAccRow + j % kRows * kAccBytes,
          kAccBytes);
      const uint64_t bits = store.pipeline.run(accumulator, channels.quant[j], channels.alpha[j]);
      std::byte* to = element_at(store, shape, target, i, j, width);
      if (store.atomic == Elem::none)
        std::memcpy(to, &bits, width);
      else
        atomic_update(store.atomic, store.atomic_op, to, reinterpret_cast<const std::byte*>(&bits));
    }
  }
}

void store_results(Context& ctx, const Store& store) {
  for (const uint64_t field : {store.m, store.n, store.src_stride, store.row_step, store.repeat}) {
    if (!dma_detail::in_field(ctx, "extent, source stride or count", static_cast<int64_t>(field), 16)) return;
  }
  for (const int64_t field : {store.dst_stride, store.repeat_dst, static_cast<int64_t>(store.repeat_src)}) {
    if (!dma_detail::in_field(ctx, "stride", magnitude(field), 32)) return;
  }
  if (store.m == 0 || store.n == 0) return;
  const uint64_t width = byte_width(store.pipeline.to);
  if (store.atomic != Elem::none && byte_width(store.atomic) != width)
    return ctx.fault(Fault::bad_operand, "the atomic type and the destination elements differ in width");
  Channels channels;
  if (!read_channels(ctx, store, channels)) return;
  const Shape shape = stored_shape(store, width);
  const uint64_t source_bytes = ((store.m - 1) * store.row_step + 1) * kAccRow;
  for (uint64_t r = 0; r < store.repeat; ++r) {
    const uint64_t from =
        moved(store.source, static_cast<int64_t>(r), static_cast<int64_t>(store.repeat_src * kAccRow));
    Place to = store.target;
    to.addr = moved(to.addr, static_cast<int64_t>(r), store.repeat_dst * static_cast<int64_t>(width));
    const std::byte* source =
        ctx.memory->access_rows(Space::l0c, from, ceil_div(store.n, kRows), source_bytes,
                                static_cast<int64_t>(store.src_stride * kAccRow), AccessMode::read);
    if (store.atomic_op == AtomicOp::add) will_add(ctx, store.atomic);
    const AccessMode how = store.atomic == Elem::none ? AccessMode::write : AccessMode::update;
    std::byte* target =
        source == nullptr ? nullptr : rows_at(ctx, to, shape.rows, shape.row_bytes, shape.pitch, how);
    if (target == nullptr) return;
    if (store.pipeline.identity() && store.atomic == Elem::none)
      store_identity(store, shape, source, target);
    else
      store_converted(store, shape, channels, source, target);
  }
}

/// `store` cut in two along M or N, the halves to the two vector cores.
void run_split(Context& ctx, const Store& store, bool along_m) {
  Store half = store;
  uint64_t& extent = along_m ? half.m : half.n;
  if (extent % 2 != 0) return ctx.fault(Fault::bad_operand, "a split store needs an even extent");
  extent /= 2;
  for (int core = 0; core < 2; ++core) {
    half.target.peer = 1 + core;
    store_results(ctx, half);
    if (along_m) {
      half.source += half.m * kAccRow;
    } else {
      if (half.n % kRows != 0)
        return ctx.fault(Fault::unsupported, "a split along N needs halves of whole 16-column blocks");
      half.source = moved(half.source, static_cast<int64_t>(half.n / kRows * half.src_stride * kAccRow));
      half.quant_table += half.n * 8;
      half.relu_table += half.n * 4;
    }
  }
}

// ---- control register
Sat sat_of_ctrl(uint64_t ctrl) {
  constexpr int kKeepNan = 50;
  if (((ctrl >> kCtrlNoSat) & 1) != 0) return Sat::nosat;
  return ((ctrl >> kKeepNan) & 1) != 0 ? Sat::keep_nan : Sat::sat;
}

// ---- structured forms
/// Where the form keeps its optional operands and attributes.
struct Form {
  unsigned pre_quant = 6, pre_relu = 7, clip = 8, split, loop0, loop3;  // slots
  unsigned mode, quant_mode, relu_mode, sat_mode;                       // attributes
  int atomic_type = -1, atomic_op = -1;
};
constexpr Form kToL1{
    .split = 9, .loop0 = 10, .loop3 = 11, .mode = 0, .quant_mode = 2, .relu_mode = 3, .sat_mode = 6};
constexpr Form kToGm{.split = 11,
                     .loop0 = 12,
                     .loop3 = 13,
                     .mode = 0,
                     .quant_mode = 2,
                     .relu_mode = 3,
                     .sat_mode = 6,
                     .atomic_type = 4,
                     .atomic_op = 5};
constexpr Form kToUb{
    .split = 10, .loop0 = 11, .loop3 = 12, .mode = 1, .quant_mode = 3, .relu_mode = 4, .sat_mode = 5};

float float_operand(const Context& ctx, unsigned slot) {
  return static_cast<float>(num::to_f64(ctx.type(slot).elem, ctx.word(slot)));
}

void read_layout(const Context& ctx, const Form& form, Store& store) {
  if (ctx.attr_set(form.mode))
    store.layout = static_cast<Layout>(ctx.attr(form.mode));  // nz2nd 0, nz2dn 1, nz2nz 2
  if (store.layout == Layout::dn && ctx.has(form.loop0)) store.row_step = ctx.size(form.loop0);
  if (store.layout == Layout::nz && ctx.has(form.split)) store.channel_split = ctx.i64(form.split) != 0;
  if (!ctx.has(form.loop3)) return;
  store.repeat = ctx.size(form.loop3);
  store.repeat_src = ctx.size(form.loop3 + 1);
  store.repeat_dst = ctx.i64(form.loop3 + 2);
}
/// False when the mode is not supported (a finding was raised).
bool read_pipeline(const Context& ctx, const Form& form, Store& store) {
  Pipeline& pipeline = store.pipeline;
  if (ctx.attr_set(form.quant_mode)) {
    const std::string_view name = vec::token(ctx, form.quant_mode);
    pipeline.quant = quant_mode(name);
    if (!pipeline.quant) {
      ctx.fault(Fault::unsupported, "pre_quant mode " + std::string(name) + " is not supported");
      return false;
    }
    if (pipeline.quant->vector)
      store.quant_table = fb_address(address_of(ctx, form.pre_quant), *ctx.machine);
    else if (pipeline.quant->scales && ctx.has(form.pre_quant))
      store.quant.scale = float_operand(ctx, form.pre_quant);
  }
  if (ctx.attr_set(form.relu_mode)) {
    const int64_t mode = ctx.attr(form.relu_mode);
    if (mode > static_cast<int64_t>(Relu::vector)) {
      ctx.fault(Fault::unsupported, "pre_relu mode pwl is not supported");
      return false;
    }
    pipeline.relu = static_cast<Relu>(mode);
    if (pipeline.relu == Relu::vector)
      store.relu_table = fb_address(address_of(ctx, form.pre_relu), *ctx.machine);
    else if (pipeline.relu == Relu::scalar)
      store.alpha = float_operand(ctx, form.pre_relu);
  }
  if (ctx.has(form.clip)) pipeline.clip = num::to_f64(ctx.type(form.clip).elem, ctx.word(form.clip));
  pipeline.sat = ctx.attr_set(form.sat_mode) ? static_cast<Sat>(ctx.attr(form.sat_mode))
                                             : sat_of_ctrl(ctx.control->ctrl);
  return true;
}
void read_atomic(const Context& ctx, const Form& form, Store& store) {
  store.atomic = atomic_elem_of_ctrl(ctx.control->ctrl);
  store.atomic_op = atomic_op_of_ctrl(ctx.control->ctrl);
  if (form.atomic_type < 0 || !ctx.attr_set(static_cast<unsigned>(form.atomic_type))) return;
  store.atomic = atomic_elem(static_cast<uint64_t>(ctx.attr(static_cast<unsigned>(form.atomic_type))));
  store.atomic_op = static_cast<AtomicOp>(ctx.attr(static_cast<unsigned>(form.atomic_op)));
}

bool read_store(const Context& ctx, const Form& form, Space to, Store& store) {
  store.source = address_of(ctx, 0);
  store.target = {to, address_of(ctx, 1)};
  store.m = ctx.size(2);
  store.n = ctx.size(3);
  store.src_stride = ctx.size(4);
  store.dst_stride = ctx.i64(5);
  store.pipeline.from = ctx.type(0).elem;
  store.pipeline.to = ctx.type(1).elem;
  read_layout(ctx, form, store);
  if (to == Space::gm) read_atomic(ctx, form, store);
  return read_pipeline(ctx, form, store);
}
void mte_l0c_l1(Context& ctx) {
  Store store{};
  if (read_store(ctx, kToL1, Space::l1, store)) store_results(ctx, store);
}
void mte_l0c_gm(Context& ctx) {
  Store store{};
  if (read_store(ctx, kToGm, Space::gm, store)) store_results(ctx, store);
}
/// dst_mode: 0 the vector core given by an operand, 1 and 2 halves along M and N to both.
void mte_l0c_ub(Context& ctx) {
  constexpr unsigned kSubBlock = 9;
  Store store{};
  if (!read_store(ctx, kToUb, Space::ub, store)) return;
  if (ctx.attr(0) != 0) return run_split(ctx, store, ctx.attr(0) == 1);
  const int64_t core = ctx.has(kSubBlock) ? ctx.i64(kSubBlock) : 0;
  if (core != 0 && core != 1) return ctx.fault(Fault::bad_operand, "the destination's sub-block is 0 or 1");
  store.target.peer = 1 + static_cast<int>(core);
  store_results(ctx, store);
}

// ---- raw forms: two packed words and the parameter registers
/// Name of a pre-quantisation mode from its number.
std::string_view quant_name(uint64_t code) {
  const isa::EnumDomain* modes = isa::find_enum("acc_store_quant_pre_mode");
  if (modes == nullptr) return {};
  for (const isa::EnumCase& entry : modes->cases) {
    if (entry.value == static_cast<int64_t>(code)) return entry.name;
  }
  return {};
}
/// xm: n [15:4], m [31:16], dst_stride [63:32]. xt: src_stride [15:0], clip [30], quant [38:34] and [29],
/// relu [41:39], channel split [42], nz2nd [43], nz2dn [62].
bool read_raw(const Context& ctx, Space to, Store& store) {
  const ControlState& c = *ctx.control;
  const uint64_t xm = ctx.word(2);
  const uint64_t xt = ctx.word(3);
  store.source = ctx.word(0);
  store.target = {to, ctx.word(1)};
  store.n = (xm >> 4) & 0xfff;
  store.m = (xm >> 16) & 0xffff;
  store.dst_stride = static_cast<int64_t>(xm >> 32);
  store.src_stride = xt & 0xffff;
  store.pipeline.from = ctx.type(0).elem;
  store.pipeline.to = ctx.type(1).elem;
  store.layout = ((xt >> 43) & 1) != 0 ? Layout::nd : ((xt >> 62) & 1) != 0 ? Layout::dn : Layout::nz;
  store.channel_split = ((xt >> 42) & 1) != 0;
  if (store.layout == Layout::dn) store.row_step = std::max<uint64_t>(c.channel_para >> 48, 1);
  if (store.layout != Layout::nz) {
    store.repeat = std::max<uint64_t>(c.loop3_para[0] & 0xffff, 1);
    store.repeat_src = (c.loop3_para[0] >> 16) & 0xffff;
    store.repeat_dst = static_cast<int64_t>(c.loop3_para[0] >> 32);
  }
  const uint64_t code = ((xt >> 34) & 0x1f) | ((xt >> 29) & 1) << 5;
  if (code != 0) store.pipeline.quant = quant_mode(quant_name(code));
  store.pipeline.relu = static_cast<Relu>((xt >> 39) & 7);
  if ((code != 0 && !store.pipeline.quant) || store.pipeline.relu > Relu::vector) {
    ctx.fault(Fault::unsupported,
              "this quantisation or ReLU mode of a raw accumulator copy is not supported");
    return false;
  }
  store.quant.scale = std::bit_cast<float>(static_cast<uint32_t>(c.quant_pre));
  store.alpha = std::bit_cast<float>(static_cast<uint32_t>(c.relu_alpha));
  store.quant_table = ((c.fpc >> 8) & 0xff) * 128;
  store.relu_table = fb_address(0x10000, *ctx.machine) + (c.fpc & 0xff) * 64;
  if (((xt >> 30) & 1) != 0) {
    const Elem clip = store.pipeline.to == Elem::f16   ? Elem::f16
                      : is_unsigned(store.pipeline.to) ? Elem::ui16
                                                       : Elem::si16;
    store.pipeline.clip = num::to_f64(clip, c.fix_clip_relu & 0xffff);
  }
  store.pipeline.sat = sat_of_ctrl(c.ctrl);
  if (to == Space::gm) {
    store.atomic = atomic_elem_of_ctrl(c.ctrl);
    store.atomic_op = atomic_op_of_ctrl(c.ctrl);
  }
  return true;
}
template <Space kTo>
void copy_matrix_cc(Context& ctx) {
  Store store{};
  if (read_raw(ctx, kTo, store)) store_results(ctx, store);
}
/// xt [17:16]: 0 one core, 1 halves along M, 2 along N; [18]: which core.
void copy_matrix_cc_to_ub(Context& ctx) {
  Store store{};
  if (!read_raw(ctx, Space::ub, store)) return;
  const uint64_t xt = ctx.word(3);
  const uint64_t dual = (xt >> 16) & 3;
  if (dual != 0) return run_split(ctx, store, dual == 1);
  store.target.peer = 1 + static_cast<int>((xt >> 18) & 1);
  store_results(ctx, store);
}

constexpr Semantics kCubeFixpipeSemantics[] = {
    {"pto.mte_l0c_l1", mte_l0c_l1},
    {"pto.mte_l0c_gm", mte_l0c_gm},
    {"pto.mte_l0c_ub", mte_l0c_ub},
    {"pto.copy_matrix_cc_to_cbuf", copy_matrix_cc<Space::l1>},
    {"pto.copy_matrix_cc_to_gm", copy_matrix_cc<Space::gm>},
    {"pto.copy_matrix_cc_to_ub", copy_matrix_cc_to_ub},
};

}  // namespace

std::span<const Semantics> fixpipe() { return kCubeFixpipeSemantics; }

}  // namespace pto::exec
