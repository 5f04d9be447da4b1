#include "asm/parse/open_regions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/binder_context.hpp"
#include "asm/parse/text/braces.hpp"

namespace pto::text {

namespace {

/// Braces without partner: names the one at fault, and takes back what the displaced regions caused. False
/// when all have their partners.
bool report_unbalanced(Reporter& report) {
  const std::optional<BraceFinding> found = find_unbalanced(report.source());
  if (!found) return false;
  report.all().remove_if([&](const Diagnostic& d) {
    static constexpr FindingId kFollow[] = {E0103, E0112, E0113, E0120};
    return d.span.begin >= found->at &&
           std::find(std::begin(kFollow), std::end(kFollow), d.id) != std::end(kFollow);
  });
  const Span partner{found->partner, found->partner + 1};
  if (found->extra) {
    Diagnostic& d = report.fail(E0103, {found->at, found->at + 1},
                                found->outermost ? "this '}' closes nothing" : "this '}' is one too many");
    if (found->partner != 0)
      report.note(d,
                  found->outermost ? "the outermost region was closed here"
                                   : "the region was closed here already, judged by the indentation",
                  partner);
    d.help = Fix::remove("remove it, or add the '{' it belongs to");
    return true;
  }
  const bool guess = found->at != report.source().size();
  Diagnostic& d = report.fail(E0103, {found->at, found->at + (guess ? 1u : 0u)},
                              guess ? "a '}' is missing in front of this line, judged by the indentation"
                                    : "a '}' is missing at the end of the file");
  report.note(d, fmt::format("this '{{' of line {} is not closed", report.locate(found->partner).line),
              partner);
  return true;
}

using SyntaxNode = isa::SyntaxNode;
bool names_results(const SyntaxNode& node) {
  return node.kind == SyntaxNode::Kind::type_result || std::ranges::any_of(node.children, names_results);
}

}  // namespace

bool types_behind(const isa::Schema& schema) { return std::ranges::any_of(schema.tail, names_results); }

void Regions::make_module() {
  Program& program = p_.program;
  for (Region& region : program.regions) {
    ++region.begin;
    ++region.end;
  }
  for (Op& op : program.ops) ++op.regions;
  p_.calls.shift();
  p_.locations.shift();
  Op top;
  top.row = isa::id_of(isa::OpcodeClass::module);
  top.n_regions = 1;
  program.ops.insert(program.ops.begin(), top);
  program.regions.insert(program.regions.begin(), Region{1, 1, 0, 0});
  frames_.push_back({0, 0, 1, p_.names.mark(), {}, false, true});
}

OpenRegion& Regions::open(uint32_t op, unsigned i, const std::vector<Draft::Result>& args,
                          const std::vector<Node>& names) {
  frames_.push_back({op, static_cast<uint16_t>(i), p_.program.ops[op].n_regions, p_.names.mark(),
                     p_.reader.statement().name, !args.empty()});
  p_.emitter.begin_region(op, i, args, names);
  define(names, p_.program.regions[p_.program.ops[op].regions + i].first_arg);
  opened_ = op;
  return frames_.back();
}

/// The names of values that were made one behind the other.
void Regions::define(const std::vector<Node>& names, ValueId first) {
  for (const Node& name : names) p_.names.define(p_.reader.text(name).substr(1), first++, span_of(name));
}

void Regions::finish() {
  while (!frames_.empty() && frames_.back().made) {
    p_.emitter.end_region(0, 0);
    frames_.pop_back();
  }
  if (frames_.empty() || report_unbalanced(p_.report)) return;
  for (; !frames_.empty(); frames_.pop_back()) {
    const OpenRegion& frame = frames_.back();
    if (frame.op == ~0u || frame.made) continue;  // of a statement that has been refused
    const auto end = static_cast<uint32_t>(p_.report.source().size());
    Diagnostic& d = p_.report.fail(
        E0103, {end, end},
        fmt::format("the region of '{}' is not closed: '}}' is missing", p_.report.text(frame.name)));
    p_.report.note(d, "it was opened here", frame.name);
    return;
  }
}

// ---- labels ----

/// `^bb0(%a: T, ..):` names the arguments of the region it begins; further labels begin blocks.
void Regions::label() {
  if (outermost()) {
    p_.report.fail(E0101, p_.reader.statement().name, "a label is allowed only in a region");
    return;
  }
  OpenRegion& frame = frames_.back();
  const uint32_t begun = p_.program.ops[frame.op].regions + frame.region;
  if (frame.labelled || p_.program.regions[begun].begin != p_.program.ops.size()) return add_block(frame);
  frame.labelled = true;
  Cursor cursor = p_.reader.items();
  std::vector<Draft::Result> types;
  std::vector<Node> names;
  if (!block_arguments(cursor, types, names)) return;
  Region& region = p_.program.regions[begun];
  p_.emitter.region_arguments(region, types, names);
  define(names, region.first_arg);
  if (p_.reader.expect(cursor, NodeKind::colon, "':' after the label")) p_.reader.expect_end(cursor);
}

/// A label within a region: `^bb1(%a: T, ..): [loc(..)]`. A block that does not begin a region is an
/// operation whose results are the block's arguments: so the stream stays flat, and branches name their
/// blocks by label.
void Regions::add_block(OpenRegion& frame) {
  frame.labelled = true;
  p_.locations.strip();
  Cursor cursor = p_.reader.items();
  std::vector<Draft::Result> arguments;
  std::vector<Node> names;
  if (!block_arguments(cursor, arguments, names) ||
      !p_.reader.expect(cursor, NodeKind::colon, "':' after the label") || !p_.reader.expect_end(cursor))
    return;
  p_.draft.reset(isa::schema(isa::id_of(isa::OpcodeClass::block)));
  p_.draft.results = arguments;
  p_.draft.set("name", AttrValue::Kind::string, p_.reader.op_name().substr(1));
  std::vector<StrId> kept;
  for (const Node& node : names) kept.push_back(p_.names.kept(p_.reader.text(node).substr(1)));
  const uint32_t op = p_.emitter.emit_named(kept, 0);
  if (!p_.report.failed()) define(names, p_.program.ops[op].first_result);
}

/// `(%a: T, %b: T)`, if there is one.
bool Regions::block_arguments(Cursor& cursor, std::vector<Draft::Result>& types, std::vector<Node>& names) {
  if (!cursor.is(NodeKind::paren)) return true;
  Reader& reader = p_.reader;
  for (Cursor args = cursor.into(cursor.take_token()); !args.done();) {
    if (!args.is(NodeKind::operand)) return reader.expect(args, NodeKind::operand, "a block argument");
    names.push_back(args.take_token());
    if (!reader.expect(args, NodeKind::colon, "':' and a type")) return false;
    if (args.done() || !is_type_node(args.peek())) return reader.expect(args, NodeKind::type, "a type");
    const Node& node = args.take_token();
    types.push_back({p_.types.read(node), span_of(node)});
    if (reader.accept_word(args, "loc")) args.accept(NodeKind::paren);
    if (!args.accept(NodeKind::comma) && !args.done()) return reader.expect(args, NodeKind::comma, "','");
  }
  return !p_.report.failed();
}

// ---- braces ----

/// They take one frame, however deep they nest.
void Regions::skip(Span name, uint32_t levels, bool generic) {
  if (!skipping() || frames_.back().generic != generic) {
    frames_.push_back({~0u, 0, 0, p_.names.mark(), name, false});
    frames_.back().generic = generic;
    --levels;
  }
  frames_.back().skipped += levels;
}

void Regions::enter() {
  const Statement& statement = p_.reader.statement();
  if (!statement.region) {
    if (opened_) {
      p_.report.fail(E0120, statement.name,
                     fmt::format("{}: a region in braces is missing", p_.reader.op_name()));
      p_.emitter.end_region(*opened_, 0);
      p_.names.leave(frames_.back().scope);
      p_.names.arrive(p_.program.ops[*opened_].first_result);
      frames_.pop_back();
    }
  } else {
    p_.reader.stream().enter();
    if (!opened_ && (skipping() || statement.quoted || !enter_refused()))
      skip(statement.name, 1, statement.quoted);
  }
  opened_.reset();
}

/// A refused structure is entered nevertheless, so that its body is checked too; the names it would define
/// are poison.
bool Regions::enter_refused() {
  const isa::Row* row = p_.vocabulary.row_of(p_.reader.op_name());
  if (row == nullptr || row->regions.most == 0 || row->syntax == "@none" || frames_.empty()) return false;
  const unsigned regions = isa::usual_regions(*row);
  const uint32_t op = p_.emitter.placeholder(isa::schema(isa::id_of(*row)), regions);
  frames_.push_back(
      {op, 0, static_cast<uint16_t>(regions), p_.names.mark(), p_.reader.statement().name, false});
  frames_.back().refused = true;
  p_.emitter.begin_region(op, 0);
  for (const Node& node : p_.reader.nodes()) {
    const std::string_view text = p_.reader.text(node);
    if (node.kind == NodeKind::operand) p_.names.poison(text.substr(1, text.find('#') - 1), node.begin);
  }
  return true;
}

void Regions::close() {
  if (outermost()) {
    p_.report.fail_silently();
    const uint32_t at = p_.reader.statement().span.begin;
    if (!report_unbalanced(p_.report)) p_.report.fail(E0103, {at, at + 1}, "this '}' closes nothing");
    p_.reader.stream().finish();  // what follows is in no region that is known
    return;
  }
  OpenRegion frame;
  if (frames_.back().skipped > 0) {
    --frames_.back().skipped;
    frame = frames_.back();
    frame.skipped = 0;
  } else {
    frame = std::move(frames_.back());
    frames_.pop_back();
  }
  p_.names.leave(frame.scope);
  if (frame.op != ~0u) p_.emitter.end_region(frame.op, frame.region);
  if (frame.generic) return close_list(std::move(frame));
  p_.reader.resume(frame.name);
  const bool error = p_.reader.statement().kind == StatementKind::error;
  if (!error && p_.reader.statement().region) return next(std::move(frame));
  end_operation(frame);
  if (!error && frame.op != ~0u && !frame.refused) finish_operation(frame);
}

/// Its results have their values.
void Regions::end_operation(const OpenRegion& frame) {
  if (frame.op != ~0u) p_.names.arrive(p_.program.ops[frame.op].first_result);
}

/// Behind the '}' of a region in a list: the next one, or what follows the list.
void Regions::close_list(OpenRegion frame) {
  StatementReader& stream = p_.reader.stream();
  const StatementReader::RegionList list = stream.next_in_list();
  if (list == StatementReader::RegionList::another) return next(std::move(frame));
  end_operation(frame);
  if (list == StatementReader::RegionList::broken) {
    const uint32_t at = stream.offset();
    Diagnostic& d = p_.report.fail(
        E0101, {at, at},
        fmt::format("{}: expected ',' and a region, or ')' after the regions", p_.report.text(frame.name)));
    p_.report.note(d, "of this operation", frame.name);
    return;
  }
  p_.reader.resume(frame.name);
  if (p_.reader.statement().kind == StatementKind::error || frame.op == ~0u) return;
  p_.generic.finish(frame);
  fill(frame);
}

void Regions::next(OpenRegion frame) {
  p_.reader.stream().enter();
  if (frame.op != ~0u && frame.region + 1 >= frame.n_regions) {
    p_.report.fail(E0120, frame.name,
                   fmt::format("{} takes {} region{}", p_.report.text(frame.name), frame.n_regions,
                               frame.n_regions == 1 ? "" : "s"));
    frame.op = ~0u;
  }
  ++frame.region;
  frame.labelled = false;
  if (frame.op != ~0u) p_.emitter.begin_region(frame.op, frame.region);
  frame.scope = p_.names.mark();
  frames_.push_back(std::move(frame));
}

/// Regions that the text does not write are empty.
void Regions::fill(const OpenRegion& frame) {
  for (unsigned i = frame.region + 1u; i < frame.n_regions; ++i) {
    p_.emitter.begin_region(frame.op, i);
    p_.emitter.end_region(frame.op, i);
  }
}

/// The values were made in front of the region, for those that follow it.
void Regions::result_types(const OpenRegion& frame, const std::vector<Draft::Result>& written) {
  const Op& op = p_.program.ops[frame.op];
  if (written.size() != op.n_results)
    p_.report.fail(
        E0119, frame.name,
        fmt::format("{} has {} result{}, but {} {} named", p_.report.text(frame.name), written.size(),
                    written.size() == 1 ? "" : "s", op.n_results, op.n_results == 1 ? "is" : "are"));
  for (size_t i = 0; i < written.size() && i < op.n_results; ++i)
    p_.program.values[op.first_result + i].type = written[i].type;
}

/// What follows the last region: a dictionary, types of captures, a location.
void Regions::finish_operation(const OpenRegion& frame) {
  fill(frame);
  p_.locations.strip();
  if (p_.locations.written()) p_.program.ops[frame.op].where = *p_.locations.written();
  p_.locations.belongs_to(frame.op);
  Cursor cursor = p_.reader.items();
  p_.draft.reset(isa::schema(p_.program.ops[frame.op].row));
  if (cursor.is(NodeKind::dict)) {
    p_.attributes.dictionary(cursor.take_token());
    p_.emitter.append_attrs(frame.op);
  }
  const bool results = types_behind(*p_.draft.schema);
  if (!cursor.is(NodeKind::colon) && results) result_types(frame, {});
  if (cursor.accept(NodeKind::colon)) {
    std::vector<Draft::Result> written;
    if (!p_.types.list(cursor, written)) return;
    if (results) {
      result_types(frame, written);
      p_.reader.expect_end(cursor);
      return;
    }
    const std::span<const ValueId> captures = OpView(p_.program, frame.op).operands(0);
    for (size_t i = 0; i < std::min(written.size(), captures.size()); ++i)
      p_.types.check(captures[i], written[i].span, written[i].type, written[i].span);
    if (written.size() != captures.size())
      p_.report.fail(E0116, frame.name,
                     fmt::format("{} operands but {} types", captures.size(), written.size()));
    if (cursor.accept(NodeKind::arrow) && !cursor.done()) cursor.take_token();
  }
  p_.reader.expect_end(cursor);
}

}  // namespace pto::text
