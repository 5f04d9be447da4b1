// A folder of a test's own, removed when the test ends.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace pto::test {

class TempDir {
 public:
  TempDir() { std::filesystem::create_directories(path); }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() { std::filesystem::remove_all(path); }

  /// Writes a file; gives its path.
  std::filesystem::path put(const std::string& name, std::string_view text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return path / name;
  }

  const std::filesystem::path path = std::filesystem::temp_directory_path() / unique_name();

 private:
  static std::string unique_name() {
    static std::atomic<unsigned> count = 0;
    return "pto-test-" + std::to_string(getpid()) + "-" + std::to_string(++count);
  }
};

}  // namespace pto::test
