#include "lsp/source_positions.hpp"

#include "analysis/constant_folding.hpp"
#include "isa/row.hpp"
#include "isa/tile_defaults.hpp"

namespace pto::lsp {

Places places_of(const Analysis& analysis, const std::string& text, const Settings& settings) {
  if (!analysis.ready()) return {};
  PrepareOptions options;
  options.target = settings.target;
  options.level = settings.level;
  options.sync = settings.sync;
  options.objects = false;
  options.check_synchronisation = false;
  const Result<Prepared> planned = prepare(text, options);
  if (!planned || !planned->ready) return {};
  Places places;
  const Constants constants(planned->program);
  const auto each = [](const Program& program, const auto& act) {
    for (uint32_t index = 0; index < program.ops.size(); ++index) {
      const OpView op(program, index);
      const isa::Row& row = isa::row(op.op().row);
      if (row.opcode_class != isa::OpcodeClass::alloc_tile) continue;
      const int slot = isa::schema(op.op().row).operand_slot("addr");
      if (slot >= 0 && op.op().n_results != 0) act(op, op.operand(static_cast<unsigned>(slot)));
    }
  };
  each(planned->program, [&](const OpView& op, ValueId address) {
    if (const Number number = constants.value_of(address); address != kNoValue && number && *number >= 0)
      places[op.result(0)] = {static_cast<uint64_t>(*number), occupied_bytes(op.result_type(0)),
                              op.result_type(0).space, false};
  });
  // The planner keeps the numbers of values.
  each(analysis.program(), [&](const OpView& op, ValueId address) {
    const auto place = places.find(op.result(0));
    if (place != places.end()) place->second.chosen = address == kNoValue;
  });
  return places;
}

uint64_t bytes_of(const Type& type) {
  switch (type.kind) {
    case TypeKind::tile_buf:
    case TypeKind::multi_tile:
      return occupied_bytes(type);
    case TypeKind::scalar:
      return byte_width(type.elem);
    case TypeKind::vreg:
    case TypeKind::vector:
    case TypeKind::memref:
    case TypeKind::tensor_view:
    case TypeKind::partition_view:
    case TypeKind::local_array: {
      if (type.rank == 0) return 0;
      uint64_t bytes = byte_width(type.elem);
      for (uint8_t i = 0; i < type.rank; ++i) {
        if (type.dims[i] <= 0 || __builtin_mul_overflow(bytes, static_cast<uint64_t>(type.dims[i]), &bytes))
          return 0;
      }
      return bytes;
    }
    default:
      return 0;
  }
}

}  // namespace pto::lsp
