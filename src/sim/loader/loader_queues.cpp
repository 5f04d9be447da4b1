#include "sim/loader/loader_queues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "exec/scalar/tile_queue.hpp"
#include "ir/op_queries.hpp"
#include "sim/loader/loader_sync.hpp"
#include "support/saturating.hpp"

namespace pto::sim {
namespace {

using exec::QueueParameters, exec::QueueStep, exec::ValueRef;

struct Channel {
  const QueueEnd* end = nullptr;
  uint32_t index = 0;  ///< in Kernel::channels
  bool to_vector = false, in_gm = false, on_vector = false;
  int64_t split = 0;
  ValueId local = kNoValue;
  uint32_t signal = 0;  ///< word: whether to wait for, or give, a free slot
  uint32_t moved = 0, freed = 0;
  int ready = 0, free = 0;
};

ValueId operand_named(const OpView& op, std::string_view name) {
  const int slot = isa::schema(op.op().row).operand_slot(name);
  return slot < 0 ? kNoValue : op.operand(static_cast<unsigned>(slot));
}

/// The tile or view that the operation sends, receives or takes.
ValueId entry_of(const OpView& op) {
  if (op.op().n_results != 0) return op.result(0);
  const ValueId tile = operand_named(op, "tile");
  return tile != kNoValue ? tile : operand_named(op, "entry");
}

const Type kWord = scalar_type(Elem::i64);

std::optional<Channel> find_channel(LoaderState& loader, const OpView& view) {
  reject_in_vector_function(loader, view);
  Channel channel;
  channel.end = loader.queues->facts.end_of(view.index());
  if (channel.end == nullptr) {
    loader.reject(view.index(), "no queue belongs to this");
    return std::nullopt;
  }
  const QueueRow row = queue_row(view.op().row);
  const isa::OpcodeClass opcode_class = isa::opcode_class(view);
  const bool sends =
      opcode_class == isa::OpcodeClass::queue_alloc || opcode_class == isa::OpcodeClass::queue_push;
  channel.on_vector = loader.role.kind == CoreKind::aiv;
  channel.to_vector = row.frontend ? row.to_vector : sends != channel.on_vector;
  channel.split = view.attr_int("split");
  const QueueEnd& end = *channel.end;
  const auto index = static_cast<size_t>(channel.end - loader.queues->facts.ends.data());
  const auto signal = loader.channel_signals.find({index, channel.to_vector});
  if (signal == loader.channel_signals.end()) {
    loader.reject(view.index(), "the queue is not set up on this core, or not in this direction");
    return std::nullopt;
  }
  channel.signal = signal->second;
  const uint32_t leader = loader.queues->facts.ends[end.group].op;
  const auto found = std::ranges::find_if(loader.kernel.channels, [&](const QueueChannel& c) {
    return c.end == leader && c.to_vector == channel.to_vector;
  });
  channel.index = static_cast<uint32_t>(found - loader.kernel.channels.begin());
  channel.ready = found->ready;
  channel.free = found->free;
  channel.moved = loader.role.queue_counts[channel.index].moved;
  channel.freed = loader.role.queue_counts[channel.index].freed;
  const bool through_gm = end.global != kNoValue;
  channel.in_gm = through_gm && (!loader.a5 || !end.frontend || loader.program.type_of(end.global).is_view());
  channel.local = end.directions == 3 && !channel.to_vector ? end.peer_local : end.local;
  if (channel.split > 2 && !channel.in_gm) {
    loader.refuse(view.index(),
                  fmt::format("with split = {} and slots on chip is not supported by the simulator yet",
                              channel.split));
    return std::nullopt;
  }
  return channel;
}

ValueRef reserve_temporary(LoaderState& loader, const Type& type) {
  return {loader.frame.scalar.reserve(exec::words_of(type)), &type};
}

const Type& make_window_type(LoaderState& loader, Elem elem) {
  Type type;
  type.kind = TypeKind::partition_view;
  type.elem = elem;
  type.rank = 2;
  type.dims = {kDynamic, kDynamic};
  return loader.kernel.type_arena.emplace_back(type);
}

/// The scalar unit's part. `slots`: operands by exec::QueueSlot; those without a type are absent.
void emit_queue_step(LoaderState& loader, const OpView& view, const Channel& channel,
                     QueueParameters parameters, const std::vector<ValueRef>& slots) {
  const QueueEnd& end = *channel.end;
  parameters.slots = end.slots;
  parameters.slot_size = end.slot_size;
  parameters.split = channel.split;
  parameters.on_vector = channel.on_vector ? 1 : 0;
  parameters.local_slots = end.local_slots.value_or(end.slots);
  if (end.directions == 3 && !channel.to_vector) parameters.ring_offset = sat_mul(end.slots, end.slot_size);
  exec::Inst inst;
  inst.pc = view.index();
  inst.row = view.op().row;
  inst.pipe = Pipe::s;
  inst.schema = &isa::schema(inst.row);
  inst.fn = exec::queue_step;
  std::vector<uint32_t> begins;
  std::vector<ValueRef> values;
  for (const ValueRef& slot : slots) {
    begins.push_back(static_cast<uint32_t>(values.size()));
    if (slot.type != nullptr) values.push_back(slot);
  }
  begins.push_back(static_cast<uint32_t>(values.size()));
  std::vector<AttrValue> attrs(QueueParameters::kCount);
  const std::array<int64_t, QueueParameters::kCount> words = parameters.words();
  for (size_t i = 0; i < attrs.size(); ++i) attrs[i].integer = words[i];
  inst.slot_begin = loader.kernel.slot_arena.emplace_back(std::move(begins));
  inst.values = loader.kernel.ref_arena.emplace_back(std::move(values));
  inst.attr_set = loader.kernel.set_arena.emplace_back(attrs.size(), uint8_t{1});
  inst.attrs = loader.kernel.attr_arena.emplace_back(std::move(attrs));
  BytecodeInst& code = loader.code.emit_inst(OpCode::exec, inst);
  code.flags |= kCountsCycle;
}

/// The instruction that moves the tile, with the operands of these names.
void emit_queue_transfer(LoaderState& loader, const OpView& view, Pipe pipe, Space from, Space to,
                         const std::vector<std::pair<std::string_view, ValueRef>>& operands,
                         std::span<const std::pair<std::string_view, int64_t>> attributes) {
  Queued queued;
  exec::Inst& inst = queued.inst;
  inst.pc = view.index();
  const bool scaled = std::ranges::any_of(operands, [](const auto& o) { return o.first == "fp"; });
  inst.row = exec::queue_transfer(from, to, scaled);
  inst.pipe = pipe;
  inst.schema = &isa::schema(inst.row);
  inst.fn = exec::find(inst.schema->row->name);
  std::vector<AttrValue> attrs(inst.schema->attrs.size());
  std::vector<uint8_t> written(attrs.size(), 0);
  for (size_t i = 0; i < attrs.size(); ++i) attrs[i].integer = inst.schema->attrs[i].default_int;
  for (const auto& [name, value] : attributes) {
    const auto index = static_cast<size_t>(inst.schema->attr_index(name));
    attrs[index].integer = value;
    written[index] = 1;
  }
  std::vector<uint32_t> begins;
  std::vector<ValueRef> values;
  for (const isa::OperandSpec& spec : inst.schema->operands) {
    begins.push_back(static_cast<uint32_t>(values.size()));
    const auto given = std::ranges::find_if(operands, [&](const auto& o) { return o.first == spec.name; });
    if (given == operands.end()) continue;
    const uint32_t words = exec::words_of(*given->second.type);
    append_copy(queued.captures, {given->second.offset, queued.block_words, words});
    values.push_back({queued.block_words, given->second.type});
    queued.block_words += words;
  }
  begins.push_back(static_cast<uint32_t>(values.size()));
  inst.attrs = loader.kernel.attr_arena.emplace_back(std::move(attrs));
  inst.attr_set = loader.kernel.set_arena.emplace_back(std::move(written));
  inst.slot_begin = loader.kernel.slot_arena.emplace_back(std::move(begins));
  inst.values = loader.kernel.ref_arena.emplace_back(std::move(values));
  loader.code.rows.insert(inst.row);
  loader.code.emit_queued(view.index(), OpCode::enqueue, lane_of(pipe), std::move(queued));
}

/// Sets or waits for a flag. The cube core of A5 has one per vector core, which it uses both when both take
/// part.
void emit_signals(LoaderState& loader, const OpView& view, const Channel& channel, OpCode op, Pipe pipe,
                  int id, bool conditional) {
  constexpr int kSecondVector = 16;
  const bool both = loader.a5 && !channel.on_vector && channel.split != 0;
  for (const int each : {id, id + kSecondVector}) {
    if (each != id && !both) break;
    BytecodeInst& code = loader.code.emit(op, view.index());
    code.lane = static_cast<uint8_t>(lane_of(pipe));
    code.id = static_cast<int16_t>(each);
    code.b = loader.a5 ? kOneToOne : kCubeAndVector;
    code.inst = channel.index + 1;
    if (conditional) {
      code.flags |= kConditional;
      code.target = channel.signal;
    }
  }
}

/// Where the producer's data leaves its core, and where its signals stand.
Pipe sending_pipe(bool on_vector) { return on_vector ? Pipe::mte3 : Pipe::fix; }

/// Where the consumer waits and gives back.
Pipe receiving_pipe(bool on_vector, bool in_gm) {
  return in_gm ? Pipe::mte2 : on_vector ? Pipe::v : Pipe::mte1;
}

/// What the conversion of a push adds to its step and its transfer; the element type it makes.
std::optional<Elem> add_epilogue(LoaderState& loader, const OpView& view, const Channel& channel,
                                 std::vector<ValueRef>& slots,
                                 std::vector<std::pair<std::string_view, ValueRef>>& operands,
                                 std::vector<std::pair<std::string_view, int64_t>>& attributes) {
  const QueueEpilogue& how = *channel.end->epilogue;
  if (channel.in_gm && how.layout != "nz2nd") {
    loader.refuse(view.index(), fmt::format("with layout = {} and slots in GM is not defined", how.layout));
    return std::nullopt;
  }
  const Type* received = loader.queues->facts.received(*channel.end);
  if (received == nullptr) {
    loader.reject(view.index(), "its entries are never received, so their type is not known");
    return std::nullopt;
  }
  if (how.relu == "normal_relu") attributes.emplace_back("reluPreMode", 1);
  const bool vector = how.quant.ends_with("_vec");
  if (!vector && !how.quant.ends_with("_scalar")) return received->elem;
  const uint32_t setter = loader.queues->facts.scales_of(view, exec::queue_scale_setter(vector));
  if (setter == kNoOp) {
    loader.reject(view.index(), "no scales are set in front of it");
    return std::nullopt;
  }
  const ValueId scale = OpView(loader.program, setter).operand(0);
  const ValueRef from{loader.frame.scalar.at(scale), &loader.program.type_of(scale)};
  if (vector) {
    operands.emplace_back("fp", from);
  } else {
    slots[exec::kQueueScale] = from;
    slots[exec::kQueueWord] = reserve_temporary(loader, kWord);
    operands.emplace_back("preQuantScalar", slots[exec::kQueueWord]);
  }
  return received->elem;
}

}  // namespace

void load_reserved(LoaderState& loader, const OpView& view) {
  const uint32_t reserve = loader.queues->facts.reserve_of(view);
  const AttrValue* base = reserve == ~0u ? nullptr : OpView(loader.program, reserve).attr("base");
  if (base == nullptr)
    return loader.reject(view.index(), "the reserved buffer has no address: let plan() place it");
  loader.frame.scalar.set(loader.frame.define(view.result(0)), static_cast<exec::Word>(base->integer));
  loader.frame.mark_constant(view.result(0));
}

void load_queue_init(LoaderState& loader, const OpView& view) {
  const auto end = std::ranges::find(loader.queues->facts.ends, view.index(), &QueueEnd::op);
  if (end == loader.queues->facts.ends.end())
    return loader.reject(view.index(), "a queue outside of a function");
  const uint32_t zero = loader.frame.scalar.reserve(1),
                 first = static_cast<uint32_t>(loader.role.copies.size());
  const auto found = loader.queues->flags.find(end->group);
  const QueueFlags flags = found == loader.queues->flags.end() ? QueueFlags{} : found->second;
  if (flags.base < 0 || !flags.fits()) return loader.reject(view.index(), "no flags are left for this queue");
  const auto index = static_cast<size_t>(end - loader.queues->facts.ends.begin());
  for (const bool to_vector : {true, false}) {
    if ((end->directions & (to_vector ? 1 : 2)) == 0) continue;
    const int ready = static_cast<int>(flags.base) + (end->directions == 3 && !to_vector ? 2 : 0);
    const uint32_t leader = loader.queues->facts.ends[end->group].op;
    auto channel = std::ranges::find_if(loader.kernel.channels, [&](const QueueChannel& c) {
      return c.end == leader && c.to_vector == to_vector;
    });
    if (channel == loader.kernel.channels.end())
      channel = loader.kernel.channels.insert(channel, {leader, to_vector, end->slots, ready, ready + 1});
    const auto number = static_cast<size_t>(channel - loader.kernel.channels.begin());
    loader.role.queue_counts.resize(std::max(loader.role.queue_counts.size(), number + 1));
    QueueCounts& counts = loader.role.queue_counts[number];
    counts = {loader.frame.scalar.reserve(1), loader.frame.scalar.reserve(1),
              to_vector == (loader.role.kind == CoreKind::aiv)};
    loader.channel_signals[{index, to_vector}] = loader.frame.scalar.reserve(1);
    for (const uint32_t word : {counts.moved, counts.freed}) loader.role.copies.push_back({zero, word, 1});
  }
  loader.code.emit_copies(view.index(), first, static_cast<uint32_t>(loader.role.copies.size()) - first);
}

void load_queue_alloc(LoaderState& loader, const OpView& view) {
  const std::optional<Channel> channel = find_channel(loader, view);
  if (!channel) return;
  if (!channel->in_gm)
    return loader.refuse(view.index(), "of a queue whose slots are on chip is not supported");
  std::vector<ValueRef> slots(exec::kQueueSlots);
  const ValueId entry = entry_of(view);
  slots[exec::kQueueGlobal] = {loader.frame.scalar.at(channel->end->global),
                               &loader.program.type_of(channel->end->global)};
  slots[exec::kQueueCounter] = {channel->moved, &kWord};
  slots[exec::kQueueSignal] = {channel->signal, &kWord};
  slots[exec::kQueueEntry] = {loader.frame.define(entry), &loader.program.type_of(entry)};
  emit_queue_step(loader, view, *channel,
                  {.step = QueueStep::push, .element_bytes = byte_width(loader.program.type_of(entry).elem)},
                  slots);
  emit_signals(loader, view, *channel, OpCode::sync_wait, sending_pipe(channel->on_vector), channel->free,
               true);
}

void load_queue_push(LoaderState& loader, const OpView& view) {
  const std::optional<Channel> channel = find_channel(loader, view);
  if (!channel) return;
  const Pipe pipe = sending_pipe(channel->on_vector);
  const ValueId value = entry_of(view);
  const Type& type = loader.program.type_of(value);
  if (type.is_tile()) {
    std::vector<ValueRef> slots(exec::kQueueSlots);
    const ValueRef tile{loader.frame.scalar.at(value), &type};
    slots[exec::kQueueTile] = tile;
    slots[exec::kQueueCounter] = {channel->moved, &kWord};
    slots[exec::kQueueSignal] = {channel->signal, &kWord};
    if (const ValueId subblock = operand_named(view, "aiv_subblockid"); subblock != kNoValue)
      slots[exec::kQueueSubblock] = {loader.frame.scalar.at(subblock), &kWord};
    std::vector<std::pair<std::string_view, ValueRef>> operands{{"src", tile}};
    std::vector<std::pair<std::string_view, int64_t>> attributes;
    Space to = Space::gm;
    Elem elem = type.elem;
    if (channel->end->epilogue) {
      const std::optional<Elem> built = add_epilogue(loader, view, *channel, slots, operands, attributes);
      if (!built) return;
      elem = *built;
    }
    if (channel->in_gm) {
      slots[exec::kQueueGlobal] = {loader.frame.scalar.at(channel->end->global),
                                   &loader.program.type_of(channel->end->global)};
      slots[exec::kQueueWindow] = reserve_temporary(loader, make_window_type(loader, elem));
      operands.emplace_back("dst", slots[exec::kQueueWindow]);
    } else {
      Type peer = type;
      peer.space = to = channel->to_vector ? Space::ub : Space::l1;
      peer.blayout = channel->to_vector ? BLayout::row_major : BLayout::col_major;
      peer.slayout = channel->to_vector ? SLayout::none_box : SLayout::row_major;
      peer.fractal = 512;
      peer.elem = elem;
      if (channel->end->epilogue && channel->end->epilogue->layout != "nz2nd")
        peer.blayout = BLayout::col_major;
      if (channel->end->epilogue && channel->end->epilogue->layout == "nz2nz")
        peer.slayout = SLayout::row_major;
      peer.valid = {kDynamic, kDynamic};
      if (channel->split == 1)
        peer.dims[0] = channel->to_vector ? peer.dims[0] / 2 : sat_mul<int64_t>(peer.dims[0], 2);
      if (channel->split == 2)
        peer.dims[1] = channel->to_vector ? peer.dims[1] / 2 : sat_mul<int64_t>(peer.dims[1], 2);
      slots[exec::kQueueLocal] = {loader.frame.scalar.at(channel->local), &kWord};
      slots[exec::kQueuePeer] = reserve_temporary(loader, loader.kernel.type_arena.emplace_back(peer));
      operands.emplace_back("dst", slots[exec::kQueuePeer]);
      if (channel->to_vector) {
        // To the first vector core alone, or the halves to both.
        attributes.emplace_back("accToVecMode", channel->split == 0 ? 0 : channel->split + 1);
      } else {
        slots[exec::kQueueRow] = reserve_temporary(loader, kWord);
        slots[exec::kQueueCol] = reserve_temporary(loader, kWord);
        operands.emplace_back("indexRow", slots[exec::kQueueRow]);
        operands.emplace_back("indexCol", slots[exec::kQueueCol]);
      }
    }
    emit_queue_step(loader, view, *channel, {.step = QueueStep::push, .element_bytes = byte_width(elem)},
                    slots);
    emit_signals(loader, view, *channel, OpCode::sync_wait, pipe, channel->free, true);
    emit_queue_transfer(loader, view, pipe, type.space, to, operands, attributes);
  }
  emit_signals(loader, view, *channel, OpCode::sync_set, pipe, channel->ready, false);
}

void load_queue_pop(LoaderState& loader, const OpView& view) {
  const std::optional<Channel> channel = find_channel(loader, view);
  if (!channel) return;
  const Pipe pipe = receiving_pipe(channel->on_vector, channel->in_gm);
  const ValueId value = entry_of(view);
  const Type& type = loader.program.type_of(value);
  std::vector<ValueRef> slots(exec::kQueueSlots);
  slots[exec::kQueueCounter] = {channel->moved, &kWord};
  slots[exec::kQueueSignal] = {channel->signal, &kWord};
  for (const auto& [slot, name] : {std::pair{exec::kQueueValidRow, "valid_row"},
                                   {exec::kQueueValidCol, "valid_col"},
                                   {exec::kQueueSubblock, "aiv_subblockid"}}) {
    if (const ValueId given = operand_named(view, name); given != kNoValue)
      slots[slot] = {loader.frame.scalar.at(given), &kWord};
  }
  if (channel->in_gm)
    slots[exec::kQueueGlobal] = {loader.frame.scalar.at(channel->end->global),
                                 &loader.program.type_of(channel->end->global)};
  QueueParameters parameters{.step = QueueStep::pop, .element_bytes = byte_width(type.elem)};
  const ValueRef result{loader.frame.define(value), &type};
  if (!type.is_tile()) {
    slots[exec::kQueueEntry] = result;
    emit_queue_step(loader, view, *channel, parameters, slots);
    return emit_signals(loader, view, *channel, OpCode::sync_wait, pipe, channel->ready, false);
  }
  slots[exec::kQueueTile] = result;
  if (channel->local != kNoValue) slots[exec::kQueueLocal] = {loader.frame.scalar.at(channel->local), &kWord};
  if (channel->in_gm)
    slots[exec::kQueueWindow] = reserve_temporary(loader, make_window_type(loader, type.elem));
  parameters.local_stride = loader.a5 ? static_cast<int64_t>(tile_bytes(type)) : channel->end->slot_size;
  emit_queue_step(loader, view, *channel, parameters, slots);
  if (loader.is_unknown(value)) loader.role.code.back().flags |= kUnknown;
  emit_signals(loader, view, *channel, OpCode::sync_wait, pipe, channel->ready, false);
  if (!channel->in_gm) return;
  emit_queue_transfer(loader, view, pipe, Space::gm, type.space,
                      {{"src", slots[exec::kQueueWindow]}, {"dst", result}}, {});
  emit_signals(loader, view, *channel, OpCode::sync_set, pipe, channel->free, true);
}

void load_queue_free(LoaderState& loader, const OpView& view) {
  const std::optional<Channel> channel = find_channel(loader, view);
  if (!channel) return;
  std::vector<ValueRef> slots(exec::kQueueSlots);
  slots[exec::kQueueCounter] = {channel->freed, &kWord};
  slots[exec::kQueueSignal] = {channel->signal, &kWord};
  emit_queue_step(loader, view, *channel, {.step = QueueStep::free}, slots);
  // A tile that was loaded from its slot in GM has given it back already.
  const ValueId entry = entry_of(view);
  const bool view_of_slot = entry != kNoValue && !loader.program.type_of(entry).is_tile();
  if (channel->in_gm && !view_of_slot && !channel->end->global_only) return;
  emit_signals(loader, view, *channel, OpCode::sync_set, receiving_pipe(channel->on_vector, channel->in_gm),
               channel->free, true);
}

uint32_t guard_first_subblock(LoaderState& loader, uint32_t begin, uint32_t end) {
  if (!loader.a5 || loader.queues == nullptr || loader.role.kind != CoreKind::aiv) return ~0u;
  bool whole = false;
  for (uint32_t op = begin; op < end; ++op) {
    const isa::Row& row = isa::row(loader.program.ops[op].row);
    if (exec::asks_subblock(row)) return ~0u;
    whole = whole ||
            (isa::is_queue_transfer(row.opcode_class) && OpView(loader.program, op).attr_int("split") == 0);
  }
  if (!whole) return ~0u;
  const uint32_t word = loader.frame.scalar.reserve(1);
  loader.role.first_subblock_words.push_back(word);
  BytecodeInst& code = loader.code.emit(OpCode::branch_false, begin);
  code.a = word;
  return loader.code.here() - 1;
}

void close_guard(LoaderState& loader, uint32_t branch) {
  if (branch != ~0u) loader.code.patch(branch);
}

}  // namespace pto::sim
