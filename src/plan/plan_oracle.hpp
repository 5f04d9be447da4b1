// Test support: an independent judge of planned programs. It runs the control flow with chosen trip counts
// and branches, takes addresses and roles from the operations themselves, and checks with vector clocks that
// every two conflicting accesses are ordered, that no flag is set twice or waited for in vain, and that none
// is left.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "pto/machine.hpp"
#include "pto/program.hpp"

namespace pto::test {

class Replay {
 public:
  /// `trips`: called for every run of a loop; `branch`: for every scf.if and select.
  Replay(const Program& program, Target target, std::function<uint64_t()> trips, std::function<bool()> branch)
      : program_(program), target_(target), trips_(std::move(trips)), branch_(std::move(branch)) {}

  /// Runs the program of one core of a function with sections, named by its section. Operations
  /// outside the sections must not use the pipes.
  void on_core(std::string_view section) { core_ = section; }
  /// Runs both cores, each until it waits for the other one. Accesses to GM and the signals between
  /// them are judged too. All loops must have the same trip count.
  void on_both_cores() { both_ = true; }
  /// One section behind the other, as if one core ran them all.
  void in_text_order() { core_ = kAll; }

  /// Problems found; empty when all is well.
  std::vector<std::string> run(uint32_t function) {
    const Region& body = body_of(program_, function);
    for (uint32_t i = 0; i < body.n_args; ++i)
      value_[body.first_arg + i] = {Space::gm, (uint64_t{i} + 1) << 32, uint64_t{1} << 32};
    if (both_)
      run_both(body);
    else
      block(body);
    for (const auto& [key, flag] : flags_)
      if (flag.set) problem("flag left: " + key);
    for (const auto& [key, signals] : signals_)
      if (signals.taken.size() != signals.set.size()) problem("signal left: " + std::to_string(key.second));
    return problems_;
  }
  [[nodiscard]] size_t accesses() const { return accesses_; }
  /// The final contents of GM by address: hashes of the operations that produced them.
  [[nodiscard]] std::map<uint64_t, uint64_t> results() const {
    std::map<uint64_t, uint64_t> found;
    for (const auto& [place, content] : contents_)
      if (place.first == Space::gm) found.emplace(place.second, content);
    return found;
  }

 private:
  struct Bytes {
    Space space = Space::none;
    uint64_t addr = 0, bytes = 0;
  };
  /// A pipe of a core: 0 is the only one, or the cube core, 1 the vector core.
  using Agent = std::pair<int, Pipe>;
  struct Event {
    Agent pipe;
    uint64_t number;
    bool write;
    Bytes bytes;
    uint32_t op;
  };
  using Clock = std::map<Agent, uint64_t>;
  struct FlagState {
    bool set = false;
    Clock clock;
    uint64_t waited = 0;  ///< number of the last wait in the destination
    bool used = false;
  };
  /// For one id: the clock of each signal, and the time at which it was taken.
  struct Signals {
    std::vector<Clock> set;
    std::vector<std::pair<Agent, uint64_t>> taken;
  };

  /// An operation with the values of its operands when the core reached it.
  static constexpr std::string_view kAll = "all";
  struct Entry {
    uint32_t op = 0;
    Agent agent;
    std::vector<std::pair<Bytes, isa::Role>> operands;
  };

  void run_both(const Region& body) {
    const std::map<ValueId, Bytes> begin = value_;
    for (at_ = 0; at_ < 2; ++at_) {
      value_ = begin;
      next_choice_ = 0;
      block(body);
    }
    std::array<size_t, 2> next{};
    for (bool more = true; more;) {
      more = false;
      for (const size_t core : {0, 1}) {
        for (; next[core] < trace_[core].size() && !waits(trace_[core][next[core]]); more = true)
          perform(trace_[core][next[core]++]);
      }
    }
    for (const size_t core : {0, 1})
      if (next[core] < trace_[core].size()) problem("no signal for " + text(trace_[core][next[core]].op));
  }
  /// Of the two vector cores, which are one here.
  static bool is_meeting(const OpView& op) { return op.attr_int("ffts_mode") == 1; }
  [[nodiscard]] bool waits(const Entry& entry) {
    const OpView op(program_, entry.op);
    if (isa::row(op.op().row).name != "pto.sync.wait" || is_meeting(op)) return false;
    const Signals& signals = signals_[{1 - entry.agent.first, op.attr_int("event_id")}];
    return signals.taken.size() >= signals.set.size();
  }
  void perform(const Entry& entry) {
    at_ = entry.agent.first;
    const OpView op(program_, entry.op);
    const isa::Row& row = isa::row(op.op().row);
    if (row.layer == isa::Layer::sync) return sync(op, row);
    work(entry);
  }
  /// Both cores choose alike where both come to.
  template <typename Choose>
  uint64_t choice(Choose choose) {
    if (!both_ || sections_ > 0) return choose();
    if (at_ == 0) choices_.push_back(choose());
    return choices_[next_choice_++];
  }

  void problem(const std::string& text) {
    if (problems_.size() < 5) problems_.push_back(text);
  }
  static void merge(Clock& into, const Clock& from) {
    for (const auto& [pipe, number] : from) into[pipe] = std::max(into[pipe], number);
  }

  std::vector<ValueId> block(const Region& region) {
    std::vector<ValueId> yielded;
    for (const uint32_t op : ops_in(program_, region)) {
      const isa::Row& row = isa::row(program_.ops[op].row);
      if (row.name == "scf.yield" || row.name == "scf.condition") {
        const auto values = OpView(program_, op).operands(row.name == "scf.condition" ? 1 : 0);
        yielded.assign(values.begin(), values.end());
      } else {
        step(op, row);
      }
    }
    return yielded;
  }

  void bind(std::span<const ValueId> from, uint32_t first) {
    std::vector<std::pair<bool, Bytes>> read;  // all at once: a swap must not see its own writes
    for (const ValueId value : from) {
      const auto at = value_.find(value);
      read.emplace_back(at != value_.end(), at == value_.end() ? Bytes{} : at->second);
    }
    for (size_t i = 0; i < read.size(); ++i)
      if (read[i].first) value_[first + static_cast<uint32_t>(i)] = read[i].second;
  }

  void step(uint32_t index, const isa::Row& row) {
    const OpView op(program_, index);
    const auto regions = program_.regions_of(op.op());
    if (row.name == "scf.for") {
      bind(op.operands(3), regions[0].first_arg + 1);
      bind(op.operands(3), op.op().first_result);
      const uint64_t trips = choice(trips_);
      for (uint64_t i = 0; i < trips; ++i) {
        const std::vector<ValueId> next = block(regions[0]);
        bind(next, regions[0].first_arg + 1);
        for (uint32_t k = 0; k < next.size(); ++k) copy(regions[0].first_arg + 1 + k, op.result(k));
      }
    } else if (row.name == "scf.if") {
      const bool taken = choice(branch_) != 0;
      if (taken || regions.size() > 1) bind(block(regions[taken ? 0 : 1]), op.op().first_result);
    } else if (row.name.starts_with("pto.section.")) {
      if (both_ ? (row.name == "pto.section.vector") != (at_ == 1) : (core_ != kAll && row.name != core_))
        return;
      ++sections_;
      block(regions[0]);
      --sections_;
    } else if (row.name == "scf.execute_region") {
      bind(block(regions[0]), op.op().first_result);
    } else if (row.name == "scf.while") {
      bind(op.operands(0), regions[0].first_arg);
      const uint64_t trips = choice(trips_);
      for (uint64_t i = 0;; ++i) {
        const std::vector<ValueId> passed = block(regions[0]);
        bind(passed, regions[1].first_arg);
        bind(passed, op.op().first_result);
        if (i == trips) break;
        bind(block(regions[1]), regions[0].first_arg);
      }
    } else if (row.layer == isa::Layer::sync) {
      if (core_ == kAll) return;
      beside_sections(op, row);
      if (both_)
        trace_[static_cast<size_t>(at_)].push_back({index, {at_, Pipe::s}, {}});
      else
        sync(op, row);
    } else if (row.name == "arith.constant") {
      const AttrValue* value = op.attr("value");
      if (value != nullptr && value->kind == AttrValue::Kind::integer)
        value_[op.result(0)] = {Space::none, static_cast<uint64_t>(value->integer), 0};
    } else if (row.name == "pto.alloc_tile") {
      const Type& type = op.result_type(0);
      value_[op.result(0)] = {type.space, value_.at(op.operand(0)).addr, tile_bytes(type)};
    } else if (row.name == "arith.select") {
      copy(op.operand(choice(branch_) != 0 ? 1 : 2), op.result(0));
    } else if (row.pipe == "none" ||
               (row.pipe == "S" && op.op().n_results == 1 && is_storage(op.result_type(0)))) {
      if (op.op().n_results == 1 && op.op().n_operand_words > 0 && is_storage(op.result_type(0)))
        copy(op.operand(0), op.result(0));
    } else {
      work(op);
    }
  }
  static bool is_storage(const Type& type) {
    return type.is_tile() || type.is_view() || type.kind == TypeKind::ptr;
  }

  void copy(ValueId from, ValueId to) {
    const auto at = value_.find(from);
    if (at != value_.end()) value_[to] = at->second;
  }

  void beside_sections(const OpView& op, const isa::Row& row) {
    if ((!both_ && core_.empty()) || sections_ > 0) return;
    const bool all = row.name == "pto.barrier" && static_cast<Pipe>(op.attr_int("pipe")) == Pipe::all;
    if (!all) problem("outside of sections: " + text(op.index()));
  }

  void work(const OpView& op) {
    const Pipe pipe = isa::pipe_of(op);
    if ((both_ || !core_.empty()) && sections_ == 0 && pipe != Pipe::s)
      problem("outside of sections: " + text(op.index()));
    Entry entry{op.index(), {at_, pipe}, {}};
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) {
        if (is_storage(program_.type_of(value)))
          entry.operands.emplace_back(value_.at(value), schema.operands[slot].role);
      }
    }
    if (both_)
      trace_[static_cast<size_t>(at_)].push_back(std::move(entry));
    else
      work(entry);
  }

  void work(const Entry& entry) {
    const uint64_t number = ++clock_[entry.agent][entry.agent];
    compute(entry);
    for (const auto& [bytes, role] : entry.operands) {
      if (role != isa::Role::out) access({entry.agent, number, false, bytes, entry.op});
      if (role != isa::Role::in) access({entry.agent, number, true, bytes, entry.op});
    }
  }

  /// Tiles of one size: those at one address are one.
  void compute(const Entry& entry) {
    uint64_t built = std::hash<std::string_view>()(isa::row(program_.ops[entry.op].row).name);
    for (const auto& [bytes, role] : entry.operands) {
      if (role != isa::Role::out)
        built = (built ^ contents_[{bytes.space, bytes.addr}]) * 0x9E3779B97F4A7C15u + 1;
    }
    for (const auto& [bytes, role] : entry.operands) {
      if (role != isa::Role::in) contents_[{bytes.space, bytes.addr}] = built;
    }
  }

  void access(const Event& now) {
    ++accesses_;
    for (const Event& old : events_) {
      if (old.bytes.space != now.bytes.space || !(old.write || now.write)) continue;
      if (old.bytes.addr >= now.bytes.addr + now.bytes.bytes ||
          now.bytes.addr >= old.bytes.addr + old.bytes.bytes)
        continue;
      if (old.pipe == now.pipe) {
        if (target_ == Target::a2a3 && now.pipe.second == Pipe::v && old.number < now.number &&
            old.number > vector_done_)
          problem("no barrier between vector operations " + text(old.op) + " and " + text(now.op));
        continue;
      }
      if (clock_[now.pipe][old.pipe] < old.number)
        problem("not ordered: " + text(old.op) + " and " + text(now.op));
    }
    events_.push_back(now);
  }
  [[nodiscard]] std::string text(uint32_t op) const {
    return std::string(isa::row(program_.ops[op].row).name) + " at " + std::to_string(op);
  }

  void sync(const OpView& op, const isa::Row& row) {
    if (row.name.starts_with("pto.sync."))
      return both_ && !is_meeting(op) ? signal(op, row.name == "pto.sync.set") : void();
    if (row.name == "pto.barrier") {
      const auto pipe = static_cast<Pipe>(op.attr_int("pipe"));
      if (pipe == Pipe::v) vector_done_ = clock_[{at_, Pipe::v}][{at_, Pipe::v}];
      if (pipe != Pipe::all) return;
      return barrier(at_);
    }
    const Agent source{at_, static_cast<Pipe>(op.attr_int("src_pipe"))},
        destination{at_, static_cast<Pipe>(op.attr_int("dst_pipe"))};
    const std::string key = std::to_string(at_) + " " + std::string(to_string(source.second)) + " " +
                            std::string(to_string(destination.second)) + " " +
                            std::to_string(op.attr_int("event_id"));
    FlagState& flag = flags_[key];
    if (op.attr_int("event_id") < 0 || op.attr_int("event_id") > 7) problem("event id out of range");
    if (row.name == "pto.set_flag") {
      if (flag.set)
        problem("set twice: " + key);
      else if (flag.used && clock_[source][destination] < flag.waited)
        problem("may be set before it was taken: " + key);
      flag.set = flag.used = true;
      flag.clock = clock_[source];
    } else {
      if (!flag.set) problem("wait without set: " + key);
      flag.set = false;
      flag.waited = ++clock_[destination][destination];
      merge(clock_[destination], flag.clock);
      if (destination.second == Pipe::v) vector_done_ = std::max(vector_done_, flag.clock[{at_, Pipe::v}]);
    }
  }

  void barrier(int core) {
    Clock all;
    for (const auto& [agent, clock] : clock_)
      if (agent.first == core) merge(all, clock);
    for (const Pipe p : {Pipe::s, Pipe::v, Pipe::m, Pipe::mte1, Pipe::mte2, Pipe::mte3, Pipe::fix})
      clock_[{core, p}] = all;
    if (core == 1 || !both_) vector_done_ = all[{core, Pipe::v}];
  }

  /// With a mode the scalar unit waits: everything behind it knows. The n-th wait for an id takes the n-th
  /// signal. A counter holds 15: the n-th signal must not come before the wait that is 15 before it.
  void signal(const OpView& op, bool set) {
    const Agent agent{at_, static_cast<Pipe>(op.attr_int("pipe"))};
    Signals& signals = signals_[{set ? at_ : 1 - at_, op.attr_int("event_id")}];
    if (op.attr_int("ffts_mode") != 2) problem("mode of " + text(op.index()));
    if (set) {
      Clock reported = clock_[agent];
      merge(reported, clock_[{at_, Pipe::s}]);  // which has issued it
      if (signals.set.size() >= 15) {
        const size_t before = signals.set.size() - 15;
        if (before >= signals.taken.size() ||
            reported[signals.taken[before].first] < signals.taken[before].second)
          problem("may be the sixteenth unanswered signal: " + text(op.index()));
      }
      signals.set.push_back(std::move(reported));
      return;
    }
    const Clock& reported = signals.set[signals.taken.size()];
    const uint64_t number = ++clock_[agent][agent];
    signals.taken.emplace_back(agent, number);
    for (const Pipe p : {Pipe::s, Pipe::v, Pipe::m, Pipe::mte1, Pipe::mte2, Pipe::mte3, Pipe::fix}) {
      merge(clock_[{at_, p}], reported);
      merge(clock_[{at_, p}], {{agent, number}});
      if (p == Pipe::v && at_ == 1) {
        const auto done = reported.find({1, Pipe::v});
        if (done != reported.end()) vector_done_ = std::max(vector_done_, done->second);
      }
    }
  }

  const Program& program_;
  Target target_;
  std::function<uint64_t()> trips_;
  std::function<bool()> branch_;
  std::map<ValueId, Bytes> value_;
  std::map<Agent, Clock> clock_;
  std::map<std::pair<int, int64_t>, Signals> signals_;  ///< by core that signals, and id
  std::map<std::string, FlagState> flags_;
  std::map<std::pair<Space, uint64_t>, uint64_t> contents_;
  uint64_t vector_done_ = 0;
  std::vector<Event> events_;
  size_t accesses_ = 0;
  std::string core_;
  int sections_ = 0;  ///< that are open
  bool both_ = false;
  int at_ = 0;  ///< the core that runs
  std::array<std::vector<Entry>, 2> trace_;
  std::vector<uint64_t> choices_;
  size_t next_choice_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace pto::test
