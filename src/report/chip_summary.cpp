#include "report/chip_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "ir/hardware_lanes.hpp"
#include "report/naming.hpp"

namespace pto::report {
namespace {

constexpr double kMuch = 0.6, kTellingPart = 0.25;

uint64_t waits(const PipeStats& pipe) { return pipe.stall_cycles[static_cast<size_t>(Stall::resource)]; }

/// What its pipes waited for most.
Resource scarcest(const ChipUse& chip) {
  const auto* const most =
      std::max_element(std::begin(chip.resource_cycles) + 1, std::end(chip.resource_cycles));
  return static_cast<Resource>(most - std::begin(chip.resource_cycles));
}

std::string percent_of(double part, double of) { return fmt::format("{:.0f} %", 100 * part / of); }

std::string_view ordinal(uint32_t n) {
  static constexpr std::array<std::string_view, 4> kNames{"", "first", "second", "third"};
  return n < kNames.size() ? kNames[n] : "last";
}

/// Blocks of the last wave.
uint32_t rest_of(const ChipUse& chip) { return chip.blocks - (chip.waves() - 1) * chip.slots; }

std::string wave_line(const ChipUse& chip) {
  if (chip.waves() < 2) return "";
  const uint32_t rest = rest_of(chip);
  const std::string_view cores = chip.slots == chip.clusters ? "clusters" : "vector cores";
  return fmt::format("{} blocks on {} {}: {} waves, the {} {}\n", chip.blocks, chip.slots, cores,
                     chip.waves(), ordinal(chip.waves()),
                     rest == chip.slots ? "full" : percent_of(rest, chip.slots) + " full");
}

std::string rate_line(const SimResult& result) {
  const ChipUse& chip = result.chip;
  if (chip.clock_ghz <= 0 || chip.clusters == 0) return "";
  constexpr double kPerMicrosecond = 1000;
  const double cycles = static_cast<double>(result.kernel_cycles());
  std::string text = fmt::format(
      "{:.2f} us at {} GHz", static_cast<double>(result.total_cycles) / (chip.clock_ghz * kPerMicrosecond),
      chip.clock_ghz);
  if (result.launch_cycles != 0)
    text += fmt::format(" ({:.2f} us launch, {})",
                        static_cast<double>(result.launch_cycles) / (chip.clock_ghz * kPerMicrosecond),
                        to_string(chip.launch_basis));
  if (chip.cube_ops != 0) {
    const double ops = static_cast<double>(chip.cube_ops);
    text += fmt::format("; {:.2f} TFLOP/s",
                        ops * chip.clock_ghz / static_cast<double>(result.total_cycles) / kPerMicrosecond);
    if (chip.cube_peak > 0)
      text += fmt::format(
          ", {} of the chip's peak in 16 bits",
          percent_of(ops / static_cast<double>(result.total_cycles), chip.cube_peak * chip.clusters));
  }
  const auto rate = [&](std::string_view what, uint64_t bytes, double peak) {
    if (bytes == 0) return;
    const double per_cycle = static_cast<double>(bytes) / cycles;
    text += fmt::format("; GM {} {:.1f} GB/s", what, per_cycle * chip.clock_ghz);
    if (peak > 0) text += fmt::format(" ({} of L2)", percent_of(per_cycle, peak));
  };
  rate("reads", chip.read_bytes, chip.l2_read);
  rate("writes", chip.written_bytes, chip.l2_write);
  return text + "\n";
}

}  // namespace

std::optional<WaveUse> use_of_waves(const SimResult& result) {
  const ChipUse& chip = result.chip;
  if (chip.waves() < 2 || result.kernel_cycles() == 0) return std::nullopt;
  // Cores of a block follow each other: AIC, AIV0, AIV1.
  const size_t per_block = result.cores.size() / chip.blocks;
  std::map<std::pair<Pipe, CoreKind>, std::pair<uint64_t, uint64_t>> sums;  // busy, waiting for memory
  for (const PipeStats& pipe : result.pipes) {
    auto& [busy, waiting] = sums[{pipe.pipe, result.cores[pipe.core].kind}];
    busy += pipe.busy_cycles;
    waiting += waits(pipe);
  }
  WaveUse most;
  for (const auto& [key, sum] : sums) {
    size_t cores = 0;
    for (size_t i = 0; i < per_block; ++i) cores += result.cores[i].kind == key.second;
    const uint64_t all = result.kernel_cycles() * chip.slots * cores;
    if (all == 0 || share(sum.first + sum.second, all) <= most.busy + most.waiting) continue;
    most = {key.first, chip.slots * cores, share(sum.first, all), share(sum.second, all), 0};
  }
  most.full = share(chip.blocks, uint64_t{chip.waves()} * chip.slots);
  return most;
}

WaveUse::Bound WaveUse::bound() const {
  if (busy >= kMuch) return Bound::pipe;
  if (busy + waiting >= kMuch && waiting >= kTellingPart) return Bound::memory;
  return busy / full >= kMuch ? Bound::waves : Bound::waiting;
}

std::string bound_by_chip(const SimResult& result) {
  const uint64_t cycles = result.kernel_cycles();
  if (result.launch_cycles > cycles && result.chip.blocks > 1)
    return fmt::format("bound by the launch ({} of the time)",
                       percent(result.launch_cycles, result.total_cycles));
  if (const auto waves = use_of_waves(result)) {
    const std::string_view pipe = short_name(waves->pipe);
    const std::string busy = percent_of(waves->busy, 1);
    const std::string cores = fmt::format("{} cores", waves->cores);
    switch (waves->bound()) {
      case WaveUse::Bound::pipe:
        return fmt::format("bound by {} ({} busy, the mean of {})", pipe, busy, cores);
      case WaveUse::Bound::memory:
        return fmt::format("bound by {}: {} works {} and waits for them {} of the time of {}",
                           to_string(scarcest(result.chip)), pipe, busy, percent_of(waves->waiting, 1),
                           cores);
      case WaveUse::Bound::waves:
        return fmt::format("bound by waves: the {} is {} full; {} works {} while blocks run, {} of the whole",
                           ordinal(result.chip.waves()), percent_of(rest_of(result.chip), result.chip.slots),
                           pipe, percent_of(waves->busy / waves->full, 1), busy);
      case WaveUse::Bound::waiting:
        break;
    }
    return fmt::format("bound by waiting: the busiest pipe, {}, works {} of the time of {}", pipe, busy,
                       cores);
  }
  const PipeStats* most = nullptr;
  for (const PipeStats& pipe : result.pipes) {
    if (waits(pipe) == 0 || share(waits(pipe), cycles) < kTellingPart) continue;
    if (share(pipe.busy_cycles + waits(pipe), cycles) < kMuch) continue;
    if (most == nullptr || pipe.busy_cycles + waits(pipe) > most->busy_cycles + waits(*most)) most = &pipe;
  }
  if (most == nullptr) return "";
  const bool busier = std::ranges::any_of(result.pipes, [&](const PipeStats& pipe) {
    return pipe.busy_cycles > most->busy_cycles + waits(*most);
  });
  if (busier) return "";
  return fmt::format("bound by {}: {} works {} and waits for them {} of the time",
                     to_string(scarcest(result.chip)), short_name(most->pipe),
                     percent(most->busy_cycles, cycles), percent(waits(*most), cycles));
}

std::string chip_lines(const SimResult& result) { return wave_line(result.chip) + rate_line(result); }

}  // namespace pto::report
