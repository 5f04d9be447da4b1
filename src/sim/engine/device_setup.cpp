#include "sim/engine/device_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "exec/integer_ops.hpp"
#include "ir/op_queries.hpp"
#include "sim/engine/run_hooks.hpp"
#include "sim/memory/shared_arguments.hpp"
#include "sim/ranks/rank_port.hpp"
#include "support/saturating.hpp"

namespace pto::sim {

namespace {

EngineConfig config_of(const Machine& machine, const Program& program) {
  EngineConfig config;
  config.queue_depth =
      machine.queue_depth > 0 ? static_cast<uint64_t>(machine.queue_depth) : ~uint64_t{0} >> 1;
  config.issue_cycles = machine.issue_cycles;
  config.scalar_cycles = machine.scalar_cycles;
  config.event_ids = static_cast<uint32_t>(std::max(machine.event_ids, 1));
  config.buffer_ids = static_cast<uint32_t>(std::max(machine.buffer_ids, 1));
  config.flags = machine.flags;
  config.flag_capacity = machine.flag_capacity();
  config.key_has_src = machine.flag_key_has_src;
  config.key_is_settled = machine.target != Target::cpu;  // the target cpu is no machine
  // The functional profile runs programs of either family.
  const Target family = machine.target == Target::cpu ? program.target : machine.target;
  config.signal_ids = static_cast<uint32_t>(std::max(machine.cross_core_ids, 16));
  config.pair_ids = family == Target::a5 ? 2 * config.signal_ids : 0;
  return config;
}

std::array<uint64_t, kLanes> slow_lanes(const Machine& machine, const Hypotheses& hypotheses) {
  std::array<uint64_t, kLanes> slow{};
  for (unsigned lane = kFirstQueue; lane < kLanes; ++lane) {
    const bool free = std::ranges::find(hypotheses.free, pipe_of_lane(lane)) != hypotheses.free.end();
    slow[lane] = free ? 0 : std::max(machine.slow[lane - kFirstQueue], 1u);
  }
  return slow;
}

void prepare_core(Core& core, Device& device, uint32_t blocks, uint32_t subblocks) {
  const EngineConfig& config = device.config;
  core.memory = std::make_unique<CoreMemory>(core.info.index, *device.machine, device.gm);
  core.memory->fill = device.fill;
  core.at.fill(kNever);
  core.at[kScalarAt] = 0;
  core.flags.prepare(size_t{kLanes} * kLanes, config.event_ids, config.flag_places);
  core.semaphores.resize(config.pair_ids + config.signal_ids);
  core.group_sets.assign(config.signal_ids, 0);
  exec::ThreadContext& context = core.context;
  context.memory = core.memory.get();
  context.kept = &core.kept;
  context.machine = device.machine;
  context.program = device.program;
  context.block_idx = core.info.block;
  context.block_num = blocks;
  context.subblock_idx = core.info.subblock;
  context.subblock_num = subblocks;
}

/// A cube kernel may write the UBs of its vector cores although they run nothing.
void lend_idle_memories(Device& device, std::array<CoreMemory*, 3>& cluster) {
  constexpr uint32_t kFirstIdle = uint32_t{1} << 31;
  if (cluster[0] == nullptr) return;
  for (size_t role = 1; role < cluster.size(); ++role) {
    if (cluster[role] != nullptr) continue;
    const uint32_t id = kFirstIdle + static_cast<uint32_t>(device.idle.size());
    device.idle.push_back(std::make_unique<CoreMemory>(id, *device.machine, device.gm));
    device.idle.back()->fill = device.fill;
    cluster[role] = device.idle.back().get();
  }
}

/// No set is lost that a skipped wait leaves, or that only a run without values makes: it is kept,
/// with a warning.
void widen_flags(EngineConfig& config, const Device& device, const SimOptions& options) {
  constexpr uint32_t kMany = 256;
  constexpr uint32_t kCounts = 15;
  const bool one_bit = device.machine->flags == FlagKind::bit;
  const bool skips = std::ranges::any_of(options.hypotheses.no_wait, [&](uint32_t pc) {
    return isa::is_synchronisation(isa::opcode_class(OpView(*device.program, pc)));
  });
  if (options.mode == Mode::time && one_bit) config.flag_capacity = std::max(config.flag_capacity, kCounts);
  if (skips && one_bit) config.flag_capacity = kMany;
  config.flag_places = skips ? kMany : config.flag_capacity;
}

std::string argument_label(const Device& device, const Argument& argument, size_t index) {
  if (!argument.name.empty()) return argument.name;
  return fmt::format("#{} of @{}", index, device.kernel->name);
}

/// A buffer handed over as a memref or view: row-major over the type's sizes; open sizes are 1.
void describe_argument(const Type& type, uint64_t addr, std::vector<exec::Word>& words) {
  exec::ViewDesc view{addr, {1, 1, 1, 1, 1}, {}, 0};
  int64_t stride = 1;
  for (int i = kMaxRank - 1, dim = type.rank - 1; i >= 0; --i, --dim) {
    if (dim >= 0 && type.dims[static_cast<size_t>(dim)] != kDynamic)
      view.shape[i] = type.dims[static_cast<size_t>(dim)];
    view.stride[i] = stride;
    stride = sat_mul(stride, view.shape[i]);
  }
  std::memcpy(words.data(), &view, sizeof view);
}

/// Where another device has an argument of which this one has an equal one.
std::optional<Error> of_peer(const Device& device, const RankArgument& argument, uint64_t& addr) {
  for (const GlobalMemory::Allocation& a : device.gm.allocations()) {
    if (a.argument != argument.of) continue;
    addr = a.addr - base_of_rank(device.port->rank()) + base_of_rank(argument.peer);
    return std::nullopt;
  }
  return Error{fmt::format("argument {} of rank {} is no buffer", argument.of, argument.peer)};
}

/// A kernel is started with scalars and with buffers in GM.
std::optional<Error> check_argument(const Device& device, const Argument& argument, size_t i) {
  const Kernel& kernel = *device.kernel;
  const Type& type = device.program->types[kernel.argument_types[i]];
  if (type.space != Space::none && type.space != Space::gm) {
    return Error{
        fmt::format("argument {} of @{} is in {}, where only a kernel that calls it can put something",
                    argument_label(device, argument, i), kernel.name, to_string(type.space)),
        Error::Kind::unsupported};
  }
  const bool wants_buffer = type.kind != TypeKind::scalar;
  if (wants_buffer == argument.is_buffer) return std::nullopt;
  return Error{fmt::format("argument {} of @{} is a {}, but a {} is given",
                           argument_label(device, argument, i), kernel.name,
                           wants_buffer ? "buffer" : "scalar", argument.is_buffer ? "buffer" : "scalar")};
}

/// The argument's address in GM.
std::optional<Error> place_buffer(Device& device, Argument& argument, size_t position,
                                  SharedArguments& shared, uint64_t& addr) {
  const RankArgument known = device.port == nullptr ? RankArgument{} : device.port->argument(position);
  if (known.of_peer()) return of_peer(device, known, addr);
  const auto index = static_cast<uint32_t>(position);
  if (SharedArguments::Group* const group = shared.group_of(position)) {
    if (!std::exchange(group->placed, true))
      group->address = device.gm.add(index, group->name, group->memory, group->initialised);
    addr = group->address + static_cast<uint64_t>(argument.home.data() - group->memory.data());
    return std::nullopt;
  }
  const std::string label = argument_label(device, argument, position);
  addr = argument.room == 0
             ? device.gm.add(index, label, argument.data(), argument.initialised)
             : device.gm.add_room(index, label, argument.data(), argument.room, argument.initialised);
  if (!known.window) device.gm.keep_to_itself();
  return std::nullopt;
}

/// The words of the argument in a frame.
std::vector<exec::Word> argument_words(const Type& type, const Argument& argument, uint64_t addr) {
  std::vector<exec::Word> words(exec::words_of(type), 0);
  if (argument.is_buffer && (type.kind == TypeKind::memref || type.is_view()))
    describe_argument(type, addr, words);
  else if (argument.is_buffer)
    words[0] = addr;
  else
    words[0] = is_integer(type.elem) ? exec::int_word(type.elem, argument.scalar) : argument.scalar;
  return words;
}

/// The positions of the arguments. Those that are the buffers of other devices come last.
std::vector<size_t> placement_order(const Device& device, size_t count) {
  std::vector<size_t> order;
  for (const bool peers : {false, true}) {
    for (size_t i = 0; i < count; ++i) {
      if ((device.port != nullptr && device.port->argument(i).of_peer()) == peers) order.push_back(i);
    }
  }
  return order;
}

}  // namespace

void configure_device(Device& device, const SimOptions& options) {
  device.fill = {options.fill_on_chip, hooks_of(options).fill_varies};
  device.config = config_of(*device.machine, *device.program);
  device.slow = slow_lanes(*device.machine, options.hypotheses);
  widen_flags(device.config, device, options);
  for (const CoreCode& role : device.kernel->roles) device.frames.push_back(role.frame);
}

void make_cores(Device& device, const SimOptions& options) {
  const uint32_t blocks = std::max(options.blocks, 1u);
  const Kernel& kernel = *device.kernel;
  const bool pair =
      std::any_of(kernel.cores.begin(), kernel.cores.end(), [](const auto& c) { return c.subblock == 1; });
  for (uint32_t block = 0; block < blocks; ++block) {
    std::array<CoreMemory*, 3> cluster{};
    const size_t first = device.cores.size();
    for (const Kernel::CoreSpec& spec : kernel.cores) {
      auto core = std::make_unique<Core>();
      core->info = {static_cast<uint32_t>(device.cores.size()), block, spec.kind, spec.subblock};
      core->role = &kernel.roles[spec.role];
      prepare_core(*core, device, blocks, pair ? 2 : 1);
      core->context.no_values = hooks_of(options).no_values;
      cluster[core->role_index()] = core->memory.get();
      device.cores.push_back(std::move(core));
    }
    lend_idle_memories(device, cluster);
    for (size_t i = first; i < device.cores.size(); ++i) device.cores[i]->memory->peers = cluster;
    // One core with every pipe is the AIC and its AIVs at once.
    if (device.cores.size() - first == 1 && kernel.cores[0].kind == CoreKind::mixed) {
      device.cores[first]->memory->peers.fill(device.cores[first]->memory.get());
    }
  }
}

std::optional<Error> pass_arguments(Device& device, std::vector<Argument>& arguments) {
  const Kernel& kernel = *device.kernel;
  if (arguments.size() != kernel.argument_types.size()) {
    return Error{fmt::format("@{} takes {} arguments, {} given", kernel.name, kernel.argument_types.size(),
                             arguments.size())};
  }
  SharedArguments shared(arguments);
  for (const size_t i : placement_order(device, arguments.size())) {
    Argument& argument = arguments[i];
    if (std::optional<Error> error = check_argument(device, argument, i)) return error;
    uint64_t addr = 0;
    if (argument.is_buffer) {
      if (std::optional<Error> error = place_buffer(device, argument, i, shared, addr)) return error;
    }
    const Type& type = device.program->types[kernel.argument_types[i]];
    const std::vector<exec::Word> words = argument_words(type, argument, addr);
    for (size_t role = 0; role < kernel.roles.size(); ++role) {
      for (const Copy& place : kernel.roles[role].arguments[i])
        std::copy_n(words.begin(), place.words, device.frames[role].begin() + place.to);
    }
  }
  return std::nullopt;
}

}  // namespace pto::sim
