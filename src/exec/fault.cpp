#include "exec/fault.hpp"

#include <utility>

namespace pto::exec {

void Context::fault(Fault kind, std::string message) const {
  if (engine != nullptr) static_cast<FaultSink*>(engine)->fault(*this, kind, std::move(message));
}

}  // namespace pto::exec
