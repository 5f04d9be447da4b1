// Complete examples: kernels with a case file, inputs and expected values.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pto {

struct ExampleFile {
  std::string_view name;  ///< "softmax.pto", "case.toml", "x.npy"
  std::string_view bytes;
};
struct Example {
  std::string_view name;   ///< "softmax"
  std::string_view about;  ///< one line
  std::vector<ExampleFile> files;
  /// The text of the kernel.
  [[nodiscard]] std::string_view program() const;
};

/// All examples, the simplest first.
std::vector<Example> examples();

}  // namespace pto
