// Alignment registers (E0561 to E0563): the state of an unaligned stream begins at pto.vldas or pto.init_align, goes from
// one access to the next, and is used once; a loop hands it on through its iter_args.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "verify/registers.hpp"

namespace pto::legality {
namespace {

enum class Stream : uint8_t { none, load, store };

struct Accessor {
  std::string_view name;
  Stream stream;
};
constexpr std::array<Accessor, 8> kAccessors = {{
    {"pto.vldus", Stream::load}, {"pto.vstus", Stream::store}, {"pto.vstur", Stream::store}, {"pto.vstas", Stream::store},
    {"pto.vstar", Stream::store}, {"pto.pstu", Stream::store}, {"pto.vstu", Stream::store}, {"pto.vsta", Stream::store},
}};

Stream stream_of(std::string_view mnemonic) {
  const auto* found = std::ranges::find(kAccessors, mnemonic, &Accessor::name);
  return found == kAccessors.end() ? Stream::none : found->stream;
}
std::string_view starts(Stream stream) { return stream == Stream::load ? "pto.vldas" : "pto.init_align"; }

class AlignChains {
 public:
  explicit AlignChains(Checker& check) : check_(check), program_(check.program()) {}

  void run() {
    if (!any_align()) return;
    find_owners();
    for (uint32_t i = 0; i < program_.ops.size(); ++i) check_op(OpView(program_, i));
  }

 private:
  struct Use {
    uint32_t op, operand;
  };

  bool any_align() const {
    for (TypeId id = 1; id < program_.types.size(); ++id) {
      if (program_.types[id].kind == TypeKind::align) return true;
    }
    return false;
  }

  /// The operation around each operation, and in which of its regions.
  void find_owners() {
    owner_.assign(program_.ops.size(), ~0u);
    region_.assign(program_.ops.size(), 0);
    argument_owner_.clear();
    for (uint32_t i = 0; i < program_.ops.size(); ++i) {
      const std::span<const Region> regions = program_.regions_of(program_.ops[i]);
      for (uint32_t k = 0; k < regions.size(); ++k) {
        for (uint32_t a = 0; a < regions[k].n_args; ++a) argument_owner_.emplace(regions[k].first_arg + a, std::pair(i, a));
        for (uint32_t op = regions[k].begin; op < regions[k].end; op = program_.end_of(op)) {
          owner_[op] = i;
          region_[op] = k;
        }
      }
    }
  }

  void check_op(const OpView& op) {
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      unsigned operand = flat_index(op, slot);
      for (const ValueId value : op.operands(slot)) {
        if (value != kNoValue && program_.type_of(value).kind == TypeKind::align) check_use(op, operand, value);
        ++operand;
      }
    }
  }

  void check_use(const OpView& op, unsigned operand, ValueId value) {
    const Stream stream = stream_of(op.mnemonic());
    check_single(op, operand, value);
    if (stream != Stream::none) {
      check_loop(op, operand, value);
      check_origin(op, operand, value, stream);
    } else if (!op.mnemonic().starts_with("scf.")) {
      check_.fail("E0561", op, Anchor::Part::operand, operand, fmt::format("{} cannot take the alignment state {}", op.mnemonic(), value_name(program_, value)),
                  "only the accesses of its stream and the iter_args of loops take it");
    }
  }

  // ---- one use

  /// Uses in different branches of one scf.if exclude each other.
  bool exclusive(uint32_t a, uint32_t b) const {
    std::map<uint32_t, uint32_t> above;   // operation -> region that holds a
    for (; owner_[a] != ~0u; a = owner_[a]) above.emplace(owner_[a], region_[a]);
    for (; owner_[b] != ~0u; b = owner_[b]) {
      const auto found = above.find(owner_[b]);
      if (found != above.end()) return found->second != region_[b];
    }
    return false;
  }

  void check_single(const OpView& op, unsigned operand, ValueId value) {
    std::vector<Use>& uses = uses_[value];
    for (const Use& use : uses) {
      if (exclusive(use.op, op.index())) continue;
      Diagnostic& made = check_.fail("E0562", op, Anchor::Part::operand, operand, fmt::format("the alignment state {} is used a second time", value_name(program_, value)),
                                     "use the state that the first access gives back");
      made.notes.push_back({"first used here", {}, program_.ops[use.op].where, {Anchor::Part::operand, use.op, use.operand}});
      return;
    }
    uses.push_back({op.index(), operand});
  }

  // ---- loops

  [[nodiscard]] uint32_t definer(ValueId value) const {
    const auto argument = argument_owner_.find(value);
    return argument == argument_owner_.end() ? check_.definition(value) : argument->second.first;
  }
  [[nodiscard]] bool loop(uint32_t op) const {
    const std::string_view name = isa::row(program_.ops[op].row).name;
    return name == "scf.for" || name == "scf.while";
  }

  void check_loop(const OpView& op, unsigned operand, ValueId value) {
    uint32_t around = owner_[op.index()];
    while (around != ~0u && !loop(around)) around = owner_[around];
    if (around == ~0u) return;
    const bool argument = argument_owner_.contains(value);
    const uint32_t maker = definer(value);
    const bool inside = argument ? maker >= around : maker > around;
    if (maker == ~0u || (inside && maker < program_.end_of(around))) return;
    Diagnostic& made = check_.fail("E0563", op, Anchor::Part::operand, operand,
                                   fmt::format("the alignment state {} comes from outside the loop, so every iteration would start from it", value_name(program_, value)),
                                   "hand it in with iter_args and yield the state of the last access");
    made.notes.push_back({"the loop", {}, program_.ops[around].where, {Anchor::Part::op, around, 0}});
  }

  // ---- where the stream begins

  /// The operation that begins the stream a value belongs to; ~0 when there is none. Steps back along the stream.
  uint32_t origin(ValueId value) const {
    for (size_t steps = 0; steps <= program_.ops.size(); ++steps) {
      if (const auto argument = argument_owner_.find(value); argument != argument_owner_.end()) {
        const OpView loop(program_, argument->second.first);
        if (loop.mnemonic() != "scf.for" || argument->second.second == 0) return ~0u;
        const std::span<const ValueId> init = loop.operands(3);
        if (argument->second.second > init.size()) return ~0u;
        value = init[argument->second.second - 1];
        continue;
      }
      const uint32_t maker = check_.definition(value);
      if (maker == ~0u) return ~0u;
      const OpView op(program_, maker);
      if (op.mnemonic() == "pto.vldas" || op.mnemonic() == "pto.init_align") return maker;
      const ValueId before = previous(op, value);
      if (before == kNoValue) return ~0u;
      value = before;
    }
    return ~0u;
  }
  /// The state that an access or a loop took to make `value`.
  ValueId previous(const OpView& op, ValueId value) const {
    if (stream_of(op.mnemonic()) != Stream::none) {
      for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
        if (op.type(slot).kind == TypeKind::align) return op.operand(slot);
      }
    }
    const uint32_t result = value - op.op().first_result;
    if (op.mnemonic() == "scf.for") return result < op.operands(3).size() ? op.operands(3)[result] : kNoValue;
    if (op.mnemonic() != "scf.if") return kNoValue;
    const Region& branch = program_.regions_of(op.op())[0];
    uint32_t last = branch.begin;
    for (uint32_t i = branch.begin; i < branch.end; i = program_.end_of(i)) last = i;
    if (branch.begin == branch.end) return kNoValue;
    const std::span<const ValueId> yielded = OpView(program_, last).operands(0);
    return result < yielded.size() ? yielded[result] : kNoValue;
  }

  void check_origin(const OpView& op, unsigned operand, ValueId value, Stream stream) {
    const uint32_t begin = origin(value);
    if (begin != ~0u && OpView(program_, begin).mnemonic() == starts(stream)) return;
    if (begin != ~0u && !reported_.insert(begin).second) return;   // once per stream
    Diagnostic& made = check_.fail("E0561", op, Anchor::Part::operand, operand,
                                   fmt::format("the alignment state {} of {} does not begin at {}", value_name(program_, value), op.mnemonic(), starts(stream)),
                                   fmt::format("begin the stream with {}", starts(stream)));
    if (begin != ~0u) made.notes.push_back({fmt::format("it begins here, at {}", OpView(program_, begin).mnemonic()), {}, program_.ops[begin].where, {Anchor::Part::op, begin, 0}});
  }

  Checker& check_;
  const Program& program_;
  std::vector<uint32_t> owner_;
  std::vector<uint32_t> region_;
  std::map<ValueId, std::pair<uint32_t, uint32_t>> argument_owner_;   ///< block argument -> operation, position
  std::map<ValueId, std::vector<Use>> uses_;
  std::set<uint32_t> reported_;   ///< where streams of the wrong kind begin
};

}  // namespace

void check_align_registers(Checker& check) { AlignChains(check).run(); }

}  // namespace pto::legality
