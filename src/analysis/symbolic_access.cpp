#include "analysis/symbolic_access.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::driver {
namespace {

using isa::OpcodeClass;
using Kind = Symbol::Kind;

bool in_gm(const Type& type) {
  return type.is_view() ||
         ((type.kind == TypeKind::ptr || type.kind == TypeKind::memref) && type.space == Space::gm);
}

/// Bytes of an element; 0 where it has no whole ones.
int64_t element_width(const Type& type) {
  if (bit_width(type.elem) % 8 != 0) return 0;
  return int64_t{byte_width(type.elem)} * std::max<int64_t>(1, type.vec_lanes);
}

int slot_named(const OpView& op, std::string_view name) {
  const std::vector<isa::OperandSpec>& operands = isa::schema(op.op().row).operands;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

bool is_vector_access(const OpView& op) {
  const int value = slot_named(op, "value");
  const Type& type = value >= 0 ? op.type(static_cast<unsigned>(value)) : op.result_type(0);
  return type.kind != TypeKind::scalar;
}

SymbolicAccesses::SymbolicAccesses(const Program& program, const Functions& functions,
                                   const LaunchedFunctions& launch, std::set<uint32_t> written)
    : StructuredWalk(program, functions, kMaxSteps), constants_(program), written_(std::move(written)) {
  const Region& first = body_of(program, functions[launch.functions.front()].info.op);
  for (const uint32_t function : launch.functions) {
    const Function& each = functions[function];
    if (each.info.declaration || program.ops[each.info.op].n_regions == 0) continue;
    inside_ = &each;
    values_.clear();
    const Region& body = body_of(program, each.info.op);
    for (uint32_t i = 0; i < body.n_args; ++i) {
      const ValueId value = body.first_arg + i;
      if (i < first.n_args)
        set(value, initial_value(value, i));
      else
        set_number(value, symbols_.make({.kind = Kind::subblock}));
    }
    run(body);
  }
}

SymbolicAccesses::AbstractValue SymbolicAccesses::initial_value(ValueId value, uint32_t parameter) {
  AbstractValue known;
  const Type& type = program_.type_of(value);
  if (type.kind == TypeKind::scalar) {
    known.number = symbols_.make({.kind = Kind::parameter, .at = parameter});
    return known;
  }
  known.region.argument = parameter;
  known.element = element_width(type);
  known.region.known = known.element > 0 && type.kind == TypeKind::ptr;
  known.region.width = known.element;
  return known;
}

Polynomial SymbolicAccesses::make_unknown(ValueId value, std::vector<Polynomial> of) {
  return symbols_.make({.kind = Kind::other,
                        .at = value,
                        .context = context_,
                        .operands = std::move(of),
                        .loops = std::set(loops_.begin(), loops_.end())});
}

Polynomial SymbolicAccesses::number_of(ValueId value) {
  if (const Number number = constants_.value_of(value)) return *number;
  if (const AbstractValue& known = value_of(value); known.number && known.number->is_known())
    return *known.number;
  const Type& type = program_.type_of(value);
  const bool flag = type.kind == TypeKind::scalar && type.elem == Elem::i1;
  Polynomial built = flag ? make_unknown(value, {0, 1}) : make_unknown(value);
  values_[value].number = built;
  return built;
}

void SymbolicAccesses::set_number(ValueId value, Polynomial number) {
  AbstractValue known;
  if (number.is_known()) known.number = std::move(number);
  set(value, std::move(known));
}

SymbolicAccesses::AbstractValue SymbolicAccesses::yielded(ValueId value) {
  AbstractValue known = value_of(value);
  if (is_number(program_.type_of(value))) known.number = number_of(value);
  return known;
}

void SymbolicAccesses::transfer(const OpView& op) {
  switch (isa::opcode_class(op)) {
    case OpcodeClass::launch_threads:
      return launch(op);
    case OpcodeClass::make_view:
      return make_view(op);
    case OpcodeClass::partition:
      return partition(op);
    case OpcodeClass::compare:
      return condition(op);
    case OpcodeClass::add_ptr: {
      AbstractValue built = value_of(op.operand(0));
      built.region.base =
          built.region.base + number_of(op.operand(1)) * Polynomial(element_width(op.type(0)));
      return set(op.result(0), std::move(built));
    }
    case OpcodeClass::cast_ptr: {
      AbstractValue built = value_of(op.operand(0));
      if (op.type(0).kind != TypeKind::ptr || op.result_type(0).kind != TypeKind::ptr) built = {};
      built.element = element_width(op.result_type(0));
      built.region.width = built.element;
      built.region.known = built.region.known && built.element > 0;
      return set(op.result(0), std::move(built));
    }
    default:
      break;
  }
  if (op.op().n_results == 1 && op.op().n_regions == 0 && is_number(op.result_type(0))) {
    number(op);
  } else if (op.op().n_regions != 0) {
    return run_regions(op);
  } else {
    set_results(op, {});
  }
  record_access(op);
}

// ---- structure

void SymbolicAccesses::bind_loop_carried(const OpView& op, const Region& body, uint32_t first,
                                         std::span<const ValueId> begins, const Region& from,
                                         const Polynomial& trip) {
  const uint32_t count = body.n_args - first;
  std::vector<AbstractValue> start;
  for (uint32_t i = 0; i < count; ++i) {
    const ValueId value = body.first_arg + first + i;
    AbstractValue known = i < begins.size() ? value_of(begins[i]) : AbstractValue{};
    if (i < begins.size() && is_number(program_.type_of(begins[i]))) known.number = number_of(begins[i]);
    known.yes.clear();
    known.no.clear();
    start.push_back(known);
    if (known.number) known.number = make_unknown(value);
    if (known.region.known) known.region.base = make_unknown(value);
    set(value, known);
  }
  if (count == 0) return;
  ++muted_;
  AbstractValues last;
  for (const Region& region : program_.regions_of(op.op())) {
    if (&region != &body && &region != &from) continue;
    if (&region != &body) {
      for (uint32_t i = 0; i < region.n_args && i < last.size(); ++i) set(region.first_arg + i, last[i]);
    }
    last = run(region);
    if (&region == &from) break;
  }
  --muted_;
  for (uint32_t i = 0; i < count; ++i) {
    const ValueId value = body.first_arg + first + i;
    AbstractValue known = start[i];
    const Polynomial itself = make_unknown(value);
    const bool there = i < last.size();
    const auto step = [&](const Polynomial& before, const Polynomial& after) -> std::optional<Polynomial> {
      const Polynomial by = after - itself;
      (void)before;
      bool moves = !by.is_known();
      for (const auto& [product, factor] : by.terms()) {
        for (const uint32_t part : product) moves = moves || symbols_[part].loops.contains(op.index());
      }
      return moves ? std::nullopt : std::optional(by);
    };
    if (known.number) {
      const auto by = there && last[i].number ? step(*known.number, *last[i].number) : std::nullopt;
      known.number = by ? *known.number + *by * trip : itself;
    }
    if (known.region.known) {
      const bool same = there && last[i].region.known && last[i].region.argument == known.region.argument &&
                        known.region.dims.empty() && last[i].region.dims.empty();
      const auto by = same ? step(known.region.base, last[i].region.base) : std::nullopt;
      if (by)
        known.region.base = known.region.base + *by * trip;
      else if (same)
        known.region.base = itself;
      else
        known.region.known = false;
    }
    if (!there || last[i].region.argument != known.region.argument)
      known.region.argument = SymbolicRegion::kNoArgument;
    set(value, std::move(known));
  }
}

void SymbolicAccesses::loop(const OpView& op) {
  const Region& body = body_of(op);
  const Polynomial begin = number_of(op.operand(0)), end = number_of(op.operand(1)),
                   step = number_of(op.operand(2));
  std::vector<uint32_t> around = loops_;
  loops_.push_back(op.index());
  const Polynomial trip = symbols_.make({.kind = Kind::trip,
                                         .at = op.index(),
                                         .context = context_,
                                         .operands = {begin, end, step},
                                         .loops = std::set(loops_.begin(), loops_.end())});
  const size_t before = conditions_.size();
  // That it runs: so much is known of its bounds in it.
  conditions_.push_back(end - Polynomial(1) - begin - step * trip);
  conditions_.push_back(trip);
  set_number(body.first_arg, begin + step * trip);
  counters_.push_back(begin + step * trip);
  bind_loop_carried(op, body, 1, op.operands(3), body, trip);
  const AbstractValues last = run(body);
  conditions_.resize(before);
  loops_ = std::move(around);
  counters_.pop_back();
  for (uint32_t i = 0; i < op.op().n_results; ++i) {
    AbstractValue known = i < last.size() ? last[i] : AbstractValue{};
    known.yes.clear();
    known.no.clear();
    if (known.number) known.number = make_unknown(op.result(i));
    known.region.known = false;
    set(op.result(i), std::move(known));
  }
}

void SymbolicAccesses::while_loop(const OpView& op) {
  const std::span<const Region> regions = program_.regions_of(op.op());
  std::vector<uint32_t> around = loops_;
  loops_.push_back(op.index());
  const Polynomial trip = symbols_.make({.kind = Kind::trip,
                                         .at = op.index(),
                                         .context = context_,
                                         .operands = {},
                                         .loops = std::set(loops_.begin(), loops_.end())});
  counters_.push_back(trip);
  bind_loop_carried(op, regions[0], 0, op.operands(0), regions[1], trip);
  const AbstractValues first = run(regions[0]);
  const size_t before = conditions_.size();
  if (const auto last = terminator(program_, regions[0])) {
    assume(OpView(program_, *last).operand(0), true);
  }
  bind(regions[1], 0, first);
  run(regions[1]);
  conditions_.resize(before);
  loops_ = std::move(around);
  counters_.pop_back();
  for (uint32_t i = 0; i < op.op().n_results; ++i) {
    AbstractValue known = i < first.size() ? first[i] : AbstractValue{};
    known.yes.clear();
    known.no.clear();
    if (known.number) known.number = make_unknown(op.result(i));
    known.region.known = false;
    set(op.result(i), std::move(known));
  }
}

SymbolicAccesses::AbstractValue SymbolicAccesses::join(const AbstractValue& a, const AbstractValue& b,
                                                       ValueId value) {
  AbstractValue built;
  const auto either = [&](const Polynomial& one, const Polynomial& two) {
    return one == two ? one
                      : symbols_.make({.kind = Kind::either,
                                       .at = value,
                                       .context = context_,
                                       .operands = {one, two},
                                       .loops = std::set(loops_.begin(), loops_.end())});
  };
  if (a.number && b.number) built.number = either(*a.number, *b.number);
  if (a.region.argument != b.region.argument) return built;
  built.region.argument = a.region.argument;
  built.element = a.element;
  if (!a.region.known || !b.region.known || !a.region.dims.empty() || !b.region.dims.empty() ||
      a.element != b.element)
    return built;
  built.region = a.region;
  built.region.base = either(a.region.base, b.region.base);
  return built;
}

/// What follows is reached where a condition holds, or where it does not.
void SymbolicAccesses::assume(ValueId condition, bool holds) {
  if (const Number constant = constants_.value_of(condition); constant && (*constant != 0) != holds)
    conditions_.emplace_back(-1);  // never
  const AbstractValue& on = value_of(condition);
  const std::vector<Polynomial>& facts = holds ? on.yes : on.no;
  conditions_.insert(conditions_.end(), facts.begin(), facts.end());
}

void SymbolicAccesses::branch(const OpView& op) {
  const std::span<const Region> regions = program_.regions_of(op.op());
  const size_t before = conditions_.size();
  std::vector<AbstractValues> ends;
  for (size_t i = 0; i < regions.size(); ++i) {
    assume(op.operand(0), i == 0);
    ends.push_back(run(regions[i]));
    conditions_.resize(before);
  }
  for (uint32_t i = 0; i < op.op().n_results; ++i) {
    const bool both = ends.size() == 2 && i < ends[0].size() && i < ends[1].size();
    set(op.result(i), both ? join(ends[0][i], ends[1][i], op.result(i)) : AbstractValue{});
  }
}

/// Which thread it is may differ between any two executions, as the turn of a loop may that no run tells.
void SymbolicAccesses::launch(const OpView& op) {
  const auto before = std::exchange(threads_, {});
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned dim = 0; dim < threads_.size() && dim < schema.operands.size(); ++dim)
    threads_[dim] = number_of(op.operand(dim));
  loops_.push_back(op.index());
  counters_.push_back(symbols_.make({.kind = Kind::trip,
                                     .at = op.index(),
                                     .context = context_,
                                     .operands = {},
                                     .loops = std::set(loops_.begin(), loops_.end())}));
  if (op.op().n_regions != 0)
    run(body_of(op));
  else
    call_with(op, static_cast<unsigned>(threads_.size()));
  loops_.pop_back();
  counters_.pop_back();
  threads_ = before;
}

void SymbolicAccesses::call_with(const OpView& op, unsigned slot) {
  AbstractValues given;
  for (const ValueId value : op.operands(slot)) given.push_back(yielded(value));
  const std::string context = context_;
  context_ = context + '/' + std::to_string(op.index());
  const std::optional<AbstractValues> results = run_callees(op, given);
  context_ = context;
  if (!results) give_up();
  set_results(op, results.value_or(AbstractValues{}));
}

// ---- places

void SymbolicAccesses::make_view(const OpView& op) {
  AbstractValue view = value_of(op.operand(0));
  const int64_t width = element_width(op.result_type(0));
  const std::span<const ValueId> sizes = op.operands(1), strides = op.operands(2);
  view.element = width;
  view.region.known = view.region.known && width > 0 && sizes.size() == strides.size();
  view.region.width = width;
  view.region.dims.clear();
  for (size_t i = 0; i < sizes.size() && view.region.known; ++i) {
    const Polynomial size = number_of(sizes[i]);
    view.region.dims.push_back({0, size, number_of(strides[i]) * Polynomial(width), size});
  }
  set(op.result(0), std::move(view));
}

void SymbolicAccesses::partition(const OpView& op) {
  AbstractValue view = value_of(op.operand(0));
  const std::span<const ValueId> offsets = op.operands(1), sizes = op.operands(2);
  std::vector<SymbolicRegion::Dim>& dims = view.region.dims;
  if (dims.size() != offsets.size() || dims.size() != sizes.size()) view.region.known = false;
  for (size_t i = 0; i < dims.size() && view.region.known; ++i) {
    dims[i].offset = dims[i].offset + number_of(offsets[i]);
    dims[i].size = number_of(sizes[i]);
  }
  set(op.result(0), std::move(view));
}

/// The scalar unit takes a number from a buffer.
void SymbolicAccesses::load(const OpView& op) {
  const AbstractValue& from = value_of(op.operand(0));
  const Type& type = op.type(0);
  const std::span<const ValueId> index = op.operands(1);
  if (isa::opcode_class(op) != OpcodeClass::load || !in_gm(type) || !from.region.known || index.size() != 1 ||
      written_.contains(from.region.argument))
    return set_number(op.result(0), make_unknown(op.result(0)));
  const Polynomial place = from.region.base + number_of(index[0]) * Polynomial(element_width(type));
  if (!place.is_known()) return set_number(op.result(0), make_unknown(op.result(0)));
  set_number(op.result(0), symbols_.make({.kind = Kind::loaded,
                                          .at = from.region.argument,
                                          .context = std::to_string(element_width(type)),
                                          .operands = {place}}));
}

/// Bursts of bytes, in loops.
std::optional<SymbolicRegion> SymbolicAccesses::bursts(const OpView& op, unsigned slot) const {
  const int length = slot_named(op, "len_burst"), count = slot_named(op, "n_burst"),
            loops = slot_named(op, "loop_counts");
  const std::string_view end = isa::schema(op.op().row).operands[slot].name == "source" ? "src" : "dst";
  const int stride = slot_named(op, "nburst_" + std::string(end) + "_stride"),
            loop_strides = slot_named(op, "loop_" + std::string(end) + "_strides");
  if (length < 0 || count < 0 || stride < 0 || loops < 0 || loop_strides < 0) return std::nullopt;
  SymbolicRegion place = value_of(op.operand(slot)).region;
  const auto number = [&](ValueId value) { return const_cast<SymbolicAccesses*>(this)->number_of(value); };
  place.width = number(op.operand(static_cast<unsigned>(length)));
  place.dims = {{0, number(op.operand(static_cast<unsigned>(count))),
                 number(op.operand(static_cast<unsigned>(stride))), std::nullopt}};
  const auto counts = op.operands(static_cast<unsigned>(loops)),
             strides = op.operands(static_cast<unsigned>(loop_strides));
  for (size_t i = 0; i < counts.size() && i < strides.size(); ++i)
    place.dims.push_back({0, number(counts[i]), number(strides[i]), std::nullopt});
  return place;
}

/// Notes what it may look at, or change, in GM.
void SymbolicAccesses::record_access(const OpView& op) {
  const isa::Row& row = isa::row(op.op().row);
  if ((row.flags & isa::kPure) != 0 || muted_ != 0) return;
  const isa::Schema& schema = isa::schema(op.op().row);
  const OpcodeClass opcode_class = isa::opcode_class(op);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : op.operands(slot)) {
      if (value == kNoValue || !in_gm(program_.type_of(value))) continue;
      const bool scalar = isa::is_pointer_access(opcode_class);
      const bool queue =
          opcode_class == OpcodeClass::other && !row.pipe.empty() && row.pipe != "S" && row.pipe != "none";
      const bool writes = schema.operands[slot].role != isa::Role::in || opcode_class == OpcodeClass::store ||
                          opcode_class == OpcodeClass::store_buffer;
      SymbolicAccess access{op.index(), value_of(value).region, scalar || queue, writes, loops_, counters_,
                            conditions_};
      const Type& type = program_.type_of(value);
      if (type.is_view()) {
        // What is gathered may stand anywhere.
        if (slot_named(op, "idx") >= 0 || row.layer != isa::Layer::tile) access.region.known = false;
      } else if (opcode_class == OpcodeClass::load || opcode_class == OpcodeClass::store) {
        const ValueId index = op.operands(slot + 1).empty() ? kNoValue : op.operand(slot + 1);
        const bool one = !is_vector_access(op);
        if (index == kNoValue || type.kind != TypeKind::ptr || !one)
          access.region.known = false;
        else
          access.region.base = access.region.base + number_of(index) * Polynomial(element_width(type));
      } else if (const auto place = bursts(op, slot)) {
        access.region = *place;
      } else {
        access.region.known = false;
      }
      normalise(access.region);
      accesses_[op.index()].push_back(std::move(access));
    }
  }
}

}  // namespace pto::driver
