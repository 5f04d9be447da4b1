#include "analysis/integer_facts.hpp"

#include "analysis/dataflow.hpp"
#include "ir/op_queries.hpp"
#include "isa/row.hpp"

namespace pto {
namespace {

using isa::OpcodeClass;

constexpr int64_t kMaxBlocks = 65535;   ///< that a launch may have
constexpr int64_t kMaxVectorCores = 2;  ///< of a block

/// Indices of blocks and vector cores, and how many blocks there are.
std::optional<Interval> launch_interval(const OpView& op) {
  if (isa::opcode_class(op) == OpcodeClass::vector_core_number) return Interval{0, kMaxVectorCores - 1};
  const isa::Schema& schema = isa::schema(op.op().row);
  if (!schema.operands.empty() || schema.results.size() != 1) return std::nullopt;
  if (schema.results[0].name == "block") return Interval{0, kMaxBlocks - 1};
  if (schema.results[0].name == "blocks") return Interval{1, kMaxBlocks};
  return std::nullopt;
}

IntegerFact address_behind(const OpView& op, const IntegerFact& base, const IntegerFact& elements) {
  const Type& type = op.result_type(0);
  if (bit_width(type.elem) % 8 != 0) return IntegerFact::top(type);
  const int64_t bytes = byte_width(type.elem) * std::max<int64_t>(1, type.vec_lanes);
  const IntegerFact distance = IntegerFact::reduced({}, product(elements.congruence, {bytes, 0}));
  return IntegerFact::reduced({}, sum(base.congruence, distance.congruence));
}

}  // namespace

struct IntegerLattice {
  using Fact = IntegerFact;
  static constexpr unsigned kMaxRounds = 8;  ///< the slots of a buffer are counted in fewer

  const Program& program;
  const Constants& constants;
  IntegerAssumptions assumptions;

  [[nodiscard]] Number constant(ValueId value) const { return constants.value_of(value); }
  [[nodiscard]] static Fact of_constant(int64_t number) { return Fact::constant(number); }
  [[nodiscard]] Fact entry(ValueId value) const;
  [[nodiscard]] static bool follows(const OpView& op);
  static void add_inputs(ValueId, const ValueOrigin&, std::vector<ValueId>&) {}
  [[nodiscard]] Fact transfer(const OpView& op, ValueId value, std::span<const Fact> operands) const;
  [[nodiscard]] static Fact counter(const OpView&, std::span<const Fact> bounds) {
    return counter_fact(bounds[0], bounds[1], bounds[2]);
  }
  [[nodiscard]] static Fact join(const Fact& a, const Fact& b) { return pto::join(a, b); }
  [[nodiscard]] Fact widen(ValueId value, const Fact& before, const Fact& after) const {
    return pto::widen(before, after, program.type_of(value));
  }
};

IntegerFact IntegerLattice::entry(ValueId value) const {
  if (value == kNoValue) return {};
  const Type& type = program.type_of(value);
  const bool is_address = type.kind == TypeKind::ptr || type.kind == TypeKind::memref;
  return is_address ? IntegerFact::reduced({}, {0, assumptions.alignment}) : IntegerFact::top(type);
}

bool IntegerLattice::follows(const OpView& op) {
  const OpcodeClass opcode_class = isa::opcode_class(op);
  return gives_number(op) || opcode_class == OpcodeClass::add_ptr || opcode_class == OpcodeClass::cast_ptr;
}

IntegerFact IntegerLattice::transfer(const OpView& op, ValueId value, std::span<const Fact> operands) const {
  const Type& type = program.type_of(value);
  switch (isa::opcode_class(op)) {
    case OpcodeClass::add_ptr:
      return address_behind(op, operands[0], operands[1]);
    case OpcodeClass::cast_ptr:
      return operands[0];
    default:
      break;
  }
  if (gives_number(op) && isa::opcode_class(op) != OpcodeClass::constant)
    return pto::transfer(arithmetic_of(op), operands, assumptions.overflow);
  if (const std::optional<Interval> interval = launch_interval(op))
    return IntegerFact::reduced(*interval, {});
  return type.kind == TypeKind::memref ? entry(value) : IntegerFact::top(type);
}

class IntegerFacts::Solver : public SparseSolver<IntegerLattice> {
 public:
  using SparseSolver::SparseSolver;
};

IntegerFacts::IntegerFacts(const Program& program, const Constants& constants, IntegerAssumptions assumptions)
    : program_(program), constants_(constants), assumptions_(assumptions) {}
IntegerFacts::IntegerFacts(IntegerFacts&&) noexcept = default;
IntegerFacts::~IntegerFacts() = default;

IntegerFact IntegerFacts::fact(ValueId value, const IterationVector& iterations) const {
  if (value == kNoValue) return {};
  if (const Number number = constants_.value_of(value)) return IntegerFact::constant(*number);
  if (!solver_)
    solver_ = std::make_unique<Solver>(program_, IntegerLattice{program_, constants_, assumptions_});
  return solver_->fact(value, iterations);
}

bool IntegerFacts::is_exact(const OpView& op) const {
  if (!gives_number(op)) return false;
  std::vector<IntegerFact> operands;
  for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot)
    operands.push_back(fact(op.operand(slot)));
  return pto::is_exact(arithmetic_of(op), operands);
}

}  // namespace pto
