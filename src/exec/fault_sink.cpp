#include "exec/fault_sink.hpp"

#include <fmt/format.h>

#include <utility>

#include "exec/address_math.hpp"

namespace pto::exec {

void Context::fault(Fault kind, std::string message) const {
  if (faults != nullptr) faults->fault(*this, kind, std::move(message));
}

bool Context::aligned(Space space, uint64_t address, uint64_t unit, std::string_view what) const {
  if (space == Space::gm || address % unit == 0 || address == kNowhere) return true;
  if (faults != nullptr)
    faults->misaligned(
        *this, space, address, unit,
        fmt::format("{} {:#x} of {} is not a multiple of {} bytes", what, address, to_string(space), unit));
  return false;
}

}  // namespace pto::exec
