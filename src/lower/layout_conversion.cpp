#include "lower/layout_conversion.hpp"

#include <algorithm>

#include "lower/permutations.hpp"

namespace pto::lower {
namespace {

/// Twice the streams: gaps between lanes close, or lanes are dealt out to more parts.
Regs double_streams(LoweringState& state, const Regs& regs, Shape shape, Layout from) {
  const Elem elem = state.writer.elem_of(regs[0]);
  const Layout to{.streams = 2 * from.streams, .slots = from.slots};
  const unsigned n = to.registers(shape);
  Regs built;
  if (from.stride(shape.width) > 1) {
    const unsigned wide = shape.width * from.stride(shape.width);
    const TypeId packed = state.writer.vector_type(unsigned_elem(wide / 2));
    const auto half = [&](size_t i, std::string_view part) {
      return state.writer.emit(Lowering::to_pack, 1, {state.writer.bits_as(regs[i], unsigned_elem(wide))},
                               packed, {{"part", part}});
    };
    for (unsigned i = 0; i < n; ++i) {
      const unsigned first = from.slots != 0 ? i : 2 * i;
      ValueId reg = half(first, "LOWER");
      if (from.slots == 0 && first + 1 < regs.size())
        reg = state.writer.emit(Lowering::to_or, 1,
                                {reg, half(first + 1, "HIGHER"), state.writer.all_lanes(wide / 2)}, packed);
      built.push_back(state.writer.bits_as(reg, elem));
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
      const RegPair both = interleave_pair(state, true, low, high);
      built[part * after + i] = both[0];
      built[(part + parts) * after + i] = both[1];
    }
  }
  return built;
}

}  // namespace

RegPair interleave_pair(LoweringState& state, bool apart, ValueId a, ValueId b) {
  if (const auto back = state.interleaved.find({!apart, {a, b}}); back != state.interleaved.end())
    return back->second;
  const RegPair operands = {a, b};
  const std::array types = {state.output.values[a].type, state.output.values[a].type};
  const Regs both = state.writer.emit(
      isa::instruction(apart ? Lowering::to_deinterleave : Lowering::to_interleave), operands, types);
  const RegPair built = {both[0], both[1]};
  state.interleaved[{apart, built}] = operands;
  return built;
}

Regs halve_streams(LoweringState& state, const Regs& regs, Shape shape, Layout from) {
  const Elem elem = state.writer.elem_of(regs[0]);
  const Layout to{.streams = from.streams / 2, .slots = from.slots};
  const unsigned n = to.registers(shape), parts = to.parts(shape.width);
  Regs built;
  if (from.parts(shape.width) == 1) {
    const unsigned narrow = shape.width * from.stride(shape.width);
    const TypeId type = state.writer.vector_type(unsigned_elem(2 * narrow));
    for (unsigned i = 0; i < n; ++i) {
      const ValueId source = state.writer.bits_as(regs[from.slots != 0 ? i : i / 2], unsigned_elem(narrow));
      const ValueId half = state.writer.index(from.slots != 0 ? 0 : i % 2);
      built.push_back(
          state.writer.bits_as(state.writer.emit(Lowering::to_unpack, 1, {source, half}, type), elem));
    }
    return built;
  }
  const auto before = static_cast<unsigned>(regs.size()) / (2 * parts), per_part = n / parts;
  for (unsigned part = 0; part < parts; ++part) {
    for (unsigned i = 0; i < before; ++i) {
      const RegPair both =
          interleave_pair(state, false, regs[part * before + i], regs[(part + parts) * before + i]);
      built.push_back(both[0]);
      if (2 * i + 1 < per_part) built.push_back(both[1]);
    }
  }
  return built;
}

Regs convert_layout(LoweringState& state, const Regs& regs, Shape shape, Layout from, Layout to) {
  const TypeId type = state.writer.vector_type(state.writer.elem_of(regs[0]));
  if (from == to) return regs;
  if (!to.fits(shape) || !from.fits(shape))
    return state.refused(to.registers(shape), type, "the lanes do not divide");
  if (!from.blocks && !to.blocks && from.slots == to.slots) {
    Regs built = regs;
    for (Layout at = from; at.streams != to.streams && !state.refusal;) {
      const bool more = to.streams > at.streams;
      built = more ? double_streams(state, built, shape, at) : halve_streams(state, built, shape, at);
      at.streams = more ? 2 * at.streams : at.streams / 2;
    }
    return built;
  }
  return gather_lanes(state, shape, to, state.writer.elem_of(regs[0]), regs,
                      [&](unsigned lane) { return from.place_of(shape, lane); });
}

// ---- masks: contiguous for lanes of so many bytes, or dealt out to parts
Regs convert_mask_layout(LoweringState& state, Regs masks, unsigned lanes, Form from, Form to) {
  if (from == to) return masks;
  if (from.layout.blocks != to.layout.blocks || from.layout.slots != to.layout.slots) {
    const Shape shape{lanes, to.width};
    return state.refused(to.layout.registers(shape), state.writer.mask_type(to.width),
                         "a mask would have to move between blocks or groups");
  }
  if (from.layout.blocks || from.layout.slots != 0) {
    if (from.width == to.width && from.layout.streams == to.layout.streams) return masks;
    return state.refused(to.layout.registers({lanes, to.width}), state.writer.mask_type(to.width),
                         "a mask of blocks or groups for another width");
  }
  // To one part, lanes of `width` bytes without gaps.
  unsigned width = std::max(from.width, kWordBytes / from.layout.streams);
  const auto pair = [&](Lowering part, unsigned bytes, ValueId a, ValueId b) {
    const TypeId types[] = {state.writer.mask_type(bytes), state.writer.mask_type(bytes)};
    const ValueId operands[] = {state.writer.mask_cast(a, bytes), state.writer.mask_cast(b, bytes)};
    return state.writer.emit(isa::instruction(part, bytes), operands, types);
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
        return state.writer.emit(Lowering::to_mask_pack, 1, {state.writer.mask_cast(mask, width)},
                                 state.writer.mask_type(width / 2), {{"part", part}});
      };
      ValueId mask = half(masks[i], "LOWER");
      if (i + 1 < masks.size())
        mask = state.writer.masks(Lowering::to_mask_or, mask, half(masks[i + 1], "HIGHER"));
      built.push_back(mask);
    }
    masks = std::move(built);
  }
  for (; width < wanted; width *= 2) {
    Regs built;
    for (unsigned i = 0; i < count(2 * width, 1); ++i)
      built.push_back(
          state.writer.emit(Lowering::to_mask_unpack, 1, {state.writer.mask_cast(masks[i / 2], width)},
                            state.writer.mask_type(2 * width), {{"part", i % 2 == 0 ? "LOWER" : "HIGHER"}}));
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
  for (ValueId& mask : masks) mask = state.writer.mask_cast(mask, to.width);
  return masks;
}

}  // namespace pto::lower
