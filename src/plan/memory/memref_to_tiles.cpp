// memref.alloc in vec, mat, left, right and acc is an alloc_tile, pto.bind_tile a treshape: the last
// dimension has the columns, the others the rows.
#include "plan/memory/memref_to_tiles.hpp"

#include <array>
#include <optional>
#include <string>

#include "analysis/constant_folding.hpp"
#include "ir/op_queries.hpp"
#include "isa/row.hpp"
#include "isa/tile_defaults.hpp"
#include "support/saturating.hpp"

namespace pto::planner {
namespace {

bool on_chip(const Type& type) {
  if (type.kind != TypeKind::memref || type.rank == 0) return false;
  return type.space != Space::none && type.space != Space::gm;
}

/// In boxes where the cube takes nothing else.
void set_layout(Type& tile, Target target) {
  tile.fractal = default_fractal(tile.space);
  switch (tile.space) {
    case Space::l1:
    case Space::l0c:
      tile.blayout = BLayout::col_major, tile.slayout = SLayout::row_major;
      break;
    case Space::l0a:
      tile.blayout = target == Target::a5 ? BLayout::col_major : BLayout::row_major;
      tile.slayout = SLayout::row_major;
      break;
    case Space::l0b:
      tile.slayout = SLayout::col_major;
      break;
    default:
      break;
  }
}

std::optional<Type> tile_of(const Type& memref, Target target) {
  Type tile;
  tile.kind = TypeKind::tile_buf;
  tile.elem = memref.elem;
  tile.space = memref.space;
  tile.rank = 2;
  int64_t rows = 1;
  for (unsigned i = 0; i < memref.rank; ++i) {
    if (memref.dims[i] <= 0) return std::nullopt;
    if (i + 1 < memref.rank) rows = sat_mul(rows, memref.dims[i]);
  }
  tile.dims[0] = rows;
  tile.dims[1] = memref.dims[memref.rank - 1u];
  tile.valid = {tile.dims[0], tile.dims[1]};
  set_layout(tile, target);
  // No tile has rows that are no multiple of 32 bytes (E0383).
  constexpr int64_t kBlock = 32;
  const bool plain = tile.blayout == BLayout::row_major && tile.slayout == SLayout::none_box;
  if (plain && sat_mul(tile.dims[1], int64_t{byte_width(tile.elem)}) % kBlock != 0) return std::nullopt;
  return tile;
}

/// A number behind `key=` in the text of a tile_buf_config.
std::optional<int64_t> config_number(std::string_view text, std::string_view key) {
  const size_t at = text.find(std::string(key) + "=");
  if (at == std::string_view::npos || at + key.size() + 1 >= text.size()) return std::nullopt;
  int64_t value = 0;
  bool any = false;
  for (size_t i = at + key.size() + 1; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
    value = value * 10 + (text[i] - '0');
    any = value < 10000;
  }
  return any ? std::optional(value) : std::nullopt;
}

/// The layout that a tile_buf_config names; false when it is not written as numbers.
bool configure(Type& tile, std::string_view config) {
  const auto blayout = config_number(config, "blayout");
  const auto slayout = config_number(config, "slayout");
  const auto fractal = config_number(config, "s_fractal_size");
  const auto pad = config_number(config, "pad");
  if (!blayout || !slayout || !fractal || !pad || *blayout > 1 || *slayout > 2 || *pad > 3) return false;
  tile.blayout = static_cast<BLayout>(*blayout);
  tile.slayout = static_cast<SLayout>(*slayout);
  tile.fractal = static_cast<uint16_t>(*fractal);
  tile.pad = static_cast<uint8_t>(*pad);
  return true;
}

class Converter {
 public:
  explicit Converter(Program& program) : program_(program), constants_(program) {}

  void run() {
    if (!find()) return;
    for (ValueId value = 0; value < types_.size(); ++value) {
      if (types_[value]) program_.values[value].type = program_.types.intern(*types_[value]);
    }
    for (const uint32_t op : made_)
      replace_by(op, isa::OpcodeClass::alloc_tile, {kNoValue, kNoValue, kNoValue});
    for (const uint32_t op : bound_)
      replace_by(op, isa::OpcodeClass::reshape, {program_.operands[program_.ops[op].operands]});
  }

 private:
  /// Finds the tiles; false when there is none, or one of them is more than a tile.
  bool find() {
    types_.resize(program_.values.size());
    for (ValueId value = 0; value < types_.size(); ++value) {
      if (!on_chip(program_.type_of(value))) continue;
      types_[value] = tile_of(program_.type_of(value), program_.target);
      if (!types_[value]) return false;
    }
    for (uint32_t op = 0; op < program_.ops.size(); ++op) {
      if (!fits(OpView(program_, op))) return false;
    }
    return !made_.empty();
  }

  [[nodiscard]] bool is_tile(ValueId value) const { return value != kNoValue && types_[value].has_value(); }

  /// Whether what the operation does to memrefs on chip can be done to tiles.
  bool fits(const OpView& op) {
    const isa::Schema& schema = isa::schema(op.op().row);
    const isa::Row& row = *schema.row;
    const bool flows = row.layer == isa::Layer::control && row.opcode_class != isa::OpcodeClass::call &&
                       row.opcode_class != isa::OpcodeClass::function;
    const bool binds = row.opcode_class == isa::OpcodeClass::reshape;
    for (const Region& region : program_.regions_of(op.op())) {
      for (uint32_t i = 0; i < region.n_args; ++i)
        if (!flows && is_tile(region.first_arg + i)) return false;
    }
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      const bool takes = flows || binds || (schema.operands[slot].kinds & isa::kTile) != 0;
      for (const ValueId value : op.operands(slot))
        if (is_tile(value) && !takes) return false;
    }
    for (uint32_t i = 0; i < op.op().n_results; ++i)
      if (is_tile(op.result(i)) && !flows && !makes(op, binds)) return false;
    return true;
  }

  bool makes(const OpView& op, bool binds) {
    if (binds) return binds_tile(op);
    if (isa::opcode_class(op) != isa::OpcodeClass::alloc_buffer || op.op().n_operand_words != 2) return false;
    made_.push_back(op.index());
    return true;
  }

  bool binds_tile(const OpView& op) {
    const AttrValue* config = op.attr("config");
    Type& tile = *types_[op.result(0)];
    if (!is_tile(op.operand(0)) || config == nullptr || !configure(tile, program_.strings[config->text]))
      return false;
    for (const unsigned axis : {0u, 1u}) {
      const ValueId extent = op.operand(axis + 1);
      if (extent == kNoValue) continue;
      const std::optional<int64_t> known = constants_.value_of(extent);
      if (!known || *known < 0 || *known > tile.dims[axis]) return false;
      tile.valid[axis] = *known;
    }
    bound_.push_back(op.index());
    return true;
  }

  void replace_by(uint32_t index, isa::OpcodeClass opcode_class, std::vector<ValueId> operands) {
    Op& op = program_.ops[index];
    op.row = isa::id_of(opcode_class);
    op.operands = static_cast<uint32_t>(program_.operands.size());
    op.n_operand_words = static_cast<uint16_t>(operands.size());
    op.n_attrs = 0;
    program_.operands.insert(program_.operands.end(), operands.begin(), operands.end());
  }

  Program& program_;
  const Constants constants_;
  std::vector<std::optional<Type>> types_;  ///< of the values that become tiles
  std::vector<uint32_t> made_, bound_;
};

}  // namespace

void memrefs_to_tiles(Program& program) {
  for (const Op& op : program.ops) {
    if (isa::row(op.row).opcode_class == isa::OpcodeClass::alloc_buffer &&
        on_chip(program.type_of(op.first_result)))
      return Converter(program).run();
  }
}

}  // namespace pto::planner
