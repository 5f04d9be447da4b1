#include "sim/engine/instruction_reports.hpp"

#include <fmt/format.h>

#include "ir/value_names.hpp"
#include "sim/findings/alignment_advice.hpp"

namespace pto::sim {

namespace {

FindingId fault_id(exec::Fault kind) {
  switch (kind) {
    case exec::Fault::out_of_bounds:
      return FindingId::bounds;
    case exec::Fault::misaligned:
      return FindingId::align;
    case exec::Fault::divide_by_zero:
      return FindingId::div_zero;
    case exec::Fault::bad_operand:
    case exec::Fault::undefined_value:
      return FindingId::operand;
    case exec::Fault::unsupported:
      return FindingId::unsupported;
    case exec::Fault::beyond_view:
      return FindingId::window;
  }
  return FindingId::operand;
}

/// What can be said of any access beyond its buffer. Where a changed number cures it, that number
/// replaces this (repair/repair_search.hpp). `{gatherOob = #pto.gather_oob<clamp>}` and its like
/// bring indices back.
std::string bounds_help(const isa::Schema& schema, Space space) {
  for (const isa::AttrSpec& spec : schema.attrs) {
    if (spec.type == isa::AttrType::enumerant && isa::find_case(*spec.domain, "clamp") != nullptr)
      return fmt::format("keep the indices inside the table, or write {{{} = #pto.{}<clamp>}}", spec.name,
                         spec.domain->name);
  }
  if (space == Space::gm)
    return "give the argument as many bytes as the kernel reaches, or lower the offset, size or stride of "
           "the "
           "view or window that leaves it";
  if (space == Space::none)
    return "keep the index, the offset and the extent inside the size that the message names";
  return "lower the address, the offset or the extent that leaves this memory";
}

}  // namespace

// ---- FaultSink

template <typename Tap>
void InstructionReports<Tap>::fault(const exec::Context& context, exec::Fault kind, std::string message) {
  const Severity severity = kind == exec::Fault::beyond_view ? Severity::warning : Severity::error;
  message += current_.thread_name();
  Diagnostic* const finding = findings_.add(fault_id(kind), context.inst->pc, std::move(message), severity);
  if (finding == nullptr) return;
  finding->moment = current_.moment();
  if (kind == exec::Fault::out_of_bounds || kind == exec::Fault::beyond_view)
    finding->help = bounds_help(*context.inst->schema, Space::none);
}

template <typename Tap>
void InstructionReports<Tap>::misaligned(const exec::Context& context, Space space, uint64_t address,
                                         uint64_t unit, std::string message) {
  message += current_.thread_name();
  Diagnostic* const finding = findings_.add(FindingId::align, context.inst->pc, std::move(message));
  if (finding == nullptr) return;
  finding->moment = current_.moment();
  finding->help = advice_on_alignment(*d_.program, context, space, address, unit);
}

template <typename Tap>
bool InstructionReports<Tap>::is_in_argument(uint64_t address, uint64_t bytes) {
  const GlobalMemory::Allocation* const around = d_.gm.around(address);
  return around != nullptr && address - around->addr <= around->bytes &&
         bytes <= around->bytes - (address - around->addr);
}

template <typename Tap>
void InstructionReports<Tap>::inexact(const exec::Context& context, std::string message) {
  Diagnostic* const finding =
      findings_.add(FindingId::inexact, context.inst->pc, std::move(message), Severity::warning);
  if (finding == nullptr) return;
  finding->help = is_float(context.type(0).elem) ? "keep the quotient below 65536"
                                                 : "keep both operands within -16777216..16777216";
  finding->moment = current_.moment();
}

template <typename Tap>
void InstructionReports<Tap>::beyond_table(const exec::Context& context, std::string message, Fix help) {
  message += current_.thread_name();
  Diagnostic* const finding =
      findings_.add(FindingId::bounds, context.inst->pc, std::move(message), Severity::warning);
  if (finding == nullptr) return;
  finding->moment = current_.moment();
  finding->help = std::move(help);
}

/// Threads of a launch have a memory of their own, and who watches looks at once.
template <typename Tap>
bool InstructionReports<Tap>::work_begins(const exec::Context& context) {
  if (!workers_ || watch_.is_watching() || context.memory != current_.core().memory.get()) return false;
  workers_->begin(current_.core().info.block);
  return true;
}

template <typename Tap>
void InstructionReports<Tap>::prepare_workers(unsigned threads) {
  // Other devices look into this one's memory whenever they come.
  if (threads == 1 || d_.port != nullptr) return;
  workers_.emplace(threads, d_.cores.back()->info.block + 1);
  for (const auto& core : d_.cores) {
    core->memory->workers = &*workers_;
    core->memory->block = core->info.block;
  }
}

// ---- AccessListener

template <typename Tap>
void InstructionReports<Tap>::out_of_bounds(Space space, uint64_t addr, std::string message,
                                            std::string argument) {
  Diagnostic* const finding =
      findings_.add(FindingId::bounds, current_.pc(),
                    fmt::format("access out of bounds{}: {}", current_.thread_name(), message));
  if (finding == nullptr) return;
  finding->moment = current_.moment();
  finding->help = bounds_help(isa::schema(d_.program->ops[current_.pc()].row), space);
  finding->subject = std::move(argument);
  const ValueId operand = current_.operand_at(space, addr);
  if (operand == kNoValue) return;
  finding->operand = isa::value_name(*d_.program, operand);
  finding->message += fmt::format(" ({})", finding->operand);
}

template <typename Tap>
void InstructionReports<Tap>::beyond(FootprintEvent event) {
  current_.place(event);
  tap_.template observe<Observer::kFootprints>([&](Observer& o) { o.on_beyond(event); });
}

template <typename Tap>
void InstructionReports<Tap>::footprint(FootprintEvent event) {
  current_.place(event);
  watch_.add_footprint(event);
  tap_.template observe<Observer::kFootprints>([&](Observer& o) { o.on_footprint(event); });
}

template <typename Tap>
void InstructionReports<Tap>::cache_cleaned(uint64_t addr, bool all) {
  tap_.observe([&](Observer& o) { o.on_cache_clean(current_.core().info.index, current_.pc(), addr, all); });
}

template class InstructionReports<NullTap>;
template class InstructionReports<EventTap>;

}  // namespace pto::sim
