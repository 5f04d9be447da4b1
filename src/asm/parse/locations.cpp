#include "asm/parse/locations.hpp"

#include <algorithm>
#include <tuple>

namespace pto::text {
namespace {

constexpr unsigned kMaxDepth = 64;  ///< aliases of aliases

std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

}  // namespace

void Locations::strip() {
  written_.reset();
  stripped_ = {};
  const std::vector<Node>& nodes = reader_.nodes();
  const Cursor items = reader_.items();
  if (items.limit() < items.index() + 2) return;
  const Node& innermost = nodes[items.limit() - 1];
  if (innermost.kind != NodeKind::paren && !reader_.closes_behind(innermost)) return;
  uint32_t last = items.index();
  uint32_t before = last;
  for (uint32_t i = last; i < items.limit(); i = nodes[i].next) {
    before = last;
    last = i;
  }
  if (nodes[last].kind != NodeKind::paren || nodes[before].kind != NodeKind::word ||
      reader_.text(nodes[before]) != "loc")
    return;
  reader_.cut(before);
  stripped_ = read(nodes[last]);
  if (!printed_) return;
  if (stripped_.count == 0) {  // loc(unknown)
    written_ = Location{};
  } else if (is_position(parts_[stripped_.first])) {
    written_ = parts_[stripped_.first].at;
    if (--stripped_.count == 0) parts_.resize(stripped_.first);
    ++stripped_.first;
  }
}

void Locations::define(std::string_view name, const Node& args) {
  const Range range = read(args);
  if (name == "#source" && program_.ops.empty() && range.count == 1 && parts_[range.first].at == Location{} &&
      parts_[range.first].alias.empty()) {
    printed_ = true;
    source_file_ = parts_[range.first].file;
    program_.source_name = unescaped(source_file_);
  } else {
    aliases_.emplace(name, Alias{range});
  }
}

/// Everything that names a place, however it is wrapped: names, fused and call site locations.
Locations::Range Locations::read(const Node& args) {
  Range range{static_cast<uint32_t>(parts_.size()), 0};
  const std::vector<Node>& nodes = reader_.nodes();
  const auto first = static_cast<uint32_t>(&args - nodes.data()) + 1;
  const auto is = [&](uint32_t i, NodeKind kind) { return i < args.next && nodes[i].kind == kind; };
  const auto number = [&](uint32_t i) {
    return static_cast<uint32_t>(attributes_.value({nodes, i, i + 1}, nullptr, span_of(args)).integer);
  };
  for (uint32_t i = first; i < args.next; ++i) {
    if (is(i, NodeKind::attr)) {
      parts_.push_back({{}, reader_.text(nodes[i]), {}});
    } else if (is(i, NodeKind::string) && is(i + 1, NodeKind::colon) && is(i + 2, NodeKind::number) &&
               is(i + 3, NodeKind::colon) && is(i + 4, NodeKind::number)) {
      const std::string_view file = reader_.text(nodes[i]);
      parts_.push_back({file.substr(1, file.size() - 2), {}, {number(i + 2), number(i + 4)}});
    }
  }
  range.count = static_cast<uint32_t>(parts_.size()) - range.first;
  return range;
}

bool Locations::is_position(const Part& part) const {
  return part.alias.empty() && part.file == source_file_;
}

/// The first place; a call site's is that of the innermost call.
auto Locations::origin_in(Range range, unsigned depth) -> const Part* {
  for (uint32_t i = range.first; i < range.first + range.count; ++i) {
    const Part& part = parts_[i];
    if (part.alias.empty()) {
      if (part.at.line != 0) return &part;
      continue;
    }
    const auto found = aliases_.find(part.alias);
    if (found == aliases_.end() || depth == kMaxDepth) continue;
    Alias& alias = found->second;
    if (!alias.followed) {
      alias.followed = true;
      alias.origin = origin_in(alias.range, depth + 1);
    }
    if (alias.origin != nullptr) return alias.origin;
  }
  return nullptr;
}

void Locations::belongs_to(uint32_t op) {
  if (stripped_.count != 0) operations_.emplace_back(op, stripped_);
}

void Locations::belongs_to(Span statement) {
  if (stripped_.count != 0) refused_.emplace_back(statement, stripped_);
}

void Locations::resolve() {
  std::string_view last;
  StrId file = 0;
  for (const auto& [op, range] : operations_) {
    const Part* origin = origin_in(range);
    const Location where = program_.ops[op].where;
    if (origin == nullptr || where.line == 0) continue;
    if (file == 0 || origin->file != last) file = program_.strings.intern(unescaped(origin->file));
    last = origin->file;
    program_.origins.push_back({where, file, origin->at});
  }
  const auto key = [](const Origin& origin) { return std::tuple(origin.where.line, origin.where.col); };
  std::ranges::stable_sort(program_.origins, {}, key);
  const auto same = [&](const Origin& a, const Origin& b) { return key(a) == key(b); };
  program_.origins.erase(std::unique(program_.origins.begin(), program_.origins.end(), same),
                         program_.origins.end());
}

void Locations::resolve(Diagnostics& diagnostics) {
  if (refused_.empty()) return;
  for (Diagnostic& d : diagnostics.all()) {
    const auto behind = std::ranges::upper_bound(refused_, d.span.begin, {},
                                                 [](const auto& refused) { return refused.first.begin; });
    if (behind == refused_.begin() || d.span.begin >= (behind - 1)->first.end) continue;
    if (const Part* origin = origin_in((behind - 1)->second))
      d.origin = SourcePlace{unescaped(origin->file), origin->at};
  }
}

void Locations::shift() {
  for (auto& [op, range] : operations_) ++op;
}

}  // namespace pto::text
