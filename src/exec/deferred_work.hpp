// The data movement of an instruction, separate from the computation of its addresses. The engine
// may execute it later on another host thread.
#pragma once

#include <functional>
#include <utility>

#include "exec/exec_context.hpp"
#include "exec/fault_sink.hpp"

namespace pto::exec {

/// After its construction, an instruction requests memory as usual but does not access the bytes;
/// it passes that work to `run`, once. The work must not use the context or its frame, and reports
/// nothing. Without values it is not executed at all.
class Work {
 public:
  explicit Work(const Context& context) : left_out_(context.no_values) {
    if (left_out_) return;
    if (context.faults != nullptr && context.faults->work_begins(context)) sink_ = context.faults;
  }
  ~Work() {
    if (sink_ != nullptr) sink_->work_ends();
  }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  template <typename Piece>
  void run(Piece&& piece) const {
    if (left_out_) return;
    if (sink_ == nullptr)
      piece();
    else
      sink_->work(std::forward<Piece>(piece));
  }

 private:
  bool left_out_;
  FaultSink* sink_ = nullptr;
};

}  // namespace pto::exec
