// -W switches: which warnings are shown, and which count as errors.
#include <fmt/format.h>

#include <vector>

#include "pto/rules.hpp"

namespace pto {

namespace {

/// Takes a prefix off; whether it was there.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// The warnings that one switch is about.
std::vector<FindingId> named_with(FindingId id) {
  if (id == FindingId::flag_double) return findings_with(kDoubleSet);
  return {id};
}

Result<FindingId> warning_named(std::string_view name) {
  const Rule* rule = find_rule(name);
  if (rule != nullptr && rule->weighs() != Weight::error) return rule->id;
  if (rule != nullptr) return Error{fmt::format("'{}' is an error, only warnings can be switched", name)};
  const std::string near = nearest_rule(name, true);
  return Error{
      fmt::format("there is no warning '{}'{}", name,
                  near.empty() ? "; --list-rules shows all" : fmt::format("; did you mean '{}'?", near))};
}

}  // namespace

Result<bool> apply_switch(WarningPolicy& policy, std::string_view text) {
  const bool off = take(text, "no-");
  if (text == "error") {
    policy.all_fail(!off);
    return true;
  }
  const bool error = take(text, "error=");
  const auto id = warning_named(text);
  if (!id) return id.error();
  for (const FindingId each : named_with(*id)) {
    if (error) {
      policy.fail(each, !off);
    } else {
      policy.show(each, !off);
    }
  }
  return true;
}

std::string switch_name(const Rule& rule) {
  return slug(has_trait(rule.id, kDoubleSet) ? *find_rule(FindingId::flag_double) : rule);
}

}  // namespace pto
