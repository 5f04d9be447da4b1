#include "timing/memory_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pto::timing {

uint64_t RateCalendar::reserve(uint64_t from, uint64_t bytes, double rate) {
  uint64_t left = bytes * kUnit;
  // Up, so that what nobody limits is not late by a rounding.
  const auto most = std::max<uint64_t>(static_cast<uint64_t>(std::ceil(rate * kUnit)), 1);
  for (uint64_t time = from;;) {
    const uint64_t bucket = time / kBucket;
    const uint64_t place = bucket % kSpan;
    if (at_[place] != bucket + 1) {
      at_[place] = bucket + 1;
      used_[place] = 0;
    }
    const uint64_t end = (bucket + 1) * kBucket;
    const uint64_t room = per_cycle_ * kBucket - used_[place];
    const uint64_t part = std::min({left, room, most * (end - time)});
    used_[place] += part;
    left -= part;
    if (left == 0) return time + (part + most - 1) / most;
    time = end;
  }
}

/// The line of that number, which comes into being with its first touch. At most half of the places are
/// taken.
uint32_t L2Lines::find(uint64_t number) {
  if (2 * lines_.size() >= places_.size()) grow();
  constexpr uint64_t kSpread = 0xbf58476d1ce4e5b9ULL;
  constexpr unsigned kHigh = 32;
  for (size_t place = (number * kSpread) >> kHigh;; ++place) {
    uint32_t& at = places_[place & (places_.size() - 1)];
    if (at == kNone) {
      at = static_cast<uint32_t>(lines_.size());
      lines_.push_back({number});
    }
    if (lines_[at].number == number) return at;
  }
}

void L2Lines::grow() {
  constexpr size_t kFirst = 1024;
  places_.assign(std::max(kFirst, 2 * places_.size()), kNone);
  for (const Line& line : std::exchange(lines_, {})) lines_[find(line.number)] = line;
}

void L2Lines::take_out(uint32_t at) {
  const Line& line = lines_[at];
  (line.newer == kNone ? first_ : lines_[line.newer].older) = line.older;
  (line.older == kNone ? last_ : lines_[line.older].newer) = line.newer;
}

void L2Lines::put_first(uint32_t at) {
  lines_[at].newer = kNone;
  lines_[at].older = first_;
  (first_ == kNone ? last_ : lines_[first_].newer) = at;
  first_ = at;
}

uint64_t L2Lines::touch(const GmWindow& window, bool write) {
  if (window.row_bytes == 0) return 0;
  const uint32_t copies = write ? 1 : 2;
  uint64_t missed = 0;
  uint64_t addr = window.addr;
  uint64_t last = ~uint64_t{0};
  for (uint64_t row = 0; row < window.rows; ++row, addr += static_cast<uint64_t>(window.pitch)) {
    for (uint64_t number = addr / kLine; number <= (addr + window.row_bytes - 1) / kLine; ++number) {
      if (std::exchange(last, number) == number) continue;  // rows that share it
      constexpr uint64_t kSpread = 0x9e3779b97f4a7c15ULL;
      constexpr unsigned kHigh = 59;  // one of 32
      if ((number * kSpread) >> kHigh != 0) continue;
      const size_t known = lines_.size();
      const uint32_t at = find(number);
      Line& line = lines_[at];
      if (line.copies != 0)
        take_out(at);
      else if (lines_.size() == known)
        missed += kLine * kSampled;
      put_first(at);
      used_ += std::max(copies, line.copies) - line.copies;
      line.copies = std::max(copies, line.copies);
    }
  }
  while (used_ > room_ && last_ != kNone) {
    Line& leaves = lines_[last_];
    take_out(last_);
    used_ -= std::exchange(leaves.copies, 0);
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
    const uint64_t end = calendar.reserve(from, amount, std::min(own, rate / static_cast<double>(sharers)));
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
  if (write && hbm_.limited() && missed != 0) hbm_.reserve(from, missed, config_.hbm.value);
  return grant;
}

uint64_t MemorySystem::signal(uint64_t time) {
  const uint64_t at = std::max(time, next_signal_);
  next_signal_ = at + static_cast<uint64_t>(config_.signal.value);
  return at;
}

}  // namespace pto::timing
