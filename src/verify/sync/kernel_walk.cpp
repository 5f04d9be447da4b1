#include "verify/sync/kernel_walk.hpp"

#include <utility>

#include "ir/pipe_rules.hpp"
#include "ir/regions.hpp"

namespace pto::legality::sync {
Walk::Walk(Checker& check, const Functions& functions, FactsTable& facts, AbstractValues& values,
           const WalkOptions& options)
    : check_(check),
      program_(check.program()),
      functions_(functions),
      facts_(facts),
      values_(values),
      options_(options),
      core_(*this, options.machine) {
  core_.check_races = options.races;
}

bool Walk::run(uint32_t function) {
  const Region& body = body_of(program_, function);
  for (uint32_t i = 0; i < body.n_args; ++i) values_.set_argument(body.first_arg + i);
  if (options_.core_is_argument) values_.set_integer(body.first_arg + body.n_args - 1, options_.vector_core);
  region(body);
  if (!overrun_) core_.end();
  return !overrun_;
}

void Walk::region(const Region& region) {
  if (depth_ >= kMaxDepth) overrun_ = true;
  ++depth_;
  for (const uint32_t op : ops_in(program_, region)) {
    if (overrun_) break;
    step(op);
  }
  --depth_;
}

void Walk::step(uint32_t index) {
  if (++time_ > options_.budget) return void(overrun_ = true);
  const OpView op(program_, index);
  const OperationFacts& facts = facts_.find(op.op().row);
  if (isa::is_synchronisation(facts.opcode_class)) return synchronise(op, facts);
  if (isa::is_structural(facts.opcode_class)) return structure(op, facts.opcode_class);
  if (op.op().n_regions > 0) return skip(op);
  if (facts.opcode_class == OpcodeClass::fence) return drain(index);
  if (facts.work) work(op, facts);
  if (traces() && facts.opcode_class == OpcodeClass::vector_core_number)
    return values_.set_integer(op.result(0), options_.vector_core);
  values_.evaluate(op, facts);
}

/// A structure that is not followed: whatever is in it may happen any number of times.
void Walk::skip(const OpView& op) {
  forget_results(op);
  if (!works(op.index())) return;
  if (traces() && synchronises(op.index())) return note_opaque();
  forget_region(op.index() + 1, program_.end_of(op.index()), false);
  core_.fence();
}

int Walk::lane(const OpView& op, const OperationFacts& facts) const {
  return facts.lane == kAsk ? lane_of(isa::pipe_of(op)) : facts.lane;
}

void Walk::work(const OpView& op, const OperationFacts& facts) {
  const int on = lane(op, facts);
  if (on < 0) return;
  std::vector<TileAccess> accesses;
  const isa::Phases phases = isa::phases_of(op);
  find_accesses(op, facts, phases, values_, accesses);
  if (traces()) {
    // Tile queues are not followed: what they give may be waited for.
    if (facts.fifo) return note_opaque();
    return note_work(op, facts, on, accesses);
  }
  const int own = begin_phases(op, facts, phases, on);
  place(accesses);
  remember(now(op.index()), accesses);
  follow_clobbers(now(op.index()), accesses);
  if (facts.fifo) return queue(op, facts.opcode_class, on, std::move(accesses));
  core_.work(own, now(op.index()), certain(), std::move(accesses), facts.scalar_result);
  end_phases(phases);
}

/// The phases of an instruction in front of its own work, and the flags that it uses itself. Gives the lane
/// of its own work.
int Walk::begin_phases(const OpView& op, const OperationFacts& facts, const isa::Phases& phases, int lane) {
  const ProgramPoint when = now(op.index());
  for (const isa::InternalEvent& event : phases.events)
    core_.use_inside({static_cast<int8_t>(lane_of(event.source)),
                      static_cast<int8_t>(lane_of(event.destination)), static_cast<int16_t>(event.id)},
                     when, certain());
  if (phases.phases.empty()) return lane;
  const std::vector<std::vector<isa::InternalEvent>> events = phases.events_in_order();
  for (size_t i = 0; i < phases.phases.size(); ++i) {
    const isa::Phase& phase = phases.phases[i];
    wait_inside(events[i]);
    if (phase.rest) return lane_of(phase.pipe);
    std::vector<TileAccess> accesses;
    find_phase_accesses(op, facts, phase, true, values_, accesses);
    place(accesses);
    remember(when, accesses);
    core_.work(lane_of(phase.pipe), when, certain(), std::move(accesses), false);
  }
  return lane;
}

/// What the scalar unit stores behind the instruction's own work is there for all that is issued later.
void Walk::end_phases(const isa::Phases& phases) {
  if (phases.phases.empty()) return;
  const std::vector<std::vector<isa::InternalEvent>> events = phases.events_in_order();
  const auto own = std::ranges::find_if(phases.phases, &isa::Phase::rest);
  for (auto i = static_cast<size_t>(own - phases.phases.begin()) + 1; i < events.size(); ++i)
    wait_inside(events[i]);
}

void Walk::wait_inside(const std::vector<isa::InternalEvent>& events) {
  for (const isa::InternalEvent& event : events)
    core_.waits_inside(lane_of(event.destination), lane_of(event.source));
}

/// Tiles that an instruction has left with other bytes hold them until something is written there.
void Walk::follow_clobbers(const ProgramPoint& when, const std::vector<TileAccess>& accesses) {
  for (const TileAccess& access : accesses) {
    const auto left = clobbered_.find(access.tile);
    if (left == clobbered_.end() || !access.read || access.scratch) continue;
    if (is_compatible(left->second.by, when))
      destroyed_.push_back({left->second.by, when, access.tile, left->second.slot, access.slot,
                            certain() && access.certain && left->second.certain});
    clobbered_.erase(left);
  }
  for (const TileAccess& access : accesses) {
    if (!access.write || access.tile == kNoValue) continue;
    if (access.clobbered)
      clobbered_[access.tile] = {when, access.slot, certain() && access.certain};
    else
      clobbered_.erase(access.tile);
  }
}

/// Who takes a tile, or a slot for one, waits until the other core gives it, which knows what it was told.
/// Who sends one or gives one back tells what its pipe knows. Which pipe that is depends on the queue where
/// no tile is sent: all that it may be tell, and the bytes that come are in order.
void Walk::queue(const OpView& op, OpcodeClass opcode_class, int on, std::vector<TileAccess> accesses) {
  const ProgramPoint when = now(op.index());
  if (opcode_class != OpcodeClass::queue_free) core_.wait_signal(kScalarLane, when);
  const bool sends = opcode_class == OpcodeClass::queue_push && program_.type_of(op.operand(0)).is_tile();
  if (sends) {
    core_.work(on, when, certain(), std::move(accesses), false);
    return core_.send_signal(on, when);
  }
  for (const Pipe pipe : {Pipe::mte2, Pipe::mte1, Pipe::v, Pipe::fix, Pipe::mte3})
    core_.send_signal(lane_of(pipe), when);
}

void Walk::place(std::vector<TileAccess>& accesses) {
  for (TileAccess& access : accesses) access.stretch = core_.shadow.find(access.bytes, access.space);
}

// ---- synchronisation

std::optional<FlagKey> Walk::key_of(const OpView& op, OpcodeClass opcode_class, int& src, int& dst) {
  const bool events = opcode_class == OpcodeClass::record_event || opcode_class == OpcodeClass::wait_event;
  const auto pipe = [&](unsigned spec) {
    const AttrValue* value = op.attr(spec);
    if (value == nullptr) return -1;
    return lane_of(events ? isa::pipe_of_sync_op(value->integer) : static_cast<Pipe>(value->integer));
  };
  src = pipe(0);
  dst = pipe(1);
  if (src < 0 || dst < 0) return std::nullopt;
  const bool dynamic =
      opcode_class == OpcodeClass::set_flag_dyn || opcode_class == OpcodeClass::wait_flag_dyn;
  const AttrValue* written = dynamic ? nullptr : op.attr(2u);
  const int64_t id = dynamic              ? values_.integer(op.operand(0)).value_or(-1)
                     : written != nullptr ? written->integer
                                          : -1;
  if (id < 0 || id > 63) return std::nullopt;
  return FlagKey{static_cast<int8_t>(src), static_cast<int8_t>(dst), static_cast<int16_t>(id)};
}

void Walk::drain(uint32_t op) {
  if (traces()) return note({.kind = Step::Kind::drain, .op = op});
  core_.barrier_all();
}

void Walk::flag(const OpView& op, OpcodeClass opcode_class) {
  int src = -1, dst = -1;
  const std::optional<FlagKey> key = key_of(op, opcode_class, src, dst);
  const bool set = opcode_class == OpcodeClass::set_flag || opcode_class == OpcodeClass::set_flag_dyn ||
                   opcode_class == OpcodeClass::record_event;
  if (traces()) return note_flag(set, key, op.index());
  if (src < 0 || dst < 0) return core_.fence();
  const ProgramPoint when = now(op.index());
  if (key) return set ? core_.set(*key, when, certain()) : core_.wait(*key, when, certain());
  return set ? core_.set_unknown(src, dst) : core_.wait_unknown(src, dst);
}

void Walk::buffer(const OpView& op, bool get) {
  const int on = lane_of(static_cast<Pipe>(op.attr_int("op_type")));
  const bool fixed = isa::schema(op.op().row).attr_index("buf_id") >= 0;
  const std::optional<int64_t> id =
      fixed ? std::optional(op.attr_int("buf_id")) : values_.integer(op.operand(0));
  if (!id) signals_unknown_ = true;
  const int64_t mode = op.attr_int("mode");
  if (traces()) {
    if (on >= 0 && id)
      return note({.kind = get ? Step::Kind::get_buf : Step::Kind::rls_buf,
                   .orders = get == (mode == 0),
                   .lane = static_cast<uint8_t>(on),
                   .id = static_cast<int16_t>(*id),
                   .op = op.index()});
    options_.trace->flags_open = options_.trace->order_open = true;
    return;
  }
  if (on < 0 || !id) return core_.fence();
  core_.buffer(get, on, static_cast<int>(*id), static_cast<int>(mode), now(op.index()), certain());
}

void Walk::signal(const OpView& op, const OperationFacts& facts) {
  const isa::Schema& schema = isa::schema(op.op().row);
  const bool older = schema.attr_index("pipe") < 0;  // the pipe is a value, and so is the id
  if (older && !traces()) {
    signals_unknown_ = true;
    return core_.fence();
  }
  const AttrValue* written = older ? nullptr : op.attr("event_id");
  const bool has_mode = schema.attr_index("ffts_mode") >= 0 && op.attr("ffts_mode") != nullptr;
  Signal built{.op = op.index(),
               .set = isa::is_signal_set(facts.opcode_class),
               .certain = certain(),
               .to_all = has_mode};
  built.id = written != nullptr ? std::optional(written->integer)
                                : values_.integer(op.operand(schema.operands.size() == 1 ? 0 : 1));
  if (built.set && has_mode) built.mode = op.attr_int("ffts_mode");
  // With a mode of A2/A3 the whole core waits.
  const bool whole = !built.set && has_mode;
  if (traces()) {
    const bool named =
        facts.opcode_class == OpcodeClass::sync_set || facts.opcode_class == OpcodeClass::sync_wait;
    if (has_mode) built.mode = op.attr_int("ffts_mode");
    return note_signal(built,
                       whole   ? kScalarLane
                       : older ? lane_of_value(op, built.set)
                               : lane_of(isa::pipe_of(op)),
                       check_.target() == Target::a5 && !(named && has_mode));
  }
  signals_.push_back(built);
  const int on = whole ? kScalarLane : lane_of(isa::pipe_of(op));
  if (on < 0) return core_.fence();
  return built.set ? core_.send_signal(on, now(op.index())) : core_.wait_signal(on, now(op.index()));
}

/// Of the older spellings: the pipe stands in front of the id; where a core waits, it waits as a whole.
int Walk::lane_of_value(const OpView& op, bool set) const {
  const bool alone = isa::schema(op.op().row).operands.size() == 1;
  if (!set && (alone || check_.target() != Target::a5)) return kScalarLane;
  const std::optional<int64_t> pipe = values_.integer(op.operand(0));
  return pipe && *pipe >= 0 && *pipe <= static_cast<int64_t>(Pipe::none) ? lane_of(static_cast<Pipe>(*pipe))
                                                                         : kNoLane;
}

void Walk::synchronise(const OpView& op, const OperationFacts& facts) {
  switch (facts.opcode_class) {
    case OpcodeClass::set_flag:
    case OpcodeClass::set_flag_dyn:
    case OpcodeClass::record_event:
    case OpcodeClass::wait_flag:
    case OpcodeClass::wait_flag_dyn:
    case OpcodeClass::wait_event:
      return flag(op, facts.opcode_class);
    case OpcodeClass::barrier:
    case OpcodeClass::barrier_kind: {
      const Pipe pipe = isa::pipe_of(op);
      if (pipe == Pipe::all) return drain(op.index());
      const int on = lane_of(pipe);
      return on < kFirstQueue || traces() ? void() : core_.barrier(on, now(op.index()));
    }
    case OpcodeClass::get_buf:
    case OpcodeClass::rls_buf:
      return buffer(op, facts.opcode_class == OpcodeClass::get_buf);
    case OpcodeClass::sync_set:
    case OpcodeClass::sync_wait:
    case OpcodeClass::intra_set:
    case OpcodeClass::intra_wait:
      return signal(op, facts);
    case OpcodeClass::wait_tiles:
    case OpcodeClass::cross_set:
    case OpcodeClass::cross_wait:
    case OpcodeClass::sync_all:
    case OpcodeClass::opaque_sync:
      signals_unknown_ = true;
      note_opaque();
      return core_.fence();
    default:
      return;
  }
}

// ---- structure

void Walk::structure(const OpView& op, OpcodeClass opcode_class) {
  switch (opcode_class) {
    case OpcodeClass::loop:
      if (opens_vector_scope(op)) return scope(op);
      return loop(op);
    case OpcodeClass::while_loop:
      return while_loop(op);
    case OpcodeClass::branch:
      return branch(op);
    case OpcodeClass::call:
      return call(op);
    case OpcodeClass::vecscope:
    case OpcodeClass::strict_vecscope:
      return scope(op);
    case OpcodeClass::section_cube:
      if (options_.kind != CoreKind::aiv) region(body_of(op));
      return;
    case OpcodeClass::section_vector:
      if (options_.kind != CoreKind::aic) region(body_of(op));
      return;
    case OpcodeClass::inline_region: {
      yielded_.clear();
      region(body_of(op));
      const std::vector<AbstractValue> given = take_yield();
      return results(op, given);
    }
    case OpcodeClass::jump:
    case OpcodeClass::cond_jump:
      return void(overrun_ = true);  // blocks are not followed
    case OpcodeClass::yield:
    case OpcodeClass::ret:
    case OpcodeClass::condition:
      yielded_.clear();
      for (const ValueId value : op.operands(opcode_class == OpcodeClass::condition ? 1 : 0))
        yielded_.push_back(values_.value_of(value));
      return;
    case OpcodeClass::index_switch:
      return skip(op);
    default:
      return forget_results(op);
  }
}

void Walk::results(const OpView& op, std::span<const AbstractValue> values) {
  for (uint32_t i = 0; i < op.op().n_results; ++i) {
    if (i < values.size())
      values_.set(op.result(i), values[i]);
    else
      values_.forget(op.result(i));
  }
}

void Walk::forget_results(const OpView& op) {
  for (uint32_t i = 0; i < op.op().n_results; ++i) values_.forget(op.result(i));
}

bool Walk::works(uint32_t op) {
  const auto [at, fresh] = works_.try_emplace(op, false);
  if (!fresh) return at->second;
  for (const uint32_t i : descendants(program_, op)) {
    const OperationFacts& facts = facts_.find(program_.ops[i].row);
    if (!facts.work && facts.opcode_class != OpcodeClass::call &&
        !isa::is_synchronisation(facts.opcode_class))
      continue;
    return works_[op] = true;
  }
  return false;
}

void Walk::call(const OpView& op) {
  const FunctionInfo* callee = nullptr;
  bool other_core = false;
  for (const uint32_t i : functions_.called(op, *functions_.enclosing_function(op.index()))) {
    const FunctionInfo& f = functions_[i].info;
    if (f.declaration) continue;
    const bool elsewhere = (f.kind == FunctionInfo::Kind::cube && options_.kind == CoreKind::aiv) ||
                           (f.kind == FunctionInfo::Kind::vector && options_.kind == CoreKind::aic);
    if (elsewhere)
      other_core = true;
    else if (callee == nullptr || f.kind != FunctionInfo::Kind::unknown)
      callee = &f;
  }
  if (callee == nullptr && other_core) return forget_results(op);
  if (callee == nullptr) {  // a body that is not here
    signals_unknown_ = true;
    note_opaque();
    core_.invalidate_all();
    return forget_results(op);
  }
  const Region& body = body_of(program_, callee->op);
  const std::span<const ValueId> operands = op.operands(0);
  for (uint32_t i = 0; i < body.n_args; ++i) {
    if (i < operands.size())
      values_.set(body.first_arg + i, values_.value_of(operands[i]));
    else
      values_.forget(body.first_arg + i);
  }
  yielded_.clear();
  region(body);
  const std::vector<AbstractValue> given = take_yield();
  results(op, given);
}

// ---- vector scopes: one entry of PIPE_V

void Walk::scope(const OpView& op) {
  std::vector<TileAccess> accesses;
  const Region& body = body_of(op);
  const bool counted = facts_.find(op.op().row).opcode_class == OpcodeClass::loop;
  for (uint32_t i = 0; i < body.n_args; ++i) {
    const std::span<const ValueId> captures = counted ? std::span<const ValueId>() : op.operands(0);
    if (i < captures.size())
      values_.set(body.first_arg + i, values_.value_of(captures[i]));
    else if (counted && i == 0)
      values_.set(body.first_arg, values_.value_of(op.operand(0)));
    else
      values_.forget(body.first_arg + i);
  }
  gather(op, accesses, body, !counted);
  forget_results(op);
  if (traces()) return;  // what it touches is the core's own
  place(accesses);
  remember(now(op.index()), accesses);
  core_.work(lane_of(Pipe::v), now(op.index()), certain(), std::move(accesses), false);
}

/// The first iteration of every loop; nothing under conditions.
void Walk::gather(const OpView& scope, std::vector<TileAccess>& found, const Region& region, bool certain) {
  constexpr size_t kMaxAccesses = 64;
  for (const uint32_t i : ops_in(program_, region)) {
    if (overrun_) break;
    if (++time_ > options_.budget) overrun_ = true;
    const OpView op(program_, i);
    const OperationFacts& facts = facts_.find(op.op().row);
    if (facts.opcode_class == OpcodeClass::loop) {
      const Region& body = body_of(op);
      const std::optional<int64_t> lower = values_.integer(op.operand(0)),
                                   upper = values_.integer(op.operand(1));
      values_.set_integer(body.first_arg, lower);
      const std::span<const ValueId> carried = op.operands(3);
      for (uint32_t k = 1; k < body.n_args; ++k) {
        if (k - 1 < carried.size()) values_.set(body.first_arg + k, values_.value_of(carried[k - 1]));
      }
      if (!(lower && upper && *lower >= *upper) && depth_ < kMaxDepth) {
        ++depth_;
        gather(scope, found, body, certain && lower && upper);
        --depth_;
      }
      forget_results(op);
      continue;
    }
    if (op.op().n_regions > 0 || facts.opcode_class == OpcodeClass::call) {
      forget_results(op);
      continue;
    }
    const size_t first = found.size();
    if (found.size() < kMaxAccesses && facts.work) find_accesses(op, facts, {}, values_, found);
    for (size_t k = first; k < found.size(); ++k) {
      found[k].inside = i;
      found[k].certain = found[k].certain && certain;
    }
    values_.evaluate(op, facts);
  }
}

// ---- which moments belong together

bool Walk::above(uint32_t path, uint32_t other) const {
  for (uint32_t at = other;; at = paths_[at].parent) {
    if (at == path) return true;
    if (at == 0) return false;
  }
}

/// One of the paths leads on from the other, and what is conditional belongs to the iteration in which the
/// condition was met.
bool Walk::is_compatible(const ProgramPoint& before, const ProgramPoint& now) const {
  if (before.path == now.path && before.path == 0) return true;
  const bool deeper_now = above(before.path, now.path);
  if (!deeper_now && !above(now.path, before.path)) return false;
  const Path& deeper = paths_[deeper_now ? now.path : before.path];
  if (deeper.loops == 0) return true;
  if (deeper_now) return before.time >= deeper.begin;
  return deeper.loops <= loops_.size() && loops_[deeper.loops - 1].begin == deeper.begin;
}

}  // namespace pto::legality::sync
