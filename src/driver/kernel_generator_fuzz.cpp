// Over 500 lines: one generator; each statement is made, written and evaluated.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "driver/kernel_generator.hpp"

namespace pto::fuzz {
namespace {

constexpr int64_t kRows = 32;         ///< of every buffer
constexpr uint64_t kMostSteps = 600;  ///< of the evaluation; a kernel that takes more ends there

enum class Elem : uint8_t { f32, i32, i16 };
std::string_view name_of(Elem elem) { return elem == Elem::f32 ? "f32" : elem == Elem::i32 ? "i32" : "i16"; }
size_t width_of(Elem elem) { return elem == Elem::i16 ? 2 : 4; }

/// An element; integers wrap to the width of theirs.
struct Number {
  int64_t whole = 0;
  float real = 0;
};
using Tile = std::vector<Number>;

Number number_of(Elem elem, int64_t value) {
  switch (elem) {
    case Elem::f32:
      return {0, static_cast<float>(value)};
    case Elem::i32:
      return {static_cast<int32_t>(static_cast<uint64_t>(value)), 0};
    default:
      return {static_cast<int16_t>(static_cast<uint64_t>(value)), 0};
  }
}

enum class Does : uint8_t { add, sub, mul, max, min };
constexpr std::array kBinary = {"tadd", "tsub", "tmul", "tmax", "tmin"};
constexpr std::array kScalar = {"tadds", "tmuls", "tmaxs", "tmins"};
constexpr std::array kScalarDoes = {Does::add, Does::mul, Does::max, Does::min};

float of_floats(Does does, float a, float b) {
  switch (does) {
    case Does::add:
      return a + b;
    case Does::sub:
      return a - b;
    case Does::mul:
      return a * b;
    default:
      if (std::isnan(a) || std::isnan(b)) return std::nanf("");
      return (does == Does::max) == (a > b) ? a : b;
  }
}

int64_t of_wholes(Does does, int64_t a, int64_t b) {
  switch (does) {
    case Does::add:
      return a + b;
    case Does::sub:
      return a - b;
    case Does::mul:
      return a * b;
    case Does::max:
      return std::max(a, b);
    default:
      return std::min(a, b);
  }
}

Number applied(Elem elem, Does does, const Number& a, const Number& b) {
  if (elem == Elem::f32) return {0, of_floats(does, a.real, b.real)};
  return number_of(elem, of_wholes(does, a.whole, b.whole));
}

/// A number that chooses rows or turns: of constants, counters and the parameter n.
struct Index {
  enum class Kind : uint8_t {
    constant,
    counter,
    parameter,
    add,
    mul,
    rem,
    div,
    min,
    max
  } kind = Kind::constant;
  int64_t number = 0;
  std::string counter;
  std::vector<Index> of;
};
constexpr std::array kIndexOps = {"addi", "muli", "remui", "divui", "minui", "maxui"};

struct Statement {
  enum class Kind : uint8_t { make, load, store, binary, scalar, move, loop, branch, call } kind = Kind::move;
  size_t op = 0;                       ///< which of its kind
  std::string a, b, to;                ///< tiles
  char buffer = 'x';                   ///< of a load
  int64_t number = 0;                  ///< scalar operand; step of a loop
  Index index, other;                  ///< row; end of a loop; both sides of a comparison
  std::string counter;                 ///< of a loop
  std::array<std::string, 6> carried;  ///< tiles before the loop, in it and behind it, two each; may be none
  std::vector<Statement> body, otherwise;
};
using Statements = std::vector<Statement>;

/// What one block sees while it is evaluated.
struct State {
  std::map<std::string, int64_t> counters;
  std::map<std::string, std::string> storage;  ///< of names of tiles
  std::map<std::string, Tile> tiles;           ///< by storage
};

/// Kernels on vector tiles.
class VectorKernel {
 public:
  explicit VectorKernel(Choices& choices) : c_(choices) {
    constexpr std::array kElems = {Elem::f32, Elem::i32, Elem::i16};
    constexpr std::array<int64_t, 5> kHeights = {1, 2, 4, 8, 16};
    constexpr std::array<int64_t, 3> kWidths = {16, 32, 64};
    elem_ = kElems[c_.below(kElems.size())];
    rows_ = kHeights[c_.below(kHeights.size())];
    columns_ = kWidths[c_.below(kWidths.size())];
    blocks_ = static_cast<int64_t>(1 + c_.below(3));
    n_ = static_cast<int64_t>(c_.below(6));
    target_ = c_.chance(128) ? "a2a3" : "a5";
    own_ = std::max<int64_t>(1, kRows / rows_ / blocks_);
    blocks_ = std::min(blocks_, kRows / rows_ / own_);
    tile_ = fmt::format("!pto.tile_buf<vec, {}x{}x{}>", rows_, columns_, name_of(elem_));
    part_ = fmt::format("!pto.partition_tensor_view<{}x{}x{}>", rows_, columns_, name_of(elem_));
    view_ = fmt::format("!pto.tensor_view<?x?x{}>", name_of(elem_));
    for (size_t i = 0; i < 2 + c_.below(3); ++i) base_.push_back(fmt::format("%b{}", i));
  }

  GeneratedKernel make() {
    has_helper_ = c_.chance(100);
    const Statements all = block(base_, {}, 0);
    GeneratedKernel made;
    made.text = text_of(all);
    made.blocks = static_cast<uint32_t>(blocks_);
    made.floats = elem_ == Elem::f32;
    for (const char name : {'x', 'y', 'o'}) made.arguments.push_back(buffer(name));
    Argument n;
    n.name = "n", n.is_buffer = false, n.scalar = static_cast<uint64_t>(n_);
    made.arguments.insert(made.arguments.end() - 1, n);
    evaluate(all, made);
    return made;
  }

 private:
  template <typename List>
  const auto& pick(const List& list) {
    return list[c_.below(std::size(list))];
  }
  std::string fresh(std::string_view prefix) { return fmt::format("%{}{}", prefix, count_++); }

  // ---- what it consists of

  Index index(const std::vector<std::string>& counters, int depth) {
    using Kind = Index::Kind;
    const size_t choice = c_.below(8);
    if (depth > 2 || choice < 3) return {Kind::constant, static_cast<int64_t>(c_.below(10)), {}, {}};
    if (choice < 5 && !counters.empty()) return {Kind::counter, 0, pick(counters), {}};
    if (choice == 5) return {Kind::parameter, 0, {}, {}};
    constexpr std::array kKinds = {Kind::add, Kind::mul, Kind::rem, Kind::div, Kind::min, Kind::max};
    const Kind kind = pick(kKinds);
    Index made{kind, 0, {}, {index(counters, depth + 1)}};
    const bool by_constant = kind == Kind::mul || kind == Kind::rem || kind == Kind::div;
    made.of.push_back(by_constant ? Index{Kind::constant, static_cast<int64_t>(2 + c_.below(4)), {}, {}}
                                  : index(counters, depth + 1));
    return made;
  }

  Statements block(std::vector<std::string> tiles, std::vector<std::string> counters, int depth) {
    Statements all;
    const size_t count = depth == 0 ? 4 + c_.below(8) : 1 + c_.below(4);
    for (size_t i = 0; i < count; ++i) all.push_back(statement(tiles, counters, depth));
    return all;
  }

  Statement statement(std::vector<std::string>& tiles, const std::vector<std::string>& counters, int depth) {
    using Kind = Statement::Kind;
    Statement made;
    const size_t choice = c_.below(16);
    if (choice < 4) {
      made.kind = Kind::load;
      made.to = pick(tiles), made.buffer = "xyo"[c_.below(3)], made.index = index(counters, 0);
    } else if (choice < 7) {
      made.kind = Kind::store;
      made.a = pick(tiles), made.index = index(counters, 0);
    } else if (choice < 10 || (depth > 2 && choice > 12)) {
      made.kind = Kind::binary;
      made.op = c_.below(kBinary.size());
      made.a = pick(tiles), made.b = pick(tiles), made.to = pick(tiles);
    } else if (choice == 10) {
      made.kind = Kind::scalar;
      made.op = c_.below(kScalar.size());
      made.a = pick(tiles), made.to = pick(tiles), made.number = static_cast<int64_t>(c_.below(7)) - 1;
    } else if (choice == 11) {
      made.kind = Kind::move;
      made.a = pick(tiles), made.to = pick(tiles);
    } else if (choice == 12 && has_helper_) {
      made.kind = Kind::call;
      made.index = index(counters, 0), made.other = index(counters, 0);
    } else if (choice < 15) {
      loop(made, tiles, counters, depth);
    } else {
      made.kind = Kind::branch;
      made.op = c_.below(4);
      made.index = index(counters, 0), made.other = index(counters, 0);
      made.body = block(tiles, counters, depth + 1);
      if (c_.chance(128)) made.otherwise = block(tiles, counters, depth + 1);
    }
    return made;
  }

  void loop(Statement& made, std::vector<std::string>& tiles, std::vector<std::string> counters, int depth) {
    made.kind = Statement::Kind::loop;
    made.counter = fresh("i");
    made.number = 1 + static_cast<int64_t>(c_.below(2));
    made.index = c_.chance(128)
                     ? Index{Index::Kind::constant, static_cast<int64_t>(1 + c_.below(5)), {}, {}}
                     : Index{Index::Kind::min,
                             0,
                             {},
                             {{Index::Kind::parameter, 0, {}, {}}, {Index::Kind::constant, 4, {}, {}}}};
    counters.push_back(made.counter);
    std::vector<std::string> inner = tiles;
    if (c_.chance(50)) {
      const std::string one = pick(tiles), two = pick(tiles);
      if (one != two) {
        made.carried = {one, two, fresh("ca"), fresh("cb"), fresh("ra"), fresh("rb")};
        std::erase_if(inner, [&](const std::string& each) { return each == one || each == two; });
        inner.push_back(made.carried[2]), inner.push_back(made.carried[3]);
      }
    }
    std::optional<Statement> own;
    if (c_.chance(90)) {
      own.emplace();
      own->kind = Statement::Kind::make;
      own->to = fresh("t"), own->buffer = "xy"[c_.below(2)], own -> index = index(counters, 0);
      inner.push_back(own->to);
    }
    made.body = block(inner, counters, depth + 1);
    if (own) made.body.insert(made.body.begin(), *own);
    if (made.carried[0].empty()) return;
    std::erase_if(
        tiles, [&](const std::string& each) { return each == made.carried[0] || each == made.carried[1]; });
    tiles.push_back(made.carried[4]), tiles.push_back(made.carried[5]);
  }

  // ---- as text

  std::string constant(int64_t number) {
    constants_.insert(number);
    return fmt::format("%c{}", number);
  }
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  std::string write(const Index& index) {
    using Kind = Index::Kind;
    switch (index.kind) {
      case Kind::constant:
        return constant(index.number);
      case Kind::counter:
        return index.counter;
      case Kind::parameter:
        return "%n";
      default:
        break;
    }
    const std::string a = write(index.of[0]), b = write(index.of[1]), made = fresh("v");
    const auto op = static_cast<size_t>(index.kind) - static_cast<size_t>(Kind::add);
    line("{} = arith.{} {}, {} : index", made, kIndexOps[op], a, b);
    return made;
  }

  /// The first row of what an index chooses; a block writes rows of its own.
  std::string write_row(const Index& index, bool own) {
    const std::string which = write(index), in = fresh("v"), row = fresh("v");
    line("{} = arith.remui {}, {} : index", in, which, constant(own ? own_ : kRows / rows_));
    line("{} = arith.muli {}, {} : index", row, in, constant(rows_));
    if (!own) return row;
    const std::string shifted = fresh("v");
    line("{} = arith.addi {}, %base : index", shifted, row);
    return shifted;
  }
  std::string window(char buffer, const std::string& row) {
    const std::string made = fresh("p");
    line("{} = pto.partition_view %v{}, offsets = [{}, {}], sizes = [{}, {}] : {} -> {}", made, buffer, row,
         constant(0), constant(rows_), constant(columns_), view_, part_);
    return made;
  }

  void write(const Statements& all) {
    for (const Statement& each : all) write(each);
  }
  void write(const Statement& s) {
    using Kind = Statement::Kind;
    switch (s.kind) {
      case Kind::make:
        line("{} = pto.alloc_tile : {}", s.to, tile_);
        [[fallthrough]];
      case Kind::load:
        return line("pto.tload ins({} : {}) outs({} : {})",
                    window(s.buffer, write_row(s.index, s.buffer == 'o')), part_, s.to, tile_);
      case Kind::store:
        return line("pto.tstore ins({} : {}) outs({} : {})", s.a, tile_,
                    window('o', write_row(s.index, true)), part_);
      case Kind::binary:
        return line("pto.{} ins({}, {} : {}, {}) outs({} : {})", kBinary[s.op], s.a, s.b, tile_, tile_, s.to,
                    tile_);
      case Kind::scalar:
        scalars_.insert(s.number);
        return line("pto.{} ins({}, %s{} : {}, {}) outs({} : {})", kScalar[s.op], s.a, s.number + 1, tile_,
                    name_of(elem_), s.to, tile_);
      case Kind::move:
        return line("pto.tmov ins({} : {}) outs({} : {})", s.a, tile_, s.to, tile_);
      case Kind::call: {
        const std::string from = write_row(s.index, false), to = write_row(s.other, true);
        return line("func.call @helper(%x, %o, {}, {}) : ({}, {}, index, index) -> ()", from, to, pointer(),
                    pointer());
      }
      case Kind::loop:
        return write_loop(s);
      case Kind::branch: {
        constexpr std::array kPredicates = {"eq", "ne", "ult", "ugt"};
        const std::string a = write(s.index), b = write(s.other), condition = fresh("v");
        line("{} = arith.cmpi {}, {}, {} : index", condition, kPredicates[s.op], a, b);
        line("scf.if {} {{", condition);
        write(s.body);
        if (!s.otherwise.empty()) {
          line("}} else {{");
          write(s.otherwise);
        }
        return line("}}");
      }
    }
  }
  void write_loop(const Statement& s) {
    const std::string end = write(s.index), begin = constant(0), step = constant(s.number);
    const auto& [a, b, in_a, in_b, out_a, out_b] = s.carried;
    if (a.empty())
      line("scf.for {} = {} to {} step {} {{", s.counter, begin, end, step);
    else
      line("{}, {} = scf.for {} = {} to {} step {} iter_args({} = {}, {} = {}) -> ({}, {}) {{", out_a, out_b,
           s.counter, begin, end, step, in_a, a, in_b, b, tile_, tile_);
    write(s.body);
    if (!a.empty()) line("scf.yield {}, {} : {}, {}", in_b, in_a, tile_, tile_);
    line("}}");
  }

  [[nodiscard]] std::string pointer() const { return fmt::format("!pto.ptr<{}>", name_of(elem_)); }

  void write_views(std::string_view buffers) {
    for (const char buffer : buffers)
      line("%v{} = pto.make_tensor_view %{}, shape = [{}, {}], strides = [{}, {}] : {}", buffer, buffer,
           constant(kRows), constant(columns_), constant(columns_), constant(1), view_);
  }

  /// `o[to..] += x[from..]`, with a tile of its own.
  std::string helper() {
    write_views("xo");
    line("%t = pto.alloc_tile : {}", tile_);
    line("%u = pto.alloc_tile : {}", tile_);
    line("pto.tload ins({} : {}) outs(%t : {})", window('x', "%from"), part_, tile_);
    const std::string to = window('o', "%to");
    line("pto.tload ins({} : {}) outs(%u : {})", to, part_, tile_);
    line("pto.tadd ins(%t, %u : {}, {}) outs(%t : {})", tile_, tile_, tile_);
    line("pto.tstore ins(%t : {}) outs({} : {})", tile_, to, part_);
    return function(
        fmt::format("func.func @helper(%x: {}, %o: {}, %from: index, %to: index)", pointer(), pointer()));
  }
  /// What was written so far as the body of a function.
  std::string function(const std::string& head) {
    std::string text = head + " {\n";
    for (const int64_t number : constants_)
      text += fmt::format("%c{} = arith.constant {} : index\n", number, number);
    for (const int64_t number : scalars_)
      text += fmt::format("%s{} = arith.constant {} : {}\n", number + 1,
                          elem_ == Elem::f32 ? fmt::format("{}.0", number) : fmt::format("{}", number),
                          name_of(elem_));
    text += std::exchange(out_, {}) + "return\n}\n";
    constants_.clear(), scalars_.clear();
    return text;
  }

  std::string text_of(const Statements& all) {
    std::string text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n", target_);
    if (has_helper_) text += helper();
    line("%block = pto.get_block_idx");
    line("%at = arith.index_cast %block : i64 to index");
    line("%base = arith.muli %at, {} : index", constant(own_ * rows_));
    write_views("xyo");
    for (size_t i = 0; i < base_.size(); ++i) {
      line("{} = pto.alloc_tile : {}", base_[i], tile_);
      const Index row{Index::Kind::constant, static_cast<int64_t>(i), {}, {}};
      line("pto.tload ins({} : {}) outs({} : {})", window(first_buffer(i), write_row(row, false)), part_,
           base_[i], tile_);
    }
    write(all);
    return text +
           function(fmt::format("func.func @k(%x: {}, %y: {}, %n: index, %o: {}) attributes {{pto.entry}}",
                                pointer(), pointer(), pointer())) +
           "}\n";
  }
  static char first_buffer(size_t tile) { return tile % 2 == 0 ? 'x' : 'y'; }

  // ---- evaluated

  Argument buffer(char name) {
    Argument made;
    made.name = std::string(1, name);
    std::vector<Number>& contents = memory_[name];
    for (int64_t i = 0; i < kRows * columns_; ++i)
      contents.push_back(number_of(elem_, (i * 7 + name * 13) % 17 - 8));
    made.bytes = bytes_of(contents);
    return made;
  }
  [[nodiscard]] std::vector<std::byte> bytes_of(const std::vector<Number>& numbers) const {
    std::vector<std::byte> bytes(numbers.size() * width_of(elem_));
    for (size_t i = 0; i < numbers.size(); ++i) {
      const uint32_t bits = elem_ == Elem::f32
                                ? std::bit_cast<uint32_t>(numbers[i].real)
                                : static_cast<uint32_t>(static_cast<uint64_t>(numbers[i].whole));
      std::memcpy(bytes.data() + i * width_of(elem_), &bits, width_of(elem_));
    }
    return bytes;
  }

  void evaluate(const Statements& all, GeneratedKernel& made) {
    for (int64_t block = 0; block < blocks_; ++block) {
      State state;
      row_base_ = block * own_ * rows_;
      for (size_t i = 0; i < base_.size(); ++i) {
        state.storage[base_[i]] = base_[i];
        state.tiles[base_[i]] = loaded(first_buffer(i), (static_cast<int64_t>(i) % (kRows / rows_)) * rows_);
      }
      run(all, state);
    }
    made.wanted = bytes_of(memory_['o']);
    made.steps = steps_;
  }

  [[nodiscard]] int64_t value(const Index& index, const State& state) const {
    using Kind = Index::Kind;
    switch (index.kind) {
      case Kind::constant:
        return index.number;
      case Kind::counter:
        return state.counters.at(index.counter);
      case Kind::parameter:
        return n_;
      default:
        break;
    }
    const int64_t a = value(index.of[0], state), b = value(index.of[1], state);
    switch (index.kind) {
      case Kind::add:
        return a + b;
      case Kind::mul:
        return a * b;
      case Kind::rem:
        return a % b;
      case Kind::div:
        return a / b;
      case Kind::min:
        return std::min(a, b);
      default:
        return std::max(a, b);
    }
  }
  [[nodiscard]] int64_t row(const Index& index, bool own, const State& state) const {
    return own ? value(index, state) % own_ * rows_ + row_base_
               : value(index, state) % (kRows / rows_) * rows_;
  }
  [[nodiscard]] Tile loaded(char buffer, int64_t row) const {
    const auto begin = memory_.at(buffer).begin() + row * columns_;
    return {begin, begin + rows_ * columns_};
  }
  void stored(const Tile& tile, int64_t row) {
    std::ranges::copy(tile, memory_['o'].begin() + row * columns_);
  }

  void run(const Statements& all, State& state) {
    for (const Statement& each : all) run(each, state);
  }
  void run(const Statement& s, State& state) {
    using Kind = Statement::Kind;
    ++steps_;
    const auto tile = [&](const std::string& name) -> Tile& { return state.tiles[state.storage.at(name)]; };
    switch (s.kind) {
      case Kind::make:
        state.storage[s.to] = s.to;
        [[fallthrough]];
      case Kind::load:
        tile(s.to) = loaded(s.buffer, row(s.index, s.buffer == 'o', state));
        return;
      case Kind::store:
        return stored(tile(s.a), row(s.index, true, state));
      case Kind::binary: {
        const Tile a = tile(s.a), b = tile(s.b);
        Tile& to = tile(s.to);
        for (size_t i = 0; i < to.size(); ++i) to[i] = applied(elem_, static_cast<Does>(s.op), a[i], b[i]);
        return;
      }
      case Kind::scalar: {
        const Tile a = tile(s.a);
        Tile& to = tile(s.to);
        const Number b = number_of(elem_, s.number);
        for (size_t i = 0; i < to.size(); ++i) to[i] = applied(elem_, kScalarDoes[s.op], a[i], b);
        return;
      }
      case Kind::move:
        tile(s.to) = Tile(tile(s.a));
        return;
      case Kind::call: {
        const int64_t to = row(s.other, true, state);
        Tile sum = loaded('x', row(s.index, false, state));
        const Tile before = loaded('o', to);
        for (size_t i = 0; i < sum.size(); ++i) sum[i] = applied(elem_, Does::add, sum[i], before[i]);
        return stored(sum, to);
      }
      case Kind::loop:
        return run_loop(s, state);
      case Kind::branch: {
        const int64_t a = value(s.index, state), b = value(s.other, state);
        const bool taken = s.op == 0 ? a == b : s.op == 1 ? a != b : s.op == 2 ? a < b : a > b;
        return run(taken ? s.body : s.otherwise, state);
      }
    }
  }
  void run_loop(const Statement& s, State& state) {
    const auto& [a, b, in_a, in_b, out_a, out_b] = s.carried;
    const int64_t end = value(s.index, state);
    std::string first = a.empty() ? "" : state.storage.at(a), second = a.empty() ? "" : state.storage.at(b);
    for (int64_t i = 0; i < end && steps_ < kMostSteps; i += s.number) {
      state.counters[s.counter] = i;
      if (!a.empty()) state.storage[in_a] = first, state.storage[in_b] = second;
      run(s.body, state);
      std::swap(first, second);
    }
    if (!a.empty()) state.storage[out_a] = first, state.storage[out_b] = second;
  }

  Choices& c_;
  Elem elem_ = Elem::f32;
  int64_t rows_ = 0, columns_ = 0, blocks_ = 1, n_ = 0;
  int64_t own_ = 1;  ///< tiles of the last buffer that a block writes
  std::string_view target_;
  std::string tile_, part_, view_;
  std::vector<std::string> base_;
  bool has_helper_ = false;
  size_t count_ = 0;
  std::string out_;
  std::set<int64_t> constants_, scalars_;
  std::map<char, std::vector<Number>> memory_;
  int64_t row_base_ = 0;
  uint64_t steps_ = 0;
};

/// Products of f16 matrices of small whole numbers, which are exact: on the cube core alone, or handed
/// through a queue to a vector core that adds to them.
class CubeKernel {
 public:
  explicit CubeKernel(Choices& choices) : c_(choices) {
    m_ = 16 * static_cast<int64_t>(1 + c_.below(2));
    n_ = 16 * static_cast<int64_t>(1 + c_.below(2));
    chunks_ = static_cast<int64_t>(1 + c_.below(4));
    turns_ = static_cast<int64_t>(1 + c_.below(4));
    queue_ = c_.chance(110);
    skip_ = static_cast<int64_t>(c_.below(3));
    target_ = queue_ || c_.chance(128) ? "a5" : "a2a3";
    adds_ = 1 + c_.below(3);
  }

  GeneratedKernel make() {
    GeneratedKernel made;
    made.floats = true;
    made.text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n{}}}\n", target_,
                            queue_ ? cube(true) + vector() : cube(false));
    Argument a, b, o;
    a.name = "a", a.bytes = halves(m_ * turns_, kInner * chunks_, a_);
    b.name = "b", b.bytes = halves(kInner * chunks_, n_, b_);
    o.name = "o", o.bytes.resize(static_cast<size_t>(m_ * turns_ * n_) * 4);
    made.arguments = {a, b, o};
    made.wanted = product();
    made.steps = static_cast<uint64_t>(turns_ * chunks_);
    return made;
  }

 private:
  static constexpr int64_t kInner = 16;

  [[nodiscard]] std::string matrix(std::string_view space, int64_t rows, int64_t columns) const {
    constexpr std::string_view kZn = ", blayout=row_major, slayout=col_major",
                               kNz = ", blayout=col_major, slayout=row_major";
    const bool right = space == "right", a2a3_left = space == "left" && target_ == "a2a3";
    return fmt::format("!pto.tile_buf<{}, {}x{}x{}{}>", space, rows, columns, space == "acc" ? "f32" : "f16",
                       right            ? std::string(kZn)
                       : a2a3_left      ? std::string(", blayout=row_major, slayout=row_major")
                       : space == "acc" ? std::string(kNz) + ", fractal=1024"
                                        : std::string(kNz));
  }

  /// Numbers from -3 to 3.
  std::vector<std::byte> halves(int64_t rows, int64_t columns, std::vector<int>& numbers) {
    constexpr std::array<uint16_t, 7> kHalves = {0xc200, 0xc000, 0xbc00, 0x0000, 0x3c00, 0x4000, 0x4200};
    std::vector<std::byte> bytes(static_cast<size_t>(rows * columns) * 2);
    const size_t seed = c_.below(7);
    for (size_t i = 0; i < static_cast<size_t>(rows * columns); ++i) {
      const size_t which = (i * 5 + i / 11 + seed) % kHalves.size();
      numbers.push_back(static_cast<int>(which) - 3);
      std::memcpy(bytes.data() + 2 * i, &kHalves[which], 2);
    }
    return bytes;
  }

  /// Of each turn: a part of the rows of A times B, in chunks of the inner dimension.
  [[nodiscard]] std::string cube(bool pushes) const {
    const std::string a_part = fmt::format("!pto.partition_tensor_view<{}x{}xf16>", m_, kInner),
                      b_part = fmt::format("!pto.partition_tensor_view<{}x{}xf16>", kInner, n_),
                      o_part = fmt::format("!pto.partition_tensor_view<{}x{}xf32>", m_, n_);
    const std::string ma = matrix("mat", m_, kInner), mb = matrix("mat", kInner, n_),
                      left = matrix("left", m_, kInner), right = matrix("right", kInner, n_),
                      acc = matrix("acc", m_, n_);
    std::string text = fmt::format(
        "func.func @k{}(%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %o: !pto.ptr<f32>) attributes {{{}}} {{\n",
        pushes ? "_aic" : "", pushes ? "pto.kernel_kind = #pto.kernel_kind<cube>" : "pto.entry");
    std::set<int64_t> numbers = {0, 1, kInner, m_, n_, chunks_, turns_, kInner * chunks_, m_ * turns_};
    for (const int64_t number : numbers)
      text += fmt::format("%c{} = arith.constant {} : index\n", number, number);
    if (pushes)
      text += fmt::format(
          "%zero = arith.constant 0 : i32\n%q = pto.import_reserved_buffer {{name = \"q\", peer_func = "
          "@k_aiv}} -> i32\n"
          "pto.aic_initialize_pipe {{dir_mask = 1, slot_size = {}}} (c2v_consumer_buf = %q : i32, "
          "v2c_consumer_buf = %zero : i32)\n",
          m_ * n_ * 4);
    text += fmt::format(
        "%va = pto.make_tensor_view %a, shape = [%c{}, %c{}], strides = [%c{}, %c1] : "
        "!pto.tensor_view<?x?xf16>\n"
        "%vb = pto.make_tensor_view %b, shape = [%c{}, %c{}], strides = [%c{}, %c1] : "
        "!pto.tensor_view<?x?xf16>\n"
        "%vo = pto.make_tensor_view %o, shape = [%c{}, %c{}], strides = [%c{}, %c1] : "
        "!pto.tensor_view<?x?xf32>\n",
        m_ * turns_, kInner * chunks_, kInner * chunks_, kInner * chunks_, n_, n_, m_ * turns_, n_, n_);
    text += fmt::format(
        "%ma = pto.alloc_tile : {}\n%mb = pto.alloc_tile : {}\n%l = pto.alloc_tile : {}\n"
        "%r = pto.alloc_tile : {}\n%s = pto.alloc_tile : {}\n",
        ma, mb, left, right, acc);
    text += fmt::format(
        "scf.for %t = %c0 to %c{} step %c1 {{\n%row = arith.muli %t, %c{} : index\n"
        "scf.for %i = %c0 to %c{} step %c1 {{\n%at = arith.muli %i, %c{} : index\n"
        "%pa = pto.partition_view %va, offsets = [%row, %at], sizes = [%c{}, %c{}] : "
        "!pto.tensor_view<?x?xf16> -> {}\n"
        "%pb = pto.partition_view %vb, offsets = [%at, %c0], sizes = [%c{}, %c{}] : "
        "!pto.tensor_view<?x?xf16> -> {}\n"
        "pto.tload ins(%pa : {}) outs(%ma : {})\npto.tload ins(%pb : {}) outs(%mb : {})\n"
        "pto.tmov ins(%ma : {}) outs(%l : {})\npto.tmov ins(%mb : {}) outs(%r : {})\n"
        "%first = arith.cmpi eq, %i, %c0 : index\n"
        "scf.if %first {{\npto.tmatmul ins(%l, %r : {}, {}) outs(%s : {})\n}} else {{\n"
        "pto.tmatmul.acc ins(%s, %l, %r : {}, {}, {}) outs(%s : {})\n}}\n}}\n",
        turns_, m_, chunks_, kInner, m_, kInner, a_part, kInner, n_, b_part, a_part, ma, b_part, mb, ma, left,
        mb, right, left, right, acc, acc, left, right, acc);
    text += pushes ? fmt::format("pto.tpush_to_aiv(%s : {}) {{split = 0}}\n", acc)
                   : fmt::format(
                         "%po = pto.partition_view %vo, offsets = [%row, %c0], sizes = [%c{}, %c{}] : "
                         "!pto.tensor_view<?x?xf32> -> {}\npto.tstore ins(%s : {}) outs(%po : {})\n",
                         m_, n_, o_part, acc, o_part);
    return text + "}\nreturn\n}\n";
  }

  /// Takes each product, adds it to itself, and stores it, but for every so many-th one.
  [[nodiscard]] std::string vector() const {
    const std::string tile = fmt::format("!pto.tile_buf<vec, {}x{}xf32>", m_, n_),
                      part = fmt::format("!pto.partition_tensor_view<{}x{}xf32>", m_, n_);
    std::string text =
        "func.func @k_aiv(%a: !pto.ptr<f16>, %b: !pto.ptr<f16>, %o: !pto.ptr<f32>) attributes "
        "{pto.kernel_kind = #pto.kernel_kind<vector>} {\n%zero = arith.constant 0 : i32\n";
    std::set<int64_t> numbers = {0, 1, m_, n_, turns_, m_ * turns_, skip_};
    for (const int64_t number : numbers)
      text += fmt::format("%c{} = arith.constant {} : index\n", number, number);
    text += fmt::format(
        "%q = pto.reserve_buffer {{name = \"q\", size = {}, location = #pto.address_space<vec>, auto = "
        "true}} -> i32\n"
        "pto.aiv_initialize_pipe {{dir_mask = 1, slot_size = {}}} (c2v_consumer_buf = %q : i32, "
        "v2c_consumer_buf = "
        "%zero : i32)\n"
        "%vo = pto.make_tensor_view %o, shape = [%c{}, %c{}], strides = [%c{}, %c1] : "
        "!pto.tensor_view<?x?xf32>\n"
        "%sum = pto.alloc_tile : {}\nscf.for %t = %c0 to %c{} step %c1 {{\n",
        m_ * n_ * 4 * 8, m_ * n_ * 4, m_ * turns_, n_, n_, tile, turns_);
    text += fmt::format(
        "%got = pto.tpop_from_aic {{split = 0}} -> {}\n"
        "pto.tadd ins(%got, %got : {}, {}) outs(%sum : {})\npto.tfree_from_aic {{split = 0}}\n",
        tile, tile, tile, tile);
    for (size_t i = 1; i < adds_; ++i)
      text += fmt::format("pto.tadd ins(%sum, %sum : {}, {}) outs(%sum : {})\n", tile, tile, tile);
    text += fmt::format(
        "%kept = arith.cmpi ne, %t, %c{} : index\nscf.if %kept {{\n%row = arith.muli %t, %c{} : index\n"
        "%po = pto.partition_view %vo, offsets = [%row, %c0], sizes = [%c{}, %c{}] : "
        "!pto.tensor_view<?x?xf32> -> {}\npto.tstore ins(%sum : {}) outs(%po : {})\n}}\n}}\nreturn\n}}\n",
        skip_, m_, m_, n_, part, tile, part);
    return text;
  }

  [[nodiscard]] std::vector<std::byte> product() const {
    const int64_t inner = kInner * chunks_;
    std::vector<std::byte> bytes(static_cast<size_t>(m_ * turns_ * n_) * 4);
    for (int64_t row = 0; row < m_ * turns_; ++row) {
      for (int64_t column = 0; column < n_; ++column) {
        int sum = 0;
        for (int64_t k = 0; k < inner; ++k)
          sum += a_[static_cast<size_t>(row * inner + k)] * b_[static_cast<size_t>(k * n_ + column)];
        if (queue_) sum = row / m_ == skip_ ? 0 : sum << adds_;
        const auto real = static_cast<float>(sum);
        std::memcpy(bytes.data() + 4 * static_cast<size_t>(row * n_ + column), &real, 4);
      }
    }
    return bytes;
  }

  Choices& c_;
  int64_t m_ = 16, n_ = 16, chunks_ = 1, turns_ = 1, skip_ = 0;
  bool queue_ = false;
  std::string_view target_;
  size_t adds_ = 1;
  std::vector<int> a_, b_;
};

}  // namespace

GeneratedKernel generate_kernel(Choices& choices) {
  if (choices.chance(64)) return CubeKernel(choices).make();
  return VectorKernel(choices).make();
}

}  // namespace pto::fuzz
