// Finds an instruction's semantics by its row name.
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "exec/context.hpp"
#include "support/checked.hpp"

namespace pto::exec {
namespace {

using Families = std::unordered_map<std::string_view, ExecFn>;

Families collect() {
  Families all;
  for (const auto family : {tile_elementwise(),
                            tile_reduce_expand(),
                            tile_expand(),
                            tile_irregular(),
                            tile_sort(),
                            tile_gather(),
                            tile_load_store(),
                            tile_fused(),
                            tile_select(),
                            tile_convert(),
                            tile_move(),
                            tile_matmul(),
                            vector_alu(),
                            vector_memory(),
                            predicate(),
                            dma(),
                            cube(),
                            fixpipe(),
                            scalar(),
                            descriptor()}) {
    for (const Semantics& entry : family) all.emplace(entry.name, entry.fn);
  }
  return all;
}

}  // namespace

ExecFn find(std::string_view row_name) {
  static const Families families = collect();
  const auto found = families.find(row_name);
  return found == families.end() ? nullptr : found->second;
}

namespace {
uint32_t clamped(uint64_t words) { return static_cast<uint32_t>(std::min<uint64_t>(words, ~uint32_t{0})); }
}  // namespace

uint32_t words_of(const Type& type) {
  switch (type.kind) {
    case TypeKind::tile_buf: return words_of_bytes(sizeof(TileDesc));
    case TypeKind::tensor_view:
    case TypeKind::partition_view:
    case TypeKind::memref: return words_of_bytes(sizeof(ViewDesc));
    case TypeKind::vreg: return words_of_bytes(sizeof(VReg));
    case TypeKind::mask: return words_of_bytes(sizeof(Mask));
    case TypeKind::align: return words_of_bytes(sizeof(AlignState));
    case TypeKind::vector: return clamped((sat_mul<uint64_t>(static_cast<uint64_t>(type.dims[0]), byte_width(type.elem)) - 1) / 8 + 1);
    case TypeKind::eventid_array: return clamped(static_cast<uint64_t>(type.dims[0]));
    case TypeKind::local_array: {
      uint64_t count = 1;
      for (int i = 0; i < type.rank; ++i) count = sat_mul(count, static_cast<uint64_t>(type.dims[static_cast<size_t>(i)]));
      return clamped(count);
    }
    default: return 1;
  }
}

std::string_view Context::attr_text(unsigned spec) const { return program->strings[inst->attrs[spec].text]; }

}  // namespace pto::exec
