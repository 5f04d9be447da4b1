#include "verify/passes/queue_ends.hpp"

#include <fmt/format.h>

namespace pto::legality {

std::string Queues::name(const QueueEnd& end) const {
  return end.frontend ? fmt::format("the queue with id {}", end.id)
                      : value_name(program, view(end.op).result(0));
}

void note_at(Diagnostic& diagnostic, const OpView& op, std::string message) {
  Note built;
  built.message = std::move(message);
  built.where = op.op().where;
  built.anchor = {Anchor::Part::op, op.index(), 0};
  diagnostic.notes.push_back(std::move(built));
}

unsigned attribute_of(const OpView& op, std::string_view name) {
  return static_cast<unsigned>(isa::schema(op.op().row).attr_index(name));
}

}  // namespace pto::legality
