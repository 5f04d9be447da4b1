// The cost of placing one tile at the address of an earlier one: waits between pipes that are not
// needed otherwise.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/hardware_lanes.hpp"
#include "order/happens_before.hpp"
#include "plan/memory/storage_analysis.hpp"
#include "pto/program.hpp"

namespace pto::planner {

class ReuseCost {
 public:
  /// `vector_barriers`: work of PIPE_V that follows its own in the same bytes needs a barrier.
  ReuseCost(const Program& program, const Storage& storage, bool vector_barriers);

  /// The additional waits between pipes for tiles that share an address, in the order of their
  /// first use. 0: no pipe waits.
  [[nodiscard]] double cost(const std::vector<RootId>& tiles) const;

 private:
  static constexpr uint32_t kNever = 0;
  using Places = order::DenseClock<kLanes>;  ///< per pipe: an entry of its queue, counted in the text's order
  struct Use {
    uint32_t first = kNever;  ///< who comes first, and where
    int first_pipe = -1;
    Places last{};      ///< of each pipe
    Places known{};     ///< clock of the first one for the others at that time
    uint32_t loop = 0;  ///< the innermost one around all that is done to it, counted from 1
  };
  struct Loop {
    uint32_t op = 0, end = 0, around = 0;
    uint32_t first = 0, last = 0;  ///< places in it
  };
  struct Last {
    Places read{}, write{};
  };

  void enter(uint32_t op);
  void step(uint32_t op, int pipe);
  void note_use(RootId root, int pipe);
  void order(const StorageUse& access, RootId root, int pipe);
  [[nodiscard]] uint32_t common(uint32_t a, uint32_t b) const;
  [[nodiscard]] double edge(const Use& before, const Use& after, uint32_t later) const;

  const Program& program_;
  const Storage& storage_;
  bool vector_barriers_;
  std::vector<Use> uses_;
  std::vector<Loop> loops_{1};  ///< the first one represents the whole program
  std::vector<uint32_t> depth_{0};
  uint32_t open_ = 0;
  uint32_t place_ = kNever + 1;
  std::vector<Last> seen_;
  order::HappensBefore<Places> order_{kLanes};
  std::vector<Places> done_{1};  ///< by place: what its pipe knows behind it
};

}  // namespace pto::planner
