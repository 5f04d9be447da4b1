// Lanes from elsewhere: broadcasts of groups, permutations, interleaving, the active lanes together.
#include <algorithm>
#include <bit>
#include <map>

#include "lower/lowering.hpp"

namespace pto::lower {
namespace {

using Lanes = std::vector<std::optional<unsigned>>;  ///< of a register, where somebody looks

Elem unsigned_of(unsigned width) { return width == 1 ? Elem::ui8 : width == 2 ? Elem::ui16 : Elem::ui32; }
Elem scalar_of(unsigned width) { return width == 1 ? Elem::i8 : width == 2 ? Elem::i16 : Elem::i32; }

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

}  // namespace

/// A register of numbers that follow no rule, by the lanes where they stand: one after the other is put in.
ValueId VectorLowering::listed_numbers(const std::map<std::string, std::vector<bool>>& places, unsigned width,
                                       Elem elem) {
  const TypeId type = writer_.vector_type(elem);
  const auto many = std::ranges::max_element(
      places, {}, [](const auto& number) { return std::ranges::count(number.second, true); });
  const auto of = [&](const std::string& number) {
    AttrValue value;
    value.kind = AttrValue::Kind::raw;
    value.text = to_.strings.intern("dense<" + number + ">");
    const ValueId scalar = writer_.literal(value, elem);
    if (scalar == kNoValue) return refused(1, type, "a constant of this form")[0];
    return writer_.emit(Lowering::to_duplicate, 1, {scalar, writer_.all_lanes(width)}, type);
  };
  ValueId built = of(many->first);
  for (auto number = places.begin(); number != places.end() && !refusal_; ++number)
    if (number != many)
      built = writer_.emit(Lowering::to_choose, 1,
                           {of(number->first), built, mask_of_lanes(number->second, width)}, type);
  return built;
}

/// A register whose lanes are the numbers, where one is wanted.
ValueId VectorLowering::lane_numbers(unsigned width, const Lanes& wanted) {
  const Elem elem = unsigned_of(width), number = scalar_of(width);
  const TypeId type = writer_.vector_type(elem);
  const ValueId all = writer_.all_lanes(width);
  const auto found = progression(wanted);
  if (!found) {
    std::map<std::string, std::vector<bool>> places;
    for (unsigned i = 0; i < wanted.size(); ++i)
      if (wanted[i]) places.try_emplace(std::to_string(*wanted[i]), wanted.size()).first->second[i] = true;
    return listed_numbers(places, width, elem);
  }
  if (found->step == 0)
    return writer_.emit(Lowering::to_duplicate, 1, {writer_.constant(number, found->base), all}, type);
  const bool plain = found->shift == 0 && found->step == 1 && found->period == wanted.size();
  ValueId lane =
      writer_.emit(Lowering::to_count, 1, {writer_.constant(number, plain ? found->base : 0)}, type);
  if (plain) return lane;
  if (found->shift != 0)
    lane = writer_.emit(Lowering::to_shift_right_scalar, 1,
                        {lane, writer_.constant(Elem::i16, found->shift), all}, type);
  if (found->period < wanted.size() >> found->shift)
    lane = writer_.emit(Lowering::to_and_scalar, 1, {lane, writer_.constant(number, found->period - 1), all},
                        type);
  if (found->step != 1)
    lane = writer_.emit(Lowering::to_multiply_scalar, 1, {lane, writer_.constant(number, found->step), all},
                        type);
  if (found->base != 0)
    lane = writer_.emit(Lowering::to_add_scalar, 1, {lane, writer_.constant(number, found->base), all}, type);
  return lane;
}

/// Lane i comes from the place from(i) in the sources.
Regs VectorLowering::gathered(Shape shape, Layout layout, Elem elem, const Regs& sources,
                              const Places& from) {
  return gathered(
      shape, layout.registers(shape), [&](unsigned lane) { return layout.layout_of(shape, lane); }, elem,
      sources, from);
}

/// The same into n registers, wherever lanes have their places there.
Regs VectorLowering::gathered(Shape shape, unsigned n, const Places& place, Elem elem, const Regs& sources,
                              const Places& from) {
  // Instructions that choose take no elements of other kinds: their bits go through as integers.
  if (!is_integer(elem) && elem != Elem::f16 && elem != Elem::bf16 && elem != Elem::f32) {
    const Elem bits = unsigned_of(shape.width);
    return writer_.bits_as(gathered(shape, n, place, bits, writer_.bits_as(sources, bits), from), elem);
  }
  const unsigned per = shape.per_register();
  std::vector<std::map<unsigned, Lanes>> wanted(n);  // by register: of each source
  for (unsigned lane = 0; lane < shape.lanes; ++lane) {
    const Place to = place(lane), source = from(lane);
    Lanes& lanes = wanted[to.reg].try_emplace(source.reg, Lanes(per)).first->second;
    lanes[to.lane] = source.lane;
  }
  const TypeId type = writer_.vector_type(elem);
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
      return it->second =
                 writer_.emit(Lowering::to_duplicate, 1, {source, writer_.all_lanes(shape.width)}, type);
    const auto [index, built] = indices.try_emplace(lanes, kNoValue);
    if (built) index->second = lane_numbers(shape.width, lanes);
    return it->second = writer_.emit(Lowering::to_select_lanes, 1, {source, index->second}, type);
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
      const ValueId mask = mask_of_lanes(active, shape.width);
      whole = writer_.emit(Lowering::to_choose, 1, {part, whole, mask}, type);
    }
    built.push_back(whole);
  }
  return built;
}

void VectorLowering::group_broadcast(const OpView& op, unsigned groups) {
  const ValueId source = op.operand(0), result = op.result(0);
  const Shape shape = info(result).shape(), narrow = info(source).shape();
  const Layout from = info(source).uniform ? memory_order(narrow.width) : assigned_layout(source);
  const unsigned size = shape.lanes / groups;
  const Regs regs = vector(source, from);
  define(result, assigned_layout(result),
         gathered(shape, assigned_layout(result), info(result).elem, regs,
                  [&](unsigned lane) { return from.layout_of(narrow, lane / size); }));
}

void VectorLowering::select_lanes(const OpView& op) {
  const ValueId result = op.result(0);
  const Shape shape = info(result).shape();
  const Layout order = memory_order(shape.width);
  const Regs source = vector(op.operand(0), order), index = vector(op.operand(1), order);
  const TypeId type = writer_.vector_type(info(result).elem),
               numbered = writer_.vector_type(unsigned_of(shape.width));
  const unsigned per = shape.per_register();
  // An index of one byte does not reach beyond a register.
  const size_t n = shape.width == 1 ? 1 : source.size();
  Regs built;
  for (const ValueId reg : index) {
    if (n == 1) {
      built.push_back(writer_.emit(Lowering::to_select_lanes, 1, {source[0], reg}, type));
      continue;
    }
    // From every register the lane, of these the one whose register is meant.
    const ValueId all = writer_.all_lanes(shape.width),
                  number = writer_.bits_as(reg, unsigned_of(shape.width));
    const ValueId lane =
        writer_.emit(Lowering::to_and_scalar, 1,
                     {number, writer_.constant(scalar_of(shape.width), per - 1), all}, numbered);
    const ValueId which =
        writer_.emit(Lowering::to_shift_right_scalar, 1,
                     {number, writer_.constant(Elem::i16, std::bit_width(per) - 1), all}, numbered);
    ValueId whole = writer_.emit(Lowering::to_select_lanes, 1, {source[0], lane}, type);
    for (size_t i = 1; i < n; ++i) {
      const ValueId here =
          writer_.emit(Lowering::to_compare_scalar, 1,
                       {which, writer_.constant(scalar_of(shape.width), static_cast<int64_t>(i)), all},
                       writer_.mask_type(shape.width), {{"cmp_mode", "eq"}});
      const ValueId there = writer_.emit(Lowering::to_select_lanes, 1, {source[i], lane}, type);
      whole = writer_.emit(Lowering::to_choose, 1, {there, whole, here}, type);
    }
    built.push_back(whole);
  }
  define(result, order, built);
}

void VectorLowering::shuffle(const OpView& op) {
  const ValueId source = op.operand(0), result = op.result(0);
  const Shape of = info(source).shape();
  const Layout from = info(source).uniform ? memory_order(of.width) : assigned_layout(source);
  const AttrValue* list = op.attr("indices");
  const Regs regs = vector(source, from);
  define(result, assigned_layout(result),
         gathered(info(result).shape(), assigned_layout(result), info(result).elem, regs, [&](unsigned lane) {
           return from.layout_of(of, static_cast<unsigned>(from_.ints[list->array.first + lane]));
         }));
}

/// Lanes of two values by turns are the parts of one that is dealt out to twice as many: registers stay as
/// they are, where the layouts are so and the halves of every part fill registers.
bool VectorLowering::interleave_in_place(const OpView& op, bool apart) {
  const Shape shape = info(op.result(0)).shape();
  const Layout placed = assigned_layout(op.result(0));
  if (placed.blocks || placed.slots != 0 || placed != assigned_layout(op.result(1))) return false;
  const Layout from{.streams = apart ? 2 * placed.streams : placed.streams / 2};
  const unsigned many = (apart ? from : placed).parts(shape.width),
                 few = (apart ? placed : from).parts(shape.width);
  if (from.streams == 0 || from.streams > kWordBytes || many != 2 * few ||
      shape.bytes() % (many * kRegisterBytes) != 0 || (apart ? placed : from).stride(shape.width) != 1)
    return false;
  const Regs a = vector(op.operand(0), from), b = vector(op.operand(1), from);
  const size_t each = a.size() / many;  // registers of a half of a part of one that has few
  for (unsigned half = 0; half < 2; ++half) {
    Regs built;
    const auto take = [&](const Regs& regs, size_t first) {
      built.insert(built.end(), regs.begin() + static_cast<std::ptrdiff_t>(first * each),
                   regs.begin() + static_cast<std::ptrdiff_t>((first + 1) * each));
    };
    if (apart)
      for (unsigned part = 0; part < few; ++part) take(a, 2 * part + half), take(b, 2 * part + half);
    else
      for (unsigned part = 0; part < many; ++part) take(part % 2 == 0 ? a : b, part / 2 * 2 + half);
    define(op.result(half), placed, built);
  }
  return true;
}

/// Whole registers by turns, or apart.
void VectorLowering::interleave(const OpView& op, bool apart) {
  if (interleave_in_place(op, apart)) return;
  const Shape shape = info(op.result(0)).shape();
  const Layout order = memory_order(shape.width);
  if (shape.bytes() % kRegisterBytes != 0) return interleave_parts(op, apart);
  Regs a = vector(op.operand(0), order);
  const Regs b = vector(op.operand(1), order);
  const size_t n = a.size();
  a.insert(a.end(), b.begin(), b.end());
  Regs low, high, all;
  for (size_t i = 0; i < n; ++i) {
    const Pair both =
        apart ? interleave_pair(true, a[2 * i], a[2 * i + 1]) : interleave_pair(false, a[i], a[n + i]);
    (apart ? low : all).push_back(both[0]);
    (apart ? high : all).push_back(both[1]);
  }
  if (!apart) {
    low.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    high.assign(all.begin() + static_cast<std::ptrdiff_t>(n), all.end());
  }
  define(op.result(0), order, low);
  define(op.result(1), order, high);
}

/// The same where lanes fill no registers: each lane from where it stands.
void VectorLowering::interleave_parts(const OpView& op, bool apart) {
  const Shape shape = info(op.result(0)).shape();
  const Layout order = memory_order(shape.width);
  Regs both = vector(op.operand(0), order);
  const Regs second = vector(op.operand(1), order);
  const auto n = static_cast<unsigned>(both.size());
  both.insert(both.end(), second.begin(), second.end());
  for (unsigned half = 0; half < 2; ++half) {
    const auto from = [&](unsigned lane) {
      const unsigned at = apart ? 2 * lane + half : half * shape.lanes + lane;
      Place place = order.layout_of(shape, apart ? at % shape.lanes : at / 2);
      if (apart ? at >= shape.lanes : at % 2 != 0) place.reg += n;
      return place;
    };
    define(op.result(half), order, gathered(shape, order, info(op.result(half)).elem, both, from));
  }
}

/// Every n-th lane: the parts of the value where it is dealt out to n.
void VectorLowering::split(const OpView& op) {
  const ValueId source = op.operand(0);
  const unsigned n = op.op().n_results, width = info(source).width;
  const Layout apart{.streams = memory_order(width).streams * n};
  if (!apart.fits(info(source).shape()) || (n & (n - 1)) != 0) return refuse("so many channels");
  const Regs all = vector(source, apart);
  const auto per = static_cast<std::ptrdiff_t>(all.size() / n);
  for (unsigned i = 0; i < n; ++i)
    define(op.result(i), memory_order(width), Regs(all.begin() + i * per, all.begin() + (i + 1) * per));
}
void VectorLowering::merge(const OpView& op) {
  const ValueId result = op.result(0);
  const std::span<const ValueId> inputs = op.operands(0);
  const unsigned width = info(result).width;
  const Layout apart{.streams = memory_order(width).streams * static_cast<unsigned>(inputs.size())};
  if (!apart.fits(info(result).shape()) || (inputs.size() & (inputs.size() - 1)) != 0)
    return refuse("so many channels");
  Regs all;
  for (const ValueId input : inputs) {
    const Regs regs = vector(input, memory_order(width));
    all.insert(all.end(), regs.begin(), regs.end());
  }
  define(result, apart, all);
}

}  // namespace pto::lower
