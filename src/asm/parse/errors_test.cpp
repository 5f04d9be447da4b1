// What is refused, where the message points and what it proposes.
#include "asm/parse/parse_fixture.hpp"
#include "asm/rules.hpp"
#include "ir/op_queries.hpp"

using namespace pto;
using namespace pto::text::testing;

TEST_CASE("Unknown clauses name the nearest one", "[asm][error]") {
  const Failure f = refuse(kernel(
      "pto.mte_ub_gm %p, %g, %n nbrst(%n, %n, %n) : !pto.ptr<f32, ub>, !pto.ptr<f32>, i64, i64, i64, i64"));
  CHECK(f.id == E0118);
  CHECK(f.message == "pto.mte_ub_gm: unknown clause 'nbrst'");
  CHECK(to_string(f.help) == "did you mean 'nburst'?");
  CHECK(f.spelling == "nbrst");
  CHECK(f.where == Location{3, 26});
}

TEST_CASE("A type that is not the value's shows both and the definition", "[asm][error]") {
  const Failure f =
      refuse(kernel("%a = arith.constant 1 : i32\npto.barrier <PIPE_ALL>\n%v = pto.vlds %p[%i] : "
                    "!pto.ptr<f16, ub> -> !pto.vreg<64xf32>"));
  CHECK(f.id == E0115);
  CHECK(f.message == "%p is !pto.ptr<f32, ub>, but !pto.ptr<f16, ub> is written");
  CHECK(f.spelling == "!pto.ptr<f16, ub>");
  CHECK(f.text.find("note: defined here") != std::string::npos);
}

TEST_CASE("Undefined, late and repeated names", "[asm][error]") {
  Failure f = refuse(kernel("%a = arith.addi %nn, %n : i64"));
  CHECK(f.id == E0112);
  CHECK(f.spelling == "%nn");
  f = refuse(kernel("%a = arith.addi %late, %n : i64\n%late = arith.constant 1 : i64"));
  CHECK(f.message == "%late is not defined before this use");
  f = refuse(kernel("%a = arith.constant 1 : i32\n%a = arith.constant 2 : i32"));
  CHECK(f.id == E0113);
  CHECK(f.where.line == 4);
  f = refuse(kernel("scf.if %b { %x = arith.constant 1 : i64 }\n%y = arith.addi %x, %x : i64"));
  CHECK(f.id == E0112);
  f =
      refuse(kernel("%r:2 = scf.if %b -> (i64, i64) { scf.yield %n, %n : i64, i64 } else { scf.yield %n, %n "
                    ": i64, i64 }\n%y = arith.addi %r#2, %n : i64"));
  CHECK(f.spelling == "%r#2");
}

TEST_CASE("Instructions without support say so, typos do not", "[asm][error]") {
  Failure f = refuse(kernel("pto.tset_quant_scalar %n : i64"));
  CHECK(f.id == E0110);
  CHECK(f.message == "pto.tset_quant_scalar is not supported yet");
  CHECK(f.unsupported);
  CHECK(f.spelling == "pto.tset_quant_scalar");
  f = refuse(kernel("%m = a5vm.alloc() : memref<16x16xf16, #pto.address_space<vec>>"));
  CHECK(f.unsupported);
  f = refuse(kernel("pto.tbas ins(%p : !pto.ptr<f32, ub>) outs(%p : !pto.ptr<f32, ub>)"));
  CHECK(f.id == E0111);
  CHECK_FALSE(f.unsupported);
  CHECK(to_string(f.help) == "did you mean 'pto.tabs'?");
  // A use of its result is no second error.
  f = refuse(kernel(
      "%m = a5vm.alloc() : memref<16xf32>\npto.tabs ins(%m : memref<16xf32>) outs(%m : memref<16xf32>)"));
  CHECK(f.errors == 1);
}

TEST_CASE("The shape of every construct is read, so that only the support is missing", "[asm][error]") {
  for (const std::string_view statement : {"a5vm.set_flag[\"PIPE_V\"] {x, y = [1.5, \"s\", {z = unit}], "
                                           "\"k.l\" = dense<[1, 2]> : tensor<2xi32>} : i32 loc(#loc3)"}) {
    const Failure f = refuse(kernel(statement));
    INFO(f.text);
    CHECK(f.errors == 1);
    CHECK(f.id == E0110);
    CHECK(f.unsupported);
  }
}

TEST_CASE("Launch brackets, clause words and operands in clauses are read and printed", "[asm]") {
  for (const std::string_view statement :
       {"pto.simt_launch @f<<<%n, %n, %n>>>(%p, %i) : (!pto.ptr<f32, ub>, index) -> ()",
        "%x = pto.ldg %g[%i] l1cache(uncache) l2cache(nmfv) : !pto.ptr<f32> -> f32",
        "%x = pto.atomic_add %g, %n l2cache(nmfv) signed : !pto.ptr<f32>, i64 -> i64",
        "%x = pto.convert %n\n round(z)\n sat signed : i64 -> i32", "pto.keep %n {slot = 0 : i64} : i64",
        "pto.comm.tput(%g, %g, buf(%p) : !pto.ptr<f32>, !pto.ptr<f32>, !pto.ptr<f32, ub>) {atomicType = "
        "#pto<atomic_type atomic_add>}",
        "pto.comm.tbroadcast(%g, recv(%p), group(%g, %g) : !pto.ptr<f32>, !pto.ptr<f32, ub>, !pto.ptr<f32>, "
        "!pto.ptr<f32>) {root = 0 : i32}"}) {
    INFO(statement);
    check_round_trip(assemble(kernel(statement)));
  }
}

TEST_CASE("Operand and result counts", "[asm][error]") {
  const std::string tile = "%x = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>\n";
  Failure f = refuse(kernel(
      tile + "pto.tadd ins(%x : !pto.tile_buf<vec, 16x16xf32>) outs(%x : !pto.tile_buf<vec, 16x16xf32>)"));
  CHECK(f.id == E0116);
  CHECK(f.message.find("(src0, src1)") != std::string::npos);
  f = refuse(kernel("%a, %c = arith.constant 1 : i32"));
  CHECK(f.id == E0119);
  f = refuse(kernel(
      tile +
      "pto.tadd inns(%x, %x : !pto.tile_buf<vec, 16x16xf32>) outs(%x : !pto.tile_buf<vec, 16x16xf32>)"));
  CHECK(to_string(f.help) == "did you mean 'ins'?");
}

TEST_CASE("What is missing is named", "[asm][error]") {
  const std::string types = " : !pto.ptr<f32>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64";
  CHECK(refuse(kernel("pto.mte_gm_ub %g, %p, %n, %n nburst(%n, %n)" + types)).message ==
        "pto.mte_gm_ub: expected ',' and operand 'nburst_dst_stride' here");
  CHECK(refuse(kernel("pto.mte_gm_ub %g, %p, %n, %n nburst(%n, %n, %n) loop(%n, %n, %n)" + types)).id ==
        E0116);
  CHECK(refuse(kernel("%x = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>\npto.tabs ins(%x) outs(%x : "
                      "!pto.tile_buf<vec, 16x16xf32>)"))
            .message == "pto.tabs: ':' and the type of %x are missing here");
  CHECK(refuse(kernel("pto.mad %p, %p, %p, %n, %n, %n unit_flag(check) : !pto.ptr<f32, ub>, !pto.ptr<f32, "
                      "ub>, !pto.ptr<f32, ub>, i64, i64, i64"))
            .id == E0121);
}

TEST_CASE("Enumeration values are listed", "[asm][error]") {
  const Failure f = refuse(
      kernel("%x = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>\n"
             "%y = tcvt %x {rmode = #pto<round_mode FLOR>} : !pto.tile<16x16xf32> -> !pto.tile<16x16xi32>"));
  CHECK(f.id == E0121);
  CHECK(f.message.find("FLOOR, CEIL") != std::string::npos);
  CHECK(to_string(f.help) == "did you mean 'FLOOR'?");
}

TEST_CASE("Calls are checked against the function", "[asm][error]") {
  Failure f = refuse(
      "module { func.func @helper(%x: i32) { return } func.func @k(%y: i32) { call @helpr(%y) : (i32) -> () "
      "return } }");
  CHECK(f.id == E0114);
  CHECK(to_string(f.help) == "did you mean '@helper'?");
  f = refuse(
      "module { func.func @helper(%x: i32) { return } func.func @k(%y: i64) { call @helper(%y) : (i64) -> () "
      "return } }");
  CHECK(f.id == E0115);
}

TEST_CASE("Several errors in one run, without cascades", "[asm][error]") {
  const Failure f =
      refuse(kernel("%a = arith.constant : i32\n%c = arith.addi %a, %a : i32\npto.bogus %c\n%d = arith.addi "
                    "%n %n : i64\n%e = arith.addi %d, %n : i64"));
  CHECK(f.errors == 3);
  std::string many;
  for (int i = 0; i < 100; ++i) many += "pto.bogus\n";
  CHECK(refuse(kernel(many)).errors == 100);  // all are counted, 20 are kept
}

TEST_CASE("Broken regions", "[asm][error]") {
  CHECK(refuse("module { func.func @k() { return }").id == E0103);
  CHECK(refuse("module { } }").id == E0103);
  CHECK(refuse("module >>> attributes {a} {\n  func.func @k() {\n return\n }\n").errors >= 1);
  CHECK(refuse(">>> {\n").errors >= 1);
  CHECK(refuse(kernel("scf.if %b")).id == E0120);
  CHECK(refuse(kernel("pto.vecscope { } else { }")).id == E0120);
  CHECK(refuse(kernel("scf.for %j = %i to %i step { %x = arith.constant 1 : i32 }")).errors == 1);
}

TEST_CASE("Whatever the bytes are, the answer is a message", "[asm][robust]") {
  CHECK(refuse("").id == E0100);
  CHECK(refuse("// nothing\n").id == E0100);
  CHECK(refuse(kernel("pto.set_flag[\"PIPE_V, \"PIPE_V\", \"EVENT_ID0\"]")).errors >= 1);
  CHECK(refuse(kernel("pto.pset_b32 \"PAT")).id == E0102);
  CHECK(refuse(kernel("%a = arith.constant " + std::string(1000000, '9') + " : i64")).id == E0106);
  CHECK(refuse(kernel("%a = arith.constant 1e999999999 : f32")).id == E0106);
  CHECK(refuse(kernel("%a = arith.constant 300 : i8")).id == E0106);
  CHECK(refuse(std::string("module {\0}", 10)).id == E0124);
  CHECK(refuse("module {\x01 }").id == E0101);
  CHECK(refuse(kernel("%a = arith.constant \xff\xfe : i32")).errors >= 1);
  CHECK(refuse("module attributes {a = \"\xc3\x28\"} {}").id == E0105);
  CHECK(refuse(kernel(std::string(100000, '('))).errors >= 1);
  CHECK(refuse(kernel("pto.trap " + std::string(100000, '('))).id == E0104);
  CHECK(refuse(kernel("pto.trap {" + std::string(100000, '{'))).errors >= 1);
  CHECK(refuse(std::string(100000, '}')).id == E0103);
  CHECK(refuse(kernel("%a = !pto.ptr<" + std::string(100000, '<'))).errors >= 1);
  CHECK(refuse("%").errors == 1);
  CHECK(refuse("%a:99999999999999999999 = arith.constant 1 : i32").errors >= 1);
}

TEST_CASE("Deep nesting of regions is no problem", "[asm][robust]") {
  std::string body;
  constexpr int kDepth = 100000;
  for (int i = 0; i < kDepth; ++i) body += "scf.if %b {\n";
  body += std::string(kDepth, '}');
  const Program p = assemble(kernel(body));
  CHECK(count_ops(p, "scf.if") == kDepth);
  CHECK(refuse(kernel(body.substr(0, body.size() - 5))).id == E0103);
}

TEST_CASE("The generic form needs the attributes that have a place in the syntax", "[asm][error]") {
  const auto refused =
      refuse(kernel("\"pto.wait_flag_dyn\"(%i) {src_pipe = #pto<pipe PIPE_S>} : (index) -> ()"));
  CHECK(refused.id == E0101);
  CHECK(refused.message.find("dst_pipe") != std::string::npos);
}

TEST_CASE("Every prefix of a program is refused or assembled", "[asm][robust]") {
  const std::string text = kernel(
      "pto.vecscope {\n%m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n}\n%t = pto.alloc_tile : "
      "!pto.tile_buf<vec, 16x16xf32>\n"
      "pto.tcvt ins(%t {rmode = #pto<round_mode FLOOR>} : !pto.tile_buf<vec, 16x16xf32>) outs(%t : "
      "!pto.tile_buf<vec, 16x16xf32>)");
  for (size_t n = 0; n < text.size(); ++n) {
    Diagnostics diagnostics;
    const std::optional<Program> p = parse(std::string_view(text).substr(0, n), {}, diagnostics);
    CHECK(p.has_value() == (diagnostics.errors() == 0));
    if (!p) CHECK_FALSE(diagnostics.all().empty());
  }
}

TEST_CASE("Every error id of the assembler is explained", "[asm][error]") {
  for (const FindingId id :
       {E0100, E0101, E0102, E0103, E0104, E0105, E0106, E0107, E0108, E0110, E0111, E0112, E0113,
        E0114, E0115, E0116, E0118, E0119, E0120, E0121, E0122, E0123, E0124, E0125, E0126, W0101}) {
    const std::span<const Rule> all = text::assembler_rules();
    CHECK(std::any_of(all.begin(), all.end(), [&](const Rule& rule) { return rule.id == id; }));
  }
}

TEST_CASE("Anchors point at the part a rule speaks of", "[asm][error]") {
  const std::string source = kernel(
      "%x = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>\n"
      "%y = pto.alloc_tile : !pto.tile_buf<vec, 16x32xf32>\n"
      "pto.tcvt ins(%x {rmode = #pto<round_mode FLOOR>} : !pto.tile_buf<vec, 16x16xf32>) outs(%y : "
      "!pto.tile_buf<vec, 16x32xf32>)\n"
      "%v = pto.vlds %p[%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>");
  const Program p = assemble(source);
  const auto spelling = [&](std::string_view op, Anchor::Part part, uint32_t index) {
    Diagnostics d;
    const OpView view = find_op(p, op);
    d.error(E0100, "test", isa::anchor_at(view, part, index)).where = view.op().where;
    resolve_anchors(p, source, d);
    const Span span = d.all().front().span;
    return source.substr(span.begin, span.end - span.begin);
  };
  CHECK(spelling("pto.tcvt", Anchor::Part::op, 0) == "pto.tcvt");
  CHECK(spelling("pto.tcvt", Anchor::Part::operand, 0) == "%x");
  CHECK(spelling("pto.tcvt", Anchor::Part::operand_type, 1) == "!pto.tile_buf<vec, 16x32xf32>");
  CHECK(spelling("pto.tcvt", Anchor::Part::attribute, 0) == "rmode = #pto<round_mode FLOOR>");
  CHECK(spelling("pto.vlds", Anchor::Part::operand, 1) == "%i");
  CHECK(spelling("pto.vlds", Anchor::Part::result_type, 0) == "!pto.vreg<64xf32>");
  CHECK(spelling("pto.vlds", Anchor::Part::result, 0) == "%v");
}
