#include "analysis/scalar_only_kernels.hpp"

#include <algorithm>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::driver {
namespace {

using isa::Does;

bool is_scalar(const OpView& op, const Functions& functions) {
  const isa::Row& row = isa::row(op.op().row);
  switch (isa::does(op)) {
    case Does::load:
    case Does::store:
    case Does::load_buffer:
    case Does::store_buffer:
      return !moves_vector(op);
    case Does::make_view:
    case Does::partition:
    case Does::loop:
    case Does::branch:
    case Does::index_switch:
    case Does::yield:
    case Does::ret:
      return true;
    case Does::call: {
      const std::span<const uint32_t> called = functions.called(op, *functions.around(op.index()));
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

bool only_scalar(const Program& program, const Functions& functions, const std::vector<uint32_t>& used) {
  return std::ranges::all_of(used, [&](uint32_t function) {
    const Function& each = functions[function];
    if (each.info.declaration) return false;
    for (uint32_t op = each.info.op + 1; op < each.end; ++op) {
      if (!is_scalar(OpView(program, op), functions)) return false;
    }
    return true;
  });
}

std::set<uint32_t> stored_arguments(const Program& program, const GmPlaces& places) {
  std::set<uint32_t> found;
  for (const auto& [op, accesses] : places.accesses()) {
    const Does does = isa::does(OpView(program, op));
    if (does != Does::store && does != Does::store_buffer) continue;
    for (const GmAccess& access : accesses) found.insert(access.place.argument);
  }
  return found;
}

}  // namespace pto::driver
