#include "sim/memory/host_pages.hpp"

#include <sys/mman.h>

#include <new>

namespace pto::sim {

void FreePages::operator()(std::byte* memory) const {
  // A hole can be one mapping too many for the host; then the pages go and the addresses stay.
  if (munmap(memory, bytes) != 0) madvise(memory, bytes, MADV_DONTNEED);
}

HostPages zeroed_pages(uint64_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return HostPages(static_cast<std::byte*>(memory), FreePages{bytes});
}

}  // namespace pto::sim
