#include "isa/opcode_class.hpp"

#include <algorithm>
#include <array>

#include "testing/catch_main.hpp"

namespace pto::isa {
namespace {

template <typename T>
concept HasOrder = requires(T a) {
  a < a;
}
|| requires(T a) { a >= a; };
static_assert(!HasOrder<OpcodeClass>, "the order of opcode classes has no meaning");

using Trait = bool (*)(OpcodeClass);

/// Whether all classes with the first trait have the second one.
bool implies(Trait one, Trait other) {
  for (size_t i = 0; i < static_cast<size_t>(OpcodeClass::count); ++i) {
    const auto opcode_class = static_cast<OpcodeClass>(i);
    if (one(opcode_class) && !other(opcode_class)) return false;
  }
  return true;
}

TEST_CASE("traits of opcode classes agree with each other", "[isa][traits]") {
  CHECK(implies(is_division, is_binary_arithmetic));
  CHECK(implies(is_binary_arithmetic, is_scalar_computation));
  CHECK(implies(is_scalar_computation, is_scalar_evaluable));
  CHECK(implies(is_address_operation, is_scalar_evaluable));
  CHECK(implies(is_pointer_access, is_scalar_memory_access));
  CHECK(implies(is_queue_transfer, is_queue_operation));
  CHECK(implies(is_control_flow, is_structural));
  CHECK(implies(is_loop, is_control_flow));
  CHECK(implies(is_section, is_structural));
  CHECK(implies(is_region_terminator, is_structural));
  CHECK(implies(is_pipe_pair_synchronisation, is_pipe_synchronisation));
  CHECK(implies(is_pipe_synchronisation, is_synchronisation));
  CHECK(implies(is_signal_set, is_signal));
  CHECK(implies(is_signal, is_synchronisation));
  CHECK_FALSE(implies(is_synchronisation, is_pipe_synchronisation));
}

}  // namespace
}  // namespace pto::isa
