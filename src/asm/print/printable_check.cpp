// The generic form takes operands and attributes in any combination. This check refuses operations
// that the operation's own syntax cannot show completely, because they cannot be printed.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "asm/parse/binder_context.hpp"

namespace pto::text {

namespace {

using SyntaxKind = isa::SyntaxNode::Kind;
using Nodes = std::vector<isa::SyntaxNode>;

/// An operand or attribute of the row.
struct RowPart {
  bool operand;
  uint16_t index;
  bool operator==(const RowPart&) const = default;
};

class Shown {
 public:
  explicit Shown(const Draft& draft) : draft_(draft), schema_(*draft.schema) {}

  /// What is wrong; empty when everything given is shown.
  std::string problem() {
    walk(schema_.syntax);
    for (uint16_t i = 0; i < schema_.operands.size() && problem_.empty(); ++i) hidden({true, i});
    for (uint16_t i = 0; i < schema_.attrs.size() && problem_.empty(); ++i) hidden({false, i});
    return std::move(problem_);
  }
  /// The operand it is about; nullopt: the operation.
  [[nodiscard]] std::optional<uint16_t> slot() const { return slot_; }

 private:
  [[nodiscard]] const Attr* attr(uint16_t index) const {
    const auto found = std::ranges::find(draft_.attrs, index, &Attr::spec);
    return found == draft_.attrs.end() ? nullptr : &*found;
  }
  [[nodiscard]] bool given(RowPart part) const {
    return part.operand ? !draft_.slots[part.index].empty() : attr(part.index) != nullptr;
  }
  [[nodiscard]] std::string_view name(RowPart part) const {
    return part.operand ? schema_.operands[part.index].name : schema_.attrs[part.index].name;
  }
  [[nodiscard]] bool wants(const isa::SyntaxNode& node) const {
    return node.kind == SyntaxKind::attr || node.kind == SyntaxKind::is ||
           (node.kind == SyntaxKind::operand && schema_.operands[node.index].arity != isa::Arity::variadic);
  }
  [[nodiscard]] std::optional<RowPart> part_of(const isa::SyntaxNode& node) const {
    if (node.kind == SyntaxKind::operand) return RowPart{true, node.index};
    if (node.kind == SyntaxKind::attr || node.kind == SyntaxKind::is) return RowPart{false, node.index};
    if (node.kind == SyntaxKind::mixed) return RowPart{false, schema_.mixed[node.index].attr};
    return std::nullopt;
  }
  [[nodiscard]] bool satisfied(const isa::SyntaxNode& node) const {
    const RowPart part = *part_of(node);
    return given(part) && (node.kind != SyntaxKind::is || attr(node.index)->value.integer == node.value);
  }
  [[nodiscard]] bool whole(const Nodes& nodes) const {
    return std::ranges::all_of(nodes, [&](const isa::SyntaxNode& node) {
      if (node.kind == SyntaxKind::group) return whole(node.children);
      if (node.kind == SyntaxKind::choice)
        return std::ranges::any_of(node.children, [&](const auto& one) { return whole(one.children); });
      return !wants(node) || satisfied(node);
    });
  }
  /// The alternative that would be written; nullptr when each lacks something.
  [[nodiscard]] const isa::SyntaxNode* written(const isa::SyntaxNode& choice) const {
    const auto one = std::ranges::find_if(choice.children, [&](const auto& c) { return whole(c.children); });
    return one == choice.children.end() ? nullptr : &*one;
  }
  /// The first part that the nodes speak of.
  [[nodiscard]] std::optional<RowPart> first(const Nodes& nodes) const {
    for (const isa::SyntaxNode& node : nodes) {
      if (const std::optional<RowPart> part = part_of(node)) return part;
      if (node.kind == SyntaxKind::accepted) continue;
      const isa::SyntaxNode* one = node.kind == SyntaxKind::choice ? written(node) : &node;
      if (const std::optional<RowPart> inner = first((one == nullptr ? node : *one).children)) return inner;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool mentions(const Nodes& nodes, RowPart part) const {
    return std::ranges::any_of(nodes, [&](const isa::SyntaxNode& node) {
      return part_of(node) == part || (node.kind != SyntaxKind::accepted && mentions(node.children, part));
    });
  }

  void walk(const Nodes& nodes) {
    for (const isa::SyntaxNode& node : nodes) {
      if (const std::optional<RowPart> part = part_of(node)) shown_.push_back(*part);
      if (node.kind == SyntaxKind::mixed) shown_.push_back({true, schema_.mixed[node.index].slot});
      if (node.kind == SyntaxKind::optional)
        optional(node);
      else if (node.kind == SyntaxKind::choice)
        choice(node);
      else if (node.kind == SyntaxKind::clauses)
        clauses(node);
      else if (node.kind == SyntaxKind::group || node.kind == SyntaxKind::repeat)
        walk(node.children);
    }
  }
  void optional(const isa::SyntaxNode& node) {
    const std::optional<RowPart> head = first(node.children);
    if (!head || !given(*head)) return;
    const isa::SyntaxNode* missing = missing_in(node.children);
    if (missing != nullptr) return without(*head, *missing);
    walk(node.children);
  }
  void choice(const isa::SyntaxNode& node) {
    if (const isa::SyntaxNode* one = written(node)) return walk(one->children);
    std::string names;
    for (const isa::SyntaxNode& one : node.children) {
      const std::optional<RowPart> head = first(one.children);
      if (head && given(*head)) return;  // said where the part is found to be hidden
      if (head) names += fmt::format("{}'{}'", names.empty() ? "" : " and ", name(*head));
    }
    say(fmt::format("one of {} is needed", names));
  }
  void clauses(const isa::SyntaxNode& node) {
    for (const isa::SyntaxNode& one : node.children) {
      const std::optional<RowPart> head = first(one.children);
      if (head && given(*head) && whole(one.children)) walk(one.children);
    }
  }

  /// What the nodes cannot do without and is not given.
  [[nodiscard]] const isa::SyntaxNode* missing_in(const Nodes& nodes) const {
    for (const isa::SyntaxNode& node : nodes) {
      if (wants(node) && !satisfied(node)) return &node;
      const isa::SyntaxNode* inner = node.kind == SyntaxKind::group ? missing_in(node.children) : nullptr;
      if (inner != nullptr) return inner;
    }
    return nullptr;
  }
  /// What keeps `part` from being shown by these nodes.
  [[nodiscard]] const isa::SyntaxNode* obstacle(const Nodes& nodes, RowPart part) const {
    for (const isa::SyntaxNode& node : nodes) {
      if (node.children.empty() || !mentions(node.children, part)) continue;
      const isa::SyntaxNode* missing = missing_in(node.children);
      if (missing == nullptr) missing = obstacle(node.children, part);
      if (missing != nullptr) return missing;
    }
    return missing_in(nodes);
  }
  void hidden(RowPart part) {
    if (!given(part) || std::ranges::find(shown_, part) != shown_.end() || !mentions(schema_.syntax, part))
      return;
    const isa::SyntaxNode* missing = obstacle(schema_.syntax, part);
    if (missing != nullptr) return without(part, *missing);
    say(fmt::format("'{}' is given by another operand", name(part)), part);
  }
  void without(RowPart part, const isa::SyntaxNode& missing) {
    const RowPart other = *part_of(missing);
    const isa::AttrSpec* spec = other.operand ? nullptr : &schema_.attrs[other.index];
    if (missing.kind == SyntaxKind::is && spec != nullptr)
      return say(fmt::format("'{}' goes with {} = {}", name(part), spec->name,
                             isa::case_name(*spec->domain, missing.value)),
                 part);
    say(fmt::format("'{}' without '{}'", name(part), name(other)), part);
  }
  void say(std::string what, std::optional<RowPart> part = std::nullopt) {
    if (!problem_.empty()) return;
    problem_ = std::move(what);
    if (part && part->operand) slot_ = part->index;
  }

  const Draft& draft_;
  const isa::Schema& schema_;
  std::vector<RowPart> shown_;
  std::string problem_;
  std::optional<uint16_t> slot_;
};

}  // namespace

void GenericForm::check_shown() {
  Shown shown(p_.draft);
  const std::string problem = shown.problem();
  if (problem.empty()) return;
  const Span where = shown.slot() ? p_.draft.slots[*shown.slot()].front().span : p_.reader.statement().name;
  p_.report.fail(E0116, where, fmt::format("{}: {}", p_.reader.op_name(), problem));
}

}  // namespace pto::text
