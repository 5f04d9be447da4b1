// Which pipes touch which memory, over all runs of a kernel: only they have to know of accesses to it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace pto::driver {

class MemoryUse {
 public:
  using Memory = std::pair<uint64_t, uint32_t>;              ///< the memory, and in GM the argument
  using Users = std::map<Memory, std::map<uint32_t, bool>>;  ///< per thread: whether it writes there

  void note(Memory memory, uint32_t thread, bool write) {
    bool& writes = users_[memory][thread];
    writes = writes || write;
  }
  [[nodiscard]] const Users& users() const { return users_; }

 private:
  Users users_;
};

}  // namespace pto::driver
