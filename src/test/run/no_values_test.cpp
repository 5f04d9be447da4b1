// Runs without values (RunHooks::no_values) beside runs with them: they touch the same bytes in the same
// order, and leave what was there.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "pto/launch.hpp"
#include "pto/simulator.hpp"
#include "sim/engine/run_hooks.hpp"
#include "testing/catch_main.hpp"
#include "testing/temp_dir.hpp"

namespace pto {
namespace {

struct Touched final : Observer {
  using Access =
      std::tuple<uint32_t, uint32_t, Space, uint64_t, uint64_t, uint64_t, int64_t, bool, bool, uint32_t>;
  std::vector<Access> accesses;
  void on_footprint(const FootprintEvent& event) override {
    accesses.emplace_back(event.core, event.pc, event.space, event.addr, event.rows, event.row_bytes,
                          event.pitch, event.write, event.update, event.home);
  }
};

struct Ran {
  SimResult result;
  Touched touched;
  bool changed = false;  ///< any of the arguments
};

Ran run_with(const Launch& launch, bool no_values) {
  Ran ran;
  auto arguments = load_arguments(launch.the_case);
  REQUIRE(arguments);
  std::vector<std::vector<std::byte>> before;
  for (const Argument& each : std::as_const(*arguments))
    before.emplace_back(each.data().begin(), each.data().end());
  SimOptions options;
  options.mode = Mode::check;
  options.checks.uninitialised = false;
  options.checks.adverse_schedule = false;
  const sim::RunHooks hooks{.no_values = no_values};
  options.hooks = &hooks;
  Observer* const observer = &ran.touched;
  auto result = simulate(launch, *arguments, options, {&observer, 1});
  REQUIRE(result);
  ran.result = std::move(*result);
  for (size_t i = 0; i < before.size(); ++i)
    ran.changed |= !std::ranges::equal(before[i], std::as_const((*arguments)[i]).data());
  return ran;
}

/// But of findings about values.
std::set<std::string> ids(const SimResult& result) {
  std::set<std::string> found;
  for (const Diagnostic& each : result.findings.all()) {
    if (each.id != FindingId::inexact) found.emplace(to_string(each.id));
  }
  return found;
}

/// The program that a golden test writes beside its case (asm-tests/README.md), and the target of its first
/// command.
struct Golden {
  std::string program, target;
};
Golden read(const std::filesystem::path& test) {
  std::ifstream in(test);
  Golden golden;
  constexpr std::string_view kTarget = "--target ";
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#: ")) golden.program += line.substr(3) + '\n';
    const size_t at = line.find(kTarget);
    if (line.starts_with("# RUN:") && golden.target.empty() && at != std::string::npos)
      golden.target =
          line.substr(at + kTarget.size(), line.find(' ', at + kTarget.size()) - at - kTarget.size());
  }
  return golden;
}

TEST_CASE("runs without values touch the same bytes", "[prove]") {
  const test::TempDir scratch_dir;
  const std::filesystem::path& scratch = scratch_dir.path;
  size_t kernels = 0, left_out = 0;
  for (const char* folder : {PTO_SOURCE_DIR "/asm-tests/kernels", PTO_SOURCE_DIR "/asm-tests/run"}) {
    for (const auto& each : std::filesystem::directory_iterator(folder)) {
      if (each.path().extension() != ".toml") continue;
      INFO(each.path().filename().string());
      LaunchOptions options;
      if (const Golden golden = read(each.path()); !golden.program.empty()) {
        std::ofstream(scratch / "k.pto") << golden.program;
        options.target = golden.target;
        options.defines = {"T=" + scratch.string()};
      }
      const auto launch = prepare_launch(each.path().string(), options);
      REQUIRE(launch);
      REQUIRE(launch->prepared.ready);
      const Ran with = run_with(*launch, false);
      const Ran without = run_with(*launch, true);
      CHECK(with.result.ended == without.result.ended);
      CHECK(with.touched.accesses == without.touched.accesses);
      CHECK(ids(with.result) == ids(without.result));
      ++kernels;
      left_out += with.changed && !without.changed ? 1 : 0;
    }
  }
  CHECK(kernels > 100);
  CHECK(left_out > 50);
}

}  // namespace
}  // namespace pto
