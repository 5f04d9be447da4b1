// The checker for bytes that an instruction has left with something else: its scratch tile, what it writes
// behind that, and sources that it works in. Nobody may use them before they are written again.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "check/checkers.hpp"
#include "check/footprint_ranges.hpp"
#include "check/shadow_memory.hpp"
#include "ir/value_names.hpp"
#include "sim/findings/naming.hpp"

namespace pto::sim {
namespace {

/// Who has left it, and whether through an operand that is a source.
struct Left {
  uint32_t pc = ~0u;
  uint64_t time = 0;
  bool source = false;
  bool operator==(const Left&) const = default;
};

class ClobberChecker final : public RunChecker {
 public:
  uint32_t wants() const override { return kFootprints; }

  void on_start(std::span<const CoreInfo>, const Program& program) override { program_ = &program; }

  void on_footprint(const FootprintEvent& event) override {
    if (event.space == Space::gm || event.space == Space::none || event.pc >= program_->ops.size()) return;
    const bool hidden = in_hidden_phase();
    if (!hidden && !any_) return;
    ShadowMemory<Left>& memory = memories_.of(event);
    if (hidden) {
      if (event.write) leave(event, memory);
      return;
    }
    if (!event.write || event.update) read(event, memory);
    if (event.write) {
      for_each_range(event, [&](uint64_t begin, uint64_t end) { memory.assign(begin, end, {}); });
    }
  }

  std::vector<Diagnostic> take_findings() override { return std::move(findings_); }

 private:
  void leave(const FootprintEvent& event, ShadowMemory<Left>& memory) {
    any_ = true;
    const Left left{event.pc, event.time, is_input(*program_, event)};
    for_each_range(event, [&](uint64_t begin, uint64_t end) { memory.assign(begin, end, left); });
  }

  void read(const FootprintEvent& event, ShadowMemory<Left>& memory) {
    for_each_range(event, [&](uint64_t begin, uint64_t end) {
      memory.look(begin, end, [&](uint64_t from, uint64_t, const Left* left) {
        if (left == nullptr || left->pc == ~0u) return;
        if (left->pc == event.pc && left->time == event.time) return;  // its own work
        report(event, from, *left);
      });
    });
  }

  void report(const FootprintEvent& event, uint64_t addr, const Left& left) {
    if (!reported_.emplace(event.pc, left.pc).second) return;
    const ValueId operand = operand_at(event.space, addr);
    const std::string name = operand == kNoValue ? std::string() : isa::value_name(*program_, operand);
    Diagnostic& out = findings_.emplace_back(finding(
        *program_, FindingId::clobbered, event.pc,
        fmt::format("{} on {} reads {}at {}, where {} has left {}", mnemonic(*program_, event.pc),
                    short_name(event.pipe), name.empty() ? name : name + " ",
                    arguments_.place(event.space, addr), mnemonic(*program_, left.pc),
                    left.source ? "other bytes: it works in its source" : "the values in its scratch tile")));
    out.moment = moment();
    out.operand = name;
    out.notes.push_back(
        note_at(*program_, left.pc,
                left.source ? "the source is changed here" : "the scratch bytes are written here"));
    out.help = left.source
                   ? fmt::format("copy the tile before {}, or load it again", mnemonic(*program_, left.pc))
                   : "give the scratch tile bytes that nothing else needs";
  }

  const Program* program_ = nullptr;
  ArgumentMap arguments_;
  Memories<ShadowMemory<Left>> memories_;
  std::set<std::pair<uint32_t, uint32_t>> reported_;  ///< operations
  std::vector<Diagnostic> findings_;
  bool any_ = false;
};

}  // namespace

std::unique_ptr<RunChecker> make_clobber_checker() { return std::make_unique<ClobberChecker>(); }

}  // namespace pto::sim
