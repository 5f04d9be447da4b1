#include "repair/statement_candidates.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "check/storage_roots.hpp"
#include "ir/pipe_rules.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"

namespace pto::sim {
namespace {

using isa::OpcodeClass;

bool of_queue(OpcodeClass opcode_class) {
  return opcode_class == OpcodeClass::queue_push || opcode_class == OpcodeClass::queue_pop ||
         opcode_class == OpcodeClass::queue_free;
}

/// `pto.tmatmul` in the place of `pto.tmatmul.acc`, whose first operand is what it adds to.
void begin_sum(const Program& program, uint32_t op, std::vector<Repair>& repairs) {
  constexpr std::string_view kAdds = ".acc";
  const std::string_view name = isa::row(program.ops[op].row).name;
  if (!name.ends_with(kAdds)) return;
  const isa::Row* const begins = isa::find_row(name.substr(0, name.size() - kAdds.size()));
  Statement statement(program, op);
  if (begins == nullptr || isa::schema(isa::id_of(*begins)).operands.size() + 1 != statement.operands.size())
    return;
  statement.row = isa::id_of(*begins);
  statement.operands.erase(statement.operands.begin());
  repairs.push_back({.edits = {{.kind = Edit::Kind::write, .op = op, .statement = std::move(statement)}},
                     .outputs = Repair::Outputs::as_before});
}

/// The second one of two that follow each other and do the same with a queue.
void remove_second(const Program& program, std::vector<Repair>& repairs) {
  std::set<ValueId> used(program.operands.begin(), program.operands.end());
  for (const Region& region : program.regions) {
    uint32_t before = kNoOp;
    for (const uint32_t op : ops_in(program, region)) {
      const Op& here = program.ops[op];
      const bool twice =
          before != kNoOp && here.row == program.ops[before].row && of_queue(isa::row(here.row).opcode_class);
      const bool needed = here.n_results != 0 && used.contains(here.first_result);
      if (twice && !needed)
        repairs.push_back({{{.kind = Edit::Kind::remove, .op = op, .statement = Statement(program, op)}}});
      before = op;
    }
  }
}

/// Loads of tiles that are read and that nobody fills, through windows of their form that nobody uses: at
/// each place between the two and the first reader.
class MissingLoadCandidates {
 public:
  explicit MissingLoadCandidates(const Program& program)
      : program_(program), tree_(program), roots_(program) {
    for (uint32_t op = 0; op < program.ops.size(); ++op) look(op);
  }

  void add(std::vector<Repair>& repairs) const {
    const isa::Schema* const load = load_of_tiles();
    if (load == nullptr) return;
    for (const ValueId window : windows_) {
      if (used_.contains(window)) continue;
      for (const auto& [tile, reader] : readers_) {
        if (filled_.contains(tile) || !same_form(program_.type_of(window), program_.type_of(tile))) continue;
        Statement statement;
        statement.row = load->id;
        statement.operands.assign(load->operands.size(), kNoValue);
        statement.operands[0] = window;
        statement.operands[1] = tile;
        add_at(statement, window, tile, reader, repairs);
      }
    }
  }

 private:
  void look(uint32_t index) {
    const OpView op(program_, index);
    const OpcodeClass opcode_class = isa::opcode_class(op);
    const bool names = isa::is_address_operation(opcode_class);
    if (opcode_class == OpcodeClass::partition && op.op().n_results == 1) windows_.push_back(op.result(0));
    const isa::Schema& schema = isa::schema(op.op().row);
    for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
      for (const ValueId value : op.operands(slot)) {
        if (value == kNoValue) continue;
        used_.insert(value);
        const ValueId tile = roots_.root_of(value);
        if (names || tile == kNoValue || !program_.type_of(tile).is_tile()) continue;
        // What structures and calls do with a tile is not followed.
        if (schema.operands[slot].role == isa::Role::in && !isa::is_structural(opcode_class))
          readers_.try_emplace(tile, index);
        else
          filled_.insert(tile);
      }
    }
  }

  /// The first instruction of the table that takes a window into a tile and needs nothing else.
  static const isa::Schema* load_of_tiles() {
    const std::string_view pipe = to_string(Pipe::mte2).substr(std::string_view("PIPE_").size());
    for (const isa::Row& row : isa::table().rows) {
      if (row.pipe != pipe) continue;
      const isa::Schema& schema = isa::schema(isa::id_of(row));
      const auto& operands = schema.operands;
      const bool fits = operands.size() >= 2 && (operands[0].kinds & isa::kView) != 0 &&
                        operands[1].kinds == isa::kTile && operands[1].role == isa::Role::out &&
                        std::all_of(operands.begin() + 2, operands.end(), [](const isa::OperandSpec& each) {
                          return each.arity == isa::Arity::optional;
                        });
      if (fits) return &schema;
    }
    return nullptr;
  }

  /// As many rows and columns of the same elements; what the text leaves open may be.
  static bool same_form(const Type& window, const Type& tile) {
    if (!window.is_view() || window.elem != tile.elem || window.rank < 2) return false;
    const auto fits = [](int64_t one, int64_t other) {
      return one == kDynamic || other == kDynamic || one == other;
    };
    int64_t rows = 1;
    for (unsigned i = 0; i + 1 < window.rank; ++i)
      rows = rows == kDynamic || window.dims[i] == kDynamic ? kDynamic : rows * window.dims[i];
    const int64_t columns = window.dims[window.rank - 1u];
    return fits(rows, tile.valid[0]) && fits(columns, tile.valid[1]);
  }

  void add_at(const Statement& load, ValueId window, ValueId tile, uint32_t reader,
              std::vector<Repair>& repairs) const {
    constexpr size_t kMaxPlaces = 32;
    constexpr uint32_t kChoice = 1;  // of all of them only one is meant
    const uint32_t built = roots_.defining_op(window), region = tree_.region_of(built);
    const uint32_t last = tree_.ancestor_in(reader, region);
    if (last == kNoOp || tree_.ancestor_in(built, tree_.region_of(roots_.defining_op(tile))) == kNoOp) return;
    size_t places = 0;
    for (const uint32_t op : ops_in(program_, program_.regions[region])) {
      if (op > last || places == kMaxPlaces) return;
      const OpView view(program_, op);
      const bool counts = op == last || isa::is_synchronisation(isa::opcode_class(view)) ||
                          program_.end_of(op) > op + 1 || isa::pipe_of(view) != Pipe::none;
      if (op <= built || op <= roots_.defining_op(tile) || !counts) continue;
      ++places;
      repairs.push_back({.edits = {{.kind = Edit::Kind::add, .statement = load, .place = op}},
                         .alternative_group = kChoice});
    }
  }

  const Program& program_;
  const RegionTree tree_;
  const StorageRoots roots_;
  std::vector<ValueId> windows_;
  std::set<ValueId> used_, filled_;      ///< tiles by their roots
  std::map<ValueId, uint32_t> readers_;  ///< of each tile the first
};

}  // namespace

std::vector<Repair> statement_candidates(const Program& program, const Diagnostics& findings) {
  std::vector<Repair> repairs;
  std::set<uint32_t> seen;
  for (const Diagnostic& each : findings.all()) {
    if (is_repairable(each) && each.id == FindingId::uninit && each.anchor.op < program.ops.size() &&
        seen.insert(each.anchor.op).second)
      begin_sum(program, each.anchor.op, repairs);
  }
  if (std::ranges::any_of(findings.all(), is_repairable)) {
    remove_second(program, repairs);
    MissingLoadCandidates(program).add(repairs);
  }
  return repairs;
}

}  // namespace pto::sim
