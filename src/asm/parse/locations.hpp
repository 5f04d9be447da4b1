// `loc(..)` behind operations: the place in another file that an operation was made from, or, in printed
// text, its position.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/parse/attributes.hpp"
#include "asm/parse/text/statement_reader.hpp"
#include "pto/program.hpp"

namespace pto::text {

/// Printed text begins with `#source = loc("kernel.pto":0:0)`: places of that file are the positions of its
/// operations. Every other place says where an operation comes from.
class Locations {
 public:
  Locations(Program& program, Reader& reader, Attributes& attributes)
      : program_(program), reader_(reader), attributes_(attributes) {}

  /// Takes a trailing `loc(..)` off the statement's items.
  void strip();
  /// The position that was stripped; of printed text only.
  [[nodiscard]] const std::optional<Location>& written() const { return written_; }
  /// `#name = loc(..)`; args: the parentheses.
  void define(std::string_view name, const Node& args);
  /// The stripped location is this operation's, whose position is known: aliases are defined further down.
  void belongs_to(uint32_t op);
  /// The statement is refused: its messages also name the location.
  void belongs_to(Span statement);
  void resolve();
  void resolve(Diagnostics& diagnostics);
  /// An operation was put in front of all.
  void shift();

 private:
  /// `"file":line:col`, or an alias.
  struct Part {
    std::string_view file, alias;  ///< the file as it is between the quotes
    Location at;
  };
  /// Of the parts that one `loc(..)` names, in their order.
  struct Range {
    uint32_t first = 0, count = 0;
  };

  struct Alias {
    Range range;
    bool followed = false;
    const Part* origin = nullptr;  ///< once it is followed
  };

  Range read(const Node& args);
  const Part* origin_in(Range range, unsigned depth = 0);
  [[nodiscard]] bool is_position(const Part& part) const;

  Program& program_;
  Reader& reader_;
  Attributes& attributes_;
  std::optional<Location> written_;
  Range stripped_;
  bool printed_ = false;          ///< the text names the file it was printed from
  std::string_view source_file_;  ///< that file, as it is between the quotes
  std::vector<Part> parts_;
  std::unordered_map<std::string_view, Alias> aliases_;
  std::vector<std::pair<uint32_t, Range>> operations_;
  std::vector<std::pair<Span, Range>> refused_;
};

}  // namespace pto::text
