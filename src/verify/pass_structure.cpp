// Structure (E040x): visibility of values, terminators, sections, vector scopes, calls, entries.
//
// One scan over the stream with a stack of the open regions; the depth of nesting costs no machine stack.
#include <fmt/format.h>

#include <set>
#include <unordered_set>

#include "support/call_graph.hpp"
#include "support/functions.hpp"
#include "verify/checker.hpp"
#include "verify/vector_runs.hpp"

namespace pto::legality {
namespace {

/// Rows the scan treats by name.
struct Rows {
  RowId func, call, ret, cube, vector, vecscope, strict, block;
  static RowId id(std::string_view name) { return isa::id_of(*isa::find_row(name)); }
  static Rows find() {
    return {id("func.func"),          id("func.call"),    id("func.return"),         id("pto.section.cube"),
            id("pto.section.vector"), id("pto.vecscope"), id("pto.strict_vecscope"), id("builtin.block")};
  }
};

struct Open {
  uint32_t op = 0;
  Region region;
  bool entered = false;
  size_t outer_values = 0;   ///< values visible when the region was entered
  bool in_scope = false, in_section = false;
  ValueId isolated_from = 0;   ///< of pto.strict_vecscope: its first argument
  FunctionInfo::Kind core = FunctionInfo::Kind::unknown;
};

class Scan {
 public:
  explicit Scan(Checker& check) : check_(check), program_(check.program()), visible_(program_.values.size(), false) {}

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
      add_results(op.op());
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
  /// Leaves regions that end before operation `index` and enters the one it starts.
  void enter_regions(uint32_t index) {
    while (!stack_.empty() && index >= stack_.back().region.end) {
      if (stack_.back().entered) hide_down_to(stack_.back().outer_values);
      stack_.pop_back();
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
      open.isolated_from = op.op().row == rows_.strict ? regions[k].first_arg : isolated;
      open.in_section = section || is_section(op.op().row);
      open.core = core_of(op);
      stack_.push_back(open);
    }
  }

  void check_values(const OpView& op) {
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      const ValueId isolated = isolated_from();
      unsigned position = 0;
      for (const ValueId value : op.operands(slot)) {
        ++position;
        if (visible_[value]) {
          if (value < isolated) outside_strict(op, flat_index(op, slot) + position - 1, value);
          continue;
        }
        check_.fail("E0304", op, Anchor::Part::operand, flat_index(op, slot),
                    fmt::format("{} is used by {} where it has no value yet", value_name(program_, value), op.mnemonic()),
                    "define it before, in this or an enclosing region");
      }
    }
  }

  /// Values below this number were made before the strict scope around this place; they come in as captures only.
  ValueId isolated_from() const { return stack_.empty() ? 0 : stack_.back().isolated_from; }
  void outside_strict(const OpView& op, unsigned operand, ValueId value) {
    check_.fail("E0572", op, Anchor::Part::operand, operand,
                fmt::format("{} comes from outside the pto.strict_vecscope, which sees its captures only", value_name(program_, value)),
                "capture it, or use pto.vecscope");
  }

  // ---- vector scopes

  bool opens_scope(const OpView& op) const {
    return opens_vector_scope(op) || (op.op().row == rows_.func && inlined_.contains(op.index()));
  }
  void check_scope(const OpView& op) {
    const bool inside = !stack_.empty() && stack_.back().in_scope;
    const isa::Row& row = isa::row(op.op().row);
    if (!inside && (row.flags & isa::kVecScope) != 0) outside_scope(op);
    if (inside && (row.flags & isa::kNoVecScope) != 0) {
      const bool nested = op.op().row == rows_.vecscope || op.op().row == rows_.strict;
      check_.fail("E0402", op, nested ? "vector scopes do not nest" : fmt::format("{} does not belong in a vector scope", op.mnemonic()),
                  nested ? "close the outer scope first" : "move it out of the pto.vecscope region");
    }
  }

  /// Says what keeps a scope away; once for everything that one value keeps out.
  void outside_scope(const OpView& op) {
    if (!runs_) runs_.emplace(program_);
    const std::optional<Escape> escape = runs_->escape_of(op.index());
    if (!escape) {
      check_.fail("E0401", op, fmt::format("{} works on vector registers, outside a vector scope", op.mnemonic()), "put it into a pto.vecscope region");
      return;
    }
    if (!escapes_.insert(escape->op).second) return;
    const OpView maker(program_, escape->op), user(program_, escape->user), boundary(program_, escape->boundary);
    const std::string name = value_name(program_, escape->value);
    const bool itself = escape->op == op.index();
    const std::string_view end = boundary.mnemonic();
    Diagnostic& made =
        itself ? check_.fail("E0401", op, Anchor::Part::result, escape->value - op.op().first_result,
                             fmt::format("no vector scope fits around {}: its result {} is used behind {}", op.mnemonic(), name, end),
                             "registers live within one pto.vecscope: move the use in front of what ends it, or store the value to UB and load it again")
               : check_.fail("E0401", op, fmt::format("no vector scope fits around {}: {} among what follows it is used behind {}", op.mnemonic(), name, end),
                             fmt::format("move {} in front of the vector operations, or write pto.vecscope without it", maker.mnemonic()));
    if (!itself) made.notes.push_back({fmt::format("{} is made here", name), {}, maker.op().where, {Anchor::Part::op, escape->op, 0}});
    made.notes.push_back({fmt::format("{} is used here", name), {}, user.op().where, {Anchor::Part::operand, escape->user, escape->operand}});
    if (escape->boundary != escape->user) {
      made.notes.push_back({"the run of vector operations ends here", {}, boundary.op().where, {Anchor::Part::op, escape->boundary, 0}});
    }
  }

  // ---- sections

  bool is_section(RowId row) const { return row == rows_.cube || row == rows_.vector; }
  void check_section(const OpView& op) {
    const RowId row = op.op().row;
    if (row == rows_.func) sections_.clear();
    if (!is_section(row)) return;
    if (!stack_.empty() && stack_.back().in_section) {
      check_.fail("E0404", op, fmt::format("{} stands inside another section", op.mnemonic()), "sections do not nest");
    } else if (!sections_.insert(row).second) {
      check_.fail("E0404", op, fmt::format("a second {} in one function", op.mnemonic()), "merge both sections");
    }
  }

  // ---- cores

  /// The core that runs what stands inside `op`.
  FunctionInfo::Kind core_of(const OpView& op) const {
    const RowId row = op.op().row;
    if (row == rows_.cube) return FunctionInfo::Kind::cube;
    if (row == rows_.vector) return FunctionInfo::Kind::vector;
    if (row == rows_.func) {
      const Function* function = functions_.around(op.index());
      return function == nullptr ? FunctionInfo::Kind::unknown : function->info.kind;
    }
    return stack_.empty() ? FunctionInfo::Kind::unknown : stack_.back().core;
  }
  /// The cube core has no vector pipe, the vector core no M, MTE1 and FIX.
  void check_core(const OpView& op) {
    const FunctionInfo::Kind core = stack_.empty() ? FunctionInfo::Kind::unknown : stack_.back().core;
    const isa::Layer layer = isa::row(op.op().row).layer;
    const bool queued = layer == isa::Layer::tile || layer == isa::Layer::vector || layer == isa::Layer::cube || layer == isa::Layer::dma ||
                        (layer == isa::Layer::scalar && isa::row(op.op().row).pipe == "V");   // SIMT
    if (core == FunctionInfo::Kind::unknown || !queued) return;
    const Pipe pipe = isa::pipe_of(op);
    const bool cube = core == FunctionInfo::Kind::cube;
    if (cube ? pipe != Pipe::v : pipe != Pipe::m && pipe != Pipe::mte1 && pipe != Pipe::fix) return;
    check_.fail("E0408", op, fmt::format("{} runs on {}, which the {} core does not have", op.mnemonic(), to_string(pipe), cube ? "cube" : "vector"),
                fmt::format("move it into {} code", cube ? "vector" : "cube"));
  }

  // ---- terminators, returns, calls

  void check_terminator(const OpView& op) {
    if ((isa::row(op.op().row).flags & isa::kTerminator) == 0 || stack_.empty()) return;
    const Open& open = stack_.back();
    const bool ends_block = op.index() + 1 < open.region.end && program_.ops[op.index() + 1].row == rows_.block;
    if (op.index() + 1 != open.region.end && !ends_block) {
      check_.fail("E0403", op, fmt::format("{} must be the last operation of its region", op.mnemonic()), "remove what follows it");
    }
    const std::string_view parent = isa::row(program_.ops[open.op].row).name;
    const std::string_view name = op.mnemonic();
    const bool branch = name == "cf.br" || name == "cf.cond_br";
    const bool fits = branch ? parent == "func.func" || parent == "scf.execute_region" : name == "func.return" ? parent == "func.func" : name == "scf.condition" ? parent == "scf.while" : parent.starts_with("scf.");
    if (!fits) check_.fail("E0403", op, fmt::format("{} does not end a region of {}", name, parent), name == "func.return" ? "return from the function body" : "use it inside scf");
  }
  void check_function(const OpView& op) {
    const RowId row = op.op().row;
    if (row == rows_.func) {
      current_ = op.index();
      function_ = functions_.around(current_);
      if (function_ != nullptr && function_->info.declaration && op.attr("pto.entry") != nullptr) {
        check_.fail("E0573", op, fmt::format("entry @{} has no body", function_name(current_)), "define it, or drop pto.entry");
      }
    }
    if (row == rows_.ret && function_ != nullptr && function_->info.entry && !op.operands(0).empty()) {
      check_.fail("E0407", op, fmt::format("the entry @{} returns {} value{}", function_name(current_), op.operands(0).size(), op.operands(0).size() == 1 ? "" : "s"), "a kernel writes its results to memory");
    }
    if (row != rows_.call) return;
    check_call(op);
  }
  void check_call(const OpView& op) {
    const Function* from = functions_.around(op.index());
    const std::span<const uint32_t> meant = from == nullptr ? std::span<const uint32_t>() : functions_.called(op, *from);
    if (meant.empty()) {
      check_.fail("E0406", op, Anchor::Part::attribute, 0, fmt::format("no function @{} in this program", callee(op)), "define it, or correct the name");
      return;
    }
    if (functions_.ambiguous(meant)) {
      check_.fail("E0406", op, Anchor::Part::attribute, 0,
                  fmt::format("several modules define a function @{} for the same kind of core, this one does not", callee(op)),
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
      check_.fail("E0406", op, fmt::format("@{} takes {} arguments, {} given", callee(op), body.n_args, given.size()), "pass one value per parameter");
      return;
    }
    for (unsigned i = 0; i < given.size(); ++i) {
      const Type& wanted = program_.type_of(body.first_arg + i);
      if (wanted == program_.type_of(given[i])) continue;
      check_.fail("E0406", op, Anchor::Part::operand, i,
                  fmt::format("argument {} of @{} is {}, {} is {}", i, callee(op), describe(wanted), value_name(program_, given[i]), describe(program_.type_of(given[i]))),
                  "pass a value of the parameter's type");
    }
  }

  /// Kernels have no stack: a function may not reach itself.
  void check_recursion() {
    for (const uint32_t index : graph_.recursive()) {
      const uint32_t op = functions_[index].info.op;
      check_.fail("E0405", OpView(program_, op), fmt::format("@{} calls itself", function_name(op)), "use a loop; kernels have no call stack");
    }
  }

  Checker& check_;
  const Program& program_;
  const Rows rows_ = Rows::find();
  std::vector<bool> visible_;
  std::vector<ValueId> shown_;
  std::vector<Open> stack_;
  const Functions functions_{program_};
  const CallGraph graph_{program_, functions_};
  const std::unordered_set<uint32_t> inlined_ = functions_inside_scopes(program_, functions_, graph_);
  std::set<RowId> sections_;
  std::optional<VectorRuns> runs_;   ///< made for the first vector operation outside a scope
  std::set<uint32_t> escapes_;       ///< operations whose escape was reported
  uint32_t current_ = 0;
  const Function* function_ = nullptr;   ///< the one that `current_` makes
};

}  // namespace

void check_structure(Checker& check) { Scan(check).run(); }

}  // namespace pto::legality
