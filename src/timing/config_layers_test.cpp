#include "target/config_layers.hpp"

#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "testing/catch_main.hpp"
#include "testing/temp_dir.hpp"
#include "timing/cost_config.hpp"
#include "timing/cost_model.hpp"

using namespace pto;
using namespace pto::timing;
using pto::machine::read_layers, pto::machine::target_files;

namespace {

namespace fs = std::filesystem;

/// Configuration files in a folder of their own.
struct ConfigDir : test::TempDir {
  ConfigDir() { fs::create_directories(path / "sub"); }
  std::string file(const std::string& name, std::string_view text) const { return put(name, text).string(); }
};

ConfigFile config_of(const std::string& target, const std::vector<std::string>& settings = {}) {
  const auto table = read_layers(target, settings);
  INFO((table ? "" : table.error().message));
  REQUIRE(table.ok());
  auto config = read_config(*table);
  INFO((config ? "" : config.error().message));
  REQUIRE(config.ok());
  return std::move(*config);
}

std::string problem(const std::string& target, const std::vector<std::string>& settings = {}) {
  const auto loaded = load_target(target, {}, settings);
  REQUIRE_FALSE(loaded.ok());
  return loaded.error().message;
}

}  // namespace

TEST_CASE("a configuration inherits what it does not name", "[timing]") {
  const ConfigDir folder;
  const std::string mine =
      folder.file("mine.toml",
                  "base = \"a5\"\n"
                  "[machine]\nqueue_depth = 4\n[machine.bytes]\nub = 4096\n"
                  "[sources]\nmy = \"a table of mine\"\n"
                  "[cost.\"tile.tadd\"]\nbusy = 7\nbasis = \"assumed\"\nsource = \"my\"\n");
  const ConfigFile base = config_of("a5");
  const ConfigFile config = config_of(mine);
  CHECK(config.machine.queue_depth == 4);
  CHECK(config.machine.clusters == base.machine.clusters);
  CHECK(config.machine.bytes[static_cast<size_t>(Space::ub)] == 4096);
  CHECK(config.machine.bytes[static_cast<size_t>(Space::l1)] ==
        base.machine.bytes[static_cast<size_t>(Space::l1)]);
  CHECK(config.sources.size() == base.sources.size() + 1);
  CHECK(config.costs.size() == base.costs.size());
  CHECK(config.vf->instr.size() == base.vf->instr.size());
  // A row replaces the base's row of its class and keeps none of its keys.
  REQUIRE(base.costs.at("tile.tadd").busy.has_value() == false);
  const CostRow& row = config.costs.at("tile.tadd");
  CHECK(row.busy.has_value());
  CHECK(row.model.empty());
  CHECK(row.place == mine + ":8");
  CHECK(config.costs.at("tile.tsub").place == base.costs.at("tile.tsub").place);
  CHECK(load_target(mine).ok());
}

TEST_CASE("bases form a chain, relative to the file that names them", "[timing]") {
  const ConfigDir folder;
  folder.file("root.toml", "base = \"a2a3\"\nmachine.queue_depth = 9\nmachine.clusters = 3\n");
  folder.file("sub/middle.toml", "base = \"../root.toml\"\nmachine.clusters = 2\n");
  const std::string top = folder.file("top.toml", "base = \"sub/middle.toml\"\nmachine.event_ids = 5\n");
  const Machine machine = config_of(top).machine;
  CHECK(machine.queue_depth == 9);
  CHECK(machine.clusters == 2);
  CHECK(machine.event_ids == 5);
  const auto anywhere = [](const fs::path&) { return true; };
  CHECK(target_files(top, anywhere).size() == 3);
  CHECK(target_files("a5", anywhere).empty());
  // What may not be read is named, and nothing behind it.
  CHECK(target_files(top, [&](const fs::path& file) { return file == fs::path(top); }).size() == 2);
}

TEST_CASE("wrong bases are told with the place that names them", "[timing]") {
  const ConfigDir folder;
  const std::string one = folder.file("one.toml", "# a comment\nbase = \"sub/two.toml\"\n");
  const std::string two = folder.file("sub/two.toml", "base = \"../one.toml\"\n");
  CHECK(problem(one).starts_with((folder.path / "sub/two.toml").string() + ":1: 'base' leads back to "));
  CHECK(target_files(one, [](const fs::path&) { return true; }).size() == 2);
  const std::string self = folder.file("self.toml", "base = \"self.toml\"\n");
  CHECK(problem(self) == self + ":1: 'base' leads back to " + self);
  const std::string unknown = folder.file("unknown.toml", "base = \"a2a\"\n");
  CHECK(problem(unknown) == unknown + ":1: 'base': " + (folder.path / "a2a").string() +
                                ": no such target or configuration file (targets: 910b1, 910b2, 910b3, "
                                "910b4, a2a3, a5, cpu), did you mean 'a2a3'?");
  const std::string number = folder.file("number.toml", "base = 5\n");
  CHECK(problem(number) == number + ":1: 'base' must be the name of a target or of a file");
  const std::string broken = folder.file("broken.toml", "base = \"b.toml\"\n");
  folder.file("b.toml", "[machine\n");
  CHECK(problem(broken).starts_with(broken + ":1: 'base': " + (folder.path / "b.toml").string() + ":1:9: "));
  const std::string typo = folder.file("typo.toml", "base = \"a5\"\n[machine]\nqueue_dpeth = 4\n");
  CHECK(problem(typo) == typo + ":3: 'machine.queue_dpeth' is not a known key, did you mean 'queue_depth'?");
  const std::string basis = folder.file("basis.toml", "bas = \"a5\"\n");
  CHECK(problem(basis) == basis + ":1: 'bas' is not a known key, did you mean 'base'?");
}

TEST_CASE("settings replace what stands at their key", "[timing]") {
  CHECK(config_of("a5", {"machine.queue_depth=4"}).machine.queue_depth == 4);
  CHECK(config_of("a5", {"machine.queue_depth=4", "machine.queue_depth = 5"}).machine.queue_depth == 5);
  CHECK(config_of("a5", {"machine.clock_ghz=2"}).machine.clock_ghz == 2.0);
  CHECK(config_of("a5", {"machine.chip=\"mine\""}).machine.chip == "mine");
  CHECK(config_of("a5", {"machine.tf32_supported=false"}).machine.tf32_supported == false);
  CHECK(config_of("a5", {"vf.window=7"}).vf->window == 7);
  // Into a row, and a row whole.
  const auto changed = config_of("cpu", {"cost.\"*\".busy=3"});
  CHECK(changed.costs.at("*").from.source == "none");
  const auto row =
      config_of("a5", {"cost.\"tile.tadd\"={ busy = \"dst.rows\", basis = \"assumed\", source = \"none\" }"});
  CHECK(row.costs.at("tile.tadd").model.empty());
  CHECK(row.costs.at("tile.tadd").busy.has_value());
}

TEST_CASE("wrong settings are told as keys of a file are", "[timing]") {
  CHECK(problem("a5", {"machine.queue_dpeth=4"}) ==
        "--set machine.queue_dpeth=4: 'machine.queue_dpeth' is not a known key, did you mean 'queue_depth'?");
  CHECK(problem("a5", {"machin.queue_depth=4"}) ==
        "--set machin.queue_depth=4: 'machin' is not a known key, did you mean 'machine'?");
  CHECK(problem("a5", {"queue_depth=4"}) ==
        "--set queue_depth=4: 'queue_depth' is not a known key, did you mean 'machine.queue_depth'?");
  CHECK(problem("a5", {"machine.queue_depth=0"}) ==
        "--set machine.queue_depth=0: 'machine.queue_depth' must be from 1 to 1048576");
  CHECK(problem("a5", {"machine.queue_depth=1.5"}) ==
        "--set machine.queue_depth=1.5: 'machine.queue_depth' must be an integer");
  CHECK(problem("a5", {"machine=4"}) == "--set machine=4: 'machine' must be a table");
  CHECK(problem("a5", {"machine.queue_depth"}).starts_with("--set machine.queue_depth: "));
  CHECK(problem("a5", {"machine.chip=mine or yours"}).find("write KEY=VALUE as in a file") !=
        std::string::npos);
  CHECK(problem("a5", {"base=\"a2a3\""}) == "--set base=\"a2a3\": 'base' is a key of files only");
  CHECK(problem("a5", {"machine.target=\"a2a3\""}) ==
        "--set machine.target=\"a2a3\": the target is chosen by --target");
  CHECK(problem("a5", {"cost.\"tile.tad\"={busy=1, basis=\"assumed\", source=\"none\"}"})
            .find("no instruction has cost class 'tile.tad'") != std::string::npos);
  CHECK(problem("a5", {"cost.\"tile.tadd\".busy=1"}).find("needs one of busy, use and model") !=
        std::string::npos);
}
