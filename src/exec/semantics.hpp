// The semantics of instructions by row name: one table in each family file, listed here and in
// semantics_registry.cpp.
#pragma once

#include <span>
#include <string_view>

#include "target/decoded_inst.hpp"

namespace pto::exec {

struct Semantics {
  std::string_view name;
  decode::ExecFn fn;
};
/// Used once per instruction at load; nullptr when there is none.
decode::ExecFn find(std::string_view row_name);

std::span<const Semantics> tile_elementwise();
std::span<const Semantics> tile_reduce_expand();  ///< reductions and partial operations
std::span<const Semantics> tile_expand();
std::span<const Semantics> tile_irregular();
std::span<const Semantics> tile_sort();
std::span<const Semantics> tile_gather();
std::span<const Semantics> tile_load_store();
std::span<const Semantics> tile_fused();
std::span<const Semantics> tile_select();
std::span<const Semantics> tile_convert();
std::span<const Semantics> tile_move();
std::span<const Semantics> tile_matmul();
std::span<const Semantics> vector_alu();
std::span<const Semantics> vector_reductions();
std::span<const Semantics> vector_conversions();
std::span<const Semantics> vector_rearrangements();
std::span<const Semantics> vector_sorting();
std::span<const Semantics> vector_memory();
std::span<const Semantics> vector_ub();
std::span<const Semantics> vector_values();  ///< vectors of scalars
std::span<const Semantics> predicate();
std::span<const Semantics> vmi_lane_wise();
std::span<const Semantics> vmi_memory();
std::span<const Semantics> vmi_rearranging();
std::span<const Semantics> vmi_group_wise();
std::span<const Semantics> dma();
std::span<const Semantics> fractal_moves();  ///< GM to L1 fractals, L1 to L0A, L0B, BT and FB
std::span<const Semantics> control_registers();
std::span<const Semantics> cube();
std::span<const Semantics> fixpipe();
std::span<const Semantics> scalar();
std::span<const Semantics> arith();  ///< the arith dialect, builtin casts
std::span<const Semantics> math();
std::span<const Semantics> descriptor();  ///< views, pointers, tiles: address arithmetic only
std::span<const Semantics> memrefs();
std::span<const Semantics> queue();   ///< tile queues
std::span<const Semantics> prints();  ///< of what the program prints
std::span<const Semantics> comm();    ///< accesses and waits for GM, on the scalar unit
/// Some of comm(): instructions that write a word for another core and then wait for every pipe of their own.
std::span<const Semantics> notifies();
/// Some of comm(): copies to other devices by MTE2 and MTE3, which the scalar unit does not wait for.
std::span<const Semantics> transfers();
std::span<const Semantics> thread_values();   ///< of one thread: numbers, kept values; within a launch
std::span<const Semantics> lane_exchange();   ///< of all active lanes of a warp, once a warp; within a launch
std::span<const Semantics> thread_math();     ///< of threads and of the scalar unit
std::span<const Semantics> thread_memory();   ///< pointers of llvm: into arrays of a thread, UB and GM
std::span<const Semantics> thread_atomics();  ///< of threads and of the scalar unit

}  // namespace pto::exec
