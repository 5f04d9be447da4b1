// The binder's driver: statements in, operations out; regions by an explicit stack; errors without cascades.
#include "asm/binder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "asm/braces.hpp"
#include "asm/hooks.hpp"
#include "asm/lex.hpp"

namespace pto::text {

namespace {

constexpr std::string_view kTargetAttr = "pto.target_arch";

std::string_view arch_name(Target target) {
  return target == Target::a5 ? "a5" : target == Target::cpu ? "cpu" : "a3";
}

}  // namespace

void Draft::reset(const isa::Schema& s) {
  schema = &s;
  if (slots.size() < s.operands.size()) slots.resize(s.operands.size());
  for (auto& slot : slots) slot.clear();
  attrs.clear();
  results.clear();
  arguments.clear();
}

Binder::Binder(std::string_view source, const ParseOptions& options, Program& program,
               Diagnostics& diagnostics)
    : source_(source),
      options_(options),
      program_(program),
      builder_(program),
      diagnostics_(diagnostics),
      reader_(source, *this),
      scope_(program.strings) {
  scope_.reserve(program.values.capacity());
  if (options.target) {
    program_.target = *options.target;
    program_.target_stated = true;
  }
  if (source.starts_with("\xef\xbb\xbf")) reader_.seek(3);
}

// ---- names ----

const isa::Row* Binder::resolve(std::string_view name) {
  const auto [it, fresh] = row_cache_.try_emplace(name, nullptr);
  if (!fresh) return it->second;
  const isa::Row* row = isa::find_row(name);
  if (row == nullptr && name.find('.') == std::string_view::npos) {
    row = isa::find_keyword(name);
    if (row == nullptr) row = isa::find_row("pto." + std::string(name));
  }
  if (row == nullptr && name.starts_with('t')) row = isa::find_row("pto." + std::string(name));
  if (row != nullptr && (row->flags & isa::kAlias) != 0) row = isa::find_row(row->syntax);
  it->second = row;
  return row;
}

namespace {

/// The instruction that a C++ spelling such as TADD means; nullptr when there is none.
const isa::Row* in_capitals(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return lower == word ? nullptr : isa::find_row("pto." + lower);
}

}  // namespace

/// PTO-AS leaves `pto.` away. Names of scalar instructions (`round`, `log`) are clauses of others as well.
bool Binder::begins_operation(std::string_view word) const {
  Binder& self = *const_cast<Binder*>(this);  // NOLINT: only a cache changes
  const isa::Row* row = self.resolve(word);
  if (row == nullptr) row = in_capitals(word);  // refused by name, not taken for a clause of the line before
  return row != nullptr && row->layer != isa::Layer::scalar;
}

bool Binder::has_region(std::string_view name) const {
  const isa::Row* row = const_cast<Binder*>(this)->resolve(name);  // NOLINT: only a cache changes
  return row != nullptr && row->regions.most != 0;
}

bool Binder::has_cases(std::string_view name) const {
  const isa::Row* row = const_cast<Binder*>(this)->resolve(name);  // NOLINT: only a cache changes
  return row != nullptr && row->does == isa::Does::index_switch;
}

// ---- the driver ----

void Binder::run() {
  for (;;) {
    reader_.next(statement_);
    items_end_ = static_cast<uint32_t>(statement_.nodes.size());
    result_names_ready_ = false;
    failed_ = false;
    if (statement_.kind == StatementKind::end) break;
    step();
  }
  if (program_.ops.empty() && diagnostics_.errors() == 0) {
    diagnostics_.error("E0100", "the file holds no operation").help = "a program is at least one func.func";
    return;
  }
  while (!frames_.empty() && frames_.back().made) {
    builder_.end_region(0, 0);
    frames_.pop_back();
  }
  if (!frames_.empty() && unbalanced()) return;
  for (; !frames_.empty(); frames_.pop_back()) {
    const Frame& frame = frames_.back();
    if (frame.op == ~0u || frame.made) continue;  // of a statement that has been refused
    const auto end = static_cast<uint32_t>(source_.size());
    Diagnostic& d = fail("E0103", {end, end},
                         fmt::format("the region of '{}' is not closed: '}}' is missing", text(frame.name)));
    d.notes.push_back({"it was opened here", frame.name, locate(frame.name.begin), {}});
    return;
  }
  if (diagnostics_.errors() == 0) {
    resolve_locations();
    write_target();
    check_calls();
  }
}

/// `func.func @f(..) {pto.kernel} {`: the word `attributes` is missing. The dictionary is stepped over.
void Binder::refuse_bare_dictionary() {
  if (!statement_.region) return;
  // Such a dictionary stands on one line; bodies are not scanned.
  const uint32_t open = reader_.offset();
  const std::string_view line = source_.substr(0, source_.find('\n', open));
  const uint32_t close = matching_brace(line, open);
  if (close == line.size()) return;
  const char* last = source_.data() + source_.size();
  const char* next = skip_trivia(source_.data() + close + 1, last);
  if (next == last || *next != '{') return;
  fail("E0101", {open, close + 1},
       fmt::format("{}: the word 'attributes' is missing in front of the dictionary", op_name()))
      .help =
      fmt::format("write attributes {}", source_.substr(open, std::min<size_t>(close + 1 - open, 60)));
  reader_.seek(static_cast<uint32_t>(next - source_.data()));
}

/// Braces without partner: names the one at fault, and takes back what the displaced regions caused. False
/// when all have their partners.
bool Binder::unbalanced() {
  const std::optional<BraceFinding> found = find_unbalanced(source_);
  if (!found) return false;
  diagnostics_.remove_if([&](const Diagnostic& d) {
    static constexpr std::string_view kFollow[] = {"E0103", "E0112", "E0113", "E0120"};
    return d.span.begin >= found->at &&
           std::find(std::begin(kFollow), std::end(kFollow), d.id) != std::end(kFollow);
  });
  const auto at_end = static_cast<uint32_t>(source_.size());
  const Location partner = locate(found->partner);
  if (found->extra) {
    Diagnostic& d = fail("E0103", {found->at, found->at + 1},
                         found->outermost ? "this '}' closes nothing" : "this '}' is one too many");
    if (found->partner != 0) {
      d.notes.push_back({found->outermost ? "the outermost region was closed here"
                                          : "the region was closed here already, judged by the indentation",
                         {found->partner, found->partner + 1},
                         partner,
                         {}});
    }
    d.help = "remove it, or add the '{' it belongs to";
    return true;
  }
  const bool guess = found->at != at_end;
  Diagnostic& d = fail("E0103", {found->at, found->at + (guess ? 1u : 0u)},
                       guess ? "a '}' is missing in front of this line, judged by the indentation"
                             : "a '}' is missing at the end of the file");
  d.notes.push_back({fmt::format("this '{{' of line {} is not closed", partner.line),
                     {found->partner, found->partner + 1},
                     partner,
                     {}});
  return true;
}

/// The top module says what the program is for, so that its text alone means the same.
void Binder::write_target() {
  if (!program_.target_stated) return;
  draft_.reset(isa::schema(program_.ops[0].row));
  const auto spec = static_cast<uint16_t>(draft_.schema->attr_index(kTargetAttr));
  for (uint32_t i = 0; i < program_.ops[0].n_attrs; ++i) {
    Attr& attr = program_.attrs[program_.ops[0].attrs + i];
    if (attr.spec != spec) continue;
    if (target_of_arch(program_.strings[attr.value.text]) != program_.target)
      attr.value.text = intern(arch_name(program_.target));
    return;
  }
  AttrValue arch;
  arch.kind = AttrValue::Kind::string;
  arch.text = intern(arch_name(program_.target));
  set_attr(kTargetAttr, arch);
  append_attrs(0);
}

void Binder::step() {
  switch (statement_.kind) {
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
      label();
      break;
    case StatementKind::close:
      close();
      break;
    case StatementKind::error:
      syntax_error();
      break;
    case StatementKind::end:
      break;
  }
}

void Binder::syntax_error() {
  const Diagnostic& problem = statement_.problem;
  if (!skipping()) {
    Diagnostic& d = fail(problem.id, problem.span, problem.message);
    d.help = problem.help;
    for (const Note& note : problem.notes)
      d.notes.push_back({note.message, note.span, locate(note.span.begin), {}});
  }
  poison_results();
  if (statement_.lacks_percent) poison(text(problem.span), problem.span.begin);
  const uint32_t from = statement_.span.begin;
  reader_.recover();
  // Regions that the broken statement opened are stepped over.
  const std::string_view skipped = source_.substr(from, reader_.offset() - from);
  const auto open =
      std::count(skipped.begin(), skipped.end(), '{') - std::count(skipped.begin(), skipped.end(), '}');
  if (open > 0) skip_region(statement_.span, static_cast<uint32_t>(open), false);
}

void Binder::poison(std::string_view name, uint32_t at) {
  if (poison_ == kNoValue) poison_ = builder_.new_value(kNoType);
  if (scope_.find(name).value == kNoValue) scope_.define(name, poison_, at, 0);
}

void Binder::poison_results() {
  if (statement_.kind != StatementKind::operation && statement_.kind != StatementKind::error) return;
  if (poison_ == kNoValue) poison_ = builder_.new_value(kNoType);
  for (uint32_t i = 0; i < statement_.first_item; i = statement_.nodes[i].next) {
    const Node& node = statement_.nodes[i];
    if (node.kind == NodeKind::operand) poison(text(node).substr(1), node.begin);
  }
}

void Binder::alias(bool type_alias) {
  Cursor cursor = items();
  const std::string_view name = text(statement_.name);
  if (!cursor.accept(NodeKind::equal) || cursor.done()) {
    fail("E0101", statement_.name, fmt::format("'{}' is an alias without a value", name)).help =
        type_alias ? "write !name = type" : "write #name = attribute; a comment begins with // or with '# '";
    return;
  }
  const Node& value = cursor.take();
  if (!type_alias && value.kind == NodeKind::word && text(value) == "loc" && cursor.is(NodeKind::paren)) {
    const Node& args = cursor.take();
    written_location_.reset();
    read_location(
        Cursor(statement_.nodes, static_cast<uint32_t>(&args - statement_.nodes.data()) + 1, args.next),
        args);
    if (written_location_) locations_.emplace(name, *written_location_);
    expect_end(cursor);
    return;
  }
  if (!expect_end(cursor)) return;
  if (type_alias && type(value) == kNoType) return;
  if (!aliases_.emplace(name, text(value)).second)
    fail("E0113", statement_.name, fmt::format("alias '{}' is defined twice", name));
}

/// A module around everything read so far.
void Binder::make_top_module() {
  for (Region& region : program_.regions) {
    ++region.begin;
    ++region.end;
  }
  for (Op& op : program_.ops) ++op.regions;
  for (Call& call : calls_) ++call.op;
  for (auto& [op, alias] : aliased_locations_) ++op;
  Op top;
  top.row = isa::id_of(isa::Does::module);
  top.n_regions = 1;
  program_.ops.insert(program_.ops.begin(), top);
  program_.regions.insert(program_.regions.begin(), Region{1, 1, 0, 0});
}

void Binder::operation() {
  if (skipping()) {
    if (statement_.region) enter_region();
    return;
  }
  strip_location();
  const std::string_view name = op_name();
  const isa::Row* row = resolve(name);
  // Whatever is not a module stands in one; so do several modules.
  if (frames_.empty() && (row == nullptr || row->does != isa::Does::module || !program_.ops.empty())) {
    make_top_module();
    frames_.push_back({0, 0, 1, scope_.mark(), {}, false, true});
  }
  if (row == nullptr || row->syntax == "@none") {
    unsupported();
  } else {
    const Hook hook = row->does == isa::Does::block ? bind_block
                      : statement_.quoted           ? nullptr
                                                    : find_hook(*row);
    if (hook != nullptr) draft_.reset(isa::schema(isa::id_of(*row)));
    if (hook == nullptr || !hook(*this)) bind_rows(*row);
  }
  if (failed_) poison_results();
  if (statement_.region || opened_) enter_region();
}

// ---- rows ----

void Binder::bind_rows(const isa::Row& first) {
  Mismatch best;
  const std::span<const isa::Row> rows = isa::rows();
  const size_t from = isa::id_of(first);
  const auto fits = [&](const isa::Schema& schema) {
    const bool fit = try_row(schema, best);
    if (fit && !failed_) finish_row(schema);
    return fit;
  };
  for (size_t i = from; i < rows.size() && rows[i].name == first.name; ++i) {
    const isa::Schema& schema = isa::schema(static_cast<RowId>(i));
    if (fits(schema)) return;
    const isa::Row* other = isa::find_row(schema.written_as);
    if (other != nullptr && fits(isa::schema(isa::id_of(*other)))) return;
  }
  report(best);
}

/// True when the form fits in shape. Then the draft is filled; wrong names and types have been reported.
bool Binder::try_row(const isa::Schema& schema, Mismatch& mismatch) {
  draft_.reset(schema);
  if (statement_.quoted) return match_generic(schema, mismatch);
  if (schema.row->syntax.starts_with('@')) return match_tile_form(schema, mismatch);
  return match_syntax(schema, mismatch);
}

void Binder::finish_row(const isa::Schema& schema) {
  if (statement_.quoted && statement_.region) return open_generic(schema);
  check_bounds(schema);
  if (!statement_.quoted && schema.attr_index(kTargetAttr) >= 0) note_targets();
  const uint32_t op = emit(static_cast<unsigned>(schema.regions.size()));
  if (failed_) return;
  if (schema.row->does == isa::Does::call) call_of(op);
  if (!schema.regions.empty()) open_written_region(op, schema);
}

/// What the attributes of a module say about the target.
void Binder::note_targets() {
  for (const Attr& attr : draft_.attrs) {
    if (attr.spec == kUnknownAttr || attr.value.kind != AttrValue::Kind::string) continue;
    note_target(draft_.schema->attrs[attr.spec].name, program_.strings[attr.value.text]);
  }
}

/// A loop variable has the type of its lower bound; so have the other bound and the step.
void Binder::check_bounds(const isa::Schema& schema) {
  if (statement_.quoted || schema.regions.empty() || schema.regions.front().arguments.empty()) return;
  const isa::SyntaxNode& first = schema.regions.front().arguments.front();
  if (first.kind != isa::SyntaxNode::Kind::type_operand ||
      schema.operands[first.index].arity != isa::Arity::one)
    return;
  const Draft::Operand& lower = draft_.slots[first.index].front();
  for (size_t slot = 0; slot < schema.operands.size() && !failed_; ++slot) {
    if (schema.operands[slot].arity != isa::Arity::one) continue;
    const Draft::Operand& other = draft_.slots[slot].front();
    if (type_of(other.value) == type_of(lower.value)) continue;
    fail("E0115", other.span,
         fmt::format("{}: the lower bound {} is {}, but {} is {}", op_name(), text(lower.span),
                     to_string(program_.types[type_of(lower.value)]), text(other.span),
                     to_string(program_.types[type_of(other.value)])))
        .help = "bounds and step have one type";
  }
}

/// The first region of an operation in its own syntax; its arguments have the types that the row says.
void Binder::open_written_region(uint32_t op, const isa::Schema& schema) {
  std::vector<Draft::Result> arguments;
  for (const isa::SyntaxNode& node : schema.regions.front().arguments) {
    if (node.kind == isa::SyntaxNode::Kind::type_result) {
      for (size_t i = node.index; i < draft_.results.size(); ++i) arguments.push_back(draft_.results[i]);
      continue;
    }
    for (const Draft::Operand& operand : draft_.slots[node.index])
      arguments.push_back({type_of(operand.value), {}});
  }
  const std::vector<Node> names = std::move(draft_.arguments);
  open_region(op, 0, arguments, names);
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
