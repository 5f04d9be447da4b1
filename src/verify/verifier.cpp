// The verifier: ordered passes.
#include "pto/verify.hpp"
#include "verify/passes/backend_pass.hpp"
#include "verify/verifier_context.hpp"

namespace pto {

Level infer_level(const Program& program) {
  bool tiles = false, buffers = false, open = false;
  for (uint32_t i = 0; i < program.ops.size(); ++i) {
    const isa::OpcodeClass opcode_class = isa::row(program.ops[i].row).opcode_class;
    if (opcode_class != isa::OpcodeClass::alloc_tile && opcode_class != isa::OpcodeClass::reserve_buffer)
      continue;
    const OpView op(program, i);
    if (opcode_class == isa::OpcodeClass::alloc_tile) {
      if (op.operand(0) == kNoValue) return Level::level2;
      tiles = true;
    } else {
      const bool placed = op.attr("base") != nullptr && op.attr_int("auto") == 0;
      (placed ? buffers : open) = true;
    }
  }
  // Without tiles the buffers of queues tell.
  return tiles || (buffers && !open) ? Level::level3 : Level::level2;
}

bool verify(const Program& program, const VerifyOptions& options, Diagnostics& diagnostics) {
  const size_t before = diagnostics.errors();
  const std::optional<Program> with_tiles = legality::memrefs_as_tiles(program);
  legality::Checker check(with_tiles ? *with_tiles : program, options.level.value_or(infer_level(program)),
                          diagnostics, &program);
  for (const auto pass :
       {legality::check_structure, legality::check_blocks, legality::check_terminators,
        legality::check_tile_types, legality::check_register_types, legality::check_attributes,
        legality::check_operations, legality::check_align_registers, legality::check_memory,
        legality::check_windows, legality::check_simt, legality::check_fragments, legality::check_locals,
        legality::check_queues, legality::check_cross_core, legality::check_backends})
    pass(check);
  if (options.sync == SyncBy::tools) legality::check_insertable(check);
  if (options.synchronisation && diagnostics.errors() == before)
    legality::check_synchronisation(check, options.sync, options.machine ? &*options.machine : nullptr);
  return diagnostics.errors() == before;
}

}  // namespace pto
