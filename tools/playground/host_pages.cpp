// Zeroed memory of a WebAssembly program, in place of src/sim/memory/host_pages.cpp. The program's memory
// grows by zeros, which take nothing until they are touched, and never shrinks: released memory is reused.
#include "sim/memory/host_pages.hpp"

#include <cstring>
#include <new>
#include <utility>

namespace pto::sim {
namespace {

constexpr uint64_t kPage = 65536;
/// More than this is seldom touched as a whole: new zeros are cheaper than clearing old bytes.
constexpr uint64_t kLarge = uint64_t{16} << 20;

/// Memory that was given back; it begins with this.
struct Hole {
  Hole* next;
  uint64_t bytes;
};
Hole* holes = nullptr;

uint64_t whole_pages(uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

void* grown(uint64_t bytes) {
  if (!std::in_range<size_t>(bytes)) return nullptr;
  const size_t at = __builtin_wasm_memory_grow(0, static_cast<size_t>(bytes / kPage));
  return at == ~size_t{0} ? nullptr : reinterpret_cast<void*>(at * kPage);
}

/// From the smallest hole that is large enough; the rest of it stays one.
void* reused(uint64_t bytes) {
  Hole** best = nullptr;
  for (Hole** each = &holes; *each != nullptr; each = &(*each)->next) {
    if ((*each)->bytes >= bytes && (best == nullptr || (*each)->bytes < (*best)->bytes)) best = each;
  }
  if (best == nullptr) return nullptr;
  Hole* const hole = *best;
  *best = hole->next;
  if (hole->bytes > bytes) {
    auto* const rest = reinterpret_cast<Hole*>(reinterpret_cast<std::byte*>(hole) + bytes);
    *rest = {holes, hole->bytes - bytes};
    holes = rest;
  }
  return std::memset(hole, 0, static_cast<size_t>(bytes));
}

}  // namespace

void FreePages::operator()(std::byte* memory) const {
  auto* const hole = reinterpret_cast<Hole*>(memory);
  *hole = {holes, whole_pages(bytes)};
  holes = hole;
}

HostPages zeroed_pages(uint64_t bytes) {
  const uint64_t all = whole_pages(bytes);
  void* memory = all < kLarge ? reused(all) : grown(all);
  if (memory == nullptr) memory = all < kLarge ? grown(all) : reused(all);
  if (memory == nullptr) throw std::bad_alloc();
  return HostPages(static_cast<std::byte*>(memory), FreePages{bytes});
}

}  // namespace pto::sim
