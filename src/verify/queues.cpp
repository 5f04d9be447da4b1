#include "verify/queues.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pto::legality {
namespace {

using Action = QueueRow::Action;
using Kind = FunctionInfo::Kind;

struct Named {
  std::string_view name;
  QueueRow row;
};
constexpr Named kNamed[] = {
    {"pto.aic_initialize_pipe", {Action::init, true, false, Kind::cube}},
    {"pto.aiv_initialize_pipe", {Action::init, true, false, Kind::vector}},
    {"pto.initialize_l2l_pipe", {Action::init}},
    {"pto.initialize_l2g2l_pipe", {Action::init}},
    {"pto.talloc_to_aiv", {Action::alloc, true, true, Kind::cube}},
    {"pto.talloc_to_aic", {Action::alloc, true, false, Kind::vector}},
    {"pto.tpush_to_aiv", {Action::push, true, true, Kind::cube}},
    {"pto.tpush_to_aic", {Action::push, true, false, Kind::vector}},
    {"pto.tpop_from_aic", {Action::pop, true, true, Kind::vector}},
    {"pto.tpop_from_aiv", {Action::pop, true, false, Kind::cube}},
    {"pto.tfree_from_aic", {Action::free, true, true, Kind::vector}},
    {"pto.tfree_from_aiv", {Action::free, true, false, Kind::cube}},
    {"pto.talloc", {Action::alloc}},
    {"pto.tpush", {Action::push}},
    {"pto.tpop", {Action::pop}},
    {"pto.tfree", {Action::free}},
    {"pto.reserve_buffer", {Action::reserve}},
    {"pto.import_reserved_buffer", {Action::import}},
};

ValueId operand(const OpView& op, std::string_view name) {
  const int slot = slot_of(op, name);
  return slot < 0 ? kNoValue : op.operand(static_cast<unsigned>(slot));
}

std::optional<int64_t> written(const OpView& op, std::string_view name) {
  const AttrValue* value = op.attr(name);
  return value == nullptr ? std::nullopt : std::optional(value->integer);
}

}  // namespace

const QueueRow& queue_row(RowId row) {
  static const std::vector<QueueRow> rows = [] {
    std::vector<QueueRow> found(isa::rows().size());
    for (size_t i = 0; i < found.size(); ++i) {
      const auto* named = std::ranges::find(kNamed, isa::rows()[i].name, &Named::name);
      if (named != std::end(kNamed)) found[i] = named->row;
    }
    return found;
  }();
  return rows[row];
}

Queues::Queues(Checker& checker) : check(checker), program(checker.program()), functions(program), regions(program) {
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const QueueRow& row = queue_row(program.ops[i].row);
    if (row.action == Action::none) continue;
    const Function* function = functions.around(i);
    if (function == nullptr) continue;  // reported by check_queues
    const OpView op(program, i);
    if (row.action == Action::init)
      add_end(op, *function);
    else if (row.action == Action::reserve)
      reserves.push_back(i);
    else if (row.action == Action::import)
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
  const Action action = queue_row(made.op().row).action;
  if (action == Action::reserve) return BufferKey{function.info.op, text(made, "name")};
  if (action != Action::import) return std::nullopt;
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
  return end.frontend ? fmt::format("the queue with id {}", end.id) : value_name(program, view(end.op).result(0));
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
