// Where values stand while a role is being loaded.
#pragma once

#include <algorithm>
#include <vector>

#include "exec/exec_context.hpp"
#include "pto/program.hpp"

namespace pto::sim {

inline constexpr uint32_t kNoOffset = ~0u;

/// One frame of words with a fixed place per value.
class FrameLayout {
 public:
  explicit FrameLayout(const Program& program)
      : program_(&program), offset_(program.values.size(), kNoOffset) {}

  [[nodiscard]] bool has(ValueId value) const { return offset_[value] != kNoOffset; }
  /// The value's offset; gives it one at first use.
  uint32_t at(ValueId value) {
    if (offset_[value] == kNoOffset) offset_[value] = reserve(exec::words_of(program_->type_of(value)));
    return offset_[value];
  }
  uint32_t reserve(uint32_t words) {
    const uint32_t at = static_cast<uint32_t>(words_.size());
    words_.resize(words_.size() + words, 0);
    return at;
  }
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(words_.size()); }
  void set(uint32_t offset, exec::Word word) { words_[offset] = word; }
  [[nodiscard]] exec::Word word(uint32_t offset) const { return words_[offset]; }
  [[nodiscard]] std::vector<exec::Word> allocate() { return std::move(words_); }

 private:
  const Program* program_;
  std::vector<uint32_t> offset_;
  std::vector<exec::Word> words_;
};

}  // namespace pto::sim
