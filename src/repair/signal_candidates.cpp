#include "repair/signal_candidates.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "ir/pipe_rules.hpp"
#include "isa/row.hpp"
#include "sim/findings/insertion_points.hpp"

namespace pto::sim {
namespace {

using isa::OpcodeClass;
using Kind = Edit::Kind;

constexpr unsigned kNear = 3, kMaxDistance = 12;  ///< steps that a statement is moved
constexpr int kHalf = 16;  ///< ids of the second vector core, as the cube core names them

/// A signal or a wait whose id stands in the text.
struct Signal {
  uint32_t op = 0, role = 0;  ///< the first role that has it
  bool set = false, one_to_one = false, within_kind = false;
  Pipe pipe = Pipe::none;
  int id = 0;
  std::optional<int64_t> mode;
};

/// An access of a race between cores.
struct Access {
  uint32_t op = 0, role = 0;
  Pipe pipe = Pipe::none;
};

/// Where a signal or a wait may stand, and on which pipe it does then.
struct Position {
  uint32_t op = 0;
  bool behind = false;
  Pipe pipe = Pipe::none;
};

bool is_loop(const Program& program, uint32_t op) {
  const OpcodeClass opcode_class = isa::row(program.ops[op].row).opcode_class;
  return opcode_class == OpcodeClass::loop || opcode_class == OpcodeClass::while_loop;
}

bool works(const BytecodeInst& code) {
  return code.op == OpCode::enqueue || code.op == OpCode::vector_function;
}
bool signals(const BytecodeInst& code) { return code.op == OpCode::sync_set || code.op == OpCode::sync_wait; }

/// The wait for what a row signals, or what signals for one that waits.
RowId other_side(RowId row) {
  constexpr std::array<std::pair<OpcodeClass, OpcodeClass>, 3> kSides{
      {{OpcodeClass::sync_set, OpcodeClass::sync_wait},
       {OpcodeClass::intra_set, OpcodeClass::intra_wait},
       {OpcodeClass::cross_set, OpcodeClass::cross_wait}}};
  const OpcodeClass opcode_class = isa::row(row).opcode_class;
  for (const auto& [set, wait] : kSides) {
    if (opcode_class == set) return isa::id_of(wait);
    if (opcode_class == wait) return isa::id_of(set);
  }
  return row;
}

class SignalCandidates {
 public:
  SignalCandidates(const Program& program, const Kernel& kernel, const Diagnostics& findings)
      : program_(program), kernel_(kernel), places_(program) {
    find_signals();
    for (const Diagnostic& each : findings.all()) {
      const bool warned = each.id == FindingId::cross_left && each.severity == Severity::warning;
      if (!is_of_cores(each) && !warned) continue;
      if (each.id == FindingId::race) {
        const std::optional<Access> one = access(each.notes.front().anchor.op, *each.notes.front().moment),
                                    other = access(each.anchor.op, *each.moment);
        if (one && other) races_.emplace_back(*one, *other);
        continue;
      }
      const auto found = std::ranges::find(signals_, each.anchor.op, &Signal::op);
      if (found != signals_.end()) (warned ? warned_ : lone_).push_back(*found);
    }
    // Those first of which the findings speak.
    std::ranges::stable_sort(signals_, {}, [this](const Signal& signal) {
      return std::ranges::find(lone_, signal.op, &Signal::op) == lone_.end();
    });
  }

  std::vector<Repair> all() {
    if (lone_.empty() && races_.empty()) return {};
    if (!lone_.empty()) {
      for (const Signal& each : signals_) written_otherwise(each);
    }
    for (const Signal& each : signals_) on_pipes(each, pipes_of_races(each));
    moved(1, kNear);
    for (const Signal& each : lone_) missing_end(each);
    moved(kNear + 1, kMaxDistance);
    for (const Signal& each : signals_) on_pipes(each, pipes_of_role(each.role));
    for (const Signal& each : warned_) missing_end(each);
    for (const Signal& each : lone_)
      repairs_.push_back(
          {{{.kind = Kind::remove, .op = each.op, .statement = Statement(program_, each.op)}}});
    pairs();
    return std::move(repairs_);
  }

 private:
  // ---- what there is

  void find_signals() {
    std::set<uint32_t> known;
    for (uint32_t role = 0; role < kernel_.roles.size(); ++role) {
      for (const BytecodeInst& code : kernel_.roles[role].code) {
        if (!signals(code) || code.inst != 0 || (code.flags & kDynamicId) != 0 || !named(code.pc) ||
            !known.insert(code.pc).second)
          continue;
        const OpView op(program_, code.pc);
        const AttrValue* mode = has_mode(op.op().row) ? op.attr("ffts_mode") : nullptr;
        signals_.push_back({.op = code.pc,
                            .role = role,
                            .set = code.op == OpCode::sync_set,
                            .one_to_one = code.b == kOneToOne,
                            .within_kind = code.b == kAllOfKind || code.b == kVectorPair,
                            .pipe = static_cast<Pipe>(op.attr_int("pipe")),
                            .id = code.id,
                            .mode = mode == nullptr ? std::nullopt : std::optional(mode->integer)});
      }
    }
  }

  [[nodiscard]] bool named(uint32_t op) const {
    const isa::Schema& schema = isa::schema(program_.ops[op].row);
    return schema.attr_index("pipe") >= 0 && schema.attr_index("event_id") >= 0;
  }
  static bool has_mode(RowId row) { return isa::schema(row).attr_index("ffts_mode") >= 0; }

  [[nodiscard]] std::optional<Access> access(uint32_t op, const Moment& moment) const {
    if (op >= program_.ops.size() || kernel_.cores.empty()) return std::nullopt;
    const uint32_t role = kernel_.cores[moment.core % kernel_.cores.size()].role, entry = places_.queued(op);
    const auto& codes = kernel_.roles[role].code;
    const auto found = std::ranges::find_if(
        codes, [&](const BytecodeInst& code) { return works(code) && code.pc == entry; });
    if (found == codes.end()) return std::nullopt;
    return Access{entry, role, pipe_of_lane(found->lane)};
  }

  static bool can_signal(Pipe pipe) {
    return std::ranges::find(isa::kSignalPipes, pipe) != isa::kSignalPipes.end();
  }

  // ---- one of them written otherwise

  void write(uint32_t op, Statement statement) {
    repairs_.push_back({{{.kind = Kind::write, .op = op, .statement = std::move(statement)}}});
  }

  void written_otherwise(const Signal& signal) {
    for (const int id : ids_beside(signal)) {
      Statement statement(program_, signal.op);
      with_id(statement, id);
      write(signal.op, std::move(statement));
    }
    for (const std::optional<int64_t> mode : modes_beside(signal)) {
      Statement statement(program_, signal.op);
      mode ? statement.put("ffts_mode", *mode) : statement.drop("ffts_mode");
      write(signal.op, std::move(statement));
    }
    write(signal.op, turned(signal));
  }

  /// The ids of other signals, and those of the other vector core.
  [[nodiscard]] std::set<int> ids_beside(const Signal& signal) const {
    std::set<int> ids;
    for (const Signal& each : signals_) {
      ids.insert(each.id);
      if (each.one_to_one) ids.insert((each.id + kHalf) % (2 * kHalf));
    }
    ids.erase(signal.id);
    if (!signal.one_to_one) ids.erase(ids.lower_bound(kHalf), ids.end());
    return ids;
  }

  /// That of signals with this id first, then those of others, then none.
  [[nodiscard]] std::vector<std::optional<int64_t>> modes_beside(const Signal& signal) const {
    std::vector<std::optional<int64_t>> modes;
    if (!has_mode(program_.ops[signal.op].row)) return modes;
    const auto put = [&](const std::optional<int64_t>& mode) {
      if (mode != signal.mode && std::ranges::find(modes, mode) == modes.end()) modes.push_back(mode);
    };
    for (const Signal& each : signals_) {
      if (each.id == signal.id) put(each.mode);
    }
    for (const Signal& each : signals_) put(each.mode);
    put(std::nullopt);
    return modes;
  }

  [[nodiscard]] Statement turned(const Signal& signal) const {
    Statement statement(program_, signal.op);
    statement.row = other_side(statement.row);
    if (!has_mode(statement.row)) statement.drop("ffts_mode");
    return statement;
  }

  /// Of sync.set and sync.wait, the public assembler has the ids of the second vector core no more.
  void with_id(Statement& statement, int id) const {
    statement.put("event_id", id);
    if (id < kHalf || !has_mode(statement.row) || beyond_in_use()) return;
    const bool set = isa::row(statement.row).opcode_class == OpcodeClass::sync_set;
    statement.drop("ffts_mode");
    statement.row = isa::id_of(set ? OpcodeClass::intra_set : OpcodeClass::intra_wait);
  }
  [[nodiscard]] bool beyond_in_use() const {
    return std::ranges::any_of(signals_, [this](const Signal& each) {
      return each.id >= kHalf && has_mode(program_.ops[each.op].row);
    });
  }

  void on_pipes(const Signal& signal, const std::vector<Pipe>& pipes) {
    for (const Pipe pipe : pipes) {
      Statement statement(program_, signal.op);
      if (pipe == signal.pipe || !can_signal(pipe)) continue;
      statement.put("pipe", static_cast<int64_t>(pipe));
      if (!tried_pipes_.emplace(signal.op, pipe).second) continue;
      write(signal.op, std::move(statement));
    }
  }

  [[nodiscard]] std::vector<Pipe> pipes_of_races(const Signal& signal) const {
    std::vector<Pipe> pipes;
    for (const auto& [one, other] : races_) {
      for (const Access& each : {one, other}) {
        if (each.role == signal.role) pipes.push_back(each.pipe);
      }
    }
    return pipes;
  }

  [[nodiscard]] std::vector<Pipe> pipes_of_role(uint32_t role) const {
    std::set<Pipe> pipes;
    for (const BytecodeInst& code : kernel_.roles[role].code) {
      if (works(code)) pipes.insert(pipe_of_lane(code.lane));
    }
    return {pipes.begin(), pipes.end()};
  }

  // ---- an end that is not there

  /// From the last place where it may be missing to the first one, or for waits the other way round.
  void missing_end(const Signal& lone) {
    for (uint32_t role = 0; role < kernel_.roles.size(); ++role) {
      if ((role == lone.role) != lone.within_kind) continue;
      for (const int id : ids_on(role, lone)) {
        bool nearer = false;
        for (const Position& stand : stands(role, !lone.set, depth(lone.op))) {
          Statement statement = turned(lone);
          if (!can_signal(stand.pipe)) continue;
          statement.put("pipe", static_cast<int64_t>(stand.pipe));
          with_id(statement, id);
          repairs_.push_back({{add(stand, std::move(statement))}, nearer});
          nearer = true;
        }
      }
    }
  }

  static Edit add(const Position& stand, Statement statement) {
    return {.kind = Kind::add, .statement = std::move(statement), .place = stand.op, .behind = stand.behind};
  }

  /// How a role names the id of a signal that another one has.
  [[nodiscard]] std::vector<int> ids_on(uint32_t role, const Signal& lone) const {
    if (!lone.one_to_one) return {lone.id};
    if (kernel_.roles[role].kind == CoreKind::aiv) return {lone.id % kHalf};
    return {lone.id, (lone.id + kHalf) % (2 * kHalf)};
  }

  /// Behind what a core has done, and so on pipes that have waited for it; or before what it does. Those
  /// first that are in as many loops as the other end.
  [[nodiscard]] std::vector<Position> stands(uint32_t role, bool set, unsigned loops) const {
    std::vector<Position> found;
    std::set<std::tuple<uint32_t, bool, Pipe>> known;
    const auto put = [&](uint32_t op, bool behind, Pipe pipe) {
      if (known.emplace(op, behind, pipe).second) found.push_back({op, behind, pipe});
    };
    const auto look_at = [&](const BytecodeInst& code) {
      if (code.inst != 0 && signals(code)) return;  // of a tile queue
      const bool flag = code.op == (set ? OpCode::wait_flag : OpCode::set_flag);
      if (!works(code) && !flag && !signals(code)) return;
      const bool behind = set || code.op == OpCode::sync_set;
      const Pipe pipe = pipe_of_lane(code.op == OpCode::wait_flag ? code.dst : code.lane);
      for (uint32_t op = code.pc; op != kNoOp && !holds_code(op); op = places_.tree().parent(op)) {
        if (op == code.pc || known.emplace(op, set, Pipe::none).second)
          put(op, op == code.pc ? behind : set, pipe);
      }
    };
    const std::vector<BytecodeInst>& codes = kernel_.roles[role].code;
    if (set)
      std::for_each(codes.rbegin(), codes.rend(), look_at);
    else
      std::for_each(codes.begin(), codes.end(), look_at);
    std::ranges::stable_sort(found, {}, [&](const Position& stand) { return depth(stand.op) != loops; });
    return found;
  }

  [[nodiscard]] bool holds_code(uint32_t op) const {
    const OpcodeClass opcode_class = isa::row(program_.ops[op].row).opcode_class;
    return isa::is_section(opcode_class) || opcode_class == OpcodeClass::function ||
           opcode_class == OpcodeClass::module;
  }

  [[nodiscard]] unsigned depth(uint32_t op) const {
    unsigned loops = 0;
    for (op = places_.tree().parent(op); op != kNoOp; op = places_.tree().parent(op))
      loops += is_loop(program_, op);
    return loops;
  }

  // ---- one that stands elsewhere

  /// Within its block, the shortest way first; signals rather behind something, waits rather before it.
  void moved(unsigned least, unsigned most) {
    const std::set<uint32_t> marks = of_pipes();
    for (unsigned steps = least; steps <= most; ++steps) {
      for (const bool usual : {true, false}) {
        for (const Signal& each : signals_) {
          const bool behind = each.set == usual;
          if (const std::optional<uint32_t> place = beside(each.op, behind, steps, marks))
            repairs_.push_back({{{.kind = Kind::move,
                                  .op = each.op,
                                  .statement = Statement(program_, each.op),
                                  .place = *place,
                                  .behind = behind}}});
        }
      }
    }
  }

  /// What pipes do, and all that is around it.
  [[nodiscard]] std::set<uint32_t> of_pipes() const {
    std::set<uint32_t> found;
    for (const CoreCode& role : kernel_.roles) {
      for (const BytecodeInst& code : role.code) {
        if (code.op < OpCode::enqueue) continue;
        for (uint32_t op = code.pc; op < program_.ops.size() && found.insert(op).second;)
          op = places_.tree().parent(op);
      }
    }
    return found;
  }

  /// The operation so many of `marks` behind or before one, in its region.
  [[nodiscard]] std::optional<uint32_t> beside(uint32_t op, bool behind, unsigned steps,
                                               const std::set<uint32_t>& marks) const {
    std::vector<uint32_t> row;
    size_t here = 0;
    const uint32_t region = places_.tree().region_of(op);
    for (const uint32_t each : ops_in(program_, program_.regions[region])) {
      if (!marks.contains(each)) continue;
      if (each == op) here = row.size();
      row.push_back(each);
    }
    if (behind ? here + steps >= row.size() : here < steps) return std::nullopt;
    return row[behind ? here + steps : here - steps];
  }

  // ---- a pair where there is none

  /// Behind the one and before the other, or the other way round; where that is not enough, as in loops, the
  /// answer as well. What goes through a tile queue is ordered by the queue, when it is used as it should be.
  void pairs() {
    constexpr size_t kMax = 4;
    if (!kernel_.channels.empty()) return;
    for (const bool answered : {false, true}) {
      for (size_t i = 0; i < std::min(races_.size(), kMax); ++i) {
        const auto& [one, other] = races_[i];
        if (one.role == other.role) continue;
        pair(one, other, answered);
        pair(other, one, answered);
      }
    }
  }

  void pair(Access first, Access second, bool answered) {
    const std::vector<int> ids = free_ids();
    if (ids.size() < 2 || !can_signal(first.pipe) || !can_signal(second.pipe)) return;
    level(first.op, second.op);
    // The cube core has ids for each of the vector cores.
    std::vector<std::vector<int>> cores{{0}};
    if (program_.target == Target::a5) cores = {{0}, {kHalf}, {0, kHalf}};
    const bool from_cube = kernel_.roles[first.role].kind == CoreKind::aic;
    const std::vector<int> one{0};
    for (const std::vector<int>& named : cores) {
      Repair repair;
      const auto put = [&](const Access& at, bool set, int id, bool behind, bool cube) {
        for (const int core : cube ? named : one)
          repair.edits.push_back(add({at.op, behind, at.pipe}, statement(set, at.pipe, id + core)));
      };
      put(first, true, ids[0], true, from_cube);
      if (answered) put(first, false, ids[1], true, from_cube);
      put(second, false, ids[0], false, !from_cube);
      if (answered) put(second, true, ids[1], true, !from_cube);
      repairs_.push_back(std::move(repair));
    }
  }

  [[nodiscard]] Statement statement(bool set, Pipe pipe, int id) const {
    Statement built;
    built.row = row_of(set);
    built.operands.assign(isa::schema(built.row).operands.size(), kNoValue);
    built.put("pipe", static_cast<int64_t>(pipe));
    with_id(built, id);
    return built;
  }

  /// Two operations, or what is around them, in equally many loops.
  void level(uint32_t& one, uint32_t& other) const {
    const unsigned least = std::min(depth(one), depth(other));
    for (uint32_t* op : {&one, &other}) {
      for (uint32_t at = *op; depth(*op) > least; at = places_.tree().parent(at)) {
        if (is_loop(program_, at)) *op = at;
      }
    }
  }

  /// As the program writes them.
  [[nodiscard]] RowId row_of(bool set) const {
    if (!signals_.empty()) {
      const RowId row = program_.ops[signals_.front().op].row;
      return signals_.front().set == set ? row : other_side(row);
    }
    if (program_.target == Target::a5)
      return isa::id_of(set ? OpcodeClass::intra_set : OpcodeClass::intra_wait);
    return isa::id_of(set ? OpcodeClass::sync_set : OpcodeClass::sync_wait);
  }

  [[nodiscard]] std::vector<int> free_ids() const {
    constexpr int kOfMeetings = 11;  // syncall has the others
    std::set<int> used;
    for (const CoreCode& role : kernel_.roles) {
      for (const BytecodeInst& code : role.code) {
        if (signals(code)) used.insert(code.id % kHalf);
      }
    }
    std::vector<int> ids;
    for (int id = 0; id < kOfMeetings; ++id) {
      if (!used.contains(id)) ids.push_back(id);
    }
    return ids;
  }

  const Program& program_;
  const Kernel& kernel_;
  const InsertionPoints places_;
  std::vector<Signal> signals_, lone_, warned_;  ///< all; those whose other end is missing, or may be
  std::vector<std::pair<Access, Access>> races_;
  std::set<std::pair<uint32_t, Pipe>> tried_pipes_;
  std::vector<Repair> repairs_;
};

}  // namespace

std::vector<Repair> signal_candidates(const Program& program, const Kernel& kernel,
                                      const Diagnostics& findings) {
  return SignalCandidates(program, kernel, findings).all();
}

}  // namespace pto::sim
