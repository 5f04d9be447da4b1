// `loc(..)` behind operations: a written position wins over the position in the text.
#include "asm/binder.hpp"

namespace pto::text {

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
  if (args.kind != NodeKind::paren || statement_.nodes[before].kind != NodeKind::word ||
      text(statement_.nodes[before]) != "loc")
    return;
  items_end_ = before;
  read_location({statement_.nodes, last + 1, args.next}, args);
}

/// `"file":line:col`, `unknown`, or `#loc3`, which may be defined at the end of the file.
void Binder::read_location(Cursor cursor, const Node& args) {
  if (cursor.is(NodeKind::attr)) location_alias_ = text(cursor.peek());
  if (accept_word(cursor, "unknown")) written_location_ = Location{};
  const Node* file = cursor.is(NodeKind::string) ? &cursor.peek() : nullptr;
  if (!cursor.accept(NodeKind::string) || !cursor.accept(NodeKind::colon) || !cursor.is(NodeKind::number))
    return;
  const AttrValue line =
      attribute({statement_.nodes, cursor.index(), cursor.index() + 1}, nullptr, span(args));
  cursor.take();
  if (!cursor.accept(NodeKind::colon) || !cursor.is(NodeKind::number)) return;
  const AttrValue col =
      attribute({statement_.nodes, cursor.index(), cursor.index() + 1}, nullptr, span(args));
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
    if (const auto found = locations_.find(alias); found != locations_.end())
      program_.ops[op].where = found->second;
  }
}

}  // namespace pto::text
