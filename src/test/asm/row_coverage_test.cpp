// Every row that has a textual form is assembled by a test of asm-tests/rows.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include "isa/row.hpp"
#include "pto/assembler.hpp"
#include "support/file.hpp"
#include "support/message_text.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

/// Marks the rows of the operations that a file holds.
void mark_rows(const std::filesystem::path& file, std::vector<bool>& seen) {
  const auto text = read_file(file.string());
  REQUIRE(text.ok());
  Diagnostics diagnostics;
  const auto program = parse(*text, {.name = file.filename().string()}, diagnostics);
  INFO(file.filename().string() << "\n" << messages(diagnostics));
  REQUIRE(program);
  for (const Op& op : program->ops) seen[op.row] = true;
}

TEST_CASE("Row coverage: asm-tests/rows assembles every row", "[row-coverage]") {
  std::vector<bool> seen(isa::rows().size(), false);
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(PTO_SOURCE_DIR) / "asm-tests/rows")) {
    if (entry.path().extension() == ".pto") mark_rows(entry.path(), seen);
  }
  size_t readable = 0, assembled = 0;
  for (const isa::Row& row : isa::rows()) {
    if (row.syntax == "@none" || (row.flags & isa::kAlias) != 0) continue;
    ++readable;
    assembled += seen[isa::id_of(row)];
    INFO(row.name << " (" << row.operands
                  << "): run asm-tests/rows/make_rows.py, or write it into asm-tests/rows/structure.pto");
    CHECK(seen[isa::id_of(row)]);
  }
  std::cerr << "row coverage: " << assembled << " of " << readable << " rows assembled\n";
}

}  // namespace
}  // namespace pto
