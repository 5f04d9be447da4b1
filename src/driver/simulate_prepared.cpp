// Apart from prepare.cpp, so that programs which only assemble are linked without the simulator.
#include "pto/prepare.hpp"
#include "pto/simulator.hpp"

namespace pto {

Result<SimResult> simulate(const Prepared& prepared, std::vector<Argument>& arguments, SimOptions options,
                           std::span<Observer* const> observers) {
  if (!prepared.ready) return Error{"the program has errors: see Prepared::diagnostics"};
  options.target = prepared.target;
  options.settings = prepared.settings;
  Result<SimResult> result = simulate(prepared.program, arguments, options, observers);
  if (result) prepared.locate(result->findings);
  return result;
}

}  // namespace pto
