// libFuzzer entry of the target named by PTO_FUZZ_TARGET at compile time.
#include "testing/fuzz_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return pto::fuzz::PTO_FUZZ_TARGET(data, size);
}
