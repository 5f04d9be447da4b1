#include "analysis/symbolic_access.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::driver {
namespace {

using isa::Does;
using Kind = Unknown::Kind;

constexpr unsigned kMostCalls = 16;

bool in_gm(const Type& type) {
  return type.is_view() ||
         ((type.kind == TypeKind::ptr || type.kind == TypeKind::memref) && type.space == Space::gm);
}

/// Bytes of an element; 0 where it has no whole ones.
int64_t width_of(const Type& type) {
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

bool moves_vector(const OpView& op) {
  const int value = slot_named(op, "value");
  const Type& type = value >= 0 ? op.type(static_cast<unsigned>(value)) : op.result_type(0);
  return type.kind != TypeKind::scalar;
}

GmPlaces::GmPlaces(const Program& program, const Functions& functions, const LaunchedFunctions& launch,
                   std::set<uint32_t> written)
    : program_(program), functions_(functions), constants_(program), written_(std::move(written)) {
  const Region& first = body_of(program, functions[launch.functions.front()].info.op);
  for (const uint32_t function : launch.functions) {
    const Function& each = functions[function];
    if (each.info.declaration || program.ops[each.info.op].n_regions == 0) continue;
    inside_ = &each;
    known_.clear();
    const Region& body = body_of(program, each.info.op);
    for (uint32_t i = 0; i < body.n_args; ++i) {
      const ValueId value = body.first_arg + i;
      if (i < first.n_args)
        set(value, start(value, i));
      else
        set_number(value, unknowns_.make({.kind = Kind::subblock}));
    }
    run(body);
  }
}

GmPlaces::Known GmPlaces::start(ValueId value, uint32_t parameter) {
  Known known;
  const Type& type = program_.type_of(value);
  if (type.kind == TypeKind::scalar) {
    known.number = unknowns_.make({.kind = Kind::parameter, .at = parameter});
    return known;
  }
  known.place.argument = parameter;
  known.element = width_of(type);
  known.place.known = known.element > 0 && type.kind == TypeKind::ptr;
  known.place.width = known.element;
  return known;
}

const GmPlaces::Known& GmPlaces::of(ValueId value) const {
  static const Known unknown;
  const auto found = known_.find(value);
  return found == known_.end() ? unknown : found->second;
}

Poly GmPlaces::other(ValueId value, std::vector<Poly> of) {
  return unknowns_.make({.kind = Kind::other,
                         .at = value,
                         .context = context_,
                         .of = std::move(of),
                         .loops = std::set(loops_.begin(), loops_.end())});
}

Poly GmPlaces::number_of(ValueId value) {
  if (const Number number = constants_.of(value)) return *number;
  if (const Known& known = of(value); known.number && known.number->known()) return *known.number;
  const Type& type = program_.type_of(value);
  const bool flag = type.kind == TypeKind::scalar && type.elem == Elem::i1;
  Poly made = flag ? other(value, {0, 1}) : other(value);
  known_[value].number = made;
  return made;
}

void GmPlaces::set_number(ValueId value, Poly number) {
  Known known;
  if (number.known()) known.number = std::move(number);
  set(value, std::move(known));
}

GmPlaces::Many GmPlaces::run(const Region& region) {
  for (const uint32_t op : children(program_, region)) {
    if (++steps_ > kMostSteps) return {};
    step(op);
  }
  Many found;
  for (const ValueId value : handed_on(program_, region)) {
    Known known = of(value);
    if (is_number(program_.type_of(value))) known.number = number_of(value);
    found.push_back(std::move(known));
  }
  return found;
}

void GmPlaces::step(uint32_t index) {
  const OpView op(program_, index);
  switch (isa::does(op)) {
    case Does::loop:
      return loop(op);
    case Does::branch:
      return branch(op);
    case Does::while_loop:
      return while_loop(op);
    case Does::call:
      return call(op, 0);
    case Does::launch_threads:
      return launch(op);
    case Does::make_view:
      return make_view(op);
    case Does::partition:
      return partition(op);
    case Does::compare:
      return condition(op);
    case Does::add_ptr: {
      Known made = of(op.operand(0));
      made.place.base = made.place.base + number_of(op.operand(1)) * Poly(width_of(op.type(0)));
      return set(op.result(0), std::move(made));
    }
    case Does::cast_ptr: {
      Known made = of(op.operand(0));
      if (op.type(0).kind != TypeKind::ptr || op.result_type(0).kind != TypeKind::ptr) made = {};
      made.element = width_of(op.result_type(0));
      made.place.width = made.element;
      made.place.known = made.place.known && made.element > 0;
      return set(op.result(0), std::move(made));
    }
    default:
      break;
  }
  if (op.op().n_results == 1 && op.op().n_regions == 0 && is_number(op.result_type(0))) {
    number(op);
  } else if (op.op().n_regions != 0) {
    Many last;
    for (const Region& region : program_.regions_of(op.op())) {
      for (uint32_t i = 0; i < region.n_args; ++i) set(region.first_arg + i, {});
      last = run(region);
    }
    for (uint32_t i = 0; i < op.op().n_results; ++i)
      set(op.result(i), op.op().n_regions == 1 && i < last.size() ? last[i] : Known{});
    return;
  } else {
    for (uint32_t i = 0; i < op.op().n_results; ++i) set(op.result(i), {});
  }
  look(op);
}

// ---- structure

void GmPlaces::carry(const OpView& op, const Region& body, uint32_t first, std::span<const ValueId> begins,
                     const Region& from, const Poly& trip) {
  const uint32_t count = body.n_args - first;
  std::vector<Known> start;
  for (uint32_t i = 0; i < count; ++i) {
    const ValueId value = body.first_arg + first + i;
    Known known = i < begins.size() ? of(begins[i]) : Known{};
    if (i < begins.size() && is_number(program_.type_of(begins[i]))) known.number = number_of(begins[i]);
    known.yes.clear(), known.no.clear();
    start.push_back(known);
    if (known.number) known.number = other(value);
    if (known.place.known) known.place.base = other(value);
    set(value, known);
  }
  if (count == 0) return;
  ++silent_;
  Many last;
  for (const Region& region : program_.regions_of(op.op())) {
    if (&region != &body && &region != &from) continue;
    if (&region != &body) {
      for (uint32_t i = 0; i < region.n_args && i < last.size(); ++i) set(region.first_arg + i, last[i]);
    }
    last = run(region);
    if (&region == &from) break;
  }
  --silent_;
  for (uint32_t i = 0; i < count; ++i) {
    const ValueId value = body.first_arg + first + i;
    Known known = start[i];
    const Poly itself = other(value);
    const bool there = i < last.size();
    const auto step = [&](const Poly& before, const Poly& after) -> std::optional<Poly> {
      const Poly by = after - itself;
      (void)before;
      bool moves = !by.known();
      for (const auto& [product, factor] : by.terms()) {
        for (const uint32_t part : product) moves = moves || unknowns_[part].loops.contains(op.index());
      }
      return moves ? std::nullopt : std::optional(by);
    };
    if (known.number) {
      const auto by = there && last[i].number ? step(*known.number, *last[i].number) : std::nullopt;
      known.number = by ? *known.number + *by * trip : itself;
    }
    if (known.place.known) {
      const bool same = there && last[i].place.known && last[i].place.argument == known.place.argument &&
                        known.place.dims.empty() && last[i].place.dims.empty();
      const auto by = same ? step(known.place.base, last[i].place.base) : std::nullopt;
      if (by)
        known.place.base = known.place.base + *by * trip;
      else if (same)
        known.place.base = itself;
      else
        known.place.known = false;
    }
    if (!there || last[i].place.argument != known.place.argument) known.place.argument = GmPlace::kNoArgument;
    set(value, std::move(known));
  }
}

void GmPlaces::loop(const OpView& op) {
  const Region& body = body_of(op);
  const Poly begin = number_of(op.operand(0)), end = number_of(op.operand(1)),
             step = number_of(op.operand(2));
  std::vector<uint32_t> around = loops_;
  loops_.push_back(op.index());
  const Poly trip = unknowns_.make({.kind = Kind::trip,
                                    .at = op.index(),
                                    .context = context_,
                                    .of = {begin, end, step},
                                    .loops = std::set(loops_.begin(), loops_.end())});
  const size_t before = conditions_.size();
  // That it runs: so much is known of its bounds in it.
  conditions_.push_back(end - Poly(1) - begin - step * trip);
  conditions_.push_back(trip);
  set_number(body.first_arg, begin + step * trip);
  counters_.push_back(begin + step * trip);
  carry(op, body, 1, op.operands(3), body, trip);
  const Many last = run(body);
  conditions_.resize(before);
  loops_ = std::move(around);
  counters_.pop_back();
  for (uint32_t i = 0; i < op.op().n_results; ++i) {
    Known known = i < last.size() ? last[i] : Known{};
    known.yes.clear(), known.no.clear();
    if (known.number) known.number = other(op.result(i));
    known.place.known = false;
    set(op.result(i), std::move(known));
  }
}

void GmPlaces::while_loop(const OpView& op) {
  const std::span<const Region> regions = program_.regions_of(op.op());
  std::vector<uint32_t> around = loops_;
  loops_.push_back(op.index());
  const Poly trip = unknowns_.make({.kind = Kind::trip,
                                    .at = op.index(),
                                    .context = context_,
                                    .of = {},
                                    .loops = std::set(loops_.begin(), loops_.end())});
  counters_.push_back(trip);
  carry(op, regions[0], 0, op.operands(0), regions[1], trip);
  const Many first = run(regions[0]);
  const size_t before = conditions_.size();
  if (const auto last = terminator(program_, regions[0])) {
    assume(OpView(program_, *last).operand(0), true);
  }
  for (uint32_t i = 0; i < regions[1].n_args; ++i)
    set(regions[1].first_arg + i, i < first.size() ? first[i] : Known{});
  run(regions[1]);
  conditions_.resize(before);
  loops_ = std::move(around);
  counters_.pop_back();
  for (uint32_t i = 0; i < op.op().n_results; ++i) {
    Known known = i < first.size() ? first[i] : Known{};
    known.yes.clear(), known.no.clear();
    if (known.number) known.number = other(op.result(i));
    known.place.known = false;
    set(op.result(i), std::move(known));
  }
}

GmPlaces::Known GmPlaces::joined(const Known& a, const Known& b, ValueId value) {
  Known made;
  const auto either = [&](const Poly& one, const Poly& two) {
    return one == two ? one
                      : unknowns_.make({.kind = Kind::either,
                                        .at = value,
                                        .context = context_,
                                        .of = {one, two},
                                        .loops = std::set(loops_.begin(), loops_.end())});
  };
  if (a.number && b.number) made.number = either(*a.number, *b.number);
  if (a.place.argument != b.place.argument) return made;
  made.place.argument = a.place.argument;
  made.element = a.element;
  if (!a.place.known || !b.place.known || !a.place.dims.empty() || !b.place.dims.empty() ||
      a.element != b.element)
    return made;
  made.place = a.place;
  made.place.base = either(a.place.base, b.place.base);
  return made;
}

/// What follows is reached where a condition holds, or where it does not.
void GmPlaces::assume(ValueId condition, bool holds) {
  if (const Number constant = constants_.of(condition); constant && (*constant != 0) != holds)
    conditions_.emplace_back(-1);  // never
  const Known& on = of(condition);
  const std::vector<Poly>& facts = holds ? on.yes : on.no;
  conditions_.insert(conditions_.end(), facts.begin(), facts.end());
}

void GmPlaces::branch(const OpView& op) {
  const std::span<const Region> regions = program_.regions_of(op.op());
  const size_t before = conditions_.size();
  std::vector<Many> ends;
  for (size_t i = 0; i < regions.size(); ++i) {
    assume(op.operand(0), i == 0);
    ends.push_back(run(regions[i]));
    conditions_.resize(before);
  }
  for (uint32_t i = 0; i < op.op().n_results; ++i) {
    const bool both = ends.size() == 2 && i < ends[0].size() && i < ends[1].size();
    set(op.result(i), both ? joined(ends[0][i], ends[1][i], op.result(i)) : Known{});
  }
}

/// Which thread it is may differ between any two executions, as the turn of a loop may that no run tells.
void GmPlaces::launch(const OpView& op) {
  const auto before = std::exchange(threads_, {});
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned dim = 0; dim < threads_.size() && dim < schema.operands.size(); ++dim)
    threads_[dim] = number_of(op.operand(dim));
  loops_.push_back(op.index());
  counters_.push_back(unknowns_.make({.kind = Kind::trip,
                                      .at = op.index(),
                                      .context = context_,
                                      .of = {},
                                      .loops = std::set(loops_.begin(), loops_.end())}));
  if (op.op().n_regions != 0)
    run(body_of(op));
  else
    call(op, static_cast<unsigned>(threads_.size()));
  loops_.pop_back(), counters_.pop_back();
  threads_ = before;
}

void GmPlaces::call(const OpView& op, unsigned arguments) {
  Many given, results;
  for (const ValueId value : op.operands(arguments)) {
    Known known = of(value);
    if (is_number(program_.type_of(value))) known.number = number_of(value);
    given.push_back(std::move(known));
  }
  const Function* const caller = inside_;
  const std::string context = context_;
  if (calls_ < kMostCalls) {
    ++calls_;
    for (const uint32_t index : functions_.called(op, *caller)) {
      const Function& callee = functions_[index];
      if (callee.info.declaration || program_.ops[callee.info.op].n_regions == 0) continue;
      inside_ = &callee;
      context_ = context + '/' + std::to_string(op.index());
      const Region& body = body_of(program_, callee.info.op);
      for (uint32_t i = 0; i < body.n_args; ++i)
        set(body.first_arg + i, i < given.size() ? given[i] : Known{});
      results = run(body);
    }
    --calls_;
  } else {
    steps_ = kMostSteps + 1;
  }
  inside_ = caller;
  context_ = context;
  for (uint32_t i = 0; i < op.op().n_results; ++i)
    set(op.result(i), i < results.size() ? results[i] : Known{});
}

// ---- places

void GmPlaces::make_view(const OpView& op) {
  Known view = of(op.operand(0));
  const int64_t width = width_of(op.result_type(0));
  const std::span<const ValueId> sizes = op.operands(1), strides = op.operands(2);
  view.element = width;
  view.place.known = view.place.known && width > 0 && sizes.size() == strides.size();
  view.place.width = width;
  view.place.dims.clear();
  for (size_t i = 0; i < sizes.size() && view.place.known; ++i) {
    const Poly size = number_of(sizes[i]);
    view.place.dims.push_back({0, size, number_of(strides[i]) * Poly(width), size});
  }
  set(op.result(0), std::move(view));
}

void GmPlaces::partition(const OpView& op) {
  Known view = of(op.operand(0));
  const std::span<const ValueId> offsets = op.operands(1), sizes = op.operands(2);
  std::vector<GmPlace::Dim>& dims = view.place.dims;
  if (dims.size() != offsets.size() || dims.size() != sizes.size()) view.place.known = false;
  for (size_t i = 0; i < dims.size() && view.place.known; ++i) {
    dims[i].offset = dims[i].offset + number_of(offsets[i]);
    dims[i].size = number_of(sizes[i]);
  }
  set(op.result(0), std::move(view));
}

/// The scalar unit takes a number from a buffer.
void GmPlaces::load(const OpView& op) {
  const Known& from = of(op.operand(0));
  const Type& type = op.type(0);
  const std::span<const ValueId> index = op.operands(1);
  if (isa::does(op) != Does::load || !in_gm(type) || !from.place.known || index.size() != 1 ||
      written_.contains(from.place.argument))
    return set_number(op.result(0), other(op.result(0)));
  const Poly place = from.place.base + number_of(index[0]) * Poly(width_of(type));
  if (!place.known()) return set_number(op.result(0), other(op.result(0)));
  set_number(op.result(0), unknowns_.make({.kind = Kind::loaded,
                                           .at = from.place.argument,
                                           .context = std::to_string(width_of(type)),
                                           .of = {place}}));
}

/// Bursts of bytes, in loops.
std::optional<GmPlace> GmPlaces::bursts(const OpView& op, unsigned slot) const {
  const int length = slot_named(op, "len_burst"), count = slot_named(op, "n_burst"),
            loops = slot_named(op, "loop_counts");
  const std::string_view end = isa::schema(op.op().row).operands[slot].name == "source" ? "src" : "dst";
  const int stride = slot_named(op, "nburst_" + std::string(end) + "_stride"),
            loop_strides = slot_named(op, "loop_" + std::string(end) + "_strides");
  if (length < 0 || count < 0 || stride < 0 || loops < 0 || loop_strides < 0) return std::nullopt;
  GmPlace place = of(op.operand(slot)).place;
  const auto number = [&](ValueId value) { return const_cast<GmPlaces*>(this)->number_of(value); };
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
void GmPlaces::look(const OpView& op) {
  const isa::Row& row = isa::row(op.op().row);
  if ((row.flags & isa::kPure) != 0 || silent_ != 0) return;
  const isa::Schema& schema = isa::schema(op.op().row);
  const Does does = isa::does(op);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : op.operands(slot)) {
      if (value == kNoValue || !in_gm(program_.type_of(value))) continue;
      const bool scalar = does >= Does::load && does <= Does::store_buffer;
      const bool queue = does == Does::other && !row.pipe.empty() && row.pipe != "S" && row.pipe != "none";
      const bool writes =
          schema.operands[slot].role != isa::Role::in || does == Does::store || does == Does::store_buffer;
      GmAccess access{op.index(), of(value).place, scalar || queue, writes, loops_, counters_, conditions_};
      const Type& type = program_.type_of(value);
      if (type.is_view()) {
        // What is gathered may stand anywhere.
        if (slot_named(op, "idx") >= 0 || row.layer != isa::Layer::tile) access.place.known = false;
      } else if (does == Does::load || does == Does::store) {
        const ValueId index = op.operands(slot + 1).empty() ? kNoValue : op.operand(slot + 1);
        const bool one = !moves_vector(op);
        if (index == kNoValue || type.kind != TypeKind::ptr || !one)
          access.place.known = false;
        else
          access.place.base = access.place.base + number_of(index) * Poly(width_of(type));
      } else if (const auto place = bursts(op, slot)) {
        access.place = *place;
      } else {
        access.place.known = false;
      }
      settle(access.place);
      accesses_[op.index()].push_back(std::move(access));
    }
  }
}

}  // namespace pto::driver
