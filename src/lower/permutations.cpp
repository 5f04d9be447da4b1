#include "lower/permutations.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "lower/layout_conversion.hpp"
#include "lower/masks.hpp"
#include "lower/register_forms.hpp"

namespace pto::lower {
namespace {

using Lanes = std::vector<std::optional<unsigned>>;  ///< of a register, where somebody looks

/// base + step * ((lane >> shift) mod period)
struct Progression {
  int64_t base = 0, step = 0;
  unsigned shift = 0, period = 0;
  [[nodiscard]] int64_t at(unsigned lane) const {
    return base + step * static_cast<int64_t>((lane >> shift) % period);
  }
};
std::optional<Progression> progression(const Lanes& wanted) {
  const auto lanes = static_cast<unsigned>(wanted.size());
  for (unsigned shift = 0; (1U << shift) <= lanes; ++shift) {
    for (unsigned period = lanes; period >= 1; period /= 2) {
      Progression found{0, 0, shift, period};
      std::optional<std::pair<unsigned, unsigned>> first;  // place, value
      bool stepped = false, good = true;
      for (unsigned lane = 0; lane < lanes && good; ++lane) {
        if (!wanted[lane]) continue;
        const unsigned place = (lane >> shift) % period;
        if (!first) {
          first = {place, *wanted[lane]};
        } else if (!stepped && place != first->first) {
          const int64_t rise = int64_t{*wanted[lane]} - first->second, run = int64_t{place} - first->first;
          good = rise % run == 0;
          found.step = good ? rise / run : 0;
          stepped = true;
        }
      }
      if (!first || !good) continue;
      found.base = int64_t{first->second} - found.step * first->first;
      for (unsigned lane = 0; lane < lanes && good; ++lane)
        good = !wanted[lane] || found.at(lane) == *wanted[lane];
      if (good) return found;
    }
  }
  return std::nullopt;
}

/// A register whose lanes are the numbers, where one is wanted.
ValueId build_index_register(LoweringState& state, unsigned width, const Lanes& wanted) {
  const Elem elem = unsigned_elem(width), number = signless_elem(width);
  const TypeId type = state.writer.vector_type(elem);
  const ValueId all = state.writer.all_lanes(width);
  const auto found = progression(wanted);
  if (!found) {
    std::map<std::string, std::vector<bool>> places;
    for (unsigned i = 0; i < wanted.size(); ++i)
      if (wanted[i]) places.try_emplace(std::to_string(*wanted[i]), wanted.size()).first->second[i] = true;
    return build_listed_values(state, places, width, elem);
  }
  if (found->step == 0)
    return state.writer.emit(Lowering::to_duplicate, 1, {state.writer.constant(number, found->base), all},
                             type);
  const bool plain = found->shift == 0 && found->step == 1 && found->period == wanted.size();
  ValueId lane = state.writer.emit(Lowering::to_count, 1,
                                   {state.writer.constant(number, plain ? found->base : 0)}, type);
  if (plain) return lane;
  if (found->shift != 0)
    lane = state.writer.emit(Lowering::to_shift_right_scalar, 1,
                             {lane, state.writer.constant(Elem::i16, found->shift), all}, type);
  if (found->period < wanted.size() >> found->shift)
    lane = state.writer.emit(Lowering::to_and_scalar, 1,
                             {lane, state.writer.constant(number, found->period - 1), all}, type);
  if (found->step != 1)
    lane = state.writer.emit(Lowering::to_multiply_scalar, 1,
                             {lane, state.writer.constant(number, found->step), all}, type);
  if (found->base != 0)
    lane = state.writer.emit(Lowering::to_add_scalar, 1,
                             {lane, state.writer.constant(number, found->base), all}, type);
  return lane;
}

/// Lanes of two values by turns are the parts of one that is dealt out to twice as many: registers stay as
/// they are, where the layouts are so and the halves of every part fill registers.
bool try_interleave_in_place(LoweringState& state, const OpView& op, bool apart) {
  const Shape shape = state.info(op.result(0)).shape();
  const Layout placed = state.assigned_layout(op.result(0));
  if (placed.blocks || placed.slots != 0 || placed != state.assigned_layout(op.result(1))) return false;
  const Layout from{.streams = apart ? 2 * placed.streams : placed.streams / 2};
  const unsigned many = (apart ? from : placed).parts(shape.width),
                 few = (apart ? placed : from).parts(shape.width);
  if (from.streams == 0 || from.streams > kWordBytes || many != 2 * few ||
      shape.bytes() % (many * kRegisterBytes) != 0 || (apart ? placed : from).stride(shape.width) != 1)
    return false;
  const Regs a = materialize_vector(state, op.operand(0), from),
             b = materialize_vector(state, op.operand(1), from);
  const size_t each = a.size() / many;  // registers of a half of a part of one that has few
  for (unsigned half = 0; half < 2; ++half) {
    Regs built;
    const auto take = [&](const Regs& regs, size_t first) {
      built.insert(built.end(), regs.begin() + static_cast<std::ptrdiff_t>(first * each),
                   regs.begin() + static_cast<std::ptrdiff_t>((first + 1) * each));
    };
    for (unsigned part = 0; apart && part < few; ++part) {
      take(a, 2 * part + half);
      take(b, 2 * part + half);
    }
    for (unsigned part = 0; !apart && part < many; ++part) take(part % 2 == 0 ? a : b, part / 2 * 2 + half);
    define_vector(state, op.result(half), placed, built);
  }
  return true;
}

/// The same where lanes fill no registers: each lane from where it stands.
void interleave_partial_registers(LoweringState& state, const OpView& op, bool apart) {
  const Shape shape = state.info(op.result(0)).shape();
  const Layout order = memory_order(shape.width);
  Regs both = materialize_vector(state, op.operand(0), order);
  const Regs second = materialize_vector(state, op.operand(1), order);
  const auto n = static_cast<unsigned>(both.size());
  both.insert(both.end(), second.begin(), second.end());
  for (unsigned half = 0; half < 2; ++half) {
    const auto from = [&](unsigned lane) {
      const unsigned at = apart ? 2 * lane + half : half * shape.lanes + lane;
      Place place = order.place_of(shape, apart ? at % shape.lanes : at / 2);
      if (apart ? at >= shape.lanes : at % 2 != 0) place.reg += n;
      return place;
    };
    define_vector(state, op.result(half), order,
                  gather_lanes(state, shape, order, state.info(op.result(half)).elem, both, from));
  }
}

}  // namespace

ValueId build_listed_values(LoweringState& state, const std::map<std::string, std::vector<bool>>& places,
                            unsigned width, Elem elem) {
  const TypeId type = state.writer.vector_type(elem);
  const auto many = std::ranges::max_element(
      places, {}, [](const auto& number) { return std::ranges::count(number.second, true); });
  const auto of = [&](const std::string& number) {
    AttrValue value;
    value.kind = AttrValue::Kind::raw;
    value.text = state.output.strings.intern("dense<" + number + ">");
    const ValueId scalar = state.writer.literal(value, elem);
    if (scalar == kNoValue) return state.refused(1, type, "a constant of this form")[0];
    return state.writer.emit(Lowering::to_duplicate, 1, {scalar, state.writer.all_lanes(width)}, type);
  };
  ValueId built = of(many->first);
  for (auto number = places.begin(); number != places.end() && !state.refusal; ++number)
    if (number != many)
      built =
          state.writer.emit(Lowering::to_choose, 1,
                            {of(number->first), built, build_lane_mask(state, number->second, width)}, type);
  return built;
}

Regs gather_lanes(LoweringState& state, Shape shape, Layout layout, Elem elem, const Regs& sources,
                  const LaneMap& from) {
  return gather_lanes(
      state, shape, layout.registers(shape), [&](unsigned lane) { return layout.place_of(shape, lane); },
      elem, sources, from);
}

Regs gather_lanes(LoweringState& state, Shape shape, unsigned n, const LaneMap& place, Elem elem,
                  const Regs& sources, const LaneMap& from) {
  // Instructions that choose take no elements of other kinds: their bits go through as integers.
  if (!is_integer(elem) && elem != Elem::f16 && elem != Elem::bf16 && elem != Elem::f32) {
    const Elem bits = unsigned_elem(shape.width);
    return state.writer.bits_as(
        gather_lanes(state, shape, n, place, bits, state.writer.bits_as(sources, bits), from), elem);
  }
  const unsigned per = shape.per_register();
  std::vector<std::map<unsigned, Lanes>> wanted(n);  // by register: of each source
  for (unsigned lane = 0; lane < shape.lanes; ++lane) {
    const Place to = place(lane), source = from(lane);
    Lanes& lanes = wanted[to.reg].try_emplace(source.reg, Lanes(per)).first->second;
    lanes[to.lane] = source.lane;
  }
  const TypeId type = state.writer.vector_type(elem);
  std::map<std::pair<ValueId, Lanes>, ValueId> done;
  std::map<Lanes, ValueId> indices;
  const auto piece = [&](ValueId source, const Lanes& lanes) {
    const auto [it, fresh] = done.try_emplace({source, lanes}, source);
    if (!fresh) return it->second;
    bool stay = true, first = true;
    for (unsigned i = 0; i < per; ++i) {
      stay = stay && (!lanes[i] || *lanes[i] == i);
      first = first && (!lanes[i] || *lanes[i] == 0);
    }
    if (stay) return it->second;
    if (first)
      return it->second = state.writer.emit(Lowering::to_duplicate, 1,
                                            {source, state.writer.all_lanes(shape.width)}, type);
    const auto [index, built] = indices.try_emplace(lanes, kNoValue);
    if (built) index->second = build_index_register(state, shape.width, lanes);
    return it->second = state.writer.emit(Lowering::to_select_lanes, 1, {source, index->second}, type);
  };
  Regs built;
  for (unsigned reg = 0; reg < n; ++reg) {
    ValueId whole = kNoValue;
    for (const auto& [source, lanes] : wanted[reg]) {
      const ValueId part = piece(sources[source], lanes);
      if (whole == kNoValue) {
        whole = part;
        continue;
      }
      // Lanes that nobody looks at go on as those in front of them.
      unsigned used = 0;
      for (const auto& [other, theirs] : wanted[reg])
        for (unsigned i = 0; i < per; ++i)
          if (theirs[i]) used = std::max(used, i + 1);
      const unsigned iteration = std::has_single_bit(used) ? used : per;
      std::vector<bool> active(per);
      for (unsigned i = 0; i < per; ++i) active[i] = lanes[i % iteration].has_value();
      const ValueId mask = build_lane_mask(state, active, shape.width);
      whole = state.writer.emit(Lowering::to_choose, 1, {part, whole, mask}, type);
    }
    built.push_back(whole);
  }
  return built;
}

void lower_group_broadcast(LoweringState& state, const OpView& op, unsigned groups) {
  const ValueId source = op.operand(0), result = op.result(0);
  const Shape shape = state.info(result).shape(), narrow = state.info(source).shape();
  const Layout from = state.info(source).uniform ? memory_order(narrow.width) : state.assigned_layout(source);
  const unsigned size = shape.lanes / groups;
  const Regs regs = materialize_vector(state, source, from);
  define_vector(state, result, state.assigned_layout(result),
                gather_lanes(state, shape, state.assigned_layout(result), state.info(result).elem, regs,
                             [&](unsigned lane) { return from.place_of(narrow, lane / size); }));
}

void lower_select_lanes(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const Shape shape = state.info(result).shape();
  const Layout order = memory_order(shape.width);
  const Regs source = materialize_vector(state, op.operand(0), order),
             index = materialize_vector(state, op.operand(1), order);
  const TypeId type = state.writer.vector_type(state.info(result).elem),
               numbered = state.writer.vector_type(unsigned_elem(shape.width));
  const unsigned per = shape.per_register();
  // An index of one byte does not reach beyond a register.
  const size_t n = shape.width == 1 ? 1 : source.size();
  Regs built;
  for (const ValueId reg : index) {
    if (n == 1) {
      built.push_back(state.writer.emit(Lowering::to_select_lanes, 1, {source[0], reg}, type));
      continue;
    }
    // From every register the lane, of these the one whose register is meant.
    const ValueId all = state.writer.all_lanes(shape.width),
                  number = state.writer.bits_as(reg, unsigned_elem(shape.width));
    const ValueId lane = state.writer.emit(
        Lowering::to_and_scalar, 1, {number, state.writer.constant(signless_elem(shape.width), per - 1), all},
        numbered);
    const ValueId which =
        state.writer.emit(Lowering::to_shift_right_scalar, 1,
                          {number, state.writer.constant(Elem::i16, std::bit_width(per) - 1), all}, numbered);
    ValueId whole = state.writer.emit(Lowering::to_select_lanes, 1, {source[0], lane}, type);
    for (size_t i = 1; i < n; ++i) {
      const ValueId here = state.writer.emit(
          Lowering::to_compare_scalar, 1,
          {which, state.writer.constant(signless_elem(shape.width), static_cast<int64_t>(i)), all},
          state.writer.mask_type(shape.width), {{"cmp_mode", "eq"}});
      const ValueId there = state.writer.emit(Lowering::to_select_lanes, 1, {source[i], lane}, type);
      whole = state.writer.emit(Lowering::to_choose, 1, {there, whole, here}, type);
    }
    built.push_back(whole);
  }
  define_vector(state, result, order, built);
}

void lower_shuffle(LoweringState& state, const OpView& op) {
  const ValueId source = op.operand(0), result = op.result(0);
  const Shape of = state.info(source).shape();
  const Layout from = state.info(source).uniform ? memory_order(of.width) : state.assigned_layout(source);
  const AttrValue* list = op.attr("indices");
  const Regs regs = materialize_vector(state, source, from);
  define_vector(state, result, state.assigned_layout(result),
                gather_lanes(state, state.info(result).shape(), state.assigned_layout(result),
                             state.info(result).elem, regs, [&](unsigned lane) {
                               return from.place_of(
                                   of, static_cast<unsigned>(state.input.ints[list->array.first + lane]));
                             }));
}

void lower_interleaving(LoweringState& state, const OpView& op) {
  const bool apart = isa::row(op.op().row).lowering == Lowering::deinterleave;
  if (try_interleave_in_place(state, op, apart)) return;
  const Shape shape = state.info(op.result(0)).shape();
  const Layout order = memory_order(shape.width);
  if (shape.bytes() % kRegisterBytes != 0) return interleave_partial_registers(state, op, apart);
  Regs a = materialize_vector(state, op.operand(0), order);
  const Regs b = materialize_vector(state, op.operand(1), order);
  const size_t n = a.size();
  a.insert(a.end(), b.begin(), b.end());
  Regs low, high, all;
  for (size_t i = 0; i < n; ++i) {
    const RegPair both = apart ? interleave_pair(state, true, a[2 * i], a[2 * i + 1])
                               : interleave_pair(state, false, a[i], a[n + i]);
    (apart ? low : all).push_back(both[0]);
    (apart ? high : all).push_back(both[1]);
  }
  if (!apart) {
    low.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    high.assign(all.begin() + static_cast<std::ptrdiff_t>(n), all.end());
  }
  define_vector(state, op.result(0), order, low);
  define_vector(state, op.result(1), order, high);
}

void lower_split(LoweringState& state, const OpView& op) {
  const ValueId source = op.operand(0);
  const unsigned n = op.op().n_results, width = state.info(source).width;
  const Layout apart{.streams = memory_order(width).streams * n};
  if (!apart.fits(state.info(source).shape()) || (n & (n - 1)) != 0) return state.refuse("so many channels");
  const Regs all = materialize_vector(state, source, apart);
  const auto per = static_cast<std::ptrdiff_t>(all.size() / n);
  for (unsigned i = 0; i < n; ++i)
    define_vector(state, op.result(i), memory_order(width),
                  Regs(all.begin() + i * per, all.begin() + (i + 1) * per));
}

void lower_merge(LoweringState& state, const OpView& op) {
  const ValueId result = op.result(0);
  const std::span<const ValueId> inputs = op.operands(0);
  const unsigned width = state.info(result).width;
  const Layout apart{.streams = memory_order(width).streams * static_cast<unsigned>(inputs.size())};
  if (!apart.fits(state.info(result).shape()) || (inputs.size() & (inputs.size() - 1)) != 0)
    return state.refuse("so many channels");
  Regs all;
  for (const ValueId input : inputs) {
    const Regs regs = materialize_vector(state, input, memory_order(width));
    all.insert(all.end(), regs.begin(), regs.end());
  }
  define_vector(state, result, apart, all);
}

}  // namespace pto::lower
