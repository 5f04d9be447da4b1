// Every executed row has semantics and a cost class; every name without either says so.
#include <algorithm>

#include "isa/row.hpp"
#include "sim/load.hpp"
#include "support/catch.hpp"

namespace pto::isa {
namespace {

TEST_CASE("what runs is not marked as not executed, and what is not marked runs", "[isa]") {
  for (const Row& row : rows()) {
    if ((row.flags & kAlias) != 0) continue;
    INFO(row.name);
    const bool another_form_runs = std::ranges::any_of(rows(), [&](const Row& other) {
      return other.name == row.name && (other.flags & kNotExecuted) == 0;
    });
    if ((row.flags & kNotExecuted) != 0 && another_form_runs) continue;
    CHECK(sim::carries_out(row) == ((row.flags & kNotExecuted) == 0));
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
