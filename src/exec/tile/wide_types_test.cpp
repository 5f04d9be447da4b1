// Element types that A5 has beyond the 32-bit ones: every bit counts.
#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;

constexpr uint64_t kBig = uint64_t{1} << 60;  // f64 cannot tell it from kBig + 1

Bench a5() {
  Bench bench;
  bench.machine.target = Target::a5;
  return bench;
}
}  // namespace

TEST_CASE("64-bit integers compare in all their bits", "[tile][select]") {
  Bench bench = a5();
  const Arg a = bench.tile(Elem::i64, {1, 8});
  const Arg b = bench.tile(Elem::i64, {1, 8});
  const Arg mask = bench.tile(Elem::i8, {1, 32, 1, 1});
  for (int64_t c = 0; c < 8; ++c) {
    bench.put(a, 0, c, kBig + static_cast<uint64_t>(c % 3));
    bench.put(b, 0, c, c == 7 ? ~uint64_t{0} : kBig + 1);
  }
  const std::pair<int64_t, uint64_t> modes[] = {
      {0, 0b00010010}, {2, 0b01001001}, {4, 0b10100100}};  // eq, lt, gt; -1 in lane 7
  for (const auto& [mode, want] : modes) {
    bench.run("pto.tcmp", {a, b, mask}, {{0, mode}});
    CHECK(bench.bits(mask, 0, 0) == want);
  }
  CHECK(bench.faults.empty());
}

TEST_CASE("64-bit integers are scattered and gathered whole", "[tile][gather]") {
  Bench bench = a5();
  const Arg src = bench.tile(Elem::i64, {1, 8});
  const Arg where = bench.tile(Elem::i32, {1, 8});
  const Arg dst = bench.tile(Elem::i64, {1, 8});
  const Arg odd = bench.tile(Elem::i64, {1, 4});
  for (int64_t c = 0; c < 8; ++c) bench.put(src, 0, c, kBig + static_cast<uint64_t>(c));
  bench.fill(where, [](int64_t, int64_t c) { return static_cast<double>(7 - c); });
  bench.run("pto.tscatter", {src, where, dst});
  for (int64_t c = 0; c < 8; ++c) CHECK(bench.bits(dst, 0, c) == kBig + 7 - static_cast<uint64_t>(c));
  bench.run("pto.tgather", {src, odd}, {{0, 2}});  // P1010: odd columns
  for (int64_t c = 0; c < 4; ++c) CHECK(bench.bits(odd, 0, c) == kBig + 1 + 2 * static_cast<uint64_t>(c));
  CHECK(bench.faults.empty());
}

TEST_CASE("bytes are gathered by value", "[tile][gather]") {
  Bench bench = a5();
  const Arg src = bench.tile(Elem::i8, {1, 32});
  const Arg found = bench.tile(Elem::i32, {1, 32});
  const Arg counts = bench.tile(Elem::i32, {1, 8, 1, 1});
  bench.fill(src, [](int64_t, int64_t c) { return c == 3 || c == 30 ? -5.0 : static_cast<double>(c); });
  bench.run("pto.tgather",
            {src, found, counts, Bench::none(), Bench::none(),
             bench.scalar(Elem::i8, static_cast<Word>(int64_t{-5}))},
            {{1, 0}, {2, 0}});
  CHECK(bench.get(counts, 0, 0) == 2.0);
  CHECK(bench.get(found, 0, 0) == 3.0);
  CHECK(bench.get(found, 0, 1) == 30.0);
  CHECK(bench.faults.empty());
}

TEST_CASE("bf16 rows and columns are broadcast, the result rounded once", "[tile][expand]") {
  Bench bench = a5();
  const Arg full = bench.tile(Elem::bf16, {4, 32});
  const Arg column = bench.tile(Elem::bf16, {4, 16, 4, 1});
  const Arg row = bench.tile(Elem::bf16, {1, 32});
  const Arg dst = bench.tile(Elem::bf16, {4, 32});
  bench.fill(full, [](int64_t r, int64_t c) { return 256.0 + static_cast<double>(2 * r + 2 * c); });
  bench.fill(column, [](int64_t r, int64_t) { return static_cast<double>(r) * 0.5 + 1; });
  bench.fill(row, [](int64_t, int64_t c) { return static_cast<double>(c) * 0.25 + 1; });
  const auto round = [](double v) { return num::to_f64(Elem::bf16, num::from_f64(Elem::bf16, v)); };
  bench.run("pto.trowexpandadd", {full, column, Bench::none(), dst});
  for (int64_t c = 0; c < 32; ++c) CHECK(bench.get(dst, 3, c) == round(bench.get(full, 3, c) + 2.5));
  bench.run("pto.tcolexpandmul", {full, row, dst});
  for (int64_t c = 0; c < 32; ++c)
    CHECK(bench.get(dst, 2, c) == round(bench.get(full, 2, c) * bench.get(row, 0, c)));
  CHECK(bench.faults.empty());
}
