// Strict reading of TOML tables: every key must be asked for, every value has its type; the first problem is
// kept with file and line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/result.hpp"
#include "support/toml.hpp"

namespace pto::machine {

/// The first problem of one configuration.
class ConfigErrors {
 public:
  void add(const toml::node& at, std::string_view message);
  [[nodiscard]] bool any() const { return first_.has_value(); }
  [[nodiscard]] const Error& first() const { return *first_; }

 private:
  std::optional<Error> first_;
};

/// One table while it is read. `finish` reports unknown keys, then missing ones.
class TableReader {
 public:
  TableReader(const toml::table& table, ConfigErrors& errors, std::string name)
      : table_(&table), errors_(&errors), name_(std::move(name)) {}

  [[nodiscard]] bool has(std::string_view key) const { return table_->contains(key); }
  /// Marks the key as known; null when absent.
  const toml::node* node(std::string_view key);
  const toml::table* table(std::string_view key);
  std::string text(std::string_view key, bool required = true);
  int64_t integer(std::string_view key, int64_t low, int64_t high,
                  std::optional<int64_t> fallback = std::nullopt);
  double number(std::string_view key, std::optional<double> fallback = std::nullopt);
  bool boolean(std::string_view key, std::optional<bool> fallback = std::nullopt);
  /// A key that must be there is not. Told by `finish`, which knows whether another key was meant to be it.
  void missing(std::string_view key);
  void finish();

  void error(std::string_view key, std::string_view message);
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] ConfigErrors& errors() const { return *errors_; }
  /// The position of the table.
  [[nodiscard]] std::string place() const { return place_of(table_->source()); }
  [[nodiscard]] const toml::table& raw() const { return *table_; }

 private:
  template <typename T>
  std::optional<T> value(std::string_view key, bool required, std::string_view kind);
  [[nodiscard]] std::string likely_meant(std::string_view key) const;

  const toml::table* table_;
  ConfigErrors* errors_;
  std::string name_;
  std::vector<std::string> known_, missing_;
};

}  // namespace pto::machine
