// The syntax language: the spelling of an operation as one string of its row. Compiled once; match, print,
// the spans of parts and the printed reference all read the compiled form.
//
//   ins , : ->         words and punctuation represent themselves; a blank before ':', '[', '(' is printed
//   $x                 an operand (%v), a variadic one (comma list), or an attribute (enum keyword, literal,
//                      or the attribute's name for unit)
//   "$x" @$x ^$x       an attribute written as a string, a symbol, the label of a block
//   $x#                an operand; an integer in its place becomes a constant before it
//   $x=case            nothing is written: the attribute is `case` wherever this is matched, and only then
//                      printed
//   mixed($v, $a)      a list of values and numbers: the values are `v`, the array `a` holds the numbers and
//                      a marker for each value; mixed32: the marker of i32 arrays
//   $^                 the name of the next argument of the first region
//   type($x)           the type of an operand, result or attribute (comma list for variadics)
//   type~($x)          the same with the `!pto.kind` prefix elidable
//   type($x, $y)       one type that all of these have
//   type($x:index)     a type that is left out when it is index
//   types($x)          the types of a variadic: in parentheses unless it is one
//   {attrs}            the dictionary of attributes not written elsewhere
//   (..)?              an optional group, present when its first `$x` is
//   (..)*  (..)*,      a group repeated over variadics in step; with commas between
//   (..)-              read where it stands, never printed
//   (A | B)            one of these: the first that matches; the first that has all it needs is printed
//   (A | B)*           clauses in any order, each once at most
//   (..)               literal parentheses, where none of ? * - | follows or is within
//   region             a region; region($x, $y): with arguments of these types. Words in front of the second
//                      region are between the two; what follows the last one is written behind it
//   || pto.other       the operation may be written like this row as well, and is then that row's
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pto::isa {

struct Schema;

/// One element of a compiled syntax string.
struct SyntaxNode {
  enum class Kind : uint8_t {
    word,
    punct,
    operand,
    attr,
    type_operand,
    type_result,
    type_attr,
    attr_dict,
    region,
    mixed,
    is,        ///< $x=case
    argument,  ///< $^
    optional,
    repeat,
    group,
    accepted,  ///< (..)-
    choice,    ///< children are `sequence`s
    clauses,   ///< children are `sequence`s
    sequence
  } kind;
  /// How an attribute is written.
  enum class Form : uint8_t { plain, string, symbol, label };

  std::string_view text;  ///< word, punct
  uint16_t index = 0;     ///< slot, attribute or result index; mixed: index of the schema's list
  Form form = Form::plain;
  bool elidable = false;    ///< type~
  bool near = false;        ///< no blank in front of it
  bool comma = false;       ///< *,
  bool numbers = false;     ///< $x#
  bool unless_one = false;  ///< types(..)
  bool not_index = false;   ///< type($x:index)
  int64_t value = 0;        ///< is: of the case
  std::vector<SyntaxNode> children;
};

/// A list of values and numbers: which operand and attribute hold them.
struct MixedList {
  uint16_t slot = 0, attr = 0;
  int64_t marker = 0;  ///< is in the attribute where the list has a value
};

/// A region as the syntax string has it.
struct RegionSyntax {
  std::string_view word;              ///< in front of it: `else`, `do`
  bool optional = false;              ///< not written when it is empty
  std::vector<SyntaxNode> arguments;  ///< whose types its arguments have
};

/// The forms of tile instructions, `ins(..) outs(..)` and the others that mean the same:
///   @dps              the attributes follow outs(..)
///   @dps_in           they are inside ins(..)
/// Words that may follow:
///   clauses           optional sources are written behind: `name = %x : type`
///   order(a, b)       the sources in this order
///   a(b)              the last source is `a` where destination `b` is written
struct TileSyntax {
  bool inside = false, clauses = false;
  std::vector<uint16_t> ins, outs;  ///< slots in the order of the text
  int last = -1, with = -1;         ///< a(b)
};
bool compile_tile_syntax(std::string_view text, Schema& schema, std::string& problem);

/// Compiles `text` into the syntax, regions and lists of the schema, whose operands, results and attributes
/// are known.
bool compile_syntax_string(std::string_view text, Schema& schema, std::string& problem);

}  // namespace pto::isa
