#include "verify/verifier_context.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ir/value_names.hpp"

namespace pto::legality {

Checker::Checker(const Program& program, Level level, Diagnostics& out, const Program* written)
    : program_(program),
      written_(written == nullptr ? program : *written),
      level_(level),
      out_(out),
      constants_(program) {
  std::vector<bool> seen(isa::rows().size(), false);
  for (const Op& op : program.ops) {
    if (seen[op.row]) continue;
    seen[op.row] = true;
    rows_.push_back(op.row);
  }
}

bool Checker::any_has_rule(isa::RuleNames rules) const {
  return std::ranges::any_of(rows_, [&](RowId row) { return isa::row(row).rule_names.has_any(rules); });
}

Diagnostic& Checker::fail(FindingId id, const OpView& op, Anchor::Part part, unsigned index,
                          std::string message, Fix help) {
  failed_.insert(op.index());
  Diagnostic& built = out_.error(id, std::move(message), isa::anchor_at(op, part, index));
  built.where = op.op().where;
  built.help = std::move(help);
  return built;
}

Diagnostic& Checker::warn(FindingId id, const OpView& op, Anchor::Part part, unsigned index,
                          std::string message, Fix help) {
  Diagnostic& built = out_.warning(id, std::move(message), isa::anchor_at(op, part, index));
  built.where = op.op().where;
  built.help = std::move(help);
  return built;
}

void Checker::note_definition(Diagnostic& diagnostic, ValueId value) const {
  if (definition(value) == kNoOp) return;
  const OpView built(program_, definition(value));
  add_note(diagnostic, built,
           fmt::format("{} is {}", value_name(program_, value), describe(program_.type_of(value))),
           Anchor::Part::result);
}

void add_note(Diagnostic& diagnostic, const OpView& op, std::string message, Anchor::Part part,
              uint32_t index) {
  diagnostic.notes.push_back({std::move(message), {}, op.op().where, isa::anchor_at(op, part, index)});
}

std::string value_name(const Program& program, ValueId value) { return isa::value_name(program, value); }

std::string describe(const Type& type) { return from_memref(type) ? type.text : to_string(type); }

}  // namespace pto::legality
