// Programs of June's dialect between memrefs and tiles, and statements that name what others move.
#include <cmath>
#include <string>

#include "driver/run_fixture.hpp"

namespace {

using namespace pto;
using namespace pto::test;

std::vector<float> numbers(size_t count, float step) {
  std::vector<float> built(count);
  for (size_t i = 0; i < count; ++i) built[i] = static_cast<float>(i) * step;
  return built;
}

constexpr const char* kGm = "memref<4x4x8xf32, #pto.address_space<gm>>";
constexpr const char* kVec = "memref<4x4x8xf32, #pto.address_space<vec>>";

TEST_CASE("memref.alloc in vec is a tile: rows by columns of the last dimension", "[memref]") {
  const std::string gm = kGm, vec = kVec;
  std::vector<Argument> arguments{buffer("a", numbers(128, 1)), buffer("b", numbers(128, 100)),
                                  buffer("out", std::vector<float>(128, -1))};
  expect_clean(run_text("module attributes {pto.target_arch = \"a2a3\"} {\nfunc.func @k(%a: " + gm +
                            ", %b: " + gm + ", %out: " + gm + R"() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %x = memref.alloc() : )" + vec +
                            R"(
  %sum = memref.alloc() {alignment = 64 : i64} : )" +
                            vec + R"(
  pto.tload ins(%b : )" + gm +
                            ") outs(%sum : " + vec + R"()
  %kept = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %sum) -> ()" +
                            vec + R"() {
    pto.tload ins(%a : )" + gm +
                            ") outs(%x : " + vec + R"()
    pto.tadd ins(%x, %acc : )" +
                            vec + ", " + vec + ") outs(%acc : " + vec + R"()
    scf.yield %acc : )" + vec +
                            R"(
  }
  pto.tstore ins(%kept : )" +
                            vec + ") outs(%out : " + gm + ")\n  return\n}\n}\n",
                        arguments));
  const std::vector<float> got = values_of<float>(arguments[2]);
  for (size_t i = 0; i < got.size(); ++i) CHECK(got[i] == static_cast<float>(i) * 103);
}

TEST_CASE("bind_tile gives a buffer a layout and a valid region", "[memref]") {
  const std::string gm = "memref<16x16xf32, #pto.address_space<gm>>",
                    vec = "memref<16x16xf32, #pto.address_space<vec>>";
  std::vector<Argument> arguments{buffer("a", numbers(256, 1)), buffer("out", std::vector<float>(256, -1))};
  expect_clean(run_text("module attributes {pto.target_arch = \"a2a3\"} {\nfunc.func @k(%a: " + gm +
                            ", %out: " + gm + R"() {
  %rows = arith.constant 3 : index
  %cols = arith.constant 10 : index
  %x = memref.alloc() : )" + vec +
                            R"(
  %v = pto.bind_tile %x, %rows, %cols {config = #pto.tile_buf_config<blayout=0 : i32, slayout=0 : i32, s_fractal_size=512, pad=0 : i32>} : )" +
                            vec + " -> " + vec + "\n  pto.tload ins(%a : " + gm + ") outs(%x : " + vec +
                            ")\n  pto.tstore ins(%v : " + vec + ") outs(%out : " + gm + ")\n  return\n}\n}\n",
                        arguments));
  const std::vector<float> got = values_of<float>(arguments[1]);
  for (size_t r = 0; r < 16; ++r) {
    for (size_t c = 0; c < 16; ++c)
      CHECK(got[r * 16 + c] == (r < 3 && c < 10 ? static_cast<float>(r * 16 + c) : -1));
  }
}

TEST_CASE("memrefs of the cube have the boxes that it takes", "[memref]") {
  for (const std::string target : {"a2a3", "a5"}) {
    const auto memref = [](const std::string& space) {
      return "memref<32x32xf32, #pto.address_space<" + space + ">>";
    };
    std::vector<float> a(1024), b(1024);
    for (size_t i = 0; i < 1024; ++i) {
      a[i] = static_cast<float>(i % 7) - 3;
      b[i] = static_cast<float>(i % 5) - 1;
    }
    std::vector<Argument> arguments{buffer("a", a), buffer("b", b), buffer("out", std::vector<float>(1024))};
    std::string text = "module attributes {pto.target_arch = \"" + target +
                       "\"} {\nfunc.func @k(%a: " + memref("gm") + ", %b: " + memref("gm") +
                       ", %out: " + memref("gm") + ") {\n";
    const char* const spaces[] = {"mat", "mat", "left", "right", "acc"};
    for (int i = 0; i < 5; ++i)
      text += "  %t" + std::to_string(i) + " = memref.alloc() : " + memref(spaces[i]) + "\n";
    const auto one = [&](const char* name, const char* in, const char* from, const char* out,
                         const char* to) {
      text += std::string("  pto.") + name + " ins(" + in + " : " + memref(from) + ") outs(" + out + " : " +
              memref(to) + ")\n";
    };
    one("tload", "%a", "gm", "%t0", "mat");
    one("tload", "%b", "gm", "%t1", "mat");
    one("tmov", "%t0", "mat", "%t2", "left");
    one("tmov", "%t1", "mat", "%t3", "right");
    text += "  pto.tmatmul ins(%t2, %t3 : " + memref("left") + ", " + memref("right") +
            ") outs(%t4 : " + memref("acc") + ")\n";
    one("tstore", "%t4", "acc", "%out", "gm");
    expect_clean(run_text(text + "  return\n}\n}\n", arguments));
    const std::vector<float> got = values_of<float>(arguments[2]);
    for (size_t r = 0; r < 32; ++r) {
      for (size_t c = 0; c < 32; ++c) {
        float want = 0;
        for (size_t k = 0; k < 32; ++k) want += a[r * 32 + k] * b[k * 32 + c];
        CHECK(got[r * 32 + c] == want);
      }
    }
  }
}

TEST_CASE("What is more than a tile stays a memref and is refused by name", "[memref]") {
  Result<Prepared> prepared = prepare(R"(module attributes {pto.target_arch = "a2a3"} {
func.func @k() attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() : memref<16xf32, #pto.address_space<vec>>
  %v = memref.load %x[%c0] : memref<16xf32, #pto.address_space<vec>>
  return
}
}
)");
  REQUIRE(prepared.ok());
  REQUIRE(!prepared->diagnostics.all().empty());
  CHECK(prepared->diagnostics.all().front().id == E0449);
}

TEST_CASE("get_buf_dyn and rls_buf_dyn with ids that are known order the pipes", "[sync]") {
  std::vector<Argument> arguments{buffer("a", numbers(256, 1)), buffer("out", std::vector<float>(256, -1))};
  expect_clean(run_text(R"(module attributes {pto.target_arch = "a5"} {
func.func @k(%a: !pto.ptr<f32, gm>, %out: !pto.ptr<f32, gm>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c1024 = arith.constant 1024 : i64
  %id = arith.constant 5 : index
  %ub = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  pto.get_buf_dyn "PIPE_MTE2", %id
  pto.mte_gm_ub %a, %ub, %c0, %c1024 nburst(%c1, %c1024, %c1024) : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64
  pto.rls_buf_dyn "PIPE_MTE2", %id
  pto.get_buf_dyn "PIPE_MTE3", %id
  pto.mte_ub_gm %ub, %out, %c1024 nburst(%c1, %c1024, %c1024) l2_cache_ctl(%c0) : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64, i64
  pto.rls_buf_dyn "PIPE_MTE3", %id
  return
}
}
)",
                        arguments));
  CHECK(values_of<float>(arguments[1]) == numbers(256, 1));
}

TEST_CASE("Vectors of scalars: lanes out, in, everywhere, as other bits, from and to memory", "[vector]") {
  std::vector<int32_t> in(8);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int32_t>(i * 10 + 1);
  std::vector<Argument> arguments{buffer("a", in), buffer("out", std::vector<int32_t>(16, -1))};
  Argument at;
  at.name = "at";
  at.is_buffer = false;
  at.scalar = 2;
  arguments.push_back(at);
  expect_clean(run_text(R"(module attributes {pto.target_arch = "a5"} {
func.func @k(%a: memref<8xi32, #pto.address_space<gm>>, %out: memref<16xi32, #pto.address_space<gm>>, %at: index) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %two = arith.constant 2 : i32
  %seven = arith.constant -7 : i32
  %v = vector.load %a[%at] : memref<8xi32, #pto.address_space<gm>>, vector<4xi32>
  %x = vector.extract %v[3] : i32 from vector<4xi32>
  memref.store %x, %out[%c0] : memref<16xi32, #pto.address_space<gm>>
  %y = vector.extract %v[%at] : i32 from vector<4xi32>
  memref.store %y, %out[%c1] : memref<16xi32, #pto.address_space<gm>>
  %w = vector.insert %seven, %v[1] : i32 into vector<4xi32>
  vector.store %w, %out[%c4] : memref<16xi32, #pto.address_space<gm>>, vector<4xi32>
  %all = vector.broadcast %seven : i32 to vector<4xi32>
  %sum = arith.addi %all, %v : vector<4xi32>
  vector.store %sum, %out[%c8] : memref<16xi32, #pto.address_space<gm>>, vector<4xi32>
  %same = vector.splat %seven : vector<2xi32>
  %bytes = vector.bitcast %same : vector<2xi32> to vector<8xi8>
  %byte = llvm.extractelement %bytes[%two : i32] : vector<8xi8>
  %wide = arith.extsi %byte : i8 to i32
  %last = llvm.insertelement %wide, %w[%two : i32] : vector<4xi32>
  vector.store %last, %out[%c12] : memref<16xi32, #pto.address_space<gm>>, vector<4xi32>
  return
}
}
)",
                        arguments));
  CHECK(values_of<int32_t>(arguments[1]) ==
        std::vector<int32_t>{51, 41, -1, -1, 21, -7, 41, 51, 14, 24, 34, 44, 21, -7, -1, 51});
}

TEST_CASE("A vector beyond its memref, and a lane beyond its vector, are findings", "[vector]") {
  for (const std::string_view body :
       {"%v = vector.load %a[%c5] : memref<8xi32, #pto.address_space<gm>>, vector<4xi32>\n",
        "%v = vector.load %a[%c4] : memref<8xi32, #pto.address_space<gm>>, vector<4xi32>\n"
        "%x = vector.extract %v[%c5] : i32 from vector<4xi32>\n"}) {
    std::vector<Argument> arguments{buffer("a", std::vector<int32_t>(8))};
    const SimResult result = run_text(
        "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @k(%a: memref<8xi32, "
        "#pto.address_space<gm>>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n"
        "%c4 = arith.constant 4 : index\n%c5 = arith.constant 5 : index\n" +
            std::string(body) + "return\n}\n}\n",
        arguments);
    REQUIRE(!result.findings.all().empty());
    CHECK(result.findings.all().front().id == FindingId::bounds);
  }
}

}  // namespace
