// What each lattice claims of an integer, against the integer itself: random expressions in all widths, in
// loops that carry values, random inputs, and two's complement by its definition. A lattice may know nothing;
// what it claims has to hold. A new lattice is one entry of `lattices`.
#include <functional>
#include <memory>

#include "analysis/affine_interval.hpp"
#include "analysis/data_dependence.hpp"
#include "analysis/gm_windows.hpp"
#include "analysis/integer_facts.hpp"
#include "analysis/multi_buffer_slots.hpp"
#include "plan/planner_fixture.hpp"
#include "test/analysis/arithmetic_fixture.hpp"
#include "testing/catch_main.hpp"

using namespace pto;
using namespace pto::test;

namespace {

/// A window and a slot of each number.
std::string window_and_slots(const Node& node, const std::string& index) {
  return fmt::format(
      "  {0}w = pto.partition_view %all, offsets = [%c0, {1}], sizes = [%c1, %c1] : "
      "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x1xf32>\n"
      "  {0}s2 = pto.multi_tile_get %m2[{1}] : !pto.multi_tile_buf<vec, 1x64xf32, count=2> -> "
      "!pto.tile_buf<vec, 1x64xf32>\n"
      "  {0}s3 = pto.multi_tile_get %m3[{1}] : !pto.multi_tile_buf<vec, 1x64xf32, count=3> -> "
      "!pto.tile_buf<vec, 1x64xf32>\n",
      node.name, index);
}

struct Made {
  Made(const Expressions& from, const std::string& text)
      : expressions(from), program(parse_ok(text)), constants(program), names(names_of(program)) {}
  const Expressions& expressions;
  Program program;
  Constants constants;
  std::map<std::string, ValueId> names;
};

/// A value of the program in one run.
struct Sample {
  const Node& node;
  ValueId value;
  int64_t number;
  const IterationVector& iterations;  ///< of all loops
};
/// Whether a claim holds, and whether it says anything.
struct Verdict {
  bool holds = true, knows = false;
};
using Claim = std::function<Verdict(const Sample&)>;

Verdict judge(const Interval& claimed, int64_t number) {
  return {claimed.low <= number && number <= claimed.high,
          claimed.low > INT64_MIN || claimed.high < INT64_MAX};
}
Verdict judge(const Congruence& claimed, int64_t number) {
  const Wide apart = Wide{number} - claimed.at;
  return {claimed.is_constant() ? apart == 0 : apart % static_cast<Wide>(claimed.step) == 0,
          !claimed.is_unknown()};
}
Verdict judge(const IntegerFact& claimed, int64_t number) {
  const Verdict interval = judge(claimed.interval, number), congruence = judge(claimed.congruence, number);
  return {interval.holds && congruence.holds, interval.knows || congruence.knows};
}
Verdict judge(const Number& claimed, int64_t number) {
  return {!claimed || *claimed == number, claimed.has_value()};
}

Claim facts_of(const Made& made, IntegerAssumptions assumptions, bool in_fixed_iterations) {
  const auto facts = std::make_shared<IntegerFacts>(made.program, made.constants, assumptions);
  return [=](const Sample& sample) {
    const IterationVector none;
    return judge(facts->fact(sample.value, in_fixed_iterations ? sample.iterations : none), sample.number);
  };
}

/// Affine intervals of all values, in the order of the text; of counters by their bounds.
std::map<ValueId, driver::AffineInterval> affine_intervals(const Made& made) {
  std::map<ValueId, driver::AffineInterval> found;
  for (const Node& node : made.expressions.nodes()) {
    if (node.kind == Node::Kind::counter)
      found[made.names.at(node.name)] =
          driver::AffineInterval::between(node.number, node.number + node.step * (node.turns - 1));
  }
  for (uint32_t i = 0; i < made.program.ops.size(); ++i) {
    const OpView op(made.program, i);
    if (!gives_number(op)) continue;
    std::array<driver::AffineInterval, 3> operands;
    for (unsigned k = 0; k < 3; ++k)
      if (op.operand(k) != kNoValue) operands[k] = found[op.operand(k)];
    found[op.result(0)] = driver::evaluate(op, operands);
  }
  return found;
}

Claim affine_intervals_claim(const Made& made) {
  return [found = affine_intervals(made)](const Sample& sample) {
    const auto at = found.find(sample.value);
    if (at == found.end() || !at->second.is_concrete()) return Verdict{};
    return judge(Interval{at->second.low, at->second.high}, sample.number);
  };
}

/// Where a window of elements of four bytes begins.
Claim windows_claim(const Made& made) {
  const auto windows = std::make_shared<planner::GmWindowAnalysis>(made.program, made.constants);
  return [=, &made](const Sample& sample) {
    const auto window = windows->window_of(made.names.at(sample.node.name + "w"));
    if (!window) return Verdict{};
    const auto element = static_cast<uint64_t>(Expressions::as_index(sample.node, sample.number));
    const auto begin = static_cast<int64_t>(4 * element);  // wraps as addresses do
    return Verdict{judge(window->begin, begin).holds, window->begin.step != 4};
  };
}

/// Which of two or three slots; another index is an error of the program.
Claim slots_claim(const Made& made) {
  const auto slots = std::make_shared<planner::Slots>(made.program, made.constants);
  return [=, &made](const Sample& sample) {
    const int64_t index = Expressions::as_index(sample.node, sample.number);
    Verdict verdict;
    for (const int64_t count : {2, 3}) {
      const ValueId slot = made.names.at(fmt::format("{}s{}", sample.node.name, count));
      const auto claimed = slots->slots_of(OpView(made.program, made.constants.defining_op(slot)));
      if (!claimed || index < 0 || index >= count) continue;
      verdict = {verdict.holds && *claimed == index, true};
    }
    return verdict;
  };
}

/// The only function of a program.
uint32_t function_of(const Program& program) { return functions(program).front().op; }

struct LatticeUnderTest {
  std::string_view name;
  bool wraps_64;       ///< whether it holds where integers of 64 bits wrap
  size_t least_known;  ///< claims that are more than "any integer"
  std::function<Claim(const Made&)> make;
};

constexpr IntegerAssumptions kWraps{.overflow = Overflow64::wraps};
const LatticeUnderTest lattices[] = {
    {"constants", true, 10000,
     [](const Made& made) -> Claim {
       return [&](const Sample& at) { return judge(made.constants.value_of(at.value), at.number); };
     }},
    {"integers", false, 100000, [](const Made& made) { return facts_of(made, {}, false); }},
    {"integers, iterations", false, 100000, [](const Made& made) { return facts_of(made, {}, true); }},
    {"integers that wrap", true, 100000, [](const Made& made) { return facts_of(made, kWraps, false); }},
    {"integers that wrap, iterations", true, 100000,
     [](const Made& made) { return facts_of(made, kWraps, true); }},
    {"affine intervals", false, 10000, affine_intervals_claim},
    {"windows", false, 10000, windows_claim},
    {"slots", false, 100, slots_claim},
};

/// The values of all counters, outermost first.
IterationVector iterations_of(const Made& made, const Evaluated& all) {
  IterationVector found;
  for (size_t i = 0; i < all.numbers.size(); ++i) {
    const Node& node = made.expressions.nodes()[i];
    if (node.kind == Node::Kind::counter) found.push_back({made.names.at(node.name), all.numbers[i]});
  }
  return found;
}

}  // namespace

TEST_CASE("what lattices claim of integers in every width holds for the integers", "[arithmetic]") {
  std::array<size_t, std::size(lattices)> known{};
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Expressions from(seed);
    const std::string text = from.text(window_and_slots);
    INFO("seed " << seed << "\n" << text);
    const Made made(from, text);
    std::vector<Claim> claims;
    for (const LatticeUnderTest& lattice : lattices) claims.push_back(lattice.make(made));
    for (int sample = 0; sample < 12; ++sample) {
      const Inputs inputs = from.draw();
      for (const bool wraps : {false, true}) {
        const std::optional<Evaluated> all = from.evaluate(inputs, wraps);
        if (!all) continue;
        const IterationVector iterations = iterations_of(made, *all);
        for (size_t i = 0; i < all->numbers.size(); ++i) {
          const Node& node = from.nodes()[i];
          const Sample at{node, made.names.at(node.name), all->numbers[i], iterations};
          for (size_t k = 0; k < claims.size(); ++k) {
            if (lattices[k].wraps_64 != wraps) continue;
            const Verdict verdict = claims[k](at);
            INFO(lattices[k].name << ": " << node.name << " is " << at.number);
            if (!verdict.holds) FAIL();
            known[k] += verdict.knows ? 1 : 0;
          }
        }
      }
    }
  }
  for (size_t k = 0; k < known.size(); ++k) {
    INFO(lattices[k].name << " claims " << known[k]);
    CHECK(known[k] > lattices[k].least_known);
  }
}

TEST_CASE("values that do not depend on an argument are the same whatever it is", "[arithmetic]") {
  size_t independent = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    Expressions from(seed);
    const std::string text = from.text([](const Node&, const std::string&) { return std::string(); });
    INFO("seed " << seed << "\n" << text);
    const Made made(from, text);
    std::vector<uint8_t> sources(made.program.values.size(), 0);
    sources[made.names.at("%n2")] = 1;
    const std::vector<uint8_t> depends = dependent_values(made.program, function_of(made.program), sources);
    for (int sample = 0; sample < 4; ++sample) {
      Inputs inputs = from.draw();
      const std::optional<Evaluated> first = from.evaluate(inputs, true);
      inputs.arguments[2] = (inputs.arguments[2] ^ 5) / 3;
      const std::optional<Evaluated> second = from.evaluate(inputs, true);
      if (!first || !second) continue;
      for (size_t i = 0; i < first->numbers.size(); ++i) {
        const std::string& name = from.nodes()[i].name;
        if (depends[made.names.at(name)] != 0) continue;
        ++independent;
        INFO(name);
        if (first->numbers[i] != second->numbers[i]) FAIL();
      }
    }
  }
  CHECK(independent > 10000);
}
