// Accesses of a memory to other devices. The memory of a single device has no peers.
#pragma once

#include <cstdint>
#include <span>

#include "exec/exec_context.hpp"
#include "isa/cmp_predicate.hpp"

namespace pto::exec {

class PeerMemory {
 public:
  virtual ~PeerMemory() = default;
  /// Announces that the next update of GM adds elements; in another device they are added to the
  /// values at the time of arrival.
  virtual void will_add(Elem elem) = 0;
  /// Announces that the next read goes through a tile in this number of parts.
  virtual void will_take(uint64_t parts) = 0;
  /// A word of GM is set, or added to, for those who wait for it. True: it was done, or is on its way.
  virtual bool notify(uint64_t addr, int32_t value, bool set) = 0;
  /// Reports a comparison of words in GM: `passed`, or it is repeated if `waits`. False: the words
  /// belong to another device, which does not report changes.
  virtual bool looked(const ViewDesc& words, isa::CmpPredicate how, int32_t wanted, bool passed,
                      bool waits) = 0;
};

inline PeerMemory* peer_memory(const Context& context) { return dynamic_cast<PeerMemory*>(context.memory); }
inline void will_add(const Context& context, Elem elem) {
  if (PeerMemory* const memory = peer_memory(context)) memory->will_add(elem);
}
inline void will_take(const Context& context, uint64_t parts) {
  if (PeerMemory* const memory = peer_memory(context)) memory->will_take(parts);
}

}  // namespace pto::exec
