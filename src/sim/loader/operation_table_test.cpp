#include "sim/loader/operation_table.hpp"

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

TEST_CASE("operations of control flow, calls and synchronisation have loaders; instructions have none",
          "[sim]") {
  using enum isa::OpcodeClass;
  for (const isa::OpcodeClass each :
       {constant, loop, branch, call, ret, vecscope, set_flag, barrier, sync_set, queue_push, launch_threads})
    CHECK(has_loader(each));
  for (const isa::OpcodeClass each : {other, add, load, function, module}) CHECK_FALSE(has_loader(each));
}

}  // namespace
}  // namespace pto::sim
