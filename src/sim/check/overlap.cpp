// The checker for buffers that share bytes by mistake. Tiles and pointers lie where a program says, and two
// names of one place are common and right, so bytes alone say nothing. What does: everything that an
// instruction wrote through one name is overwritten through another before anybody has read any of it, and
// is then read through the first name; a part of it is enough where the two places lie across each other, so
// that neither is a part of the other, and where it came from GM and somebody reads through the second name,
// or through one that begins where the first does. Or one computation reads what is at one name and
// overwrites a part of it through another, and an instruction then reads through that one what it put there
// and what was there before. Over the whole run: two names each of which has put everywhere what is read
// through it need no place in common, so that one of them reads what the other put there by mistake (where
// it is one and the same place and nothing is read through the other, that hands on); and a pointer through
// which nobody reads what was put there through it, while another one reads what belongs to others, or
// another one has overwritten all of it and bytes are missing elsewhere. And an instruction that writes a
// tile which begins inside of one that it reads: later elements are overwritten before it comes to them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "isa/row.hpp"
#include "isa/words.hpp"
#include "sim/check/checkers.hpp"
#include "sim/check/footprint.hpp"
#include "sim/check/layouts.hpp"
#include "sim/check/names.hpp"
#include "sim/check/roots.hpp"
#include "sim/check/shadow_memory.hpp"
#include "sim/describe.hpp"

namespace pto::sim {
namespace {

struct Cell {
  uint32_t written = ~0u, over = ~0u;  ///< numbers of Written: here now; lost here
  uint32_t read = 0;                   ///< the number of the queue entry that read it last
  bool operator==(const Cell&) const = default;
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
    if (event.core != now_.core || event.pipe != now_.pipe || event.time != now_.time) ++entry_;
    if (event.pc != now_.pc || event.core != now_.core || event.time != now_.time) {
      parts_.clear();
      mine_.clear();
    }
    now_ = {event.pc, event.core, event.pipe, event.time};
    within_instruction(event);
    Name& name = name_at(event);
    const auto [low, high] = hull(event);
    name.touched.add(low, high);
    name.space = event.space;
    (event.write ? name.first_put : name.first_read) =
        std::min(event.write ? name.first_put : name.first_read, event.pc);
    if (event.write) name.put.add(low, high);  // what is read may belong to either of two names
    Memory& memory = memories_.of(event);
    memory.used = std::max(memory.used, high);
    auto& own = memory.own[name.value];
    from_ = {};
    for_each_range(event, [&](uint64_t begin, uint64_t end) {
      if (!event.write || event.update)
        read(event, name, memory, own, begin, end);
      else
        write(event, name, memory, own, begin, end);
    });
    if (from_.own != ~0u && from_.before != ~0u) half_in_place(event, memory);
  }

  std::vector<Diagnostic> take() override {
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
    shared_.clear();
    std::erase_if(findings_, [](const Diagnostic& each) { return each.id.empty(); });
    if (running_.empty()) unread(told);
    return std::move(findings_);
  }

 private:
  struct Memory {
    ShadowMemory<Cell> cells;
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

  /// Whether no program means it.
  bool certain(const Shared& shared) {
    const Name &lost = by_value_[shared.lost], &by = by_value_[shared.by];
    if (shared.kind == Kind::taken)
      return running_.empty() && lost.lenders.empty() && by.lenders.empty() &&
             by.read_through_others_than(shared.lost) && (by.own || lost.put != by.put);  // else handed on
    if (shared.loads) return true;
    if (shared.kind == Kind::part && !across(lost.put, by.put) && !(by.own && shared.loaded))
      return false;  // one is a part of the other: what is read there may be meant
    return by.own || !roots_->one_place(shared.lost, shared.by);  // else a name to write through
  }

  Name& name_at(const FootprintEvent& event) {
    const ValueId operand = operand_at(event.space, event.addr);
    auto& [asked, root] = recent_[operand % recent_.size()];
    if (root == nullptr || asked != operand) {
      asked = operand;
      const ValueId value = operand == kNoValue ? kNoValue : roots_->of(operand);
      root = &by_value_[value];
      root->value = value;
    }
    return *root;
  }

  // ---- two names of one place

  uint32_t written(const FootprintEvent& event, Name& name) {
    for (const uint32_t each : mine_) {
      if (writes_[each].name == &name) return each;
    }
    constexpr size_t kMost = size_t{1} << 22;  // longer runs are followed up to there
    if (writes_.size() == kMost) return ~0u;
    const auto number = static_cast<uint32_t>(writes_.size());
    writes_.push_back(
        {.pc = event.pc, .root = name.value, .loaded = event.pipe == Pipe::mte2, .name = &name});
    mine_.push_back(number);
    return number;
  }

  void write(const FootprintEvent& event, Name& name, Memory& memory, ShadowMemory<uint32_t>& own,
             uint64_t begin, uint64_t end) {
    const uint32_t number = written(event, name);
    if (number == ~0u) return;
    writes_[number].bytes += end - begin;
    name.bytes += end - begin;
    if (name.value != kNoValue) own.assign(begin, end, number);
    lost_.clear();
    memory.cells.update(begin, end, [&](uint64_t from, uint64_t to, Cell& cell) {
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
  uint32_t overwritten(const FootprintEvent& event, Name& name, const Cell& cell, uint64_t bytes) {
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

  void read(const FootprintEvent& event, Name& name, Memory& memory, ShadowMemory<uint32_t>& own,
            uint64_t begin, uint64_t end) {
    memory.cells.update(begin, end, [&](uint64_t from, uint64_t to, Cell& cell) {
      cell.read = entry_;
      if (cell.written == ~0u) {
        holes_[static_cast<size_t>(event.space)] = true;
        return;
      }
      const Written& here = writes_[cell.written];
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
  void taken(const FootprintEvent& event, const Memory& memory, Name& name, const Written& here,
             ShadowMemory<uint32_t>& own, uint64_t begin, uint64_t end) {
    own.look(begin, end, [&](uint64_t from, uint64_t, const uint32_t* number) {
      if (number == nullptr) {
        name.lenders.insert(here.root);
        return;
      }
      if (!taken_.emplace(name.value, here.root).second) return;
      const Written& mine = writes_[*number];
      told(event, memory, mine, here, Kind::taken,
           fmt::format("{} on {} reads {} at {}, where {} has overwritten what {} put there: nothing that is "
                       "read through either name needs a place in common",
                       mnemonic(*program_, event.pc), short_name(event.pipe),
                       isa::value_name(*program_, name.value), arguments_.place(event.space, from),
                       mnemonic(*program_, here.pc), mnemonic(*program_, mine.pc)),
           isa::value_name(*program_, name.value));
    });
  }

  /// Reads in one layout what was put there in another one, under the names that the tiles were made with.
  void in_another_layout(const FootprintEvent& event, const Name& name, const Written& here) {
    const auto [at, fresh] = otherwise_.try_emplace({here.root, name.value}, false);
    if (fresh) at->second = stand_otherwise(program_->type_of(here.root), program_->type_of(name.value));
    if (!at->second || operand_at(event.space, event.addr) != name.value || !has_operand(here.pc, here.root) ||
        !layout_told_.emplace(here.pc, event.pc).second)
      return;
    const std::string text = isa::value_name(*program_, name.value),
                      put = isa::value_name(*program_, here.root);
    Diagnostic& out = findings_.emplace_back(
        finding(*program_, "LAYOUT", event.pc,
                fmt::format("{} reads {} in another layout than {} wrote it in, through {}: its elements come "
                            "in another order",
                            mnemonic(*program_, event.pc), text, mnemonic(*program_, here.pc), put),
                Severity::warning));
    out.moment = moment();
    out.operand = text;
    out.notes.push_back(note_at(*program_, here.pc, "written here"));
    out.help = fmt::format("give {} and {} one layout, or move the one into the other with pto.tmov", put, text);
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
    told(event, memory, before, own, Kind::half,
         fmt::format("{} on {} reads {}: at {} still lies what {} put there through {}, which {} has "
                     "overwritten in part",
                     mnemonic(*program_, event.pc), short_name(event.pipe), name,
                     arguments_.place(event.space, from_.addr), mnemonic(*program_, before.pc),
                     isa::value_name(*program_, before.root), mnemonic(*program_, own.pc)),
         name);
  }

  void clobbered(const FootprintEvent& event, const Memory& memory, const Name& reader, const Written& lost,
                 const Written& by, uint64_t addr) {
    const bool part = lost.lost != lost.bytes, third = lost.name != &reader;
    // Through a third name once for each of the two.
    if (!lost_told_.emplace(third ? by.pc : event.pc, lost.pc, part).second) return;
    if (reads_through(event.pc, by.root)) by_value_[by.root].own = true;  // two operands at one address
    const std::string name =
        isa::value_name(*program_, third && reader.value != kNoValue ? reader.value : lost.root);
    told(event, memory, lost, by, part ? Kind::part : Kind::all,
         fmt::format("{} on {} reads {} at {}, where {} has overwritten {} {} put there: nobody had read it",
                     mnemonic(*program_, event.pc), short_name(event.pipe), name,
                     arguments_.place(event.space, addr), mnemonic(*program_, by.pc),
                     part ? "a part of what" : "all that", mnemonic(*program_, lost.pc)),
         name);
  }

  void told(const FootprintEvent& event, const Memory& memory, const Written& lost, const Written& by,
            Kind kind, std::string message, const std::string& name) {
    Diagnostic& out = findings_.emplace_back(finding(*program_, "OVERLAP", event.pc, std::move(message)));
    out.moment = moment();
    out.operand = name;
    out.notes.push_back(
        note_at(*program_, lost.pc,
                fmt::format("what {}, through {}", kind == Kind::half ? "still lies there" : "was lost",
                            isa::value_name(*program_, lost.root))));
    out.notes.push_back(note_at(
        *program_, by.pc, fmt::format("overwritten here, through {}", isa::value_name(*program_, by.root))));
    const bool loads = lost.loaded && by.loaded && kind != Kind::taken && kind != Kind::half;
    shared_.push_back({findings_.size() - 1, &memory, event.space, lost.root, by.root, kind,
                       kind != Kind::half && lost.loaded, loads});
  }

  // ---- pointers that nobody reads through

  /// Of pointers only: tiles come from tools that put one that is no longer needed under another.
  bool is_pointer(const Name& name) const {
    return name.value != kNoValue && !program_->type_of(name.value).is_tile();
  }

  void unread(const std::set<std::pair<ValueId, ValueId>>& told) {
    for (const auto& each : by_value_) {
      const Name& name = each.second;
      if (!is_pointer(name) || name.bytes == 0 || name.used) continue;
      if (std::ranges::any_of(told, [&](const auto& pair) { return pair.first == name.value; })) continue;
      const std::string text = isa::value_name(*program_, name.value);
      if (const Name* reader = borrower(name)) {
        const std::string other = isa::value_name(*program_, reader->value);
        unread(name, fmt::format(", and {} reads what others put for themselves", other),
               {"this reads", reader->first_read},
               fmt::format("make {} and {} of one number, or leave out what nobody reads", text, other));
      } else if (name.lost == name.bytes && holes_[static_cast<size_t>(name.space)] &&
                 !roots_->one_place(name.value, name.under.name)) {
        const std::string other = isa::value_name(*program_, name.under.name);
        unread(name, fmt::format(": all of it is overwritten through {}", other),
               {"overwritten here", name.under.pc},
               fmt::format("{} and {} share bytes: give them places of their own", text, other));
      }
    }
  }

  /// A pointer that reads what others have put for themselves; it may have been meant for what nobody reads.
  const Name* borrower(const Name& unread) const {
    for (const auto& each : by_value_) {
      const Name& name = each.second;
      if (!is_pointer(name) || name.space != unread.space || !name.put.empty() || name.lenders.empty())
        continue;
      if (name.touched.size() <= unread.put.size() && std::ranges::all_of(name.lenders, [&](ValueId lender) {
            return by_value_.at(lender).read_through_others_than(name.value);
          }))
        return &name;
    }
    return nullptr;
  }

  void unread(const Name& name, std::string_view why, std::pair<std::string_view, uint32_t> note,
              std::string help) {
    const std::string text = isa::value_name(*program_, name.value);
    Diagnostic& out =
        findings_.emplace_back(finding(*program_, "OVERLAP", name.first_put,
                                       fmt::format("nobody reads what {} puts through {}{}",
                                                   mnemonic(*program_, name.first_put), text, why)));
    out.operand = text;
    out.notes.push_back(note_at(*program_, note.second, std::string(note.first)));
    out.help = std::move(help);
  }

  bool reads_through(uint32_t pc, ValueId root) const {
    const OpView op(*program_, pc);
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      if (schema.operands[slot].role != isa::Role::in) continue;
      if (std::ranges::any_of(op.operands(slot), [&](ValueId v) { return roots_->of(v) == root; }))
        return true;
    }
    return false;
  }

  /// Whether nothing but what goes through this name, or by mistake through `other`, comes to its bytes, so
  /// that it can be anywhere. What nobody reads may be what is read through it.
  bool stands_alone(ValueId value, ValueId other) {
    const Name& name = by_value_[value];
    const auto known = [&](ValueId each) { return each == value || each == other; };
    return (name.readers.empty() || name.readers.contains(value)) &&
           std::ranges::all_of(name.lenders, known) && std::ranges::all_of(name.readers, known) &&
           std::ranges::none_of(by_value_, [&](const auto& each) {
             const Name& third = each.second;
             const bool unread =
                 is_pointer(third) && third.space == name.space && third.bytes != 0 && !third.used;
             return !known(each.first) && (unread || third.readers.contains(value));
           });
  }

  /// Where one of the two can be, the second if both can: behind everything that this run has used.
  std::string advice(const Shared& shared) {
    const auto [first, second] = std::minmax(shared.lost, shared.by);
    const std::string text = fmt::format("{} and {} share bytes: ", isa::value_name(*program_, shared.lost),
                                         isa::value_name(*program_, shared.by));
    const ValueId moved = stands_alone(second, first) ? second : first;
    const Extent extent = by_value_[moved].touched;
    const uint64_t free = (shared.memory->used + kStep - 1) / kStep * kStep;
    const uint32_t made = roots_->definer(moved);
    const Type& type = program_->type_of(moved);
    const uint64_t bytes = type.is_tile() ? std::max<uint64_t>(tile_bytes(type), extent.high - extent.low)
                                          : extent.high - extent.low;
    if (!stands_alone(moved, moved == first ? second : first) || made == ~0u ||
        free + bytes > capacity_[static_cast<size_t>(shared.space)])
      return text + "give them places of their own";
    return text + fmt::format("put {} at {}, which nobody uses, in {}", isa::value_name(*program_, moved),
                              free, sim::place(*program_, made));
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
    constexpr size_t kMost = 8;  // gathers touch every element by itself
    if (event.update || event.rows == 0 || event.row_bytes == 0 || parts_.size() == kMost) return;
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
    if (!told_.emplace(event.pc, event.pc).second) return;
    const std::string source = isa::value_name(*program_, read),
                      target = isa::value_name(*program_, written_tile(event.pc, written));
    Diagnostic& out = findings_.emplace_back(
        finding(*program_, "OPERAND", event.pc,
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
  static bool across(const Extent& a, const Extent& b) {
    return (a.low < b.low && b.low < a.high && a.high < b.high) ||
           (b.low < a.low && a.low < b.high && b.high < a.high);
  }

  std::array<uint64_t, kSpaceCount> capacity_;
  const Program* program_ = nullptr;
  std::optional<Roots> roots_;
  ArgumentMap arguments_;  ///< empty: names of on-chip memory need none
  std::map<ValueId, Name> by_value_;
  std::array<std::pair<ValueId, Name*>, 16> recent_{};  ///< by operand: where its root stands
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
  std::vector<Lost> lost_;
  std::set<std::pair<uint32_t, uint32_t>> told_;
  std::set<std::tuple<uint32_t, uint32_t, bool>> lost_told_;  ///< reads, what was lost, a part of it
  std::vector<Diagnostic> findings_;
  std::vector<Shared> shared_;
  std::set<std::pair<ValueId, ValueId>> taken_;  ///< read through; put by
  std::map<std::pair<ValueId, ValueId>, bool> otherwise_;     ///< put by, read through: in another layout
  std::set<std::pair<uint32_t, uint32_t>> layout_told_;       ///< of these, operations
  std::array<bool, kSpaceCount> holes_{};        ///< somebody reads bytes that nobody has written
  std::set<uint32_t> running_;                   ///< blocks
};

}  // namespace

std::unique_ptr<RunChecker> make_overlap_checker(const Machine& machine) {
  return std::make_unique<OverlapChecker>(machine);
}

}  // namespace pto::sim
