// The static checks on structures where a simple count would be wrong, in both directions.
#include <fmt/format.h>

#include <chrono>
#include <map>

#include "pto/assembler.hpp"
#include "pto/machine.hpp"
#include "pto/verify.hpp"
#include "support/quiet_warnings.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

constexpr std::string_view kTile = "!pto.tile_buf<vec, 16x16xf32>",
                           kView = "!pto.partition_tensor_view<16x16xf32>";

/// Lines of a small language: `load a`, `store a`, `exp a b`, `set MTE2 V 0`, `wait ..`, `all`; everything
/// else is taken as it is.
std::string expand(std::string_view line) {
  std::vector<std::string> words;
  for (size_t at = 0; at < line.size();) {
    const size_t begin = line.find_first_not_of(' ', at);
    if (begin == std::string_view::npos) break;
    at = std::min(line.find(' ', begin), line.size());
    words.emplace_back(line.substr(begin, at - begin));
  }
  if (words.empty()) return "";
  if (words[0] == "load")
    return fmt::format("pto.tload ins(%from : {}) outs(%{} : {})", kView, words[1], kTile);
  if (words[0] == "store")
    return fmt::format("pto.tstore ins(%{} : {}) outs(%to : {})", words[1], kTile, kView);
  if (words[0] == "exp")
    return fmt::format("pto.texp ins(%{} : {}) outs(%{} : {})", words[1], kTile, words[2], kTile);
  if (words[0] == "set" || words[0] == "wait")
    return fmt::format("pto.{}_flag[\"PIPE_{}\", \"PIPE_{}\", \"EVENT_ID{}\"]", words[0], words[1], words[2],
                       words[3]);
  if (words[0] == "all") return "pto.barrier #pto.pipe<PIPE_ALL>";
  return std::string(line);
}

std::string kernel(std::string_view body, std::string_view target = "a5") {
  std::string text = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{", target) + R"(
  func.func @k(%p: !pto.ptr<f32>, %q: !pto.ptr<f32>, %n: index, %yes: i1) attributes {pto.entry} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c16 = arith.constant 16 : index
    %at0 = arith.constant 0 : i64
    %at1 = arith.constant 1024 : i64
    %pv = pto.make_tensor_view %p, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
    %qv = pto.make_tensor_view %q, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
    %from = pto.partition_view %pv, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
    %to = pto.partition_view %qv, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
    %a = pto.alloc_tile addr = %at0 : !pto.tile_buf<vec, 16x16xf32>
    %b = pto.alloc_tile addr = %at1 : !pto.tile_buf<vec, 16x16xf32>
)";
  for (size_t at = 0; at < body.size();) {
    const size_t end = std::min(body.find('\n', at), body.size());
    text += expand(body.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return text + "    return\n  }\n}\n";
}

/// The ids found, in order of the text, with a space between; whether a body uses the windows (W0104) is not
/// asked.
std::string findings(const std::string& text, const VerifyOptions& options = {}) {
  WarningPolicy all;
  for (const FindingId id : findings_with(kDoubleSet)) all.show(id, true);
  Diagnostics out(Diagnostics::kDefaultLimit, all);
  const std::optional<Program> program = parse(text, {}, out);
  INFO(text);
  for (const Diagnostic& d : out.all()) UNSCOPED_INFO(d.message);
  REQUIRE(program);
  verify(*program, options, out);
  std::string ids;
  for (const Diagnostic& d : out.all())
    if (d.id != W0104 && d.severity != Severity::note)
      ids += (ids.empty() ? "" : " ") + std::string(to_string(d.id));
  return ids;
}
std::string check(std::string_view body) { return findings(kernel(body)); }

/// With what the target's machine says of order within pipes and of flags.
std::string check_on(std::string_view target, std::string_view body) {
  VerifyOptions options;
  options.machine = *load_machine(target);
  return findings(kernel(body, target), options);
}
/// Where a flag is another thing than on the chips.
std::string check_with(FlagKind flags, std::string_view body) {
  VerifyOptions options;
  options.machine = *load_machine("a5");
  options.machine->flags = flags;
  return findings(kernel(body), options);
}

TEST_CASE("a wait may stand in front of its set", "[sync]") {
  // V's set does not depend on MTE2: the wait is late, not dead.
  CHECK(check("wait V MTE2 0\nload a\nall\nexp a b\nstore b\nall").find("E0501") != std::string::npos);
  CHECK(check("wait V MTE2 0\nload a\nset V MTE2 0").empty());
  // Here it does.
  CHECK(check("wait V MTE2 0\nload a\nset MTE2 V 0\nwait MTE2 V 0\nset V MTE2 0") == "E0506");
  // The scalar unit goes no further than a wait of its own or a barrier of all pipes.
  CHECK(check("wait V S 0\nset V S 0") == "E0504");
  CHECK(check("wait V MTE2 0\nall\nset V MTE2 0") == "E0504");
}

TEST_CASE("trip counts that are constants are counted", "[sync]") {
  const auto loop = [](std::string_view upper, std::string_view body) {
    return fmt::format("scf.for %i = %c0 to %{} step %c1 {{\n{}\n}}\n", upper, body);
  };
  CHECK(check(loop("c3", "set MTE2 V 0\nwait MTE2 V 0")).empty());
  CHECK(check("set MTE2 V 0\n" + loop("c1", "wait MTE2 V 0")).empty());
  CHECK(check("set MTE2 V 0\n" + loop("c2", "wait MTE2 V 0")) == "E0504");
  CHECK(check("set MTE2 V 0\n" + loop("c16", "wait MTE2 V 0")) == "E0504");
  CHECK(check(loop("c0", "set MTE2 V 0") + "wait MTE2 V 0") == "E0501");
  CHECK(check(loop("c1", "set MTE2 V 0") + "wait MTE2 V 0").empty());
  CHECK(check(loop("c16", "set MTE2 V 0") + "wait MTE2 V 0") == "W0503 E0505");
  CHECK(check(loop("n", "wait MTE2 V 0") + "set MTE2 V 0\nwait MTE2 V 0").find("E05") == std::string::npos);
}

TEST_CASE("branches that depend on the loop's number", "[sync]") {
  // The first iteration does not wait, the last does not set: balanced for every trip count.
  CHECK(check(R"(scf.for %i = %c0 to %n step %c1 {
%later = arith.cmpi sgt, %i, %c0 : index
scf.if %later {
wait V MTE2 0
}
load a
set MTE2 V 0
wait MTE2 V 0
exp a a
%next = arith.addi %i, %c1 : index
%more = arith.cmpi slt, %next, %n : index
scf.if %more {
set V MTE2 0
}
})")
            .empty());
  // By parity, with two buffers in iter_args.
  CHECK(check(R"(set V MTE2 0
set V MTE2 1
scf.for %i = %c0 to %c16 step %c1 iter_args(%x = %a, %y = %b) -> (!pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>) {
%odd = arith.remui %i, %c2 : index
pto.wait_flag_dyn["PIPE_V", "PIPE_MTE2", %odd]
load x
pto.set_flag_dyn["PIPE_MTE2", "PIPE_V", %odd]
pto.wait_flag_dyn["PIPE_MTE2", "PIPE_V", %odd]
exp x x
pto.set_flag_dyn["PIPE_V", "PIPE_MTE2", %odd]
scf.yield %y, %x : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>
}
wait V MTE2 0
wait V MTE2 1)")
            .empty());
}

TEST_CASE("what differs between branches is not judged", "[sync]") {
  CHECK(check("scf.if %yes {\nset MTE2 V 0\n}\nload a\nscf.if %yes {\nwait MTE2 V 0\n}").empty());
  CHECK(check("scf.if %yes {\nset MTE2 V 0\n}\nwait MTE2 V 0\nexp a b").empty());
  CHECK(check("scf.if %yes {\nload a\nset MTE2 V 0\n} else {\nset MTE2 V 0\n}\nwait MTE2 V 0\nexp a b")
            .empty());
  // Not ordered on either path.
  CHECK(check("load a\nscf.if %yes {\nset MTE2 V 0\nwait MTE2 V 0\n} else {\nall\n}\nexp a b").empty());
  CHECK(check("load a\nset MTE2 V 1\nwait MTE2 V 1\nload a\nscf.if %yes {\nexp a b\n}") == "W0511");
  // Different conditions may exclude each other.
  CHECK(check("scf.if %yes {\nload a\n}\n%no = arith.cmpi eq, %n, %c0 : index\nscf.if %no {\nexp a b\n}\nset "
              "V MTE3 0\nwait V MTE3 0")
            .empty());
}

TEST_CASE("ids and functions that are not known hide what they may do", "[sync]") {
  CHECK(check("%id = arith.remui %n, %c2 : index\nset MTE2 V 0\npto.wait_flag_dyn[\"PIPE_MTE2\", \"PIPE_V\", "
              "%id]")
            .empty());
  CHECK(check("%id = arith.remui %n, %c2 : index\npto.set_flag_dyn[\"PIPE_MTE2\", \"PIPE_V\", %id]\nwait "
              "MTE2 V 0\nexp a b")
            .empty());
  const std::string text = kernel("load a\nwait MTE2 V 0\nfunc.call @outside() : () -> ()\nexp a b");
  CHECK(findings(text.substr(0, text.rfind('}')) + "  func.func private @outside()\n}\n").empty());
  // A function that is not an entry may be a piece of one.
  const std::string piece = kernel("wait MTE2 V 0");
  const size_t entry = piece.find(" attributes {pto.entry}");
  const std::string unmarked = piece.substr(0, entry) + piece.substr(entry + 23);
  CHECK(findings(unmarked.substr(0, unmarked.rfind('}')) + "  func.func @other() {\n    return\n  }\n}\n") ==
        "W0501");
}

TEST_CASE("calls are followed", "[sync]") {
  const auto with = [](std::string_view body, std::string_view callee) {
    const std::string text = kernel(body);
    return findings(text.substr(0, text.rfind('}')) +
                    fmt::format("  func.func private @helper() {{\n{}\n    return\n  }}\n}}\n", callee));
  };
  const std::string set = R"(    pto.set_flag["PIPE_MTE2", "PIPE_V", "EVENT_ID0"])";
  CHECK(with("load a\nfunc.call @helper() : () -> ()\nwait MTE2 V 0\nexp a b", set).empty());
  CHECK(with("load a\nfunc.call @helper() : () -> ()\nwait MTE2 V 1\nexp a b", set) == "E0501");
  CHECK(with("load a\nfunc.call @helper() : () -> ()\nexp a b", set) == "E0511 E0502");
}

TEST_CASE("orders follow from others", "[sync]") {
  // MTE2 -> V -> MTE3 orders the load before the store of the same tile.
  CHECK(check("load a\nset MTE2 V 0\nwait MTE2 V 0\nexp a a\nset V MTE3 0\nwait V MTE3 0\nstore a").empty());
  CHECK(check("load a\nset MTE2 MTE3 0\nset MTE2 V 0\nwait MTE2 V 0\nexp a a\nwait MTE2 MTE3 0\nstore a") ==
        "E0511");
  // A flag set too early orders nothing that comes after it.
  CHECK(check("set MTE2 V 0\nload a\nwait MTE2 V 0\nexp a b") == "E0511");
  // The next iteration's load waits through MTE3.
  CHECK(check("set MTE3 MTE2 0\nscf.for %i = %c0 to %n step %c1 {\nwait MTE3 MTE2 0\nload a\nset MTE2 MTE3 "
              "0\nwait MTE2 MTE3 0\nstore a\nset MTE3 MTE2 0\n}\n"
              "wait MTE3 MTE2 0")
            .empty());
}

TEST_CASE("tiles that share addresses", "[sync]") {
  const std::string c =
      "%at2 = arith.constant 512 : i64\n%c = pto.alloc_tile addr = %at2 : !pto.tile_buf<vec, 16x16xf32>\n";
  CHECK(check(c + "load a\nload c\nexp a b") == "W0512");
  CHECK(check(c + "load a\nexp a b\nload c\nexp c c").empty());
  CHECK(
      check(c + "load c\nexp a b").empty());  // read without having been written: another name for c's bytes
  CHECK(check(c + "scf.for %i = %c0 to %n step %c1 {\nload a\nexp a b\nload c\nexp c c\n}").empty());
}

TEST_CASE("what depends on inputs is a warning, what happens always an error", "[sync]") {
  CHECK(check("load a\nexp a b\nset V S 0\nwait V S 0") == "E0511");
  CHECK(check("scf.if %yes {\nload a\nexp a b\n}\nset V S 0\nwait V S 0") == "W0511");
  CHECK(check("scf.for %i = %c0 to %n step %c1 {\nload a\nexp a b\nall\n}\nset V S 0\nwait V S 0") ==
        "W0511");
  CHECK(check("scf.for %i = %c0 to %c3 step %c1 {\nload a\nexp a b\nall\n}\nset V S 0\nwait V S 0") ==
        "E0511");
  // An open extent may be none at all.
  const std::string open =
      "%t = pto.alloc_tile addr = %at0 valid_row = %n valid_col = %c16 : !pto.tile_buf<vec, 16x16xf32, "
      "valid=?x?>\n"
      "pto.texp ins(%a : !pto.tile_buf<vec, 16x16xf32>) outs(%b : !pto.tile_buf<vec, 16x16xf32>)\n"
      "pto.tload ins(%from : !pto.partition_tensor_view<16x16xf32>) outs(%t : !pto.tile_buf<vec, 16x16xf32, "
      "valid=?x?>)\nset V S 0\nwait V S 0";
  CHECK(check(open) == "W0511");
}

TEST_CASE("barriers alone leave the order of tiles to the tools", "[sync]") {
  CHECK(check("load a\nexp a b\nall\nstore b").empty());
  CHECK(check("load a\nexp a b\nall\nset V S 0\nwait V S 0\nstore b") == "E0511");
}

TEST_CASE("barriers order a pipe that overlaps with itself", "[sync]") {
  const std::string flag = "set V MTE3 7\nwait V MTE3 7\n";  // the program orders its pipes
  const auto on = [&](std::string_view target, std::string_view body) {
    return check_on(target, flag + std::string(body));
  };
  CHECK(on("a2a3", "exp a b\nexp b a") == "E0511");  // read of what is written, and write over what is read
  CHECK(on("a2a3", "exp a b\nexp a b") == "E0511");  // written twice
  CHECK(on("a2a3", "exp a a").empty());              // one instruction
  CHECK(on("a2a3", "exp a b\npto.barrier #pto.pipe<PIPE_V>\nexp b a").empty());
  CHECK(on("a2a3", "exp a b\npto.barrier #pto.pipe<PIPE_MTE2>\nexp b a") == "E0511");
  CHECK(on("a2a3", "exp a b\nall\nexp b a").empty());
  CHECK(on("a2a3", "exp a b\npto.barrier_sync[#pto.sync_op_type<TVEC>]\nexp b a").empty());
  CHECK(on("a2a3", "exp a b\npto.fence.barrier_all #pto.fence_scope<gm>\nexp b a").empty());
  CHECK(on("a5", "exp a b\nexp b a").empty());
  // A flag that V gets back from somebody who waited for it tells it of itself; its own set does not.
  CHECK(on("a2a3", "exp a b\nset V MTE2 0\nwait V MTE2 0\nset MTE2 V 0\nwait MTE2 V 0\nexp b a").empty());
  CHECK(on("a2a3", "exp a b\nset V MTE2 0\nexp b a\nwait V MTE2 0") == "E0511");
  CHECK(on("a2a3", "exp a b\nset V S 0\nwait V S 0\nexp b a").empty());
  // The barrier before the last two does not order these.
  CHECK(on("a2a3", "exp a b\npto.barrier #pto.pipe<PIPE_V>\nexp b b\nexp b b") == "E0511");
  // Without a target in the text the program may be meant for another.
  VerifyOptions options;
  options.machine = *load_machine("a2a3");
  std::string text = kernel(flag + "exp a b\nexp b a", "a2a3");
  text.replace(0, text.find('{', text.find('}')), "module ");
  CHECK(findings(text, options) == "W0511");
}

TEST_CASE("an id is set again when its pipe knows that it was taken", "[sync]") {
  const std::string twice = "set MTE2 V 0\nwait MTE2 V 0\n";
  CHECK(check_on("a5", twice + twice) == "W0515");
  CHECK(check_on("a5", twice + "set V MTE2 0\nwait V MTE2 0\n" + twice).empty());
  CHECK(check_on("a5", twice + "all\n" + twice).empty());
  CHECK(check_on("a5", twice + "set MTE2 V 1\nwait MTE2 V 1\n").empty());
  // Through another pipe.
  CHECK(check_on("a5", twice + "set V MTE3 0\nwait V MTE3 0\nset MTE3 MTE2 0\nwait MTE3 MTE2 0\n" + twice)
            .empty());
  // The flag back was set before the wait: it tells nothing of it.
  CHECK(check_on("a5", "set MTE2 V 0\nset V MTE2 0\nwait MTE2 V 0\nwait V MTE2 0\n" + twice) == "W0515");
  CHECK(check_on("a5", "scf.for %i = %c0 to %n step %c1 {\n" + twice + "}") == "W0515");
  CHECK(check_on("a5", "scf.for %i = %c0 to %c3 step %c1 {\n" + twice + "}") == "W0515");
  CHECK(check_on("a5", "scf.for %i = %c0 to %n step %c1 {\n" + twice + "set V MTE2 0\nwait V MTE2 0\n}")
            .empty());
  CHECK(check_on("a5", twice + "scf.if %yes {\n" + twice + "}") == "W0515");
  // Where a wait goes into the scalar unit, everything that it issues later knows.
  CHECK(check_on("a5", "set V S 0\nwait V S 0\nset V S 0\nwait V S 0").empty());
  // Not known to be one.
  CHECK(check_on("a5", "%id = arith.remui %n, %c2 : index\n" + twice +
                           "pto.wait_flag_dyn[\"PIPE_MTE2\", \"PIPE_V\", %id]\n" + twice)
            .empty());
}

TEST_CASE("a flag that is set twice keeps its sets, or its pipe waits, or the second one is lost", "[sync]") {
  using enum FlagKind;
  const std::string reuse = "set MTE2 V 0\nwait MTE2 V 0\nset MTE2 V 0\nwait MTE2 V 0",
                    twice = "set MTE2 V 0\nset MTE2 V 0\nwait MTE2 V 0\nwait MTE2 V 0";
  for (const FlagKind kind : {counter, bit_stall}) {
    CHECK(check_with(kind, reuse) == "W0515");
    CHECK(check_with(kind, twice) == "W0503");
    CHECK(check_with(kind, "set MTE2 V 0\nset MTE2 V 0\nwait MTE2 V 0") == "W0503 E0505");
  }
  CHECK(check_with(bit, reuse) == "E0515");
  CHECK(check_with(bit, twice) == "E0503");
  // V takes a set only behind what stands behind the second set.
  const std::string behind =
      "set MTE2 V 0\nset MTE2 V 0\nset MTE2 V 1\nwait MTE2 V 1\nwait MTE2 V 0\nwait MTE2 V 0";
  CHECK(check_with(counter, behind) == "W0503");
  CHECK(check_with(bit_stall, behind).find("E0506") != std::string::npos);
  std::string many;
  for (int i = 0; i < 16; ++i) many += "set MTE2 V 0\n";
  many += "set MTE2 V 1\nwait MTE2 V 1\n";
  for (int i = 0; i < 16; ++i) many += "wait MTE2 V 0\n";
  CHECK(check_with(counter, many).find("E0506") != std::string::npos);  // a counter holds 15
}

/// The notes of a program, whose warnings are as they are by default.
std::string notes(FlagKind flags, std::string_view body) {
  VerifyOptions options;
  options.machine = *load_machine("a5");
  options.machine->flags = flags;
  Diagnostics out(Diagnostics::kDefaultLimit);
  const std::optional<Program> program = parse(kernel(body), {}, out);
  REQUIRE(program);
  verify(*program, options, out);
  std::string text;
  for (const Diagnostic& d : out.all())
    if (d.severity == Severity::note) text += fmt::format("{}: {}\n", d.where.line, d.message);
  return text;
}

TEST_CASE("a program that is accepted as flags keep their sets says so", "[sync]") {
  using enum FlagKind;
  const std::string reuse = "set MTE2 V 0\nwait MTE2 V 0\nset MTE2 V 0\nwait MTE2 V 0",
                    twice = "set MTE2 V 0\nset MTE2 V 0\nwait MTE2 V 0\nwait MTE2 V 0";
  for (const FlagKind kind : {counter, bit_stall}) {
    for (const std::string& body : {reuse, twice}) {
      INFO(body);
      const std::string said = notes(kind, body);
      CHECK(said.find("assumes that flags keep their sets: 1 statement sets a flag again") !=
            std::string::npos);
      CHECK(std::ranges::count(said, '\n') == 1);
    }
    // One note for all of them, of each statement once.
    CHECK(notes(kind, "set MTE2 V 0\nset MTE2 V 0\nset MTE2 V 0\nwait MTE2 V 0\nwait MTE2 V 0\nwait MTE2 V 0")
              .find(": 2 statements set a flag again") != std::string::npos);
    CHECK(notes(kind, "set MTE2 V 0\nwait MTE2 V 0").empty());
    CHECK(notes(kind, "scf.for %i = %c0 to %n step %c1 {\n" + reuse + "\n}").find(": 2 statements set") !=
          std::string::npos);
    // Refused: nothing relies on it.
    CHECK(notes(kind, twice + "\nset MTE2 V 0").empty());
  }
  CHECK(notes(bit, twice).empty());
}

TEST_CASE("signals of other cores order what was told before them", "[sync]") {
  // Another core can know only what this one has told it.
  const auto with = [](std::string_view between, std::string_view target = "a2a3") {
    const std::string body = "set MTE3 S 7\nwait MTE3 S 7\npto.section.vector {\nload a\n" +
                             std::string(between) + "\nstore a\n}\npto.section.cube {\n}";
    return check_on(target, body);
  };
  const std::string wait = "pto.sync.wait <PIPE_MTE3>, 1";
  CHECK(with(wait).find("E0511") != std::string::npos);
  CHECK(with("pto.sync.set <PIPE_MTE2>, 0\n" + wait).find("0511") == std::string::npos);
  CHECK(with("pto.sync.set <PIPE_V>, 0\n" + wait).find("E0511") != std::string::npos);
  CHECK(with(wait + "\npto.sync.set <PIPE_MTE2>, 0").find("E0511") != std::string::npos);
  // On A5 the pipe waits, on A2/A3 the whole core.
  CHECK(with("pto.sync.set <PIPE_MTE2>, 0\npto.sync.wait <PIPE_V>, 1").find("0511") == std::string::npos);
  CHECK(with("pto.sync.set <PIPE_MTE2>, 0\npto.sync.wait <PIPE_V>, 1", "a5").find("E0511") !=
        std::string::npos);
}

TEST_CASE("static checks take time in proportion to the program", "[sync]") {
  const auto seconds = [](int rounds) {
    std::string body;
    for (int i = 0; i < rounds; ++i)
      body += "wait V MTE2 0\nload a\nset MTE2 V 0\nwait MTE2 V 0\nexp a b\nset V MTE2 0\n";
    Diagnostics out;
    const std::optional<Program> program = parse(kernel("set V MTE2 0\n" + body + "wait V MTE2 0"), {}, out);
    REQUIRE(program);
    const auto spent = [&](bool synchronisation) {
      const auto begin = std::chrono::steady_clock::now();
      verify(*program, {.synchronisation = synchronisation}, out);
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    spent(true);
    return spent(true) - spent(false);
  };
  const double small = seconds(1000), large = seconds(16000);
  CAPTURE(small, large);
  CHECK(large < std::max(small * 16 * 4, 0.5));
}

}  // namespace
}  // namespace pto
