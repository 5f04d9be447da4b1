// Statements that syntax strings do not express. Each hook reads the items, fills the draft and emits; it returns false
// when the statement is not its own special form and the row's syntax applies.
#pragma once

#include "asm/binder.hpp"

namespace pto::text {

bool bind_module(Binder& b);
bool bind_function(Binder& b);
bool bind_call(Binder& b);
bool bind_for(Binder& b);
bool bind_if(Binder& b);
bool bind_while(Binder& b);
bool bind_strict_vecscope(Binder& b);
bool bind_constant(Binder& b);
bool bind_select(Binder& b);

bool bind_partition_view(Binder& b);
bool bind_subview(Binder& b);
bool bind_tassign(Binder& b);
bool bind_mode(Binder& b);
bool bind_get_buf(Binder& b);
bool bind_sync(Binder& b);
bool bind_initialize_pipe(Binder& b);
bool bind_initialize_l2_pipe(Binder& b);
bool bind_mte_l0c(Binder& b);
/// Where a part of such a statement stands; empty when it is not written.
Span find_in_clauses(Binder& b, const isa::Schema& schema, const Anchor& anchor);

// Blocks and the regions of a switch: blocks.cpp.
bool bind_br(Binder& b);
bool bind_cond_br(Binder& b);
bool bind_block(Binder& b);
bool bind_execute_region(Binder& b);
bool bind_index_switch(Binder& b);

// Lists that mix values and numbers: mixed.cpp.
bool bind_reinterpret_cast(Binder& b);
bool bind_memref_subview(Binder& b);
bool bind_expand_shape(Binder& b);
bool bind_extractvalue(Binder& b);
bool bind_getelementptr(Binder& b);
bool bind_vector_extract(Binder& b);
bool bind_vector_insert(Binder& b);

}  // namespace pto::text
