// Reports of a run: text, JSON, a timeline, a trace, a page for browsers. docs/user/reports.md
// shows them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/case_file.hpp"
#include "pto/diagnostic.hpp"
#include "pto/program.hpp"
#include "pto/simulator.hpp"

namespace pto {

namespace report {
struct Run;
}

/// Receives the next piece of a document.
using Sink = std::function<void(std::string_view)>;

/// The cycles of an additional run under a change (pto/what_if.hpp).
struct WhatIfAnswer {
  std::string text;  ///< the change, as given by the user
  uint64_t cycles = 0;
  bool ended = true;
  std::string why;  ///< the reason if it did not end
};

/// Requested reports of a run, beside text() and stats(). Those with a sink are written during the
/// run, so they need no memory for long runs.
struct ReportOptions {
  std::string target;                      ///< its name in the reports
  std::vector<std::string> settings = {};  ///< overrides of its configuration
  size_t inserted = 0;                     ///< Prepared::inserted: flags and barriers that the tools inserted
  Sink trace = nullptr;   ///< Chrome trace events, for Perfetto; a cycle is a microsecond there
  Sink events = nullptr;  ///< accesses and synchronisation events, one JSON object per line
  Sink json = nullptr;    ///< the JSON report, with stable names
  bool timeline = false;  ///< for timeline()
  bool advice = false;    ///< for advice(), and the JSON report and the trace get the critical path
  bool page = false;      ///< for page()
  /// Of several devices: the trace is the part of this device (trace_of_ranks of
  /// report/trace/trace.hpp).
  std::optional<uint32_t> rank = {};
};

/// Observers that collect the data for the reports of one run. Pass observers() to simulate(), then
/// call the reports with its program and result.
class Reports {
 public:
  explicit Reports(ReportOptions options = {});
  Reports(const Reports&) = delete;
  Reports& operator=(const Reports&) = delete;
  ~Reports();
  /// Owned by this object.
  [[nodiscard]] std::vector<Observer*> observers();

  /// Completes the JSON report: sums, findings, cycles by the basis of their cost.
  void finish(const Program& program, const SimResult& result);
  /// The verdict and the bottleneck of the run, a table of its pipes in cycles, and notes. Lines
  /// have at most 100 columns.
  [[nodiscard]] std::string text(const Program& program, const SimResult& result) const;
  /// One row per pipe, or per instruction of a small program; "" unless ReportOptions::timeline.
  [[nodiscard]] std::string timeline(const Program& program, const SimResult& result) const;
  /// The critical path and possible savings; "" unless ReportOptions::advice. `parts`: the number
  /// of listed segments of the critical path.
  [[nodiscard]] std::string advice(const Program& program, const SimResult& result, size_t parts = 0) const;
  /// Sets the results of the runs under a change, for what_if() and the JSON report.
  void set_answers(std::vector<WhatIfAnswer> answers);
  /// Sets the buffers that agree with their expected values (judge() of pto/launch.hpp), for
  /// text(), stats() and the JSON report. Without it, the reports have no line about values.
  void set_agreements(std::vector<Agreement> agreements);
  /// The cycles of the run and of the runs under a change.
  [[nodiscard]] std::string what_if(const SimResult& result) const;
  /// Cycles and counts per mnemonic, line and wait, as JSON.
  [[nodiscard]] std::string stats(const Program& program, const SimResult& result) const;
  /// All reports as one self-contained HTML page (docs/user/reports.md); "" unless
  /// ReportOptions::page.
  [[nodiscard]] std::string page(const Program& program, const SimResult& result) const;
  /// The timeline of that page, for the page of two runs (DiffOptions); "" unless ReportOptions::page.
  [[nodiscard]] std::string page_data(const Program& program, const SimResult& result) const;

 private:
  [[nodiscard]] report::Run run_of(const Program& program, const SimResult& result) const;

  struct Watchers;
  ReportOptions options_;
  std::vector<WhatIfAnswer> answers_;
  std::optional<std::vector<Agreement>> agreements_;
  std::unique_ptr<Watchers> watchers_;
};

/// The position and time of a print or watched write, then its values.
std::string print_text(const Program& program, const Printed& printed);

/// The bottleneck of the run in a few characters: "MTE2 86 %", "waiting (MTE2 40 %)".
std::string bound_by(const SimResult& result);

}  // namespace pto
