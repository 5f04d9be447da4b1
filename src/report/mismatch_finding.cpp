// A wrong element as a finding, with the instruction that wrote it.
#include <fmt/format.h>

#include "report/naming.hpp"
#include "report/run_report.hpp"

namespace pto::report {

Diagnostic mismatch_finding(const Mismatch& mismatch, const Program& program, const LastWriter* writer) {
  constexpr FindingId kId = FindingId::mismatch;
  if (!writer) return finding(program, kId, ~0u, mismatch.message);
  if (!writer->written()) {
    Diagnostic out = finding(program, kId, ~0u, mismatch.message);
    out.help =
        "no instruction wrote this element: check the addresses, offsets and valid region of the store";
    return out;
  }
  const uint32_t pc = writer->pc();
  const std::string whose = writer->rank() ? fmt::format(" of rank {}", *writer->rank()) : "";
  Diagnostic out =
      finding(program, kId, pc,
              fmt::format("{}; written last by {}{} at {} in cycle {}", mismatch.message,
                          mnemonic(program, pc), whose, place(program, pc), grouped(writer->time())));
  out.moment = writer->moment();
  return out;
}

}  // namespace pto::report
