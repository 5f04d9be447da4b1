// What a race leaves in the outputs: a second run in which everything that is in no order happens the other
// way round.
#include <fmt/format.h>

#include <algorithm>

#include "driver/run_fixture.hpp"

namespace pto {
namespace {

constexpr std::string_view kTile = "!pto.tile_buf<vec, 16x16xf32>",
                           kPart = "!pto.partition_tensor_view<16x16xf32>";

std::string load(std::string_view from, std::string_view to) {
  return fmt::format("pto.tload ins(%{} : {}) outs(%{} : {})\n", from, kPart, to, kTile);
}
std::string add(std::string_view a, std::string_view b, std::string_view to) {
  return fmt::format("pto.tadd ins(%{}, %{} : {}, {}) outs(%{} : {})\n", a, b, kTile, kTile, to, kTile);
}
std::string store(std::string_view from) {
  return fmt::format("pto.tstore ins(%{} : {}) outs(%o : {})\n", from, kTile, kPart);
}
std::string flag(std::string_view from, std::string_view to, int id = 0) {
  const std::string name = fmt::format("[\"PIPE_{}\", \"PIPE_{}\", \"EVENT_ID{}\"]\n", from, to, id);
  return "pto.set_flag" + name + "pto.wait_flag" + name;
}

/// Tiles %x, %y, %z, %w of 16x16 at 0, 1024, 2048, 3072; views %a, %b, %o of the arguments.
std::string kernel(std::string_view body) {
  std::string text = R"(module attributes {pto.target_arch = "a3"} {
func.func @k(%pa: !pto.ptr<f32>, %pb: !pto.ptr<f32>, %po: !pto.ptr<f32>) attributes {pto.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
)";
  for (const char name : {'a', 'b', 'o'})
    text += fmt::format(
        "  %v{0} = pto.make_tensor_view %p{0}, shape = [%c16, %c16], strides = [%c16, %c1] : "
        "!pto.tensor_view<?x?xf32>\n"
        "  %{0} = pto.partition_view %v{0}, offsets = [%c0, %c0], sizes = [%c16, %c16] : "
        "!pto.tensor_view<?x?xf32> -> {1}\n",
        name, kPart);
  for (int i = 0; i < 4; ++i)
    text += fmt::format("  %at{0} = arith.constant {1} : i64\n  %{2} = pto.alloc_tile addr = %at{0} : {3}\n",
                        i, 1024 * i, "xyzw"[i], kTile);
  return text + std::string(body) + "return\n}\n}\n";
}

struct Outcome {
  float value = 0;  ///< of every element of the output
  size_t races = 0;
  bool told = false;  ///< a note says that the output is another one
};

/// %a is full of 1, %b of 2, the output of 7.
Outcome outcome(const std::string& body, bool again) {
  std::vector<Argument> arguments{test::buffer("a", std::vector<float>(256, 1)),
                                  test::buffer("b", std::vector<float>(256, 2)),
                                  test::buffer("o", std::vector<float>(256, 7))};
  Diagnostics diagnostics;
  Result<Prepared> prepared =
      prepare(kernel(body), {.sync = SyncBy::program, .check_synchronisation = false});
  REQUIRE(prepared.ok());
  REQUIRE(prepared->ready);
  SimOptions options;
  options.checks.adverse_schedule = again;
  options.mode = Mode::check;
  const Result<SimResult> result = simulate(*prepared, arguments, options);
  REQUIRE(result.ok());
  Outcome out;
  const std::vector<float> values = test::values_of<float>(arguments[2]);
  out.value = values[0];
  CHECK(std::ranges::count(values, values[0]) == 256);
  for (const Diagnostic& each : result->findings.all()) {
    out.races += each.id == FindingId::race;
    for (const Note& note : each.notes)
      out.told |= note.message.starts_with("output 'o' differs when the two are exchanged");
  }
  return out;
}

void check(const std::string& body, float in_order, float otherwise) {
  const Outcome first = outcome(body, false);
  const Outcome second = outcome(body, true);
  CHECK(first.races > 0);
  CHECK(second.races == first.races);
  CHECK(first.value == in_order);
  CHECK(second.value == otherwise);
  CHECK_FALSE(first.told);
  CHECK(second.told == (in_order != otherwise));
}

const std::string kBoth = load("a", "x") + load("b", "y") + flag("MTE2", "V");
std::string stored(std::string_view tile) { return flag("V", "MTE3") + store(tile); }

TEST_CASE("a reader that does not wait within its pipe gets the bytes of before", "[race][late]") {
  // z = x + y; z = z + x: the second one finds what %z held, nothing.
  check(kBoth + add("x", "y", "z") + add("z", "x", "z") + stored("z"), 4, 3);
  check(kBoth + add("x", "y", "z") + add("z", "x", "y") + stored("y"), 4, 1);
  const Outcome ordered = outcome(
      kBoth + add("x", "y", "z") + "pto.barrier #pto.pipe<PIPE_V>\n" + add("z", "x", "y") + stored("y"),
      true);
  CHECK(ordered.races == 0);
  CHECK(ordered.value == 4);
}

TEST_CASE("so does one on another pipe", "[race][late]") {
  // The load of %y is not waited for: V adds zeros.
  const std::string barrier = "pto.barrier #pto.pipe<PIPE_V>\n";
  const std::string sum = add("x", "x", "z") + barrier;
  check(load("a", "x") + flag("MTE2", "V") + load("b", "y") + sum + sum + sum + add("x", "y", "z") +
            stored("z"),
        3, 1);
  // The store does not wait for the sum.
  const std::string before = store("x") + store("x") + store("x");
  check(kBoth + flag("MTE2", "MTE3", 1) + add("x", "y", "z") + before + store("z"), 3, 0);
}

TEST_CASE("of two writes the first one stays", "[race][late]") {
  check(kBoth + add("x", "x", "z") + add("x", "y", "z") + stored("z"), 3, 2);
}

TEST_CASE("a reader that others overtake gets what they write", "[race][late]") {
  // %x is loaded again while V may still read it.
  const std::string before = load("a", "w") + load("a", "w") + load("a", "w");
  check(kBoth + add("x", "y", "z") + before + load("b", "x") + stored("z"), 3, 4);
}

TEST_CASE("so does one that a write of its own pipe overtakes", "[race][late]") {
  // z = x + y while x = y + y is written: 4 + 2.
  const std::string barrier = "pto.barrier #pto.pipe<PIPE_V>\n";
  check(kBoth + add("x", "y", "z") + add("y", "y", "x") + barrier + stored("z"), 3, 6);
  CHECK(outcome(kBoth + add("x", "y", "z") + barrier + add("y", "y", "x") + stored("z"), true).value == 3);
  // The second one reads what %z held, nothing: x = 0 + 2, which the first one gets.
  check(kBoth + add("x", "y", "z") + add("z", "y", "x") + barrier + stored("z"), 3, 4);
  // In place: an instruction is ordered with itself.
  CHECK(outcome(kBoth + add("x", "y", "x") + stored("x"), true).value == 3);
}

TEST_CASE("a race that no value shows changes none", "[race][late]") {
  const std::string body = kBoth + add("x", "x", "z") + "pto.barrier #pto.pipe<PIPE_V>\n";
  const Outcome once = outcome(body + add("z", "y", "x") + add("z", "y", "x") + stored("x"), true);
  CHECK(once.races > 0);  // two writes of one value
  CHECK(once.value == 4);
  CHECK_FALSE(once.told);
}

}  // namespace
}  // namespace pto
