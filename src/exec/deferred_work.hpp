// What an instruction does with bytes, apart from what decides which bytes they are: the engine may have it
// done later, on another thread of the host.
#pragma once

#include <functional>
#include <utility>

#include "exec/exec_context.hpp"
#include "exec/fault_sink.hpp"

namespace pto::exec {

/// From its construction on an instruction asks for memory as ever, but leaves the bytes alone; what it does
/// with them it gives to `run`, once. That may know nothing of the context and its frame, and reports
/// nothing. Where no values are asked for it is not done at all.
class Work {
 public:
  explicit Work(const Context& context) : left_out_(context.no_values) {
    if (left_out_) return;
    auto* const sink = static_cast<FaultSink*>(context.engine);
    if (sink != nullptr && sink->work_begins(context)) sink_ = sink;
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
