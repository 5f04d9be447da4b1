// Frames: the words where a core holds the values of a kernel while it runs.
//
// The code of the scalar unit and the code of vector functions (and SIMT threads) have a frame each. A vector
// function runs later than the code around it, so it copies in the values that it uses from outside:
//
//   %c = arith.constant 3 : i32       scalar.at(%c) = 0, known: word 0 is 3 when the kernel starts
//   %n = arith.addi %m, %c : i32      scalar.at(%m) = 1, scalar.at(%n) = 2
//   pto.vecscope {                    begin_captures(captures)
//     %k = arith.muli %n, %c : i32    at(%n) = 0 of the vector frame; captures: word 2 -> word 0
//   }                                 at(%c) = 1, known: no copy; define(%k) = 2; end_captures()
#pragma once

#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exec/exec_context.hpp"
#include "ir/op_queries.hpp"
#include "pto/program.hpp"
#include "sim/loader/kernel_code.hpp"

namespace pto::sim {

inline constexpr uint32_t kNoOffset = ~0u;

/// One frame of words with a fixed offset per value.
class FrameLayout {
 public:
  explicit FrameLayout(const Program& program)
      : program_(&program), offset_(program.values.size(), kNoOffset) {}

  /// The value's offset; the first use reserves its words.
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

class Frame {
 public:
  explicit Frame(const Program& program) : scalar(program), vector(program), program_(program) {}

  /// Offset of a value in the current frame.
  uint32_t at(ValueId value);
  /// The same for a value that the code being loaded defines.
  uint32_t define(ValueId value);
  std::vector<uint32_t> define_range(ValueId first, uint32_t count);
  std::vector<uint32_t> define_results(const OpView& view) {
    return define_range(view.op().first_result, view.op().n_results);
  }

  [[nodiscard]] bool in_vector_function() const { return captures_ != nullptr; }
  [[nodiscard]] FrameLayout& current() { return in_vector_function() ? vector : scalar; }
  /// The code that follows is that of a vector function; `captures` receives the copies that it needs.
  void begin_captures(std::vector<Copy>& captures);
  void end_captures() { captures_ = nullptr; }

  /// The words of a value are in the frame before the kernel starts.
  void mark_constant(ValueId value) { constants_.insert(value); }
  std::optional<int64_t> known_constant(ValueId value);

  FrameLayout scalar;  ///< of the scalar unit
  FrameLayout vector;  ///< of vector functions and SIMT threads

 private:
  const Program& program_;
  std::set<ValueId> constants_;
  // the vector function being loaded
  std::vector<Copy>* captures_ = nullptr;
  std::unordered_map<ValueId, uint32_t> local_;
  std::set<ValueId> defined_;
};

}  // namespace pto::sim
