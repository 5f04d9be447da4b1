#include "isa/memory_spaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

#include "testing/catch_main.hpp"

namespace pto::isa {
namespace {

/// The table row with this name in its second or third column ("l1", "l0a, ..") that states sizes.
std::string row_naming(const std::string& page, std::string_view name) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    std::string words = line;
    std::ranges::replace_if(
        words, [](char c) { return c == '|' || c == ','; }, ' ');
    if (line.starts_with('|') && line.find("KiB") != std::string::npos &&
        (words + ' ').find(fmt::format(" {} ", name)) != std::string::npos)
      return line + '\n';
  }
  return "";
}

/// "192 KiB".
std::string kib(Target target, Space space) {
  return fmt::format("{} KiB", on_chip_bytes(target, space) / 1024);
}

TEST_CASE("the sizes on the page are those of the verifier", "[isa]") {
  std::ifstream in(PTO_SOURCE_DIR "/docs/internals/instruction-table.md");
  const std::string page(std::istreambuf_iterator<char>(in), {});
  for (const Space space : {Space::ub, Space::l1, Space::l0a, Space::l0b, Space::l0c, Space::bt, Space::fb}) {
    const std::string sizes = fmt::format("| {} | {} |\n", kib(Target::a2a3, space), kib(Target::a5, space));
    INFO(to_string(space) << " " << sizes);
    CHECK(row_naming(page, to_string(space)).ends_with(sizes));
  }
}

}  // namespace
}  // namespace pto::isa
