#include "asm/parse/forms/match_cache.hpp"

#include <algorithm>

namespace pto::text {

namespace {

constexpr uint32_t kMaxItems = 64;  ///< longer statements are not remembered

}  // namespace

/// A match looks at kinds, at brackets, and at the text of words; names, numbers and types are read when it
/// is committed.
bool MatchCache::is_match(const Shape& shape) const {
  const Statement& statement = p_.reader.statement();
  const Cursor items = p_.reader.items();
  if (shape.nodes.size() != items.limit() - items.index() || shape.region != statement.region) return false;
  const Node* now = statement.nodes.data() + items.index();
  const uint32_t moved = items.index() - shape.first_item;
  for (const Node& then : shape.nodes) {
    if (now->kind != then.kind || now->next != then.next + moved) return false;
    if ((now->kind == NodeKind::word || now->kind == NodeKind::angled) &&
        p_.reader.text(*now) != p_.reader.text(then))
      return false;
    ++now;
  }
  return true;
}

const isa::Schema* MatchCache::find(RowId first) {
  const Shape& shape = shapes_[first];
  if (shape.schema == nullptr || !is_match(shape)) return nullptr;
  p_.events = shape.events;
  const uint32_t moved = p_.reader.items().index() - shape.first_item;
  for (MatchEvent& event : p_.events) {
    event.node += moved;
    event.end += moved;
  }
  return shape.schema;
}

void MatchCache::insert(RowId first, const isa::Schema& schema) {
  const Cursor items = p_.reader.items();
  if (items.limit() - items.index() > kMaxItems) return;
  Shape& shape = shapes_[first];
  const auto begin = p_.reader.nodes().begin();
  shape.schema = &schema;
  shape.nodes.assign(begin + items.index(), begin + items.limit());
  shape.first_item = items.index();
  shape.region = p_.reader.statement().region;
  shape.events = p_.events;
}

}  // namespace pto::text
