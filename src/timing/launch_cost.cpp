// Costs of a chip for the engine: the launch, and the windows of GM that transfers move.
#include <algorithm>
#include <array>
#include <vector>

#include "timing/table_model.hpp"

namespace pto::timing {

Cost ConfigCostModel::launch(bool vector_only, uint32_t cores) const {
  auto row = config_.formulas.find(vector_only ? "launch_vector" : "launch");
  if (row == config_.formulas.end()) row = config_.formulas.find("launch");
  if (row == config_.formulas.end()) return {0, 0, Basis::measured};
  const Expression& busy = row->second.busy;
  const std::array<int64_t, 1> values{cores};
  if (busy.variables().size() > values.size()) return {0, 0, Basis::assumed};
  const uint32_t cycles = static_cast<uint32_t>(std::min<uint64_t>(
      busy.cycles({values.data(), busy.variables().size()}).value_or(0), uint64_t{1} << 31));
  return {cycles, cycles, row->second.from.basis};
}

/// Rows of the dimension that lies in one piece, at the distance of the next one.
GmWindow ConfigCostModel::window(const decode::Inst& inst, const decode::Word* frame, bool write) {
  const Binding& bound = binding(inst.row);
  const int slot = write ? bound.dst : bound.src0;
  if (slot < 0) return {};
  const uint32_t begin = inst.slot_begin[static_cast<size_t>(slot)];
  if (begin == inst.slot_begin[static_cast<size_t>(slot) + 1] || inst.values[begin].type == nullptr)
    return {};
  const decode::ValueRef* const ref = &inst.values[begin];
  if (!ref->type->is_view()) return {frame[ref->offset], 1, 0, 0};
  const auto& view = *reinterpret_cast<const decode::ViewDesc*>(frame + ref->offset);
  const auto bytes = static_cast<int64_t>(std::max(1u, byte_width(ref->type->elem)));
  GmWindow window{view.addr, 1, static_cast<uint64_t>(bytes), 0};
  std::vector<size_t> left;
  for (size_t k = 0; k < std::size(view.shape); ++k) {
    if (view.shape[k] > 1) left.push_back(k);
  }
  const auto joins = [&](size_t k) {
    return view.stride[k] * bytes == static_cast<int64_t>(window.row_bytes);
  };
  for (auto next = std::ranges::find_if(left, joins); next != left.end();
       next = std::ranges::find_if(left, joins)) {
    window.row_bytes *= static_cast<uint64_t>(view.shape[*next]);
    left.erase(next);
  }
  for (const size_t k : left) {
    const int64_t stride = view.stride[k] * bytes;
    if (window.rows == 1 || stride < window.pitch) window.pitch = stride;
    window.rows *= static_cast<uint64_t>(view.shape[k]);
  }
  return window;
}

}  // namespace pto::timing
