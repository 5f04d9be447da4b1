// Zeroed memory from pages of the host. Pages that are never accessed use no memory; released
// memory is returned to the host.
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

/// The largest reserved size of a buffer that can be smaller: a 32-bit address space is small.
inline constexpr uint64_t kMaxRoom = sizeof(void*) > 4 ? ~uint64_t{0} : uint64_t{1} << 28;

/// Throws std::bad_alloc when the host has no room. `bytes` is not 0.
HostPages zeroed_pages(uint64_t bytes);

}  // namespace pto::sim
