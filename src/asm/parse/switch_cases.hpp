// The cases of a switch: an operation is emitted before its regions, so they are counted ahead.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pto::text {

/// The numbers behind the `case` words of a switch, and whether `default` comes first.
struct Cases {
  std::vector<int64_t> numbers;
  bool has_default = false, default_first = false;
};

class Switches {
 public:
  explicit Switches(std::string_view source) : source_(source) {}
  /// Of the switch whose name begins at this byte.
  const Cases& cases_of(uint32_t offset);

 private:
  std::string_view source_;
  std::optional<std::unordered_map<uint32_t, Cases>> found_;  ///< all of the text, once one is asked for
};

}  // namespace pto::text
