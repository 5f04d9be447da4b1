#include "target/config_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pto/diagnostic.hpp"

namespace pto::machine {

void ConfigErrors::add(const toml::node& at, std::string_view message) {
  if (!first_) first_ = Error{fmt::format("{}: {}", place_of(at.source()), message)};
}

void TableReader::error(std::string_view key, std::string_view message) {
  if (std::find(missing_.begin(), missing_.end(), key) != missing_.end() && !table_->contains(key))
    return;  // `finish` tells
  const toml::node* found = table_->get(key);
  errors_->add(found ? *found : *table_, name_.empty() ? fmt::format("'{}' {}", key, message)
                                                       : fmt::format("'{}.{}' {}", name_, key, message));
}

void TableReader::missing(std::string_view key) {
  if (std::find(missing_.begin(), missing_.end(), key) == missing_.end()) missing_.emplace_back(key);
}

const toml::node* TableReader::node(std::string_view key) {
  known_.emplace_back(key);
  return table_->get(key);
}

template <typename T>
std::optional<T> TableReader::value(std::string_view key, bool required, std::string_view kind) {
  const toml::node* found = node(key);
  if (!found) {
    if (required) missing(key);
    return std::nullopt;
  }
  // Exact kinds only: toml++ would convert 1.5 to 1 and true to 1 silently.
  std::optional<T> result = std::is_same_v<T, double> ? found->value<T>() : found->value_exact<T>();
  if (!result || (std::is_same_v<T, double> && !found->is_number())) {
    error(key, fmt::format("must be {}", kind));
    return std::nullopt;
  }
  return result;
}

const toml::table* TableReader::table(std::string_view key) {
  const toml::node* found = node(key);
  if (!found) return nullptr;
  if (!found->is_table()) error(key, "must be a table");
  return found->as_table();
}

std::string TableReader::text(std::string_view key, bool required) {
  return value<std::string>(key, required, "a string").value_or("");
}

int64_t TableReader::integer(std::string_view key, int64_t low, int64_t high,
                             std::optional<int64_t> fallback) {
  const std::optional<int64_t> read = value<int64_t>(key, !fallback, "an integer");
  if (!read) return fallback.value_or(low);
  if (*read < low || *read > high) error(key, fmt::format("must be from {} to {}", low, high));
  return *read;
}

double TableReader::number(std::string_view key, std::optional<double> fallback) {
  return value<double>(key, !fallback, "a number").value_or(fallback.value_or(0));
}

bool TableReader::boolean(std::string_view key, std::optional<bool> fallback) {
  return value<bool>(key, !fallback, "true or false").value_or(fallback.value_or(false));
}

/// A key near to this one: of those that are missing, of all, then the same key in a table below.
std::string TableReader::likely_meant(std::string_view key) const {
  std::string_view close = nearest(key, {missing_.begin(), missing_.end()});
  if (close.empty()) close = nearest(key, {known_.begin(), known_.end()});
  if (!close.empty()) return std::string(close);
  for (const auto& [name, node] : *table_) {
    if (node.is_table() && node.as_table()->contains(key)) return fmt::format("{}.{}", name.str(), key);
  }
  return "";
}

void TableReader::finish() {
  for (const auto& [key, node] : *table_) {
    const std::string_view text = key.str();
    if (std::find(known_.begin(), known_.end(), text) != known_.end()) continue;
    const std::string close = likely_meant(text);
    error(text, fmt::format("is not a known key{}",
                            close.empty() ? "" : fmt::format(", did you mean '{}'?", close)));
    return;
  }
  if (missing_.empty()) return;
  const std::string first = missing_.front();
  missing_.clear();
  error(first, "is missing");
}

}  // namespace pto::machine
