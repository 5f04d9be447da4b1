// Reports of one run: text for people, JSON for programs; trace/trace.hpp and trace/timeline.hpp have the
// others. docs/user/reports.md shows them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pto/case_file.hpp"
#include "pto/diagnostic.hpp"
#include "pto/report.hpp"
#include "pto/simulator.hpp"
#include "report/run_recorder.hpp"

namespace pto::report {

class BarrierUse;
class StepGraph;

/// Everything a report may look at.
struct Run {
  const Program& program;
  const SimResult& result;
  const Summary& summary;
  std::string target;
  std::vector<std::string> settings = {};  ///< put over the target's configuration
  size_t inserted = 0;                     ///< flags and barriers that are not the program's
  const StepGraph* steps = nullptr;        ///< where advice is wanted
  std::span<const WhatIfAnswer> answers = {};
  const std::vector<Agreement>* agreements = nullptr;  ///< expectations that hold, where they were looked at
  const BarrierUse* barriers = nullptr;                ///< where advice is wanted
};

/// One line: cycles and bottleneck.
std::string verdict(const Run& run);
/// "ok", "ok, 1 warning", "FAILED, 2 errors, 1 warning"
std::string outcome(const Diagnostics& findings);
/// A line for each buffer that agrees with its expected values, or a line that there are none; ""
/// if the outputs were not compared.
std::string agreement_text(const Run& run);
std::string agreement_line(const Agreement& one);
/// Outcome and verdict, compared buffers, table of pipes, shares of the cost bases, notes.
std::string text_report(const Run& run);
/// A line per changed run, beside the run as it is.
std::string what_if_text(const SimResult& result, std::span<const WhatIfAnswer> answers);
/// Sums per mnemonic, line and wait, as JSON.
std::string stats_json(const Run& run);

/// The JSON report, with stable names: docs/user/reports.md. Its list of instructions is written while the
/// run goes on, if it is notified of them; the rest follows with `finish`.
class JsonReport final : public Observer {
 public:
  explicit JsonReport(Sink put) : put_(std::move(put)) {}
  void on_start(std::span<const CoreInfo>, const Program& program) override { program_ = &program; }
  void on_instruction(const InstEvent& event) override;
  void finish(const Run& run);

 private:
  Sink put_;
  const Program* program_ = nullptr;
  std::string out_;
  bool any_ = false;
};

/// A mismatch as a finding ("MISMATCH"), with the instruction that wrote the element last when provenance is
/// known.
Diagnostic mismatch_finding(const Mismatch& mismatch, const Program& program, const LastWriter* writer);

}  // namespace pto::report
