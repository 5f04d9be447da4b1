#include "repair/address_candidates.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "analysis/constant_folding.hpp"
#include "check/storage_roots.hpp"
#include "isa/row.hpp"

namespace pto::sim {
namespace {

using isa::OpcodeClass;

struct Tile {
  uint32_t op = 0;  ///< that makes it
  Space space = Space::none;
  uint64_t begin = 0, end = 0;
};

class AddressCandidates {
 public:
  AddressCandidates(const Program& program, const Machine& machine)
      : program_(program), machine_(machine), constants_(program), roots_(program) {
    for (uint32_t op = 0; op < program.ops.size(); ++op) {
      if (const std::optional<Tile> tile = tile_at(op)) tiles_.push_back(*tile);
      pointers_ |= isa::row(program.ops[op].row).opcode_class == OpcodeClass::cast_ptr;
    }
  }

  std::vector<Repair> all(const Diagnostics& findings) {
    for (const Diagnostic& each : findings.all()) {
      if (each.id != FindingId::race || each.severity != Severity::error || each.notes.empty()) continue;
      for (const Tile& one : tiles_of(each.anchor.op)) {
        for (const Tile& other : tiles_of(each.notes.front().anchor.op)) share(one, other);
      }
    }
    return std::move(repairs_);
  }

 private:
  [[nodiscard]] std::optional<Tile> tile_at(uint32_t index) const {
    const OpView op(program_, index);
    if (isa::opcode_class(op) != OpcodeClass::alloc_tile || op.operand(0) == kNoValue) return std::nullopt;
    const Number address = constants_.value_of(op.operand(0));
    const Type& type = op.result_type(0);
    if (!address || *address < 0) return std::nullopt;
    const auto begin = static_cast<uint64_t>(*address);
    return Tile{index, type.space, begin, begin + tile_bytes(type)};
  }

  /// Those that an operation names.
  [[nodiscard]] std::vector<Tile> tiles_of(uint32_t index) const {
    std::vector<Tile> found;
    if (index >= program_.ops.size()) return found;
    const OpView op(program_, index);
    for (unsigned slot = 0; slot < isa::schema(op.op().row).operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) {
        const ValueId root = value == kNoValue ? kNoValue : roots_.root_of(value);
        const auto built = std::ranges::find_if(tiles_, [&](const Tile& tile) {
          return root != kNoValue && tile.op == roots_.defining_op(root);
        });
        if (built != tiles_.end()) found.push_back(*built);
      }
    }
    return found;
  }

  void share(const Tile& one, const Tile& other) {
    if (one.op == other.op || one.space != other.space || one.end <= other.begin || other.end <= one.begin ||
        !told_.insert(std::minmax(one.op, other.op)).second)
      return;
    put(one.op > other.op ? one : other);
    put(one.op > other.op ? other : one);
  }

  /// Behind all tiles; at the end of the memory where pointers say nothing of how much they use.
  void put(const Tile& tile) {
    constexpr uint64_t kStep = 512;
    const uint64_t bytes = tile.end - tile.begin, most = machine_.bytes[static_cast<size_t>(tile.space)];
    if (bytes > most) return;
    uint64_t at = pointers_ ? (most - bytes) / kStep * kStep : 0;
    for (const Tile& each : tiles_) {
      if (!pointers_ && each.space == tile.space) at = std::max(at, (each.end + kStep - 1) / kStep * kStep);
    }
    if (at + bytes > most) return;
    repairs_.push_back({.edits = {{.kind = Edit::Kind::exchange,
                                   .op = tile.op,
                                   .wrong = OpView(program_, tile.op).operand(0),
                                   .number = static_cast<int64_t>(at),
                                   .at = OperandAt{}}},
                        .outputs = Repair::Outputs::other_than_in_order});
  }

  const Program& program_;
  const Machine& machine_;
  const Constants constants_;
  const StorageRoots roots_;
  std::vector<Tile> tiles_;
  bool pointers_ = false;
  std::set<std::pair<uint32_t, uint32_t>> told_;
  std::vector<Repair> repairs_;
};

}  // namespace

std::vector<Repair> address_candidates(const Program& program, const Diagnostics& findings,
                                       const Machine& machine) {
  return AddressCandidates(program, machine).all(findings);
}

}  // namespace pto::sim
