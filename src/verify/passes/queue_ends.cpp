#include "verify/passes/queue_ends.hpp"

#include <fmt/format.h>

namespace pto::legality {

std::string Queues::name(const QueueEnd& end) const {
  return end.frontend ? fmt::format("the queue with id {}", end.id)
                      : value_name(program, view(end.op).result(0));
}

unsigned attribute_of(const OpView& op, std::string_view name) {
  return static_cast<unsigned>(isa::schema(op.op().row).attr_index(name));
}

}  // namespace pto::legality
