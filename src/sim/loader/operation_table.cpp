#include "sim/loader/operation_table.hpp"

#include <array>

#include "exec/exec_context.hpp"
#include "sim/loader/loader.hpp"
#include "sim/loader/loader_calls.hpp"
#include "sim/loader/loader_control.hpp"
#include "sim/loader/loader_instructions.hpp"
#include "sim/loader/loader_queues.hpp"
#include "sim/loader/loader_simt.hpp"
#include "sim/loader/loader_sync.hpp"
#include "sim/loader/loader_vector.hpp"

namespace pto::sim {
namespace {

using isa::OpcodeClass;
using LoadFunction = void (*)(LoaderState&, const OpView&);

struct Entry {
  OpcodeClass opcode_class;
  LoadFunction function;
};

void load_nothing(LoaderState&, const OpView&) {}

constexpr Entry kEntries[] = {
    {OpcodeClass::constant, load_constant},
    {OpcodeClass::loop, load_for},
    {OpcodeClass::branch, load_if},
    {OpcodeClass::while_loop, load_while},
    {OpcodeClass::inline_region, load_execute_region},
    {OpcodeClass::yield, load_yield},
    {OpcodeClass::condition, load_condition},
    {OpcodeClass::block, load_block},
    {OpcodeClass::jump, load_jump},
    {OpcodeClass::cond_jump, load_cond_jump},
    {OpcodeClass::index_switch, load_index_switch},
    {OpcodeClass::check, load_check},
    {OpcodeClass::call, load_call},
    {OpcodeClass::ret, load_return},
    {OpcodeClass::section_cube, load_cube_section},
    {OpcodeClass::section_vector, load_vector_section},
    {OpcodeClass::launch_threads, load_launch},
    {OpcodeClass::describe_threads, load_thread_dims},
    {OpcodeClass::thread_barrier, load_thread_sync},
    {OpcodeClass::thread_fence, load_thread_sync},
    {OpcodeClass::vecscope, load_vecscope},
    {OpcodeClass::strict_vecscope, load_vecscope},
    {OpcodeClass::set_flag, load_flag},
    {OpcodeClass::set_flag_dyn, load_flag},
    {OpcodeClass::wait_flag, load_flag},
    {OpcodeClass::wait_flag_dyn, load_flag},
    {OpcodeClass::record_event, load_flag},
    {OpcodeClass::wait_event, load_flag},
    {OpcodeClass::barrier, load_barrier},
    {OpcodeClass::fence, load_barrier},
    {OpcodeClass::barrier_kind, load_barrier},
    {OpcodeClass::get_buf, load_buffer},
    {OpcodeClass::rls_buf, load_buffer},
    {OpcodeClass::memory_barrier, load_memory_barrier},
    {OpcodeClass::sync_set, load_sync},
    {OpcodeClass::intra_set, load_sync},
    {OpcodeClass::cross_set, load_sync},
    {OpcodeClass::sync_wait, load_sync},
    {OpcodeClass::intra_wait, load_sync},
    {OpcodeClass::cross_wait, load_sync},
    {OpcodeClass::sync_all, load_sync_all},
    {OpcodeClass::wait_tiles, load_barrier},
    {OpcodeClass::sync_base, load_nothing},
    {OpcodeClass::reserve_buffer, load_reserved},
    {OpcodeClass::import_buffer, load_reserved},
    {OpcodeClass::queue_init, load_queue_init},
    {OpcodeClass::queue_alloc, load_queue_alloc},
    {OpcodeClass::queue_push, load_queue_push},
    {OpcodeClass::queue_pop, load_queue_pop},
    {OpcodeClass::queue_free, load_queue_free},
};

/// The entries by their class.
constexpr auto kTable = [] {
  std::array<LoadFunction, 256> table{};
  for (const Entry& entry : kEntries) table[static_cast<uint8_t>(entry.opcode_class)] = entry.function;
  return table;
}();

LoadFunction function_of(OpcodeClass opcode_class) { return kTable[static_cast<uint8_t>(opcode_class)]; }

}  // namespace

bool has_loader(OpcodeClass opcode_class) { return function_of(opcode_class) != nullptr; }

void load_operation(LoaderState& loader, uint32_t pc) {
  const OpView view(loader.program, pc);
  const LoadFunction function = function_of(isa::opcode_class(view));
  if (function == nullptr) return load_instruction(loader, view);
  function(loader, view);
}

bool carries_out(const isa::Row& row) {
  const bool structure = row.opcode_class == OpcodeClass::module || row.opcode_class == OpcodeClass::function;
  return structure || has_loader(row.opcode_class) || exec::find(row.name) != nullptr;
}

}  // namespace pto::sim
