// The row families, in table order. The order decides row numbers: append families, do not reorder.
#pragma once

#include <span>
#include <vector>

#include "isa/row.hpp"

namespace pto::isa {

std::span<const Row> tile_elementwise_rows();       ///< Tile elementwise: unary, binary and ternary, tile with tile.
std::span<const Row> tile_scalar_rows();            ///< Tile with scalar.
std::span<const Row> tile_select_convert_rows();    ///< Compare, select, convert, quantise.
std::span<const Row> tile_reduce_expand_rows();     ///< Row and column reductions, broadcasts, partial operations.
std::span<const Row> tile_move_rows();              ///< Loads, stores, moves, rearrangement.
std::span<const Row> tile_matmul_rows();            ///< Matrix and matrix-vector products.
std::span<const Row> descriptor_rows();             ///< Views, tiles, pointers: address arithmetic only.
std::span<const Row> vector_alu_rows();             ///< Vector registers: arithmetic, logic, compare, select, convert, reduce, rearrange.
std::span<const Row> predicate_rows();              ///< Predicate registers.
std::span<const Row> vector_memory_rows();          ///< Vector registers and predicates from and to UB; the vector scopes.
std::span<const Row> dma_rows();                    ///< Data movement between GM, L1 and UB.
std::span<const Row> cube_rows();                   ///< Cube: operand staging and multiply-add.
std::span<const Row> fixpipe_rows();                ///< Fixpipe: accumulator to GM, L1 and UB; its parameters.
std::span<const Row> sync_rows();                   ///< Flags, barriers, buffer tokens, cross-core synchronisation.
std::span<const Row> system_rows();                 ///< Modes, sections, tile queues, debugging.
std::span<const Row> scalar_rows();                 ///< Scalar unit: pointers, queries, scalar memory, arithmetic.
std::span<const Row> control_rows();                ///< Structure: modules, functions, control flow.
std::span<const Row> simt_rows();                   ///< SIMT threads: known by name, not executed.
std::span<const Row> comm_rows();                   ///< Communication between devices: known by name, not executed.
std::span<const Row> memref_rows();                 ///< Buffers of lowered programs: read, not executed.
std::span<const Row> llvm_rows();                   ///< Casts, LLVM and vector operations of lowered programs.
std::span<const Row> math_rows();                   ///< Functions of scalars.

/// All of them.
std::vector<std::span<const Row>> families();

}  // namespace pto::isa
