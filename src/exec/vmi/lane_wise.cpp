// Logical vectors lane by lane: arithmetic, comparison, selection, conversion. One row of the instruction
// table names the vector instruction (by its cost class) that computes a register of lanes.
#include <algorithm>

#include "exec/vmi/lanes.hpp"
#include "isa/cmp_predicate.hpp"

namespace pto::exec::vmi {
namespace {

/// What an operation costs is what it computes.
const isa::Row& vector_row(const Context& ctx) { return isa::lane_instruction(*ctx.inst->schema->row); }

/// The first operand or result that is a logical vector.
const Type& data_type(const Context& ctx) {
  for (const ValueRef& ref : ctx.inst->values)
    if (ref.type->kind == TypeKind::vmi_vreg) return *ref.type;
  return ctx.result_type();
}

/// Operand `slot` of the vector instruction for the register whose first lane is `first`: lanes, the mask of
/// all lanes where none is given, or the scalar.
void pass(const Context& ctx, Micro& micro, unsigned to, unsigned slot, unsigned first, unsigned width) {
  const uint32_t kinds = micro.schema().operands[to].kinds;
  const bool given = slot + 1 < ctx.inst->slot_begin.size() && ctx.has(slot);
  if ((kinds & isa::kMask) != 0) {
    micro.mask(to) = given ? mask(ctx, slot).of_register(first, width)
                           : first_lanes(lanes_of(data_type(ctx)), first, width);
  } else if ((kinds & isa::kVReg) != 0) {
    micro.in(to) = (&ctx.vreg(slot))[first * width / vec::kVRegBytes];
  } else {
    micro.word(to) = ctx.word(slot);
  }
}
void collect(const Context& ctx, Micro& micro, unsigned first, unsigned width) {
  for (unsigned i = 0; i < ctx.inst->results.size(); ++i) {
    if (ctx.result_type(i).kind == TypeKind::vmi_mask)
      Bits(&ctx.result<Word>(i), ctx.result_type(i)).set_lanes(micro.mask_out(i), first, width);
    else
      (&ctx.result<VReg>(i))[first * width / vec::kVRegBytes] = micro.out(i);
  }
}

/// Every register by the instruction; operand i of it is operand order[i] here.
void each_register(Context& ctx, Micro& micro, const std::array<unsigned, 4>& order) {
  const Type& data = data_type(ctx);
  const unsigned width = byte_width(data.elem);
  const unsigned step = vec::kVRegBytes / width;
  for (unsigned i = 0; i < ctx.inst->results.size(); ++i)
    if (ctx.result_type(i).kind == TypeKind::vmi_mask) mask_result(ctx, i);
  for (unsigned first = 0; first < lanes_of(data); first += step) {
    for (unsigned to = 0; to < micro.schema().operands.size(); ++to)
      pass(ctx, micro, to, order[to], first, width);
    micro.run();
    collect(ctx, micro, first, width);
  }
}
constexpr std::array<unsigned, 4> kInOrder = {0, 1, 2, 3};

void lanes(Context& ctx) {
  if (refuses_merge(ctx)) return;
  const Elem elem = lane_elem(data_type(ctx).elem);
  Micro micro(ctx, vector_row(ctx), elem, elem);
  each_register(ctx, micro, kInOrder);
}
/// i32 is signed here, unlike everywhere else.
void product(Context& ctx) {
  const Elem elem = data_type(ctx).elem;
  Micro micro(ctx, vector_row(ctx), elem, elem);
  each_register(ctx, micro, kInOrder);
}
/// lhs * rhs + acc: the accumulator comes last.
void multiply_add(Context& ctx) {
  const Elem elem = lane_elem(data_type(ctx).elem);
  Micro micro(ctx, vector_row(ctx), elem, elem);
  each_register(ctx, micro, {2, 0, 1, 3});
}
/// The mask comes first. It decides every lane, whatever the mode.
void select(Context& ctx) {
  const Elem elem = data_type(ctx).elem;
  Micro micro(ctx, vector_row(ctx), elem, elem);
  each_register(ctx, micro, {1, 2, 0, 3});
}

/// Bits of masks, or of the lanes of vectors.
template <typename Op>
void mask_logic(Context& ctx, Op&& op) {
  const Bits out = mask_result(ctx);
  for (unsigned i = 0; i < out.words(); ++i) out.word(i) = op(i);
  const unsigned left = out.count() % 64;
  if (left != 0) out.word(out.words() - 1) &= (Word{1} << left) - 1;
}
bool of_masks(const Context& ctx) { return ctx.type(0).kind == TypeKind::vmi_mask; }
Word word_of(const Context& ctx, unsigned slot, unsigned i) { return mask(ctx, slot).word(i); }

void logic_and(Context& ctx) {
  if (!of_masks(ctx)) return lanes(ctx);
  mask_logic(ctx, [&](unsigned i) { return word_of(ctx, 0, i) & word_of(ctx, 1, i); });
}
void logic_or(Context& ctx) {
  if (!of_masks(ctx)) return lanes(ctx);
  mask_logic(ctx, [&](unsigned i) { return word_of(ctx, 0, i) | word_of(ctx, 1, i); });
}
void logic_xor(Context& ctx) {
  if (!of_masks(ctx)) return lanes(ctx);
  mask_logic(ctx, [&](unsigned i) { return word_of(ctx, 0, i) ^ word_of(ctx, 1, i); });
}
void logic_not(Context& ctx) {
  if (!of_masks(ctx)) return lanes(ctx);
  mask_logic(ctx, [&](unsigned i) { return ~word_of(ctx, 0, i); });
}
void keep_mask(Context& ctx) {
  mask_logic(ctx, [&](unsigned i) { return word_of(ctx, 0, i); });
}

// ---- comparison
/// Lanes of the result where `slot` holds NaN are taken out.
void clear_nan(Context& ctx, unsigned slot) {
  const Elem elem = ctx.type(slot).elem;
  const Lanes value = operand(ctx, slot);
  const Bits kept(&ctx.result<Word>(), ctx.result_type());
  for (unsigned i = 0; i < value.count(); ++i) {
    const double number = num::to_f64(elem, value.bits(i));
    if (number != number) kept.word(i / 64) &= ~(Word{1} << (i % 64));
  }
}
void compare_as(Context& ctx, isa::VmiComparison how, Elem elem) {
  Micro micro(ctx, vector_row(ctx), elem, elem);
  micro.attribute("cmp_mode", isa::cmp_mode(how.predicate));
  each_register(ctx, micro, kInOrder);
  if (!how.ordered || how.predicate != isa::CmpPredicate::ne) return;  // the others are false on NaN
  for (const unsigned slot : {0U, 1U})
    if (ctx.type(slot).kind == TypeKind::vmi_vreg) clear_nan(ctx, slot);
}
/// cmp
void compare(Context& ctx) { compare_as(ctx, isa::vmi_comparison(ctx.attr(0)), lane_elem(ctx.type(0).elem)); }
/// eq ne slt sle sgt sge ult ule ugt uge: the predicate has the sign.
void compare_integers(Context& ctx) {
  const auto predicate = static_cast<isa::CmpPredicate>(ctx.attr(0));
  const Elem plain = signless(ctx.type(0).elem);  // vector instructions take it as signed
  compare_as(ctx, {predicate}, isa::is_signed(predicate) ? plain : lane_elem(plain));
}

// ---- conversion
/// Lanes of a pair of widths stand as far apart as the wider, so that each is the first of its part.
template <typename Run>
void across_widths(const Lanes& from, const Lanes& to, Run&& run) {
  const unsigned pitch = std::max(from.width(), to.width());
  const unsigned step = vec::kVRegBytes / pitch;
  for (unsigned first = 0; first < to.count(); first += step) {
    const unsigned n = std::min(step, to.count() - first);
    const VReg& out = run(first, n, pitch);
    for (unsigned i = 0; i < n; ++i) std::memcpy(to.at(first + i), out.byte + i * pitch, to.width());
  }
}
void spread_lanes(const Lanes& from, unsigned first, unsigned n, unsigned pitch, VReg& to) {
  to = VReg{};
  for (unsigned i = 0; i < n; ++i) std::memcpy(to.byte + i * pitch, from.at(first + i), from.width());
}
/// Two values of 4 bits go with a pair of bf16.
Elem carried(Elem elem) { return elem == Elem::bf16x2 ? Elem::bf16 : lane_elem(elem); }

void convert(Context& ctx) {
  if (refuses_merge(ctx)) return;
  const Elem from = carried(ctx.type(0).elem);
  const Elem to = carried(ctx.result_type().elem);
  const isa::Schema& schema = *ctx.inst->schema;
  Micro micro(ctx, vector_row(ctx), from, to);
  const auto written = [&](std::string_view name) -> std::string_view {
    const int spec = schema.attr_index(name);
    if (spec < 0 || !ctx.attr_set(static_cast<unsigned>(spec))) return {};
    return isa::case_name(*schema.attrs[static_cast<size_t>(spec)].domain,
                          ctx.attr(static_cast<unsigned>(spec)));
  };
  const std::string_view rounding = written("rounding");
  const std::string_view saturate = written("saturate");
  if (rounding == "H")
    return ctx.fault(Fault::unsupported, "rounding \"H\": hybrid rounding is not supported");
  if (!rounding.empty() || to == Elem::hif8) micro.attribute("rnd", rounding.empty() ? "A" : rounding);
  if (!saturate.empty()) micro.attribute("sat", saturate);
  micro.mask(1) = {{~Word{0}, ~Word{0}, ~Word{0}, ~Word{0}}};
  const Lanes source = operand(ctx, 0);
  across_widths(source, result(ctx), [&](unsigned first, unsigned n, unsigned pitch) -> const VReg& {
    spread_lanes(source, first, n, pitch, micro.in(0));
    micro.run();
    return micro.out();
  });
}

/// e^(x - max), which widens f16.
void exp_of_difference(Context& ctx) {
  if (refuses_merge(ctx)) return;
  Micro micro(ctx, vector_row(ctx), ctx.type(0).elem, Elem::f32);
  micro.attribute("part", "EVEN");
  const Lanes x = operand(ctx, 0);
  const Lanes max = operand(ctx, 1);
  const Bits active = mask(ctx, 2);
  across_widths(x, result(ctx), [&](unsigned first, unsigned n, unsigned pitch) -> const VReg& {
    spread_lanes(x, first, n, pitch, micro.in(0));
    spread_lanes(max, first, n, pitch, micro.in(1));
    micro.mask(2) = active.of_register(first, pitch);
    micro.run();
    return micro.out();
  });
}

/// The same bits, however they are divided into lanes, or placed.
void same_bits(Context& ctx) {
  const Lanes from = operand(ctx, 0);
  const Lanes to = result(ctx);
  std::memcpy(to.at(0), from.at(0),
              std::min(size_t{to.count()} * to.width(), size_t{from.count()} * from.width()));
}

constexpr Semantics kVmiLaneWiseSemantics[] = {
    {"pto.vmi.vadd", lanes},
    {"pto.vmi.vsub", lanes},
    {"pto.vmi.vmul", lanes},
    {"pto.vmi.vdiv", lanes},
    {"pto.vmi.vmin", lanes},
    {"pto.vmi.vmax", lanes},
    {"pto.vmi.vaddc", lanes},
    {"pto.vmi.vaddcs", lanes},
    {"pto.vmi.vneg", lanes},
    {"pto.vmi.vabs", lanes},
    {"pto.vmi.vsqrt", lanes},
    {"pto.vmi.vexp", lanes},
    {"pto.vmi.vln", lanes},
    {"pto.vmi.vrelu", lanes},
    {"pto.vmi.vshl", lanes},
    {"pto.vmi.vshr", lanes},
    {"pto.vmi.vadds", lanes},
    {"pto.vmi.vmuls", lanes},
    {"pto.vmi.vmaxs", lanes},
    {"pto.vmi.vmins", lanes},
    {"pto.vmi.vshls", lanes},
    {"pto.vmi.vshrs", lanes},
    {"pto.vmi.vaxpy", lanes},
    {"pto.vmi.vlrelu", lanes},
    {"pto.vmi.vprelu", lanes},
    {"pto.vmi.vmula", lanes},
    {"pto.vmi.vmull", product},
    {"pto.vmi.vand", logic_and},
    {"pto.vmi.vor", logic_or},
    {"pto.vmi.vxor", logic_xor},
    {"pto.vmi.vnot", logic_not},
    {"pto.vmi.vcmp", compare},
    {"pto.vmi.vcmps", compare},
    {"pto.vmi.vsel", select},
    {"pto.vmi.vcvt", convert},
    {"pto.vmi.vinterpret_cast", same_bits},
    {"pto.vmi.vexpdif", exp_of_difference},
    {"pto.vmi.addf", lanes},
    {"pto.vmi.addi", lanes},
    {"pto.vmi.subf", lanes},
    {"pto.vmi.subi", lanes},
    {"pto.vmi.mulf", lanes},
    {"pto.vmi.muli", lanes},
    {"pto.vmi.fma", multiply_add},
    {"pto.vmi.divf", lanes},
    {"pto.vmi.minf", lanes},
    {"pto.vmi.maxf", lanes},
    {"pto.vmi.mini", lanes},
    {"pto.vmi.maxi", lanes},
    {"pto.vmi.negf", lanes},
    {"pto.vmi.negi", lanes},
    {"pto.vmi.absf", lanes},
    {"pto.vmi.absi", lanes},
    {"pto.vmi.sqrt", lanes},
    {"pto.vmi.exp", lanes},
    {"pto.vmi.ln", lanes},
    {"pto.vmi.relu", lanes},
    {"pto.vmi.andi", lanes},
    {"pto.vmi.ori", lanes},
    {"pto.vmi.xori", lanes},
    {"pto.vmi.not", lanes},
    {"pto.vmi.shli", lanes},
    {"pto.vmi.shrui", lanes},
    {"pto.vmi.shrsi", lanes},
    {"pto.vmi.cmpf", compare},
    {"pto.vmi.cmpi", compare_integers},
    {"pto.vmi.select", select},
    {"pto.vmi.mask_and", logic_and},
    {"pto.vmi.mask_or", logic_or},
    {"pto.vmi.mask_xor", logic_xor},
    {"pto.vmi.mask_not", logic_not},
    {"pto.vmi.extf", convert},
    {"pto.vmi.truncf", convert},
    {"pto.vmi.fptosi", convert},
    {"pto.vmi.fptoui", convert},
    {"pto.vmi.sitofp", convert},
    {"pto.vmi.extsi", convert},
    {"pto.vmi.extui", convert},
    {"pto.vmi.trunci", convert},
    {"pto.vmi.bitcast", same_bits},
    {"pto.vmi.ensure_layout", same_bits},
    {"pto.vmi.ensure_mask_layout", keep_mask},
    {"pto.vmi.ensure_mask_granularity", keep_mask},
};

}  // namespace

}  // namespace pto::exec::vmi

namespace pto::exec {

std::span<const Semantics> vmi_lane_wise() { return vmi::kVmiLaneWiseSemantics; }

}  // namespace pto::exec
