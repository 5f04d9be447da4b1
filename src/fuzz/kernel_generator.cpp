// One of the generators of structured kernels.
#include "fuzz/kernel_generator.hpp"

namespace pto::fuzz {

GeneratedKernel generate_kernel(Choices& choices) {
  return choices.chance(64) ? generate_cube_kernel(choices) : generate_vector_kernel(choices);
}

}  // namespace pto::fuzz
