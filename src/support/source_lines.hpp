// The lines of a text, found once: offsets to positions and back.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pto/diagnostic.hpp"

namespace pto {

class SourceLines {
 public:
  explicit SourceLines(std::string_view text);
  /// 1-based line and byte column of an offset.
  [[nodiscard]] Location locate(uint32_t offset) const;
  /// The position of a diagnostic: its location, else the begin of its span; line 0 if it has neither.
  [[nodiscard]] Location begin_of(Span span, Location where) const;
  /// One behind its last byte. Without a span it is the name that is there.
  [[nodiscard]] Location end_of(Span span, Location where) const;
  /// Text of a line without its end; empty when there is no such line.
  [[nodiscard]] std::string_view line(uint32_t number) const;
  /// 1-based column in code points. Counts of a line are kept, so that many places on one cost no more than
  /// it.
  [[nodiscard]] uint32_t code_point_column(Location at) const;
  [[nodiscard]] bool empty() const { return text_.empty(); }

 private:
  std::string_view text_;
  std::vector<uint32_t> starts_;
  /// Of the line that was asked about last: where every so many bytes begin a code point, and how many are in
  /// front of it.
  struct Counted {
    size_t byte;
    uint32_t before;
  };
  mutable uint32_t counted_line_ = 0;
  mutable std::vector<Counted> counted_;
};

}  // namespace pto
