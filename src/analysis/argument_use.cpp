#include "analysis/argument_use.hpp"

#include <algorithm>

#include "analysis/constant_folding.hpp"
#include "ir/op_queries.hpp"

namespace pto::driver {
namespace {

using isa::Does;

constexpr uint64_t kMostSteps = 200'000;  ///< operations looked at in one walk
constexpr unsigned kMostCalls = 16;
constexpr int64_t kMostBytes = int64_t{1} << 48;

int64_t width_of(const Type& type) {
  return std::max<int64_t>(1, byte_width(type.elem)) * std::max<int64_t>(1, type.vec_lanes);
}

bool points(const Type& type) {
  return type.kind == TypeKind::ptr || type.kind == TypeKind::memref || type.is_view();
}

/// The shape when a view of it has no gaps.
std::vector<int64_t> whole(const std::vector<Range>& sizes, int64_t elements) {
  std::vector<int64_t> shape;
  int64_t product = 1;
  for (const Range& size : sizes) {
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

void UseWalk::walk(const Function& kernel) {
  inside_ = &kernel;
  known_.clear();
  const Region& body = body_of(program_, kernel.info.op);
  for (uint32_t i = 0; i < body.n_args; ++i) {
    Known known;
    if (i >= extents_.size()) {  // which of the two vector cores it is
      known.number = Range::between(0, 1);
    } else if (points(program_.type_of(body.first_arg + i))) {
      known = {Range::exactly(0), i, {}, {}};
    } else {
      known.number = source(i);
    }
    set(body.first_arg + i, std::move(known));
  }
  run(body);
}

void UseWalk::forget_uses() {
  std::ranges::fill(wishes_, Wishes{});
  std::ranges::fill(extents_, Extent{});
  leaves_views_ = false;
  steps_ = 0;
}

const UseWalk::Known& UseWalk::of(ValueId value) const {
  static const Known unknown;
  const auto found = known_.find(value);
  return found == known_.end() ? unknown : found->second;
}

Range UseWalk::source(uint32_t number) const {
  return decided_[number] ? Range::exactly(*decided_[number]) : Range::of_source(number);
}

Wishes* UseWalk::open(const Range& range) {
  if (!range.open()) return nullptr;
  Wishes& wishes = wishes_[range.source];
  wishes.seen = true;
  return &wishes;
}

void UseWalk::want(std::optional<int64_t>& slot, std::optional<int64_t> number, bool largest) {
  if (!number) return;
  slot = !slot ? *number : largest ? std::max(*slot, *number) : std::min(*slot, *number);
}

UseWalk::Known UseWalk::join(const Known& a, const Known& b) {
  if (a == b) return a;
  if (a.parameter != b.parameter || a.sizes != b.sizes || a.strides != b.strides) return {};
  return {driver::join(a.number, b.number), a.parameter, a.sizes, a.strides};
}

UseWalk::Many UseWalk::join(const Many& a, const Many& b) {
  if (a.size() != b.size()) return {};
  Many all;
  for (size_t i = 0; i < a.size(); ++i) all.push_back(join(a[i], b[i]));
  return all;
}

void UseWalk::bind(const Region& region, uint32_t first, std::span<const Known> values) {
  for (uint32_t i = first; i < region.n_args; ++i)
    set(region.first_arg + i, i - first < values.size() ? values[i - first] : Known{});
}

void UseWalk::set_results(const OpView& op, const Many& values) {
  for (unsigned i = 0; i < op.op().n_results; ++i) set(op.result(i), i < values.size() ? values[i] : Known{});
}

/// What the region hands on.
UseWalk::Many UseWalk::run(const Region& region) {
  for (const uint32_t op : children(program_, region)) {
    if (++steps_ > kMostSteps) return {};
    step(op);
  }
  Many values;
  for (const ValueId value : handed_on(program_, region)) values.push_back(of(value));
  return values;
}

void UseWalk::step(uint32_t index) {
  const OpView op(program_, index);
  switch (isa::does(op)) {
    case Does::loop:
      return loop(op);
    case Does::branch:
      return branch(op);
    case Does::while_loop:
      return while_loop(op);
    case Does::call:
      return call(op);
    case Does::make_view:
      return make_view(op);
    case Does::partition:
      return partition(op);
    case Does::add_ptr:
      return add_pointer(op);
    case Does::rename:
    case Does::cast_ptr:
      return set(op.result(0), of(op.operand(0)));
    case Does::load:
    case Does::store:
    case Does::load_buffer:
    case Does::store_buffer:
      return access(op);
    case Does::alloc_tile:
      return extents_of_tile(op, 1, op.result_type(0));
    case Does::set_extents:
      return extents_of_tile(op, 1, op.type(0));
    default:
      if (waits_for_words(op)) return wait(op);
      return op.op().n_regions != 0 ? others(op) : count(op);
  }
}

/// Scalar arithmetic, and what it asks of open numbers.
void UseWalk::count(const OpView& op) {
  const Does does = isa::does(op);
  if (!gives_number(op)) return set_results(op, {});
  std::array<Range, 3> operands;
  for (unsigned i = 0; i < operands.size(); ++i) {
    const ValueId value = op.operand(i);
    if (value != kNoValue) operands[i] = number(value);
  }
  const auto& [a, b, c] = operands;
  if (does >= Does::div_s && does <= Does::rem_u) {
    if (Wishes* wishes = open(b)) wishes->one = true;
  }
  if (does == Does::sub && a.open() && b.open() && a.source != b.source)
    open(b)->index = true;  // what is left
  if (does == Does::min_s) note_minimum(a, b), note_minimum(b, a);
  if (does == Does::compare) {
    if (Wishes* wishes = b.fixed() ? open(a) : nullptr) want(wishes->compared, b.high);
    if (Wishes* wishes = a.fixed() ? open(b) : nullptr) want(wishes->compared, a.high);
  }
  if (does == Does::select && points(op.result_type(0)))
    return set(op.result(0), join(of(op.operand(1)), of(op.operand(2))));
  Known known;
  known.number = evaluate(op, operands);
  set(op.result(0), std::move(known));
}

void UseWalk::note_minimum(const Range& a, const Range& b) {
  Wishes* wishes = b.fixed() ? open(a) : nullptr;
  if (wishes != nullptr) want(wishes->full, choice_for_least(a, b.high));
}

/// The numbers of a loop's variable.
Range UseWalk::last_of_loop(const Range& low, const Range& high, const Range& step) {
  const int64_t by = std::max<int64_t>(1, step.fixed() ? step.low : 1);
  if (Wishes* wishes = open(step)) wishes->one = true;
  if (Wishes* wishes = open(low)) wishes->index = true;
  if (!low.known) return {};
  const Range wanted = multiply(Range::exactly(trips_), Range::exactly(by));
  if (!wanted.known) return {};
  const Range end = add(Range::exactly(low.high), wanted);
  if (Wishes* wishes = end.known ? open(high) : nullptr) {
    want(wishes->trips, choice_for_least(high, end.low));
    return Range::between(low.low, low.high + (trips_ - 1) * by);
  }
  if (!high.known) return {};
  if (high.high <= low.low) return Range::exactly(low.low);
  const int64_t turns = (high.high - 1 - low.low) / by;
  return Range::between(low.low, low.low + turns * by);
}

void UseWalk::loop(const OpView& op) {
  const Range low = number(op.operand(0)), high = number(op.operand(1));
  const Range variable = last_of_loop(low, high, number(op.operand(2)));
  Many carried;
  for (const ValueId value : op.operands(3)) carried.push_back(of(value));
  if (low.fixed() && high.fixed() && high.high <= low.low) return set_results(op, carried);
  const Region& body = body_of(op);
  // What a turn changes is not known in the next one; twice, as that may change more.
  for (int turn = 0; turn < 3; ++turn) {
    Known first;
    first.number = variable;
    bind(body, 0, std::array{first});
    bind(body, 1, carried);
    const Many after = run(body);
    bool same = true;
    for (size_t i = 0; i < carried.size(); ++i) {
      if (i < after.size() && after[i] == carried[i]) continue;
      same = same && carried[i] == Known{};
      const bool stays = i < after.size() && after[i].parameter == carried[i].parameter &&
                         after[i].parameter != kNoParameter && after[i].sizes == carried[i].sizes;
      carried[i] = stays ? Known{{}, carried[i].parameter, carried[i].sizes, carried[i].strides} : Known{};
    }
    if (same) break;
  }
  set_results(op, carried);
}

void UseWalk::branch(const OpView& op) {
  const std::optional<int64_t> condition = number(op.operand(0)).number();
  const std::span<const Region> regions = program_.regions_of(op.op());
  if (condition) {
    const size_t taken = *condition != 0 ? 0 : 1;
    return set_results(op, taken < regions.size() ? run(regions[taken]) : Many{});
  }
  Many all = run(regions.front());
  for (const Region& region : regions.subspan(1)) all = join(all, run(region));
  set_results(op, all);
}

void UseWalk::while_loop(const OpView& op) {
  for (const Region& region : program_.regions_of(op.op())) {
    bind(region, 0, {});
    run(region);
    for (const uint32_t last : children(program_, region)) {
      if (isa::does(OpView(program_, last)) != Does::condition) continue;
      if (Wishes* wishes = open(number(OpView(program_, last).operand(0)))) wishes->ends = true;
    }
  }
  set_results(op, {});
}

/// Sections, scopes, switches: everything in them may run.
void UseWalk::others(const OpView& op) {
  Many last;
  for (const Region& region : program_.regions_of(op.op())) {
    bind(region, 0, {});
    last = run(region);
  }
  set_results(op, op.op().n_regions == 1 ? last : Many{});
}

void UseWalk::call(const OpView& op) {
  Many given;
  for (const ValueId value : op.operands(0)) given.push_back(of(value));
  Many results;
  const Function* const caller = inside_;
  if (calls_ < kMostCalls) {
    ++calls_;
    for (const uint32_t index : functions_.called(op, *caller)) {
      const Function& callee = functions_[index];
      if (callee.info.declaration || program_.ops[callee.info.op].n_regions == 0) continue;
      inside_ = &callee;
      const Region& body = body_of(program_, callee.info.op);
      bind(body, 0, given);
      results = run(body);
    }
    --calls_;
  }
  inside_ = caller;
  set_results(op, results);
}

void UseWalk::make_view(const OpView& op) {
  const Known& base = of(op.operand(0));
  Known view{base.number, base.parameter, {}, {}};
  for (const ValueId size : op.operands(1)) view.sizes.push_back(number(size));
  for (const ValueId stride : op.operands(2)) view.strides.push_back(number(stride));
  for (const auto* list : {&view.sizes, &view.strides}) {
    for (const Range& range : *list) (void)open(range);
  }
  Range last = Range::exactly(0);
  for (size_t d = 0; d < view.sizes.size() && d < view.strides.size(); ++d) {
    if (!view.sizes[d].fixed() || view.sizes[d].high < 1) last = {};
    last = add(last, multiply(add(view.sizes[d], Range::exactly(-1)), view.strides[d]));
  }
  if (view.parameter != kNoParameter && last.fixed() && view.number.number() == 0 && last.high >= 0) {
    const int64_t width = width_of(op.type(0));
    const Range bytes = multiply(add(last, Range::exactly(1)), Range::exactly(width));
    Extent& extent = extents_[view.parameter];
    if (bytes.known && bytes.high<kMostBytes&& static_cast<uint64_t>(bytes.high)> extent.view_bytes) {
      extent.view_bytes = static_cast<uint64_t>(bytes.high);
      extent.shape = whole(view.sizes, last.high + 1);
    }
  }
  set(op.result(0), std::move(view));
}

/// A window of `size` elements in one dimension of a view.
void UseWalk::window(const Range& offset, const Range& size, const Range& dim) {
  if (Wishes* wishes = open(offset)) {
    wishes->index = true;
    want(wishes->floor, choice_for_least(offset, 0));
    if (size.fixed() && dim.fixed()) {
      const auto most = choice_for_most(add(offset, size), dim.low);
      if (most && *most >= 0) want(wishes->most, most, false);
    }
  }
  (void)open(size);
  if (Wishes* wishes = offset.fixed() && size.fixed() ? open(dim) : nullptr)
    want(wishes->full, choice_for_least(dim, offset.high + size.high));
  if (offset.fixed() && size.fixed() && dim.fixed() && offset.high + size.high > dim.high)
    leaves_views_ = true;
}

void UseWalk::partition(const OpView& op) {
  const Known from = of(op.operand(0));
  const std::span<const ValueId> offsets = op.operands(1), sizes = op.operands(2);
  Known view{from.number, from.parameter, {}, from.strides};
  Range last = Range::exactly(1);  // elements from the window's begin to its end
  for (size_t d = 0; d < offsets.size() && d < sizes.size(); ++d) {
    const Range offset = number(offsets[d]), size = number(sizes[d]);
    const bool has = d < from.strides.size();
    window(offset, size, d < from.sizes.size() ? from.sizes[d] : Range{});
    const Range stride = has ? from.strides[d] : Range{};
    view.number = add(view.number, multiply(multiply(offset, stride), Range::exactly(width_of(op.type(0)))));
    last = add(last, multiply(add(size, Range::exactly(-1)), stride));
    view.sizes.push_back(size);
  }
  touch(view, last, width_of(op.type(0)));
  set(op.result(0), std::move(view));
}

void UseWalk::add_pointer(const OpView& op) {
  Known made = of(op.operand(0));
  const Range offset = number(op.operand(1));
  if (Wishes* wishes = open(offset)) wishes->index = true;
  made.number = add(made.number, multiply(offset, Range::exactly(width_of(op.type(0)))));
  set(op.result(0), std::move(made));
}

/// The scalar unit reads or writes one element.
void UseWalk::access(const OpView& op) {
  const unsigned slot = op.type(0).kind == TypeKind::scalar ? 1 : 0;  // behind a value that is stored
  Known place = of(op.operand(slot));
  const Type& type = op.type(slot);
  const int64_t width = width_of(type);
  const std::span<const ValueId> indices = op.operands(slot + 1);
  const Range offset = indices.size() == 1 ? number(indices.front()) : Range{};
  if (Wishes* wishes = open(offset)) {
    wishes->index = true;
    want(wishes->floor, choice_for_least(offset, 0));
  }
  place.number = add(place.number, multiply(offset, Range::exactly(width)));
  touch(place, Range::exactly(1), width);
  Known value;
  if (place.parameter != kNoParameter && is_integer(type.elem))
    value.number = source(static_cast<uint32_t>(extents_.size()) + place.parameter);
  if (op.op().n_results == 1) set(op.result(0), std::move(value));
}

/// Words that a peer would have written: as they have to be for the kernel to go on.
void UseWalk::wait(const OpView& op) {
  enum Compares : int64_t { kEq, kNe, kGt, kGe, kLt, kLe };
  const Known& place = of(op.operand(0));
  const Range wanted = number(op.operand(1));
  if (open(wanted) != nullptr) return;  // it is chosen first
  if (place.parameter == kNoParameter) return;
  Wishes& wishes = wishes_[extents_.size() + place.parameter];
  wishes.seen = true;
  if (!wanted.known) return;
  const int64_t compares = op.attr_int("cmp");
  const int64_t more = compares == kGt || compares == kNe ? 1 : compares == kLt ? -1 : 0;
  const bool upper = compares != kLt && compares != kLe;
  want(wishes.awaited, (upper ? wanted.high : wanted.low) + more, upper);
}

void UseWalk::touch(const Known& place, const Range& elements, int64_t width) {
  if (place.parameter == kNoParameter) return;
  const Range end = add(place.number, multiply(elements, Range::exactly(width)));
  if (!end.fixed() || end.high <= 0 || end.high > kMostBytes) return;
  Extent& extent = extents_[place.parameter];
  extent.bytes = std::max(extent.bytes, static_cast<uint64_t>(end.high));
}

/// Valid rows and columns of a tile, in slots `first` and the next.
void UseWalk::extents_of_tile(const OpView& op, unsigned first, const Type& tile) {
  for (unsigned i = 0; i < 2; ++i) {
    const ValueId value = op.operand(first + i);
    const Range extent = value == kNoValue ? Range{} : number(value);
    if (Wishes* wishes = open(extent)) {
      want(wishes->full, choice_for_least(extent, tile.dims[i]));
      want(wishes->most, choice_for_most(extent, tile.dims[i]), false);
    }
  }
  set_results(op, {});
}

}  // namespace pto::driver
