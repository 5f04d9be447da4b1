#include "sim/engine/watch_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "exec/print_op.hpp"
#include "exec/tile/layout.hpp"
#include "ir/op_queries.hpp"
#include "sim/engine/watch_spec.hpp"

namespace pto::sim {

void WatchOutput::disconnect() {
  watching_ = false;
  disconnected_ = true;
}

Printed WatchOutput::printed_here(std::string name) const {
  const uint32_t pc = current_.pc();
  return {pc, d_.program->ops[pc].where, current_.moment(), std::move(name), {}, {}, {}, {}};
}

void WatchOutput::print(std::string text) const {
  if (!options_.print || disconnected_) return;
  if (!text.ends_with('\n')) text += '\n';
  Printed printed = printed_here({});
  printed.text = std::move(text);
  options_.print(printed);
}

void WatchOutput::prepare() {
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

void WatchOutput::show_written(Core& core) {
  const std::vector<FootprintEvent> written = std::exchange(written_, {});
  core.memory->report_footprints = false;  // looking is no access
  show_buffers(core, written);
  show_values(core, written);
  core.memory->report_footprints = true;
}

void WatchOutput::show_buffers(Core& core, const std::vector<FootprintEvent>& written) {
  const uint32_t line = d_.program->ops[current_.pc()].where.line;
  for (const WatchedBuffer& buffer : watched_buffers_) {
    if (buffer.line != 0 && buffer.line != line) continue;
    for (const FootprintEvent& event : written) {
      const bool inside = event.space == Space::gm && event.addr >= buffer.begin && event.addr < buffer.end;
      if (inside) show_rows(core, buffer.name, buffer.elem, event, buffer.begin);
    }
  }
}

void WatchOutput::show_values(Core& core, const std::vector<FootprintEvent>& written) {
  const auto found = watched_ops_.find(current_.pc());
  if (found == watched_ops_.end()) return;
  const OpView view(*d_.program, current_.pc());
  const isa::Schema& schema = *core.context.inst->schema;
  const bool own = core.context.inst->row == view.op().row;
  for (const WatchedOp& watched : found->second) {
    const Type& type = d_.program->type_of(watched.value);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      // A queue's instruction has the operation's tile where its own destination is.
      const bool same = own ? view.operand(slot) == watched.value : type.is_tile();
      if (!same) continue;
      const bool is_source = core.context.count(slot) == 0 || schema.operands[slot].role == isa::Role::in;
      if (type.is_tile()) {
        if (!is_source) show_tile(core, watched.name, slot);
        continue;
      }
      const Space space = type.space == Space::none || type.is_view() ? Space::gm : type.space;
      for (const FootprintEvent& event : written) {
        if (event.space == space) show_rows(core, watched.name, type.elem, event, 0);
      }
    }
  }
}

void WatchOutput::show_tile(Core& core, const std::string& name, unsigned slot) {
  Printed printed = printed_here(name);
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

/// The rows that were written, as elements; `base` is what their indices count from.
void WatchOutput::show_rows(Core& core, const std::string& name, Elem elem, const FootprintEvent& event,
                            uint64_t base) {
  const uint32_t size = std::max(byte_width(elem), 1u);
  const auto count = static_cast<int64_t>(event.row_bytes / size);
  Printed printed = printed_here(name);
  printed.elem = elem;
  printed.shape = {static_cast<int64_t>(event.rows), count};
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
