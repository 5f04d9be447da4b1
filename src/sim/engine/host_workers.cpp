#include "sim/engine/host_workers.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace pto::sim {
namespace {

constexpr uint64_t kSmall = 16 << 10;  ///< bytes: less is done sooner than handed over
constexpr size_t kMany = 64;           ///< pieces for each thread that may wait
constexpr size_t kAtOnce = 4;  ///< pieces of a block that a thread takes together: its caches know them
constexpr size_t kSeparateAccesses = 4;  ///< of one piece; more are told as one

}  // namespace

bool overlap(const GmRows& a, const GmRows& b) {
  if (a.begin >= b.end || b.begin >= a.end) return false;
  if (a.pitch == 0 || a.pitch != b.pitch || a.row_bytes > a.pitch || b.row_bytes > a.pitch) return true;
  // Rows at the same distance: where the columns of one begin, counted from those of the other.
  const uint64_t shift = (b.begin % a.pitch + a.pitch - a.begin % a.pitch) % a.pitch;
  return shift < a.row_bytes || shift + b.row_bytes > a.pitch;
}

Workers::Workers(unsigned threads, uint32_t blocks)
    : threads_(threads), blocks_(blocks), lines_(std::make_unique<Line[]>(blocks)) {}

Workers::~Workers() {
  {
    std::unique_lock lock(mutex_);
    while (work_once(lock)) continue;
    over_ = true;
  }
  work_comes_.notify_all();
  for (std::thread& each : helpers_) each.join();
}

// ---- accesses

void Workers::begin(uint32_t block) {
  collecting_ = true;
  block_ = block;
  bytes_ = 0;
  touched_.clear();
  needs_.clear();
}

void Workers::touch_chip(uint32_t block, uint64_t bytes) {
  if (collecting_)
    bytes_ += bytes;
  else
    finish(block);
}

void Workers::touch_gm(const GmRows& rows, bool write) {
  if (!collecting_) {
    forget_done();
    for (const GmAccess& other : pending_) {
      if ((write || other.write) && overlap(rows, other.rows)) wait_for(other.piece);
    }
    return;
  }
  bytes_ += rows.pitch == 0 ? rows.end - rows.begin : (rows.end - rows.begin) / rows.pitch * rows.row_bytes;
  if (touched_.size() >= kSeparateAccesses && touched_.back().write == write) {
    GmRows& last = touched_.back().rows;
    last = {std::min(last.begin, rows.begin), std::max(last.end, rows.end)};
  } else {
    touched_.push_back({rows, {}, write});
  }
}

/// Pieces of other blocks that an access of the piece at hand comes after.
void Workers::need(const GmRows& rows, bool write) {
  for (const GmAccess& other : pending_) {
    if (other.piece.block == block_ || (!write && !other.write) || !overlap(rows, other.rows)) continue;
    const auto same = std::ranges::find(needs_, other.piece.block, &Need::block);
    if (same == needs_.end())
      needs_.push_back(other.piece);
    else
      same->serial = std::max(same->serial, other.piece.serial);
  }
}

void Workers::forget_done() {
  constexpr size_t kWorthALook = 64;
  if (pending_.size() < std::max(kWorthALook, 2 * kept_)) return;
  std::erase_if(pending_, [&](const GmAccess& access) { return is_done(access.piece); });
  kept_ = pending_.size();
}

// ---- handing over

void Workers::add(std::function<void()> work) {
  forget_done();
  for (const GmAccess& access : touched_) need(access.rows, access.write);
  std::erase_if(needs_, [&](const Need& each) { return is_done(each); });
  const Line& line = lines_[block_];
  if (bytes_ < kSmall && needs_.empty() && is_done({block_, line.added})) return work();
  push(std::move(work));
}

void Workers::push(std::function<void()> work) {
  if (helpers_.empty()) start_threads();
  Line& line = lines_[block_];
  ++line.added;
  for (const GmAccess& access : touched_)
    pending_.push_back({access.rows, {block_, line.added}, access.write});
  std::unique_lock lock(mutex_);
  line.pieces.push_back({std::move(work), line.added, needs_});
  ++waiting_;
  if (!std::exchange(line.listed, true)) ready_.push_back(block_);
  if (asleep_ != 0 && !ready_.empty()) work_comes_.notify_one();
  // Enough is waiting: this thread helps.
  while (waiting_ > kMany * threads_ && work_once(lock)) continue;
}

void Workers::finish(uint32_t block) { wait_for({block, lines_[block].added}); }

void Workers::finish() {
  for (uint32_t block = 0; block < blocks_; ++block) finish(block);
  pending_.clear();
  std::unique_lock lock(mutex_);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Workers::wait_for(const Need& need) {
  if (is_done(need)) return;
  std::unique_lock lock(mutex_);
  while (!is_done(need)) {
    if (work_once(lock)) continue;
    somebody_waits_ = true;
    work_done_.wait(lock);
    somebody_waits_ = false;
  }
}

// ---- doing it

/// As many as the host gives: with none of them the pieces are done where they are waited for.
void Workers::start_threads() {
  try {
    while (helpers_.size() + 1 < threads_) helpers_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
  }
}

void Workers::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (work_once(lock)) continue;
    if (over_) return;
    ++asleep_;
    work_comes_.wait(lock);
    --asleep_;
  }
}

/// Does pieces of one block. False when there is none that can be done now.
bool Workers::work_once(std::unique_lock<std::mutex>& lock) {
  while (!ready_.empty()) {
    const uint32_t block = ready_.front();
    ready_.pop_front();
    Line& line = lines_[block];
    std::vector<Piece> taken;
    while (taken.size() < kAtOnce && !line.pieces.empty() &&
           std::ranges::all_of(line.pieces.front().needs, [&](const Need& each) { return is_done(each); })) {
      taken.push_back(std::move(line.pieces.front()));
      line.pieces.pop_front();
    }
    if (taken.empty()) {
      held_.push_back(block);
      continue;
    }
    waiting_ -= taken.size();
    lock.unlock();
    for (Piece& piece : taken) {
      run(piece);
      line.done.store(piece.serial, std::memory_order_release);
    }
    taken.clear();
    lock.lock();
    if (line.pieces.empty())
      line.listed = false;
    else
      ready_.push_back(block);
    // What needed these pieces may go on.
    for (const uint32_t each : std::exchange(held_, {})) ready_.push_back(each);
    if (somebody_waits_) work_done_.notify_one();
    if (asleep_ != 0 && !ready_.empty()) work_comes_.notify_one();
    return true;
  }
  return false;
}

void Workers::run(Piece& piece) {
  try {
    piece.work();
  } catch (...) {  // the thread that hands over raises it
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
  piece.work = nullptr;
}

}  // namespace pto::sim
