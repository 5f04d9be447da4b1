// Zeroed memory straight from the host's pages: what is never touched takes none, and what is given back is
// gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace pto::sim {

struct FreePages {
  uint64_t bytes = 0;
  void operator()(std::byte* memory) const;
};
using HostPages = std::unique_ptr<std::byte[], FreePages>;

/// Throws std::bad_alloc when the host has no room. `bytes` is not 0.
HostPages zeroed_pages(uint64_t bytes);

}  // namespace pto::sim
