// The collection of diagnostics.
#include <algorithm>

#include "pto/diagnostic.hpp"

namespace pto {

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::error) ++errors_;
  list_.push_back(std::move(diagnostic));
  return list_.back();
}

Diagnostic& Diagnostics::error(std::string_view id, std::string message, Span span, Location where) {
  Diagnostic diagnostic;
  diagnostic.id = id;
  diagnostic.message = std::move(message);
  diagnostic.span = span;
  diagnostic.where = where;
  return add(std::move(diagnostic));
}

Diagnostic& Diagnostics::error(std::string_view id, std::string message, Anchor anchor) {
  Diagnostic& diagnostic = error(id, std::move(message));
  diagnostic.anchor = anchor;
  return diagnostic;
}

bool Diagnostics::only_unsupported() const {
  return errors_ > 0 && std::all_of(list_.begin(), list_.end(), [](const Diagnostic& d) {
    return d.severity != Severity::error || d.unsupported;
  });
}

}  // namespace pto
