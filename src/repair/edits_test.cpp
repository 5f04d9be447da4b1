// Edits of synchronisation: what a program is with them.
#include "repair/edits.hpp"

#include "sim/engine/sim_fixture.hpp"

namespace pto::sim {

using namespace test;

namespace {

constexpr std::string_view kText = R"(
module attributes {pto.target_arch = "a5"} {
  func.func @k() attributes {pto.kernel} {
    %a = arith.constant 0 : index
    %b = arith.constant 4 : index
    %c = arith.constant 1 : index
    %yes = arith.constant true
    pto.section.cube {
      scf.for %i = %a to %b step %c {
        pto.set_intra_block <PIPE_FIX>, 1
        scf.if %yes {
          pto.sync.set <PIPE_FIX>, 2 {ffts_mode = 1 : i32}
        } else {
          pto.barrier <PIPE_FIX>
        }
      }
    }
    return
  }
}
)";

uint32_t op_named(const Program& program, std::string_view name) {
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    if (OpView(program, op).mnemonic() == name) return op;
  }
  FAIL("no " << name);
  return kNoOp;
}

/// The text with `from` replaced.
std::string with(std::string_view from, std::string_view to) {
  std::string text(kText);
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

struct Example {
  std::string_view place;
  bool behind;
  std::string_view from, to;  ///< in the text
};

}  // namespace

TEST_CASE("Cures: a statement is put beside an operation, in its region") {
  const Program program = assemble(kText);
  Statement added(program, op_named(program, "pto.set_intra_block"));
  added.put("event_id", 5);
  added.put("pipe", static_cast<int64_t>(Pipe::mte1));
  const std::string five = "pto.set_intra_block <PIPE_MTE1>, 5\n";
  const Example example = GENERATE(
      Example{"pto.set_intra_block", false, "pto.set_intra", "@pto.set_intra"},
      Example{"pto.set_intra_block", true, "scf.if", "@scf.if"},
      Example{"pto.sync.set", false, "pto.sync", "@pto.sync"},
      Example{"pto.sync.set", true, "} else {", "@} else {"},
      Example{"pto.barrier", false, "pto.barrier", "@pto.barrier"},
      Example{"pto.barrier", true, "pto.barrier <PIPE_FIX>\n", "pto.barrier <PIPE_FIX>\n@"},
      Example{"scf.if", false, "scf.if", "@scf.if"},
      Example{"scf.if", true, "pto.barrier <PIPE_FIX>\n        }\n", "pto.barrier <PIPE_FIX>\n        }\n@"},
      Example{"scf.for", false, "scf.for", "@scf.for"},
      Example{"scf.for", true, "    }\n    return", "    @}\n    return"});
  INFO(example.place << (example.behind ? " behind" : " before"));
  std::string to(example.to);
  to.replace(to.find('@'), 1, five);
  PatchedProgram changed(program);
  const Repair repair{{{.kind = Edit::Kind::add,
                        .statement = added,
                        .place = op_named(program, example.place),
                        .behind = example.behind}}};
  CHECK(print(changed.apply(repair)) == print(assemble(with(example.from, to))));
  CHECK(print(changed.apply({})) == print(program));
}

TEST_CASE("Cures: a statement is written otherwise, moved and removed") {
  const Program program = assemble(kText);
  const uint32_t mode = op_named(program, "pto.sync.set"), set = op_named(program, "pto.set_intra_block");
  PatchedProgram changed(program);
  Statement plain(program, mode);
  plain.drop("ffts_mode");
  CHECK(print(changed.apply({{{.kind = Edit::Kind::write, .op = mode, .statement = plain}}})) ==
        print(assemble(with(" {ffts_mode = 1 : i32}", ""))));
  // What is removed stays in the stream as something that does nothing.
  const auto left = [&](const Repair& repair) {
    Program out = changed.apply(repair);
    std::vector<std::string> names;
    for (uint32_t op = 0; op < out.ops.size(); ++op) {
      const std::string_view name = OpView(out, op).mnemonic();
      if (name.starts_with("pto.") && !name.starts_with("pto.section") && name != "pto.mem_bar")
        names.emplace_back(name);
    }
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(left({{{.kind = Edit::Kind::remove, .op = set, .statement = Statement(program, set)}}}) ==
        Names{"pto.sync.set", "pto.barrier"});
  CHECK(left({{{.kind = Edit::Kind::move,
                .op = set,
                .statement = Statement(program, set),
                .place = op_named(program, "scf.for"),
                .behind = true}}}) == Names{"pto.sync.set", "pto.barrier", "pto.set_intra_block"});
}

TEST_CASE("Cures: an operand is another value or a number, in one place or wherever it is named") {
  const Program program = assemble(kText);
  const uint32_t loop = op_named(program, "scf.for");
  const ValueId begin = OpView(program, loop).operand(0), step = OpView(program, loop).operand(2);
  PatchedProgram changed(program);
  const Edit named{.kind = Edit::Kind::exchange, .op = loop, .wrong = begin, .right = step};
  CHECK(print(changed.apply({{named}})) == print(assemble(with("%a to", "%c to"))));
  Edit number = named;
  number.number = 7;
  number.at = OperandAt{0, 0};
  const Program seven = changed.apply({{number}});
  CHECK(OpView(seven, op_named(seven, "scf.for")).operand(0) + 1 == seven.values.size());
  CHECK(print(seven).find("arith.constant 7 : index") != std::string::npos);
  number.at = OperandAt{1, 0};  // which is another value
  CHECK(OpView(changed.apply({{number}}), op_named(seven, "scf.for")).operand(0) == begin);
  CHECK(print(changed.apply({})) == print(program));
}

}  // namespace pto::sim
