// Fuzz target: the object reader; whatever it accepts must be safe to verify, print and write.
#include <cstdlib>
#include <cstring>

#include "object/sections.hpp"
#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/verify.hpp"
#include "testing/fuzz_target.hpp"

namespace pto::fuzz {

int object_reader(const uint8_t* data, size_t size) {
  // Without checksums: mutations must meet the checks behind them.
  const auto program = object::read({reinterpret_cast<const std::byte*>(data), size}, {.checksums = false});
  if (!program) {
    if (program.error().message.empty()) std::abort();
    return 0;
  }
  Diagnostics findings;
  verify(*program, {}, findings);
  print(*program, {.locations = true});
  const auto bytes = write_object(*program);
  const auto again = read_object(bytes);
  if (!again || write_object(*again) != bytes) std::abort();
  return 0;
}

}  // namespace pto::fuzz
