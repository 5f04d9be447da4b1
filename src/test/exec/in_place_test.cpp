// Working in place is stated once, in the row: the verifier refuses what it forbids, the planner does what it
// allows.
#include <fmt/format.h>

#include <set>
#include <string>

#include "ir/in_place_rules.hpp"
#include "isa/rows/families.hpp"
#include "pto/assembler.hpp"
#include "pto/plan.hpp"
#include "pto/verify.hpp"
#include "testing/catch_main.hpp"

namespace {

using namespace pto;
using isa::InPlace;

constexpr Target kTargets[] = {Target::a2a3, Target::a5, Target::cpu};

/// A loop that makes %new from %old and hands it on; the placeholder becomes the instruction under test.
constexpr const char* kLoop = R"(
func.func @k(%i: i32, %f: f32, %h: i16, %b: i8, %l: i64, %n: index) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  %other = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  %spare = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  %made = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
  %r = scf.for %it = %c0 to %n step %c1 iter_args(%old = %a) -> (!pto.tile_buf<vec, 16x64xf32>) {
    %new = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>
    pto.tabs ins(%old : !pto.tile_buf<vec, 16x64xf32>) outs(%new : !pto.tile_buf<vec, 16x64xf32>)
    scf.yield %new : !pto.tile_buf<vec, 16x64xf32>
  }
  return
}
)";

Program parse_loop(Target target) {
  ParseOptions options;
  options.target = target;
  Diagnostics diagnostics;
  std::optional<Program> program = parse(kLoop, options, diagnostics);
  REQUIRE(program.has_value());
  return std::move(*program);
}

ValueId named(const Program& program, std::string_view name) {
  for (ValueId value = 0; value < program.values.size(); ++value)
    if (program.name_of(value) == name) return value;
  return kNoValue;
}

std::string_view filler(const isa::OperandSpec& spec) {
  if ((spec.kinds & isa::kTile) != 0)
    return spec.name == "tmp" ? "spare" : spec.role == isa::Role::in ? "other" : "made";
  if ((spec.kinds & (isa::kScalar | isa::kFloat | isa::kAny)) != 0) return "f";
  if ((spec.kinds & isa::kIndex) != 0) return "c0";
  if ((spec.kinds & (isa::kInt | isa::kI32)) != 0) return "i";
  if ((spec.kinds & isa::kI64) != 0) return "l";
  return (spec.kinds & isa::kI16) != 0 ? "h" : "b";
}

/// The loop with an instruction whose source and destination slots hold these values.
Program with_instruction(const Program& loop, const isa::Schema& schema, size_t source, size_t destination,
                         std::string_view from, std::string_view to) {
  Program program = loop;
  const RowId placeholder = isa::id_of(*isa::find_row("pto.tabs"));
  for (Op& op : program.ops) {
    if (op.row != placeholder) continue;
    op.row = schema.id;
    op.operands = static_cast<uint32_t>(program.operands.size());
    op.n_operand_words = static_cast<uint16_t>(schema.operands.size());
    for (size_t slot = 0; slot < schema.operands.size(); ++slot) {
      const bool absent =
          schema.operands[slot].arity == isa::Arity::optional && slot != source && slot != destination;
      const std::string_view name = slot == source        ? from
                                    : slot == destination ? to
                                                          : filler(schema.operands[slot]);
      program.operands.push_back(absent ? kNoValue : named(program, name));
    }
  }
  return program;
}

bool planned(Program program) {
  Machine machine;
  machine.target = program.target;
  machine.bytes.fill(1u << 20);
  Diagnostics diagnostics;
  const bool done = plan(program, machine, {.sync = SyncBy::program}, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) CHECK(d.id == E0602);
  return done;
}

bool refused_in_place(const Program& program) {
  Diagnostics diagnostics(0);
  verify(program, {.synchronisation = false}, diagnostics);
  for (const Diagnostic& d : diagnostics.all())
    if (d.id == E0370) return true;
  return false;
}

/// What the row states about the instruction under test.
InPlace stated_in(const Program& program, const isa::Schema& schema, Target target, std::string_view source,
                  std::string_view destination) {
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    if (program.ops[op].row == schema.id)
      return isa::in_place(OpView(program, op), target, source, destination);
  }
  return InPlace::unstated;
}

bool exists(const isa::Row& row, Target target) {
  return (target == Target::a2a3 ? row.types.a2a3
          : target == Target::a5 ? row.types.a5
                                 : std::string_view()) != "-";
}

/// Calls each(row, schema, source, destination) for the pairs of tile operands of all instructions.
template <typename Each>
void for_each_pair(Each each) {
  for (const isa::Row& row : isa::rows()) {
    const isa::Schema& schema = isa::schema(isa::id_of(row));
    if (row.layer != isa::Layer::tile || row.syntax == "@none" || schema.has_variadic ||
        !schema.results.empty())
      continue;
    for (size_t to = 0; to < schema.operands.size(); ++to) {
      const isa::OperandSpec& destination = schema.operands[to];
      // A scratch tile may be written as a result: test/verify/instruction_phases_test.cpp looks at those.
      const bool written = destination.name != "tmp" &&
                           (destination.role == isa::Role::out || destination.role == isa::Role::inout);
      if (!written || (destination.kinds & isa::kTile) == 0) continue;
      for (size_t from = 0; from < schema.operands.size(); ++from) {
        const isa::OperandSpec& source = schema.operands[from];
        if (source.role == isa::Role::in && (source.kinds & isa::kTile) != 0) each(row, schema, from, to);
      }
    }
  }
}

}  // namespace

TEST_CASE(
    "the planner works in place exactly where the row allows it, the verifier refuses exactly where it "
    "forbids",
    "[plan]") {
  for (const Target target : kTargets) {
    const Program loop = parse_loop(target);
    size_t pairs = 0;
    for_each_pair([&](const isa::Row& row, const isa::Schema& schema, size_t from, size_t to) {
      if (!exists(row, target)) return;
      INFO(to_string(target) << " " << row.name << " " << schema.operands[from].name << " -> "
                             << schema.operands[to].name);
      const std::string_view source = schema.operands[from].name;
      const std::string_view destination = schema.operands[to].name;
      const Program apart = with_instruction(loop, schema, from, to, "old", "new");
      const Program together = with_instruction(loop, schema, from, to, "new", "new");
      CHECK(planned(apart) == (stated_in(apart, schema, target, source, destination) == InPlace::allowed));
      CHECK(refused_in_place(together) ==
            (stated_in(together, schema, target, source, destination) == InPlace::forbidden));
      ++pairs;
    });
    CHECK(pairs > 150);
  }
}

/// Where an element of the result depends on that element of the sources alone, the row says so, or that it
/// is forbidden.
TEST_CASE("elementwise instructions may work in place", "[isa]") {
  // The A2/A3 library's sequences write the destination before they have read this source for the last time.
  const std::set<std::string_view> not_on_a2a3 = {"pto.trem",  "pto.tfmod",  "pto.tpow",
                                                  "pto.trems", "pto.tfmods", "pto.tpows"};
  // The result has another element type, or a bit per element.
  const std::set<std::string_view> other_type = {"pto.tadddeqrelu", "pto.taddreluconv", "pto.tsubreluconv",
                                                 "pto.tcmps"};
  size_t instructions = 0;
  const auto check = [&](const isa::Row& row) {
    const isa::Schema& schema = isa::schema(isa::id_of(*isa::find_row(row.name)));
    if (row.syntax == "@none" || other_type.contains(row.name)) return;
    for (const Target target : kTargets) {
      if (target != Target::a5 && not_on_a2a3.contains(row.name)) continue;
      for (const isa::OperandSpec& source : schema.operands) {
        const bool data = source.role == isa::Role::in && source.kinds == isa::kTile && source.name != "mask";
        INFO(to_string(target) << " " << row.name << " " << source.name);
        if (data) CHECK(isa::in_place(*schema.row, target, source.name, "dst") != InPlace::unstated);
        instructions += data;
      }
    }
  };
  for (const isa::Row& row : isa::tile_elementwise_rows().rows) check(row);
  for (const isa::Row& row : isa::tile_scalar_rows().rows) check(row);
  CHECK(instructions > 100);
}

TEST_CASE("in place on some targets only", "[isa]") {
  const auto of = [](std::string_view name, Target target, std::string_view source) {
    return isa::in_place(*isa::find_row(name), target, source, "dst");
  };
  CHECK(of("pto.trecip", Target::a2a3, "src") == InPlace::forbidden);
  CHECK(of("pto.trecip", Target::a5, "src") == InPlace::allowed);
  CHECK(of("pto.txor", Target::a2a3, "src1") == InPlace::forbidden);
  CHECK(of("pto.txor", Target::a5, "src1") == InPlace::allowed);
  CHECK(of("pto.trem", Target::a2a3, "src0") == InPlace::forbidden);
  CHECK(of("pto.trem", Target::a5, "src0") == InPlace::allowed);
  CHECK(of("pto.ttrans", Target::a5, "src") == InPlace::forbidden);
  CHECK(of("pto.trowsum", Target::a5, "src") == InPlace::unstated);
  CHECK(of("pto.tmatmul.acc", Target::a5, "acc_in") == InPlace::allowed);
  CHECK(of("pto.tmatmul.acc", Target::a5, "lhs") == InPlace::unstated);
}
