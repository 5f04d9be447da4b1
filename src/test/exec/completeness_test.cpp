// Every executed row has semantics and a cost class; every name without either says so.
#include <algorithm>
#include <set>
#include <span>

#include "isa/row.hpp"
#include "sim/loader/loader.hpp"
#include "support/strings.hpp"
#include "testing/catch_main.hpp"

namespace pto::isa {
namespace {

TEST_CASE("what runs is not marked as not executed, and what is not marked runs", "[isa]") {
  for (const Row& row : rows()) {
    if ((row.flags & kAlias) != 0) continue;
    INFO(row.name);
    const bool another_form_runs = std::ranges::any_of(rows(), [&](const Row& other) {
      return other.name == row.name && (other.flags & kNotExecuted) == 0;
    });
    if ((row.flags & kNotExecuted) != 0 && another_form_runs) continue;
    CHECK(sim::carries_out(row) == ((row.flags & kNotExecuted) == 0));
  }
}

/// The attributes that something reads when a program runs: semantics, the loader, the pipe, the cost.
constexpr std::string_view kRead[] = {
    // values
    "accToVecMode", "acc_push_epilogue", "atomicType", "atomic_op", "atomic_type", "axis", "byte", "cmp",
    "cmpMode", "cmp_mode", "coalesce", "config", "descending", "dir_mask", "disable_gemv", "dist", "dst_mode",
    "dimX", "elem_type", "rawConstantIndices", "pto.persistent", "dimY", "dimZ", "rounding", "saturation",
    "signedness", "slot", "width", "enable", "exhausted", "fill_word_bits", "format", "gatherOob", "grpAxis",
    "interleave", "isMSB", "maskPattern", "mode", "nosplit", "notifyOp", "offset", "order", "part", "path",
    "pattern", "position", "pre_quant_mode", "pre_relu_mode", "predicate", "printFormat", "quantScaleAlg",
    "quant_type", "reduceOp", "root", "reluPreMode", "rmode", "rnd", "round_mode", "rounds", "sat",
    "sat_mode", "satmode", "scatterAtomicOp", "scatterOob", "sizes", "split", "spr", "tf32_mode", "transpose",
    "upperOrLower", "static_offsets", "static_position", "static_sizes", "static_strides", "storeMode",
    "value", "pto.param", "dist_mode", "group", "group_size", "indices", "num_groups", "pmode", "saturate",
    // synchronisation, queues, memory
    "auto", "base", "buf_id", "core_type", "dst", "dst_op", "dst_pipe", "event_id", "ffts_mode", "flag_base",
    "id", "kind", "local_slot_num", "location", "mem", "name", "op_type", "peer_func", "pipe", "scope",
    "single_cache_line", "size", "slot_num", "slot_size", "space", "src_op", "src_pipe", "accPhase",
    "stPhase", "unit_flag", "unit_flag_mode",
    // control and functions
    "alignment", "callee", "cases", "default_first", "dest", "falseDest", "function_results", "hacc.entry",
    "llvm.loop.aivector_scope", "msg", "pto.aicore", "pto.entry", "pto.kernel", "pto.kernel_kind",
    "pto.simt_entry", "pto.target_arch", "pto.tilelang.inline_proc", "pto.tilelang.instance",
    "pto.tileop.helper", "sym_name", "sym_visibility", "trueDest",
    // cycles
    "isBinary", "precisionType", "precision_mode"};
/// Hints to an optimiser, notes for other tools, limits that the verifier compares, forms that are refused.
constexpr std::string_view kHints[] = {"branch_weights",
                                       "inbounds",
                                       "volatile_",
                                       "fastmath",
                                       "no_inline",
                                       "overflow",
                                       "pto.auto_sync_tail_hint",
                                       "pto.device-spec",
                                       "pto.simt_max_regs",
                                       "layout",
                                       "pto.backend",
                                       "pto.simt_max_threads",
                                       "nontemporal",
                                       "reassoc",
                                       "reassociation",
                                       "static_output_shape",
                                       "init_out_buffer",
                                       "pad_mode"};

std::string_view silent_attributes(const Schema& schema) {
  const RowRule* rule = schema.find_rule(RuleName::silent);
  return rule == nullptr ? std::string_view() : rule->argument;
}

TEST_CASE("every attribute of what runs is read, or its row says that it has no effect", "[isa]") {
  std::set<std::string_view> seen;
  for (const Row& row : rows()) {
    const Schema& schema = pto::isa::schema(id_of(row));
    const std::string_view silent = silent_attributes(schema);
    for (const std::string_view name : split(silent, ',')) CHECK(schema.attr_index(name) >= 0);
    if ((row.flags & (kNotExecuted | kAlias)) != 0) continue;
    for (const AttrSpec& attr : schema.attrs) {
      seen.insert(attr.name);
      INFO(row.name << ": " << attr.name << " is read by nothing; execute it, or write silent:" << attr.name);
      const bool read = std::ranges::find(kRead, attr.name) != std::end(kRead) ||
                        std::ranges::find(kHints, attr.name) != std::end(kHints);
      CHECK(read != (!silent.empty() && in_list(silent, attr.name)));
    }
  }
  for (const auto list :
       {std::span<const std::string_view>(kRead), std::span<const std::string_view>(kHints)}) {
    for (const std::string_view name : list) {
      INFO(name << " is no attribute of an executed row");
      CHECK(seen.contains(name));
    }
  }
}

TEST_CASE("every row that takes a pipe has a cost class", "[isa]") {
  for (const Row& row : rows()) {
    INFO(row.name);
    CHECK((row.pipe == "none" || !row.cost.empty()));
  }
}

TEST_CASE("names without a textual form are not executed", "[isa]") {
  for (const Row& row : rows()) {
    INFO(row.name);
    if (row.syntax == "@none") CHECK((row.flags & kNotExecuted) != 0);
  }
}

TEST_CASE("every row has a line of documentation", "[isa]") {
  for (const Row& row : rows()) {
    INFO(row.name);
    CHECK(!row.doc.empty());
    CHECK(row.doc.find('\n') == std::string_view::npos);
  }
}

}  // namespace
}  // namespace pto::isa
