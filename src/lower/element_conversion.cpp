#include "lower/element_conversion.hpp"

#include <algorithm>

#include "isa/conversions.hpp"
#include "isa/lane_layout.hpp"
#include "lower/permutations.hpp"
#include "lower/register_forms.hpp"

namespace pto::lower {
namespace {

/// The layout in the type of a value, where words can have it: the one that puts every lane at its place.
std::optional<Layout> find_written_layout(LoweringState& state, ValueId value) {
  const Type& type = state.input.type_of(value);
  if (type.kind == TypeKind::vmi_mask && type.elem == Elem::i1) return std::nullopt;
  const isa::LanePlaces places(type);
  const Shape shape{state.info(value).lanes, byte_width(type.elem)};
  const auto same = [&](Layout layout) {
    if (!layout.fits(shape) || layout.registers(shape) != places.registers()) return false;
    for (unsigned lane = 0; lane < shape.lanes; ++lane) {
      const Place own = layout.place_of(shape, lane);
      const isa::LanePlace there = places.place_of(lane);
      if (own.reg != there.reg || own.lane != there.lane) return false;
    }
    return true;
  };
  for (const unsigned streams : {1U, 2U, 4U}) {
    for (const bool blocks : {false, true})
      if (const Layout layout{.streams = streams, .blocks = blocks}; same(layout)) return layout;
    for (const unsigned slots : {kBlocks, 1U})
      if (const Layout layout{.streams = streams, .slots = slots}; same(layout)) return layout;
  }
  return std::nullopt;
}

/// Any other layout goes lane by lane.
LaneMap written_places(const isa::LanePlaces& places) {
  return [&places](unsigned lane) {
    const isa::LanePlace there = places.place_of(lane);
    return Place{static_cast<unsigned>(there.reg), static_cast<unsigned>(there.lane)};
  };
}

}  // namespace

// ---- element types
Regs convert_widths(LoweringState& state, const Regs& regs, Layout layout, Shape from, Shape to, bool uniform,
                    const std::function<ValueId(ValueId, unsigned)>& one, Elem elem) {
  if (from.width == to.width) {
    Regs built;
    for (const ValueId reg : uniform ? Regs{regs[0]} : regs) built.push_back(one(reg, 0));
    return built;
  }
  const bool widens = to.width > from.width;
  const unsigned ratio = widens ? to.width / from.width : from.width / to.width;
  const auto joined = [&](ValueId a, ValueId b) {
    const Elem bits = unsigned_elem(to.width);
    const ValueId both = state.writer.emit(
        Lowering::to_or, 1,
        {state.writer.bits_as(a, bits), state.writer.bits_as(b, bits), state.writer.all_lanes(to.width)},
        state.writer.vector_type(bits));
    return state.writer.bits_as(both, elem);
  };
  if (uniform) {
    ValueId reg = one(regs[0], 0);
    for (unsigned x = 1; !widens && x < ratio; ++x) reg = joined(reg, one(regs[0], x));
    return {reg};
  }
  // Stream t: its part, and the element of a word where it stands.
  struct Spot {
    unsigned part, element;
  };
  const auto spot = [&](unsigned stream, unsigned width) {
    const unsigned parts = layout.parts(width);
    return Spot{stream % parts, stream / parts * layout.stride(width)};
  };
  const unsigned streams = layout.streams;
  const unsigned parts_to = layout.parts(to.width), parts_from = layout.parts(from.width);
  const unsigned per_part = layout.registers(to) / parts_to,
                 per_source = static_cast<unsigned>(regs.size()) / parts_from;
  Regs built(layout.registers(to), kNoValue);
  for (unsigned part = 0; part < parts_to; ++part) {
    for (unsigned i = 0; i < per_part; ++i) {
      std::set<std::pair<unsigned, unsigned>> done;
      ValueId& reg = built[part * per_part + i];
      for (unsigned stream = 0; stream < streams; ++stream) {
        const Spot source = spot(stream, from.width), target = spot(stream, to.width);
        if (target.part != part) continue;
        const unsigned x =
            widens ? source.element - target.element * ratio : target.element - source.element * ratio;
        if (!done.emplace(source.part, x).second || i >= per_source) continue;
        const ValueId piece = one(regs[source.part * per_source + i], x);
        reg = reg == kNoValue ? piece : joined(reg, piece);
      }
    }
  }
  return built;
}

void lower_conversion(LoweringState& state, const OpView& op) {
  const ValueId source = op.operand(0), result = op.result(0);
  const Layout layout =
      state.info(result).uniform ? memory_order(state.info(source).width) : state.assigned_layout(result);
  const Elem written_from = state.input.type_of(source).elem, written_to = state.input.type_of(result).elem;
  // Two values of 4 bits go with a pair of bf16.
  Elem from = written_from == Elem::bf16x2 ? Elem::bf16 : register_elem(written_from),
       to = written_to == Elem::bf16x2 ? Elem::bf16 : register_elem(written_to);
  const auto written = [&](std::string_view name) -> std::string_view {
    const int spec = isa::schema(op.op().row).attr_index(name);
    if (spec < 0 || op.attr(static_cast<unsigned>(spec)) == nullptr) return {};
    return isa::case_name(*isa::schema(op.op().row).attrs[static_cast<size_t>(spec)].domain,
                          op.attr(static_cast<unsigned>(spec))->integer);
  };
  // Bits are dropped whatever the sign: there is an instruction for those without.
  const bool drops = is_integer(from) && is_integer(to) && byte_width(to) < byte_width(from) &&
                     written("saturate") == "NOSAT";
  const Elem kept = to;
  if (drops) {
    from = unsigned_elem(byte_width(from));
    to = unsigned_elem(byte_width(to));
  }
  const isa::ConversionContract* contract = isa::conversion_contract(from, to);
  if (contract == nullptr) return state.refuse("no vector instruction converts between these elements");
  if (written("rounding") == "H") return state.refuse("hybrid rounding is not supported");
  Settings settings;
  if (contract->needs.find('r') != std::string_view::npos)
    settings.push_back({"rnd", !written("rounding").empty() ? written("rounding")
                               : to == Elem::hif8           ? "A"
                                                            : "R"});
  if (contract->needs.find('s') != std::string_view::npos)
    settings.push_back(
        {"sat", written("saturate").empty() ? is_integer(to) ? "SAT" : "NOSAT" : written("saturate")});
  const Shape shape_from = state.info(source).shape(), shape_to = state.info(result).shape();
  const unsigned ratio =
      std::max(shape_from.width, shape_to.width) / std::min(shape_from.width, shape_to.width);
  const auto one = [&](ValueId reg, unsigned x) {
    constexpr std::string_view kHalves[] = {"EVEN", "ODD"}, kQuarters[] = {"P0", "P1", "P2", "P3"};
    Settings all = settings;
    if (ratio == 2) all.push_back({"part", kHalves[x]});
    if (ratio == 4) all.push_back({"part", kQuarters[x]});
    const unsigned width = byte_width(from);
    const ValueId built =
        state.writer.emit(isa::id_of(isa::lane_instruction(isa::row(op.op().row))),
                          std::array{state.writer.bits_as(reg, from), state.writer.all_lanes(width)},
                          std::array{state.writer.vector_type(to)}, all)[0];
    return state.writer.bits_as(built, to == kept ? state.info(result).elem : kept);
  };
  const Regs regs = materialize_vector(state, source, layout);
  Regs built = convert_widths(state, regs, layout, shape_from, shape_to, state.info(result).uniform, one,
                              state.info(result).elem);
  define_vector(state, result, layout, state.writer.bits_as(built, state.info(result).elem));
}

void lower_exp_difference(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Layout layout = state.info(result).uniform ? memory_order(4) : state.assigned_layout(result);
  const Shape from = state.info(op.operand(0)).shape(), to = state.info(result).shape();
  const Regs x = materialize_vector(state, op.operand(0), layout),
             max = materialize_vector(state, op.operand(1), layout),
             active = materialize_mask(state, op.operand(2), layout, from.width);
  const auto one = [&](ValueId reg, unsigned part) {
    const auto i = static_cast<size_t>(std::ranges::find(x, reg) - x.begin());
    return state.writer.emit(
        isa::id_of(isa::lane_instruction(isa::row(op.op().row))), std::array{reg, max[i], active[i]},
        std::array{state.writer.vector_type(Elem::f32)}, {{"part", part == 0 ? "EVEN" : "ODD"}})[0];
  };
  define_vector(state, result, layout,
                convert_widths(state, x, layout, from, to, state.info(result).uniform, one, Elem::f32));
}

void lower_bitcast(LoweringState& state, const OpView& op) {
  const ValueId source = op.operand(0), result = op.result(0);
  const Logical &from = state.info(source), &to = state.info(result);
  if (to.uniform)
    return define_uniform(
        state, result,
        state.writer.bits_as(materialize_vector(state, source, state.assigned_layout(source))[0], to.elem));
  if (from.width == to.width)
    return define_vector(
        state, result, state.assigned_layout(result),
        state.writer.bits_as(materialize_vector(state, source, state.assigned_layout(result)), to.elem));
  const Layout as_memory = memory_order(to.width);
  define_vector(state, result, as_memory,
                state.writer.bits_as(materialize_vector(state, source, memory_order(from.width)), to.elem));
}

void lower_layout_hint(LoweringState& state, const OpView& op) {
  const ValueId source = op.operand(0), result = op.result(0);
  const Logical& of = state.info(result);
  if (of.kind == Logical::Kind::mask)
    return define_mask(state, result, state.assigned_layout(result), of.width,
                       materialize_mask(state, source, state.assigned_layout(result), of.width, true));
  define_vector(
      state, result, state.assigned_layout(result),
      materialize_vector(state, source, of.uniform ? memory_order(of.width) : state.assigned_layout(result)));
}

void lower_unpack(LoweringState& state, const OpView& op) {
  const ValueId source = op.operand(0);
  const std::optional<Layout> layout = find_written_layout(state, source);
  const Logical& of = state.info(source);
  const bool is_mask = of.kind == Logical::Kind::mask;
  Regs regs;
  if (is_mask) {
    if (!layout) return state.refuse("a mask in a layout that lanes have nowhere here");
    regs = materialize_mask(state, source, *layout, byte_width(state.input.type_of(source).elem), true);
  } else if (layout) {
    regs = materialize_vector(state, source, *layout);
  } else {
    const isa::LanePlaces places(state.input.type_of(source));
    const Layout own = of.uniform ? memory_order(of.width) : state.assigned_layout(source);
    regs = gather_lanes(state, of.shape(), static_cast<unsigned>(places.registers()), written_places(places),
                        of.elem, materialize_vector(state, source, own),
                        [&](unsigned lane) { return own.place_of(of.shape(), lane); });
  }
  if (regs.size() != op.op().n_results)
    return state.refuse("another number of registers than the lanes fill");
  for (unsigned i = 0; i < regs.size() && !state.refusal; ++i) {
    const Elem elem = op.result_type(i).elem;
    state.renamed[op.result(i)] =
        is_mask ? state.writer.mask_cast(regs[i], byte_width(elem)) : state.writer.bits_as(regs[i], elem);
  }
}

void lower_pack(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const std::optional<Layout> layout = find_written_layout(state, result);
  const Logical& of = state.info(result);
  const isa::LanePlaces places(state.input.type_of(result));
  if (!layout && of.kind == Logical::Kind::mask)
    return state.refuse("a mask in a layout that lanes have nowhere here");
  const unsigned width = byte_width(state.input.type_of(result).elem);
  Regs regs;
  for (const ValueId part : op.operands(0)) {
    const ValueId reg = state.scalar(part);
    regs.push_back(of.kind == Logical::Kind::mask ? state.writer.mask_cast(reg, width)
                                                  : state.writer.bits_as(reg, of.elem));
  }
  if (regs.size() != (layout ? layout->registers({of.lanes, width}) : places.registers()))
    return state.refuse("another number of registers than the lanes fill");
  if (of.kind == Logical::Kind::mask)
    define_mask(state, result, *layout, width, regs);
  else if (layout)
    define_vector(state, result, *layout, regs);
  else
    define_vector(state, result, state.assigned_layout(result),
                  gather_lanes(state, of.shape(), state.assigned_layout(result), of.elem, regs,
                               written_places(places)));
}

}  // namespace pto::lower
