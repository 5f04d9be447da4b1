// Tile queues within one function: the core they run on, ids, directions, entries, reserved buffers (E0480 to
// E0488).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "support/saturating.hpp"
#include "verify/passes/queue_ends.hpp"

namespace pto::legality {
namespace {

using isa::OpcodeClass;
using Part = Anchor::Part;

std::string_view core_name(FunctionInfo::Kind kind) {
  return kind == FunctionInfo::Kind::cube     ? "cube"
         : kind == FunctionInfo::Kind::vector ? "vector"
                                              : "no particular";
}

class QueueRules {
 public:
  explicit QueueRules(Queues& queues) : q_(queues), check_(queues.check) {}

  void run() {
    for (const QueueEnd& end : q_.ends) {
      if (check_.failed(end.op)) continue;
      check_core(q_.view(end.op), *end.function);
      check_unique(end);
      check_slots_fit(end);
    }
    for (const QueueUse& use : q_.uses) {
      if (!check_.failed(use.op)) check_use(use);
    }
    for (const uint32_t op : q_.reserves) {
      if (!check_.failed(op)) check_reserve(q_.view(op));
    }
    for (const uint32_t op : q_.imports) {
      if (!check_.failed(op)) check_import(q_.view(op));
    }
  }

 private:
  // ---- cores

  /// Whether a section or the function says which core this is.
  bool on_known_core(const OpView& op, const Function& function) const {
    if (function.info.kind != FunctionInfo::Kind::unknown) return true;
    for (uint32_t around = q_.regions.parent(op.index()); around != kNoOp;
         around = q_.regions.parent(around)) {
      if (isa::is_section(isa::row(q_.program.ops[around].row).opcode_class)) return true;
    }
    return false;
  }
  void check_core(const OpView& op, const Function& function) {
    const QueueRow row = queue_row(op.op().row);
    if (!row.frontend) {
      if (isa::is_queue_transfer(isa::opcode_class(op)) && !on_known_core(op, function))
        check_.fail(
            E0480, op,
            fmt::format("{} needs to know its core; @{} has no pto.kernel_kind", op.mnemonic(),
                        function.info.name),
            "add pto.kernel_kind to the function, or put it into pto.section.cube or pto.section.vector");
      return;
    }
    if (function.info.kind == row.core) return;
    Diagnostic& built =
        check_.fail(E0480, op,
                    fmt::format("{} runs on the {} core; @{} is of {} kind", op.mnemonic(),
                                core_name(row.core), function.info.name, core_name(function.info.kind)),
                    fmt::format("write it in a function with pto.kernel_kind = #pto.kernel_kind<{}>",
                                core_name(row.core)));
    add_note(built, q_.view(function.info.op), fmt::format("@{} is here", function.info.name));
  }

  // ---- ends

  void check_unique(const QueueEnd& end) {
    if (!end.frontend) return;
    const auto [first, fresh] = ids_.emplace(std::pair(end.function->info.op, end.id), end.op);
    if (fresh) return;
    const OpView op = q_.view(end.op);
    const bool stated = op.attr("id") != nullptr;
    Diagnostic& built =
        check_.fail(E0483, op, stated ? Part::attribute : Part::op, stated ? attribute_of(op, "id") : 0,
                    fmt::format("a second queue with id {} in @{}", end.id, end.function->info.name),
                    stated ? "give every queue of a function its own id"
                           : "without id it is 0; give every queue of a function its own id");
    add_note(built, q_.view(first->second), "the first one is here");
  }

  /// The buffer on chip holds all slots.
  void check_slots_fit(const QueueEnd& end) {
    const bool halves =
        std::ranges::any_of(end.users, [&](uint32_t user) { return q_.view(user).attr_int("split") != 0; });
    const int64_t slots = end.local_slots.value_or(end.slots);
    const int64_t size = halves ? end.slot_size / 2 : end.slot_size;
    const int64_t bytes = sat_mul(size, slots);
    for (const ValueId address : {end.local, end.peer_local}) {
      const std::optional<BufferKey> key = q_.buffer_of(address, *end.function);
      if (!key || key->first != end.function->info.op || end.slot_size <= 0) continue;
      const uint32_t reserve = q_.reserve_in(key->first, key->second);
      if (reserve == ~0u || q_.view(reserve).attr_int("size") >= bytes || !small_.insert(reserve).second)
        continue;
      const OpView buffer = q_.view(reserve);
      Diagnostic& built = check_.warn(W0463, buffer,
                                      fmt::format("buffer \"{}\" has {} bytes; {} slots of {} take {}",
                                                  key->second, buffer.attr_int("size"), slots, size, bytes),
                                      fmt::format("reserve {} bytes", bytes));
      add_note(built, q_.view(end.op), "the queue is made here");
    }
  }

  // ---- uses

  void check_use(const QueueUse& use) {
    const OpView op = q_.view(use.op);
    check_core(op, *use.function);
    if (!use.end) return no_queue(op, *use.function);
    const QueueEnd& end = q_.ends[*use.end];
    if (check_.failed(end.op)) return;
    if (end.frontend && !q_.regions.dominates(end.op, use.op)) {
      Diagnostic& built = check_.fail(
          E0483, op,
          fmt::format("{} uses the queue with id {} where it is not set up yet", op.mnemonic(), end.id),
          "set queues up at the begin of the function");
      add_note(built, q_.view(end.op), "it is set up here");
    }
    check_direction(op, end);
    check_entry(op, end);
    check_transfer(op, end);
  }

  void no_queue(const OpView& op, const Function& function) {
    if (!queue_row(op.op().row).frontend) {
      const unsigned slot = static_cast<unsigned>(slot_of(op, "pipe_handle"));
      if (op.operand(slot) == kNoValue) return;  // E0302
      Diagnostic& built =
          check_.fail(E0486, op, Part::operand, flat_index(op, slot),
                      fmt::format("{} of {} does not come from an initialization",
                                  value_name(q_.program, op.operand(slot)), op.mnemonic()),
                      "use the result of pto.initialize_l2l_pipe or pto.initialize_l2g2l_pipe itself");
      check_.note_definition(built, op.operand(slot));
      return;
    }
    std::string known;
    for (const QueueEnd& end : q_.ends) {
      if (end.frontend && end.function == &function)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", end.id);
    }
    const bool stated = op.attr("id") != nullptr;
    check_.fail(E0483, op, stated ? Part::attribute : Part::op, stated ? attribute_of(op, "id") : 0,
                fmt::format("@{} has no queue with id {}", function.info.name, op.attr_int("id")),
                known.empty() ? "set it up with pto.aic_initialize_pipe or pto.aiv_initialize_pipe"
                              : fmt::format("queues of this function: {}", known));
  }

  void check_direction(const OpView& op, const QueueEnd& end) {
    const QueueRow row = queue_row(op.op().row);
    if (!row.frontend || (end.directions & (row.to_vector ? 1 : 2)) != 0 || end.directions < 1 ||
        end.directions > 3)
      return;
    Diagnostic& built = check_.fail(
        E0484, op,
        fmt::format("{} moves data from {}, but {} has dir_mask = {}", op.mnemonic(),
                    row.to_vector ? "cube to vector" : "vector to cube", q_.name(end), end.directions),
        fmt::format("dir_mask {} or 3 has this direction", row.to_vector ? 1 : 2));
    add_note(built, q_.view(end.op), "the queue is set up here");
  }

  // ---- entries: views of slots in GM

  static std::optional<uint64_t> bytes_of(const Type& type) {
    uint64_t bytes = byte_width(type.elem);
    for (unsigned i = 0; i < type.rank; ++i) {
      if (type.dims[i] == kDynamic) return std::nullopt;
      bytes = sat_mul(bytes, static_cast<uint64_t>(type.dims[i]));
    }
    return bytes;
  }

  struct Moved {
    const Type* type = nullptr;
    Part part = Part::operand_type;
    unsigned index = 0;
  };
  /// The tile or view that the operation sends, receives or gives back.
  Moved moved(const OpView& op) const {
    for (const std::string_view name : {std::string_view("tile"), std::string_view("entry")}) {
      const int slot = slot_of(op, name);
      if (slot < 0) continue;
      if (op.operand(static_cast<unsigned>(slot)) == kNoValue) return {};
      return {&op.type(static_cast<unsigned>(slot)), Part::operand_type,
              flat_index(op, static_cast<unsigned>(slot))};
    }
    return op.op().n_results == 0 ? Moved{} : Moved{&op.result_type(0), Part::result_type, 0};
  }

  void entry_error(const OpView& op, const QueueEnd& end, const Moved& entry, std::string message, Fix help) {
    Diagnostic& built = check_.fail(E0485, op, entry.part, entry.index, std::move(message), std::move(help));
    add_note(built, q_.view(end.op), "the queue is set up here");
  }

  void check_entry(const OpView& op, const QueueEnd& end) {
    const Moved entry = moved(op);
    if (entry.type == nullptr || entry.type->kind != TypeKind::tensor_view) return;
    const std::string what = fmt::format("{} with {}", op.mnemonic(), describe(*entry.type));
    if (!end.global_only) {
      return entry_error(op, end, entry, fmt::format("{}: {} has its slots on chip", what, q_.name(end)),
                         end.frontend
                             ? "views need a queue with gm_slot_tensor; else use tiles"
                             : "views need pto.initialize_l2g2l_pipe without local_addr; else use tiles");
    }
    const Type& slot = q_.program.type_of(end.global);
    if (slot.kind != TypeKind::tensor_view && slot.kind != TypeKind::memref) {
      return entry_error(
          op, end, entry,
          fmt::format("{}: the slots of {} are {}, without a shape", what, q_.name(end), describe(slot)),
          "set the queue up with a view of one slot");
    }
    const bool same = slot.elem == entry.type->elem && slot.rank == entry.type->rank;
    if (!same)
      return entry_error(op, end, entry,
                         fmt::format("{}: a slot of {} is {}", what, q_.name(end), describe(slot)),
                         "use the type of the slot");
    for (unsigned i = 0; i < slot.rank; ++i) {
      if (slot.dims[i] == kDynamic || entry.type->dims[i] == kDynamic || slot.dims[i] == entry.type->dims[i])
        continue;
      return entry_error(op, end, entry,
                         fmt::format("{}: dimension {} is {}, in the slots of {} it is {} ({})", what, i,
                                     entry.type->dims[i], q_.name(end), slot.dims[i], describe(slot)),
                         "use the type of the slot");
    }
    if (end.frontend) return;  // compared with slot_size where the queue is set up
    const std::optional<uint64_t> bytes = bytes_of(*entry.type);
    const auto size = static_cast<uint64_t>(end.slot_size);
    const bool split = op.attr_int("split") != 0;
    if (!bytes || *bytes == size || (split && sat_mul<uint64_t>(*bytes, 2) == size)) return;
    entry_error(op, end, entry,
                fmt::format("{}: it takes {} bytes, slot_size is {}", what, *bytes, end.slot_size),
                split ? "it must be slot_size or half of it" : "make both equal");
  }

  // ---- tiles

  void check_transfer(const OpView& op, const QueueEnd& end) {
    const Moved tile = moved(op);
    if (tile.type == nullptr || !tile.type->is_tile()) return;
    const bool push = isa::opcode_class(op) == OpcodeClass::queue_push;
    if (push) check_push(op, end, *tile.type);
    const Space space = tile.type->space;
    const bool possible =
        push ? space == Space::l0c || space == Space::ub
             : isa::opcode_class(op) != OpcodeClass::queue_pop || space == Space::ub || space == Space::l1;
    if (possible) return;
    check_.fail(
        E0341, op, tile.part, tile.index,
        fmt::format("{} cannot {} a tile in {}", op.mnemonic(), push ? "send" : "receive", tile_loc(space)),
        push ? "acc and vec tiles can be sent" : "tiles are received in vec and mat");
  }

  /// What the hardware and the slot can take.
  void check_push(const OpView& op, const QueueEnd& end, const Type& tile) {
    if (!end.epilogue && end.slot_size > 0 && tile_bytes(tile) > static_cast<uint64_t>(end.slot_size)) {
      Diagnostic& built =
          check_.warn(W0462, op,
                      fmt::format("{} sends {} of {} bytes; a slot of {} has {}", op.mnemonic(),
                                  describe(tile), tile_bytes(tile), q_.name(end), end.slot_size),
                      "raise slot_size on both sides");
      add_note(built, q_.view(end.op), "the queue is set up here");
    }
    const int64_t split = op.attr_int("split");
    if (split >= 3 && end.global == kNoValue) {
      Diagnostic& built =
          check_.fail(E0481, op, Part::attribute, attribute_of(op, "split"),
                      fmt::format("{} with split = {} goes through GM; the slots of {} lie on chip",
                                  op.mnemonic(), split, q_.name(end)),
                      "use split = 1 or 2, or a queue with slots in GM");
      add_note(built, q_.view(end.op), "the queue is set up here");
    }
    if (check_.target() != Target::a5 || end.global != kNoValue) return;
    std::string problem;
    if (tile.space == Space::l0c && split == 1 && tile.valid[0] != kDynamic && tile.valid[0] % 2 != 0)
      problem = fmt::format("{} rows do not split into halves", tile.valid[0]);
    if (tile.space == Space::l0c && split == 2 && tile.valid[1] != kDynamic && tile.valid[1] % 32 != 0)
      problem =
          fmt::format("{} columns are not a multiple of 32, which splitting by columns needs", tile.valid[1]);
    const int64_t row_bytes =
        tile.valid[1] == kDynamic ? 0 : sat_mul<int64_t>(tile.valid[1], bit_width(tile.elem)) / 8;
    if (tile.space == Space::ub && row_bytes % 32 != 0)
      problem = fmt::format("a row of {} bytes is not a multiple of 32", row_bytes);
    if (!problem.empty())
      check_.warn(W0461, op, fmt::format("{} of {} on a5: {}", op.mnemonic(), describe(tile), problem),
                  "pad the tile");
  }

  // ---- reserved buffers

  void check_reserve(const OpView& op) {
    const std::string_view name = q_.text(op, "name");
    const Function& function = *q_.functions.enclosing_function(op.index());
    const uint32_t first = q_.reserve_in(function.info.op, name);
    if (first != op.index()) {
      Diagnostic& built = check_.fail(E0487, op, Part::attribute, attribute_of(op, "name"),
                                      fmt::format("@{} reserves \"{}\" twice", function.info.name, name),
                                      "choose another name");
      add_note(built, q_.view(first), "the first one is here");
    }
  }

  void check_import(const OpView& op) {
    const std::string_view name = q_.text(op, "name");
    const std::string_view peer = q_.text(op, "peer_func");
    const Function& function = *q_.functions.enclosing_function(op.index());
    const Function* owner = q_.functions.find(peer, function);
    if (owner == nullptr) {
      const std::string_view near = nearest(peer, q_.functions.names());
      check_.fail(E0488, op, Part::attribute, attribute_of(op, "peer_func"),
                  fmt::format("there is no function @{}", peer),
                  near.empty() ? "name the function that reserves the buffer"
                               : fmt::format("did you mean '@{}'?", near));
      return;
    }
    if (!reachable(op, *owner, function)) return;
    const auto [first, fresh] =
        imported_.emplace(std::tuple(function.info.op, owner->info.op, name), op.index());
    if (!fresh) {
      Diagnostic& built =
          check_.fail(E0488, op, Part::attribute, attribute_of(op, "name"),
                      fmt::format("@{} imports \"{}\" of @{} twice", function.info.name, name, peer),
                      "use the first one");
      add_note(built, q_.view(first->second), "the first one is here");
    }
    if (q_.reserve_in(owner->info.op, name) != ~0u) return;
    std::vector<std::string_view> known;
    for (const uint32_t reserve : q_.reserves) {
      if (q_.functions.enclosing_function(reserve) == owner)
        known.push_back(q_.text(q_.view(reserve), "name"));
    }
    const std::string_view near = nearest(name, known);
    Diagnostic& built = check_.fail(E0488, op, Part::attribute, attribute_of(op, "name"),
                                    fmt::format("@{} reserves no buffer \"{}\"", peer, name),
                                    !near.empty() ? fmt::format("did you mean \"{}\"?", near)
                                                  : "reserve it there with pto.reserve_buffer");
    add_note(built, q_.view(owner->info.op), fmt::format("@{} is here", peer));
  }

  /// A peer in another module is public, and the only one of its name for its kind of core.
  bool reachable(const OpView& op, const Function& owner, const Function& function) {
    if (owner.module == function.module) return true;
    const AttrValue* visibility = q_.view(owner.info.op).attr("sym_visibility");
    const bool hidden = visibility != nullptr && op.program().strings[visibility->text] == "private";
    const bool several = q_.functions.ambiguous(q_.functions.named(owner.info.name, function.module));
    if (!hidden && !several) return true;
    Diagnostic& built = check_.fail(
        E0488, op, Part::attribute, attribute_of(op, "peer_func"),
        hidden ? fmt::format("@{} of another module is private", owner.info.name)
               : fmt::format("several modules have a function @{}", owner.info.name),
        hidden ? "make it public, or reserve the buffer in this module" : "give them different names");
    add_note(built, q_.view(owner.info.op), fmt::format("@{} is here", owner.info.name));
    return false;
  }

  Queues& q_;
  Checker& check_;
  std::map<std::pair<uint32_t, int64_t>, uint32_t> ids_;
  std::set<uint32_t> small_;
  std::map<std::tuple<uint32_t, uint32_t, std::string_view>, uint32_t> imported_;
};

constexpr Rule kQueuesRules[] = {
    {.id = W0461,
     .title = "transfer a5 cannot make",
     .cause = "A5 splits accumulators by an even number of rows or by columns in multiples of 32, and copies "
              "rows of whole 32-byte blocks to the cube core.",
     .example = "pto.tpush_to_aiv of 16x16xf32 with split = 2",
     .fix = "Pad the tile."},
    {.id = W0462,
     .title = "tile larger than its slot",
     .cause = "A tile that is sent has more bytes than slot_size.",
     .example = "slot_size = 512 for a tile of 1024 bytes",
     .fix = "Raise slot_size on both sides."},
    {.id = W0463,
     .title = "buffer smaller than its slots",
     .cause = "A reserved buffer does not hold all slots of its queue: 8 one way, 4 each way, or "
              "local_slot_num.",
     .example = "size = 4096 for 8 slots of 1024",
     .fix = "Reserve slot_size times slots."},
    {.id = E0480,
     .title = "core of a queue",
     .cause = "The instruction belongs to the other core, or it is not known which core this is.",
     .example = "pto.tpush_to_aiv in a vector function",
     .fix = "Set pto.kernel_kind of the function, or use a section."},
    {.id = E0483,
     .title = "queue id",
     .cause = "Every queue of a function has its own id, is set up before it is used, and uses name an id "
              "that exists.",
     .example = "pto.tpush_to_aiv(%t : ..) {id = 3, split = 0} without id 3",
     .fix = "Correct the id, or set the queue up."},
    {.id = E0484,
     .title = "direction",
     .cause = "dir_mask 1 moves data from cube to vector, 2 from vector to cube, 3 both ways.",
     .example = "pto.tpush_to_aiv over a queue with dir_mask = 2",
     .fix = "Change dir_mask or the instruction."},
    {.id = E0485,
     .title = "queue entry",
     .cause = "A view that is sent or received has the type of a slot in GM.",
     .example = "pto.talloc of 16x32xf32 with slots of 16x16xf32",
     .fix = "Use the type of the slot."},
    {.id = E0486,
     .title = "queue handle",
     .cause = "A handle is the result of pto.initialize_l2l_pipe or pto.initialize_l2g2l_pipe in the same "
              "function.",
     .example = "pto.tpush(%t, %argument : .., !pto.pipe)",
     .fix = "Set the queue up where it is used."},
    {.id = E0488,
     .title = "imported buffer",
     .cause = "An imported buffer is reserved by the named function, and imported once.",
     .example = "pto.import_reserved_buffer {name = \"c2v\", peer_func = @cube} where @cube reserves "
                "\"c2v_fifo\"",
     .fix = "Correct the name."},
};

}  // namespace

RuleFamily queue_pairing_rules() { return {.rules = kQueuesRules, .checks = {}}; }

void check_queues(Checker& check) {
  const Program& program = check.program();
  const bool queues_used = std::ranges::any_of(
      check.rows(), [](RowId row) { return isa::is_queue_operation(isa::row(row).opcode_class); });
  if (!queues_used && !sets_queue_scales(check)) return;
  Queues queues(check);
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    if (!isa::is_queue_operation(isa::row(program.ops[i].row).opcode_class) ||
        queues.functions.enclosing_function(i) != nullptr)
      continue;
    check.fail(E0480, OpView(program, i),
               fmt::format("{} is outside a function", OpView(program, i).mnemonic()),
               "move it into a function");
  }
  QueueRules(queues).run();
  check_queue_peers(queues);
  check_queue_pops(queues);
  check_queue_epilogues(queues);
}

}  // namespace pto::legality
