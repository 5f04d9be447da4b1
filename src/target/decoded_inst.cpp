#include "target/decoded_inst.hpp"

#include <algorithm>

#include "ir/struct_members.hpp"
#include "support/saturating.hpp"

namespace pto::decode {
namespace {
uint32_t clamped(uint64_t words) { return static_cast<uint32_t>(std::min<uint64_t>(words, ~uint32_t{0})); }
}  // namespace

uint32_t words_of(const Type& type) {
  switch (type.kind) {
    case TypeKind::tile_buf:
    case TypeKind::multi_tile:
      return words_of_bytes(sizeof(TileDesc));
    case TypeKind::tensor_view:
    case TypeKind::partition_view:
    case TypeKind::memref:
      return words_of_bytes(sizeof(ViewDesc));
    case TypeKind::vreg:
      return words_of_bytes(sizeof(VReg));
    case TypeKind::mask:
      return words_of_bytes(sizeof(Mask));
    case TypeKind::vmi_vreg: {
      const uint64_t bytes = sat_mul<uint64_t>(static_cast<uint64_t>(type.dims[0]), byte_width(type.elem));
      return clamped(sat_mul<uint64_t>((bytes - 1) / sizeof(VReg) + 1, words_of_bytes(sizeof(VReg))));
    }
    case TypeKind::vmi_mask:
      return clamped((static_cast<uint64_t>(type.dims[0]) - 1) / 64 + 1);
    case TypeKind::align:
      return words_of_bytes(sizeof(AlignState));
    case TypeKind::vector:
      return clamped((sat_mul<uint64_t>(static_cast<uint64_t>(type.dims[0]), byte_width(type.elem)) - 1) / 8 +
                     1);
    case TypeKind::structure:
      return struct_leaves(type.text);
    case TypeKind::eventid_array:
      return clamped(static_cast<uint64_t>(type.dims[0]));
    case TypeKind::local_array: {
      uint64_t count = 1;
      for (int i = 0; i < type.rank; ++i)
        count = sat_mul(count, static_cast<uint64_t>(type.dims[static_cast<size_t>(i)]));
      return clamped(count);
    }
    default:
      return 1;
  }
}

}  // namespace pto::decode
