// Conditions about sums of parameters: which numbers of the parameters are tried, and which parameters are
// left out, against the conditions themselves for many numbers.
#include <set>

#include "test/prove/claims_fixture.hpp"
#include "testing/catch_main.hpp"

namespace pto {

using namespace pto::test;
using driver::InputSlice;

namespace {

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
      const Wide a = numbers[term.from[0]];
      const Wide b = numbers[term.from[1]];
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
    const bool index = have == "index" || type == "index";
    const bool wider = bits_of(type) > bits_of(have);
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
std::vector<std::array<int64_t, RandomSums::kParameters>> tried_of(const InputSlice& slice) {
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
    for (const int64_t number : slice.parameters().at(parameter)) rows.push_back({number});
    return rows;
  };
  std::set<uint32_t> grouped;
  for (const driver::CorrelatedInputs& each : slice.correlated_inputs()) {
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
    if (each.is_exhaustive) rows.clear();
    rows.insert(rows.end(), each.rows.begin(), each.rows.end());
    with(each.parameters, rows);
  }
  for (const auto& [parameter, numbers] : slice.parameters())
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
    InputSlice slice(made.program, made.functions, made.calls, made.launch);
    REQUIRE(slice.find_correlated_inputs(driver::Deadline(0)));
    if (!slice.inconclusive().empty()) continue;  // refused
    const auto tried = tried_of(slice);
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
    const InputSlice slice(made.program, made.functions, made.calls, made.launch);
    const std::set<uint32_t>& spare = Claims::spare(slice);
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
