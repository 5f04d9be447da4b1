// The generic form with regions, blocks and switches, lists of values and numbers, old spellings.
#include <fmt/format.h>

#include "asm/parse/parse_fixture.hpp"
#include "isa/row.hpp"

using namespace pto;
using namespace pto::text::testing;

namespace {

/// A generic function of one index argument around a body.
std::string generic(std::string_view body) {
  return "\"builtin.module\"() ({\n\"func.func\"() <{function_type = (index) -> (), sym_name = \"k\"}> "
         "({\n^bb0(%n: index):\n" +
         std::string(body) + "\n\"func.return\"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n";
}

}  // namespace

TEST_CASE("A generic program is the program of its own syntax", "[asm][generic]") {
  const Program p = assemble(generic(R"(
    %c = "arith.constant"() <{value = 1 : index}> : () -> index
    %f = "arith.constant"() <{value = 5.0e-01 : f32}> : () -> f32
    %r = "scf.for"(%c, %n, %c, %f) ({
    ^bb0(%i: index, %x: f32):
      %y = "arith.addf"(%x, %f) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %z = "arith.addi"(%i, %c) <{overflowFlags = #arith.overflow<nsw>}> : (index, index) -> index
      "scf.yield"(%y) : (f32) -> ()
    }) : (index, index, index, f32) -> f32)"));
  const Program q = assemble(R"(module {
    func.func @k(%n: index) {
      %c = arith.constant 1 : index
      %f = arith.constant 5.0e-01 : f32
      %r = scf.for %i = %c to %n step %c iter_args(%x = %f) -> (f32) {
        %y = arith.addf %x, %f : f32
        %z = arith.addi %i, %c overflow<nsw> : index
        scf.yield %y : f32
      }
      return
    }
  })");
  CHECK(print(p) == print(q));
  CHECK(p.type_of(find_op(p, "scf.for").result(0)).elem == Elem::f32);
  check_round_trip(p);
}

TEST_CASE("The target behind a generic module holds for the types within", "[asm][generic]") {
  const std::string_view text = R"("builtin.module"() ({
    "func.func"() <{function_type = () -> (), sym_name = "k"}> ({
      %t = "pto.alloc_tile"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> !pto.tile_buf<left, 16x16xf16, slayout=row_major>
      "func.return"() : () -> ()
    }) : () -> ()
  }) {pto.target_arch = "a5"} : () -> ())";
  const Program p = assemble(text, std::nullopt);
  CHECK(p.target == Target::a5);
  CHECK(p.type_of(find_op(p, "pto.alloc_tile").result(0)).blayout == BLayout::col_major);
}

TEST_CASE("Generic declarations, empty regions and old attributes behind the region", "[asm][generic]") {
  const Program p = assemble(R"("builtin.module"() ({
    "func.func"() ({}) {function_type = (i32, f32) -> i32, sym_name = "f", sym_visibility = "private"} : () -> ()
    "func.func"() <{function_type = (i1) -> (), sym_name = "g"}> ({
    ^bb0(%c: i1):
      "scf.if"(%c) ({}, {}) : (i1) -> ()
      "func.return"() : () -> ()
    }) : () -> ()
  }) : () -> ())");
  CHECK(functions(p).size() == 2);
  CHECK(functions(p)[0].declaration);
  CHECK(p.regions_of(find_op(p, "func.func").op())[0].n_args == 2);
  check_round_trip(p);
}

TEST_CASE("What is wrong in a generic form is named", "[asm][generic][error]") {
  CHECK(
      refuse(generic(R"("scf.for"(%n, %n, %n) ({ "scf.yield"() : () -> () }) : (index, index, index) -> ())"))
          .id == E0151);
  CHECK(refuse(generic(R"("scf.for"(%n, %n, %n) : (index, index, index) -> ())")).id == E0120);
  CHECK(refuse(generic(R"("arith.addi"(%n, %n) ({}) : (index, index) -> index)")).id == E0120);
  CHECK(refuse(generic(R"(%c = "arith.cmpi"(%n, %n) <{predicate = 0 : i64}> : (index, index) -> i32)")).id ==
        E0115);
  CHECK(refuse(generic(R"("scf.if"(%n) ({} {}) : (index) -> ())")).id == E0101);
  CHECK(refuse(generic(R"(%r = "scf.if"(%n) ({}, {}) : (index) -> ())")).id == E0119);
  CHECK(refuse(generic(R"("scf.if"(%n) ({}, {}, {}) : (index) -> ())")).id == E0120);
  CHECK(refuse(generic(R"("scf.if"(%n) ({}, {}) : (i1) -> ())")).id == E0115);
  CHECK(
      refuse(generic(R"(%v = "vector.extract"(%n) <{static_position = array<i64: 0>}> : (index) -> i32 %v)"))
          .errors > 0);
  CHECK(
      refuse(
          R"("builtin.module"() ({ "func.func"() <{function_type = () -> (), sym_name = "a b"}> ({}) : () -> () }) : () -> ())")
          .id == E0108);
  CHECK(
      refuse(
          R"("builtin.module"() ({ "func.func"() <{function_type = () -> ()}> ({}) : () -> () }) : () -> ())")
          .id == E0101);
  CHECK(refuse(R"("builtin.module"() ({ "builtin.block"() {name = "x"} : () -> () }) : () -> ())").id ==
        E0111);
}

TEST_CASE("Blocks are operations of the stream", "[asm][blocks]") {
  const Program p =
      assemble(kernel("cf.cond_br %b, ^one(%i : index), ^two\n^one(%x: index):\ncf.br ^two\n^two:"));
  CHECK(count_ops(p, "builtin.block") == 2);
  CHECK(find_op(p, "builtin.block").op().n_results == 1);
  check_round_trip(p);
}

TEST_CASE("A switch has a region per case", "[asm][blocks]") {
  const Program p = assemble(kernel(R"(
    %r = scf.index_switch %i -> i64 case 2 {
      scf.index_switch %i default { scf.yield }
      scf.yield %n : i64
    }
    case -7 { // a comment with case 9 {
      scf.yield %n : i64
    }
    default { scf.yield %n : i64 })"));
  const OpView outer = find_op(p, "scf.index_switch");
  CHECK(outer.op().n_regions == 3);
  CHECK(outer.attr("cases")->array.count == 2);
  CHECK(p.ints[outer.attr("cases")->array.first + 1] == -7);
  check_round_trip(p);
  CHECK(refuse(kernel("scf.index_switch %i case 1 { scf.yield }")).id == E0120);
}

TEST_CASE("One list of operands for several forms: what a form lacks is empty", "[asm][generic]") {
  const std::string acc = "!pto.tile_buf<acc, 32x32xf32, blayout=col_major, slayout=row_major, fractal=1024>",
                    mat = "!pto.tile_buf<mat, 32x32xi8, blayout=col_major, slayout=row_major>",
                    scaling = "!pto.tile_buf<scaling, 1x32xf32, slayout=row_major>";
  const Program p = assemble(kernel(fmt::format(R"(
    %a = pto.alloc_tile : {0}
    %m = pto.alloc_tile : {1}
    %f = pto.alloc_tile : {2}
    %word = arith.constant 5 : i64
    "pto.tinsert"(%a, %i, %i, %m, %word) <{{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1>}}> : ({0}, index, index, {1}, i64) -> ()
    "pto.tinsert"(%a, %i, %i, %m, %f) <{{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>}}> : ({0}, index, index, {1}, {2}) -> ())",
                                                acc, mat, scaling)));
  std::vector<std::string_view> fifth;
  for (uint32_t i = 0; i < p.ops.size(); ++i) {
    const OpView op(p, i);
    if (op.mnemonic() == "pto.tinsert") fifth.push_back(isa::schema(op.op().row).operands[4].name);
  }
  CHECK(fifth == std::vector<std::string_view>{"pre_quant", "fp"});
  check_round_trip(p);
}

TEST_CASE("Lists of values and numbers keep their order", "[asm][mixed]") {
  const Program p = assemble(kernel(R"(
    %m = memref.alloc(%i) : memref<?x16xf32>
    %s = memref.subview %m[%i, 0] [4, %i] [1, 1] : memref<?x16xf32> to memref<4x?xf32, strided<[16, 1], offset: ?>>
    %r = memref.reinterpret_cast %m to offset: [%i], sizes: [2, 2], strides: [%i, 1] {layout = #pto.layout<nd>} : memref<?x16xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
    %v = memref.load %r[%i, %i] : memref<2x2xf32, strided<[?, 1], offset: ?>>)"));
  const OpView window = find_op(p, "memref.subview");
  CHECK(window.operands(1).size() == 1);
  CHECK(window.operands(2).size() == 1);
  CHECK(window.operands(3).empty());
  CHECK(p.type_of(find_op(p, "memref.load").result(0)).elem == Elem::f32);
  check_round_trip(p);
}

TEST_CASE("Locations by alias, wherever it stands", "[asm]") {
  const Program p =
      assemble("module {\nfunc.func @k() {\npto.trap loc(#loc2)\nreturn\n}\n}\n#loc2 = loc(\"a.py\":7:3)\n");
  CHECK(find_op(p, "pto.trap").op().where == Location{3, 1});
  REQUIRE(p.origins.size() == 1);
  CHECK(p.origin_of({3, 1})->at == Location{7, 3});
  CHECK(p.strings[p.origins[0].file] == "a.py");
  CHECK(p.origin_of({4, 1}) == nullptr);
}

TEST_CASE("Locations of several files, in names, call sites and aliases of aliases", "[asm]") {
  const Program p = assemble(R"(#file = loc("b.py":20:2)
module {
func.func @k(%x: i32) {
%a = arith.addi %x, %x : i32 loc("a.py":1:2)
%b = arith.addi %x, %x : i32 loc("name"("dir/c \"1\".py":3:4))
%c = arith.addi %x, %x : i32 loc(callsite(#inner at "b.py":5:6))
%d = arith.addi %x, %x : i32 loc(fused<{tag = "t"}>["name", #cycle, #name])
%e = arith.addi %x, %x : i32 loc(unknown)
%f = arith.addi %x, %x : i32 loc(#nowhere)
%t = arith.constant true
scf.if %t {
} loc("a.py":9:1)
return
}
}
#inner = loc("x"(#file))
#cycle = loc(fused[#cycle, #cycle])
#name = loc("x"("a.py":7:8))
)");
  const auto origin = [&](uint32_t line) -> std::string {
    for (const Op& op : p.ops) {
      const Origin* found = op.where.line == line ? p.origin_of(op.where) : nullptr;
      if (found != nullptr)
        return fmt::format("{}:{}:{}", p.strings[found->file], found->at.line, found->at.col);
    }
    return "";
  };
  CHECK(origin(4) == "a.py:1:2");
  CHECK(origin(5) == "dir/c \"1\".py:3:4");
  CHECK(origin(6) == "b.py:20:2");
  CHECK(origin(7) == "a.py:7:8");
  CHECK(origin(8).empty());
  CHECK(origin(9).empty());
  CHECK(origin(11) == "a.py:9:1");
  CHECK(p.source_name == "test.pto");
  // Printed text keeps both; that of an operation made from a line of the printed file too.
  const std::string text = print(p, {.locations = true});
  CHECK(text.starts_with("#source = loc(\"test.pto\":0:0)\n"));
  const Program again = assemble(text);
  CHECK(print(again, {.locations = true}) == text);
  REQUIRE(again.origins.size() == p.origins.size());
  CHECK(again.source_name == p.source_name);
  for (size_t i = 0; i < p.ops.size(); ++i) CHECK(again.ops[i].where == p.ops[i].where);
}

TEST_CASE("Printed text whose origin is its own file; operations without a position", "[asm]") {
  const Program p = assemble(R"(#source = loc("k.pto":0:0)
module {
func.func @k(%x: i32) {
%a = arith.addi %x, %x : i32 loc(fused["k.pto":8:1, "k.pto":3:4])
%b = arith.addi %x, %x : i32 loc(unknown)
%c = arith.addi %x, %x : i32
return loc("k.pto":9:2)
}
}
)");
  CHECK(p.source_name == "k.pto");
  REQUIRE(p.origins.size() == 1);
  CHECK(p.origins[0].where == Location{8, 1});
  CHECK(p.origins[0].at == Location{3, 4});
  CHECK(find_op(p, "func.return").op().where == Location{9, 2});
  std::vector<uint32_t> lines;
  for (const Op& op : p.ops) {
    if (OpView(p, static_cast<uint32_t>(&op - p.ops.data())).mnemonic() == "arith.addi")
      lines.push_back(op.where.line);
  }
  CHECK(lines == std::vector<uint32_t>{8, 0, 6});
  CHECK(print(assemble(print(p, {.locations = true})), {.locations = true}) == print(p, {.locations = true}));
}

TEST_CASE("Many aliases of aliases are followed once", "[asm]") {
  std::string text = "module {\nfunc.func @k() {\npto.trap loc(#a0)\nreturn\n}\n}\n";
  for (int i = 0; i < 60; ++i) text += fmt::format("#a{} = loc(fused[#a{}, #a{}])\n", i, i + 1, i + 1);
  CHECK(assemble(text).origins.empty());
}

TEST_CASE("Old spellings of types and views", "[asm]") {
  const Program p = assemble(R"(#map = affine_map<(d0, d1) -> (d0 * 16 + d1)>
    module {
      func.func @k(%t: !pto.tile_buf<32x64xf32, #pto.address_space<vec>>, %v: !pto.tensor_view<?x?xf32>, %m: memref<4x4xf32, #map, 6>, %c: index) {
        %w = pto.subset %t[%c, %c] sizes [32, 32] : <32x64xf32, #pto.address_space<vec>>
        %p = pto.subview %v, offsets = [%c, %c], sizes = [32, 32] : !pto.tensor_view<?x?xf32> -> !pto.tile_view<32x32xf32>
        return
      }
    })");
  CHECK(to_string(find_op(p, "pto.subview").type(0)) == "!pto.tile_buf<vec, 32x64xf32>");
  CHECK(count_ops(p, "pto.partition_view") == 1);
  CHECK(print(p).find("memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 16 + d1)>, #pto.address_space<vec>>") !=
        std::string::npos);
  check_round_trip(p);
}
