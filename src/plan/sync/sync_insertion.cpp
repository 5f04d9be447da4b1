// From a function to its blocks, and from flags to operations.
// Over 500 lines: blocks, items, flags and signals of a function are one state.
#include "plan/sync/sync_insertion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ir/instruction_phases.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "plan/sync/lockstep_loops.hpp"

namespace pto::planner {

SyncPlanner::SyncPlanner(const Program& program, const Machine& machine, const ByteSegments& segments,
                         const std::vector<bool>& fenced_calls, IdShortage shortage, Diagnostics& diagnostics)
    : program_(program),
      machine_(machine),
      segments_(segments),
      fenced_calls_(fenced_calls),
      shortage_(shortage),
      diagnostics_(diagnostics),
      history_(segments.count()),
      context_(program.ops.size(), kFirstCore),
      section_of_(program.ops.size(), kNone) {}

namespace {

/// Whether every pipe is done when the operation is.
bool finishes_pipes(const OpView& op) {
  using isa::OpcodeClass;
  const OpcodeClass opcode_class = isa::opcode_class(op);
  if (opcode_class == OpcodeClass::barrier) return op.attr_int("pipe") == static_cast<int64_t>(Pipe::all);
  return opcode_class == OpcodeClass::fence || opcode_class == OpcodeClass::sync_all ||
         opcode_class == OpcodeClass::wait_tiles;
}

constexpr Agents kScalarUnits = 1U << kScalarLane | 1U << (kLanes + kScalarLane);

/// These cores, each for itself and for the other one.
constexpr CoreBits everyone(CoreBits cores) {
  return cores == kBothCores ? static_cast<CoreBits>(kBothCores | kTogether) : cores;
}

bool has_blocks(const Program& program, const Region& region) {
  for (const uint32_t op : ops_in(program, region)) {
    if (isa::row(program.ops[op].row).opcode_class == isa::OpcodeClass::block) return true;
  }
  return false;
}

/// Whether the scalar unit stores in a phase and no flag of the instruction tells the next one: later work of
/// the next phase's pipe may run before these stores (`tci` without a scratch tile).
bool has_unordered_stores(const isa::Phases& phases, size_t at) {
  const isa::Phase& phase = phases.phases[at];
  return phase.pipe == Pipe::s && !phase.writes.empty() && phases.events_in_order()[at + 1].empty();
}

}  // namespace

SegmentUses SyncPlanner::build(uint32_t region_index, const Nesting& context, uint32_t twin_region,
                               bool cube_first) {
  const auto index = static_cast<uint32_t>(blocks_.size());
  Block block;
  block.region = region_index;
  block.twin_region = twin_region;
  block.op = context.op;
  block.outermost_loop = context.outermost_loop;
  block.cores = context.cores;
  const CoreBits cores = context.cores & kBothCores;
  const bool blocks = has_blocks(program_, program_.regions[region_index]) ||
                      (twin_region != kNone && has_blocks(program_, program_.regions[twin_region]));
  // Not every block runs in every turn, and no flag may be under way around a call.
  const bool closed = blocks || (context.outermost_loop != kNone && holds_call(context.outermost_loop));
  block.repeats = context.repeats && !closed;
  if (context.repeats && closed) block.start_barrier = everyone(cores);
  block.top = context.top;
  blocks_.push_back(block);
  std::vector<Item> items;
  if (twin_region == kNone) {
    add_items(region_index, context, items);
  } else {
    for (const bool cube : {cube_first, !cube_first}) {
      Nesting one = context;
      one.cores = cube ? 1 : 2;
      add_items(cube ? region_index : twin_region, one, items);
    }
  }
  if (function_.vector_op != kNone) {
    if (twin_region != kNone) order_by_flow(items, context);
  } else if (function_.signals && may_join_ && cores == kBothCores) {
    join_loops(items, context);
  }
  SegmentUses total;
  for (const Item& item : items) total.add(item.footprint);
  total.normalise();
  if ((total.pipes & ~kScalarUnits) == 0) {  // scalar units alone go from block to block
    for (Item& item : items) item.fence = item.fence && !item.label;
  }
  blocks_[index].end = static_cast<uint32_t>(blocks_.size());
  blocks_[index].items = std::move(items);
  const OrderRules rules{.vector = lane_of(Pipe::v) + (function_.cores != 0 ? kLanes : 0),
                         .vector_barriers = machine_.vector_overlaps,
                         .signals = function_.signals};
  BlockOrder(blocks_[index], index, flags_, history_, rules).run();
  return total;
}

/// What stands in a section is part of the block around it, on the section's core.
void SyncPlanner::add_items(uint32_t region_index, const Nesting& context, std::vector<Item>& items) {
  const Region region = program_.regions[region_index];
  for (const uint32_t op : ops_in(program_, region)) {
    context_[op] = context.cores;
    const isa::OpcodeClass opcode_class = isa::row(program_.ops[op].row).opcode_class;
    if (isa::is_section(opcode_class)) {
      Nesting inner = context;
      inner.cores = opcode_class == isa::OpcodeClass::section_cube ? 1 : 2;
      inner.top = false;
      for (const uint32_t each : descendants(program_, op)) section_of_[each] = op;
      const uint32_t body = program_.ops[op].regions;
      if (!has_blocks(program_, program_.regions[body])) {
        add_items(body, inner, items);
        continue;
      }
      Item item;
      item.op = op;
      item.cores = inner.cores;
      item.fence = holds_call(op);
      nest(item, inner);
      items.push_back(std::move(item));
      continue;
    }
    Item item = make_item(context, op);
    if (item.footprint.empty() && item.nested == kNone && !item.fence) continue;
    items.push_back(std::move(item));
  }
}

/// A function that is called takes ids of its own: no flag is under way around it, however deep it stands.
bool SyncPlanner::holds_call(uint32_t index) {
  if (calls_before_.empty()) {
    calls_before_.push_back(0);
    for (const bool fenced : fenced_calls_) calls_before_.push_back(calls_before_.back() + (fenced ? 1 : 0));
  }
  return calls_before_[program_.end_of(index)] != calls_before_[index];
}

Item SyncPlanner::make_item(const Nesting& context, uint32_t index) {
  const Op& op = program_.ops[index];
  Item item;
  item.op = index;
  item.cores = context.cores & kBothCores;
  item.label = isa::row(op.row).opcode_class == isa::OpcodeClass::block;
  item.stands = finishes_pipes(OpView(program_, index));
  item.fence = holds_call(index) || item.stands || item.label;
  if (op.n_regions == 0 || opens_vector_scope(OpView(program_, index))) {
    add_footprint(item, index);
    if (fenced_calls_[index] && function_.signals) call(item);
  } else {
    nest(item, context);
  }
  return item;
}

/// Nobody knows what a called function does to memories that both cores reach. Its core waits for everything
/// around it, so that one pipe can speak for all.
void SyncPlanner::call(Item& item) const {
  for (int core = 0; core < kCores; ++core) {
    if ((item.cores >> core & 1) == 0) continue;
    SegmentUses all = segments_.unknown_uses(core == 0 ? Pipe::fix : Pipe::mte3);
    all.put_on(1U << core);
    item.footprint.add(all);
  }
  item.footprint.normalise();
}

/// On each of its cores, an instruction with phases is ordered by them.
void SyncPlanner::add_footprint(Item& item, uint32_t index) const {
  item.footprint = segments_.uses_of(index);
  item.footprint.put_on(item.cores);
  const OpView op(program_, index);
  const isa::Phases phases = isa::phases_of(op);
  for (int core = 0; core < kCores; ++core) {
    if ((item.cores >> core & 1) == 0) continue;
    for (size_t i = 0; i < phases.phases.size(); ++i) {
      const isa::Phase& phase = phases.phases[i];
      if (i != 0 && has_unordered_stores(phases, i - 1)) item.phases.push_back(kUnordered);
      item.phases.push_back(core * kLanes + lane_of(phase.rest ? isa::pipe_of(op) : phase.pipe));
    }
  }
}

/// Loops of the cube and of the vector core that run in step become one item, with one block.
void SyncPlanner::join_loops(std::vector<Item>& items, const Nesting& context) {
  for (size_t second = 1; second < items.size(); ++second) {
    for (size_t first = second; first-- > 0;) {
      if (!joins(items, first, second)) continue;
      Item joined = join(items[first], items[second], context);
      const CoreBits core = items[first].cores;
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(second));
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(first));
      // What the second core does in between comes before, what the first one does behind.
      const auto from = items.begin() + static_cast<std::ptrdiff_t>(first),
                 to = items.begin() + static_cast<std::ptrdiff_t>(second - 1);
      const auto at = std::stable_partition(from, to, [&](const Item& item) { return item.cores != core; });
      items.insert(at, std::move(joined));
      break;
    }
  }
}

/// Whether the order that loops in step give is that of the text.
bool SyncPlanner::joins(const std::vector<Item>& items, size_t first, size_t second) {
  const Item &a = items[first], &b = items[second];
  if (a.cores == kBothCores || b.cores == kBothCores || a.cores == b.cores) return false;
  if (isa::opcode_class(program_.ops[a.op]) != isa::OpcodeClass::loop ||
      isa::opcode_class(program_.ops[b.op]) != isa::OpcodeClass::loop)
    return false;
  const OpView one(program_, a.op), other(program_, b.op);
  for (unsigned slot = 0; slot < 3; ++slot) {
    const Constants& constants = segments_.storage().constants();
    const Number x = constants.value_of(one.operand(slot)), y = constants.value_of(other.operand(slot));
    if (one.operand(slot) != other.operand(slot) && !(x && y && *x == *y)) return false;
  }
  if (has_blocks(program_, body_of(one)) || has_blocks(program_, body_of(other))) return false;
  const auto meet = [](const Item& x, const Item& y) { return conflicts(x.footprint, y.footprint).any(); };
  if (!meet(a, b)) return false;
  for (size_t i = first + 1; i < second; ++i) {
    const Item& between = items[i];
    if (between.cores == kBothCores || between.fence) return false;
    if (between.cores == b.cores ? meet(a, between) : meet(between, b)) return false;
    for (size_t k = i + 1; k < second; ++k) {
      if (items[k].cores != between.cores && between.cores == a.cores && meet(between, items[k]))
        return false;
    }
  }
  const ProgressFound found = relative_progress(program_, segments_.storage(), a.op, b.op);
  if (found.pace == RelativeProgress::unclear && !function_.divided) {
    Diagnostic& d = diagnostics_.error(
        E0607,
        fmt::format(
            "{} of the {} core and {} of the {} core access the same bytes of {} in every iteration of their "
            "loops, and each loop needs a value of the other one: the order of their iterations is ambiguous",
            isa::row(program_.ops[found.first].row).name, a.cores == 1 ? "cube" : "vector",
            isa::row(program_.ops[found.second].row).name, b.cores == 1 ? "cube" : "vector",
            memory_of(found.first, found.second)),
        Span{}, program_.ops[found.second].where);
    Note note;
    note.message = "the other loop reads here";
    note.where = program_.ops[found.first].where;
    d.notes.push_back(std::move(note));
    d.help =
        "write one loop around both sections, in the order of an iteration, or use pto.sync.set and "
        "pto.sync.wait instead";
  }
  return found.pace == RelativeProgress::in_step &&
         !(function_.divided &&
           reuse_bytes(program_, segments_.storage(), segments_.storage().same(), a.op, b.op));
}

Item SyncPlanner::join(const Item& first, const Item& second, const Nesting& context) {
  forget(first);
  forget(second);
  const bool cube_first = first.cores == 1;
  Item item;
  item.op = cube_first ? first.op : second.op;
  item.twin = cube_first ? second.op : first.op;
  item.cores = kBothCores;
  twins_.emplace(item.op, item.twin);
  Nesting inner = context;
  inner.top = false;
  inner.op = item.op;
  inner.cores = kBothCores;
  inner.repeats = true;
  if (inner.outermost_loop == kNone) inner.outermost_loop = item.op;
  item.nested = static_cast<uint32_t>(blocks_.size());
  const uint32_t cube = program_.ops[item.op].regions, vector = program_.ops[item.twin].regions;
  item.footprint = build(cube, inner, vector, cube_first);
  item.nested_end = static_cast<uint32_t>(blocks_.size());
  return item;
}

/// What was planned for the inside of an item.
void SyncPlanner::forget(const Item& item) {
  for (uint32_t index = item.nested; item.nested != kNone && index < item.nested_end; ++index) {
    Block& block = blocks_[index];
    for (const auto* list : {&block.forward, &block.backward}) {
      for (const uint32_t id : *list) flags_[id].dropped = true;
    }
    block = Block{};
  }
}

void SyncPlanner::nest(Item& item, const Nesting& context) {
  const Op& op = program_.ops[item.op];
  const isa::OpcodeClass opcode_class = isa::opcode_class(op);
  const bool is_for = opcode_class == isa::OpcodeClass::loop;
  const bool is_while = opcode_class == isa::OpcodeClass::while_loop;
  Nesting inner = context;
  inner.top = false;
  inner.op = item.op;
  if ((is_for || is_while) && inner.outermost_loop == kNone) inner.outermost_loop = item.op;
  // A while loop's regions begin with a barrier instead: which of them follows which is not worth the
  // trouble.
  inner.repeats = is_for || (context.repeats && !is_while);
  item.nested = static_cast<uint32_t>(blocks_.size());
  std::vector<SegmentUses> branches;
  std::vector<uint32_t> first_blocks;
  for (uint32_t i = 0; i < op.n_regions; ++i) {
    first_blocks.push_back(static_cast<uint32_t>(blocks_.size()));
    branches.push_back(build(op.regions + i, inner));
  }
  item.nested_end = static_cast<uint32_t>(blocks_.size());
  for (const SegmentUses& branch : branches) item.footprint.add(branch);
  item.footprint.normalise();
  if (is_while) {
    const bool works = (item.footprint.pipes & ~kScalarUnits) != 0;
    for (const uint32_t block : first_blocks)
      blocks_[block].start_barrier = works ? everyone(context.cores & kBothCores) : CoreBits{0};
    return;
  }
  for (size_t a = 0; a < branches.size(); ++a) {
    for (size_t b = 0; b < branches.size(); ++b)
      if (a != b) item.across |= conflicts(branches[a], branches[b]);
  }
}

int SyncPlanner::plan_function(const PlannedFunction& function, std::vector<Insertion>& insertions) {
  if (program_.ops[function.op].n_regions == 0) return 0;
  const size_t errors = diagnostics_.errors();
  may_join_ = true;
  plan(function);
  // Too many signals for loops in step: one behind the other they need fewer.
  for (const Block& block : blocks_) may_join_ = may_join_ && !(block.twin_region != kNone && met_);
  if (!may_join_ && diagnostics_.errors() == errors) plan(function);
  for (const Block& block : blocks_) emit_block(block, insertions);
  return next_signal_ - function.first_signal;
}

void SyncPlanner::plan(const PlannedFunction& function) {
  blocks_.clear();
  flags_.clear();
  twins_.clear();
  function_ = function;
  next_signal_ = function.first_signal;
  meeting_ = -1;
  met_ = false;
  Nesting top;
  top.top = true;
  top.op = function.op;
  reserved_.fill(0);
  reserve_ids(function.op);
  if (function.vector_op != kNone) {  // one block of two functions
    top.cores = kBothCores;
    same_ = segments_.storage().same();
    reserve_ids(function.vector_op);
    build(program_.ops[function.op].regions, top, program_.ops[function.vector_op].regions);
  } else {
    top.cores = function.cores != 0 ? static_cast<CoreBits>(function.cores | kBeside) : kFirstCore;
    build(program_.ops[function.op].regions, top);
  }
  link_blocks();
  for (int core = 0; core < kCores; ++core) {
    if ((top.cores >> core & 1) == 0) continue;
    EventIds ids(blocks_, flags_, core, machine_.event_ids, reserved_, shortage_);
    for (uint32_t block = 0; block < blocks_.size(); ++block) {
      if (blocks_[block].top) ids.run(block);
    }
  }
  if (function.signals) give_signals();
}

/// A flag that is held over an instruction which sets and waits for the same one would be taken by it.
void SyncPlanner::reserve_ids(uint32_t function) {
  for (const uint32_t index : descendants(program_, function)) {
    for (const isa::InternalEvent& event :
         isa::internal_events(isa::row(program_.ops[index].row), program_.target)) {
      const int source = lane_of(event.source), destination = lane_of(event.destination);
      int& reserved = reserved_[static_cast<size_t>(source * kLanes + destination)];
      reserved = std::max(reserved, event.id + 1);
    }
  }
}

/// Blocks inside come later and correct what those around them have said.
void SyncPlanner::link_blocks() {
  for (uint32_t index = 0; index < blocks_.size(); ++index) {
    for (uint32_t at = 0; at < blocks_[index].items.size(); ++at) {
      const Item& item = blocks_[index].items[at];
      for (uint32_t inner = item.nested; item.nested != kNone && inner < item.nested_end; ++inner) {
        blocks_[inner].parent = index;
        blocks_[inner].parent_item = at;
      }
    }
  }
}

/// The loop that a backward flag's first set stands before, and its last wait behind: from the outermost one
/// inwards, as long as that makes nobody wait longer.
uint32_t SyncPlanner::loop_of_ring(const Block& block, const PlannedFlag& flag) const {
  uint32_t ring = kNone;
  for (const Block* inner = &block; inner->parent != kNone;) {
    const Block& around = blocks_[inner->parent];
    const Item& item = around.items[inner->parent_item];
    if (item.op == block.outermost_loop) break;
    const bool loop = isa::is_loop(isa::opcode_class(program_.ops[item.op]));
    const bool may = item.rings.test(flag.pair());
    if (may && ring == kNone && loop) ring = item.op;
    if (!may && !item.alone.test(flag.pair())) ring = kNone;  // found further in, and of no use
    inner = &around;
  }
  return ring == kNone ? block.outermost_loop : ring;
}

namespace {

using Place = Insertion::Place;

SyncOp barrier(Pipe pipe) { return {SyncOp::Kind::barrier, pipe, Pipe::none, 0}; }
SyncOp set_or_wait(SyncOp::Kind kind, const PlannedFlag& flag, int reserved) {
  return {kind, pipe_of_lane(flag.source % kLanes), pipe_of_lane(flag.destination % kLanes),
          flag.id + reserved};
}

constexpr uint8_t kBarriers = 0, kWaits = 1, kSets = 2, kMeets = 3, kMet = 4;

/// The section that an insertion for one core needs at a place where both cores come to.
constexpr CoreBits section_of(CoreBits core, CoreBits context) {
  return (context & kBeside) != 0 ? core : CoreBits{0};
}

}  // namespace

CoreBits SyncPlanner::section_at(uint32_t op, int core) const {
  return section_of(static_cast<CoreBits>(1U << core), context_[op]);
}

/// Barriers of these cores, of which `context` come to the place.
void SyncPlanner::emit_barrier(CoreBits cores, CoreBits context, Place place, uint32_t at,
                               std::vector<Insertion>& insertions) const {
  const auto single = static_cast<CoreBits>(cores & kBothCores);
  if (single == 0) return;
  SyncOp op = barrier(Pipe::all);
  op.section = single == (context & kBothCores) ? CoreBits{0} : section_of(single, context);
  insertions.push_back({place, at, kBarriers, op});
  if ((cores & kTogether) != 0) emit_meeting(single, place, at, insertions);
}

/// The operation at which something for one core is put in.
uint32_t SyncPlanner::place_of(uint32_t op, int core) const {
  const auto twin = twins_.find(op);
  return core == 1 && twin != twins_.end() ? twin->second : op;
}

/// Behind barriers of both cores: each tells the other one, and waits for it.
void SyncPlanner::emit_meeting(CoreBits cores, Place place, uint32_t at,
                               std::vector<Insertion>& insertions) const {
  if (!function_.signals) return;
  for (int core = 0; core < kCores; ++core) {
    if ((cores >> core & 1) == 0) continue;
    const CoreBits section = cores == kBothCores ? static_cast<CoreBits>(1U << core) : CoreBits{0};
    const Pipe set = core == 0 ? Pipe::fix : Pipe::mte3;
    insertions.push_back(
        {place, at, kMeets, {SyncOp::Kind::signal, set, Pipe::none, meeting_ + core, section}});
    insertions.push_back(
        {place, at, kMet, {SyncOp::Kind::wait_signal, Pipe::mte2, Pipe::none, meeting_ + 1 - core, section}});
  }
}

/// Before the next item of each function, or at the end of its block.
void SyncPlanner::emit_meeting_of_functions(const Block& block, size_t item,
                                            std::vector<Insertion>& insertions) const {
  for (int core = 0; core < kCores; ++core) {
    const auto bit = static_cast<CoreBits>(1U << core);
    size_t next = item;
    while (next < block.items.size() && (block.items[next].cores & bit) == 0) ++next;
    const auto cores = static_cast<CoreBits>(bit | kTogether);
    if (next < block.items.size())
      emit_barrier(cores, bit, Place::before, place_of(block.items[next].op, core), insertions);
    else
      emit_last(cores, bit, core == 0 ? block.region : block.twin_region, insertions);
  }
}

/// Behind everything in a region.
void SyncPlanner::emit_last(CoreBits cores, CoreBits context, uint32_t region,
                            std::vector<Insertion>& insertions) const {
  const std::optional<uint32_t> last = terminator(program_, program_.regions[region]);
  emit_barrier(cores, context, last ? Place::before : Place::region_end, last.value_or(region), insertions);
}

void SyncPlanner::emit_start(const Block& block, std::vector<Insertion>& insertions) const {
  const Region& region = program_.regions[block.region];
  if (block.start_barrier != 0 && region.begin < region.end)
    emit_barrier(block.start_barrier, block.cores, Place::before, region.begin, insertions);
}

void SyncPlanner::emit_end(const Block& block, std::vector<Insertion>& insertions) const {
  if (block.twin_region == kNone) return emit_last(block.end_barrier, block.cores, block.region, insertions);
  for (const CoreBits core : {CoreBits{1}, CoreBits{2}})
    emit_last(block.end_barrier & (core | kTogether), core, core == 1 ? block.region : block.twin_region,
              insertions);
}

void SyncPlanner::emit_block(const Block& block, std::vector<Insertion>& insertions) const {
  emit_start(block, insertions);
  for (const Item& item : block.items) {
    if (item.stands) continue;
    if (item.meets && function_.vector_op != kNone) {
      emit_meeting_of_functions(block, static_cast<size_t>(&item - block.items.data()), insertions);
    } else if (item.meets) {
      const uint32_t section = section_of_[item.op], at = section == kNone ? item.op : section;
      emit_barrier(kBothCores | kTogether, context_[at], Place::before, at, insertions);
    }
    if (item.fence && !item.label) {
      emit_barrier(item.cores, item.cores, Place::before, item.op, insertions);
    } else if (item.twin != kNone) {
      for (const CoreBits core : {CoreBits{1}, CoreBits{2}}) {
        const uint32_t at = place_of(item.op, core - 1);
        emit_barrier(item.barrier_before & core, context_[at], Place::before, at, insertions);
      }
    } else {
      emit_barrier(item.barrier_before, context_[item.op], Place::before, item.op, insertions);
    }
    const int vector = function_.cores != 0 ? 1 : 0;
    if (item.vector_barrier && !item.fence && (item.barrier_before >> vector & 1) == 0) {
      const uint32_t at = place_of(item.op, vector);
      SyncOp op = barrier(Pipe::v);
      op.section = section_at(at, vector);
      insertions.push_back({Place::before, at, kBarriers, op});
    }
    if (item.fence) emit_barrier(item.cores, item.cores, Place::after, item.op, insertions);
  }
  for (const auto* list : {&block.forward, &block.backward}) {
    for (const uint32_t id : *list) {
      const PlannedFlag& flag = flags_[id];
      if (flag.dropped) continue;
      if (flag.crosses())
        emit_signal(block, flag, insertions);
      else
        emit_flag(block, flag, insertions);
    }
  }
  if (block.end_barrier != 0) emit_end(block, insertions);
}

void SyncPlanner::emit_flag(const Block& block, const PlannedFlag& flag,
                            std::vector<Insertion>& insertions) const {
  const auto put = [&](Place place, uint32_t item, uint8_t rank, SyncOp::Kind kind) {
    const uint32_t at = place_of(item, core_of(flag.source));
    SyncOp op = set_or_wait(kind, flag, reserved_[static_cast<size_t>(flag.channel())]);
    op.section = section_at(at, core_of(flag.source));
    insertions.push_back({place, at, rank, op});
  };
  put(Place::after, block.items[flag.set_item].op, kSets, SyncOp::Kind::set);
  put(flag.returned ? Place::after : Place::before, block.items[flag.wait_item].op, kWaits,
      SyncOp::Kind::wait);
  if (!flag.backward) return;
  const uint32_t loop = loop_of_ring(block, flag);
  put(Place::before, loop, kSets, SyncOp::Kind::set);
  put(Place::after, loop, kWaits, SyncOp::Kind::wait);
}

void SyncPlanner::emit_signal(const Block& block, const PlannedFlag& flag,
                              std::vector<Insertion>& insertions) const {
  const auto put = [&](Place place, uint32_t item, int agent, int id, bool sets) {
    const uint32_t at = place_of(item, core_of(agent));
    const bool scalar = agent % kLanes == kScalarLane;
    // The scalar unit has done what stands before a queue's entry when it issues that.
    const Pipe pipe = scalar ? Pipe::mte2 : pipe_of_lane(agent % kLanes);
    const CoreBits section = section_at(at, core_of(agent));
    const SyncOp::Kind kind = sets ? SyncOp::Kind::signal : SyncOp::Kind::wait_signal;
    insertions.push_back({place, at, sets ? kSets : kWaits, {kind, pipe, Pipe::none, id, section}});
  };
  const uint32_t set = block.items[flag.set_item].op, wait = block.items[flag.wait_item].op;
  put(Place::after, set, flag.source, flag.id, true);
  put(Place::before, wait, flag.destination, flag.id, false);
  if (!flag.backward && flag.credit_id < 0) return;
  const uint32_t loop = flag.backward ? loop_of_ring(block, flag) : block.outermost_loop;
  if (flag.backward) {
    put(Place::before, loop, flag.source, flag.id, true);
    put(Place::after, loop, flag.destination, flag.id, false);
  }
  if (flag.credit_id < 0) return;
  put(Place::after, wait, flag.destination, flag.credit_id, true);
  put(Place::before, set, flag.source, flag.credit_id, false);
  for (int ahead = 0; ahead < kAhead; ++ahead) {
    put(Place::before, loop, flag.destination, flag.credit_id, true);
    put(Place::after, loop, flag.source, flag.credit_id, false);
  }
}

}  // namespace pto::planner
