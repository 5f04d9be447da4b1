// What the rows state of phases, flags of their own, scratch bytes and changed sources
// (ir/instruction_phases.hpp), checked in the tools that go by it. Every row with such a statement needs a
// program here: the tests fail for a new one without.
//
// Over 500 lines: one table of operands for all rows and the checks that go through it.
#include "ir/instruction_phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "ir/hardware_lanes.hpp"
#include "ir/in_place_rules.hpp"
#include "ir/op_queries.hpp"
#include "ir/pipe_rules.hpp"
#include "ir/scratch_bytes.hpp"
#include "pto/assembler.hpp"
#include "pto/machine.hpp"
#include "pto/plan.hpp"
#include "pto/verify.hpp"
#include "support/strings.hpp"
#include "testing/catch_main.hpp"

namespace {

using namespace pto;

/// Operands in the order of the row: `slot=type`. F, I: tiles 16x64 of f32 and i32; N: a column of 16 f32;
/// view: a window of GM of f32 64x64; other types are arguments.
struct Statement {
  std::string_view row;
  unsigned form;  ///< of rows with this name
  std::string_view operands, attributes;
};

constexpr Statement kStatements[] = {
    {"pto.tfmod", 0, "src0=F|src1=F|dst=F", ""},
    {"pto.trem", 0, "src0=I|src1=I|tmp=2x64xi32|dst=I", ""},
    {"pto.txor", 0, "src0=I|src1=I|tmp=I|dst=I", ""},
    {"pto.tprelu", 0, "src0=F|src1=F|tmp=17x64xui8|dst=F", ""},
    {"pto.tpow", 0, "base=F|exp=F|tmp=F|dst=F", ""},
    {"pto.tadddeqrelu", 0, "src0=I|src1=I|deqScale=f32|tmp=I|dst=16x64xf16", ""},
    {"pto.tshl", 0, "src0=I|src1=I|dst=I", ""},
    {"pto.tshr", 0, "src0=I|src1=I|dst=I", ""},
    {"pto.tdivs", 0, "src=I|scalar=i32|dst=I", ""},
    {"pto.txors", 0, "src=I|scalar=i32|tmp=I|dst=I", ""},
    {"pto.trems", 0, "src=I|scalar=i32|tmp=1x64xi32|dst=I", ""},
    {"pto.tfmods", 0, "src=F|scalar=f32|dst=F", ""},
    {"pto.tsels", 0, "mask=16x32xi8, valid=16x8|src=F|tmp=1x64xf32|scalar=f32|dst=F", ""},
    {"pto.tpows", 0, "base=F|scalar=f32|tmp=F|dst=F", ""},
    {"pto.tci", 0, "S=i32|dst=1x64xi32|tmp=1x256xi32", ""},
    {"pto.tci", 0, "S=i32|dst=1x64xi32", ""},
    {"pto.tsel", 0, "mask=16x32xi8, valid=16x8|src0=F|src1=F|tmp=1x64xf32|dst=F", ""},
    {"pto.tcvt", 0, "src=16x64xf16|dst=F", ""},
    {"pto.tquant", 0, "src=F|fp=N|dst=16x64xi8", "quant_type = #pto<quant_type INT8_SYM>"},
    {"pto.tquant", 1, "src=F|fp=N|dst=16x64xi8|tmp=F", "quant_type = #pto<quant_type INT8_SYM>"},
    {"pto.tdequant", 0, "src=16x64xi8|scale=F|offset=F|dst=F", ""},
    {"pto.trowsum", 0, "src=16x128xf32|tmp=16x128xf32|dst=N", ""},
    {"pto.trowmax", 0, "src=16x128xf32|tmp=16x128xf32|dst=N", ""},
    {"pto.trowmin", 0, "src=16x128xf32|tmp=16x128xf32|dst=N", ""},
    {"pto.trowprod", 0, "src=16x128xf32|tmp=16x128xf32|dst=N", ""},
    {"pto.trowargmax", 0, "src=16x128xf32|tmp=16x128xf32|dst=16x1xi32, blayout=col_major", ""},
    {"pto.trowargmin", 0, "src=16x128xf32|tmp=16x128xf32|dst=16x1xi32, blayout=col_major", ""},
    {"pto.trowargmax", 1, "src=16x128xf32|tmp=16x128xf32|dstVal=N|dst=16x1xi32, blayout=col_major", ""},
    {"pto.trowargmin", 1, "src=16x128xf32|tmp=16x128xf32|dstVal=N|dst=16x1xi32, blayout=col_major", ""},
    {"pto.tcolsum", 0, "src=F|tmp=F|dst=1x64xf32", "isBinary = true"},
    {"pto.tcolargmax", 0, "src=F|tmp=F|dst=1x64xi32", ""},
    {"pto.tcolargmin", 0, "src=F|tmp=F|dst=1x64xi32", ""},
    {"pto.tcolargmax", 1, "src=F|tmp=F|dstVal=1x64xf32|dst=1x64xi32", ""},
    {"pto.tcolargmin", 1, "src=F|tmp=F|dstVal=1x64xf32|dst=1x64xi32", ""},
    {"pto.trowexpand", 0, "src=N|dst=F", ""},
    {"pto.trowexpandadd", 0, "src0=F|src1=N|tmp=2x64xf32|dst=F", ""},
    {"pto.trowexpandsub", 0, "src0=F|src1=N|tmp=2x64xf32|dst=F", ""},
    {"pto.trowexpandmul", 0, "src0=F|src1=N|tmp=2x64xf32|dst=F", ""},
    {"pto.trowexpanddiv", 0, "src0=F|src1=N|tmp=2x64xf32|dst=F", ""},
    {"pto.trowexpandmax", 0, "src0=F|src1=N|tmp=2x64xf32|dst=F", ""},
    {"pto.trowexpandmin", 0, "src0=F|src1=N|tmp=2x64xf32|dst=F", ""},
    {"pto.trowexpandexpdif", 0, "src0=F|src1=N|tmp=2x64xf32|dst=F", ""},
    {"pto.tcolexpandadd", 0, "src0=F|src1=1x64xf32|dst=F", ""},
    {"pto.tcolexpandsub", 0, "src0=F|src1=1x64xf32|dst=F", ""},
    {"pto.tcolexpandmul", 0, "src0=F|src1=1x64xf32|dst=F", ""},
    {"pto.tcolexpanddiv", 0, "src0=F|src1=1x64xf32|dst=F", ""},
    {"pto.tcolexpandmax", 0, "src0=F|src1=1x64xf32|dst=F", ""},
    {"pto.tcolexpandmin", 0, "src0=F|src1=1x64xf32|dst=F", ""},
    {"pto.tcolexpandexpdif", 0, "src0=F|src1=1x64xf32|dst=F", ""},
    {"pto.ttrans", 0, "src=16x64xf32|tmp=F|dst=64x16xf32", ""},
    {"pto.tconcat", 0, "src0=16x32xf32|src1=16x32xf32|dst=F", ""},
    {"pto.tconcatidx", 0, "src0=16x32xf32|src1=16x32xf32|src0Idx=16x8xi32|src1Idx=16x8xi32|dst=F", ""},
    {"pto.tconcatidx", 1,
     "src0=16x32xf32|src1=16x32xf32|src0Idx=16x8xi32|src1Idx=16x8xi32|dst=F|dstIdx=16x1xi32, "
     "blayout=col_major",
     ""},
    {"pto.tgather", 0, "src=1x32xf16|dst=1x32xi32|cdst=1x32xi32|tmp=1x32xui8|kValue=f16",
     "cmpMode = #pto<cmp gt>"},
    {"pto.tgatherb", 0, "src=F|offsets=16x8xi32|dst=F", ""},
    {"pto.tscatter", 0, "src=F|indexes=I|dst=F", ""},
    {"pto.tscatter", 1, "src=16x64xf32, valid=?x?|dst=16x64xf32, valid=?x?",
     "maskPattern = #pto<mask_pattern P0100>, axis = \"col\""},
    {"pto.mgather", 0, "mem=view|idx=1x16xi32|dst=F", "coalesce = #pto<coalesce row>"},
    {"pto.mgather", 0, "mem=view|idx=I|dst=F", "coalesce = #pto<coalesce elem>"},
    {"pto.mgather", 1, "mem=view|idx=iview|dst=mat, 16x64xf32, blayout=col_major, slayout=row_major",
     "coalesce = #pto<coalesce row>"},
    {"pto.mscatter", 0, "src=F|idx=I|mem=view", ""},
    {"pto.mscatter", 0, "src=F|idx=I|mem=view", "coalesce = #pto<coalesce elem>"},
    {"pto.thistogram", 0, "", ""},
    {"pto.tsort32", 0,
     "src=1x32xf32, valid=1x20|idx=1x32xi32, valid=1x20|tmp=1x32xf32|dst=1x64xf32, valid=1x40", ""},
    // These are not run alone in a kernel like the others; what they reserve is looked at.
    {"pto.tmrgsort", 0, "", ""},
    {"pto.textract", 0, "", ""},
    {"pto.tinsert", 0, "", ""},
    {"pto.tfillpad", 0, "", ""},
    {"pto.tfillpad_expand", 0, "", ""},
    {"pto.tfillpad_inplace", 0, "", ""},
    {"pto.comm.tput", 0, "", ""},
    {"pto.comm.tget", 0, "", ""},
    {"pto.comm.tbroadcast", 0, "", ""},
    {"pto.comm.tscatter", 0, "", ""},
    {"pto.comm.tgather", 0, "", ""},
    {"pto.comm.treduce", 0, "", ""},
};

bool states_something(const isa::Row& row) {
  using isa::RuleName;
  if (row.rule_names.has_any({RuleName::phases, RuleName::events, RuleName::reserves, RuleName::clobbers,
                              RuleName::restores, RuleName::scratch}))
    return true;
  return std::ranges::any_of(isa::schema(isa::id_of(row)).rules, [](const isa::RowRule& rule) {
    return rule.id == RuleName::distinct && !rule.condition().empty();
  });
}

const isa::Row& row_of(const Statement& statement) {
  return *(isa::find_row(statement.row) + statement.form);
}

std::string tile_type(std::string_view text) {
  if (text == "F") text = "16x64xf32";
  if (text == "I") text = "16x64xi32";
  if (text == "N") text = "16x1xf32, blayout=col_major";
  return fmt::format("!pto.tile_buf<{}{}>", text.starts_with("mat,") ? "" : "vec, ", text);
}
bool is_tile(std::string_view text) {
  return text == "F" || text == "I" || text == "N" || text.find('x') != std::string_view::npos;
}

/// A kernel around the statement. Tiles lie 32 KiB apart from each other in two memories' worth of bytes,
/// unless `at` says of a slot where; `placed`: false leaves the addresses to the planner.
struct Kernel {
  const Statement& statement;
  std::string_view target;
  bool placed = true;
  std::string_view moved = {};  ///< the slot whose tile lies at the address of
  std::string_view onto = {};   ///< this one's
  std::string before, after;    ///< lines around it; {slot} is the slot's tile, {type:slot} its type

  [[nodiscard]] std::string text() const {
    std::string tiles, operands, types, sizes;
    const isa::Schema& schema = isa::schema(isa::id_of(row_of(statement)));
    std::vector<int> given(schema.operands.size(), 0);
    constexpr int kStep = 16384;
    std::string lines_before = before, lines_after = after;
    for (const std::string_view each : split(statement.operands, '|')) {
      const std::string_view slot = each.substr(0, each.find('='));
      const std::string_view type = each.substr(each.find('=') + 1);
      const int number = schema.operand_slot(slot);
      given[static_cast<size_t>(number)] = 1;
      const std::string_view place = slot == moved ? onto : slot;
      const int address = kStep * schema.operand_slot(place);
      std::string spelled(type), name = fmt::format("%{}", slot);
      if (type == "view") {
        spelled = "!pto.partition_tensor_view<64x64xf32>";
        name = "%view";
      } else if (type == "iview") {
        spelled = "!pto.partition_tensor_view<16x64xi32>";
        name = "%iview";
      } else if (is_tile(type)) {
        spelled = tile_type(type);
        const std::string valid =
            type.find("valid=?x?") != type.npos ? " valid_row = %rows valid_col = %cols" : "";
        tiles +=
            placed
                ? fmt::format(
                      "  %a{0} = arith.constant {1} : i64\n  %{2} = pto.alloc_tile addr = %a{0}{4} : {3}\n",
                      number, address, slot, spelled, valid)
                : fmt::format("  %{} = pto.alloc_tile{} : {}\n", slot, valid, spelled);
      } else {
        name = type == "f32" ? "%f" : type == "f16" ? "%h" : "%i";
      }
      operands += (operands.empty() ? "" : ", ") + name;
      types += (types.empty() ? "" : ", ") + spelled;
      for (std::string* lines : {&lines_before, &lines_after}) {
        for (const auto& [key, value] :
             {std::pair(fmt::format("<{}>", slot), name), std::pair(fmt::format("<:{}>", slot), spelled)}) {
          for (size_t at = 0; (at = lines->find(key, at)) != lines->npos; at += value.size())
            lines->replace(at, key.size(), value);
        }
      }
    }
    const bool open = std::ranges::any_of(
        schema.operands, [](const isa::OperandSpec& spec) { return spec.arity != isa::Arity::one; });
    if (open) sizes = fmt::format(" <{{operandSegmentSizes = array<i32: {}>}}>", fmt::join(given, ", "));
    const std::string attributes =
        statement.attributes.empty() ? std::string() : fmt::format(" {{{}}}", statement.attributes);
    return fmt::format(R"(module attributes {{pto.target_arch = "{}"}} {{
func.func @k(%gm: !pto.ptr<f32>, %gi: !pto.ptr<i32>, %f: f32, %h: f16, %i: i32, %rows: index, %cols: index)
    attributes {{pto.kernel}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %whole = pto.make_tensor_view %gm, shape = [%c64, %c64], strides = [%c64, %c1] : !pto.tensor_view<64x64xf32>
  %view = pto.partition_view %whole, offsets = [%c0, %c0], sizes = [%c64, %c64]
    : !pto.tensor_view<64x64xf32> -> !pto.partition_tensor_view<64x64xf32>
  %iwhole = pto.make_tensor_view %gi, shape = [%c16, %c64], strides = [%c64, %c1] : !pto.tensor_view<16x64xi32>
  %iview = pto.partition_view %iwhole, offsets = [%c0, %c0], sizes = [%c16, %c64]
    : !pto.tensor_view<16x64xi32> -> !pto.partition_tensor_view<16x64xi32>
{}{}  pto.barrier <PIPE_ALL>
{}  "{}"({}){}{} : ({}) -> ()
{}  return
}}
}})",
                       target, tiles, "", lines_before, statement.row, operands, sizes, attributes, types,
                       lines_after);
  }
};

Program parsed(const Kernel& kernel) {
  Diagnostics diagnostics;
  const std::string text = kernel.text();
  INFO(text);
  std::optional<Program> program = parse(text, {}, diagnostics);
  for (const Diagnostic& each : diagnostics.all()) UNSCOPED_INFO(each.message);
  REQUIRE(program.has_value());
  return std::move(*program);
}

std::set<std::string> found(const Kernel& kernel) {
  const Program program = parsed(kernel);
  Diagnostics diagnostics(0);
  verify(program, {.sync = SyncBy::program}, diagnostics);
  std::set<std::string> ids;
  for (const Diagnostic& each : diagnostics.all()) {
    if (each.severity == Severity::error) UNSCOPED_INFO(to_string(each.id) << " " << each.message);
    ids.insert(std::string(to_string(each.id)));
  }
  return ids;
}

OpView under_test(const Program& program, const Statement& statement) {
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    if (program.ops[op].row == isa::id_of(row_of(statement))) return {program, op};
  }
  FAIL("no such operation: " << statement.row);
  return {program, 0};
}

bool exists(const isa::Row& row, Target target) {
  return (target == Target::a5 ? row.types.a5 : row.types.a2a3) != "-";
}

constexpr std::pair<Target, std::string_view> kTargets[] = {{Target::a2a3, "a2a3"}, {Target::a5, "a5"}};

/// Calls each(statement, target's name) where a program can be made.
template <typename Each>
void for_each_statement(Each each) {
  for (const Statement& statement : kStatements) {
    for (const auto& [target, name] : kTargets) {
      if (statement.operands.empty() || !exists(row_of(statement), target)) continue;
      INFO(name << " " << statement.row << " form " << statement.form);
      each(statement, name);
    }
  }
}

/// Whether the verifier takes the plain kernel on this target; a5 does not have every form.
bool legal(const Statement& statement, std::string_view target) {
  for (const std::string& id : found({.statement = statement, .target = target})) {
    if (id.starts_with("E")) return false;
  }
  return true;
}

std::string flag(std::string_view what, const isa::InternalEvent& event, int id) {
  return fmt::format("  pto.{}[\"PIPE_{}\", \"PIPE_{}\", \"EVENT_ID{}\"]\n", what,
                     isa::short_name(event.source), isa::short_name(event.destination), id);
}

}  // namespace

TEST_CASE("statements about phases name what there is", "[isa]") {
  for (const isa::Row& row : isa::rows()) {
    const isa::Schema& schema = isa::schema(isa::id_of(row));
    for (const isa::RowRule& rule : schema.rules) {
      INFO(row.name << " " << rule.name << ":" << rule.argument);
      const std::string_view words = rule.words();
      if (rule.name == "scratch") CHECK(!isa::scratch_words(words).empty());
      if (rule.name == "clobbers" || rule.name == "restores" || rule.name == "scratch_on") {
        for (const std::string_view name : split(words, ',')) CHECK(schema.operand_slot(name) >= 0);
      }
      if (rule.name == "phases") {
        size_t rest = 0;
        for (std::string_view phase : split(words, ';')) {
          if (const size_t colon = phase.find(':'); colon != phase.npos) phase.remove_prefix(colon + 1);
          const size_t end = std::min(phase.find_first_of("<>"), phase.size());
          CHECK(isa::named_pipe(phase.substr(0, end)).has_value());
          rest += end == phase.size();
          for (const std::string_view names : split(phase.substr(std::min(end + 1, phase.size())), '>')) {
            for (const std::string_view name : split(names, ',')) CHECK(schema.operand_slot(name) >= 0);
          }
        }
        CHECK(rest == 1);
      }
    }
    for (const auto& [target, name] : kTargets) {
      for (const isa::InternalEvent& event : isa::internal_events(row, target)) {
        INFO(row.name);
        CHECK(lane_of(event.source) >= 0);
        CHECK(lane_of(event.destination) >= 0);
        CHECK((event.id >= 0 && event.id < 8));
      }
    }
    if (states_something(row)) {
      INFO(row.name << " has no program in kStatements");
      CHECK(std::ranges::any_of(kStatements, [&](const Statement& each) { return &row_of(each) == &row; }));
    }
  }
}

TEST_CASE("the kernels of the statements are legal where their target has the form", "[isa]") {
  std::set<std::string> legal_somewhere, stated;
  for_each_statement([&](const Statement& statement, std::string_view target) {
    const std::string name = fmt::format("{} {}", statement.row, statement.form);
    stated.insert(name);
    if (legal(statement, target)) legal_somewhere.insert(name);
  });
  for (const std::string& name : stated) {
    INFO(name);
    CHECK(legal_somewhere.contains(name));
  }
}

TEST_CASE("a flag that is held over an instruction which uses it is an error", "[verify]") {
  size_t checked = 0;
  for_each_statement([&](const Statement& statement, std::string_view target) {
    if (!legal(statement, target)) return;
    const Program plain = parsed({.statement = statement, .target = target});
    for (const isa::InternalEvent& event : isa::phases_of(under_test(plain, statement)).events) {
      const auto held = [&](int id) {
        return found({.statement = statement,
                      .target = target,
                      .before = flag("set_flag", event, id),
                      .after = flag("wait_flag", event, id)});
      };
      CHECK(held(event.id).contains("E0518"));
      CHECK_FALSE(held(7).contains("E0518"));
      ++checked;
    }
  });
  CHECK(checked > 30);
}

TEST_CASE("no planned flag is one that an instruction of the kernel uses itself", "[plan]") {
  size_t flags = 0;
  for_each_statement([&](const Statement& statement, std::string_view target) {
    if (!legal(statement, target)) return;
    // A load beside it and a store behind it, so that flags of several pipes are open over the instruction.
    const std::string x = "!pto.tile_buf<vec, 64x64xf32>";
    const std::string load =
        fmt::format("  pto.tload ins(%view : !pto.partition_tensor_view<64x64xf32>) outs(%x : {})\n", x);
    Kernel kernel{
        .statement = statement,
        .target = target,
        .placed = false,
        .before = fmt::format("  %x = pto.alloc_tile : {}\n{}", x, load),
        .after = fmt::format("  pto.tabs ins(%x : {0}) outs(%x : {0})\n  pto.tstore ins(%x : {0}) outs(%view "
                             ": !pto.partition_tensor_view<64x64xf32>)\n",
                             x)};
    Program program = parsed(kernel);
    const std::vector<isa::InternalEvent> own = isa::internal_events(row_of(statement), program.target);
    const Result<Machine> machine = load_machine(std::string(target));
    REQUIRE(machine);
    Diagnostics diagnostics(0);
    if (!plan(program, *machine, {.sync = SyncBy::tools}, diagnostics)) return;
    for (uint32_t i = 0; i < program.ops.size(); ++i) {
      const OpView op(program, i);
      if (isa::opcode_class(op) != isa::OpcodeClass::set_flag) continue;
      ++flags;
      const auto same = [&](const isa::InternalEvent& event) {
        return static_cast<Pipe>(op.attr_int("src_pipe")) == event.source &&
               static_cast<Pipe>(op.attr_int("dst_pipe")) == event.destination &&
               op.attr_int("event_id") == event.id;
      };
      CHECK(std::ranges::none_of(own, same));
    }
  });
  CHECK(flags > 50);
}

TEST_CASE("what the scalar unit writes in front of an instruction is ordered with the work before",
          "[verify]") {
  size_t checked = 0;
  for_each_statement([&](const Statement& statement, std::string_view target) {
    if (!legal(statement, target)) return;
    const Program plain = parsed({.statement = statement, .target = target});
    const OpView op = under_test(plain, statement);
    const std::optional<isa::Scratch> scratch = isa::scratch_of(op, isa::OpenExtents::least);
    if (!scratch) return;
    for (const isa::ScratchPart& part : scratch->parts) {
      if (!part.early) continue;
      const std::string read = fmt::format(
          "  %probe_at = arith.constant {} : i64\n"
          "  %probe = pto.alloc_tile addr = %probe_at : !pto.tile_buf<vec, 1x8xf32>\n"
          "  %free_at = arith.constant 180224 : i64\n"
          "  %free = pto.alloc_tile addr = %free_at : !pto.tile_buf<vec, 1x8xf32>\n"
          "  pto.tabs ins(%probe : !pto.tile_buf<vec, 1x8xf32>) outs(%free : !pto.tile_buf<vec, 1x8xf32>)\n"
          "  pto.barrier <PIPE_V>\n",
          16384 * static_cast<int>(scratch->slot) + static_cast<int>(part.begin));
      const isa::InternalEvent wait{Pipe::v, Pipe::s, 5};
      CHECK(found({.statement = statement, .target = target, .before = read}).contains("E0511"));
      CHECK_FALSE(found({.statement = statement,
                         .target = target,
                         .before = read + flag("set_flag", wait, 5) + flag("wait_flag", wait, 5)})
                      .contains("E0511"));
      ++checked;
    }
  });
  CHECK(checked == 2);  // tsels and tgather by comparison, on A2/A3
}

TEST_CASE("events stand between the phases that they order", "[isa]") {
  const auto in_order = [](std::string_view row, Target target, std::string_view operands) {
    const auto found = std::ranges::find_if(kStatements, [&](const Statement& each) {
      return each.row == row && each.operands.starts_with(operands);
    });
    REQUIRE(found != std::end(kStatements));
    const Program plain = parsed({.statement = *found, .target = target == Target::a5 ? "a5" : "a2a3"});
    std::string text;
    for (const auto& events : isa::phases_of(under_test(plain, *found)).events_in_order()) {
      for (const isa::InternalEvent& event : events)
        text += fmt::format("{}>{} ", isa::short_name(event.source), isa::short_name(event.destination));
      text += "/ ";
    }
    return text;
  };
  // pto-isa a2a3/TSels.hpp:38, TScatter.hpp:31-56, MGather.hpp:110-148, MScatter.hpp:213-247,
  // TConcat.hpp:134-157, TGather.hpp:170-262, TCI.hpp:28-51.
  CHECK(in_order("pto.tsels", Target::a2a3, "mask") == "/ S>V / / ");
  CHECK(in_order("pto.tscatter", Target::a2a3, "src=F|ind") == "/ V>S / S>V / ");
  CHECK(in_order("pto.mgather", Target::a2a3, "mem=view|idx=1x") ==
        "V>S MTE3>S / S>MTE2 / MTE2>V MTE2>MTE3 S>V S>MTE3 / ");
  CHECK(in_order("pto.mgather", Target::a2a3, "mem=view|idx=I") ==
        "V>S MTE3>S MTE2>S / S>V S>MTE2 S>MTE3 / ");
  CHECK(in_order("pto.tconcatidx", Target::a2a3, "src0") == "MTE2>S / S>V / / ");
  CHECK(in_order("pto.tgather", Target::a2a3, "src=1x32") == "/ S>V / V>S / / ");
  CHECK(in_order("pto.tci", Target::a5, "S=i32|dst=1x64xi32|tmp") == "/ ");
}

TEST_CASE("what the scalar unit writes without a scratch tile is ordered with the work before", "[verify]") {
  size_t checked = 0;
  for_each_statement([&](const Statement& statement, std::string_view target) {
    const bool partial = (row_of(statement).flags & isa::kPartial) != 0;  // its bytes are not certain
    if (partial || !legal(statement, target)) return;
    const Program plain = parsed({.statement = statement, .target = target});
    const OpView op = under_test(plain, statement);
    const isa::Schema& schema = isa::schema(op.op().row);
    const isa::Phases phases = isa::phases_of(op);
    for (const isa::Phase& phase : phases.early()) {
      for (const uint8_t slot : phase.writes) {
        if (phase.pipe != Pipe::s || schema.operands[slot].name == "tmp") continue;
        const std::string read = fmt::format(
            "  %probe_at = arith.constant {} : i64\n"
            "  %probe = pto.alloc_tile addr = %probe_at : !pto.tile_buf<vec, 1x8xf32>\n"
            "  %free_at = arith.constant 180224 : i64\n"
            "  %free = pto.alloc_tile addr = %free_at : !pto.tile_buf<vec, 1x8xf32>\n"
            "  pto.tabs ins(%probe : !pto.tile_buf<vec, 1x8xf32>) outs(%free : !pto.tile_buf<vec, 1x8xf32>)\n"
            "  pto.barrier <PIPE_V>\n",
            16384 * static_cast<int>(slot));
        const isa::InternalEvent wait{Pipe::v, Pipe::s, 5};
        CHECK(found({.statement = statement, .target = target, .before = read}).contains("E0511"));
        CHECK_FALSE(found({.statement = statement,
                           .target = target,
                           .before = read + flag("set_flag", wait, 5) + flag("wait_flag", wait, 5)})
                        .contains("E0511"));
        ++checked;
      }
    }
  });
  CHECK(checked == 2);  // tci without a scratch tile, on both targets
}

TEST_CASE("a source that is left with other bytes is not read", "[verify]") {
  size_t checked = 0;
  for_each_statement([&](const Statement& statement, std::string_view target) {
    if (!legal(statement, target)) return;
    const Program plain = parsed({.statement = statement, .target = target});
    const OpView op = under_test(plain, statement);
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      const isa::OperandSpec& spec = schema.operands[slot];
      if (spec.role != isa::Role::in || op.operand(slot) == kNoValue || !op.type(slot).is_tile()) continue;
      if (op.type(slot).blayout != BLayout::row_major || op.type(slot).elem == Elem::i8) continue;
      const std::string read = fmt::format(
          "  pto.barrier <PIPE_ALL>\n  %free_at = arith.constant 163840 : i64\n"
          "  %free = pto.alloc_tile addr = %free_at : <:{0}>\n"
          "  pto.tmov ins(<{0}> : <:{0}>) outs(%free : <:{0}>)\n",
          spec.name);
      const std::vector<uint8_t> clobbers = isa::phases_of(op).clobbers;
      const bool lost = std::ranges::find(clobbers, slot) != clobbers.end();
      INFO(spec.name);
      CHECK(found({.statement = statement, .target = target, .after = read}).contains("E0519") == lost);
      checked += lost;
    }
  });
  CHECK(checked == 3);  // trem of i32 and both forms of tquant, on A2/A3
}

TEST_CASE("a scratch tile does not lie on an operand", "[verify]") {
  size_t refused = 0, allowed = 0;
  for_each_statement([&](const Statement& statement, std::string_view target) {
    if (!legal(statement, target)) return;
    const Program plain = parsed({.statement = statement, .target = target});
    const OpView op = under_test(plain, statement);
    const std::optional<isa::Scratch> scratch = isa::scratch_of(op, isa::OpenExtents::least);
    const isa::Schema& schema = isa::schema(op.op().row);
    if (!scratch || !scratch->stated) return;
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      if (slot == scratch->slot || op.operand(slot) == kNoValue || !op.type(slot).is_tile()) continue;
      const bool shared = std::ranges::find(scratch->shared, slot) != scratch->shared.end();
      INFO(schema.operands[slot].name);
      const bool reported =
          found(
              {.statement = statement, .target = target, .moved = "tmp", .onto = schema.operands[slot].name})
              .contains("E0370");
      // What is written behind a tile does not meet one that begins with it.
      const bool meets =
          std::ranges::any_of(scratch->parts, [](const isa::ScratchPart& part) { return part.begin == 0; });
      CHECK(reported == (!shared && meets));
      (reported ? refused : allowed) += 1;
    }
  });
  CHECK(refused > 30);
  CHECK(allowed > 10);
}
