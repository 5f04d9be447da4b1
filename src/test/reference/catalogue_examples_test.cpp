// Each example of the catalogue raises its rule.
#include <algorithm>
#include <array>
#include <atomic>

#include "pto/assembler.hpp"
#include "pto/rules.hpp"
#include "pto/simulator.hpp"
#include "pto/verify.hpp"
#include "sim/findings/catalogue.hpp"
#include "support/message_text.hpp"
#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

/// What a rule needs beside its program.
SimOptions options_for(FindingId id) {
  static const std::atomic<bool> stop = true;
  SimOptions options;
  options.target = id == FindingId::flag_key                                ? "cpu"
                   : id == FindingId::inexact || id == FindingId::clobbered ? "a2a3"
                                                                            : "a5";
  options.mode = id == FindingId::time_data  ? Mode::time
                 : id == FindingId::flag_key ? Mode::check
                                             : Mode::run;
  if (id == FindingId::max_cycles) options.limits.cycles = 100;
  if (id == FindingId::max_instructions) options.limits.instructions = 100;
  if (id == FindingId::interrupted) options.stop = &stop;
  options.warnings.show(id, true);
  return options;
}

/// Whether nothing more can be said about the program after it.
bool stops(FindingId id) {
  static constexpr std::array kIds = {
      FindingId::assertion,  FindingId::deadlock,         FindingId::event_id,
      FindingId::hang,       FindingId::interrupted,      FindingId::loop_step,
      FindingId::max_cycles, FindingId::max_instructions, FindingId::time_data};
  return std::ranges::find(kIds, id) != kIds.end();
}

Argument floats(std::string name) {
  Argument argument;
  argument.name = std::move(name);
  argument.bytes.resize(64 * sizeof(float));
  return argument;
}

Program assemble(std::string_view text, Target target) {
  Diagnostics diagnostics;
  std::optional<Program> program = parse(text, {.name = "example", .target = target}, diagnostics);
  UNSCOPED_INFO(messages(diagnostics));
  REQUIRE(program.has_value());
  const bool legal = verify(*program, {.synchronisation = false}, diagnostics);
  UNSCOPED_INFO(messages(diagnostics));
  REQUIRE(legal);
  return std::move(*program);
}

TEST_CASE("The example of every finding of a run raises it, with the weight that the catalogue says",
          "[sim][rules]") {
  for (const Rule& rule : run_time_rules()) {
    if (rule.id == FindingId::mismatch) continue;  // the example is a case: asm-tests/findings/mismatch.pto
    if (rule.id == FindingId::signal_stale || rule.id == FindingId::signal_lost ||
        rule.id == FindingId::rank_race)
      continue;  // of several devices: src/cluster/rank_launch_test.cpp
    if (rule.id == FindingId::shape || rule.id == FindingId::unwritten)
      continue;                                    // of a launch: asm-tests/findings/argument_shapes.sh
    if (rule.id == FindingId::unproved) continue;  // of many runs: src/prove/prover_test.cpp
    INFO(to_string(rule.id) << "\n" << rule.example);
    const Program program =
        assemble(rule.example, rule.id == FindingId::clobbered ? Target::a2a3 : Target::a5);
    std::vector<Argument> arguments = {floats("a"), floats("o")};
    const Result<SimResult> result = simulate(program, arguments, options_for(rule.id));
    if (!result) FAIL(result.error().message);
    const auto found = std::ranges::find(result->findings.all(), rule.id, &Diagnostic::id);
    REQUIRE(found != result->findings.all().end());
    REQUIRE(rule.of_a_run());
    if (rule.weighs() != Weight::either)
      CHECK((found->severity == Severity::warning) == (rule.weighs() == Weight::warning));
    CHECK(result->ended == !stops(rule.id));
  }
}

TEST_CASE("Switches of warnings and limits hold for findings of a run", "[sim][rules]") {
  const auto stores = [](int count) {  // of bytes that nobody wrote, and a flag is left over
    std::string body =
        "%c0 = arith.constant 0 : i64\n%c1 = arith.constant 1 : i64\n%c256 = arith.constant 256 : i64\n"
        "%u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>\n"
        "pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n";
    for (int i = 0; i < count; ++i) {
      body +=
          "pto.mte_ub_gm %u, %a, %c256 nburst(%c1, %c256, %c256)"
          " : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64\n";
    }
    return "func.func @k(%a: !pto.ptr<f32, gm>) attributes {pto.kernel, pto.kernel_kind = "
           "#pto.kernel_kind<vector>} {\n" +
           body + "return }";
  };
  const auto run = [&](int count, size_t limit, std::initializer_list<std::string_view> switches) {
    const Program program = assemble(stores(count), Target::a5);
    std::vector<Argument> arguments = {floats("a")};
    SimOptions options;
    options.target = "a5";
    options.limits.findings = limit;
    for (const std::string_view text : switches) REQUIRE(apply_switch(options.warnings, text).ok());
    Result<SimResult> result = simulate(program, arguments, options);
    if (!result) FAIL(result.error().message);
    return std::move(result->findings);
  };
  const Diagnostics many = run(25, 20, {});  // 25 warnings do not hide the error
  CHECK(many.errors() == 1);
  CHECK(many.warnings() == 25);
  CHECK(many.hidden_warnings() == 5);
  CHECK(many.hidden_errors() == 0);
  CHECK(many.all().size() == 21);
  CHECK(run(25, 0, {}).all().size() == 26);
  const Diagnostics off = run(25, 20, {"no-uninit"});
  CHECK(off.warnings() == 0);
  CHECK(off.errors() == 1);
  CHECK(run(25, 20, {"no-UNINIT"}).all().size() == 1);
  CHECK(run(25, 20, {"no-uninitialised-read"}).all().size() == 1);
  const Diagnostics strict = run(25, 2, {"error=uninit"});
  CHECK(strict.errors() == 26);
  CHECK(strict.hidden_errors() == 24);
  CHECK(strict.all().size() == 2);
  CHECK(run(3, 20, {"error", "no-error=uninit"}).warnings() == 3);
}

}  // namespace
}  // namespace pto::sim
