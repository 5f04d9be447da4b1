// What the lanes of a warp touch with one instruction: for the lines that memory has to serve, and for those
// who judge the order of threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exec/exec_context.hpp"

namespace pto::sim {

/// One access of one thread.
struct Touch {
  Space space = Space::none;
  exec::AccessMode how = exec::AccessMode::read;
  uint8_t lane = 0;
  uint64_t addr = 0;
  uint32_t bytes = 0;
  const std::byte* data = nullptr;  ///< null: nowhere, or nobody wants data
  std::array<std::byte, 32> before{};

  /// A write of what was there already changes nothing, whoever comes first.
  [[nodiscard]] bool changed() const;
};

/// The memories of a core, as one thread after the other sees them.
class ThreadMemory final : public exec::Memory {
 public:
  ThreadMemory(exec::Memory& core, bool data) : core_(core), data_(data) {}

  void next_instruction() { touches_.clear(); }
  void next_lane(uint32_t lane) { lane_ = static_cast<uint8_t>(lane); }
  [[nodiscard]] const std::vector<Touch>& touches() const { return touches_; }

  std::byte* access(Space space, uint64_t addr, uint64_t bytes, exec::AccessMode how) override;
  std::byte* access_rows(Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes, int64_t pitch,
                         exec::AccessMode how) override;
  std::byte* access_peer(int core, Space space, uint64_t addr, uint64_t rows, uint64_t row_bytes,
                         int64_t pitch, exec::AccessMode how) override;

 private:
  void note(Space space, uint64_t addr, uint64_t bytes, exec::AccessMode how, const std::byte* data);

  exec::Memory& core_;
  bool data_;
  uint8_t lane_ = 0;
  std::vector<Touch> touches_;
};

/// What memory has to serve for the accesses of one instruction.
struct Lines {
  std::vector<uint64_t> numbers;  ///< those of `line` bytes each, ascending; each wanted by some lanes
  uint32_t again = 0;             ///< turns beside these: updates of one element follow each other
};
Lines lines_of(const std::vector<Touch>& touches, uint32_t line);

}  // namespace pto::sim
