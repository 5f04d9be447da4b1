#include "verify/sync/walk.hpp"

#include <utility>

#include "isa/pipes.hpp"
#include "isa/walk.hpp"

namespace pto::legality::sync {
Walk::Walk(Checker& check, const Functions& functions, FactsTable& facts, Values& values,
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
  region(body);
  if (!overrun_) core_.end();
  return !overrun_;
}

void Walk::region(const Region& region) {
  if (depth_ >= kMaxDepth) overrun_ = true;
  ++depth_;
  for (const uint32_t op : children(program_, region)) {
    if (overrun_) break;
    step(op);
  }
  --depth_;
}

void Walk::step(uint32_t index) {
  if (++time_ > options_.budget) return void(overrun_ = true);
  const OpView op(program_, index);
  const Facts& facts = facts_.of(op.op().row);
  if (isa::synchronises(facts.does)) return synchronise(op, facts);
  if (isa::structures(facts.does)) return structure(op, facts.does);
  if (op.op().n_regions > 0) return skip(op);
  if (facts.does == Does::fence) return core_.barrier_all();
  if (facts.work) work(op, facts);
  values_.evaluate(op, facts);
}

/// A structure that is not followed: whatever is in it may happen any number of times.
void Walk::skip(const OpView& op) {
  forget_results(op);
  if (!works(op.index())) return;
  forget_region(op.index() + 1, program_.end_of(op.index()), false);
  core_.fence();
}

int Walk::lane(const OpView& op, const Facts& facts) const {
  return facts.lane == kAsk ? lane_of(isa::pipe_of(op)) : facts.lane;
}

void Walk::work(const OpView& op, const Facts& facts) {
  const int on = lane(op, facts);
  if (on < 0) return;
  std::vector<TileAccess> accesses;
  find_accesses(op, facts, values_, accesses);
  place(accesses);
  remember(now(op.index()), accesses);
  if (facts.fifo) return queue(op, facts.does, on, std::move(accesses));
  core_.work(on, now(op.index()), certain(), std::move(accesses), facts.scalar_result);
}

/// Who takes a tile, or a slot for one, waits until the other core gives it, which knows what it was told.
/// Who sends one or gives one back tells what its pipe knows. Which pipe that is depends on the queue where
/// no tile is sent: all that it may be tell, and the bytes that come are in order.
void Walk::queue(const OpView& op, Does does, int on, std::vector<TileAccess> accesses) {
  const ProgramPoint when = now(op.index());
  if (does != Does::queue_free) core_.hear(kScalarLane, when);
  const bool sends = does == Does::queue_push && program_.type_of(op.operand(0)).is_tile();
  if (sends) {
    core_.work(on, when, certain(), std::move(accesses), false);
    return core_.tell(on, when);
  }
  for (const Pipe pipe : {Pipe::mte2, Pipe::mte1, Pipe::v, Pipe::fix, Pipe::mte3})
    core_.tell(lane_of(pipe), when);
}

void Walk::place(std::vector<TileAccess>& accesses) {
  for (TileAccess& access : accesses) access.stretch = core_.shadow.find(access.bytes, access.space);
}

// ---- synchronisation

std::optional<FlagKey> Walk::key_of(const OpView& op, Does does, int& src, int& dst) {
  const bool events = does == Does::record_event || does == Does::wait_event;
  const auto pipe = [&](unsigned spec) {
    const AttrValue* value = op.attr(spec);
    if (value == nullptr) return -1;
    return lane_of(events ? isa::pipe_of_sync_op(value->integer) : static_cast<Pipe>(value->integer));
  };
  src = pipe(0);
  dst = pipe(1);
  if (src < 0 || dst < 0) return std::nullopt;
  const bool dynamic = does == Does::set_flag_dyn || does == Does::wait_flag_dyn;
  const AttrValue* written = dynamic ? nullptr : op.attr(2u);
  const int64_t id = dynamic              ? values_.integer(op.operand(0)).value_or(-1)
                     : written != nullptr ? written->integer
                                          : -1;
  if (id < 0 || id > 63) return std::nullopt;
  return FlagKey{static_cast<int8_t>(src), static_cast<int8_t>(dst), static_cast<int16_t>(id)};
}

void Walk::synchronise(const OpView& op, const Facts& facts) {
  const ProgramPoint when = now(op.index());
  switch (facts.does) {
    case Does::set_flag:
    case Does::set_flag_dyn:
    case Does::record_event:
    case Does::wait_flag:
    case Does::wait_flag_dyn:
    case Does::wait_event: {
      int src = -1, dst = -1;
      const std::optional<FlagKey> key = key_of(op, facts.does, src, dst);
      const bool set = facts.does == Does::set_flag || facts.does == Does::set_flag_dyn ||
                       facts.does == Does::record_event;
      if (src < 0 || dst < 0) return core_.fence();
      if (key) return set ? core_.set(*key, when, certain()) : core_.wait(*key, when, certain());
      return set ? core_.set_unknown(src, dst) : core_.wait_unknown(src, dst);
    }
    case Does::barrier:
    case Does::barrier_kind: {
      const Pipe pipe = isa::pipe_of(op);
      if (pipe == Pipe::all) return core_.barrier_all();
      const int on = lane_of(pipe);
      return on < kFirstQueue ? void() : core_.barrier(on, when);
    }
    case Does::get_buf:
    case Does::rls_buf: {
      const int on = lane_of(static_cast<Pipe>(op.attr_int("op_type")));
      const bool fixed = isa::schema(op.op().row).attr_index("buf_id") >= 0;
      const std::optional<int64_t> id =
          fixed ? std::optional(op.attr_int("buf_id")) : values_.integer(op.operand(0));
      if (!id) signals_unknown_ = true;
      if (on < 0 || !id) return core_.fence();
      return core_.buffer(facts.does == Does::get_buf, on, static_cast<int>(*id),
                          static_cast<int>(op.attr_int("mode")), when, certain());
    }
    case Does::sync_set:
    case Does::sync_wait:
    case Does::intra_set:
    case Does::intra_wait: {
      if (isa::schema(op.op().row).attr_index("pipe") < 0) {  // the pipe is a value
        signals_unknown_ = true;
        return core_.fence();
      }
      const AttrValue* written = op.attr("event_id");
      Signal signal{.op = op.index(), .set = isa::sets_signal(facts.does), .certain = certain()};
      signal.id = written != nullptr ? std::optional(written->integer) : values_.integer(op.operand(0));
      if (signal.set && op.attr("ffts_mode") != nullptr) signal.mode = op.attr_int("ffts_mode");
      signals_.push_back(signal);
      // With a mode of A2/A3 the whole core waits.
      const bool whole = !signal.set && op.attr("ffts_mode") != nullptr;
      const int on = whole ? kScalarLane : lane_of(isa::pipe_of(op));
      if (on < 0) return core_.fence();
      return signal.set ? core_.tell(on, when) : core_.hear(on, when);
    }
    case Does::wait_tiles:
    case Does::cross_set:
    case Does::cross_wait:
    case Does::sync_all:
    case Does::opaque_sync:
      signals_unknown_ = true;
      return core_.fence();
    default:
      return;
  }
}

// ---- structure

void Walk::structure(const OpView& op, Does does) {
  switch (does) {
    case Does::loop:
      if (opens_vector_scope(op)) return scope(op);
      return loop(op);
    case Does::while_loop:
      return while_loop(op);
    case Does::branch:
      return branch(op);
    case Does::call:
      return call(op);
    case Does::vecscope:
    case Does::strict_vecscope:
      return scope(op);
    case Does::section_cube:
      if (options_.kind != CoreKind::aiv) region(body_of(op));
      return;
    case Does::section_vector:
      if (options_.kind != CoreKind::aic) region(body_of(op));
      return;
    case Does::inline_region: {
      yielded_.clear();
      region(body_of(op));
      const std::vector<Known> given = take_yield();
      return results(op, given);
    }
    case Does::jump:
    case Does::cond_jump:
      return void(overrun_ = true);  // blocks are not followed
    case Does::yield:
    case Does::ret:
    case Does::condition:
      yielded_.clear();
      for (const ValueId value : op.operands(does == Does::condition ? 1 : 0))
        yielded_.push_back(values_.of(value));
      return;
    case Does::index_switch:
      return skip(op);
    default:
      return forget_results(op);
  }
}

void Walk::results(const OpView& op, std::span<const Known> values) {
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
  for (const uint32_t i : inside(program_, op)) {
    const Facts& facts = facts_.of(program_.ops[i].row);
    if (!facts.work && facts.does != Does::call && !isa::synchronises(facts.does)) continue;
    return works_[op] = true;
  }
  return false;
}

void Walk::call(const OpView& op) {
  const FunctionInfo* callee = nullptr;
  bool other_core = false;
  for (const uint32_t i : functions_.called(op, *functions_.around(op.index()))) {
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
    core_.everything_unknown();
    return forget_results(op);
  }
  const Region& body = body_of(program_, callee->op);
  const std::span<const ValueId> operands = op.operands(0);
  for (uint32_t i = 0; i < body.n_args; ++i) {
    if (i < operands.size())
      values_.set(body.first_arg + i, values_.of(operands[i]));
    else
      values_.forget(body.first_arg + i);
  }
  yielded_.clear();
  region(body);
  const std::vector<Known> given = take_yield();
  results(op, given);
}

// ---- vector scopes: one entry of PIPE_V

void Walk::scope(const OpView& op) {
  std::vector<TileAccess> accesses;
  const Region& body = body_of(op);
  const bool counted = facts_.of(op.op().row).does == Does::loop;
  for (uint32_t i = 0; i < body.n_args; ++i) {
    const std::span<const ValueId> captures = counted ? std::span<const ValueId>() : op.operands(0);
    if (i < captures.size())
      values_.set(body.first_arg + i, values_.of(captures[i]));
    else if (counted && i == 0)
      values_.set(body.first_arg, values_.of(op.operand(0)));
    else
      values_.forget(body.first_arg + i);
  }
  gather(op, accesses, body, !counted);
  forget_results(op);
  place(accesses);
  remember(now(op.index()), accesses);
  core_.work(lane_of(Pipe::v), now(op.index()), certain(), std::move(accesses), false);
}

/// The first iteration of every loop; nothing under conditions.
void Walk::gather(const OpView& scope, std::vector<TileAccess>& found, const Region& region, bool certain) {
  constexpr size_t kMaxAccesses = 64;
  for (const uint32_t i : children(program_, region)) {
    if (overrun_) break;
    if (++time_ > options_.budget) overrun_ = true;
    const OpView op(program_, i);
    const Facts& facts = facts_.of(op.op().row);
    if (facts.does == Does::loop) {
      const Region& body = body_of(op);
      const std::optional<int64_t> lower = values_.integer(op.operand(0)),
                                   upper = values_.integer(op.operand(1));
      values_.set_integer(body.first_arg, lower);
      const std::span<const ValueId> carried = op.operands(3);
      for (uint32_t k = 1; k < body.n_args; ++k) {
        if (k - 1 < carried.size()) values_.set(body.first_arg + k, values_.of(carried[k - 1]));
      }
      if (!(lower && upper && *lower >= *upper) && depth_ < kMaxDepth) {
        ++depth_;
        gather(scope, found, body, certain && lower && upper);
        --depth_;
      }
      forget_results(op);
      continue;
    }
    if (op.op().n_regions > 0 || facts.does == Does::call) {
      forget_results(op);
      continue;
    }
    const size_t first = found.size();
    if (found.size() < kMaxAccesses && facts.work) find_accesses(op, facts, values_, found);
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
bool Walk::together(const ProgramPoint& before, const ProgramPoint& now) const {
  if (before.path == now.path && before.path == 0) return true;
  const bool deeper_now = above(before.path, now.path);
  if (!deeper_now && !above(now.path, before.path)) return false;
  const Path& deeper = paths_[deeper_now ? now.path : before.path];
  if (deeper.loops == 0) return true;
  if (deeper_now) return before.time >= deeper.begin;
  return deeper.loops <= loops_.size() && loops_[deeper.loops - 1].begin == deeper.begin;
}

}  // namespace pto::legality::sync
