// The collection of diagnostics.
#include <algorithm>
#include <functional>
#include <tuple>

#include "pto/diagnostic.hpp"
#include "support/printable.hpp"

namespace pto {

namespace {

Diagnostic make(Severity severity, FindingId id, std::string message) {
  Diagnostic diagnostic;
  diagnostic.id = id;
  diagnostic.severity = severity;
  diagnostic.message = std::move(message);
  return diagnostic;
}

/// Of what makes two diagnostics the same to a reader.
size_t hash_of(const Diagnostic& d) {
  size_t hash = std::hash<std::string>()(full_message(d));
  for (const uint32_t part :
       {d.span.begin, d.span.end, d.where.line, d.where.col, d.anchor.op, d.anchor.index,
        static_cast<uint32_t>(d.anchor.part), static_cast<uint32_t>(d.severity)})
    hash = hash * 0x9e37'79b9'7f4a'7c15u + part;
  return hash ^ std::hash<FindingId>()(d.id);
}

}  // namespace

std::string full_message(const Diagnostic& diagnostic) {
  if (!diagnostic.effect) return diagnostic.message;
  const OutputEffect& effect = *diagnostic.effect;
  const std::string output = effect.output.empty() ? "an output" : "output '" + effect.output + "'";
  return diagnostic.message + "; " + output + " depends on their values" +
         (effect.compared ? ", where the case expects something" : "");
}

bool Diagnostics::seen_before(const Diagnostic& diagnostic) {
  return !seen_.insert(hash_of(diagnostic)).second;
}

Diagnostic& Diagnostics::keep_aside(Diagnostic diagnostic) {
  hidden_supported_ = hidden_supported_ || (aside_.severity == Severity::error &&
                                            aside_.id != FindingId::none && !aside_.unsupported);
  aside_ = std::move(diagnostic);
  return aside_;
}

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.message.size() > kMaxPathLength)
    diagnostic.message = printable(diagnostic.message);  // names may be as long as the file
  if (diagnostic.severity == Severity::warning) {
    const WarningPolicy::Verdict verdict = warnings_.verdict(diagnostic.id);
    if (verdict == WarningPolicy::Verdict::drop) return keep_aside(std::move(diagnostic));
    if (verdict == WarningPolicy::Verdict::fail) diagnostic.severity = Severity::error;
  }
  const bool error = diagnostic.severity == Severity::error;
  size_t& kept = error ? kept_errors_ : kept_warnings_;
  const bool hidden = limit_ != 0 && kept >= limit_;
  if (!hidden && seen_before(diagnostic)) return keep_aside(std::move(diagnostic));
  if (error) ++errors_;
  if (hidden) {
    ++(error ? hidden_errors_ : hidden_warnings_);
    return keep_aside(std::move(diagnostic));
  }
  ++kept;
  list_.push_back(std::move(diagnostic));
  return list_.back();
}

Diagnostic& Diagnostics::error(FindingId id, std::string message, Span span, Location where) {
  Diagnostic diagnostic = make(Severity::error, id, std::move(message));
  diagnostic.span = span;
  diagnostic.where = where;
  return add(std::move(diagnostic));
}

Diagnostic& Diagnostics::error(FindingId id, std::string message, Anchor anchor) {
  Diagnostic diagnostic = make(Severity::error, id, std::move(message));
  diagnostic.anchor = anchor;
  return add(std::move(diagnostic));
}

Diagnostic& Diagnostics::warning(FindingId id, std::string message, Span span, Location where) {
  Diagnostic diagnostic = make(Severity::warning, id, std::move(message));
  diagnostic.span = span;
  diagnostic.where = where;
  return add(std::move(diagnostic));
}

Diagnostic& Diagnostics::warning(FindingId id, std::string message, Anchor anchor) {
  Diagnostic diagnostic = make(Severity::warning, id, std::move(message));
  diagnostic.anchor = anchor;
  return add(std::move(diagnostic));
}

void Diagnostics::append(const Diagnostics& others) {
  for (const Diagnostic& diagnostic : others.list_) add(diagnostic);
  errors_ += others.hidden_errors_;
  hidden_errors_ += others.hidden_errors_;
  hidden_warnings_ += others.hidden_warnings_;
  hidden_supported_ = hidden_supported_ || (others.hidden_errors_ != 0 && !others.only_unsupported());
}

bool Diagnostics::only_unsupported() const {
  if (errors_ == 0 || hidden_supported_) return false;
  if (aside_.severity == Severity::error && aside_.id != FindingId::none && !aside_.unsupported) return false;
  return std::all_of(list_.begin(), list_.end(),
                     [](const Diagnostic& d) { return d.severity != Severity::error || d.unsupported; });
}

void Diagnostics::sort() {
  const auto key = [](const Diagnostic& d) {
    return std::tuple(d.where.line == 0, d.where.line, d.where.col);
  };
  std::stable_sort(list_.begin(), list_.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
}

}  // namespace pto
