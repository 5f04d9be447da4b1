// Forms of earlier releases and of public pages that have one meaning. They are tried only where a statement
// fits no form of today, so a text in today's language pays nothing for them; each is named once per text by
// W0111.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

#include "asm/parse/text/reporter.hpp"

namespace pto::text {

class OldForms {
 public:
  explicit OldForms(Reporter& report) : report_(report) {}

  /// Whether they are read: the statement at hand fits no form of today.
  [[nodiscard]] bool allowed() const { return allowed_; }
  void allow(bool on) { allowed_ = on; }
  /// One is used: `message` has the old form, `now` the current one.
  void warn(Span where, std::string message, Fix now);

  /// Whether an omitted operand of an old form is 0; false for operands that are never omitted.
  [[nodiscard]] static bool is_zero_when_left_out(std::string_view operand);

 private:
  Reporter& report_;
  bool allowed_ = false;
  std::unordered_set<std::string> said_;
};

/// Whether `written` is an old spelling of `keyword`: in other letters or without underscores (EQ of eq,
/// AtomicAdd of atomic_add), or ONEPT_B32 of 1PT_B32.
bool is_same_keyword(std::string_view keyword, std::string_view written);

}  // namespace pto::text
