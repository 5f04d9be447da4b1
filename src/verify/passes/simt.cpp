// SIMT functions: launches and their arguments, permitted operations and their positions (E046x).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/regions.hpp"
#include "ir/symbol_table.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

using Part = Anchor::Part;

constexpr std::string_view kEntry = "pto.simt_entry";

using isa::OpcodeClass;

/// Of the scalar unit of a kernel, and sections that start threads.
bool of_kernel(const OpView& op) { return has_rule(op, RuleName::of_kernel); }
bool of_threads(const OpView& op) { return has_rule(op, RuleName::of_threads); }

class Simt {
 public:
  explicit Simt(Checker& check)
      : check_(check), program_(check.program()), functions_(check.functions()), regions_(program_) {}

  void run() {
    for (const Function& function : functions_.all()) {
      check_limit(function, "pto.simt_max_threads", 2048);
      check_limit(function, "pto.simt_max_regs", 128);
      const bool simt = functions_.has(function, kEntry);
      for (uint32_t i = function.info.op + 1; i < function.end; ++i)
        check_place(OpView(program_, i), function, simt);
      if (simt && !function.info.declaration) check_slots(function);
    }
  }

 private:
  /// pto.simt_max_threads and pto.simt_max_regs: an i32 from 1, on SIMT functions only.
  void check_limit(const Function& function, std::string_view name, int64_t most) {
    const OpView op(program_, function.info.op);
    const AttrValue* value = op.attr(name);
    if (value == nullptr || value->kind != AttrValue::Kind::integer) return;
    const Elem elem = program_.types[value->type].elem;
    if (elem != Elem::none && elem != Elem::i32) {
      check_.fail(E0465, op, Part::attribute, attr_index(op, name),
                  fmt::format("'{}' is {}; it must be i32", name, to_string(elem)), Fix::write(": i32"));
    } else if (value->integer < 1 || value->integer > most) {
      check_.fail(E0465, op, Part::attribute, attr_index(op, name),
                  fmt::format("'{}' is {}; it must be 1 to {}", name, value->integer, most),
                  "choose a value in this range");
    } else if (!functions_.has(function, kEntry)) {
      check_.fail(E0465, op, Part::attribute, attr_index(op, name),
                  fmt::format("'{}' on @{}, which is not marked {}", name, function.info.name, kEntry),
                  fmt::format("add {}, or remove the attribute", kEntry));
    }
  }

  void check_place(const OpView& op, const Function& function, bool simt) {
    if (of_kernel(op)) check_device(op, function, simt);
    if (of_threads(op) && !simt && !within_section(op)) no_thread(op);
    if (is_thread_section(op)) check_section(op, function, simt);
    switch (isa::opcode_class(op)) {
      case OpcodeClass::launch_threads:
        if (is_thread_section(op)) break;
        if (simt)
          inside(op, function);
        else
          check_launch(op, function);
        break;
      case OpcodeClass::describe_threads:
        if (simt) inside(op, function);
        break;
      case OpcodeClass::keep:
      case OpcodeClass::resume:
      case OpcodeClass::thread_barrier:
      case OpcodeClass::thread_fence:
        if (!simt && !within_section(op)) outside(op, function);
        break;
      case OpcodeClass::atomic:
        check_packed_atomic(op, function, simt);
        break;
      default:
        break;
    }
  }
  /// Whether a section of threads stands around an operation.
  [[nodiscard]] bool within_section(const OpView& op) const {
    for (uint32_t around = regions_.parent(op.index()); around != kNoOp; around = regions_.parent(around)) {
      if (is_thread_section(OpView(program_, around))) return true;
    }
    return false;
  }
  void check_section(const OpView& op, const Function& function, bool simt) {
    if (simt) return inside(op, function);
    if (!within_section(op)) return;
    check_.fail(E0462, op, fmt::format("{} is inside another one", op.mnemonic()),
                "end the section around it first");
  }
  /// Accesses past the cache are of the scalar unit of a kernel.
  void check_device(const OpView& op, const Function& function, bool simt) {
    if (simt) return inside(op, function);
    for (const std::string_view name : {"l1cache", "l2cache"}) {
      for (const Attr& attr : program_.attrs_of(op.op())) {
        if (attr.spec != kUnknownAttr || program_.strings[attr.name] != name) continue;
        check_.fail(E0462, op, fmt::format("{} with {}: it passes the caches", op.mnemonic(), name),
                    Fix::remove("drop it"));
        return;
      }
    }
    if (within_section(op)) {
      check_.fail(E0462, op, fmt::format("{} is among threads; it belongs to the scalar unit", op.mnemonic()),
                  "move it before the section");
    } else if (!function.info.entry || private_helper(function)) {
      check_.fail(E0462, op,
                  fmt::format("{} is in @{}, which is not a kernel", op.mnemonic(), function.info.name),
                  "access it in the kernel, and pass the value");
    }
  }
  /// A private function without a mark is no kernel, even when it is the only function.
  [[nodiscard]] bool private_helper(const Function& function) const {
    const OpView op(program_, function.info.op);
    const AttrValue* visibility = op.attr("sym_visibility");
    return visibility != nullptr && program_.strings[visibility->text] == "private";
  }
  void inside(const OpView& op, const Function& function) {
    Diagnostic& built = check_.fail(
        E0462, op,
        fmt::format("{} is in @{}, which is itself marked {}", op.mnemonic(), function.info.name, kEntry),
        "launch from the function that is not SIMT");
    add_note(built, OpView(program_, function.info.op),
             fmt::format("@{} is a SIMT function", function.info.name));
  }
  void outside(const OpView& op, const Function& function) {
    Diagnostic& built = check_.fail(E0462, op,
                                    fmt::format("{} belongs to SIMT threads; @{} is not marked {}",
                                                op.mnemonic(), function.info.name, kEntry),
                                    fmt::format("move it into a function with attributes {{{}}}", kEntry));
    add_note(built, OpView(program_, function.info.op), fmt::format("@{} is here", function.info.name));
  }

  void no_thread(const OpView& op) {
    check_.warn(W0466, op, fmt::format("{} is outside threads", op.mnemonic()),
                fmt::format("move it into a pto.section.simt or a function with attributes {{{}}}", kEntry));
  }

  void check_packed_atomic(const OpView& op, const Function& function, bool simt) {
    if (op.result_type(0).kind != TypeKind::vector) return;
    if (!simt && !within_section(op)) return outside(op, function);
    const ValueId old = op.result(0);
    for (uint32_t i = op.index() + 1; i < function.end; ++i) {
      const OpView user(program_, i);
      const isa::Schema& schema = isa::schema(user.op().row);
      for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
        if (std::ranges::find(user.operands(slot), old) == user.operands(slot).end()) continue;
        Diagnostic& built =
            check_.fail(E0468, op, Part::result, 0,
                        fmt::format("{} on {}: pairs give no old value, but {} uses {}", op.mnemonic(),
                                    describe(op.result_type(0)), user.mnemonic(), value_name(program_, old)),
                        "leave the result unused");
        add_note(built, user, "it is used here");
        return;
      }
    }
  }

  // ---- launches

  void check_launch(const OpView& op, const Function& function) {
    const AttrValue* name = op.attr("callee");
    if (name == nullptr) return;  // E0311
    const std::string_view callee = program_.strings[name->text];
    const Function* target = functions_.find(callee, function);
    if (target == nullptr) {
      const std::string_view near = nearest(callee, functions_.names());
      check_.fail(E0460, op, Part::attribute, 0,
                  fmt::format("{} starts @{}, which does not exist", op.mnemonic(), callee),
                  near.empty() ? "define it" : fmt::format("did you mean '@{}'?", near));
      return;
    }
    const OpView entry(program_, target->info.op);
    if (!functions_.has(*target, kEntry)) {
      Diagnostic& built =
          check_.fail(E0460, op, Part::attribute, 0,
                      fmt::format("{} starts @{}, which is not marked {}", op.mnemonic(), callee, kEntry),
                      fmt::format("add attributes {{{}}} to it", kEntry));
      add_note(built, entry, fmt::format("@{} is here", callee));
      return;
    }
    if (const AttrValue* results = entry.attr("function_results"); results != nullptr) {
      Diagnostic& built = check_.fail(E0460, op, Part::attribute, 0,
                                      fmt::format("{} starts @{}, which returns {}", op.mnemonic(), callee,
                                                  program_.strings[results->text]),
                                      "a SIMT function returns nothing; store the values");
      add_note(built, entry, fmt::format("@{} is here", callee));
      return;
    }
    check_arguments(op, *target);
    check_threads(op, entry, callee);
  }

  void check_arguments(const OpView& op, const Function& target) {
    const OpView entry(program_, target.info.op);
    const std::span<const Region> regions = program_.regions_of(entry.op());
    if (regions.empty()) return;
    const unsigned slot = 3;
    const std::span<const ValueId> given = op.operands(slot);
    if (given.size() != regions[0].n_args) {
      Diagnostic& built =
          check_.fail(E0461, op,
                      fmt::format("@{} takes {} argument{}, {} given", target.info.name, regions[0].n_args,
                                  regions[0].n_args == 1 ? "" : "s", given.size()),
                      "pass one value per parameter");
      add_note(built, entry, fmt::format("@{} is here", target.info.name));
      return;
    }
    for (unsigned i = 0; i < given.size(); ++i) {
      const Type& wanted = program_.type_of(regions[0].first_arg + i);
      if (wanted == program_.type_of(given[i])) continue;
      Diagnostic& built = check_.fail(
          E0461, op, Part::operand, flat_index(op, slot) + i,
          fmt::format("argument {} of @{} is {}, but {} is {}", i, target.info.name, describe(wanted),
                      value_name(program_, given[i]), describe(program_.type_of(given[i]))),
          "pass a value of the parameter's type");
      add_note(built, entry, fmt::format("@{} is here", target.info.name));
    }
  }

  /// More threads than the callee was compiled for.
  void check_threads(const OpView& op, const OpView& entry, std::string_view callee) {
    const AttrValue* limit = entry.attr("pto.simt_max_threads");
    int64_t threads = 1;
    for (unsigned slot = 0; slot < 3; ++slot) {
      const std::optional<int64_t> size = check_.constant(op.operand(slot));
      if (!size || *size < 1 || *size > 2048) return;
      threads *= *size;
    }
    const int64_t most = limit == nullptr ? 1024 : limit->integer;
    if (threads <= most || threads > 2048) return;
    Diagnostic& built = check_.warn(
        W0460, op, fmt::format("{} threads start @{}, which is made for {}", threads, callee, most),
        fmt::format("write pto.simt_max_threads = {} : i32 at @{}", threads, callee));
    add_note(built, entry,
             limit == nullptr ? "without pto.simt_max_threads it is 1024" : "the limit is here");
  }

  // ---- keep and resume

  static bool wide(const Type& type) { return is_integer(type.elem) && bit_width(type.elem) == 64; }

  void check_slots(const Function& function) {
    const ChildOps ops = ops_in(program_, body_of(program_, function.info.op));
    const std::vector<uint32_t> body(ops.begin(), ops.end());
    const auto is = [&](uint32_t op, OpcodeClass opcode_class) {
      return isa::row(program_.ops[op].row).opcode_class == opcode_class;
    };
    // resume: behind the constants; keep: in front of the return, syncthreads may follow.
    size_t first = 0;
    while (first < body.size() && is(body[first], OpcodeClass::constant)) ++first;
    size_t resumed = first;
    while (resumed < body.size() && is(body[resumed], OpcodeClass::resume)) ++resumed;
    size_t last = body.size();
    if (last > 0 && is(body[last - 1], OpcodeClass::ret)) --last;
    while (last > 0 && is(body[last - 1], OpcodeClass::thread_barrier)) --last;
    size_t kept = last;
    while (kept > 0 && is(body[kept - 1], OpcodeClass::keep)) --kept;

    std::map<int64_t, uint32_t> kept_in, resumed_in;
    for (uint32_t i = function.info.op + 1; i < function.end; ++i) {
      const bool keep = is(i, OpcodeClass::keep);
      if (!keep && !is(i, OpcodeClass::resume)) continue;
      const OpView op(program_, i);
      const auto place = std::ranges::find(body, i) - body.begin();
      const auto at = static_cast<size_t>(place);
      if (keep && (at < kept || at >= last)) misplaced_keep(op, at < body.size() ? body[last - 1] : ~0u);
      if (!keep && (at < first || at >= resumed))
        misplaced_resume(op, at < body.size() ? body[resumed] : ~0u);
      check_slot(op, keep ? op.type(0) : op.result_type(0), keep ? kept_in : resumed_in);
    }
  }

  void misplaced_keep(const OpView& op, uint32_t between) {
    Diagnostic& built =
        check_.fail(E0464, op,
                    between == ~0u ? fmt::format("{} is in a nested region", op.mnemonic())
                                   : fmt::format("{} is followed by other work", op.mnemonic()),
                    "values are kept at the end of the function: only pto.keep and pto.syncthreads may come "
                    "between it and return");
    if (between != ~0u && between != op.index())
      add_note(built, OpView(program_, between), "this comes after it");
  }
  void misplaced_resume(const OpView& op, uint32_t between) {
    Diagnostic& built =
        check_.fail(E0464, op,
                    between == ~0u ? fmt::format("{} is in a nested region", op.mnemonic())
                                   : fmt::format("{} comes after other work", op.mnemonic()),
                    "values are resumed at the begin of the function: only constants may come before");
    if (between != ~0u && between != op.index())
      add_note(built, OpView(program_, between), "this comes before it");
  }

  /// Slots 0 to 122; 64-bit values take an even one and the next. None is used twice.
  void check_slot(const OpView& op, const Type& type, std::map<int64_t, uint32_t>& in_use) {
    const AttrValue* attr = op.attr("slot");
    if (attr == nullptr) return;  // E0311
    const int64_t slot = attr->integer;
    const int64_t most = wide(type) ? kFragmentSlots - 2 : kFragmentSlots - 1;
    const auto fail = [&](std::string message, Fix help) -> Diagnostic& {
      return check_.fail(E0463, op, Part::attribute, attr_index(op, "slot"), std::move(message),
                         std::move(help));
    };
    if (slot < 0 || slot > most) {
      fail(fmt::format("slot {} of {}; {} takes slots 0 to {}", slot, op.mnemonic(), describe(type), most),
           "choose another slot");
      return;
    }
    if (wide(type) && slot % 2 != 0) {
      fail(fmt::format("slot {} of {} is odd; {} takes an even slot and the next", slot, op.mnemonic(),
                       describe(type)),
           fmt::format("use slot {}", slot < most ? slot + 1 : slot - 1));
      return;
    }
    for (int64_t word = slot; word <= (wide(type) ? slot + 1 : slot); ++word) {
      const auto [used, fresh] = in_use.emplace(word, op.index());
      if (fresh) continue;
      Diagnostic& built =
          fail(fmt::format("slot {} is taken already", word), "give every value a slot of its own");
      add_note(built, OpView(program_, used->second), "it is taken here");
      return;
    }
  }

  Checker& check_;
  const Program& program_;
  const Functions& functions_;
  const RegionTree regions_;
};

/// Whether a program has anything that this pass speaks of: most have not.
bool uses_simt(const Checker& check) {
  const bool speaks = std::ranges::any_of(check.rows(), [](RowId id) {
    const isa::Row& row = isa::row(id);
    const OpcodeClass opcode_class = row.opcode_class;
    return opcode_class == OpcodeClass::launch_threads || opcode_class == OpcodeClass::describe_threads ||
           opcode_class == OpcodeClass::keep || opcode_class == OpcodeClass::resume ||
           opcode_class == OpcodeClass::thread_barrier || opcode_class == OpcodeClass::thread_fence ||
           opcode_class == OpcodeClass::atomic ||
           row.rule_names.has_any({RuleName::of_kernel, RuleName::of_threads, RuleName::simt_section});
  });
  const Functions& functions = check.functions();
  return speaks || std::ranges::any_of(functions.all(), [&](const Function& function) {
           return functions.has(function, "pto.simt_max_threads") ||
                  functions.has(function, "pto.simt_max_regs");
         });
}

constexpr Rule kSimtRules[] = {
    {.id = E0460,
     .title = "SIMT function",
     .cause = "pto.simt_launch starts a function that is marked pto.simt_entry and returns nothing.",
     .example = "pto.simt_launch @helper<<<%x, %y, %z>>>() : () -> () without pto.simt_entry at @helper",
     .fix = "Correct the name, or mark the function."},
    {.id = W0460,
     .title = "too many threads",
     .cause = "A launch starts more threads than the function is made for (pto.simt_max_threads, without "
              "it 1024).",
     .example = "pto.simt_launch of 2048 threads",
     .fix = "Raise pto.simt_max_threads."},
    {.id = E0461,
     .title = "SIMT arguments",
     .cause = "A launch passes other values than the SIMT function takes.",
     .example = "pto.simt_launch @body<<<%x, %y, %z>>>() : () -> () of @body(%p: !pto.ptr<i32, ub>)",
     .fix = "Pass one value per parameter, of its type."},
    {.id = E0462,
     .title = "SIMT or not",
     .cause = "Launches and launch sizes are in ordinary functions; keep, resume, syncthreads, fences and "
              "atomics on pairs are in functions marked pto.simt_entry or in SIMT sections.",
     .example = "pto.syncthreads in a kernel",
     .fix = "Move the instruction."},
    {.id = W0466,
     .title = "access of threads outside of them",
     .cause = "pto.ldg and pto.stg are accesses of SIMT threads. The language of June 2026 allowed them "
              "everywhere; the current public tool refuses them outside threads.",
     .example = "pto.ldg in a kernel without pto.section.simt",
     .fix = "Move it into a pto.section.simt; the scalar unit has pto.load and pto.ld_dev."},
    {.id = E0463,
     .title = "slot",
     .cause = "Values between SIMT functions take slots 0 to 122, each once; 64-bit values an even slot "
              "and the next.",
     .example = "pto.keep %wide {slot = 3 : i64} : i64",
     .fix = "Use a free slot, an even one for 64 bits."},
    {.id = E0464,
     .title = "position of keep and resume",
     .cause = "Values are resumed first, after constants only, and kept last; only pto.syncthreads may be "
              "between pto.keep and return.",
     .example = "pto.resume behind pto.get_tid_x",
     .fix = "Move it to the begin or the end of the function."},
    {.id = E0465,
     .title = "SIMT limits",
     .cause = "pto.simt_max_threads is 1 to 2048, pto.simt_max_regs 1 to 128, both i32 and on functions "
              "marked pto.simt_entry.",
     .example = "attributes {pto.simt_entry, pto.simt_max_regs = 256 : i32}",
     .fix = "Choose a value in the range."},
};

constexpr OpRule kSimtChecks[] = {
    {.name = "of_kernel", .words = "is in a kernel, outside threads"},
    {.name = "of_threads", .words = "is among threads"},
};

}  // namespace

RuleFamily simt_function_rules() { return {.rules = kSimtRules, .checks = kSimtChecks}; }

void check_simt(Checker& check) {
  if (uses_simt(check)) Simt(check).run();
}

}  // namespace pto::legality
