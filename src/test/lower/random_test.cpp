// Random programs with logical vectors: lane by lane and lowered they give the same.
#include <fmt/format.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "test/lower/lowering_fixture.hpp"

namespace pto::test {
namespace {

/// Writes a program of one length and several widths; every operation may use every value before it.
class Author {
 public:
  explicit Author(unsigned seed) : random_(seed) {
    constexpr std::array kLanes = {8U, 64U, 100U, 128U, 200U, 256U};
    lanes_ = kLanes[upto(kLanes.size())];
    for (const unsigned type : {0U, 1U, 2U}) load(type);
    value(kMask, fmt::format("pto.vmi.pset \"PAT_ALL\" : {}", of(kMask)));
    value(kMask, fmt::format("pto.vmi.create_mask %c{} : index -> {}", upto(2) == 0 ? 5 : 64, of(kMask)));
    for (unsigned i = 0; i < kOperations; ++i) operation();
    for (const unsigned type : {0U, 1U, 2U}) store(type);
  }
  [[nodiscard]] std::string text() const { return kernel(text_); }

 private:
  static constexpr unsigned kMask = 3, kOperations = 14;
  static constexpr std::array<const char*, 3> kTypes = {"i32", "i16", "i8"};

  unsigned upto(size_t n) { return static_cast<unsigned>(random_() % n); }
  [[nodiscard]] std::string of(unsigned type) const {
    return type == kMask ? fmt::format("!pto.vmi.mask<{}xpred>", lanes_)
                         : fmt::format("!pto.vmi.vreg<{}x{}>", lanes_, kTypes[type]);
  }
  std::string any(unsigned type) { return fmt::format("%v{}", values_[type][upto(values_[type].size())]); }
  void line(const std::string& what) { text_ += "      " + what + "\n"; }
  void value(unsigned type, const std::string& what) {
    line(fmt::format("%v{} = {}", count_, what));
    values_[type].push_back(count_++);
  }
  void load(unsigned type) {
    constexpr std::array kOffsets = {0, 3, 32, 64};
    value(type, fmt::format("pto.vmi.vload %x_{0}[%c{1}] : !pto.ptr<{0}, ub> -> {2}", kTypes[type],
                            kOffsets[upto(lanes_ <= 8 ? 4 : 1)], of(type)));
  }
  /// Each width has a quarter of the room; half of the stores have a mask.
  void store(unsigned type) {
    constexpr std::array kPlaces = {0, 512, 2048};
    const std::string place = fmt::format("%at{}", type);
    line(fmt::format("{} = arith.constant {} : index", place, kPlaces[type]));
    if (upto(2) == 0)
      line(fmt::format("pto.vmi.vstore {}, %y_{}[{}] : {}, !pto.ptr<{}, ub>", any(type), kTypes[type], place,
                       of(type), kTypes[type]));
    else
      line(fmt::format("pto.vmi.vstore {}, %y_{}[{}], {} : {}, !pto.ptr<{}, ub>, {}", any(type), kTypes[type],
                       place, any(kMask), of(type), kTypes[type], of(kMask)));
  }
  void operation() {
    const unsigned type = upto(3);
    switch (upto(9)) {
      case 0:
      case 1: {
        constexpr std::array kNames = {"vadd", "vsub", "vmin", "vmax", "vand", "vxor"};
        return value(
            type, fmt::format("pto.vmi.{0} {1}, {2}, {3} : {4}, {4}, {5} -> {4}", kNames[upto(kNames.size())],
                              any(type), any(type), any(kMask), of(type), of(kMask)));
      }
      case 2:
        return value(kMask, fmt::format("pto.vmi.vcmp {0}, {1}, {2} {{cmp = \"{3}\"}} : {4}, {4}, {5} -> {5}",
                                        any(type), any(type), any(kMask), upto(2) == 0 ? "lt" : "ne",
                                        of(type), of(kMask)));
      case 3:
        return value(type, fmt::format("pto.vmi.vsel {0}, {1}, {2} : {3}, {4}, {4} -> {4}", any(kMask),
                                       any(type), any(type), of(kMask), of(type)));
      case 4:
      case 5: {
        const unsigned to = (type + 1 + upto(2)) % 3;
        return value(to, fmt::format("pto.vmi.vcvt {}{} : {} -> {}", any(type),
                                     to > type ? " {saturate = \"NOSAT\"}" : "", of(type), of(to)));
      }
      case 6:
        return value(type, fmt::format("\"pto.vmi.compress\"({0}, {1}) : ({2}, {3}) -> {2}", any(type),
                                       any(kMask), of(type), of(kMask)));
      case 7:
        return value(type, fmt::format("\"pto.vmi.active_prefix_index\"({}) : ({}) -> {}", any(kMask),
                                       of(kMask), of(type)));
      default: {
        if (lanes_ % 64 != 0) return load(type);
        const std::string few = "!pto.vmi.vreg<8xi32>";
        const unsigned groups = count_++;
        line(fmt::format("%v{} = pto.vmi.{} {}, {} {{group = 8}} : {}, {} -> {}", groups,
                         upto(2) == 0 ? "vcadd" : "vcmax", any(0), any(kMask), of(0), of(kMask), few));
        return value(0, fmt::format("pto.vmi.vbrc %v{} {{group = 8}} : {} -> {}", groups, few, of(0)));
      }
    }
  }

  std::mt19937 random_;
  unsigned lanes_ = 0, count_ = 0;
  std::array<std::vector<unsigned>, 4> values_;
  std::string text_;
};

TEST_CASE("random programs give the same on lanes and on registers", "[lower]") {
  std::vector<uint32_t> in(kElements);
  std::mt19937 random(1);
  for (uint32_t& word : in) word = static_cast<uint32_t>(random());
  for (unsigned seed = 0; seed < 24; ++seed) {
    const std::string text = Author(seed).text();
    INFO("seed " << seed << "\n" << text);
    const std::vector<uint32_t> lanes = run<uint32_t>(text, Vectors::logical, in);
    const std::vector<uint32_t> registers = run<uint32_t>(text, Vectors::all_lowered, in);
    CHECK(lanes == registers);
  }
}

}  // namespace
}  // namespace pto::test
