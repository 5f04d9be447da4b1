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

/// What may be set aside for a buffer that can be smaller: addresses of 32 bits are soon used up.
inline constexpr uint64_t kMaxRoom = sizeof(void*) > 4 ? ~uint64_t{0} : uint64_t{1} << 28;

/// Throws std::bad_alloc when the host has no room. `bytes` is not 0.
HostPages zeroed_pages(uint64_t bytes);

}  // namespace pto::sim
