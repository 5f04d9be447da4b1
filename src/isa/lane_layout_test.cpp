// Layouts of logical vectors: every lane has a place of its own, where the layout says.
#include "isa/lane_layout.hpp"

#include <set>

#include "testing/catch_main.hpp"

namespace pto::isa {
namespace {

Type vector_of(Elem elem, int64_t lanes, const char* layout) {
  Type type;
  type.kind = TypeKind::vmi_vreg;
  type.elem = elem;
  type.dims[0] = lanes;
  if (*layout != 0) type.text = "#pto.vmi.layout<" + std::string(layout) + ">";
  return type;
}
void check(const LanePlaces& places, uint64_t lane, uint64_t reg, uint64_t at) {
  INFO("lane " << lane);
  CHECK(places.place_of(lane).reg == reg);
  CHECK(places.place_of(lane).lane == at);
}

TEST_CASE("lanes one behind the other, and apart", "[vmi][layout]") {
  const LanePlaces plain(vector_of(Elem::f32, 100, ""));
  CHECK(plain.registers() == 2);
  check(plain, 63, 0, 63);
  check(plain, 64, 1, 0);
  const LanePlaces apart(vector_of(Elem::f16, 100, "contiguous, lane_stride = 2"));
  CHECK(apart.registers() == 2);
  check(apart, 63, 0, 126);
  check(apart, 64, 1, 0);
  CHECK(LanePlaces(vector_of(Elem::i8, 64, "contiguous, lane_stride = 4")).registers() == 1);
}

TEST_CASE("lanes dealt out one by one, and by blocks", "[vmi][layout]") {
  const LanePlaces two(vector_of(Elem::f32, 256, "deinterleaved = 2"));
  CHECK(two.registers() == 4);
  check(two, 0, 0, 0);
  check(two, 1, 2, 0);
  check(two, 128, 1, 0);
  check(two, 131, 3, 1);
  const LanePlaces four(vector_of(Elem::f32, 256, "deinterleaved = 4"));
  check(four, 6, 2, 1);
  const LanePlaces blocks(vector_of(Elem::f32, 256, "block_deinterleaved = 2"));
  CHECK(blocks.registers() == 4);
  check(blocks, 7, 0, 7);
  check(blocks, 8, 2, 0);
  check(blocks, 16, 0, 8);
  check(blocks, 255, 3, 63);
}

TEST_CASE("slots of groups", "[vmi][layout]") {
  const LanePlaces eight(vector_of(Elem::f16, 16, "num_groups = 16, slots = 8, lane_stride = 2"));
  CHECK(eight.registers() == 2);
  check(eight, 7, 0, 14);
  check(eight, 9, 1, 2);
  CHECK(LanePlaces(vector_of(Elem::f32, 8, "num_groups = 8, slots = 1")).registers() == 8);
}

TEST_CASE("no two lanes have one place, and every place is in a register", "[vmi][layout]") {
  for (const char* layout : {"", "contiguous, lane_stride = 2", "contiguous, lane_stride = 4",
                             "deinterleaved = 2", "deinterleaved = 4", "deinterleaved = 2, lane_stride = 2",
                             "block_deinterleaved = 2", "block_deinterleaved = 4"}) {
    for (const Elem elem : {Elem::i8, Elem::f16, Elem::f32}) {
      for (const int64_t lanes : {1, 7, 64, 100, 257, 512}) {
        const LanePlaces places(vector_of(elem, lanes, layout));
        std::set<std::pair<uint64_t, uint64_t>> seen;
        bool inside = true;
        for (int64_t i = 0; i < lanes; ++i) {
          const LanePlace place = places.place_of(static_cast<uint64_t>(i));
          seen.emplace(place.reg, place.lane);
          inside = inside && place.reg < places.registers() && place.lane < 256 / byte_width(elem);
        }
        INFO(layout << ", " << lanes << " lanes of " << to_string(elem));
        CHECK(seen.size() == static_cast<size_t>(lanes));
        CHECK(inside);
      }
    }
  }
}

}  // namespace
}  // namespace pto::isa
