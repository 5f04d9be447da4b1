// Regions: labels, braces, and what follows the last region of an operation.
#include <fmt/format.h>

#include <algorithm>

#include "asm/binder.hpp"

namespace pto::text {

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
  for (size_t i = 0; i < types.size(); ++i)
    builder_.new_value(types[i].type, name_id(text(names[i]).substr(1)));
  for (uint32_t i = 0; i < names.size(); ++i)
    define(text(names[i]).substr(1), region.first_arg + i, span(names[i]));
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
    if (!opened_ && (skipping() || statement_.quoted || !enter_refused()))
      skip_region(statement_.name, 1, statement_.quoted);
  }
  opened_.reset();
}

/// A refused structure is entered nevertheless, so that its body is checked too; the names it would define
/// are poison.
bool Binder::enter_refused() {
  const isa::Row* row = resolve(op_name());
  if (row == nullptr || row->regions.most == 0 || row->syntax == "@none" || frames_.empty()) return false;
  const isa::Schema& schema = isa::schema(isa::id_of(*row));
  std::vector<ValueId> words;
  for (const isa::OperandSpec& spec : schema.operands)
    words.push_back(spec.arity == isa::Arity::variadic ? 0 : kNoValue);
  const unsigned regions = isa::usual_regions(*row);
  const uint32_t op = builder_.begin_op(schema.id, where(), words, {}, {}, {}, regions);
  frames_.push_back({op, 0, static_cast<uint16_t>(regions), scope_.mark(), statement_.name, false});
  frames_.back().refused = true;
  builder_.begin_region(op, 0, {}, {});
  for (const Node& node : statement_.nodes) {
    if (node.kind == NodeKind::operand) poison(text(node).substr(1, text(node).find('#') - 1), node.begin);
  }
  return true;
}

void Binder::close() {
  if (frames_.empty() || frames_.back().made) {
    failed_ = true;
    if (!unbalanced())
      fail("E0103", {statement_.span.begin, statement_.span.begin + 1}, "this '}' closes nothing");
    reader_.finish();  // what follows stands in no region that is known
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
    Diagnostic& d =
        fail("E0101", {at, at},
             fmt::format("{}: expected ',' and a region, or ')' after the regions", text(frame.name)));
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
    fail("E0120", frame.name,
         fmt::format("{} takes {} region{}", text(frame.name), frame.n_regions,
                     frame.n_regions == 1 ? "" : "s"));
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
    const std::string_view key =
        given.spec == kUnknownAttr ? program_.strings[given.name] : draft_.schema->attrs[given.spec].name;
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
  std::stable_sort(program_.attrs.begin() + first, program_.attrs.end(),
                   [](const Attr& a, const Attr& b) { return a.spec < b.spec; });
}

}  // namespace pto::text
