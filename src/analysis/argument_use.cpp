#include "analysis/argument_use.hpp"

#include <algorithm>

#include "analysis/constant_folding.hpp"
#include "ir/op_queries.hpp"
#include "isa/cmp_predicate.hpp"

namespace pto::driver {
namespace {

using isa::OpcodeClass;

constexpr int64_t kMaxBytes = int64_t{1} << 48;

int64_t width_of(const Type& type) {
  return std::max<int64_t>(1, byte_width(type.elem)) * std::max<int64_t>(1, type.vec_lanes);
}

bool points(const Type& type) {
  return type.kind == TypeKind::ptr || type.kind == TypeKind::memref || type.is_view();
}

/// The shape when a view of it has no gaps.
std::vector<int64_t> whole(const std::vector<AffineInterval>& sizes, int64_t elements) {
  std::vector<int64_t> shape;
  int64_t product = 1;
  for (const AffineInterval& size : sizes) {
    shape.push_back(size.high);
    if (__builtin_mul_overflow(product, size.high, &product)) return {};
  }
  return product == elements ? shape : std::vector<int64_t>{};
}

}  // namespace

bool waits_for_words(const OpView& op) {
  const isa::Schema& schema = isa::schema(op.op().row);
  return schema.row->layer == isa::Layer::system && op.op().n_results == 0 && schema.attr_index("cmp") >= 0;
}

void ArgumentUseAnalysis::walk(const Function& kernel) {
  inside_ = &kernel;
  values_.clear();
  const Region& body = body_of(program_, kernel.info.op);
  for (uint32_t i = 0; i < body.n_args; ++i) {
    AbstractValue known;
    if (i >= extents_.size()) {  // which of the two vector cores it is
      known.number = AffineInterval::between(0, 1);
    } else if (points(program_.type_of(body.first_arg + i))) {
      known = {AffineInterval::constant(0), i, {}, {}};
    } else {
      known.number = source(i);
    }
    set(body.first_arg + i, std::move(known));
  }
  run(body);
}

void ArgumentUseAnalysis::forget_uses() {
  std::ranges::fill(demands_, ValueDemand{});
  std::ranges::fill(extents_, Extent{});
  leaves_views_ = false;
  steps_ = 0;
}

AffineInterval ArgumentUseAnalysis::source(uint32_t number) const {
  return bound_[number] ? AffineInterval::constant(*bound_[number]) : AffineInterval::of_source(number);
}

ValueDemand* ArgumentUseAnalysis::demand_of(const AffineInterval& range) {
  if (!range.has_source()) return nullptr;
  ValueDemand& demand = demands_[range.source];
  demand.seen = true;
  return &demand;
}

void ArgumentUseAnalysis::require(std::optional<int64_t>& slot, std::optional<int64_t> number, bool largest) {
  if (!number) return;
  slot = !slot ? *number : largest ? std::max(*slot, *number) : std::min(*slot, *number);
}

ArgumentUseAnalysis::AbstractValue ArgumentUseAnalysis::join(const AbstractValue& a, const AbstractValue& b) {
  if (a == b) return a;
  if (a.parameter != b.parameter || a.sizes != b.sizes || a.strides != b.strides) return {};
  return {driver::join(a.number, b.number), a.parameter, a.sizes, a.strides};
}

ArgumentUseAnalysis::AbstractValues ArgumentUseAnalysis::join(const AbstractValues& a,
                                                              const AbstractValues& b) {
  if (a.size() != b.size()) return {};
  AbstractValues all;
  for (size_t i = 0; i < a.size(); ++i) all.push_back(join(a[i], b[i]));
  return all;
}

void ArgumentUseAnalysis::transfer(const OpView& op) {
  switch (isa::opcode_class(op)) {
    case OpcodeClass::make_view:
      return make_view(op);
    case OpcodeClass::partition:
      return partition(op);
    case OpcodeClass::add_ptr:
      return add_pointer(op);
    case OpcodeClass::rename:
    case OpcodeClass::cast_ptr:
      return set(op.result(0), value_of(op.operand(0)));
    case OpcodeClass::load:
    case OpcodeClass::store:
    case OpcodeClass::load_buffer:
    case OpcodeClass::store_buffer:
      return access(op);
    case OpcodeClass::alloc_tile:
      return extents_of_tile(op, 1, op.result_type(0));
    case OpcodeClass::set_extents:
      return extents_of_tile(op, 1, op.type(0));
    default:
      if (waits_for_words(op)) return wait(op);
      return op.op().n_regions != 0 ? run_regions(op) : transfer_arithmetic(op);
  }
}

/// Scalar arithmetic, and what it asks of open numbers.
void ArgumentUseAnalysis::transfer_arithmetic(const OpView& op) {
  const OpcodeClass opcode_class = isa::opcode_class(op);
  if (!gives_number(op)) return set_results(op, {});
  std::array<AffineInterval, 3> operands;
  for (unsigned i = 0; i < operands.size(); ++i) {
    const ValueId value = op.operand(i);
    if (value != kNoValue) operands[i] = number(value);
  }
  const auto& [a, b, c] = operands;
  if (isa::is_division(opcode_class)) {
    if (ValueDemand* demand = demand_of(b)) demand->one = true;
  }
  if (opcode_class == OpcodeClass::sub && a.has_source() && b.has_source() && a.source != b.source)
    demand_of(b)->index = true;  // what is left
  if (opcode_class == OpcodeClass::min_s) {
    note_minimum(a, b);
    note_minimum(b, a);
  }
  if (opcode_class == OpcodeClass::compare) {
    if (ValueDemand* demand = b.is_concrete() ? demand_of(a) : nullptr) require(demand->compared, b.high);
    if (ValueDemand* demand = a.is_concrete() ? demand_of(b) : nullptr) require(demand->compared, a.high);
  }
  if (opcode_class == OpcodeClass::select && points(op.result_type(0)))
    return set(op.result(0), join(value_of(op.operand(1)), value_of(op.operand(2))));
  AbstractValue known;
  known.number = evaluate(op, operands);
  set(op.result(0), std::move(known));
}

void ArgumentUseAnalysis::note_minimum(const AffineInterval& a, const AffineInterval& b) {
  ValueDemand* demand = b.is_concrete() ? demand_of(a) : nullptr;
  if (demand != nullptr) require(demand->full, source_for_low(a, b.high));
}

/// The numbers of a loop's variable.
AffineInterval ArgumentUseAnalysis::last_of_loop(const AffineInterval& low, const AffineInterval& high,
                                                 const AffineInterval& step) {
  const int64_t by = std::max<int64_t>(1, step.is_concrete() ? step.low : 1);
  if (ValueDemand* demand = demand_of(step)) demand->one = true;
  if (ValueDemand* demand = demand_of(low)) demand->index = true;
  if (!low.known) return {};
  const AffineInterval wanted = multiply(AffineInterval::constant(trips_), AffineInterval::constant(by));
  if (!wanted.known) return {};
  const AffineInterval end = add(AffineInterval::constant(low.high), wanted);
  if (ValueDemand* demand = end.known ? demand_of(high) : nullptr) {
    require(demand->trips, source_for_low(high, end.low));
    return AffineInterval::between(low.low, low.high + (trips_ - 1) * by);
  }
  if (!high.known) return {};
  if (high.high <= low.low) return AffineInterval::constant(low.low);
  const int64_t iterations = (high.high - 1 - low.low) / by;
  return AffineInterval::between(low.low, low.low + iterations * by);
}

void ArgumentUseAnalysis::loop(const OpView& op) {
  const AffineInterval low = number(op.operand(0)), high = number(op.operand(1));
  const AffineInterval variable = last_of_loop(low, high, number(op.operand(2)));
  AbstractValues carried;
  for (const ValueId value : op.operands(3)) carried.push_back(value_of(value));
  if (low.is_concrete() && high.is_concrete() && high.high <= low.low) return set_results(op, carried);
  const Region& body = body_of(op);
  // What a turn changes is not known in the next one; twice, as that may change more.
  for (int iteration = 0; iteration < 3; ++iteration) {
    AbstractValue first;
    first.number = variable;
    bind(body, 0, std::array{first});
    bind(body, 1, carried);
    const AbstractValues after = run(body);
    bool same = true;
    for (size_t i = 0; i < carried.size(); ++i) {
      if (i < after.size() && after[i] == carried[i]) continue;
      same = same && carried[i] == AbstractValue{};
      const bool stays = i < after.size() && after[i].parameter == carried[i].parameter &&
                         after[i].parameter != kNoParameter && after[i].sizes == carried[i].sizes;
      carried[i] = stays ? AbstractValue{{}, carried[i].parameter, carried[i].sizes, carried[i].strides}
                         : AbstractValue{};
    }
    if (same) break;
  }
  set_results(op, carried);
}

void ArgumentUseAnalysis::branch(const OpView& op) {
  const std::optional<int64_t> condition = number(op.operand(0)).constant_value();
  const std::span<const Region> regions = program_.regions_of(op.op());
  if (condition) {
    const size_t taken = *condition != 0 ? 0 : 1;
    return set_results(op, taken < regions.size() ? run(regions[taken]) : AbstractValues{});
  }
  AbstractValues all = run(regions.front());
  for (const Region& region : regions.subspan(1)) all = join(all, run(region));
  set_results(op, all);
}

void ArgumentUseAnalysis::while_loop(const OpView& op) {
  for (const Region& region : program_.regions_of(op.op())) {
    bind(region, 0, {});
    run(region);
    for (const uint32_t last : ops_in(program_, region)) {
      if (isa::opcode_class(OpView(program_, last)) != OpcodeClass::condition) continue;
      if (ValueDemand* demand = demand_of(number(OpView(program_, last).operand(0)))) demand->ends = true;
    }
  }
  set_results(op, {});
}

void ArgumentUseAnalysis::call(const OpView& op) {
  AbstractValues given;
  for (const ValueId value : op.operands(0)) given.push_back(value_of(value));
  set_results(op, run_callees(op, given).value_or(AbstractValues{}));
}

void ArgumentUseAnalysis::make_view(const OpView& op) {
  const AbstractValue& base = value_of(op.operand(0));
  AbstractValue view{base.number, base.parameter, {}, {}};
  for (const ValueId size : op.operands(1)) view.sizes.push_back(number(size));
  for (const ValueId stride : op.operands(2)) view.strides.push_back(number(stride));
  for (const auto* list : {&view.sizes, &view.strides}) {
    for (const AffineInterval& range : *list) (void)demand_of(range);
  }
  AffineInterval last = AffineInterval::constant(0);
  for (size_t d = 0; d < view.sizes.size() && d < view.strides.size(); ++d) {
    if (!view.sizes[d].is_concrete() || view.sizes[d].high < 1) last = {};
    last = add(last, multiply(add(view.sizes[d], AffineInterval::constant(-1)), view.strides[d]));
  }
  if (view.parameter != kNoParameter && last.is_concrete() && view.number.constant_value() == 0 &&
      last.high >= 0) {
    const int64_t width = width_of(op.type(0));
    const AffineInterval bytes =
        multiply(add(last, AffineInterval::constant(1)), AffineInterval::constant(width));
    Extent& extent = extents_[view.parameter];
    if (bytes.known && bytes.high<kMaxBytes&& static_cast<uint64_t>(bytes.high)> extent.view_bytes) {
      extent.view_bytes = static_cast<uint64_t>(bytes.high);
      extent.shape = whole(view.sizes, last.high + 1);
    }
  }
  set(op.result(0), std::move(view));
}

/// A window of `size` elements in one dimension of a view.
void ArgumentUseAnalysis::window(const AffineInterval& offset, const AffineInterval& size,
                                 const AffineInterval& dim) {
  if (ValueDemand* demand = demand_of(offset)) {
    demand->index = true;
    require(demand->floor, source_for_low(offset, 0));
    if (size.is_concrete() && dim.is_concrete()) {
      const auto most = source_for_high(add(offset, size), dim.low);
      if (most && *most >= 0) require(demand->most, most, false);
    }
  }
  (void)demand_of(size);
  if (ValueDemand* demand = offset.is_concrete() && size.is_concrete() ? demand_of(dim) : nullptr)
    require(demand->full, source_for_low(dim, offset.high + size.high));
  if (offset.is_concrete() && size.is_concrete() && dim.is_concrete() && offset.high + size.high > dim.high)
    leaves_views_ = true;
}

void ArgumentUseAnalysis::partition(const OpView& op) {
  const AbstractValue from = value_of(op.operand(0));
  const std::span<const ValueId> offsets = op.operands(1), sizes = op.operands(2);
  AbstractValue view{from.number, from.parameter, {}, from.strides};
  AffineInterval last = AffineInterval::constant(1);  // elements from the window's begin to its end
  for (size_t d = 0; d < offsets.size() && d < sizes.size(); ++d) {
    const AffineInterval offset = number(offsets[d]), size = number(sizes[d]);
    const bool has = d < from.strides.size();
    window(offset, size, d < from.sizes.size() ? from.sizes[d] : AffineInterval{});
    const AffineInterval stride = has ? from.strides[d] : AffineInterval{};
    view.number =
        add(view.number, multiply(multiply(offset, stride), AffineInterval::constant(width_of(op.type(0)))));
    last = add(last, multiply(add(size, AffineInterval::constant(-1)), stride));
    view.sizes.push_back(size);
  }
  touch(view, last, width_of(op.type(0)));
  set(op.result(0), std::move(view));
}

void ArgumentUseAnalysis::add_pointer(const OpView& op) {
  AbstractValue built = value_of(op.operand(0));
  const AffineInterval offset = number(op.operand(1));
  if (ValueDemand* demand = demand_of(offset)) demand->index = true;
  built.number = add(built.number, multiply(offset, AffineInterval::constant(width_of(op.type(0)))));
  set(op.result(0), std::move(built));
}

/// The scalar unit reads or writes one element.
void ArgumentUseAnalysis::access(const OpView& op) {
  const unsigned slot = op.type(0).kind == TypeKind::scalar ? 1 : 0;  // behind a value that is stored
  AbstractValue place = value_of(op.operand(slot));
  const Type& type = op.type(slot);
  const int64_t width = width_of(type);
  const std::span<const ValueId> indices = op.operands(slot + 1);
  const AffineInterval offset = indices.size() == 1 ? number(indices.front()) : AffineInterval{};
  if (ValueDemand* demand = demand_of(offset)) {
    demand->index = true;
    require(demand->floor, source_for_low(offset, 0));
  }
  place.number = add(place.number, multiply(offset, AffineInterval::constant(width)));
  touch(place, AffineInterval::constant(1), width);
  AbstractValue value;
  if (place.parameter != kNoParameter && is_integer(type.elem))
    value.number = source(static_cast<uint32_t>(extents_.size()) + place.parameter);
  if (op.op().n_results == 1) set(op.result(0), std::move(value));
}

/// Words that a peer would have written: as they have to be for the kernel to go on.
void ArgumentUseAnalysis::wait(const OpView& op) {
  using isa::CmpPredicate;
  const AbstractValue& place = value_of(op.operand(0));
  const AffineInterval wanted = number(op.operand(1));
  if (demand_of(wanted) != nullptr) return;  // it is chosen first
  if (place.parameter == kNoParameter) return;
  ValueDemand& demand = demands_[extents_.size() + place.parameter];
  demand.seen = true;
  if (!wanted.known) return;
  const CmpPredicate compares = isa::wait_predicate(op.attr_int("cmp"));
  const int64_t more = compares == CmpPredicate::sgt || compares == CmpPredicate::ne ? 1
                       : compares == CmpPredicate::slt                               ? -1
                                                                                     : 0;
  const bool upper = compares != CmpPredicate::slt && compares != CmpPredicate::sle;
  require(demand.awaited, (upper ? wanted.high : wanted.low) + more, upper);
}

void ArgumentUseAnalysis::touch(const AbstractValue& place, const AffineInterval& elements, int64_t width) {
  if (place.parameter == kNoParameter) return;
  const AffineInterval end = add(place.number, multiply(elements, AffineInterval::constant(width)));
  if (!end.is_concrete() || end.high <= 0 || end.high > kMaxBytes) return;
  Extent& extent = extents_[place.parameter];
  extent.bytes = std::max(extent.bytes, static_cast<uint64_t>(end.high));
}

/// Valid rows and columns of a tile, in slots `first` and the next.
void ArgumentUseAnalysis::extents_of_tile(const OpView& op, unsigned first, const Type& tile) {
  for (unsigned i = 0; i < 2; ++i) {
    const ValueId value = op.operand(first + i);
    const AffineInterval extent = value == kNoValue ? AffineInterval{} : number(value);
    if (ValueDemand* demand = demand_of(extent)) {
      require(demand->full, source_for_low(extent, tile.dims[i]));
      require(demand->most, source_for_high(extent, tile.dims[i]), false);
    }
  }
  set_results(op, {});
}

}  // namespace pto::driver
