// What each analysis claims of an integer, against the number itself: random expressions in all widths,
// random inputs, and two's complement by its definition. An analysis may know nothing; what it claims has to
// hold.
#include "analysis/affine_interval.hpp"
#include "analysis/congruence.hpp"
#include "analysis/constant_folding.hpp"
#include "analysis/integer_interval.hpp"
#include "analysis/known_bits.hpp"
#include "analysis/multi_buffer_slots.hpp"
#include "plan/planner_fixture.hpp"
#include "test/analysis/arithmetic_fixture.hpp"
#include "testing/catch_main.hpp"

using namespace pto;
using namespace pto::test;

namespace {

/// A window and a slot of each number.
std::string window_and_slots(const Node& node, const std::string& index) {
  return fmt::format(
      "  {0}w = pto.partition_view %all, offsets = [%c0, {1}], sizes = [%c1, %c1] : "
      "!pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<1x1xf32>\n"
      "  {0}s2 = pto.multi_tile_get %m2[{1}] : !pto.multi_tile_buf<vec, 1x64xf32, count=2> -> "
      "!pto.tile_buf<vec, 1x64xf32>\n"
      "  {0}s3 = pto.multi_tile_get %m3[{1}] : !pto.multi_tile_buf<vec, 1x64xf32, count=3> -> "
      "!pto.tile_buf<vec, 1x64xf32>\n",
      node.name, index);
}

/// What driver/ranges says of every value, in the order of the text; counters from their bounds.
std::map<ValueId, driver::AffineInterval> ranges_of(const Program& program, const Expressions& made,
                                                    const std::map<std::string, ValueId>& names) {
  std::map<ValueId, driver::AffineInterval> found;
  for (const Node& node : made.nodes()) {
    if (node.kind == Node::Kind::counter)
      found[names.at(node.name)] =
          driver::AffineInterval::between(node.number, node.number + node.step * (node.turns - 1));
  }
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const OpView op(program, i);
    if (!gives_number(op)) continue;
    std::array<driver::AffineInterval, 3> operands;
    for (unsigned k = 0; k < 3; ++k)
      if (op.operand(k) != kNoValue) operands[k] = found[op.operand(k)];
    found[op.result(0)] = driver::evaluate(op, operands);
  }
  return found;
}

}  // namespace

TEST_CASE("what analyses claim of numbers in every width holds for the numbers", "[arithmetic]") {
  size_t windows_known = 0, slots_known = 0, intervals_known = 0, bits_known = 0, ranges_known = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Expressions made(seed);
    const std::string text = made.text(window_and_slots);
    INFO("seed " << seed << "\n" << text);
    const Program program = parse_ok(text);
    const std::map<std::string, ValueId> names = names_of(program);
    const Constants constants(program);
    const planner::IntervalAnalysis intervals(program, constants);
    planner::GmWindowAnalysis windows(program, constants);
    const planner::Slots slots(program, constants);
    const legality::LowBitsAnalysis numbers(program, constants);
    const std::map<ValueId, driver::AffineInterval> ranges = ranges_of(program, made, names);
    for (int sample = 0; sample < 12; ++sample) {
      const std::optional<Evaluated> all = made.evaluate(made.draw());
      if (!all) continue;
      for (size_t i = 0; i < all->numbers.size(); ++i) {
        const Node& node = made.nodes()[i];
        const ValueId value = names.at(node.name);
        const int64_t number = all->numbers[i], index = Expressions::as_index(node, number);
        INFO(node.name << " is " << number);
        if (const Number known = constants.value_of(value)) REQUIRE(*known == number);
        const planner::Interval interval = intervals.interval_of(value);
        intervals_known += interval.low > INT64_MIN;
        REQUIRE((interval.low <= number && number <= interval.high));
        const legality::KnownLowBits bits = numbers.low_bits(value, {});
        const uint64_t mask = bits.count >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits.count) - 1;
        bits_known += bits.count > 0;
        REQUIRE((static_cast<uint64_t>(number) & mask) == bits.bits);
        if (const auto range = ranges.find(value); range != ranges.end() && range->second.is_concrete()) {
          ++ranges_known;
          REQUIRE((range->second.low <= number && number <= range->second.high));
        }
        if (const auto window = windows.window_of(names.at(node.name + "w"))) {
          const Wide apart = Wide{index} * 4 - window->begin.at;
          windows_known += window->begin.step != 4;
          REQUIRE(
              (window->begin.step == 0 ? apart == 0 : apart % static_cast<Wide>(window->begin.step) == 0));
        }
        for (const int64_t count : {2, 3}) {
          const ValueId slot = names.at(fmt::format("{}s{}", node.name, count));
          const std::optional<uint32_t> claimed =
              slots.slots_of(OpView(program, constants.defining_op(slot)));
          if (!claimed || index < 0 || index >= count) continue;
          ++slots_known;
          REQUIRE(*claimed == index);
        }
      }
    }
  }
  // Not by knowing nothing.
  CHECK(windows_known > 10000);
  CHECK(slots_known > 100);
  CHECK(intervals_known > 100000);
  CHECK(bits_known > 10000);
  CHECK(ranges_known > 10000);
}
