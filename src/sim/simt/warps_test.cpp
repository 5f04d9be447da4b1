// SIMT launches against a model in the test: what every thread should have is computed here by itself.
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

#include "sim/engine/sim_fixture.hpp"

namespace pto::sim {
namespace {

using test::Bench;

struct Threads {
  int x = 32, y = 1, z = 1;
  [[nodiscard]] int count() const { return x * y * z; }
};

/// Runs `body` on threads: %tid is the linear number, %o the only argument, %at the thread's own index. Gives
/// what stands in %o.
std::vector<int32_t> run_threads(const Threads& threads, const std::string& body, size_t words,
                                 Bench& bench) {
  bench.machine = test::make_machine(Target::a5);
  bench.arguments.clear();
  bench.buffer(words * 4);
  std::memset(bench.arguments[0].bytes.data(), 0, words * 4);
  const auto number = [](int value) { return std::to_string(value); };
  const std::string text =
      R"(module attributes {pto.target_arch = "a5", pto.kernel_kind = #pto.kernel_kind<vector>} {
  func.func @k(%o: !pto.ptr<i32, gm>) attributes {pto.kernel} {
    %x = arith.constant )" +
      number(threads.x) + " : i32\n    %y = arith.constant " + number(threads.y) +
      " : i32\n    %z = arith.constant " + number(threads.z) + R"( : i32
    pto.simt_launch @body<<<%x, %y, %z>>>(%o) : (!pto.ptr<i32, gm>) -> ()
    return
  }
  func.func @body(%o: !pto.ptr<i32, gm>) attributes {pto.simt_entry, pto.simt_max_threads = 2048 : i32} {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %tx = pto.get_tid_x : i32
    %ty = pto.get_tid_y : i32
    %tz = pto.get_tid_z : i32
    %dx = pto.get_block_dim_x : i32
    %dy = pto.get_block_dim_y : i32
    %zy = arith.muli %tz, %dy : i32
    %yz = arith.addi %ty, %zy : i32
    %yzx = arith.muli %yz, %dx : i32
    %tid = arith.addi %tx, %yzx : i32
    %lane = pto.get_laneid : i32
    %at = arith.index_cast %tid : i32 to index
)" + body +
      "    return\n  }\n}";
  INFO(text);
  const SimResult result = bench.must_run(text);
  for (const Diagnostic& each : result.findings.all()) FAIL_CHECK(to_string(each.id) << ": " << each.message);
  std::vector<int32_t> values(words);
  std::memcpy(values.data(), bench.arguments[0].bytes.data(), words * 4);
  return values;
}
std::vector<int32_t> run_threads(const Threads& threads, const std::string& body, size_t words) {
  Bench bench;
  return run_threads(threads, body, words, bench);
}
const std::string kStore = "    pto.stg %r, %o[%at] : !pto.ptr<i32, gm>, i32\n";

TEST_CASE("threads have numbers, x first, and lanes count through", "[simt][M-thread-number]") {
  const Threads threads{5, 3, 7};  // 105 threads: three warps and a part of one
  const auto values = run_threads(threads, R"(    %c8 = arith.constant 8 : i32
    %c16 = arith.constant 16 : i32
    %c24 = arith.constant 24 : i32
    %a = arith.shli %ty, %c8 : i32
    %b = arith.shli %tz, %c16 : i32
    %c = arith.shli %lane, %c24 : i32
    %ab = arith.ori %a, %b : i32
    %abc = arith.ori %ab, %c : i32
    %r = arith.ori %abc, %tx : i32
)" + kStore,
                                  105);
  for (int i = 0; i < threads.count(); ++i)
    CHECK(values[static_cast<size_t>(i)] == (i % 5 | i / 5 % 3 << 8 | i / 15 << 16 | i % 32 << 24));
}

TEST_CASE("lanes that go different ways meet behind the branch", "[simt][M-thread-meet]") {
  // The loop runs lane % 5 times, the branch inside of it parts odd and even; all lanes vote behind both.
  const auto values = run_threads({64}, R"(    %c5 = arith.constant 5 : i32
    %n32 = arith.remui %lane, %c5 : i32
    %n = arith.index_cast %n32 : i32 to index
    %sum = scf.for %k = %i0 to %n step %i1 iter_args(%s = %c0) -> (i32) {
      %k32 = arith.index_cast %k : index to i32
      %bit = arith.andi %k32, %c1 : i32
      %odd = arith.cmpi eq, %bit, %c1 : i32
      %next = scf.if %odd -> (i32) {
        %inside = pto.vote_ballot %odd : i1 -> i32
        %some = arith.cmpi ne, %inside, %c0 : i32
        %one = arith.extui %some : i1 to i32
        %t = arith.addi %s, %one : i32
        scf.yield %t : i32
      } else {
        %ten = arith.constant 10 : i32
        %t = arith.addi %s, %ten : i32
        scf.yield %t : i32
      }
      scf.yield %next : i32
    }
    %even32 = arith.andi %lane, %c1 : i32
    %even = arith.cmpi eq, %even32, %c0 : i32
    %lanes = pto.vote_ballot %even : i1 -> i32
    %c1000 = arith.constant 1000 : i32
    %full = arith.constant 0x55555555 : i32
    %all = arith.cmpi eq, %lanes, %full : i32
    %together = arith.extui %all : i1 to i32
    %far = arith.muli %together, %c1000 : i32
    %r = arith.addi %sum, %far : i32
)" + kStore,
                                  64);
  for (size_t i = 0; i < 64; ++i) {
    int32_t sum = 1000;
    for (size_t k = 0; k < i % 32 % 5; ++k) sum += k % 2 == 1 ? 1 : 10;
    CHECK(values[i] == sum);
  }
}

TEST_CASE("in a branch only the lanes that took it vote and reduce", "[simt]") {
  const auto values = run_threads({32}, R"(    %c20 = arith.constant 20 : i32
    %high = arith.cmpi uge, %lane, %c20 : i32
    %r = scf.if %high -> (i32) {
      %sum = pto.redux_add %lane signed : i32 -> i32
      scf.yield %sum : i32
    } else {
      %all = pto.vote_all %high : i1 -> i1
      %any = pto.vote_any %high : i1 -> i1
      %uni = pto.vote_uni %high : i1 -> i1
      %a = arith.extui %all : i1 to i32
      %b = arith.extui %any : i1 to i32
      %c = arith.extui %uni : i1 to i32
      %ab = arith.ori %a, %b : i32
      %c2 = arith.addi %c, %c : i32
      %abc = arith.ori %ab, %c2 : i32
      scf.yield %abc : i32
    }
)" + kStore,
                                  32);
  int32_t sum = 0;
  for (int32_t i = 20; i < 32; ++i) sum += i;
  for (size_t i = 0; i < 32; ++i) CHECK(values[i] == (i >= 20 ? sum : 2));
}

TEST_CASE("shuffles stop at the borders of their groups", "[simt][M-thread-shuffle]") {
  struct Case {
    std::string op;
    std::function<int(int at, int width)> from;  ///< within the group
  };
  const std::vector<Case> cases{{"up", [](int at, int) { return at - 3; }},
                                {"down", [](int at, int) { return at + 3; }},
                                {"idx", [](int, int) { return 3; }},
                                {"bfly", [](int at, int) { return at ^ 3; }}};
  for (const int width : {16, 32}) {
    for (const Case& each : cases) {
      const auto values = run_threads({64},
                                      "    %c3 = arith.constant 3 : i32\n    %r = pto.shuffle_" + each.op +
                                          " %tid, %c3 {width = " + std::to_string(width) +
                                          " : i32} : i32, i32 -> i32\n" + kStore,
                                      64);
      for (int i = 0; i < 64; ++i) {
        const int base = i / width * width, from = each.from(i % width, width);
        INFO(each.op << " width " << width << " thread " << i);
        CHECK(values[static_cast<size_t>(i)] == (from < 0 || from >= width ? i : base + from));
      }
    }
  }
}

TEST_CASE("a warp that is not full reduces over the threads that exist", "[simt][M-thread-redux]") {
  const auto values = run_threads({40}, R"(    %n = arith.subi %c0, %tid : i32
    %sum = pto.redux_add %n signed : i32 -> i32
    %most = pto.redux_max %n signed : i32 -> i32
    %least = pto.redux_min %n unsigned : i32 -> i32
    %a = arith.xori %sum, %most : i32
    %r = arith.addi %a, %least : i32
)" + kStore,
                                  40);
  const auto model = [](int first, int last) {
    int sum = 0;
    for (int i = first; i <= last; ++i) sum -= i;
    const int least = first == 0 ? 0 : -last;  // -0 is below, as unsigned numbers -last is next
    return (sum ^ -first) + least;
  };
  for (int i = 0; i < 40; ++i)
    CHECK(values[static_cast<size_t>(i)] == (i < 32 ? model(0, 31) : model(32, 39)));
}

TEST_CASE("updates of one word are taken one after the other", "[simt][M-thread-atomic]") {
  // Every old value occurs once, and the last word is the sum.
  const auto values = run_threads({48, 2}, R"(    %c96 = arith.constant 96 : index
    %p = pto.addptr %o, %c96 : !pto.ptr<i32, gm> -> !pto.ptr<i32, gm>
    %r = pto.atomic_add %p, %c1 : !pto.ptr<i32, gm>, i32 -> i32
)" + kStore,
                                  97);
  std::vector<int> seen(96, 0);
  for (size_t i = 0; i < 96; ++i) ++seen[static_cast<size_t>(values[i])];
  CHECK(seen == std::vector<int>(96, 1));
  CHECK(values[96] == 96);
}

TEST_CASE("atomics give what was there, as signed or unsigned numbers", "[simt]") {
  const auto one = [](const std::string& op, const std::string& operands, int32_t old) {
    const auto values =
        run_threads({1},
                    "    %old = arith.constant " + std::to_string(old) +
                        " : i32\n    pto.stg %old, %o[%i1] : !pto.ptr<i32, gm>, i32\n"
                        "    %p = pto.addptr %o, %i1 : !pto.ptr<i32, gm> -> !pto.ptr<i32, gm>\n"
                        "    %v = arith.constant 5 : i32\n    %m = arith.constant -7 : i32\n"
                        "    %r = pto.atomic_" +
                        op + " %p, " + operands + " : !pto.ptr<i32, gm>, i32 -> i32\n" + kStore,
                    2);
    CHECK(values[0] == old);
    return values[1];
  };
  CHECK(one("add", "%m", 3) == -4);
  CHECK(one("sub", "%m", 2147483647) == -2147483642);
  CHECK(one("min", "%m signed", 5) == -7);
  CHECK(one("min", "%m unsigned", 5) == 5);
  CHECK(one("max", "%m signed", 5) == 5);
  CHECK(one("max", "%m unsigned", 5) == -7);
  CHECK(one("and", "%v", 12) == 4);
  CHECK(one("or", "%v", 12) == 13);
  CHECK(one("xor", "%v", 12) == 9);
  CHECK(one("exch", "%m", 12) == -7);
  CHECK(one("cas", "%v, %m", 5) == -7);
  CHECK(one("cas", "%v, %m", 6) == 6);
}

TEST_CASE("a thread keeps values for the next launch of the same shape", "[simt][M-thread-keep]") {
  Bench bench;
  bench.machine = test::make_machine(Target::a5);
  bench.buffer(40 * 8);
  const std::string text =
      R"(module attributes {pto.target_arch = "a5", pto.kernel_kind = #pto.kernel_kind<vector>} {
  func.func @k(%o: !pto.ptr<i64, gm>) attributes {pto.kernel} {
    %x = arith.constant 40 : i32
    %y = arith.constant 1 : i32
    pto.store_vfsimt_info %y, %y, %x : i32, i32, i32
    func.call @first() : () -> ()
    func.call @second(%o) : (!pto.ptr<i64, gm>) -> ()
    SHAPE
    return
  }
  func.func @first() attributes {pto.simt_entry} {
    %tid = pto.get_tid_x : i32
    %wide = arith.extsi %tid : i32 to i64
    %c33 = arith.constant 33 : i64
    %far = arith.shli %wide, %c33 : i64
    pto.keep %far {slot = 4 : i64} : i64
    pto.keep %tid {slot = 6 : i64} : i32
    return
  }
  func.func @second(%o: !pto.ptr<i64, gm>) attributes {pto.simt_entry} {
    %far = pto.resume {slot = 4 : i64} : i64
    %tid = pto.resume {slot = 6 : i64} : i32
    %wide = arith.extsi %tid : i32 to i64
    %sum = arith.addi %far, %wide : i64
    %me = pto.get_tid_x : i32
    %at = arith.index_cast %me : i32 to index
    pto.stg %sum, %o[%at] : !pto.ptr<i64, gm>, i64
    return
  }
})";
  const auto with = [&](const std::string& shape) {
    std::string built = text;
    return built.replace(built.find("SHAPE"), 5, shape);
  };
  const SimResult kept = bench.must_run(with(""));
  CHECK(kept.findings.all().empty());
  for (uint64_t i = 0; i < 40; ++i) {
    uint64_t value = 0;
    std::memcpy(&value, bench.arguments[0].bytes.data() + i * 8, 8);
    CHECK(value == (i << 33) + i);
  }
  const SimResult other =
      bench.must_run(with("pto.store_vfsimt_info %y, %x, %y : i32, i32, i32\n"
                          "    func.call @second(%o) : (!pto.ptr<i64, gm>) -> ()\n"));
  REQUIRE(test::finding(other, FindingId::operand) != nullptr);
}

TEST_CASE("every thread has arrays of its own", "[simt][M-thread-array]") {
  const auto values = run_threads({40}, R"(    %c4 = arith.constant 4 : i32
    %local = llvm.alloca %c4 x i32 : (i32) -> !llvm.ptr
    %i4 = arith.constant 4 : index
    scf.for %k = %i0 to %i4 step %i1 {
      %k32 = arith.index_cast %k : index to i32
      %p = llvm.getelementptr %local[%k32] : (!llvm.ptr, i32) -> !llvm.ptr, i32
      %v = arith.addi %tid, %k32 : i32
      llvm.store %v, %p : i32, !llvm.ptr
    }
    %c3 = arith.constant 3 : i32
    %which = arith.andi %tid, %c3 : i32
    %q = llvm.getelementptr %local[%which] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %r = llvm.load %q : !llvm.ptr -> i32
)" + kStore,
                                  40);
  for (int i = 0; i < 40; ++i) CHECK(values[static_cast<size_t>(i)] == i + i % 4);
}

TEST_CASE("a persistent array lives from section to section", "[simt][M-thread-array]") {
  Bench bench;
  bench.machine = test::make_machine(Target::a5);
  bench.buffer(48 * 4);
  const std::string text =
      R"(module attributes {pto.target_arch = "a5", pto.kernel_kind = #pto.kernel_kind<vector>} {
  func.func @k(%o: !pto.ptr<i32, gm>) attributes {pto.kernel} {
    %c2 = arith.constant 2 : i32
    %f = llvm.alloca %c2 x i32 {pto.persistent} : (i32) -> !llvm.ptr
    pto.section.simt<<<48, 1, 1>>> {
      %tid = pto.get_tid_x : i32
      %second = llvm.getelementptr %f[1] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.store %tid, %f : i32, !llvm.ptr
      llvm.store %c2, %second : i32, !llvm.ptr
    }
    pto.section.simt<<<48, 1, 1>>> {
      %pair = llvm.load %f : !llvm.ptr -> vector<2xi32>
      %at0 = arith.constant 0 : i32
      %at1 = arith.constant 1 : i32
      %a = llvm.extractelement %pair[%at0 : i32] : vector<2xi32>
      %b = llvm.extractelement %pair[%at1 : i32] : vector<2xi32>
      %sum = arith.muli %a, %b : i32
      %at = arith.index_cast %a : i32 to index
      pto.stg %sum, %o[%at] : !pto.ptr<i32, gm>, i32
    }
    return
  }
})";
  const SimResult result = bench.must_run(text);
  for (const Diagnostic& each : result.findings.all()) FAIL_CHECK(to_string(each.id) << ": " << each.message);
  for (uint32_t i = 0; i < 48; ++i) {
    uint32_t value = 0;
    std::memcpy(&value, bench.arguments[0].bytes.data() + size_t{i} * 4, 4);
    CHECK(value == 2 * i);
  }
}

/// What one thread computes, as bits: `body` defines %r, an i32.
uint32_t one_thread(const std::string& body) {
  return static_cast<uint32_t>(run_threads({1}, body + kStore, 1)[0]);
}
std::string f32(const std::string& name, const std::string& value) {
  return "    %" + name + " = arith.constant " + value + " : f32\n";
}
const std::string kBits = "    %r = arith.bitcast %v : f32 to i32\n";

TEST_CASE("conversions round, saturate and know the sign of their integers", "[simt][M-thread-convert]") {
  const auto to_i32 = [](const std::string& value, const std::string& how) {
    return static_cast<int32_t>(
        one_thread(f32("f", value) + "    %r = pto.convert %f " + how + " : f32 -> i32\n"));
  };
  struct Rounded {
    std::string mode;
    int32_t up, down;  ///< of 2.5 and of -2.5
  };
  for (const Rounded& each : {Rounded{"r", 2, -2}, {"a", 3, -3}, {"f", 2, -3}, {"c", 3, -2}, {"z", 2, -2}}) {
    INFO(each.mode);
    CHECK(to_i32("2.5", "round(" + each.mode + ") sat signed") == each.up);
    CHECK(to_i32("-2.5", "round(" + each.mode + ") sat signed") == each.down);
  }
  CHECK(to_i32("3.0e9", "round(z) sat signed") == 2147483647);
  CHECK(to_i32("3.0e9", "round(z) sat unsigned") == -1294967296);
  CHECK(to_i32("-3.0e9", "round(z) sat signed") == -2147483647 - 1);
  CHECK(to_i32("-1.0", "round(z) sat unsigned") == 0);
  CHECK(to_i32("0x7FC00000", "round(z) sat signed") == 0);
  const std::string minus = "    %m = arith.constant -1 : i32\n    %v = pto.convert %m round(r) nosat ";
  CHECK(one_thread(minus + "signed : i32 -> f32\n" + kBits) == 0xbf800000);
  CHECK(one_thread(minus + "unsigned : i32 -> f32\n" + kBits) == 0x4f800000);
  CHECK(one_thread("    %p = arith.constant dense<[1.5, -2.0]> : vector<2xf32>\n"
                   "    %h = pto.convert %p round(r) nosat : vector<2xf32> -> vector<2xf16>\n"
                   "    %r = llvm.bitcast %h : vector<2xf16> to i32\n") == 0xc0003e00);
}

TEST_CASE("mathematics of threads rounds once", "[simt][M-thread-math]") {
  const auto unary = [](const std::string& op, const std::string& value) {
    return one_thread(f32("f", value) + "    %v = pto." + op + " %f : f32 -> f32\n" + kBits);
  };
  CHECK(unary("exp", "1.0") == 0x402df854);
  CHECK(unary("sqrt", "2.0") == 0x3fb504f3);
  CHECK(unary("log", "1.0") == 0);
  CHECK(unary("absf", "-3.0") == 0x40400000);
  CHECK(unary("rint", "2.5") == 0x40000000);
  CHECK(unary("round", "2.5") == 0x40400000);
  CHECK(unary("floor", "-2.5") == 0xc0400000);
  CHECK(unary("ceil", "-2.5") == 0xc0000000);
  for (const double angle : {0.0, 0.5, 1.0, 2.0, 3.0, 4.5, 6.0, -1.0, -4.0}) {
    INFO(angle);
    const auto number = [](uint32_t bits) { return static_cast<double>(std::bit_cast<float>(bits)); };
    CHECK(std::abs(number(unary("sin", std::to_string(angle))) - std::sin(angle)) < 3e-7);
    CHECK(std::abs(number(unary("cos", std::to_string(angle))) - std::cos(angle)) < 3e-7);
  }
  // (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, which two roundings would lose.
  CHECK(one_thread(f32("a", "0x3F800800") + f32("c", "0xBF801000") +
                   "    %v = pto.fma %a, %a, %c : f32, f32, f32 -> f32\n" + kBits) == 0x33800000);
  CHECK(one_thread(f32("a", "0x7FC00000") + f32("b", "1.0") + "    %v = pto.fmin %a, %b : f32, f32 -> f32\n" +
                   kBits) == 0x3f800000);
  CHECK(one_thread("    %p = arith.constant dense<[-1.0, -0.0]> : vector<2xf16>\n"
                   "    %h = pto.absf %p : vector<2xf16> -> vector<2xf16>\n"
                   "    %r = llvm.bitcast %h : vector<2xf16> to i32\n") == 0x00003c00);
  const auto bytes = [](const std::string& selector) {
    return one_thread(
        "    %a = arith.constant 0x44434241 : i32\n    %b = arith.constant 0x34333231 : i32\n"
        "    %s = arith.constant " +
        selector + " : i32\n    %r = pto.prmt %a, %b, %s : i32, i32, i32 -> i32\n");
  };
  CHECK(bytes("0x3210") == 0x34333231);
  CHECK(bytes("0x7654") == 0x44434241);
  CHECK(bytes("0x0F4B") == 0x31444134);  // the upper bit of a nibble counts for nothing
  const auto high = [](const std::string& sign) {
    return one_thread(
        "    %a = arith.constant -2 : i32\n    %b = arith.constant 3 : i32\n    %r = pto.mulhi %a, %b " +
        sign + " : i32, i32 -> i32\n");
  };
  CHECK(high("signed") == 0xffffffff);
  CHECK(high("unsigned") == 2);
}

}  // namespace
}  // namespace pto::sim
