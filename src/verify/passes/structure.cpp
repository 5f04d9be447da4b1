// Structure (E040x): visibility of values, terminators, sections, vector scopes, calls, entries.
//
// One scan over the stream with a stack of the open regions; the depth of nesting costs no machine stack.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "ir/call_graph.hpp"
#include "ir/regions.hpp"
#include "ir/symbol_table.hpp"
#include "ir/vector_scope_candidates.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {

using isa::Escape, isa::functions_inside_scopes, isa::VectorRuns;
namespace {

using isa::OpcodeClass;

struct Open {
  uint32_t op = 0;
  Region region;
  bool entered = false;
  size_t outer_values = 0;  ///< values visible when the region was entered
  bool in_scope = false, in_section = false;
  ValueId isolated_from = 0;  ///< of pto.strict_vecscope: its first argument
  FunctionInfo::Kind core = FunctionInfo::Kind::unknown;
};

class Scan {
 public:
  explicit Scan(Checker& check)
      : check_(check), program_(check.program()), visible_(program_.values.size(), false) {}

  void run() {
    for (uint32_t i = 0; i < program_.ops.size(); ++i) {
      enter_regions(i);
      const OpView op(program_, i);
      check_values(op);
      check_scope(op);
      check_section(op);
      check_core(op);
      check_terminator(op);
      check_function(op);
      if (op.op().n_regions == 0) add_results(op.op());
      open_regions(op);
    }
    check_recursion();
  }

 private:
  std::string_view callee(const OpView& op) const {
    const AttrValue* name = op.attr("callee");
    return name == nullptr ? std::string_view{} : program_.strings[name->text];
  }
  std::string_view function_name(uint32_t op) const {
    const AttrValue* name = OpView(program_, op).attr("sym_name");
    return name == nullptr ? std::string_view{} : program_.strings[name->text];
  }

  // ---- regions and values

  void show(ValueId value) {
    visible_[value] = true;
    shown_.push_back(value);
  }
  void hide_down_to(size_t count) {
    while (shown_.size() > count) {
      visible_[shown_.back()] = false;
      shown_.pop_back();
    }
  }
  /// Leaves regions that end before operation `index` and enters the one it starts. Results are there when
  /// the last region of their operation has ended.
  void enter_regions(uint32_t index) {
    while (!stack_.empty() && index >= stack_.back().region.end) {
      if (stack_.back().entered) hide_down_to(stack_.back().outer_values);
      const uint32_t op = stack_.back().op;
      stack_.pop_back();
      if (stack_.empty() || stack_.back().op != op) add_results(program_.ops[op]);
    }
    if (stack_.empty() || stack_.back().entered) return;
    Open& open = stack_.back();
    open.entered = true;
    open.outer_values = shown_.size();
    for (uint32_t k = 0; k < open.region.n_args; ++k) show(open.region.first_arg + k);
  }
  void add_results(const Op& op) {
    for (uint32_t k = 0; k < op.n_results; ++k) show(op.first_result + k);
  }
  void open_regions(const OpView& op) {
    const std::span<const Region> regions = program_.regions_of(op.op());
    const bool scope = stack_.empty() ? false : stack_.back().in_scope;
    const bool section = stack_.empty() ? false : stack_.back().in_section;
    const ValueId isolated = isolated_from();
    for (size_t k = regions.size(); k-- > 0;) {
      Open open;
      open.op = op.index();
      open.region = regions[k];
      open.in_scope = scope || opens_scope(op);
      open.isolated_from =
          isa::opcode_class(op) == OpcodeClass::strict_vecscope ? regions[k].first_arg : isolated;
      open.in_section = section || isa::is_section(isa::opcode_class(op));
      open.core = core_of(op);
      stack_.push_back(open);
    }
  }

  void check_values(const OpView& op) {
    const isa::Schema& schema = isa::schema(op.op().row);
    const ValueId isolated = isolated_from();
    const auto words = std::span(program_.operands).subspan(op.op().operands, op.op().n_operand_words);
    const auto fine = [&](ValueId value) {
      return value == kNoValue || (visible_[value] && value >= isolated);
    };
    if (!schema.has_variadic && std::ranges::all_of(words, fine)) return;
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      unsigned position = 0;
      for (const ValueId value : op.operands(slot)) {
        ++position;
        if (visible_[value]) {
          if (value < isolated) outside_strict(op, flat_index(op, slot) + position - 1, value);
          continue;
        }
        check_.fail(E0304, op, Anchor::Part::operand, flat_index(op, slot),
                    fmt::format("{} is used by {} where it has no value yet", value_name(program_, value),
                                op.mnemonic()),
                    "define it before, in this or an enclosing region");
      }
    }
  }

  /// Values below this number were made before the strict scope around this place; they come in as captures
  /// only.
  ValueId isolated_from() const { return stack_.empty() ? 0 : stack_.back().isolated_from; }
  void outside_strict(const OpView& op, unsigned operand, ValueId value) {
    check_.fail(E0572, op, Anchor::Part::operand, operand,
                fmt::format("{} comes from outside the pto.strict_vecscope, which sees its captures only",
                            value_name(program_, value)),
                "capture it, or use pto.vecscope");
  }

  // ---- vector scopes

  bool opens_scope(const OpView& op) const {
    return opens_vector_scope(op) ||
           (isa::opcode_class(op) == OpcodeClass::function && inlined_.contains(op.index()));
  }
  void check_scope(const OpView& op) {
    const bool inside = !stack_.empty() && stack_.back().in_scope;
    const isa::Row& row = isa::row(op.op().row);
    if (!inside && row.scope == isa::Scope::inside) outside_scope(op);
    if (inside && row.scope == isa::Scope::outside) {
      const bool nested =
          row.opcode_class == OpcodeClass::vecscope || row.opcode_class == OpcodeClass::strict_vecscope;
      check_.fail(E0402, op,
                  nested ? "vector scopes do not nest"
                         : fmt::format("{} does not belong in a vector scope", op.mnemonic()),
                  nested ? "close the outer scope first" : "move it out of the pto.vecscope region");
    }
  }

  /// Says what keeps a scope away; once for everything that one value keeps out.
  void outside_scope(const OpView& op) {
    if (!runs_) runs_.emplace(program_);
    const std::optional<Escape> escape = runs_->escape_of(op.index());
    if (!escape) {
      check_.fail(E0401, op,
                  fmt::format("{} works on vector registers, outside a vector scope", op.mnemonic()),
                  "put it into a pto.vecscope region");
      return;
    }
    if (!escapes_.insert(escape->op).second) return;
    const OpView defining_op(program_, escape->op), user(program_, escape->user),
        boundary(program_, escape->boundary);
    const std::string name = value_name(program_, escape->value);
    const bool itself = escape->op == op.index();
    const std::string_view end = boundary.mnemonic();
    Diagnostic& built =
        itself
            ? check_.fail(E0401, op, Anchor::Part::result, escape->value - op.op().first_result,
                          fmt::format("no vector scope fits around {}: its result {} is used behind {}",
                                      op.mnemonic(), name, end),
                          "registers live within one pto.vecscope: move the use before the operation that "
                          "ends it, or store the value to UB and load it again")
            : check_.fail(
                  E0401, op,
                  fmt::format("no vector scope fits around {}: {} after it is used after {}", op.mnemonic(),
                              name, end),
                  fmt::format("move {} in front of the vector operations, or write pto.vecscope without it",
                              defining_op.mnemonic()));
    if (!itself) add_note(built, defining_op, fmt::format("{} is made here", name));
    add_note(built, user, fmt::format("{} is used here", name), Anchor::Part::operand, escape->operand);
    if (escape->boundary != escape->user) add_note(built, boundary, "the run of vector operations ends here");
  }

  // ---- sections

  void check_section(const OpView& op) {
    const OpcodeClass opcode_class = isa::opcode_class(op);
    if (!isa::is_section(opcode_class)) return;
    if (!stack_.empty() && stack_.back().in_section) {
      check_.fail(E0404, op, fmt::format("{} is inside another section", op.mnemonic()),
                  "sections do not nest");
    }
  }

  // ---- cores

  /// The core that runs what is inside `op`.
  FunctionInfo::Kind core_of(const OpView& op) const {
    const OpcodeClass opcode_class = isa::opcode_class(op);
    if (opcode_class == OpcodeClass::section_cube) return FunctionInfo::Kind::cube;
    if (opcode_class == OpcodeClass::section_vector) return FunctionInfo::Kind::vector;
    if (opcode_class == OpcodeClass::function) {
      const Function* function = functions_.enclosing_function(op.index());
      return function == nullptr ? FunctionInfo::Kind::unknown : function->info.kind;
    }
    return stack_.empty() ? FunctionInfo::Kind::unknown : stack_.back().core;
  }
  /// The cube core has no vector pipe, the vector core no M, MTE1 and FIX.
  void check_core(const OpView& op) {
    const FunctionInfo::Kind core = stack_.empty() ? FunctionInfo::Kind::unknown : stack_.back().core;
    const isa::Layer layer = isa::row(op.op().row).layer;
    const bool queued = layer == isa::Layer::tile || layer == isa::Layer::vector ||
                        layer == isa::Layer::cube || layer == isa::Layer::dma ||
                        (layer == isa::Layer::scalar && isa::row(op.op().row).pipe == "V");  // SIMT
    if (core == FunctionInfo::Kind::unknown || !queued) return;
    const Pipe pipe = isa::pipe_of(op);
    const bool cube = core == FunctionInfo::Kind::cube;
    if (cube ? pipe != Pipe::v : pipe != Pipe::m && pipe != Pipe::mte1 && pipe != Pipe::fix) return;
    check_.fail(E0408, op,
                fmt::format("{} runs on {}, which the {} core does not have", op.mnemonic(), to_string(pipe),
                            cube ? "cube" : "vector"),
                fmt::format("move it into {} code", cube ? "vector" : "cube"));
  }

  // ---- terminators, returns, calls

  /// Whether a terminator may end a region of such a parent.
  static bool ends(OpcodeClass terminator, OpcodeClass parent) {
    switch (terminator) {
      case OpcodeClass::jump:
      case OpcodeClass::cond_jump:
        return parent == OpcodeClass::function || parent == OpcodeClass::inline_region;
      case OpcodeClass::ret:
        return parent == OpcodeClass::function;
      case OpcodeClass::condition:
        return parent == OpcodeClass::while_loop;
      default:
        return isa::is_control_flow(parent);
    }
  }
  void check_terminator(const OpView& op) {
    if (!is_terminator(program_, op.index()) || stack_.empty()) return;
    const Open& open = stack_.back();
    const bool ends_block = op.index() + 1 < open.region.end &&
                            isa::opcode_class(OpView(program_, op.index() + 1)) == OpcodeClass::block;
    if (op.index() + 1 != open.region.end && !ends_block) {
      check_.fail(E0403, op, fmt::format("{} must be the last operation of its region", op.mnemonic()),
                  "remove the operations after it");
    }
    const OpView parent(program_, open.op);
    if (!ends(isa::opcode_class(op), isa::opcode_class(parent)))
      check_.fail(
          E0403, op, fmt::format("{} does not end a region of {}", op.mnemonic(), parent.mnemonic()),
          isa::opcode_class(op) == OpcodeClass::ret ? "return from the function body" : "use it inside scf");
  }
  void check_function(const OpView& op) {
    const OpcodeClass opcode_class = isa::opcode_class(op);
    if (opcode_class == OpcodeClass::function) {
      current_ = op.index();
      function_ = functions_.enclosing_function(current_);
      if (function_ != nullptr && function_->info.declaration && op.attr("pto.entry") != nullptr) {
        check_.fail(E0573, op, fmt::format("entry @{} has no body", function_name(current_)),
                    "define it, or drop pto.entry");
      }
    }
    const auto marked = [&] {
      return functions_.has(*function_, "pto.entry") || functions_.has(*function_, "pto.kernel");
    };
    if (opcode_class == OpcodeClass::ret && function_ != nullptr && !op.operands(0).empty() && marked()) {
      check_.fail(E0407, op,
                  fmt::format("the entry @{} returns {} value{}", function_name(current_),
                              op.operands(0).size(), op.operands(0).size() == 1 ? "" : "s"),
                  "a kernel writes its results to memory");
    }
    if (opcode_class != OpcodeClass::call) return;
    check_call(op);
  }
  void check_call(const OpView& op) {
    const Function* from = functions_.enclosing_function(op.index());
    const std::span<const uint32_t> meant =
        from == nullptr ? std::span<const uint32_t>() : functions_.called(op, *from);
    if (meant.empty()) {
      check_.fail(E0406, op, Anchor::Part::attribute, 0,
                  fmt::format("no function @{} in this program", callee(op)),
                  "define it, or correct the name");
      return;
    }
    if (functions_.ambiguous(meant)) {
      check_.fail(
          E0406, op, Anchor::Part::attribute, 0,
          fmt::format("several modules define a function @{} for the same kind of core, this one does not",
                      callee(op)),
          "define it in the module of the call, or give them names of their own");
      return;
    }
    for (const uint32_t index : meant) check_arguments(op, program_.ops[functions_[index].info.op]);
  }
  void check_arguments(const OpView& op, const Op& func) {
    if (func.n_regions == 0) return;
    const Region& body = program_.regions_of(func)[0];
    const std::span<const ValueId> given = op.operands(0);
    if (body.n_args != given.size()) {
      check_.fail(E0406, op,
                  fmt::format("@{} takes {} arguments, {} given", callee(op), body.n_args, given.size()),
                  "pass one value per parameter");
      return;
    }
    for (unsigned i = 0; i < given.size(); ++i) {
      const Type& wanted = program_.type_of(body.first_arg + i);
      if (wanted == program_.type_of(given[i])) continue;
      check_.fail(E0406, op, Anchor::Part::operand, i,
                  fmt::format("argument {} of @{} is {}, {} is {}", i, callee(op), describe(wanted),
                              value_name(program_, given[i]), describe(program_.type_of(given[i]))),
                  "pass a value of the parameter's type");
    }
  }

  /// Kernels have no stack: a function may not reach itself.
  void check_recursion() {
    for (const uint32_t index : graph_.recursive()) {
      const uint32_t op = functions_[index].info.op;
      check_.fail(E0405, OpView(program_, op), fmt::format("@{} calls itself", function_name(op)),
                  "use a loop; kernels have no call stack");
    }
  }

  Checker& check_;
  const Program& program_;
  std::vector<bool> visible_;
  std::vector<ValueId> shown_;
  std::vector<Open> stack_;
  const Functions& functions_{check_.functions()};
  const CallGraph& graph_{check_.calls()};
  const std::unordered_set<uint32_t> inlined_ = functions_inside_scopes(program_, functions_, graph_);
  std::optional<VectorRuns> runs_;  ///< made for the first vector operation outside a scope
  std::set<uint32_t> escapes_;      ///< operations whose escape was reported
  uint32_t current_ = 0;
  const Function* function_ = nullptr;  ///< the one that `current_` makes
};

constexpr Rule kStructureRules[] = {
    {.id = E0304,
     .title = "value not visible",
     .cause = "A value is used before it is defined, or outside the region that defines it.",
     .example = "scf.if %c { %x = arith.constant 1 : i32 }  pto.store %x, ..",
     .fix = "Define it in the same or an enclosing region; return it from scf.if or scf.for."},
    {.id = E0401,
     .title = "outside a vector scope",
     .cause = "Vector registers, masks and alignment state exist only inside a vector scope, and none "
              "could be put around the operation.",
     .example = "%v = pto.vlds ..  pto.barrier <PIPE_ALL>  pto.vsts %v, ..",
     .fix = "Put the vector code into a pto.vecscope region; pass values on through UB."},
    {.id = E0402,
     .title = "inside a vector scope",
     .cause = "Vector scopes do not nest and hold no tile, DMA, cube or synchronisation instructions.",
     .example = "pto.vecscope { pto.set_flag[..] }",
     .fix = "Move the instruction out of the scope."},
    {.id = E0403,
     .title = "terminator",
     .cause = "A terminator is the last operation of the region it belongs to.",
     .example = "scf.for .. { scf.yield  pto.tadd .. }",
     .fix = "Move it to the end, or use the one that fits."},
    {.id = E0404,
     .title = "sections",
     .cause = "Sections do not nest.",
     .example = "pto.section.cube { pto.section.vector { .. } }",
     .fix = "Merge or move the sections."},
    {.id = E0405,
     .title = "recursion",
     .cause = "A function calls itself, directly or through others.",
     .example = "func @f calls @f",
     .fix = "Use a loop."},
    {.id = E0406,
     .title = "call",
     .cause = "The function does not exist or takes other arguments.",
     .example = "func.call @g(%x) : (i32) -> () without @g",
     .fix = "Correct name and arguments."},
    {.id = E0407,
     .title = "entry with results",
     .cause = "A kernel entry returns nothing.",
     .example = "return %x : i32 in a kernel",
     .fix = "Store the result to GM."},
    {.id = E0408,
     .title = "wrong core",
     .cause = "A cube core has no vector pipe; a vector core has no M, MTE1 and FIX pipes.",
     .example = "pto.tadd in a pto.section.cube",
     .fix = "Move the instruction into code of the other core."},
    {.id = E0572,
     .title = "isolated scope",
     .cause = "pto.strict_vecscope sees nothing but the values it captures.",
     .example = "pto.strict_vecscope(%p) { ^bb0(%q: ..): pto.vlds %p[..] }",
     .fix = "Add the value to the captures and use the region's argument."},
    {.id = E0573,
     .title = "entry without body",
     .cause = "pto.entry marks the function that the launcher starts, so it has a body.",
     .example = "func.func private @f(i32) attributes {pto.entry}",
     .fix = "Define the function, or drop the attribute."},
};

}  // namespace

RuleFamily structure_rules() { return {.rules = kStructureRules, .checks = {}}; }

void check_structure(Checker& check) { Scan(check).run(); }

}  // namespace pto::legality
