#include "analysis/tile_queues.hpp"

#include <algorithm>
#include <tuple>

#include "ir/op_queries.hpp"

namespace pto {
namespace {

using isa::OpcodeClass;
using Kind = FunctionInfo::Kind;

ValueId operand(const OpView& op, std::string_view name) {
  const int slot = isa::schema(op.op().row).operand_slot(name);
  return slot < 0 ? kNoValue : op.operand(static_cast<unsigned>(slot));
}

std::optional<int64_t> written(const OpView& op, std::string_view name) {
  const AttrValue* value = op.attr(name);
  return value == nullptr ? std::nullopt : std::optional(value->integer);
}

/// `key = value` of an attribute's text.
std::string_view field(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == text.npos) return {};
  text.remove_prefix(at + key.size());
  text.remove_prefix(std::min(text.find_first_not_of(" ="), text.size()));
  return text.substr(0, text.find_first_of(" ,>"));
}

}  // namespace

QueueRow queue_row(const isa::Row& row) {
  QueueRow built;
  const bool cube = (row.flags & isa::kCubeCore) != 0, vector = (row.flags & isa::kVectorCore) != 0;
  if (!isa::is_queue_operation(row.opcode_class) || (!cube && !vector)) return built;
  const bool sends =
      row.opcode_class == OpcodeClass::queue_alloc || row.opcode_class == OpcodeClass::queue_push;
  built.frontend = true;
  built.core = cube ? Kind::cube : Kind::vector;
  built.to_vector = row.opcode_class != OpcodeClass::queue_init && sends == cube;
  return built;
}

bool has_queues(const Program& program) {
  return std::ranges::any_of(
      program.ops, [](const Op& op) { return isa::is_queue_operation(isa::row(op.row).opcode_class); });
}

bool reserves_room(const OpView& op) {
  return isa::opcode_class(op) == OpcodeClass::reserve_buffer && op.attr("base") == nullptr;
}

QueueFacts::QueueFacts(const Program& p) : program(p), functions(p), regions(p), constants(p) {
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const OpcodeClass opcode_class = isa::row(program.ops[i].row).opcode_class;
    if (!isa::is_queue_operation(opcode_class)) continue;
    const Function* function = functions.enclosing_function(i);
    if (function == nullptr) continue;  // an error of its own
    const OpView op(program, i);
    if (opcode_class == OpcodeClass::queue_init)
      add_end(op, *function);
    else if (opcode_class == OpcodeClass::reserve_buffer)
      reserves.push_back(i);
    else if (opcode_class == OpcodeClass::import_buffer)
      imports.push_back(i);
    else
      uses.push_back({i, function, {}});
  }
  attach();
  find_callers();
  join();
}

void QueueFacts::add_end(const OpView& op, const Function& function) {
  QueueEnd end;
  end.op = op.index();
  end.function = &function;
  end.frontend = queue_row(op.op().row).frontend;
  end.directions = op.attr_int("dir_mask");
  end.slot_size = op.attr_int("slot_size");
  end.local_slots = written(op, "local_slot_num");
  end.slots = written(op, "slot_num").value_or(end.directions == 3 ? 4 : 8);
  if (const std::optional<int64_t> nosplit = written(op, "nosplit")) end.nosplit = *nosplit != 0;
  if (op.attr("acc_push_epilogue") != nullptr) {
    const std::string_view built = text(op, "acc_push_epilogue");
    end.epilogue = {field(built, "layout"), field(built, "quant"), field(built, "relu")};
  }
  if (end.frontend) {
    end.id = op.attr_int("id");
    end.global = operand(op, "gm_slot_tensor");
    end.local = operand(op, end.directions == 2 ? "v2c_consumer_buf" : "c2v_consumer_buf");
    end.global_only = end.global != kNoValue && end.local == kNoValue;
    if (end.global == kNoValue) end.global = operand(op, "gm_slot_buffer");
    if (end.directions == 3) end.peer_local = operand(op, "v2c_consumer_buf");
  } else {
    end.flag_base = written(op, "flag_base");
    end.global = operand(op, "gm_addr");
    end.local = operand(op, "local_addr");
    end.peer_local = operand(op, "peer_local_addr");
    end.global_only = end.global != kNoValue && end.local == kNoValue;
  }
  ends.push_back(std::move(end));
}

uint32_t QueueFacts::scales_of(const OpView& push, std::string_view setter) const {
  const Function* function = functions.enclosing_function(push.index());
  uint32_t found = kNoOp;
  for (uint32_t i = function == nullptr ? push.index() : function->info.op; i < push.index(); ++i) {
    const OpView op(program, i);
    if (op.mnemonic() != setter || (push.attr("id") != nullptr && op.attr_int("id") != push.attr_int("id")))
      continue;
    if (regions.parent(i) == regions.parent(push.index()) && regions.dominates(i, push.index())) found = i;
  }
  return found;
}

const Type* QueueFacts::received(const QueueEnd& end) const {
  const auto members = groups.find(end.group);
  if (members == groups.end()) return nullptr;
  for (const size_t i : members->second) {
    for (const uint32_t user : ends[i].users) {
      const OpView op(program, user);
      if (isa::opcode_class(op) != OpcodeClass::queue_pop) continue;
      const ValueId entry = op.op().n_results != 0 ? op.result(0) : operand(op, "tile");
      if (entry != kNoValue) return &program.type_of(entry);
    }
  }
  return nullptr;
}

/// Which end every use belongs to: by id in its function, or by the handle's definition.
void QueueFacts::attach() {
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
      const auto found = by_op.find(constants.defining_op(handle));
      if (found != by_op.end()) use.end = found->second;
    }
    if (!use.end) continue;
    ends[*use.end].users.push_back(use.op);
    end_of_.emplace(use.op, *use.end);
  }
}

const QueueEnd* QueueFacts::end_of(uint32_t op) const {
  const auto found = end_of_.find(op);
  return found == end_of_.end() ? nullptr : &ends[found->second];
}

std::string_view QueueFacts::text(const OpView& op, std::string_view attr) const {
  const AttrValue* value = op.attr(attr);
  return value == nullptr ? std::string_view{} : program.strings[value->text];
}

std::optional<BufferKey> QueueFacts::buffer_of(ValueId address, const Function& function) const {
  if (address == kNoValue || constants.defining_op(address) == kNoOp) return std::nullopt;
  const OpView built = view(constants.defining_op(address));
  if (isa::opcode_class(built) == OpcodeClass::reserve_buffer)
    return BufferKey{function.info.op, text(built, "name")};
  if (isa::opcode_class(built) != OpcodeClass::import_buffer) return std::nullopt;
  const Function* owner = functions.find(text(built, "peer_func"), function);
  return BufferKey{owner == nullptr ? ~0u : owner->info.op, text(built, "name")};
}

uint32_t QueueFacts::reserve_in(uint32_t function, std::string_view name) const {
  for (const uint32_t op : reserves) {
    if (functions.enclosing_function(op)->info.op == function && text(view(op), "name") == name) return op;
  }
  return ~0u;
}

uint32_t QueueFacts::reserve_of(const OpView& buffer) const {
  const Function* function = functions.enclosing_function(buffer.index());
  if (function == nullptr || buffer.op().n_results == 0) return ~0u;
  const std::optional<BufferKey> key = buffer_of(buffer.result(0), *function);
  return key ? reserve_in(key->first, key->second) : ~0u;
}

void QueueFacts::find_callers() {
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    if (isa::row(program.ops[i].row).opcode_class != OpcodeClass::call) continue;
    const Function* caller = functions.enclosing_function(i);
    const Function* callee = caller == nullptr ? nullptr : functions.find(text(view(i), "callee"), *caller);
    if (callee != nullptr) callers_.emplace(callee, caller);
  }
}

bool QueueFacts::is_same_queue(const Function& a, const Function& b) const {
  const auto of_a = callers_.equal_range(&a), of_b = callers_.equal_range(&b);
  if (of_a.first == of_a.second || of_b.first == of_b.second)
    return a.module == b.module || of_a.first == of_a.second;
  return std::any_of(of_a.first, of_a.second, [&](const auto& x) {
    return std::any_of(of_b.first, of_b.second, [&](const auto& y) { return x.second == y.second; });
  });
}

size_t QueueFacts::root(size_t i) const {
  while (ends[i].group != i) i = ends[i].group;
  return i;
}

/// Ends belong together when their slots lie in one reserved buffer, which one side reserves and the other
/// imports; queues whose slots lie in GM alone belong together by id and direction, in functions that run
/// together.
void QueueFacts::join() {
  std::map<std::pair<BufferKey, int>, size_t> by_buffer;
  for (size_t i = 0; i < ends.size(); ++i) ends[i].group = i;
  const auto join_buffer = [&](size_t i, ValueId address, int direction) {
    const std::optional<BufferKey> key = buffer_of(address, *ends[i].function);
    if (!key) return;
    const auto [first, fresh] = by_buffer.emplace(std::pair(*key, direction), i);
    if (!fresh) ends[root(i)].group = root(first->second);
    ends[i].buffered = true;
  };
  for (size_t i = 0; i < ends.size(); ++i) {
    const QueueEnd& e = ends[i];
    if (e.global_only) continue;
    join_buffer(i, e.local, e.directions == 3 ? 1 : static_cast<int>(e.directions));
    if (e.directions == 3) join_buffer(i, e.peer_local, 2);
  }
  std::vector<bool> paired(ends.size());
  const auto join_global = [&](auto&& belong) {
    for (size_t i = 0; i < ends.size(); ++i) {
      for (size_t k = i + 1; ends[i].global_only && ends[i].frontend && k < ends.size(); ++k) {
        const QueueEnd& other = ends[k];
        if (!other.global_only || !other.frontend || other.id != ends[i].id || !belong(i, k) ||
            other.function == ends[i].function || !is_same_queue(*ends[i].function, *other.function))
          continue;
        ends[root(k)].group = root(i);
        paired[i] = paired[k] = true;
      }
    }
  };
  join_global([&](size_t i, size_t k) { return ends[i].directions == ends[k].directions; });
  const std::vector<bool> done = paired;  // what is left are the two sides of a mistake
  join_global([&](size_t i, size_t k) { return !done[i] && !done[k]; });
  for (size_t i = 0; i < ends.size(); ++i) groups[root(i)].push_back(i);
  for (const auto& [group, members] : groups) {
    for (const size_t i : members) ends[i].group = group;
  }
}

std::map<size_t, QueueFlags> QueueFacts::flags(const std::set<size_t>& of) const {
  struct Taken {
    int64_t base, width;
    uint32_t op;
  };
  std::map<const Function*, std::vector<Taken>> taken;
  std::map<size_t, QueueFlags> found;
  std::vector<std::tuple<bool, int64_t, int64_t, size_t>> order;  // stated first
  for (const size_t group : of) {
    int64_t id = INT64_MAX;
    bool stated = false;
    for (const size_t i : groups.at(group)) {
      if (ends[i].frontend) id = std::min(id, ends[i].id);
      stated = stated || ends[i].flag_base.has_value();
    }
    order.emplace_back(!stated, id, ends[group].directions, group);
  }
  std::ranges::sort(order);
  for (const auto& [open, id, directions, first] : order) {
    const size_t group = first;  // a lambda holds it
    QueueFlags flags;
    flags.width = directions == 3 ? 4 : 2;
    const auto conflict = [&]() -> const Taken* {
      for (const size_t i : groups.at(group)) {
        for (const Taken& other : taken[ends[i].function]) {
          if (flags.base < other.base + other.width && other.base < flags.base + flags.width) return &other;
        }
      }
      return nullptr;
    };
    for (const size_t i : groups.at(group)) flags.base = ends[i].flag_base.value_or(flags.base);
    const Taken* other = conflict();
    for (; open && other != nullptr; other = conflict())
      flags.base = (other->base + other->width + 1) / 2 * 2;
    if (other != nullptr) {
      flags.taken_by = other->op;
      flags.taken_base = other->base;
      flags.taken_width = other->width;
    }
    if (other == nullptr && flags.fits()) {
      for (const size_t i : groups.at(group))
        taken[ends[i].function].push_back({flags.base, flags.width, ends[i].op});
    }
    found.emplace(group, flags);
  }
  return found;
}

}  // namespace pto
