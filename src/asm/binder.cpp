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

/// Names that stand for others wherever an operation may stand.
std::string_view expand_name(std::string_view name) {
  if (name == "return") return "func.return";
  if (name == "call") return "func.call";
  if (name == "module") return "builtin.module";
  if (name == "func") return "func.func";
  return name;
}

std::string_view arch_name(Target target) { return target == Target::a5 ? "a5" : target == Target::cpu ? "cpu" : "a3"; }

}  // namespace

void Draft::reset(const isa::Schema& s) {
  schema = &s;
  if (slots.size() < s.operands.size()) slots.resize(s.operands.size());
  for (auto& slot : slots) slot.clear();
  attrs.clear();
  results.clear();
}

Binder::Binder(std::string_view source, const ParseOptions& options, Program& program, Diagnostics& diagnostics)
    : source_(source), options_(options), program_(program), builder_(program), diagnostics_(diagnostics), reader_(source, *this),
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
  const isa::Row* row = isa::find_row(expand_name(name));
  if (row == nullptr && name.find('.') == std::string_view::npos) row = isa::find_row("pto." + std::string(name));
  if (row == nullptr && name.starts_with('t')) row = isa::find_row("pto." + std::string(name));
  if (name == "pto.subset") row = isa::find_row("pto.subview");
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
  Binder& self = *const_cast<Binder*>(this);   // NOLINT: only a cache changes
  const isa::Row* row = self.resolve(word);
  if (row == nullptr) row = in_capitals(word);   // refused by name, not taken for a clause of the line before
  return row != nullptr && row->layer != isa::Layer::scalar;
}

bool Binder::has_region(std::string_view name) const {
  const isa::Row* row = const_cast<Binder*>(this)->resolve(name);   // NOLINT: only a cache changes
  return row != nullptr && (row->flags & isa::kRegion) != 0;
}

const isa::Schema* Binder::schema_of(std::string_view mnemonic) {
  const isa::Row* row = isa::find_row(mnemonic);
  return row == nullptr ? nullptr : &isa::schema(isa::id_of(*row));
}

// ---- positions and messages ----

Location Binder::locate(uint32_t offset) {
  if (offset < counted_offset_) {   // second places: any of them, so all lines are found once
    if (!lines_) lines_.emplace(source_);
    return lines_->locate(offset);
  }
  const char* text = source_.data();
  while (counted_offset_ < offset) {
    const void* newline = std::memchr(text + counted_offset_, '\n', offset - counted_offset_);
    if (newline == nullptr) break;
    ++line_;
    line_start_ = static_cast<uint32_t>(static_cast<const char*>(newline) - text) + 1;
    counted_offset_ = line_start_;
  }
  counted_offset_ = offset;
  return {line_, offset - line_start_ + 1};
}

Diagnostic& Binder::fail(std::string_view id, Span where, std::string message) {
  failed_ = true;
  return diagnostics_.error(id, std::move(message), where, locate(where.begin));
}

namespace {

void mend(Diagnostic& d, std::string_view source, const std::string& word, std::string meant) {
  d.help = fmt::format("did you mean '{}'?", meant);
  const size_t at = source.substr(d.span.begin, d.span.end - d.span.begin).find(word);
  if (at == source.npos) return;
  const auto begin = static_cast<uint32_t>(d.span.begin + at);
  d.replacement = Replacement{{begin, begin + static_cast<uint32_t>(word.size())}, std::move(meant)};
}

}  // namespace

bool Binder::suggest(Diagnostic& d, std::string_view word, const std::vector<std::string_view>& candidates, std::string_view prefix) {
  const std::string_view near = diagnostics_.suggests() ? nearest(word, candidates) : std::string_view();
  if (!near.empty()) mend(d, source_, fmt::format("{}{}", prefix, word), fmt::format("{}{}", prefix, near));
  return !near.empty();
}

bool Binder::suggest(Mismatch& mismatch, std::string_view word, const std::vector<std::string_view>& candidates) {
  if (source_.substr(mismatch.span.begin, mismatch.span.end - mismatch.span.begin).find(word) == source_.npos) return false;   // of another place
  mismatch.word = word;
  mismatch.near = diagnostics_.suggests() ? nearest(word, candidates) : std::string_view();
  return !mismatch.near.empty();
}

bool Binder::expect(Cursor& cursor, NodeKind kind, std::string_view what) {
  if (cursor.accept(kind)) return true;
  if (!failed_) fail("E0101", rest_span(cursor), fmt::format("{}: expected {} here", op_name(), what));
  return false;
}

bool Binder::accept_word(Cursor& cursor, std::string_view word) const {
  if (!cursor.is(NodeKind::word) || text(cursor.peek()) != word) return false;
  cursor.take();
  return true;
}

bool Binder::expect_word(Cursor& cursor, std::string_view word) {
  if (accept_word(cursor, word)) return true;
  if (!failed_) fail("E0101", rest_span(cursor), fmt::format("{}: expected '{}' here", op_name(), word));
  return false;
}

bool Binder::expect_end(const Cursor& cursor) {
  if (cursor.done()) return true;
  if (!failed_) fail("E0101", rest_span(cursor), fmt::format("{}: unexpected '{}'", op_name(), text(cursor.peek()).substr(0, 40)));
  return false;
}

Span Binder::rest_span(const Cursor& cursor) const {
  if (!cursor.done()) return span(cursor.peek());
  // Behind the last thing read.
  uint32_t end = statement_.name.end;
  if (cursor.index() > 0 && cursor.index() <= statement_.nodes.size()) end = statement_.nodes[cursor.index() - 1].end;
  return {end, end};
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
    if (frame.op == ~0u || frame.made) continue;   // of a statement that has been refused
    const auto end = static_cast<uint32_t>(source_.size());
    Diagnostic& d = fail("E0103", {end, end}, fmt::format("the region of '{}' is not closed: '}}' is missing", text(frame.name)));
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
  fail("E0101", {open, close + 1}, fmt::format("{}: the word 'attributes' is missing in front of the dictionary", op_name())).help =
      fmt::format("write attributes {}", source_.substr(open, std::min<size_t>(close + 1 - open, 60)));
  reader_.seek(static_cast<uint32_t>(next - source_.data()));
}

/// Braces without partner: names the one at fault, and takes back what the displaced regions caused. False when all
/// have their partners.
bool Binder::unbalanced() {
  const std::optional<BraceFinding> found = find_unbalanced(source_);
  if (!found) return false;
  diagnostics_.remove_if([&](const Diagnostic& d) {
    static constexpr std::string_view kFollow[] = {"E0103", "E0112", "E0113", "E0120"};
    return d.span.begin >= found->at && std::find(std::begin(kFollow), std::end(kFollow), d.id) != std::end(kFollow);
  });
  const auto at_end = static_cast<uint32_t>(source_.size());
  const Location partner = locate(found->partner);
  if (found->extra) {
    Diagnostic& d = fail("E0103", {found->at, found->at + 1}, found->outermost ? "this '}' closes nothing" : "this '}' is one too many");
    if (found->partner != 0) {
      d.notes.push_back({found->outermost ? "the outermost region was closed here" : "the region was closed here already, judged by the indentation",
                         {found->partner, found->partner + 1}, partner, {}});
    }
    d.help = "remove it, or add the '{' it belongs to";
    return true;
  }
  const bool guess = found->at != at_end;
  Diagnostic& d = fail("E0103", {found->at, found->at + (guess ? 1u : 0u)},
                       guess ? "a '}' is missing in front of this line, judged by the indentation" : "a '}' is missing at the end of the file");
  d.notes.push_back({fmt::format("this '{{' of line {} is not closed", partner.line), {found->partner, found->partner + 1}, partner, {}});
  return true;
}

/// The top module says what the program is for, so that its text alone means the same.
void Binder::write_target() {
  if (!program_.target_stated) return;
  draft_.reset(isa::schema(program_.ops[0].row));
  const auto spec = static_cast<uint16_t>(draft_.schema->attr_index("pto.target_arch"));
  for (uint32_t i = 0; i < program_.ops[0].n_attrs; ++i) {
    Attr& attr = program_.attrs[program_.ops[0].attrs + i];
    if (attr.spec != spec) continue;
    if (target_of_arch(program_.strings[attr.value.text]) != program_.target) attr.value.text = intern(arch_name(program_.target));
    return;
  }
  AttrValue arch;
  arch.kind = AttrValue::Kind::string;
  arch.text = intern(arch_name(program_.target));
  set_attr("pto.target_arch", arch);
  append_attrs(0);
}

void Binder::step() {
  switch (statement_.kind) {
    case StatementKind::operation: operation(); break;
    case StatementKind::type_alias: alias(true); break;
    case StatementKind::attr_alias: alias(false); break;
    case StatementKind::label: label(); break;
    case StatementKind::close: close(); break;
    case StatementKind::error: syntax_error(); break;
    case StatementKind::end: break;
  }
}

void Binder::syntax_error() {
  const Diagnostic& problem = statement_.problem;
  if (!skipping()) {
    Diagnostic& d = fail(problem.id, problem.span, problem.message);
    d.help = problem.help;
    for (const Note& note : problem.notes) d.notes.push_back({note.message, note.span, locate(note.span.begin), {}});
  }
  poison_results();
  if (problem.help.starts_with("did you mean '%")) poison(text(problem.span), problem.span.begin);
  const uint32_t from = statement_.span.begin;
  reader_.recover();
  // Regions that the broken statement opened are stepped over.
  const std::string_view skipped = source_.substr(from, reader_.offset() - from);
  const auto open = std::count(skipped.begin(), skipped.end(), '{') - std::count(skipped.begin(), skipped.end(), '}');
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

/// A refused structure is entered nevertheless, so that its body is checked too; the names it would define are poison.
bool Binder::enter_refused() {
  const isa::Row* row = resolve(op_name());
  if (row == nullptr || (row->flags & isa::kRegion) == 0 || row->syntax == "@none" || frames_.empty()) return false;
  const isa::Schema& schema = isa::schema(isa::id_of(*row));
  std::vector<ValueId> words;
  for (const isa::OperandSpec& spec : schema.operands) words.push_back(spec.arity == isa::Arity::variadic ? 0 : kNoValue);
  const unsigned regions = row->name == "scf.if" || row->name == "scf.while" ? 2 : 1;
  const uint32_t op = builder_.begin_op(schema.id, where(), words, {}, {}, {}, regions);
  frames_.push_back({op, 0, static_cast<uint16_t>(regions), scope_.mark(), statement_.name, false});
  frames_.back().refused = true;
  builder_.begin_region(op, 0, {}, {});
  for (const Node& node : statement_.nodes) {
    if (node.kind == NodeKind::operand) poison(text(node).substr(1, text(node).find('#') - 1), node.begin);
  }
  return true;
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
    read_location(Cursor(statement_.nodes, static_cast<uint32_t>(&args - statement_.nodes.data()) + 1, args.next), args);
    if (written_location_) locations_.emplace(name, *written_location_);
    expect_end(cursor);
    return;
  }
  if (!expect_end(cursor)) return;
  if (type_alias && type(value) == kNoType) return;
  if (!aliases_.emplace(name, text(value)).second) fail("E0113", statement_.name, fmt::format("alias '{}' is defined twice", name));
}

/// `^bb0(%a: T, ..):` names the arguments of the region it begins; further labels begin blocks.
void Binder::label() {
  if (skipping()) return;
  if (frames_.empty() || frames_.back().made) {
    fail("E0101", statement_.name, "a label stands in a region only");
    return;
  }
  Frame& frame = frames_.back();
  const Region& begun = program_.regions[program_.ops[frame.op].regions + frame.region];
  if (frame.labelled || begun.begin != program_.ops.size()) return add_block(frame);
  frame.labelled = true;
  Cursor cursor = items();
  std::vector<Draft::Result> types;
  std::vector<Node> names;
  if (!block_arguments(cursor, types, names)) return;
  Region& region = program_.regions[program_.ops[frame.op].regions + frame.region];
  region.first_arg = static_cast<uint32_t>(program_.values.size());
  region.n_args = static_cast<uint32_t>(types.size());
  for (size_t i = 0; i < types.size(); ++i) builder_.new_value(types[i].type, name_id(text(names[i]).substr(1)));
  for (uint32_t i = 0; i < names.size(); ++i) define(text(names[i]).substr(1), region.first_arg + i, span(names[i]));
  if (expect(cursor, NodeKind::colon, "':' after the label")) expect_end(cursor);
}

/// Regions that are stepped over take one frame, however deep they nest.
void Binder::skip_region(Span name, uint32_t levels, bool generic) {
  if (!skipping() || frames_.back().generic != generic) {
    frames_.push_back({~0u, 0, 0, scope_.mark(), name, false});
    frames_.back().generic = generic;
    --levels;
  }
  frames_.back().skipped += levels;
}

void Binder::enter_region() {
  if (!statement_.region) {
    if (opened_) {
      fail("E0120", statement_.name, fmt::format("{}: a region in braces is missing", op_name()));
      builder_.end_region(*opened_, 0);
      scope_.leave(frames_.back().scope);
      frames_.pop_back();
    }
  } else {
    reader_.enter();
    if (!opened_ && (skipping() || statement_.quoted || !enter_refused())) skip_region(statement_.name, 1, statement_.quoted);
  }
  opened_.reset();
}

void Binder::close() {
  if (frames_.empty() || frames_.back().made) {
    failed_ = true;
    if (!unbalanced()) fail("E0103", {statement_.span.begin, statement_.span.begin + 1}, "this '}' closes nothing");
    reader_.finish();   // what follows stands in no region that is known
    return;
  }
  Frame frame;
  if (frames_.back().skipped > 0) {
    --frames_.back().skipped;
    frame = frames_.back();
    frame.skipped = 0;
  } else {
    frame = std::move(frames_.back());
    frames_.pop_back();
  }
  scope_.leave(frame.scope);
  if (frame.op != ~0u) builder_.end_region(frame.op, frame.region);
  if (frame.generic) return close_generic(std::move(frame));
  reader_.resume(statement_, text(frame.name));
  statement_.name = frame.name;
  items_end_ = static_cast<uint32_t>(statement_.nodes.size());
  if (statement_.kind == StatementKind::error) return syntax_error();
  if (statement_.region) return next_region(std::move(frame));
  if (frame.op != ~0u && !frame.refused) finish_region(frame);
}

/// Behind the '}' of a region in a list: the next one, or what follows the list.
void Binder::close_generic(Frame frame) {
  const StatementReader::RegionList list = reader_.next_in_list();
  if (list == StatementReader::RegionList::another) return next_region(std::move(frame));
  statement_.name = frame.name;
  if (list == StatementReader::RegionList::broken) {
    const uint32_t at = reader_.offset();
    Diagnostic& d = fail("E0101", {at, at}, fmt::format("{}: expected ',' and a region, or ')' after the regions", text(frame.name)));
    d.notes.push_back({"of this operation", frame.name, locate(frame.name.begin), {}});
    return;
  }
  reader_.resume(statement_, text(frame.name));
  statement_.name = frame.name;
  items_end_ = static_cast<uint32_t>(statement_.nodes.size());
  if (statement_.kind == StatementKind::error) return syntax_error();
  if (frame.op == ~0u) return;
  finish_generic(frame);
  fill_regions(frame);
}

void Binder::next_region(Frame frame) {
  reader_.enter();
  if (frame.op != ~0u && frame.region + 1 >= frame.n_regions) {
    fail("E0120", frame.name, fmt::format("{} takes {} region{}", text(frame.name), frame.n_regions, frame.n_regions == 1 ? "" : "s"));
    frame.op = ~0u;
  }
  ++frame.region;
  frame.labelled = false;
  if (frame.op != ~0u) builder_.begin_region(frame.op, frame.region, {}, {});
  frame.scope = scope_.mark();
  frames_.push_back(std::move(frame));
}

/// Regions that the text does not write are empty.
void Binder::fill_regions(const Frame& frame) {
  for (unsigned i = frame.region + 1u; i < frame.n_regions; ++i) {
    builder_.begin_region(frame.op, i, {}, {});
    builder_.end_region(frame.op, i);
  }
}

/// What follows the last region: a dictionary, types of captures, a location.
void Binder::finish_region(const Frame& frame) {
  fill_regions(frame);
  strip_location();
  if (written_location_) program_.ops[frame.op].where = *written_location_;
  note_location(frame.op);
  Cursor cursor = items();
  draft_.reset(isa::schema(program_.ops[frame.op].row));
  if (cursor.is(NodeKind::dict)) {
    dictionary(cursor.take());
    append_attrs(frame.op);
  }
  if (cursor.accept(NodeKind::colon)) {
    std::vector<Draft::Result> written;
    if (!types(cursor, written)) return;
    const OpView view(program_, frame.op);
    const std::span<const ValueId> captures = view.operands(0);
    for (size_t i = 0; i < std::min(written.size(), captures.size()); ++i)
      check_type(captures[i], written[i].span, written[i].type, written[i].span);
    if (written.size() != captures.size())
      fail("E0116", frame.name, fmt::format("{} operands but {} types", captures.size(), written.size()));
    if (cursor.accept(NodeKind::arrow) && !cursor.done()) cursor.take();
  }
  expect_end(cursor);
}

void Binder::append_attrs(uint32_t op) {
  Op& target = program_.ops[op];
  const uint32_t first = static_cast<uint32_t>(program_.attrs.size());
  for (const Attr& given : program_.attrs_of(target)) {
    const auto same = [&](const Attr& attr) { return attr.spec == given.spec && attr.name == given.name; };
    if (std::none_of(draft_.attrs.begin(), draft_.attrs.end(), same)) continue;
    const std::string_view key = given.spec == kUnknownAttr ? program_.strings[given.name] : draft_.schema->attrs[given.spec].name;
    fail("E0108", statement_.name, fmt::format("{}: attribute '{}' is given twice", op_name(), key));
    return;
  }
  if (target.n_attrs + draft_.attrs.size() > 0xff) {
    fail("E0116", statement_.name, fmt::format("{} has too many attributes", op_name()));
    return;
  }
  for (uint32_t i = 0; i < target.n_attrs; ++i) program_.attrs.push_back(program_.attrs[target.attrs + i]);
  program_.attrs.insert(program_.attrs.end(), draft_.attrs.begin(), draft_.attrs.end());
  target.attrs = first;
  target.n_attrs = static_cast<uint8_t>(program_.attrs.size() - first);
  std::stable_sort(program_.attrs.begin() + first, program_.attrs.end(), [](const Attr& a, const Attr& b) { return a.spec < b.spec; });
}

/// A trailing `loc("file":line:col)` states the operation's position; other locations are dropped.
void Binder::strip_location() {
  written_location_.reset();
  location_alias_ = {};
  if (items_end_ < statement_.first_item + 2) return;
  uint32_t last = statement_.first_item, before = last;
  for (uint32_t i = last; i < items_end_; i = statement_.nodes[i].next) {
    before = last;
    last = i;
  }
  const Node& args = statement_.nodes[last];
  if (args.kind != NodeKind::paren || statement_.nodes[before].kind != NodeKind::word || text(statement_.nodes[before]) != "loc") return;
  items_end_ = before;
  read_location({statement_.nodes, last + 1, args.next}, args);
}

/// `"file":line:col`, `unknown`, or `#loc3`, which may be defined at the end of the file.
void Binder::read_location(Cursor cursor, const Node& args) {
  if (cursor.is(NodeKind::attr)) location_alias_ = text(cursor.peek());
  if (accept_word(cursor, "unknown")) written_location_ = Location{};
  const Node* file = cursor.is(NodeKind::string) ? &cursor.peek() : nullptr;
  if (!cursor.accept(NodeKind::string) || !cursor.accept(NodeKind::colon) || !cursor.is(NodeKind::number)) return;
  const AttrValue line = attribute({statement_.nodes, cursor.index(), cursor.index() + 1}, nullptr, span(args));
  cursor.take();
  if (!cursor.accept(NodeKind::colon) || !cursor.is(NodeKind::number)) return;
  const AttrValue col = attribute({statement_.nodes, cursor.index(), cursor.index() + 1}, nullptr, span(args));
  written_location_ = Location{static_cast<uint32_t>(line.integer), static_cast<uint32_t>(col.integer)};
  if (source_named_) return;
  // A disassembled program keeps the name of the file it once came from.
  source_named_ = true;
  program_.source_name.clear();
  const std::string_view name = text(*file).substr(1, text(*file).size() - 2);
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\\' && i + 1 < name.size()) ++i;
    program_.source_name += name[i];
  }
}

/// Remembers that an operation's location is an alias.
void Binder::note_location(uint32_t op) {
  if (!location_alias_.empty()) aliased_locations_.emplace_back(op, location_alias_);
}

void Binder::resolve_locations() {
  for (const auto& [op, alias] : aliased_locations_) {
    if (const auto found = locations_.find(alias); found != locations_.end()) program_.ops[op].where = found->second;
  }
}

/// A module around everything read so far.
bool Binder::make_top_module() {
  const isa::Schema* module = schema_of("builtin.module");
  if (module == nullptr) return false;
  for (Region& region : program_.regions) {
    ++region.begin;
    ++region.end;
  }
  for (Op& op : program_.ops) ++op.regions;
  for (Call& call : calls_) ++call.op;
  for (auto& [op, alias] : aliased_locations_) ++op;
  Op top;
  top.row = module->id;
  top.n_regions = 1;
  program_.ops.insert(program_.ops.begin(), top);
  program_.regions.insert(program_.regions.begin(), Region{1, 1, 0, 0});
  return true;
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
  if (frames_.empty() && (row == nullptr || row->name != "builtin.module" || !program_.ops.empty())) {
    if (!make_top_module()) return unsupported();
    frames_.push_back({0, 0, 1, scope_.mark(), {}, false, true});
  }
  if (row == nullptr) {
    unsupported();
  } else if (row->syntax == "@none") {
    unsupported();
  } else {
    const Hook hook = row->name == "builtin.block" ? bind_block : statement_.quoted ? nullptr : find_hook(*row);
    if (hook != nullptr) draft_.reset(isa::schema(isa::id_of(*row)));
    if (hook == nullptr || !hook(*this)) bind_rows(*row);
  }
  if (failed_) poison_results();
  if (statement_.region || opened_) enter_region();
}

/// An instruction that the table knows by name only, another dialect, or a spelling that nothing has.
void Binder::unsupported() {
  std::string name(op_name());
  if (name.find('.') == std::string::npos && !statement_.quoted) name = "pto." + name;
  const std::string_view dialect = std::string_view(name).substr(0, name.find('.'));
  static const std::vector<std::string_view> dialects = [] {
    std::vector<std::string_view> list;
    for (const std::string_view mnemonic : isa::mnemonics()) {
      const std::string_view its = mnemonic.substr(0, mnemonic.find('.'));
      if (std::find(list.begin(), list.end(), its) == list.end()) list.push_back(its);
    }
    return list;
  }();
  if (std::find(dialects.begin(), dialects.end(), dialect) == dialects.end()) {
    static constexpr std::string_view kOthers[] = {"affine", "linalg", "tensor", "vector", "gpu", "emitc", "bufferization", "index", "ub", "complex",
                                                   "async", "transform", "spirv", "nvvm", "rocdl", "hivm", "tosa", "shape", "omp", "acc", "ml_program"};
    if (std::find(std::begin(kOthers), std::end(kOthers), dialect) != std::end(kOthers)) {
      fail("E0110", statement_.name, fmt::format("{} is not supported: nothing of the dialect {} is", name, dialect)).unsupported = true;
      return;
    }
    const std::string_view near = nearest(dialect, dialects);
    if (near.empty()) {
      fail("E0110", statement_.name, fmt::format("{} is not supported: there is no dialect {}", name, dialect)).unsupported = true;
      return;
    }
    const std::string meant = near.empty() ? std::string{} : std::string(near) + name.substr(dialect.size());
    Diagnostic& d = fail("E0111", statement_.name, fmt::format("unknown dialect '{}' in {}", dialect, name));
    d.help = !meant.empty() && isa::find_row(meant) != nullptr ? fmt::format("did you mean '{}'?", meant) : fmt::format("dialects: {}", fmt::join(dialects, ", "));
    return;
  }
  if (isa::find_row(name) == nullptr && name.size() > dialect.size()) {
    std::string_view near;
    if (dialect != "pto" || diagnostics_.suggests()) {
      std::vector<std::string_view> siblings;
      for (const std::string_view mnemonic : isa::mnemonics()) {
        if (mnemonic.starts_with(dialect) && mnemonic.size() > dialect.size() && mnemonic[dialect.size()] == '.') siblings.push_back(mnemonic.substr(dialect.size() + 1));
      }
      near = nearest(std::string_view(name).substr(dialect.size() + 1), siblings);
    }
    if (dialect == "pto" || !near.empty()) {
      Diagnostic& d = fail("E0111", statement_.name, fmt::format("there is no instruction {}", name));
      const bool short_name = op_name().size() < name.size();
      if (!near.empty()) mend(d, source_, std::string(op_name()), fmt::format("{}{}", short_name ? "" : std::string(dialect) + ".", near));
      return;
    }
  }
  fail("E0110", statement_.name, fmt::format("{} is not supported yet", name)).unsupported = true;
}

// ---- rows ----

void Binder::bind_rows(const isa::Row& first) {
  Mismatch best;
  const std::span<const isa::Row> rows = isa::rows();
  const size_t from = isa::id_of(first);
  for (size_t i = from; i < rows.size() && rows[i].name == first.name; ++i) {
    const isa::Schema& schema = isa::schema(static_cast<RowId>(i));
    if (try_row(schema, best)) {
      if (!failed_) finish_row(schema);
      return;
    }
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
  const bool region = (schema.row->flags & isa::kRegion) != 0;
  const uint32_t op = emit(region ? 1 : 0);
  if (region && !failed_) open_region(op, 0, {}, {});
}

void Binder::report(Mismatch& mismatch) {
  if (failed_) return;
  Diagnostic& d = fail(mismatch.id, mismatch.span, std::move(mismatch.message));
  d.help = std::move(mismatch.help);
  if (!mismatch.near.empty()) mend(d, source_, std::string(mismatch.word), std::string(mismatch.near));
  if (!mismatch.note.empty()) d.notes.push_back({std::move(mismatch.note), mismatch.note_span, locate(mismatch.note_span.begin), {}});
}

bool Binder::reject(Mismatch& mismatch, const Cursor& at, std::string_view id, std::string message, Span where) {
  const uint32_t progress = at.index() + 1;
  if (progress <= mismatch.progress) return false;
  mismatch = {};
  mismatch.id = id;
  mismatch.message = std::move(message);
  mismatch.span = where.end != 0 ? where : rest_span(at);
  mismatch.progress = progress;
  return false;
}

Hook find_hook(const isa::Row& row) {
  static const std::unordered_map<std::string_view, Hook> hooks = {
      {"module", bind_module},
      {"func", bind_function},
      {"call", bind_call},
      {"for", bind_for},
      {"if", bind_if},
      {"while", bind_while},
      {"strict_vecscope", bind_strict_vecscope},
      {"constant", bind_constant},
      {"select", bind_select},
      {"partition_view", bind_partition_view},
      {"subview", bind_subview},
      {"mode", bind_mode},
      {"get_buf", bind_get_buf},
      {"sync", bind_sync},
      {"initialize_pipe", bind_initialize_pipe},
      {"initialize_l2_pipe", bind_initialize_l2_pipe},
      {"mte_l0c", bind_mte_l0c},
      {"reinterpret_cast", bind_reinterpret_cast},
      {"memref_subview", bind_memref_subview},
      {"expand_shape", bind_expand_shape},
      {"llvm_extractvalue", bind_extractvalue},
      {"llvm_getelementptr", bind_getelementptr},
      {"vector_extract", bind_vector_extract},
      {"vector_insert", bind_vector_insert},
      {"br", bind_br},
      {"cond_br", bind_cond_br},
      {"block", bind_block},
      {"execute_region", bind_execute_region},
      {"index_switch", bind_index_switch},
  };
  if (row.name == "pto.tassign") return bind_tassign;
  if (!row.syntax.starts_with("@custom:")) return nullptr;
  const auto found = hooks.find(row.syntax.substr(8));
  return found == hooks.end() ? nullptr : found->second;
}

}  // namespace pto::text
