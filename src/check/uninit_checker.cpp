// The checker for reads of bytes that nothing wrote. A computation none of whose bytes were written is an
// error. Where only some are missing and where data is only moved it depends: kernels move whole blocks and
// use a part (a vector load at the end of a row). More runs, with other bytes there, tell whether an output
// depends on them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "check/checkers.hpp"
#include "check/footprint_ranges.hpp"
#include "check/shadow_memory.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "sim/findings/naming.hpp"
#include "sim/ranks/rank_messages.hpp"

namespace pto::sim {
namespace {

struct Written {
  bool operator==(const Written&) const = default;
};

class UninitialisedChecker final : public UninitialisedFindings, public MessageObserver {
 public:
  uint32_t wants() const override { return kFootprints; }

  void on_start(std::span<const CoreInfo>, const Program& program) override { program_ = &program; }

  void on_argument(uint32_t, std::string_view name, uint64_t addr, uint64_t bytes,
                   bool initialised) override {
    arguments_.add(name, addr, bytes);
    if (initialised) memories_.gm().assign(addr, addr + bytes, {});
  }

  void on_footprint(const FootprintEvent& event) override {
    if (event.space == Space::none) return;  // registers are never empty
    if (!same_instruction(event)) {
      report();
      write_pending();
    }
    now_ = {event.pc, event.core, event.time};
    if (reads(event) && event.pc < program_->ops.size()) {
      if (!pending_.empty() && !is_input(*program_, event)) write_pending();  // scratch
      check(event, memories_.of(event));
    }
    if (event.write && !carries_nothing(event) && !is_written(event)) pending_.push_back(event);
  }

  void on_message(const MessageEvent& event) override {
    if (!event.changes()) return;
    FootprintEvent footprint;
    footprint.addr = event.addr;
    footprint.rows = event.rows;
    footprint.row_bytes = event.row_bytes;
    footprint.pitch = event.pitch;
    for_each_range(footprint, [&](uint64_t begin, uint64_t end) { memories_.gm().assign(begin, end, {}); });
  }

  void on_finish(uint64_t) override { report(); }

  bool has_warnings() const override {
    return std::ranges::any_of(findings_, [](const Found& found) { return found.mild; });
  }

  bool reads_nothing() const override { return std::ranges::any_of(findings_, &Found::all); }

  /// A move of some unwritten bytes is padding where nothing is computed from it, also when it ends in an
  /// output; kernels move whole blocks. A move of nothing else is an error when it shows, and so is a
  /// computation where nothing of an output stays. Otherwise it is a warning: public model kernels add whole
  /// tiles of which only the rows of the batch are valid.
  void confirm_effect(std::string_view output, bool computed, bool nothing_else) override {
    // A maximum or a relu gives the bytes as they are.
    computed |= std::ranges::none_of(findings_, [](const Found& found) { return found.mild && found.move; });
    std::erase_if(findings_, [&](Found& found) {
      if (!found.mild || !found.move || (!output.empty() && (found.all || computed))) return false;
      if (!output.empty()) padding_.push_back(std::move(found.diagnostic));
      return true;
    });
    for (Found& found : findings_) {
      if (output.empty() || !found.mild || (!computed && !(found.move && found.all))) continue;
      if (found.move ? found.all : nothing_else) {
        found.mild = false;
        found.diagnostic.severity = Severity::error;
      }
      found.diagnostic.effect = OutputEffect{std::string(output)};
    }
  }

  std::vector<Diagnostic> take_padding() override { return std::move(padding_); }

  std::vector<Diagnostic> take_findings() override {
    report();
    std::vector<Diagnostic> out;
    for (Found& found : findings_) out.push_back(std::move(found.diagnostic));
    findings_.clear();
    return out;
  }

 private:
  bool same_instruction(const FootprintEvent& event) const {
    return event.pc == now_.pc && event.core == now_.core && event.time == now_.time;
  }

  bool is_written(const FootprintEvent& event) {
    bool all = true;
    ShadowMemory<Written>& memory = memories_.of(event);
    for_each_range(event, [&](uint64_t begin, uint64_t end) {
      if (all)
        memory.look(begin, end,
                    [&](uint64_t, uint64_t, const Written* written) { all &= written != nullptr; });
    });
    return all;
  }

  /// An instruction that works in place may announce what it writes before what it reads.
  void write_pending() {
    for (const FootprintEvent& event : pending_) {
      auto& memory = memories_.of(event);
      for_each_range(event, [&](uint64_t begin, uint64_t end) { memory.assign(begin, end, {}); });
    }
    pending_.clear();
  }

  /// Updates of GM and L0C add to what is there; elsewhere they only keep the bytes between those they write.
  static bool reads(const FootprintEvent& event) {
    return !event.write || (event.update && (event.space == Space::gm || event.space == Space::l0c));
  }

  static bool moves_only(Pipe pipe, isa::OpcodeClass opcode_class) {
    return pipe == Pipe::mte1 || pipe == Pipe::mte2 || pipe == Pipe::mte3 ||
           opcode_class == isa::OpcodeClass::vector_load ||
           opcode_class == isa::OpcodeClass::begin_load_stream ||
           opcode_class == isa::OpcodeClass::load_stream;
  }

  /// A move of unknown bytes leaves its destination unknown.
  bool carries_nothing(const FootprintEvent& event) const {
    return event.pc == moved_.pc && event.core == moved_.core && event.time == moved_.time && moved_.unknown;
  }

  /// What an instruction reads of one operand may come in parts: a repeat, a block or an element each. Whose
  /// they are is asked for where something lacks.
  struct Read {
    Space space = Space::none;
    Pipe pipe = Pipe::none;
    uint64_t addr = 0, all = 0, missing = 0, first = 0;
    ValueId operand = kNoValue;
    std::optional<Moment> moment;
  };

  void check(const FootprintEvent& event, ShadowMemory<Written>& memory) {
    constexpr size_t kMax = 4096;  // a loop of nothing but one read is one instruction here
    if (reads_.size() == kMax) report();
    Read read{.space = event.space, .pipe = event.pipe, .addr = event.addr, .moment = {}};
    for_each_range(event, [&](uint64_t begin, uint64_t end) {
      read.all += end - begin;
      memory.look(begin, end, [&](uint64_t from, uint64_t to, const Written* written) {
        if (written) return;
        if (read.missing == 0) read.first = from;
        read.missing += to - from;
      });
    });
    if (moves_only(event.pipe, isa::row(program_->ops[event.pc].row).opcode_class))
      moved_ = {event.pc, event.core, event.time, read.missing == read.all};
    if (read.missing != 0 && !lacking_) {
      lacking_ = true;
      for (Read& before : reads_) before.operand = operand_at(before.space, before.addr);
    }
    if (lacking_) read.operand = operand_at(read.space, read.missing != 0 ? read.first : read.addr);
    if (read.missing != 0) read.moment = moment();
    const auto again = [&](const Read& before) {
      return before.space == read.space && before.addr == read.addr && before.all == read.all;
    };
    if (!reads_.empty() && (again(reads_.front()) || again(reads_.back()))) return;
    reads_.push_back(std::move(read));
  }

  /// What the last instruction lacks.
  void report() {
    for (size_t i = 0; lacking_ && i < reads_.size(); ++i) {
      Read& read = reads_[i];
      if (read.all == 0) continue;  // counted with an earlier part
      for (size_t k = i + 1; k < reads_.size(); ++k) {
        Read& part = reads_[k];
        if (part.all == 0 || part.space != read.space || part.operand != read.operand) continue;
        if (read.missing == 0) {
          read.first = part.first;
          read.moment = std::move(part.moment);
        }
        read.all += std::exchange(part.all, 0);
        read.missing += std::exchange(part.missing, 0);
      }
      if (read.missing != 0) report(read);
    }
    reads_.clear();
    lacking_ = false;
  }

  void report(Read& read) {
    const uint32_t pc = now_.pc;
    const bool move = moves_only(read.pipe, isa::row(program_->ops[pc].row).opcode_class),
               all = read.missing == read.all, mild = !all || move;
    if (!reported_.emplace(pc, mild).second) return;
    const std::string name = read.operand == kNoValue ? "" : isa::value_name(*program_, read.operand);
    const std::string tile = name.empty() ? "" : " of " + name;
    std::string message =
        fmt::format("{} on {} reads {} bytes{}, {} of them never written, the first in {}",
                    mnemonic(*program_, pc), short_name(read.pipe), grouped(read.all), tile,
                    all ? "all" : grouped(read.missing), arguments_.place(read.space, read.first));
    Diagnostic out = finding(*program_, FindingId::uninit, pc, std::move(message),
                             mild ? Severity::warning : Severity::error);
    out.moment = std::move(read.moment);
    out.operand = name;
    out.subject = arguments_.argument_at(read.space, read.first);
    out.help = read.space == Space::gm
                   ? "give the argument contents (input or fill), or write it before this read"
                   : "load or fill these bytes before this read; if something does, a flag between the two "
                     "is missing";
    findings_.push_back(
        {std::move(out), mild && read.space != Space::gm, move || read.pipe == Pipe::fix, all});
  }

  const Program* program_ = nullptr;
  ArgumentMap arguments_;
  Memories<ShadowMemory<Written>> memories_;
  std::set<std::pair<uint32_t, bool>> reported_;  ///< operation, as a warning
  struct Instruction {
    uint32_t pc = ~0u, core = 0;
    uint64_t time = 0;
  } now_;
  std::vector<FootprintEvent> pending_;  ///< what it has written so far
  std::vector<Read> reads_;              ///< and read
  bool lacking_ = false;                 ///< some of that was never written
  struct Move {
    uint32_t pc = ~0u, core = 0;
    uint64_t time = 0;
    bool unknown = false;
  } moved_;  ///< the last read of a move
  struct Found {
    Diagnostic diagnostic;
    bool mild;  ///< a warning, of on-chip memory
    bool move, all;
  };
  std::vector<Found> findings_;
  std::vector<Diagnostic> padding_;
};

}  // namespace

std::unique_ptr<UninitialisedFindings> make_uninitialised_checker() {
  return std::make_unique<UninitialisedChecker>();
}

}  // namespace pto::sim
