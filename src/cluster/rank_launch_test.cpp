// Several devices: collectives, reads and sums of other ranks' memory; the same results whatever process runs
// what.
#include <algorithm>
#include <barrier>
#include <thread>

#include "driver/run_fixture.hpp"
#include "pto/ranks.hpp"
#include "sim/findings/catalogue.hpp"

namespace {

using namespace pto;

constexpr uint32_t kRanks = 3;

/// `%x` and `%w` are a row of the rank itself; x0, w0 and so on are those of all ranks. `%all` has three
/// rows.
std::string kernel(const std::string& body) {
  std::string members;
  for (const char* name : {"x", "w"}) {
    for (int k = 0; k < 3; ++k) {
      const std::string p = name + std::to_string(k);
      members += "  %" + p + "v = pto.make_tensor_view %" + p +
                 ", shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xi32>\n  %" + p +
                 "p = pto.partition_view %" + p +
                 "v, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<?x?xi32> -> !row\n";
    }
  }
  return R"(!row = !pto.partition_tensor_view<1x8xi32>
!rows = !pto.partition_tensor_view<3x8xi32>
!tile = !pto.tile_buf<vec, 1x8xi32>
module attributes {pto.target_arch = "a2a3"} {
func.func @k(%x: !pto.ptr<i32>, %w: !pto.ptr<i32>, %all: !pto.ptr<i32>, %x0: !pto.ptr<i32>, %x1: !pto.ptr<i32>, %x2: !pto.ptr<i32>, %w0: !pto.ptr<i32>, %w1: !pto.ptr<i32>, %w2: !pto.ptr<i32>, %rank: i32) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %a0 = arith.constant 0 : i64
  %a1 = arith.constant 64 : i64
  %t = pto.alloc_tile addr = %a0 : !tile
  %u = pto.alloc_tile addr = %a1 : !tile
  %av = pto.make_tensor_view %all, shape = [%c3, %c8], strides = [%c8, %c1] : !pto.tensor_view<?x?xi32>
  %allp = pto.partition_view %av, offsets = [%c0, %c0], sizes = [%c3, %c8] : !pto.tensor_view<?x?xi32> -> !rows
  %first = pto.partition_view %av, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<?x?xi32> -> !row
)" + members +
         "  %root = arith.cmpi eq, %rank, %one : i32\n  scf.if %root {\n" + body + "  }\n  return\n}\n}\n";
}

constexpr uint32_t kX = 0, kW = 1, kAll = 2;

std::vector<RankJob> jobs(uint32_t first, uint32_t end) {
  std::vector<RankJob> out;
  for (uint32_t rank = first; rank < end; ++rank) {
    RankJob job{rank, {}, {}, {}};
    std::vector<int32_t> x, w(8, 1000), all;
    for (int i = 0; i < 8; ++i) x.push_back(static_cast<int32_t>(100 * rank) + i);
    for (int i = 0; i < 24; ++i) all.push_back(-i);
    job.arguments = {test::buffer("x", x), test::buffer("w", w), test::buffer("all", all)};
    job.known.resize(3);
    for (const uint32_t of : {kX, kW}) {
      for (uint32_t peer = 0; peer < kRanks; ++peer) {
        job.arguments.emplace_back();
        job.known.push_back({peer, of, true});
      }
    }
    Argument number;
    number.is_buffer = false;
    number.scalar = rank;
    job.arguments.push_back(number);
    out.push_back(std::move(job));
  }
  return out;
}

/// Processes that are threads.
class Threads {
 public:
  explicit Threads(uint32_t count)
      : least_(count), texts_(count), all_(static_cast<std::ptrdiff_t>(count)), count_(count) {}
  class One final : public RankTransport {
   public:
    One(Threads& all, uint32_t number) : all_(all), number_(number) {}
    [[nodiscard]] uint32_t process() const override { return number_; }
    [[nodiscard]] uint32_t processes() const override { return all_.count_; }
    uint64_t least(uint64_t mine) override {
      all_.least_[number_] = mine;
      all_.all_.arrive_and_wait();
      const uint64_t out = *std::ranges::min_element(all_.least_);
      all_.all_.arrive_and_wait();
      return out;
    }
    std::vector<std::string> exchange(std::vector<std::string> texts) override {
      all_.texts_[number_] = std::move(texts);
      all_.all_.arrive_and_wait();
      std::vector<std::string> out;
      for (const auto& each : all_.texts_) out.push_back(each[number_]);
      all_.all_.arrive_and_wait();
      return out;
    }

   private:
    Threads& all_;
    uint32_t number_;
  };

 private:
  std::vector<uint64_t> least_;
  std::vector<std::vector<std::string>> texts_;
  std::barrier<> all_;
  uint32_t count_;
};

struct Outcome {
  std::vector<RankJob> jobs;
  std::vector<uint64_t> cycles;
  std::vector<std::string> findings;
};

Outcome run(const std::string& body, uint32_t processes = 1, uint32_t host_threads = 1, bool clean = true) {
  const Result<Prepared> prepared = prepare(kernel(body));
  REQUIRE(prepared.ok());
  for (const Diagnostic& d : prepared->diagnostics.all()) {
    INFO(d.where.line << ": " << d.message);
    CHECK(d.severity != Severity::error);
  }
  REQUIRE(prepared->ready);
  SimOptions options;
  options.target = prepared->target;
  options.threads = host_threads;
  Threads threads(processes);
  std::vector<std::vector<RankJob>> parts(processes);
  std::vector<std::vector<RankResult>> results(processes);
  const auto part = [&](uint32_t process) {
    Threads::One transport(threads, process);
    uint32_t first = 0, end = 0;
    while (first < kRanks && transport.owner(first, kRanks) != process) ++first;
    for (end = first; end < kRanks && transport.owner(end, kRanks) == process;) ++end;
    parts[process] = jobs(first, end);
    auto result = simulate_ranks(prepared->program, kRanks, parts[process], options, "", transport);
    if (result) results[process] = std::move(*result);
  };
  std::vector<std::thread> others;
  for (uint32_t process = 1; process < processes; ++process) others.emplace_back(part, process);
  part(0);
  for (std::thread& other : others) other.join();
  Outcome out;
  for (uint32_t process = 0; process < processes; ++process) {
    for (RankResult& each : results[process]) {
      if (clean) test::expect_clean(each.result);
      for (const Diagnostic& finding : each.result.findings.all())
        out.findings.push_back(full_message(finding));
      out.cycles.push_back(each.result.total_cycles);
    }
    for (RankJob& job : parts[process]) out.jobs.push_back(std::move(job));
  }
  REQUIRE(out.cycles.size() == kRanks);
  return out;
}

std::vector<int32_t> buffer_of(const Outcome& outcome, uint32_t rank, uint32_t argument) {
  return test::values_of<int32_t>(outcome.jobs[rank].arguments[argument]);
}

const std::string kGroupOfX = "group(%x0p, %x1p, %x2p) : ";
const std::string kGroupOfW = "group(%w0p, %w1p, %w2p) : ";

TEST_CASE("A root moves what the windows of a group hold", "[ranks]") {
  const Outcome gathered = run("    pto.comm.tgather(%allp, recv(%t), " + kGroupOfX +
                               "!rows, !tile, !row, !row, !row) {root = 1 : i32}\n");
  const Outcome reduced =
      run("    pto.comm.treduce(%first, %t, recv(%u), " + kGroupOfX +
          "!row, !tile, !tile, !row, !row, !row) {reduceOp = #pto<reduce_op sum>, root = 1 : i32}\n");
  const Outcome sent = run("    pto.comm.tscatter(%allp, recv(%t), " + kGroupOfW +
                           "!rows, !tile, !row, !row, !row) {root = 1 : i32}\n");
  const Outcome told = run("    pto.comm.tbroadcast(%x1p, recv(%t), " + kGroupOfW +
                           "!row, !tile, !row, !row, !row) {root = 1 : i32}\n");
  for (int i = 0; i < 8; ++i) {
    for (uint32_t rank = 0; rank < kRanks; ++rank) {
      const auto at = static_cast<size_t>(8 * rank) + static_cast<size_t>(i);
      CHECK(buffer_of(gathered, 1, kAll)[at] == static_cast<int32_t>(100 * rank) + i);
      CHECK(buffer_of(gathered, 0, kAll)[at] == -static_cast<int32_t>(at));
      CHECK(buffer_of(sent, rank, kW)[static_cast<size_t>(i)] == -static_cast<int32_t>(at));
      CHECK(buffer_of(told, rank, kW)[static_cast<size_t>(i)] == 100 + i);
    }
    CHECK(buffer_of(reduced, 1, kAll)[static_cast<size_t>(i)] == 300 + 3 * i);
  }
}

TEST_CASE("A get brings what is there; sums are made where they arrive", "[ranks]") {
  const std::string copy = "%x2p, buf(%t) : !row, !row, !tile)";
  const Outcome got = run("    pto.comm.tget(%first, " + copy + "\n");
  const Outcome put =
      run("    pto.comm.tput(%w0p, " + copy + " {atomicType = #pto<atomic_type atomic_add>}\n");
  for (size_t i = 0; i < 8; ++i) {
    CHECK(buffer_of(got, 1, kAll)[i] == 200 + static_cast<int32_t>(i));
    CHECK(buffer_of(put, 0, kW)[i] == 1200 + static_cast<int32_t>(i));
  }
  CHECK(got.cycles[1] > got.cycles[0] + 2 * 400);  // there and back
}

TEST_CASE("Results do not depend on which process or thread runs a rank", "[ranks]") {
  const std::string body = "    pto.comm.tgather(%allp, recv(%t), " + kGroupOfX +
                           "!rows, !tile, !row, !row, !row) {root = 1 : i32}\n"
                           "    pto.comm.tput(%w2p, %x0p, buf(%t) : !row, !row, !tile)\n";
  const Outcome one = run(body);
  const Outcome two = run(body, 2);
  const Outcome three = run(body, 3);
  const Outcome threads = run(body, 1, 4);
  const Outcome both = run(body, 2, 2);
  for (const Outcome* other : {&two, &three, &threads, &both}) {
    CHECK(other->cycles == one.cycles);
    for (uint32_t rank = 0; rank < kRanks; ++rank) {
      for (const uint32_t argument : {kX, kW, kAll})
        CHECK(buffer_of(*other, rank, argument) == buffer_of(one, rank, argument));
    }
  }
}

TEST_CASE("The examples of findings between devices raise them", "[ranks][rules]") {
  for (const Rule& rule : sim::run_time_rules()) {
    if (rule.id != FindingId::signal_stale && rule.id != FindingId::signal_lost &&
        rule.id != FindingId::rank_race)
      continue;
    INFO(to_string(rule.id));
    const Result<Prepared> prepared = prepare(std::string(rule.example));
    REQUIRE(prepared.ok());
    REQUIRE(prepared->ready);
    SimOptions options;
    options.target = prepared->target;
    std::vector<RankJob> all;
    for (uint32_t rank = 0; rank < kRanks; ++rank) {
      const uint32_t peer = rule.id == FindingId::signal_lost ? 0 : (rank + 1) % kRanks;
      all.push_back(
          {rank, {test::buffer("s", std::vector<int32_t>{0, 0}), Argument{}}, {{}, {peer, 0, true}}, {}});
    }
    RankTransport alone;
    const auto results = simulate_ranks(prepared->program, kRanks, all, options, "", alone);
    REQUIRE(results.ok());
    bool found = false;
    for (const RankResult& each : *results)
      found = found || std::ranges::find(each.result.findings.all(), rule.id, &Diagnostic::id) !=
                           each.result.findings.all().end();
    CHECK(found);
  }
}

TEST_CASE("Runs with other bytes where nobody wrote are of all processes", "[ranks]") {
  for (const uint32_t processes : {1u, 2u, 3u}) {
    const Outcome stored =
        run("    pto.tstore ins(%t : !tile) outs(%first : !row)\n", processes, 1, /*clean=*/false);
    REQUIRE(stored.findings.size() == 1);
    CHECK(stored.findings.front().ends_with("; output 'all of rank 1' depends on their values"));
    CHECK(std::ranges::all_of(buffer_of(stored, 1, kAll), [](int32_t each) { return each <= 0; }));
  }
}

}  // namespace
