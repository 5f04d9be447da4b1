#include "sim/loader/loader_sync.hpp"

#include "sim/loader/loader_fixture.hpp"

namespace pto::sim {
namespace {

using enum OpCode;
using Ops = std::vector<OpCode>;

TEST_CASE("a flag is set on its source pipe and waited for on its destination", "[sim]") {
  const auto loaded = test::load_body(R"(
    pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID3"]
    pto.wait_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID3"]
    pto.barrier #pto.pipe<PIPE_V>
    pto.barrier #pto.pipe<PIPE_ALL>)");
  REQUIRE(loaded->error.empty());
  CHECK(loaded->ops() == Ops{set_flag, wait_flag, barrier, barrier_all, halt});
  const std::vector<BytecodeInst>& code = loaded->role().code;
  CHECK(code[0].id == 3);
  CHECK(code[0].lane == code[0].src);
  CHECK(code[1].lane == code[1].dst);
  CHECK(code[0].lane == lane_of(Pipe::mte2));
  CHECK(code[2].lane == lane_of(Pipe::v));
}

TEST_CASE("a vector scope synchronises around it", "[sim]") {
  const auto loaded = test::load_body(R"(
    pto.vecscope {
      pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"]
    })");
  CHECK(loaded->error.ends_with("pto.set_flag inside a vecscope; synchronise around it"));
}

}  // namespace
}  // namespace pto::sim
