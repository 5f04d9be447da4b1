#include "plan/loops/stage_scheduling.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "ir/hardware_lanes.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "ir/rewriter.hpp"
#include "plan/memory/storage_analysis.hpp"
#include "plan/sync/byte_segments.hpp"

namespace pto::planner {
namespace {

using isa::OpcodeClass;

constexpr size_t kMaxOperations = 400;           ///< operations in a row that are looked at, pair by pair
constexpr uint64_t kBeyond = uint64_t{1} << 40;  ///< where tiles lie side by side for the comparison

/// An operation with everything in it.
struct Piece {
  uint32_t op = 0;
  bool stays = false;  ///< nothing passes it
  bool writes_gm = false;
  SegmentUses uses;
  uint32_t stage = 0;
  std::vector<size_t> users;  ///< by values
};

/// A storage where no two tiles share bytes unless the program says so.
Storage spread(const Program& program) {
  Storage storage(program);
  uint64_t next = kBeyond;
  for (Root& root : storage.roots()) {
    if (root.kind != Root::Kind::tile || !root.planned) continue;
    root.addr = next;
    next += root.bytes + 1;
  }
  return storage;
}

class Stages {
 public:
  explicit Stages(Program& program)
      : program_(program), storage_(spread(program)), segments_(program, storage_) {}

  void run(std::span<const uint32_t> functions) {
    // What is to stand where, while the program is still as it was.
    for (const uint32_t function : functions) plan_regions(function);
    Rewriter rewriter(program_);
    for (const auto& [region, order] : orders_) {
      rewriter.set_end(region);
      for (const OpId op : order) rewriter.move(op);
    }
    rewriter.finish();
  }

 private:
  void plan_regions(uint32_t op) {
    for (uint32_t i = 0; i < program_.ops[op].n_regions; ++i) plan_region(program_.ops[op].regions + i);
  }

  void plan_region(uint32_t region) {
    std::vector<uint32_t> order;
    std::vector<Piece> row;
    for (const uint32_t op : ops_in(program_, program_.regions[region])) {
      if (isa::row(program_.ops[op].row).opcode_class == OpcodeClass::block)
        return;  // blocks stand as they are
      Piece piece{.op = op};
      piece.stays = !describe(op, piece);
      if (program_.ops[op].n_regions > 0 && !opens_vector_scope(OpView(program_, op))) plan_regions(op);
      piece.uses.normalise();
      if (piece.stays || row.size() == kMaxOperations) finish(row, order);
      if (piece.stays)
        order.push_back(op);
      else
        row.push_back(std::move(piece));
    }
    finish(row, order);
    orders_[region] = std::move(order);
  }

  /// What the operation and everything in it touches; whether others may pass it.
  bool describe(uint32_t op, Piece& piece) const {
    const OpView view(program_, op);
    const isa::Row& row = isa::row(view.op().row);
    if (row.opcode_class == OpcodeClass::loop || row.opcode_class == OpcodeClass::branch) {
      if (opens_vector_scope(view)) return false;
      for (const uint32_t child : ops_in(program_, op)) {
        if (row.opcode_class != OpcodeClass::branch &&
            isa::row(program_.ops[child].row).opcode_class == OpcodeClass::block)
          return false;
        if (!isa::is_region_terminator(isa::row(program_.ops[child].row).opcode_class) &&
            !describe(child, piece))
          return false;
      }
      return true;
    }
    if (isa::is_scalar_evaluable(row.opcode_class) ||
        ((row.flags & isa::kPure) != 0 && row.layer == isa::Layer::scalar))
      return storage_.accesses(op).empty();
    const bool plain = (row.opcode_class == OpcodeClass::other || row.opcode_class == OpcodeClass::fill) &&
                       row.layer == isa::Layer::tile && (row.flags & (isa::kModeWrite | isa::kCached)) == 0 &&
                       view.op().n_results == 0;
    if (!plain || lane_of(isa::pipe_of(view)) < kFirstQueue) return false;
    piece.uses.add(segments_.uses_of(op));
    for (const StorageUse& use : storage_.accesses(op)) {
      for (const RootId root : storage_.set(use.roots))
        piece.writes_gm = piece.writes_gm || (use.write && storage_.roots()[root].space == Space::gm &&
                                              !segments_.is_window(op, use.value));
    }
    return true;
  }

  /// A row of pieces in the order of their stages.
  void finish(std::vector<Piece>& row, std::vector<uint32_t>& order) {
    find_users(row);
    for (size_t i = 0; i < row.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        if (row[i].uses.pipes == 0 || row[k].uses.pipes == 0) continue;
        const bool hands_on = row[i].uses.pipes != row[k].uses.pipes;
        if (row[k].stage + hands_on <= row[i].stage) continue;
        if ((row[i].writes_gm && row[k].writes_gm) || conflicts(row[k].uses, row[i].uses) != 0)
          row[i].stage = row[k].stage + hands_on;
      }
      for (const size_t user : row[i].users) row[user].stage = std::max(row[user].stage, row[i].stage);
    }
    // Numbers and names stand where they are first needed.
    for (size_t i = row.size(); i-- > 0;) {
      if (row[i].uses.pipes != 0 || row[i].users.empty()) continue;
      row[i].stage = ~0u;
      for (const size_t user : row[i].users) row[i].stage = std::min(row[i].stage, row[user].stage);
    }
    std::ranges::stable_sort(row, {}, &Piece::stage);
    for (const Piece& piece : row) order.push_back(piece.op);
    row.clear();
  }

  void find_users(std::vector<Piece>& row) const {
    std::map<ValueId, size_t> built;
    for (size_t i = 0; i < row.size(); ++i) {
      for (uint32_t op = row[i].op; op < program_.end_of(row[i].op); ++op) {
        const OpView view(program_, op);
        for (unsigned slot = 0; slot < isa::schema(view.op().row).operands.size(); ++slot) {
          for (const ValueId value : view.operands(slot)) {
            const auto defining_op = built.find(value);
            if (defining_op != built.end() &&
                (row[defining_op->second].users.empty() || row[defining_op->second].users.back() != i))
              row[defining_op->second].users.push_back(i);
          }
        }
      }
      const Op& op = program_.ops[row[i].op];
      for (uint32_t k = 0; k < op.n_results; ++k) built[op.first_result + k] = i;
    }
  }

  Program& program_;
  Storage storage_;
  ByteSegments segments_;
  std::map<uint32_t, std::vector<uint32_t>> orders_;  ///< operations of a region
};

}  // namespace

void order_by_stages(Program& program, std::span<const uint32_t> functions) {
  Stages(program).run(functions);
}

}  // namespace pto::planner
