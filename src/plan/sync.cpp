// From a function to its blocks, and from flags to operations.
#include "plan/sync.hpp"

#include <algorithm>

#include "isa/walk.hpp"

namespace pto::planner {

SyncPlanner::SyncPlanner(const Program& program, const Machine& machine, const Segments& segments,
                         const std::vector<bool>& fenced_calls, IdShortage shortage)
    : program_(program),
      machine_(machine),
      segments_(segments),
      fenced_calls_(fenced_calls),
      shortage_(shortage),
      history_(segments.count()) {}

namespace {

/// Whether every pipe is done when the operation is.
bool finishes_pipes(const OpView& op) {
  using isa::Does;
  const Does does = isa::does(op);
  if (does == Does::barrier) return op.attr_int("pipe") == static_cast<int64_t>(Pipe::all);
  return does == Does::fence || does == Does::sync_all || does == Does::wait_tiles;
}

bool has_blocks(const Program& program, const Region& region) {
  for (const uint32_t op : children(program, region)) {
    if (isa::row(program.ops[op].row).does == isa::Does::block) return true;
  }
  return false;
}

}  // namespace

SegmentUses SyncPlanner::build(uint32_t region_index, const Nesting& context) {
  const auto index = static_cast<uint32_t>(blocks_.size());
  Block block;
  block.region = region_index;
  block.outermost_loop = context.outermost_loop;
  const bool blocks = has_blocks(program_, program_.regions[region_index]);
  block.repeats = context.repeats && !blocks;  // not every block runs in every turn
  block.start_barrier = context.repeats && blocks;
  block.top = context.top;
  blocks_.push_back(block);
  const Region region = program_.regions[region_index];
  std::vector<Item> items;
  SegmentUses total;
  for (const uint32_t op : children(program_, region)) {
    Item item = make_item(context, op);
    if (item.footprint.empty() && item.nested == kNone && !item.fence) continue;
    total.add(item.footprint);
    items.push_back(std::move(item));
  }
  total.normalise();
  if ((total.pipes & ~1) == 0) {  // the scalar unit alone goes from block to block
    for (Item& item : items) item.fence = item.fence && !item.label;
  }
  blocks_[index].end = static_cast<uint32_t>(blocks_.size());
  blocks_[index].items = std::move(items);
  BlockOrder(blocks_[index], index, flags_, history_, machine_.vector_overlaps).run();
  return total;
}

Item SyncPlanner::make_item(const Nesting& context, uint32_t index) {
  const KnownRows& rows = KnownRows::get();
  const Op& op = program_.ops[index];
  Item item;
  item.op = index;
  if (op.row == rows.section_cube || op.row == rows.section_vector) {
    // Runs on a core of its own: nothing outside is ordered with it.
    Nesting inner;
    inner.top = true;
    const auto first = static_cast<uint32_t>(blocks_.size());
    build(op.regions, inner);
    blocks_[first].start_barrier = context.outermost_loop != kNone;
    return item;
  }
  item.label = isa::row(op.row).does == isa::Does::block;
  item.stands = finishes_pipes(OpView(program_, index));
  item.fence = fenced_calls_[index] || item.stands || item.label;
  if (op.n_regions == 0 || opens_vector_scope(OpView(program_, index)))
    item.footprint = segments_.of(index);
  else
    nest(item, context);
  return item;
}

void SyncPlanner::nest(Item& item, const Nesting& context) {
  const KnownRows& rows = KnownRows::get();
  const Op& op = program_.ops[item.op];
  const bool is_for = op.row == rows.for_, is_while = op.row == rows.while_;
  Nesting inner = context;
  inner.top = false;
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
    for (const uint32_t block : first_blocks) blocks_[block].start_barrier = (item.footprint.pipes & ~1) != 0;
    return;
  }
  for (size_t a = 0; a < branches.size(); ++a) {
    for (size_t b = 0; b < branches.size(); ++b)
      if (a != b) item.across |= conflicts(branches[a], branches[b]);
  }
}

void SyncPlanner::plan_function(uint32_t op, std::vector<Insertion>& insertions) {
  blocks_.clear();
  flags_.clear();
  if (program_.ops[op].n_regions == 0) return;
  Nesting top;
  top.top = true;
  build(program_.ops[op].regions, top);
  link_blocks();
  EventIds ids(blocks_, flags_, machine_.event_ids, shortage_);
  for (uint32_t block = 0; block < blocks_.size(); ++block) {
    if (blocks_[block].top) ids.run(block);
  }
  for (const Block& block : blocks_) emit_block(block, insertions);
}

/// Blocks inside come later and correct what those around them have said.
void SyncPlanner::link_blocks() {
  for (uint32_t index = 0; index < blocks_.size(); ++index) {
    for (uint32_t at = 0; at < blocks_[index].items.size(); ++at) {
      const Item& item = blocks_[index].items[at];
      for (uint32_t inner = item.nested; item.nested != kNone && inner < item.nested_end; ++inner)
        blocks_[inner].parent = index, blocks_[inner].parent_item = at;
    }
  }
}

/// The loop that a backward flag's first set stands before, and its last wait behind: from the outermost one
/// inwards, as long as that makes nobody wait longer.
uint32_t SyncPlanner::loop_of_ring(const Block& block, const PlannedFlag& flag) const {
  const KnownRows& rows = KnownRows::get();
  uint32_t ring = kNone;
  for (const Block* inner = &block; inner->parent != kNone;) {
    const Block& around = blocks_[inner->parent];
    const Item& item = around.items[inner->parent_item];
    if (item.op == block.outermost_loop) break;
    const RowId row = program_.ops[item.op].row;
    const bool loop = row == rows.for_ || row == rows.while_, may = (item.rings >> flag.channel() & 1) != 0;
    if (may && ring == kNone && loop) ring = item.op;
    if (!may && (item.alone >> flag.channel() & 1) == 0) ring = kNone;  // found further in, and of no use
    inner = &around;
  }
  return ring == kNone ? block.outermost_loop : ring;
}

namespace {

using Place = Insertion::Place;

SyncOp barrier(Pipe pipe) { return {SyncOp::Kind::barrier, pipe, Pipe::none, 0}; }
SyncOp set_or_wait(SyncOp::Kind kind, const PlannedFlag& flag) {
  return {kind, pipe_of_lane(flag.source), pipe_of_lane(flag.destination), flag.id};
}

constexpr uint8_t kBarriers = 0, kWaits = 1, kSets = 2;

}  // namespace

void SyncPlanner::emit_block(const Block& block, std::vector<Insertion>& insertions) const {
  const Region& region = program_.regions[block.region];
  const auto at_end = [&](SyncOp op) {
    const std::optional<uint32_t> last = terminator(program_, region);
    insertions.push_back(last ? Insertion{Place::before, *last, kBarriers, op}
                              : Insertion{Place::region_end, block.region, kBarriers, op});
  };
  if (block.start_barrier && region.begin < region.end)
    insertions.push_back({Place::before, region.begin, kBarriers, barrier(Pipe::all)});
  for (const Item& item : block.items) {
    if (item.stands) continue;
    if ((item.fence && !item.label) || item.barrier_before)
      insertions.push_back({Place::before, item.op, kBarriers, barrier(Pipe::all)});
    else if (item.vector_barrier)
      insertions.push_back({Place::before, item.op, kBarriers, barrier(Pipe::v)});
    if (item.fence) insertions.push_back({Place::after, item.op, kBarriers, barrier(Pipe::all)});
  }
  for (const auto* list : {&block.forward, &block.backward}) {
    for (const uint32_t id : *list) {
      const PlannedFlag& flag = flags_[id];
      if (flag.dropped) continue;
      const SyncOp set = set_or_wait(SyncOp::Kind::set, flag), wait = set_or_wait(SyncOp::Kind::wait, flag);
      insertions.push_back({Place::after, block.items[flag.set_item].op, kSets, set});
      insertions.push_back(
          {flag.returned ? Place::after : Place::before, block.items[flag.wait_item].op, kWaits, wait});
      if (!flag.backward) continue;
      const uint32_t loop = loop_of_ring(block, flag);
      insertions.push_back({Place::before, loop, kSets, set});
      insertions.push_back({Place::after, loop, kWaits, wait});
    }
  }
  if (block.end_barrier) at_end(barrier(Pipe::all));
}

}  // namespace pto::planner
