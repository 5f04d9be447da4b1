// Reports of one run: text for people, JSON for programs, a timeline, a trace for Perfetto. docs/reports.md shows them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/case_file.hpp"
#include "pto/diagnostic.hpp"
#include "pto/simulator.hpp"
#include "report/recorder.hpp"

namespace pto::report {

/// Everything a report may look at.
struct Run {
  const Program& program;
  const SimResult& result;
  const Summary& summary;
  const Recorder* recorder = nullptr;  ///< null unless every event was kept
  std::string target;
};

/// One line: how long, and what bounds it.
std::string verdict(const Run& run);
/// "ok", "ok, 1 warning", "FAILED, 2 errors, 1 warning"
std::string outcome(const Findings& findings);
/// Outcome and verdict, per-pipe table, shares of the cost bases, notes.
std::string text_report(const Run& run);
/// One row per pipe, or per instruction for small programs; no line is longer than 100 columns. Needs the recorder.
std::string timeline(const Run& run);
/// Takes the next piece of a document.
using Sink = std::function<void(std::string_view)>;

/// Stable names: docs/reports.md. With a recorder: every instruction it has.
void write_json_report(const Run& run, const Sink& put);
std::string json_report(const Run& run);
/// Sums per mnemonic, line and wait, as JSON.
std::string stats_json(const Run& run);
/// Chrome trace events; one process per core, one thread per pipe. Needs the recorder.
void write_trace(const Run& run, const Sink& put);
std::string trace_json(const Run& run);

/// A finding as a compiler diagnostic; it refers to the finding's id.
Diagnostic diagnostic_of(const Finding& finding, const Program& program, std::string_view source);
/// All of a run, and how many it did not keep. Both collections have one limit and one policy.
void add_findings(Diagnostics& diagnostics, const Findings& findings, const Program& program, std::string_view source);
/// A mismatch as a finding ("MISMATCH"), with the instruction that wrote the element last when provenance is known.
Finding mismatch_finding(const Mismatch& mismatch, const Program& program, const Provenance* provenance);

}  // namespace pto::report
