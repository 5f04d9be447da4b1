// The same lanes in another layout, and under another element type.
#include <algorithm>

#include "isa/conversions.hpp"
#include "isa/lane_layout.hpp"
#include "lower/lowering.hpp"

namespace pto::lower {
namespace {

Elem unsigned_of(unsigned width) { return width == 1 ? Elem::ui8 : width == 2 ? Elem::ui16 : Elem::ui32; }

}  // namespace

/// Lanes of two registers by turns, or apart; what the other one gave has come from there.
VectorLowering::Pair VectorLowering::interleave_pair(bool apart, ValueId a, ValueId b) {
  if (const auto back = turned_.find({!apart, {a, b}}); back != turned_.end()) return back->second;
  const Pair operands = {a, b};
  const std::array types = {to_.values[a].type, to_.values[a].type};
  const Regs both = writer_.emit(
      isa::instruction(apart ? Lowering::to_deinterleave : Lowering::to_interleave), operands, types);
  const Pair built = {both[0], both[1]};
  turned_[{apart, built}] = operands;
  return built;
}

/// Twice the streams: gaps between lanes close, or lanes are dealt out to more parts.
Regs VectorLowering::closer(const Regs& regs, Shape shape, Layout from) {
  const Elem elem = writer_.elem_of(regs[0]);
  const Layout to{.streams = 2 * from.streams, .slots = from.slots};
  const unsigned n = to.registers(shape);
  Regs built;
  if (from.stride(shape.width) > 1) {
    const unsigned wide = shape.width * from.stride(shape.width);
    const TypeId packed = writer_.vector_type(unsigned_of(wide / 2));
    const auto half = [&](size_t i, std::string_view part) {
      return writer_.emit(Lowering::to_pack, 1, {writer_.bits_as(regs[i], unsigned_of(wide))}, packed,
                          {{"part", part}});
    };
    for (unsigned i = 0; i < n; ++i) {
      const unsigned first = from.slots != 0 ? i : 2 * i;
      ValueId reg = half(first, "LOWER");
      if (from.slots == 0 && first + 1 < regs.size())
        reg = writer_.emit(Lowering::to_or, 1, {reg, half(first + 1, "HIGHER"), writer_.all_lanes(wide / 2)},
                           packed);
      built.push_back(writer_.bits_as(reg, elem));
    }
    return built;
  }
  const unsigned parts = from.parts(shape.width);
  const auto per_part = static_cast<unsigned>(regs.size()) / parts, after = n / (2 * parts);
  built.resize(n);
  for (unsigned part = 0; part < parts; ++part) {
    for (unsigned i = 0; i < after; ++i) {
      const ValueId low = regs[part * per_part + 2 * i],
                    high = 2 * i + 1 < per_part ? regs[part * per_part + 2 * i + 1] : low;
      const Pair both = interleave_pair(true, low, high);
      built[part * after + i] = both[0];
      built[(part + parts) * after + i] = both[1];
    }
  }
  return built;
}

/// Half the streams.
Regs VectorLowering::wider(const Regs& regs, Shape shape, Layout from) {
  const Elem elem = writer_.elem_of(regs[0]);
  const Layout to{.streams = from.streams / 2, .slots = from.slots};
  const unsigned n = to.registers(shape), parts = to.parts(shape.width);
  Regs built;
  if (from.parts(shape.width) == 1) {
    const unsigned narrow = shape.width * from.stride(shape.width);
    const TypeId type = writer_.vector_type(unsigned_of(2 * narrow));
    for (unsigned i = 0; i < n; ++i) {
      const ValueId source = writer_.bits_as(regs[from.slots != 0 ? i : i / 2], unsigned_of(narrow));
      const ValueId half = writer_.index(from.slots != 0 ? 0 : i % 2);
      built.push_back(writer_.bits_as(writer_.emit(Lowering::to_unpack, 1, {source, half}, type), elem));
    }
    return built;
  }
  const auto before = static_cast<unsigned>(regs.size()) / (2 * parts), per_part = n / parts;
  for (unsigned part = 0; part < parts; ++part) {
    for (unsigned i = 0; i < before; ++i) {
      const Pair both = interleave_pair(false, regs[part * before + i], regs[(part + parts) * before + i]);
      built.push_back(both[0]);
      if (2 * i + 1 < per_part) built.push_back(both[1]);
    }
  }
  return built;
}

Regs VectorLowering::moved(const Regs& regs, Shape shape, Layout from, Layout to) {
  const TypeId type = writer_.vector_type(writer_.elem_of(regs[0]));
  if (from == to) return regs;
  if (!to.fits(shape) || !from.fits(shape))
    return refused(to.registers(shape), type, "the lanes do not divide");
  if (!from.blocks && !to.blocks && from.slots == to.slots) {
    Regs built = regs;
    for (Layout at = from; at.streams != to.streams && !refusal_;) {
      const bool more = to.streams > at.streams;
      built = more ? closer(built, shape, at) : wider(built, shape, at);
      at.streams = more ? 2 * at.streams : at.streams / 2;
    }
    return built;
  }
  return gathered(shape, to, writer_.elem_of(regs[0]), regs,
                  [&](unsigned lane) { return from.layout_of(shape, lane); });
}

// ---- masks: contiguous for lanes of so many bytes, or dealt out to parts
Regs VectorLowering::moved_mask(Regs masks, unsigned lanes, Form from, Form to) {
  if (from == to) return masks;
  if (from.layout.blocks != to.layout.blocks || from.layout.slots != to.layout.slots) {
    const Shape shape{lanes, to.width};
    return refused(to.layout.registers(shape), writer_.mask_type(to.width),
                   "a mask would have to move between blocks or groups");
  }
  if (from.layout.blocks || from.layout.slots != 0) {
    if (from.width == to.width && from.layout.streams == to.layout.streams) return masks;
    return refused(to.layout.registers({lanes, to.width}), writer_.mask_type(to.width),
                   "a mask of blocks or groups for another width");
  }
  // To one part, lanes of `width` bytes without gaps.
  unsigned width = std::max(from.width, kWordBytes / from.layout.streams);
  const auto pair = [&](Lowering part, unsigned bytes, ValueId a, ValueId b) {
    const TypeId types[] = {writer_.mask_type(bytes), writer_.mask_type(bytes)};
    const ValueId operands[] = {writer_.mask_cast(a, bytes), writer_.mask_cast(b, bytes)};
    return writer_.emit(isa::instruction(part, bytes), operands, types);
  };
  const auto count = [&](unsigned bytes, unsigned parts) {
    return (lanes / parts * bytes + kRegisterBytes - 1) / kRegisterBytes;
  };
  for (unsigned parts = from.layout.parts(from.width); parts > 1; parts /= 2) {
    const unsigned before = count(width, parts), after = count(width, parts / 2);
    Regs built;
    for (unsigned part = 0; part < parts / 2; ++part) {
      for (unsigned i = 0; i < before; ++i) {
        const Regs both = pair(Lowering::to_mask_interleave, width, masks[part * before + i],
                               masks[(part + parts / 2) * before + i]);
        built.push_back(both[0]);
        if (2 * i + 1 < after) built.push_back(both[1]);
      }
    }
    masks = std::move(built);
  }
  const unsigned wanted = std::max(to.width, kWordBytes / to.layout.streams);
  for (; width > wanted; width /= 2) {
    Regs built;
    for (unsigned i = 0; i < masks.size(); i += 2) {
      const auto half = [&](ValueId mask, std::string_view part) {
        return writer_.emit(Lowering::to_mask_pack, 1, {writer_.mask_cast(mask, width)},
                            writer_.mask_type(width / 2), {{"part", part}});
      };
      ValueId mask = half(masks[i], "LOWER");
      if (i + 1 < masks.size())
        mask = writer_.masks(Lowering::to_mask_or, mask, half(masks[i + 1], "HIGHER"));
      built.push_back(mask);
    }
    masks = std::move(built);
  }
  for (; width < wanted; width *= 2) {
    Regs built;
    for (unsigned i = 0; i < count(2 * width, 1); ++i)
      built.push_back(writer_.emit(Lowering::to_mask_unpack, 1, {writer_.mask_cast(masks[i / 2], width)},
                                   writer_.mask_type(2 * width),
                                   {{"part", i % 2 == 0 ? "LOWER" : "HIGHER"}}));
    masks = std::move(built);
  }
  for (unsigned parts = 1; parts < to.layout.parts(to.width); parts *= 2) {
    const unsigned before = count(width, parts), after = count(width, 2 * parts);
    Regs built(size_t{2} * parts * after);
    for (unsigned part = 0; part < parts; ++part) {
      for (unsigned i = 0; i < after; ++i) {
        const ValueId low = masks[part * before + 2 * i],
                      high = 2 * i + 1 < before ? masks[part * before + 2 * i + 1] : low;
        const Regs both = pair(Lowering::to_mask_deinterleave, width, low, high);
        built[part * after + i] = both[0];
        built[(part + parts) * after + i] = both[1];
      }
    }
    masks = std::move(built);
  }
  for (ValueId& mask : masks) mask = writer_.mask_cast(mask, to.width);
  return masks;
}

// ---- element types
/// Element e of a word of the result comes from element e * ratio + x of the source's (the other way round
/// where lanes become narrower): x is the part of the instruction. Several that end in one register are
/// joined.
Regs VectorLowering::across(const Regs& regs, Layout layout, Shape from, Shape to, bool uniform,
                            const std::function<ValueId(ValueId, unsigned)>& one, Elem elem) {
  if (from.width == to.width) {
    Regs built;
    for (const ValueId reg : uniform ? Regs{regs[0]} : regs) built.push_back(one(reg, 0));
    return built;
  }
  const bool widens = to.width > from.width;
  const unsigned ratio = widens ? to.width / from.width : from.width / to.width;
  const auto joined = [&](ValueId a, ValueId b) {
    const Elem bits = unsigned_of(to.width);
    const ValueId both = writer_.emit(
        Lowering::to_or, 1, {writer_.bits_as(a, bits), writer_.bits_as(b, bits), writer_.all_lanes(to.width)},
        writer_.vector_type(bits));
    return writer_.bits_as(both, elem);
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

void VectorLowering::convert(const OpView& op) {
  const ValueId source = op.operand(0), result = op.result(0);
  const Layout layout = info(result).uniform ? memory_order(info(source).width) : assigned_layout(result);
  const Elem written_from = from_.type_of(source).elem, written_to = from_.type_of(result).elem;
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
  if (drops) from = unsigned_of(byte_width(from)), to = unsigned_of(byte_width(to));
  const isa::ConversionContract* contract = isa::conversion_contract(from, to);
  if (contract == nullptr) return refuse("no vector instruction converts between these elements");
  if (written("rounding") == "H") return refuse("hybrid rounding is not supported");
  Settings settings;
  if (contract->needs.find('r') != std::string_view::npos)
    settings.push_back({"rnd", !written("rounding").empty() ? written("rounding")
                               : to == Elem::hif8           ? "A"
                                                            : "R"});
  if (contract->needs.find('s') != std::string_view::npos)
    settings.push_back(
        {"sat", written("saturate").empty() ? is_integer(to) ? "SAT" : "NOSAT" : written("saturate")});
  const Shape shape_from = info(source).shape(), shape_to = info(result).shape();
  const unsigned ratio =
      std::max(shape_from.width, shape_to.width) / std::min(shape_from.width, shape_to.width);
  const auto one = [&](ValueId reg, unsigned x) {
    constexpr std::string_view kHalves[] = {"EVEN", "ODD"}, kQuarters[] = {"P0", "P1", "P2", "P3"};
    Settings all = settings;
    if (ratio == 2) all.push_back({"part", kHalves[x]});
    if (ratio == 4) all.push_back({"part", kQuarters[x]});
    const unsigned width = byte_width(from);
    const ValueId built = writer_.emit(isa::id_of(isa::lane_instruction(isa::row(op.op().row))),
                                       std::array{writer_.bits_as(reg, from), writer_.all_lanes(width)},
                                       std::array{writer_.vector_type(to)}, all)[0];
    return writer_.bits_as(built, to == kept ? info(result).elem : kept);
  };
  const Regs regs = vector(source, layout);
  Regs built = across(regs, layout, shape_from, shape_to, info(result).uniform, one, info(result).elem);
  define(result, layout, writer_.bits_as(built, info(result).elem));
}

/// e^(x - max), which widens f16.
void VectorLowering::exp_difference(const OpView& op) {
  const ValueId result = op.result(0);
  const Layout layout = info(result).uniform ? memory_order(4) : assigned_layout(result);
  const Shape from = info(op.operand(0)).shape(), to = info(result).shape();
  const Regs x = vector(op.operand(0), layout), max = vector(op.operand(1), layout),
             active = mask(op.operand(2), layout, from.width);
  const auto one = [&](ValueId reg, unsigned part) {
    const auto i = static_cast<size_t>(std::ranges::find(x, reg) - x.begin());
    return writer_.emit(isa::id_of(isa::lane_instruction(isa::row(op.op().row))),
                        std::array{reg, max[i], active[i]}, std::array{writer_.vector_type(Elem::f32)},
                        {{"part", part == 0 ? "EVEN" : "ODD"}})[0];
  };
  define(result, layout, across(x, layout, from, to, info(result).uniform, one, Elem::f32));
}

/// The same bits, however they are divided into lanes.
void VectorLowering::recast(const OpView& op) {
  const ValueId source = op.operand(0), result = op.result(0);
  const Logical &from = info(source), &to = info(result);
  if (to.uniform)
    return define_uniform(result, writer_.bits_as(vector(source, assigned_layout(source))[0], to.elem));
  if (from.width == to.width)
    return define(result, assigned_layout(result),
                  writer_.bits_as(vector(source, assigned_layout(result)), to.elem));
  const Layout as_memory = memory_order(to.width);
  define(result, as_memory, writer_.bits_as(vector(source, memory_order(from.width)), to.elem));
}

/// The layout that the text wants is as good as another.
void VectorLowering::place(const OpView& op) {
  const ValueId source = op.operand(0), result = op.result(0);
  const Logical& of = info(result);
  if (of.kind == Logical::Kind::mask)
    return define_mask(result, assigned_layout(result), of.width,
                       mask(source, assigned_layout(result), of.width, true));
  define(result, assigned_layout(result),
         vector(source, of.uniform ? memory_order(of.width) : assigned_layout(result)));
}

/// The layout in the type of a value, where words can have it: the one that puts every lane at its place.
std::optional<Layout> VectorLowering::written_layout(ValueId value) const {
  const Type& type = from_.type_of(value);
  if (type.kind == TypeKind::vmi_mask && type.elem == Elem::i1) return std::nullopt;
  const isa::LanePlaces places(type);
  const Shape shape{info(value).lanes, byte_width(type.elem)};
  const auto same = [&](Layout layout) {
    if (!layout.fits(shape) || layout.registers(shape) != places.registers()) return false;
    for (unsigned lane = 0; lane < shape.lanes; ++lane) {
      const Place own = layout.layout_of(shape, lane);
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
VectorLowering::Places VectorLowering::written_places(const isa::LanePlaces& places) {
  return [&places](unsigned lane) {
    const isa::LanePlace there = places.place_of(lane);
    return Place{static_cast<unsigned>(there.reg), static_cast<unsigned>(there.lane)};
  };
}

/// The registers of a value as its type says, for what works on registers.
void VectorLowering::unpack(const OpView& op) {
  const ValueId source = op.operand(0);
  const std::optional<Layout> layout = written_layout(source);
  const Logical& of = info(source);
  const bool is_mask = of.kind == Logical::Kind::mask;
  Regs regs;
  if (is_mask) {
    if (!layout) return refuse("a mask in a layout that lanes have nowhere here");
    regs = mask(source, *layout, byte_width(from_.type_of(source).elem), true);
  } else if (layout) {
    regs = vector(source, *layout);
  } else {
    const isa::LanePlaces places(from_.type_of(source));
    const Layout own = of.uniform ? memory_order(of.width) : assigned_layout(source);
    regs = gathered(of.shape(), static_cast<unsigned>(places.registers()), written_places(places), of.elem,
                    vector(source, own), [&](unsigned lane) { return own.layout_of(of.shape(), lane); });
  }
  if (regs.size() != op.op().n_results) return refuse("another number of registers than the lanes fill");
  for (unsigned i = 0; i < regs.size() && !refusal_; ++i) {
    const Elem elem = op.result_type(i).elem;
    renamed_[op.result(i)] =
        is_mask ? writer_.mask_cast(regs[i], byte_width(elem)) : writer_.bits_as(regs[i], elem);
  }
}
void VectorLowering::pack(const OpView& op) {
  const ValueId result = op.result(0);
  const std::optional<Layout> layout = written_layout(result);
  const Logical& of = info(result);
  const isa::LanePlaces places(from_.type_of(result));
  if (!layout && of.kind == Logical::Kind::mask)
    return refuse("a mask in a layout that lanes have nowhere here");
  const unsigned width = byte_width(from_.type_of(result).elem);
  Regs regs;
  for (const ValueId part : op.operands(0)) {
    const ValueId reg = scalar(part);
    regs.push_back(of.kind == Logical::Kind::mask ? writer_.mask_cast(reg, width)
                                                  : writer_.bits_as(reg, of.elem));
  }
  if (regs.size() != (layout ? layout->registers({of.lanes, width}) : places.registers()))
    return refuse("another number of registers than the lanes fill");
  if (of.kind == Logical::Kind::mask)
    define_mask(result, *layout, width, regs);
  else if (layout)
    define(result, *layout, regs);
  else
    define(result, assigned_layout(result),
           gathered(of.shape(), assigned_layout(result), of.elem, regs, written_places(places)));
}

}  // namespace pto::lower
