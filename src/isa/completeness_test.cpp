// Every executed row has semantics and a cost class; every name without either says so.
#include <set>

#include "exec/context.hpp"
#include "isa/row.hpp"
#include "support/catch.hpp"

namespace pto::isa {
namespace {

/// Rows the simulator's loader carries out itself.
const std::set<std::string_view> kEngine = {
    "builtin.module",   "func.func",          "func.call",         "func.return",       "scf.for",           "scf.if",
    "scf.while",        "scf.yield",          "scf.condition",     "scf.execute_region", "arith.constant",    "pto.section.cube",
    "pto.section.vector", "pto.vecscope",     "pto.strict_vecscope", "pto.set_flag",    "pto.wait_flag",     "pto.set_flag_dyn",
    "pto.wait_flag_dyn", "pto.record_event",  "pto.wait_event",    "pto.barrier",       "pto.pipe_barrier",  "pto.barrier_sync",
    "pto.get_buf",      "pto.rls_buf",        "pto.mem_bar",       "pto.sync.set",      "pto.sync.wait",     "pto.set_ffts",
};

TEST_CASE("every executed row has semantics", "[isa]") {
  for (const Row& row : rows()) {
    if ((row.flags & kNotExecuted) != 0) continue;
    INFO(row.name);
    CHECK((exec::find(row.name) != nullptr || kEngine.contains(row.name)));
  }
}

TEST_CASE("every row that takes a pipe has a cost class", "[isa]") {
  for (const Row& row : rows()) {
    INFO(row.name);
    CHECK((row.pipe == "none" || !row.cost.empty()));
  }
}

TEST_CASE("names without a textual form are not executed", "[isa]") {
  for (const Row& row : rows()) {
    INFO(row.name);
    if (row.syntax == "@none") CHECK((row.flags & kNotExecuted) != 0);
  }
}

TEST_CASE("every row has a line of documentation", "[isa]") {
  for (const Row& row : rows()) {
    INFO(row.name);
    CHECK(!row.doc.empty());
    CHECK(row.doc.find('\n') == std::string_view::npos);
  }
}

}  // namespace
}  // namespace pto::isa
