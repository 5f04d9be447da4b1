// Over 500 lines: one generator and one evaluation of programs, which the claims of five analyses are compared with.
// What driver and lower claim of integers, against the numbers themselves, as arithmetic_claims_test.cpp does
// of the other analyses: bounds of loops, places on the chip, numbers of places in GM, what decides, sums of
// parameters, and what divides an offset.
#include <set>

#include "driver/arithmetic_test_support.hpp"
#include "driver/deciders.hpp"
#include "driver/gm_places.hpp"
#include "isa/row.hpp"
#include "lower/lowerer.hpp"
#include "plan/test_support.hpp"
#include "support/catch.hpp"

namespace pto {

using namespace pto::test;
using driver::Deciders;
using driver::GmPlaces;
using driver::Poly;
using driver::Unknown;

/// The private questions of the analyses.
struct Claims {
  using Extreme = Deciders::Extreme;
  static Number extreme(const Deciders& all, ValueId value, Extreme which) {
    return all.extreme(value, which);
  }
  static int64_t pace(const Deciders& all, ValueId value) { return all.pace(value); }
  static Number ahead(const Deciders& all, ValueId value, ValueId of) { return all.ahead(value, of); }
  static auto addresses(const Deciders& all, ValueId value) { return all.addresses_of(value, 0); }
  static bool may_leave_type(const Deciders& all, const OpView& op) { return all.may_leave_type(op); }
  static int64_t number_with(const Deciders& all, ValueId value,
                             const std::map<uint32_t, int64_t>& counters) {
    std::map<ValueId, int64_t> known;
    return all.number_with(value, counters, known, 0);
  }
  static const std::set<uint32_t>& spare(const Deciders& all) { return all.spare_; }
  static std::optional<Poly> number(GmPlaces& all, ValueId value) {
    const auto found = all.known_.find(value);
    return found == all.known_.end() ? std::nullopt : found->second.number;
  }
  static int64_t multiple_of(const lower::Lowerer& all, ValueId value) { return all.multiple_of(value); }
};

namespace {

/// A program with all that an analysis of its launch asks for.
struct Made {
  Program program;
  Functions functions;
  CallGraph calls;
  LaunchedFunctions launch;
  std::map<std::string, ValueId> names;

  explicit Made(const std::string& text)
      : program(parse_ok(text)),
        functions(program),
        calls(program, functions),
        launch(launches(program, functions, calls).front()),
        names(names_of(program)) {}
};

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
  Evaluation(const Made& made, const Expressions& from, GmPlaces& places, const Inputs& inputs,
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
      if (isa::does(OpView(made.program, op)) == isa::Does::loop && loop < turns_.size())
        trips_[op] = turns_[loop++];
    }
  }
  /// Nothing where an unknown stands for what the test does not number.
  std::optional<Wide> of(const Poly& poly) {
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
  using Kind = Unknown::Kind;
  std::optional<Wide> value(uint32_t at) {
    const Unknown unknown = places_.unknowns()[at];
    const auto part = [&](size_t i) { return of(unknown.of[i]); };
    switch (unknown.kind) {
      case Kind::parameter:
        return unknown.at == 0 ? std::nullopt : std::optional<Wide>(inputs_.arguments[unknown.at - 1]);
      case Kind::block:
        return inputs_.block;
      case Kind::trip:
        return trips_.contains(unknown.at) ? std::optional<Wide>(trips_[unknown.at]) : std::nullopt;
      case Kind::quotient: {
        const auto a = part(0), b = part(1);
        if (!a || !b || *b == 0) return std::nullopt;
        return *a / *b;
      }
      case Kind::least:
      case Kind::greatest: {
        const auto a = part(0), b = part(1);
        if (!a || !b) return std::nullopt;
        return unknown.kind == Kind::least ? std::min(*a, *b) : std::max(*a, *b);
      }
      case Kind::other: {
        const auto found = numbers_.find(unknown.at);
        if (found == numbers_.end()) return std::nullopt;
        const auto least = unknown.of.empty() ? std::nullopt : part(0),
                   most = unknown.of.size() < 2 ? std::nullopt : part(1);
        INFO("value " << unknown.at << " is " << found->second);
        if (least) CHECK(Wide{found->second} >= *least);
        if (most) CHECK(Wide{found->second} <= *most);
        return found->second;
      }
      default:
        return std::nullopt;
    }
  }

  GmPlaces& places_;
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
    GmPlaces places(made.program, made.functions, made.launch, {});
    for (unsigned sample = 0; sample < kSamples; ++sample) {
      const Inputs inputs = from.draw();
      const std::optional<Evaluated> all = from.evaluate(inputs);
      // Numbers of 32 bits and more are taken to stay within their type.
      if (!all || !all->fits_32) continue;
      Evaluation evaluation(made, from, places, inputs, *all);
      for (size_t i = 0; i < from.nodes().size(); ++i) {
        const Node& node = from.nodes()[i];
        if (node.type == "i1") continue;
        const std::optional<Poly> poly = Claims::number(places, made.names.at(node.name));
        const std::optional<Wide> claimed = poly && poly->known() ? evaluation.of(*poly) : std::nullopt;
        if (!claimed) continue;
        ++known, sums += poly->terms().size() > 1;
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
    const Deciders deciders(made.program, made.functions, made.calls, made.launch);
    const Constants constants(made.program);
    const std::vector<Node>& nodes = from.nodes();
    std::vector<uint32_t> loops;
    for (uint32_t op = 0; op < made.program.ops.size(); ++op)
      if (isa::does(OpView(made.program, op)) == isa::Does::loop) loops.push_back(op);
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
        if (const Number least = Claims::extreme(deciders, value, Claims::Extreme::least)) {
          ++extremes;
          REQUIRE(*least <= number);
        }
        if (const Number most = Claims::extreme(deciders, value, Claims::Extreme::most))
          REQUIRE(number <= *most);
        if (const auto some = Claims::addresses(deciders, value)) {
          ++addresses;
          REQUIRE(some->contains(number));
        }
        const uint32_t maker = constants.maker(value);
        if (maker != kNoOp && nodes[i].type != "i1" &&
            !Claims::may_leave_type(deciders, OpView(made.program, maker)) &&
            (nodes[i].kind == Node::Kind::binary || nodes[i].kind == Node::Kind::cast)) {
          const bool great = nodes[i].op.ends_with("ui") || nodes[i].op == "arith.shrui";
          const bool of_flag = nodes[i].kind == Node::Kind::cast && nodes[nodes[i].from[0]].type == "i1";
          ++exact;
          if (!great && !of_flag) REQUIRE(all->exact[i]);
        }
        if (later && later->fits_32) {
          const int64_t pace = Claims::pace(deciders, value);
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
          REQUIRE(Claims::number_with(deciders, value, counters) == number);
        }
        for (size_t k = 0; k < nodes.size(); ++k) {
          const Number most = Claims::ahead(deciders, value, value_of(k));
          if (!most) continue;
          ++far;
          REQUIRE(Wide{number} - all->numbers[k] <= *most);
        }
      }
      for (size_t i = 1; i < nodes.size(); ++i) {
        const uint32_t loop = loops[i - 1 + 3];
        const std::optional<int64_t> bound = deciders.bound(loop);
        if (!bound || *bound == driver::iterations(0, INT64_MAX, 1)) continue;  // no more than fit
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

TEST_CASE("what is claimed to divide a number divides it", "[arithmetic]") {
  size_t known = 0;
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    Expressions from(seed);
    const std::string text = from.text(nothing);
    INFO("seed " << seed << "\n" << text);
    const Made made(text);
    const lower::Values values(made.program);
    const lower::Task task;
    lower::Wanted wanted;
    Program to = made.program;
    const lower::Lowerer lowerer(made.program, to, values, task, wanted, nullptr);
    for (unsigned sample = 0; sample < kSamples; ++sample) {
      const std::optional<Evaluated> all = from.evaluate(from.draw());
      if (!all) continue;
      for (size_t i = 0; i < from.nodes().size(); ++i) {
        const Node& node = from.nodes()[i];
        if (node.type == "i1") continue;
        const int64_t by = Claims::multiple_of(lowerer, made.names.at(node.name));
        INFO(node.name << " is " << all->numbers[i]);
        known += by > 1;
        REQUIRE(all->numbers[i] % by == 0);
      }
    }
  }
  CHECK(known > 10000);
}

// ---- sums of parameters

/// Conditions about sums of parameters, each around a barrier.
class RandomSums {
 public:
  /// `wide`: of 32 bits and more, with a sign.
  explicit RandomSums(unsigned seed, bool wide = false) : random_(seed), wide_(wide) {
    for (size_t i = 0; i < kParameters; ++i) nodes_.push_back({"", type(), {}, fmt::format("%p{}", i)});
    const size_t count = 3 + pick(8);
    for (size_t i = 0; i < count; ++i) make();
    for (size_t i = 0; i < 3; ++i) asked_.push_back(nodes_.size() - 1 - pick(std::min<size_t>(4, count)));
  }
  static constexpr size_t kParameters = 4;

  [[nodiscard]] std::string text() const {
    std::string parameters, body;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Term& term = nodes_[i];
      if (i < kParameters)
        parameters += fmt::format("{}{}: {}", i == 0 ? "" : ", ", term.name, term.type);
      else if (term.op == "constant")
        body += fmt::format("  {} = arith.constant {} : {}\n", term.name, term.number, term.type);
      else if (term.op.starts_with("arith.ext") || term.op == "arith.trunci" ||
               term.op.starts_with("arith.index"))
        body += fmt::format("  {} = {} {} : {} to {}\n", term.name, term.op, nodes_[term.from[0]].name,
                            nodes_[term.from[0]].type, term.type);
      else
        body += fmt::format("  {} = {} {}, {} : {}\n", term.name, term.op, nodes_[term.from[0]].name,
                            nodes_[term.from[1]].name, term.type);
    }
    for (size_t i = 0; i < asked_.size(); ++i) {
      const Term& term = nodes_[asked_[i]];
      body += fmt::format(
          "  %e{0} = arith.constant 20 : {2}\n  %q{0} = arith.cmpi slt, {1}, %e{0} : {2}\n  scf.if %q{0} {{\n"
          "    pto.barrier #pto.pipe<PIPE_ALL>\n  }}\n",
          i, term.name, term.type);
    }
    return "func.func @k(" + parameters + ") attributes {pto.kernel} {\n" + body + "  return\n}\n";
  }

  /// What the conditions ask about; nothing where a number of 32 bits and more leaves its type.
  [[nodiscard]] std::optional<std::vector<int64_t>> ask(const std::array<int64_t, kParameters>& given) const {
    std::vector<int64_t> numbers(given.begin(), given.end());
    for (size_t i = 0; i < kParameters; ++i)
      if (in_bits(given[i], bits_of(nodes_[i].type)) != given[i]) return std::nullopt;
    for (size_t i = kParameters; i < nodes_.size(); ++i) {
      const Term& term = nodes_[i];
      const Wide a = numbers[term.from[0]], b = numbers[term.from[1]];
      const unsigned from = bits_of(nodes_[term.from[0]].type);
      const Wide made = term.op == "constant"     ? Wide{term.number}
                        : term.op == "arith.addi" ? a + b
                        : term.op == "arith.subi" ? a - b
                        : term.op == "arith.muli" ? a * b
                        : term.op.ends_with("ui") ? without_sign(numbers[term.from[0]], from)
                                                  : a;
      numbers.push_back(in_bits(made, bits_of(term.type)));
      if (bits_of(term.type) >= 32 && Wide{numbers.back()} != made) return std::nullopt;
    }
    std::vector<int64_t> found;
    for (const size_t asked : asked_) found.push_back(numbers[asked]);
    return found;
  }
  std::array<int64_t, kParameters> draw() {
    std::array<int64_t, kParameters> made{};
    for (int64_t& number : made) number = static_cast<int64_t>(pick(200)) - 100;
    return made;
  }

 private:
  struct Term {
    std::string op, type;
    std::array<size_t, 2> from{};
    std::string name;
    int64_t number = 0;
  };
  static constexpr std::array<const char*, 5> kTypes{"i8", "i16", "i32", "i64", "index"};

  size_t pick(size_t n) { return static_cast<size_t>(random_() % n); }
  const char* type() { return wide_ ? kTypes[2 + pick(3)] : kTypes[pick(kTypes.size())]; }
  size_t add(Term term) {
    term.name = fmt::format("%t{}", nodes_.size());
    nodes_.push_back(std::move(term));
    return nodes_.size() - 1;
  }
  size_t as(size_t from, const std::string& type) {
    const std::string& have = nodes_[from].type;
    if (have == type) return from;
    const bool index = have == "index" || type == "index", wider = bits_of(type) > bits_of(have);
    const bool is_unsigned = pick(4) == 0 && !wide_ && (index || wider);
    const std::string op = index   ? (is_unsigned ? "arith.index_castui" : "arith.index_cast")
                           : wider ? (is_unsigned ? "arith.extui" : "arith.extsi")
                                   : "arith.trunci";
    return add({op, type, {from, 0}, {}});
  }
  void make() {
    const std::string type = this->type();
    const size_t a = as(pick(nodes_.size()), type);
    switch (pick(4)) {
      case 0:
      case 1:
        add({"arith.addi", type, {a, as(pick(nodes_.size()), type)}, {}});
        break;
      case 2:
        add({"arith.subi", type, {a, as(pick(nodes_.size()), type)}, {}});
        break;
      default:
        add({"arith.muli",
             type,
             {a, add({"constant", type, {}, {}, static_cast<int64_t>(1 + pick(4))})},
             {}});
        break;
    }
  }

  std::mt19937_64 random_;
  bool wide_;
  std::vector<Term> nodes_;
  std::vector<size_t> asked_;
};

/// All numbers of the parameters that runs are made with.
std::vector<std::array<int64_t, RandomSums::kParameters>> tried_of(const Deciders& deciders) {
  using Given = std::array<int64_t, RandomSums::kParameters>;
  std::vector<Given> tried{{}};
  const auto with = [&](const std::vector<uint32_t>& parameters,
                        const std::vector<std::vector<int64_t>>& rows) {
    std::vector<Given> more;
    for (const Given& each : tried) {
      for (const std::vector<int64_t>& row : rows) {
        more.push_back(each);
        for (size_t i = 0; i < parameters.size(); ++i) more.back()[parameters[i]] = row[i];
      }
    }
    if (!rows.empty()) tried = std::move(more);
  };
  const auto own = [&](uint32_t parameter) {
    std::vector<std::vector<int64_t>> rows;
    for (const int64_t number : deciders.parameters().at(parameter)) rows.push_back({number});
    return rows;
  };
  std::set<uint32_t> grouped;
  for (const driver::Together& each : deciders.together()) {
    std::vector<std::vector<int64_t>> rows{{}};
    for (const uint32_t parameter : each.parameters) {
      grouped.insert(parameter);
      std::vector<std::vector<int64_t>> more;
      for (const auto& row : rows) {
        for (const auto& number : own(parameter)) {
          more.push_back(row);
          more.back().push_back(number.front());
        }
      }
      rows = std::move(more);
    }
    if (each.alone) rows.clear();
    rows.insert(rows.end(), each.rows.begin(), each.rows.end());
    with(each.parameters, rows);
  }
  for (const auto& [parameter, numbers] : deciders.parameters())
    if (!grouped.contains(parameter)) with({parameter}, own(parameter));
  return tried;
}

// Numbers of 8 and 16 bits and without a sign are searched, too, but what wraps is not asked about.
TEST_CASE("with the numbers that are tried conditions come out as with any number", "[arithmetic]") {
  size_t asked = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomSums from(seed, true);
    const std::string text = from.text();
    INFO("seed " << seed << "\n" << text);
    const Made made(text);
    Deciders deciders(made.program, made.functions, made.calls, made.launch);
    REQUIRE(deciders.find_together(driver::Deadline(0)));
    if (!deciders.obstacles().empty()) continue;  // refused
    const auto tried = tried_of(deciders);
    if (tried.size() > 20000) continue;
    std::array<std::set<bool>, 3> outcomes;
    for (const auto& each : tried) {
      const auto numbers = from.ask(each);
      for (size_t i = 0; numbers && i < outcomes.size(); ++i) outcomes[i].insert((*numbers)[i] < 20);
    }
    for (int sample = 0; sample < 20; ++sample) {
      const auto given = from.draw();
      const auto numbers = from.ask(given);
      for (size_t i = 0; numbers && i < outcomes.size(); ++i) {
        INFO("condition " << i << " with " << given[0] << ", " << given[1] << ", " << given[2] << ", "
                          << given[3]);
        ++asked;
        REQUIRE(outcomes[i].contains((*numbers)[i] < 20));
      }
    }
  }
  CHECK(asked > 15000);
}

TEST_CASE("a parameter that is left out of a sum is made up for by another one", "[arithmetic]") {
  size_t left_out = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    RandomSums from(seed);
    const std::string text = from.text();
    INFO("seed " << seed << "\n" << text);
    const Made made(text);
    const Deciders deciders(made.program, made.functions, made.calls, made.launch);
    const std::set<uint32_t>& spare = Claims::spare(deciders);
    if (spare.empty()) continue;
    std::vector<std::array<int64_t, RandomSums::kParameters>> samples;
    for (int i = 0; i < 12; ++i) samples.push_back(from.draw());
    for (const uint32_t out : spare) {
      // One of the others makes up for it, the same one whatever the numbers are.
      bool found = false;
      for (uint32_t other = 0; other < RandomSums::kParameters && !found; ++other) {
        if (spare.contains(other)) continue;
        found = std::ranges::all_of(samples, [&](auto given) {
          const auto before = from.ask(given);
          given[other] += std::exchange(given[out], 0);
          const auto after = from.ask(given);
          return !before || !after || *before == *after;
        });
      }
      INFO("parameter " << out);
      ++left_out;
      REQUIRE(found);
    }
  }
  CHECK(left_out > 100);
}

}  // namespace
}  // namespace pto
