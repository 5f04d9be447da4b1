#include "analysis/scalar_only_kernels.hpp"

#include <algorithm>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::driver {
namespace {

using isa::OpcodeClass;

bool is_scalar(const OpView& op, const Functions& functions) {
  const isa::Row& row = isa::row(op.op().row);
  switch (isa::opcode_class(op)) {
    case OpcodeClass::load:
    case OpcodeClass::store:
    case OpcodeClass::load_buffer:
    case OpcodeClass::store_buffer:
      return !is_vector_access(op);
    case OpcodeClass::make_view:
    case OpcodeClass::partition:
    case OpcodeClass::loop:
    case OpcodeClass::branch:
    case OpcodeClass::index_switch:
    case OpcodeClass::yield:
    case OpcodeClass::ret:
      return true;
    case OpcodeClass::call: {
      const std::span<const uint32_t> called =
          functions.called(op, *functions.enclosing_function(op.index()));
      return !called.empty() && std::ranges::none_of(called, [&](uint32_t callee) {
        return functions[callee].info.declaration;
      });
    }
    default:
      return (row.flags & isa::kPure) != 0 && row.pipe == "S" && row.layer == isa::Layer::scalar &&
             op.op().n_regions == 0;
  }
}

}  // namespace

bool is_scalar_only(const Program& program, const Functions& functions, const std::vector<uint32_t>& used) {
  return std::ranges::all_of(used, [&](uint32_t function) {
    const Function& each = functions[function];
    if (each.info.declaration) return false;
    for (uint32_t op = each.info.op + 1; op < each.end; ++op) {
      if (!is_scalar(OpView(program, op), functions)) return false;
    }
    return true;
  });
}

std::set<uint32_t> stored_arguments(const Program& program, const SymbolicAccesses& places) {
  std::set<uint32_t> found;
  for (const auto& [op, accesses] : places.accesses()) {
    const OpcodeClass opcode_class = isa::opcode_class(OpView(program, op));
    if (opcode_class != OpcodeClass::store && opcode_class != OpcodeClass::store_buffer) continue;
    for (const SymbolicAccess& access : accesses) found.insert(access.region.argument);
  }
  return found;
}

}  // namespace pto::driver
