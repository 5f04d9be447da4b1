#include "reference/examples.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace pto {
namespace {

std::string on_disk(std::string_view example, std::string_view name) {
  const auto path = std::filesystem::path(PTO_SOURCE_DIR) / "asm-tests/examples" / example / name;
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("the library holds the examples as they stand in asm-tests", "[examples]") {
  size_t files = 0;
  for (const Example& example : examples()) {
    INFO(example.name);
    CHECK_FALSE(example.program().empty());
    CHECK_FALSE(example.about.empty());
    for (const ExampleFile& file : example.files) CHECK(on_disk(example.name, file.name) == file.bytes);
    files += example.files.size();
  }
  CHECK(files == reference::embedded_files().size());  // every one has a place in the order
  CHECK(files >= 20);
}

}  // namespace
}  // namespace pto
