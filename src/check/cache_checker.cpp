// The checker for the data caches of the scalar units. Every access of the simulator is coherent; hardware
// keeps 64-byte lines per core, writes them back late and does not hear of what others write. Two things go
// wrong with that: a load that hits a line from before somebody's write, and a store that has not left the
// cache when somebody reads the bytes in memory.
#include <fmt/format.h>

#include <array>

#include "check/checkers.hpp"
#include "check/footprint_ranges.hpp"
#include "check/paged_map.hpp"
#include "check/shadow_memory.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "sim/findings/insertion_points.hpp"
#include "sim/findings/naming.hpp"
#include "sim/findings/reported_places.hpp"

namespace pto::sim {
namespace {

constexpr uint64_t kLineBytes = 64;
constexpr uint64_t line_of(uint64_t addr) { return addr / kLineBytes; }

struct Access {
  uint64_t when = 0;  ///< in the order of this run, from 1
  uint32_t pc = ~0u;
  uint32_t core : 24 = 0;
  Pipe pipe : 7 = Pipe::none;
  bool cached : 1 = false;
  bool operator==(const Access&) const = default;
};
static_assert(sizeof(Access) == 16);  // there is one for every word

class CacheChecker final : public RunChecker {
 public:
  uint32_t wants() const override { return kFootprints; }

  void on_start(std::span<const CoreInfo> cores, const Program& program) override {
    program_ = &program;
    cores_.assign(cores.begin(), cores.end());
    caches_.resize(cores.size());
    emptied_.assign(cores.size(), false);
  }
  void on_argument(uint32_t, std::string_view name, uint64_t addr, uint64_t bytes, bool) override {
    arguments_.add(name, addr, bytes);
  }

  void on_footprint(const FootprintEvent& event) override {
    if (event.space != Space::gm || event.pc >= program_->ops.size()) return;
    const bool scalar = event.pipe == Pipe::s || event.pipe == Pipe::none;
    const bool cached = scalar && (isa::row(program_->ops[event.pc].row).flags & isa::kCached) != 0;
    const Access now = access(event.core, event.pc, scalar ? Pipe::s : event.pipe, cached);
    for_each_range(event, [&](uint64_t begin, uint64_t end) {
      if (cached)
        event.write ? store(now, begin, end) : load(now, begin, end);
      else
        pass_by(now, event.write, event.update, begin, end);
    });
  }

  void on_cache_clean(uint32_t core, uint32_t pc, uint64_t addr, bool all) override {
    Cache& cache = caches_[core];
    if (all) {
      for (const auto& [number, lines] : cache) {
        for (size_t i = 0; i < kLines; ++i) write_back(core, pc, number * kLines + i, (*lines)[i]);
      }
      cache.clear();
      emptied_[core] = true;
    } else {
      Access& filled = cache.page_of(line_of(addr) / kLines)[line_of(addr) % kLines];
      write_back(core, pc, line_of(addr), filled);
      filled = kDropped;
    }
  }

  std::vector<Diagnostic> take_findings() override { return std::move(findings_); }

 private:
  static constexpr uint64_t kLines = 64;
  using Lines = std::array<Access, kLines>;  ///< what brought them there; `when` 0: they are not
  static constexpr Access kDropped{.pc =
                                       0};  ///< a line that is not there, because the program has dropped it
  using Cache = Pages<Lines>;

  Access access(uint32_t core, uint32_t pc, Pipe pipe, bool cached) {
    Access now{.when = ++count_, .pc = pc};
    now.core = core & ((1u << 24) - 1);
    now.pipe = pipe;
    now.cached = cached;
    return now;
  }

  /// Brings the lines of [begin, end) into the cache. `visit` sees each as it was.
  template <typename Visit>
  void fill(const Access& now, uint64_t begin, uint64_t end, Visit&& visit) {
    for (uint64_t line = line_of(begin); line <= line_of(end - 1); ++line) {
      Access& filled = caches_[now.core].page_of(line / kLines)[line % kLines];
      visit(filled, std::max(begin, line * kLineBytes), std::min(end, (line + 1) * kLineBytes));
      if (filled.when == 0) filled = now;
    }
  }

  void load(const Access& now, uint64_t begin, uint64_t end) {
    fill(now, begin, end, [&](const Access& filled, uint64_t from, uint64_t to) {
      if (filled.when == 0 && (emptied_[now.core] || filled == kDropped)) return;
      memory_.look(from, to, [&](uint64_t at, uint64_t, const Access* write) {
        if (write == nullptr || write->when <= filled.when) return;
        filled.when == 0 ? from_before(now, *write, at) : stale(now, filled, *write, at);
      });
    });
    late(now, begin, end);
  }

  void store(const Access& now, uint64_t begin, uint64_t end) {
    fill(now, begin, end, [](const Access&, uint64_t, uint64_t) {});
    dirty_.assign(begin, end, now);
    any_dirty_ = true;
  }

  /// Everything that does not go through a data cache.
  void pass_by(const Access& now, bool write, bool update, uint64_t begin, uint64_t end) {
    late(now, begin, end, write && !update);
    if (write) memory_.assign(begin, end, now);
  }

  /// Bytes that somebody's store has left in a cache, and that are wanted in memory.
  void late(const Access& now, uint64_t begin, uint64_t end, bool over = false) {
    if (!any_dirty_) return;
    dirty_.look(begin, end, [&](uint64_t at, uint64_t, const Access* store) {
      if (store == nullptr || store->when == 0 || (now.cached && now.core == store->core)) return;
      over ? comes_later(now, *store, at) : unwritten(now, *store, at);
    });
  }

  void write_back(uint32_t core, uint32_t pc, uint64_t line, const Access& filled) {
    if (filled.when == 0) return;
    const uint64_t begin = line * kLineBytes, end = begin + kLineBytes;
    std::vector<std::pair<uint64_t, uint64_t>> parts;
    Access last;
    dirty_.look(begin, end, [&](uint64_t from, uint64_t to, const Access* store) {
      if (store == nullptr || store->when == 0 || store->core != core) return;
      parts.emplace_back(from, to);
      last = *store;
    });
    if (!parts.empty()) write_over(access(core, pc, Pipe::s, true), filled, begin, end);
    last.when = ++count_;
    for (const auto& [from, to] : parts) {
      memory_.assign(from, to, last);
      dirty_.assign(from, to, Access());
    }
  }

  /// A line leaves the cache as a whole, with its bytes of before what others have written into it since. Its
  /// own stores are newer than any of those, or have been told.
  void write_over(const Access& now, const Access& filled, uint64_t begin, uint64_t end) {
    dirty_.look(begin, end, [&](uint64_t from, uint64_t to, const Access* store) {
      if (store != nullptr && store->when != 0 && store->core == now.core) return;
      memory_.look(from, to, [&](uint64_t at, uint64_t, const Access* write) {
        if (write != nullptr && write->when > filled.when && (write->core != now.core || !write->cached))
          written_over(now, filled, *write, at);
      });
    });
  }

  std::string who(const Access& access) const {
    return fmt::format("{} on {}", mnemonic(*program_, access.pc), short_name(access.pipe));
  }
  std::string cache_of(uint32_t core) const {
    return fmt::format("the data cache of {}", core_name(cores_[core]));
  }

  Diagnostic* add(const Access& now, const Access& other, std::string message,
                  Severity severity = Severity::error) {
    if (!reported_.add({now.pc, other.pc}, severity)) return nullptr;
    Diagnostic& out =
        findings_.emplace_back(finding(*program_, FindingId::stale, now.pc, std::move(message), severity));
    out.moment = moment();
    return &out;
  }

  void stale(const Access& now, const Access& filled, const Access& write, uint64_t addr) {
    Diagnostic* out =
        add(now, write,
            fmt::format("{} reads {} as {} held it before {} wrote it: nothing has dropped the line since",
                        who(now), arguments_.place(Space::gm, addr), cache_of(now.core), who(write)));
    if (out == nullptr) return;
    out->notes.push_back(note_at(*program_, write.pc, "the write"));
    out->notes.push_back(note_at(*program_, filled.pc, "the line came into the cache here"));
    out->help = Fix::add(std::string(kClean), InsertionPoints(*program_).before(now.pc),
                         ", after the wait for the write");
  }

  /// Only a warning: nothing says that a cache is empty when a kernel begins, and it mostly is.
  void from_before(const Access& now, const Access& write, uint64_t addr) {
    Diagnostic* out =
        add(now, write,
            fmt::format("{} reads {}, which {} wrote, and the line was not dropped from {} since the kernel "
                        "began: it may hold bytes of an earlier kernel",
                        who(now), arguments_.place(Space::gm, addr), who(write), cache_of(now.core)),
            Severity::warning);
    if (out == nullptr) return;
    out->notes.push_back(note_at(*program_, write.pc, "the write"));
    out->help = Fix::add(std::string(kClean), InsertionPoints(*program_).before(now.pc),
                         ", after the wait for the write");
  }

  void unwritten(const Access& now, const Access& store, uint64_t addr) {
    Diagnostic* out = add(now, store,
                          fmt::format("{} looks in memory for {}, which {} may have left in {}", who(now),
                                      arguments_.place(Space::gm, addr), who(store), cache_of(store.core)));
    if (out == nullptr) return;
    out->notes.push_back(note_at(*program_, store.pc, "the store"));
    out->help = Fix::add(std::string(kClean), InsertionPoints(*program_).after(store.pc));
  }

  /// Only a warning: caches may have written the line back in the meantime, and mostly have.
  void comes_later(const Access& now, const Access& store, uint64_t addr) {
    Diagnostic* out =
        add(now, store,
            fmt::format("{} writes {}, over which {} may write back the bytes that {} has stored before",
                        who(now), arguments_.place(Space::gm, addr), cache_of(store.core), who(store)),
            Severity::warning);
    if (out == nullptr) return;
    out->notes.push_back(note_at(*program_, store.pc, "the store"));
    out->help = Fix::add(std::string(kClean), InsertionPoints(*program_).after(store.pc));
  }

  /// Only a warning: which lines a cache still holds is up to the hardware.
  void written_over(const Access& now, const Access& filled, const Access& write, uint64_t addr) {
    Diagnostic* out =
        add(now, write,
            fmt::format("{} writes back a line of {} with {} as it was before {} wrote it", who(now),
                        cache_of(now.core), arguments_.place(Space::gm, addr), who(write)),
            Severity::warning);
    if (out == nullptr) return;
    out->notes.push_back(note_at(*program_, write.pc, "the write"));
    out->notes.push_back(note_at(*program_, filled.pc, "the line came into the cache here"));
    out->help =
        fmt::format("keep writes of cores and pipes {} bytes apart, or clean the line before the other write",
                    kLineBytes);
  }

  static constexpr std::string_view kClean = "pto.cmo.cacheinvalid all #pto.address_space<gm>";

  const Program* program_ = nullptr;
  std::vector<CoreInfo> cores_;
  ArgumentMap arguments_;
  std::vector<Cache> caches_;
  std::vector<bool> emptied_;    ///< by core: the program has dropped every line at least once
  ShadowMemory<Access> memory_;  ///< the last write that came there, those of arguments not
  ShadowMemory<Access> dirty_;   ///< the last store that may be in its cache; `when` 0: none
  bool any_dirty_ = false;
  uint64_t count_ = 0;
  ReportedPlaces<std::pair<uint32_t, uint32_t>> reported_;  ///< operations
  std::vector<Diagnostic> findings_;
};

}  // namespace

std::unique_ptr<RunChecker> make_cache_checker() { return std::make_unique<CacheChecker>(); }

}  // namespace pto::sim
