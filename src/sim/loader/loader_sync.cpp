#include "sim/loader/loader_sync.hpp"

#include <string>

#include "ir/op_queries.hpp"
#include "sim/loader/launch_cores.hpp"
#include "sim/loader/loader_instructions.hpp"

namespace pto::sim {
namespace {

using isa::OpcodeClass;

Pipe find_pipe(LoaderState& loader, const OpView& view, std::string_view attribute) {
  const AttrValue* value = view.attr(attribute);
  const std::optional<Pipe> pipe =
      value == nullptr ? std::nullopt : named_pipe(loader.program, view, attribute, *value);
  if (!pipe) loader.reject(view.index(), "'" + std::string(attribute) + "' names no pipe");
  return pipe.value_or(Pipe::s);
}

uint8_t find_lane(LoaderState& loader, const OpView& view, std::string_view attribute) {
  const Pipe pipe = find_pipe(loader, view, attribute);
  const int lane = lane_of(pipe);
  if (lane != kNoLane) return static_cast<uint8_t>(lane);
  loader.refuse(view.index(), "with a pipe that no core has is not supported");
  return kScalarLane;
}

void set_id(LoaderState& loader, const OpView& view, BytecodeInst& code, std::string_view attribute,
            unsigned slot) {
  const bool dynamic = slot < isa::schema(view.op().row).operands.size() && !view.operands(slot).empty();
  if (!dynamic) {
    code.id = static_cast<int16_t>(view.attr_int(attribute));
    return;
  }
  const ValueId value = view.operand(slot);
  code.flags |= kDynamicId;
  if (loader.is_unknown(value)) code.flags |= kUnknown;
  code.a = loader.frame.scalar.at(value);
}

/// The older spellings name the pipe by a number, and the id is a value.
constexpr std::string_view kNumberOfPipe = "pipe", kCore = "core_id";

int slot_named(const OpView& view, std::string_view name) {
  return isa::schema(view.op().row).operand_slot(name);
}

uint8_t find_signal_lane(LoaderState& loader, const OpView& view, bool set) {
  if (isa::schema(view.op().row).attr_index("pipe") >= 0) return find_lane(loader, view, "pipe");
  const int slot = slot_named(view, set && slot_named(view, kCore) >= 0 ? kCore : kNumberOfPipe);
  if (slot < 0) return kScalarLane;  // the whole core waits
  const std::optional<int64_t> number =
      loader.frame.known_constant(view.operand(static_cast<unsigned>(slot)));
  const int lane = number ? lane_of(static_cast<Pipe>(*number)) : kNoLane;
  if (lane != kNoLane) return static_cast<uint8_t>(lane);
  loader.refuse(view.index(), "with a pipe that is not known before the run is not supported");
  return kScalarLane;
}

}  // namespace

void reject_in_vector_function(LoaderState& loader, const OpView& view) {
  if (loader.frame.in_vector_function())
    loader.reject(view.index(), std::string(view.mnemonic()) + " inside a vecscope; synchronise around it");
}

void emit_barrier(LoaderState& loader, const OpView& view, Pipe pipe) {
  reject_in_vector_function(loader, view);
  const int lane = lane_of(pipe);
  if (lane == kNoLane && pipe != Pipe::all)
    return loader.refuse(view.index(), "with a pipe that no core has is not supported");
  BytecodeInst& code =
      loader.code.emit(pipe == Pipe::all ? OpCode::barrier_all : OpCode::barrier, view.index());
  code.lane = static_cast<uint8_t>(pipe == Pipe::all ? kScalarLane : lane);
}

void load_flag(LoaderState& loader, const OpView& view) {
  reject_in_vector_function(loader, view);
  const OpcodeClass opcode_class = isa::opcode_class(view);
  const bool event = opcode_class == OpcodeClass::record_event || opcode_class == OpcodeClass::wait_event;
  const bool set = opcode_class == OpcodeClass::record_event || opcode_class == OpcodeClass::set_flag ||
                   opcode_class == OpcodeClass::set_flag_dyn;
  const uint8_t dst = find_lane(loader, view, event ? "dst_op" : "dst_pipe");
  const uint8_t src = find_lane(loader, view, event ? "src_op" : "src_pipe");
  BytecodeInst code;
  code.op = set ? OpCode::set_flag : OpCode::wait_flag;
  code.pc = view.index();
  code.src = src;
  code.dst = dst;
  code.lane = set ? src : dst;
  set_id(loader, view, code, "event_id", 0);
  loader.role.code.push_back(code);
}

void load_barrier(LoaderState& loader, const OpView& view) {
  const OpcodeClass opcode_class = isa::opcode_class(view);
  Pipe pipe = Pipe::all;
  if (opcode_class == OpcodeClass::barrier) pipe = find_pipe(loader, view, "pipe");
  if (opcode_class == OpcodeClass::barrier_kind) pipe = find_pipe(loader, view, "op_type");
  emit_barrier(loader, view, pipe);
}

void load_memory_barrier(LoaderState& loader, const OpView& view) {
  if (!loader.frame.in_vector_function()) return;
  loader.code.emit_inst(OpCode::memory_barrier, make_inst(loader, view, Pipe::v));
  loader.code.rows.insert(view.op().row);
}

void load_buffer(LoaderState& loader, const OpView& view) {
  reject_in_vector_function(loader, view);
  const bool get = isa::opcode_class(view) == OpcodeClass::get_buf;
  const uint8_t lane = find_lane(loader, view, "op_type");
  const bool fixed = isa::schema(view.op().row).attr_index("buf_id") >= 0;
  const std::optional<int64_t> known =
      fixed ? std::optional(view.attr_int("buf_id")) : loader.frame.known_constant(view.operand(0));
  if (known && (*known < 0 || *known >= loader.machine.buffer_ids)) {
    return loader.reject(view.index(), "buffer id " + std::to_string(*known) + "; the target has ids 0.." +
                                           std::to_string(loader.machine.buffer_ids - 1));
  }
  if (get) {
    for (int id = 0; id < loader.machine.buffer_ids; ++id) {
      if (!known || *known == id)
        loader.role.buffer_getters[static_cast<size_t>(id)] |= static_cast<uint8_t>(1u << lane);
    }
  }
  const int64_t mode = view.attr_int("mode");
  BytecodeInst& code = loader.code.emit(get ? OpCode::get_buf : OpCode::rls_buf, view.index());
  code.lane = lane;
  code.b = static_cast<uint32_t>(mode);
  if (known)
    code.id = static_cast<int16_t>(*known);
  else
    set_id(loader, view, code, {}, 0);
}

void load_sync(LoaderState& loader, const OpView& view) {
  reject_in_vector_function(loader, view);
  const OpcodeClass opcode_class = isa::opcode_class(view);
  const AttrValue* written =
      isa::schema(view.op().row).attr_index("ffts_mode") < 0 ? nullptr : view.attr("ffts_mode");
  const bool crosses = opcode_class == OpcodeClass::cross_set || opcode_class == OpcodeClass::cross_wait;
  const bool sets = opcode_class == OpcodeClass::sync_set || opcode_class == OpcodeClass::intra_set ||
                    opcode_class == OpcodeClass::cross_set;
  const bool older = isa::schema(view.op().row).attr_index("pipe") < 0;
  BytecodeInst code;
  code.op = sets ? OpCode::sync_set : OpCode::sync_wait;
  code.pc = view.index();
  code.lane = find_signal_lane(loader, view, sets);
  if (older) {
    const bool one = isa::schema(view.op().row).operands.size() == 1;
    set_id(loader, view, code, "", one ? 0 : 1);
  } else {
    set_id(loader, view, code, "event_id", 0);
  }
  const bool named = opcode_class == OpcodeClass::sync_set || opcode_class == OpcodeClass::sync_wait;
  if (crosses)
    code.b = kAllOfKind;
  else if (loader.a5 && (!named || written == nullptr))
    code.b = kOneToOne;
  else
    code.b = named && written != nullptr ? static_cast<uint32_t>(written->integer) : kCubeAndVector;
  loader.role.code.push_back(code);
}

void load_sync_all(LoaderState& loader, const OpView& view) {
  enum Mode : int64_t { kHard, kSoft };
  enum Kind : int64_t { kVectorOnly, kCubeOnly, kBothKinds };
  constexpr int kCubeId = 11, kVectorId = 12, kReleaseId = 13, kVectorOnlyId = 14, kSecondVector = 16;
  emit_barrier(loader, view, Pipe::all);
  const int64_t kind = view.attr_int("core_type");
  const bool cube = loader.role.kind != CoreKind::aiv, vector = loader.role.kind != CoreKind::aic;
  if ((kind == kVectorOnly && !vector) || (kind == kCubeOnly && !cube)) return;
  if (view.attr_int("mode") == kSoft) {
    BytecodeInst code;
    code.op = OpCode::meet;
    code.pc = view.index();
    code.a = loader.frame.scalar.at(view.operand(0));
    code.b = view.operand(1) == kNoValue ? ~0u : loader.frame.scalar.at(view.operand(1));
    code.c = kind == kBothKinds ? static_cast<uint32_t>(0) : 1;
    loader.role.code.push_back(code);
    return;
  }
  const auto each = [&](OpCode op, Pipe pipe, int id, uint32_t mode) {
    BytecodeInst& code = loader.code.emit(op, view.index());
    code.lane = static_cast<uint8_t>(lane_of(pipe));
    code.id = static_cast<int16_t>(id);
    code.b = mode;
  };
  const auto meet = [&](Pipe pipe, int id) {
    each(OpCode::sync_set, pipe, id, kAllOfKind);
    each(OpCode::sync_wait, Pipe::s, id, kAllOfKind);
  };
  const uint32_t pair = loader.a5 ? kOneToOne : kCubeAndVector;
  if (kind == kVectorOnly) return meet(Pipe::mte3, kVectorOnlyId);
  if (kind == kCubeOnly || loader.role.kind == CoreKind::mixed) return meet(Pipe::fix, kCubeId);
  if (vector) {
    each(OpCode::sync_set, Pipe::mte3, kVectorId, pair);
    each(OpCode::sync_wait, Pipe::s, kReleaseId, pair);
    return;
  }
  each(OpCode::sync_wait, Pipe::s, kVectorId, pair);
  if (loader.a5) each(OpCode::sync_wait, Pipe::s, kVectorId + kSecondVector, pair);
  meet(Pipe::fix, kCubeId);
  each(OpCode::sync_set, loader.a5 ? Pipe::s : Pipe::mte3, kReleaseId, pair);
  if (loader.a5) each(OpCode::sync_set, Pipe::s, kReleaseId + kSecondVector, pair);
}

}  // namespace pto::sim
