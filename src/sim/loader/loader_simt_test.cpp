#include "sim/loader/loader_simt.hpp"

#include "sim/loader/loader_fixture.hpp"

namespace pto::sim {
namespace {

using enum OpCode;
using Ops = std::vector<OpCode>;

const std::string kBody =
    "func.func @body(%v: index) attributes {pto.simt_entry} {\n"
    "%w = arith.addi %v, %v : index\nreturn\n}\n";

TEST_CASE("a function of threads is loaded once for all launches", "[sim]") {
  const auto loaded = test::load_body(R"(
    %x = arith.constant 32 : i32
    pto.simt_launch @body<<<%x, %x, %x>>>(%n) : (index) -> ()
    pto.simt_launch @body<<<%x, %x, %x>>>(%c1) : (index) -> ())",
                                      kBody);
  REQUIRE(loaded->error.empty());
  const CoreCode& role = loaded->role();
  REQUIRE(role.queued.size() == 2);
  for (const Queued& launch : role.queued) {
    CHECK(launch.threads);
    CHECK(launch.entry == role.queued[0].entry);
    CHECK(launch.frame_begin == role.queued[0].frame_begin);
    CHECK(launch.captures.size() == 4);  // three numbers of threads, one argument
    CHECK(launch.unpack.size() == 1);
  }
  CHECK(role.queued[0].captures[3].from != role.queued[1].captures[3].from);
}

TEST_CASE("a launch takes the arguments of its function", "[sim]") {
  const auto loaded = test::load_body(R"(
    %x = arith.constant 32 : i32
    pto.simt_launch @body<<<%x, %x, %x>>>() : () -> ())",
                                      kBody);
  CHECK(loaded->error.ends_with("takes 1 arguments, 0 given"));
}

}  // namespace
}  // namespace pto::sim
