#include "asm/locations.hpp"

namespace pto::text {

void Locations::strip() {
  written_.reset();
  alias_ = {};
  const std::vector<Node>& nodes = reader_.nodes();
  const Cursor items = reader_.items();
  if (items.limit() < items.index() + 2) return;
  const Node& innermost = nodes[items.limit() - 1];
  if (innermost.kind != NodeKind::paren && !reader_.closes_behind(innermost)) return;
  uint32_t last = items.index(), before = last;
  for (uint32_t i = last; i < items.limit(); i = nodes[i].next) {
    before = last;
    last = i;
  }
  if (nodes[last].kind != NodeKind::paren || nodes[before].kind != NodeKind::word ||
      reader_.text(nodes[before]) != "loc")
    return;
  reader_.cut(before);
  read(nodes[last]);
}

void Locations::define(std::string_view name, const Node& args) {
  written_.reset();
  read(args);
  if (written_) aliases_.emplace(name, *written_);
}

/// `"file":line:col`, `unknown`, or `#loc3`.
void Locations::read(const Node& args) {
  Cursor cursor = reader_.items().into(args);
  if (cursor.is(NodeKind::attr)) alias_ = reader_.text(cursor.peek());
  if (reader_.accept_word(cursor, "unknown")) written_ = Location{};
  const Node* file = cursor.is(NodeKind::string) ? &cursor.peek() : nullptr;
  const auto number = [&] {
    const AttrValue value =
        attributes_.value({reader_.nodes(), cursor.index(), cursor.index() + 1}, nullptr, span_of(args));
    return static_cast<uint32_t>(value.integer);
  };
  if (!cursor.accept(NodeKind::string) || !cursor.accept(NodeKind::colon) || !cursor.is(NodeKind::number))
    return;
  const uint32_t line = number();
  cursor.take();
  if (!cursor.accept(NodeKind::colon) || !cursor.is(NodeKind::number)) return;
  written_ = Location{line, number()};
  if (source_named_) return;
  // A disassembled program keeps the name of the file it once came from.
  source_named_ = true;
  program_.source_name.clear();
  std::string_view name = reader_.text(*file);
  name = name.substr(1, name.size() - 2);
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\\' && i + 1 < name.size()) ++i;
    program_.source_name += name[i];
  }
}

void Locations::belongs_to(uint32_t op) {
  if (!alias_.empty()) unresolved_.emplace_back(op, alias_);
}

void Locations::resolve() {
  for (const auto& [op, alias] : unresolved_) {
    if (const auto found = aliases_.find(alias); found != aliases_.end())
      program_.ops[op].where = found->second;
  }
}

void Locations::shift() {
  for (auto& [op, alias] : unresolved_) ++op;
}

}  // namespace pto::text
