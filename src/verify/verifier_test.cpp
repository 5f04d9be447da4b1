// Each rule of the verifier fails once, with a message that names what was written.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "pto/assembler.hpp"
#include "support/strings.hpp"
#include "testing/catch_main.hpp"
#include "verify/element_type_rules.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

/// The findings of a program; ids of parse errors too.
std::vector<Diagnostic> findings(const std::string& text, std::optional<Level> level = {}) {
  Diagnostics out;
  const std::optional<Program> program = parse(text, {}, out);
  if (program) verify(*program, {level}, out);
  return out.all();
}

std::string kernel(std::string_view target, std::string_view body) {
  return fmt::format(
      "module attributes {{pto.target_arch = \"{}\"}} {{\n  func.func @k(%g: !pto.ptr<f32>, %h: "
      "!pto.ptr<f16>, %i: i32, %f: f32, %x: index, %w: i64, "
      "%ub: !pto.ptr<f32, ub>, %l1: !pto.ptr<f16, l1>, %a: !pto.ptr<f16, l0a>, %b: !pto.ptr<f16, l0b>, %c: "
      "!pto.ptr<f32, l0c>) attributes "
      "{{pto.kernel}} {{\n    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n    %c8 = "
      "arith.constant 8 : index\n    %c16 = "
      "arith.constant 16 : index\n    %c64 = arith.constant 64 : index\n    %z = arith.constant 0 : i64\n    "
      "%n16 = arith.constant 16 : i64\n{}\n    "
      "return\n  }}\n}}\n",
      target, body);
}

/// `%name = pto.alloc_tile : !pto.tile_buf<type>`
std::string tile(std::string_view name, std::string_view type) {
  return fmt::format("%{} = pto.alloc_tile : !pto.tile_buf<{}>\n", name, type);
}
std::string binary(std::string_view op, std::string_view t0, std::string_view t1, std::string_view td) {
  return tile("t0", t0) + tile("t1", t1) + tile("td", td) +
         fmt::format(
             "pto.{} ins(%t0, %t1 : !pto.tile_buf<{}>, !pto.tile_buf<{}>) outs(%td : !pto.tile_buf<{}>)", op,
             t0, t1, td);
}
std::string unary(std::string_view op, std::string_view t0, std::string_view td) {
  return tile("t0", t0) + tile("td", td) +
         fmt::format("pto.{} ins(%t0 : !pto.tile_buf<{}>) outs(%td : !pto.tile_buf<{}>)", op, t0, td);
}

struct Failing {
  FindingId id;
  std::string_view target;
  std::string body;
  std::string_view says;  ///< a part of the message
};

std::string l0c_gm(std::string_view clauses, std::string_view types = "") {
  return fmt::format(
      "pto.mte_l0c_gm %c, %g, %w, %w, %w, %w, %w, %w, {} : !pto.ptr<f32, l0c>, !pto.ptr<f32>, i64, i64, i64, "
      "i64, i64, i64{}",
      clauses, types);
}

const std::string kMad =
    "pto.mad %a, %b, %c, %n16, %n16, %n16 {} : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, "
    "i64, i64, i64";

std::vector<Failing> failing() {
  return {
      {E0301, "a3",
       "pto.barrier <PIPE_ALL>\n" + tile("t", "vec, 16x64xf32") +
           "pto.tabs ins(%g : !pto.ptr<f32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)",
       "not tile_buf"},
      {E0311, "a3",
       tile("s", "vec, 16x64xf32") + tile("d", "vec, 16x64xi8") +
           "pto.tquant ins(%s, %s : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%d : "
           "!pto.tile_buf<vec, 16x64xi8>)",
       "quant_type"},
      {E0312, "a3",
       tile("s", "vec, 16x64xf32") + tile("d", "vec, 16x64xf16") +
           "pto.tcvt ins(%s {rmod = #pto<round_mode RINT>} : !pto.tile_buf<vec, 16x64xf32>) outs(%d : "
           "!pto.tile_buf<vec, 16x64xf16>)",
       "no attribute 'rmod'"},
      {W0312, "a3",
       tile("s", "vec, 16x64xf32") + "pto.tabs ins(%s : !pto.tile_buf<vec, 16x64xf32>) outs(%s : "
                                     "!pto.tile_buf<vec, 16x64xf32>) {remark = 1 : i32}",
       "'remark'"},
      {E0313, "a3",
       tile("d", "vec, 16x64xf32") +
           "pto.ttri ins(%i {upperOrLower = 2 : i32} : i32) outs(%d : !pto.tile_buf<vec, 16x64xf32>)",
       "is 2"},
      {E0314, "a3",
       tile("s", "vec, 16x64xf32") + tile("d", "vec, 1x64xf32") +
           "pto.tcolsum ins(%s, %s {isBinary = \"yes\"} : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, "
           "16x64xf32>) outs(%d : !pto.tile_buf<vec, 1x64xf32>)",
       "true or false"},
      {E0321, "a3", "pto.get_buf \"PIPE_V\", 0", "does not exist on a2a3"},
      {E0331, "a3", binary("trem", "vec, 16x64xf16", "vec, 16x64xf16", "vec, 16x64xf16"),
       "does not take f16 on a2a3"},
      {E0333, "a3",
       tile("s", "vec, 16x64xf32") + "pto.tadds ins(%s, %i : !pto.tile_buf<vec, 16x64xf32>, i32) outs(%s : "
                                     "!pto.tile_buf<vec, 16x64xf32>)",
       "is i32 (%i), the tile holds f32"},
      {E0341, "a3", unary("tabs", "mat, 16x64xf32", "vec, 16x64xf32"), "must be in vec, but %t0 is in mat"},
      {E0342, "a3", unary("tmov", "vec, 16x16xf32", "mat, 16x16xf32, blayout=col_major, slayout=row_major"),
       "no data path from vec to mat"},
      {E0351, "a3", unary("tabs", "vec, 16x64xf32, blayout=col_major", "vec, 16x64xf32"),
       "must be row_major"},
      {E0352, "a3",
       binary("tadd", "vec, 16x64xf32, valid=16x60", "vec, 16x64xf32", "vec, 16x64xf32, valid=16x60"),
       "src0 (%t0) has 16x60, src1 (%t1) has 16x64"},
      {E0353, "a3", unary("tfillpad", "vec, 16x64xf32", "vec, 16x32xf32, pad=1"), "smaller than src 16x64"},
      {E0354, "a3",
       tile("s", "vec, 16x64xf32") + tile("d", "vec, 8x8xf32, valid=8x1") +
           "pto.trowsum ins(%s, %s : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%d : "
           "!pto.tile_buf<vec, 8x8xf32, valid=8x1>)",
       "src has 16 valid rows, dst 8"},
      {E0355, "a3", unary("tcolexpand", "vec, 1x32xf32", "vec, 16x64xf32"),
       "src has 32 valid columns, dst 64"},
      {E0356, "a3",
       tile("l", "left, 16x32xf16, blayout=row_major, slayout=row_major") +
           tile("r", "right, 64x16xf16, slayout=col_major") +
           tile("d", "acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024") +
           "pto.tmatmul ins(%l, %r : !pto.tile_buf<left, 16x32xf16, blayout=row_major, slayout=row_major>, "
           "!pto.tile_buf<right, 64x16xf16, slayout=col_major>) "
           "outs(%d : !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>)",
       "32 valid columns, the right one 64 valid rows"},
      {E0357, "a3",
       binary("tpartmul", "vec, 16x64xf32, valid=8x64", "vec, 16x64xf32, valid=16x32", "vec, 16x64xf32"),
       "src0 is 8x64, src1 is 16x32"},
      {E0358, "a3",
       tile("s", "vec, 16x64xf32") + "pto.tcmps ins(%s, %f : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%s : "
                                     "!pto.tile_buf<vec, 16x64xf32>)",
       "not an integer type"},
      {E0362, "a3",
       tile("s", "vec, 16x64xf32") + tile("d", "vec, 16x64xf32") +
           "pto.textract ins(%s, %c8, %c0 : !pto.tile_buf<vec, 16x64xf32>, index, index) outs(%d : "
           "!pto.tile_buf<vec, 16x64xf32>)",
       "rows 8 to 24"},
      {W0361, "a3",
       "%v = pto.make_tensor_view %g, shape = [%c16, %c64], strides = [%c64, %c1] : "
       "!pto.tensor_view<16x64xf32>\n"
       "%p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c64] : !pto.tensor_view<16x64xf32> "
       "-> !pto.partition_tensor_view<16x64xf32>\n" +
           tile("d", "vec, 16x64xf32, valid=16x60") +
           "pto.tload ins(%p : !pto.partition_tensor_view<16x64xf32>) outs(%d : !pto.tile_buf<vec, "
           "16x64xf32, valid=16x60>)",
       "1024 elements"},
      {E0363, "a3", unary("tfillpad", "vec, 16x64xf32, valid=16x60", "vec, 16x64xf32"), "pad=0"},
      {E0364, "a3",
       tile("s", "vec, 16x64xf32") +
           "%r = pto.treshape %s : !pto.tile_buf<vec, 16x64xf32> -> !pto.tile_buf<vec, 16x64xf16>",
       "4096 bytes"},
      {E0365, "a3",
       tile("s", "vec, 16x64xf32") + "%r = pto.subview %s[%c8, %c0] sizes [16, 32] : !pto.tile_buf<vec, "
                                     "16x64xf32> -> !pto.tile_buf<vec, 16x32xf32>",
       "16 elements at 8"},
      {E0366, "a3",
       "%v = pto.make_tensor_view %g, shape = [%c16, %c64], strides = [%c64] : !pto.tensor_view<16x64xf32>",
       "2 extents and 1 strides"},
      {E0367, "a3",
       tile("s", "vec, 16x64xf32") + "pto.set_validshape %s, %c8, %c8 : !pto.tile_buf<vec, 16x64xf32>",
       "fixed"},
      {E0368, "a3",
       tile("s", "vec, 16x64xf32") + tile("d", "vec, 16x64xi8") +
           "pto.tquant ins(%s, %s : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%d : "
           "!pto.tile_buf<vec, 16x64xi8>) {quant_type = #pto<quant_type INT8_ASYM>}",
       "needs an offset"},
      {E0371, "a3",
       tile("s", "vec, 16x64xf32") + tile("t", "vec, 2x32xf32") +
           "pto.trem ins(%s, %s, %t : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>, "
           "!pto.tile_buf<vec, 2x32xf32>) outs(%s : !pto.tile_buf<vec, 16x64xf32>)",
       "32 valid columns, dst 64"},
      {W0372, "cpu",
       tile("s", "vec, 16x64xf32") + tile("d", "vec, 16x64xf16") +
           "pto.tcvt ins(%s {sat_mode = #pto<saturation_mode ON>} : !pto.tile_buf<vec, 16x64xf32>) outs(%d : "
           "!pto.tile_buf<vec, 16x64xf16>)",
       "pto.tcvt"},
      {E0376, "a3", tile("s", "vec, 256x256xf32"), "takes 256 KiB; vec has 192 KiB on a2a3"},
      {E0377, "a3",
       "%q = arith.constant 196608 : i64\n%s = pto.alloc_tile addr = %q : !pto.tile_buf<vec, 16x64xf32>",
       "196608 to 200704"},
      {E0378, "a3",
       "%q = arith.constant 48 : i64\n%s = pto.alloc_tile addr = %q : !pto.tile_buf<vec, 16x64xf32>",
       "the address 48 of %s is not a multiple of 32"},
      {E0379, "a3",
       "%s = pto.alloc_tile addr = %w : !pto.tile_buf<vec, 16x64xf32>\n" + tile("t", "vec, 16x64xf32"),
       "the address of %s is not a constant"},
      {E0383, "a3", tile("s", "vec, 16x60xf16"), "120 bytes"},
      {E0384, "a3", tile("s", "mat, 24x24xf16, blayout=col_major, slayout=row_major"), "boxes of 16x16"},
      {E0391, "a3", "pto.set_flag[<PIPE_MTE4>, <PIPE_V>, <EVENT_ID0>]", "PIPE_MTE4"},
      {E0392, "a3", "pto.set_flag[<PIPE_V>, <PIPE_V>, <EVENT_ID0>]", "PIPE_V against itself"},
      {E0393, "a5", "pto.sync.set <PIPE_M>, 3", "PIPE_M"},
      {E0394, "a5", "pto.get_buf \"PIPE_V\", 32", "is 32"},
      {E0401, "a5", "%m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>",
       "pto.pset_b32 works on vector registers"},
      {E0402, "a5", "pto.vecscope {\npto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]\n}", "pto.set_flag"},
      {E0403, "a3", "scf.for %j = %c0 to %c8 step %c1 {\nfunc.return\n}", "func.return"},
      {E0404, "a3", "pto.section.cube {\npto.section.vector {\n}\n}", "inside another section"},
      {E0382, "a3", tile("s", "vec, 16x64xf32, valid=16x65"), "65 valid columns in a tile of 64"},
      {E0408, "a3",
       "pto.section.cube {\n" + binary("tadd", "vec, 16x64xf32", "vec, 16x64xf32", "vec, 16x64xf32") + "\n}",
       "pto.tadd runs on PIPE_V, which the cube core"},
      {E0411, "a3",
       "pto.mad %b, %b, %c, %n16, %n16, %n16 : !pto.ptr<f16, l0b>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, "
       "i64, i64, i64",
       "'lhs' of pto.mad must point to l0a"},
      {E0412, "a3", fmt::format(fmt::runtime(kMad), "tf32_mode(round_even)"), "lhs f16"},
      {E0413, "a3",
       "pto.mad %a, %b, %c, %n16, %n16, %z : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, "
       "i64, i64, i64",
       "k of pto.mad is 0"},
      {E0414, "a5", "pto.vecscope {\n%m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b16>\n}",
       "mask of b32, not b16"},
      {E0415, "a5",
       "pto.vecscope {\n%v = pto.vlds %ub[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n%q = pto.vbitcast "
       "%v : !pto.vreg<64xf32> -> !pto.vreg<64xf16>\n}",
       "!pto.vreg<64xf16> does not hold 2048 bits"},
      {E0421, "a3",
       "%r = scf.for %q = %c0 to %c8 step %c1 iter_args(%k = %i) -> (i32) {\n%s = arith.addi %k, %k : i32\n}",
       "the loop ends without scf.yield"},
      {E0422, "a3",
       "%r = scf.for %q = %c0 to %c8 step %c1 iter_args(%k = %i) -> (i32) {\nscf.yield %k, %k : i32, i32\n}",
       "scf.yield has 2 values"},
      {E0423, "a3",
       "%r = scf.for %q = %c0 to %c8 step %c1 iter_args(%k = %i) -> (i32) {\nscf.yield %q : index\n}",
       "%q is index"},
      {E0424, "a3", "%t = arith.cmpi eq, %i, %i : i32\n%r = scf.if %t -> (i32) {\nscf.yield %i : i32\n}",
       "no else"},
      {E0425, "a3", "scf.for %q = %c0 to %c8 step %c0 {\n}", "never end"},
      {W0103, "a3",
       "%k = arith.constant 2048 : i64\n%t0 = pto.alloc_tile addr = %z : !pto.tile_buf<vec, 16x64xf32>\n"
       "%t1 = pto.alloc_tile addr = %k : !pto.tile_buf<vec, 16x64xf32>\n"
       "pto.tabs ins(%t0 : !pto.tile_buf<vec, 16x64xf32>) outs(%t1 : !pto.tile_buf<vec, 16x64xf32>)",
       "over a part of %t0"},
      {W0102, "a3", binary("tcmp", "vec, 16x64xf32", "vec, 16x64xf32", "vec, 16x64xui8"),
       "compares for equality"},
      {E0416, "a5",
       "pto.vecscope {\n%m = pto.pset_b32 \"PAT_ALL\" : !pto.mask<b32>\n%v = pto.vlds %ub[%c0] : "
       "!pto.ptr<f32, ub> -> !pto.vreg<64xf32>\n"
       "%q = pto.vcvt %v, %m {rnd = \"R\", part = \"EVEN\"} : !pto.vreg<64xf32>, !pto.mask<b32> -> "
       "!pto.vreg<64xi32>\n}",
       "takes no part"},
      {E0417, "a3",
       "pto.mte_l0c_gm %c, %g, %w, %w, %w, %w, %w, %w, pre_quant(%f, mode = qf322f16_pre_vec), nz2nd : "
       "!pto.ptr<f32, l0c>, !pto.ptr<f32>, i64, i64, i64, i64, i64, i64, f32",
       "qf322f16_pre_vec"},
      {E0417, "a3", l0c_gm("pre_relu(mode = scalar_relu), nz2nd"), "scalar_relu needs"},
      {E0418, "a3", l0c_gm("nz2dn"), "nz2dn needs its source stride"},
      {E0418, "a3", l0c_gm("pre_quant(%f, mode = deqf16_scalar), nz2nd", ", f32"),
       "deqf16_scalar does not convert f32 to f32"},
      {E0333, "a5",
       "pto.vecscope {\n%v, %q = pto.vlds %ub[%c0] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>, !pto.ptr<i32, "
       "ub>\n}",
       "moves !pto.ptr<f32, ub>"},
      {E0362, "a3",
       "%neg = arith.constant -16 : i64\npto.mte_l1_l0a %l1, %a, %n16, %n16, %neg, %z : !pto.ptr<f16, l1>, "
       "!pto.ptr<f16, l0a>, i64, i64, i64, i64",
       "start_row of pto.mte_l1_l0a is -16"},
  };
}

bool has(const std::vector<Diagnostic>& found, FindingId id, std::string_view text) {
  return std::ranges::any_of(
      found, [&](const Diagnostic& d) { return d.id == id && d.message.find(text) != std::string::npos; });
}

std::string listing(const std::vector<Diagnostic>& found) {
  std::string text;
  for (const Diagnostic& d : found) text += fmt::format("{} {}\n", to_string(d.id), d.message);
  return text;
}

TEST_CASE("each rule fails once and names the values", "[verify]") {
  for (const Failing& example : failing()) {
    const std::vector<Diagnostic> found = findings(kernel(example.target, example.body));
    INFO(to_string(example.id) << " wants: " << example.says << "\n" << listing(found) << example.body);
    CHECK(has(found, example.id, example.says));
    for (const Diagnostic& d : found) CHECK(!d.help.empty());
  }
}

TEST_CASE("rules about several functions", "[verify]") {
  const auto module = [](std::string_view body) {
    return fmt::format("module attributes {{pto.target_arch = \"a3\"}} {{\n{}\n}}\n", body);
  };
  const std::vector<Diagnostic> recursion =
      findings(module("func.func @f() {\ncall @g() : () -> ()\nreturn\n}\nfunc.func @g() {\ncall @f() : () "
                      "-> ()\nreturn\n}"));
  CHECK(has(recursion, E0405, "@f calls itself"));
  const std::vector<Diagnostic> results =
      findings(module("func.func @k(%i: i32) -> i32 attributes {pto.kernel} {\nreturn %i : i32\n}"));
  CHECK(has(results, E0407, "the entry @k returns 1 value"));
}

/// Programs that text cannot express: as an object file or a planner would make them.
TEST_CASE("missing operands and values out of sight", "[verify]") {
  Program program;
  ProgramBuilder build(program);
  Type vec;
  vec.kind = TypeKind::tile_buf;
  vec.elem = Elem::f32;
  vec.space = Space::ub;
  vec.fractal = 512;
  vec.rank = 2;
  vec.dims = {16, 64};
  vec.valid = {16, 64};
  const TypeId type = program.types.intern(vec);
  vec.dims = {0, 64};
  vec.valid = {0, 64};
  const TypeId empty = program.types.intern(vec);
  const auto id = [](std::string_view name) { return isa::id_of(*isa::find_row(name)); };
  const uint32_t module = build.begin_op(id("builtin.module"), {}, {}, {}, {}, {}, 1);
  build.begin_region(module, 0, {}, {});
  const ValueId later = 1;
  const std::vector<ValueId> words = {later, kNoValue};
  build.begin_op(id("pto.tabs"), {}, words, {}, {}, {});
  const std::vector<ValueId> none = {kNoValue, kNoValue, kNoValue};
  build.begin_op(id("pto.alloc_tile"), {}, none, {}, std::vector<TypeId>{type}, {});
  build.begin_op(id("pto.alloc_tile"), {}, none, {}, std::vector<TypeId>{empty}, {});
  build.end_region(module, 0);
  Diagnostics out;
  verify(program, {}, out);
  INFO(listing(out.all()));
  CHECK(has(out.all(), E0304, "%1 is used by pto.tabs"));
  CHECK(has(out.all(), E0302, "lacks its operand 'dst'"));
  CHECK(has(out.all(), E0381, "rows and columns"));
}

/// The parser resolves calls; an object file may hold any name.
TEST_CASE("calls of a program that was not parsed", "[verify]") {
  Diagnostics out;
  std::optional<Program> program = parse(
      "module attributes {pto.target_arch = \"a3\"} {\nfunc.func @f(%i: i32) {\nreturn\n}\nfunc.func @k(%i: "
      "i32, %w: i64) attributes {pto.kernel} {\ncall "
      "@f(%i) : (i32) -> ()\nreturn\n}\n}\n",
      {}, out);
  REQUIRE(program);
  CHECK(verify(*program, {}, out));
  const RowId call = isa::id_of(*isa::find_row("func.call"));
  const auto op = std::ranges::find(program->ops, call, &Op::row);
  const ValueId i64_argument = program->operands[op->operands + 1] + 1;
  Program other = *program;
  other.operands[op->operands + 1] = i64_argument;
  Diagnostics types;
  verify(other, {}, types);
  CHECK(has(types.all(), E0406, "argument 0 of @f is i32, %w is i64"));
  program->attrs[op->attrs].value.text = program->strings.intern("nowhere");
  Diagnostics names;
  verify(*program, {}, names);
  CHECK(has(names.all(), E0406, "no function @nowhere"));
}

TEST_CASE("rule names of the table are known", "[verify]") {
  for (const isa::Row& row : isa::rows()) {
    for (const isa::RowRule& rule : isa::schema(isa::id_of(row)).rules) {
      INFO(row.name << " " << rule.name);
      CHECK(find_op_rule(rule.name) != nullptr);
    }
  }
}

TEST_CASE("rules of one target are bound on that target only", "[verify]") {
  const RowRule plain = isa::parse_rule("same_valid:src,dst");
  CHECK_FALSE(plain.target.has_value());
  CHECK(plain.name == "same_valid");
  CHECK(plain.argument == "src,dst");
  const RowRule one = isa::parse_rule("a2a3.distinct:src,dst@wider");
  CHECK(one.target == Target::a2a3);
  CHECK(one.id == isa::RuleName::distinct);
  CHECK(one.words() == "src,dst");
  CHECK(one.condition() == "wider");
  CHECK(isa::parse_rule("a5.in_place").argument.empty());
  // trecip cannot work in place on a2a3; on a5 it can.
  const std::string in_place =
      tile("t", "vec, 16x64xf32") +
      "pto.trecip ins(%t : !pto.tile_buf<vec, 16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>)";
  CHECK(has(findings(kernel("a3", in_place)), E0370, "src and dst are one tile (%t)"));
  CHECK(findings(kernel("a5", in_place)).empty());
}

TEST_CASE("the operand that differs from the others is named", "[verify]") {
  const std::vector<Diagnostic> first = findings(
      kernel("a3", binary("tadd", "vec, 16x64xf32, valid=16x60", "vec, 16x64xf32", "vec, 16x64xf32")));
  CHECK(has(first, E0352, "src1 (%t1) has 16x64, src0 (%t0) has 16x60"));
  const std::vector<Diagnostic> second = findings(
      kernel("a3", binary("tadd", "vec, 16x64xf32", "vec, 16x64xf32, valid=16x60", "vec, 16x64xf32")));
  CHECK(has(second, E0352, "src0 (%t0) has 16x64, src1 (%t1) has 16x60"));
  const std::vector<Diagnostic> elements =
      findings(kernel("a3", binary("tadd", "vec, 16x64xf16", "vec, 16x64xf32", "vec, 16x64xf32")));
  CHECK(has(elements, E0331, "src1 is f32 (%t1), src0 is f16 (%t0); a2a3 requires equal element types"));
}

TEST_CASE("types strings of the table compile", "[verify]") {
  for (const isa::Row& row : isa::rows()) {
    for (const std::string_view text : {row.types.a2a3, row.types.a5}) {
      std::vector<TypeAlternative> out;
      std::string problem;
      INFO(row.name);
      CHECK((text == "-" || compile_types(text, isa::schema(isa::id_of(row)), out, problem)));
      CHECK(problem.empty());
    }
  }
}

}  // namespace
}  // namespace pto::legality
