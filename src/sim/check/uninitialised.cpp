// The checker for reads of bytes that nothing wrote. A computation none of whose bytes were written is an
// error. A warning is enough where only some are missing and where data is only moved: kernels move whole
// blocks and use a part (a vector load at the end of a row).
#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "isa/row.hpp"
#include "isa/words.hpp"
#include "sim/check/checkers.hpp"
#include "sim/check/footprint.hpp"
#include "sim/check/intervals.hpp"
#include "sim/describe.hpp"

namespace pto::sim {
namespace {

struct Written {
  bool operator==(const Written&) const = default;
};

class UninitialisedChecker final : public RunChecker {
 public:
  void on_start(std::span<const CoreInfo>, const Program& program) override { program_ = &program; }

  void on_argument(uint32_t, std::string_view name, uint64_t addr, uint64_t bytes,
                   bool initialised) override {
    arguments_.add(name, addr, bytes);
    if (initialised) memories_[0].assign(addr, addr + bytes, {});
  }

  void on_footprint(const FootprintEvent& event) override {
    auto& memory = memories_[memory_of(event)];
    if (reads(event) && event.pc < program_->ops.size()) check(event, memory);
    if (event.write && !carries_nothing(event))
      for_each_range(event, [&](uint64_t begin, uint64_t end) { memory.assign(begin, end, {}); });
  }

  std::vector<Diagnostic> take() override { return std::move(findings_); }

 private:
  /// Updates of GM and L0C add to what is there; elsewhere they only keep the bytes between those they write.
  static bool reads(const FootprintEvent& event) {
    return !event.write || (event.update && (event.space == Space::gm || event.space == Space::l0c));
  }

  static bool moves_only(Pipe pipe, isa::Does does) {
    return pipe == Pipe::mte1 || pipe == Pipe::mte2 || pipe == Pipe::mte3 || does == isa::Does::vector_load ||
           does == isa::Does::begin_load_stream || does == isa::Does::load_stream;
  }

  /// A move of unknown bytes leaves its destination unknown.
  bool carries_nothing(const FootprintEvent& event) const {
    return event.pc == moved_.pc && event.core == moved_.core && event.time == moved_.time && moved_.unknown;
  }

  void check(const FootprintEvent& event, const Intervals<Written>& memory) {
    uint64_t missing = 0, all = 0, first = 0;
    for_each_range(event, [&](uint64_t begin, uint64_t end) {
      all += end - begin;
      memory.look(begin, end, [&](uint64_t from, uint64_t to, const Written* written) {
        if (written) return;
        if (missing == 0) first = from;
        missing += to - from;
      });
    });
    const bool move = moves_only(event.pipe, isa::row(program_->ops[event.pc].row).does);
    if (move) moved_ = {event.pc, event.core, event.time, missing == all};
    const bool mild = missing != all || move;
    if (missing == 0 || !reported_.emplace(event.pc, mild).second) return;
    const ValueId operand = operand_at(event.space, first);
    const std::string name = operand == kNoValue ? "" : isa::value_name(*program_, operand);
    const std::string tile = name.empty() ? "" : " of " + name;
    std::string message =
        fmt::format("{} on {} reads {} bytes{}, {} of them never written, the first in {}",
                    mnemonic(*program_, event.pc), short_name(event.pipe), grouped(all), tile,
                    missing == all ? "all" : grouped(missing), arguments_.place(event.space, first));
    Diagnostic out = finding(*program_, "UNINIT", event.pc, std::move(message),
                             mild ? Severity::warning : Severity::error);
    out.moment = moment();
    out.operand = name;
    out.help = event.space == Space::gm
                   ? "give the argument contents (input or fill), or write it before this read"
                   : "load or fill these bytes before this read; if something does, a flag between the two "
                     "is missing";
    findings_.push_back(std::move(out));
  }

  const Program* program_ = nullptr;
  ArgumentMap arguments_;
  std::unordered_map<MemoryKey, Intervals<Written>> memories_;
  std::set<std::pair<uint32_t, bool>> reported_;  ///< operation, as a warning
  struct Move {
    uint32_t pc = ~0u, core = 0;
    uint64_t time = 0;
    bool unknown = false;
  } moved_;  ///< the last read of a move
  std::vector<Diagnostic> findings_;
};

}  // namespace

std::unique_ptr<RunChecker> make_uninitialised_checker() { return std::make_unique<UninitialisedChecker>(); }

}  // namespace pto::sim
