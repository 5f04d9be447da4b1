#include "sim/loader/loader.hpp"

#include "pto/assembler.hpp"
#include "pto/plan.hpp"
#include "pto/simulator.hpp"
#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

TEST_CASE("a tile without an address is refused, not run at 0", "[sim]") {
  Diagnostics diagnostics;
  ParseOptions named;
  named.name = "k.pto";
  std::optional<Program> program = parse(
      "func.func @k() attributes {pto.entry} {\n  %x = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>\n"
      "  pto.tabs ins(%x : !pto.tile_buf<vec, 8x16xf32>) outs(%x : !pto.tile_buf<vec, 8x16xf32>)\n  "
      "return\n}\n",
      named, diagnostics);
  REQUIRE(program.has_value());
  std::vector<Argument> none;
  SimOptions options;
  options.target = "a2a3";
  const Result<SimResult> refused = simulate(*program, none, options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message ==
        "k.pto:2: %x has no address: let plan() place the tiles first, or write addr = ..");
  CHECK(refused.error().kind == Error::Kind::input);
  const Result<Machine> machine = load_machine("a2a3");
  REQUIRE(machine);
  REQUIRE(plan(*program, *machine, {}, diagnostics));
  CHECK(simulate(*program, none, options));
}

}  // namespace
}  // namespace pto::sim
