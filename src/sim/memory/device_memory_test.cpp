// Bounds: what is inside, what is outside, and what the finding says.
#include "sim/memory/device_memory.hpp"

#include "testing/catch_main.hpp"

namespace pto::sim {
namespace {

struct Listener final : AccessListener {
  std::string message;
  std::vector<FootprintEvent> footprints, beyonds;
  void out_of_bounds(Space, uint64_t, std::string text, std::string) override { message = std::move(text); }
  void footprint(FootprintEvent event) override { footprints.push_back(event); }
  void beyond(FootprintEvent event) override { beyonds.push_back(event); }
  void cache_cleaned(uint64_t, bool) override {}
};

struct Fixture {
  Machine machine;
  std::vector<std::byte> bytes = std::vector<std::byte>(100);  // outlives gm, which hands it back
  GlobalMemory gm;
  uint64_t base = 0;
  Listener listener;
  Fixture() {
    machine.bytes[static_cast<size_t>(Space::ub)] = 1024;
    base = gm.add(0, "x", bytes, true);
  }
};

}  // namespace

TEST_CASE("the last byte is inside, the next is not", "[sim][memory]") {
  Fixture f;
  CoreMemory memory(0, f.machine, f.gm);
  memory.listener = &f.listener;
  CHECK(memory.access(Space::gm, f.base, 100, exec::AccessMode::read) == f.bytes.data());
  CHECK(memory.access(Space::gm, f.base + 99, 1, exec::AccessMode::read) == f.bytes.data() + 99);
  CHECK(f.listener.message.empty());
  CHECK(memory.access(Space::gm, f.base + 99, 2, exec::AccessMode::read) !=
        nullptr);  // an overrun is carried out
  CHECK(f.listener.message.find("bytes 99..100 of argument 'x' (100 bytes): 1 bytes beyond its end") !=
        std::string::npos);
  CHECK(memory.access(Space::gm, f.base - 4, 2, exec::AccessMode::read) == nullptr);
  CHECK(f.listener.message.find("it begins 4 bytes before argument 'x'") != std::string::npos);
  CHECK(memory.access(Space::gm, 64, 4, exec::AccessMode::read) == nullptr);
  CHECK(f.listener.message.find("far from every argument") != std::string::npos);
}

TEST_CASE("an access that leaves its buffer is told as a whole, and the part inside", "[sim][memory]") {
  Fixture f;
  CoreMemory memory(0, f.machine, f.gm);
  memory.listener = &f.listener;
  memory.report_footprints = true;
  CHECK(memory.access_rows(Space::ub, 512, 4, 64, 160, exec::AccessMode::write) != nullptr);
  REQUIRE(f.listener.beyonds.size() == 1);
  CHECK(f.listener.beyonds[0].rows == 4);
  CHECK(f.listener.beyonds[0].pitch == 160);
  CHECK(f.listener.footprints.size() == 4);  // the last row begins inside
  CHECK(f.listener.footprints.back().row_bytes == 32);
  CHECK(memory.access(Space::ub, 1024, 8, exec::AccessMode::read) == nullptr);
  CHECK(f.listener.beyonds.size() == 2);
  CHECK(f.listener.footprints.size() == 4);
}

TEST_CASE("on-chip buffers are zero at first and as large as the target's", "[sim][memory]") {
  Fixture f;
  CoreMemory memory(0, f.machine, f.gm);
  memory.listener = &f.listener;
  const std::byte* last = memory.access(Space::ub, 1020, 4, exec::AccessMode::read);
  REQUIRE(last != nullptr);
  CHECK(last[3] == std::byte{0});
  CHECK(memory.access(Space::ub, 1024, 8, exec::AccessMode::write) == nullptr);
  CHECK(f.listener.message == "8 bytes at 0x400 of ub: 8 bytes beyond its end; ub has 1024 bytes");
  CHECK(memory.access(Space::ub, 1020, 8, exec::AccessMode::write) != nullptr);  // 4 of them are inside
  CHECK(f.listener.message == "8 bytes at 0x3fc of ub: 4 bytes beyond its end; ub has 1024 bytes");
  CHECK(memory.access(Space::ub, ~uint64_t{0} - 3, 4, exec::AccessMode::write) == nullptr);
  CHECK(f.listener.message.find("the address is negative") != std::string::npos);
  CHECK(memory.access(Space::l1, 0, 4, exec::AccessMode::read) == nullptr);
  CHECK(f.listener.message.find("the target has no such memory") != std::string::npos);
}

TEST_CASE("rows are checked at both ends, whichever way they run", "[sim][memory]") {
  Fixture f;
  CoreMemory memory(0, f.machine, f.gm);
  memory.listener = &f.listener;
  memory.report_footprints = true;
  CHECK(memory.access_rows(Space::ub, 0, 4, 256, 256, exec::AccessMode::read) != nullptr);
  const std::byte* start = memory.access(Space::ub, 0, 1, exec::AccessMode::read);
  CHECK(memory.access_rows(Space::ub, 768, 4, 256, -256, exec::AccessMode::read) == start + 768);
  CHECK(memory.access_rows(Space::ub, 512, 4, 256, -256, exec::AccessMode::read) == nullptr);
  CHECK(memory.access_rows(Space::ub, 0, uint64_t{1} << 40, 8, int64_t{1} << 40, exec::AccessMode::read) ==
        nullptr);
  CHECK(memory.access_rows(Space::ub, 1 << 20, 0, 8, 8, exec::AccessMode::read) !=
        nullptr);  // no rows touch nothing
  REQUIRE(f.listener.footprints.size() == 3);
  CHECK(f.listener.footprints[2].pitch == -256);
}

TEST_CASE("an access that overruns an on-chip buffer moves the part inside", "[sim][memory]") {
  Fixture f;
  CoreMemory memory(0, f.machine, f.gm);
  memory.listener = &f.listener;
  memory.report_footprints = true;
  memory.access(Space::ub, 0, 1, exec::AccessMode::write)[0] = std::byte{5};
  std::byte* at = memory.access_rows(Space::ub, 256, 4, 256, 300, exec::AccessMode::write);
  REQUIRE(at != nullptr);
  CHECK(f.listener.message.find("388 bytes beyond its end") != std::string::npos);
  for (int row = 0; row < 4; ++row) std::fill_n(at + 300 * row, 256, std::byte{9});
  const std::byte* whole = memory.access(Space::ub, 0, 1024, exec::AccessMode::read);
  CHECK(whole[0] == std::byte{5});
  CHECK(whole[512] == std::byte{0});
  CHECK(whole[556] == std::byte{9});
  CHECK(whole[1023] == std::byte{9});
  // The rows begin at 256, 556, 856 and 1156: two whole ones and 168 bytes are inside.
  REQUIRE(f.listener.footprints.size() == 5);
  CHECK(f.listener.footprints[1].row_bytes == 256);
  CHECK(f.listener.footprints[2].addr == 556);
  CHECK(f.listener.footprints[3].row_bytes == 168);
}

TEST_CASE("an access that overruns an argument is a finding; what lies inside is carried out",
          "[sim][memory]") {
  std::vector<std::byte> bytes(64, std::byte{1});
  Fixture f;
  {
    GlobalMemory gm;
    CoreMemory memory(0, f.machine, gm);
    memory.listener = &f.listener;
    const uint64_t base = gm.add(0, "x", bytes, true);
    std::byte* at = memory.access(Space::gm, base + 32, 64, exec::AccessMode::update);
    REQUIRE(at != nullptr);
    CHECK(f.listener.message.find("32 bytes beyond its end") != std::string::npos);
    CHECK(at[31] == std::byte{1});
    CHECK(at[32] == std::byte{0});
    std::fill_n(at, 64, std::byte{7});
    CHECK(memory.access(Space::gm, base + 63, 1, exec::AccessMode::read)[0] == std::byte{7});
    CHECK(memory.access(Space::gm, base + 64, 1, exec::AccessMode::read) == nullptr);  // begins outside
    CHECK(memory.access(Space::gm, base, (uint64_t{1} << 24) + 65, exec::AccessMode::read) ==
          nullptr);  // beyond the gap
  }
  for (size_t i = 0; i < 64; ++i) CHECK(bytes[i] == (i < 32 ? std::byte{1} : std::byte{7}));
}

TEST_CASE("a write into another core names its owner", "[sim][memory]") {
  Fixture f;
  CoreMemory aic(0, f.machine, f.gm), aiv(1, f.machine, f.gm);
  aic.listener = aiv.listener = &f.listener;
  aic.report_footprints = true;
  aic.peers = {&aic, &aiv, nullptr};
  std::byte* there = aic.access_peer(1, Space::ub, 32, 1, 8, 0, exec::AccessMode::write);
  REQUIRE(there != nullptr);
  CHECK(there == aiv.access(Space::ub, 32, 8, exec::AccessMode::read));
  REQUIRE(f.listener.footprints.size() == 1);
  CHECK(f.listener.footprints[0].core == 0);
  CHECK(f.listener.footprints[0].home == 1);
  CHECK(aic.access_peer(2, Space::ub, 32, 1, 8, 0, exec::AccessMode::write) == nullptr);
  CHECK(f.listener.message.find("AIV1, which does not run in this kernel") != std::string::npos);
}

}  // namespace pto::sim
