#include "lower/operation_table.hpp"

#include <array>

#include "lower/active_lanes.hpp"
#include "lower/element_conversion.hpp"
#include "lower/indexed_access.hpp"
#include "lower/lane_wise.hpp"
#include "lower/load_lowering.hpp"
#include "lower/masks.hpp"
#include "lower/permutations.hpp"
#include "lower/reductions.hpp"
#include "lower/store_lowering.hpp"

namespace pto::lower {
namespace {

using LoweringFunction = void (*)(LoweringState&, const OpView&);

struct Entry {
  Lowering kind;
  LoweringFunction function;
};

constexpr Entry kEntries[] = {
    {Lowering::lanes, lower_lane_wise},
    {Lowering::product, lower_lane_wise},
    {Lowering::multiply_add, lower_lane_wise},
    {Lowering::choose, lower_lane_wise},
    {Lowering::logic_and, lower_logic},
    {Lowering::logic_or, lower_logic},
    {Lowering::logic_xor, lower_logic},
    {Lowering::logic_not, lower_logic},
    {Lowering::compare, lower_compare},
    {Lowering::compare_integers, lower_compare},
    {Lowering::convert, lower_conversion},
    {Lowering::exp_difference, lower_exp_difference},
    {Lowering::recast, lower_bitcast},
    {Lowering::constant, lower_constant},
    {Lowering::broadcast, lower_broadcast},
    {Lowering::counted, lower_counted},
    {Lowering::count_down, lower_count_down},
    {Lowering::select_lanes, lower_select_lanes},
    {Lowering::shuffle, lower_shuffle},
    {Lowering::interleave, lower_interleaving},
    {Lowering::deinterleave, lower_interleaving},
    {Lowering::split, lower_split},
    {Lowering::merge, lower_merge},
    {Lowering::compress, lower_compress},
    {Lowering::active_below, lower_active_below},
    {Lowering::reduce_add, lower_reduction},
    {Lowering::reduce_max, lower_reduction},
    {Lowering::reduce_min, lower_reduction},
    {Lowering::histogram, lower_histogram},
    {Lowering::load, lower_load},
    {Lowering::load_pairs, lower_load_pairs},
    {Lowering::load_groups, lower_load_groups},
    {Lowering::load_group_broadcast, lower_load_groups},
    {Lowering::load_blocks, lower_load_blocks},
    {Lowering::load_masked, lower_load_masked},
    {Lowering::load_expanded, lower_load_expanded},
    {Lowering::gather, lower_gather},
    {Lowering::store, lower_store},
    {Lowering::store_groups, lower_store_groups},
    {Lowering::store_blocks, lower_store_blocks},
    {Lowering::store_pairs, lower_store_pairs},
    {Lowering::scatter, lower_scatter},
    {Lowering::store_compressed, lower_store_compressed},
    {Lowering::place, lower_layout_hint},
    {Lowering::unpack, lower_unpack},
    {Lowering::pack, lower_pack},
};

/// The entries by their class. Masks that are built at each use have none (masks.hpp).
constexpr auto kTable = [] {
  std::array<LoweringFunction, static_cast<size_t>(Lowering::to_load)> table{};
  for (const Entry& entry : kEntries) table[static_cast<size_t>(entry.kind)] = entry.function;
  return table;
}();

}  // namespace

void lower_operation(LoweringState& state, const OpView& op) {
  const auto kind = static_cast<size_t>(isa::row(op.op().row).lowering);
  const LoweringFunction function = kind < kTable.size() ? kTable[kind] : nullptr;
  if (function == nullptr) return state.refuse("no vector instructions are known for it");
  function(state, op);
}

}  // namespace pto::lower
