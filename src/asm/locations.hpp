// `loc(..)` behind operations: a written position wins over the position in the text.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "asm/attributes.hpp"
#include "asm/reader.hpp"
#include "pto/program.hpp"

namespace pto::text {

class Locations {
 public:
  Locations(Program& program, Reader& reader, Attributes& attributes)
      : program_(program), reader_(reader), attributes_(attributes) {}

  /// Takes a trailing `loc("file":line:col)` off the statement's items; other locations are dropped.
  void strip();
  /// The position that was stripped.
  [[nodiscard]] const std::optional<Location>& written() const { return written_; }
  /// `#name = loc(..)`; args: the parentheses.
  void define(std::string_view name, const Node& args);
  /// The stripped location is this operation's: it may be an alias, which is defined further down.
  void belongs_to(uint32_t op);
  void resolve();
  /// An operation was put in front of all.
  void shift();

 private:
  void read(const Node& args);

  Program& program_;
  Reader& reader_;
  Attributes& attributes_;
  std::optional<Location> written_;
  std::string_view alias_;                                         ///< of the statement: `loc(#loc3)`
  std::vector<std::pair<uint32_t, std::string_view>> unresolved_;  ///< operations and their aliases
  std::unordered_map<std::string_view, Location> aliases_;
  bool source_named_ = false;
};

}  // namespace pto::text
