// SSA names and the values that they denote at the current position of the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "pto/program.hpp"

namespace pto::text {

/// One current value per name and an undo log, so that the cost of leaving a region is proportional
/// to its definitions. Stored names are looked up in the string table of the program. Numbers
/// (`%12`) are not stored and have a separate table.
class NameTable {
 public:
  struct Entry {
    ValueId value = kNoValue;  ///< kNoValue: not visible here
    uint32_t defined_at = 0;   ///< byte of the definition
    uint32_t count = 0;        ///< of a pack `%r:2`, else 0
  };

  explicit NameTable(StringTable& names) : names_(&names) {}
  /// Room for so many names.
  void reserve(size_t names) {
    named_.reserve(names);
    log_.reserve(names);
  }

  /// A name as a number: twice the id in one of both tables; odd for numbers.
  using Key = uint32_t;
  [[nodiscard]] Key key_of(std::string_view name);
  /// The name as it is stored in the program.
  [[nodiscard]] static StrId kept(Key key) { return (key & 1) != 0 ? 0 : key / 2; }
  /// The entry of a name, made when it is new; valid until the next call.
  [[nodiscard]] Entry& at(Key key) {
    std::vector<Entry>& entries = (key & 1) != 0 ? numbered_ : named_;
    if (key / 2 >= entries.size()) entries.resize(key / 2 + 1);
    return entries[key / 2];
  }
  Entry& find(std::string_view name) { return at(key_of(name)); }
  void define(Key key, ValueId value, uint32_t at, uint32_t count);
  [[nodiscard]] size_t mark() const { return log_.size(); }
  void leave(size_t mark);
  /// Names visible now, for "did you mean".
  [[nodiscard]] std::vector<std::string_view> visible() const;

 private:
  struct Undo {
    Key key;
    ValueId value;
  };

  StringTable* names_;
  StringTable numbers_;
  std::vector<Entry> named_, numbered_;  ///< by id
  std::vector<Undo> log_;
};

/// `12`: a name that the printer gives anew.
bool is_number_name(std::string_view name);

}  // namespace pto::text
