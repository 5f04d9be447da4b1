#include "prove/abstract/havoc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "analysis/symbolic_access.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "ir/rewriter.hpp"
#include "ir/symbol_table.hpp"
#include "isa/row.hpp"

namespace pto::driver {
namespace {

using isa::OpcodeClass;

/// No text can name a value so.
constexpr std::string_view kName = "any value";
/// In the index of a load from it, below the number of the formula.
constexpr int64_t kOfBlock = 1, kOfSubblock = 2, kFormulas = 4;

Type integers(TypeKind kind) {
  Type type = scalar_type(Elem::i32);
  type.kind = kind;
  if (kind == TypeKind::ptr) type.space = Space::gm;
  return type;
}

class HavocTransform {
 public:
  HavocTransform(const Program& program, HavocLevel freedom, InputSlice& slice,
                 const SymbolicAccesses& places)
      : level_(freedom),
        slice_(slice),
        places_(places),
        changed_(places.written_arguments()),
        constants_(program),
        original_(program),
        tree_(program),
        program_(program) {}

  std::optional<Program> run(std::span<const uint32_t> functions) {
    for (const uint32_t function : functions) {
      const Region& body = body_of(original_, function);
      if (body.begin == body.end) continue;
      find_in(body);
      starts_.insert(body.begin);
      add_parameter(function);
    }
    for (uint32_t index = 0; index < original_.ops.size(); ++index) {
      if (gives_extents(OpView(original_, index))) extents_.clear();
    }
    if (branches_.empty() && loops_.empty() && extents_.empty()) return std::nullopt;
    Rewriter rewriter(program_);
    rewriter_ = &rewriter;
    for (OpId op = 0; op < original_.ops.size(); ++op) free_operands(op);
    rewriter.finish();
    return std::move(program_);
  }

 private:
  void free_operands(OpId index) {
    rewriter_->set_before(index);
    if (const auto found = buffers_.find(index); found != buffers_.end()) buffer_ = found->second;
    if (starts_.contains(index)) none_ = constant(integers(TypeKind::scalar));
    if (bodies_.contains(index)) load(0);
    if (branches_.contains(index)) {
      const ValueId number = load(formula("if", index, 0, 1));
      replace_condition(index, 0, rewriter_->compare(isa::CmpPredicate::sgt, number, none_));
    }
    if (extents_.contains(index)) fill_extents(index);
    if (loops_.contains(index)) {
      const TypeId counter = program_.values[operand(index, 0)].type;
      ValueId number = load(formula("for", index, 0, 3));
      if (program_.types[counter].elem != Elem::i32)
        number = rewriter_->create_value(OpcodeClass::cast, {&number, 1}, counter);
      const ValueId length = rewriter_->binary(OpcodeClass::mul, counter, number, operand(index, 2));
      const ValueId upper = rewriter_->binary(OpcodeClass::add, counter, operand(index, 0), length);
      replace_condition(index, 1, upper);
    }
  }

  // ---- what is let go

  void find_in(const Region& region) {
    for (const uint32_t index : ops_in(original_, region)) {
      const OpView op(original_, index);
      if (opens_vector_scope(op) || isa::opcode_class(op) == OpcodeClass::launch_threads) continue;
      if (isa::opcode_class(op) == OpcodeClass::set_extents && has_input_dependent_extents(op))
        extents_.insert(index);
      if (level_ == HavocLevel::control_flow && is_control_relevant(op)) {
        if (isa::opcode_class(op) == OpcodeClass::branch && slice_.affects_synchronisation(op))
          branches_.insert(index);
        if (isa::opcode_class(op) == OpcodeClass::loop && is_havocked(op)) {
          loops_.insert(index);
          bodies_.insert(original_.regions_of(op.op())[0].begin);
        }
      }
      for (const Region& inner : original_.regions_of(op.op())) find_in(inner);
    }
  }

  /// What a value is made of, where all that is loaded for it is given.
  [[nodiscard]] std::optional<InputSlice::SymbolicAddress> formula_of(ValueId value) const {
    std::optional<InputSlice::SymbolicAddress> formula = slice_.formula_of(value);
    const bool given =
        formula && std::ranges::all_of(formula->loads, [&](uint32_t load) { return is_given(load); });
    return given ? formula : std::nullopt;
  }

  /// Whether what an operation loads is there before the kernel begins, and stays.
  [[nodiscard]] bool is_given(uint32_t load) const {
    constexpr uint32_t kAny = SymbolicRegion::kNoArgument;
    const auto found = places_.accesses().find(load);
    if (places_.overrun() || changed_.contains(kAny) || found == places_.accesses().end()) return false;
    return slice_.word_waits().empty() &&  // no other one writes
           std::ranges::none_of(found->second, [&](const SymbolicAccess& access) {
             return access.region.argument == kAny || changed_.contains(access.region.argument);
           });
  }

  /// A condition that always comes out the same on a core.
  [[nodiscard]] bool is_constant(ValueId condition) const {
    if (constants_.value_of(condition)) return true;
    const auto formula = formula_of(condition);
    return formula && formula->is_constant();
  }

  /// Where it goes is not the same whenever it runs, or the same in it.
  [[nodiscard]] bool is_control_relevant(const OpView& op) const {
    switch (isa::opcode_class(op)) {
      case OpcodeClass::branch:
        return !is_constant(op.operand(0));
      case OpcodeClass::loop:
        if (!length(op)) return true;
        break;
      case OpcodeClass::while_loop:
        return true;
      default:
        break;
    }
    for (const uint32_t inner : descendants(original_, op.index())) {
      const OpView in(original_, inner);
      if (isa::opcode_class(in) == OpcodeClass::branch && !is_constant(in.operand(0))) return true;
      if (isa::opcode_class(in) == OpcodeClass::loop && !length(in)) return true;
      if (isa::opcode_class(in) == OpcodeClass::while_loop) return true;
    }
    return false;
  }

  [[nodiscard]] std::optional<int64_t> length(const OpView& loop) const {
    const Number lower = constants_.value_of(loop.operand(0));
    const Number upper = constants_.value_of(loop.operand(1));
    const Number step = constants_.value_of(loop.operand(2));
    if (!lower || !upper || !step || *step <= 0) return std::nullopt;
    return trip_count(*lower, *upper, *step);
  }

  [[nodiscard]] bool is_havocked(const OpView& loop) const {
    const Region& body = original_.regions_of(loop.op())[0];
    const Elem counter = original_.type_of(loop.operand(0)).elem;
    if (body.begin == body.end || (counter != Elem::index && counter != Elem::i32)) return false;
    const std::optional<int64_t> most = length(loop);
    return !most || *most > InputSlice::kMinTrips;
  }

  /// Asks what is valid of a tile: then it is not all of it.
  static bool gives_extents(const OpView& op) {
    if ((isa::row(op.op().row).flags & isa::kPure) == 0 || op.op().n_results == 0) return false;
    const bool of_tile = op.op().n_operand_words != 0 && op.operand(0) != kNoValue && op.type(0).is_tile();
    return of_tile && op.result_type(0).kind == TypeKind::scalar;
  }

  [[nodiscard]] bool has_input_dependent_extents(const OpView& op) const {
    for (unsigned slot = 1; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      if (full_extent(op, slot) && !constants_.value_of(op.operand(slot))) return true;
    }
    return false;
  }

  /// Of a tile of known size.
  [[nodiscard]] static std::optional<int64_t> full_extent(const OpView& op, unsigned slot) {
    const Type& tile = op.type(0);
    const unsigned dim = slot - 1;
    if (!tile.is_tile() || dim >= tile.rank || tile.dims[dim] <= 0) return std::nullopt;
    return tile.dims[dim];
  }

  // ---- what is put in

  void fill_extents(OpId index) {
    const OpView before(original_, index);
    for (unsigned slot = 1; slot < isa::schema(before.op().row).operands.size(); ++slot) {
      const std::optional<int64_t> full = full_extent(before, slot);
      if (full && !constants_.value_of(before.operand(slot)))
        replace_condition(index, slot, constant(program_.type_of(operand(index, slot)), *full));
    }
  }

  /// The parameters of a function are values that follow one another.
  void add_parameter(uint32_t function) {
    Region& body = program_.regions[program_.ops[function].regions];
    const uint32_t first = body.first_arg, count = body.n_args;
    body.first_arg = static_cast<uint32_t>(program_.values.size());
    body.n_args = count + 1;
    buffers_[function] = body.first_arg;
    program_.values.push_back(
        {program_.types.intern(integers(TypeKind::ptr)), program_.strings.intern(kName)});
    for (uint32_t i = 0; i < count; ++i) program_.values.push_back(Value(program_.values[first + i]));
    const uint32_t moved = body.first_arg + 1 - first;
    for (const uint32_t inner : pto::descendants(original_, function)) {
      const OpView op(original_, inner);
      for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
        for (const ValueId& value : op.operands(slot)) {
          if (value >= first && value < first + count)
            program_.operands[static_cast<size_t>(&value - original_.operands.data())] = value + moved;
        }
      }
    }
  }

  ValueId constant(const Type& type, int64_t number = 0) {
    return rewriter_->constant(program_.types.intern(type), number);
  }
  ValueId load(int64_t index) {
    const ValueId operands[] = {buffer_, constant(scalar_type(Elem::index), index)};
    const TypeId type = program_.types.intern(integers(TypeKind::scalar));
    return rewriter_->create_value(OpcodeClass::load, operands, type);
  }

  /// The index of what represents these operands: the same one for the same formula, 0 where there is none.
  /// Counters go by how deep their loops are, as runs tell numbers apart by those of all loops around.
  int64_t formula(std::string text, uint32_t index, unsigned first, unsigned count) {
    int64_t of = 0;
    for (unsigned slot = first; slot < first + count; ++slot) {
      const auto each = formula_of(OpView(original_, index).operand(slot));
      if (!each) return 0;
      text += fmt::format(";{}", with_depths(each->formula));
      of |= (each->block ? kOfBlock : 0) | (each->subblock ? kOfSubblock : 0);
    }
    const auto next = static_cast<int64_t>(formulas_.size() + 1);
    return formulas_.try_emplace(std::move(text), next).first->second * kFormulas | of;
  }

  [[nodiscard]] std::string with_depths(const std::string& formula) const {
    std::string built;
    for (size_t at = 0;;) {
      const size_t counter = formula.find(InputSlice::kCounterMark, at);
      built += formula.substr(at, counter - at);
      if (counter == std::string::npos) return built;
      at = formula.find(';', counter);
      auto loop = static_cast<uint32_t>(std::stoul(formula.substr(counter + 1, at - counter - 1)));
      int depth = 0;
      for (; loop != kNoOp; loop = tree_.parent(loop)) {
        const OpcodeClass opcode_class = isa::row(original_.ops[loop].row).opcode_class;
        depth += isa::is_loop(opcode_class) ? 1 : 0;
      }
      built += fmt::format("{}{}", InputSlice::kCounterMark, depth);
    }
  }

  [[nodiscard]] ValueId operand(OpId op, unsigned slot) const {
    return program_.operands[program_.ops[op].operands + slot];
  }
  void replace_condition(OpId op, unsigned slot, ValueId value) {
    program_.operands[program_.ops[op].operands + slot] = value;
  }

  const HavocLevel level_;
  InputSlice& slice_;
  const SymbolicAccesses& places_;
  const std::set<uint32_t> changed_;  ///< arguments
  const Constants constants_;
  const Program& original_;
  const RegionTree tree_;
  std::map<std::string, int64_t> formulas_;
  Program program_;
  std::set<uint32_t> starts_, branches_, loops_, extents_,
      bodies_;                           ///< bodies_: the first operations of loops
  std::map<uint32_t, ValueId> buffers_;  ///< of each function
  Rewriter* rewriter_ = nullptr;
  ValueId buffer_ = kNoValue, none_ = kNoValue;
};

}  // namespace

std::optional<Program> havoc(const Program& program, const Functions& functions,
                             const LaunchedFunctions& launch, InputSlice& slice, HavocLevel freedom) {
  std::vector<uint32_t> ops;
  for (const uint32_t each : launch.functions) {
    if (slice.is_called(each)) return std::nullopt;
    ops.push_back(functions[each].info.op);
  }
  const SymbolicAccesses places(program, functions, launch, {});
  return HavocTransform(program, freedom, slice, places).run(ops);
}

std::optional<NondetValue> nondet_value(const OpView& op) {
  if (isa::opcode_class(op) != OpcodeClass::load || op.program().name_of(op.operand(0)) != kName)
    return std::nullopt;
  const OpView index(op.program(), op.index() - 1);  // put there with it
  const int64_t number = index.attr_int("value");
  return NondetValue{static_cast<uint32_t>(number / kFormulas), (number & kOfBlock) != 0,
                     (number & kOfSubblock) != 0};
}

}  // namespace pto::driver
