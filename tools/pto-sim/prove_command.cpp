#include "pto-sim/prove_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/tool_main.hpp"
#include "pto/prove.hpp"
#include "support/printable.hpp"

namespace pto::tools {
namespace {

constexpr std::string_view kTool = "pto-sim prove";

std::string verdict(const Proof& proof) {
  const std::string runs = fmt::format("{} run{}", proof.runs, proof.runs == 1 ? "" : "s");
  switch (proof.verdict) {
    case Proof::Verdict::proved:
      return fmt::format(
          "proved: no deadlock, no race, nothing left over, for every input and every timing ({}; {})",
          fmt::join(proof.covers, ", "), runs);
    case Proof::Verdict::counterexample:
      return proof.inputs.empty()
                 ? fmt::format("counterexample: whatever the inputs are ({})", runs)
                 : fmt::format("counterexample: {} ({})", fmt::join(proof.inputs, ", "), runs);
    case Proof::Verdict::undecided:
      return fmt::format("not decided ({})", runs);
  }
  return {};
}

int prove_file(const std::string& file, const ProveTool& options, const std::atomic<bool>& stop) {
  ProveOptions wanted;
  wanted.launch = options.run.launch;
  wanted.launch.diagnostics = make_diagnostics(options.run.diagnostics);
  wanted.launch.fold_warnings = folded_warnings(options.run.diagnostics);
  wanted.sim = sim_options(options.run, stop);
  wanted.max_runs = options.max_runs;
  wanted.max_seconds = options.max_seconds;
  constexpr uint64_t kMaxInstructions = 10'000'000;
  if (wanted.sim.limits.instructions == 0) wanted.sim.limits.instructions = kMaxInstructions;
  const auto proofs = prove(file, wanted);
  if (!proofs) return fail(kTool, proofs.error());
  print_diagnostics(options.run.diagnostics, proofs->diagnostics, proofs->source_name, proofs->source, kTool);
  int worst = proofs->diagnostics.errors() != 0 ? exit_code(proofs->diagnostics) : kOk;
  for (const Proof& proof : proofs->kernels) {
    print_diagnostics(options.run.diagnostics, proof.diagnostics, proofs->source_name, proofs->source, kTool);
    put(stdout,
        fmt::format("{}: {}: {}\n", printable_line(file), printable_line(proof.kernel), verdict(proof)));
    if (proof.diagnostics.errors() != 0) worst = kFinding;
  }
  return worst;
}

}  // namespace

CLI::App* add_prove_command(CLI::App& app) {
  return app.add_subcommand("prove",
                            "Checks kernels for all inputs and timings, or finds inputs with an error.");
}

void add_prove_options(CLI::App& command, ProveTool& options) {
  begin_group(command, group::kProgram);
  command.add_option("files", options.files, ".pto text or object")->type_name("FILE")->required();
  begin_group(command, group::kSimulation);
  add_count(command, "--max-runs", options.max_runs, "input combinations to simulate")->capture_default_str();
  add_count(command, "--max-seconds", options.max_seconds, "time limit of a kernel; 0: none", "SECONDS")
      ->capture_default_str();
  add_common_run_options(command, options.run);
  add_other_run_options(command, options.run);
  add_unused_options(command, options.run);
}

int run_prove(const ProveTool& options, const std::atomic<bool>& stop) {
  if (const std::string why = refusal(options.run.ptoas, options.run.launch.target); !why.empty())
    return fail(kTool, why);
  int worst = kOk;
  const auto rank = [](int code) {
    return code == kFinding ? 4 : code;
  };  // unsupported is less than a finding
  for (const std::string& file : options.files) {
    if (stop) return kInterrupted;
    const int code = prove_file(file, options, stop);
    worst = rank(code) > rank(worst) ? code : worst;
  }
  return worst;
}

}  // namespace pto::tools
