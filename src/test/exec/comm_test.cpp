// Communication within one device, caches and fences: what memory holds afterwards.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "pto/prepare.hpp"
#include "testing/catch_main.hpp"

namespace {

using namespace pto;

std::string kernel(const std::string& body) {
  return R"(module attributes {pto.target_arch = "a2a3"} {
func.func @k(%a: !pto.ptr<i32>, %b: !pto.ptr<i32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %addr = arith.constant 0 : i64
  %three = arith.constant 3 : i32
  %seven = arith.constant 7 : i32
  %av = pto.make_tensor_view %a, shape = [%c5, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xi32>
  %bv = pto.make_tensor_view %b, shape = [%c5, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xi32>
  %from = pto.partition_view %av, offsets = [%c0, %c0], sizes = [%c5, %c8] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<5x8xi32>
  %to = pto.partition_view %bv, offsets = [%c0, %c8], sizes = [%c5, %c8] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<5x8xi32>
  %word = pto.partition_view %bv, offsets = [%c0, %c0], sizes = [%c1, %c1] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<1x1xi32>
  %t = pto.alloc_tile addr = %addr : !pto.tile_buf<vec, 2x8xi32>
)" + body +
         "  return\n}\n}\n";
}

struct Memory {
  std::vector<int32_t> a, b;
  SimResult result;
};

/// `look`: without running as well.
Memory run(const std::string& body, bool look = true) {
  Memory memory;
  for (int i = 0; i < 80; ++i) {
    memory.a.push_back(1000 + i);
    memory.b.push_back(i);
  }
  Result<Prepared> prepared = prepare(kernel(body), {.check_synchronisation = look});
  REQUIRE(prepared.ok());
  for (const Diagnostic& d : prepared->diagnostics.all()) {
    INFO(d.message);
    CHECK(d.severity != Severity::error);
  }
  REQUIRE(prepared->ready);
  std::vector<Argument> arguments(2);
  const auto fill = [](Argument& argument, const std::vector<int32_t>& values) {
    argument.bytes.resize(values.size() * sizeof(int32_t));
    std::memcpy(argument.bytes.data(), values.data(), argument.bytes.size());
  };
  fill(arguments[0], memory.a);
  fill(arguments[1], memory.b);
  Result<SimResult> result = simulate(*prepared, arguments);
  if (!result) FAIL(result.error().message);
  memory.result = std::move(*result);
  std::memcpy(memory.a.data(), arguments[0].bytes.data(), arguments[0].bytes.size());
  std::memcpy(memory.b.data(), arguments[1].bytes.data(), arguments[1].bytes.size());
  return memory;
}

constexpr const char* kTypes =
    " : !pto.partition_tensor_view<5x8xi32>, !pto.partition_tensor_view<5x8xi32>, !pto.tile_buf<vec, "
    "2x8xi32>)";

TEST_CASE("A copy through a tile smaller than the window reaches all of it", "[comm]") {
  for (const bool add : {false, true}) {
    const Memory got =
        run(fmt::format("  pto.comm.tput(%to, %from, buf(%t){} {{atomicType = #pto<atomic_type {}>}}\n",
                        kTypes, add ? "atomic_add" : "atomic_none"));
    CHECK(got.result.findings.all().empty());
    for (int row = 0; row < 5; ++row) {
      for (int col = 0; col < 16; ++col) {
        const int before = row * 16 + col;
        const int sent = 1000 + row * 16 + col - 8;
        const int expected = col < 8 ? before : add ? before + sent : sent;
        CHECK(got.b[static_cast<size_t>(before)] == expected);
      }
    }
  }
}

TEST_CASE("Signals are added to, set, and waited for", "[comm]") {
  const std::string notify =
      "  pto.comm.tnotify(%word, %seven : !pto.partition_tensor_view<1x1xi32>, i32) {notifyOp = "
      "#pto<notify_op set>}\n"
      "  pto.comm.tnotify(%word, %three : !pto.partition_tensor_view<1x1xi32>, i32) {notifyOp = "
      "#pto<notify_op "
      "atomic_add>}\n";
  const Memory got = run(
      notify +
      "  pto.comm.twait(%word, %seven : !pto.partition_tensor_view<1x1xi32>, i32) {cmp = #pto<wait_cmp ge>}\n"
      "  pto.cmo.cacheinvalid all #pto.address_space<gm>\n"
      "  pto.cmo.cacheinvalid %word single_cache_line : !pto.partition_tensor_view<1x1xi32>\n"
      "  pto.dsb \"DDR\"\n  pto.dcci %b \"SINGLE_CACHE_LINE\", \"CACHELINE_OUT\" : !pto.ptr<i32>\n");
  CHECK(got.result.findings.all().empty());
  CHECK(got.b[0] == 10);
  CHECK(got.b[1] == 1);
}

TEST_CASE("Transfers that are only started are done at once; a prefetch changes nothing", "[comm]") {
  const std::string sessions =
      "  %scratch = pto.alloc_tile addr = %addr : !pto.tile_buf<vec, 1x256xi8>\n"
      "  %work = pto.castptr %a : !pto.ptr<i32> -> !pto.ptr<i8>\n"
      "  %session = pto.comm.build_async_session(%scratch, %work : !pto.tile_buf<vec, 1x256xi8>, "
      "!pto.ptr<i8>) -> "
      "!pto.async_session\n"
      "  %ctx = pto.make_prefetch_async_context(%work : !pto.ptr<i8>) -> !pto.prefetch_async_context\n";
  const std::string transfers =
      "  %line = pto.partition_view %av, offsets = [%c1, %c0], sizes = [%c1, %c16] : "
      "!pto.tensor_view<?x?xi32> -> "
      "!pto.partition_tensor_view<1x16xi32>\n"
      "  %there = pto.partition_view %bv, offsets = [%c1, %c0], sizes = [%c1, %c16] : "
      "!pto.tensor_view<?x?xi32> -> "
      "!pto.partition_tensor_view<1x16xi32>\n"
      "  %e0 = pto.comm.tput_async(%there, %line, %session : !pto.partition_tensor_view<1x16xi32>, "
      "!pto.partition_tensor_view<1x16xi32>, !pto.async_session) -> !pto.async_event\n"
      "  %e1 = pto.tprefetch_async(%line, %ctx : !pto.partition_tensor_view<1x16xi32>, "
      "!pto.prefetch_async_context) -> !pto.async_event\n"
      "  %other = pto.get_prefetch_async_session %ctx : !pto.prefetch_async_context -> !pto.async_session\n"
      "  %d0 = pto.comm.wait_async_event(%e0, %session : !pto.async_event, !pto.async_session) -> i1\n"
      "  %d1 = pto.comm.test_async_event(%e1, %other : !pto.async_event, !pto.async_session) -> i1\n"
      "  %is = pto.comm.ttest(%word, %three : !pto.partition_tensor_view<1x1xi32>, i32) {cmp = #pto<wait_cmp "
      "lt>} -> i1\n"
      "  %both = arith.andi %d0, %d1 : i1\n  %all = arith.andi %both, %is : i1\n"
      "  %sum = arith.extui %all : i1 to i32\n  pto.store_scalar %sum, %b[%c5] : !pto.ptr<i32>, i32\n";
  const Memory got = run(sessions + transfers);
  CHECK(got.result.findings.all().empty());
  for (int i = 0; i < 80; ++i)
    CHECK(got.b[static_cast<size_t>(i)] == (i == 5 ? 1 : i >= 16 && i < 32 ? 1000 + i : i));
}

/// %a holds two parts of two rows and one row more, %b as much.
constexpr const char* kGroups = R"(
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %all = pto.partition_view %av, offsets = [%c0, %c0], sizes = [%c4, %c8] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<4x8xi32>
  %one = pto.partition_view %bv, offsets = [%c0, %c0], sizes = [%c2, %c8] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<2x8xi32>
  %two = pto.partition_view %bv, offsets = [%c2, %c8], sizes = [%c2, %c8] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<2x8xi32>
  %own = pto.partition_view %av, offsets = [%c2, %c8], sizes = [%c2, %c8] : !pto.tensor_view<?x?xi32> -> !pto.partition_tensor_view<2x8xi32>
  %a64 = arith.constant 64 : i64
  %u = pto.alloc_tile addr = %a64 : !pto.tile_buf<vec, 2x8xi32>
)";
constexpr const char* kFour = "!pto.partition_tensor_view<4x8xi32>";
constexpr const char* kTwo = "!pto.partition_tensor_view<2x8xi32>";
constexpr const char* kTile = "!pto.tile_buf<vec, 2x8xi32>";

int a_at(int row, int col) { return 1000 + row * 16 + col; }
int b_at(int row, int col) { return row * 16 + col; }

void check_b(const Memory& got, const std::function<int(int row, int col)>& expected) {
  CHECK(got.result.findings.all().empty());
  for (int row = 0; row < 5; ++row) {
    for (int col = 0; col < 16; ++col) {
      INFO("row " << row << " column " << col);
      CHECK(got.b[static_cast<size_t>(row * 16 + col)] == expected(row, col));
    }
  }
}

TEST_CASE("A broadcast and a scatter fill the windows of the group", "[comm]") {
  const auto is_one = [](int row, int col) { return row < 2 && col < 8; };
  const auto is_two = [](int row, int col) { return row >= 2 && row < 4 && col >= 8; };
  check_b(
      run(kGroups +
          fmt::format("  pto.comm.tbroadcast(%own, recv(%t), group(%one, %two) : {0}, {1}, {0}, {0}) "
                      "{{root = 0 : i32}}\n",
                      kTwo, kTile)),
      [&](int row, int col) {
        return is_one(row, col) ? a_at(row + 2, col + 8) : is_two(row, col) ? a_at(row, col) : b_at(row, col);
      });
  check_b(
      run(kGroups + fmt::format("  pto.comm.tscatter(%all, recv(%t), group(%one, %two) : {0}, {1}, {2}, {2}) "
                                "{{root = 1 : i32}}\n",
                                kFour, kTile, kTwo)),
      [&](int row, int col) {
        return is_one(row, col) ? a_at(row, col) : is_two(row, col) ? a_at(row, col - 8) : b_at(row, col);
      });
}

TEST_CASE("A gather puts the parts of the group one behind the other", "[comm]") {
  const Memory got =
      run(kGroups + fmt::format("  pto.comm.tgather(%all, recv(%t), group(%two, %one) : {0}, {1}, {2}, {2}) "
                                "{{root = 0 : i32}}\n",
                                kFour, kTile, kTwo));
  check_b(got, b_at);
  for (int row = 0; row < 5; ++row) {
    for (int col = 0; col < 16; ++col) {
      const int expected = col >= 8 || row == 4 ? a_at(row, col)
                           : row < 2            ? b_at(row + 2, col + 8)
                                                : b_at(row - 2, col);
      CHECK(got.a[static_cast<size_t>(row * 16 + col)] == expected);
    }
  }
  const Memory small =
      run(kGroups + fmt::format("  pto.comm.tgather(%own, recv(%t), group(%two, %one) : {0}, {1}, {0}, {0}) "
                                "{{root = 0 : i32}}\n",
                                kTwo, kTile));
  REQUIRE(small.result.findings.all().size() == 1);
  CHECK(small.result.findings.all().front().id == FindingId::operand);
  CHECK(small.a[0] == 1000);
}

TEST_CASE("A reduction combines the windows of the group", "[comm]") {
  for (const std::string op : {"sum", "max", "min"}) {
    const Memory got =
        run(kGroups +
            fmt::format("  pto.comm.treduce(%own, %t, recv(%u), group(%one, %two) : {0}, {1}, {1}, {0}, {0}) "
                        "{{reduceOp = #pto<reduce_op {2}>, root = 1 : i32}}\n",
                        kTwo, kTile, op));
    check_b(got, b_at);
    for (int row = 0; row < 5; ++row) {
      for (int col = 0; col < 16; ++col) {
        const int x = b_at(row - 2, col - 8);
        const int y = b_at(row, col);
        const int combined = op == "sum" ? x + y : op == "max" ? std::max(x, y) : std::min(x, y);
        const bool descendants = row >= 2 && row < 4 && col >= 8;
        CHECK(got.a[static_cast<size_t>(row * 16 + col)] == (descendants ? combined : a_at(row, col)));
      }
    }
  }
}

TEST_CASE("A signal that nobody gives is a deadlock", "[comm]") {
  const Memory got =
      run("  pto.comm.twait(%word, %seven : !pto.partition_tensor_view<1x1xi32>, i32) {cmp = #pto<wait_cmp "
          "ge>}\n");
  REQUIRE(got.result.findings.all().size() == 1);
  CHECK(got.result.findings.all().front().id == FindingId::deadlock);
}

/// The store goes to GM on a pipe; the load of the scalar unit behind the fence sees it, and would not
/// without.
TEST_CASE("A fence holds the scalar unit until the pipes have written GM", "[comm]") {
  const std::string store =
      "  pto.tload ins(%one : !pto.partition_tensor_view<2x8xi32>) outs(%t : !pto.tile_buf<vec, 2x8xi32>)\n"
      "  pto.set_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
      "  pto.wait_flag[\"PIPE_MTE2\", \"PIPE_MTE3\", \"EVENT_ID0\"]\n"
      "  pto.tstore ins(%t : !pto.tile_buf<vec, 2x8xi32>) outs(%two : !pto.partition_tensor_view<2x8xi32>)\n";
  const std::string views =
      "  %c2 = arith.constant 2 : index\n"
      "  %one = pto.partition_view %av, offsets = [%c0, %c0], sizes = [%c2, %c8] : !pto.tensor_view<?x?xi32> "
      "-> "
      "!pto.partition_tensor_view<2x8xi32>\n"
      "  %two = pto.partition_view %bv, offsets = [%c0, %c0], sizes = [%c2, %c8] : !pto.tensor_view<?x?xi32> "
      "-> "
      "!pto.partition_tensor_view<2x8xi32>\n";
  const Memory fenced = run(views + store +
                            "  pto.fence.barrier_all #pto.fence_scope<gm>\n"
                            "  pto.cmo.cacheinvalid all #pto.address_space<gm>\n"
                            "  %c79 = arith.constant 79 : index\n"
                            "  %v = pto.load_scalar %b[%c0] : !pto.ptr<i32> -> i32\n"
                            "  pto.store_scalar %v, %b[%c79] : !pto.ptr<i32>, i32\n");
  CHECK(fenced.result.findings.all().empty());
  CHECK(fenced.b[79] == 1000);
  const Memory open = run(views + store +
                              "  %c79 = arith.constant 79 : index\n"
                              "  %v = pto.load_scalar %b[%c0] : !pto.ptr<i32> -> i32\n"
                              "  pto.store_scalar %v, %b[%c79] : !pto.ptr<i32>, i32\n",
                          false);
  CHECK(open.b[79] == 0);
  CHECK_FALSE(open.result.findings.all().empty());
}

}  // namespace
