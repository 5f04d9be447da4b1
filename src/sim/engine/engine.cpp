#include "sim/engine/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sim/engine/device_run.hpp"
#include "sim/engine/device_setup.hpp"
#include "sim/engine/device_state.hpp"
#include "sim/engine/engine_run.hpp"
#include "sim/engine/run_hooks.hpp"
#include "sim/engine/watch_spec.hpp"
#include "sim/loader/loader.hpp"
#include "sim/ranks/rank_port.hpp"

namespace pto::sim {

namespace {

/// Check mode looks at order and memory only: every instruction takes one cycle.
class UnitTimer final : public timing::VectorFunctionTimer {
 public:
  void begin() override {}
  void step(const exec::Inst&, const exec::Word*) override {}
  void loop_iteration() override {}
  timing::Cost end() override { return {}; }
};
class UnitCosts final : public timing::CostModel {
 public:
  timing::Cost cost(const exec::Inst&, const exec::Word*, const exec::ControlState*) override { return {}; }
  std::unique_ptr<timing::VectorFunctionTimer> vector_function() override {
    return std::make_unique<UnitTimer>();
  }
  [[nodiscard]] std::vector<std::string> unbound(std::span<const RowId>) const override { return {}; }
};

/// Refuses what has no cost, unless the run counts it.
std::optional<Error> check_costs(const Kernel& kernel, const timing::CostModel& costs) {
  for (const CoreCode& role : kernel.roles) {
    const std::vector<std::string> unbound = costs.unbound(role.rows);
    if (!unbound.empty()) {
      return Error{fmt::format("{}: the target has no cost for {}", kernel.program->source_name,
                               fmt::join(unbound, ", ")),
                   Error::Kind::unsupported};
    }
  }
  return std::nullopt;
}

/// The device, the engine that runs it, and what both look at.
class Host final : public DeviceHost {
 public:
  Host(std::unique_ptr<Kernel> kernel, const SimOptions& options)
      : options_(options), kernel_(std::move(kernel)) {}

  std::optional<Error> prepare(const Program& program, std::vector<Argument>& arguments,
                               const Machine& machine, timing::CostModel& costs,
                               std::span<Observer* const> observers, const Connect& connect) {
    timing::CostModel& used = options_.mode == Mode::check ? static_cast<timing::CostModel&>(unit_) : costs;
    if (std::optional<Error> error = check_costs(*kernel_, used); error && !options_.allow_unknown_cost)
      return error;
    device_.program = &program;
    device_.machine = &machine;
    device_.kernel = kernel_.get();
    configure_device(device_, options_);
    if (connect) {
      device_.port = device_.gm.port = connect(device_.gm);
      device_.gm.begin_at(base_of_rank(device_.port->rank()));
    }
    make_cores(device_, options_);
    if (std::optional<Error> error = pass_arguments(device_, arguments)) return error;
    engine_ = make_engine(device_, options_, used, observers);
    return std::nullopt;
  }

  DeviceRun& run() override { return *engine_; }
  Device& device() override { return device_; }

 private:
  const SimOptions& options_;
  std::unique_ptr<Kernel> kernel_;
  UnitCosts unit_;
  Device device_;
  std::unique_ptr<DeviceRun> engine_;
};

}  // namespace

Result<std::unique_ptr<DeviceHost>> make_device(const Program& program, std::vector<Argument>& arguments,
                                                const SimOptions& options, const Machine& machine,
                                                timing::CostModel& costs,
                                                std::span<Observer* const> observers,
                                                const Connect& connect) {
  Result<std::unique_ptr<Kernel>> kernel = load_kernel(program, options.entry, machine);
  if (!kernel) return kernel.error();
  fill_masks(**kernel, hooks_of(options).every_lane);
  if (std::optional<Error> error = check_watches(program, **kernel, arguments, options.watch)) return *error;
  auto host = std::make_unique<Host>(std::move(*kernel), options);
  if (std::optional<Error> error = host->prepare(program, arguments, machine, costs, observers, connect))
    return *error;
  return std::unique_ptr<DeviceHost>(std::move(host));
}

Result<SimResult> run(const Program& program, std::vector<Argument>& arguments, const SimOptions& options,
                      const Machine& machine, timing::CostModel& costs, std::span<Observer* const> observers,
                      FirstWrites* first_writes) {
  Result<std::unique_ptr<DeviceHost>> host =
      make_device(program, arguments, options, machine, costs, observers);
  if (!host) return host.error();
  (*host)->device().gm.first_writes = first_writes;
  DeviceRun& engine = (*host)->run();
  engine.begin();
  engine.advance(kNever);
  SimResult result = engine.end();
  // How far arguments were reached whose size is open.
  for (const GlobalMemory::Allocation& a : (*host)->device().gm.allocations()) {
    if (a.has_room) arguments[a.argument].reach = a.reach;
  }
  return result;
}

}  // namespace pto::sim
