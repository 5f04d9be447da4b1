#include "sim/ranks/signal_words.hpp"

#include <algorithm>
#include <cstring>

namespace pto::sim {

using isa::CmpPredicate;

void SignalLog::write(uint64_t address, std::byte* at, Notification by) {
  std::memcpy(&by.before, at, sizeof by.before);
  by.after = by.set
                 ? by.value
                 : static_cast<int32_t>(static_cast<uint32_t>(by.before) + static_cast<uint32_t>(by.value));
  std::memcpy(at, &by.after, sizeof by.after);
  Word& word = words_[address];
  if (by.set && !word.notifies.empty()) {
    const Notification& last = word.notifies.back();
    if (last.rank != by.rank && (!word.awaited || *word.awaited < last.time))
      lost_.push_back({address, last, by});
  }
  word.notifies.push_back(by);
}

void SignalLog::waits(const Awaited& wait) {
  Awaited& open = open_[{wait.core, wait.pc}];
  const uint64_t first = open.words.empty() ? wait.time : open.first;
  open = wait;
  open.first = first;
}

std::vector<WaitReleased::Word> SignalLog::seen(const Awaited& wait) const {
  std::vector<WaitReleased::Word> out;
  for (const uint64_t address : wait.words) {
    const auto found = words_.find(address);
    if (found == words_.end()) continue;
    const Word& word = found->second;
    const auto before = word.passes.find(wait.core);
    out.push_back({address, word.notifies, before == word.passes.end() ? 0 : before->second.notifies});
  }
  return out;
}

void SignalLog::passed(const Awaited& wait) {
  open_.erase({wait.core, wait.pc});
  const Pass now{wait.pc, wait.how, wait.wanted, wait.time, 0, wait.stamp};
  std::optional<Stale> stale;
  bool all = true;
  for (const uint64_t address : wait.words) {
    Word& word = words_[address];
    const auto before = word.passes.find(wait.core);
    all = all && before != word.passes.end() && implies(before->second, wait.how, wait.wanted) &&
          held(word, before->second, wait.how, wait.wanted);
    if (all && !stale)
      stale = Stale{wait.core,           wait.pc, before->second.pc, wait.time,
                    before->second.time, address, wait.how,          wait.wanted};
    word.awaited = wait.time;
    Pass& pass = word.passes[wait.core] = now;
    pass.notifies = word.notifies.size();
    constexpr size_t kKept = 4096;
    if (wait.stamp != nullptr && word.all.size() < kKept) word.all.push_back(pass);
  }
  if (all && stale) stale_.push_back(*stale);
}

std::vector<SignalLog::Overtaking> SignalLog::overtaking(const OrderOracle& order) const {
  constexpr size_t kFollowing = 64;  // notifies behind a wait that could have come in front of it
  std::vector<Overtaking> out;
  for (const auto& [address, word] : words_) {
    for (const Pass& pass : word.all) {
      const size_t end = std::min(word.notifies.size(), pass.notifies + kFollowing);
      for (size_t i = pass.notifies; i < end; ++i) {
        const Notification& by = word.notifies[i];
        if (isa::holds(pass.how, by.after, pass.wanted) || by.stamp == nullptr ||
            order.comes_before(pass.stamp, by.stamp))
          continue;
        out.push_back({address, pass.pc, pass.how, pass.wanted, by});
        break;
      }
    }
  }
  return out;
}

/// Whether a word that passed the one comparison passes the other.
bool SignalLog::implies(const Pass& before, CmpPredicate how, int32_t wanted) {
  if (before.how == CmpPredicate::eq) return isa::holds(how, before.wanted, wanted);
  if (before.how != how) return false;
  if (how == CmpPredicate::sgt || how == CmpPredicate::sge) return wanted <= before.wanted;
  if (how == CmpPredicate::slt || how == CmpPredicate::sle) return wanted >= before.wanted;
  return wanted == before.wanted;
}

/// Whether the comparison has held all the time since.
bool SignalLog::held(const Word& word, const Pass& since, CmpPredicate how, int32_t wanted) {
  return std::all_of(word.notifies.begin() + static_cast<std::ptrdiff_t>(since.notifies), word.notifies.end(),
                     [&](const Notification& by) {
                       return isa::holds(how, by.before, wanted) && isa::holds(how, by.after, wanted);
                     });
}

const std::vector<Notification>* SignalLog::word_of(uint64_t word) const {
  const auto found = words_.find(word);
  return found == words_.end() || found->second.notifies.empty() ? nullptr : &found->second.notifies;
}

std::vector<SignalLog::Stale> SignalLog::stale() const {
  std::vector<Stale> out;
  for (const Stale& each : stale_) {
    const Word& word = words_.at(each.word);
    if (!word.notifies.empty() && word.notifies.back().time > each.passed) out.push_back(each);
  }
  return out;
}

}  // namespace pto::sim
