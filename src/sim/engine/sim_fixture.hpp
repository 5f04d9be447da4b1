// For tests of the engine: programs from text, a machine with round numbers, costs chosen per test.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/row.hpp"
#include "pto/assembler.hpp"
#include "sim/engine/engine.hpp"
#include "support/message_text.hpp"
#include "target/decoded_inst.hpp"
#include "testing/catch_main.hpp"

namespace pto::sim::test {

/// Costs by mnemonic; anything else takes `other`.
class FakeCosts final : public timing::CostModel {
 public:
  std::map<std::string, timing::Cost, std::less<>> rows;
  timing::Cost other{10, 10, Basis::assumed};
  std::function<timing::Cost(const decode::Inst&)> choose;  ///< overrides rows when set
  std::optional<timing::MemoryConfig> chip;                 ///< what all cores share
  [[nodiscard]] const timing::MemoryConfig* memory() const override { return chip ? &*chip : nullptr; }

  using timing::CostModel::cost;
  timing::Cost cost(const decode::Inst& inst, const decode::Word*, const decode::ControlState*) override {
    if (choose) return choose(inst);
    const auto found = rows.find(isa::row(inst.row).name);
    return found == rows.end() ? other : found->second;
  }
  std::unique_ptr<timing::VectorFunctionTimer> vector_function() override {
    return std::make_unique<Timer>(*this);
  }
  [[nodiscard]] std::vector<std::string> unbound(std::span<const RowId>) const override { return {}; }

 private:
  /// 5 cycles, and one per instruction of the vector unit.
  class Timer final : public timing::VectorFunctionTimer {
   public:
    explicit Timer(FakeCosts&) {}
    void begin() override { steps_ = 0; }
    void step(const decode::Inst&, const decode::Word*) override { ++steps_; }
    void loop_iteration() override {}
    timing::Cost end() override { return {5 + steps_, 5 + steps_, Basis::assumed}; }

   private:
    uint32_t steps_ = 0;
  };
};

inline Machine make_machine(Target target = Target::a2a3) {
  Machine machine;
  machine.target = target;
  for (const Space space : {Space::ub, Space::l1, Space::l0a, Space::l0b, Space::l0c, Space::bt, Space::fb}) {
    machine.bytes[static_cast<size_t>(space)] = 1 << 16;
  }
  machine.clusters = 0;  // as many as there are blocks
  machine.queue_depth = 8;
  machine.issue_cycles = 1;
  machine.scalar_cycles = 1;
  return machine;
}

inline Program assemble(std::string_view text) {
  Diagnostics diagnostics;
  std::optional<Program> program = parse(text, {}, diagnostics);
  UNSCOPED_INFO(messages(diagnostics));
  REQUIRE(program.has_value());
  return std::move(*program);
}

/// Counts and keeps events.
class Recorder final : public Observer {
 public:
  std::vector<InstEvent> instructions;
  std::vector<StallEvent> stalls;
  std::vector<FlagEvent> flags;
  std::vector<OrderEvent> orders;
  std::vector<FootprintEvent> footprints;
  void on_instruction(const InstEvent& e) override { instructions.push_back(e); }
  void on_stall(const StallEvent& e) override { stalls.push_back(e); }
  void on_flag(const FlagEvent& e) override { flags.push_back(e); }
  void on_order(const OrderEvent& e) override { orders.push_back(e); }
  void on_footprint(const FootprintEvent& e) override { footprints.push_back(e); }
};

struct Bench {
  Machine machine = make_machine();
  FakeCosts costs;
  SimOptions options;
  std::vector<Argument> arguments;

  /// A buffer argument of `bytes` bytes that counts 0, 1, 2, ..
  void buffer(size_t bytes) {
    Argument argument;
    argument.name = std::string(1, static_cast<char>('a' + arguments.size()));
    for (size_t i = 0; i < bytes; ++i) argument.bytes.push_back(static_cast<std::byte>(i));
    arguments.push_back(std::move(argument));
  }
  void scalar(uint64_t value) {
    Argument argument;
    argument.is_buffer = false;
    argument.scalar = value;
    arguments.push_back(std::move(argument));
  }
  Result<SimResult> try_run(std::string_view text, std::span<Observer* const> observers = {}) {
    const Program program = assemble(text);
    return run(program, arguments, options, machine, costs, observers);
  }
  SimResult must_run(std::string_view text, std::span<Observer* const> observers = {}) {
    Result<SimResult> result = try_run(text, observers);
    if (!result) FAIL(result.error().message);
    return std::move(*result);
  }
};

inline const Diagnostic* finding(const SimResult& result, FindingId id) {
  for (const Diagnostic& each : result.findings.all()) {
    if (each.id == id) return &each;
  }
  return nullptr;
}
inline const PipeStats* pipe(const SimResult& result, Pipe pipe, uint32_t core = 0) {
  for (const PipeStats& each : result.pipes) {
    if (each.pipe == pipe && each.core == core) return &each;
  }
  return nullptr;
}
/// Busy and stalls fill the whole run on every pipe.
inline void check_accounting(const SimResult& result) {
  for (const PipeStats& each : result.pipes) {
    uint64_t sum = each.busy_cycles;
    for (const uint64_t cycles : each.stall_cycles) sum += cycles;
    INFO("core " << each.core << " " << to_string(each.pipe));
    CHECK(sum == result.total_cycles);
  }
}

}  // namespace pto::sim::test
