// Shared parts of the rules on tile operands: the operands that a row names, and their names in
// messages.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verify/verifier_context.hpp"

namespace pto::legality {

/// One tile operand of an operation; variadic slots give one each.
struct TileOperand {
  std::string_view name;
  ValueId value = kNoValue;
  const Type* type = nullptr;
  unsigned flat = 0;  ///< position in the flat operand list, for anchors
};

/// The tile operands whose names are in a comma list (none: all but scratch, `*`: all), in slot order.
std::vector<TileOperand> tiles_of(const OpView& op, std::string_view names);
/// The tile operand of this name; `type` is null when it is absent or no tile.
TileOperand tile_of(const OpView& op, std::string_view name);

/// `src0 (%a)`.
std::string label(const OpView& op, const TileOperand& operand);
/// `16x?`.
std::string extents(int64_t rows, int64_t cols);
inline std::string valid_region(const Type& tile) { return extents(tile.valid[0], tile.valid[1]); }
inline std::string shape(const Type& tile) { return extents(tile.rows(), tile.cols()); }
/// `blayout=col_major, slayout=row_major`.
std::string layout_name(const Type& tile);
/// How to get a left tile that products take: its base layout follows the target, whatever its text says.
Fix left_layout_help(Target target);

/// The values in so many columns.
inline int64_t values(const Type& tile, int64_t columns) {
  return columns == kDynamic || !is_float4(tile.elem) ? columns : 2 * columns;
}
/// What messages add where only one of two tiles packs its values.
inline std::string_view packing(const Type& a, const Type& b) {
  return is_float4(a.elem) == is_float4(b.elem) ? "" : "; a column of 4-bit floats holds two values";
}

/// Both known and different.
inline bool differ(int64_t a, int64_t b) { return a != kDynamic && b != kDynamic && a != b; }
/// Both known and a > b.
inline bool exceeds(int64_t a, int64_t b) { return a != kDynamic && b != kDynamic && a > b; }
/// Known and below b.
inline bool below(int64_t a, int64_t b) { return a != kDynamic && a < b; }

/// Row-major or column-major layout without boxes (ND, DN), boxes of row-major data in column-major order
/// (NZ).
inline bool is_nd(const Type& tile) {
  return tile.blayout == BLayout::row_major && tile.slayout == SLayout::none_box;
}
inline bool is_dn(const Type& tile) {
  return tile.blayout == BLayout::col_major && tile.slayout == SLayout::none_box;
}
inline bool is_nz(const Type& tile) {
  return tile.blayout == BLayout::col_major && tile.slayout == SLayout::row_major;
}

/// The first tile that differs from the first one, or the first when it alone differs from the others; with
/// the tile to compare it with. Nothing when all agree.
template <typename Differ>
std::optional<std::pair<const TileOperand*, const TileOperand*>> odd_one(
    const std::vector<TileOperand>& tiles, Differ differs) {
  for (size_t i = 1; i < tiles.size(); ++i) {
    if (!differs(tiles[0], tiles[i])) continue;
    const bool first_is_odd =
        i == 1 && tiles.size() > 2 && differs(tiles[0], tiles[2]) && !differs(tiles[1], tiles[2]);
    return first_is_odd ? std::pair(&tiles[0], &tiles[1]) : std::pair(&tiles[i], &tiles[0]);
  }
  return std::nullopt;
}

/// Whether an element type is in the list, as it is or without its sign.
bool one_of(Elem elem, std::initializer_list<Elem> list);

/// A finding at the type of an operand.
Diagnostic& fail_at(Checker& check, FindingId id, const OpView& op, const TileOperand& at,
                    std::string message, Fix help);
/// Two operands that do not fit each other: the finding is at `at`, a note at the definition of `other`.
void fail_pair(Checker& check, FindingId id, const OpView& op, const TileOperand& other,
               const TileOperand& at, std::string message, Fix help);

}  // namespace pto::legality
