#include "sim/loader/launch_cores.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "analysis/core_kinds.hpp"
#include "analysis/launch_groups.hpp"
#include "ir/op_queries.hpp"
#include "ir/pipe_rules.hpp"
#include "isa/row.hpp"

namespace pto::sim {
namespace {

using Kind = FunctionInfo::Kind;

/// Both kinds of core a kernel needs, found from what it says and, if it says nothing, from its operations.
struct Needs {
  bool cube = false, vector = false;
  void add(Kind kind) {
    cube = cube || kind == Kind::cube;
    vector = vector || kind == Kind::vector;
  }
};

class EntryFinder {
 public:
  explicit EntryFinder(const Program& program)
      : p_(program), functions_(program), graph_(program, functions_) {}

  Result<EntryPlan> plan(const std::string& entry) {
    const Result<LaunchedFunctions> launch = find_launch(p_, functions_, graph_, entry);
    if (!launch) return launch.error();
    const std::vector<uint32_t>& indices = launch->functions;
    std::vector<FunctionInfo> candidates;
    for (const uint32_t index : indices) candidates.push_back(functions_[index].info);
    EntryPlan plan{std::string(launch->name), {}};
    if (functions_.ambiguous(indices))
      return Error{"several modules define @" + plan.name + " for the same kind of core"};
    Needs needs;
    for (const FunctionInfo& f : candidates) needs.add(f.kind);
    for (const uint32_t index : indices) {
      if (functions_[index].info.kind == Kind::unknown) collect(index, needs);
    }
    if (!needs.cube && !needs.vector) return infer(std::move(plan), indices, candidates);
    if (needs.cube) plan.roles.push_back({CoreKind::aic, 1, for_kind(candidates, Kind::cube)});
    if (needs.vector)
      plan.roles.push_back({CoreKind::aiv, needs.cube ? 2u : 1u, for_kind(candidates, Kind::vector)});
    return plan;
  }

 private:
  static std::vector<FunctionInfo> for_kind(const std::vector<FunctionInfo>& candidates, Kind kind) {
    for (const FunctionInfo& f : candidates) {
      if (f.kind == kind) return {f};
    }
    for (const FunctionInfo& f : candidates) {
      if (f.kind == Kind::unknown) return {f};
    }
    return {candidates.front()};
  }

  /// Sections and helpers with a kind, in the function and everything it calls.
  void collect(uint32_t root, Needs& needs) {
    for (std::vector<uint32_t> open{root}; !open.empty();) {
      const uint32_t index = open.back();
      open.pop_back();
      if (!visited_.insert(index).second) continue;
      add_sections(functions_[index], needs);
      for (const Call& call : graph_.calls_of(index)) {
        const FunctionInfo& callee = functions_[call.callee].info;
        if (callee.declaration) continue;
        needs.add(callee.kind);
        if (callee.kind == Kind::unknown) open.push_back(call.callee);
      }
    }
  }
  void add_sections(const Function& function, Needs& needs) const {
    for (uint32_t i = function.info.op; i < function.end; ++i) {
      const isa::OpcodeClass opcode_class = isa::row(p_.ops[i].row).opcode_class;
      if (opcode_class == isa::OpcodeClass::section_cube) needs.cube = true;
      if (opcode_class == isa::OpcodeClass::section_vector) needs.vector = true;
    }
  }

  /// Kind of a kernel that states none: what its operations need, and if they need nothing, whose memories it
  /// names.
  Result<EntryPlan> infer(EntryPlan plan, const std::vector<uint32_t>& indices,
                          const std::vector<FunctionInfo>& candidates) {
    const Cores cores(p_, functions_, graph_);
    CoreSet needed = CoreSet::none;
    for (const uint32_t index : indices) needed = needed | cores.cores_of_function(index);
    Needs named;
    for (const uint32_t index : visited_) {
      for (uint32_t i = functions_[index].info.op; i < functions_[index].end; ++i)
        infer_from(OpView(p_, i), named);
    }
    const bool mixed = needed == CoreSet::both;
    if (mixed && p_.target != Target::cpu)
      return Error{"@" + plan.name +
                   " mixes instructions of the cube and of the vector core, and no core of " +
                   std::string(to_string(p_.target)) +
                   " has both units: plan() and divide_among_cores() put them into sections"};
    const bool cube = needed == CoreSet::cube || (needed == CoreSet::none && named.cube && !named.vector);
    const CoreKind kind = mixed ? CoreKind::mixed : cube ? CoreKind::aic : CoreKind::aiv;
    plan.roles.push_back({kind, 1, {candidates.front()}});
    return plan;
  }
  void infer_from(const OpView& view, Needs& needs) const {
    const auto see = [&](const Type& type) {
      if (type.space == Space::ub)
        needs.vector = true;
      else if (type.space != Space::none && type.space != Space::gm)
        needs.cube = true;
    };
    for (uint32_t r = 0; r < view.op().n_results; ++r) see(view.result_type(r));
    const Pipe pipe = isa::row(view.op().row).pipe.empty() ? Pipe::none : isa::pipe_of(view);
    if (pipe == Pipe::v) needs.vector = true;
    if (pipe == Pipe::m || pipe == Pipe::mte1 || pipe == Pipe::fix) needs.cube = true;
  }

  const Program& p_;
  const Functions functions_;
  const CallGraph graph_;
  std::set<uint32_t> visited_;
};

std::optional<Pipe> pipe_of_number(int64_t number) {
  for (const Pipe pipe :
       {Pipe::s, Pipe::v, Pipe::m, Pipe::mte1, Pipe::mte2, Pipe::mte3, Pipe::all, Pipe::fix}) {
    if (static_cast<int64_t>(pipe) == number) return pipe;
  }
  return std::nullopt;
}

std::optional<int64_t> value_in(std::string_view domain, std::string_view name) {
  const isa::EnumDomain* found = isa::find_enum(domain);
  if (found == nullptr) return std::nullopt;
  for (const isa::EnumCase& each : found->cases) {
    if (each.name == name) return each.value;
  }
  return std::nullopt;
}

}  // namespace

Result<EntryPlan> plan_entry(const Program& program, const std::string& entry) {
  return EntryFinder(program).plan(entry);
}

std::optional<Pipe> named_pipe(const Program& program, const OpView& view, std::string_view attribute,
                               const AttrValue& value) {
  if (value.kind == AttrValue::Kind::enumerant || value.kind == AttrValue::Kind::integer) {
    const isa::Schema& schema = isa::schema(view.op().row);
    const int spec = schema.attr_index(attribute);
    const isa::EnumDomain* domain = spec < 0 ? nullptr : schema.attrs[static_cast<size_t>(spec)].domain;
    const bool operation = domain != nullptr && domain->name == "sync_op_type";
    return operation ? isa::pipe_of_sync_op(value.integer) : pipe_of_number(value.integer);
  }
  const std::string_view text = program.strings[value.text];
  const auto word = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  // A string, or an attribute kept as written: #pto.pipe<PIPE_V>, #pto.sync_op_type<TLOAD>, <PIPE_V>.
  size_t end = text.size();
  while (end > 0 && !word(text[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && word(text[begin - 1])) --begin;
  const std::string_view name = text.substr(begin, end - begin);
  if (const auto pipe = value_in("pipe", name)) return pipe_of_number(*pipe);
  if (const auto operation = value_in("sync_op_type", name)) return isa::pipe_of_sync_op(*operation);
  return std::nullopt;
}

}  // namespace pto::sim
