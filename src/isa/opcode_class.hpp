// The effect of an instruction besides its computation: on control flow, synchronisation and
// storage. It is a column of the row. Assembler, verifier, planner, static checks and loader
// dispatch on it and never test for mnemonics.
// Groups of classes are traits; the order of the enumerators has no meaning, and comparing them by order does
// not compile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pto::isa {

enum class OpcodeClass : uint8_t {
  other,               ///< it only computes
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

  // ---- of cores, and operations that no analysis models
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

bool operator<(OpcodeClass, OpcodeClass) = delete;
bool operator<=(OpcodeClass, OpcodeClass) = delete;
bool operator>(OpcodeClass, OpcodeClass) = delete;
bool operator>=(OpcodeClass, OpcodeClass) = delete;

namespace trait {

enum Trait : uint32_t {
  binary_arithmetic = 1U << 0,
  scalar_computation = 1U << 1,
  address_operation = 1U << 2,
  scalar_evaluable = 1U << 3,
  pointer_access = 1U << 4,
  scalar_memory_access = 1U << 5,
  queue_transfer = 1U << 6,
  queue_operation = 1U << 7,
  control_flow = 1U << 8,
  section = 1U << 9,
  region_terminator = 1U << 10,
  structural = 1U << 11,
  pipe_pair_synchronisation = 1U << 12,
  pipe_synchronisation = 1U << 13,
  signal = 1U << 14,
  signal_set = 1U << 15,
  synchronisation = 1U << 16,
  division = 1U << 17,
};

/// The traits of a class. A class that is missing does not compile.
constexpr uint32_t traits_of(OpcodeClass opcode_class) {
  constexpr uint32_t kScalar = scalar_computation | scalar_evaluable;
  constexpr uint32_t kBinary = kScalar | binary_arithmetic;
  constexpr uint32_t kAddress = address_operation | scalar_evaluable;
  constexpr uint32_t kPointer = pointer_access | scalar_memory_access;
  constexpr uint32_t kTransfer = queue_transfer | queue_operation;
  constexpr uint32_t kControl = control_flow | structural;
  constexpr uint32_t kTerminator = region_terminator | structural;
  constexpr uint32_t kPipes = pipe_synchronisation | synchronisation;
  constexpr uint32_t kPair = kPipes | pipe_pair_synchronisation;
  constexpr uint32_t kSignal = signal | synchronisation;
  switch (opcode_class) {
    case OpcodeClass::constant:
    case OpcodeClass::compare:
    case OpcodeClass::cast:
    case OpcodeClass::cast_unsigned:
    case OpcodeClass::select:
      return kScalar;
    case OpcodeClass::add:
    case OpcodeClass::sub:
    case OpcodeClass::mul:
    case OpcodeClass::bit_and:
    case OpcodeClass::bit_or:
    case OpcodeClass::bit_xor:
    case OpcodeClass::shift_left:
    case OpcodeClass::min_s:
    case OpcodeClass::max_s:
      return kBinary;
    case OpcodeClass::div_s:
    case OpcodeClass::div_u:
    case OpcodeClass::rem_s:
    case OpcodeClass::rem_u:
      return kBinary | division;
    case OpcodeClass::alloc_tile:
      return scalar_evaluable;
    case OpcodeClass::assign:
    case OpcodeClass::rename:
    case OpcodeClass::reshape:
    case OpcodeClass::cast_ptr:
    case OpcodeClass::add_ptr:
    case OpcodeClass::subview:
    case OpcodeClass::make_view:
    case OpcodeClass::slot:
    case OpcodeClass::partition:
      return kAddress;
    case OpcodeClass::load:
    case OpcodeClass::store:
    case OpcodeClass::load_buffer:
    case OpcodeClass::store_buffer:
      return kPointer;
    case OpcodeClass::load_element:
    case OpcodeClass::store_element:
      return scalar_memory_access;
    case OpcodeClass::queue_init:
      return queue_operation;
    case OpcodeClass::queue_alloc:
    case OpcodeClass::queue_push:
    case OpcodeClass::queue_pop:
    case OpcodeClass::queue_free:
      return kTransfer;
    case OpcodeClass::reserve_buffer:
    case OpcodeClass::import_buffer:
      return queue_operation;
    case OpcodeClass::module:
    case OpcodeClass::function:
    case OpcodeClass::block:
    case OpcodeClass::vecscope:
    case OpcodeClass::strict_vecscope:
    case OpcodeClass::call:
      return structural;
    case OpcodeClass::index_switch:
    case OpcodeClass::loop:
    case OpcodeClass::while_loop:
    case OpcodeClass::branch:
    case OpcodeClass::inline_region:
      return kControl;
    case OpcodeClass::section_cube:
    case OpcodeClass::section_vector:
      return section | structural;
    case OpcodeClass::yield:
    case OpcodeClass::condition:
    case OpcodeClass::ret:
    case OpcodeClass::jump:
    case OpcodeClass::cond_jump:
      return kTerminator;
    case OpcodeClass::set_flag:
    case OpcodeClass::set_flag_dyn:
    case OpcodeClass::wait_flag:
    case OpcodeClass::wait_flag_dyn:
    case OpcodeClass::record_event:
    case OpcodeClass::wait_event:
      return kPair;
    case OpcodeClass::barrier:
    case OpcodeClass::barrier_kind:
    case OpcodeClass::get_buf:
    case OpcodeClass::rls_buf:
    case OpcodeClass::wait_tiles:
      return kPipes;
    case OpcodeClass::sync_set:
    case OpcodeClass::intra_set:
    case OpcodeClass::cross_set:
      return kSignal | signal_set;
    case OpcodeClass::sync_wait:
    case OpcodeClass::intra_wait:
    case OpcodeClass::cross_wait:
      return kSignal;
    case OpcodeClass::sync_all:
    case OpcodeClass::opaque_sync:
      return synchronisation;
    case OpcodeClass::other:
    case OpcodeClass::vector_core_number:
    case OpcodeClass::alloc_buffer:
    case OpcodeClass::declare_tile:
    case OpcodeClass::set_extents:
    case OpcodeClass::load_status:
    case OpcodeClass::store_array:
    case OpcodeClass::vector_load:
    case OpcodeClass::load_stream:
    case OpcodeClass::store_stream:
    case OpcodeClass::begin_load_stream:
    case OpcodeClass::begin_store_stream:
    case OpcodeClass::fill:
    case OpcodeClass::launch_threads:
    case OpcodeClass::describe_threads:
    case OpcodeClass::keep:
    case OpcodeClass::resume:
    case OpcodeClass::thread_barrier:
    case OpcodeClass::thread_fence:
    case OpcodeClass::thread_load:
    case OpcodeClass::atomic:
    case OpcodeClass::check:
    case OpcodeClass::sync_base:
    case OpcodeClass::memory_barrier:
    case OpcodeClass::fence:
    case OpcodeClass::clean_cache:
    case OpcodeClass::count:
      return 0;
  }
  return 0;
}

inline constexpr auto kTable = [] {
  std::array<uint32_t, static_cast<size_t>(OpcodeClass::count)> table{};
  for (size_t i = 0; i < table.size(); ++i) table[i] = traits_of(static_cast<OpcodeClass>(i));
  return table;
}();

constexpr bool has(OpcodeClass opcode_class, Trait trait) {
  return (kTable[static_cast<size_t>(opcode_class)] & trait) != 0;
}

}  // namespace trait

/// Arithmetic of two scalar operands.
constexpr bool is_binary_arithmetic(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::binary_arithmetic);
}
/// Division or remainder, signed or unsigned.
constexpr bool is_division(OpcodeClass opcode_class) { return trait::has(opcode_class, trait::division); }
/// Computes a scalar of scalars.
constexpr bool is_scalar_computation(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::scalar_computation);
}
/// Gives a value or an address that can be known before the program runs.
constexpr bool is_scalar_evaluable(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::scalar_evaluable);
}
/// Gives another name to the storage of its first operand, or to a part of it.
constexpr bool is_address_operation(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::address_operation);
}
/// An access of the scalar unit through a pointer or a memref.
constexpr bool is_pointer_access(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::pointer_access);
}
/// An access of the scalar unit, also to an element of a tile.
constexpr bool is_scalar_memory_access(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::scalar_memory_access);
}
/// Takes, gives back or fills a slot of a tile queue.
constexpr bool is_queue_transfer(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::queue_transfer);
}
/// Belongs to a tile queue: its ends, its transfers, the buffers it lies in.
constexpr bool is_queue_operation(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::queue_operation);
}
/// Decides whether and how often its regions run; they hand values on by yielding them.
constexpr bool is_control_flow(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::control_flow);
}
/// Code of one kind of core.
constexpr bool is_section(OpcodeClass opcode_class) { return trait::has(opcode_class, trait::section); }
/// Is the last operation of its region.
constexpr bool is_region_terminator(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::region_terminator);
}
/// Holds regions, ends one, or calls.
constexpr bool is_structural(OpcodeClass opcode_class) { return trait::has(opcode_class, trait::structural); }
/// A loop, counted or not.
constexpr bool is_loop(OpcodeClass opcode_class) {
  return opcode_class == OpcodeClass::loop || opcode_class == OpcodeClass::while_loop;
}
/// Orders two pipes of one core: sets or waits of flags and events.
constexpr bool is_pipe_pair_synchronisation(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::pipe_pair_synchronisation);
}
/// Waits or sets among the pipes of one core.
constexpr bool is_pipe_synchronisation(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::pipe_synchronisation);
}
/// Counts between cores: sets one, or waits for one.
constexpr bool is_signal(OpcodeClass opcode_class) { return trait::has(opcode_class, trait::signal); }
constexpr bool is_signal_set(OpcodeClass opcode_class) { return trait::has(opcode_class, trait::signal_set); }
/// Waits or sets, among pipes or among cores.
constexpr bool is_synchronisation(OpcodeClass opcode_class) {
  return trait::has(opcode_class, trait::synchronisation);
}

}  // namespace pto::isa
