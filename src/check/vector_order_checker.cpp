// The order of loads and stores within a vector function. Its instructions start as their registers come; UB
// is no register. What stands in program order is ordered for a store after a load that its value comes from
// (or that was served before that one: loads are served in order), and for everything else by mem_bar only.
// A store that puts the bytes there that are there already does no harm. A store behind another one that has
// the value of a load is right on boards without a mem_bar, which is no proof: a warning.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <unordered_map>

#include "check/checkers.hpp"
#include "check/footprint_ranges.hpp"
#include "check/interval_map.hpp"
#include "check/storage_roots.hpp"
#include "ir/regions.hpp"
#include "isa/layout_attribute.hpp"
#include "sim/findings/naming.hpp"
#include "sim/findings/reported_places.hpp"

namespace pto::sim {
namespace {

enum Class : uint8_t { vector_load, vector_store, scalar_load, scalar_store };
constexpr size_t kClasses = 4;
constexpr std::array<std::string_view, kClasses> kShort = {"VLD", "VST", "LD", "ST"};

bool is_store(Class c) { return c == vector_store || c == scalar_store; }
bool is_scalar(Class c) { return c == scalar_load || c == scalar_store; }

/// Whether mem_bar of this kind (its number) orders `before` and `after`: four families by the units that
/// access, vector before scalar, and in each all, store before load, load before store, store before store.
bool orders(int64_t kind, Class before, Class after) {
  const int64_t family = kind / 4, pair = kind % 4;
  if (is_scalar(before) != (family >= 2) || is_scalar(after) != (family % 2 == 1)) return false;
  return pair == 0 || (is_store(before) == (pair != 2) && is_store(after) == (pair != 1));
}

struct Last {
  uint64_t order = 0;  ///< counted within the vector function from 1; 0: none
  uint32_t pc = 0;
  bool operator==(const Last&) const = default;
};

/// The last access of each class to a part of UB.
struct ByteOrder {
  std::array<Last, kClasses> last{};
  bool operator==(const ByteOrder&) const = default;
};

/// What a core's vector function has done so far.
struct Scope {
  uint32_t op = kNoOp;  ///< kNoOp: none runs
  uint64_t order = 0;
  Intervals<ByteOrder> memory;
  std::array<std::array<uint64_t, kClasses>, kClasses> barrier{};  ///< last that orders [before][after]
  std::unordered_map<uint32_t, uint64_t> loads;                    ///< last time of each load
  uint64_t stored = 0;  ///< last load whose value a store has taken
};

/// A store over bytes of another one, until what it puts there is known.
struct Overwritten {
  std::pair<uint32_t, uint32_t> pair;
  const std::byte* data;
  std::vector<std::byte> before;
  Diagnostic finding;
};

class VectorOrderChecker final : public RunChecker {
 public:
  explicit VectorOrderChecker(const std::vector<uint32_t>& any_bytes) : any_bytes_(any_bytes) {}
  uint32_t wants() const override { return kFootprints; }

  void on_start(std::span<const CoreInfo> cores, const Program& program) override {
    program_ = &program;
    roots_.emplace(program);
    scopes_.resize(cores.size());
    for (uint32_t op = 0; op < program.ops.size(); ++op) {
      const Op& each = program.ops[op];
      for (uint32_t r = 0; r < each.n_results; ++r) set_owner(each.first_result + r, op);
      for (const Region& region : program.regions_of(each)) {
        for (uint32_t a = 0; a < region.n_args; ++a) set_owner(region.first_arg + a, op);
      }
    }
  }

  void on_vector_function(uint32_t core, uint32_t pc, bool begins) override {
    finish_scope(kNoOp);
    scopes_[core] = Scope{};
    if (begins) scopes_[core].op = pc;
  }

  void on_memory_barrier(uint32_t core, uint32_t pc) override {
    Scope& scope = scopes_[core];
    const int64_t kind = OpView(*program_, pc).attr_int("kind");
    for (size_t before = 0; before < kClasses; ++before) {
      for (size_t after = 0; after < kClasses; ++after) {
        if (orders(kind, static_cast<Class>(before), static_cast<Class>(after)))
          scope.barrier[before][after] = scope.order;
      }
    }
  }

  void on_footprint(const FootprintEvent& event) override {
    Scope& scope = scopes_[event.core];
    if (scope.op == kNoOp || event.space != Space::ub || event.pc >= program_->ops.size()) return;
    finish_scope(event.pc);
    const Class kind = class_of(event);
    const Last access{++scope.order, event.pc};
    if (!is_store(kind)) scope.loads[event.pc] = scope.order;
    for_each_range(event, [&](uint64_t begin, uint64_t end) {
      scope.memory.update(begin, end, [&](uint64_t from, uint64_t to, ByteOrder& cell) {
        for (size_t before = 0; before < kClasses; ++before)
          check_access(scope, static_cast<Class>(before), cell.last[before], kind, access, {event, from, to});
        cell.last[kind] = access;
      });
    });
    if (is_store(kind)) scope.stored = std::max(scope.stored, last_load_of(scope, event.pc));
  }

  std::vector<Diagnostic> take_findings() override {
    finish_scope(kNoOp);
    return std::exchange(findings_, {});
  }

 private:
  /// Bytes of an access.
  struct Part {
    const FootprintEvent& event;
    uint64_t begin, end;
  };

  void set_owner(ValueId value, uint32_t op) {
    if (owner_.size() <= value) owner_.resize(value + 1, kNoOp);
    owner_[value] = op;
  }

  Class class_of(const FootprintEvent& event) const {
    const bool vector = isa::pipe_of(OpView(*program_, event.pc)) == Pipe::v;
    if (event.write) return vector ? vector_store : scalar_store;
    return vector ? vector_load : scalar_load;
  }

  void check_access(const Scope& scope, Class before, const Last& earlier, Class after, const Last& access,
                    const Part& part) {
    if (earlier.order == 0 || (!is_store(before) && !is_store(after))) return;
    if (earlier.order == access.order) return;          // two pieces of one instruction
    if (is_scalar(before) && is_scalar(after)) return;  // the scalar unit is in order
    if (scope.barrier[before][after] >= earlier.order) return;
    // Stores of one instruction go out in order: public board cases keep the last of a loop's.
    if (is_store(before) && earlier.pc == access.pc) return;
    if (!is_store(before) && follows(scope, earlier, access.pc)) return;
    if (is_store(before) && is_store(after) && follows_past_barrier(scope, before, earlier, access.pc))
      return;
    if (known_.contains({earlier.pc, access.pc}, Severity::error)) return;
    // Only a warning where a store has taken the value of the load before.
    const bool behind = before == vector_load && after == vector_store && scope.stored >= earlier.order;
    const Severity severity =
        behind || (logical(earlier.pc) && logical(access.pc)) ? Severity::warning : Severity::error;
    if (known_.contains({earlier.pc, access.pc}, severity)) return;
    Diagnostic found = report(before, earlier.pc, after, access.pc, part, severity);
    if (is_store(before) && is_store(after) && part.event.data != nullptr &&
        !may_differ(earlier.pc, access.pc))
      return overwritten_.push_back(
          {{earlier.pc, access.pc}, data_of(part), copy_of(part), std::move(found)});
    known_.add({earlier.pc, access.pc}, severity);
    findings_.push_back(std::move(found));
  }

  /// Whether the two put other bytes there with other data.
  [[nodiscard]] bool may_differ(uint32_t first, uint32_t second) const {
    const auto any = [&](uint32_t op) { return std::ranges::binary_search(any_bytes_, op); };
    return (any(first) || any(second)) && value_of(first) != value_of(second);
  }
  [[nodiscard]] ValueId value_of(uint32_t store) const {
    const OpView op(*program_, store);
    const int slot = isa::schema(op.op().row).operand_slot("value");
    return slot < 0 ? kNoValue : op.operand(static_cast<unsigned>(slot));
  }

  static const std::byte* data_of(const Part& part) {
    return part.event.data + (part.begin - part.event.addr);
  }
  static std::vector<std::byte> copy_of(const Part& part) {
    return {data_of(part), data_of(part) + (part.end - part.begin)};
  }

  /// Tells the stores over others that have put other bytes there, as soon as another instruction comes.
  void finish_scope(uint32_t next) {
    if (overwritten_.empty() || overwritten_.back().pair.second == next) return;
    for (Overwritten& each : std::exchange(overwritten_, {})) {
      if (std::ranges::equal(each.before, std::span(each.data, each.before.size()))) continue;
      if (known_.add(each.pair, each.finding.severity)) findings_.push_back(std::move(each.finding));
    }
  }

  /// When the last of the loads ran that what a store writes comes from; 0: from none.
  uint64_t last_load_of(const Scope& scope, uint32_t store) {
    uint64_t last = 0;
    for (const uint32_t op : sources_of(store, scope.op)) {
      const auto it = scope.loads.find(op);
      if (it != scope.loads.end()) last = std::max(last, it->second);
    }
    return last;
  }

  /// Whether what a store writes comes from a load that ran with or after an earlier one.
  bool follows(const Scope& scope, const Last& earlier, uint32_t store) {
    return last_load_of(scope, store) >= earlier.order;
  }

  /// Whether what a store writes comes from a load that a mem_bar holds back until an earlier store is done.
  bool follows_past_barrier(const Scope& scope, Class before, const Last& earlier, uint32_t store) {
    const uint64_t barrier = scope.barrier[before][vector_load];
    return barrier >= earlier.order && last_load_of(scope, store) > barrier;
  }

  /// The operations of a vector function that a store's operands come from.
  const std::vector<uint32_t>& sources_of(uint32_t store, uint32_t scope) {
    const auto [it, fresh] = sources_.try_emplace(store);
    if (!fresh) return it->second;
    std::set<uint32_t> seen{store};
    std::vector<uint32_t> open{store};
    while (!open.empty()) {
      const uint32_t op = open.back();
      open.pop_back();
      it->second.push_back(op);
      for_each_used(op, [&](ValueId value) {
        if (value >= owner_.size()) return;
        const uint32_t from = owner_[value];
        if (from != kNoOp && from > scope && from < program_->end_of(scope) && seen.insert(from).second)
          open.push_back(from);
      });
    }
    return it->second;
  }

  template <typename Visit>
  void for_each_used(uint32_t op, Visit visit) const {
    const OpView view(*program_, op);
    const size_t slots = isa::schema(view.op().row).operands.size();
    for (unsigned slot = 0; slot < slots; ++slot) std::ranges::for_each(view.operands(slot), visit);
    for (const Region& region : program_->regions_of(view.op()))
      std::ranges::for_each(yielded_values(*program_, region), visit);
  }

  /// Logical vectors access memory in program order; a compiler of theirs has to see to that, and the public
  /// one leaves it to the hardware. Lowered ones say where they come from.
  bool logical(uint32_t op) const {
    if (isa::row(program_->ops[op].row).layer == isa::Layer::vmi) return true;
    return std::ranges::any_of(program_->attrs_of(program_->ops[op]), [&](const Attr& attr) {
      return attr.spec == kUnknownAttr && program_->strings[attr.name] == isa::kLayoutMark;
    });
  }

  Diagnostic report(Class before, uint32_t first, Class after, uint32_t second, const Part& part,
                    Severity severity) {
    const std::string kind = fmt::format("{}_{}", kShort[before], kShort[after]);
    Diagnostic out = finding(
        *program_, FindingId::mem_bar, second,
        fmt::format("{} {} {} that {} of the same vector function {} before; no mem_bar {} is between them",
                    mnemonic(*program_, second), is_store(after) ? "writes" : "reads",
                    arguments_.bytes_at(*program_, kNoValue, Space::ub, part.begin, part.end - part.begin),
                    mnemonic(*program_, first), is_store(before) ? "writes" : "reads", kind),
        severity);
    out.moment = moment();
    out.notes.push_back(note_at(*program_, first, "the access before"));
    const auto [here, there] = std::pair(place_of(second), place_of(first));
    if (here != there && here != kNoValue && there != kNoValue)
      out.help = fmt::format(
          "{} and {} share bytes: give them separate addresses, or order the two with a pto.mem_bar \"{}\" "
          "if they share bytes on purpose",
          isa::value_name(*program_, here), isa::value_name(*program_, there), kind);
    else
      out.help = fmt::format(
          "add pto.mem_bar \"{}\" between the two: a vector function's accesses to UB are not in "
          "order by themselves",
          kind);
    return out;
  }

  /// The value that says where an access goes.
  ValueId place_of(uint32_t index) const {
    const OpView op(*program_, index);
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) {
        const TypeKind kind = program_->type_of(value).kind;
        if (kind == TypeKind::ptr || kind == TypeKind::memref || kind == TypeKind::tile_buf)
          return roots_->root_of(value);
      }
    }
    return kNoValue;
  }

  std::vector<uint32_t> any_bytes_;
  const Program* program_ = nullptr;
  std::optional<StorageRoots> roots_;
  ArgumentMap arguments_;
  std::vector<Scope> scopes_;    ///< by core
  std::vector<uint32_t> owner_;  ///< by value: the operation that makes it, or whose region has it
  std::unordered_map<uint32_t, std::vector<uint32_t>> sources_;
  ReportedPlaces<std::pair<uint32_t, uint32_t>> known_;
  std::vector<Overwritten> overwritten_;
  std::vector<Diagnostic> findings_;
};

}  // namespace

std::unique_ptr<RunChecker> make_vector_order_checker(const std::vector<uint32_t>& any_bytes) {
  return std::make_unique<VectorOrderChecker>(any_bytes);
}

}  // namespace pto::sim
