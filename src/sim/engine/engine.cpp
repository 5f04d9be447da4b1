// The event loop, start and end of a run.
// Over 500 lines: members of one class template, which are compiled together so that the loop is one
// function.
#include "sim/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "exec/integer_ops.hpp"
#include "ir/op_queries.hpp"
#include "ir/value_names.hpp"
#include "isa/memory_spaces.hpp"
#include "sim/engine/chip_resources.hpp"
#include "sim/engine/engine_core.hpp"
#include "sim/engine/lookahead.hpp"
#include "sim/engine/queue_pipes.hpp"
#include "sim/engine/run_hooks.hpp"
#include "sim/engine/scalar_unit.hpp"
#include "sim/engine/simt_launch.hpp"
#include "sim/engine/sync_primitives.hpp"
#include "sim/engine/watch_output.hpp"
#include "sim/findings/alignment_advice.hpp"
#include "sim/loader/loader.hpp"
#include "sim/memory/shared_arguments.hpp"
#include "support/host_threads.hpp"
#include "support/saturating.hpp"

namespace pto::sim {

void Lane::grow() {
  constexpr uint64_t kFirst = 4;
  const uint64_t more = std::max(kFirst, 2 * capacity);
  std::vector<Slot> new_slots(more);
  std::vector<SlotFacts> new_facts(slot_facts.empty() ? 0 : more);
  for (uint64_t serial = done; serial < issued; ++serial) {
    new_slots[serial & (more - 1)] = slot(serial);
    if (!slot_facts.empty()) new_facts[serial & (more - 1)] = facts(serial);
  }
  slots = std::move(new_slots);
  slot_facts = std::move(new_facts);
  capacity = more;
  mask = more - 1;
}

// ---- what instructions report

namespace {

std::string_view fault_id(exec::Fault kind) {
  switch (kind) {
    case exec::Fault::out_of_bounds:
      return "BOUNDS";
    case exec::Fault::misaligned:
      return "ALIGN";
    case exec::Fault::divide_by_zero:
      return "DIV-ZERO";
    case exec::Fault::bad_operand:
    case exec::Fault::undefined_value:
      return "OPERAND";
    case exec::Fault::unsupported:
      return "UNSUPPORTED";
    case exec::Fault::beyond_view:
      return "WINDOW";
  }
  return "OPERAND";
}

/// What can be said of any access beyond its buffer. Where a changed number cures it, that number replaces
/// this (repair/repair_search.hpp). `{gatherOob = #pto.gather_oob<clamp>}` and its like bring indices back.
std::string bounds_help(const isa::Schema& schema, Space space) {
  for (const isa::AttrSpec& spec : schema.attrs) {
    if (spec.type == isa::AttrType::enumerant && isa::find_case(*spec.domain, "clamp") != nullptr)
      return fmt::format("keep the indices inside the table, or write {{{} = #pto.{}<clamp>}}", spec.name,
                         spec.domain->name);
  }
  if (space == Space::gm)
    return "give the argument as many bytes as the kernel reaches, or lower the offset, size or stride of "
           "the "
           "view or window that leaves it";
  if (space == Space::none)
    return "keep the index, the offset and the extent inside the size that the message names";
  return "lower the address, the offset or the extent that leaves this memory";
}

}  // namespace

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::fault(const exec::Context& context, exec::Fault kind, std::string message) {
  const Severity severity = kind == exec::Fault::beyond_view ? Severity::warning : Severity::error;
  message += of_thread();
  Diagnostic* const finding = findings_.add(fault_id(kind), context.inst->pc, std::move(message), severity);
  if (finding == nullptr) return;
  finding->moment = moment();
  if (kind == exec::Fault::out_of_bounds || kind == exec::Fault::beyond_view)
    finding->help = bounds_help(*context.inst->schema, Space::none);
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::misaligned(const exec::Context& context, Space space, uint64_t address,
                                          uint64_t unit, std::string message) {
  Diagnostic* const finding = findings_.add("ALIGN", context.inst->pc, std::move(message) + of_thread());
  if (finding == nullptr) return;
  finding->moment = moment();
  finding->help = advice_on_alignment(*d_.program, context, space, address, unit);
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::inexact(const exec::Context& context, std::string message) {
  if (Diagnostic* finding =
          findings_.add("INEXACT", context.inst->pc, std::move(message), Severity::warning)) {
    finding->help = is_float(context.type(0).elem) ? "keep the quotient below 65536"
                                                   : "keep both operands within -16777216..16777216";
    finding->moment = moment();
  }
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::beyond_table(const exec::Context& context, std::string message,
                                            std::string help) {
  message += of_thread();
  Diagnostic* const finding =
      findings_.add("BOUNDS", context.inst->pc, std::move(message), Severity::warning);
  if (finding == nullptr) return;
  finding->moment = moment();
  finding->help = std::move(help);
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::out_of_bounds(Space space, uint64_t addr, std::string message) {
  Diagnostic* const finding =
      findings_.add("BOUNDS", running_pc_, fmt::format("access out of bounds{}: {}", of_thread(), message));
  if (finding == nullptr) return;
  finding->moment = moment();
  finding->help = bounds_help(isa::schema(d_.program->ops[running_pc_].row), space);
  const ValueId operand = operand_at(space, addr);
  if (operand == kNoValue) return;
  finding->operand = isa::value_name(*d_.program, operand);
  finding->message += fmt::format(" ({})", finding->operand);
}

template <bool kData, bool kObserved>
Moment Engine<kData, kObserved>::moment() const {
  return sim::moment_of(*d_.program, *running_core_, running_pc_, d_.now,
                        running_pipe_ == Pipe::s ? nullptr : running_block_end_);
}

template <bool kData, bool kObserved>
EntryMark Engine<kData, kObserved>::mark() const {
  return mark_of(*running_core_, running_pc_, d_.now,
                 running_pipe_ == Pipe::s ? nullptr : running_block_end_);
}

template <bool kData, bool kObserved>
Moment Engine<kData, kObserved>::moment_of(const EntryMark& mark) const {
  return sim::moment_of(*d_.program, *d_.cores[mark.core], mark);
}

/// Tiles and pointers into memories on the chip, of the instruction that runs.
template <bool kData, bool kObserved>
std::span<const typename Engine<kData, kObserved>::ChipOperand> Engine<kData, kObserved>::chip_operands()
    const {
  const exec::Inst* const inst = running_core_->context.inst;
  if (inst == chip_inst_ && running_pc_ == chip_pc_) return *chip_operands_;
  std::vector<ChipOperand>& known = all_chip_operands_[{inst, running_pc_}];
  chip_inst_ = inst;
  chip_pc_ = running_pc_;
  chip_operands_ = &known;
  const OpView view(*d_.program, running_pc_);
  if (!known.empty() || inst->row != view.op().row) return known;  // a queue's instruction moves its tile
  size_t flat = 0;
  for (unsigned slot = 0; slot < inst->schema->operands.size(); ++slot) {
    for (const ValueId value : view.operands(slot)) {
      const exec::ValueRef& ref = inst->values[flat++];
      const Space space = isa::storage_space(*ref.type);
      if (ref.type->is_tile())
        known.push_back({value, space, true, ref.offset, tile_bytes(*ref.type)});
      else if (ref.type->kind == TypeKind::ptr)
        known.push_back({value, space, false, ref.offset, 0});
    }
  }
  return known;
}

/// The first tile that holds the address; else the only tile or pointer into this memory, or of several
/// pointers the last one that begins in front of it.
template <bool kData, bool kObserved>
ValueId Engine<kData, kObserved>::operand_at(Space space, uint64_t addr) const {
  ValueId only = kNoValue, nearest = kNoValue;
  unsigned others = 0;
  uint64_t begin = 0;
  for (const ChipOperand& operand : chip_operands()) {
    if (operand.space != space || operand.value == only) continue;
    const exec::Word* const words = running_core_->context.frame + operand.offset;
    if (operand.tile) {
      const auto& tile = *reinterpret_cast<const exec::TileDesc*>(words);
      if (addr >= tile.addr && addr - tile.addr < operand.bytes) return operand.value;
    } else if (const uint64_t at = *words; at <= addr && (nearest == kNoValue || at > begin)) {
      nearest = operand.value;
      begin = at;
    }
    only = operand.value;
    ++others;
  }
  return others == 1 ? only : nearest;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::mark(FootprintEvent& event) const {
  event.pipe = running_pipe_;
  event.pc = running_pc_;
  event.time = d_.now;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::beyond(FootprintEvent event) {
  mark(event);
  observe<Observer::kFootprints>([&](Observer& o) { o.on_beyond(event); });
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::footprint(FootprintEvent event) {
  mark(event);
  if (watching_ && event.write) written_.push_back(event);
  observe<Observer::kFootprints>([&](Observer& o) { o.on_footprint(event); });
}

/// Threads of a launch have a memory of their own, and who watches looks at once.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::work_begins(const exec::Context& context) {
  if (!workers_ || watching_ || context.memory != running_core_->memory.get()) return false;
  workers_->begin(running_core_->info.block);
  return true;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::prepare_workers() {
  const uint32_t threads = host_threads(options_.threads);
  // Other devices look into this one's memory whenever they come.
  if (threads == 1 || d_.port != nullptr) return;
  workers_.emplace(threads, d_.cores.back()->info.block + 1);
  for (const auto& core : d_.cores) {
    core->memory->workers = &*workers_;
    core->memory->block = core->info.block;
  }
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::cache_cleaned(uint64_t addr, bool all) {
  observe([&](Observer& o) { o.on_cache_clean(running_core_->info.index, running_pc_, addr, all); });
}

// ---- event loop

namespace {

struct NextEvent {
  uint64_t time;
  unsigned agent;
};

NextEvent next_of(const Core& core) {
  NextEvent next{core.at[0], 0};
  for (unsigned i = 1; i < kAgents; ++i) {
    if (core.at[i] < next.time) next = {core.at[i], i};
  }
  return next;
}

}  // namespace

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::refresh_times() {
  for (const auto& core : d_.cores) ready_tree_.set(core->info.index, next_of(*core).time);
}

template <bool kData, bool kObserved>
uint64_t Engine<kData, kObserved>::next() const {
  if (d_.stopped) return kNever;
  const uint64_t own = ready_tree_.time(ready_tree_.first());
  return d_.port == nullptr ? own : std::min(own, d_.port->next_arrival());
}

/// What comes from other devices at this moment; those that wait for it look at the next of their times.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::receive(uint64_t now) {
  d_.now = now;
  ++events_;
  if (!d_.port->deliver(now)) return;
  for (const auto& core : d_.cores) {
    ScalarUnit& su = core->su;
    if (!std::exchange(su.asleep, false)) continue;
    const uint64_t looks = now <= su.time ? 0 : (now - su.time + kLookInterval - 1) / kLookInterval;
    stall(*core, Pipe::s, su.stats, su.time, su.time + looks * kLookInterval, Stall::cross_core,
          core->role->code[su.at].pc);
    core->at[kScalarAt] = su.time += looks * kLookInterval;
    ready_tree_.set(core->info.index, next_of(*core).time);
  }
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::advance(uint64_t horizon) {
  while (!d_.stopped) {
    const uint64_t arrival = d_.port == nullptr ? kNever : d_.port->next_arrival();
    if (d_.port != nullptr) {
      const uint64_t own = ready_tree_.time(ready_tree_.first());
      if (std::min(arrival, own) >= horizon) return;
      if (arrival <= own) {
        receive(arrival);
        continue;
      }
    }
    // The core with the earliest event runs until another core's turn comes. Ties go to the lower index.
    const uint32_t first = ready_tree_.first();
    if (ready_tree_.time(first) == kNever) {
      d_.now = std::max(d_.now, latest_);
      if (all_finished() || d_.port != nullptr || !relieve_full_queue()) return;
      refresh_times();
      continue;
    }
    if (options_.limits.cycles != 0 && ready_tree_.time(first) > options_.limits.cycles)
      return max_cycles_reached();
    uint64_t limit = options_.limits.cycles == 0 ? kNever : std::min(options_.limits.cycles, kNever - 2) + 1;
    bool wins_ties = options_.limits.cycles == 0;
    if (const uint32_t second = ready_tree_.second(); second != first && ready_tree_.time(second) < limit) {
      limit = ready_tree_.time(second);
      wins_ties = first < second;
    }
    if (const uint64_t until = std::min(horizon, arrival); until <= limit && until != kNever) {
      limit = until;
      wins_ties = false;
    }
    Core& core = *d_.cores[first];
    const uint64_t next = run_core(core, limit, wins_ties);
    ready_tree_.set(first, next);
    if (next == kNever && core.su.block == Block::halted && core.drained()) retire(core);
  }
}

/// Until another core's turn comes, and further where that makes no difference. When it goes on.
template <bool kData, bool kObserved>
uint64_t Engine<kData, kObserved>::run_core(Core& core, uint64_t limit, bool wins_ties) {
  disturbed_ = false;
  for (;;) {
    const NextEvent next = next_of(core);
    if (next.time == kNever) return kNever;
    lookahead_ = next.time > limit || (next.time == limit && !wins_ties && limit != kNever);
    if (lookahead_ && !can_run_ahead(core, next.agent)) {
      lookahead_ = false;
      return next.time;
    }
    d_.now = next.time;
    if (lookahead_) latest_ = std::max(latest_, d_.now);
    if (next.agent < kScalarAt)
      complete(core, next.agent - kCompleteAt);
    else if (next.agent == kScalarAt)
      scalar(core);
    else
      start(core, next.agent - kStartAt);
    if ((++events_ & 0xffff) == 0) poll();
    if (core.su.instructions + core.vector_steps > instruction_limit_) max_instructions_reached(core);
    if (interrupted() || d_.stopped || disturbed_) return next_of(core).time;
  }
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::max_cycles_reached() {
  findings_.add(
      "MAX-CYCLES", ~0u,
      fmt::format("the kernel was still running at the limit of {} cycles", options_.limits.cycles));
  d_.stopped = true;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::max_instructions_reached(const Core& core) {
  if (Diagnostic* finding = findings_.add("MAX-INSTRUCTIONS", core.role->code[core.su.at].pc,
                                          fmt::format("{} has run more instructions than the limit of {}",
                                                      core_name(d_, core), options_.limits.instructions))) {
    finding->moment = scalar_moment(core);
  }
  d_.stopped = true;
}

/// Somebody may be watching.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::poll() {
  if (!options_.progress) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_progress_ < std::chrono::milliseconds(100)) return;
  last_progress_ = now;
  uint64_t instructions = 0;
  for (const auto& core : d_.cores) instructions += core->su.instructions + core->vector_steps;
  options_.progress(d_.now, instructions);
}

/// Whether the caller wants the run to end.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::interrupted() {
  if (options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed) || interrupted_)
    return interrupted_;
  findings_.add(
      "INTERRUPTED", ~0u,
      fmt::format("the run was interrupted in cycle {}; all that is reported is about the time before",
                  d_.now));
  interrupted_ = d_.stopped = true;
  return true;
}

/// A core's memory comes into being with its first step.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::awaken(Core& core) {
  core.frame = d_.frames[static_cast<size_t>(core.role - d_.kernel->roles.data())];
  core.vf_frame = core.role->vf_frame;
  core.scratch.assign(std::max(core.role->max_move_words, 1u), 0);
  core.su.used = true;
  for (const uint32_t word : core.role->subblock_words) core.frame[word] = core.info.subblock;
  for (const uint32_t word : core.role->first_subblock_words) core.frame[word] = core.info.subblock == 0;
}

/// It has ended, and so has its memory: what is on the chip when no core of the block can reach it any more.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::retire(Core& core) {
  if (core.retired) return;
  core.retired = true;
  if (d_.kernel->channels.empty()) core.frame = {};  // else their counts are looked at in the end
  core.vf_frame = {};
  core.scratch = {};
  for (Lane& lane : core.lanes) lane.release();
  core.blocks.release();
  const size_t per_block = d_.kernel->cores.size();
  const auto block = std::span(d_.cores).subspan(size_t{core.info.block} * per_block, per_block);
  if (!std::ranges::all_of(block, [](const auto& each) { return each->retired; })) return;
  observe([&](Observer& o) { o.on_block_end(core.info.block); });
  if (workers_) workers_->finish(core.info.block);
  for (const auto& each : block) each->memory->release();
  --d_.resident;
  if (d_.next_block * per_block < d_.cores.size()) start_next_block(block);
}

template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::all_finished() const {
  return std::all_of(d_.cores.begin(), d_.cores.end(),
                     [](const auto& core) { return core->su.block == Block::halted && core->drained(); });
}

/// Nothing moves. If a scalar unit waits for room in a queue, one entry more per queue shows whether that is
/// the cause.
template <bool kData, bool kObserved>
bool Engine<kData, kObserved>::relieve_full_queue() {
  constexpr uint64_t kMaxDepth = 1 << 16;
  bool any = false;
  for (const auto& core : d_.cores) {
    if (core->su.block != Block::queue_full) continue;
    any = true;
    if (queue_relief_.core == nullptr)
      queue_relief_ = {core.get(), core->su.key, core->role->code[core->su.at].pc, d_.config.queue_depth};
  }
  if (!any || d_.config.queue_depth >= kMaxDepth) return false;
  ++d_.config.queue_depth;
  for (const auto& core : d_.cores) {
    if (core->su.block == Block::queue_full) wake_scalar(*core, d_.now);
  }
  return true;
}

// ---- end of a run

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::begin() {
  std::vector<CoreInfo> infos;
  for (const auto& core : d_.cores) infos.push_back(core->info);
  observe([&](Observer& o) { o.on_context(*this); });
  observe([&](Observer& o) { o.on_start(infos, *d_.program); });
  if (steps_ != nullptr) {
    steps_->on_machine(*d_.machine);
    costs_.count_conflicts();
  }
  for (const GlobalMemory::Allocation& a : d_.gm.allocations()) {
    observe([&](Observer& o) { o.on_argument(a.argument, a.name, a.addr, a.bytes, a.initialised); });
  }
  if constexpr (kData) prepare_watch();
  for (const auto& core : d_.cores) {
    core->captures_loops = kData;
    core->context.engine = static_cast<exec::FaultSink*>(this);
    core->memory->listener = this;
    core->memory->report_footprints = (kObserved || watching_) && kData;
    core->memory->only_bounds = !kData;
  }
  prepare_chip();
  if constexpr (kData) prepare_workers();
  observe([&](Observer& o) { o.on_launch(launch_); });
  ready_tree_ = ReadyTree(d_.cores.size());
  refresh_times();
}

template <bool kData, bool kObserved>
SimResult Engine<kData, kObserved>::end() {
  if (workers_) workers_->finish();
  // Those that wait for other devices are looked at together (run/simulate_ranks.cpp).
  const bool sleeps = std::ranges::any_of(d_.cores, [](const auto& core) { return core->su.asleep; });
  const bool hangs = !d_.stopped && !all_finished();
  if (!d_.stopped) {
    if (hangs && !sleeps)
      explain_deadlock(d_, findings_);
    else if (queue_relief_.core != nullptr)
      explain_queue_deadlock(d_, *queue_relief_.core, queue_relief_.lane, queue_relief_.pc,
                             queue_relief_.depth, d_.config.queue_depth, findings_);
    if (!hangs) report_leftovers(d_, findings_);
  }
  SimResult result = finish();
  result.ended = !d_.stopped && !hangs;
  result.deadlock = hangs || queue_relief_.core != nullptr;
  result.interrupted = interrupted_;
  for (const auto& core : d_.cores) result.cores.push_back(core->info);
  if (steps_ != nullptr) steps_->on_conflicts(costs_.conflicts());
  observe([&](Observer& o) { o.on_finish(result.kernel_cycles()); });
  return result;
}

template <bool kData, bool kObserved>
uint64_t Engine<kData, kObserved>::let_go(uint64_t now) {
  reported_ = true;
  watching_ = false;
  observers_ = {};
  wanted_ = {};
  steps_ = nullptr;
  for (const auto& core : d_.cores) {
    if (!std::exchange(core->su.asleep, false)) continue;
    core->su.waiting_for_memory = false;
    core->su.time = std::max(core->su.time, now);
    ++core->su.at;
    core->at[kScalarAt] = core->su.time;
  }
  refresh_times();
  return next();
}

template <bool kData, bool kObserved>
SimResult Engine<kData, kObserved>::finish() {
  SimResult result;
  uint64_t total = 0;
  for (const auto& core : d_.cores) {
    total = std::max(total, core->su.time);
    for (const Lane& lane : core->lanes) total = std::max({total, lane.last_end, lane.idle_from});
  }
  if (!all_finished()) total = std::max({total, d_.now, latest_});
  result.total_cycles = total;
  result.unknown_cost = costs_.unknown();
  for (const auto& core : d_.cores) {
    result.instructions += core->su.instructions + core->vector_steps;
    for (unsigned i = kFirstQueue; i < kLanes; ++i) {
      const Lane& lane = core->lanes[i];
      if (lane.issued != 0) add_stats(result, *core, pipe_of_lane(i), lane.stats, lane.idle_from, lane.block);
    }
    if (core->su.used) add_stats(result, *core, Pipe::s, core->su.stats, core->su.time, core->su.block);
  }
  result.total_cycles += launch_;
  result.launch_cycles = launch_;
  result.chip = chip_;
  std::copy(basis_.begin(), basis_.end(), result.basis_cycles);
  result.findings = findings_.take_findings();
  result.double_sets = double_sets_.size();
  return result;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::add_stats(SimResult& result, const Core& core, Pipe pipe, LaneStats stats,
                                         uint64_t accounted, Block block) {
  const bool waits = block != Block::none && block != Block::halted;
  const Stall reason = waits ? stall_of(block) : Stall::finished;
  if (accounted < result.total_cycles) {
    stats.stall[static_cast<size_t>(reason)] += result.total_cycles - accounted;
    observe<Observer::kStalls>([&](Observer& o) {
      o.on_stall({core.info.index, pipe, accounted, result.total_cycles, reason, ~0u});
    });
  }
  PipeStats out;
  out.core = core.info.index;
  out.pipe = pipe;
  out.busy_cycles = stats.busy;
  out.instructions = pipe == Pipe::s ? core.su.instructions : stats.instructions;
  std::copy(stats.stall.begin(), stats.stall.end(), out.stall_cycles);
  result.pipes.push_back(out);
}

// ---- setting up

namespace {

/// Check mode looks at order and memory only: every instruction takes one cycle.
class UnitTimer final : public timing::VectorFunctionTimer {
 public:
  void begin() override {}
  void step(const exec::Inst&, const exec::Word*) override {}
  void loop_iteration() override {}
  timing::Cost end() override { return {}; }
};
class UnitCosts final : public timing::CostModel {
 public:
  timing::Cost cost(const exec::Inst&, const exec::Word*, const exec::ControlState*) override { return {}; }
  std::unique_ptr<timing::VectorFunctionTimer> vector_function() override {
    return std::make_unique<UnitTimer>();
  }
  [[nodiscard]] std::vector<std::string> unbound(std::span<const RowId>) const override { return {}; }
};

EngineConfig config_of(const Machine& machine, const Program& program) {
  EngineConfig config;
  config.queue_depth =
      machine.queue_depth > 0 ? static_cast<uint64_t>(machine.queue_depth) : ~uint64_t{0} >> 1;
  config.issue_cycles = machine.issue_cycles;
  config.scalar_cycles = machine.scalar_cycles;
  config.event_ids = static_cast<uint32_t>(std::max(machine.event_ids, 1));
  config.buffer_ids = static_cast<uint32_t>(std::max(machine.buffer_ids, 1));
  config.flags = machine.flags;
  config.flag_capacity = machine.flag_capacity();
  config.key_has_src = machine.flag_key_has_src;
  config.key_is_settled = machine.target != Target::cpu;  // which stands for no machine
  // The functional profile runs programs of either family.
  const Target family = machine.target == Target::cpu ? program.target : machine.target;
  config.signal_ids = static_cast<uint32_t>(std::max(machine.cross_core_ids, 16));
  config.pair_ids = family == Target::a5 ? 2 * config.signal_ids : 0;
  return config;
}

std::array<uint64_t, kLanes> slow_lanes(const Machine& machine, const Hypotheses& hypotheses) {
  std::array<uint64_t, kLanes> slow{};
  for (unsigned lane = kFirstQueue; lane < kLanes; ++lane) {
    const bool free = std::ranges::find(hypotheses.free, pipe_of_lane(lane)) != hypotheses.free.end();
    slow[lane] = free ? 0 : std::max(machine.slow[lane - kFirstQueue], 1u);
  }
  return slow;
}

void prepare_core(Core& core, Device& device, uint32_t blocks, uint32_t subblocks) {
  const EngineConfig& config = device.config;
  core.memory = std::make_unique<CoreMemory>(core.info.index, *device.machine, device.gm);
  core.memory->fill = device.fill;
  core.at.fill(kNever);
  core.at[kScalarAt] = 0;
  core.flags.prepare(size_t{kLanes} * kLanes, config.event_ids, config.flag_places);
  core.semaphores.resize(config.pair_ids + config.signal_ids);
  core.group_sets.assign(config.signal_ids, 0);
  exec::ThreadContext& context = core.context;
  context.memory = core.memory.get();
  context.kept = &core.kept;
  context.machine = device.machine;
  context.program = device.program;
  context.block_idx = core.info.block;
  context.block_num = blocks;
  context.subblock_idx = core.info.subblock;
  context.subblock_num = subblocks;
}

/// A cube kernel may write the UBs of its vector cores although they run nothing.
void lend_idle_memories(Device& device, std::array<CoreMemory*, 3>& cluster) {
  constexpr uint32_t kFirstIdle = uint32_t{1} << 31;
  if (cluster[0] == nullptr) return;
  for (size_t role = 1; role < cluster.size(); ++role) {
    if (cluster[role] != nullptr) continue;
    const uint32_t id = kFirstIdle + static_cast<uint32_t>(device.idle.size());
    device.idle.push_back(std::make_unique<CoreMemory>(id, *device.machine, device.gm));
    device.idle.back()->fill = device.fill;
    cluster[role] = device.idle.back().get();
  }
}

void make_cores(Device& device, uint32_t blocks) {
  const Kernel& kernel = *device.kernel;
  const bool pair =
      std::any_of(kernel.cores.begin(), kernel.cores.end(), [](const auto& c) { return c.subblock == 1; });
  for (uint32_t block = 0; block < blocks; ++block) {
    std::array<CoreMemory*, 3> cluster{};
    const size_t first = device.cores.size();
    for (const Kernel::CoreSpec& spec : kernel.cores) {
      auto core = std::make_unique<Core>();
      core->info = {static_cast<uint32_t>(device.cores.size()), block, spec.kind, spec.subblock};
      core->role = &kernel.roles[spec.role];
      prepare_core(*core, device, blocks, pair ? 2 : 1);
      cluster[core->role_index()] = core->memory.get();
      device.cores.push_back(std::move(core));
    }
    lend_idle_memories(device, cluster);
    for (size_t i = first; i < device.cores.size(); ++i) device.cores[i]->memory->peers = cluster;
    // One core with every pipe stands for the AIC and its AIVs.
    if (device.cores.size() - first == 1 && kernel.cores[0].kind == CoreKind::mixed) {
      device.cores[first]->memory->peers.fill(device.cores[first]->memory.get());
    }
  }
}

std::string argument_label(const Device& device, const Argument& argument, size_t index) {
  if (!argument.name.empty()) return argument.name;
  return fmt::format("#{} of @{}", index, device.kernel->name);
}

/// A buffer handed over as a memref or view: row-major over the type's sizes; open sizes are 1.
void describe_argument(const Type& type, uint64_t addr, std::vector<exec::Word>& words) {
  exec::ViewDesc view{addr, {1, 1, 1, 1, 1}, {}, 0};
  int64_t stride = 1;
  for (int i = kMaxRank - 1, dim = type.rank - 1; i >= 0; --i, --dim) {
    if (dim >= 0 && type.dims[static_cast<size_t>(dim)] != kDynamic)
      view.shape[i] = type.dims[static_cast<size_t>(dim)];
    view.stride[i] = stride;
    stride = sat_mul(stride, view.shape[i]);
  }
  std::memcpy(words.data(), &view, sizeof view);
}

/// Where another device has an argument of which this one has an equal one.
std::optional<Error> of_peer(const Device& device, const RankArgument& argument, uint64_t& addr) {
  for (const GlobalMemory::Allocation& a : device.gm.allocations()) {
    if (a.argument != argument.of) continue;
    addr = a.addr - base_of_rank(device.port->rank()) + base_of_rank(argument.peer);
    return std::nullopt;
  }
  return Error{fmt::format("argument {} of rank {} is no buffer", argument.of, argument.peer)};
}

/// What starts a kernel gives it numbers and places in GM.
std::optional<Error> check_argument(const Device& device, const Argument& argument, size_t i) {
  const Kernel& kernel = *device.kernel;
  const Type& type = device.program->types[kernel.argument_types[i]];
  if (type.space != Space::none && type.space != Space::gm) {
    return Error{
        fmt::format("argument {} of @{} is in {}, where only a kernel that calls it can put something",
                    argument_label(device, argument, i), kernel.name, to_string(type.space)),
        Error::Kind::unsupported};
  }
  const bool wants_buffer = type.kind != TypeKind::scalar;
  if (wants_buffer == argument.is_buffer) return std::nullopt;
  return Error{fmt::format("argument {} of @{} is a {}, but a {} is given",
                           argument_label(device, argument, i), kernel.name,
                           wants_buffer ? "buffer" : "scalar", argument.is_buffer ? "buffer" : "scalar")};
}

/// Puts the arguments into GM and into the frames that the cores start with. Nullopt, or what does not fit.
std::optional<Error> pass_arguments(Device& device, std::vector<Argument>& arguments) {
  const Kernel& kernel = *device.kernel;
  if (arguments.size() != kernel.argument_types.size()) {
    return Error{fmt::format("@{} takes {} arguments, {} given", kernel.name, kernel.argument_types.size(),
                             arguments.size())};
  }
  std::vector<size_t> order;  // those that stand for another device's come last
  for (const bool peers : {false, true}) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      if ((device.port != nullptr && device.port->argument(i).of_peer()) == peers) order.push_back(i);
    }
  }
  SharedArguments shared(arguments);
  for (const size_t i : order) {
    Argument& argument = arguments[i];
    const Type& type = device.program->types[kernel.argument_types[i]];
    if (std::optional<Error> error = check_argument(device, argument, i)) return error;
    const bool wants_buffer = argument.is_buffer;
    std::vector<exec::Word> words(exec::words_of(type), 0);
    words[0] = argument.scalar;
    if (!wants_buffer && is_integer(type.elem)) words[0] = exec::int_word(type.elem, argument.scalar);
    if (wants_buffer) {
      const auto number = static_cast<uint32_t>(i);
      const std::string label = argument_label(device, argument, i);
      uint64_t addr = 0;
      const RankArgument known = device.port == nullptr ? RankArgument{} : device.port->argument(i);
      if (known.of_peer()) {
        if (std::optional<Error> error = of_peer(device, known, addr)) return error;
      } else if (SharedArguments::Group* const group = shared.group_of(i)) {
        if (!std::exchange(group->placed, true))
          group->address = device.gm.add(number, group->name, group->memory, group->initialised);
        addr = group->address + static_cast<uint64_t>(argument.home.data() - group->memory.data());
      } else {
        addr = argument.room == 0
                   ? device.gm.add(number, label, argument.data(), argument.initialised)
                   : device.gm.add_room(number, label, argument.data(), argument.room, argument.initialised);
        if (!known.window) device.gm.keep_to_itself();
      }
      if (type.kind == TypeKind::memref || type.is_view())
        describe_argument(type, addr, words);
      else
        words[0] = addr;
    }
    for (size_t role = 0; role < kernel.roles.size(); ++role) {
      for (const Copy& place : kernel.roles[role].arguments[i])
        std::copy_n(words.begin(), place.words, device.frames[role].begin() + place.to);
    }
  }
  return std::nullopt;
}

/// Refuses what has no cost, unless the run counts it.
std::optional<Error> check_costs(const Kernel& kernel, const timing::CostModel& costs) {
  for (const CoreCode& role : kernel.roles) {
    const std::vector<std::string> unbound = costs.unbound(role.rows);
    if (!unbound.empty()) {
      return Error{fmt::format("{}: the target has no cost for {}", kernel.program->source_name,
                               fmt::join(unbound, ", ")),
                   Error::Kind::unsupported};
    }
  }
  return std::nullopt;
}

/// The device, the engine that runs it, and what both look at.
class Host final : public DeviceHost {
 public:
  Host(std::unique_ptr<Kernel> kernel, const SimOptions& options)
      : options_(options), kernel_(std::move(kernel)) {}

  std::optional<Error> prepare(const Program& program, std::vector<Argument>& arguments,
                               const Machine& machine, timing::CostModel& costs,
                               std::span<Observer* const> observers, const Connect& connect) {
    timing::CostModel& used = options_.mode == Mode::check ? static_cast<timing::CostModel&>(unit_) : costs;
    if (std::optional<Error> error = check_costs(*kernel_, used); error && !options_.allow_unknown_cost)
      return error;
    device_.program = &program;
    device_.machine = &machine;
    device_.fill = {options_.fill_on_chip, hooks_of(options_).fill_varies};
    device_.kernel = kernel_.get();
    device_.config = config_of(machine, program);
    device_.slow = slow_lanes(machine, options_.hypotheses);
    if (connect) {
      device_.port = device_.gm.port = connect(device_.gm);
      device_.gm.begin_at(base_of_rank(device_.port->rank()));
    }
    // What goes ahead of a wait may set flags again: no set is lost. Words in GM are kept.
    constexpr uint32_t kMany = 256, kCounts = 15;
    // Without values a lost set would only be the end of the times: it is kept, with a warning.
    if (options_.mode == Mode::time && machine.flags == FlagKind::bit)
      device_.config.flag_capacity = std::max(device_.config.flag_capacity, kCounts);
    const bool ahead = std::ranges::any_of(options_.hypotheses.no_wait, [&](uint32_t pc) {
      return isa::is_synchronisation(isa::opcode_class(OpView(program, pc)));
    });
    if (ahead && machine.flags == FlagKind::bit) device_.config.flag_capacity = kMany;
    device_.config.flag_places = ahead ? kMany : device_.config.flag_capacity;
    for (const CoreCode& role : kernel_->roles) device_.frames.push_back(role.frame);
    make_cores(device_, std::max(options_.blocks, 1u));
    for (const auto& core : device_.cores) core->context.no_values = hooks_of(options_).no_values;
    if (std::optional<Error> error = pass_arguments(device_, arguments)) return error;
    make_engine(used, observers);
    return std::nullopt;
  }

  DeviceRun& run() override { return *engine_; }
  Device& device() override { return device_; }

 private:
  void make_engine(timing::CostModel& costs, std::span<Observer* const> observers) {
    const auto make = [&]<bool kData, bool kObserved>() {
      engine_ = std::make_unique<Engine<kData, kObserved>>(device_, options_, costs, observers);
    };
    if (options_.mode != Mode::time)
      observers.empty() ? make.operator()<true, false>() : make.operator()<true, true>();
    else
      observers.empty() ? make.operator()<false, false>() : make.operator()<false, true>();
  }

  const SimOptions& options_;
  std::unique_ptr<Kernel> kernel_;
  UnitCosts unit_;
  Device device_;
  std::unique_ptr<DeviceRun> engine_;
};

}  // namespace

Result<std::unique_ptr<DeviceHost>> make_device(const Program& program, std::vector<Argument>& arguments,
                                                const SimOptions& options, const Machine& machine,
                                                timing::CostModel& costs,
                                                std::span<Observer* const> observers,
                                                const Connect& connect) {
  Result<std::unique_ptr<Kernel>> kernel = load_kernel(program, options.entry, machine);
  if (!kernel) return kernel.error();
  fill_masks(**kernel, hooks_of(options).every_lane);
  if (std::optional<Error> error = check_watches(program, **kernel, arguments, options.watch)) return *error;
  auto host = std::make_unique<Host>(std::move(*kernel), options);
  if (std::optional<Error> error = host->prepare(program, arguments, machine, costs, observers, connect))
    return *error;
  return std::unique_ptr<DeviceHost>(std::move(host));
}

Result<SimResult> run(const Program& program, std::vector<Argument>& arguments, const SimOptions& options,
                      const Machine& machine, timing::CostModel& costs, std::span<Observer* const> observers,
                      FirstWrites* first_writes) {
  Result<std::unique_ptr<DeviceHost>> host =
      make_device(program, arguments, options, machine, costs, observers);
  if (!host) return host.error();
  (*host)->device().gm.first_writes = first_writes;
  DeviceRun& engine = (*host)->run();
  engine.begin();
  engine.advance(kNever);
  SimResult result = engine.end();
  // How far arguments were reached whose size is open.
  for (const GlobalMemory::Allocation& a : (*host)->device().gm.allocations()) {
    if (a.has_room) arguments[a.argument].reach = a.reach;
  }
  return result;
}

}  // namespace pto::sim
