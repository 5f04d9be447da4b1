// Test support: an independent judge of planned programs. It runs the control flow with chosen trip counts
// and branches, takes addresses and roles from the operations themselves, and checks with vector clocks that
// every two conflicting accesses are ordered, that no flag is set twice or waited for in vain, and that none
// is left.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/row.hpp"
#include "isa/walk.hpp"
#include "pto/machine.hpp"
#include "pto/program.hpp"

namespace pto::test {

class Replay {
 public:
  /// `trips`: called for every run of a loop; `branch`: for every scf.if and select.
  Replay(const Program& program, Target target, std::function<uint64_t()> trips, std::function<bool()> branch)
      : program_(program), target_(target), trips_(std::move(trips)), branch_(std::move(branch)) {}

  /// Of a function with sections: runs the program of one core, named by its section. What stands beside the
  /// sections must leave the pipes alone.
  void on_core(std::string_view section) { core_ = section; }

  /// Problems found; empty when all is well.
  std::vector<std::string> run(uint32_t function) {
    const Region& body = body_of(program_, function);
    for (uint32_t i = 0; i < body.n_args; ++i)
      value_[body.first_arg + i] = {Space::gm, (uint64_t{i} + 1) << 32, uint64_t{1} << 32};
    block(body);
    for (const auto& [key, flag] : flags_)
      if (flag.set) problem("flag left: " + key);
    return problems_;
  }
  [[nodiscard]] size_t accesses() const { return accesses_; }
  /// What GM holds at the end, by address: numbers that stand for how it came about.
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
  struct Event {
    Pipe pipe;
    uint64_t number;
    bool write;
    Bytes bytes;
    uint32_t op;
  };
  using Clock = std::map<Pipe, uint64_t>;
  struct FlagState {
    bool set = false;
    Clock clock;
    uint64_t waited = 0;  ///< number of the last wait in the destination
    bool used = false;
  };

  void problem(const std::string& text) {
    if (problems_.size() < 5) problems_.push_back(text);
  }
  static void merge(Clock& into, const Clock& from) {
    for (const auto& [pipe, number] : from) into[pipe] = std::max(into[pipe], number);
  }

  std::vector<ValueId> block(const Region& region) {
    std::vector<ValueId> yielded;
    for (const uint32_t op : children(program_, region)) {
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
      const uint64_t trips = trips_();
      for (uint64_t i = 0; i < trips; ++i) {
        const std::vector<ValueId> next = block(regions[0]);
        bind(next, regions[0].first_arg + 1);
        for (uint32_t k = 0; k < next.size(); ++k) copy(regions[0].first_arg + 1 + k, op.result(k));
      }
    } else if (row.name == "scf.if") {
      const bool taken = branch_();
      if (taken || regions.size() > 1) bind(block(regions[taken ? 0 : 1]), op.op().first_result);
    } else if (row.name.starts_with("pto.section.")) {
      if (row.name != core_) return;
      ++sections_;
      block(regions[0]);
      --sections_;
    } else if (row.name == "scf.execute_region") {
      bind(block(regions[0]), op.op().first_result);
    } else if (row.name == "scf.while") {
      bind(op.operands(0), regions[0].first_arg);
      const uint64_t trips = trips_();
      for (uint64_t i = 0;; ++i) {
        const std::vector<ValueId> passed = block(regions[0]);
        bind(passed, regions[1].first_arg);
        bind(passed, op.op().first_result);
        if (i == trips) break;
        bind(block(regions[1]), regions[0].first_arg);
      }
    } else if (row.layer == isa::Layer::sync) {
      sync(op, row);
    } else if (row.name == "arith.constant") {
      const AttrValue* value = op.attr("value");
      if (value != nullptr && value->kind == AttrValue::Kind::integer)
        value_[op.result(0)] = {Space::none, static_cast<uint64_t>(value->integer), 0};
    } else if (row.name == "pto.alloc_tile") {
      const Type& type = op.result_type(0);
      value_[op.result(0)] = {type.space, value_.at(op.operand(0)).addr, tile_bytes(type)};
    } else if (row.name == "arith.select") {
      copy(op.operand(branch_() ? 1 : 2), op.result(0));
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

  void work(const OpView& op) {
    if (!core_.empty() && sections_ == 0 && isa::pipe_of(op) != Pipe::s)
      problem("outside of sections: " + text(op.index()));
    const Pipe pipe = isa::pipe_of(op);
    const isa::Schema& schema = isa::schema(op.op().row);
    const uint64_t number = ++clock_[pipe][pipe];
    compute(op, schema);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) {
        if (!is_storage(program_.type_of(value))) continue;
        const isa::Role role = schema.operands[slot].role;
        if (role != isa::Role::out) access({pipe, number, false, value_.at(value), op.index()});
        if (role != isa::Role::in) access({pipe, number, true, value_.at(value), op.index()});
      }
    }
  }

  /// Tiles of one size: those at one address are one.
  void compute(const OpView& op, const isa::Schema& schema) {
    uint64_t made = std::hash<std::string_view>()(schema.row->name);
    const auto each = [&](auto fn) {
      for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
        for (const ValueId value : op.operands(slot)) {
          if (!is_storage(program_.type_of(value))) continue;
          fn(contents_[{value_.at(value).space, value_.at(value).addr}], schema.operands[slot].role);
        }
      }
    };
    each([&](uint64_t content, isa::Role role) {
      if (role != isa::Role::out) made = (made ^ content) * 0x9E3779B97F4A7C15u + 1;
    });
    each([&](uint64_t& content, isa::Role role) {
      if (role != isa::Role::in) content = made;
    });
  }

  void access(const Event& now) {
    ++accesses_;
    for (const Event& old : events_) {
      if (old.bytes.space != now.bytes.space || !(old.write || now.write)) continue;
      if (old.bytes.addr >= now.bytes.addr + now.bytes.bytes ||
          now.bytes.addr >= old.bytes.addr + old.bytes.bytes)
        continue;
      if (old.pipe == now.pipe) {
        if (target_ == Target::a2a3 && now.pipe == Pipe::v && old.number < now.number &&
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
    if (!core_.empty() && sections_ == 0) problem("outside of sections: " + text(op.index()));
    if (row.name == "pto.barrier") {
      const auto pipe = static_cast<Pipe>(op.attr_int("pipe"));
      if (pipe == Pipe::v) vector_done_ = clock_[Pipe::v][Pipe::v];
      if (pipe != Pipe::all) return;
      Clock all;
      for (const auto& [p, clock] : clock_) merge(all, clock);
      for (const Pipe p : {Pipe::s, Pipe::v, Pipe::m, Pipe::mte1, Pipe::mte2, Pipe::mte3, Pipe::fix})
        clock_[p] = all;
      vector_done_ = all[Pipe::v];
      return;
    }
    const auto source = static_cast<Pipe>(op.attr_int("src_pipe")),
               destination = static_cast<Pipe>(op.attr_int("dst_pipe"));
    const std::string key = std::string(to_string(source)) + " " + std::string(to_string(destination)) + " " +
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
      if (destination == Pipe::v) vector_done_ = std::max(vector_done_, flag.clock[Pipe::v]);
    }
  }

  const Program& program_;
  Target target_;
  std::function<uint64_t()> trips_;
  std::function<bool()> branch_;
  std::map<ValueId, Bytes> value_;
  std::map<Pipe, Clock> clock_;
  std::map<std::string, FlagState> flags_;
  std::map<std::pair<Space, uint64_t>, uint64_t> contents_;
  uint64_t vector_done_ = 0;
  std::vector<Event> events_;
  size_t accesses_ = 0;
  std::string core_;
  int sections_ = 0;  ///< that are open
  std::vector<std::string> problems_;
};

}  // namespace pto::test
