// Masks: the first lanes, of all or of every group, as they stand in a layout; what is computed of them.
#include <algorithm>
#include <charconv>

#include "lower/lowering.hpp"

namespace pto::lower {
namespace {

using isa::OpcodeClass;

bool power_of_two(unsigned n) { return n != 0 && (n & (n - 1)) == 0; }
Elem unsigned_of(unsigned width) { return width == 1 ? Elem::ui8 : width == 2 ? Elem::ui16 : Elem::ui32; }
Elem scalar_of(unsigned width) { return width == 1 ? Elem::i8 : width == 2 ? Elem::i16 : Elem::i32; }

/// Active lanes of one register: the first `count` of every `period`, or those behind them.
struct Repeated {
  unsigned period = 0, count = 0;
  bool behind = false;
};
std::optional<Repeated> repeated(const std::vector<bool>& active) {
  const auto lanes = static_cast<unsigned>(active.size());
  for (unsigned period = 2; period < lanes; period *= 2) {
    const bool behind = !active[0];
    const auto count = static_cast<unsigned>(std::ranges::find(active, behind) - active.begin());
    bool good = count < period;
    for (unsigned i = 0; good && i < lanes; ++i) good = active[i] == ((i % period < count) != behind);
    if (good) return Repeated{period, count, behind};
  }
  return std::nullopt;
}

}  // namespace

ValueId VectorLowering::numbers(unsigned width, Elem elem) {
  return writer_.emit(Lowering::to_count, 1, {writer_.constant(scalar_of(width), 0)},
                      writer_.vector_type(elem));
}

/// Lanes below a number, known or not, of a register.
ValueId VectorLowering::below(const std::optional<int64_t>& number, ValueId count, unsigned width) {
  const int64_t most = kRegisterBytes / width;
  if (number) return writer_.first_lanes(width, static_cast<unsigned>(std::clamp<int64_t>(*number, 0, most)));
  const TypeId results[] = {writer_.mask_type(width), writer_.scalar(Elem::i32)};
  return writer_.emit(isa::instruction(Lowering::to_count_down, width), {&count, 1}, results)[0];
}

/// A register whose lanes are known one by one.
ValueId VectorLowering::mask_of_lanes(const std::vector<bool>& active, unsigned width) {
  std::vector<unsigned> edges;  // where it changes, from inactive on
  for (unsigned i = 0; i <= active.size(); ++i) {
    const bool before = i > 0 && active[i - 1], here = i < active.size() && active[i];
    if (before != here) edges.push_back(i);
  }
  if (edges.empty()) return writer_.first_lanes(width, 0);
  if (edges.size() == 2 && edges[0] == 0) return writer_.first_lanes(width, edges[1]);
  if (const auto found = repeated(active); found && edges.size() > 4) {
    const Elem elem = unsigned_of(width);
    const ValueId all = writer_.all_lanes(width), lane = numbers(width, elem);
    const ValueId place = writer_.emit(Lowering::to_and_scalar, 1,
                                       {lane, writer_.constant(scalar_of(width), found->period - 1), all},
                                       writer_.vector_type(elem));
    return writer_.emit(Lowering::to_compare_scalar, 1,
                        {place, writer_.constant(scalar_of(width), found->count), all},
                        writer_.mask_type(width), {{"cmp_mode", found->behind ? "ge" : "lt"}});
  }
  ValueId built = kNoValue;
  for (const unsigned edge : edges) {
    if (edge == 0 && built == kNoValue) continue;
    const ValueId next = writer_.first_lanes(width, edge);
    built = built == kNoValue ? next : writer_.masks(Lowering::to_mask_xor, built, next);
  }
  if (edges.front() == 0) return built;
  return built;
}

/// Lanes whose number in their group is below `number` or `count`.
Regs VectorLowering::first_lanes(ValueId, const std::optional<int64_t>& number, ValueId count, unsigned group,
                                 Layout layout, Shape shape) {
  const unsigned stride = layout.stride(shape.width), wide = shape.width * stride;
  const unsigned n = layout.registers(shape), per_register = kRegisterBytes / wide;
  if (number) {
    std::vector<std::vector<bool>> active(n, std::vector<bool>(per_register, false));
    for (unsigned lane = 0; lane < shape.lanes; ++lane) {
      const Place place = layout.layout_of(shape, lane);
      active[place.reg][place.lane / stride] = static_cast<int64_t>(lane % group) < *number;
    }
    Regs built;
    for (const auto& lanes : active)
      built.push_back(writer_.mask_cast(mask_of_lanes(lanes, wide), shape.width));
    return built;
  }
  const unsigned parts = layout.parts(shape.width), per_part = n / parts, period = group / parts;
  const bool whole = shape.lanes / parts * wide % kRegisterBytes == 0;
  if (layout.blocks || layout.slots != 0 || group % parts != 0 ||
      (group != shape.lanes && !(power_of_two(period) && period <= per_register) &&
       period % per_register != 0))
    return refused(n, writer_.mask_type(shape.width), "the lanes are counted when it runs, and stand apart");
  // From 0 to a group; those of part p: (count + parts - 1 - p) / parts.
  const auto number_of = [&](int64_t of) { return writer_.constant(Elem::i32, of); };
  count = writer_.arithmetic(OpcodeClass::min_s, writer_.arithmetic(OpcodeClass::max_s, count, number_of(0)),
                             number_of(group));
  Regs built;
  for (unsigned part = 0; part < parts; ++part) {
    ValueId own = count;
    if (parts > 1)
      own = writer_.arithmetic(OpcodeClass::div_s,
                               writer_.arithmetic(OpcodeClass::add, count, number_of(parts - 1 - part)),
                               number_of(parts));
    const Elem elem = unsigned_of(wide);
    ValueId periodic = kNoValue;
    if (period < per_register && group != shape.lanes) {
      const ValueId all = writer_.all_lanes(wide);
      const ValueId place =
          writer_.emit(Lowering::to_and_scalar, 1,
                       {numbers(wide, elem), writer_.constant(scalar_of(wide), period - 1), all},
                       writer_.vector_type(elem));
      periodic =
          writer_.emit(Lowering::to_compare_scalar, 1, {place, writer_.cast(own, scalar_of(wide)), all},
                       writer_.mask_type(wide), {{"cmp_mode", "lt"}});
    }
    for (unsigned i = 0; i < per_part; ++i) {
      ValueId mask = periodic;
      if (mask == kNoValue) {
        const unsigned before = i * per_register % period;
        mask = below(std::nullopt,
                     before == 0 ? own : writer_.arithmetic(OpcodeClass::sub, own, number_of(before)), wide);
      }
      built.push_back(writer_.mask_cast(mask, shape.width));
    }
  }
  if (!whole && group != shape.lanes) {
    const Regs lanes = valid(layout, shape);
    for (unsigned i = 0; i < n; ++i) built[i] = writer_.masks(Lowering::to_mask_and, built[i], lanes[i]);
  }
  return built;
}

/// Lanes that a list names one by one.
Regs VectorLowering::listed_lanes(const OpView& op, Layout layout, Shape shape) {
  const AttrValue* value = op.attr("value");
  std::string_view text =
      value != nullptr && value->kind == AttrValue::Kind::raw ? from_.strings[value->text] : "";
  const unsigned stride = layout.stride(shape.width), wide = shape.width * stride;
  std::vector<bool> listed;
  for (size_t at = text.find('<') + 1; at < text.size(); ++at) {
    if (text[at] == '>') break;
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("true") || rest.starts_with('1')) listed.push_back(true);
    if (rest.starts_with("false") || rest.starts_with('0')) listed.push_back(false);
  }
  if (listed.size() == 1) listed.assign(shape.lanes, listed[0]);
  if (listed.size() != shape.lanes)
    return refused(layout.registers(shape), writer_.mask_type(shape.width), "a constant of this form");
  std::vector<std::vector<bool>> active(layout.registers(shape),
                                        std::vector<bool>(kRegisterBytes / wide, false));
  for (unsigned lane = 0; lane < shape.lanes; ++lane) {
    const Place place = layout.layout_of(shape, lane);
    active[place.reg][place.lane / stride] = listed[lane];
  }
  Regs built;
  for (const auto& lanes : active)
    built.push_back(writer_.mask_cast(mask_of_lanes(lanes, wide), shape.width));
  return built;
}

/// The registers of a mask that can be made wherever it is wanted.
Regs VectorLowering::made_mask(ValueId value, Layout layout, unsigned width) {
  const OpView op(from_, info(value).defining_op);
  const Shape shape{info(value).lanes, width};
  const std::string kept = std::exchange(writer_.note, {});
  const uint32_t here = std::exchange(op_, op.index());
  Regs built;
  const auto counted_by = [&](unsigned group) {
    const Number number = values_.constants().value_of(op.operand(0));
    const ValueId count = number ? kNoValue : writer_.cast(scalar(op.operand(0)), Elem::i32);
    return first_lanes(value, number, count, group, layout, shape);
  };
  switch (isa::row(op.op().row).lowering) {
    case Lowering::first_lanes:
      built = counted_by(shape.lanes);
      break;
    case Lowering::first_of_groups:
      built = counted_by(static_cast<unsigned>(op.attr_int("group_size")));
      break;
    case Lowering::pattern: {
      std::string_view name = from_.strings[op.attr("pattern")->text];
      int64_t n = shape.lanes;
      if (name.starts_with("PAT_VL")) {
        name.remove_prefix(6);
        std::from_chars(name.data(), name.data() + name.size(), n);
      }
      const auto groups = op.attr("group") == nullptr ? 1U : static_cast<unsigned>(op.attr_int("group"));
      built = first_lanes(value, n, kNoValue, shape.lanes / std::max(groups, 1U), layout, shape);
      break;
    }
    default:
      built = listed_lanes(op, layout, shape);
  }
  op_ = here;
  writer_.note = kept;
  for (unsigned i = 0; i < built.size(); ++i) {
    const ValueId own = built[i];
    if (!writer_.is_shared(own))
      writer_.name(own, from_.values[value].name, i, static_cast<unsigned>(built.size()));
  }
  return built;
}

/// The first lanes, and the count that is left.
void VectorLowering::count_down(const OpView& op) {
  const ValueId result = op.result(0), count = scalar(op.operand(0));
  const Shape shape = info(result).shape();
  const Layout layout = assigned_layout(result);
  const ValueId signed_count = writer_.cast(count, Elem::i32);
  define_mask(result, layout, shape.width,
              first_lanes(result, std::nullopt, signed_count, shape.lanes, layout, shape));
  const ValueId taken =
      writer_.arithmetic(OpcodeClass::min_s, signed_count, writer_.constant(Elem::i32, shape.lanes));
  renamed_[op.result(1)] = writer_.arithmetic(OpcodeClass::sub, signed_count, taken);
}

void VectorLowering::mask_logic(const OpView& op) {
  const ValueId result = op.result(0);
  const Logical& of = info(result);
  const Layout layout = assigned_layout(result);
  const Lowering how = isa::row(op.op().row).lowering;
  const bool one = how == Lowering::logic_not;
  const Regs a = mask(op.operand(0), layout, of.width, true);
  const Regs b = one ? valid(layout, of.shape()) : mask(op.operand(1), layout, of.width, true);
  const Lowering part = how == Lowering::logic_and  ? Lowering::to_mask_and
                        : how == Lowering::logic_or ? Lowering::to_mask_or
                        : one                       ? Lowering::to_mask_not
                                                    : Lowering::to_mask_xor;
  Regs built;
  for (unsigned i = 0; i < a.size(); ++i)
    built.push_back(one ? writer_.emit(part, 1, {a[i], b[i]}, writer_.mask_type(of.width))
                        : writer_.masks(part, a[i], b[i]));
  define_mask(result, layout, of.width, built);
}

}  // namespace pto::lower
