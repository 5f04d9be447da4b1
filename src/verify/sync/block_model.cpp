#include "verify/sync/block_model.hpp"

#include <algorithm>

namespace pto::legality::sync {
namespace {

constexpr uint32_t thread_of(size_t core, size_t lane) { return static_cast<uint32_t>(core * kLanes + lane); }
uint32_t name(const FlagKey& key) {
  return static_cast<uint32_t>((key.src * kLanes + key.dst) * 64 + key.id);
}

}  // namespace

BlockModel::BlockModel(const std::array<Trace, kBlockCores>& cores) : traces_(cores) {
  for (const Trace& trace : cores) ordered_ = ordered_ && !trace.order_open && !trace.flags_open;
  find_unreached();
}

// ---- who signals whom (as src/sim/engine/sync/cross_core_sync.cpp)

/// The second vector core may wait for its ids as the cube core names them.
uint32_t BlockModel::awaited(size_t core, const Step& wait) {
  return key(core, wait.pair, wait.pair && core == 2 ? wait.id % kIdsPerVectorCore : wait.id);
}

std::vector<uint32_t> BlockModel::reached(size_t core, const Step& tell) {
  if (!tell.pair) {
    if (core == 0) return {key(1, false, tell.id), key(2, false, tell.id)};
    return {key(0, false, tell.id)};
  }
  if (core == 0)
    return {key(1 + static_cast<size_t>(tell.id / kIdsPerVectorCore), true, tell.id % kIdsPerVectorCore)};
  return {key(0, true, tell.id + kIdsPerVectorCore * (static_cast<int>(core) - 1))};
}

bool BlockModel::reaches(size_t from, const Step& tell, size_t core, const Step& wait) {
  return std::ranges::count(reached(from, tell), awaited(core, wait)) != 0;
}

std::vector<uint8_t> BlockModel::sources(size_t core, const Step& wait) {
  if (core != 0) return {0};
  if (!wait.pair) return {1, 2};
  return {static_cast<uint8_t>(wait.id < kIdsPerVectorCore ? 1 : 2)};
}

void BlockModel::find_unreached() {
  for (size_t core = 0; core < kBlockCores; ++core) {
    for (const Step& step : traces_[core].steps) {
      if (step.kind == Step::Kind::work) works_[core].push_back(step.op);
      if (step.kind == Step::Kind::wait_signal) {
        Semaphore& received = semaphores_[awaited(core, step)];
        received.optional = received.optional || !step.certain;
        received.waiters |= static_cast<uint8_t>(1U << step.lane);
      } else if (step.kind == Step::Kind::send_signal) {
        for (const uint32_t target : reached(core, step)) {
          Semaphore& reported_findings = semaphores_[target];
          reported_findings.open = reported_findings.open || !step.certain;
          reported_findings.tellers |= static_cast<uint8_t>(1U << step.lane);
          reported_findings.last = step;
        }
      }
    }
  }
  for (std::vector<uint32_t>& ops : works_) std::ranges::sort(ops);
  const auto several = [](uint8_t lanes) { return (lanes & (lanes - 1)) != 0; };
  for (const auto& [id, semaphore] : semaphores_) {
    one_waiter_ = one_waiter_ && !several(semaphore.waiters);
    ordered_ = ordered_ && !several(semaphore.waiters) && !several(semaphore.tellers);
  }
}

std::optional<int> BlockModel::free_id() const {
  for (int id = 0; id < kIdsPerVectorCore; ++id) {
    const auto uses = [&](const auto& known) {
      return static_cast<int>(known.first & 0x7f) % kIdsPerVectorCore == id;
    };
    if (std::ranges::none_of(semaphores_, uses)) return id;
  }
  return std::nullopt;
}

// ---- running

void BlockModel::run() {
  for (bool any = true; any;) {
    any = false;
    for (size_t core = 0; core < kBlockCores; ++core) {
      while (advance(core)) any = true;
    }
  }
  explain();
  const bool ended = !blocked(0) && !blocked(1) && !blocked(2);
  if (ended) find_left();
  if (!ended) {
    races.clear();
    overflows.clear();
  }  // what a hang leaves undone orders nothing
}

bool BlockModel::blocked(size_t core) const {
  const Core& own = cores_[core];
  return own.next < traces_[core].steps.size() || own.result_of >= 0 ||
         std::ranges::any_of(own.queues, [](const auto& queue) { return !queue.empty(); });
}

/// Whether anything ran or was issued.
bool BlockModel::advance(size_t core) {
  bool any = false;
  while (issue(core)) any = true;
  for (auto& queue : cores_[core].queues) {
    while (!queue.empty() && ready(core, queue.front())) {
      Entry entry = std::move(queue.front());
      queue.pop_front();
      run(core, entry);
      any = true;
    }
  }
  return any;
}

bool BlockModel::issue(size_t core) {
  Core& own = cores_[core];
  const uint32_t scalar = thread_of(core, kScalarLane);
  if (own.result_of >= 0) {
    const auto lane = static_cast<size_t>(own.result_of);
    if (!own.queues[lane].empty()) return false;
    order_.acquire(scalar, order_.release_store(thread_of(core, lane)));
    own.result_of = -1;
    return true;
  }
  if (!own.queues[kScalarLane].empty() || own.next == traces_[core].steps.size()) return false;
  const Step& step = traces_[core].steps[own.next];
  if (step.kind == Step::Kind::drain) {
    for (size_t lane = kFirstQueue; lane < kLanes; ++lane) {
      if (!own.queues[lane].empty()) return false;
    }
    for (size_t lane = kFirstQueue; lane < kLanes; ++lane)
      order_.acquire(scalar, order_.release_store(thread_of(core, lane)));
    ++own.next;
    return true;
  }
  ++own.next;
  Entry entry{.step = step, .stamp = ++own.issued[step.lane], .known = order_.clock(scalar)};
  if (step.kind == Step::Kind::get_buf || step.kind == Step::Kind::rls_buf) {
    Buffer& buffer = own.buffers[step.id];
    if (step.orders) entry.releases = buffer.issued;
    if (step.kind == Step::Kind::rls_buf) ++buffer.issued[step.lane];
  }
  if (step.scalar_waits) own.result_of = step.lane;
  own.queues[step.lane].push_back(std::move(entry));
  return true;
}

bool BlockModel::ready(size_t core, const Entry& entry) {
  Core& own = cores_[core];
  const Step& step = entry.step;
  switch (step.kind) {
    case Step::Kind::wait_signal: {
      const Semaphore& semaphore = semaphores_[awaited(core, step)];
      return !step.certain || semaphore.open || !semaphore.tokens.empty();
    }
    case Step::Kind::wait:
      return traces_[core].flags_open || !own.flags[name(step.flag)].empty();
    case Step::Kind::get_buf:
    case Step::Kind::rls_buf: {
      const Buffer& buffer = own.buffers[step.id];
      for (size_t lane = 0; lane < kLanes; ++lane) {
        if (lane != step.lane && buffer.done[lane] < entry.releases[lane]) return traces_[core].flags_open;
      }
      return true;
    }
    default:
      return true;
  }
}

void BlockModel::run(size_t core, Entry& entry) {
  Core& own = cores_[core];
  const Step& step = entry.step;
  const uint32_t thread = thread_of(core, step.lane);
  order_.acquire(thread, entry.known);
  order_.execute(thread, entry.stamp);
  const auto take = [&](std::deque<BlockClock>& tokens) {
    if (tokens.empty()) return;
    order_.acquire(thread, tokens.front());
    tokens.pop_front();
  };
  switch (step.kind) {
    case Step::Kind::work:
      return touch(core, entry);
    case Step::Kind::set:
      return void(own.flags[name(step.flag)].push_back(order_.release_store(thread)));
    case Step::Kind::wait:
      return take(own.flags[name(step.flag)]);
    case Step::Kind::get_buf:
    case Step::Kind::rls_buf: {
      Buffer& buffer = own.buffers[step.id];
      for (size_t lane = 0; lane < kLanes; ++lane) {
        if (lane != step.lane && entry.releases[lane] != 0) order_.acquire(thread, buffer.clock[lane]);
      }
      if (step.kind == Step::Kind::get_buf) return;
      ++buffer.done[step.lane];
      buffer.clock[step.lane] = order_.release_store(thread);
      return;
    }
    case Step::Kind::send_signal:
      return step.certain ? signal(core, step, order_.release_store(thread)) : void();
    case Step::Kind::wait_signal: {
      if (!step.certain) return;
      Semaphore& semaphore = semaphores_[awaited(core, step)];
      ++semaphore.taken;
      semaphore.waits.push_back({{thread, entry.stamp}, step});
      return take(semaphore.tokens);
    }
    case Step::Kind::drain:
      return;
  }
}

/// A cube core is signalled when both vector cores have done so, unless A5 tells them apart.
void BlockModel::signal(size_t core, const Step& step, const BlockClock& clock) {
  for (const uint32_t target : reached(core, step)) {
    Semaphore& semaphore = semaphores_[target];
    BlockClock news = clock;
    if (core != 0 && !step.pair) {
      semaphore.parts[core - 1].push_back(clock);
      if (semaphore.parts[0].empty() || semaphore.parts[1].empty()) continue;
      for (auto& part : semaphore.parts) {
        news.merge(part.front());
        part.pop_front();
      }
    }
    judge_count(target, semaphore, step, news);
    ++semaphore.signals;
    semaphore.tokens.push_back(news);
  }
}

/// Nothing is said where something about the id, or about what orders, is not certain, nor of ids that nobody
/// waits for. What a core that signals nobody has waited for, nobody knows.
void BlockModel::judge_count(uint32_t target, const Semaphore& semaphore, const Step& step,
                             const BlockClock& clock) {
  constexpr uint32_t kMax = 15;  // src/sim/engine/sync/cross_core_sync.cpp
  const bool answers = std::ranges::any_of(
      traces_[target >> 8].steps, [](const Step& each) { return each.kind == Step::Kind::send_signal; });
  if ((answers && !ordered_) || semaphore.open || semaphore.optional || semaphore.waiters == 0 ||
      semaphore.signals < kMax)
    return;
  const uint32_t wanted = semaphore.signals - kMax;
  const bool taken = wanted < semaphore.waits.size();
  if (taken) {
    const order::Epoch& wait = semaphore.waits[wanted].at;
    if (clock[wait.thread] >= wait.value) return;
  }
  const bool known =
      std::ranges::any_of(overflows, [&](const Overflow& other) { return other.signal.op == step.op; });
  if (known) return;
  overflows.push_back({static_cast<uint8_t>(target >> 8), step, {}});
  if (taken) overflows.back().wait = semaphore.waits[wanted].wait;
}

// ---- accesses of GM

void BlockModel::touch(size_t core, const Entry& entry) {
  if (!ordered_) return;
  constexpr size_t kMaxRaces = 64, kMaxRecords = 64;
  const uint32_t thread = thread_of(core, entry.step.lane);
  for (uint32_t i = entry.step.begin; i < entry.step.end; ++i) {
    const BlockAccess now{.at = {static_cast<uint8_t>(core), entry.step.lane},
                          .op = entry.step.op,
                          .stamp = entry.stamp,
                          .access = traces_[core].accesses[i]};
    std::vector<BlockAccess>& before = accesses_[now.access.bytes.base];
    for (const BlockAccess& other : before) {
      if (other.at.core == core || (!other.access.write && !now.access.write) ||
          (other.access.update && now.access.update) || !other.access.bytes.certainly_meets(now.access.bytes))
        continue;
      const order::Epoch earlier{thread_of(other.at.core, other.at.lane), other.stamp};
      if (order_.is_ordered(earlier, thread) || is_uniform(other, now)) continue;
      if (races.size() < kMaxRaces) races.push_back({other, now});
    }
    // The last access of a lane stands for those before it.
    std::erase_if(before, [&](const BlockAccess& old) {
      return old.at == now.at && old.access.write == now.access.write &&
             old.access.bytes.begin == now.access.bytes.begin &&
             old.access.bytes.end == now.access.bytes.end && old.access.update == now.access.update;
    });
    if (before.size() < kMaxRecords) before.push_back(now);
  }
}

/// Vector cores that run the same text put the same bytes there.
bool BlockModel::is_uniform(const BlockAccess& one, const BlockAccess& other) const {
  if (one.at.core == 0 || other.at.core == 0) return false;
  const auto runs = [&](size_t core, uint32_t op) { return std::ranges::binary_search(works_[core], op); };
  return runs(other.at.core, one.op) || runs(one.at.core, other.op);
}

}  // namespace pto::legality::sync
