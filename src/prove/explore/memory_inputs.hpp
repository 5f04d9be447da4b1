// Control-relevant integers in GM that the scalar unit loads: the memory cells that they are loaded
// from, and the values that the search stores there.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "pto/simulator.hpp"

namespace pto::driver {

/// Where in a buffer argument a number lies.
struct MemoryCell {
  uint32_t argument = 0;
  uint64_t offset = 0;
  uint32_t bytes = 0;
  /// The context of a load: loads in two contexts are two values, because they may differ for other
  /// parameters. 0: the context does not matter.
  uint32_t context = 0;
  auto operator<=>(const MemoryCell&) const = default;
};

struct MemoryInput {
  MemoryCell cell;
  int64_t number = 0;
  bool operator==(const MemoryInput&) const = default;
};
/// Whether it is a number of that type, or of a place of that size.
bool fits(const Type& type, int64_t number);
bool fits(const MemoryCell& place, int64_t number);
/// Numbers of places, in the order in which a run comes to read them.
using MemoryInputs = std::vector<MemoryInput>;

/// Puts the numbers into the arguments. False when a place is too far away.
bool write_inputs(const MemoryInputs& contents, std::vector<Argument>& arguments);

/// Sees where deciding loads look, and whether the kernel itself writes there, and gives them their numbers:
/// 0 to those that have none.
class InputLoadTracker {
 public:
  /// `loads`: the operations whose results decide.
  InputLoadTracker(const std::set<uint32_t>& loads, const MemoryInputs& contents) : loads_(loads) {
    for (const auto& [place, number] : contents) numbers_[place] = number;
  }

  void on_argument(uint32_t index, uint64_t addr, uint64_t bytes) { buffers_[index] = {addr, bytes}; }
  [[nodiscard]] bool is_input_load(const FootprintEvent& event) const {
    return event.pipe == Pipe::s && event.space == Space::gm && !event.write && loads_.contains(event.pc);
  }
  /// Where an argument is written.
  void record_write(const FootprintEvent& event);
  /// The number of the place that a deciding load reads, the bytes of which it is about to take.
  std::optional<size_t> record_load(const FootprintEvent& event, uint32_t way);
  [[nodiscard]] std::optional<uint32_t> argument_at(uint64_t addr) const;
  [[nodiscard]] uint64_t begin_of(uint32_t argument) const { return buffers_.at(argument).addr; }

  /// Puts the places into another order: for each the number that it had.
  void reorder(const std::vector<size_t>& order);
  /// The cells in the order of their first read.
  [[nodiscard]] const std::vector<MemoryCell>& cells() const { return cells_; }
  /// The same with the numbers that they gave.
  [[nodiscard]] MemoryInputs observed() const;
  /// Which operations read which place.
  [[nodiscard]] const std::map<MemoryCell, std::set<uint32_t>>& readers() const { return readers_; }
  /// An operation that loads a cell again.
  [[nodiscard]] std::optional<uint32_t> reloading_op() const { return reloading_op_; }
  /// An operation that loads bytes that the kernel may have written, or bytes of another cell.
  [[nodiscard]] std::optional<uint32_t> find_written_input() const;

 private:
  struct Buffer {
    uint64_t addr = 0, bytes = 0;
  };
  struct Interval {
    uint64_t begin = 0, end = 0;
  };
  [[nodiscard]] int64_t number_of(const MemoryCell& place) const;

  const std::set<uint32_t>& loads_;
  std::map<MemoryCell, int64_t> numbers_;
  std::map<uint32_t, Buffer> buffers_;
  std::vector<MemoryCell> cells_;
  struct Reader {
    uint32_t op = 0;
    size_t number = 0;
  };
  std::map<MemoryCell, Reader> read_by_;
  std::map<MemoryCell, std::set<uint32_t>> readers_;
  std::map<uint32_t, std::vector<Interval>> written_;  ///< per argument
  std::optional<uint32_t> reloading_op_;
};

}  // namespace pto::driver
