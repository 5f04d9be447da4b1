// Fuzz target: the case-file reader.
#include "pto/case_file.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "testing/fuzz_target.hpp"

namespace pto::fuzz {

int case_file(const uint8_t* data, size_t size) {
  const auto file =
      std::filesystem::temp_directory_path() / ("pto-fuzz-" + std::to_string(getpid()) + ".toml");
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto read = read_case(file, {});
  if (read) {
    const auto arguments = load_arguments(*read);
    if (!arguments && arguments.error().message.empty()) std::abort();
  } else if (read.error().message.empty()) {
    std::abort();
  }
  std::filesystem::remove(file);
  return 0;
}

}  // namespace pto::fuzz
