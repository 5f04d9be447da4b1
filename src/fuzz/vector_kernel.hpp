// What a generated kernel on vector tiles consists of; and elements of tiles and what instructions make of
// them, with nothing of the simulator's.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pto::fuzz {

enum class Elem : uint8_t { f32, i32, i16 };
inline std::string_view name_of(Elem elem) {
  return elem == Elem::f32 ? "f32" : elem == Elem::i32 ? "i32" : "i16";
}
inline size_t width_of(Elem elem) { return elem == Elem::i16 ? 2 : 4; }

/// An element; integers wrap to the width of theirs.
struct Number {
  int64_t whole = 0;
  float real = 0;
};
using Tile = std::vector<Number>;

inline Number number_of(Elem elem, int64_t value) {
  switch (elem) {
    case Elem::f32:
      return {0, static_cast<float>(value)};
    case Elem::i32:
      return {static_cast<int32_t>(static_cast<uint64_t>(value)), 0};
    default:
      return {static_cast<int16_t>(static_cast<uint64_t>(value)), 0};
  }
}

enum class Does : uint8_t { add, sub, mul, max, min };
inline constexpr std::array kBinary = {"tadd", "tsub", "tmul", "tmax", "tmin"};
inline constexpr std::array kScalar = {"tadds", "tmuls", "tmaxs", "tmins"};
inline constexpr std::array kScalarDoes = {Does::add, Does::mul, Does::max, Does::min};

inline float of_floats(Does opcode_class, float a, float b) {
  switch (opcode_class) {
    case Does::add:
      return a + b;
    case Does::sub:
      return a - b;
    case Does::mul:
      return a * b;
    default:
      if (std::isnan(a) || std::isnan(b)) return std::nanf("");
      return (opcode_class == Does::max) == (a > b) ? a : b;
  }
}

inline int64_t of_wholes(Does opcode_class, int64_t a, int64_t b) {
  switch (opcode_class) {
    case Does::add:
      return a + b;
    case Does::sub:
      return a - b;
    case Does::mul:
      return a * b;
    case Does::max:
      return std::max(a, b);
    default:
      return std::min(a, b);
  }
}

inline Number applied(Elem elem, Does opcode_class, const Number& a, const Number& b) {
  if (elem == Elem::f32) return {0, of_floats(opcode_class, a.real, b.real)};
  return number_of(elem, of_wholes(opcode_class, a.whole, b.whole));
}

/// A number that chooses rows or turns: of constants, counters and the parameter n.
struct Index {
  enum class Kind : uint8_t {
    constant,
    counter,
    parameter,
    add,
    mul,
    rem,
    div,
    min,
    max
  } kind = Kind::constant;
  int64_t number = 0;
  std::string counter;
  std::vector<Index> of;
};
inline constexpr std::array kIndexOps = {"addi", "muli", "remui", "divui", "minui", "maxui"};

struct Statement {
  enum class Kind : uint8_t { make, load, store, binary, scalar, move, loop, branch, call } kind = Kind::move;
  size_t op = 0;                       ///< which of its kind
  std::string a, b, to;                ///< tiles
  char buffer = 'x';                   ///< of a load
  int64_t number = 0;                  ///< scalar operand; step of a loop
  Index index, other;                  ///< row; end of a loop; both sides of a comparison
  std::string counter;                 ///< of a loop
  std::array<std::string, 6> carried;  ///< tiles before the loop, in it and behind it, two each; may be none
  std::vector<Statement> body, otherwise;
};
using Statements = std::vector<Statement>;

/// What one block sees while it is evaluated.
struct State {
  std::map<std::string, int64_t> counters;
  std::map<std::string, std::string> storage;  ///< of names of tiles
  std::map<std::string, Tile> tiles;           ///< by storage
};

}  // namespace pto::fuzz
