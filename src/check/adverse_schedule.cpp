#include "check/adverse_schedule.hpp"

#include <algorithm>
#include <cstring>

namespace pto::sim {

void OldBytes::save(MemoryKey memory, uint64_t begin, std::span<const std::byte> now) {
  auto& pages = pages_[memory];
  const uint64_t bytes = now.size();
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t at = begin + done, place = at % kPage, count = std::min(kPage - place, bytes - done);
    Page& page = pages[at / kPage];
    std::memcpy(page.bytes.data() + place, now.data() + done, count);
    page.known.assign(place, place + count, true);
    done += count;
  }
}

void OldBytes::copy(MemoryKey memory, uint64_t begin, std::byte* to, uint64_t bytes) const {
  const auto pages = pages_.find(memory);
  if (pages == pages_.end()) return;
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t at = begin + done, place = at % kPage, count = std::min(kPage - place, bytes - done);
    if (const auto page = pages->second.find(at / kPage); page != pages->second.end()) {
      Intervals<bool> known = page->second.known;
      known.look(place, place + count, [&](uint64_t from, uint64_t end, const bool* is) {
        if (is != nullptr)
          std::memcpy(to + done + (from - place), page->second.bytes.data() + from, end - from);
      });
    }
    done += count;
  }
}

void AdverseReads::add(const Reader& reader, Bytes bytes) {
  if (bytes_ + bytes.bytes.size() > kMax) return;
  bytes_ += bytes.bytes.size();
  readers_[reader].push_back(std::move(bytes));
}

const std::vector<AdverseReads::Bytes>* AdverseReads::bytes_of(const Reader& reader) const {
  const auto found = readers_.find(reader);
  return found == readers_.end() ? nullptr : &found->second;
}

AdverseSchedule::AdverseSchedule(const Machine& machine, AdverseReads* learnt, const AdverseReads* known)
    : races_(make_race_checker(machine,
                               [this](const UnorderedPair& pair) {
                                 if (pair.is_benign || pair.flag >= 0) return;
                                 if (pair.behind_write)
                                   unordered_.push_back({pair.begin, pair.end});
                                 else if (pair.first == pair.second && pair.first_core == pair.second_core)
                                   overtaking_.push_back({{pair.begin, pair.end}, pair.first_issued});
                               })),
      learned_(learnt),
      known_(known) {}

void AdverseSchedule::on_start(std::span<const CoreInfo> cores, const Program& program) {
  races_->on_start(cores, program);
}

void AdverseSchedule::on_argument(uint32_t index, std::string_view name, uint64_t addr, uint64_t bytes,
                                  bool initialised) {
  races_->on_argument(index, name, addr, bytes, initialised);
}

void AdverseSchedule::on_order(const OrderEvent& event) { races_->on_order(event); }

void AdverseSchedule::on_vector_function(uint32_t core, uint32_t pc, bool begins) {
  put_back();
  if (begins)
    functions_[core] = pc;
  else
    functions_.erase(core);
}

void AdverseSchedule::on_footprint(const FootprintEvent& event) {
  const auto function = event.pipe == Pipe::v ? functions_.find(event.core) : functions_.end();
  const uint32_t pc = function == functions_.end() ? event.pc : function->second;
  if (event.core != core_ || pc != pc_ || event.time != time_) {
    put_back();
    core_ = event.core;
    pc_ = pc;
    time_ = event.time;
  }
  unordered_.clear();
  overtaking_.clear();
  races_->on_footprint(event);
  if (event.data == nullptr || event.space == Space::none) return;
  const bool adds = event.update && (event.space == Space::gm || event.space == Space::l0c);
  for (const Range& range : unordered_) {
    if (!event.write || adds) show_old(event, range);
  }
  if (known_ != nullptr && !event.write) show_new(event);
  if (!event.write) return;
  for (const auto& [range, issued] : overtaking_) {
    if (learned_ == nullptr) break;
    to_learn_.push_back({{event.core, event.pipe, issued},
                         memory_of(event),
                         range.begin,
                         event.data + static_cast<int64_t>(range.begin - event.addr),
                         range.end - range.begin});
  }
  for (const Range& range : unordered_) {
    if (!adds) lose(event, range);
  }
  save_old_bytes(event);
}

void AdverseSchedule::show_old(const FootprintEvent& event, Range range) {
  std::byte* const at = event.data + static_cast<int64_t>(range.begin - event.addr);
  std::vector<std::byte> after = real(memory_of(event), range.begin, at, range.end - range.begin);
  old_.copy(memory_of(event), range.begin, at, after.size());
  std::vector<std::byte> meanwhile(at, at + after.size());
  changed_.push_back({memory_of(event), range.begin, at, std::move(after), std::move(meanwhile), false});
}

/// What a write of the pipe behind this reader put there.
void AdverseSchedule::show_new(const FootprintEvent& event) {
  const auto* const pieces =
      known_->bytes_of({event.core, event.pipe, races_->issued(event.core, event.pipe)});
  if (pieces == nullptr) return;
  for_each_range(event, [&](uint64_t begin, uint64_t end) {
    for (const AdverseReads::Bytes& piece : *pieces) {
      if (piece.memory != memory_of(event)) continue;
      const uint64_t from = std::max(begin, piece.begin),
                     to = std::min(end, piece.begin + piece.bytes.size());
      if (from >= to) continue;
      std::byte* const at = event.data + static_cast<int64_t>(from - event.addr);
      std::vector<std::byte> after = real(piece.memory, from, at, to - from);
      std::memcpy(at, piece.bytes.data() + (from - piece.begin), to - from);
      std::vector<std::byte> meanwhile(at, at + (to - from));
      changed_.push_back({piece.memory, from, at, std::move(after), std::move(meanwhile), false});
    }
  });
}

void AdverseSchedule::learn_overtaking_writes() {
  for (const Overtaking& each : to_learn_)
    learned_->add(each.reader, {each.memory, each.begin, {each.at, each.at + each.bytes}});
  to_learn_.clear();
}

void AdverseSchedule::lose(const FootprintEvent& event, Range range) {
  std::byte* const at = event.data + static_cast<int64_t>(range.begin - event.addr);
  changed_.push_back({memory_of(event),
                      range.begin,
                      at,
                      real(memory_of(event), range.begin, at, range.end - range.begin),
                      {},
                      true});
}

/// What is there when nobody is shown anything else.
std::vector<std::byte> AdverseSchedule::real(MemoryKey memory, uint64_t begin, const std::byte* at,
                                             uint64_t bytes) const {
  std::vector<std::byte> out(at, at + bytes);
  for (auto it = changed_.rbegin(); it != changed_.rend(); ++it) {
    if (it->memory != memory || it->lost) continue;
    const uint64_t from = std::max(begin, it->begin),
                   to = std::min(begin + bytes, it->begin + it->after.size());
    if (from < to) std::memcpy(out.data() + (from - begin), it->after.data() + (from - it->begin), to - from);
  }
  return out;
}

/// What the entry has written itself is not old.
void AdverseSchedule::save_old_bytes(const FootprintEvent& event) {
  const MemoryKey memory = memory_of(event);
  auto& written = written_[memory];
  for_each_range(event, [&](uint64_t begin, uint64_t end) {
    written.look(begin, end, [&](uint64_t from, uint64_t to, const bool* is) {
      if (is == nullptr)
        old_.save(memory, from,
                  real(memory, from, event.data + static_cast<int64_t>(from - event.addr), to - from));
    });
    written.assign(begin, end, !event.update || event.space == Space::l0c);
  });
}

void AdverseSchedule::put_back() {
  learn_overtaking_writes();
  for (auto it = changed_.rbegin(); it != changed_.rend(); ++it) {
    Changed& change = *it;
    const uint64_t bytes = change.after.size();
    if (change.lost) {
      std::memcpy(change.at, change.after.data(), bytes);
      continue;
    }
    written_[change.memory].look(change.begin, change.begin + bytes,
                                 [&](uint64_t from, uint64_t to, const bool* all) {
                                   if (all != nullptr && *all) return;
                                   for (uint64_t i = from - change.begin; i < to - change.begin; ++i) {
                                     if (all == nullptr || change.at[i] == change.meanwhile[i])
                                       change.at[i] = change.after[i];
                                   }
                                 });
  }
  changed_.clear();
  written_.clear();
}

namespace {

class AdverseTimer final : public timing::VectorFunctionTimer {
 public:
  explicit AdverseTimer(AdverseCosts& costs) : costs_(costs) {}
  void begin() override { cost_ = {}; }
  void step(const decode::Inst& inst, const decode::Word* frame) override {
    const timing::Cost one = costs_.cost(inst, frame);
    if (one.latency > cost_.latency) cost_ = one;
  }
  void loop_iteration() override {}
  timing::Cost end() override { return cost_; }

 private:
  AdverseCosts& costs_;
  timing::Cost cost_;
};

}  // namespace

std::unique_ptr<timing::VectorFunctionTimer> AdverseCosts::vector_function() {
  return std::make_unique<AdverseTimer>(*this);
}

}  // namespace pto::sim
