// Missing vector scopes: the operations of a run move one place down and into a region; values stay as they
// are.
#include <fmt/format.h>

#include <algorithm>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "ir/rewriter.hpp"
#include "ir/vector_scope_candidates.hpp"
#include "pto/vector_scope.hpp"

namespace pto {
namespace {

using isa::Stretch;

/// Whether some vector operation stands outside every written scope; the rest of the work is for such
/// programs only.
bool any_outside(const Program& program) {
  uint32_t scope_end = 0;
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    if (i < scope_end) continue;
    const isa::Row& row = isa::row(program.ops[i].row);
    if (row.scope == isa::Scope::inside) return true;
    if (row.regions.most != 0 && opens_vector_scope(OpView(program, i))) scope_end = program.end_of(i);
  }
  return false;
}

void insert_scopes(Program& program, const std::vector<Stretch>& scopes) {
  Rewriter rewriter(program);
  for (const Stretch& scope : scopes) {
    OpId last = scope.begin;
    while (program.end_of(last) < scope.end) last = program.end_of(last);
    rewriter.wrap(isa::id_of(isa::OpcodeClass::vecscope), scope.begin, last);
  }
  rewriter.finish();
}

/// Values of operations on logical vectors that are lowered wherever somebody wants them.
bool is_made_anew(const OpView& op) {
  constexpr isa::Lowering kAnew[] = {isa::Lowering::constant,        isa::Lowering::constant_mask,
                                     isa::Lowering::broadcast,       isa::Lowering::first_lanes,
                                     isa::Lowering::first_of_groups, isa::Lowering::pattern};
  return std::ranges::find(kAnew, isa::row(op.op().row).lowering) != std::end(kAnew);
}

void remark(const Program& program, uint32_t scope, Diagnostics& diagnostics) {
  const Region& body = program.regions[program.ops[scope].regions];
  // Constants and address arithmetic in front may stay outside.
  uint32_t op = body.begin;
  while (program.ops[op].n_regions == 0 && isa::row(program.ops[op].row).scope != isa::Scope::inside) ++op;
  const uint32_t first = program.ops[op].where.line;
  uint32_t last = first;
  for (uint32_t i = op; i < body.end; ++i) last = std::max(last, program.ops[i].where.line);
  Diagnostic built;
  built.id = W0550;
  built.severity = Severity::warning;
  built.message =
      first == last
          ? fmt::format(
                "line {} works on vector registers outside a vector scope; a pto.vecscope was put around it",
                first)
          : fmt::format(
                "lines {} to {} work on vector registers outside a vector scope; a pto.vecscope was put "
                "around them",
                first, last);
  built.help = EncloseLines{std::string(isa::row(isa::id_of(isa::OpcodeClass::vecscope)).name), first, last};
  built.anchor = isa::anchor_at(program, op);
  built.where = program.ops[op].where;
  diagnostics.add(std::move(built));
}

}  // namespace

bool infer_vector_scopes(Program& program, Diagnostics& diagnostics) {
  if (!any_outside(program)) return false;
  const isa::VectorRuns runs(program);
  const std::vector<Stretch>& scopes = runs.scopes();
  if (scopes.empty()) return false;
  insert_scopes(program, scopes);
  // Where one is impossible the program is refused; remarks on the others would only stand in front of the
  // reason.
  if (!runs.complete()) return true;
  for (uint32_t k = 0; k < scopes.size(); ++k) remark(program, scopes[k].begin + k, diagnostics);
  return true;
}

bool scope_logical_vectors(Program& program) {
  const auto is_logical = [&](ValueId value) {
    const TypeKind kind = program.type_of(value).kind;
    return kind == TypeKind::vmi_vreg || kind == TypeKind::vmi_mask;
  };
  const isa::VectorRuns runs(program, true);
  if (runs.scopes().empty()) return false;
  std::vector<Stretch> kept;
  const Functions functions(program);
  for (const Function& function : functions.all()) {
    const uint32_t begin = function.info.op, end = function.end;
    std::vector<Stretch> own;
    for (const Stretch& scope : runs.scopes())
      if (scope.begin > begin && scope.end <= end) own.push_back(scope);
    bool all = !own.empty();
    for (uint32_t at = begin; at < end && all; ++at) {
      const OpView op(program, at);
      const auto scope = std::ranges::find(own, at, &Stretch::begin);
      if (scope != own.end() || opens_vector_scope(op)) {
        at = (scope != own.end() ? scope->end : program.end_of(at)) - 1;
        continue;
      }
      bool takes = false, gives = false;
      for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot)
        takes = takes || std::ranges::any_of(op.operands(slot), is_logical);
      for (unsigned i = 0; i < op.op().n_results; ++i) gives = gives || is_logical(op.result(i));
      for (const Region& region : program.regions_of(op.op()))
        for (uint32_t i = 0; i < region.n_args; ++i) takes = takes || is_logical(region.first_arg + i);
      // Constants, broadcasts and masks are made wherever they are wanted.
      all = !takes && (!gives || is_made_anew(op));
    }
    if (all) kept.insert(kept.end(), own.begin(), own.end());
  }
  if (kept.empty()) return false;
  std::ranges::sort(kept, {}, &Stretch::begin);
  insert_scopes(program, kept);
  return true;
}

}  // namespace pto
