// A text as an editor has it: its lines end with LF, CRLF or CR, its positions count UTF-16 units.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"

namespace pto::lsp {

/// From 0; `character` counts UTF-16 units.
struct Position {
  uint32_t line = 0, character = 0;
  bool operator==(const Position&) const = default;
  auto operator<=>(const Position&) const = default;
};
struct Range {
  Position start, end;
  bool operator==(const Range&) const = default;
};

class Document {
 public:
  explicit Document(std::string text = {}) { set(std::move(text)); }

  void set(std::string text);
  /// False, and nothing changes, when the range does not lie in the text.
  bool replace(const Range& range, std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] uint32_t lines() const { return static_cast<uint32_t>(starts_.size()); }
  /// Text of a line without its end; empty when there is no such line.
  [[nodiscard]] std::string_view line(uint32_t number) const;
  [[nodiscard]] uint32_t begin_of_line(uint32_t number) const;
  /// A character behind the end of a line means its end, a line behind the end the end of the text. Within a
  /// code point: its begin.
  [[nodiscard]] uint32_t offset(Position position) const;
  [[nodiscard]] Position position(uint32_t offset) const;
  [[nodiscard]] Range range(Span span) const { return {position(span.begin), position(span.end)}; }

 private:
  void find_lines();

  std::string text_;
  std::vector<uint32_t> starts_;
};

}  // namespace pto::lsp
