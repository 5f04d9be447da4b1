// Merges inputs that occur only in one linear combination: one of them takes every value of the
// sum, the others are fixed to 0. Runs with other values of the others cover no new behaviour.
#include <algorithm>
#include <map>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "ir/op_queries.hpp"
#include "isa/row.hpp"
#include "prove/abstract/control_slice.hpp"
#include "support/saturating.hpp"

namespace pto::driver {
namespace {

using isa::OpcodeClass;

/// How often each parameter is part of a number, as far as sums and constant factors go.
using Sum = std::map<uint32_t, int64_t>;

void add(Sum& sum, const Sum& other, int64_t times) {
  for (const auto& [parameter, count] : other) {
    int64_t& now = sum[parameter];
    now = sat_add(now, sat_mul(count, times));
    if (now == 0) sum.erase(parameter);
  }
}

}  // namespace

void InputSlice::merge_linear_inputs() {
  std::map<ValueId, Sum> sums;
  const auto is_sum = [&](const OpView& op) {
    switch (isa::opcode_class(op)) {
      case OpcodeClass::add:
      case OpcodeClass::sub:
        return true;
      case OpcodeClass::mul:
        return constant(op.operand(0)).has_value() || constant(op.operand(1)).has_value();
      default:
        return keeps_numbers(op);
    }
  };
  const auto origin_of = [&](ValueId value) -> const Def* {
    const auto found = defs_.find(value);
    return found == defs_.end() ? nullptr : &found->second;
  };
  // Operands come before what is made of them: those of a value are worked out first.
  const auto sum_of = [&](ValueId of) {
    std::vector<ValueId> left{of};
    while (!left.empty()) {
      const ValueId value = left.back();
      const Def* origin = origin_of(value);
      if (sums.contains(value)) {
        left.pop_back();
        continue;
      }
      const bool built = origin != nullptr && origin->kind == Def::Kind::op;
      if (!built || !is_sum(OpView(program_, origin->at))) {
        Sum& sum = sums[value];
        if (origin != nullptr && origin->kind == Def::Kind::parameter) sum[origin->at] = 1;
        left.pop_back();
        continue;
      }
      const OpView op(program_, origin->at);
      const ValueId a = op.operand(0);
      const ValueId b = keeps_numbers(op) ? kNoValue : op.operand(1);
      const size_t before = left.size();
      for (const ValueId each : {a, b}) {
        if (each != kNoValue && !sums.contains(each)) left.push_back(each);
      }
      if (left.size() != before) continue;
      Sum sum;
      if (isa::opcode_class(op) == OpcodeClass::mul) {
        const Number left_factor = constant(a);
        add(sum, sums[left_factor ? b : a], left_factor ? *left_factor : *constant(b));
      } else {
        add(sum, sums[a], 1);
        if (b != kNoValue) add(sum, sums[b], isa::opcode_class(op) == OpcodeClass::sub ? -1 : 1);
      }
      sums[value] = std::move(sum);
      left.pop_back();
    }
    return sums[of];
  };
  // What is asked: all that is wanted, and what is made of it in another way than as a sum.
  std::set<ValueId> asked = roots_;
  std::set<uint32_t> apart;  // parameters that say where a number that decides is loaded from
  const auto ask = [&](std::span<const ValueId> values) { asked.insert(values.begin(), values.end()); };
  for (const auto& [value, numbers] : required_) {
    const Def* origin = origin_of(value);
    if (origin == nullptr) continue;
    ask(origin->incoming);
    if (origin->kind != Def::Kind::op && origin->kind != Def::Kind::counter) continue;
    const OpView op(program_, origin->at);
    if (origin->kind == Def::Kind::op && is_sum(op)) continue;
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) ask(op.operands(slot));
  }
  for (const auto& [load, numbers] : loads_) {
    const OpView op(program_, load);
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) {
        for_each_source(value, [&](ValueId, const Def* origin) {
          if (origin != nullptr && origin->kind == Def::Kind::parameter) apart.insert(origin->at);
          return true;
        });
      }
    }
  }
  std::map<uint32_t, std::vector<int64_t>> counts;
  // The widest one can be what their sum is, unless that needs more bits.
  constexpr uint32_t kWideEnough = 32;
  const Region& body = body_of(program_, functions_[functions_used_.front()].info.op);
  const auto width = [&](uint32_t parameter) {
    return number_bits(program_.type_of(body.first_arg + parameter));
  };
  for (const auto& [parameter, numbers] : parameters_) {
    if (!apart.contains(parameter) && width(parameter) >= kWideEnough) counts[parameter];
  }
  for (const ValueId value : asked) {
    if (value == kNoValue) continue;
    const Sum sum = sum_of(value);
    for (auto& [parameter, count] : counts) {
      const auto found = sum.find(parameter);
      count.push_back(found == sum.end() ? 0 : found->second);
    }
  }
  std::map<std::vector<int64_t>, uint32_t> stand;
  for (const auto& [parameter, count] : counts) {
    if (std::ranges::count(count, 0) == std::ssize(count)) continue;
    const auto [at, fresh] = stand.try_emplace(count, parameter);
    if (fresh) continue;
    uint32_t spare = parameter;
    if (width(parameter) > width(at->second)) std::swap(at->second, spare);
    merged_inputs_.insert(spare);
    parameters_[at->second].merge(parameters_[spare]);
    parameters_[spare] = {0};
  }
}

}  // namespace pto::driver
