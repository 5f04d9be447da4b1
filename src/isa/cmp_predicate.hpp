// How two values are compared: the one enumeration behind arith.cmpi, tile comparisons, vector comparisons
// and waits for words of GM. Constant folding, execution, lowering and the analyses all decide with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pto::isa {

/// The values are those of the attribute of arith.cmpi (MLIR). Comparisons of tiles and vector registers
/// write eq ne lt le gt ge with the values of the signed predicates; the element type has the sign.
enum class CmpPredicate : uint8_t {
  eq = 0,
  ne = 1,
  slt = 2,
  sle = 3,
  sgt = 4,
  sge = 5,
  ult = 6,
  ule = 7,
  ugt = 8,
  uge = 9,
};

/// The values are those of the attribute of arith.cmpf (MLIR): `o` is false on NaN, `u` is true.
enum class FloatPredicate : uint8_t {
  always_false = 0,
  oeq = 1,
  ogt = 2,
  oge = 3,
  olt = 4,
  ole = 5,
  one = 6,
  ord = 7,
  ueq = 8,
  ugt = 9,
  uge = 10,
  ult = 11,
  ule = 12,
  une = 13,
  uno = 14,
  always_true = 15,
};

constexpr bool is_equality(CmpPredicate predicate) {
  return predicate == CmpPredicate::eq || predicate == CmpPredicate::ne;
}
constexpr bool is_unsigned(CmpPredicate predicate) {
  return predicate == CmpPredicate::ult || predicate == CmpPredicate::ule || predicate == CmpPredicate::ugt ||
         predicate == CmpPredicate::uge;
}
constexpr bool is_signed(CmpPredicate predicate) {
  return !is_equality(predicate) && !is_unsigned(predicate);
}

/// The predicate on values that have their sign already.
constexpr CmpPredicate without_sign(CmpPredicate predicate) {
  switch (predicate) {
    case CmpPredicate::ult:
      return CmpPredicate::slt;
    case CmpPredicate::ule:
      return CmpPredicate::sle;
    case CmpPredicate::ugt:
      return CmpPredicate::sgt;
    case CmpPredicate::uge:
      return CmpPredicate::sge;
    default:
      return predicate;
  }
}

/// Compares values of one type, which has the sign.
template <typename T>
constexpr bool holds(CmpPredicate predicate, T a, T b) {
  switch (predicate) {
    case CmpPredicate::eq:
      return a == b;
    case CmpPredicate::ne:
      return a != b;
    case CmpPredicate::slt:
    case CmpPredicate::ult:
      return a < b;
    case CmpPredicate::sle:
    case CmpPredicate::ule:
      return a <= b;
    case CmpPredicate::sgt:
    case CmpPredicate::ugt:
      return a > b;
    case CmpPredicate::sge:
    case CmpPredicate::uge:
      return a >= b;
  }
  return false;
}

/// By the value of the attribute of tile and vector comparisons: the names that vector instructions write.
inline constexpr std::array<std::string_view, 6> kCmpModes = {"eq", "ne", "lt", "le", "gt", "ge"};
constexpr std::string_view cmp_mode(CmpPredicate predicate) {
  return kCmpModes[static_cast<size_t>(without_sign(predicate))];
}
constexpr std::optional<CmpPredicate> cmp_mode_named(std::string_view name) {
  for (size_t i = 0; i < kCmpModes.size(); ++i) {
    if (kCmpModes[i] == name) return static_cast<CmpPredicate>(i);
  }
  return std::nullopt;
}

/// As messages write it: "==", "<".
constexpr std::string_view operator_sign(CmpPredicate predicate) {
  constexpr std::string_view kSigns[] = {"==", "!=", "<", "<=", ">", ">="};
  return kSigns[static_cast<size_t>(without_sign(predicate))];
}

/// The attribute `cmp` of logical vectors: eq ne lt le gt ge, then the same six as ordered comparisons.
struct VmiComparison {
  CmpPredicate predicate = CmpPredicate::eq;
  bool ordered = false;  ///< oeq one olt ..: false on NaN
};
constexpr VmiComparison vmi_comparison(int64_t attribute) {
  const auto modes = static_cast<int64_t>(kCmpModes.size());
  return {static_cast<CmpPredicate>(attribute % modes), attribute >= modes};
}

/// The attribute `cmp` of waits for words of GM, whose values have an order of their own.
constexpr CmpPredicate wait_predicate(int64_t attribute) {
  constexpr CmpPredicate kPredicates[] = {CmpPredicate::eq,  CmpPredicate::ne,  CmpPredicate::sgt,
                                          CmpPredicate::sge, CmpPredicate::slt, CmpPredicate::sle};
  return kPredicates[attribute];
}

}  // namespace pto::isa
