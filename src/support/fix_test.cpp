#include "pto/fix.hpp"

#include "pto/diagnostic.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

using Kind = StatementChange::Kind;
using Side = TextPlace::Side;

TEST_CASE("The help of a diagnostic is made from its fix", "[diagnostics]") {
  CHECK(to_string(Fix()).empty());
  CHECK(Fix().empty());
  CHECK(to_string(Fix("enlarge tmp")) == "enlarge tmp");
  CHECK(to_string(Fix::use("i8")) == "use i8");
  CHECK(to_string(Fix::use_a("!pto.mask<b8>", ", a bit per lane")) == "use a !pto.mask<b8>, a bit per lane");
  CHECK(to_string(Fix::use_one_of({"R", "A", "F"})) == "use R, A or F");
  CHECK(to_string(Fix::write("sat", "; or drop it")) == "write sat; or drop it");
  CHECK(to_string(Fix::write_one_of({"32", "-1"})) == "write 32 or -1");
  CHECK(to_string(Fix::remove("drop it")) == "drop it");
  CHECK(to_string(Fix(WriteBeforeMarked{"return"})) == "write return in front of this brace");
  CHECK(to_string(Fix(EncloseLines{"pto.vecscope", 3, 3})) == "write pto.vecscope { .. } around line 3");
  CHECK(to_string(Fix(EncloseLines{"pto.vecscope", 3, 5})) ==
        "write pto.vecscope { in front of line 3 and } behind line 5");
}

TEST_CASE("Changes of statements are joined as their fix says", "[diagnostics]") {
  const TextPlace front{Side::before, "k.pto:4", 4}, behind{Side::after, "k.pto:2", 2};
  CHECK(to_string(Fix::add("set", behind, ": why")) == "add set after k.pto:2: why");
  CHECK(to_string(Fix::add_both({.text = "set", .place = behind}, {.text = "wait", .place = front})) ==
        "add set after k.pto:2 and wait before k.pto:4");
  CHECK(to_string(Fix(ChangeStatements{{{Kind::add, "set", behind}, {Kind::add, "wait", front}}})) ==
        "add set after k.pto:2 and add wait before k.pto:4");
  const TextPlace at{Side::at, "k.pto:9", 9};
  CHECK(to_string(Fix(ChangeStatements{
            {{Kind::write, "set", at}, {Kind::write, "wait", at}}, {}, ChangeStatements::Join::list})) ==
        "write set at k.pto:9, write wait at k.pto:9");
  CHECK(to_string(Fix::change(Kind::remove, "set", at, ", or wait for it")) ==
        "remove set at k.pto:9, or wait for it");
  CHECK(to_string(Fix(ChangeStatements{{{Kind::move, "wait", front, "k.pto:9"}}})) ==
        "move wait from k.pto:9 before k.pto:4");
  CHECK(to_string(Fix(ChangeStatements{{{Kind::exchange, "%b", at, "%a"}}})) ==
        "write %b in place of %a at k.pto:9");
  CHECK(to_string(Fix::add("set", behind).then(", or not").after("They share bytes. ")) ==
        "They share bytes. add set after k.pto:2, or not");
}

TEST_CASE("Ids are text when they are printed, and sets of ids are traits", "[diagnostics]") {
  CHECK(to_string(FindingId::none).empty());
  CHECK(to_string(FindingId::flag_left) == "FLAG-LEFT");
  CHECK(to_string(E0501) == "E0501");
  CHECK(entry(W0361).weight == Weight::warning);
  CHECK(entry(FindingId::uninit).of_a_run);
  CHECK(has_trait(FindingId::race, kOfOrder));
  CHECK_FALSE(has_trait(FindingId::race, kOfFlags));
  CHECK(findings_with(kDoubleSet) ==
        std::vector{W0503, W0515, FindingId::flag_double, FindingId::flag_reuse});
}

TEST_CASE("A message says which output depends on bytes that nothing wrote", "[diagnostics]") {
  Diagnostic d;
  d.message = "reads 4 bytes";
  CHECK(full_message(d) == "reads 4 bytes");
  d.effect = OutputEffect{"o"};
  CHECK(full_message(d) == "reads 4 bytes; output 'o' depends on their values");
  d.effect = OutputEffect{{}, true};
  CHECK(full_message(d) ==
        "reads 4 bytes; an output depends on their values, where the case expects something");
}

}  // namespace
}  // namespace pto
