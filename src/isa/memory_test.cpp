#include "isa/memory.hpp"

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

}  // namespace
}  // namespace pto::isa
