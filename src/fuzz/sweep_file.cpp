// Fuzz target: the reader of sweep files.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sweep/sweep_spec.hpp"
#include "testing/fuzz_target.hpp"

namespace pto::fuzz {

int sweep_file(const uint8_t* data, size_t size) {
  const auto file =
      std::filesystem::temp_directory_path() / ("pto-fuzz-sweep-" + std::to_string(getpid()) + ".toml");
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto plan = driver::SweepPlan::read(file);
  std::filesystem::remove(file);
  if (!plan) {
    if (plan.error().message.empty()) std::abort();
    return 0;
  }
  // Every parameter of every point has a value.
  for (const uint64_t point : {plan->points.front(), plan->points.back()}) {
    for (size_t i = 0; i < plan->parameters.size(); ++i) {
      if (plan->value(point, i).text.find('\n') != std::string::npos) std::abort();
    }
  }
  return 0;
}

}  // namespace pto::fuzz
