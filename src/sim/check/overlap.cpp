// The checker for buffers that share bytes by mistake. On-chip memory has no allocator that a program must
// ask: tiles and pointers lie where it says. Two names of one place are common and right, so bytes alone say
// nothing. What does: everything that an instruction wrote through one name is overwritten through another
// before anybody has read any of it, and is then read through the first name; a part of it is enough where
// the two places lie across each other, so that neither is a part of the other, and where it came from GM and
// somebody reads through the second name, too. Or one computation reads what
// is at one name and overwrites a part of it through another, and an instruction then reads through that one
// what it put there and what was there before. And an instruction that writes a tile which begins inside of
// one that it reads: later elements are overwritten before it comes to them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "isa/row.hpp"
#include "isa/words.hpp"
#include "sim/check/checkers.hpp"
#include "sim/check/footprint.hpp"
#include "sim/check/shadow_memory.hpp"
#include "sim/describe.hpp"

namespace pto::sim {
namespace {

/// The value that says where a tile or pointer lies: views and offsets are parts of it.
class Roots {
 public:
  explicit Roots(const Program& program) : program_(program), definer_(program.values.size(), kNone) {
    for (uint32_t op = 0; op < program.ops.size(); ++op) {
      for (uint32_t r = 0; r < program.ops[op].n_results; ++r)
        definer_[program.ops[op].first_result + r] = op;
    }
  }

  /// kNoValue where a value is handed over: from a loop, a branch or a call.
  ValueId of(ValueId value) const {
    while (value != kNoValue && definer_[value] != kNone) {
      const OpView op(program_, definer_[value]);
      switch (isa::does(op)) {
        case isa::Does::alloc_tile:
        case isa::Does::assign:
          return value;
        case isa::Does::cast_ptr:
          if (op.type(0).kind == TypeKind::scalar) return value;
          [[fallthrough]];
        case isa::Does::rename:
        case isa::Does::reshape:
        case isa::Does::add_ptr:
        case isa::Does::subview:
          value = op.operand(0);
          break;
        default:
          return kNoValue;
      }
    }
    return kNoValue;
  }

  /// The operation that makes a value; ~0 for none.
  uint32_t definer(ValueId value) const { return definer_[value]; }
  /// Pointers made of one number may be one place on purpose when they differ in what they point to.
  bool one_place(ValueId a, ValueId b) const {
    if (program_.type_of(a) == program_.type_of(b)) return false;
    const ValueId from = made_of(a);
    return from != kNoValue && from == made_of(b);
  }

 private:
  /// The number that a pointer is cast from.
  ValueId made_of(ValueId pointer) const {
    const OpView op(program_, definer_[pointer]);
    return isa::does(op) == isa::Does::cast_ptr ? op.operand(0) : kNoValue;
  }

  static constexpr uint32_t kNone = ~0u;
  const Program& program_;
  std::vector<uint32_t> definer_;
};

/// One instruction's writes through one name.
struct Written {
  uint32_t pc = 0;
  ValueId root = kNoValue;
  uint64_t bytes = 0, lost = 0;  ///< written; overwritten through another name, and nobody had read them
  bool loaded = false;           ///< by a transfer from GM
  uint32_t by = ~0u;             ///< what overwrote the last of them
  ValueId in_place = kNoValue;   ///< the name through which a part of it was overwritten by what had read it
};

struct Cell {
  uint32_t written = ~0u, over = ~0u;  ///< numbers of Written: here now; lost here
  uint32_t read = 0;                   ///< the number of the queue entry that read it last
  bool operator==(const Cell&) const = default;
};

class OverlapChecker final : public RunChecker {
 public:
  explicit OverlapChecker(const Machine& machine) : capacity_(machine.bytes) {}

  uint32_t wants() const override { return kFootprints; }

  void on_start(std::span<const CoreInfo>, const Program& program) override {
    program_ = &program;
    roots_.emplace(program);
  }

  void on_footprint(const FootprintEvent& event) override {
    if (event.space == Space::gm || event.space == Space::none || event.pc >= program_->ops.size() ||
        !has_context())
      return;
    if (event.core != now_.core || event.pipe != now_.pipe || event.time != now_.time) ++entry_;
    if (event.pc != now_.pc || event.core != now_.core || event.time != now_.time) {
      parts_.clear();
      mine_.clear();
    }
    now_ = {event.pc, event.core, event.pipe, event.time};
    within_instruction(event);
    Root& root = root_at(event);
    const auto [low, high] = hull(event);
    root.touched.add(low, high);
    if (event.write) root.put.add(low, high);  // what is read may belong to either of two names
    Memory& memory = memories_.of(event);
    memory.used = std::max(memory.used, high);
    from_ = {};
    for_each_range(event, [&](uint64_t begin, uint64_t end) {
      if (!event.write || event.update)
        read(event, root, memory, begin, end);
      else
        write(event, root.value, memory, begin, end);
    });
    if (from_.own != ~0u && from_.before != ~0u) half_in_place(event, memory);
  }

  std::vector<Diagnostic> take() override {
    for (const Shared& shared : shared_) {
      Diagnostic& out = findings_[shared.finding];
      const Root &lost = by_value_[shared.lost], &by = by_value_[shared.by];
      if (shared.part && !across(lost.put, by.put) && !(by.own && shared.loaded))
        out.id = {};  // one is a part of the other: what is read there may be meant
      else if (!by.own && roots_->one_place(shared.lost, shared.by))
        out.id = {};  // a name to write through what is read through the other
      else
        out.help = advice(shared);
    }
    shared_.clear();
    std::erase_if(findings_, [](const Diagnostic& each) { return each.id.empty(); });
    return std::move(findings_);
  }

 private:
  struct Memory {
    ShadowMemory<Cell> cells;
    uint64_t used = 0;  ///< one past the furthest byte
  };
  struct Extent {
    uint64_t low = ~uint64_t{0}, high = 0;
    void add(uint64_t begin, uint64_t end) {
      low = std::min(low, begin);
      high = std::max(high, end);
    }
  };
  /// What is known of the value that says where a tile or pointer lies.
  struct Root {
    ValueId value = kNoValue;
    Extent touched, put;
    bool own = false;       ///< somebody reads through it what was put there through it
    bool in_place = false;  ///< it overwrites what has just been read through another name
  };

  /// Two names of which one finding says that they share bytes.
  struct Shared {
    size_t finding;
    const Memory* memory;
    Space space;
    ValueId lost, by;
    bool part;    ///< not all that was written is lost
    bool loaded;  ///< from GM: nobody fills a place like that to write over it
  };

  Root& root_at(const FootprintEvent& event) {
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

  void write(const FootprintEvent& event, ValueId root, Memory& memory, uint64_t begin, uint64_t end) {
    uint32_t number = ~0u;
    for (const uint32_t each : mine_) {
      if (writes_[each].root == root) number = each;
    }
    if (number == ~0u) {
      constexpr size_t kMost = size_t{1} << 22;  // longer runs are followed up to there
      if (writes_.size() == kMost) return;
      number = static_cast<uint32_t>(writes_.size());
      writes_.push_back({.pc = event.pc, .root = root, .loaded = event.pipe == Pipe::mte2});
      mine_.push_back(number);
    }
    writes_[number].bytes += end - begin;
    lost_.clear();
    memory.cells.update(begin, end, [&](uint64_t from, uint64_t to, Cell& cell) {
      uint32_t over = ~0u;
      if (cell.written != ~0u && cell.written != number) {
        Written& before = writes_[cell.written];
        const bool other = before.root != kNoValue && root != kNoValue && before.root != root;
        if (other && cell.read == 0) {
          before.lost += to - from;
          before.by = event.pc;
          over = cell.written;
        } else if (other && cell.read == entry_) {
          before.in_place = root;
          by_value_[root].in_place = true;
        } else if (before.root == root) {
          over = cell.over;  // what was lost here stays lost
        }
      }
      if (from == begin && to == end)
        cell = {number, over, 0};
      else
        lost_.push_back({from, to, over});
    });
    for (const Lost& part : lost_)  // joins what reads had split
      memory.cells.assign(part.begin, part.end, {number, part.over, 0});
  }

  void read(const FootprintEvent& event, Root& root, Memory& memory, uint64_t begin, uint64_t end) {
    memory.cells.update(begin, end, [&](uint64_t from, uint64_t, Cell& cell) {
      cell.read = entry_;
      if (cell.written == ~0u) return;
      const Written& here = writes_[cell.written];
      if (here.root == root.value) {
        root.own = true;
        from_.own = cell.written;
      } else if (root.in_place && here.in_place == root.value) {
        from_.before = cell.written;
        from_.addr = from;
      }
      if (cell.over == ~0u) return;
      const Written& lost = writes_[cell.over];
      if (lost.root == root.value) clobbered(event, memory, lost, here, from);
    });
  }

  void half_in_place(const FootprintEvent& event, const Memory& memory) {
    const Written &before = writes_[from_.before], &own = writes_[from_.own];
    if (!lost_told_.emplace(event.pc, before.pc, true).second) return;
    const std::string name = isa::value_name(*program_, own.root);
    Diagnostic& out = findings_.emplace_back(
        finding(*program_, "OVERLAP", event.pc,
                fmt::format("{} on {} reads {}: at {} still lies what {} put there through {}, which {} has "
                            "overwritten in part",
                            mnemonic(*program_, event.pc), short_name(event.pipe), name,
                            arguments_.place(event.space, from_.addr), mnemonic(*program_, before.pc),
                            isa::value_name(*program_, before.root), mnemonic(*program_, own.pc))));
    out.moment = moment();
    out.operand = name;
    out.notes.push_back(
        note_at(*program_, before.pc,
                fmt::format("what still lies there, through {}", isa::value_name(*program_, before.root))));
    out.notes.push_back(note_at(*program_, own.pc, fmt::format("overwritten here, through {}", name)));
    shared_.push_back({findings_.size() - 1, &memory, event.space, before.root, own.root, false, false});
  }

  void clobbered(const FootprintEvent& event, const Memory& memory, const Written& lost, const Written& by,
                 uint64_t addr) {
    const bool part = lost.lost != lost.bytes;
    if (!lost_told_.emplace(event.pc, lost.pc, part).second) return;
    if (reads_through(event.pc, by.root)) by_value_[by.root].own = true;  // two operands at one address
    const std::string name = isa::value_name(*program_, lost.root);
    Diagnostic& out = findings_.emplace_back(
        finding(*program_, "OVERLAP", event.pc,
                fmt::format("{} on {} reads {} at {}, where {} has overwritten {} {} put there: nobody had "
                            "read it",
                            mnemonic(*program_, event.pc), short_name(event.pipe), name,
                            arguments_.place(event.space, addr), mnemonic(*program_, by.pc),
                            part ? "a part of what" : "all that", mnemonic(*program_, lost.pc))));
    out.moment = moment();
    out.operand = name;
    out.notes.push_back(note_at(*program_, lost.pc, fmt::format("what was lost, through {}", name)));
    out.notes.push_back(note_at(
        *program_, by.pc, fmt::format("overwritten here, through {}", isa::value_name(*program_, by.root))));
    shared_.push_back({findings_.size() - 1, &memory, event.space, lost.root, by.root, part, lost.loaded});
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

  /// Where the second of the two can be: behind everything that this run has used.
  std::string advice(const Shared& shared) const {
    const auto [first, second] = std::minmax(shared.lost, shared.by);
    const std::string text = fmt::format("{} and {} share bytes: ", isa::value_name(*program_, shared.lost),
                                         isa::value_name(*program_, shared.by));
    const Extent extent = by_value_.at(second).touched;
    const uint64_t free = (shared.memory->used + kStep - 1) / kStep * kStep;
    const uint32_t made = roots_->definer(second);
    const Type& type = program_->type_of(second);
    const uint64_t bytes = type.is_tile() ? std::max<uint64_t>(tile_bytes(type), extent.high - extent.low)
                                          : extent.high - extent.low;
    if (made == ~0u || free + bytes > capacity_[static_cast<size_t>(shared.space)])
      return text + "give them places of their own";
    return text + fmt::format("put {} at {}, which nobody uses, in {}", isa::value_name(*program_, second),
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
  std::unordered_map<ValueId, Root> by_value_;
  std::array<std::pair<ValueId, Root*>, 16> recent_{};  ///< by operand: where its root stands
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
};

}  // namespace

std::unique_ptr<RunChecker> make_overlap_checker(const Machine& machine) {
  return std::make_unique<OverlapChecker>(machine);
}

}  // namespace pto::sim
