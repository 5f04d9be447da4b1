#include "timing/vf_model.hpp"

#include "support/catch.hpp"

using namespace pto::timing;

namespace {

VfConfig config() {
  VfConfig out;
  out.start = 23;
  out.drain = 12;
  out.dispatch = 5;
  out.window = 58;
  out.ports = 2;
  out.memory_slots = 2;
  out.memory_window = 68;
  out.loop = 1;
  return out;
}

VfInstr instr(VfInstr::Unit unit, uint32_t latency, uint32_t forward, uint32_t to_store,
              uint32_t interval = 1) {
  return {unit, latency, forward, to_store, interval, {}};
}

const VfInstr kLoad = instr(VfInstr::Unit::load, 9, 6, 6), kStore = instr(VfInstr::Unit::store, 9, 1, 1);
const VfInstr kAdd = instr(VfInstr::Unit::alu, 7, 3, 5), kExp = instr(VfInstr::Unit::alu, 16, 13, 14, 4);

void step(VfScoreboard& board, const VfInstr& what, std::vector<uint32_t> sources,
          std::vector<uint32_t> results) {
  board.step(what, sources, results);
}

}  // namespace

TEST_CASE("vector function: one addition takes what the public model's page says", "[timing]") {
  const VfConfig machine = config();
  VfScoreboard board(machine);
  board.begin();
  CHECK(board.end() == 23 + 12);
  step(board, kLoad, {}, {0});
  step(board, kLoad, {}, {1});
  step(board, kAdd, {0, 1}, {2});
  step(board, kStore, {2}, {});
  CHECK(board.end() == 55);  // 23 + 6 + 5 + 9 + 12
}

TEST_CASE("vector function: a result is not forwarded a cycle early", "[timing]") {
  const VfConfig machine = config();
  const auto chain = [&](int length) {
    VfScoreboard board(machine);
    board.begin();
    for (int i = 0; i < length; ++i) step(board, kAdd, {0}, {0});
    return board.end();
  };
  CHECK(chain(1) == 23 + 7 + 12);
  CHECK(chain(2) == 23 + 3 + 7 + 12);
  CHECK(chain(10) == 23 + 9 * 3 + 7 + 12);
}

TEST_CASE("vector function: throughput limits", "[timing]") {
  const VfConfig machine = config();
  const auto slope = [&](const VfInstr& what, int per_iteration) {
    const auto run = [&](int iterations) {
      VfScoreboard board(machine);
      board.begin();
      for (int i = 0; i < iterations; ++i) {
        for (int k = 0; k < per_iteration; ++k) step(board, what, {}, {static_cast<uint32_t>(k)});
        board.loop_iteration();
      }
      return board.end();
    };
    return static_cast<double>(run(200) - run(100)) / 100.0;
  };
  CHECK(slope(kLoad, 3) == Approx(1.5).margin(0.02));  // two memory operations a cycle
  CHECK(slope(kAdd, 4) == Approx(2.0).margin(0.02));   // two ports
  CHECK(slope(kExp, 2) == Approx(4.0).margin(0.05));   // two slow units of four cycles
  CHECK(slope(kAdd, 1) == Approx(1.0).margin(0.02));   // one iteration a cycle
}

TEST_CASE("vector function: the front end issues so many a cycle, and waits for room in the window",
          "[timing]") {
  VfConfig wide = config();
  wide.ports = 100;
  VfScoreboard board(wide);
  board.begin();
  for (uint32_t i = 0; i < 30; ++i) step(board, kAdd, {}, {i});
  CHECK(board.end() == 23 + 30 / 5 - 1 + 7 + 12);  // five a cycle

  wide.dispatch = 100;
  wide.window = 4;
  VfScoreboard narrow(wide);
  narrow.begin();
  step(narrow, kExp, {}, {0});
  for (uint32_t i = 1; i <= 4; ++i) step(narrow, kAdd, {0}, {i});
  CHECK(narrow.end() == 23 + 13 + 7 + 12);
  step(narrow, kAdd, {}, {5});  // waits until the first of the four has left, a cycle after its start
  CHECK(narrow.end() == 23 + 13 + 1 + 7 + 12);
}

TEST_CASE("vector function: memory barriers and moved registers", "[timing]") {
  const VfConfig machine = config();
  VfScoreboard board(machine);
  board.begin();
  step(board, kStore, {}, {});
  step(board, instr(VfInstr::Unit::barrier, 1, 1, 1), {}, {});
  step(board, kLoad, {}, {0});
  CHECK(board.end() == 23 + 9 + 9 + 12);

  board.begin();
  step(board, kExp, {}, {0});
  board.move(1, 0);
  step(board, kAdd, {1}, {2});
  CHECK(board.end() == 23 + 13 + 7 + 12);
}

TEST_CASE("slot calendar: requests out of order find the holes", "[timing]") {
  SlotCalendar slots(1);
  CHECK(slots.take(10, 1) == 10);
  CHECK(slots.take(10, 1) == 11);
  CHECK(slots.take(5, 1) == 5);
  CHECK(slots.take(9, 2) == 12);  // 9 and 10 do not fit together, 11 is taken
  CHECK(slots.take(9, 1) == 9);
}

TEST_CASE("vector function: long memory-bound loops stay exact", "[timing]") {
  const VfConfig machine = config();
  VfScoreboard board(machine);
  board.begin();
  for (int i = 0; i < 50000; ++i) {
    for (int k = 0; k < 4; ++k) step(board, kStore, {}, {});
    board.loop_iteration();
  }
  CHECK(board.end() == 23 + 100000 - 1 + 9 + 12);  // 200000 stores, two a cycle
}
