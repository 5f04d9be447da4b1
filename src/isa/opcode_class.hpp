// What an instruction does beside computing: to control flow, to synchronisation, to storage. A column of its
// row; assembler, verifier, planner, static checks and loader switch on it and know no instruction by name.
#pragma once

#include <cstdint>

namespace pto::isa {

enum class OpcodeClass : uint8_t {
  other,               ///< what it computes, and nothing else that a tool would have to know
  vector_core_number,  ///< gives the number of the vector core within its block

  // ---- scalar values that are followed
  constant,
  add,
  sub,
  mul,
  div_s,
  div_u,
  rem_s,
  rem_u,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  min_s,
  max_s,
  compare,
  cast,
  cast_unsigned,
  select,

  // ---- names of storage that are followed
  alloc_tile,
  assign,   ///< the tile again, at another address
  rename,   ///< the same bytes under another type
  reshape,  ///< the same bytes as a tile of another form
  cast_ptr,
  add_ptr,
  subview,
  make_view,
  slot,  ///< one of the tiles of an alloc_multi_tile
  partition,

  // ---- other storage
  alloc_buffer,
  declare_tile,
  set_extents,     ///< changes the valid region of a tile
  reserve_buffer,  ///< bytes that another core writes
  import_buffer,   ///< bytes that another core reserved

  // ---- accesses
  load,  ///< scalar unit, through a pointer
  store,
  load_buffer,  ///< scalar unit, from a memref
  store_buffer,
  load_element,  ///< scalar unit, of a tile
  store_element,
  load_status,  ///< a register that data decides
  store_array,  ///< an element of an array of scalars
  vector_load,  ///< registers from UB, element by element as they are
  load_stream,  ///< unaligned; the state of the stream goes from one access to the next
  store_stream,
  begin_load_stream,
  begin_store_stream,
  fill,  ///< the whole tile with one value

  // ---- threads
  launch_threads,
  describe_threads,  ///< of the launch that follows
  keep,
  resume,
  thread_barrier,
  thread_fence,
  thread_load,
  atomic,

  // ---- tile queues between cores
  queue_init,
  queue_alloc,
  queue_push,
  queue_pop,
  queue_free,

  // ---- structure and control flow
  module,
  function,
  block,
  index_switch,
  loop,
  while_loop,
  branch,
  inline_region,
  vecscope,
  strict_vecscope,
  section_cube,
  section_vector,
  call,

  // these end their region
  yield,
  condition,
  ret,
  jump,
  cond_jump,

  check,  ///< ends the run where a condition does not hold

  // ---- synchronisation of the pipes of one core
  set_flag,
  set_flag_dyn,
  wait_flag,
  wait_flag_dyn,
  record_event,
  wait_event,
  barrier,
  barrier_kind,
  get_buf,
  rls_buf,
  wait_tiles,

  // ---- of cores, and what no tool follows
  sync_set,
  sync_wait,
  intra_set,  ///< of the cores of one block
  intra_wait,
  cross_set,  ///< of all cores of a kind
  cross_wait,
  sync_all,  ///< cores meet
  opaque_sync,
  sync_base,       ///< where the words of sync_set and sync_wait lie
  memory_barrier,  ///< accesses of one vector function
  fence,           ///< the core's pipes finish
  clean_cache,     ///< lines of the scalar unit's data cache are written back and dropped

  count,
};

/// Waits or sets among the pipes of one core.
constexpr bool is_pipe_synchronisation(OpcodeClass opcode_class) {
  return opcode_class >= OpcodeClass::set_flag && opcode_class <= OpcodeClass::wait_tiles;
}
/// Waits or sets, among pipes or among cores.
constexpr bool is_synchronisation(OpcodeClass opcode_class) {
  return opcode_class >= OpcodeClass::set_flag && opcode_class <= OpcodeClass::opaque_sync;
}
/// Counts between cores: sets one, or waits for one.
constexpr bool is_signal(OpcodeClass opcode_class) {
  return opcode_class >= OpcodeClass::sync_set && opcode_class <= OpcodeClass::cross_wait;
}
constexpr bool is_signal_set(OpcodeClass opcode_class) {
  return opcode_class == OpcodeClass::sync_set || opcode_class == OpcodeClass::intra_set ||
         opcode_class == OpcodeClass::cross_set;
}
/// Gives a value or a place that can be known before the program runs.
constexpr bool is_scalar_evaluable(OpcodeClass opcode_class) {
  return opcode_class >= OpcodeClass::constant && opcode_class <= OpcodeClass::partition;
}
/// Gives another name to the storage of its first operand, or to a part of it.
constexpr bool is_address_operation(OpcodeClass opcode_class) {
  return opcode_class >= OpcodeClass::assign && opcode_class <= OpcodeClass::partition;
}
/// Decides whether and how often its regions run; they hand values on by yielding them.
constexpr bool is_control_flow(OpcodeClass opcode_class) {
  return opcode_class >= OpcodeClass::index_switch && opcode_class <= OpcodeClass::inline_region;
}
/// Code of one kind of core.
constexpr bool is_section(OpcodeClass opcode_class) {
  return opcode_class == OpcodeClass::section_cube || opcode_class == OpcodeClass::section_vector;
}
/// Is the last operation of its region.
constexpr bool is_region_terminator(OpcodeClass opcode_class) {
  return opcode_class >= OpcodeClass::yield && opcode_class <= OpcodeClass::cond_jump;
}
/// Holds regions, ends one, or calls.
constexpr bool is_structural(OpcodeClass opcode_class) {
  return opcode_class >= OpcodeClass::module && opcode_class <= OpcodeClass::cond_jump;
}

}  // namespace pto::isa
