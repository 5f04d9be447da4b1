#include "timing/vector_function_model.hpp"

#include "testing/catch_main.hpp"

using namespace pto::timing;

namespace {

VfConfig config() {
  VfConfig out;
  out.start = 23;
  out.drain = 12;
  out.dispatch = 5;
  out.window = 58;
  out.ports = 2;
  out.memory_slots = out.store_slots = 2;
  out.memory_window = 68;
  out.registers = 68;
  out.in_flight = 7;
  out.register_return = 11;
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
  board.step(what, sources, results, results.size());
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
  CHECK(slope(kLoad, 3) == Approx(1.5).margin(0.02));  // two loads a cycle
  CHECK(slope(kAdd, 4) == Approx(2.0).margin(0.02));   // two ports
  CHECK(slope(kExp, 2) == Approx(4.0).margin(0.05));   // two slow units of four cycles
  CHECK(slope(kAdd, 1) == Approx(1.0).margin(0.02));   // one iteration a cycle
}

TEST_CASE("vector function: a cycle serves two loads or one store", "[timing]") {
  const VfConfig machine = config();
  VfScoreboard board(machine);
  const auto cycles = [&](int loads, int stores) {
    const auto run = [&](int iterations) {
      board.begin();
      for (int i = 0; i < iterations; ++i) {
        for (int k = 0; k < loads; ++k) step(board, kLoad, {}, {static_cast<uint32_t>(k)});
        for (int k = 0; k < stores; ++k) step(board, kStore, {}, {});
        board.loop_iteration();
      }
      return board.end();
    };
    return static_cast<double>(run(200) - run(100)) / 100.0;
  };
  CHECK(cycles(2, 1) == Approx(2).margin(0.02));  // the two-dimensional additions of the public tables
  CHECK(cycles(4, 4) == Approx(6).margin(0.02));  // the update of an online softmax
  CHECK(cycles(1, 1) == Approx(1.5).margin(0.02));
}

TEST_CASE("vector function: entries leave the window in any order", "[timing]") {
  VfConfig machine = config();
  machine.window = 3;
  VfScoreboard board(machine);
  board.begin();
  step(board, kExp, {}, {0});   // starts at 23
  step(board, kAdd, {0}, {1});  // at 36
  step(board, kAdd, {}, {2});   // at 23
  step(board, kAdd, {}, {3});   // room at 24, when the exponential has left
  step(board, kAdd, {}, {4});   // and the other addition has: also at 24
  CHECK(board.end() == 23 + 13 + 7 + 12);
  step(board, kAdd, {0}, {5});  // waits for its operand, not for the addition in front of it
  CHECK(board.end() == 23 + 13 + 7 + 12);
}

TEST_CASE("vector function: a port has seven computations under way", "[timing]") {
  VfConfig machine = config();
  machine.registers = 1000;
  VfScoreboard board(machine);
  const auto cycles = [&](uint32_t latency) {
    const VfInstr each = instr(VfInstr::Unit::alu, latency, 4, 6);
    board.begin();
    for (uint32_t i = 0; i < 140; ++i) step(board, each, {}, {i % 14});
    return board.end();
  };
  // Two a cycle where they are done in time: the last ones start 69 cycles behind the first.
  CHECK(cycles(7) == 23 + 69 + 7 + 12);
  // Else fourteen in the time of one: nine times that, then the last fourteen in seven cycles.
  CHECK(cycles(8) == 23 + 9 * 8 + 6 + 8 + 12);
  CHECK(cycles(17) == 23 + 9 * 17 + 6 + 17 + 12);
}

TEST_CASE("vector function: every value takes a register until its last reader has started", "[timing]") {
  VfConfig machine = config();
  machine.registers = 2;
  machine.register_return = 4;
  VfScoreboard board(machine);
  board.begin();
  step(board, kLoad, {}, {0});  // at 23
  step(board, kAdd, {0}, {1});  // at 29: the second register; the first is free at 33
  CHECK(board.end() == 29 + 7 + 12);
  step(board, kLoad, {}, {2});  // at 33
  step(board, kStore, {2}, {});
  CHECK(board.end() == 33 + 6 + 9 + 12);
  board.begin();
  step(board, kLoad, {}, {0});
  step(board, kAdd, {0}, {1});
  step(board, kAdd, {0}, {1});  // nobody reads the first sum: its register is free a cycle later ..
  step(board, kAdd, {0}, {3});  // .. and the loaded value's when it was read for the last time before
  CHECK(board.end() > 29 + 7 + 12);
  board.begin();
  for (uint32_t i = 0; i < 1000; ++i)
    step(board, kLoad, {}, {i % 7});  // values that nobody reads do not stop it
  CHECK(board.end() < 23 + 4 * 1000);
}

TEST_CASE("renamed registers: given again when the latest reader is past", "[timing]") {
  RenamedRegisters registers(2, 10);
  uint32_t a = 0, b = 0, c = 0, d = 0;
  CHECK(registers.allocate(a) == 0);
  CHECK(registers.allocate(b) == 0);
  registers.read(a, 5);
  registers.read(b, 7);
  registers.read(a, 20);
  CHECK(registers.allocate(c) == 17);  // b's: a was read again
  CHECK(registers.allocate(d) == 30);
  registers.share(c);
  registers.overwrite(c, 40);  // has another name
  registers.overwrite(c, 50);
  uint32_t e = 0;
  CHECK(registers.allocate(e) == 51);
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
  CHECK(slots.reserve(10, 1) == 10);
  CHECK(slots.reserve(10, 1) == 11);
  CHECK(slots.reserve(5, 1) == 5);
  CHECK(slots.reserve(9, 2) == 12);  // 9 and 10 do not fit together, 11 is taken
  CHECK(slots.reserve(9, 1) == 9);
}

TEST_CASE("vector function: long memory-bound loops stay exact", "[timing]") {
  const VfConfig machine = config();
  VfScoreboard board(machine);
  board.begin();
  for (int i = 0; i < 50000; ++i) {
    for (int k = 0; k < 4; ++k) step(board, kStore, {}, {});
    board.loop_iteration();
  }
  CHECK(board.end() == 23 + 200000 - 1 + 9 + 12);  // 200000 stores, one a cycle
}
