// Attributes of tile instructions that are spelled in two ways, and forms that are refused.
#include <cmath>

#include "exec/tile/tile_fixture.hpp"

namespace {
using namespace pto;
using namespace pto::exec;
using namespace pto::exec::test;
constexpr unsigned kSatMode = 1, kSatModeToday = 2;
constexpr int64_t kOn = 0, kOff = 1;

double convert(Elem from, Elem to, double value, const std::map<unsigned, int64_t>& saturation,
               Target target) {
  Bench bench;
  bench.machine.target = target;
  const Arg a = bench.tile(from, {1, 32});
  const Arg d = bench.tile(to, {1, 32});
  bench.fill(a, [&](int64_t, int64_t) { return value; });
  std::map<unsigned, int64_t> attrs{{0, 5}};  // toward zero
  attrs.insert(saturation.begin(), saturation.end());
  bench.run("pto.tcvt", {a, d}, attrs);
  CHECK(bench.faults.empty());
  return bench.get(d, 0, 31);
}
}  // namespace

TEST_CASE("tcvt: satmode is sat_mode", "[tile][convert]") {
  struct Case {
    Elem from, to;
    double value, saturated, wrapped;
  };
  // Wrapped: the low bits of the value truncated to an integer, read with a sign; an infinity stays.
  const Case cases[] = {{Elem::f32, Elem::i16, 70000.75, 32767, 70000 - 65536},
                        {Elem::f32, Elem::i16, -40000, -32768, 65536 - 40000},
                        {Elem::i32, Elem::i16, 98304, 32767, -32768},
                        {Elem::f16, Elem::i8, 300, 127, 300 - 256},
                        {Elem::f32, Elem::f16, HUGE_VAL, 65504, HUGE_VAL}};
  for (const Target target : {Target::a2a3, Target::a5}) {
    for (const Case& c : cases) {
      for (const unsigned spelling : {kSatMode, kSatModeToday}) {
        INFO(to_string(c.from) << " to " << to_string(c.to) << " attribute " << spelling);
        CHECK(convert(c.from, c.to, c.value, {{spelling, kOn}}, target) == c.saturated);
        CHECK(convert(c.from, c.to, c.value, {{spelling, kOff}}, target) == c.wrapped);
      }
    }
  }
}

TEST_CASE("tload with a padding mode is refused", "[tile][move]") {
  for (const unsigned attr : {0U, 1U}) {  // pad_mode, init_out_buffer
    Bench bench;
    const Arg view = bench.view(Elem::f32, {4, 8}, {8, 1});
    const Arg tile = bench.tile(Elem::f32, {4, 8});
    bench.run("pto.tload", {view, tile}, {{attr, 0}});
    CHECK(bench.faults.empty());
    bench.run("pto.tload", {view, tile}, {{attr, 1}});
    CHECK(bench.faults.size() == 1);
  }
}
