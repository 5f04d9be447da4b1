#include "lower/layout.hpp"

#include <set>
#include <utility>

#include "testing/catch_main.hpp"

namespace pto::lower {
namespace {

constexpr Layout kLayouts[] = {{.streams = 1},
                               {.streams = 2},
                               {.streams = 4},
                               {.streams = 2, .blocks = true},
                               {.streams = 4, .blocks = true},
                               {.streams = 1, .slots = 8},
                               {.streams = 1, .slots = 1}};

TEST_CASE("every lane has a position of its own in the registers of its layout", "[lower]") {
  size_t seen = 0;
  for (const Layout& layout : kLayouts) {
    for (const unsigned width : {1U, 2U, 4U}) {
      for (const unsigned lanes : {8U, 64U, 96U, 128U, 256U}) {
        const Shape shape{lanes, width};
        if (!layout.fits(shape)) continue;
        std::set<std::pair<unsigned, unsigned>> taken;
        for (unsigned lane = 0; lane < lanes; ++lane) {
          const Place place = layout.place_of(shape, lane);
          CHECK(place.reg < layout.registers(shape));
          CHECK(place.lane < shape.per_register());
          CHECK(taken.emplace(place.reg, place.lane).second);
        }
        ++seen;
      }
    }
  }
  CHECK(seen > 50);
}

TEST_CASE("values with the same streams have their lanes at the same words", "[lower]") {
  constexpr unsigned kLanes = 128;
  for (const unsigned streams : {1U, 2U, 4U}) {
    const Layout layout{.streams = streams};
    for (const unsigned width : {1U, 2U}) {
      const Shape narrow{kLanes, width}, wide{kLanes, 2 * width};
      const unsigned parts = layout.parts(narrow.width), wide_parts = layout.parts(wide.width);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const Place from = layout.place_of(narrow, lane), to = layout.place_of(wide, lane);
        const unsigned first = from.reg % (layout.registers(narrow) / parts);
        const unsigned second = to.reg % (layout.registers(wide) / wide_parts);
        CHECK(first == second);
        CHECK(from.lane * narrow.width / kWordBytes == to.lane * wide.width / kWordBytes);
      }
    }
  }
}

TEST_CASE("memory order has lane i at byte i * width", "[lower]") {
  for (const unsigned width : {1U, 2U, 4U}) {
    const Layout order = memory_order(width);
    const Shape shape{512 / width, width};
    CHECK(order.is_memory_order(width));
    CHECK(order.text(shape) == "contiguous");
    for (unsigned lane = 0; lane < shape.lanes; ++lane) {
      const Place place = order.place_of(shape, lane);
      CHECK(place.reg * kRegisterBytes + place.lane * width == lane * width);
    }
  }
}

TEST_CASE("a layout is printed as the attribute of a type", "[lower]") {
  CHECK(Layout{.streams = 1}.text({64, 2}) == "contiguous, lane_stride = 2");
  CHECK(Layout{.streams = 4}.text({64, 4}) == "deinterleaved = 4");
  CHECK(Layout{.streams = 2, .blocks = true}.text({128, 4}) == "block_deinterleaved = 2");
  CHECK(Layout{.streams = 1, .slots = 8}.text({16, 4}) == "num_groups = 16, slots = 8");
}

}  // namespace
}  // namespace pto::lower
