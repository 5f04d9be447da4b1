#include "sim/ranks/rank_windows.hpp"

#include <algorithm>
#include <utility>

namespace pto::sim {

uint64_t RankWindows::run(uint64_t limit) {
  uint64_t end = 0;
  for (;;) {
    const uint64_t first = transport_.least(earliest());
    if (first == ~uint64_t{0} || first > limit) return end;
    end = first + links_.least_latency();
    advance(end);
    exchange();
  }
}

/// Of the ranks of this process.
uint64_t RankWindows::earliest() const {
  uint64_t first = ~uint64_t{0};
  for (const Member& member : members_) first = std::min(first, member.run->next());
  return first;
}

void RankWindows::advance(uint64_t end) {
  std::vector<DeviceRun*> busy;
  for (const Member& member : members_) {
    if (member.run->next() < end) busy.push_back(member.run);
  }
  team_.each(busy.size(), [&](size_t i) { busy[i]->advance(end); });
}

void RankWindows::exchange() {
  std::vector<std::vector<Message>> to(transport_.processes());
  for (const Member& member : members_) {
    for (Message& message : member.port->take_outgoing())
      to[transport_.owner(message.next, links_.ranks())].push_back(std::move(message));
  }
  const uint32_t self = transport_.process();
  deliver(std::move(to[self]));
  to[self].clear();
  if (transport_.processes() == 1) return;
  std::vector<std::string> texts;
  for (const std::vector<Message>& each : to) texts.push_back(packed(each));
  for (const std::string& text : transport_.exchange(std::move(texts))) deliver(unpacked(text));
}

void RankWindows::deliver(std::vector<Message> messages) {
  for (Message& message : messages) {
    const auto member =
        std::ranges::find(members_, message.next, [](const Member& each) { return each.port->rank(); });
    if (member != members_.end()) member->port->put(std::move(message));
  }
}

}  // namespace pto::sim
