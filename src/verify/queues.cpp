#include "verify/queues.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pto::legality {
namespace {

using isa::Does;
using Kind = FunctionInfo::Kind;

ValueId operand(const OpView& op, std::string_view name) {
  const int slot = slot_of(op, name);
  return slot < 0 ? kNoValue : op.operand(static_cast<unsigned>(slot));
}

std::optional<int64_t> written(const OpView& op, std::string_view name) {
  const AttrValue* value = op.attr(name);
  return value == nullptr ? std::nullopt : std::optional(value->integer);
}

}  // namespace

QueueRow queue_row(const isa::Row& row) {
  QueueRow made;
  const bool cube = (row.flags & isa::kCubeCore) != 0, vector = (row.flags & isa::kVectorCore) != 0;
  if (!concerns_queues(row.does) || (!cube && !vector)) return made;
  const bool sends = row.does == Does::queue_alloc || row.does == Does::queue_push;
  made.frontend = true;
  made.core = cube ? Kind::cube : Kind::vector;
  made.to_vector = row.does != Does::queue_init && sends == cube;
  return made;
}

Queues::Queues(Checker& checker)
    : check(checker), program(checker.program()), functions(program), regions(program) {
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const Does does = isa::row(program.ops[i].row).does;
    if (!concerns_queues(does)) continue;
    const Function* function = functions.around(i);
    if (function == nullptr) continue;  // reported by check_queues
    const OpView op(program, i);
    if (does == Does::queue_init)
      add_end(op, *function);
    else if (does == Does::reserve_buffer)
      reserves.push_back(i);
    else if (does == Does::import_buffer)
      imports.push_back(i);
    else
      uses.push_back({i, function, {}});
  }
  attach();
}

void Queues::add_end(const OpView& op, const Function& function) {
  QueueEnd end;
  end.op = op.index();
  end.function = &function;
  end.frontend = queue_row(op.op().row).frontend;
  end.directions = op.attr_int("dir_mask");
  end.slot_size = op.attr_int("slot_size");
  end.local_slots = written(op, "local_slot_num");
  if (const std::optional<int64_t> nosplit = written(op, "nosplit")) end.nosplit = *nosplit != 0;
  if (end.frontend) {
    end.id = op.attr_int("id");
    end.slots = end.directions == 3 ? 4 : 8;
    end.global = operand(op, "gm_slot_tensor");
    end.global_only = end.global != kNoValue;
    end.local = operand(op, end.directions == 2 ? "v2c_consumer_buf" : "c2v_consumer_buf");
    if (end.directions == 3) end.peer_local = operand(op, "v2c_consumer_buf");
  } else {
    end.slots = op.attr_int("slot_num");
    end.flag_base = written(op, "flag_base");
    end.global = operand(op, "gm_addr");
    end.local = operand(op, "local_addr");
    end.peer_local = operand(op, "peer_local_addr");
    end.global_only = end.global != kNoValue && end.local == kNoValue;
  }
  ends.push_back(std::move(end));
}

/// Which end every use belongs to: by id in its function, or by the handle's definition.
void Queues::attach() {
  std::map<std::pair<uint32_t, int64_t>, size_t> by_id;
  std::map<uint32_t, size_t> by_op;
  for (size_t i = 0; i < ends.size(); ++i) {
    by_op.emplace(ends[i].op, i);
    if (ends[i].frontend) by_id.emplace(std::pair(ends[i].function->info.op, ends[i].id), i);
  }
  for (QueueUse& use : uses) {
    const OpView op = view(use.op);
    if (queue_row(op.op().row).frontend) {
      const auto found = by_id.find({use.function->info.op, op.attr_int("id")});
      if (found != by_id.end()) use.end = found->second;
    } else if (const ValueId handle = operand(op, "pipe_handle"); handle != kNoValue) {
      const auto found = by_op.find(check.definition(handle));
      if (found != by_op.end()) use.end = found->second;
    }
    if (use.end) ends[*use.end].users.push_back(use.op);
  }
}

std::string_view Queues::text(const OpView& op, std::string_view attr) const {
  const AttrValue* value = op.attr(attr);
  return value == nullptr ? std::string_view{} : program.strings[value->text];
}

std::optional<BufferKey> Queues::buffer_of(ValueId address, const Function& function) const {
  if (address == kNoValue || check.definition(address) == ~0u) return std::nullopt;
  const OpView made = view(check.definition(address));
  if (isa::does(made) == Does::reserve_buffer) return BufferKey{function.info.op, text(made, "name")};
  if (isa::does(made) != Does::import_buffer) return std::nullopt;
  const Function* owner = functions.find(text(made, "peer_func"), function);
  return BufferKey{owner == nullptr ? ~0u : owner->info.op, text(made, "name")};
}

uint32_t Queues::reserve_in(uint32_t function, std::string_view name) const {
  for (const uint32_t op : reserves) {
    if (functions.around(op)->info.op == function && text(view(op), "name") == name) return op;
  }
  return ~0u;
}

std::string Queues::name(const QueueEnd& end) const {
  return end.frontend ? fmt::format("the queue with id {}", end.id)
                      : value_name(program, view(end.op).result(0));
}

void note_at(Diagnostic& diagnostic, const OpView& op, std::string message) {
  Note made;
  made.message = std::move(message);
  made.where = op.op().where;
  made.anchor = {Anchor::Part::op, op.index(), 0};
  diagnostic.notes.push_back(std::move(made));
}

unsigned attribute_of(const OpView& op, std::string_view name) {
  return static_cast<unsigned>(isa::schema(op.op().row).attr_index(name));
}

}  // namespace pto::legality
