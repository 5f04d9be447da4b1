// -W switches: which warnings are shown, and which count as errors.
#include <fmt/format.h>

#include <algorithm>

#include "pto/diagnostic.hpp"
#include "pto/rules.hpp"
#include "support/rule_kinds.hpp"

namespace pto {

namespace {

/// Takes a prefix off; whether it was there.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

Result<std::string_view> warning_named(std::string_view name) {
  const Rule* rule = find_rule(name);
  if (rule != nullptr && warns(rule->id)) return rule->id;
  if (rule != nullptr) return Error{fmt::format("'{}' is an error, only warnings can be switched", name)};
  const std::string near = nearest_rule(name, true);
  return Error{fmt::format("there is no warning '{}'{}", name, near.empty() ? "; --list-rules shows all" : fmt::format("; did you mean '{}'?", near))};
}

}  // namespace

WarningPolicy::Choice& WarningPolicy::choice(std::string_view id) {
  const auto found = std::find_if(choices_.begin(), choices_.end(), [&](const Choice& c) { return c.id == id; });
  return found != choices_.end() ? *found : choices_.emplace_back(Choice{id, true, std::nullopt});
}

Result<bool> WarningPolicy::apply(std::string_view text) {
  const bool off = take(text, "no-");
  if (text == "error") {
    errors_ = !off;
    return true;
  }
  const bool error = take(text, "error=");
  const auto id = warning_named(text);
  if (!id) return id.error();
  Choice& chosen = choice(*id);
  if (error) {
    chosen.error = !off;
    chosen.on = chosen.on || !off;
  } else {
    chosen.on = !off;
  }
  return true;
}

WarningPolicy::Verdict WarningPolicy::verdict(std::string_view id) const {
  if (silent_) return Verdict::drop;
  const auto found = std::find_if(choices_.begin(), choices_.end(), [&](const Choice& c) { return c.id == id; });
  if (found == choices_.end()) return errors_ ? Verdict::fail : Verdict::warn;
  if (!found->on) return Verdict::drop;
  return found->error.value_or(errors_) ? Verdict::fail : Verdict::warn;
}

}  // namespace pto
