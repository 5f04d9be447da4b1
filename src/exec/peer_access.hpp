// What the memory of one of several devices can do beside: a memory that has none of it runs alone.
#pragma once

#include <cstdint>
#include <span>

#include "exec/exec_context.hpp"
#include "isa/cmp_predicate.hpp"

namespace pto::exec {

class PeerMemory {
 public:
  virtual ~PeerMemory() = default;
  /// The next access of GM to update adds elements: in another device, to what is there when they come.
  virtual void will_add(Elem elem) = 0;
  /// What is read next goes through a tile in so many parts.
  virtual void will_take(uint64_t parts) = 0;
  /// A word of GM is set, or added to, for those who wait for it. True: it was done, or is on its way.
  virtual bool notify(uint64_t addr, int32_t value, bool set) = 0;
  /// Words of GM were compared: `passed`, or they will be looked at again where `waits`. False: they are
  /// another device's, which tells nobody when they change.
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
