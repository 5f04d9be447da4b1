// State that the loaders of all families of operations share while the code of one kind of core is built.
//
// The loader makes flat code of the structured operations of a kernel. For a loop on the scalar unit:
//
//   scf.for %i = %lo to %hi step %st iter_args(%x = %a) {     0  move      %lo -> %i, %a -> %x
//     pto.tadd ..                                             1  for_test  %i < %hi, step %st; else to 5
//     scf.yield %y                                            2  enqueue   queued[0], on the lane of pipe V
//   }                                                         3  move      %y -> %x
//                                                             4  for_next  %i += %st; to 1
//                                                             5  move      %x -> result
//
// Operands are words of a frame (frame.hpp). An entry of a queue captures its operands when it is issued. The
// function of an operation is in operation_table.cpp; all others are instructions (loader_instructions.hpp).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/tile_queues.hpp"
#include "ir/call_graph.hpp"
#include "isa/row.hpp"
#include "pto/machine.hpp"
#include "pto/result.hpp"
#include "sim/loader/code_builder.hpp"
#include "sim/loader/frame.hpp"
#include "sim/loader/kernel_code.hpp"

namespace pto::sim {

/// The tile queues of a program and their flags.
struct QueueWiring {
  explicit QueueWiring(const Program& program);
  QueueFacts facts;
  std::map<size_t, QueueFlags> flags;
};

/// The meaning of scf.yield and scf.condition in a region.
struct Ending {
  enum class Kind : uint8_t { forward, condition } kind = Kind::forward;
  std::vector<uint32_t> yield_to;  ///< words of the yielded values
  std::vector<uint32_t> results;   ///< condition: words when the loop ends
  uint32_t exit_patch = ~0u;       ///< condition: code whose target is the loop's end
};

/// The blocks of a region and the branches between them.
struct Blocks {
  std::map<std::string_view, uint32_t> begins;                  ///< operation of the label
  std::map<uint32_t, uint32_t> positions;                       ///< where its code begins
  std::vector<std::pair<uint32_t, std::string_view>> branches;  ///< code whose target is the label
  std::vector<uint32_t> exits;                                  ///< code that leaves the region
};

/// The regions around the operation that is loaded.
struct ControlState {
  std::vector<Ending> endings;
  std::optional<Blocks> blocks;                ///< of the innermost region, when it has more than one
  std::vector<std::vector<uint32_t>> inlined;  ///< result words of functions inlined into a vector function
  uint32_t depth = 0;                          ///< open regions
};

/// Functions that the scalar unit calls, by their operation.
struct CallState {
  std::vector<uint32_t> pending;                            ///< to be loaded, in the order of the first call
  std::unordered_map<uint32_t, uint32_t> positions;         ///< first code
  std::unordered_map<uint32_t, uint32_t> return_slots;      ///< word with the position to return to
  std::map<uint32_t, std::vector<uint32_t>> return_values;  ///< words
  std::vector<std::pair<uint32_t, uint32_t>> calls;         ///< code and callee
};

/// A function that is run by threads.
struct ThreadFunction {
  uint32_t entry = 0;
  std::array<uint32_t, 2> frame{};
  std::vector<Copy> arguments;  ///< `from` is unused
};

struct ThreadState {
  bool active = false;  ///< the code that is loaded is run by threads
  std::map<uint32_t, ThreadFunction> functions;
  std::optional<std::array<uint32_t, 3>> dims;  ///< words: set by the last store_vfsimt_info
};

struct LoaderState {
  LoaderState(const Program& program, const Functions& functions, const CallGraph& call_graph,
              const Machine& machine, Kernel& kernel, CoreCode& role, const std::vector<uint8_t>& unknown,
              const QueueWiring* queues);

  /// The first error counts; loading goes on.
  void fail(uint32_t pc, std::string message, Error::Kind kind);
  void refuse(uint32_t pc, const std::string& why);  ///< the simulator does not support the operation
  void reject(uint32_t pc, const std::string& why) { fail(pc, why, Error::Kind::input); }
  /// Whether a value depends on data, which time mode does not have.
  [[nodiscard]] bool is_unknown(ValueId value) const { return value < unknown.size() && unknown[value] != 0; }

  const Program& program;
  const Functions& functions;
  const CallGraph& call_graph;
  const Machine& machine;
  Kernel& kernel;
  CoreCode& role;
  const std::vector<uint8_t>& unknown;
  const QueueWiring* queues;
  bool a5;
  Frame frame;
  CodeBuilder code;
  ControlState control;
  CallState calls;
  ThreadState threads;
  std::unordered_map<uint32_t, bool> beside_micro;              ///< by function
  std::map<std::pair<size_t, bool>, uint32_t> channel_signals;  ///< end and direction: word of the condition
  std::optional<Error> error;
};

}  // namespace pto::sim
