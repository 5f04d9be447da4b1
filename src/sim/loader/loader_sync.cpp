// Loader: synchronisation of the pipes of a core, and of cores.
#include <string>

#include "exec/scalar/tile_queue.hpp"
#include "ir/op_queries.hpp"
#include "sim/loader/core_loader.hpp"
#include "sim/loader/launch_cores.hpp"

namespace pto::sim {

/// Between the scalar unit's own accesses, outside of vector scopes, nothing has to be held.
void CoreKindLoader::load_mem_bar(const OpView& view) {
  if (!in_vf()) return;
  emit(OpCode::memory_barrier, view.index()).inst = static_cast<uint32_t>(role_.insts.size());
  role_.insts.push_back(make_inst(view, Pipe::v));
  rows_.insert(role_.insts.back().row);
}

void CoreKindLoader::no_sync_in_vf(const OpView& view) {
  if (in_vf())
    reject(view.index(), std::string(view.mnemonic()) + " inside a vecscope; synchronise around it");
}

uint8_t CoreKindLoader::lane_attr(const OpView& view, std::string_view attribute) {
  const Pipe pipe = pipe_attr(view, attribute);
  const int lane = lane_of(pipe);
  if (lane != kNoLane) return static_cast<uint8_t>(lane);
  refuse(view.index(), "with a pipe that no core has is not supported");
  return kScalarLane;
}

Pipe CoreKindLoader::pipe_attr(const OpView& view, std::string_view attribute) {
  const AttrValue* value = view.attr(attribute);
  const std::optional<Pipe> pipe = value == nullptr ? std::nullopt : named_pipe(p_, view, attribute, *value);
  if (!pipe) reject(view.index(), "'" + std::string(attribute) + "' names no pipe");
  return pipe.value_or(Pipe::s);
}

void CoreKindLoader::take_id(const OpView& view, BytecodeInst& code, std::string_view attribute,
                             unsigned slot) {
  const bool dynamic = slot < isa::schema(view.op().row).operands.size() && !view.operands(slot).empty();
  if (!dynamic) {
    code.id = static_cast<int16_t>(view.attr_int(attribute));
    return;
  }
  const ValueId value = view.operand(slot);
  code.flags |= kDynamicId;
  if (unknown(value)) code.flags |= kUnknown;
  code.a = su_.at(value);
}

void CoreKindLoader::emit_flag(const OpView& view, bool set, uint8_t src, uint8_t dst) {
  BytecodeInst code;
  code.op = set ? OpCode::set_flag : OpCode::wait_flag;
  code.pc = view.index();
  code.src = src;
  code.dst = dst;
  code.lane = set ? src : dst;
  take_id(view, code, "event_id", 0);
  role_.code.push_back(code);
}

void CoreKindLoader::load_set_flag(const OpView& view) {
  no_sync_in_vf(view);
  emit_flag(view, true, lane_attr(view, "src_pipe"), lane_attr(view, "dst_pipe"));
}

void CoreKindLoader::load_wait_flag(const OpView& view) {
  no_sync_in_vf(view);
  emit_flag(view, false, lane_attr(view, "src_pipe"), lane_attr(view, "dst_pipe"));
}

void CoreKindLoader::load_record_event(const OpView& view) {
  no_sync_in_vf(view);
  emit_flag(view, true, lane_attr(view, "src_op"), lane_attr(view, "dst_op"));
}

void CoreKindLoader::load_wait_event(const OpView& view) {
  no_sync_in_vf(view);
  emit_flag(view, false, lane_attr(view, "src_op"), lane_attr(view, "dst_op"));
}

void CoreKindLoader::emit_barrier(const OpView& view, Pipe pipe) {
  no_sync_in_vf(view);
  const int lane = lane_of(pipe);
  if (lane == kNoLane && pipe != Pipe::all)
    return refuse(view.index(), "with a pipe that no core has is not supported");
  BytecodeInst& code = emit(pipe == Pipe::all ? OpCode::barrier_all : OpCode::barrier, view.index());
  code.lane = static_cast<uint8_t>(pipe == Pipe::all ? kScalarLane : lane);
}

void CoreKindLoader::emit_buffer(const OpView& view, OpCode op) {
  no_sync_in_vf(view);
  const uint8_t lane = lane_attr(view, "op_type");
  const bool fixed = isa::schema(view.op().row).attr_index("buf_id") >= 0;
  const std::optional<int64_t> known =
      fixed ? std::optional(view.attr_int("buf_id")) : known_constant(view.operand(0));
  if (known && (*known < 0 || *known >= machine_.buffer_ids)) {
    return reject(view.index(), "buffer id " + std::to_string(*known) + "; the target has ids 0.." +
                                    std::to_string(machine_.buffer_ids - 1));
  }
  if (op == OpCode::get_buf) {
    for (int id = 0; id < machine_.buffer_ids; ++id) {
      if (!known || *known == id)
        role_.buffer_getters[static_cast<size_t>(id)] |= static_cast<uint8_t>(1u << lane);
    }
  }
  const int64_t mode = view.attr_int("mode");
  BytecodeInst& code = emit(op, view.index());
  code.lane = lane;
  code.b = static_cast<uint32_t>(mode);
  if (known)
    code.id = static_cast<int16_t>(*known);
  else
    take_id(view, code, {}, 0);
}

// ---- between cores

namespace {

/// The older spellings name the pipe by a number, and the id is a value.
constexpr std::string_view kNumberOfPipe = "pipe", kCore = "core_id";

int slot_named(const OpView& view, std::string_view name) {
  return isa::schema(view.op().row).operand_slot(name);
}

}  // namespace

uint8_t CoreKindLoader::signal_lane(const OpView& view, bool set) {
  if (isa::schema(view.op().row).attr_index("pipe") >= 0) return lane_attr(view, "pipe");
  const int slot = slot_named(view, set && slot_named(view, kCore) >= 0 ? kCore : kNumberOfPipe);
  if (slot < 0) return kScalarLane;  // the whole core waits
  const std::optional<int64_t> number = known_constant(view.operand(static_cast<unsigned>(slot)));
  const int lane = number ? lane_of(static_cast<Pipe>(*number)) : kNoLane;
  if (lane != kNoLane) return static_cast<uint8_t>(lane);
  refuse(view.index(), "with a pipe that is not known before the run is not supported");
  return kScalarLane;
}

/// A5 knows signals of one core to one other, and those that A2/A3 has too; sync.set and sync.wait without a
/// mode are the former there.
void CoreKindLoader::load_sync(const OpView& view, OpCode op) {
  no_sync_in_vf(view);
  const isa::OpcodeClass opcode_class = isa::opcode_class(view);
  const AttrValue* written =
      isa::schema(view.op().row).attr_index("ffts_mode") < 0 ? nullptr : view.attr("ffts_mode");
  const bool crosses =
      opcode_class == isa::OpcodeClass::cross_set || opcode_class == isa::OpcodeClass::cross_wait;
  const bool older = isa::schema(view.op().row).attr_index("pipe") < 0;
  BytecodeInst code;
  code.op = op;
  code.pc = view.index();
  code.lane = signal_lane(view, op == OpCode::sync_set);
  if (older) {
    const bool one = isa::schema(view.op().row).operands.size() == 1;
    take_id(view, code, "", one ? 0 : 1);
  } else {
    take_id(view, code, "event_id", 0);
  }
  const bool named =
      opcode_class == isa::OpcodeClass::sync_set || opcode_class == isa::OpcodeClass::sync_wait;
  if (crosses)
    code.b = kAllOfKind;
  else if (a5_ && (!named || written == nullptr))
    code.b = kOneToOne;
  else
    code.b = named && written != nullptr ? static_cast<uint32_t>(written->integer) : kCubeAndVector;
  role_.code.push_back(code);
}

/// What the library makes of it: every pipe finishes, then cores of one kind signal each other; where both
/// kinds take part, the vector cores tell their cube core first and are told by it last.
void CoreKindLoader::load_sync_all(const OpView& view) {
  enum Mode : int64_t { kHard, kSoft };
  enum Kind : int64_t { kVectorOnly, kCubeOnly, kBothKinds };
  constexpr int kCubeId = 11, kVectorId = 12, kReleaseId = 13, kVectorOnlyId = 14, kSecondVector = 16;
  emit_barrier(view, Pipe::all);
  const int64_t kind = view.attr_int("core_type");
  const bool cube = role_.kind != CoreKind::aiv, vector = role_.kind != CoreKind::aic;
  if ((kind == kVectorOnly && !vector) || (kind == kCubeOnly && !cube)) return;
  if (view.attr_int("mode") == kSoft) {
    BytecodeInst code;
    code.op = OpCode::meet;
    code.pc = view.index();
    code.a = su_.at(view.operand(0));
    code.b = view.operand(1) == kNoValue ? ~0u : su_.at(view.operand(1));
    code.c = kind == kBothKinds ? static_cast<uint32_t>(0) : 1;
    role_.code.push_back(code);
    return;
  }
  const auto each = [&](OpCode op, Pipe pipe, int id, uint32_t mode) {
    BytecodeInst& code = emit(op, view.index());
    code.lane = static_cast<uint8_t>(lane_of(pipe));
    code.id = static_cast<int16_t>(id);
    code.b = mode;
  };
  const auto meet = [&](Pipe pipe, int id) {
    each(OpCode::sync_set, pipe, id, kAllOfKind);
    each(OpCode::sync_wait, Pipe::s, id, kAllOfKind);
  };
  const uint32_t pair = a5_ ? kOneToOne : kCubeAndVector;
  if (kind == kVectorOnly) return meet(Pipe::mte3, kVectorOnlyId);
  if (kind == kCubeOnly || role_.kind == CoreKind::mixed) return meet(Pipe::fix, kCubeId);
  if (vector) {
    each(OpCode::sync_set, Pipe::mte3, kVectorId, pair);
    each(OpCode::sync_wait, Pipe::s, kReleaseId, pair);
    return;
  }
  each(OpCode::sync_wait, Pipe::s, kVectorId, pair);
  if (a5_) each(OpCode::sync_wait, Pipe::s, kVectorId + kSecondVector, pair);
  meet(Pipe::fix, kCubeId);
  each(OpCode::sync_set, a5_ ? Pipe::s : Pipe::mte3, kReleaseId, pair);
  if (a5_) each(OpCode::sync_set, Pipe::s, kReleaseId + kSecondVector, pair);
}

}  // namespace pto::sim
