// NAME=VALUE of a command line (-D): what stands for ${NAME} in case files and program texts, and in place of
// constants that a program names by pto.param.
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
  /// As behind -D; a value is one line.
  static Result<Defines> parse(const std::vector<std::string>& texts);

  [[nodiscard]] bool empty() const { return values_.empty(); }
  /// The value of a name, or nullptr. The name counts as one that is asked for.
  const std::string* find(std::string_view name) const;
  /// A stranger's case does not get to see the environment (--sandbox).
  void ignore_environment() { environment_ = false; }
  /// A text of a case or command line with values in place of ${NAME}: of -D, of the environment, the
  /// default.
  [[nodiscard]] Result<std::string> expand(std::string_view text) const;
  /// The first of them that nothing asked for, with the nearest name that is; `where` had them all.
  [[nodiscard]] std::optional<Error> unused(std::string_view where) const;

  /// A value that fits no constant of its name: the first one. Told by whoever reads the program.
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
/// The first one at or behind `from`, where `text[from..]` has a "${". `end` is npos where '}' is missing.
std::optional<Placeholder> find_placeholder(std::string_view text, size_t from);

/// A text whose placeholders have been replaced, and where its parts stood before.
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
