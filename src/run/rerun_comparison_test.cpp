// What is kept of the arguments for another run (ArgumentsBefore).
#include "run/rerun_comparison.hpp"

#include <algorithm>
#include <vector>

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> built;
  for (const int value : values) built.push_back(static_cast<std::byte>(value));
  return built;
}

bool holds(const Argument& argument, std::initializer_list<int> values) {
  return std::ranges::equal(argument.data(), bytes(values));
}

TEST_CASE("arguments that a run changes are given as they were", "[sim]") {
  std::vector<std::byte> home = bytes({9, 8});
  std::vector<Argument> arguments{{.name = "a", .bytes = bytes({1, 2})},
                                  {.name = "b", .home = home},
                                  {.name = "c", .bytes = bytes({5}), .initialised = false},
                                  {.name = "n", .is_buffer = false, .scalar = 7}};
  ArgumentsBefore before(arguments);
  GlobalMemory memory;
  memory.first_writes = &before;
  std::vector<uint64_t> at;
  for (uint32_t i = 0; i < 3; ++i)
    at.push_back(memory.add(i, arguments[i].name, arguments[i].data(), arguments[i].initialised));
  const auto put = [&](uint32_t argument, uint64_t offset, int value) {
    *memory.find(at[argument] + offset, 1, exec::AccessMode::write) = static_cast<std::byte>(value);
  };
  put(1, 0, 90);
  put(1, 1, 80);
  put(0, 1, 20);
  memory.find(at[2], 1, exec::AccessMode::read);
  const auto all = before.all();
  REQUIRE(all);
  CHECK(holds((*all)[0], {1, 2}));
  CHECK(holds((*all)[1], {9, 8}));
  CHECK((*all)[1].home.data() == nullptr);  // another run does not work on the caller's memory
  CHECK(holds((*all)[2], {5}));
  CHECK(!(*all)[2].initialised);
  CHECK((*all)[3].scalar == 7);
  CHECK(holds(arguments[0], {1, 20}));
  CHECK(home == bytes({90, 80}));
}

TEST_CASE("one memory may stand for several arguments", "[sim]") {
  std::vector<std::byte> home = bytes({1, 2, 3, 4});
  std::vector<Argument> arguments{{.name = "a", .home = std::span(home).first(3)},
                                  {.name = "b", .home = std::span(home).last(2)},
                                  {.name = "c", .home = std::span(home).first(1)}};
  ArgumentsBefore before(arguments);
  GlobalMemory memory;
  memory.first_writes = &before;
  const uint64_t at = memory.add(0, "a", arguments[0].data(), true);
  *memory.find(at + 2, 1, exec::AccessMode::update) = std::byte{30};
  const auto all = before.all();
  REQUIRE(all);
  CHECK(holds((*all)[0], {1, 2, 3}));
  CHECK(holds((*all)[1], {3, 4}));
  CHECK(holds((*all)[2], {1}));
}

TEST_CASE("an access that leaves an argument changes it as well", "[sim]") {
  std::vector<Argument> arguments{{.name = "a", .bytes = bytes({1, 2})}};
  ArgumentsBefore before(arguments);
  {
    GlobalMemory memory;
    memory.first_writes = &before;
    const uint64_t at = memory.add(0, "a", arguments[0].data(), true);
    *memory.find_overrun(at + 1, 8, exec::AccessMode::write) = std::byte{20};
  }
  CHECK(holds(arguments[0], {1, 20}));
  REQUIRE(before.all());
  CHECK(holds(before.all()->front(), {1, 2}));
}

TEST_CASE("large arguments are not kept", "[sim]") {
  const std::vector<Argument> arguments{{.name = "a", .bytes = std::vector<std::byte>(kMaxRetained + 1)}};
  ArgumentsBefore before(arguments);
  before.will_write(0);
  CHECK(!before.all());
}

}  // namespace
}  // namespace pto::sim
