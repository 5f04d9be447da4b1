// What is shown of a run: text for people, JSON, a timeline, a trace.
// docs/user/reports.md shows them.
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

/// Takes the next piece of a document.
using Sink = std::function<void(std::string_view)>;

/// What a run took that was made beside another, under a change (pto/what_if.hpp).
struct WhatIfAnswer {
  std::string text;  ///< the change, as it was asked for
  uint64_t cycles = 0;
  bool ended = true;
  std::string why;  ///< why it did not
};

/// Which reports of a run are wanted beside text() and stats(). Those with a sink are written while the run
/// goes on, so a long run takes no memory for them.
struct ReportOptions {
  std::string target;                      ///< as the reports name it
  std::vector<std::string> settings = {};  ///< put over its configuration
  size_t inserted = 0;    ///< Prepared::inserted: flags and barriers that are not the program's
  Sink trace = nullptr;   ///< Chrome trace events, for Perfetto; a cycle is a microsecond there
  Sink events = nullptr;  ///< accesses, and what orders them, one JSON object per line
  Sink json = nullptr;    ///< the JSON report, with stable names
  bool timeline = false;  ///< for timeline()
  bool advice = false;    ///< for advice(), and the JSON report and the trace get the critical path
  bool page = false;      ///< for page()
  /// Of several devices: the trace is the part of this one (trace_of_ranks of report/trace/trace.hpp).
  std::optional<uint32_t> rank = {};
};

/// Looks on at one run: give observers() to simulate(), then ask for the reports with its program and result.
class Reports {
 public:
  explicit Reports(ReportOptions options = {});
  Reports(const Reports&) = delete;
  Reports& operator=(const Reports&) = delete;
  ~Reports();
  /// They belong to this object.
  [[nodiscard]] std::vector<Observer*> observers();

  /// Writes what the JSON report still lacks: sums, findings, cycles by the basis of their cost.
  void finish(const Program& program, const SimResult& result);
  /// Outcome and what bounds the run, a table of its pipes in cycles, notes. No line is over 100 columns.
  [[nodiscard]] std::string text(const Program& program, const SimResult& result) const;
  /// One row per pipe, or per instruction of a small program; "" unless ReportOptions::timeline.
  [[nodiscard]] std::string timeline(const Program& program, const SimResult& result) const;
  /// What the cycles consist of, and what would make them fewer; "" unless ReportOptions::advice. `parts`: so
  /// many parts of the critical path are listed.
  [[nodiscard]] std::string advice(const Program& program, const SimResult& result, size_t parts = 0) const;
  /// What other runs took that were asked for: for what_if(), and the JSON report.
  void set_answers(std::vector<WhatIfAnswer> answers);
  /// The expectations that hold (judge() of pto/launch.hpp): for text(), stats() and the JSON report. Without
  /// this nothing is said about values.
  void set_agreements(std::vector<Agreement> agreements);
  /// The run and those beside it.
  [[nodiscard]] std::string what_if(const SimResult& result) const;
  /// Cycles and counts per mnemonic, line and wait, as JSON.
  [[nodiscard]] std::string stats(const Program& program, const SimResult& result) const;
  /// All of this as one page of HTML that needs nothing else (docs/user/page.md); "" unless
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

/// Where and when, then what was printed or written.
std::string print_text(const Program& program, const Printed& printed);

/// What bounds the run, in a few characters: "MTE2 86 %", "waiting (MTE2 40 %)".
std::string bound_by(const SimResult& result);

}  // namespace pto
