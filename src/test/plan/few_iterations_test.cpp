// However often its open loops run, a kernel with the buffers that are chosen for it is never slower than
// with one.
#include <fmt/format.h>

#include <random>

#include "driver/run_fixture.hpp"

namespace {

using namespace pto;
using namespace pto::test;

constexpr int kMaxIterations = 20;

/// A kernel of one or two open loops, one behind the other or one in the other, made from a number.
class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  std::string make(std::string_view target) {
    rows_ = one_of({8, 16, 32, 64});
    columns_ = one_of({64, 128});
    text_ = fmt::format(
        "module attributes {{pto.target_arch = \"{}\"}} {{\n"
        "func.func @k(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %n: index, %s: index) attributes {{pto.entry}} "
        "{{\n"
        "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%ch = arith.constant {} : index\n"
        "%cw = arith.constant {} : index\n%all = arith.constant 1048576 : index\n",
        target, rows_, columns_);
    for (const char* name : {"x", "y"})
      text_ += fmt::format(
          "%{0}v = pto.make_tensor_view %{0}, shape = [%all, %cw], strides = [%cw, %c1] : "
          "!pto.tensor_view<?x?xf32>\n",
          name);
    const int shape = one_of({0, 0, 0, 1, 2});
    const std::string_view step = one_of({0, 1}) == 0 ? "%ch" : "%s";
    if (one_of({0, 1}) == 0) outside_ = {alloc(), alloc()};
    text_ += fmt::format("%end = arith.muli %n, {} : index\n", step);
    text_ += fmt::format("scf.for %i = %c0 to %end step {} {{\n", step);
    body("i");
    if (shape == 2) {
      text_ += "scf.for %j = %c0 to %n step %c1 {\n%r = arith.addi %i, %j : index\n";
      body("r");
      text_ += "}\n";
    }
    text_ += "}\n";
    if (shape == 1) {
      text_ += "scf.for %j = %c0 to %end step %ch {\n";
      body("j");
      text_ += "}\n";
    }
    return text_ + "return\n}\n}\n";
  }
  [[nodiscard]] int rows() const { return rows_; }

 private:
  int one_of(std::vector<int> choices) {
    return choices[std::uniform_int_distribution<size_t>(0, choices.size() - 1)(random_)];
  }
  [[nodiscard]] std::string tile() const {
    return fmt::format("!pto.tile_buf<vec, {}x{}xf32>", rows_, columns_);
  }
  std::string alloc() {
    text_ += fmt::format("%t{} = pto.alloc_tile : {}\n", ++count_, tile());
    return fmt::format("%t{}", count_);
  }
  std::string window(std::string_view view, std::string_view row) {
    text_ += fmt::format(
        "%p{} = pto.partition_view %{}, offsets = [%{}, %c0], sizes = [%ch, %cw] : !pto.tensor_view<?x?xf32> "
        "-> !pto.partition_tensor_view<{}x{}xf32>\n",
        ++count_, view, row, rows_, columns_);
    return fmt::format("%p{}", count_);
  }
  void body(std::string_view row) {
    std::vector<std::string> tiles = outside_;
    const std::string part = fmt::format("!pto.partition_tensor_view<{}x{}xf32>", rows_, columns_);
    const int loads = one_of({1, 1, 2});
    const int sums = one_of({0, 1, 2, 4});
    const int stores = one_of({1, 1, 2});
    for (int i = 0; i < loads; ++i) {
      if (static_cast<size_t>(i) >= tiles.size()) tiles.push_back(alloc());
      const std::string from = window("xv", row);
      text_ += fmt::format("pto.tload ins({} : {}) outs({} : {})\n", from, part,
                           tiles[static_cast<size_t>(i)], tile());
    }
    std::string last = tiles[0];
    for (int i = 0; i < sums; ++i) {
      const std::string to = one_of({0, 1}) == 0 ? last : alloc();
      text_ += fmt::format("pto.tadd ins({0}, {1} : {3}, {3}) outs({2} : {3})\n", last,
                           tiles[static_cast<size_t>(loads - 1)], to, tile());
      last = to;
    }
    for (int i = 0; i < stores; ++i) {
      const std::string to = window("yv", row);
      text_ += fmt::format("pto.tstore ins({} : {}) outs({} : {})\n", last, tile(), to, part);
    }
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<std::string> outside_;
  int rows_ = 0, columns_ = 0, count_ = 0;
};

Prepared planned(const std::string& text, unsigned buffers) {
  PrepareOptions options;
  options.buffers = buffers;
  Result<Prepared> prepared = prepare(text, options);
  REQUIRE(prepared.ok());
  REQUIRE(prepared->ready);
  return std::move(*prepared);
}

SimResult run(const Prepared& prepared, int turns, int rows) {
  std::vector<Argument> arguments(4);
  const char* names[] = {"x", "y", "n", "s"};
  for (size_t i = 0; i < arguments.size(); ++i) {
    arguments[i].name = names[i];
    arguments[i].is_buffer = i < 2;
    if (i < 2) arguments[i].room = uint64_t{1} << 28;
  }
  arguments[2].scalar = static_cast<uint64_t>(turns);
  arguments[3].scalar = static_cast<uint64_t>(rows);
  SimOptions options;
  options.mode = Mode::time;
  Result<SimResult> result = simulate(prepared, arguments, options);
  REQUIRE(result.ok());
  REQUIRE(result->ended);
  return std::move(*result);
}

TEST_CASE("Chosen buffers are never slower than one, however often loops run", "[multi_buffer]") {
  unsigned with_more = 0;
  for (unsigned seed = 0; seed < 24; ++seed) {
    Maker defining_op(seed);
    const std::string text = defining_op.make(seed % 2 == 0 ? "a2a3" : "a5");
    const Prepared one = planned(text, 1);
    const Prepared chosen = planned(text, 0);
    with_more += chosen.program.ops.size() > one.program.ops.size();
    for (int turns = 0; turns <= kMaxIterations; ++turns) {
      INFO("seed " << seed << ", turns " << turns << "\n" << text);
      const SimResult with_one = run(one, turns, defining_op.rows());
      CHECK(run(chosen, turns, defining_op.rows()).kernel_cycles() <=
            with_one.kernel_cycles() + with_one.total_cycles / 500);
    }
  }
  CHECK(with_more > 8);
}

}  // namespace
