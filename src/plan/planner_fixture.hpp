// Fixture for tests of the planner: kernels of 16x16 tiles, a machine with a small UB, the judge of
// orders.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>

#include "plan/memory/placement.hpp"
#include "plan/plan_oracle.hpp"
#include "pto/assembler.hpp"
#include "pto/plan.hpp"
#include "support/message_text.hpp"
#include "testing/catch_main.hpp"

namespace pto::test {

inline Machine test_machine(Target target, uint64_t ub = 196608) {
  Machine machine;
  machine.target = target;
  machine.vector_overlaps = target == Target::a2a3;
  machine.bytes[static_cast<size_t>(Space::ub)] = ub;
  machine.bytes[static_cast<size_t>(Space::l1)] = 524288;
  machine.bytes[static_cast<size_t>(Space::l0a)] = machine.bytes[static_cast<size_t>(Space::l0b)] = 65536;
  machine.bytes[static_cast<size_t>(Space::l0c)] = 131072;
  machine.bytes[static_cast<size_t>(Space::bt)] = 1024;
  return machine;
}

inline Program parse_ok(const std::string& text, Target target = Target::a5) {
  ParseOptions options;
  options.target = target;
  Diagnostics diagnostics;
  std::optional<Program> program = parse(text, options, diagnostics);
  UNSCOPED_INFO(messages(diagnostics));
  REQUIRE(program.has_value());
  return std::move(*program);
}

inline const std::string kTile = "!pto.tile_buf<vec, 16x16xf32>";
inline const std::string kView = "!pto.partition_tensor_view<16x16xf32>";

/// A kernel with three buffers and views of their first 16x16 elements.
inline std::string kernel(const std::string& body) {
  std::string text =
      "func.func @k(%a: !pto.ptr<f32>, %b: !pto.ptr<f32>, %c: !pto.ptr<f32>, %flag: i1) attributes "
      "{pto.kernel} {\n"
      "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c4 = arith.constant 4 : index\n"
      "  %c16 = arith.constant 16 : index\n  %f1 = arith.constant 1.0 : f32\n";
  for (const char* name : {"a", "b", "c"}) {
    text += fmt::format(
        "  %{0}v = pto.make_tensor_view %{0}, shape = [%c16, %c16], strides = [%c16, %c1] : "
        "!pto.tensor_view<?x?xf32>\n"
        "  %{0}p = pto.partition_view %{0}v, offsets = [%c0, %c0], sizes = [%c16, %c16] : "
        "!pto.tensor_view<?x?xf32> -> "
        "{1}\n",
        name, kView);
  }
  return text + body + "  return\n}\n";
}
inline std::string alloc(const std::string& tile) {
  return fmt::format("  {} = pto.alloc_tile : {}\n", tile, kTile);
}
inline std::string load(const std::string& view, const std::string& tile) {
  return fmt::format("  pto.tload ins({} : {}) outs({} : {})\n", view, kView, tile, kTile);
}
inline std::string store(const std::string& tile, const std::string& view) {
  return fmt::format("  pto.tstore ins({} : {}) outs({} : {})\n", tile, kTile, view, kView);
}
inline std::string add(const std::string& x, const std::string& y, const std::string& dst) {
  return fmt::format("  pto.tadd ins({}, {} : {}, {}) outs({} : {})\n", x, y, kTile, kTile, dst, kTile);
}

inline void plan_ok(Program& program, const Machine& machine) {
  Diagnostics diagnostics;
  const bool done = plan(program, machine, {}, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) {
    UNSCOPED_INFO(to_string(d.id) << " " << d.message);
    for (const Note& note : d.notes) UNSCOPED_INFO("  " << note.message);
  }
  REQUIRE(done);
}

inline size_t count(const Program& program, std::string_view row) {
  return static_cast<size_t>(std::count_if(program.ops.begin(), program.ops.end(),
                                           [&](const Op& op) { return isa::row(op.row).name == row; }));
}

inline uint32_t kernel_op(const Program& program) {
  for (const FunctionInfo& f : functions(program))
    if (f.entry) return f.op;
  return 0;
}

/// Zero to three trips, in all loops or in every run of a loop others, and several choices of branches. Of
/// the program of one core where it is named.
inline void check_order(const Program& program, Target target, unsigned variants = 7,
                        std::string_view core = {}) {
  for (unsigned variant = 0; variant < variants; ++variant) {
    std::mt19937 random(variant);
    test::Replay replay(
        program, target, [&] { return variant < 4 ? variant : random() % 4; },
        [&] { return variant < 4 ? variant % 2 == 0 : random() % 2 == 0; });
    replay.on_core(core);
    for (const std::string& problem : replay.run(kernel_op(program))) {
      INFO("variant " << variant << ": " << problem);
      CHECK(false);
    }
  }
}

/// Whether loops of two sections run in step: then signals are in loops in sections. If the same
/// bytes are used in every iteration, the iterations of both alternate, instead of one loop after
/// the other.
inline bool runs_in_step(const Program& program) {
  const RegionTree tree(program);
  for (uint32_t op = 0; op < program.ops.size(); ++op) {
    if (!isa::is_signal(isa::row(program.ops[op].row).opcode_class) ||
        OpView(program, op).attr_int("ffts_mode") == 1)  // of the vector cores
      continue;
    const isa::OpcodeClass around = isa::row(program.ops[tree.parent(op)].row).opcode_class;
    if (!isa::is_section(around)) return true;
  }
  return false;
}

/// Both cores at once: everything is ordered, and GM comes out as if one core did it all in the text's order.
inline void check_both_cores(const Program& program, Target target) {
  for (unsigned variant = 0; variant < 4; ++variant) {
    const auto trips = [&] { return uint64_t{variant}; };
    const auto branch = [&] { return variant % 2 == 0; };
    test::Replay replay(program, target, trips, branch), in_order(program, target, trips, branch);
    replay.on_both_cores();
    in_order.in_text_order();
    in_order.run(kernel_op(program));
    for (const std::string& problem : replay.run(kernel_op(program))) {
      INFO("both cores, variant " << variant << ": " << problem);
      CHECK(false);
    }
    INFO("both cores, variant " << variant);
    if (runs_in_step(program)) continue;
    CHECK(replay.results() == in_order.results());
  }
}

inline std::string alloc_at(const std::string& tile, int addr) {
  return fmt::format("  {0}_addr = arith.constant {1} : i64\n  {0} = pto.alloc_tile addr = {0}_addr : {2}\n",
                     tile, addr, kTile);
}

/// By the tile's name, in the planned program.
inline uint64_t address(const Program& program, std::string_view tile) {
  const planner::Storage storage(program);
  for (const planner::Root& root : storage.roots())
    if (root.kind == planner::Root::Kind::tile && program.name_of(root.value) == tile && root.addr)
      return *root.addr;
  FAIL("no tile " << tile);
  return 0;
}

}  // namespace pto::test
