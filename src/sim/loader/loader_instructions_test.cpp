#include "sim/loader/loader_instructions.hpp"

#include "sim/loader/loader_fixture.hpp"

namespace pto::sim {
namespace {

using enum OpCode;
using Ops = std::vector<OpCode>;

TEST_CASE("a scalar access runs at its simulated time; arithmetic runs at once", "[sim]") {
  const auto loaded = test::load_body(R"(
    %v = pto.load_scalar %g[%n] : !pto.ptr<f32, gm> -> f32
    %w = arith.addf %v, %v : f32)");
  REQUIRE(loaded->error.empty());
  CHECK(loaded->ops() == Ops{exec_timed, exec, halt});
  CHECK((loaded->role().code[0].flags & kUnknown) != 0);
  CHECK((loaded->role().code[1].flags & kUnknown) == 0);
}

TEST_CASE("a queued instruction captures each operand once, neighbours by one copy", "[sim]") {
  const auto loaded = test::load_body(R"(
    %a = arith.constant 0 : i64
    %x = pto.alloc_tile addr = %a : !pto.tile_buf<vec, 8x16xf32>
    pto.tadd ins(%x, %x : !pto.tile_buf<vec, 8x16xf32>, !pto.tile_buf<vec, 8x16xf32>) outs(%x : !pto.tile_buf<vec, 8x16xf32>))");
  REQUIRE(loaded->error.empty());
  REQUIRE(loaded->role().queued.size() == 1);
  const Queued& add = loaded->role().queued[0];
  CHECK(add.captures.size() == 1);
  CHECK(add.block_words == add.captures[0].words);
  CHECK_FALSE(add.reaches_gm);
  CHECK(loaded->role().code[loaded->role().code.size() - 2].lane == lane_of(Pipe::v));
}

TEST_CASE("a tile without an address is rejected", "[sim]") {
  const auto loaded = test::load_body("%x = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>");
  CHECK(loaded->error.find("%x has no address") != std::string::npos);
}

}  // namespace
}  // namespace pto::sim
