// Types of PTO values: `!pto.tile_buf<..>`, `!pto.ptr<..>`, `f16` etc., interned per program.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pto/element.hpp"

namespace pto {

using RowId = uint16_t;  ///< index into the instruction table

/// Chips a program is checked for and run on. `cpu` is the public functional simulator's profile.
enum class Target : uint8_t { a2a3, a5, cpu };
std::string_view to_string(Target target);
/// Parses the name of a target, also "a2" and "a3"; nullopt for other names.
std::optional<Target> target_named(std::string_view name);

/// Memory spaces; `gm` is off-chip, the rest belong to one core.
/// l0a_mx and l0b_mx hold the MX scales that belong to L0A and L0B; no type names them.
enum class Space : uint8_t { none, gm, ub, l1, l0a, l0b, l0c, bt, fb, l0a_mx, l0b_mx };
inline constexpr int kSpaceCount = 11;
std::string_view to_string(Space space);  ///< canonical pointer spelling: "gm", "ub", "l1", ..
std::string_view tile_loc(Space space);   ///< tile spelling: ub "vec", l1 "mat", l0a "left", l0b "right", l0c
                                          ///< "acc", bt "bias", fb "scaling"

enum class TypeKind : uint8_t {
  none,
  scalar,
  ptr,
  tensor_view,
  partition_view,
  tile_buf,
  vreg,
  mask,
  align,
  vector,
  memref,
  pipe,
  eventid_array,
  local_array,
  async_session,
  async_event,
  opaque,
  vmi_vreg,
  vmi_mask,
  multi_tile,
  structure,
  prefetch_context,
};
inline constexpr TypeKind kLastTypeKind = TypeKind::prefetch_context;

enum class BLayout : uint8_t { row_major, col_major };
enum class SLayout : uint8_t { none_box, row_major, col_major };

inline constexpr int64_t kDynamic = std::numeric_limits<int64_t>::min();  ///< a `?` dimension
inline constexpr int kMaxRank = 5;

/// One type. Fields that a kind does not use keep their defaults, so equality is memberwise.
struct Type {
  TypeKind kind = TypeKind::none;
  Elem elem = Elem::none;                ///< element; masks: i8/i16/i32 for b8/b16/b32, vmi_mask: i1 for pred
  Space space = Space::none;             ///< ptr, memref, tile_buf
  BLayout blayout = BLayout::row_major;  ///< tile_buf
  SLayout slayout = SLayout::none_box;   ///< tile_buf
  uint16_t fractal = 0;                  ///< tile_buf: 32, 512, 1024
  uint8_t pad = 0;                       ///< tile_buf: 0 null, 1 zero, 2 max, 3 min
  uint8_t compact = 0;                   ///< tile_buf: 0 null, 1 normal, 2 row_plus_one
  uint8_t rank = 0;                      ///< views, memref, local_array; tile_buf 2; vreg/vector 1
  std::array<int64_t, kMaxRank> dims{};  ///< sizes in elements, or kDynamic; tile_buf: {rows, cols};
                                         ///< multi_tile: {rows, cols, slots}; vreg/vector/vmi: {lanes}
  std::array<int64_t, 2> valid{};        ///< tile_buf: valid rows, cols, or kDynamic
  uint8_t vec_lanes = 0;                 ///< ptr to vector<NxT>: N, else 0
  std::string text;  ///< opaque: the whole spelling; memref, vmi: layout attribute if any; structure: members

  bool operator==(const Type&) const = default;

  [[nodiscard]] bool is_tile() const { return kind == TypeKind::tile_buf; }
  [[nodiscard]] bool is_view() const {
    return kind == TypeKind::tensor_view || kind == TypeKind::partition_view;
  }
  [[nodiscard]] int64_t rows() const { return dims[0]; }
  [[nodiscard]] int64_t cols() const { return dims[1]; }
};

/// Extent of the inner box of a boxed tile, in elements: fractal 1024 16x16; 32 16x2; 512 16x(32/bytes) or
/// transposed; none_box 1x1. Source: pto-isa include/pto/common/pto_tile.hpp.
struct InnerBox {
  int64_t rows, cols;
};
InnerBox inner_box(const Type& tile);
/// Bytes a tile_buf occupies.
uint64_t tile_bytes(const Type& tile);
/// The canonical spelling; parse(print(t)) == t.
std::string to_string(const Type& type);

using TypeId = uint32_t;
inline constexpr TypeId kNoType = 0;  ///< index 0 of every TypeTable is Type{}

/// Interns types; ids are dense and in order of first use.
class TypeTable {
 public:
  TypeTable();
  TypeId intern(const Type& type);
  [[nodiscard]] const Type& operator[](TypeId id) const { return types_[id]; }
  [[nodiscard]] size_t size() const { return types_.size(); }

 private:
  std::vector<Type> types_;
  std::unordered_multimap<size_t, TypeId> by_hash_;
};

/// The scalar type of an element format.
inline Type scalar_type(Elem elem) {
  Type type;
  type.kind = TypeKind::scalar;
  type.elem = elem;
  return type;
}

}  // namespace pto
