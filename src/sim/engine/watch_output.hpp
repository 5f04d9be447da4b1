// What is printed, and what is written to watched tiles and buffers. Included by engine.cpp only.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "exec/print_op.hpp"
#include "exec/tile/layout.hpp"
#include "sim/engine/engine_core.hpp"
#include "sim/engine/watch_spec.hpp"

namespace pto::sim {

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::print(const exec::Context&, std::string text) {
  if (!options_.print || reported_) return;
  if (!text.ends_with('\n')) text += '\n';
  options_.print(
      {running_pc_, d_.program->ops[running_pc_].where, moment(), {}, std::move(text), {}, {}, {}});
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::prepare_watch() {
  if (!options_.print || options_.watch.empty()) return;
  watching_ = true;
  for (const std::string& text : options_.watch) {
    const std::optional<WatchSpec> watch = parse_watch(text);
    if (!watch) continue;
    for (const GlobalMemory::Allocation& a : d_.gm.allocations()) {
      if (a.name != watch->name && parameter_name(*d_.program, *d_.kernel, a.argument) != watch->name)
        continue;
      const Elem elem = d_.program->types[d_.kernel->argument_types[a.argument]].elem;
      watched_buffers_.push_back({watch->name, watch->line, a.addr, a.addr + a.bytes, elem});
    }
    for (uint32_t op = 0; op < d_.program->ops.size(); ++op) {
      const OpView view(*d_.program, op);
      const auto note = [&](ValueId value) {
        if (watches(*watch, *d_.program, op, value)) watched_ops_[op].push_back({watch->name, value});
      };
      for (unsigned slot = 0; slot < isa::schema(view.op().row).operands.size(); ++slot) {
        for (const ValueId value : view.operands(slot)) note(value);
      }
      for (unsigned i = 0; i < view.op().n_results; ++i) note(view.result(i));
    }
  }
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::tell_written(Core& core) {
  if (written_.empty()) return;
  const std::vector<FootprintEvent> written = std::exchange(written_, {});
  core.memory->report_footprints = false;  // looking is no access
  const uint32_t line = d_.program->ops[running_pc_].where.line;
  for (const WatchedBuffer& buffer : watched_buffers_) {
    for (const FootprintEvent& event : written) {
      const bool inside = event.space == Space::gm && event.addr >= buffer.begin && event.addr < buffer.end;
      if (inside && (buffer.line == 0 || buffer.line == line))
        tell_rows(core, buffer.name, buffer.elem, event, buffer.begin);
    }
  }
  if (const auto found = watched_ops_.find(running_pc_); found != watched_ops_.end()) {
    const OpView view(*d_.program, running_pc_);
    const isa::Schema& schema = *core.context.inst->schema;
    const bool own = core.context.inst->row == view.op().row;
    for (const WatchedOp& watched : found->second) {
      const Type& type = d_.program->type_of(watched.value);
      for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
        // A queue's instruction has the operation's tile where its own destination is.
        const bool same = own ? view.operand(slot) == watched.value : type.is_tile();
        if (!same || core.context.count(slot) == 0 || schema.operands[slot].role == isa::Role::in) {
          if (!same || type.is_tile()) continue;
        }
        if (type.is_tile()) {
          tell_tile(core, watched.name, slot);
          continue;
        }
        const Space space = type.space == Space::none || type.is_view() ? Space::gm : type.space;
        for (const FootprintEvent& event : written) {
          if (event.space == space) tell_rows(core, watched.name, type.elem, event, 0);
        }
      }
    }
  }
  core.memory->report_footprints = true;
}

template <bool kData, bool kObserved>
void Engine<kData, kObserved>::tell_tile(Core& core, const std::string& name, unsigned slot) {
  Printed printed{running_pc_, d_.program->ops[running_pc_].where, moment(), name, {}, {}, {}, {}};
  printed.text = exec::show_operand(core.context, slot, {});
  const exec::Tile tile(core.context, slot, exec::AccessMode::read);
  printed.elem = core.context.type(slot).elem;
  printed.shape = {static_cast<int64_t>(tile.rows()), static_cast<int64_t>(tile.cols())};
  for (uint64_t row = 0; tile.good() && row < tile.rows(); ++row) {
    for (uint64_t col = 0; col < tile.cols(); ++col) {
      const std::byte* const at = tile.at(row, col);
      printed.bytes.insert(printed.bytes.end(), at, at + tile.size());
    }
  }
  options_.print(printed);
}

/// The rows that were written, as elements; `base` is what their numbers count from.
template <bool kData, bool kObserved>
void Engine<kData, kObserved>::tell_rows(Core& core, const std::string& name, Elem elem,
                                         const FootprintEvent& event, uint64_t base) {
  const uint32_t size = std::max(byte_width(elem), 1u);
  const auto count = static_cast<int64_t>(event.row_bytes / size);
  Printed printed{running_pc_, d_.program->ops[running_pc_].where,       moment(), name, {}, {},
                  elem,        {static_cast<int64_t>(event.rows), count}};
  for (uint64_t row = 0; row < event.rows; ++row) {
    const uint64_t addr = event.addr + row * static_cast<uint64_t>(event.pitch);
    const std::byte* const bytes =
        core.memory->access(event.space, addr, event.row_bytes, exec::AccessMode::read);
    if (bytes == nullptr) break;
    printed.bytes.insert(printed.bytes.end(), bytes, bytes + event.row_bytes);
    printed.text += base == 0 ? fmt::format("{:#x}:", addr) : fmt::format("[{}]:", (addr - base) / size);
    for (int64_t i = 0; i < count; ++i) {
      uint64_t bits = 0;
      std::memcpy(&bits, bytes + i * size, size);
      printed.text += ' ' + exec::show_element(elem, bits, {});
    }
    printed.text += '\n';
  }
  options_.print(printed);
}

}  // namespace pto::sim
