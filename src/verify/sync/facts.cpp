#include "verify/sync/facts.hpp"

#include <algorithm>
#include <string_view>

#include "verify/sync/lanes.hpp"

namespace pto::legality::sync {
namespace {

struct Named {
  std::string_view name;
  Does does;
};
constexpr Named kNamed[] = {
    {"arith.constant", Does::constant}, {"arith.addi", Does::add}, {"arith.subi", Does::sub}, {"arith.muli", Does::mul},
    {"arith.divsi", Does::div_s}, {"arith.divui", Does::div_u}, {"arith.remsi", Does::rem_s}, {"arith.remui", Does::rem_u},
    {"arith.andi", Does::bit_and}, {"arith.ori", Does::bit_or}, {"arith.xori", Does::bit_xor}, {"arith.shli", Does::shift_left},
    {"arith.minsi", Does::min_s}, {"arith.maxsi", Does::max_s}, {"arith.cmpi", Does::compare}, {"arith.select", Does::select},
    {"arith.index_cast", Does::cast}, {"arith.index_castui", Does::cast_unsigned}, {"arith.extsi", Does::cast}, {"arith.extui", Does::cast_unsigned},
    {"arith.trunci", Does::cast},
    {"pto.alloc_tile", Does::alloc}, {"pto.tassign", Does::assign}, {"pto.castptr", Does::cast_ptr}, {"pto.addptr", Does::add_ptr},
    {"pto.treshape", Does::rename}, {"pto.bitcast", Does::rename}, {"pto.tile_buf_addr", Does::rename}, {"pto.tensor_view_addr", Does::rename},
    {"pto.subview", Does::subview}, {"pto.make_tensor_view", Does::make_view}, {"pto.partition_view", Does::partition},
    {"scf.for", Does::loop}, {"scf.while", Does::while_loop}, {"scf.if", Does::branch}, {"func.call", Does::call}, {"scf.yield", Does::yield},
    {"scf.condition", Does::condition}, {"func.return", Does::ret}, {"scf.execute_region", Does::inline_region},
    {"cf.br", Does::jump}, {"cf.cond_br", Does::jump}, {"pto.section.cube", Does::section_cube},
    {"pto.section.vector", Does::section_vector}, {"pto.vecscope", Does::vecscope}, {"pto.strict_vecscope", Does::strict_vecscope},
    {"builtin.module", Does::container}, {"func.func", Does::container},
    {"pto.set_flag", Does::set_flag}, {"pto.wait_flag", Does::wait_flag}, {"pto.set_flag_dyn", Does::set_flag_dyn},
    {"pto.wait_flag_dyn", Does::wait_flag_dyn}, {"pto.record_event", Does::record_event}, {"pto.wait_event", Does::wait_event},
    {"pto.barrier", Does::barrier}, {"pto.pipe_barrier", Does::barrier}, {"pto.barrier_sync", Does::barrier_kind},
    {"pto.get_buf", Does::get_buf}, {"pto.rls_buf", Does::rls_buf}, {"pto.sync.set", Does::sync_set}, {"pto.sync.wait", Does::sync_wait},
    {"pto.set_cross_core", Does::opaque_sync}, {"pto.set_intra_block", Does::opaque_sync}, {"pto.wait_flag_dev", Does::opaque_sync},
    {"pto.wait_intra_core", Does::opaque_sync}, {"pto.tsync", Does::opaque_sync}, {"pto.syncall", Does::opaque_sync},
};

/// Which bytes of their tiles these touch depends on an index or on data.
bool touches_some(std::string_view name) {
  static constexpr std::string_view kNames[] = {"pto.textract", "pto.textract_fp", "pto.tinsert", "pto.tinsert_fp", "pto.tgather", "pto.tgatherb",
                                                "pto.tscatter", "pto.mgather", "pto.mscatter", "pto.tgetval", "pto.tsetval", "pto.tmrgsort",
                                                "pto.tconcat", "pto.tconcatidx", "pto.timg2col", "pto.thistogram"};
  return std::ranges::find(kNames, name) != std::end(kNames) || name.starts_with("pto.tpart");
}

int8_t fixed_lane(std::string_view pipe) {
  static constexpr struct { std::string_view name; Pipe pipe; } kPipes[] = {
      {"S", Pipe::s}, {"V", Pipe::v}, {"M", Pipe::m}, {"MTE1", Pipe::mte1}, {"MTE2", Pipe::mte2}, {"MTE3", Pipe::mte3}, {"FIX", Pipe::fix}};
  for (const auto& [name, known] : kPipes) {
    if (name == pipe) return static_cast<int8_t>(lane_of(known));
  }
  return pipe.starts_with(':') || pipe.starts_with('@') ? kAsk : int8_t{-1};
}

/// Operands whose bytes the instruction certainly touches. Scratch tiles are left out: what is done with them depends on shapes and target.
void find_places(const isa::Schema& schema, Facts& made) {
  constexpr uint32_t kPlaces = isa::kTile | isa::kView | isa::kTView | isa::kPtr | isa::kMemRef;
  for (size_t i = 0; i < schema.operands.size(); ++i) {
    const isa::OperandSpec& spec = schema.operands[i];
    if (spec.name == "offset" && (spec.kinds & isa::kIndex)) made.offset_slot = static_cast<int16_t>(i);
    if (!(spec.kinds & kPlaces) || spec.role == isa::Role::tmp || spec.arity != isa::Arity::one) continue;
    made.places.push_back({static_cast<uint8_t>(i), spec.role});
  }
}

/// Pointers of these are moved by further operands, so that their first byte need not be touched.
bool moves_pointers(const isa::Schema& schema) {
  return std::ranges::any_of(schema.operands, [](const isa::OperandSpec& spec) {
    return spec.name.find("start") != std::string_view::npos || spec.name == "offsets" || spec.name == "align_in" || spec.name == "align" ||
           spec.name == "areg" || spec.name == "block_stride";
  });
}

Facts facts_of(RowId id) {
  const isa::Schema& schema = isa::schema(id);
  const isa::Row& row = *schema.row;
  Facts made;
  for (const Named& named : kNamed) {
    if (named.name == row.name) made.does = named.does;
  }
  made.sync = made.does >= Does::set_flag && made.does <= Does::rls_buf;
  if (row.name == "pto.tsync") made.sync = true;
  made.lane = row.pipe.empty() ? int8_t{-1} : fixed_lane(row.pipe);
  made.fifo = row.name.starts_with("pto.tpush") || row.name.starts_with("pto.tpop") || row.name.starts_with("pto.tfree") || row.name.starts_with("pto.talloc");
  made.partial = touches_some(row.name);
  find_places(schema, made);
  if (moves_pointers(schema)) made.places.clear();
  const bool data = row.layer == isa::Layer::tile || row.layer == isa::Layer::vector || row.layer == isa::Layer::cube || row.layer == isa::Layer::dma ||
                    row.layer == isa::Layer::system;
  const bool scalar_access = row.name == "pto.load" || row.name == "pto.store" || row.name == "pto.load_scalar" || row.name == "pto.store_scalar";
  if (made.does == Does::other && (made.fifo || made.lane == kAsk || made.lane > kScalar || (made.lane == kScalar && (scalar_access || (data && !made.places.empty())))))
    made.does = Does::work;
  if (made.does == Does::work && made.lane == kScalar && !scalar_access && !made.partial) made.places.clear();   // names a tile, reads nothing
  for (const isa::OperandSpec& result : schema.results)
    made.scalar_result = made.scalar_result || (result.kinds & (isa::kInt | isa::kIndex | isa::kI1 | isa::kI32 | isa::kI64 | isa::kFloat | isa::kScalar)) != 0;
  return made;
}

}  // namespace

void FactsTable::make(RowId row) { made_[row] = std::make_unique<Facts>(facts_of(row)); }

}  // namespace pto::legality::sync
