#include "isa/memory.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "support/catch.hpp"
#include "timing/cost.hpp"

namespace pto::isa {
namespace {

TEST_CASE("the verifier's memory sizes are those of the configurations", "[isa]") {
  for (const Target target : {Target::a2a3, Target::a5, Target::cpu}) {
    const Result<timing::TargetConfig> config = timing::load_target(to_string(target));
    REQUIRE(config);
    for (const Space space : {Space::ub, Space::l1, Space::l0a, Space::l0b, Space::l0c, Space::bt, Space::fb}) {
      INFO(to_string(target) << " " << to_string(space));
      CHECK(config->machine.bytes[static_cast<size_t>(space)] == on_chip_bytes(target, space));
    }
    CHECK(config->machine.base_alignment == kTileAlignment);
  }
}

/// "192 KiB".
std::string kib(Target target, Space space) { return fmt::format("{} KiB", on_chip_bytes(target, space) / 1024); }

TEST_CASE("the sizes on the page are those of the verifier", "[isa]") {
  std::ifstream in(PTO_SOURCE_DIR "/docs/isa.md");
  const std::string page(std::istreambuf_iterator<char>(in), {});
  for (const Space space : {Space::ub, Space::l1, Space::l0a, Space::l0b, Space::l0c, Space::bt, Space::fb}) {
    const std::string sizes = fmt::format("| {} | {} |\n", kib(Target::a2a3, space), kib(Target::a5, space));
    const auto row = std::regex(fmt::format("\n\\|[^\n]*\\b{}\\b[^\n]*KiB[^\n]*\n", to_string(space)));
    std::smatch found;
    INFO(to_string(space) << " " << sizes);
    REQUIRE(std::regex_search(page, found, row));
    CHECK(found.str().ends_with(sizes));
  }
}

}  // namespace
}  // namespace pto::isa
