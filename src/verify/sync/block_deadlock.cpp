// Why cores of a block do not come to their ends, and what they leave. Within one core core_deadlock.cpp says
// so.
#include <algorithm>

#include "verify/sync/block_model.hpp"

namespace pto::legality::sync {

/// What stands first there: an entry of a queue, or the step at which the scalar unit stands.
std::optional<BlockModel::Entry> BlockModel::head(BlockPlace at) {
  const Core& own = cores_[at.core];
  if (!own.queues[at.lane].empty()) return own.queues[at.lane].front();
  const std::vector<Step>& steps = traces_[at.core].steps;
  if (at.lane != kScalarLane || own.next == steps.size()) return std::nullopt;
  return Entry{.step = steps[own.next]};
}

/// Where the next signal for a wait is held up; nothing: there is none.
std::optional<BlockPlace> BlockModel::holder_of_signal(size_t core, const Step& wait) const {
  const auto semaphore = semaphores_.find(awaited(core, wait));
  std::optional<BlockPlace> found;
  for (const uint8_t from : sources(core, wait)) {
    // The cube core waits for both; one that has told already holds nothing up.
    if (core == 0 && !wait.pair && !semaphore->second.parts[from - 1U].empty()) continue;
    const auto matches = [&](const Step& step) {
      return step.kind == Step::Kind::send_signal && reaches(from, step, core, wait);
    };
    const Core& other = cores_[from];
    std::optional<BlockPlace> here;
    for (uint8_t lane = 0; lane < kLanes && !here; ++lane) {
      if (std::ranges::any_of(other.queues[lane], [&](const Entry& entry) { return matches(entry.step); }))
        here = BlockPlace{from, lane};
    }
    const std::vector<Step>& steps = traces_[from].steps;
    if (!here && std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(other.next), steps.end(), matches))
      here = BlockPlace{from, kScalarLane};
    if (!here) return std::nullopt;
    if (!found) found = here;
  }
  return found;
}

/// What has to go on before this can.
std::optional<BlockPlace> BlockModel::holder(BlockPlace at, const Entry& head) {
  const Core& own = cores_[at.core];
  const Step& step = head.step;
  const bool queued = !own.queues[at.lane].empty();
  if (at.lane == kScalarLane && !queued) {  // the scalar unit stands in front of this step
    if (own.result_of >= 0) return BlockPlace{at.core, static_cast<uint8_t>(own.result_of)};
    for (uint8_t lane = kFirstQueue; lane < kLanes; ++lane) {
      if (!own.queues[lane].empty()) return BlockPlace{at.core, lane};
    }
    return std::nullopt;
  }
  switch (step.kind) {
    case Step::Kind::wait_signal:
      return holder_of_signal(at.core, step);
    case Step::Kind::wait: {
      const auto src = static_cast<uint8_t>(step.flag.src);
      const auto sets = [&](const Step& other) {
        return other.kind == Step::Kind::set && other.flag == step.flag;
      };
      if (std::ranges::any_of(own.queues[src], [&](const Entry& entry) { return sets(entry.step); }))
        return BlockPlace{at.core, src};
      const std::vector<Step>& steps = traces_[at.core].steps;
      if (std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(own.next), steps.end(), sets))
        return BlockPlace{at.core, kScalarLane};
      return std::nullopt;
    }
    case Step::Kind::get_buf:
    case Step::Kind::rls_buf: {
      const Buffer& buffer = cores_[at.core].buffers[step.id];
      for (uint8_t lane = 0; lane < kLanes; ++lane) {
        if (lane != at.lane && buffer.done[lane] < head.releases[lane]) return BlockPlace{at.core, lane};
      }
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

Hang BlockModel::make_hang(BlockPlace at, const Step& wait) {
  const uint32_t asked = awaited(at.core, wait);
  const Semaphore& semaphore = semaphores_[asked];
  Hang built{.at = at, .wait = wait, .signals = semaphore.signals, .taken = semaphore.taken};
  if (semaphore.tellers != 0) built.signal = semaphore.last;
  for (const auto& [id, other] : semaphores_) {
    if (id >> 8 == asked >> 8 && other.waiters == 0 && other.tellers != 0) built.idle = other.last;
  }
  return built;
}

void BlockModel::explain() {
  std::vector<BlockPlace> reported_findings;
  for (uint8_t core = 0; core < kBlockCores; ++core) {
    for (uint8_t lane = 0; lane < kLanes; ++lane) {
      const BlockPlace start{core, lane};
      const std::optional<Entry> first = head(start);
      if (!first) continue;
      const bool waits = first->step.kind == Step::Kind::wait_signal && !cores_[core].queues[lane].empty();
      if (waits && !holder(start, *first)) {
        hangs.push_back(make_hang(start, first->step));
        continue;
      }
      if (!waits || !one_waiter_ || std::ranges::count(reported_findings, start) != 0) continue;
      std::vector<std::pair<BlockPlace, Step>> circle;
      std::optional<BlockPlace> next = holder(start, *first);
      while (next && *next != start && circle.size() < kBlockCores * kLanes) {
        const std::optional<Entry> there = head(*next);
        if (!there) break;
        circle.emplace_back(*next, there->step);
        next = holder(*next, *there);
      }
      if (!next || *next != start) continue;
      for (const auto& [place, step] : circle) reported_findings.push_back(place);
      hangs.push_back(make_hang(start, first->step));
      hangs.back().circle = std::move(circle);
    }
  }
}

/// Signals that a vector core gets because its sibling does are often left, and those to a core that does
/// nothing: programs that use one of the two.
void BlockModel::find_left() {
  const auto idle = [&](size_t core) {
    return std::ranges::all_of(traces_[core].steps,
                               [](const Step& step) { return step.kind == Step::Kind::drain; });
  };
  for (const auto& [id, semaphore] : semaphores_) {
    if (semaphore.tokens.empty() || semaphore.open || semaphore.optional) continue;
    const size_t target = id >> 8;
    if (target != 0 && idle(target) && !idle(3 - target)) continue;
    const auto sibling = target == 0
                             ? semaphores_.end()
                             : semaphores_.find((id & 0xff) | static_cast<uint32_t>((3 - target) << 8));
    if (sibling != semaphores_.end() && sibling->second.taken != 0) continue;
    left.push_back({static_cast<uint8_t>(target), semaphore.last,
                    static_cast<uint32_t>(semaphore.tokens.size()), semaphore.signals, semaphore.taken});
  }
}

}  // namespace pto::legality::sync
