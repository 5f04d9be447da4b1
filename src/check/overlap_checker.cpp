// Over 500 lines: the accesses to names and bytes are one state, and every check reads all of it.
//
// Detects unintended aliasing of on-chip buffers. Aliased tiles are legal and common, so
// overlapping addresses alone are not an error: storage_objects.hpp decides whether two names are
// one object. Between two objects, these are errors:
//
// - Everything that an instruction wrote through one name is overwritten through another one before
// any read, and is then read through the first name. An overwritten part is enough if the two
// overlap partially. It is also enough if the bytes came from GM and are read through the second
// name, or through one that begins at the same address as the first.
//
// - One computation reads bytes through one name and overwrites a part of them through another. An
// instruction then reads, through the second name, the new bytes and the old ones together.
//
// - Over the whole run: every byte that is read through either of two names was also written
// through it, so they need no shared bytes, and one reads bytes of the other. Exception: two names
// with one address range, of which the second is never read; they pass a value.
//
// - Over the whole run: bytes that are written through one name are never read through it, while
// another name, which is never written, reads bytes of others.
//
// - Over the whole run: another name has overwritten all bytes of a pointer, while bytes are
// missing elsewhere.
//
// - An instruction writes a tile that begins inside one that it reads: later elements are
// overwritten before they are read.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "check/checkers.hpp"
#include "check/footprint_ranges.hpp"
#include "check/layout_equality.hpp"
#include "check/shadow_memory.hpp"
#include "check/storage_names.hpp"
#include "check/storage_objects.hpp"
#include "check/storage_roots.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "sim/findings/naming.hpp"

namespace pto::sim {
namespace {

struct ByteContents {
  uint32_t written = ~0u, over = ~0u;  ///< numbers of Written: here now; lost here
  uint32_t read = 0;                   ///< the number of the queue entry that read it last
  bool operator==(const ByteContents&) const = default;
};

class OverlapChecker final : public RunChecker {
 public:
  explicit OverlapChecker(const Machine& machine) : capacity_(machine.bytes) {}

  uint32_t wants() const override { return kFootprints; }

  void on_start(std::span<const CoreInfo> cores, const Program& program) override {
    program_ = &program;
    for (const CoreInfo& core : cores) running_.insert(core.block);
    roots_.emplace(program);
  }

  void on_block_end(uint32_t block) override { running_.erase(block); }

  void on_footprint(const FootprintEvent& event) override {
    if (event.space == Space::gm || event.space == Space::none || event.pc >= program_->ops.size() ||
        !has_context() || in_hidden_phase())  // told by the clobber checker
      return;
    const bool new_entry = event.core != now_.core || event.pipe != now_.pipe || event.time != now_.time;
    if (new_entry || event.pc != now_.pc) {
      write_pending();
      parts_.clear();
      mine_.clear();
    }
    if (new_entry) ++entry_;
    now_ = {event.pc, event.core, event.pipe, event.time};
    within_instruction(event);
    StorageAlias& name = name_at(event);
    const auto [low, high] = hull(event);
    name.touched.add(low, high);
    name.space = event.space;
    if (event.write && !event.update)
      pending_.push_back({event, &name});
    else
      read(event, name);
  }

  std::vector<Diagnostic> take_findings() override {
    write_pending();
    std::set<std::pair<ValueId, ValueId>> told;
    for (const bool taken : {false, true}) {
      for (const Shared& shared : shared_) {
        if ((shared.kind == Kind::taken) != taken) continue;
        Diagnostic& out = findings_[shared.finding];
        if ((taken && told.contains({shared.lost, shared.by})) || !certain(shared)) {
          out.id = {};
          continue;
        }
        told.emplace(shared.lost, shared.by);
        out.help = advice(shared);
      }
    }
    objects_.reset();
    shared_.clear();
    std::erase_if(findings_, [](const Diagnostic& each) { return each.id == FindingId::none; });
    if (running_.empty()) unread(told);
    return std::move(findings_);
  }

 private:
  struct Memory {
    ShadowMemory<ByteContents> cells;
    std::unordered_map<ValueId, ShadowMemory<uint32_t>> own;  ///< by name: what it has put where
    uint64_t used = 0;                                        ///< one past the furthest byte
  };
  enum class Kind : uint8_t { all, part, half, taken };  ///< of what was written: lost; by taken()
  /// Two names of which one finding says that they share bytes.
  struct Shared {
    size_t finding;
    const Memory* memory;
    Space space;
    ValueId lost, by;
    Kind kind;
    bool loaded, loads;  ///< from GM: nobody fills a place like that to write over it; both
  };

  /// Whether no program means it. With a place of its own each name gives what was put through it, so it
  /// matters whether anything needs the place in common: a name that is read before it is written, or one
  /// whose bytes are read through others only.
  bool certain(const Shared& shared) {
    const StorageAlias &lost = by_value_[shared.lost], &by = by_value_[shared.by];
    if (!objects_) objects_.emplace(*program_, by_value_);
    if (objects_->is_one(lost, by) || objects_->writes_for(by, lost) || objects_->writes_for(lost, by))
      return false;
    if (shared.kind == Kind::taken)
      return running_.empty() && lost.lenders.empty() && by.lenders.empty() &&
             by.read_through_others_than(shared.lost) && (by.own || lost.put != by.put);  // else handed on
    if (shared.loads) return true;
    if (shared.kind == Kind::part && !across(lost.put, by.put) && !(by.own && shared.loaded))
      return false;  // one is a part of the other: what is read there may be meant
    return by.own || !roots_->is_same_storage(shared.lost, shared.by);  // else a name to write through
  }

  StorageAlias& name_at(const FootprintEvent& event) {
    const ValueId operand = operand_at(event.space, event.addr);
    auto& [asked, root] = recent_[operand % recent_.size()];
    if (root == nullptr || asked != operand) {
      asked = operand;
      const ValueId value = operand == kNoValue ? kNoValue : roots_->root_of(operand);
      root = &by_value_[value];
      root->value = value;
    }
    return *root;
  }

  // ---- two names of one place

  void read(const FootprintEvent& event, StorageAlias& name) {
    // Scratch, which the instruction has written itself.
    if (!pending_.empty() && !roots_->has_operand(event.pc, name.value, isa::Role::in)) write_pending();
    name.first_read = std::min(name.first_read, event.pc);
    Memory& memory = memories_.of(event);
    memory.used = std::max(memory.used, hull(event).second);
    auto& own = memory.own[name.value];
    from_ = {};
    for_each_range(event, [&](uint64_t begin, uint64_t end) { read(event, name, memory, own, begin, end); });
    if (from_.own != ~0u && from_.before != ~0u) half_in_place(event, memory);
    if (event.write) put(event, name);
  }

  static void put(const FootprintEvent& event, StorageAlias& name) {
    const auto [low, high] = hull(event);
    name.put.add(low, high);
    name.first_put = std::min(name.first_put, event.pc);
  }

  /// An instruction that works in place may announce what it writes before what it reads.
  void write_pending() {
    for (const auto& [event, name] : pending_) {
      put(event, *name);
      Memory& memory = memories_.of(event);
      memory.used = std::max(memory.used, hull(event).second);
      auto& own = memory.own[name->value];
      for_each_range(event, [&, &event = event, name = name](uint64_t begin, uint64_t end) {
        write(event, *name, memory, own, begin, end);
      });
    }
    pending_.clear();
  }

  uint32_t written(const FootprintEvent& event, StorageAlias& name) {
    for (const uint32_t each : mine_) {
      if (writes_[each].name == &name) return each;
    }
    constexpr size_t kMax = size_t{1} << 22;  // longer runs are followed up to there
    if (writes_.size() == kMax) return ~0u;
    const auto number = static_cast<uint32_t>(writes_.size());
    writes_.push_back(
        {.pc = event.pc, .root = name.value, .loaded = event.pipe == Pipe::mte2, .name = &name});
    mine_.push_back(number);
    return number;
  }

  void write(const FootprintEvent& event, StorageAlias& name, Memory& memory, ShadowMemory<uint32_t>& own,
             uint64_t begin, uint64_t end) {
    const uint32_t number = written(event, name);
    if (number == ~0u) return;
    writes_[number].bytes += end - begin;
    name.bytes += end - begin;
    if (name.value != kNoValue) own.assign(begin, end, number);
    lost_.clear();
    memory.cells.update(begin, end, [&](uint64_t from, uint64_t to, ByteContents& cell) {
      const uint32_t over = cell.written == number ? ~0u : overwritten(event, name, cell, to - from);
      if (from == begin && to == end)
        cell = {number, over, 0};
      else
        lost_.push_back({from, to, over});
    });
    for (const Lost& part : lost_)  // joins what reads had split
      memory.cells.assign(part.begin, part.end, {number, part.over, 0});
  }

  /// What is lost where a cell is overwritten.
  uint32_t overwritten(const FootprintEvent& event, StorageAlias& name, const ByteContents& cell,
                       uint64_t bytes) {
    if (cell.written == ~0u) return ~0u;
    Written& before = writes_[cell.written];
    if (before.name == &name) return cell.over;  // what was lost here stays lost
    if (before.root == kNoValue || name.value == kNoValue) return ~0u;
    if (cell.read == 0) {
      before.lost += bytes;
      before.name->lost += bytes;
      before.name->under = {name.value, event.pc};
      before.by = event.pc;
      return cell.written;
    }
    if (cell.read == entry_) {
      before.in_place = name.value;
      name.in_place = true;
    }
    return ~0u;
  }

  void read(const FootprintEvent& event, StorageAlias& name, Memory& memory, ShadowMemory<uint32_t>& own,
            uint64_t begin, uint64_t end) {
    memory.cells.update(begin, end, [&](uint64_t from, uint64_t to, ByteContents& cell) {
      cell.read = entry_;
      if (cell.written == ~0u) {
        holes_[static_cast<size_t>(event.space)] = true;
        return;
      }
      Written& here = writes_[cell.written];
      here.used = true;
      here.name->read_through(name.value);
      if (here.name == &name) {
        name.own = true;
        from_.own = cell.written;
      } else if (name.in_place && here.in_place == name.value) {
        from_.before = cell.written;
        from_.addr = from;
      }
      if (here.name != &name && here.root != kNoValue && name.value != kNoValue) {
        taken(event, memory, name, here, own, from, to);
        in_another_layout(event, name, here);
      }
      if (cell.over == ~0u) return;
      const Written& lost = writes_[cell.over];
      const bool another_name_of_it =
          lost.loaded && here.loaded && here.name != &name && name.touched.low == lost.name->put.low;
      if (lost.name == &name || another_name_of_it) clobbered(event, memory, name, lost, here, from);
    });
  }

  /// Reads what another name has put there: in place of its own, or because it has put nothing there.
  void taken(const FootprintEvent& event, const Memory& memory, StorageAlias& name, const Written& here,
             ShadowMemory<uint32_t>& own, uint64_t begin, uint64_t end) {
    own.look(begin, end, [&](uint64_t from, uint64_t, const uint32_t* number) {
      if (number == nullptr) {
        name.borrow(here.root);
        return;
      }
      if (!taken_.emplace(name.value, here.root).second) return;
      const Written& mine = writes_[*number];
      record_finding(event, memory, mine, here, Kind::taken,
                     fmt::format("{} on {} reads {} at {}, where {} has overwritten the bytes that {} wrote: "
                                 "no read through either name needs a shared address",
                                 mnemonic(*program_, event.pc), short_name(event.pipe),
                                 isa::value_name(*program_, name.value), arguments_.place(event.space, from),
                                 mnemonic(*program_, here.pc), mnemonic(*program_, mine.pc)),
                     isa::value_name(*program_, name.value));
    });
  }

  /// Reads in one layout what was put there in another one, under the names that the tiles were made with.
  void in_another_layout(const FootprintEvent& event, const StorageAlias& name, const Written& here) {
    const auto [at, fresh] = otherwise_.try_emplace({here.root, name.value}, false);
    if (fresh)
      at->second = have_different_layouts(program_->type_of(here.root), program_->type_of(name.value));
    if (!at->second || operand_at(event.space, event.addr) != name.value ||
        !has_operand(here.pc, here.root) || !layout_told_.emplace(here.pc, event.pc).second)
      return;
    const std::string text = isa::value_name(*program_, name.value),
                      put = isa::value_name(*program_, here.root);
    Diagnostic& out = findings_.emplace_back(finding(
        *program_, FindingId::layout, event.pc,
        fmt::format("{} reads {} in another layout than {} wrote it in, through {}: its elements come "
                    "in another order",
                    mnemonic(*program_, event.pc), text, mnemonic(*program_, here.pc), put),
        Severity::warning));
    out.moment = moment();
    out.operand = text;
    out.notes.push_back(note_at(*program_, here.pc, "written here"));
    out.help =
        fmt::format("give {} and {} one layout, or move the one into the other with pto.tmov", put, text);
  }

  bool has_operand(uint32_t pc, ValueId value) const {
    const OpView op(*program_, pc);
    const size_t slots = isa::schema(op.op().row).operands.size();
    for (unsigned slot = 0; slot < slots; ++slot)
      if (std::ranges::count(op.operands(slot), value) != 0) return true;
    return false;
  }

  void half_in_place(const FootprintEvent& event, const Memory& memory) {
    const Written &before = writes_[from_.before], &own = writes_[from_.own];
    if (!lost_told_.emplace(event.pc, before.pc, true).second) return;
    const std::string name = isa::value_name(*program_, own.root);
    record_finding(event, memory, before, own, Kind::half,
                   fmt::format("{} on {} reads {}: {} still has the bytes that {} wrote through {}, which {} "
                               "has overwritten in part",
                               mnemonic(*program_, event.pc), short_name(event.pipe), name,
                               arguments_.place(event.space, from_.addr), mnemonic(*program_, before.pc),
                               isa::value_name(*program_, before.root), mnemonic(*program_, own.pc)),
                   name);
  }

  void clobbered(const FootprintEvent& event, const Memory& memory, const StorageAlias& reader,
                 const Written& lost, const Written& by, uint64_t addr) {
    const bool part = lost.lost != lost.bytes, third = lost.name != &reader;
    // Through a third name once for each of the two.
    if (!lost_told_.emplace(third ? by.pc : event.pc, lost.pc, part).second) return;
    if (roots_->has_operand(event.pc, by.root, isa::Role::in))
      by_value_[by.root].own = true;  // two operands at one address
    const std::string name =
        isa::value_name(*program_, third && reader.value != kNoValue ? reader.value : lost.root);
    record_finding(
        event, memory, lost, by, part ? Kind::part : Kind::all,
        fmt::format("{} on {} reads {} at {}, where {} has overwritten {} {} wrote before any read of them",
                    mnemonic(*program_, event.pc), short_name(event.pipe), name,
                    arguments_.place(event.space, addr), mnemonic(*program_, by.pc),
                    part ? "a part of the bytes that" : "all that", mnemonic(*program_, lost.pc)),
        name);
  }

  void record_finding(const FootprintEvent& event, const Memory& memory, const Written& lost,
                      const Written& by, Kind kind, std::string message, const std::string& name) {
    Diagnostic& out =
        findings_.emplace_back(finding(*program_, FindingId::overlap, event.pc, std::move(message)));
    out.moment = moment();
    out.operand = name;
    out.notes.push_back(note_at(
        *program_, lost.pc,
        fmt::format("the bytes that {}, through {}", kind == Kind::half ? "still lies there" : "was lost",
                    isa::value_name(*program_, lost.root))));
    out.notes.push_back(note_at(
        *program_, by.pc, fmt::format("overwritten here, through {}", isa::value_name(*program_, by.root))));
    const bool loads = lost.loaded && by.loaded && kind != Kind::taken && kind != Kind::half;
    shared_.push_back({findings_.size() - 1, &memory, event.space, lost.root, by.root, kind,
                       kind != Kind::half && lost.loaded, loads});
  }

  // ---- names that nobody reads through

  void unread(const std::set<std::pair<ValueId, ValueId>>& told) {
    objects_.emplace(*program_, by_value_);
    const auto is_told = [&](ValueId value) {
      return std::ranges::any_of(told, [&](const auto& pair) { return pair.first == value; });
    };
    for (const auto& each : by_value_) {
      const StorageAlias& name = each.second;
      if (!objects_->is_pointer(name) || name.bytes == 0 || name.used || is_told(name.value)) continue;
      const std::string text = isa::value_name(*program_, name.value);
      if (const StorageAlias* reader = objects_->borrower(name)) {
        misses_its_writer(name.value, name.first_put, *reader);
      } else if (name.lost == name.bytes && holes_[static_cast<size_t>(name.space)] &&
                 !roots_->is_same_storage(name.value, name.under.name)) {
        const std::string other = isa::value_name(*program_, name.under.name);
        unread(name.value, name.first_put, fmt::format(": all of it is overwritten through {}", other),
               {"overwritten here", name.under.pc},
               fmt::format("{} and {} share bytes: give them separate addresses", text, other));
      }
    }
    for (const auto& [tile, first] : unread_tiles()) {
      if (is_filled_again(tile)) continue;
      const StorageAlias* const reader = is_told(tile) ? nullptr : objects_->orphan(tile, first->root, 0);
      if (reader != nullptr) misses_its_writer(tile, first->pc, *reader);
    }
  }

  /// Whether all bytes of a tile are overwritten through a second name of the same type: the first fill of a
  /// destination that the program then writes as a whole.
  [[nodiscard]] bool is_filled_again(ValueId tile) const {
    const auto found = by_value_.find(tile);
    if (found == by_value_.end()) return false;
    const StorageAlias& name = found->second;
    return name.bytes != 0 && name.lost == name.bytes && name.under.name != kNoValue &&
           program_->type_of(name.under.name) == program_->type_of(tile);
  }

  /// Tiles that are results, and of no result of which anybody has read a byte; the first write of each.
  /// Tools put a tile that is no longer needed under another, so bytes that are lost are no sign.
  std::map<ValueId, const Written*> unread_tiles() const {
    std::map<ValueId, const Written*> tiles;
    std::set<ValueId> used;
    for (const Written& written : writes_) {
      const ValueId tile = roots_->only_result(written.pc);
      if (tile == kNoValue || !program_->type_of(tile).is_tile()) continue;
      if (written.used) used.insert(tile);
      tiles.emplace(tile, &written);
    }
    std::erase_if(tiles, [&](const auto& each) { return used.contains(each.first); });
    return tiles;
  }

  void misses_its_writer(ValueId writer, uint32_t pc, const StorageAlias& reader) {
    const std::string text = isa::value_name(*program_, writer),
                      other = isa::value_name(*program_, reader.value);
    unread(
        writer, pc, fmt::format(", and {} reads bytes that others wrote for themselves", other),
        {"this reads", reader.first_read},
        fmt::format("give {} and {} the same address, or remove the writes that are not read", text, other));
  }

  void unread(ValueId name, uint32_t pc, std::string_view why, std::pair<std::string_view, uint32_t> note,
              Fix help) {
    const std::string text = isa::value_name(*program_, name);
    Diagnostic& out = findings_.emplace_back(
        finding(*program_, FindingId::overlap, pc,
                fmt::format("no instruction reads the bytes that {} writes through {}{}",
                            mnemonic(*program_, pc), text, why)));
    out.operand = text;
    out.notes.push_back(note_at(*program_, note.second, std::string(note.first)));
    out.help = std::move(help);
  }

  /// Where one of the two can be, the second if both can: behind everything that this run has used.
  std::string advice(const Shared& shared) {
    const auto [first, second] = std::minmax(shared.lost, shared.by);
    const std::string text = fmt::format("{} and {} share bytes: ", isa::value_name(*program_, shared.lost),
                                         isa::value_name(*program_, shared.by));
    const ValueId moved = objects_->stands_alone(second, first) ? second : first;
    const Extent extent = by_value_[moved].touched;
    const uint64_t free = (shared.memory->used + kStep - 1) / kStep * kStep;
    const uint32_t built = roots_->defining_op(moved);
    const Type& type = program_->type_of(moved);
    const uint64_t bytes = type.is_tile() ? std::max<uint64_t>(tile_bytes(type), extent.high - extent.low)
                                          : extent.high - extent.low;
    if (!objects_->stands_alone(moved, moved == first ? second : first) || built == ~0u ||
        free + bytes > capacity_[static_cast<size_t>(shared.space)])
      return text + "give them separate addresses";
    return text + fmt::format("put {} at {}, which is free, in {}", isa::value_name(*program_, moved), free,
                              sim::place(*program_, built));
  }

  // ---- one instruction

  struct Part {
    uint64_t begin, end;
    bool write;
    Space space;
  };

  static std::pair<uint64_t, uint64_t> hull(const FootprintEvent& event) {
    const auto span = static_cast<int64_t>(event.rows - 1) * event.pitch;
    const uint64_t other = event.addr + static_cast<uint64_t>(span);
    return {std::min(event.addr, other), std::max(event.addr, other) + event.row_bytes};
  }

  /// Tiles that lie across each other, the one that is written behind: an instruction goes through its
  /// elements from the first to the last.
  void within_instruction(const FootprintEvent& event) {
    constexpr size_t kMax = 8;  // gathers touch every element by itself
    if (event.update || event.rows == 0 || event.row_bytes == 0 || parts_.size() == kMax) return;
    if (isa::row(program_->ops[event.pc].row).layer != isa::Layer::tile) return;
    const auto [begin, end] = hull(event);
    const Part part{begin, end, event.write, event.space};
    for (const Part& other : parts_) {
      if (other.write == part.write || other.space != part.space) continue;
      const Part& from = part.write ? other : part;
      const Part& to = part.write ? part : other;
      if (from.begin >= to.begin || to.begin >= from.end || from.end >= to.end) continue;
      const ValueId source = operand_at(from.space, from.begin), target = operand_at(to.space, to.end - 1);
      if (source != target && source != kNoValue && target != kNoValue)
        onto_itself(event, from, source, to, target);
    }
    parts_.push_back(part);
  }

  void onto_itself(const FootprintEvent& event, const Part& from, ValueId read, const Part& to,
                   ValueId written) {
    if (!reported_.emplace(event.pc, event.pc).second) return;
    const std::string source = isa::value_name(*program_, read),
                      target = isa::value_name(*program_, written_tile(event.pc, written));
    Diagnostic& out = findings_.emplace_back(
        finding(*program_, FindingId::operand, event.pc,
                fmt::format("{} writes {}, which begins {} bytes behind the begin of {} that it reads: later "
                            "elements are overwritten before they are read",
                            mnemonic(*program_, event.pc), target, to.begin - from.begin, source)));
    out.moment = moment();
    out.operand = target;
    out.help = fmt::format("give {} bytes of its own, or exactly those of {}", target, source);
  }

  /// The end of what is written may lie in other operands, too.
  ValueId written_tile(uint32_t pc, ValueId found) const {
    const OpView op(*program_, pc);
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      if (schema.operands[slot].role == isa::Role::out && op.operand(slot) != kNoValue)
        return op.operand(slot);
    }
    return found;
  }

  struct Lost {
    uint64_t begin, end;
    uint32_t over;
  };
  static constexpr uint64_t kStep = 512;  ///< what every tile may begin at

  std::array<uint64_t, kSpaceCount> capacity_;
  const Program* program_ = nullptr;
  std::optional<StorageRoots> roots_;
  ArgumentMap arguments_;  ///< empty: names of on-chip memory need none
  std::map<ValueId, StorageAlias> by_value_;
  std::optional<Objects> objects_;  ///< of the run so far, once something is to be judged
  std::array<std::pair<ValueId, StorageAlias*>, 16> recent_{};  ///< by operand: where its root stands
  Memories<Memory> memories_;
  struct Instruction {
    uint32_t pc = ~0u, core = 0;
    Pipe pipe = Pipe::none;
    uint64_t time = 0;
  } now_;
  uint32_t entry_ = 1;  ///< of a queue: a vector function is one
  struct From {
    uint32_t own = ~0u,
             before = ~0u;  ///< numbers in `writes_`: through the name that is read; through another
    uint64_t addr = 0;      ///< of the latter
  } from_;                  ///< what one access reads
  std::vector<Written> writes_;
  std::vector<uint32_t> mine_;  ///< numbers in `writes_` of the instruction that runs
  std::vector<Part> parts_;     ///< what it has touched
  std::vector<std::pair<FootprintEvent, StorageAlias*>> pending_;  ///< what it writes
  std::vector<Lost> lost_;
  std::set<std::pair<uint32_t, uint32_t>> reported_;
  std::set<std::tuple<uint32_t, uint32_t, bool>> lost_told_;  ///< reads, what was lost, a part of it
  std::vector<Diagnostic> findings_;
  std::vector<Shared> shared_;
  std::set<std::pair<ValueId, ValueId>> taken_;            ///< read through; put by
  std::map<std::pair<ValueId, ValueId>, bool> otherwise_;  ///< put by, read through: in another layout
  std::set<std::pair<uint32_t, uint32_t>> layout_told_;    ///< of these, operations
  std::array<bool, kSpaceCount> holes_{};                  ///< somebody reads bytes that nobody has written
  std::set<uint32_t> running_;                             ///< blocks
};

}  // namespace

std::unique_ptr<RunChecker> make_overlap_checker(const Machine& machine) {
  return std::make_unique<OverlapChecker>(machine);
}

}  // namespace pto::sim
