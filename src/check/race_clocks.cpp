#include "check/race_clocks.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "sim/ranks/signal_words.hpp"

namespace pto::sim {

ClockStamp stamp_of(order::Epoch at, const PipeClock& clock) {
  std::string text;
  for (const uint32_t number : {at.thread, at.value})
    text.append(reinterpret_cast<const char*>(&number), sizeof number);
  clock.write(text);
  return std::make_shared<const std::string>(std::move(text));
}

namespace {

/// Its epoch, without the clock.
order::Epoch epoch_of(const ClockStamp& stamp) {
  uint32_t numbers[2] = {};
  if (stamp != nullptr && stamp->size() >= sizeof numbers)
    std::memcpy(numbers, stamp->data(), sizeof numbers);
  return {numbers[0], numbers[1]};
}

int32_t sum(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

}  // namespace

Stamped read_stamp(const ClockStamp& stamp) {
  constexpr size_t kHead = 2 * sizeof(uint32_t);
  Stamped out;
  out.at = epoch_of(stamp);
  if (stamp != nullptr && stamp->size() >= kHead)
    out.clock = PipeClock::read(std::string_view(*stamp).substr(kHead));
  return out;
}

std::vector<PipeClock> NeededNotifies::clocks_of(const WaitReleased& awoken, const PipeClock& seen) {
  std::vector<PipeClock> out;
  for (const WaitReleased::Word& word : awoken.words) add_clocks_of_word(awoken, word, seen, out);
  return out;
}

/// A word that is only added to: a notify is needed when the word would not compare without it and without
/// those that come because of it. A word that one core notifies: up to the one from which on it compares.
/// Else all are taken to be needed, which finds less.
void NeededNotifies::add_clocks_of_word(const WaitReleased& awoken, const WaitReleased::Word& word,
                                        const PipeClock& seen, std::vector<PipeClock>& out) {
  constexpr size_t kMax = 64;
  const std::span<const Notification> all = word.notified;
  const auto received = [&](const Notification& by) {
    const order::Epoch at = epoch_of(by.stamp);
    return seen[at.thread] >= at.value;
  };
  size_t& known = known_[{awoken.core, word.address}];
  while (known < all.size() && received(all[known])) ++known;
  const std::span<const Notification> fresh = all.subspan(known);
  if (fresh.empty()) return;
  const bool one = std::ranges::all_of(
      fresh, [&](const Notification& by) { return by.rank == fresh[0].rank && by.core == fresh[0].core; });
  if (one) {
    size_t needed = fresh.size();
    while (needed > 0 && isa::holds(awoken.how, fresh[needed - 1].after, awoken.wanted)) --needed;
    // The one that makes it compare knows of those before.
    if (needed < fresh.size() && (needed > 0 || !isa::holds(awoken.how, fresh[0].before, awoken.wanted)))
      out.push_back(read_stamp(fresh[needed].stamp).clock);
    return;
  }
  std::vector<Stamped> stamps;
  for (const Notification& by : fresh) stamps.push_back(read_stamp(by.stamp));
  if (fresh.size() > kMax || std::ranges::any_of(fresh, &Notification::set)) {
    for (const Stamped& each : stamps) out.push_back(each.clock);
    return;
  }
  for (size_t i = 0; i < fresh.size(); ++i) {
    int32_t without = fresh[0].before;
    for (size_t j = 0; j < fresh.size(); ++j) {
      const bool after = stamps[j].clock[stamps[i].at.thread] >= stamps[i].at.value;
      if (!after) without = sum(without, fresh[j].value);
    }
    if (!isa::holds(awoken.how, without, awoken.wanted)) out.push_back(stamps[i].clock);
  }
}

}  // namespace pto::sim
