// Values on several threads of the host. The engine decides alone what happens when; the bytes that an
// instruction moves and computes, once its memory is granted, are a piece of work that may be done later and
// elsewhere. Pieces of one block are done in the order in which they were handed over. Pieces of several
// blocks that touch the same bytes of GM, one of them writing, are, too. Who wants to see bytes waits for
// them: so every byte is what it is on one thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pto::sim {

/// Rows of GM, as an access has them.
struct GmRows {
  uint64_t begin = 0, end = 0;
  uint64_t row_bytes = 0, pitch = 0;  ///< pitch 0: everything between begin and end
};
/// False only where no byte is in both.
bool overlap(const GmRows& a, const GmRows& b);

/// All members are for the one thread that hands over, but for what the workers do.
class Workers {
 public:
  /// `threads`: with the one that hands over.
  Workers(unsigned threads, uint32_t blocks);
  /// Everything is done then.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// From here on accesses belong to a piece of work of `block`, until `end`.
  void begin(uint32_t block);
  void end() { collecting_ = false; }
  [[nodiscard]] bool collecting() const { return collecting_; }
  /// Hands over a piece that makes the accesses since `begin`. Small ones are done at once where nothing has
  /// to be waited for.
  void add(std::function<void()> work);

  // ---- accesses: part of a piece of work, or of somebody who looks at the bytes now
  /// On-chip memory of the block's cores.
  void touch_chip(uint32_t block, uint64_t bytes);
  void touch_gm(const GmRows& rows, bool write);

  /// Waits for a block's pieces, or for all.
  void finish(uint32_t block);
  void finish();

 private:
  struct Need {
    uint32_t block = 0;
    uint64_t serial = 0;
  };
  struct Piece {
    std::function<void()> work;
    uint64_t serial = 0;
    std::vector<Need> needs;  ///< pieces of other blocks that come first
  };
  /// The pieces of a block.
  struct Line {
    std::deque<Piece> pieces;
    uint64_t added = 0;             ///< serial of the last one
    std::atomic<uint64_t> done{0};  ///< likewise
    bool listed = false;            ///< among `ready_` or `held_`, or a thread has it
  };
  struct GmAccess {
    GmRows rows;
    Need piece;
    bool write = false;
  };

  [[nodiscard]] bool is_done(const Need& need) const {
    return lines_[need.block].done.load(std::memory_order_acquire) >= need.serial;
  }
  void need(const GmRows& rows, bool write);
  void push(std::function<void()> work);
  void wait_for(const Need& need);
  void forget_done();
  void start_threads();
  void serve();
  bool work_once(std::unique_lock<std::mutex>& lock);
  void run(Piece& piece);

  const unsigned threads_;
  const uint32_t blocks_;
  // ---- of the thread that hands over
  bool collecting_ = false;
  uint32_t block_ = 0;
  uint64_t bytes_ = 0;             ///< of the piece that is being collected
  std::vector<GmAccess> touched_;  ///< likewise
  std::vector<Need> needs_;        ///< likewise, before it
  std::vector<GmAccess> pending_;  ///< of pieces that may not be done yet
  size_t kept_ = 0;                ///< of them, when those that are done were forgotten
  std::vector<std::thread> helpers_;
  // ---- of all, under the mutex
  std::mutex mutex_;
  std::condition_variable work_comes_, work_done_;
  std::unique_ptr<Line[]> lines_;
  std::deque<uint32_t> ready_;  ///< blocks whose next piece may be done
  std::vector<uint32_t> held_;  ///< blocks whose next piece needs others
  size_t waiting_ = 0;          ///< pieces that nobody does yet
  size_t asleep_ = 0;           ///< threads
  bool over_ = false, somebody_waits_ = false;
  std::exception_ptr failure_;
};

}  // namespace pto::sim
