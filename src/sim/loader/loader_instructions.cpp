#include "sim/loader/loader_instructions.hpp"

#include <algorithm>
#include <map>

#include "analysis/data_dependence.hpp"
#include "exec/peer_access.hpp"
#include "exec/print_op.hpp"
#include "exec/simt/simt_family.hpp"
#include "ir/op_queries.hpp"
#include "sim/loader/launch_cores.hpp"
#include "sim/loader/loader_simt.hpp"
#include "sim/loader/loader_sync.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {
namespace {

using exec::ValueRef;

/// Instructions whose effect other pipes see although the scalar unit runs them.
bool touches_memory(const isa::Row& row, const OpView& view) {
  if (isa::is_scalar_memory_access(row.opcode_class)) return true;
  if (row.opcode_class == isa::OpcodeClass::atomic || row.opcode_class == isa::OpcodeClass::thread_load)
    return true;
  if (one_of(exec::comm(), row) || one_of(exec::prints(), row)) return true;
  if ((row.flags & isa::kModeWrite) != 0) return false;
  // A tile instruction on the scalar pipe (tci, tscatter on A2/A3) reads or writes tiles; descriptors only
  // rename them.
  if (row.layer != isa::Layer::tile || isa::pipe_of(view) != Pipe::s) return false;
  return !one_of(exec::descriptor(), row);
}

/// Of the two public back ends only the one for micro instructions makes a function that has some, and its
/// templates make the tile instructions there.
bool is_beside_micro(LoaderState& loader, uint32_t op) {
  const Function* function = loader.functions.enclosing_function(op);
  if (function == nullptr) return false;
  const auto [entry, first] = loader.beside_micro.try_emplace(function->info.op, false);
  if (first) {
    const std::span<const Op> body(loader.program.ops.data() + function->info.op,
                                   loader.program.ops.data() + function->end);
    entry->second = std::ranges::any_of(body, [](const Op& each) {
      const isa::Layer layer = isa::row(each.row).layer;
      return layer == isa::Layer::cube || layer == isa::Layer::dma || layer == isa::Layer::vector;
    });
  }
  return entry->second;
}

/// Run as it is, every such tile would lie at 0.
void reject_unplaced(LoaderState& loader, const OpView& view) {
  const std::string_view name = loader.program.name_of(view.result(0));
  loader.reject(view.index(), (name.empty() ? std::string("a tile") : "%" + std::string(name)) +
                                  " has no address: let plan() place the tiles first, or write addr = ..");
}

bool needs_data(const exec::Inst& inst) {
  const auto is_data = [](const ValueRef& v) {
    return v.type->kind == TypeKind::vreg || v.type->kind == TypeKind::ptr ||
           v.type->kind == TypeKind::align || v.type->kind == TypeKind::tile_buf ||
           v.type->kind == TypeKind::memref || v.type->kind == TypeKind::mask;
  };
  if (std::any_of(inst.values.begin(), inst.values.end(), is_data)) {
    // A post-updated pointer is a scalar result the loop goes on with.
    return std::none_of(inst.results.begin(), inst.results.end(),
                        [](const ValueRef& v) { return v.type->kind == TypeKind::ptr; });
  }
  return std::none_of(inst.results.begin(), inst.results.end(),
                      [](const ValueRef& v) { return v.type->kind == TypeKind::scalar; });
}

bool has_unknown_extent(LoaderState& loader, const OpView& view) {
  const auto any_unknown = [&](unsigned slot) {
    const std::span<const ValueId> values = view.operands(slot);
    return std::any_of(values.begin(), values.end(), [&](ValueId v) { return loader.is_unknown(v); });
  };
  const isa::OpcodeClass opcode_class = isa::opcode_class(view);
  if (opcode_class == isa::OpcodeClass::alloc_tile || opcode_class == isa::OpcodeClass::set_extents)
    return any_unknown(1) || any_unknown(2);
  if (opcode_class == isa::OpcodeClass::partition) return any_unknown(2);
  if (opcode_class == isa::OpcodeClass::slot) return any_unknown(1);
  const isa::Schema& schema = isa::schema(view.op().row);
  if (schema.row->layer != isa::Layer::dma && schema.row->layer != isa::Layer::cube) return false;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (view.type(slot).kind == TypeKind::scalar && is_integer(view.type(slot).elem) && any_unknown(slot))
      return true;
  }
  return false;
}

void load_direct(LoaderState& loader, const OpView& view, Pipe pipe) {
  exec::Inst inst = make_inst(loader, view, pipe);
  check_semantics(loader, view, inst);
  place_in_frame(loader, inst, view);
  const bool timed = !loader.frame.in_vector_function() && touches_memory(*inst.schema->row, view);
  BytecodeInst& code = loader.code.emit_inst(timed ? OpCode::exec_timed : OpCode::exec, inst);
  if (pipe != Pipe::none) code.flags |= kCountsCycle;
  if ((inst.schema->row->flags & isa::kModeWrite) != 0) code.flags |= kWritesMode;
  code.lane = static_cast<uint8_t>(loader.frame.in_vector_function() ? lane_of(Pipe::v) : kScalarLane);
  if (loader.frame.in_vector_function() && pipe == Pipe::v) {
    loader.code.rows.insert(inst.row);
    if (needs_data(inst)) code.flags |= kUnknown;
  }
  if (timed && !inst.schema->row->cost.empty() && !timing::engine_timed(inst.schema->row->cost)) {
    code.flags |= kHasCost;
    loader.code.rows.insert(inst.row);
  }
  if (!loader.frame.in_vector_function() && has_unknown_extent(loader, view)) code.flags |= kUnknown;
  if (timed && loads_data(isa::opcode_class(view))) code.flags |= kUnknown;
  if (timed && view.op().n_results == 0)
    code.flags |= kUnknown;  // a store of a scalar: no memory in time mode
}

/// What is printed of a tile or view is there when every pipe has finished.
void load_print(LoaderState& loader, const OpView& view) {
  if (loader.frame.in_vector_function())
    return loader.refuse(view.index(), "inside a vecscope is not supported");
  if (view.type(0).kind != TypeKind::scalar) emit_barrier(loader, view, Pipe::all);
  load_direct(loader, view, Pipe::s);
}

void load_queued(LoaderState& loader, const OpView& view, Pipe pipe, int lane,
                 const exec::HiddenWork* hidden) {
  Queued queued;
  queued.inst = make_inst(loader, view, pipe);
  check_semantics(loader, view, queued.inst);
  std::map<ValueId, uint32_t> places;
  const ValueOffset operand = [&](ValueId value) {
    const auto found = places.find(value);
    if (found != places.end()) return found->second;
    const uint32_t words = exec::words_of(loader.program.type_of(value)), to = queued.block_words;
    append_copy(queued.captures, {loader.frame.scalar.at(value), to, words});
    queued.block_words += words;
    places.emplace(value, to);
    return to;
  };
  const ValueOffset result = [&](ValueId value) {
    const uint32_t words = exec::words_of(loader.program.type_of(value)), to = queued.block_words;
    queued.block_words += words;
    queued.results.push_back({to, loader.frame.scalar.at(value), words});
    return to;
  };
  place_values(loader, queued.inst, view, operand, result);
  if (const isa::UnitFlag unit = isa::unit_flag(view);
      unit.phase != isa::UnitFlag::Phase::none && (pipe == Pipe::m || pipe == Pipe::fix)) {
    queued.unit_flag = unit.phase;
    queued.accumulator = queued.inst.values[queued.inst.slot_begin[unit.slot]].offset;
  }
  queued.reaches_gm = reaches_gm(queued.inst);
  loader.code.rows.insert(queued.inst.row);
  queued.hidden = hidden;
  loader.code.emit_queued(view.index(), OpCode::enqueue, lane, std::move(queued));
  if (has_unknown_extent(loader, view)) loader.role.code.back().flags |= kUnknown;
}

void load_own(LoaderState& loader, const OpView& view, Pipe pipe, const exec::HiddenWork* hidden) {
  const isa::Row& row = isa::row(view.op().row);
  if (pipe == Pipe::s) {
    load_direct(loader, view, pipe);
    // The word is written first, and the pipes are waited for behind it: pto-isa
    // include/pto/comm/a2a3/TNotify.hpp:64.
    if (one_of(exec::notifies(), row)) emit_barrier(loader, view, Pipe::all);
    return;
  }
  if (row.scope == isa::Scope::inside)
    return loader.reject(view.index(), "vector instruction outside of a vecscope");
  const int lane = lane_of(pipe);
  if (lane == kNoLane)
    return loader.refuse(view.index(), "runs on " + std::string(to_string(pipe)) + ", which no core has");
  load_queued(loader, view, pipe, lane, hidden);
}

void load_scalar_phase(LoaderState& loader, const OpView& view, const exec::HiddenWork& work,
                       const isa::Phase* phase) {
  ScalarPhase built{.inst = make_inst(loader, view, Pipe::s), .work = &work, .phase = phase};
  const auto own = std::ranges::find_if(work.phases.phases, &isa::Phase::rest);
  built.late = phase != nullptr && own != work.phases.phases.end() && phase > &*own;
  if (phase != nullptr) {
    place_values(
        loader, built.inst, view, [&](ValueId v) { return loader.frame.at(v); },
        [](ValueId) { return uint32_t{0}; });
  }
  loader.code.emit(OpCode::phase, view.index()).inst = static_cast<uint32_t>(loader.role.phases.size());
  loader.role.phases.push_back(std::move(built));
}

void emit_own_flag(LoaderState& loader, const OpView& view, const isa::InternalEvent& event) {
  for (const OpCode op : {OpCode::set_flag, OpCode::wait_flag}) {
    BytecodeInst& code = loader.code.emit(op, view.index());
    code.src = static_cast<uint8_t>(lane_of(event.source));
    code.dst = static_cast<uint8_t>(lane_of(event.destination));
    code.lane = op == OpCode::set_flag ? code.src : code.dst;
    code.id = static_cast<int16_t>(event.id);
    code.flags |= kOwnFlag;
  }
}

/// What phases on other pipes touch is touched by the instruction itself too, behind them: their flags say
/// what they are ordered with.
void load_in_phases(LoaderState& loader, const OpView& view, Pipe pipe, const exec::HiddenWork& work) {
  const std::vector<isa::Phase>& phases = work.phases.phases;
  const std::vector<std::vector<isa::InternalEvent>> events = work.phases.events_in_order();
  if (!work.phases.events.empty()) load_scalar_phase(loader, view, work, nullptr);
  if (phases.empty()) return load_own(loader, view, pipe, &work);
  bool scalar_in_front = false;  // its stores are there when the next entry runs
  for (size_t i = 0; i < phases.size(); ++i) {
    const Pipe on = phases[i].pipe;
    const bool queued = phases[i].rest && on != Pipe::s;
    for (const isa::InternalEvent& event : events[i]) {
      if (!(queued && scalar_in_front && event.source == Pipe::s)) emit_own_flag(loader, view, event);
    }
    if (phases[i].rest) {
      load_own(loader, view, on, &work);
      if (queued && scalar_in_front && !loader.role.code.empty())
        loader.role.code.back().flags |= kAfterPhase;
    } else if (work.works_on_scalar(phases[i])) {
      load_scalar_phase(loader, view, work, &phases[i]);
    }
    scalar_in_front = on == Pipe::s;
  }
  for (const isa::InternalEvent& event : events.back()) emit_own_flag(loader, view, event);
}

}  // namespace

bool one_of(std::span<const exec::Semantics> family, const isa::Row& row) {
  return std::ranges::any_of(family, [&](const exec::Semantics& s) { return s.name == row.name; });
}

exec::Inst make_inst(LoaderState& loader, const OpView& view, Pipe pipe) {
  exec::Inst inst;
  inst.pc = view.index();
  inst.row = view.op().row;
  inst.pipe = pipe;
  inst.schema = &isa::schema(inst.row);
  inst.fn = exec::find(inst.schema->row->name);
  inst.beside_micro = loader.a5 && is_beside_micro(loader, inst.pc);
  std::vector<AttrValue> attrs(inst.schema->attrs.size());
  std::vector<uint8_t> written(attrs.size(), 0);
  for (size_t i = 0; i < attrs.size(); ++i) {
    attrs[i].integer = inst.schema->attrs[i].default_int;
    if (const AttrValue* value = view.attr(static_cast<unsigned>(i))) {
      attrs[i] = *value;
      if (value->kind == AttrValue::Kind::unit) attrs[i].integer = 1;
      written[i] = 1;
    }
  }
  inst.attrs = loader.kernel.attr_arena.emplace_back(std::move(attrs));
  inst.attr_set = loader.kernel.set_arena.emplace_back(std::move(written));
  return inst;
}

void place_values(LoaderState& loader, exec::Inst& inst, const OpView& view, const ValueOffset& operand,
                  const ValueOffset& result) {
  std::vector<uint32_t> slots;
  std::vector<ValueRef> values, results;
  for (unsigned slot = 0; slot < inst.schema->operands.size(); ++slot) {
    slots.push_back(static_cast<uint32_t>(values.size()));
    for (const ValueId value : view.operands(slot))
      values.push_back({operand(value), &loader.program.type_of(value)});
  }
  slots.push_back(static_cast<uint32_t>(values.size()));
  for (uint32_t r = 0; r < view.op().n_results; ++r)
    results.push_back({result(view.result(r)), &view.result_type(r)});
  inst.slot_begin = loader.kernel.slot_arena.emplace_back(std::move(slots));
  inst.values = loader.kernel.ref_arena.emplace_back(std::move(values));
  inst.results = loader.kernel.ref_arena.emplace_back(std::move(results));
}

void place_in_frame(LoaderState& loader, exec::Inst& inst, const OpView& view) {
  const auto operand = [&](ValueId value) { return loader.frame.at(value); };
  const auto result = [&](ValueId value) { return loader.frame.define(value); };
  place_values(loader, inst, view, operand, result);
}

void check_semantics(LoaderState& loader, const OpView& view, const exec::Inst& inst) {
  // Buffers that stand for tiles or views, and types of other dialects.
  const bool windows_only = one_of(exec::comm(), *inst.schema->row);
  const auto carried_out = [&](const Type& type, const isa::OperandSpec& spec) {
    if (type.kind == TypeKind::opaque) return exec::is_pointer(type);
    if (windows_only && type.kind == TypeKind::memref) return false;
    if (type.kind != TypeKind::memref) return true;
    const bool in_gm = type.space == Space::none || type.space == Space::gm;  // a view like any other
    const uint32_t views = in_gm && type.text.empty() ? isa::kView | isa::kTView : 0;
    return (spec.kinds & (isa::kMemRef | isa::kAny | views)) != 0;
  };
  const isa::Schema& schema = *inst.schema;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : view.operands(slot)) {
      if (carried_out(loader.program.type_of(value), schema.operands[slot])) continue;
      const std::string name = loader.program.name_of(value).empty()
                                   ? "an operand"
                                   : "%" + std::string(loader.program.name_of(value));
      return loader.refuse(view.index(), "with " + name + " of type " +
                                             to_string(loader.program.type_of(value)) +
                                             " is not supported by the simulator yet");
    }
  }
  for (uint32_t r = 0; r < view.op().n_results; ++r) {
    if (view.result_type(r).kind == TypeKind::opaque && !exec::is_pointer(view.result_type(r)))
      return loader.refuse(view.index(),
                           "to " + to_string(view.result_type(r)) + " is not supported by the simulator yet");
  }
}

void load_instruction(LoaderState& loader, const OpView& view) {
  // First of all: what is not there at all has no pipe and no place either.
  const isa::Row& row = isa::row(view.op().row);
  if ((row.flags & isa::kNotExecuted) != 0 || exec::find(row.name) == nullptr || view.op().n_regions != 0)
    return loader.refuse(view.index(), "is not supported by the simulator yet");
  if (loader.threads.active) return load_thread_instruction(loader, view);
  if (one_of(exec::thread_values(), row) || one_of(exec::lane_exchange(), row))
    return loader.refuse(view.index(), "belongs to SIMT threads");
  if (one_of(exec::prints(), row)) return load_print(loader, view);
  const Pipe pipe = isa::pipe_of(view);
  if (row.opcode_class == isa::OpcodeClass::alloc_tile && view.operand(0) == kNoValue)
    return reject_unplaced(loader, view);
  if (loader.frame.in_vector_function() || pipe == Pipe::none) return load_direct(loader, view, pipe);
  exec::HiddenWork work = exec::hidden_work(view);
  if (!work.any()) return load_own(loader, view, pipe, nullptr);
  const exec::HiddenWork& hidden = loader.kernel.hidden_arena.emplace_back(std::move(work));
  loader.role.own_flags = loader.role.own_flags || !hidden.phases.events.empty();
  if (hidden.phases.phases.empty() && pipe != Pipe::s) return load_own(loader, view, pipe, &hidden);
  load_in_phases(loader, view, pipe, hidden);
}

}  // namespace pto::sim
