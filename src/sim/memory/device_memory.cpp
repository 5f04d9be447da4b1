#include "sim/memory/device_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "exec/address_math.hpp"
#include "exec/status_registers.hpp"

namespace pto::sim {
namespace {

constexpr uint64_t kGuardBytes = uint64_t{1} << 24;
constexpr uint64_t kAllocationAlignment = 4096;

}  // namespace

uint64_t GlobalMemory::add(uint32_t argument, const std::string& name, std::span<std::byte> bytes,
                           bool initialised) {
  const uint64_t addr = next_;
  allocations_.push_back({addr, bytes.size(), bytes.data(), name, argument, initialised});
  next_ = (addr + bytes.size() + kGuardBytes + kAllocationAlignment - 1) / kAllocationAlignment *
          kAllocationAlignment;
  return addr;
}

uint64_t GlobalMemory::add_room(uint32_t argument, const std::string& name, std::span<const std::byte> bytes,
                                uint64_t room, bool initialised) {
  HostPages& pages = rooms_.emplace_back(zeroed_pages(std::max<uint64_t>({room, bytes.size(), 1})));
  if (!bytes.empty()) std::memcpy(pages.get(), bytes.data(), bytes.size());
  const auto all = static_cast<size_t>(std::max<uint64_t>(room, bytes.size()));
  const uint64_t addr = add(argument, name, {pages.get(), all}, initialised);
  allocations_.back().has_room = true;
  return addr;
}

GlobalMemory::~GlobalMemory() {
  for (const Overrun& overrun : overruns_) std::memcpy(overrun.home, overrun.storage.get(), overrun.bytes);
}

GlobalMemory::Allocation* GlobalMemory::begins_in(uint64_t addr) {
  const auto after = std::upper_bound(allocations_.begin(), allocations_.end(), addr,
                                      [](uint64_t value, const Allocation& a) { return value < a.addr; });
  return after == allocations_.begin() ? nullptr : &*(after - 1);
}

void GlobalMemory::note(Allocation& allocation, exec::AccessMode how) {
  if (how == exec::AccessMode::read || allocation.written) return;
  allocation.written = true;
  if (first_writes != nullptr) first_writes->will_write(allocation.argument);
}

std::byte* GlobalMemory::find(uint64_t addr, uint64_t bytes, exec::AccessMode how) {
  const auto holds = [&](const Allocation& a) {
    return addr >= a.addr && addr - a.addr <= a.bytes && bytes <= a.bytes - (addr - a.addr);
  };
  const auto place_in = [&](Allocation& a) {
    note(a, how);
    if (a.has_room) a.reach = std::max(a.reach, addr - a.addr + bytes);
    return a.data + (addr - a.addr);
  };
  if (last_ < allocations_.size() && holds(allocations_[last_])) return place_in(allocations_[last_]);
  Allocation* candidate = begins_in(addr);
  if (candidate == nullptr || !holds(*candidate)) return nullptr;
  last_ = static_cast<size_t>(candidate - allocations_.data());
  return place_in(*candidate);
}

std::byte* GlobalMemory::find_overrun(uint64_t addr, uint64_t bytes, exec::AccessMode how) {
  Allocation* a = begins_in(addr);
  if (a == nullptr || addr - a->addr >= a->bytes || bytes > a->bytes + kGuardBytes - (addr - a->addr))
    return nullptr;
  note(*a, how);
  const auto kept = [&](const Overrun& overrun) { return overrun.storage.get() == a->data; };
  if (std::none_of(overruns_.begin(), overruns_.end(), kept)) {
    auto* storage = static_cast<std::byte*>(
        std::calloc(a->bytes + kGuardBytes, 1));  // pages that nobody touches cost nothing
    if (storage == nullptr) return nullptr;
    std::memcpy(storage, a->data, a->bytes);
    overruns_.push_back({{storage, std::free}, a->data, a->bytes});
    a->data = storage;
  }
  return a->data + (addr - a->addr);
}

uint64_t GlobalMemory::end_around(uint64_t addr) {
  const Allocation* a = begins_in(addr);
  return a == nullptr ? 0 : a->addr + a->bytes;
}

GlobalMemory::Miss GlobalMemory::nearest(uint64_t addr, uint64_t bytes) const {
  const Allocation* best = nullptr;
  uint64_t distance = ~uint64_t{0};
  for (const Allocation& a : allocations_) {
    const uint64_t gap = addr < a.addr              ? a.addr - addr
                         : addr >= a.addr + a.bytes ? addr - (a.addr + a.bytes)
                                                    : 0;
    if (gap < distance) {
      best = &a;
      distance = gap;
    }
  }
  if (best == nullptr) return {{}, "the kernel has no GM argument"};
  const std::string what = fmt::format("argument '{}' ({} bytes)", best->name, best->bytes);
  if (distance > kGuardBytes)
    return {best->name, fmt::format("far from every argument; GM addresses come from kernel arguments, {} is "
                                    "nearest",
                                    what)};
  if (addr < best->addr)
    return {best->name, fmt::format("it begins {} bytes before {}", best->addr - addr, what)};
  const uint64_t end = addr - best->addr + bytes;
  return {best->name, fmt::format("bytes {}..{} of {}: {} bytes beyond its end", addr - best->addr, end - 1,
                                  what, end - best->bytes)};
}

std::byte* CoreMemory::local(Space space, uint64_t addr, uint64_t bytes) {
  const auto index = static_cast<size_t>(space);
  const uint64_t capacity = machine_.bytes[index];
  if (addr > capacity || bytes > capacity - addr) return nullptr;
  if (capacity == 0) return nothing_.data();
  auto& memory = on_chip_[index];
  if (!memory) {
    memory = zeroed_pages(capacity);
    if (fill.word != 0) {
      for (uint64_t at = 0; at + sizeof fill.word <= capacity; at += sizeof fill.word) {
        const uint32_t word = fill.at(at);
        std::memcpy(memory.get() + at, &word, sizeof word);
      }
    }
  }
  return memory.get() + addr;
}

std::byte* CoreMemory::local_overrun(Space space, uint64_t addr, uint64_t bytes) {
  const auto index = static_cast<size_t>(space);
  const uint64_t capacity = machine_.bytes[index];
  if (addr >= capacity || bytes > capacity + kGuardBytes - addr) return nullptr;
  if (!short_[index]) {
    HostPages longer = zeroed_pages(capacity + kGuardBytes);
    std::memcpy(longer.get(), local(space, 0, capacity), capacity);
    short_[index] = std::exchange(on_chip_[index], std::move(longer));
  }
  return on_chip_[index].get() + addr;
}

std::byte* CoreMemory::resolve(CoreMemory& owner, Space space, Range range, exec::AccessMode how) {
  if (space == Space::none) return range.low == exec::kMergeStatus ? owner.nothing_.data() : nullptr;
  return space == Space::gm ? gm_.find(range.low, range.bytes, how)
                            : owner.local(space, range.low, range.bytes);
}

void CoreMemory::complain(const CoreMemory& owner, Space space, Range range) {
  if (listener == nullptr) return;
  const std::string accessed =
      fmt::format("{} bytes at {:#x} of {}", range.bytes, range.low, to_string(space));
  const auto say = [&](std::string message, std::string argument = {}) {
    listener->out_of_bounds(space, range.low, std::move(message), std::move(argument));
  };
  if (range.low == exec::kNowhere)
    return say(
        fmt::format("{} bytes of {}: the address does not fit in 64 bits", range.bytes, to_string(space)));
  if (space == Space::gm) {
    GlobalMemory::Miss miss = gm_.nearest(range.low, range.bytes);
    return say(accessed + ": " + miss.words, std::move(miss.argument));
  }
  const uint64_t capacity = machine_.bytes[static_cast<size_t>(space)];
  const std::string whose = &owner == this ? "" : " of the other core";
  if (capacity == 0) return say(fmt::format("{}{}: the target has no such memory", accessed, whose));
  // The range may wrap around 2^64 when its address was negative.
  const uint64_t end = range.low + range.bytes;
  const uint64_t beyond = end < range.low || range.low > (uint64_t{1} << 62) ? 0 : end - capacity;
  if (beyond == 0) return say(fmt::format("{}{}: the address is negative", accessed, whose));
  say(fmt::format("{}{}: {} bytes beyond its end; {} has {} bytes", accessed, whose, beyond, to_string(space),
                  capacity));
}

FootprintEvent CoreMemory::footprint_of(const CoreMemory& owner, Space space, uint64_t addr, uint64_t rows,
                                        uint64_t row_bytes, int64_t pitch, exec::AccessMode how) const {
  FootprintEvent event;
  event.core = core_;
  event.space = space;
  event.addr = addr;
  event.rows = rows;
  event.row_bytes = row_bytes;
  event.pitch = pitch;
  event.write = how != exec::AccessMode::read;
  event.update = how == exec::AccessMode::update;
  if (owner.core_ != core_) event.home = owner.core_;
  return event;
}

void CoreMemory::report(const CoreMemory& owner, Space space, uint64_t addr, uint64_t rows,
                        uint64_t row_bytes, int64_t pitch, exec::AccessMode how, std::byte* data) {
  FootprintEvent event = footprint_of(owner, space, addr, rows, row_bytes, pitch, how);
  event.data = data;
  listener->footprint(event);
}

void CoreMemory::report_inside(const CoreMemory& owner, Space space, uint64_t end, uint64_t addr,
                               uint64_t rows, uint64_t row_bytes, int64_t pitch, exec::AccessMode how,
                               std::byte* data) {
  for (uint64_t row = 0; row < rows; ++row) {
    const uint64_t begin = addr + row * static_cast<uint64_t>(pitch);
    if (begin < end)
      report(owner, space, begin, 1, std::min(row_bytes, end - begin), 0, how,
             data + static_cast<int64_t>(begin - addr));
  }
}

/// Work on the same bytes comes first, or this access becomes part of work.
void CoreMemory::touch(Space space, uint64_t rows, uint64_t row_bytes, int64_t pitch, Range range,
                       exec::AccessMode how) {
  if (workers == nullptr) return;
  if (space != Space::gm) return workers->touch_chip(block, rows * row_bytes);
  const uint64_t distance = rows > 1 ? static_cast<uint64_t>(pitch < 0 ? -pitch : pitch) : 0;
  workers->touch_gm({range.low, range.low + range.bytes, row_bytes, distance}, how != exec::AccessMode::read);
}

std::byte* CoreMemory::rows_of(CoreMemory& owner, Space space, uint64_t addr, uint64_t rows,
                               uint64_t row_bytes, int64_t pitch, exec::AccessMode how) {
  if (rows == 0 || row_bytes == 0) return nothing_.data();
  const __int128 span = static_cast<__int128>(rows - 1) * pitch;
  const __int128 low = static_cast<__int128>(addr) + (span < 0 ? span : 0);
  const __int128 size = (span < 0 ? -span : span) + row_bytes;
  constexpr __int128 kLimit = static_cast<__int128>(1) << 63;
  if (low < 0 || size >= kLimit) {
    complain(owner, space,
             {static_cast<uint64_t>(low), size >= kLimit ? ~uint64_t{0} >> 1 : static_cast<uint64_t>(size)});
    return nullptr;
  }
  const Range range{static_cast<uint64_t>(low), static_cast<uint64_t>(size)};
  std::byte* data = resolve(owner, space, range, how);
  if (data == nullptr && space == Space::gm && gm_.port != nullptr) {
    if (const std::optional<uint32_t> peer = gm_.port->elsewhere(range.low))
      return may_reach(*peer, range, how) ? gm_.port->access(*peer, {addr, rows, row_bytes, pitch}, how)
                                          : nullptr;
  }
  if (only_bounds && space == Space::gm) {
    if (data == nullptr) complain(owner, space, range);
    return nullptr;
  }
  if (data == nullptr) {
    complain(owner, space, range);
    if (space == Space::none) return nullptr;
    if (report_footprints) listener->beyond(footprint_of(owner, space, addr, rows, row_bytes, pitch, how));
    const bool gm = space == Space::gm;
    if (workers != nullptr) workers->finish();  // the bytes move
    data = gm ? gm_.find_overrun(range.low, range.bytes, how)
              : owner.local_overrun(space, range.low, range.bytes);
    if (data == nullptr) return nullptr;
    touch(space, rows, row_bytes, pitch, range, how);
    const uint64_t end = gm ? gm_.end_around(range.low) : machine_.bytes[static_cast<size_t>(space)];
    data += addr - range.low;
    if (report_footprints) report_inside(owner, space, end, addr, rows, row_bytes, pitch, how, data);
    return data;
  }
  touch(space, rows, row_bytes, pitch, range, how);
  data += addr - range.low;
  if (report_footprints) report(owner, space, addr, rows, row_bytes, rows == 1 ? 0 : pitch, how, data);
  return data;
}

bool CoreMemory::may_reach(uint32_t peer, Range range, exec::AccessMode how) {
  const auto say = [&](std::string_view what, std::string argument = {}) {
    if (listener != nullptr)
      listener->out_of_bounds(
          Space::gm, range.low,
          fmt::format("{} bytes at {:#x} of gm, of rank {}: {}", range.bytes, range.low, peer, what),
          std::move(argument));
    return false;
  };
  const uint64_t low = gm_.port->here(range.low);
  const GlobalMemory::Allocation* const around = gm_.around(low);
  if (around == nullptr || low - around->addr > around->bytes ||
      range.bytes > around->bytes - (low - around->addr)) {
    GlobalMemory::Miss miss = gm_.nearest(low, range.bytes);
    return say(miss.words, std::move(miss.argument));
  }
  if (!around->window)
    return say(fmt::format("argument '{}' is in no window", around->name), std::string(around->name));
  if (!gm_.port->runs()) return say("threads do not reach other devices here");
  if (how == exec::AccessMode::update && !gm_.port->adds())
    return say("of atomics of other devices only sums are carried out");
  return true;
}

bool CoreMemory::notify(uint64_t addr, int32_t value, bool set) {
  RankEndpoint* const port = gm_.port;
  if (port == nullptr) return false;
  if (const std::optional<uint32_t> peer = port->elsewhere(addr)) {
    if (may_reach(*peer, {addr, sizeof value}, exec::AccessMode::write)) port->notify(addr, value, set);
    return true;
  }
  std::byte* const word =
      access(Space::gm, addr, sizeof value, set ? exec::AccessMode::write : exec::AccessMode::update);
  if (word != nullptr) port->notify_here(addr, word, value, set);
  return true;
}

bool CoreMemory::looked(const exec::ViewDesc& words, isa::CmpPredicate how, int32_t wanted, bool passed,
                        bool waits) {
  RankEndpoint* const port = gm_.port;
  if (port == nullptr) return true;
  if (port->elsewhere(words.addr)) return false;
  constexpr size_t kMax = 4096;
  std::vector<uint64_t> all{words.addr};
  for (int dim = 0; dim < 5; ++dim) {
    const size_t before = all.size();
    for (int64_t i = 1; i < words.shape[dim] && all.size() < kMax; ++i) {
      for (size_t k = 0; k < before; ++k)
        all.push_back(all[k] + static_cast<uint64_t>(i * words.stride[dim]) * sizeof(int32_t));
    }
  }
  port->looked(std::move(all), how, wanted, passed, waits);
  return true;
}

std::byte* CoreMemory::access(Space space, uint64_t addr, uint64_t bytes, exec::AccessMode how) {
  return rows_of(*this, space, addr, 1, bytes, 0, how);
}

std::byte* CoreMemory::access_rows(Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes,
                                   int64_t pitch, exec::AccessMode how) {
  return rows_of(*this, space, addr, rows, row_bytes, pitch, how);
}

std::byte* CoreMemory::access_peer(int core, Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes,
                                   int64_t pitch, exec::AccessMode how) {
  CoreMemory* peer = core >= 0 && core < 3 ? peers[static_cast<size_t>(core)] : nullptr;
  if (peer == nullptr) {
    if (listener != nullptr) {
      static constexpr const char* kNames[] = {"AIC", "AIV0", "AIV1"};
      listener->out_of_bounds(space, addr,
                              fmt::format("{} of {}, which does not run in this kernel", to_string(space),
                                          core >= 0 && core < 3 ? kNames[core] : "an unknown core"),
                              {});
    }
    return nullptr;
  }
  return rows_of(*peer, space, addr, rows, row_bytes, pitch, how);
}

}  // namespace pto::sim
