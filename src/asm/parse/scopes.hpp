// Which values the names of a text mean at the place that is being read.
#pragma once

#include <string_view>
#include <vector>

#include "asm/parse/name_table.hpp"
#include "asm/parse/text/statement_reader.hpp"
#include "pto/assembler.hpp"
#include "pto/program.hpp"

namespace pto::text {

/// A name that an erroneous statement would have defined is poison: its uses fail, and nothing is said about
/// them.
class Names {
 public:
  Names(Program& program, const Reader& reader, Reporter& report)
      : program_(program), reader_(reader), report_(report), table_(program.strings) {
    table_.reserve(program.values.capacity());
  }
  /// From here on every name that is read is put there.
  void record(std::vector<NameUse>* uses) { uses_ = uses; }

  /// The value of an operand node; reports an undefined name. `%r:2` packs are used as `%r#1`.
  ValueId use(const Node& node);
  /// As `use`, silently: kNoValue when it is not defined.
  ValueId peek(const Node& node);
  /// Whether a value is one, and no poison.
  [[nodiscard]] bool known(ValueId value) const { return value != poison_ && value != kNoValue; }
  [[nodiscard]] bool is_defined(std::string_view name) { return known(table_.find(name).value); }
  /// Where the value of an operand was defined; empty when it is not visible.
  Span definition(std::string_view operand);

  void define(std::string_view name, ValueId value, Span where, uint32_t count = 0) {
    define(key_of(name), name, value, where, count);
  }
  void define(NameTable::Key key, std::string_view name, ValueId value, Span where, uint32_t count);
  /// Of an operation with regions: a name that has its value when the regions have ended.
  void announce(NameTable::Key key, std::string_view name, ValueId value, Span where, uint32_t count);
  /// The regions have ended: names announced for values from `first` on have them.
  void arrive(ValueId first);
  [[nodiscard]] NameTable::Key key_of(std::string_view name) { return table_.key_of(name); }
  /// From here on `name` means another value.
  void rename(std::string_view name, ValueId value) {
    const NameTable::Key key = table_.key_of(name);
    table_.define(key, value, table_.at(key).defined_at, 0);
  }
  void poison(std::string_view name, uint32_t at);
  /// All names on the left side of the statement at hand.
  void poison_results();

  /// Names defined behind a mark are gone when it is left.
  [[nodiscard]] size_t mark() const { return table_.mark(); }
  void leave(size_t mark) { table_.leave(mark); }

  /// The name as it is stored in the program. Numbers are not stored: the printer assigns new ones.
  StrId kept(std::string_view name) { return is_number_name(name) ? 0 : program_.strings.intern(name); }

 private:
  ValueId poison_value();
  void note(uint32_t at, size_t length, uint32_t definition, ValueId value) {
    if (uses_ == nullptr) return;
    uses_->push_back(
        {{at, at + static_cast<uint32_t>(length) + 1}, definition, value == poison_ ? kNoValue : value});
  }
  ValueId undefined(const Node& node, std::string_view name, uint32_t ended_at);
  void put(NameTable::Key key, std::string_view name, ValueId value, Span where, uint32_t count);
  [[nodiscard]] uint32_t find_definition(std::string_view name, uint32_t from) const;

  Program& program_;
  const Reader& reader_;
  Reporter& report_;
  NameTable table_;
  struct Announced {
    NameTable::Key key;
    std::string_view name;  ///< in the text
    ValueId value;
    Span where;
    uint32_t count;
  };
  std::vector<Announced> announced_;  ///< by values, innermost operation last
  ValueId poison_ = kNoValue;
  std::vector<NameUse>* uses_ = nullptr;
};

}  // namespace pto::text
