// Forms that the named back end of a module or command line does not support (E0409, E0430, E0431).
//
// Two public back ends make code of PTO text: emitc goes by way of the C++ library, vpto by way of the micro
// instructions. A program that names neither is judged by the language alone.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ir/call_graph.hpp"
#include "ir/pipe_rules.hpp"
#include "ir/regions.hpp"
#include "ir/symbol_table.hpp"
#include "support/strings.hpp"
#include "verify/passes/backend_pass.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

using isa::OpcodeClass;

constexpr std::string_view kBackend = "pto.backend", kKind = "pto.kernel_kind";

/// Whose code an operation is: of one kind of core, of one that it does not say, or of any.
enum class Side : uint8_t { any, unsaid, cube, vector };

Side side_of(Space space) {
  if (space == Space::none || space == Space::gm) return Side::any;
  return space == Space::ub ? Side::vector : Side::cube;
}
Side side_of(const Type& type) {
  switch (type.kind) {
    case TypeKind::vreg:
    case TypeKind::mask:
    case TypeKind::vmi_vreg:
    case TypeKind::vmi_mask:
      return Side::vector;
    default:
      return side_of(type.space);
  }
}

/// By the pipe, then by the memories that operands and results are in.
Side side_of(const OpView& op) {
  const isa::Row& row = isa::row(op.op().row);
  if ((row.flags & isa::kCubeCore) != 0) return Side::cube;
  if ((row.flags & isa::kVectorCore) != 0 || opens_vector_scope(op)) return Side::vector;
  const Pipe pipe = row.pipe.empty() ? Pipe::none : isa::pipe_of(op);
  if (pipe == Pipe::m || pipe == Pipe::mte1 || pipe == Pipe::fix) return Side::cube;
  if (pipe == Pipe::v || pipe == Pipe::mte3) return Side::vector;
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : op.operands(slot)) {
      if (const Side side = side_of(op.program().type_of(value)); side != Side::any) return side;
    }
  }
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    if (const Side side = side_of(op.result_type(i)); side != Side::any) return side;
  }
  return pipe == Pipe::mte2 || isa::is_pipe_synchronisation(row.opcode_class) ? Side::unsaid : Side::any;
}

bool vpto(const OpView& module) {
  return module.attr(kBackend) != nullptr &&
         isa::case_name(*isa::find_enum("backend"), module.attr_int(kBackend)) == "vpto";
}

class Backends {
 public:
  explicit Backends(Checker& check) : check_(check), program_(check.program()) {}

  /// Most programs name no back end.
  [[nodiscard]] bool needed() const {
    for (uint32_t i = 0; i < program_.ops.size(); i = step(i)) {
      if (names_one(i)) return true;
    }
    return false;
  }

  void run() {
    find_modules();
    for (uint32_t i = 0; i < program_.ops.size(); i = step(i)) {
      if (opcode_class(i) == OpcodeClass::module) check_module(i);
    }
    for (const Function& function : functions_.all()) {
      if (!function.info.declaration && for_vpto(function.module)) check_function(function);
    }
    check_peers();
  }

 private:
  [[nodiscard]] OpcodeClass opcode_class(uint32_t op) const {
    return isa::row(program_.ops[op].row).opcode_class;
  }
  /// From module to module and function to function.
  [[nodiscard]] uint32_t step(uint32_t op) const {
    return opcode_class(op) == OpcodeClass::module ? op + 1 : program_.end_of(op);
  }
  [[nodiscard]] bool names_one(uint32_t op) const {
    return opcode_class(op) == OpcodeClass::module && OpView(program_, op).attr(kBackend) != nullptr;
  }
  [[nodiscard]] std::string_view text_of(const OpView& op, std::string_view attr) const {
    const AttrValue* value = op.attr(attr);
    return value == nullptr ? std::string_view{} : program_.strings[value->text];
  }
  /// What a module says, or the nearest around it that says something.
  void find_modules() {
    EnclosingOps around(program_);
    for (uint32_t i = 0; i < program_.ops.size(); i = step(i)) {
      if (opcode_class(i) != OpcodeClass::module) continue;
      around.advance_to(i);
      const uint32_t outer = around.innermost();
      if (names_one(i) ? vpto(OpView(program_, i)) : outer != kNoOp && for_vpto(outer)) for_vpto_.insert(i);
      around.enter(i);
    }
  }
  [[nodiscard]] bool for_vpto(uint32_t module) const { return for_vpto_.contains(module); }

  // ---- modules

  void check_module(uint32_t module) {
    unsigned named = 0;
    for (const uint32_t child : ops_in(program_, module)) named += names_one(child) ? 1 : 0;
    if (named != 0) {
      for (const uint32_t child : ops_in(program_, module)) {
        if (opcode_class(child) != OpcodeClass::function) continue;
        check_.fail(E0431, OpView(program_, child),
                    fmt::format("@{} is outside the modules that name their back ends: it belongs to none",
                                text_of(OpView(program_, child), "sym_name")),
                    "move it into the module of its back end");
      }
    }
    if (names_one(module) && vpto(OpView(program_, module))) check_kind(module);
  }

  /// A module for vpto becomes code of one or both kinds of cores.
  void check_kind(uint32_t module) {
    const OpView op(program_, module);
    if (op.attr(kKind) != nullptr || module == 0) return;
    bool any = false;
    for (const uint32_t i : descendants(program_, module)) {
      const OpView at(program_, i);
      if (isa::is_section(opcode_class(i)) || at.attr(kKind) != nullptr || side_of(at) != Side::any) return;
      any = any || (opcode_class(i) == OpcodeClass::function && at.op().n_regions != 0);
    }
    if (!any) return;
    check_.fail(E0409, op, "nothing says which cores run the functions of this module",
                "write pto.kernel_kind = #pto.kernel_kind<vector> or <cube>, or sections");
  }

  // ---- code outside of sections

  void check_function(const Function& function) {
    for (uint32_t i = function.info.op; i < function.end; ++i) check_instruction(OpView(program_, i));
    if (function.info.kind != FunctionInfo::Kind::unknown) return;
    bool reported = false;
    uint32_t open = kNoOp;
    for (uint32_t i = function.info.op + 1; i < function.end;) {
      if (isa::is_section(opcode_class(i))) {
        reported = true;
        i = program_.end_of(i);
        continue;
      }
      const Side side = side_of(OpView(program_, i));
      reported = reported || side == Side::cube || side == Side::vector;
      if (side == Side::unsaid && open == kNoOp) open = i;
      ++i;
    }
    if (!reported && open != kNoOp) {
      const OpView op(program_, open);
      check_.fail(E0409, op,
                  fmt::format("nothing says which core runs this: cube and vector cores have {}",
                              to_string(isa::pipe_of(op))),
                  "put it into a pto.section.cube or pto.section.vector, or give @" +
                      std::string(function.info.name) + " a pto.kernel_kind");
    }
    for (const uint32_t child : ops_in(program_, body_of(program_, function.info.op))) check_mixed(child);
  }

  /// Code becomes part of a section with the operation of the function's body that it is in: that one
  /// holds no sections of its own, or nothing else.
  void check_mixed(uint32_t top) {
    if (isa::is_section(opcode_class(top)) || program_.ops[top].n_regions == 0) return;
    uint32_t section = kNoOp, other = kNoOp;
    for (uint32_t i = top + 1; i < program_.end_of(top);) {
      const bool is_section = isa::is_section(opcode_class(i));
      if (is_section && section == kNoOp) section = i;
      if (!is_section && other == kNoOp && side_of(OpView(program_, i)) != Side::any) other = i;
      i = is_section ? program_.end_of(i) : i + 1;
    }
    if (section == kNoOp || other == kNoOp) return;
    const OpView op(program_, other), at(program_, section), around(program_, top);
    Diagnostic& built =
        check_.fail(E0409, op,
                    fmt::format("{} and {} are in one {}: the back end vpto finds no section for it",
                                op.mnemonic(), at.mnemonic(), around.mnemonic()),
                    "put it into a section too");
    add_note(built, at, "the section is here");
  }

  // ---- instructions

  using Check = void (Backends::*)(const OpView&);
  struct Named {
    RuleName rule;
    Check check;
  };
  void check_instruction(const OpView& op) {
    for (const Named& named : kNamed) {
      if (has_rule(op, named.rule)) (this->*named.check)(op);
    }
  }
  void check_missing(const OpView& op) {
    refuse(op, fmt::format("the back end vpto has no {}", op.mnemonic()),
           Fix::remove("leave it out, or use the back end emitc"));
  }
  void refuse(const OpView& op, std::string message, Fix help) {
    check_.fail(E0430, op, std::move(message), std::move(help));
  }
  void check_constant(const OpView& op) {
    const Elem elem = op.result_type(0).elem;
    if (elem != Elem::f8e4m3 && elem != Elem::f8e5m2) return;
    refuse(op, fmt::format("the back end vpto makes no constants of {}", to_string(elem)),
           "convert a wider one with pto.convert");
  }
  /// On A2/A3 a load becomes one transfer, whose rows are contiguous.
  void check_load(const OpView& op) {
    if (check_.target() != Target::a2a3) return;
    uint32_t defining_op = check_.definition(op.operand(0));
    if (defining_op != kNoOp && opcode_class(defining_op) == OpcodeClass::partition)
      defining_op = check_.definition(OpView(program_, defining_op).operand(0));
    if (defining_op == kNoOp || opcode_class(defining_op) != OpcodeClass::make_view) return;
    const std::span<const ValueId> strides = OpView(program_, defining_op).operands(2);
    if (strides.empty()) return;
    const std::optional<int64_t> last = check_.constant(strides.back());
    const std::optional<int64_t> first = check_.constant(strides.front());
    if (!last || *last == 1 || first == 1) return;
    refuse(op,
           fmt::format("the elements of {} lie {} apart: the back end vpto loads rows without gaps",
                       value_name(program_, op.operand(0)), *last),
           "make a view whose last stride is 1");
  }
  void check_extract(const OpView& op) {
    const int dst = slot_of(op, "dst");
    if (op.type(0).space != Space::ub || dst < 0 || op.type(static_cast<unsigned>(dst)).space != Space::l1)
      return;
    refuse(op, "the back end vpto takes no windows of vec into mat",
           Fix::use("pto.tinsert", ", or the back end emitc"));
  }

  // ---- functions of other modules

  /// What a module imports of another back end comes alone, and under one name.
  void check_peers() {
    std::set<uint32_t> parts;
    for (uint32_t i = 0; i < program_.ops.size(); i = step(i)) {
      if (names_one(i)) parts.insert(i);
    }
    if (parts.size() < 2) return;
    check_names();
    const CallGraph calls(program_, functions_);
    for (uint32_t i = 0; i < program_.ops.size(); ++i) {
      if (opcode_class(i) != OpcodeClass::import_buffer) continue;
      const OpView op(program_, i);
      const Function* from = functions_.enclosing_function(i);
      const Function* peer = from == nullptr ? nullptr : functions_.find(text_of(op, "peer_func"), *from);
      if (peer == nullptr || peer->module == from->module) continue;
      const std::span<const Call> built = calls.calls_of(functions_.index_of(*peer));
      if (built.empty()) continue;
      Diagnostic& found = check_.fail(
          E0431, op,
          fmt::format("@{} is in the module of another back end and calls @{}: it cannot be imported alone",
                      peer->info.name, functions_[built.front().callee].info.name),
          "name a function that calls none");
      add_note(found, OpView(program_, built.front().op), "it is called here");
    }
  }
  /// Functions made from one by specialising it share its logical name; a module gives it to one of them.
  void check_names() {
    std::set<std::pair<uint32_t, std::string_view>> known;
    for (const Function& function : functions_.all()) {
      const OpView op(program_, function.info.op);
      const std::string_view name = logical_name(op);
      if (name.empty() || function.info.declaration || text_of(op, "sym_visibility") == "private") continue;
      if (known.emplace(function.module, name).second) continue;
      check_.fail(
          E0431, op,
          fmt::format("@{} is not the only public function of its module with the logical name of @{}",
                      function.info.name, name),
          "make the others private, or give them names of their own");
    }
  }
  [[nodiscard]] std::string_view logical_name(const OpView& op) const {
    for (const Attr& attr : program_.attrs_of(op.op())) {
      if (attr.spec == kUnknownAttr && program_.strings[attr.name] == "pto.ptodsl.logical_name" &&
          (attr.value.kind == AttrValue::Kind::string || attr.value.kind == AttrValue::Kind::symbol))
        return program_.strings[attr.value.text];
    }
    return {};
  }

  static constexpr std::array<Named, 4> kNamed = {{{RuleName::not_vpto, &Backends::check_missing},
                                                   {RuleName::vpto_constant, &Backends::check_constant},
                                                   {RuleName::vpto_load, &Backends::check_load},
                                                   {RuleName::vpto_extract, &Backends::check_extract}}};

  Checker& check_;
  const Program& program_;
  const Functions& functions_{check_.functions()};
  std::set<uint32_t> for_vpto_;
};

constexpr Rule kBackendRules[] = {
    {.id = E0409,
     .title = "core not said",
     .cause =
         "Code for the back end vpto is sorted into sections: by pto.kernel_kind, by sections, else by the "
         "pipes of the instructions. Here none of them decides, or a section and other code are in one loop.",
     .example = "pto.set_flag[<PIPE_MTE2>, <PIPE_S>, <EVENT_ID0>] as the only instruction of a function",
     .fix = "Put the code into a pto.section.cube or pto.section.vector."},
    {.id = E0430,
     .title = "not of this back end",
     .cause = "The back end that the module (pto.backend) or --pto-backend names does not make this "
              "instruction. Without a back end it is accepted.",
     .example = "pto.fence.barrier_all #pto.fence_scope<gm> in a module with pto.backend = \"vpto\"",
     .fix = "Follow the message, or use another back end."},
    {.id = E0431,
     .title = "modules of several back ends",
     .cause = "Child modules that name their back ends are compiled one by one: every function is in one of "
              "them, a logical name means one public function of a module, and a function that another "
              "module imports calls nothing.",
     .example = "module { module attributes {pto.backend = \"emitc\"} {..} func.func @f() {..} }",
     .fix = "Move or rename the function."},
};

constexpr OpRule kBackendChecks[] = {
    {.name = "not_vpto", .words = "not for the back end vpto"},
    {.name = "vpto_constant", .words = "no 8-bit floats for the back end vpto"},
    {.name = "vpto_load", .words = "rows without gaps for the back end vpto on a2a3"},
    {.name = "vpto_extract", .words = "not from vec to mat for the back end vpto"},
};

}  // namespace

RuleFamily backend_rules() { return {.rules = kBackendRules, .checks = kBackendChecks}; }

void check_backends(Checker& check) {
  Backends backends(check);
  if (backends.needed()) backends.run();
}

}  // namespace pto::legality
