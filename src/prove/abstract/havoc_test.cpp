// Verdicts of prove() where branches and loops are let go, each beside a twin with a fault; what a program
// looks like then.
#include "prove/abstract/havoc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/constant_folding.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "ir/symbol_table.hpp"
#include "isa/row.hpp"
#include "prove/prover_fixture.hpp"
#include "pto/assembler.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using test::proof_of;
using Verdict = Proof::Verdict;

constexpr uint64_t kRuns = 1000;  ///< more would be those of the programs as they are

/// `%x` is a number that the kernel may have written: nobody can say which.
std::string kernel(std::string_view body) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>, %d: !pto.ptr<i32, gm>, %n: index)
    attributes {{pto.kernel, pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %i24 = arith.constant 24 : index
  %z = arith.constant 0 : i32
  %u = pto.castptr %c0 : i64 -> !pto.ptr<f32, ub>
  pto.store_scalar %z, %d[%n] : !pto.ptr<i32, gm>, i32
  %x = pto.load_scalar %d[%i0] : !pto.ptr<i32, gm> -> i32
  %many = arith.index_cast %x : i32 to index
  %some = arith.cmpi sgt, %x, %z : i32
{}  return
}}
}})",
                     body);
}

const std::string kLoad =
    "  pto.mte_gm_ub %a, %u, %c0, %c256 nburst(%c1, %c256, %c256)\n"
    "    : !pto.ptr<f32, gm>, !pto.ptr<f32, ub>, i64, i64, i64, i64, i64\n";
const std::string kStore =
    "  pto.mte_ub_gm %u, %o, %c256 nburst(%c1, %c256, %c256)\n"
    "    : !pto.ptr<f32, ub>, !pto.ptr<f32, gm>, i64, i64, i64, i64\n";

std::string flag(std::string_view what, std::string_view from, std::string_view to) {
  return fmt::format("  pto.{}_flag[\"PIPE_{}\", \"PIPE_{}\", \"EVENT_ID0\"]\n", what, from, to);
}
const std::string kSet = flag("set", "MTE2", "MTE3");
const std::string kWait = flag("wait", "MTE2", "MTE3");
const std::string kSetBack = flag("set", "MTE3", "MTE2");
const std::string kWaitBack = flag("wait", "MTE3", "MTE2");
const std::string kCopy = kLoad + kSet + kWait + kStore;

std::string where(std::string_view condition, const std::string& body) {
  return fmt::format("  scf.if {} {{\n{}  }}\n", condition, body);
}
std::string looped(std::string_view counter, std::string_view to, const std::string& body) {
  return fmt::format("  scf.for {} = %i0 to {} step %i1 {{\n{}  }}\n", counter, to, body);
}

bool is_havocked(const Proof& proof) {
  return std::ranges::any_of(proof.covers,
                             [](const std::string& each) { return each.starts_with("branches"); });
}

/// Whether it is proved, and no other way.
bool proved_havocked(const std::string& body) {
  const std::string text = kernel(body);
  INFO(text);
  const Proof proof = proof_of(text, kRuns);
  if (proof.verdict == Verdict::proved) CHECK(is_havocked(proof));
  return proof.verdict == Verdict::proved;
}

TEST_CASE("a branch on what nobody can know is taken and is not", "[prove]") {
  CHECK(proved_havocked(where("%some", kCopy)));
  CHECK_FALSE(proved_havocked(where("%some", kLoad + kStore)));
  CHECK_FALSE(proved_havocked(where("%some", kSet) + kWait));
  CHECK_FALSE(proved_havocked(where("%some", kSet)));
  // Twice the same way, which is more than a free branch knows.
  CHECK_FALSE(proved_havocked(where("%some", kSet) + where("%some", kWait)));
  CHECK(proved_havocked(where("%some", kCopy) + kSetBack + kWaitBack + where("%some", kCopy)));
  CHECK_FALSE(proved_havocked(where("%some", kCopy) + where("%some", kCopy)));
}

TEST_CASE("a branch that changes nothing, and whose numbers nobody needs, decides nothing", "[prove]") {
  const auto proved_as_it_is = [](const std::string& body) {
    const std::string text = kernel(body);
    INFO(text);
    const Proof proof = proof_of(text, kRuns);
    return proof.verdict == Verdict::proved && !is_havocked(proof);
  };
  const auto chosen = [](const std::string& more) {
    return "  %v = scf.if %some -> (index) {\n    scf.yield %many : index\n  } else {\n    scf.yield %i4 : "
           "index\n"
           "  }\n" +
           more;
  };
  CHECK(proved_as_it_is("  scf.if %some {\n    scf.yield\n  } else {\n  }\n" + kCopy));
  CHECK(proved_as_it_is(chosen(kCopy)));
  const std::string sum =
      "  %sum = arith.addi %v, %i1 : index\n  %less = arith.cmpi slt, %sum, %i4 : index\n";
  CHECK(proved_as_it_is(chosen(sum + kCopy)));
  CHECK(proved_as_it_is(chosen(sum + where("%less", "") + kCopy)));
  CHECK(proved_as_it_is(chosen(sum + looped("%i", "%sum", "") + kCopy)));
  // Something needs them: what is copied, how often, and a number in memory.
  CHECK_FALSE(proved_as_it_is(chosen(sum + where("%less", kCopy))));
  CHECK_FALSE(proved_as_it_is(chosen(sum + looped("%i", "%sum", kCopy + kSetBack + kWaitBack))));
  CHECK_FALSE(proved_as_it_is(chosen(sum + where("%less", kSet) + kLoad + kWait + kStore)));
}

TEST_CASE("a loop that runs nobody knows how often runs any number of times", "[prove]") {
  CHECK(proved_havocked(looped("%i", "%many", kCopy + kSetBack + kWaitBack)));
  CHECK_FALSE(proved_havocked(looped("%i", "%many", kCopy)));
  CHECK_FALSE(proved_havocked(looped("%i", "%many", kSet) + looped("%j", "%many", kWait)));
  CHECK(proved_havocked(kSetBack + looped("%i", "%many", kWaitBack + kCopy + kSetBack) + kWaitBack));
  CHECK_FALSE(proved_havocked(looped("%i", "%many", kWaitBack + kCopy + kSetBack)));
  // A flag of the next iteration, skipped in the first one: the branch is not any one.
  const std::string first = "  %first = arith.cmpi eq, %i, %i0 : index\n";
  CHECK_FALSE(proved_havocked(looped("%i", "%many", first + where("%first", kWait) + kSet)));
}

TEST_CASE("many iterations that each load what decides come to the same", "[prove]") {
  const std::string loads =
      "  %row = arith.muli %i, %i24 : index\n  %at = arith.addi %row, %k : index\n"
      "  %y = pto.load_scalar %d[%at] : !pto.ptr<i32, gm> -> i32\n  %here = arith.cmpi sge, %y, %z : i32\n";
  const auto nest = [&](const std::string& body) {
    return kSetBack + looped("%i", "%i24", looped("%k", "%i24", loads + where("%here", body))) + kWaitBack;
  };
  const std::string text = kernel(nest(kWaitBack + kCopy + kSetBack));
  const Proof proof = proof_of(text, kRuns);
  CHECK(proof.verdict == Verdict::proved);
  CHECK(is_havocked(proof));
  CHECK(proof.runs < kRuns);
  CHECK_FALSE(proved_havocked(nest(kWaitBack + kLoad + kStore + kSetBack)));
  CHECK_FALSE(proved_havocked(nest(kWaitBack + kCopy)));
  CHECK_FALSE(proved_havocked(nest(kCopy)));
}

TEST_CASE("what few numbers decide is tried as it is", "[prove]") {
  const std::string body =
      "  %more = arith.cmpi sgt, %n, %i4 : index\n" + where("%more", kSet) + where("%more", kWait);
  const Proof proof = proof_of(kernel(body));
  CHECK(proof.verdict == Verdict::proved);
  CHECK_FALSE(is_havocked(proof));
  CHECK(proof_of(kernel(body + where("%more", kSet))).verdict == Verdict::counterexample);
}

TEST_CASE("a function of the kernel that is called as well keeps its branches", "[prove]") {
  const std::string helper = kernel(where("%some", kCopy));
  CHECK(is_havocked(proof_of(helper, kRuns)));
  const std::string calls = fmt::format(
      "{}func.func @caller(%a: !pto.ptr<f32, gm>, %o: !pto.ptr<f32, gm>, %d: !pto.ptr<i32, gm>, %n: index) "
      "{{\n"
      "  func.call @k(%a, %o, %d, %n) : (!pto.ptr<f32, gm>, !pto.ptr<f32, gm>, !pto.ptr<i32, gm>, index) -> "
      "()\n"
      "  return\n}}\n}}\n",
      helper.substr(0, helper.rfind('}')));
  CHECK_FALSE(is_havocked(proof_of(calls, kRuns, "k")));
}

std::optional<Program> freed(const Program& program,
                             driver::HavocLevel freedom = driver::HavocLevel::control_flow) {
  const Functions functions(program);
  const CallGraph calls(program, functions);
  const LaunchedFunctions launch = launches(program, functions, calls).front();
  driver::InputSlice slice(program, functions, calls, launch);
  return driver::havoc(program, functions, launch, slice, freedom);
}

TEST_CASE("a freed program loads what its branches and loops go by", "[prove]") {
  const std::string text = kernel(looped("%i", "%many", where("%some", kCopy)) +
                                  looped("%j", "%i4", kSet + kWait) + looped("%l", "%i24", kSet + kWait));
  Diagnostics wrong;
  const auto program = parse(text, {}, wrong);
  REQUIRE(program);
  const auto free = freed(*program);
  REQUIRE(free);
  const Functions functions(*program);
  const std::vector<uint32_t> ops{functions.all().front().info.op};
  const Region& before = body_of(*program, ops[0]);
  const Region& after = body_of(*free, ops[0]);
  CHECK(after.n_args == before.n_args + 1);
  CHECK(free->type_of(after.first_arg).kind == TypeKind::ptr);
  for (uint32_t i = 0; i < before.n_args; ++i)
    CHECK(free->name_of(after.first_arg + 1 + i) == program->name_of(before.first_arg + i));
  size_t loads = 0;
  for (const uint32_t op : descendants(*free, ops[0])) loads += driver::nondet_value({*free, op}) ? 1 : 0;
  // How often the first loop runs, one in each of its iterations, and the branch in it; not the four
  // iterations of the second one, nor the third one, in which nothing decides.
  CHECK(loads == 3);
  CHECK_FALSE(freed(*parse(kernel(kCopy), {}, wrong)));
}

TEST_CASE("numbers stand for formulas, and know of blocks and vector cores", "[prove]") {
  const auto equality_class = [](const std::string& body) {
    const std::string text = kernel("  %five = arith.constant 5 : i32\n" + body);
    INFO(text);
    Diagnostics wrong;
    const auto program = parse(text, {}, wrong);
    REQUIRE(program);
    const auto free = freed(*program);
    std::vector<driver::NondetValue> found;
    for (uint32_t op = 0; free && op < free->ops.size(); ++op) {
      if (const auto number = driver::nondet_value({*free, op})) found.push_back(*number);
    }
    return found;
  };
  // %e is given; the kernel writes %d.
  const auto condition = [](std::string_view name, std::string_view place) {
    return fmt::format(
        "  %n{0} = pto.load_scalar {1} : !pto.ptr<i32, gm> -> i32\n  %m{0} = arith.andi %n{0}, %five : i32\n"
        "  %{0} = arith.cmpi eq, %m{0}, %z : i32\n",
        name, place);
  };
  const std::string count = "  %cn = arith.cmpi eq, %n, %i4 : index\n";
  const auto one = equality_class(count + where("%cn", kCopy) + where("%cn", kCopy));
  REQUIRE(one.size() == 2);
  CHECK((one[0].equality_class != 0 && one[0].equality_class == one[1].equality_class && !one[0].block &&
         !one[0].subblock));
  const auto written = equality_class(condition("p", "%d[%i1]") + where("%p", kCopy) + where("%p", kCopy));
  REQUIRE(written.size() == 2);
  CHECK((written[0].equality_class == 0 && written[1].equality_class == 0));
  const auto blocks =
      equality_class("  %b = pto.get_block_idx\n  %c = arith.cmpi eq, %b, %c1 : i64\n" + where("%c", kCopy));
  REQUIRE(blocks.size() == 1);
  CHECK((blocks[0].equality_class != 0 && blocks[0].block));
  const auto two = equality_class(count + "  %cm = arith.cmpi ne, %n, %i4 : index\n" + where("%cn", kCopy) +
                                  where("%cm", kCopy));
  REQUIRE(two.size() == 2);
  CHECK(two[0].equality_class != two[1].equality_class);
  // Floats have no formula; pointers to other elements are other ones.
  const auto floats = equality_class(
      "  %h = arith.constant 0.5 : f32\n  %q = arith.constant 0.25 : f32\n"
      "  %ch = arith.cmpf ogt, %h, %q : f32\n  %cq = arith.cmpf ogt, %q, %q : f32\n" +
      where("%ch", kCopy) + where("%cq", kCopy));
  REQUIRE(floats.size() == 2);
  CHECK((floats[0].equality_class == 0 && floats[1].equality_class == 0));
  const auto pointer = [](std::string_view name, std::string_view elem) {
    return fmt::format(
        "  %p{0} = pto.castptr %a : !pto.ptr<f32, gm> -> !pto.ptr<{1}, gm>\n"
        "  %r{0} = pto.addptr %p{0}, %n : !pto.ptr<{1}, gm> -> !pto.ptr<{1}, gm>\n"
        "  %s{0} = pto.castptr %r{0} : !pto.ptr<{1}, gm> -> !pto.ptr<i32, gm>\n"
        "  %w{0} = pto.load_scalar %s{0}[%i1] : !pto.ptr<i32, gm> -> i32\n"
        "  %{0} = arith.cmpi eq, %w{0}, %z : i32\n",
        name, elem);
  };
  const auto elements = equality_class(pointer("e", "i8") + pointer("f", "i16") + pointer("g", "i8") +
                                       where("%e", kCopy) + where("%f", kCopy) + where("%g", kCopy));
  REQUIRE(elements.size() == 3);
  CHECK((elements[0].equality_class != 0 && elements[0].equality_class == elements[2].equality_class));
  CHECK(elements[0].equality_class != elements[1].equality_class);
  // Which vector core runs is no choice.
  CHECK(equality_class("  %s = pto.get_subblock_idx\n  %h = arith.cmpi eq, %s, %c1 : i64\n" +
                       where("%h", kCopy))
            .empty());
}

TEST_CASE("registers that data set decide like data", "[prove]") {
  for (const std::string& read :
       {std::string("  %r, %r1, %r2, %r3 = pto.get_vms4_sr : i16, i16, i16, i16\n"
                    "  %seven = arith.constant 7 : i16\n"
                    "  %c = arith.cmpi eq, %r, %seven : i16\n"),
        std::string("  %r = pto.get_ctrl : i64\n  %c = arith.cmpi eq, %r, %c256 : i64\n")}) {
    CHECK(proved_havocked(read + where("%c", kCopy)));
    CHECK(proof_of(kernel(read + where("%c", kSet)), kRuns).verdict == Verdict::undecided);
    CHECK_FALSE(proved_havocked(read + where("%c", kSet) + where("%c", kWait)));
  }
}

/// A tile of which a number says how much is valid, `more` behind that.
std::string resized(std::string_view columns, std::string_view more) {
  return fmt::format(R"(module attributes {{pto.target_arch = "a5"}} {{
func.func @k(%a: !pto.ptr<f32, gm>, %n: index) attributes {{pto.kernel_kind = #pto.kernel_kind<vector>}} {{
  %c0 = arith.constant 0 : i64
  %i1 = arith.constant 1 : index
  %i64 = arith.constant 64 : index
  %t = pto.alloc_tile addr = %c0 valid_row = %i1 valid_col = %i64 : !pto.tile_buf<vec, 1x64xf32, valid=?x?>
  pto.set_validshape %t, %i1, {} : !pto.tile_buf<vec, 1x64xf32, valid=?x?>
{}  return
}}
}})",
                     columns, more);
}

TEST_CASE("valid regions that numbers set are all of their tiles where nobody asks for them", "[prove]") {
  const auto extents = [](const std::string& text) -> std::optional<Number> {
    INFO(text);
    Diagnostics wrong;
    const auto program = parse(text, {}, wrong);
    REQUIRE(program);
    const auto free = freed(*program, driver::HavocLevel::tile_extents);
    if (!free) return std::nullopt;
    const Constants constants(*free);
    for (uint32_t op = 0; op < free->ops.size(); ++op) {
      if (isa::opcode_class({*free, op}) == isa::OpcodeClass::set_extents)
        return constants.value_of(OpView(*free, op).operand(2));
    }
    return std::nullopt;
  };
  CHECK(extents(resized("%n", "")) == Number(64));
  CHECK_FALSE(extents(resized("%i64", "")));
  CHECK_FALSE(
      extents(resized("%n", "  %r, %c = pto.get_validshape %t : !pto.tile_buf<vec, 1x64xf32, valid=?x?>\n")));
}

}  // namespace
}  // namespace pto
