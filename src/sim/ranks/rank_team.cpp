#include "sim/ranks/rank_team.hpp"

#include <system_error>
#include <utility>

namespace pto::sim {
namespace {

constexpr int kLooks = 200;  ///< before a helper sleeps: the next iteration comes soon

}  // namespace

RankThreadPool::RankThreadPool(unsigned threads) {
  try {
    while (helpers_.size() + 1 < threads) helpers_.emplace_back([this] { help(); });
  } catch (const std::system_error&) {  // those that are there do it
  }
}

RankThreadPool::~RankThreadPool() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
    ++turn_;
  }
  begins_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void RankThreadPool::each(size_t count, const std::function<void(size_t)>& work) {
  if (helpers_.empty() || count < 2) {
    for (size_t i = 0; i < count; ++i) work(i);
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    work_ = &work;
    count_ = count;
    next_ = 0;
    ++turn_;
  }
  begins_.notify_all();
  run(work, count);
  std::unique_lock lock(mutex_);
  work_ = nullptr;
  ends_.wait(lock, [&] { return inside_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void RankThreadPool::run(const std::function<void(size_t)>& work, size_t count) {
  for (size_t i = next_++; i < count; i = next_++) {
    try {
      work(i);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_ || i < failed_) {
        failure_ = std::current_exception();
        failed_ = i;
      }
    }
  }
}

void RankThreadPool::help() {
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    if (turn_ == seen) {
      lock.unlock();
      for (int look = 0; look < kLooks && turn_ == seen; ++look) std::this_thread::yield();
      lock.lock();
      begins_.wait(lock, [&] { return turn_ != seen; });
    }
    seen = turn_;
    if (over_) return;
    if (work_ == nullptr) continue;
    const std::function<void(size_t)>& work = *work_;
    const size_t count = count_;
    ++inside_;
    lock.unlock();
    run(work, count);
    lock.lock();
    if (--inside_ == 0) ends_.notify_one();
  }
}

}  // namespace pto::sim
