// How a program may be mended: data, from which the help of a diagnostic is printed and editors make edits.
//
//   Fix::use_one_of({"i8", "ui8"})                help: use i8 or ui8
//   Fix::write("sat")                             help: write sat
//   Fix::remove("drop it, or store an acc tile")  help: drop it, or store an acc tile
//   ChangeStatements{{{.text = "pto.set_flag[..]", .place = {TextPlace::Side::after, "k.pto:12", 12}}, ..}}
//                                                 help: add pto.set_flag[..] after k.pto:12 and ..
//   Fix("enlarge tmp, or leave it out")           help: the words; no edit follows from them
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pto {

/// The part of the text that the diagnostic marks, replaced by one of these.
struct Substitute {
  std::vector<std::string> alternatives;
  std::string lead = "use ";  ///< words in front of them
  std::string rest = {};      ///< words behind them, with their punctuation
};

/// The part of the text that the diagnostic marks, or its whole line, removed.
struct RemoveMarked {
  std::string words;
};

/// A line in front of the one that the diagnostic marks.
struct WriteBeforeMarked {
  std::string text;
  std::string rest = {};
};

/// A region around some lines.
struct EncloseLines {
  std::string opening;  ///< without its brace
  uint32_t first = 0, last = 0;
};

/// A position in the text, and its name in messages.
struct TextPlace {
  enum class Side : uint8_t { at, before, after } side = Side::at;
  std::string name;   ///< "k.pto:12", "the loop at k.pto:12"
  uint32_t line = 0;  ///< 0: not known
  bool operator==(const TextPlace&) const = default;
};
/// "before k.pto:12"
std::string to_string(const TextPlace& place);

struct StatementChange {
  enum class Kind : uint8_t { add, write, remove, move, exchange } kind = Kind::add;
  std::string text;         ///< the statement; of exchange: the operand that is right
  TextPlace place = {};     ///< of move: the new one
  std::string former = {};  ///< of move: the old place; of exchange: the operand that is wrong
  bool operator==(const StatementChange&) const = default;
};

struct ChangeStatements {
  std::vector<StatementChange> changes;
  std::string rest = {};  ///< the reason or what is known of the result, with its punctuation
  enum class Join : uint8_t {
    conjunction,  ///< "add X after A and add Y before B"
    one_verb,     ///< "add X after A and Y before B"
    list,         ///< "write X at A, write Y at B"
  } join = Join::conjunction;
  std::string lead = {};  ///< words in front
};

class Fix {
 public:
  using Action =
      std::variant<std::string, Substitute, RemoveMarked, WriteBeforeMarked, EncloseLines, ChangeStatements>;
  Fix() = default;
  // Advice in words, and every other action, is a fix.  NOLINTBEGIN(google-explicit-constructor)
  Fix(std::string words) : action_(std::move(words)) {}
  Fix(std::string_view words) : action_(std::string(words)) {}
  Fix(const char* words) : action_(std::string(words)) {}
  Fix(Substitute action) : action_(std::move(action)) {}
  Fix(RemoveMarked action) : action_(std::move(action)) {}
  Fix(WriteBeforeMarked action) : action_(std::move(action)) {}
  Fix(EncloseLines action) : action_(std::move(action)) {}
  Fix(ChangeStatements action) : action_(std::move(action)) {}
  // NOLINTEND(google-explicit-constructor)

  static Fix use(std::string_view text, std::string rest = {}) {
    return Substitute{{std::string(text)}, "use ", std::move(rest)};
  }
  static Fix use_a(std::string_view text, std::string rest = {}) {
    return Substitute{{std::string(text)}, "use a ", std::move(rest)};
  }
  static Fix use_one_of(std::vector<std::string> alternatives, std::string rest = {}) {
    return Substitute{std::move(alternatives), "use ", std::move(rest)};
  }
  static Fix write(std::string_view text, std::string rest = {}) {
    return Substitute{{std::string(text)}, "write ", std::move(rest)};
  }
  static Fix write_one_of(std::vector<std::string> alternatives, std::string rest = {}) {
    return Substitute{std::move(alternatives), "write ", std::move(rest)};
  }
  static Fix remove(std::string words) { return RemoveMarked{std::move(words)}; }
  static Fix add(std::string statement, TextPlace place, std::string rest = {}) {
    return ChangeStatements{{{.text = std::move(statement), .place = std::move(place)}}, std::move(rest)};
  }
  /// Two statements, as a set and a wait are.
  static Fix add_both(StatementChange first, StatementChange second, std::string rest = {}) {
    return ChangeStatements{
        {std::move(first), std::move(second)}, std::move(rest), ChangeStatements::Join::one_verb};
  }
  static Fix change(StatementChange::Kind kind, std::string statement, TextPlace place,
                    std::string rest = {}) {
    return ChangeStatements{{{kind, std::move(statement), std::move(place)}}, std::move(rest)};
  }

  /// With words behind it.
  [[nodiscard]] Fix then(std::string_view words) && {
    if (auto* statements = std::get_if<ChangeStatements>(&action_))
      statements->rest += words;
    else if (auto* text = std::get_if<std::string>(&action_))
      *text += words;
    return std::move(*this);
  }
  /// With words in front of it.
  [[nodiscard]] Fix after(const std::string& words) && {
    if (auto* statements = std::get_if<ChangeStatements>(&action_))
      statements->lead = words + statements->lead;
    else if (auto* text = std::get_if<std::string>(&action_))
      *text = words + *text;
    return std::move(*this);
  }

  [[nodiscard]] bool empty() const {
    const auto* words = std::get_if<std::string>(&action_);
    return words != nullptr && words->empty();
  }
  [[nodiscard]] const Action& action() const { return action_; }

 private:
  Action action_;
};

/// The help of a diagnostic.
std::string to_string(const Fix& fix);

}  // namespace pto
