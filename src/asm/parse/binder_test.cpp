// Every construct of the language, and what it becomes.
#include "asm/parse/parse_fixture.hpp"

using namespace pto;
using namespace pto::text::testing;

TEST_CASE("Scalars, loops, branches and calls", "[asm]") {
  const Program p = assemble(R"(
module {
  func.func private @external(i32) -> i32
  func.func @helper(%x: i32) -> (i32, i1) {
    %zero = arith.constant 0 : i32
    %c = arith.cmpi slt, %x, %zero : i32
    return %x, %c : i32, i1
  }
  func.func @main(%n: index, %v: i32) attributes {pto.kernel, "quoted.key" = 3 : i8} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %f = arith.constant -4.0001e+00 : f32
    %inf = arith.constant 0x7F800000 : f32
    %big = arith.constant 0xFF : i32
    %t = arith.constant true
    %d = arith.constant dense<0> : vector<4xi16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v, %b = %f) -> (i32, f32) {
      %s = arith.addi %a, %v overflow<nsw> : i32
      scf.yield %s, %b : i32, f32
    } {llvm.loop.aivector_scope}
    %k = scf.if %t -> (i32) {
      scf.yield %r#0 : i32
    } else {
      scf.yield %v : i32
    }
    scf.if %t { }
    %w:2 = scf.while (%x = %k, %y = %r#1) : (i32, f32) -> (i32, f32) {
      %go = arith.cmpi eq, %x, %v : i32
      scf.condition(%go) %x, %y : i32, f32
    } do {
    ^bb0(%p: i32, %q: f32):
      %next = arith.select %t, %p, %v : i32
      scf.yield %next, %q : i32, f32
    }
    %h:2 = func.call @helper(%w#0) : (i32) -> (i32, i1)
    %e = call @external(%h#0) : (i32) -> i32
    %wide = arith.extui %big : i32 to i64
    %bits = arith.bitcast %f : f32 to i32
    func.return
  }
}
)");
  const OpView loop = find_op(p, "scf.for");
  CHECK(loop.op().n_results == 2);
  CHECK(p.regions_of(loop.op())[0].n_args == 3);
  CHECK(loop.attr("llvm.loop.aivector_scope") != nullptr);
  const OpView branch = find_op(p, "scf.if");
  CHECK(branch.op().n_regions == 2);
  const OpView inf(p, find_op(p, "arith.constant").index());
  CHECK(count_ops(p, "arith.constant") == 8);
  CHECK(functions(p).size() == 3);
  CHECK(functions(p)[0].declaration);
  check_round_trip(p);
}

TEST_CASE("Constants keep their value and type", "[asm]") {
  const Program p = assemble(kernel(R"(
    %c0 = arith.constant 0x7F800000 : f32
    %c1 = arith.constant -5 : i8
    %c2 = arith.constant 0xFFFFFFFFFFFFFFFF : i64
    %c3 = arith.constant 0.1 : f16
    %c4 = arith.constant false)"));
  std::vector<AttrValue> values;
  for (uint32_t i = 0; i < p.ops.size(); ++i) {
    if (isa::row(p.ops[i].row).name == "arith.constant") values.push_back(*OpView(p, i).attr("value"));
  }
  REQUIRE(values.size() == 5);
  CHECK(values[0].floating == std::numeric_limits<double>::infinity());
  CHECK(values[1].integer == -5);
  CHECK(values[2].integer == -1);
  CHECK(values[3].floating == 0.1);
  CHECK(values[4].integer == 0);
  CHECK(p.types[values[4].type].elem == Elem::i1);
  check_round_trip(p);
}

TEST_CASE("All forms of a tile instruction are one operation", "[asm]") {
  const std::string tiles = R"(
    %x = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    %y = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    %d = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
)";
  const auto words = [&](std::string_view form) {
    const Program p = assemble(kernel(tiles + std::string(form)));
    check_round_trip(p);
    const OpView op = find_op(p, "pto.trem");
    CHECK(op.op().n_results == 0);
    CHECK(p.name_of(op.operand(0)) == "x");
    CHECK(p.name_of(op.operand(1)) == "y");
    const int dst = isa::schema(op.op().row).operand_slot("dst");
    return std::string(p.name_of(op.operand(static_cast<unsigned>(dst))));
  };
  CHECK(words("pto.trem ins(%x, %y : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) outs(%d : "
              "!pto.tile_buf<vec, 16x16xf32>)") == "d");
  CHECK(
      words(
          "pto.trem ins(%x, %y : !pto.tile_buf<vec, 16x16xf32>) outs(%d : !pto.tile_buf<vec, 16x16xf32>)") ==
      "d");
  CHECK(words("pto.trem ins(%x : !pto.tile_buf<vec, 16x16xf32>, %y : !pto.tile_buf<vec, 16x16xf32>) outs(%d "
              ": !pto.tile_buf<vec, 16x16xf32>)") == "d");
  CHECK(
      words("%r = pto.trem %x, %y : (!pto.tile<16x16xf32>, !pto.tile<16x16xf32>) -> !pto.tile<16x16xf32>") ==
      "r");
  CHECK(words("%r = pto.trem %x, %y : !pto.tile<16x16xf32> -> !pto.tile<16x16xf32>") == "r");
  CHECK(words("%r = trem %x, %y : !pto.tile<16x16xf32>") == "r");
  CHECK(words("\"pto.trem\"(%x, %y, %d) : (!pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>, "
              "!pto.tile_buf<vec, 16x16xf32>) -> ()") == "d");
  CHECK(words("\"pto.trem\"(%x, %y, %d) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : "
              "(!pto.tile_buf<vec, 16x16xf32>, "
              "!pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) -> ()") == "d");
}

TEST_CASE("Enumerations are accepted in all their spellings", "[asm]") {
  for (const std::string_view value : {"#pto<round_mode FLOOR>", "#pto.round_mode<FLOOR>", "<FLOOR>", "FLOOR",
                                       "\"FLOOR\"", "3", "3 : i32"}) {
    const Program p =
        assemble(kernel("%x = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>\n%y = tcvt %x {rmode = " +
                        std::string(value) + "} : !pto.tile<16x16xf32> -> !pto.tile<16x16xi32>"));
    CHECK(find_op(p, "pto.tcvt").attr_int("rmode") == 3);
  }
  const std::string flags = R"(
    pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID1"]
    pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID1>]
    pto.set_flag[#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_V>, #pto.event<EVENT_ID1>]
    pto.barrier <PIPE_ALL>
    pto.barrier #pto.pipe<PIPE_ALL>
    pto.get_buf "PIPE_V", 3, 0
    pto.get_buf [#pto.pipe_event_type<TLOAD>, 3]
    pto.mem_bar "VST_VLD"
    pto.mem_bar <VST_VLD>
    pto.sync.set <PIPE_FIX>, 17
    pto.sync.wait #pto.pipe<PIPE_V>, %i)";
  const Program p = assemble(kernel(flags));
  for (uint32_t i = 0; i < p.ops.size(); ++i) {
    const OpView op(p, i);
    if (op.mnemonic() != "pto.set_flag") continue;
    CHECK(op.attr_int("src_pipe") == static_cast<int64_t>(Pipe::mte2));
    CHECK(op.attr_int("dst_pipe") == static_cast<int64_t>(Pipe::v));
    CHECK(op.attr_int("event_id") == 1);
  }
  CHECK(count_ops(p, "pto.set_flag") == 3);
  check_round_trip(p);
}

TEST_CASE("Views, tiles and their descriptors", "[asm]") {
  const Program p = assemble(kernel(R"(
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %v = pto.make_tensor_view %g, shape = [%c16, %i], strides = [%i, %c0] {layout = #pto.layout<nd>} : !pto.tensor_view<?x?xf32>
    %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %i] : !pto.tensor_view<?x?xf32>
    %t = pto.alloc_tile addr = %n valid_row = %i valid_col = %c16 : !pto.tile_buf<vec, 64x32xf32, valid=?x?>
    %s = pto.subview %t[%c0, %c0] sizes [32, 32] valid [%i, %i] : !pto.tile_buf<vec, 64x32xf32, valid=?x?> -> !pto.tile_buf<vec, 32x32xf32, valid=?x?>
    %u = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    pto.tassign %u, @tile(0x1000)
    pto.tabs ins(%u : !pto.tile_buf<vec, 16x16xf32>) outs(%u : !pto.tile_buf<vec, 16x16xf32>)
    pto.tload ins(%w : !pto.partition_tensor_view<16x?xf32>) outs(%t : !pto.tile_buf<vec, 64x32xf32, valid=?x?>))"));
  CHECK(to_string(find_op(p, "pto.partition_view").result_type(0)) == "!pto.partition_tensor_view<16x?xf32>");
  const OpView assign = find_op(p, "pto.tassign");
  CHECK(find_op(p, "pto.tabs").operand(0) == assign.result(0));  // the name moves to the assigned tile
  check_round_trip(p);
}

TEST_CASE("Micro instructions with clauses, repeated groups and elided types", "[asm]") {
  const Program p = assemble(kernel(R"(
    pto.mte_gm_ub %g, %p, %n, %n nburst(%n, %n, %n) loop(%n, %n, %n) loop2(%n, %n, %n)
      : !pto.ptr<f32>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64, loop i64, i64, i64, loop i64, i64, i64
    pto.vecscope {
      %m = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
      %a = pto.vlds %p[%i] {dist = "BRC_B32"} : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
      %c = pto.vcmp %a, %a, %m, "lt" : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.mask<b32>
      pto.vsts %a, %q[%i], %c : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
    }
    pto.strict_vecscope(%p, %i) {
    ^bb0(%ptr: !pto.ptr<f32, ub>, %at: index):
      %x = pto.vlds %ptr[%at] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
    } : (!pto.ptr<f32, ub>, index) -> ()
    %r = pto.addptr %p, %i : <f32, ub> -> <f32, ub>
    %la = pto.castptr %n : i64 -> !pto.ptr<f16, l0a>
    %lb = pto.castptr %n : i64 -> !pto.ptr<f16, l0b>
    %lc = pto.castptr %n : i64 -> !pto.ptr<f32, l0c>
    pto.mad %la, %lb, %lc, %n, %n, %n unit_flag(check_and_set) disable_gemv nosat n_dir
      : !pto.ptr<f16, l0a>, !pto.ptr<f16, l0b>, !pto.ptr<f32, l0c>, i64, i64, i64
    pto.mte_l0c_gm %lc, %g, %n, %n, %n, %n, %n, %n, unit_flag(check_only), pre_relu(mode = normal_relu), nz2nd, loop3(%n, %n, %n), sat(preserve_nan), atomic(type = f32, op = add)
      : !pto.ptr<f32, l0c>, !pto.ptr<f32>, i64, i64, i64, i64, i64, i64, i64, i64, i64
    %block = pto.get_block_idx
    %sub = pto.get_subblock_idx)"));
  const OpView load = find_op(p, "pto.mte_gm_ub");
  const isa::Schema& schema = isa::schema(load.op().row);
  CHECK(load.operands(static_cast<unsigned>(schema.operand_slot("loop_counts"))).size() == 2);
  const OpView mad = find_op(p, "pto.mad");
  CHECK(mad.attr("disable_gemv") != nullptr);
  CHECK(mad.attr_int("sat_mode") == 1);
  CHECK(find_op(p, "pto.mte_l0c_gm").attr_int("sat_mode") == 2);
  CHECK(find_op(p, "pto.get_block_idx").result_type(0).elem == Elem::i64);
  check_round_trip(p);
}

TEST_CASE("Aliases, locations, comments, nested modules", "[asm]") {
  const Program p = assemble(R"(// a comment with ümläuts
# a comment as the instruction pages write them
!t = !pto.tile_buf<vec, 16x16xf32>
#up = #pto<round_mode CEIL>
module @outer attributes {pto.target_arch = "a5"} {
  module attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    func.func @k(%x: !t loc("a.py":1:2)) attributes {pto.kernel} {   // trailing
      %y = tcvt %x {rmode = #up} : !t -> !pto.tile<16x16xi32> loc("model.py":12:3)
      return
    }
  }
  module attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    func.func @k(%x: !t) attributes {pto.kernel} {
      pto.section.cube { }
      return
    }
  }
}
)",
                             std::nullopt);
  CHECK(p.target == Target::a5);
  CHECK(find_op(p, "pto.tcvt").attr_int("rmode") == 4);
  CHECK(find_op(p, "pto.tcvt").op().where == Location{8, 12});
  CHECK(p.origin_of({8, 12})->at == Location{12, 3});
  const std::vector<FunctionInfo> all = functions(p);
  REQUIRE(all.size() == 2);
  CHECK(all[0].kind == FunctionInfo::Kind::vector);
  CHECK(all[1].kind == FunctionInfo::Kind::cube);
  check_round_trip(p);
  // Locations survive printing.
  const Program again = assemble(print(p, {.locations = true}), std::nullopt);
  CHECK(find_op(again, "pto.tcvt").op().where == Location{8, 12});
  CHECK(again.origin_of({8, 12})->at == Location{12, 3});
  CHECK(again.strings[again.origin_of({8, 12})->file] == "model.py");
}

TEST_CASE("A module is made when the text has none", "[asm]") {
  const Program p = assemble("func.func @a() { return }\nfunc.func @b() { call @a() : () -> () return }");
  CHECK(isa::row(p.ops[0].row).name == "builtin.module");
  CHECK(functions(p).size() == 2);
  check_round_trip(p);
}

TEST_CASE("Several modules stand in one that is made", "[asm]") {
  const Program p = assemble(
      "module { func.func @a() { %c = arith.constant true scf.if %c { } return } }\nmodule { func.func @b() "
      "{ call @a() : () -> () return } }\nfunc.func @d() { return }",
      std::nullopt);
  CHECK(p.end_of(0) == p.ops.size());
  CHECK(count_ops(p, "builtin.module") == 3);
  CHECK(functions(p).size() == 3);
  check_round_trip(p);
}

TEST_CASE("The caller's target wins and is written into the text", "[asm]") {
  const Program p =
      assemble("module attributes {pto.target_arch = \"a5\"} { func.func @a() { return } }", Target::a2a3);
  CHECK(p.target == Target::a2a3);
  CHECK(assemble(print(p), std::nullopt).target == Target::a2a3);
}

TEST_CASE("Names are scoped by region", "[asm]") {
  const Program p = assemble(kernel(R"(
    scf.if %b { %x = arith.constant 1 : i32 } else { %x = arith.constant 2 : i64 }
    scf.if %b { %x = arith.constant 3 : i8 }
    %x = arith.constant 4 : i16)"));
  check_round_trip(p);
}

TEST_CASE("Several operations on one line, one operation on several lines", "[asm]") {
  const Program p = assemble(
      kernel("%a = arith.constant 1 : i32 %c = arith.addi\n%a\n,\n%a\n:\ni32 pto.barrier\n<PIPE_ALL>"));
  CHECK(count_ops(p, "arith.addi") == 1);
  CHECK(count_ops(p, "pto.barrier") == 1);
}

TEST_CASE("Tile instructions with operands of several kinds", "[asm]") {
  const Program p = assemble(kernel(R"(
    %x = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
    %u = pto.alloc_tile : !pto.tile_buf<vec, 16x64xi32>
    %tmp = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
    %f = arith.constant 1.0 : f32
    %k = arith.constant 7 : i32
    %cnt = arith.constant dense<0> : vector<4xi16>
    pto.tadds ins(%x, %f : !pto.tile_buf<vec, 16x64xf32>, f32) outs(%x : !pto.tile_buf<vec, 16x64xf32>)
    pto.tsetval ins(%i, %f : index, f32) outs(%x : !pto.tile_buf<vec, 16x64xf32>)
    %v = pto.tgetval ins(%x, %i : !pto.tile_buf<vec, 16x64xf32>, index) outs : f32
    pto.tgather ins(%x, %u, %tmp : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xi32>, !pto.tile_buf<vec, 16x64xf32>) outs(%x : !pto.tile_buf<vec, 16x64xf32>)
    pto.tgather ins(%x, %k, %tmp : !pto.tile_buf<vec, 16x64xf32>, i32, !pto.tile_buf<vec, 16x64xf32>) outs(%x, %u : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xi32>) {cmpMode = #pto<cmp eq>, offset = 1 : i32}
    pto.tgather ins(%x, {maskPattern = #pto.mask_pattern<P0101>} : !pto.tile_buf<vec, 16x64xf32>) outs(%x : !pto.tile_buf<vec, 16x64xf32>)
    pto.tmrgsort ins(%x, %x, %tmp {exhausted = true} : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>) outs(%x, %cnt : !pto.tile_buf<vec, 16x64xf32>, vector<4xi16>)
    pto.tmrgsort ins(%x, %k : !pto.tile_buf<vec, 16x64xf32>, i32) outs(%x : !pto.tile_buf<vec, 16x64xf32>))"));
  std::vector<OpView> gathers, sorts;
  for (uint32_t i = 0; i < p.ops.size(); ++i) {
    if (OpView(p, i).mnemonic() == "pto.tgather") gathers.emplace_back(p, i);
    if (OpView(p, i).mnemonic() == "pto.tmrgsort") sorts.emplace_back(p, i);
  }
  const isa::Schema& gather = isa::schema(gathers[0].op().row);
  const auto slot = [&](const isa::Schema& schema, const OpView& op, std::string_view name) {
    return op.operand(static_cast<unsigned>(schema.operand_slot(name)));
  };
  CHECK(p.name_of(slot(gather, gathers[0], "indices")) == "u");
  CHECK(p.name_of(slot(gather, gathers[0], "tmp")) == "tmp");
  CHECK(p.name_of(slot(gather, gathers[1], "kValue")) == "k");
  CHECK(p.name_of(slot(gather, gathers[1], "tmp")) == "tmp");
  CHECK(p.name_of(slot(gather, gathers[1], "cdst")) == "u");
  CHECK(slot(gather, gathers[2], "indices") == kNoValue);
  const isa::Schema& sort = isa::schema(sorts[0].op().row);
  CHECK(sorts[0].operands(static_cast<unsigned>(sort.operand_slot("srcs"))).size() == 2);
  CHECK(p.name_of(slot(sort, sorts[0], "tmp")) == "tmp");
  CHECK(p.name_of(slot(sort, sorts[0], "excuted")) == "cnt");
  CHECK(p.name_of(slot(sort, sorts[1], "blockLen")) == "k");
  check_round_trip(p);
}
