#include "verify/checker.hpp"

#include <fmt/format.h>

#include "isa/words.hpp"

namespace pto::legality {

Checker::Checker(const Program& program, Level level, Diagnostics& out, const Program* written)
    : program_(program), written_(written == nullptr ? program : *written), level_(level), out_(out), definitions_(program.values.size(), ~0u) {
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    for (uint32_t k = 0; k < op.n_results; ++k) definitions_[op.first_result + k] = i;
  }
}

Diagnostic& Checker::fail(std::string_view id, const OpView& op, Anchor::Part part, unsigned index, std::string message, std::string help) {
  failed_.insert(op.index());
  Diagnostic& made = out_.error(id, std::move(message), Anchor{part, op.index(), index});
  made.where = op.op().where;
  made.help = std::move(help);
  return made;
}

Diagnostic& Checker::warn(std::string_view id, const OpView& op, Anchor::Part part, unsigned index, std::string message, std::string help) {
  Diagnostic& made = out_.warning(id, std::move(message), Anchor{part, op.index(), index});
  made.where = op.op().where;
  made.help = std::move(help);
  return made;
}

void Checker::note_definition(Diagnostic& diagnostic, ValueId value) const {
  if (value == kNoValue || value >= definitions_.size() || definitions_[value] == ~0u) return;
  const OpView made(program_, definitions_[value]);
  Note note;
  note.message = fmt::format("{} is {}", value_name(program_, value), describe(program_.type_of(value)));
  note.where = made.op().where;
  note.anchor = {Anchor::Part::result, made.index(), 0};
  diagnostic.notes.push_back(std::move(note));
}

std::optional<int64_t> Checker::constant(ValueId value) const {
  for (int depth = 0; depth < 8; ++depth) {
    if (value == kNoValue || value >= definitions_.size() || definitions_[value] == ~0u) return std::nullopt;
    const OpView op(program_, definitions_[value]);
    const std::string_view name = op.mnemonic();
    if (name == "arith.constant") {
      const AttrValue* number = op.attr(0u);
      const bool integral = number != nullptr && (number->kind == AttrValue::Kind::integer || number->kind == AttrValue::Kind::boolean);
      return integral ? std::optional(number->integer) : std::nullopt;
    }
    if (!name.starts_with("arith.index_cast")) return std::nullopt;
    value = op.operand(0);
  }
  return std::nullopt;
}

std::string value_name(const Program& program, ValueId value) { return isa::value_name(program, value); }

unsigned flat_index(const OpView& op, unsigned slot) {
  unsigned flat = 0;
  for (unsigned i = 0; i < slot; ++i) flat += static_cast<unsigned>(op.operands(i).size());
  return flat;
}

std::string describe(const Type& type) { return from_memref(type) ? type.text : to_string(type); }

bool in_list(std::string_view list, std::string_view name) {
  if (list.empty()) return true;
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == name) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

}  // namespace pto::legality
