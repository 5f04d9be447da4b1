// Structured kernels on vector tiles: loops, branches, called functions. Each statement is made, written and
// evaluated.
// Over 500 lines: one generator, with a function for each kind of statement.
#include "fuzz/vector_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "fuzz/kernel_generator.hpp"

namespace pto::fuzz {
namespace {

constexpr int64_t kRows = 32;        ///< of every buffer
constexpr uint64_t kMaxSteps = 600;  ///< of the evaluation; a kernel that takes more ends there

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
    GeneratedKernel built;
    built.text = text_of(all);
    built.blocks = static_cast<uint32_t>(blocks_);
    built.floats = elem_ == Elem::f32;
    for (const char name : {'x', 'y', 'o'}) built.arguments.push_back(buffer(name));
    Argument n;
    n.name = "n";
    n.is_buffer = false;
    n.scalar = static_cast<uint64_t>(n_);
    built.arguments.insert(built.arguments.end() - 1, n);
    evaluate(all, built);
    return built;
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
    Index built{kind, 0, {}, {index(counters, depth + 1)}};
    const bool by_constant = kind == Kind::mul || kind == Kind::rem || kind == Kind::div;
    built.of.push_back(by_constant ? Index{Kind::constant, static_cast<int64_t>(2 + c_.below(4)), {}, {}}
                                   : index(counters, depth + 1));
    return built;
  }

  Statements block(std::vector<std::string> tiles, std::vector<std::string> counters, int depth) {
    Statements all;
    const size_t count = depth == 0 ? 4 + c_.below(8) : 1 + c_.below(4);
    for (size_t i = 0; i < count; ++i) all.push_back(statement(tiles, counters, depth));
    return all;
  }

  Statement statement(std::vector<std::string>& tiles, const std::vector<std::string>& counters, int depth) {
    using Kind = Statement::Kind;
    Statement built;
    const size_t choice = c_.below(16);
    if (choice < 4) {
      built.kind = Kind::load;
      built.to = pick(tiles);
      built.buffer = "xyo"[c_.below(3)];
      built.index = index(counters, 0);
    } else if (choice < 7) {
      built.kind = Kind::store;
      built.a = pick(tiles);
      built.index = index(counters, 0);
    } else if (choice < 10 || (depth > 2 && choice > 12)) {
      built.kind = Kind::binary;
      built.op = c_.below(kBinary.size());
      built.a = pick(tiles);
      built.b = pick(tiles);
      built.to = pick(tiles);
    } else if (choice == 10) {
      built.kind = Kind::scalar;
      built.op = c_.below(kScalar.size());
      built.a = pick(tiles);
      built.to = pick(tiles);
      built.number = static_cast<int64_t>(c_.below(7)) - 1;
    } else if (choice == 11) {
      built.kind = Kind::move;
      built.a = pick(tiles);
      built.to = pick(tiles);
    } else if (choice == 12 && has_helper_) {
      built.kind = Kind::call;
      built.index = index(counters, 0);
      built.other = index(counters, 0);
    } else if (choice < 15) {
      loop(built, tiles, counters, depth);
    } else {
      built.kind = Kind::branch;
      built.op = c_.below(4);
      built.index = index(counters, 0);
      built.other = index(counters, 0);
      built.body = block(tiles, counters, depth + 1);
      if (c_.chance(128)) built.otherwise = block(tiles, counters, depth + 1);
    }
    return built;
  }

  void loop(Statement& built, std::vector<std::string>& tiles, std::vector<std::string> counters, int depth) {
    built.kind = Statement::Kind::loop;
    built.counter = fresh("i");
    built.number = 1 + static_cast<int64_t>(c_.below(2));
    built.index = c_.chance(128)
                      ? Index{Index::Kind::constant, static_cast<int64_t>(1 + c_.below(5)), {}, {}}
                      : Index{Index::Kind::min,
                              0,
                              {},
                              {{Index::Kind::parameter, 0, {}, {}}, {Index::Kind::constant, 4, {}, {}}}};
    counters.push_back(built.counter);
    std::vector<std::string> inner = tiles;
    if (c_.chance(50)) {
      const std::string one = pick(tiles);
      const std::string two = pick(tiles);
      if (one != two) {
        built.carried = {one, two, fresh("ca"), fresh("cb"), fresh("ra"), fresh("rb")};
        std::erase_if(inner, [&](const std::string& each) { return each == one || each == two; });
        inner.push_back(built.carried[2]);
        inner.push_back(built.carried[3]);
      }
    }
    std::optional<Statement> own;
    if (c_.chance(90)) {
      own.emplace();
      own->kind = Statement::Kind::make;
      own->to = fresh("t");
      own->buffer = "xy"[c_.below(2)];
      own->index = index(counters, 0);
      inner.push_back(own->to);
    }
    built.body = block(inner, counters, depth + 1);
    if (own) built.body.insert(built.body.begin(), *own);
    if (built.carried[0].empty()) return;
    std::erase_if(
        tiles, [&](const std::string& each) { return each == built.carried[0] || each == built.carried[1]; });
    tiles.push_back(built.carried[4]);
    tiles.push_back(built.carried[5]);
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
    const std::string a = write(index.of[0]);
    const std::string b = write(index.of[1]);
    const std::string built = fresh("v");
    const auto op = static_cast<size_t>(index.kind) - static_cast<size_t>(Kind::add);
    line("{} = arith.{} {}, {} : index", built, kIndexOps[op], a, b);
    return built;
  }

  /// The first row of what an index chooses; a block writes rows of its own.
  std::string write_row(const Index& index, bool own) {
    const std::string which = write(index);
    const std::string in = fresh("v");
    const std::string row = fresh("v");
    line("{} = arith.remui {}, {} : index", in, which, constant(own ? own_ : kRows / rows_));
    line("{} = arith.muli {}, {} : index", row, in, constant(rows_));
    if (!own) return row;
    const std::string shifted = fresh("v");
    line("{} = arith.addi {}, %base : index", shifted, row);
    return shifted;
  }
  std::string window(char buffer, const std::string& row) {
    const std::string built = fresh("p");
    line("{} = pto.partition_view %v{}, offsets = [{}, {}], sizes = [{}, {}] : {} -> {}", built, buffer, row,
         constant(0), constant(rows_), constant(columns_), view_, part_);
    return built;
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
        const std::string from = write_row(s.index, false);
        const std::string to = write_row(s.other, true);
        return line("func.call @helper(%x, %o, {}, {}) : ({}, {}, index, index) -> ()", from, to, pointer(),
                    pointer());
      }
      case Kind::loop:
        return write_loop(s);
      case Kind::branch: {
        constexpr std::array kPredicates = {"eq", "ne", "ult", "ugt"};
        const std::string a = write(s.index);
        const std::string b = write(s.other);
        const std::string condition = fresh("v");
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
    const std::string end = write(s.index);
    const std::string begin = constant(0);
    const std::string step = constant(s.number);
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
    constants_.clear();
    scalars_.clear();
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
    Argument built;
    built.name = std::string(1, name);
    std::vector<Number>& contents = memory_[name];
    for (int64_t i = 0; i < kRows * columns_; ++i)
      contents.push_back(number_of(elem_, (i * 7 + name * 13) % 17 - 8));
    built.bytes = bytes_of(contents);
    return built;
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

  void evaluate(const Statements& all, GeneratedKernel& built) {
    for (int64_t block = 0; block < blocks_; ++block) {
      State state;
      row_base_ = block * own_ * rows_;
      for (size_t i = 0; i < base_.size(); ++i) {
        state.storage[base_[i]] = base_[i];
        state.tiles[base_[i]] = loaded(first_buffer(i), (static_cast<int64_t>(i) % (kRows / rows_)) * rows_);
      }
      run(all, state);
    }
    built.wanted = bytes_of(memory_['o']);
    built.steps = steps_;
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
    const int64_t a = value(index.of[0], state);
    const int64_t b = value(index.of[1], state);
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
        const Tile a = tile(s.a);
        const Tile b = tile(s.b);
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
        const int64_t a = value(s.index, state);
        const int64_t b = value(s.other, state);
        const bool taken = s.op == 0 ? a == b : s.op == 1 ? a != b : s.op == 2 ? a < b : a > b;
        return run(taken ? s.body : s.otherwise, state);
      }
    }
  }
  void run_loop(const Statement& s, State& state) {
    const auto& [a, b, in_a, in_b, out_a, out_b] = s.carried;
    const int64_t end = value(s.index, state);
    std::string first = a.empty() ? "" : state.storage.at(a);
    std::string second = a.empty() ? "" : state.storage.at(b);
    for (int64_t i = 0; i < end && steps_ < kMaxSteps; i += s.number) {
      state.counters[s.counter] = i;
      if (!a.empty()) {
        state.storage[in_a] = first;
        state.storage[in_b] = second;
      }
      run(s.body, state);
      std::swap(first, second);
    }
    if (!a.empty()) {
      state.storage[out_a] = first;
      state.storage[out_b] = second;
    }
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

}  // namespace

GeneratedKernel generate_vector_kernel(Choices& choices) { return VectorKernel(choices).make(); }

}  // namespace pto::fuzz
