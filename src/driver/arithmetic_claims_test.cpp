// What each analysis claims of an integer, against the number itself: random expressions in all widths,
// random inputs, and two's complement by its definition. An analysis may know nothing; what it claims has to
// hold.
#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "driver/ranges.hpp"
#include "isa/constants.hpp"
#include "plan/intervals.hpp"
#include "plan/slots.hpp"
#include "plan/test_support.hpp"
#include "plan/windows.hpp"
#include "support/catch.hpp"
#include "verify/low_bits.hpp"

using namespace pto;
using namespace pto::test;

namespace {

using Wide = __int128;

unsigned bits_of(std::string_view type) {
  return type == "index" ? 64 : static_cast<unsigned>(std::stoul(std::string(type.substr(1))));
}

/// The lowest bits of a number as one of two's complement.
int64_t in_bits(Wide number, unsigned bits) {
  const Wide whole = Wide{1} << bits;
  Wide low = number % whole;
  if (low < 0) low += whole;
  return static_cast<int64_t>(low >= whole / 2 ? low - whole : low);
}
Wide without_sign(int64_t number, unsigned bits) {
  return number < 0 ? Wide{number} + (Wide{1} << bits) : Wide{number};
}

struct Node {
  enum class Kind : uint8_t {
    constant,
    counter,
    argument,
    block,
    binary,
    cast,
    select
  } kind = Kind::constant;
  std::string name, type, op;
  int64_t number = 0;            ///< constant; first one of a counter
  int64_t step = 1, turns = 1;   ///< counter
  std::array<size_t, 3> from{};  ///< operands
};

/// A kernel whose body computes a chain of random numbers, the last of which are offsets and slots.
class Expressions {
 public:
  explicit Expressions(unsigned seed) : random_(seed) {
    for (const char* type : {"i8", "i16", "i32", "i64"}) add({.kind = Node::Kind::argument, .type = type});
    add({.kind = Node::Kind::block, .type = "i64"});
    for (const char* type : {"index", "index", "i16"}) {
      const bool narrow = std::string_view(type) == "i16";
      add({.kind = Node::Kind::counter,
           .type = type,
           .number = pick(300),
           .step = 1 + pick(narrow ? 9 : 40),
           .turns = 1 + pick(narrow ? 900 : 40000)});
    }
    for (int64_t i = 6 + pick(12); i > 0; --i) make();
  }

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

  [[nodiscard]] std::string text() const {
    std::string body;
    std::vector<size_t> numbers;
    for (size_t i = 0; i < nodes_.size(); ++i) body += line(nodes_[i]);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      std::string index = node.name;
      if (node.type != "index") {
        index = node.name + "x";
        body += fmt::format("  {} = arith.index_cast {} : {} to index\n", index, node.name, node.type);
      }
      body += fmt::format(
          "  {0}w = pto.partition_view %all, offsets = [%c0, {1}], sizes = [%c1, %c1] : "
          "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x1xf32>\n"
          "  {0}s2 = pto.multi_tile_get %m2[{1}] : !pto.multi_tile_buf<vec, 1x64xf32, count=2> -> "
          "!pto.tile_buf<vec, 1x64xf32>\n"
          "  {0}s3 = pto.multi_tile_get %m3[{1}] : !pto.multi_tile_buf<vec, 1x64xf32, count=3> -> "
          "!pto.tile_buf<vec, 1x64xf32>\n",
          node.name, index);
    }
    for (const Node& node : nodes_)
      if (node.kind == Node::Kind::counter) body += "  }\n";
    return "func.func @k(%a: !pto.ptr<f32>, %n0: i8, %n1: i16, %n2: i32, %n3: i64) attributes {pto.kernel} "
           "{\n"
           "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
           "  %all = pto.make_tensor_view %a, shape = [%c1, %c1], strides = [%c1, %c1] : "
           "!pto.tensor_view<?x?xf32>\n"
           "  %m2 = pto.alloc_multi_tile : !pto.multi_tile_buf<vec, 1x64xf32, count=2>\n"
           "  %m3 = pto.alloc_multi_tile : !pto.multi_tile_buf<vec, 1x64xf32, count=3>\n" +
           body + "  return\n}\n";
  }

  /// Numbers of all nodes with some inputs; nothing where one of 64 bits wraps or something is divided by 0.
  [[nodiscard]] std::optional<std::vector<int64_t>> run() {
    std::vector<int64_t> found;
    for (const Node& node : nodes_) {
      const std::optional<int64_t> number = value(node, found);
      if (!number) return std::nullopt;
      found.push_back(*number);
    }
    return found;
  }

 private:
  int64_t pick(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  template <typename T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<size_t>(pick(static_cast<int64_t>(all.size())))];
  }

  size_t add(Node node) {
    node.name = fmt::format("%n{}", nodes_.size());
    nodes_.push_back(std::move(node));
    return nodes_.size() - 1;
  }

  /// One of the type: an old one, cast where it has another type, or a constant.
  size_t operand(const std::string& type) {
    if (pick(4) == 0) {
      const int64_t most = std::min<int64_t>(120, int64_t{1} << (std::min(bits_of(type), 32U) - 1));
      return add(
          {.kind = Node::Kind::constant, .type = type, .number = pick(most) - (pick(4) == 0 ? most : 0)});
    }
    const auto from = static_cast<size_t>(pick(static_cast<int64_t>(nodes_.size())));
    return nodes_[from].type == type ? from : cast(from, type);
  }
  size_t cast(size_t from, const std::string& type) {
    const unsigned have = bits_of(nodes_[from].type), want = bits_of(type);
    const bool index = type == "index" || nodes_[from].type == "index";
    std::string op = index ? "arith.index_cast" : want > have ? "arith.extsi" : "arith.trunci";
    if (want == have && !index) return from;
    if (pick(3) == 0 && (index || want > have)) op = index ? "arith.index_castui" : "arith.extui";
    return add({.kind = Node::Kind::cast, .type = type, .op = op, .from = {from}});
  }

  void make() {
    const std::string type = one_of<std::string>({"i8", "i16", "i32", "i64", "index", "index"});
    const std::string op = one_of<std::string>(
        {"arith.addi", "arith.addi", "arith.subi", "arith.muli", "arith.muli", "arith.shli", "arith.divsi",
         "arith.divui", "arith.remsi", "arith.remui", "arith.andi", "arith.ori", "arith.xori", "arith.minsi",
         "arith.maxsi", "cast", "select"});
    const size_t a = operand(type);
    if (op == "cast") return void(cast(a, one_of<std::string>({"i8", "i16", "i32", "i64", "index"})));
    size_t b = operand(type);
    const bool by_constant = op == "arith.shli" || op.starts_with("arith.div") ||
                             op.starts_with("arith.rem") || op == "arith.andi" ||
                             (op == "arith.muli" && pick(3) != 0);
    if (by_constant) {
      const int64_t number =
          op == "arith.shli" ? pick(12) : one_of<int64_t>({1, 2, 3, 4, 6, 7, 8, 12, 16, 31, 96});
      b = add({.kind = Node::Kind::constant, .type = type, .number = number});
    }
    if (op == "select") return void(add({.kind = Node::Kind::select, .type = type, .from = {a, b}}));
    add({.kind = Node::Kind::binary, .type = type, .op = op, .from = {a, b}});
  }

  [[nodiscard]] std::string line(const Node& node) const {
    const auto name = [&](size_t i) { return nodes_[node.from[i]].name; };
    switch (node.kind) {
      case Node::Kind::constant:
        return fmt::format("  {} = arith.constant {} : {}\n", node.name, node.number, node.type);
      case Node::Kind::argument:
        return {};
      case Node::Kind::block:
        return fmt::format("  {} = pto.get_block_idx\n", node.name);
      case Node::Kind::counter:
        return fmt::format(
            "  {0}lo = arith.constant {1} : {4}\n  {0}hi = arith.constant {2} : {4}\n"
            "  {0}st = arith.constant {3} : {4}\n  scf.for {0} = {0}lo to {0}hi step {0}st{5} {{\n",
            node.name, node.number, node.number + node.step * node.turns, node.step, node.type,
            node.type == "index" ? "" : " : " + node.type);
      case Node::Kind::binary:
        return fmt::format("  {} = {} {}, {} : {}\n", node.name, node.op, name(0), name(1), node.type);
      case Node::Kind::cast:
        return fmt::format("  {} = {} {} : {} to {}\n", node.name, node.op, name(0),
                           nodes_[node.from[0]].type, node.type);
      case Node::Kind::select:
        return fmt::format(
            "  {0}q = arith.cmpi slt, {1}, {2} : {3}\n  {0} = arith.select {0}q, {1}, {2} : {3}\n", node.name,
            name(0), name(1), node.type);
    }
    return {};
  }

  std::optional<int64_t> value(const Node& node, const std::vector<int64_t>& found) {
    const unsigned bits = bits_of(node.type);
    switch (node.kind) {
      case Node::Kind::constant:
        return node.number;
      case Node::Kind::argument:
        return in_bits(static_cast<int64_t>(random_() % 3 == 0 ? random_() : random_() % 1024),
                       std::min(bits, 40U));
      case Node::Kind::block:
        return pick(65535);
      case Node::Kind::counter:
        return node.number + node.step * pick(node.turns);
      case Node::Kind::cast: {
        const unsigned from = bits_of(nodes_[node.from[0]].type);
        const int64_t a = found[node.from[0]];
        const bool is_unsigned = node.op.ends_with("ui");
        return in_bits(is_unsigned ? without_sign(a, from) : Wide{a}, bits);
      }
      case Node::Kind::select:
        return std::min(found[node.from[0]], found[node.from[1]]);
      case Node::Kind::binary:
        break;
    }
    const int64_t a = found[node.from[0]], b = found[node.from[1]];
    const std::optional<Wide> exact = computed(node.op, a, b, bits);
    if (!exact) return std::nullopt;
    const int64_t kept = in_bits(*exact, bits);
    // 64 bits are taken not to wrap; quotients and remainders without sign may be great numbers.
    const bool may_be_great = node.op.ends_with("ui");
    if (bits == 64 && !may_be_great && Wide{kept} != *exact) return std::nullopt;
    return kept;
  }

  static std::optional<Wide> computed(const std::string& op, int64_t a, int64_t b, unsigned bits) {
    const Wide x = without_sign(a, bits), y = without_sign(b, bits);
    if (op == "arith.addi") return Wide{a} + b;
    if (op == "arith.subi") return Wide{a} - b;
    if (op == "arith.muli") return Wide{a} * b;
    if (op == "arith.shli") return y >= bits ? Wide{0} : Wide{a} * (Wide{1} << b);
    if (op == "arith.andi") return Wide{a & b};
    if (op == "arith.ori") return Wide{a | b};
    if (op == "arith.xori") return Wide{a ^ b};
    if (op == "arith.minsi") return Wide{std::min(a, b)};
    if (op == "arith.maxsi") return Wide{std::max(a, b)};
    if (b == 0) return std::nullopt;
    if (op == "arith.divsi") return Wide{a} / b;
    if (op == "arith.remsi") return Wide{a} % b;
    if (op == "arith.divui") return x / y;
    return x % y;
  }

  std::mt19937_64 random_;
  std::vector<Node> nodes_;
};

std::map<std::string, ValueId> names_of(const Program& program) {
  std::map<std::string, ValueId> found;
  for (ValueId value = 0; value < program.values.size(); ++value) {
    const std::string_view name = program.name_of(value);
    if (!name.empty()) found.emplace("%" + std::string(name), value);
  }
  return found;
}

/// What driver/ranges says of every value, in the order of the text; counters from their bounds.
std::map<ValueId, driver::Range> ranges_of(const Program& program, const Expressions& made,
                                           const std::map<std::string, ValueId>& names) {
  std::map<ValueId, driver::Range> found;
  for (const Node& node : made.nodes()) {
    if (node.kind == Node::Kind::counter)
      found[names.at(node.name)] =
          driver::Range::between(node.number, node.number + node.step * (node.turns - 1));
  }
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const OpView op(program, i);
    if (!gives_number(op)) continue;
    std::array<driver::Range, 3> operands;
    for (unsigned k = 0; k < 3; ++k)
      if (op.operand(k) != kNoValue) operands[k] = found[op.operand(k)];
    found[op.result(0)] = driver::evaluate(op, operands);
  }
  return found;
}

}  // namespace

TEST_CASE("what analyses claim of numbers in every width holds for the numbers", "[arithmetic]") {
  size_t windows_known = 0, slots_known = 0, intervals_known = 0, bits_known = 0, ranges_known = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Expressions made(seed);
    const std::string text = made.text();
    INFO("seed " << seed << "\n" << text);
    const Program program = parse_ok(text);
    const std::map<std::string, ValueId> names = names_of(program);
    const Constants constants(program);
    const planner::Intervals intervals(program, constants);
    planner::Windows windows(program, constants);
    const planner::Slots slots(program, constants);
    const legality::Numbers numbers(program, constants);
    const std::map<ValueId, driver::Range> ranges = ranges_of(program, made, names);
    for (int sample = 0; sample < 12; ++sample) {
      const std::optional<std::vector<int64_t>> all = made.run();
      if (!all) continue;
      for (size_t i = 0; i < all->size(); ++i) {
        const Node& node = made.nodes()[i];
        const ValueId value = names.at(node.name);
        const int64_t number = (*all)[i];
        INFO(node.name << " is " << number);
        if (const Number known = constants.of(value)) REQUIRE(*known == number);
        const planner::Interval interval = intervals.of(value);
        intervals_known += interval.low > INT64_MIN;
        REQUIRE((interval.low <= number && number <= interval.high));
        const legality::LowBits bits = numbers.low_bits(value, {});
        const uint64_t mask = bits.count >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits.count) - 1;
        bits_known += bits.count > 0;
        REQUIRE((static_cast<uint64_t>(number) & mask) == bits.bits);
        if (const auto range = ranges.find(value); range != ranges.end() && range->second.fixed()) {
          ++ranges_known;
          REQUIRE((range->second.low <= number && number <= range->second.high));
        }
        if (const auto window = windows.of(names.at(node.name + "w"))) {
          const Wide apart = Wide{number} * 4 - window->begin.at;
          windows_known += window->begin.step != 4;
          REQUIRE(
              (window->begin.step == 0 ? apart == 0 : apart % static_cast<Wide>(window->begin.step) == 0));
        }
        for (const int64_t count : {2, 3}) {
          const ValueId slot = names.at(fmt::format("{}s{}", node.name, count));
          const std::optional<uint32_t> claimed = slots.of(OpView(program, constants.maker(slot)));
          if (!claimed || number < 0 || number >= count) continue;
          ++slots_known;
          REQUIRE(*claimed == number);
        }
      }
    }
  }
  // Not by knowing nothing.
  CHECK(windows_known > 10000);
  CHECK(slots_known > 100);
  CHECK(intervals_known > 100000);
  CHECK(bits_known > 10000);
  CHECK(ranges_known > 10000);
}
