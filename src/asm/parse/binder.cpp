// The driver: statements in, operations out; errors without cascades.
#include "asm/parse/binder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/forms/affine_apply.hpp"
#include "asm/parse/forms/syntax_hooks.hpp"
#include "asm/parse/forms/syntax_matcher.hpp"
#include "asm/parse/forms/tile_form.hpp"
#include "asm/parse/text/braces.hpp"

namespace pto::text {

Binder::Binder(std::string_view source, const ParseOptions& options, Program& program,
               Diagnostics& diagnostics)
    : p_(source, options, program, diagnostics) {
  if (source.starts_with("\xef\xbb\xbf")) p_.reader.stream().seek(3);
}

void Binder::run() {
  for (p_.reader.next(); p_.reader.statement().kind != StatementKind::end; p_.reader.next()) step();
  if (p_.program.ops.empty() && p_.report.all().errors() == 0) {
    p_.report.all().error(E0100, "the file holds no operation").help = "a program is at least one func.func";
    return;
  }
  p_.regions.finish();
  p_.locations.resolve(p_.report.all());
  if (p_.report.all().errors() != 0) return;
  p_.locations.resolve();
  p_.targets.write();
  p_.calls.check();
}

void Binder::step() {
  switch (p_.reader.statement().kind) {
    case StatementKind::operation:
      operation();
      break;
    case StatementKind::type_alias:
      alias(true);
      break;
    case StatementKind::attr_alias:
      alias(false);
      break;
    case StatementKind::label:
      if (!p_.regions.skipping()) p_.regions.label();
      break;
    case StatementKind::close:
      p_.regions.close();
      if (p_.reader.statement().kind == StatementKind::error) syntax_error();
      break;
    case StatementKind::error:
      syntax_error();
      break;
    case StatementKind::end:
      break;
  }
}

void Binder::syntax_error() {
  const Statement& statement = p_.reader.statement();
  const Diagnostic& problem = statement.problem;
  if (!p_.regions.skipping()) {
    Diagnostic& d = p_.report.fail(problem.id, problem.span, problem.message);
    d.help = problem.help;
    for (const Note& note : problem.notes) p_.report.note(d, note.message, note.span);
  }
  p_.names.poison_results();
  if (statement.lacks_percent) p_.names.poison(p_.report.text(problem.span), problem.span.begin);
  const uint32_t from = statement.span.begin;
  p_.reader.stream().recover();
  // Regions that the broken statement opened are stepped over.
  const std::string_view skipped = p_.report.text({from, p_.reader.stream().offset()});
  const auto open =
      std::count(skipped.begin(), skipped.end(), '{') - std::count(skipped.begin(), skipped.end(), '}');
  if (open > 0) p_.regions.skip(statement.span, static_cast<uint32_t>(open), false);
}

void Binder::alias(bool type_alias) {
  Cursor cursor = p_.reader.items();
  const Span at = p_.reader.statement().name;
  const std::string_view name = p_.report.text(at);
  if (!cursor.accept(NodeKind::equal) || cursor.done()) {
    p_.report.fail(E0101, at, fmt::format("'{}' is an alias without a value", name)).help =
        type_alias ? "write !name = type" : "write #name = attribute; a comment begins with // or with '# '";
    return;
  }
  const Node& value = cursor.take_token();
  if (!type_alias && value.kind == NodeKind::word && p_.reader.text(value) == "loc" &&
      cursor.is(NodeKind::paren)) {
    p_.locations.define(name, cursor.take_token());
    p_.reader.expect_end(cursor);
    return;
  }
  if (!p_.reader.expect_end(cursor)) return;
  if (type_alias && p_.types.read(value) == kNoType) return;
  if (!p_.types.define_alias(name, p_.reader.text(value)))
    p_.report.fail(E0113, at, fmt::format("alias '{}' is defined twice", name));
}

void Binder::operation() {
  const Statement& statement = p_.reader.statement();
  if (p_.regions.skipping()) {
    if (statement.region) p_.regions.enter();
    return;
  }
  p_.locations.strip();
  const isa::Row* row = p_.vocabulary.row_of(p_.reader.op_name());
  // Whatever is not a module is in one; so do several modules.
  if (p_.regions.none() &&
      (row == nullptr || row->opcode_class != isa::OpcodeClass::module || !p_.program.ops.empty()))
    p_.regions.make_module();
  if (row == nullptr || row->syntax == "@none") {
    if (!bind_affine_apply(p_)) report_unsupported(p_.reader, p_.report);
  } else {
    const bool hooked = row->opcode_class == isa::OpcodeClass::block || !statement.quoted;
    const Hook hook = hooked ? hook_of(*row) : nullptr;
    if (hook != nullptr) p_.draft.reset(isa::schema(isa::id_of(*row)));
    if (hook == nullptr || !hook(p_)) bind_rows(*row);
  }
  if (p_.report.failed()) {
    p_.names.poison_results();
    p_.locations.belongs_to(statement.span);
  } else {
    old_name();
  }
  p_.regions.enter();
}

// ---- rows ----

void Binder::bind_rows(const isa::Row& first) {
  MatchFailure best;
  const size_t from = isa::id_of(first);
  if (const isa::Schema* known =
          p_.reader.statement().quoted ? nullptr : shapes_.find(static_cast<RowId>(from))) {
    p_.draft.reset(*known);
    Matcher(p_, *known, best).commit();
    if (!p_.report.failed()) finish_row(*known);
    return;
  }
  const RowId row = static_cast<RowId>(from);
  if (bind_form(row, best)) return;
  MatchFailure unused;  // what is wrong is said in terms of today's forms
  p_.old_forms.allow(true);
  const bool fits = !p_.reader.statement().quoted && (bind_form(row, unused) || bind_old_reshape(first));
  p_.old_forms.allow(false);
  if (fits) return;
  if (const std::string_view name = p_.vocabulary.current_name(p_.reader.op_name());
      !name.empty() && best.help.empty())
    best.help = fmt::format("today this is {}; pto-as --list-instructions shows how it is written", name);
  p_.reader.report(best);
}

/// The one old form that makes a name mean something else.
bool Binder::bind_old_reshape(const isa::Row& row) {
  if (row.opcode_class != isa::OpcodeClass::reshape) return false;
  p_.draft.reset(isa::schema(isa::id_of(row)));
  return bind_reshape_into(p_);
}

/// The first form of the mnemonic that the statement fits.
bool Binder::bind_form(RowId first, MatchFailure& best) {
  const std::span<const isa::Row> rows = isa::rows();
  const auto fits = [&](const isa::Schema& schema) {
    const bool fit = match(schema, best, first);
    if (fit && !p_.report.failed()) finish_row(schema);
    return fit;
  };
  for (size_t i = first; i < rows.size() && rows[i].name == rows[first].name; ++i) {
    const isa::Schema& schema = isa::schema(static_cast<RowId>(i));
    if (fits(schema)) return true;
    const isa::Row* other = isa::find_row(schema.written_as);
    if (other != nullptr && fits(isa::schema(isa::id_of(*other)))) return true;
  }
  return false;
}

/// Says so when the name of the statement is an old one.
void Binder::old_name() {
  const Span at = p_.reader.statement().name;
  const std::string_view now = p_.vocabulary.current_name(p_.reader.op_name());
  if (now.empty()) return;
  p_.old_forms.warn(at, fmt::format("{} is an old name", p_.reader.op_name()), Fix::write(now));
}

/// True when the form fits in shape. Then the draft is filled; wrong names and types have been reported.
bool Binder::match(const isa::Schema& schema, MatchFailure& mismatch, RowId first) {
  p_.draft.reset(schema);
  if (p_.reader.statement().quoted) return p_.generic.match(schema, mismatch);
  if (schema.row->syntax.starts_with('@')) {
    TileForm form(p_, schema, mismatch);
    if (!form.match()) return false;
    form.commit();
    return true;
  }
  Matcher matcher(p_, schema, mismatch);
  if (!matcher.match(p_.reader.items())) return false;
  shapes_.insert(first, schema);
  matcher.commit();
  return true;
}

void Binder::finish_row(const isa::Schema& schema) {
  const Statement& statement = p_.reader.statement();
  if (statement.quoted && statement.region) return p_.generic.open(schema);
  check_bounds(schema);
  if (!statement.quoted && schema.row->opcode_class == isa::OpcodeClass::module) p_.targets.note_draft();
  if (types_behind(schema)) p_.draft.results.assign(p_.reader.result_count(), {});
  const uint32_t op = p_.emitter.emit(static_cast<unsigned>(schema.regions.size()));
  if (p_.report.failed()) return;
  if (schema.row->opcode_class == isa::OpcodeClass::call) p_.calls.note(op);
  if (!schema.regions.empty()) open_written_region(op, schema);
}

/// A loop variable has the type of its lower bound; so have the other bound and the step.
void Binder::check_bounds(const isa::Schema& schema) {
  if (p_.reader.statement().quoted || schema.regions.empty() || schema.regions.front().arguments.empty())
    return;
  const isa::SyntaxNode& first = schema.regions.front().arguments.front();
  if (first.kind != isa::SyntaxNode::Kind::type_operand ||
      schema.operands[first.index].arity != isa::Arity::one)
    return;
  const Draft::Operand& lower = p_.draft.slots[first.index].front();
  const TypeId type = p_.types.type_of(lower.value);
  for (size_t slot = 0; slot < schema.operands.size() && !p_.report.failed(); ++slot) {
    if (schema.operands[slot].arity != isa::Arity::one) continue;
    const Draft::Operand& other = p_.draft.slots[slot].front();
    if (p_.types.type_of(other.value) == type) continue;
    p_.report
        .fail(E0115, other.span,
              fmt::format("{}: the lower bound {} is {}, but {} is {}", p_.reader.op_name(),
                          p_.report.text(lower.span), p_.types.name(type), p_.report.text(other.span),
                          p_.types.name(p_.types.type_of(other.value))))
        .help = "bounds and step have one type";
  }
}

/// The first region of an operation in its own syntax; its arguments have the types that the row says.
void Binder::open_written_region(uint32_t op, const isa::Schema& schema) {
  std::vector<Draft::Result> arguments;
  for (const isa::SyntaxNode& node : schema.regions.front().arguments) {
    if (node.kind == isa::SyntaxNode::Kind::type_result) {
      for (size_t i = node.index; i < p_.draft.results.size(); ++i) arguments.push_back(p_.draft.results[i]);
      continue;
    }
    for (const Draft::Operand& operand : p_.draft.slots[node.index])
      arguments.push_back({p_.types.type_of(operand.value), {}});
  }
  const std::vector<Node> names = std::move(p_.draft.arguments);
  p_.regions.open(op, 0, arguments, names);
}

Hook Binder::hook_of(const isa::Row& row) {
  std::optional<Hook>& hook = hooks_[isa::id_of(row)];
  if (!hook) hook = find_hook(row);
  return *hook;
}

Hook find_hook(const isa::Row& row) {
  static const std::unordered_map<std::string_view, Hook> hooks = {
      {"func", bind_function},
      {"constant", bind_constant},
      {"block", bind_block},
      {"index_switch", bind_index_switch},
      {"literal_address", bind_literal_address},
  };
  static constexpr std::string_view kAlso = "|| @custom:", kAll = "@custom:";
  const size_t also = row.syntax.find(kAlso);
  if (also == row.syntax.npos && !row.syntax.starts_with(kAll)) return nullptr;
  const auto found =
      hooks.find(row.syntax.substr(also == row.syntax.npos ? kAll.size() : also + kAlso.size()));
  return found == hooks.end() ? nullptr : found->second;
}

}  // namespace pto::text
