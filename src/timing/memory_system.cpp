#include "timing/memory_system.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace pto::timing {

uint64_t RateCalendar::take(uint64_t from, uint64_t bytes, double rate) {
  uint64_t left = bytes * kUnit;
  // Up, so that what nobody limits is not late by a rounding.
  const auto most = std::max<uint64_t>(static_cast<uint64_t>(std::ceil(rate * kUnit)), 1);
  for (uint64_t time = from;;) {
    const uint64_t bucket = time / kBucket, place = bucket % kSpan;
    if (at_[place] != bucket + 1) {
      at_[place] = bucket + 1;
      used_[place] = 0;
    }
    const uint64_t end = (bucket + 1) * kBucket, room = per_cycle_ * kBucket - used_[place];
    const uint64_t part = std::min({left, room, most * (end - time)});
    used_[place] += part;
    left -= part;
    if (left == 0) return time + (part + most - 1) / most;
    time = end;
  }
}

uint64_t L2Lines::touch(const GmWindow& window, bool write) {
  if (window.row_bytes == 0) return 0;
  const uint32_t copies = write ? 1 : 2;
  uint64_t missed = 0, addr = window.addr, last = ~uint64_t{0};
  for (uint64_t row = 0; row < window.rows; ++row, addr += static_cast<uint64_t>(window.pitch)) {
    for (uint64_t line = addr / kLine; line <= (addr + window.row_bytes - 1) / kLine; ++line) {
      if (std::exchange(last, line) == line) continue;  // rows that share it
      constexpr uint64_t kSpread = 0x9e3779b97f4a7c15ULL;
      constexpr unsigned kHigh = 59;  // one of 32
      if ((line * kSpread) >> kHigh != 0) continue;
      const auto [known, fresh] = lines_.try_emplace(line);
      if (fresh) {
        known->second = order_.insert(order_.begin(), {line, 0});
      } else {
        const bool gone = known->second->copies == 0;
        order_.splice(order_.begin(), gone ? left_ : order_, known->second);
        if (gone) missed += kLine * kSampled;
      }
      Line& touched = order_.front();
      used_ += std::max(copies, touched.copies) - touched.copies;
      touched.copies = std::max(copies, touched.copies);
    }
  }
  for (; used_ > room_ && !order_.empty(); left_.splice(left_.begin(), order_, std::prev(order_.end()))) {
    used_ -= order_.back().copies;
    order_.back().copies = 0;
  }
  return missed;
}

MemorySystem::MemorySystem(const MemoryConfig& config, uint64_t footprint)
    : config_(config),
      follows_lines_(config.hbm.value > 0 && static_cast<double>(footprint) > config.capacity.value),
      read_(config.read.value),
      write_(config.write.value),
      hbm_(config.hbm.value),
      lines_(static_cast<uint64_t>(config.capacity.value)) {}

auto MemorySystem::transfer(uint64_t from, uint64_t bytes, uint64_t alone, bool write, uint64_t sharers,
                            const GmWindow& window) -> Grant {
  Grant grant{from + alone, Limit::none};
  if (bytes == 0) return grant;
  const double own = static_cast<double>(bytes) / static_cast<double>(std::max<uint64_t>(alone, 1));
  const auto limit = [&](RateCalendar& calendar, double rate, uint64_t amount, Limit what) {
    if (!calendar.limited() || amount == 0) return;
    const uint64_t end = calendar.take(from, amount, std::min(own, rate / static_cast<double>(sharers)));
    if (end <= grant.end) return;
    grant.end = end;
    grant.limit = what;
  };
  if (write)
    limit(write_, config_.write.value, bytes, Limit::l2_write);
  else
    limit(read_, config_.read.value, bytes, Limit::l2_read);
  if (!follows_lines_) return grant;
  const uint64_t missed = grant.missed = lines_.touch(window, write);
  if (!write) limit(hbm_, config_.hbm.value, missed, Limit::hbm);
  // What is written goes to HBM later; nobody waits for it, but it takes its part.
  if (write && hbm_.limited() && missed != 0) hbm_.take(from, missed, config_.hbm.value);
  return grant;
}

uint64_t MemorySystem::signal(uint64_t time) {
  const uint64_t at = std::max(time, next_signal_);
  next_signal_ = at + static_cast<uint64_t>(config_.signal.value);
  return at;
}

}  // namespace pto::timing
