// Tile queues as the rules of queues.cpp, queue_peers.cpp and queue_borrows.cpp see them.
#pragma once

#include <string>

#include "analysis/tile_queues.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {

using pto::BufferKey, pto::queue_row, pto::QueueEnd, pto::QueueRow, pto::QueueUse;

class Queues : public QueueFacts {
 public:
  explicit Queues(Checker& checker) : QueueFacts(checker.program()), check(checker) {}

  Checker& check;
  /// "the queue with id 3" or "%pipe".
  [[nodiscard]] std::string name(const QueueEnd& end) const;
};

unsigned attribute_of(const OpView& op, std::string_view name);

void check_queue_peers(Queues& queues);
void check_queue_pops(Queues& queues);
void check_queue_epilogues(Queues& queues);
/// Whether the instruction sets the scales of a converting queue.
bool sets_queue_scales(const Checker& check);

}  // namespace pto::legality
