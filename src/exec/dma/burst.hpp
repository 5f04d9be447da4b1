// Bursts of bytes between two memories: the common core of every linear DMA.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "exec/atomic_update.hpp"
#include "exec/exec_context.hpp"

namespace pto::exec::dma_detail {

/// Where an end of a transfer lies. `peer` names another core of the cluster (0 AIC, 1 AIV0, 2 AIV1), -1 this
/// one. A destination with an atomic element type is updated element by element.
struct Place {
  Space space;
  uint64_t addr;
  int peer = -1;
  Elem atomic = Elem::none;
  AtomicOp atomic_op = AtomicOp::add;
};

/// `count` bursts of `bytes` bytes; strides are the distances between burst starts, in bytes.
struct Bursts {
  uint64_t count, bytes;
  int64_t from_stride, to_stride;
};

/// One outer repetition level; strides in bytes.
struct Loop {
  int64_t count, from_stride, to_stride;
};

/// Padding around a burst in its destination row: `left` and `right` bytes filled with a repeated
/// element.
struct Padding {
  uint64_t left = 0, right = 0, element = 0;
  unsigned element_bytes = 0;
};

/// A fault where the kernel has not written a register that a transfer takes something from.
void needs_written(const Context& ctx, LeftOver which, std::string_view what);

/// Whether a value fits the instruction's field; if not, a finding is raised.
bool in_field(const Context& ctx, std::string_view what, int64_t value, int bits);

/// Checked rows of a place; null after a finding.
std::byte* rows_at(const Context& ctx, const Place& place, uint64_t rows, uint64_t row_bytes, int64_t pitch,
                   AccessMode how);

/// Runs the bursts once. False after a finding.
bool copy_bursts(const Context& ctx, const Place& from, const Place& to, const Bursts& bursts,
                 const Padding& padding = {});

/// Runs the bursts under the loops; loops[0] is the innermost level.
void copy_loops(const Context& ctx, const Place& from, const Place& to, const Bursts& bursts,
                std::span<const Loop> loops = {}, const Padding& padding = {});

inline constexpr uint64_t kBlock = 32;

}  // namespace pto::exec::dma_detail
