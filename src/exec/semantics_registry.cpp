// Finds an instruction's semantics by its row name.
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "exec/exec_context.hpp"
#include "exec/print_op.hpp"
#include "exec/scalar/arith.hpp"
#include "exec/scalar/descriptors.hpp"
#include "exec/scalar/tile_queue.hpp"
#include "exec/simt/simt_family.hpp"
#include "exec/vmi/vmi_family.hpp"

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
                            vector_ub(),
                            predicate(),
                            dma(),
                            cube(),
                            fixpipe(),
                            scalar(),
                            comm(),
                            prints(),
                            queue(),
                            math(),
                            vector_values(),
                            memrefs(),
                            thread_values(),
                            lane_exchange(),
                            thread_math(),
                            thread_atomics(),
                            vmi_values(),
                            thread_memory(),
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

std::string_view Context::attr_text(unsigned spec) const { return program->strings[inst->attrs[spec].text]; }

}  // namespace pto::exec
