// The words of fixes: the one place that makes them.
#include "pto/fix.hpp"

#include <fmt/format.h>

namespace pto {

namespace {

/// "a, b or c"
std::string alternatives_text(const std::vector<std::string>& alternatives) {
  std::string text;
  for (size_t i = 0; i < alternatives.size(); ++i) {
    if (i != 0) text += i + 1 == alternatives.size() ? " or " : ", ";
    text += alternatives[i];
  }
  return text;
}

std::string change_text(const StatementChange& change) {
  using Kind = StatementChange::Kind;
  switch (change.kind) {
    case Kind::write:
      return fmt::format("write {} {}", change.text, to_string(change.place));
    case Kind::remove:
      return fmt::format("remove {} {}", change.text, to_string(change.place));
    case Kind::move:
      return fmt::format("move {} from {} {}", change.text, change.former, to_string(change.place));
    case Kind::exchange:
      return fmt::format("write {} in place of {} {}", change.text, change.former, to_string(change.place));
    case Kind::add:
      break;
  }
  return fmt::format("add {} {}", change.text, to_string(change.place));
}

struct Words {
  std::string operator()(const std::string& words) const { return words; }
  std::string operator()(const Substitute& action) const {
    return action.lead + alternatives_text(action.alternatives) + action.rest;
  }
  std::string operator()(const RemoveMarked& action) const { return action.words; }
  std::string operator()(const WriteBeforeMarked& action) const {
    return fmt::format("write {} in front of this brace{}", action.text, action.rest);
  }
  std::string operator()(const EncloseLines& action) const {
    return action.first == action.last
               ? fmt::format("write {} {{ .. }} around line {}", action.opening, action.first)
               : fmt::format("write {} {{ in front of line {} and }} behind line {}", action.opening,
                             action.first, action.last);
  }
  std::string operator()(const ChangeStatements& action) const {
    std::string text;
    for (const StatementChange& change : action.changes) {
      if (text.empty())
        text = change_text(change);
      else if (action.join == ChangeStatements::Join::one_verb)
        text += fmt::format(" and {} {}", change.text, to_string(change.place));
      else
        text += (action.join == ChangeStatements::Join::list ? ", " : " and ") + change_text(change);
    }
    return action.lead + text + action.rest;
  }
};

}  // namespace

std::string to_string(const TextPlace& place) {
  constexpr std::string_view kSides[] = {"at", "before", "after"};
  return fmt::format("{} {}", kSides[static_cast<size_t>(place.side)], place.name);
}

std::string to_string(const Fix& fix) { return std::visit(Words{}, fix.action()); }

}  // namespace pto
