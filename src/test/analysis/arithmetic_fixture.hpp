// Kernels of random whole numbers, and what the numbers are: two's complement by its definition, told by the
// test itself. What analyses claim is compared with it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pto/program.hpp"

namespace pto::test {

using Wide = __int128;

inline unsigned bits_of(std::string_view type) {
  return type == "index" ? 64 : static_cast<unsigned>(std::stoul(std::string(type.substr(1))));
}

/// The lowest bits of a number as one of two's complement; of one bit true is 1.
inline int64_t in_bits(Wide number, unsigned bits) {
  const Wide whole = Wide{1} << bits;
  Wide low = number % whole;
  if (low < 0) low += whole;
  return static_cast<int64_t>(bits != 1 && low >= whole / 2 ? low - whole : low);
}
inline Wide without_sign(int64_t number, unsigned bits) {
  return number < 0 ? Wide{number} + (Wide{1} << bits) : Wide{number};
}

struct Node {
  enum class Kind : uint8_t {
    constant,
    counter,
    carried,  ///< from one iteration of the innermost loop to the next
    argument,
    block,
    binary,
    compare,
    cast,
    select
  } kind = Kind::constant;
  std::string name, type, op;
  int64_t number = 0;            ///< constant; first one of a counter; predicate of a comparison
  int64_t step = 1, turns = 1;   ///< counter
  std::array<size_t, 3> from{};  ///< operands; of what is carried, what it begins with
};

/// What the numbers of a kernel are made of.
struct Inputs {
  std::vector<int64_t> arguments, turns;  ///< by argument, by counter
  int64_t block = 0;
};

/// The numbers of all nodes. `exact`: whether the one that the operation gives stayed within its type.
struct Evaluated {
  std::vector<int64_t> numbers;
  std::vector<bool> exact;
  bool fits_32 = true;    ///< no number of 32 bits and more left its type
  bool wraps_64 = false;  ///< numbers of 64 bits may leave their type
};

/// A kernel whose body computes a chain of random numbers, the last of which are offsets and slots.
class Expressions {
 public:
  explicit Expressions(unsigned seed) : random_(seed), carries_(seed % 2 == 1) {
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
    if (carries_) {
      const auto from = static_cast<size_t>(pick(static_cast<int64_t>(nodes_.size()) - 1));
      add({.kind = Node::Kind::carried, .type = nodes_[from].type, .from = {from}});
    }
    body_ = nodes_.size();
    for (int64_t i = 6 + pick(12); i > 0; --i) make();
    if (carries_) {
      const std::string type = nodes_[body_ - 1].type;
      yields_ = operand(type);
      if (pick(2) == 0)
        yields_ = add({.kind = Node::Kind::binary,
                       .type = type,
                       .op = one_of<std::string>({"arith.addi", "arith.subi", "arith.muli", "arith.shli"}),
                       .from = {body_ - 1, small(type)}});
    }
  }

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  /// The name of a value for the text; of the number as an index, name + "x" where it has another type.
  [[nodiscard]] static std::string index_of(const Node& node) {
    return node.type == "index" ? node.name : node.name + "x";
  }
  /// The number of that index: true is -1.
  [[nodiscard]] static int64_t as_index(const Node& node, int64_t number) {
    return node.type == "i1" ? -number : number;
  }

  /// `more`: text at the end of the innermost loop. `uses`: what looks at a number, for each of them.
  template <typename Uses>
  [[nodiscard]] std::string text(Uses uses, const std::string& more = {}) const {
    std::string body;
    for (size_t i = 0; i < nodes_.size(); ++i) body += line(i);
    for (const Node& node : nodes_) {
      if (node.type != "index")
        body +=
            fmt::format("  {} = arith.index_cast {} : {} to index\n", index_of(node), node.name, node.type);
      body += uses(node, index_of(node));
    }
    body += more;
    if (carries_) body += fmt::format("  scf.yield {} : {}\n", nodes_[yields_].name, nodes_[yields_].type);
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

  /// What is carried is worked out iteration by iteration: few of them.
  [[nodiscard]] Inputs draw() {
    Inputs built;
    built.block = pick(65535);
    for (const Node& node : nodes_) {
      if (node.kind == Node::Kind::argument)
        built.arguments.push_back(
            in_bits(static_cast<int64_t>(random_() % 3 == 0 ? random_() : random_() % 1024),
                    std::min(bits_of(node.type), 40U)));
      if (node.kind == Node::Kind::counter) built.turns.push_back(pick(node.turns));
    }
    if (carries_) built.turns.back() = std::min(built.turns.back(), pick(8));
    return built;
  }

  /// Numbers of all nodes; nothing where something is divided by 0, or where one of 64 bits wraps that may
  /// not.
  [[nodiscard]] std::optional<Evaluated> evaluate(const Inputs& inputs, bool wraps_64 = false) const {
    Evaluated built;
    built.wraps_64 = wraps_64;
    built.numbers.resize(nodes_.size());
    built.exact.assign(nodes_.size(), true);
    size_t argument = 0, counter = 0;
    for (size_t i = 0; i < body_; ++i) {
      const Node& node = nodes_[i];
      int64_t& number = built.numbers[i];
      if (node.kind == Node::Kind::argument)
        number = inputs.arguments[argument++];
      else if (node.kind == Node::Kind::block)
        number = inputs.block;
      else if (node.kind == Node::Kind::counter)
        number = node.number + node.step * inputs.turns[counter++];
      else
        number = built.numbers[node.from[0]];
    }
    if (!carries_) return once(built) ? std::optional(built) : std::nullopt;
    const size_t inner = body_ - 2;
    for (int64_t iteration = 0; iteration <= inputs.turns.back(); ++iteration) {
      if (iteration != 0) built.numbers[body_ - 1] = built.numbers[yields_];
      built.numbers[inner] = nodes_[inner].number + nodes_[inner].step * iteration;
      if (!once(built)) return std::nullopt;
    }
    return built;
  }
  /// Whether one operation of the values that a node is made of is like that.
  template <typename Is>
  [[nodiscard]] bool any_behind(size_t at, Is is) const {
    std::vector<bool> behind(at + 1);
    behind[at] = true;
    for (size_t i = at + 1; i-- > 0;) {
      if (!behind[i]) continue;
      if (is(nodes_[i])) return true;
      for (size_t k = 0; k < operands(nodes_[i]); ++k) behind[nodes_[i].from[k]] = true;
    }
    return false;
  }

 private:
  static size_t operands(const Node& node) {
    switch (node.kind) {
      case Node::Kind::binary:
      case Node::Kind::compare:
        return 2;
      case Node::Kind::select:
        return 3;
      case Node::Kind::cast:
      case Node::Kind::carried:
        return 1;
      default:
        return 0;
    }
  }
  bool once(Evaluated& built) const {
    for (size_t i = body_; i < nodes_.size(); ++i) {
      if (!value(i, built)) return false;
    }
    return true;
  }

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
  size_t small(const std::string& type) {
    return add({.kind = Node::Kind::constant, .type = type, .number = 1 + pick(7)});
  }

  /// One of the type: an old one, cast where it has another type, or a constant.
  size_t operand(const std::string& type) {
    if (pick(4) == 0 && type != "i1") {
      const int64_t most = std::min<int64_t>(120, int64_t{1} << (std::min(bits_of(type), 32U) - 1));
      return add(
          {.kind = Node::Kind::constant, .type = type, .number = pick(most) - (pick(4) == 0 ? most : 0)});
    }
    const auto from = static_cast<size_t>(pick(static_cast<int64_t>(nodes_.size())));
    return nodes_[from].type == type ? from : cast(from, type);
  }
  size_t cast(size_t from, const std::string& type) {
    const unsigned have = bits_of(nodes_[from].type);
    const unsigned expected = bits_of(type);
    const bool index = type == "index" || nodes_[from].type == "index";
    std::string op = index ? "arith.index_cast" : expected > have ? "arith.extsi" : "arith.trunci";
    if (expected == have && !index) return from;
    if (pick(3) == 0 && (index || expected > have)) op = index ? "arith.index_castui" : "arith.extui";
    return add({.kind = Node::Kind::cast, .type = type, .op = op, .from = {from}});
  }

  void make() {
    const std::string type = one_of<std::string>({"i8", "i16", "i32", "i64", "index", "index"});
    const std::string op = one_of<std::string>(
        {"arith.addi",  "arith.addi",  "arith.subi",  "arith.muli",  "arith.muli",      "arith.shli",
         "arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.andi",      "arith.ori",
         "arith.xori",  "arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui",     "arith.shrsi",
         "arith.shrui", "cast",        "select",      "compare",     "arith.floordivsi"});
    const size_t a = operand(type);
    if (op == "cast") return void(cast(a, one_of<std::string>({"i8", "i16", "i32", "i64", "index"})));
    size_t b = operand(type);
    const bool by_shift = op.starts_with("arith.sh");
    const bool by_constant = by_shift || op.find("div") != std::string::npos || op.starts_with("arith.rem") ||
                             op == "arith.andi" || (op == "arith.muli" && pick(3) != 0);
    if (by_shift && pick(4) == 0) {
      const size_t most = add({.kind = Node::Kind::constant, .type = type, .number = 7});
      b = add({.kind = Node::Kind::binary, .type = type, .op = "arith.andi", .from = {b, most}});
    } else if (by_constant) {
      const int64_t number = by_shift ? pick(12) : one_of<int64_t>({1, 2, 3, 4, 6, 7, 8, 12, 16, 31, 96});
      b = add({.kind = Node::Kind::constant, .type = type, .number = number});
    }
    if (op == "compare" || op == "select") {
      const size_t on = add({.kind = Node::Kind::compare, .type = "i1", .number = pick(10), .from = {a, b}});
      if (op != "select") return;
      // One of the two compared, the same number on both sides, or any.
      const size_t yes = pick(3) == 0 ? operand(type) : a;
      const size_t no = pick(3) == 0 ? operand(type) : pick(3) == 0 ? yes : b;
      add({.kind = Node::Kind::select, .type = type, .from = {on, yes, no}});
      return;
    }
    add({.kind = Node::Kind::binary, .type = type, .op = op, .from = {a, b}});
  }

  [[nodiscard]] std::string line(size_t at) const {
    static constexpr std::array<std::string_view, 10> kPredicates{"eq",  "ne",  "slt", "sle", "sgt",
                                                                  "sge", "ult", "ule", "ugt", "uge"};
    const Node& node = nodes_[at];
    const auto name = [&](size_t i) { return nodes_[node.from[i]].name; };
    switch (node.kind) {
      case Node::Kind::constant:
        return fmt::format("  {} = arith.constant {} : {}\n", node.name, node.number, node.type);
      case Node::Kind::argument:
      case Node::Kind::carried:
        return {};
      case Node::Kind::block:
        return fmt::format("  {} = pto.get_block_idx\n", node.name);
      case Node::Kind::counter: {
        std::string carried;
        if (carries_ && at + 2 == body_) {
          const Node& inner = nodes_[body_ - 1];
          carried =
              fmt::format(" iter_args({} = {}) -> ({})", inner.name, nodes_[inner.from[0]].name, inner.type);
        }
        return fmt::format(
            "  {0}lo = arith.constant {1} : {4}\n  {0}hi = arith.constant {2} : {4}\n"
            "  {0}st = arith.constant {3} : {4}\n  {6}scf.for {0} = {0}lo to {0}hi step {0}st{7}{5} {{\n",
            node.name, node.number, node.number + node.step * node.turns, node.step, node.type,
            node.type == "index" ? "" : " : " + node.type,
            carried.empty() ? "" : nodes_[body_ - 1].name + "r = ", carried);
      }
      case Node::Kind::binary:
        return fmt::format("  {} = {} {}, {} : {}\n", node.name, node.op, name(0), name(1), node.type);
      case Node::Kind::compare:
        return fmt::format("  {} = arith.cmpi {}, {}, {} : {}\n", node.name,
                           kPredicates[static_cast<size_t>(node.number)], name(0), name(1),
                           nodes_[node.from[0]].type);
      case Node::Kind::cast:
        return fmt::format("  {} = {} {} : {} to {}\n", node.name, node.op, name(0),
                           nodes_[node.from[0]].type, node.type);
      case Node::Kind::select:
        return fmt::format("  {} = arith.select {}, {}, {} : {}\n", node.name, name(0), name(1), name(2),
                           node.type);
    }
    return {};
  }

  bool value(size_t at, Evaluated& built) const {
    const Node& node = nodes_[at];
    const unsigned bits = bits_of(node.type);
    const auto operand = [&](size_t i) { return built.numbers[node.from[i]]; };
    int64_t& number = built.numbers[at];
    std::optional<Wide> exact;
    switch (node.kind) {
      case Node::Kind::constant:
        number = node.number;
        return true;
      case Node::Kind::select:
        number = operand(0) != 0 ? operand(1) : operand(2);
        return true;
      case Node::Kind::compare:
        number = compared(node.number, operand(0), operand(1), bits_of(nodes_[node.from[0]].type)) ? 1 : 0;
        return true;
      case Node::Kind::cast: {
        const unsigned from = bits_of(nodes_[node.from[0]].type);
        const int64_t a = operand(0);
        exact = node.op.ends_with("ui") ? without_sign(a, from) : from == 1 ? Wide{-a} : Wide{a};
        break;
      }
      default:
        exact = computed(node.op, operand(0), operand(1), bits);
        if (!exact) return false;
        break;
    }
    number = in_bits(*exact, bits);
    built.exact[at] = Wide{number} == *exact;
    built.fits_32 = built.fits_32 && (built.exact[at] || bits < 32);
    // 64 bits are taken not to wrap; what is read without a sign may be a great number.
    const bool may_be_great = node.kind == Node::Kind::cast || node.op.ends_with("ui");
    return bits < 64 || built.wraps_64 || may_be_great || built.exact[at];
  }

  static bool compared(int64_t predicate, int64_t a, int64_t b, unsigned bits) {
    const bool is_unsigned = predicate > 5;
    const Wide x = is_unsigned ? without_sign(a, bits) : Wide{a};
    const Wide y = is_unsigned ? without_sign(b, bits) : Wide{b};
    switch (is_unsigned ? predicate - 4 : predicate) {
      case 0:
        return x == y;
      case 1:
        return x != y;
      case 2:
        return x < y;
      case 3:
        return x <= y;
      case 4:
        return x > y;
      default:
        return x >= y;
    }
  }

  static std::optional<Wide> computed(const std::string& op, int64_t a, int64_t b, unsigned bits) {
    const Wide x = without_sign(a, bits);
    const Wide y = without_sign(b, bits);
    if (op == "arith.addi") return Wide{a} + b;
    if (op == "arith.subi") return Wide{a} - b;
    if (op == "arith.muli") return Wide{a} * b;
    if (op == "arith.shli") return y >= bits ? Wide{0} : Wide{a} * (Wide{1} << b);
    // The result of a shift by the width and more is not defined.
    if (op.starts_with("arith.shr") && y >= bits) return std::nullopt;
    if (op == "arith.shrsi") return Wide{a} >> b;
    if (op == "arith.shrui") return x >> b;
    if (op == "arith.andi") return Wide{a & b};
    if (op == "arith.ori") return Wide{a | b};
    if (op == "arith.xori") return Wide{a ^ b};
    if (op == "arith.minsi") return Wide{std::min(a, b)};
    if (op == "arith.maxsi") return Wide{std::max(a, b)};
    if (op == "arith.minui") return std::min(x, y);
    if (op == "arith.maxui") return std::max(x, y);
    if (b == 0) return std::nullopt;
    if (op == "arith.divsi") return Wide{a} / b;
    if (op == "arith.floordivsi") return Wide{a} / b - (Wide{a} % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    if (op == "arith.remsi") return Wide{a} % b;
    if (op == "arith.divui") return x / y;
    return x % y;
  }

  std::mt19937_64 random_;
  bool carries_;
  std::vector<Node> nodes_;
  size_t body_ = 0, yields_ = 0;  ///< the first node of the body; what the innermost loop passes on
};

inline std::map<std::string, ValueId> names_of(const Program& program) {
  std::map<std::string, ValueId> found;
  for (ValueId value = 0; value < program.values.size(); ++value) {
    const std::string_view name = program.name_of(value);
    if (!name.empty()) found.emplace("%" + std::string(name), value);
  }
  return found;
}

}  // namespace pto::test
