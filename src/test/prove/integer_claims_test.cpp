// What the prover claims of integers, against the integers themselves, as
// test/analysis/arithmetic_claims_test.cpp does of the lattices: bounds of loops, addresses on the chip and
// in GM, and what decides.
#include <set>

#include "isa/row.hpp"
#include "test/prove/claims_fixture.hpp"
#include "testing/catch_main.hpp"

namespace pto {

using namespace pto::test;
using driver::InputSlice;
using driver::Polynomial;
using driver::Symbol;
using driver::SymbolicAccesses;

namespace {

/// Loops between two numbers, for each and the one before: in their type where they have one.
class RandomLoops {
 public:
  std::string operator()(const Node& node, const std::string& index) {
    const Node before = std::exchange(before_, node);
    const std::string from = std::exchange(index_, index);
    if (from.empty()) return {};
    if (before.type != node.type || node.type == "i1" || node.type == "index")
      return fmt::format("  scf.for {0}l = {1} to {2} step %c1 {{\n  }}\n", node.name, from, index);
    return fmt::format(
        "  {0}o = arith.constant 1 : {2}\n  scf.for {0}l = {1} to {0} step {0}o : {2} {{\n  }}\n", node.name,
        before.name, node.type);
  }

 private:
  Node before_;
  std::string index_;
};

std::string nothing(const Node&, const std::string&) { return {}; }

/// The unknowns of a place, for these inputs.
class Evaluation {
 public:
  Evaluation(const Made& made, const Expressions& from, SymbolicAccesses& places, const Inputs& inputs,
             const Evaluated& all)
      : places_(places), inputs_(inputs) {
    size_t counter = 0;
    for (size_t i = 0; i < from.nodes().size(); ++i) {
      const Node& node = from.nodes()[i];
      const ValueId value = made.names.at(node.name);
      numbers_[value] = all.numbers[i];
      if (node.type != "index")
        numbers_[made.names.at(Expressions::index_of(node))] = Expressions::as_index(node, all.numbers[i]);
      if (node.kind == Node::Kind::counter) turns_.push_back(inputs.turns[counter++]);
    }
    size_t loop = 0;
    for (uint32_t op = 0; op < made.program.ops.size(); ++op) {
      if (isa::opcode_class(OpView(made.program, op)) == isa::OpcodeClass::loop && loop < turns_.size())
        trips_[op] = turns_[loop++];
    }
  }
  /// Nothing where an unknown represents what the test does not number.
  std::optional<Wide> of(const Polynomial& poly) {
    Wide sum = 0;
    for (const auto& [product, factor] : poly.terms()) {
      Wide term = factor;
      for (const uint32_t unknown : product) {
        const std::optional<Wide> number = value(unknown);
        if (!number) return std::nullopt;
        term *= *number;
      }
      sum += term;
    }
    return sum;
  }

 private:
  using Kind = Symbol::Kind;
  std::optional<Wide> value(uint32_t at) {
    const Symbol unknown = places_.symbols()[at];
    const auto part = [&](size_t i) { return of(unknown.operands[i]); };
    switch (unknown.kind) {
      case Kind::parameter:
        return unknown.at == 0 ? std::nullopt : std::optional<Wide>(inputs_.arguments[unknown.at - 1]);
      case Kind::block:
        return inputs_.block;
      case Kind::trip:
        return trips_.contains(unknown.at) ? std::optional<Wide>(trips_[unknown.at]) : std::nullopt;
      case Kind::quotient: {
        const auto a = part(0);
        const auto b = part(1);
        if (!a || !b || *b == 0) return std::nullopt;
        return *a / *b;
      }
      case Kind::min:
      case Kind::max: {
        const auto a = part(0);
        const auto b = part(1);
        if (!a || !b) return std::nullopt;
        return unknown.kind == Kind::min ? std::min(*a, *b) : std::max(*a, *b);
      }
      case Kind::other: {
        const auto found = numbers_.find(unknown.at);
        if (found == numbers_.end()) return std::nullopt;
        const auto least = unknown.operands.empty() ? std::nullopt : part(0);
        const auto most = unknown.operands.size() < 2 ? std::nullopt : part(1);
        INFO("value " << unknown.at << " is " << found->second);
        if (least) CHECK(Wide{found->second} >= *least);
        if (most) CHECK(Wide{found->second} <= *most);
        return found->second;
      }
      default:
        return std::nullopt;
    }
  }

  SymbolicAccesses& places_;
  const Inputs& inputs_;
  std::map<ValueId, int64_t> numbers_;
  std::vector<int64_t> turns_;
  std::map<uint32_t, int64_t> trips_;
};

constexpr unsigned kSeeds = 700, kSamples = 10;

TEST_CASE("what is claimed of the numbers in places in GM holds for the numbers", "[arithmetic]") {
  size_t known = 0, sums = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    Expressions from(seed);
    const std::string text = from.text(nothing);
    INFO("seed " << seed << "\n" << text);
    const Made made(text);
    SymbolicAccesses places(made.program, made.functions, made.launch, {});
    for (unsigned sample = 0; sample < kSamples; ++sample) {
      const Inputs inputs = from.draw();
      const std::optional<Evaluated> all = from.evaluate(inputs);
      // Numbers of 32 bits and more are taken to stay within their type.
      if (!all || !all->fits_32) continue;
      Evaluation evaluation(made, from, places, inputs, *all);
      for (size_t i = 0; i < from.nodes().size(); ++i) {
        const Node& node = from.nodes()[i];
        if (node.type == "i1") continue;
        const std::optional<Polynomial> poly = Claims::number(places, made.names.at(node.name));
        const std::optional<Wide> claimed = poly && poly->is_known() ? evaluation.of(*poly) : std::nullopt;
        if (!claimed) continue;
        ++known;
        sums += poly->terms().size() > 1;
        INFO(node.name << " is " << all->numbers[i] << ", not " << static_cast<int64_t>(*claimed));
        REQUIRE(*claimed == Wide{all->numbers[i]});
      }
    }
  }
  CHECK(known > 20000);
  CHECK(sums > 2000);
}

TEST_CASE("what is claimed of numbers that decide holds for the numbers", "[arithmetic]") {
  size_t extremes = 0, paces = 0, far = 0, addresses = 0, exact = 0, bounds = 0, counted = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    Expressions from(seed);
    const std::string text = from.text(RandomLoops());
    INFO("seed " << seed << "\n" << text);
    const Made made(text);
    const InputSlice slice(made.program, made.functions, made.calls, made.launch);
    const Constants constants(made.program);
    const std::vector<Node>& nodes = from.nodes();
    std::vector<uint32_t> loops;
    for (uint32_t op = 0; op < made.program.ops.size(); ++op)
      if (isa::opcode_class(OpView(made.program, op)) == isa::OpcodeClass::loop) loops.push_back(op);
    const auto value_of = [&](size_t i) { return made.names.at(nodes[i].name); };
    for (unsigned sample = 0; sample < kSamples; ++sample) {
      Inputs inputs = from.draw();
      const std::optional<Evaluated> all = from.evaluate(inputs);
      if (!all || !all->fits_32) continue;
      Inputs next = inputs;
      const size_t moved = sample % next.turns.size();
      ++next.turns[moved];
      const std::optional<Evaluated> later = from.evaluate(next);
      std::map<uint32_t, int64_t> counters;
      for (size_t i = 0, counter = 0; i < nodes.size(); ++i)
        if (nodes[i].kind == Node::Kind::counter) counters[loops[counter++]] = all->numbers[i];
      for (size_t i = 0; i < nodes.size(); ++i) {
        const ValueId value = value_of(i);
        const int64_t number = all->numbers[i];
        INFO(nodes[i].name << " is " << number);
        if (const Number least = Claims::extreme(slice, value, Claims::Extreme::least)) {
          ++extremes;
          REQUIRE(*least <= number);
        }
        if (const Number most = Claims::extreme(slice, value, Claims::Extreme::most))
          REQUIRE(number <= *most);
        if (const auto some = Claims::addresses(slice, value)) {
          ++addresses;
          REQUIRE(some->contains(number));
        }
        const uint32_t defining_op = constants.defining_op(value);
        if (defining_op != kNoOp && nodes[i].type != "i1" &&
            !Claims::may_leave_type(slice, OpView(made.program, defining_op)) &&
            (nodes[i].kind == Node::Kind::binary || nodes[i].kind == Node::Kind::cast)) {
          const bool great = nodes[i].op.ends_with("ui") || nodes[i].op == "arith.shrui";
          const bool of_flag = nodes[i].kind == Node::Kind::cast && nodes[nodes[i].from[0]].type == "i1";
          ++exact;
          if (!great && !of_flag) REQUIRE(all->exact[i]);
        }
        if (later && later->fits_32) {
          const int64_t pace = Claims::pace(slice, value);
          const Wide apart = Wide{later->numbers[i]} - number;
          paces += pace > 1;
          INFO("moves by " << static_cast<int64_t>(apart) << " in the iteration of loop " << moved);
          REQUIRE((pace == 0 ? apart == 0 : apart % pace == 0));
        }
        const bool of_counters = !from.any_behind(i, [](const Node& node) {
          return node.kind == Node::Kind::argument || node.kind == Node::Kind::block ||
                 node.kind == Node::Kind::carried;
        });
        const auto told_of_counters = [&] {
          // What wraps in a narrow type is refused where it is counted, and not asked for.
          return !from.any_behind(i, [&](const Node& node) {
            const auto at = static_cast<size_t>(&node - nodes.data());
            return !all->exact[at] || node.op == "arith.floordivsi" || node.op.starts_with("arith.shr") ||
                   (node.op.ends_with("ui") && node.op.find("m") == std::string::npos) ||
                   node.op == "arith.minui" || node.op == "arith.maxui" || node.type == "i1";
          });
        };
        if (of_counters && nodes[i].type != "i1" && told_of_counters()) {
          ++counted;
          REQUIRE(Claims::number_with(slice, value, counters) == number);
        }
        for (size_t k = 0; k < nodes.size(); ++k) {
          const Number most = Claims::ahead(slice, value, value_of(k));
          if (!most) continue;
          ++far;
          REQUIRE(Wide{number} - all->numbers[k] <= *most);
        }
      }
      for (size_t i = 1; i < nodes.size(); ++i) {
        const uint32_t loop = loops[i - 1 + 3];
        const std::optional<int64_t> bound = slice.max_trip_count(loop);
        if (!bound || *bound == driver::trip_count(0, INT64_MAX, 1)) continue;  // no more than fit
        const Wide turns = Wide{Expressions::as_index(nodes[i], all->numbers[i])} -
                           Expressions::as_index(nodes[i - 1], all->numbers[i - 1]);
        ++bounds;
        REQUIRE(turns <= *bound);
      }
    }
  }
  // Not by knowing nothing.
  CHECK(extremes > 20000);
  CHECK(addresses > 5000);
  CHECK(exact > 5000);
  CHECK(paces > 500);
  CHECK(counted > 500);
  CHECK(far > 100);
  CHECK(bounds > 1000);
}

}  // namespace
}  // namespace pto
