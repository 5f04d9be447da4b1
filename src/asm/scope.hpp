// SSA names and what they denote at the present point of the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pto/program.hpp"

namespace pto::text {

/// A hash table of names with one current value each and an undo log, so that leaving a region costs what it defined.
class Scope {
 public:
  struct Entry {
    const char* begin = nullptr;   ///< the name in the source
    uint32_t length = 0;
    ValueId value = kNoValue;    ///< kNoValue: not visible here
    uint32_t defined_at = 0;     ///< byte of the definition
    uint32_t count = 0;          ///< of a pack `%r:2`, else 0
    [[nodiscard]] std::string_view name() const { return {begin, length}; }
  };

  Scope() : slots_(1u << 10, 0) {}

  /// The entry of a name, made when it is new.
  Entry& find(std::string_view name);
  void define(Entry& entry, ValueId value, uint32_t at, uint32_t count);
  [[nodiscard]] size_t mark() const { return log_.size(); }
  void leave(size_t mark);
  /// Names visible now, for "did you mean".
  [[nodiscard]] std::vector<std::string_view> visible() const;

 private:
  struct Undo { uint32_t entry; ValueId value; };
  void grow();

  std::vector<uint32_t> slots_;   ///< entry number + 1, 0 = free
  std::vector<Entry> entries_;
  std::vector<Undo> log_;
};

}  // namespace pto::text
