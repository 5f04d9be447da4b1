// The cost of an instruction: the value of the cost form that is bound to its row, for each execution.
#include "timing/table_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "support/rounding.hpp"
#include "timing/register_costs.hpp"
#include "timing/tile_elementwise.hpp"
#include "timing/vector_op_count.hpp"

namespace pto::timing {
namespace {

/// Longest duration of one instruction; more, or a value that cannot be computed, reads as this.
constexpr uint64_t kMaxCycles = uint64_t{1} << 31;

uint32_t clamp_cycles(uint64_t cycles) {
  return static_cast<uint32_t>(std::clamp<uint64_t>(cycles, 1, kMaxCycles));
}

std::optional<uint64_t> evaluate(const BoundExpression& bound, const decode::Inst& inst,
                                 const decode::Word* frame, const decode::ControlState* control) {
  std::array<int64_t, kMaxVariables> values;
  for (size_t i = 0; i < bound.vars.size(); ++i) {
    const std::optional<int64_t> value = read_variable(bound.vars[i], inst, frame, control);
    if (!value) return std::nullopt;
    values[i] = *value;
  }
  return bound.expression->cycles({values.data(), bound.vars.size()});
}

Cost expression_cost(const Binding& bound, const decode::Inst& inst, const decode::Word* frame,
                     const decode::ControlState* control) {
  Cost cost;
  cost.busy = clamp_cycles(evaluate(bound.busy, inst, frame, control).value_or(kMaxCycles));
  cost.latency = cost.busy;
  if (bound.latency.expression) {
    cost.latency =
        std::max(cost.busy, clamp_cycles(evaluate(bound.latency, inst, frame, control).value_or(kMaxCycles)));
  }
  cost.basis = bound.row->from.basis;
  return cost;
}

uint32_t evaluated_formula(const Expression& expression, const std::vector<uint8_t>& args,
                           std::span<const int64_t> values) {
  std::array<int64_t, kMaxVariables> picked;
  for (size_t i = 0; i < args.size(); ++i) picked[i] = values[args[i]];
  return clamp_cycles(expression.cycles({picked.data(), args.size()}).value_or(kMaxCycles));
}

/// What the bytes of a transfer, or the rows of a matrix, add to `all`.
uint32_t moving_cycles(uint32_t all, const Expression& expression, const std::vector<uint8_t>& args,
                       std::span<const int64_t> values) {
  std::array<int64_t, kMaxVariables> picked;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& name = expression.variables()[i];
    picked[i] = name == "bytes" || name == "rows" ? 0 : values[args[i]];
  }
  const uint32_t fixed = clamp_cycles(expression.cycles({picked.data(), args.size()}).value_or(kMaxCycles));
  return all - std::min(all, fixed);
}

/// `all` with the part that moves bytes divided by `bandwidth`.
uint32_t faster(uint32_t all, uint32_t moving, double bandwidth) {
  if (bandwidth == 1) return all;
  return clamp_cycles(all - moving + static_cast<uint64_t>(std::llround(moving / bandwidth)));
}

/// The transfers from and to GM: gm_ub, gm_l1_nz, l0c_gm.
bool moves_gm(std::string_view formula) { return formula.starts_with("gm_") || formula.ends_with("_gm"); }

Cost formula_cost(const Binding& bound, const BoundFormula& formula, const decode::Inst& inst,
                  const decode::Word* frame, const decode::ControlState* control, double bandwidth) {
  const Formula& row = *formula.formula;
  std::array<int64_t, kMaxVariables> values;
  for (size_t i = 0; i < bound.args.size(); ++i) {
    const std::optional<uint64_t> value = evaluate(bound.args[i], inst, frame, control);
    values[i] = value ? static_cast<int64_t>(std::min<uint64_t>(*value, INT64_MAX)) : INT64_MAX;
  }
  const std::span<const int64_t> given(values.data(), bound.args.size());
  Cost cost;
  cost.busy = evaluated_formula(row.busy, formula.busy_args, given);
  if (bound.row->cost_class.starts_with("tile.")) cost.busy = clamp_cycles(uint64_t{cost.busy} + row.turn);
  cost.latency = cost.busy;
  if (row.latency)
    cost.latency = std::max(cost.busy, evaluated_formula(*row.latency, formula.latency_args, given));
  cost.basis = row.from.basis;
  cost.restart = row.restart;
  if (row.ops) cost.ops = evaluated_formula(*row.ops, formula.ops_args, given);
  if (!moves_gm(row.name)) return cost;
  const uint32_t moving = moving_cycles(cost.busy, row.busy, formula.busy_args, given);
  cost.busy = faster(cost.busy, moving, bandwidth);
  cost.latency = faster(cost.latency, moving, bandwidth);
  if (row.gm) {
    cost.gm_bytes = evaluated_formula(*row.gm, formula.gm_args, given);
    cost.gm_cycles = faster(moving, moving, bandwidth);
    cost.gm_write = !row.name.starts_with("gm_");
  }
  return cost;
}

/// A space as a formula's name spells it; memory the type does not name is GM (views).
Space space_of(const decode::ValueRef& ref) {
  const Space space = ref.type->space;
  return space == Space::none ? Space::gm : space;
}

const decode::ValueRef* operand(const decode::Inst& inst, int slot) {
  if (slot < 0) return nullptr;
  const auto index = static_cast<size_t>(slot);
  return inst.slot_begin[index] == inst.slot_begin[index + 1] ? nullptr
                                                              : &inst.values[inst.slot_begin[index]];
}

/// The pages count repeats of 256 bytes over the destination's valid region; empty when they have no row for
/// its type.
std::optional<Cost> documented_cost(const Binding& bound, const decode::Inst& inst,
                                    const decode::Word* frame) {
  const decode::ValueRef* ref = operand(inst, bound.src0 >= 0 ? bound.src0 : bound.dst);
  if (!ref || ref->type->kind != TypeKind::tile_buf) return std::nullopt;
  const auto elem = static_cast<size_t>(ref->type->elem);
  if (!bound.documented->known[elem]) return std::nullopt;
  const TileView tile = tile_view(*ref, frame);
  const uint64_t repeats = ceil_div(uint64_t{tile.rows} * tile.row_bytes(), 256);
  const DocumentedModel& model = bound.documented->by_elem[elem];
  return Cost{clamp_cycles(model.busy(repeats)), clamp_cycles(model.latency(repeats)), model.from.basis};
}

/// Repeats a vector function needs: over the whole tile, or per row. `lanes`: elements of one, 0 for 256
/// bytes of the wider type.
struct LoopCounts {
  bool flat = false;
  uint64_t n = 0, rows = 1;
};

LoopCounts loop_counts(const TileView& dst, const TileView& src, uint32_t flat_lanes = 0,
                       uint32_t nested_lanes = 0) {
  const uint32_t repeat = 256 / std::max(dst.elem_bytes, src.elem_bytes);
  const TileView& shape = uint64_t{src.rows} * src.cols > uint64_t{dst.rows} * dst.cols ? src : dst;
  if (dst.contiguous() && src.contiguous())
    return {true, ceil_div(uint64_t{shape.rows} * shape.cols, flat_lanes ? flat_lanes : repeat), 1};
  return {false, ceil_div(shape.cols, nested_lanes ? nested_lanes : repeat), shape.rows};
}

std::optional<Cost> curve_cost(const Binding& bound, const decode::Inst& inst, const decode::Word* frame) {
  const decode::ValueRef* to = operand(inst, bound.dst);
  const decode::ValueRef* from = operand(inst, bound.src0);
  if (!to || to->type->kind != TypeKind::tile_buf) return std::nullopt;
  if (!from || from->type->kind != TypeKind::tile_buf) from = to;
  const TileView dst = tile_view(*to, frame);
  const TileView src = tile_view(*from, frame);
  const bool high = std::ranges::any_of(bound.precision, [&](int attr) {
    return attr >= 0 && inst.attrs[static_cast<size_t>(attr)].integer != 0;
  });
  const Curve* chosen = nullptr;
  for (const Curve& curve : *bound.curves) {  // the most special one that fits
    const bool fits = (curve.src == Elem::none || curve.src == src.elem || curve.src == signless(src.elem)) &&
                      (curve.dst == Elem::none || curve.dst == dst.elem || curve.dst == signless(dst.elem)) &&
                      (!curve.high_precision || high);
    if (fits && (!chosen || (curve.high_precision && !chosen->high_precision) ||
                 (chosen->src == Elem::none && curve.src != Elem::none)))
      chosen = &curve;
  }
  if (!chosen) return std::nullopt;
  const LoopCounts counts = loop_counts(dst, src, chosen->flat_lanes, chosen->nested_lanes);
  const Expression& expression = counts.flat ? chosen->flat : chosen->nested;
  std::array<int64_t, kMaxVariables> values{};
  for (size_t i = 0; i < expression.variables().size(); ++i) {
    values[i] = static_cast<int64_t>(expression.variables()[i] == "n" ? counts.n : counts.rows);
  }
  const uint32_t cycles =
      clamp_cycles(expression.cycles({values.data(), expression.variables().size()}).value_or(kMaxCycles));
  return Cost{cycles, cycles, chosen->from.basis};
}

uint64_t mix(uint64_t key, uint64_t word) {
  key = (key ^ word) * 0x9e3779b97f4a7c15ULL;
  return key ^ key >> 29;
}

/// Sums the steps' own costs; for targets that do not describe their vector function unit.
class SerialVectorFunction final : public VectorFunctionTimer {
 public:
  explicit SerialVectorFunction(ConfigCostModel& model) : model_(&model) {}
  void begin() override { total_ = {0, 0, Basis::measured}; }
  void step(const decode::Inst& inst, const decode::Word* frame) override {
    const Cost cost = model_->cost(inst, frame, nullptr);
    last_ = {total_.busy, uint64_t{total_.busy} + cost.latency, false};
    total_.busy = clamp_cycles(last_.end);
    total_.basis = std::max(total_.basis, cost.basis);
  }
  void loop_iteration() override {}
  Cost end() override {
    total_.busy = total_.latency = std::max(total_.busy, 1u);
    return total_;
  }
  [[nodiscard]] std::span<const VectorStep> last() const override { return {&last_, 1}; }

 private:
  ConfigCostModel* model_;
  Cost total_;
  VectorStep last_;
};

/// The scoreboard over the executed instructions; registers are frame offsets.
class ScoreboardVectorFunction final : public VectorFunctionTimer {
 public:
  ScoreboardVectorFunction(ConfigCostModel& model, const VfConfig& config) : model_(&model), board_(config) {}
  void begin() override {
    board_.begin();
    work_ = 0;
  }
  void step(const decode::Inst& inst, const decode::Word* /*frame*/) override {
    last_.clear();
    const Binding& bound = model_->binding(inst.row);
    static const VfInstr kUnknown;
    if (bound.state == Binding::State::unbound)
      model_->unknown_cost();
    else if (bound.state != Binding::State::vf)
      return;
    const Elem elem = register_elem(inst);
    const VfInstr& instr = bound.vf.empty() ? kUnknown : bound.vf[0]->by_elem[static_cast<size_t>(elem)];
    const uint32_t registers = registers_of(inst);
    if (inst.schema->row->layer == isa::Layer::vmi) board_.weaken(Basis::assumed);
    if (instr.computes()) work_ += registers * register_lanes(elem);
    for (uint32_t i = 0; i < registers; ++i) {
      read_.clear();
      written_.clear();
      name_registers(inst.values, i, read_);
      const size_t vectors = name_registers(inst.results, i, written_);
      const uint64_t start = board_.step(instr, read_, written_, vectors);
      if (kept_ && start != ~uint64_t{0})
        last_.push_back({start, start + instr.latency,
                         instr.unit == VfInstr::Unit::load || instr.unit == VfInstr::Unit::store});
    }
  }
  void loop_iteration() override { board_.loop_iteration(); }
  void moved(uint32_t from, uint32_t to) override { board_.move(to, from); }
  Cost end() override {
    const uint32_t cycles = clamp_cycles(board_.end());
    Cost cost{cycles, cycles, board_.basis()};
    cost.ops = work_;
    return cost;
  }
  void keep_steps() override { kept_ = true; }
  [[nodiscard]] std::span<const VectorStep> last() const override { return last_; }

 private:
  ConfigCostModel* model_;
  VfScoreboard board_;
  std::vector<uint32_t> read_, written_;
  std::vector<VectorStep> last_;
  uint64_t work_ = 0;
  bool kept_ = false;
};

}  // namespace

bool engine_timed(std::string_view cost_class) {
  return cost_class == "scalar" || cost_class == "control" || cost_class.starts_with("sync.");
}

ConfigCostModel::ConfigCostModel(ConfigFile config, const CostOptions& options)
    : config_(std::move(config)), options_(options), bindings_(isa::rows().size()) {}

const Binding& ConfigCostModel::binding(RowId row) {
  Binding& known = bindings_[row];
  if (known.state == Binding::State::unseen) {
    known = bind(row);
    if (known.state == Binding::State::fixed) known.fixed = expression_cost(known, {}, nullptr, nullptr);
  }
  return known;
}

template <typename Compute>
Cost ConfigCostModel::remembered(uint32_t pc, uint64_t key, const Compute& compute) {
  key |= 1;  // 0 marks an empty entry
  const size_t place = pc * kMemoWays + (key >> 7) % kMemoWays;
  if (place >= memo_.size()) memo_.resize((size_t{pc} + 1) * kMemoWays);
  Memo& memo = memo_[place];
  if (memo.key != key) memo = {key, compute()};
  return memo.cost;
}

Cost ConfigCostModel::tile_cost(const Binding& bound, const decode::Inst& inst, const decode::Word* frame) {
  TileOperands op;
  const auto view = [&](int slot, TileView& out) {
    const decode::ValueRef* ref = operand(inst, slot);
    if (!ref || ref->type->kind != TypeKind::tile_buf) return false;
    out = tile_view(*ref, frame);
    return true;
  };
  if (!view(bound.dst, op.dst)) return {clamp_cycles(kMaxCycles), clamp_cycles(kMaxCycles), Basis::assumed};
  if (!view(bound.src0, op.src0)) op.src0 = op.dst;
  op.has_src1 = view(bound.src1, op.src1);
  if (!op.has_src1) view(bound.tmp, op.src1);
  op.tree = bound.tree >= 0 && inst.attrs[static_cast<size_t>(bound.tree)].integer != 0;
  op.by_mask = bound.by_mask >= 0 && inst.attr_set[static_cast<size_t>(bound.by_mask)];
  if (bound.src0 >= 0)
    op.lists = inst.slot_begin[static_cast<size_t>(bound.src0) + 1] -
               inst.slot_begin[static_cast<size_t>(bound.src0)];
  op.instr = bound.instr;

  // Shapes and addresses modulo the bank period decide everything.
  const uint64_t around = uint64_t{config_.vector->banks.group_bytes} * config_.vector->banks.groups;
  uint64_t key = uint64_t{inst.row} << 1 | op.tree;
  for (const TileView* tile : {&op.dst, &op.src0, &op.src1}) {
    key = mix(key, tile->addr % around << 8 | static_cast<uint64_t>(tile->elem));
    key = mix(key, uint64_t{tile->rows} << 32 | tile->cols);
    key = mix(key, uint64_t{tile->stored_rows} << 33 | uint64_t{tile->stored_cols} << 1 | tile->fixed);
  }
  // Two sources at one address are one place: neither can move away from the other.
  if (counts_conflicts_ && op.has_src1 && op.src0.addr != op.src1.addr)
    note_conflicts(bound, inst.pc, key, op);
  return remembered(inst.pc, key, [&] {
    VectorTimeline time(*config_.vector);
    bound.model(op, time);
    time.weaken(bound.row->from.basis);
    return Cost{clamp_cycles(time.busy()), clamp_cycles(time.latency()), time.basis()};
  });
}

/// Shifts by whole bank groups are all that matter, up to one round of them.
void ConfigCostModel::note_conflicts(const Binding& bound, uint32_t pc, uint64_t key,
                                     const TileOperands& op) {
  const auto [at, fresh] = shifts_.try_emplace(key);
  Shift& best = at->second;
  if (fresh) {
    const BankGeometry& banks = config_.vector->banks;
    const auto busy = [&](uint32_t shift) {
      TileOperands moved = op;
      moved.src1.addr += shift;
      VectorTimeline time(*config_.vector);
      bound.model(moved, time);
      return time.busy();
    };
    const uint64_t now = busy(0);
    uint64_t least = now;
    for (uint32_t group = 1; group < banks.groups; ++group) {
      const uint64_t moved = busy(group * banks.group_bytes);
      if (moved < least) {
        least = moved;
        best.bytes = group * banks.group_bytes;
      }
    }
    best.saves = now - least;
  }
  if (best.saves == 0) return;
  BankConflicts& sum = conflicts_[pc];
  sum.pc = pc;
  ++sum.times;
  sum.cycles += best.saves;
  sum.shift = best.bytes;
}

std::vector<BankConflicts> ConfigCostModel::conflicts() const {
  std::vector<BankConflicts> list;
  for (const auto& [pc, each] : conflicts_) list.push_back(each);
  return list;
}

/// A tile operation as one loop: loads and stores at the ends of a chain of computations. The loop's start is
/// run through the scoreboard, the rest follows its steady state.
Cost ConfigCostModel::vf_loop_cost(const Binding& bound, const decode::Inst& inst,
                                   const decode::Word* frame) {
  const decode::ValueRef* to = operand(inst, bound.dst);
  const decode::ValueRef* from = operand(inst, bound.src0);
  if (!to || to->type->kind != TypeKind::tile_buf)
    return {clamp_cycles(kMaxCycles), clamp_cycles(kMaxCycles), Basis::assumed};
  if (!from || from->type->kind != TypeKind::tile_buf) from = to;
  const TileView dst = tile_view(*to, frame);
  const TileView src = tile_view(*from, frame);
  const LoopCounts counts = loop_counts(dst, src);
  const uint64_t total = std::max<uint64_t>(counts.n * counts.rows, 1);
  const uint64_t key = mix(mix(inst.row, total), static_cast<uint64_t>(src.elem));
  return remembered(inst.pc, key, [&] {
    static constexpr uint64_t kShort = 24, kLong = 40;
    VfScoreboard board(*config_.vf);
    const auto run = [&](uint64_t iterations) {
      board.begin();
      for (uint64_t i = 0; i < iterations; ++i) {
        uint32_t value = 0;
        for (size_t at = 0; at < bound.vf.size(); ++at) {
          const VfInstr& instr = bound.vf[at]->by_elem[static_cast<size_t>(src.elem)];
          const uint32_t next = static_cast<uint32_t>(at + 1);
          const bool load = instr.unit == VfInstr::Unit::load;
          // Loads are independent; everything else reads what is before it.
          const uint32_t sources[2] = {value, at > 1 ? static_cast<uint32_t>(at - 1) : value};
          board.step(instr, {sources, load ? 0u : 2u}, {&next, 1}, instr.unit != VfInstr::Unit::store);
          value = next;
        }
        board.loop_iteration();
      }
      return board.end();
    };
    uint64_t cycles = run(std::min(total, kLong));
    if (total > kLong) cycles += (total - kLong) * (cycles - run(kShort)) / (kLong - kShort);
    const uint32_t clamped = clamp_cycles(cycles);
    return Cost{clamped, clamped, std::max(board.basis(), bound.row->from.basis)};
  });
}

Cost ConfigCostModel::expression_row_cost(const Binding& bound, const decode::Inst& inst,
                                          const decode::Word* frame, const decode::ControlState* control) {
  const BoundFormula* formula = bound.state == Binding::State::formula ? &bound.formula : nullptr;
  uint64_t key = inst.row;
  if (bound.state == Binding::State::path) {
    static constexpr Cost kNoPath = {static_cast<uint32_t>(kMaxCycles), static_cast<uint32_t>(kMaxCycles),
                                     Basis::assumed};
    const decode::ValueRef* from = operand(inst, bound.src0);
    const decode::ValueRef* to = operand(inst, bound.dst);
    if (!from || !to) return kNoPath;
    const auto index =
        static_cast<size_t>(space_of(*from)) * kSpaceCount + static_cast<size_t>(space_of(*to));
    formula = &bound.paths[index];
    if (!formula->formula) return kNoPath;  // no such data path: the verifier refuses it
    key = mix(key, index);
  }
  for (const OperandVar var : bound.inputs) {
    const std::optional<int64_t> value = read_variable(var, inst, frame, control);
    key = mix(key, value ? static_cast<uint64_t>(*value) : ~uint64_t{0});
  }
  return remembered(inst.pc, key, [&] {
    return formula ? formula_cost(bound, *formula, inst, frame, control, options_.bandwidth)
                   : expression_cost(bound, inst, frame, control);
  });
}

Cost ConfigCostModel::cost(const decode::Inst& inst, const decode::Word* frame,
                           const decode::ControlState* control) {
  Cost cost = cycles_of(inst, frame, control);
  if (inst.pipe == Pipe::v) cost.ops = vector_work(inst, frame, control);
  return cost;
}

Cost ConfigCostModel::cycles_of(const decode::Inst& inst, const decode::Word* frame,
                                const decode::ControlState* control) {
  const Binding& bound = binding(inst.row);
  if (bound.documented) {
    const std::optional<Cost> cost = documented_cost(bound, inst, frame);
    if (cost) return *cost;
  }
  switch (bound.state) {
    case Binding::State::fixed:
      return bound.fixed;
    case Binding::State::expression:
    case Binding::State::formula:
    case Binding::State::path:
      return expression_row_cost(bound, inst, frame, control);
    case Binding::State::tile:
      return tile_cost(bound, inst, frame);
    case Binding::State::curve: {
      const std::optional<Cost> cost = curve_cost(bound, inst, frame);
      return cost.value_or(Cost{clamp_cycles(kMaxCycles), clamp_cycles(kMaxCycles), Basis::assumed});
    }
    case Binding::State::vf_loop:
      return vf_loop_cost(bound, inst, frame);
    case Binding::State::vf: {  // outside a vector function: what the instruction takes by itself
      const VfInstr& instr = bound.vf[0]->by_elem[static_cast<size_t>(register_elem(inst))];
      const uint32_t busy = instr.interval * registers_of(inst);
      const bool logical = inst.schema->row->layer == isa::Layer::vmi;
      return {busy, std::max(busy, busy - instr.interval + instr.latency),
              logical ? Basis::assumed : instr.from.basis};
    }
    default:
      break;
  }
  return unknown_cost();
}

std::unique_ptr<VectorFunctionTimer> ConfigCostModel::vector_function() {
  if (config_.vf) return std::make_unique<ScoreboardVectorFunction>(*this, *config_.vf);
  return std::make_unique<SerialVectorFunction>(*this);
}

}  // namespace pto::timing
