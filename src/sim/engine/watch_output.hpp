// What a run shows while it goes on: what the program prints, and what is written to watched tiles
// and buffers (SimOptions::watch).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "pto/simulator.hpp"
#include "sim/engine/current_instruction.hpp"
#include "sim/engine/device_state.hpp"

namespace pto::sim {

class WatchOutput {
 public:
  WatchOutput(const Device& device, const SimOptions& options, const CurrentInstruction& current)
      : d_(device), options_(options), current_(current) {}

  /// Finds the watched values and buffers. Before the run.
  void prepare();
  [[nodiscard]] bool is_watching() const { return watching_; }
  /// Nothing that happens from now on is shown.
  void disconnect();

  void print(std::string text) const;
  /// An instruction runs between the two calls.
  void begin_instruction() {
    if (watching_) written_.clear();
  }
  void end_instruction(Core& core) {
    if (watching_ && !written_.empty()) show_written(core);
  }
  void add_footprint(const FootprintEvent& event) {
    if (watching_ && event.write) written_.push_back(event);
  }

 private:
  struct WatchedOp {
    std::string name;
    ValueId value;
  };
  struct WatchedBuffer {
    std::string name;
    uint32_t line;
    uint64_t begin, end;
    Elem elem;
  };
  void show_written(Core& core);
  void show_buffers(Core& core, const std::vector<FootprintEvent>& written);
  void show_values(Core& core, const std::vector<FootprintEvent>& written);
  void show_tile(Core& core, const std::string& name, unsigned slot);
  void show_rows(Core& core, const std::string& name, Elem elem, const FootprintEvent& event, uint64_t base);
  [[nodiscard]] Printed printed_here(std::string name) const;

  const Device& d_;
  const SimOptions& options_;
  const CurrentInstruction& current_;
  std::unordered_map<uint32_t, std::vector<WatchedOp>> watched_ops_;  ///< by operation
  std::vector<WatchedBuffer> watched_buffers_;
  std::vector<FootprintEvent> written_;  ///< by the instruction that runs
  bool watching_ = false;
  bool disconnected_ = false;
};

}  // namespace pto::sim
