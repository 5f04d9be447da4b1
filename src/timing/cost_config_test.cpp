#include "timing/cost_config.hpp"

#include <algorithm>
#include <string>

#include "isa/memory_spaces.hpp"
#include "target/embedded_configs.hpp"
#include "testing/catch_main.hpp"
#include "timing/cost_model.hpp"

using namespace pto;
using namespace pto::timing;
using pto::machine::embedded_configs, pto::machine::EmbeddedConfig;

namespace {

std::string embedded(std::string_view name) {
  for (const EmbeddedConfig& config : embedded_configs()) {
    if (config.name == name) return std::string(config.text);
  }
  FAIL("no embedded configuration " << name);
  return "";
}

/// The a2a3 configuration with one piece of text replaced.
std::string edited(std::string_view from, std::string_view to) {
  std::string text = embedded("a2a3");
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string problem(const std::string& text) {
  const auto config = read_config(text, "x.toml");
  REQUIRE_FALSE(config.ok());
  return config.error().message;
}

uint32_t line_of(const std::string& text, std::string_view piece) {
  return 1 + static_cast<uint32_t>(
                 std::count(text.begin(), text.begin() + static_cast<long>(text.find(piece)), '\n'));
}

}  // namespace

TEST_CASE("the embedded targets load", "[timing]") {
  for (const char* name : {"a2a3", "a5", "cpu"}) {
    const auto target = load_target(name);
    INFO((target.ok() ? "" : target.error().message));
    REQUIRE(target.ok());
    CHECK(to_string(target->machine.target) == name);
    CHECK(target->costs != nullptr);
  }
}

TEST_CASE("a machine has the memories of its chip where its configuration is silent", "[timing]") {
  const auto changed = read_config(embedded("a2a3") + "[machine.bytes]\nub = 4096\n", "x.toml");
  REQUIRE(changed.ok());
  const auto& bytes = changed->machine.bytes;
  CHECK(bytes[static_cast<size_t>(Space::ub)] == 4096);
  CHECK(bytes[static_cast<size_t>(Space::l1)] == 512 * 1024);
  CHECK(bytes[static_cast<size_t>(Space::l0c)] == 128 * 1024);
}

TEST_CASE("configuration errors name file and line", "[timing]") {
  const std::string unknown = edited("issue_cycles = 1", "isue_cycles = 1");
  // What is missing follows from the unknown key, which has its own line.
  CHECK(problem(edited("issue_cycles = 1", "issue_cycles = 1\nisue_cycles = 1"))
            .find("is not a known key, did you mean 'issue_cycles'?") != std::string::npos);
  CHECK(problem(unknown) == "x.toml:" + std::to_string(line_of(unknown, "isue_cycles")) +
                                ": 'machine.isue_cycles' is not a known key, did you mean 'issue_cycles'?");
  CHECK(problem(edited("issue_cycles = 1 ", "# ")).find("'machine.issue_cycles' is missing") !=
        std::string::npos);
  CHECK(
      problem(edited("[machine]", "[machin]")).find("'machin' is not a known key, did you mean 'machine'?") !=
      std::string::npos);
  const std::string bad = edited("queue_depth = 32", "queue_depth = -1");
  CHECK(problem(bad).starts_with("x.toml:" + std::to_string(line_of(bad, "queue_depth")) + ": "));
  CHECK(problem(edited("queue_depth = 32", "queue_depth = 1.5")).find("must be an integer") !=
        std::string::npos);
  CHECK(problem(edited("target = \"a2a3\"", "target = \"a4\"")).find("must be \"a2a3\"") !=
        std::string::npos);
  CHECK(problem("[machine").starts_with("x.toml:1:9: "));
  CHECK(problem("").find("'machine' is missing") != std::string::npos);
  CHECK_FALSE(load_target("/nonexistent.toml").ok());
}

TEST_CASE("formula rows give exactly the formula's variables", "[timing]") {
  const auto with_row = [](const std::string& row) {
    return embedded("a2a3") + "[cost.\"cube.mad\"]\n" + row + "\n";
  };
  std::string text = with_row("use = \"ub_gm\"\nbytes = \"m\"\nbursts = 1");
  const size_t first = text.find("\"cube.mad\".use");
  const size_t next = text.find("\"cube.mad_acc\".use");
  REQUIRE(first < next);
  REQUIRE(next != std::string::npos);
  text.erase(first, next - first);
  const size_t documented = text.find("[documented]");
  const size_t row = text.find("[cost.\"cube.mad\"]");
  const std::string good = text.substr(0, documented) + text.substr(row);
  CHECK(read_config(good, "x.toml").ok());
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string changed = good;
    return changed.replace(changed.rfind(from), from.size(), to);
  };
  CHECK(problem(replaced("bursts", "burts")).find("is not a variable of formula 'ub_gm'") !=
        std::string::npos);
  CHECK(
      problem(replaced("bursts = 1", "bursts = 1\nrows = 2")).find("is not a variable of formula 'ub_gm'") !=
      std::string::npos);
  CHECK(problem(replaced("\nbursts = 1", "")).find("needs a value for 'bursts'") != std::string::npos);
  CHECK(problem(replaced("ub_gm", "ub_mg")).find("is not a key of [formula]") != std::string::npos);
}

TEST_CASE("cost rows are checked", "[timing]") {
  const auto with_row = [](const std::string& row) {
    return embedded("cpu") + "\"test.row\" = " + row + "\n";
  };
  const auto line = "x.toml:" + std::to_string(line_of(with_row("{}"), "\"test.row\""));
  CHECK(read_config(with_row(R"({ busy = "1", basis = "assumed", source = "none" })"), "x.toml").ok());
  CHECK(
      problem(with_row(R"({ busy = "1 +", basis = "assumed", source = "none" })")).starts_with(line + ": "));
  CHECK(problem(with_row(R"({ busy = "1", basis = "guessed", source = "none" })"))
            .find("must be \"measured\"") != std::string::npos);
  CHECK(problem(with_row(R"({ busy = "1", basis = "assumed", source = "x" })"))
            .find("is not a key of [sources]") != std::string::npos);
  CHECK(problem(with_row(R"({ busy = "1", basis = "assumed", source = "none", bsy = 2 })"))
            .find("did you mean 'busy'?") != std::string::npos);
  CHECK(problem(with_row(R"({ basis = "assumed", source = "none" })"))
            .find("needs one of busy, use and model") != std::string::npos);
}
