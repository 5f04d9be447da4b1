#include "sim/loader/loader_state.hpp"

#include <set>

namespace pto::sim {
namespace {

std::string at_line(const Program& program, uint32_t pc) {
  const Location where = program.ops[pc].where;
  const std::string file = program.source_name.empty() ? std::string("line ") : program.source_name + ":";
  return where.line == 0 ? program.source_name : file + std::to_string(where.line);
}

}  // namespace

QueueWiring::QueueWiring(const Program& program) : facts(program) {
  std::set<size_t> all;
  for (const auto& [group, members] : facts.groups) all.insert(group);
  flags = facts.flags(all);
}

LoaderState::LoaderState(const Program& of, const Functions& all, const CallGraph& graph, const Machine& on,
                         Kernel& loaded, CoreCode& built, const std::vector<uint8_t>& data_dependent,
                         const QueueWiring* wiring)
    : program(of),
      functions(all),
      call_graph(graph),
      machine(on),
      kernel(loaded),
      role(built),
      unknown(data_dependent),
      queues(wiring),
      a5((on.target == Target::cpu ? of.target : on.target) == Target::a5),
      frame(of),
      code(of, built, frame) {}

void LoaderState::fail(uint32_t pc, std::string message, Error::Kind kind) {
  if (!error) error = Error{at_line(program, pc) + ": " + std::move(message), kind};
}

void LoaderState::refuse(uint32_t pc, const std::string& why) {
  fail(pc, std::string(isa::row(program.ops[pc].row).name) + " " + why, Error::Kind::unsupported);
}

}  // namespace pto::sim
