// Runs of vector operations that stand outside a vector scope, and where a scope fits around them.
//
// A run is a maximal stretch of one block that holds vector operations, pure scalar ones, and loops and
// branches made of these alone. Everything else ends it: calls, barriers, flags, DMA, scalar memory. A scope
// hands on no values, so it fits around a stretch of a run whose results are used inside only. The longest
// such stretch is taken, from the front.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/call_graph.hpp"
#include "ir/symbol_table.hpp"
#include "isa/row.hpp"
#include "pto/program.hpp"

namespace pto::isa {

/// Operations [begin, end) of one block, regions included.
struct Stretch {
  uint32_t begin = 0, end = 0;
};

/// Why no scope fits around an operation: a value made by `op` is used behind the run.
struct Escape {
  uint32_t op = 0;
  ValueId value = kNoValue;
  uint32_t user = 0;      ///< first operation behind the run that uses it
  uint32_t operand = 0;   ///< as which of its operands
  uint32_t boundary = 0;  ///< the operation that ends the run
};

/// Bodies that run inside the scope of another function: called from a scope, marked for inlining without one
/// of their own, or with registers among what they return. By their operations.
std::unordered_set<uint32_t> functions_inside_scopes(const Program& program, const Functions& functions,
                                                     const CallGraph& graph);

class VectorRuns {
 public:
  /// `logical`: operations on logical vectors are vector operations.
  explicit VectorRuns(const Program& program, bool logical = false);

  /// Where scopes are missing and fit, in the order of the program.
  [[nodiscard]] const std::vector<Stretch>& scopes() const { return scopes_; }
  /// Whether every vector operation is in a scope, written or missing.
  [[nodiscard]] bool complete() const { return open_.empty(); }
  /// What keeps a scope away from a vector operation that is in none; nullopt when one fits.
  [[nodiscard]] std::optional<Escape> escape_of(uint32_t op) const;

 private:
  enum class Class : uint8_t { boundary, scalar, vector };
  struct Run {
    Stretch range;
    std::vector<uint32_t> ops;       ///< those of the block itself
    std::vector<uint32_t> escaping;  ///< of these the ones whose results are used behind the run
  };

  void classify();
  void close_region_op(uint32_t op);
  void find_last_uses();
  void visit_block(uint32_t begin, uint32_t end);
  void place_scopes(Run run);
  void visit_regions(uint32_t op);
  [[nodiscard]] uint32_t last_use(uint32_t op) const;
  [[nodiscard]] std::vector<uint32_t> closed_ends(const Run& run) const;
  void find_outside_users();
  [[nodiscard]] Escape describe(const Run& run, uint32_t op) const;

  const Program& program_;
  bool logical_;
  std::vector<Class> class_;        ///< per operation
  std::vector<uint32_t> last_use_;  ///< per value: the last operation that uses it
  std::vector<Stretch> blocks_;     ///< still to visit
  std::vector<Stretch> scopes_;
  std::vector<Run> open_;  ///< runs that keep vector operations without a scope, in the order of the program
  struct Use {
    uint32_t op, operand;
  };
  std::unordered_map<ValueId, Use>
      outside_;                           ///< first use behind the run, for results that leave one of these
  std::unordered_set<uint32_t> inlined_;  ///< functions, by their operations
};

}  // namespace pto::isa
