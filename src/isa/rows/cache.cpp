// Caches and memory fences of one core. The simulator keeps every access to GM coherent: what maintains a
// cache changes no value, but its absence is found (STALE); a fence holds the core until its pipes have
// finished. Columns: see src/isa/row.hpp.
#include "isa/rows/families.hpp"

namespace pto::isa {
namespace {

constexpr Row kShared = {.pipe = "S", .cost = "scalar", .scope = Scope::outside, .layer = Layer::system};

constexpr Row kRows[] = {
    {.name = "pto.cmo.cacheinvalid",
     .doc = "writes back and drops the scalar data cache, all of it or the line of an address",
     .operands = "addr:ptr|tview|view|memref?",
     .attrs = "space:address_space? single_cache_line:unit?",
     .syntax = "(all $space | $addr $single_cache_line : type($addr)) {attrs}",
     .rules = "gm:addr cached:gm not_vpto",
     .opcode_class = OpcodeClass::clean_cache},
    {.name = "pto.fence.barrier_all",
     .doc = "everything earlier of this core is complete, and visible in the scope",
     .attrs = "scope:fence_scope",
     .syntax = "$scope {attrs}",
     .rules = "not_vpto",
     .opcode_class = OpcodeClass::fence},
    {.name = "pto.dsb",
     .doc = "the scalar unit's memory effects are complete",
     .attrs = "mem:dsb_mem",
     .syntax = "$mem {attrs}"},
    {.name = "pto.dcci",
     .doc = "cleans and drops a line of the scalar data cache, or all of it",
     .operands = "addr:ptr",
     .attrs = "scope:dcci_scope dst:dcci_dst?",
     .syntax = "$addr $scope (, $dst)? {attrs} : type($addr)",
     .rules = "cached",
     .opcode_class = OpcodeClass::clean_cache},
};

constexpr auto kTable = inherit(kShared, kRows);

}  // namespace

FamilyRows cache_rows() { return complete<kTable>(); }

}  // namespace pto::isa
