// Queues whose push converts the accumulator (acc_push_epilogue): requirements on the queue,
// agreement of both ends, sent and received types, and the scales before a push (E0493, E0494).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "support/saturating.hpp"
#include "verify/passes/queue_ends.hpp"
#include "verify/tile_rules.hpp"

namespace pto::legality {
namespace {

using isa::OpcodeClass;
using Part = Anchor::Part;

constexpr std::string_view kAttr = "acc_push_epilogue";

/// A conversion: what the accumulator holds, what is received, and where its scales come from.
struct Quant {
  std::string_view name;
  std::string_view from, to;  ///< element types, separated by blanks; "=": as from
  enum class Scales : uint8_t { none, scalar, vector } scales = Scales::none;
  bool a5_only = false;
};
using enum Quant::Scales;
constexpr Quant kQuants[] = {
    {"no_convert", "f32 i32", "=", none, false},
    {"f32_f16", "f32", "f16", none, false},
    {"f32_bf16", "f32", "bf16", none, false},
    {"req8_scalar", "i32", "si8 ui8", scalar, false},
    {"req8_vec", "i32", "si8", vector, false},
    {"deqf16_scalar", "i32", "f16", scalar, false},
    {"deqf16_vec", "i32", "f16", vector, false},
    {"qf322b8_pre_scalar", "f32", "si8 ui8", scalar, false},
    {"qf322b8_pre_vec", "f32", "si8", vector, false},
    {"qf322f16_pre_scalar", "f32", "f16", scalar, false},
    {"qf322bf16_pre_scalar", "f32", "bf16", scalar, false},
    {"qs322bf16_pre_scalar", "i32", "bf16", scalar, true},
    {"qs322bf16_pre_vec", "i32", "bf16", vector, true},
    {"qf322hif8_pre_scalar", "f32", "!pto.hif8", scalar, true},
    {"qf322fp8_pre_scalar", "f32", "f8E4M3FN f8E4M3", scalar, true},
};

/// Whether an element type is one of a list.
bool listed(std::string_view list, Elem elem) {
  while (!list.empty()) {
    const size_t blank = std::min(list.find(' '), list.size());
    if (list.substr(0, blank) == to_string(elem)) return true;
    list.remove_prefix(std::min(blank + 1, list.size()));
  }
  return false;
}

constexpr RuleName kOneScale = RuleName::quant_scale, kRowOfScales = RuleName::quant_scales;
bool sets_one(const OpView& op) { return has_rule(op, kOneScale); }
bool sets_row(const OpView& op) { return has_rule(op, kRowOfScales); }
/// The first instruction with the rule.
std::string_view instruction_with(RuleName rule) {
  const auto found =
      std::ranges::find_if(isa::rows(), [rule](const isa::Row& row) { return row.rule_names.has(rule); });
  return found->name;
}

class Epilogues {
 public:
  explicit Epilogues(Queues& queues) : q_(queues), check_(queues.check) {}

  void run() {
    for (size_t i = 0; i < q_.ends.size(); ++i) {
      const QueueEnd& end = q_.ends[i];
      if (!check_.failed(end.op) && has(end)) check_end(end);
    }
    for (const auto& [first, members] : q_.groups) check_pair(members);
    check_scales();
  }

 private:
  OpView view(const QueueEnd& end) const { return q_.view(end.op); }
  static bool has(const QueueEnd& end) { return end.epilogue.has_value(); }
  static QueueEpilogue epilogue(const QueueEnd& end) { return end.epilogue.value_or(QueueEpilogue{}); }
  static const Quant* quant(const QueueEnd& end) {
    const auto found = std::ranges::find(kQuants, epilogue(end).quant, &Quant::name);
    return found == std::end(kQuants) ? nullptr : &*found;
  }

  void bad_end(const QueueEnd& end, std::string message, Fix help) {
    check_.fail(E0493, view(end), Part::attribute, attribute_of(view(end), kAttr),
                fmt::format("{}: {}", q_.name(end), message), std::move(help));
  }

  // ---- one end

  void check_end(const QueueEnd& end) {
    const QueueEpilogue built = epilogue(end);
    const Quant* how = quant(end);
    if (how == nullptr)
      return bad_end(end, fmt::format("no conversion is called '{}'", built.quant), all_quants());
    if ((built.layout != "nz2nd" && built.layout != "nz2dn" && built.layout != "nz2nz") ||
        (built.relu != "no_relu" && built.relu != "normal_relu"))
      return bad_end(end, fmt::format("layout '{}' and relu '{}' of an epilogue", built.layout, built.relu),
                     "layout is nz2nd, nz2dn or nz2nz, relu is no_relu or normal_relu");
    if (how->a5_only && check_.target() == Target::a2a3)
      return bad_end(end, fmt::format("{} does not exist on a2a3", how->name), "it is of a5");
    if (end.directions != 1)
      return bad_end(end, "the accumulator is sent from cube to vector only", "use dir_mask = 1");
    if (end.nosplit != true)
      return bad_end(end, "converted tiles are sent whole", Fix::write("nosplit = true"));
    if (end.frontend && end.local != kNoValue && !q_.buffer_of(end.local, *end.function))
      return bad_end(end, "its buffer is not reserved by name, so its other end is unknown",
                     "use the result of pto.reserve_buffer or pto.import_reserved_buffer");
    for (const uint32_t user : end.users) check_user(end, *how, q_.view(user));
  }
  static std::string all_quants() {
    std::string text = "use one of";
    for (const Quant& each : kQuants) text += fmt::format(" {}", each.name);
    return text;
  }

  void check_user(const QueueEnd& end, const Quant& how, const OpView& op) {
    if (op.attr("split") != nullptr && op.attr_int("split") != 0) {
      Diagnostic& built = check_.fail(E0493, op, Part::attribute, attribute_of(op, "split"),
                                      fmt::format("{} with split = {}; converted tiles are sent whole",
                                                  op.mnemonic(), op.attr_int("split")),
                                      "use split = 0");
      add_note(built, view(end), "the queue is set up here");
    } else if (isa::opcode_class(op) == OpcodeClass::queue_push) {
      check_sent(end, how, op);
    }
  }
  void check_sent(const QueueEnd& end, const Quant& how, const OpView& op) {
    const Type& tile = op.type(0);
    if (!tile.is_tile()) return;
    if (tile.space != Space::l0c || !listed(how.from, tile.elem)) {
      Diagnostic& built =
          check_.fail(E0493, op, Part::operand_type, 0,
                      fmt::format("{} converts {} of the accumulator; {} is {}", how.name, how.from,
                                  value_name(q_.program, op.operand(0)), describe(tile)),
                      "send an acc tile of this type, or use another conversion");
      add_note(built, view(end), "the queue is set up here");
      return;
    }
    if (how.scales == none || q_.scales_of(op, setter(how)) != kNoOp) return;
    check_.fail(E0494, op,
                fmt::format("{} needs {} with id = {} in front of it in the same block", op.mnemonic(),
                            setter(how), op.attr_int("id")),
                fmt::format("{} takes its scales from there", how.name));
  }
  static std::string_view setter(const Quant& how) {
    return how.scales == scalar ? instruction_with(kOneScale) : instruction_with(kRowOfScales);
  }
  /// Whether an operation sets scales of this kind.
  static bool sets(const OpView& op, const Quant& how) {
    return how.scales == scalar ? sets_one(op) : how.scales == vector && sets_row(op);
  }

  // ---- both ends

  void check_pair(const std::vector<size_t>& members) {
    if (std::ranges::none_of(members, [&](size_t i) { return has(q_.ends[i]); })) return;
    if (std::ranges::any_of(members, [&](size_t i) { return check_.failed(q_.ends[i].op); })) return;
    const QueueEnd& first = q_.ends[members.front()];
    for (const size_t i : members) {
      const QueueEnd& other = q_.ends[i];
      if (epilogue(first) == epilogue(other)) continue;
      const auto words = [&](const QueueEnd& end) {
        const QueueEpilogue built = epilogue(end);
        return has(end) ? fmt::format("{}, {}, {}", built.layout, built.quant, built.relu) : "no epilogue";
      };
      Diagnostic& built = check_.fail(E0493, view(other),
                                      fmt::format("both ends of a queue differ: {} here, {} at the other end",
                                                  words(other), words(first)),
                                      "write the same acc_push_epilogue at both ends");
      add_note(built, view(first), "the other end is here");
      return;
    }
    check_received(members);
  }

  /// All pops give one tile type, of the conversion's element and layout; a slot holds it.
  void check_received(const std::vector<size_t>& members) {
    const Type *sent = nullptr, *got = nullptr;
    const QueueEnd* consumer = nullptr;
    for (const size_t i : members) {
      const QueueEnd& end = q_.ends[i];
      const bool receives = end.function->info.kind == FunctionInfo::Kind::vector;
      if (receives) consumer = &end;
      for (const uint32_t user : end.users) {
        const OpView op = q_.view(user);
        if (isa::opcode_class(op) == OpcodeClass::queue_push && op.type(0).is_tile()) sent = &op.type(0);
        if (isa::opcode_class(op) != OpcodeClass::queue_pop || op.op().n_results == 0) continue;
        if (got != nullptr && *got != op.result_type(0))
          return static_cast<void>(check_.fail(E0493, op, Part::result_type, 0,
                                               fmt::format("{} receives {} here, {} elsewhere", q_.name(end),
                                                           describe(op.result_type(0)), describe(*got)),
                                               "a converting queue has one type"));
        got = &op.result_type(0);
      }
    }
    if (consumer == nullptr || !consumer->frontend) return;
    if (got == nullptr)
      return bad_end(*consumer, "nothing is received, so the type of an entry is not known",
                     "receive it with pto.tpop_from_aic");
    if (!got->is_tile()) return;
    const Quant* how = quant(*consumer);
    if (how == nullptr) return;
    const bool same = how->to == "=";
    const std::string_view wanted = same && sent != nullptr ? to_string(sent->elem)
                                    : same                  ? how->from
                                                            : how->to;
    if (!listed(wanted, got->elem))
      return bad_end(*consumer, fmt::format("{} gives {}; {} is received", how->name, wanted, describe(*got)),
                     "receive tiles of this element type");
    const std::string_view layout = epilogue(*consumer).layout;
    const bool fits = layout == "nz2nd" ? is_nd(*got) : layout == "nz2dn" ? is_dn(*got) : is_nz(*got);
    if (!fits)
      return bad_end(*consumer, fmt::format("{} gives another layout than {}", layout, layout_name(*got)),
                     "receive tiles of the layout that the epilogue makes");
    const int64_t bytes = sat_mul(sat_mul(got->rows(), got->cols()), int64_t{byte_width(got->elem)});
    for (const size_t i : members) {
      const QueueEnd& end = q_.ends[i];
      if (end.slot_size >= bytes) continue;
      return static_cast<void>(
          check_.fail(E0493, view(end), Part::attribute, attribute_of(view(end), "slot_size"),
                      fmt::format("slot_size is {}; {} takes {} bytes", end.slot_size, describe(*got), bytes),
                      fmt::format("use {} or more", bytes)));
    }
  }

  // ---- scales

  void check_scales() {
    for (uint32_t i = 0; i < q_.program.ops.size(); ++i) {
      const OpView op = q_.view(i);
      if ((!sets_one(op) && !sets_row(op)) || check_.failed(i)) continue;
      const Function* function = q_.functions.enclosing_function(i);
      const auto found = std::ranges::find_if(q_.ends, [&](const QueueEnd& end) {
        return end.function == function && end.frontend && end.id == op.attr_int("id");
      });
      const bool known = found != q_.ends.end();
      const Quant* how = known && has(*found) ? quant(*found) : nullptr;
      if (how != nullptr && how->scales != none && sets(op, *how)) continue;
      if (how == nullptr && !known && std::ranges::any_of(q_.ends, [&](const QueueEnd& end) {
            return end.function == function && !end.frontend;
          }))
        continue;  // lowered queues have no number
      check_.fail(E0494, op,
                  !known           ? fmt::format("@{} has no queue with id {}",
                                       function == nullptr ? "" : function->info.name, op.attr_int("id"))
                  : how == nullptr ? fmt::format("the queue with id {} converts nothing", op.attr_int("id"))
                                   : fmt::format("{} of {}, which takes {}", op.mnemonic(), how->name,
                                                 how->scales == none ? "no scales" : setter(*how)),
                  "scales belong to a queue whose acc_push_epilogue takes them");
    }
  }

  Queues& q_;
  Checker& check_;
};

constexpr Rule kQueueEpiloguesRules[] = {
    {.id = E0493,
     .title = "converting queue",
     .cause =
         "A queue with acc_push_epilogue goes from cube to vector (dir_mask = 1), whole (nosplit = true, "
         "split = 0), says the same at both ends, and sends and receives the types of its conversion.",
     .example = "acc_push_epilogue<.., quant = deqf16_scalar, ..> with f32 accumulators",
     .fix = "Follow the message."},
    {.id = E0494,
     .title = "scales of a queue",
     .cause = "A conversion with scales needs pto.set_quant_scalar or pto.set_quant_vector of the queue in "
              "front of the push, in the same block; scales belong to such a queue.",
     .example = "pto.tpush_to_aiv with quant = deqf16_scalar and no pto.set_quant_scalar",
     .fix = "Set the scales, or choose another conversion."},
};

constexpr OpRule kQueueEpiloguesChecks[] = {
    {.name = "quant_scales", .words = "the queue takes scales"},
};

}  // namespace

RuleFamily queue_epilogue_rules() { return {.rules = kQueueEpiloguesRules, .checks = kQueueEpiloguesChecks}; }

void check_queue_epilogues(Queues& queues) { Epilogues(queues).run(); }

bool sets_queue_scales(const Checker& check) { return check.any_has_rule({kOneScale, kRowOfScales}); }

}  // namespace pto::legality
