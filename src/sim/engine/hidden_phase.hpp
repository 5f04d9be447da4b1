// What checkers may ask of the engine besides RunContext.
#pragma once

namespace pto::sim {

class HiddenPhase {
 public:
  virtual ~HiddenPhase() = default;
  /// Whether the access that is told belongs to what an instruction does besides its function: to its scratch
  /// tile, or to a source that it leaves with other bytes.
  [[nodiscard]] virtual bool in_hidden_phase() const = 0;
};

}  // namespace pto::sim
