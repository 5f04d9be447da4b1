#include "sim/simt/coalescing.hpp"

#include <algorithm>
#include <cstring>

namespace pto::sim {

bool Touch::changed() const {
  return data == nullptr || bytes > before.size() || std::memcmp(data, before.data(), bytes) != 0;
}

void ThreadMemory::note(Space space, uint64_t addr, uint64_t bytes, exec::AccessMode how,
                        const std::byte* data) {
  Touch touch;
  touch.space = space;
  touch.how = how;
  touch.lane = lane_;
  touch.addr = addr;
  touch.bytes = static_cast<uint32_t>(std::min<uint64_t>(bytes, ~uint32_t{0}));
  touch.data = data;
  if (data != nullptr && how != exec::AccessMode::read && bytes <= touch.before.size())
    std::memcpy(touch.before.data(), data, bytes);
  touches_.push_back(touch);
}

std::byte* ThreadMemory::access(Space space, uint64_t addr, uint64_t bytes, exec::AccessMode how) {
  std::byte* data = data_ || space == Space::gm ? core_.access(space, addr, bytes, how) : nullptr;
  note(space, addr, bytes, how, data);
  return data;
}

std::byte* ThreadMemory::access_rows(Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes,
                                     int64_t pitch, exec::AccessMode how) {
  std::byte* data =
      data_ || space == Space::gm ? core_.access_rows(space, addr, rows, row_bytes, pitch, how) : nullptr;
  for (uint64_t row = 0; row < rows; ++row) {
    const int64_t by = static_cast<int64_t>(row) * pitch;
    note(space, addr + static_cast<uint64_t>(by), row_bytes, how, data == nullptr ? nullptr : data + by);
  }
  return data;
}

std::byte* ThreadMemory::access_peer(int core, Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes,
                                     int64_t pitch, exec::AccessMode how) {
  return data_ ? core_.access_peer(core, space, addr, rows, row_bytes, pitch, how) : nullptr;
}

Lines lines_of(const std::vector<Touch>& touches, uint32_t line) {
  constexpr size_t kMax = 4096;
  Lines built;
  std::vector<uint64_t> updated;
  for (const Touch& touch : touches) {
    const uint64_t last = touch.addr + std::max(touch.bytes, 1u) - 1;
    for (uint64_t at = touch.addr / line; at <= last / line && built.numbers.size() < kMax; ++at)
      built.numbers.push_back(at);
    if (touch.how == exec::AccessMode::update) updated.push_back(touch.addr);
  }
  const auto unique = [](std::vector<uint64_t>& list) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  unique(built.numbers);
  // Each update of an element that another lane updates as well is a turn of its own.
  const size_t updates = updated.size();
  unique(updated);
  built.again = static_cast<uint32_t>(updates - updated.size());
  return built;
}

}  // namespace pto::sim
