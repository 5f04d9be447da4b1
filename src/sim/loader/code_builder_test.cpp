#include "sim/loader/code_builder.hpp"

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

TEST_CASE("copies of neighbours are one copy", "[sim]") {
  std::vector<Copy> copies;
  append_copy(copies, {0, 10, 2});
  append_copy(copies, {2, 12, 1});
  append_copy(copies, {3, 20, 1});
  append_copy(copies, {9, 21, 1});
  REQUIRE(copies.size() == 3);
  CHECK(copies[0].words == 3);
}

TEST_CASE("captures go through the block of an entry to the vector frame", "[sim]") {
  Queued queued;
  queued.block_words = 1;
  add_captures(queued, {{4, 0, 2}, {8, 2, 1}});
  CHECK(queued.block_words == 4);
  REQUIRE(queued.captures.size() == 2);
  REQUIRE(queued.unpack.size() == 2);
  CHECK(queued.captures[1].from == 8);
  CHECK(queued.captures[1].to == 3);
  CHECK(queued.unpack[1].from == 3);
  CHECK(queued.unpack[1].to == 2);
}

TEST_CASE("a patched branch goes to the code behind it", "[sim]") {
  const Program program;
  CoreCode role;
  Frame frame(program);
  CodeBuilder code(program, role, frame);
  code.emit(OpCode::branch_false, 7);
  code.emit(OpCode::halt, 8);
  code.patch(0);
  CHECK(code.here() == 2);
  CHECK(role.code[0].target == 2);
  CHECK(role.code[0].pc == 7);
}

}  // namespace
}  // namespace pto::sim
