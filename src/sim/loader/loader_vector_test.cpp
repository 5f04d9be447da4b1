#include "sim/loader/loader_vector.hpp"

#include "sim/loader/loader_fixture.hpp"

namespace pto::sim {
namespace {

using enum OpCode;
using Ops = std::vector<OpCode>;

TEST_CASE("a vector scope is out of line, and one entry of pipe V", "[sim]") {
  const auto loaded = test::load_body(R"(
    pto.vecscope {
      pto.mem_bar "VST_VLD"
    })");
  REQUIRE(loaded->error.empty());
  CHECK(loaded->ops() == Ops{jump, memory_barrier, halt, vector_function, halt});
  CHECK(loaded->role().code[0].target == 3);
  REQUIRE(loaded->role().queued.size() == 1);
  CHECK(loaded->role().queued[0].entry == 1);
}

TEST_CASE("a vector scope captures values from outside, and knows constants", "[sim]") {
  const auto loaded = test::load_body(R"(
    pto.vecscope {
      %a = arith.addi %n, %c1 : index
      %b = arith.addi %a, %n : index
    })");
  REQUIRE(loaded->error.empty());
  const Queued& scope = loaded->role().queued.at(0);
  REQUIRE(scope.captures.size() == 1);
  CHECK(scope.unpack.size() == 1);
  CHECK(scope.block_words == 1);
  CHECK(loaded->role().vf_frame.size() == 4);
}

TEST_CASE("vector scopes are not nested", "[sim]") {
  const auto loaded = test::load_body("pto.vecscope {\npto.vecscope {\n}\n}");
  CHECK(loaded->error.ends_with("a vecscope inside a vecscope"));
}

}  // namespace
}  // namespace pto::sim
