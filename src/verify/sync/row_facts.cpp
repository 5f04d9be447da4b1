#include "verify/sync/row_facts.hpp"

#include <algorithm>
#include <string_view>

#include "ir/accumulator_flag.hpp"
#include "ir/hardware_lanes.hpp"
#include "ir/pipe_rules.hpp"

namespace pto::legality::sync {
namespace {

int8_t fixed_lane(std::string_view pipe) {
  if (pipe.starts_with(':') || pipe.starts_with('@')) return kAsk;
  const std::optional<Pipe> known = isa::named_pipe(pipe);
  return known && *known != Pipe::none ? static_cast<int8_t>(lane_of(*known)) : int8_t{-1};
}

/// Operands whose bytes the instruction certainly touches. Scratch tiles are left out: what is done with them
/// depends on shapes and target.
void find_places(const isa::Schema& schema, OperationFacts& built) {
  constexpr uint32_t kPlaces = isa::kTile | isa::kView | isa::kTView | isa::kPtr | isa::kMemRef;
  for (size_t i = 0; i < schema.operands.size(); ++i) {
    const isa::OperandSpec& spec = schema.operands[i];
    if (spec.name == "offset" && (spec.kinds & isa::kIndex)) built.offset_slot = static_cast<int16_t>(i);
    if (!(spec.kinds & kPlaces) || spec.role == isa::Role::tmp || spec.arity != isa::Arity::one) continue;
    built.places.push_back({static_cast<uint8_t>(i), spec.role});
  }
}

/// Positions of these move the pointer that they read through; what they write begins where its pointer is.
std::vector<uint8_t> positions(const isa::Schema& schema) {
  std::vector<uint8_t> found;
  for (size_t i = 0; i < schema.operands.size(); ++i)
    if (schema.operands[i].name.find("start") != std::string_view::npos)
      found.push_back(static_cast<uint8_t>(i));
  return found;
}

/// Pointers of these are moved by further operands, so that their first byte need not be touched.
bool moves_pointers(const isa::Schema& schema) {
  return std::ranges::any_of(schema.operands, [](const isa::OperandSpec& spec) {
    return spec.name == "offsets" || spec.name == "align_in" || spec.name == "align" || spec.name == "areg" ||
           spec.name == "block_stride";
  });
}

OperationFacts facts_of(RowId id) {
  const isa::Schema& schema = isa::schema(id);
  const isa::Row& row = *schema.row;
  OperationFacts built;
  built.opcode_class = row.opcode_class;
  built.sync = isa::is_pipe_synchronisation(row.opcode_class);
  built.lane = row.pipe.empty() ? int8_t{-1} : fixed_lane(row.pipe);
  built.fifo = isa::is_queue_transfer(row.opcode_class);
  built.partial = (row.flags & isa::kPartial) != 0;
  built.unit_flag = isa::has_unit_flag(row);
  find_places(schema, built);
  if (moves_pointers(schema)) built.places.clear();
  built.positions = positions(schema);
  const bool data = row.layer == isa::Layer::tile || row.layer == isa::Layer::vector ||
                    row.layer == isa::Layer::cube || row.layer == isa::Layer::dma ||
                    row.layer == isa::Layer::system;
  const bool followed = isa::is_scalar_evaluable(row.opcode_class) || isa::is_structural(row.opcode_class) ||
                        isa::is_synchronisation(row.opcode_class);
  const bool scalar_access = row.opcode_class == OpcodeClass::load || row.opcode_class == OpcodeClass::store;
  built.work =
      !followed && (built.fifo || built.lane == kAsk || built.lane > kScalarLane ||
                    (built.lane == kScalarLane && (scalar_access || (data && !built.places.empty()))));
  if (built.work && built.lane == kScalarLane && !scalar_access && !built.partial)
    built.places.clear();  // names a tile, reads nothing
  for (const isa::OperandSpec& result : schema.results)
    built.scalar_result =
        built.scalar_result || (result.kinds & (isa::kInt | isa::kIndex | isa::kI1 | isa::kI32 | isa::kI64 |
                                                isa::kFloat | isa::kScalar)) != 0;
  return built;
}

}  // namespace

void FactsTable::make(RowId row) { made_[row] = std::make_unique<OperationFacts>(facts_of(row)); }

}  // namespace pto::legality::sync
