// Verdicts of prove() on kernels of several cores whose order data decide, beside runs with random data.
#include <fmt/format.h>

#include "prove/prover_fixture.hpp"
#include "prove/prover_oracle.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using namespace test::cores;

TEST_CASE("signals between cube and vector cores that data count are proved, or the data are told",
          "[prove]") {
  Oracle oracle;
  for (const std::string_view arch : {"a3", "a5"}) {
    const bool pair = arch == "a5";  // one signal for each vector core
    const auto to_vector = [&](int id) {
      std::string text = line(fmt::format("pto.sync.set <PIPE_FIX>, {}", id));
      if (pair) text += line(fmt::format("pto.sync.set <PIPE_FIX>, {}", id + 16));
      return text;
    };
    const auto from_vector = [&](int id) {
      std::string text = line(fmt::format("pto.sync.wait <PIPE_FIX>, {}", id));
      if (pair) text += line(fmt::format("pto.sync.wait <PIPE_FIX>, {}", id + 16));
      return text;
    };
    const std::string waits = line("pto.sync.wait <PIPE_MTE2>, 1");
    const std::string answers = line("pto.sync.set <PIPE_MTE2>, 2");
    for (const std::string_view cube_place : {"%d[%i]", "%d[%i0]"}) {
      for (const std::string_view vector_place : {cube_place, std::string_view("%e[%i]")}) {
        if (cube_place == "%d[%i0]" && vector_place != cube_place) continue;
        for (const std::string_view head : {kSome, kTimes}) {
          for (const bool answered : {true, false}) {
            if (!answered && head == kTimes) continue;
            for (const int form : {1, 2, 3}) {  // what is not inside of the branch on either side
              const std::string none, reply = answered ? from_vector(2) : none,
                                      ack = answered ? answers : none;
              const std::string cube = turns(cube_place, head, (form & 1 ? none : to_vector(1)) + reply,
                                             form & 1 ? to_vector(1) : none);
              const std::string vector =
                  turns(vector_place, head, (form & 2 ? none : waits) + ack, form & 2 ? waits : none);
              oracle.check(
                  kernel(arch, fmt::format("  pto.section.cube {{\n{}  }}\n  pto.section.vector {{\n{}  }}\n",
                                           cube, vector)));
            }
          }
        }
      }
    }
  }
  CHECK(oracle.proved >= 10);
  CHECK(oracle.refuted >= 30);
}

TEST_CASE("queues whose entries data count are proved, or the data with which the sides differ are told",
          "[prove]") {
  Oracle oracle;
  const std::string push = line(fmt::format("pto.tpush_to_aiv(%t : {}) {{split = 0}}", kAcc));
  const std::string pop = line(fmt::format("%q = pto.tpop_from_aic {{split = 0}} -> {}", kVec));
  const std::string release = line("pto.tfree_from_aic {split = 0}");
  for (const std::string_view arch : {"a3", "a5"}) {
    for (const std::string_view cube_place : {"%d[%i]", "%d[%i0]"}) {
      for (const std::string_view vector_place : {cube_place, std::string_view("%e[%i]")}) {
        if (cube_place == "%d[%i0]" && vector_place != cube_place) continue;
        for (const std::string_view head : {kSome, kTimes}) {
          for (const int form : {0, 1, 2, 3}) {
            const std::string take = pop + release;
            oracle.check(queue_kernel(arch,
                                      turns(cube_place, head, form == 1 ? "" : push, form == 1 ? push : ""),
                                      turns(vector_place, head,
                                            form == 2   ? ""
                                            : form == 3 ? pop
                                                        : take,
                                            form == 2 ? take : "")));
          }
        }
      }
    }
  }
  CHECK(oracle.proved >= 4);
  CHECK(oracle.refuted >= 20);
}

/// The vector cores take an entry, and a tile of which a parameter says how much is valid is made of it;
/// beside that another one at `address` is touched.
std::string entry_beside(int address) {
  constexpr std::string_view kWide = "!pto.tile_buf<vec, 16x64xf32, valid=?x?>",
                             kSmall = "!pto.tile_buf<vec, 1x8xf32>";
  constexpr std::string_view kHead =
      "(%a: !pto.ptr<f32, gm>, %n: index)\n    attributes {pto.kernel_kind = #pto.kernel_kind<";
  const auto init = [&](std::string_view core) {
    return fmt::format(
        "  pto.{}_initialize_pipe {{dir_mask = 1, slot_size = 4096}} (gm_slot_buffer = %a : !pto.ptr<f32, "
        "gm>, "
        "c2v_consumer_buf = %slots : i32, v2c_consumer_buf = %z : i32)\n",
        core);
  };
  const std::string cube =
      fmt::format("  %c0 = arith.constant 0 : i64\n  %t = pto.alloc_tile addr = %c0 : {}\n", kAcc) +
      line(fmt::format("pto.tpush_to_aiv(%t : {}) {{split = 0}}", kAcc));
  const std::string vector =
      line("%rows = arith.constant 16 : index") + line("%two = arith.constant 2.0 : f32") +
      line("%far = arith.constant 65536 : i64") +
      line(fmt::format("%at = arith.constant {} : i64", address)) +
      line(fmt::format("%q = pto.tpop_from_aic {{split = 0}} -> {}", kVec)) + line("pto.barrier <PIPE_ALL>") +
      line(fmt::format("%x = pto.alloc_tile addr = %far valid_row = %rows valid_col = %n : {}", kWide)) +
      line(fmt::format("%y = pto.alloc_tile addr = %at : {}", kSmall)) +
      line(fmt::format("pto.tmuls ins(%q, %two : {}, f32) outs(%x : {})", kVec, kWide)) +
      line(fmt::format("pto.tmuls ins(%y, %two : {0}, f32) outs(%y : {0})", kSmall)) +
      line("pto.barrier <PIPE_ALL>") + line("pto.tfree_from_aic {split = 0}");
  return fmt::format(
      "module attributes {{pto.target_arch = \"a3\"}} {{\nfunc.func @k_aic{0}cube>}} {{\n"
      "  %z = arith.constant 0 : i32\n"
      "  %slots = pto.import_reserved_buffer {{name = \"q\", peer_func = @k_aiv}} -> i32\n{1}{2}  "
      "return\n}}\n"
      "func.func @k_aiv{0}vector>}} {{\n  %z = arith.constant 0 : i32\n"
      "  %slots = pto.reserve_buffer {{name = \"q\", size = 32768, location = #pto.address_space<vec>, "
      "auto = false, base = 0}} -> i32\n{3}{4}  return\n}}\n}}\n",
      kHead, init("aic"), cube, init("aiv"), vector);
}

TEST_CASE("a tile that a queue gives lies in one of its slots, and in any of them", "[prove]") {
  using enum Proof::Verdict;
  constexpr int kSlots = 8 * 4096;
  CHECK(test::proof_of(entry_beside(kSlots)).verdict == proved);
  CHECK(test::proof_of(entry_beside(131072)).verdict == proved);
  CHECK(test::proof_of(entry_beside(0)).verdict == counterexample);       // the slot of the first entry
  CHECK(test::proof_of(entry_beside(4096)).verdict == undecided);         // of the second one
  CHECK(test::proof_of(entry_beside(kSlots - 32)).verdict == undecided);  // of the last one
  CHECK(test::proof_of(entry_beside(65536 + 128)).verdict != proved);     // with a greater number
}

TEST_CASE("blocks that meet when data say so, and what they write, are proved or the data are told",
          "[prove]") {
  Oracle oracle;
  constexpr std::string_view kVector = ", pto.kernel_kind = #pto.kernel_kind<vector>";
  for (const std::string_view arch : {"a3", "a5"}) {
    for (const std::string_view place : {"%d[%i]", "%d[%i0]", "%d[%b]"}) {
      for (const std::string_view head : {kSome}) {
        for (const std::string_view meeting :
             {"pto.set_cross_block <PIPE_MTE3>, 3\n        pto.wait_cross_block <PIPE_V>, 3",
              "pto.sync.set <PIPE_MTE3>, 3 {ffts_mode = 0 : i32}\n        pto.sync.wait <PIPE_V>, 3 "
              "{ffts_mode = 0 : i32}",
              "pto.syncall() mode = #pto.sync_all_mode<hard>, core_type = #pto.sync_core_type<aiv_only>"}) {
          for (const std::string_view written : {"%b", "%i"}) {
            if (written == "%i" && (place == "%d[%i0]" || arch == "a5")) continue;
            const std::string text =
                "  %block = pto.get_block_idx\n  %b = arith.index_cast %block : i64 to index\n"
                "  %i64 = arith.constant 64 : index\n"
                "  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>\n";
            const std::string write = fmt::format(
                "        %far = arith.muli {}, %i64 : index\n"
                "        %p = pto.addptr %o, %far : !pto.ptr<f32, gm> -> !pto.ptr<f32, gm>\n"
                "        pto.mte_ub_gm %u, %p, %c256 nburst(%c1, %c256, %c256)\n"
                "          : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64\n",
                written);
            const std::string body = turns(place, head, write + line(meeting), "");
            oracle.check(kernel(arch, text + body, kVector), {1, 2, 3});
          }
        }
      }
    }
  }
  CHECK(oracle.undecided == 0);
  CHECK(oracle.proved >= 8);
  CHECK(oracle.refuted >= 12);
}

/// Four iterations: what the first one does where its number says so meets what the last one does, where its
/// own says so; `second` happens in any case.
std::string first_and_last(std::string_view first, std::string_view second, std::string_view last) {
  return fmt::format(R"(    scf.for %i = %i0 to %i4 step %i1 {{
      %w = pto.load_scalar %d[%i] : !pto.ptr<i32, gm> -> i32
      %on = arith.cmpi sgt, %w, %z : i32
      %is0 = arith.cmpi eq, %i, %i0 : index
      %is1 = arith.cmpi eq, %i, %i1 : index
      %is3 = arith.cmpi eq, %i, %i3 : index
      %first = arith.andi %is0, %on : i1
      %last = arith.andi %is3, %on : i1
      scf.if %first {{
{}      }}
      scf.if %is1 {{
{}      }}
      scf.if %last {{
{}      }}
    }}
)",
                     first, second, last);
}

TEST_CASE("what one turn leaves behind for a later one is kept apart where runs are cut", "[prove]") {
  Oracle oracle;
  constexpr std::string_view kKind = ", pto.kernel_kind = #pto.kernel_kind<vector>",
                             kOpen = "!pto.tile_buf<vec, 16x64xf32, valid=?x?>";
  const std::string before = fmt::format(R"(  %i4 = arith.constant 4 : index
  %i8 = arith.constant 8 : index
  %i16 = arith.constant 16 : index
  %i64 = arith.constant 64 : index
  %low = arith.constant 2048 : i64
  %one = arith.constant 1.0 : f32
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  %v = pto.castptr %low : i64 -> !pto.ptr<f32, ub>
)");
  const std::string tile =
      fmt::format("  %t = pto.alloc_tile addr = %c0 valid_row = %i8 valid_col = %i64 : {}\n", kOpen);
  const auto store = [](std::string_view at, std::string_view name) {
    return fmt::format(
        "        %far{1} = arith.muli {0}, %i64 : index\n"
        "        %p{1} = pto.addptr %o, %far{1} : !pto.ptr<f32, gm> -> !pto.ptr<f32, gm>\n"
        "        pto.mte_ub_gm %u, %p{1}, %c256 nburst(%c1, %c256, %c256)\n"
        "          : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64\n",
        at, name);
  };
  const std::string load =
      "        pto.mte_gm_ub %o, %v, %c0, %c256 nburst(%c1, %c256, %c256)\n"
      "          : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64\n";
  const std::string barrier = line("pto.barrier #pto.pipe<PIPE_ALL>");
  const std::string grow = line(fmt::format("pto.set_validshape %t, %i16, %i64 : {}", kOpen));
  const std::string touch = line(fmt::format("pto.tadds ins(%t, %one : {0}, f32) outs(%t : {0})", kOpen));
  // One place of the text stores in two iterations, so that the second store hides the first.
  std::string stores = first_and_last("", "", "@" + load);
  const size_t from = stores.find("      scf.if %first");
  const size_t to = stores.find("      scf.if %last");
  stores.replace(
      from, to - from,
      "      %early = arith.ori %first, %is1 : i1\n      scf.if %early {\n" + store("%i", "") + "      }\n");
  for (const bool ordered : {false, true}) {
    const std::string guard = ordered ? barrier : std::string();
    std::string text = stores;
    oracle.check(kernel("a5", before + text.replace(text.find('@'), 1, guard), kKind));
    oracle.check(
        kernel("a5", before + first_and_last(store("%i", "0"), store("%i", "1"), guard + load), kKind));
    for (const std::string_view arch : {"a3", "a5"})
      oracle.check(kernel(arch, before + tile + load + first_and_last(grow, "", guard + touch), kKind));
  }
  CHECK(oracle.undecided == 0);
  CHECK(oracle.refuted == 4);
  CHECK(oracle.proved == 4);
}

/// Eight turns that load %w: where it is not negative a row is loaded, changed and stored where it says, else
/// another one is copied. `without`: the flag that is left out there.
std::string rows_kernel(std::string_view arch, std::string_view place, std::string_view without) {
  constexpr std::string_view kTile = "!pto.tile_buf<vec, 1x64xf32>", kView = "!pto.tensor_view<?x?xf32>",
                             kRow = "!pto.partition_tensor_view<1x64xf32>";
  const auto flag = [&](std::string_view name, std::string_view what, std::string_view from,
                        std::string_view to) {
    if (name == without) return std::string();
    return line(fmt::format("pto.{}[<{}>, <{}>, <EVENT_ID0>]", what, from, to));
  };
  const auto view = [&](std::string_view name, std::string_view of, std::string_view row) {
    return line(
        fmt::format("%{} = pto.partition_view %{}, offsets = [{}, %i0], sizes = [%i1, %i64] : {} -> {}", name,
                    of, row, kView, kRow));
  };
  const auto move = [&](std::string_view what, std::string_view from, std::string_view from_type,
                        std::string_view to, std::string_view to_type) {
    return line(fmt::format("pto.{} ins(%{} : {}) outs(%{} : {})", what, from, from_type, to, to_type));
  };
  const std::string back_wait = flag("back", "wait_flag", "PIPE_MTE3", "PIPE_MTE2");
  const std::string back_set = line("pto.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]");
  const std::string some =
      line("pto.wait_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]") + view("r", "vo", "%at") +
      view("p", "va", "%i") + move("tload", "p", kRow, "t", kTile) +
      flag("there", "set_flag", "PIPE_MTE2", "PIPE_V") + flag("there", "wait_flag", "PIPE_MTE2", "PIPE_V") +
      line(fmt::format("pto.tadds ins(%t, %one : {0}, f32) outs(%t : {0})", kTile)) +
      flag("done", "set_flag", "PIPE_V", "PIPE_MTE3") + flag("done", "wait_flag", "PIPE_V", "PIPE_MTE3") +
      move("tstore", "t", kTile, "r", kRow) + back_set;
  const std::string other = back_wait + view("q", "vo", "%far") + move("tload", "q", kRow, "t", kTile) +
                            flag("copied", "set_flag", "PIPE_MTE2", "PIPE_MTE3") +
                            flag("copied", "wait_flag", "PIPE_MTE2", "PIPE_MTE3") +
                            move("tstore", "t", kTile, "q", kRow) +
                            flag("kept", "set_flag", "PIPE_MTE3", "PIPE_MTE2");
  const auto make_view = [&](std::string_view name, std::string_view of) {
    return fmt::format("  %{} = pto.make_tensor_view %{}, shape = [%i64, %i64], strides = [%i64, %i1] : {}\n",
                       name, of, kView);
  };
  return kernel(arch,
                fmt::format(R"(  %i8 = arith.constant 8 : index
  %i9 = arith.constant 9 : index
  %i64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %t = pto.alloc_tile addr = %c0 : {}
{}{}  pto.set_flag[<PIPE_MTE3>, <PIPE_MTE2>, <EVENT_ID0>]
  scf.for %i = %i0 to %i8 step %i1 {{
      %w = pto.load_scalar {} : !pto.ptr<i32, gm> -> i32
      %n = arith.index_cast %w : i32 to index
      %at = arith.maxsi %n, %i0 : index
      %far = arith.addi %i, %i9 : index
      %on = arith.cmpi sge, %w, %z : i32
      scf.if %on {{
{}      }} else {{
{}      }}
  }}
{})",
                            kTile, make_view("va", "a"), make_view("vo", "o"), place, some, other,
                            flag("drained", "wait_flag", "PIPE_MTE3", "PIPE_MTE2")),
                ", pto.kernel_kind = #pto.kernel_kind<vector>");
}

TEST_CASE("rows that data choose in many turns are proved, or the data are told with which a flag is missing",
          "[prove]") {
  Oracle oracle;
  for (const std::string_view arch : {"a3", "a5"}) {
    for (const std::string_view place : {"%d[%i]", "%d[%i0]"}) {
      for (const std::string_view without : {"", "back", "there", "done", "copied", "kept", "drained"})
        oracle.check(rows_kernel(arch, place, without));
    }
  }
  CHECK(oracle.undecided == 0);
  CHECK(oracle.proved == 4);
  CHECK(oracle.refuted == 24);
}

TEST_CASE("what the scalar unit does to a tile where data say so is tried", "[prove]") {
  Oracle oracle;
  constexpr std::string_view kTile = "!pto.tile_buf<vec, 1x64xf32>";
  const std::string write = line(fmt::format("pto.tsetval ins(%i0, %one : index, f32) outs(%t : {})", kTile));
  const std::string read = line(fmt::format("%v = pto.tgetval ins(%t, %i0 : {}, index) outs : f32", kTile));
  for (const std::string_view arch : {"a3", "a5"}) {
    for (const std::string& access : {write, read}) {
      for (const bool ordered : {false, true}) {
        const std::string guard = ordered ? line("pto.barrier #pto.pipe<PIPE_ALL>") : std::string();
        oracle.check(kernel(
            arch,
            fmt::format("  %i64 = arith.constant 64 : index\n  %one = arith.constant 1.0 : f32\n"
                        "  %t = pto.alloc_tile addr = %c0 : {0}\n"
                        "  %va = pto.make_tensor_view %a, shape = [%i64, %i64], strides = [%i64, %i1] : "
                        "!pto.tensor_view<?x?xf32>\n"
                        "  %p = pto.partition_view %va, offsets = [%i0, %i0], sizes = [%i1, %i64] : "
                        "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x64xf32>\n"
                        "  pto.tload ins(%p : !pto.partition_tensor_view<1x64xf32>) outs(%t : {0})\n",
                        kTile) +
                turns("%d[%i]", kSome, guard + access, ""),
            ", pto.kernel_kind = #pto.kernel_kind<vector>"));
      }
    }
  }
  CHECK(oracle.proved == 4);
  CHECK(oracle.refuted == 4);
}

}  // namespace
}  // namespace pto
