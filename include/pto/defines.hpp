// NAME=VALUE of a command line (-D): values of ${NAME} in case files and program texts, and of
// constants with a name (pto.param).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"
#include "pto/result.hpp"

namespace pto {

class Defines {
 public:
  using Values = std::map<std::string, std::string, std::less<>>;
  Defines() = default;
  Defines(Values values) : values_(std::move(values)) {}
  /// Parses arguments of -D; a value has one line.
  static Result<Defines> parse(const std::vector<std::string>& texts);

  [[nodiscard]] bool empty() const { return values_.empty(); }
  /// The value of a name, or nullptr. Marks the name as used.
  const std::string* find(std::string_view name) const;
  /// Disables variables of the environment (--sandbox).
  void ignore_environment() { environment_ = false; }
  /// Replaces each ${NAME} in a text of a case or command line by its value from -D, from the
  /// environment, or by its default.
  [[nodiscard]] Result<std::string> expand(std::string_view text) const;
  /// An error for the first value that was not used, with the nearest used name. `where` names all
  /// the texts that could use it.
  [[nodiscard]] std::optional<Error> unused(std::string_view where) const;

  /// The first value that fits no constant of its name. The reader of the program reports it.
  mutable std::optional<Error> misfit;

 private:
  Values values_;
  bool environment_ = true;
  mutable std::set<std::string, std::less<>> asked_;
};

/// `${NAME}` or `${NAME:-DEFAULT}` in a text.
struct Placeholder {
  size_t begin = 0, end = 0;  ///< of the whole, in the text
  std::string_view name;
  std::optional<std::string_view> fallback;
};
/// The first placeholder at or after `from`, if `text[from..]` has a "${". `end` is npos if '}' is
/// missing.
std::optional<Placeholder> find_placeholder(std::string_view text, size_t from);

/// A text with its placeholders replaced, and the original position of each part.
struct Expansion {
  struct Piece {
    uint32_t begin = 0, end = 0;          ///< in `text`
    uint32_t old_begin = 0, old_end = 0;  ///< in the original
  };
  std::string text;
  std::vector<Piece> pieces;  ///< in the order of the text

  [[nodiscard]] Span original(Span span) const;
  /// Moves spans and positions from `text` to `original`.
  void restore(std::string_view original, std::span<Diagnostic* const> diagnostics) const;
};

}  // namespace pto
