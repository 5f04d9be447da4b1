// A device whose run can be stopped at a time and continued: the interface of the engine for its callers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "pto/machine.hpp"
#include "pto/program.hpp"
#include "pto/result.hpp"
#include "pto/simulator.hpp"
#include "timing/cost_model.hpp"

namespace pto::sim {

class GlobalMemory;
class RankEndpoint;
struct Device;

class DeviceRun {
 public:
  virtual ~DeviceRun() = default;
  virtual void begin() = 0;
  /// When something happens next; ~0: nothing, unless something comes from another device.
  [[nodiscard]] virtual uint64_t next() const = 0;
  /// Everything that happens before `horizon`.
  virtual void advance(uint64_t horizon) = 0;
  /// Nothing is left to do, or the run was stopped.
  [[nodiscard]] virtual bool done() const = 0;
  /// Looks at what is left, and gives the result; once.
  virtual SimResult end() = 0;
  /// After end(): waits for other devices pass at that moment; nothing that happens then is reported. The
  /// time of the next event; ~0: none.
  virtual uint64_t let_go(uint64_t now) = 0;
};

/// A device with its kernel and memory, ready to begin.
class DeviceHost {
 public:
  virtual ~DeviceHost() = default;
  virtual DeviceRun& run() = 0;
  virtual Device& device() = 0;
};

/// All arguments have to outlive it. `connect` makes the port to other devices; none: there are no others.
using Connect = std::function<RankEndpoint*(GlobalMemory&)>;
Result<std::unique_ptr<DeviceHost>> make_device(const Program& program, std::vector<Argument>& arguments,
                                                const SimOptions& options, const Machine& machine,
                                                timing::CostModel& costs,
                                                std::span<Observer* const> observers,
                                                const Connect& connect = {});

}  // namespace pto::sim
