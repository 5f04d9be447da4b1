// Finds an instruction's semantics by its row name.
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "exec/exec_context.hpp"

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
                            vector_reductions(),
                            vector_conversions(),
                            vector_rearrangements(),
                            vector_sorting(),
                            vector_memory(),
                            vector_ub(),
                            vector_values(),
                            predicate(),
                            vmi_lane_wise(),
                            vmi_memory(),
                            vmi_rearranging(),
                            vmi_group_wise(),
                            dma(),
                            fractal_moves(),
                            control_registers(),
                            cube(),
                            fixpipe(),
                            scalar(),
                            arith(),
                            math(),
                            descriptor(),
                            memrefs(),
                            queue(),
                            prints(),
                            comm(),
                            thread_values(),
                            lane_exchange(),
                            thread_math(),
                            thread_memory(),
                            thread_atomics()}) {
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
