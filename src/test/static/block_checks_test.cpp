// What the static checks say of the cores of a block, beside what a run shows: two programs that know nothing
// of each other, over kernels made at random. Without conditions on inputs, what is an error here is one
// there.
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "driver/run_fixture.hpp"

namespace pto {
namespace {

constexpr std::string_view kPart = "!pto.partition_tensor_view<16x16xf32>";
constexpr std::string_view kVec = "!pto.tile_buf<vec, 16x16xf32>";
constexpr std::string_view kMat = "!pto.tile_buf<mat, 16x16xf32, blayout=col_major, slayout=row_major>";
constexpr std::string_view kAcc =
    "!pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, "
    "fractal=1024>";

std::string kernel(std::string_view target, std::string_view cube, std::string_view vector) {
  std::string text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{", target) + R"(
func.func @k(%p: !pto.ptr<f32>, %q: !pto.ptr<f32>) attributes {pto.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i64
  %k = arith.constant 1024 : i64
)";
  for (const char name : {'p', 'q'})
    text += fmt::format(
        "  %v{0} = pto.make_tensor_view %{0}, shape = [%c16, %c16], strides = [%c16, %c1] : "
        "!pto.tensor_view<?x?xf32>\n"
        "  %w{0} = pto.partition_view %v{0}, offsets = [%c0, %c0], sizes = [%c16, %c16] : "
        "!pto.tensor_view<?x?xf32> -> {1}\n",
        name, kPart);
  return text +
         fmt::format(
             "pto.section.cube {{\n%acc = pto.alloc_tile addr = %z : {}\n%mat = pto.alloc_tile addr = %z : "
             "{}\n{}}}\npto.section.vector {{\n%core = pto.get_subblock_idx\n%first = arith.cmpi eq, %core, "
             "%z : i64\n%a = pto.alloc_tile addr = %z : {}\n%b = pto.alloc_tile addr = %k : {}\n{}}}\n"
             "return\n}}\n}}\n",
             kAcc, kMat, cube, kVec, kVec, vector);
}

/// Kernels whose cores signal each other as they should, and others with a line or two changed.
class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed), a5_(pick(2) == 0), waits_{pick(2), pick(2)} {}

  std::string make() {
    for (uint32_t i = 0, n = 1 + pick(4); i < n; ++i) exchange();
    if (pick(2) == 0) {
      for (uint32_t i = 0, n = 1 + pick(2); i < n; ++i) spoil(pick(2));
    }
    const auto joined = [](const std::vector<std::string>& lines) {
      std::string all;
      for (const std::string& line : lines) all += line + "\n";
      return all;
    };
    return kernel(a5_ ? "a5" : "a2a3", joined(lines_[0]), joined(lines_[1]));
  }

 private:
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_()) % n; }

  std::string signal(bool vector, bool set, uint32_t id) {
    static constexpr std::array<std::string_view, 4> kPipes = {"FIX", "MTE2", "MTE3", "MTE2"};
    const std::string_view pipe = kPipes[2 * vector + (set ? 0 : waits_[vector])];
    std::string line = fmt::format("pto.sync.{} <PIPE_{}>, {}", set ? "set" : "wait", pipe, id);
    if (a5_ && !vector && pick(8) != 0)
      line += fmt::format("\npto.{}_intra_block <PIPE_{}>, {}", set ? "set" : "wait", pipe, id + 16);
    return line;
  }

  void other(bool vector) {
    std::vector<std::string>& to = lines_[vector];
    const char buffer = "pq"[pick(2)];
    switch (pick(5)) {
      case 0:
        return void(to.push_back(
            vector ? fmt::format("pto.tstore ins(%a : {}) outs(%w{} : {})", kVec, buffer, kPart)
                   : fmt::format("pto.tstore ins(%acc : {}) outs(%w{} : {})", kAcc, buffer, kPart)));
      case 1:
        return void(to.push_back(
            vector ? fmt::format("pto.tload ins(%w{} : {}) outs(%b : {})", buffer, kPart, kVec)
                   : fmt::format("pto.tload ins(%w{} : {}) outs(%mat : {})", buffer, kPart, kMat)));
      case 2:
        return void(to.push_back("pto.barrier #pto.pipe<PIPE_ALL>"));
      default: {
        const bool back = pick(2) == 0;
        const std::string_view out = vector ? "MTE3" : "FIX";
        const std::string_view from = back ? out : "MTE2";
        const std::string_view into = back ? "MTE2" : out;
        for (const std::string_view what : {"set", "wait"})
          to.push_back(fmt::format("pto.{}_flag[\"PIPE_{}\", \"PIPE_{}\", \"EVENT_ID{}\"]", what, from, into,
                                   flags_ % 8));
        ++flags_;
      }
    }
  }

  void exchange() {
    const bool from = pick(2) == 0;
    const uint32_t id = pick(3);
    for (uint32_t i = pick(3); i > 0; --i) other(from);
    std::string set = signal(from, true, id);
    std::string wait = signal(!from, false, id);
    if (pick(3) == 0) {
      const uint32_t turns = std::array{1U, 2U, 5U}[pick(3)];
      for (std::string* part : {&set, &wait})
        *part = fmt::format("scf.for %i{} = %c0 to %c{} step %c1 {{\n{}\n}}", loops_++, turns, *part);
    }
    lines_[from].push_back(set);
    lines_[!from].push_back(wait);
    for (uint32_t i = pick(3); i > 0; --i) other(!from);
  }

  void spoil(bool vector) {
    std::vector<std::string>& lines = lines_[vector];
    if (lines.empty()) return;
    const uint32_t at = pick(static_cast<uint32_t>(lines.size()));
    switch (pick(4)) {
      case 0:
        return void(lines.erase(lines.begin() + at));
      case 1:
        return void(lines.insert(lines.begin() + at, signal(vector, pick(2) == 0, pick(3))));
      case 2:
        return std::swap(lines[at], lines[pick(static_cast<uint32_t>(lines.size()))]);
      default:
        if (vector) lines[at] = "scf.if %first {\n" + lines[at] + "\n}";
    }
  }

  std::mt19937 random_;
  bool a5_;
  std::array<uint32_t, 2> waits_;  ///< the pipe of each kind of core that waits
  std::array<std::vector<std::string>, 2> lines_;
  uint32_t loops_ = 0, flags_ = 0;
};

std::set<std::string, std::less<>> errors(const Diagnostics& found) {
  std::set<std::string, std::less<>> ids;
  for (const Diagnostic& each : found.all()) {
    if (each.severity == Severity::error) ids.emplace(to_string(each.id));
  }
  return ids;
}

TEST_CASE("what is certain of the cores of a block is so in a run", "[sync][block]") {
  size_t hang = 0, hang_known = 0, left = 0, left_known = 0, race = 0, race_known = 0, clean = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    const std::string text = Maker(seed).make();
    INFO("seed " << seed << "\n" << text);
    Result<Prepared> looked = prepare(text, {.sync = SyncBy::program});
    Result<Prepared> prepared = prepare(text, {.sync = SyncBy::program, .check_synchronisation = false});
    REQUIRE((looked.ok() && prepared.ok() && prepared->ready));
    const auto said = errors(looked->diagnostics);
    std::vector<Argument> arguments{test::buffer("p", std::vector<float>(256, 1)),
                                    test::buffer("q", std::vector<float>(256, 2))};
    SimOptions options;
    options.mode = Mode::check;
    const Result<SimResult> result = simulate(*prepared, arguments, options);
    REQUIRE(result.ok());
    const auto seen = errors(result->findings);
    const bool hangs = seen.contains("DEADLOCK");
    const bool hangs_said = said.contains("E0508") || said.contains("E0506");
    CHECK((!hangs_said || hangs));
    CHECK((!said.contains("E0509") || seen.contains("CROSS-LEFT") || hangs));
    CHECK((!said.contains("E0511") || seen.contains("RACE") || hangs));
    // Those of flags within a core are reported as such.
    hang += hangs && !said.contains("E0501") && !said.contains("E0504");
    hang_known += hangs_said;
    if (hangs || hangs_said) continue;
    left += seen.contains("CROSS-LEFT");
    left_known += said.contains("E0509");
    race += seen.contains("RACE");
    race_known += said.contains("E0511");
    clean += seen.empty();
  }
  CAPTURE(hang, hang_known, left, left_known, race, race_known, clean);
  CHECK((hang > 50 && left > 20 && race > 50 && clean > 50));
  CHECK(hang_known >= hang * 95 / 100);
  CHECK(left_known == left);
  CHECK(race_known >= race * 80 / 100);
}

}  // namespace
}  // namespace pto
