// Receives run-time errors from the semantics of instructions.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "exec/exec_context.hpp"
#include "pto/fix.hpp"

namespace pto::exec {

/// The target of Context::faults. The engine turns a fault into a finding at the line of the
/// instruction.
class FaultSink {
 public:
  virtual ~FaultSink() = default;
  virtual void fault(const Context& context, Fault kind, std::string message) = 0;
  /// An address, or a step between rows, that is no multiple of `unit` bytes.
  virtual void misaligned(const Context& context, Space /*space*/, uint64_t /*address*/, uint64_t /*unit*/,
                          std::string message) {
    fault(context, Fault::misaligned, std::move(message));
  }
  virtual void print(const Context&, std::string /*text*/) {}
  /// Whether bytes of GM belong to an argument.
  [[nodiscard]] virtual bool is_in_argument(uint64_t /*address*/, uint64_t /*bytes*/) { return true; }
  /// The result is right, but the machine's own may not be.
  virtual void inexact(const Context&, std::string /*message*/) {}
  /// Indices beyond a table in local memory: the run goes on with a value that the machine may not have.
  virtual void beyond_table(const Context&, std::string /*message*/, Fix /*help*/) {}

  // ---- class Work (deferred_work.hpp)
  /// Whether what is done with memory that is granted from now on can be handed over.
  virtual bool work_begins(const Context&) { return false; }
  virtual void work(std::function<void()> /*piece*/) {}
  virtual void work_ends() {}
};

}  // namespace pto::exec
