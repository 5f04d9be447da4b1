// An operation under construction: operands, attributes, types and regions, before it is emitted.
#pragma once

#include <string_view>
#include <vector>

#include "asm/parse/text/statement_syntax.hpp"
#include "isa/row.hpp"
#include "pto/program.hpp"

namespace pto::text {

inline constexpr size_t kMaxAttributes = 0xff;  ///< of one operation

/// Spans of operands and types are kept for messages about them.
struct Draft {
  struct Operand {
    ValueId value;
    Span span;
  };
  struct Result {
    TypeId type = kNoType;
    Span span;
  };

  explicit Draft(StringTable& strings) : strings_(strings) {}
  void reset(const isa::Schema& s);
  void add(int slot, ValueId value, Span span) { slots[static_cast<size_t>(slot)].push_back({value, span}); }
  void set(std::string_view attribute, AttrValue value);
  /// An attribute whose value is a text: a string, a symbol or as it is written.
  void set(std::string_view attribute, AttrValue::Kind kind, std::string_view text);

  const isa::Schema* schema = nullptr;
  std::vector<std::vector<Operand>> slots;
  std::vector<Attr> attrs;
  std::vector<Result> results;
  std::vector<Node> arguments;  ///< names of the first region's arguments

 private:
  StringTable& strings_;
};

}  // namespace pto::text
