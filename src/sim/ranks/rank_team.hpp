// Devices that run side by side on threads of the host.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pto::sim {

/// All members are for the one thread that made it.
class RankThreadPool {
 public:
  /// `threads`: with the one that calls; fewer where the host gives no more.
  explicit RankThreadPool(unsigned threads);
  ~RankThreadPool();
  RankThreadPool(const RankThreadPool&) = delete;
  RankThreadPool& operator=(const RankThreadPool&) = delete;

  /// Calls `work` with each index below `count`, in any order, and returns when all calls are
  /// complete. If several calls throw, the exception of the least index is thrown.
  void each(size_t count, const std::function<void(size_t)>& work);

 private:
  void help();
  void run(const std::function<void(size_t)>& work, size_t count);

  std::vector<std::thread> helpers_;
  std::atomic<size_t> next_ = 0;
  std::atomic<uint64_t> turn_ = 0;  ///< changes when there is something to do
  std::mutex mutex_;
  std::condition_variable begins_, ends_;
  // ---- under the mutex
  const std::function<void(size_t)>* work_ = nullptr;  ///< null: those who come late have nothing to do
  size_t count_ = 0, inside_ = 0;
  bool over_ = false;
  size_t failed_ = 0;
  std::exception_ptr failure_;
};

}  // namespace pto::sim
