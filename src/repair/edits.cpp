#include "repair/edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "check/checkers.hpp"
#include "ir/op_queries.hpp"
#include "ir/pipe_rules.hpp"
#include "ir/rewriter.hpp"
#include "ir/value_names.hpp"
#include "isa/row.hpp"
#include "pto/assembler.hpp"
#include "sim/findings/insertion_points.hpp"
#include "sim/findings/naming.hpp"

namespace pto::sim {
namespace {

using isa::OpcodeClass;

bool is_error_with(const Diagnostic& finding, FindingTrait trait) {
  return finding.severity == Severity::error && has_trait(finding.id, trait);
}

/// Puts a statement into an operation of the program.
void fill(Program& program, Op& op, const Statement& statement) {
  op.row = statement.row;
  op.attrs = static_cast<uint32_t>(program.attrs.size());
  op.n_attrs = static_cast<decltype(op.n_attrs)>(statement.attrs.size());
  program.attrs.insert(program.attrs.end(), statement.attrs.begin(), statement.attrs.end());
  op.operands = static_cast<uint32_t>(program.operands.size());
  op.n_operand_words = static_cast<decltype(op.n_operand_words)>(statement.operands.size());
  program.operands.insert(program.operands.end(), statement.operands.begin(), statement.operands.end());
}

constexpr std::string_view kTried = ": tried, and nothing is out of order then";

/// As the program would print it.
std::string printed(Program program, const Statement& statement) {
  ProgramBuilder builder(program);
  return print_op(program, builder.begin_op(statement.row, {}, statement.operands, statement.attrs, {}, {}));
}

std::string spelled(const Program& program, const Statement& statement) {
  const auto number = [&](std::string_view name) { return statement.attr(name)->integer; };
  const isa::Row& row = isa::row(statement.row);
  if (statement.attr("src_pipe") != nullptr)
    return std::string(row.name) +
           isa::brackets({static_cast<Pipe>(number("src_pipe")), static_cast<Pipe>(number("dst_pipe")),
                          static_cast<int>(number("event_id"))});
  if (statement.attr("pipe") == nullptr) return printed(program, statement);
  std::string text = fmt::format("{} <{}>", row.name, to_string(static_cast<Pipe>(number("pipe"))));
  if (statement.attr("event_id") != nullptr) text += fmt::format(", {}", number("event_id"));
  if (const AttrValue* mode = statement.attr("ffts_mode"))
    text += fmt::format(" {{ffts_mode = {} : i32}}", mode->integer);
  return text;
}

/// Where an operand is written; line 0 where nobody knows.
Location place_of_operand(const Program& program, uint32_t op, const OperandAt& at) {
  Diagnostics found;
  const OpView view(program, op);
  const uint32_t operand = isa::flat_index(view, at.slot) + at.index;
  found.error(FindingId::bounds, {}, isa::anchor_at(view, Anchor::Part::operand, operand)).where =
      view.op().where;
  resolve_anchors(program, program.source_text, found);
  return found.all().front().where;
}

/// Whether a text begins at a place.
bool stands_at(std::string_view source, Location where, std::string_view text) {
  for (uint32_t line = 1; line < where.line; ++line) {
    const size_t end = source.find('\n');
    if (end == std::string_view::npos) return false;
    source.remove_prefix(end + 1);
  }
  return where.col != 0 && source.size() >= where.col && source.substr(where.col - 1).starts_with(text);
}

/// What an instruction was expanded to has operands that are written nowhere.
bool can_be_told(const Program& program, const Edit& edit) {
  if (edit.kind != Edit::Kind::exchange || !edit.at || program.source_text.empty()) return true;
  return stands_at(program.source_text, place_of_operand(program, edit.op, *edit.at),
                   isa::value_name(program, edit.wrong)) &&
         (edit.number || !program.name_of(edit.right).empty());
}

/// "k.pto:12:34"
std::string told_place_of_operand(const Program& program, uint32_t op, const OperandAt& at) {
  const Location where = place_of_operand(program, op, at);
  if (where.line == 0) return place(program, op);
  return fmt::format("{}:{}", place_at(program, where.line), where.col);
}

StatementChange exchange_of(const Program& program, const Edit& edit) {
  return {StatementChange::Kind::exchange,
          edit.number ? std::to_string(*edit.number) : isa::value_name(program, edit.right),
          {TextPlace::Side::at,
           edit.at ? told_place_of_operand(program, edit.op, *edit.at) : place(program, edit.op)},
          isa::value_name(program, edit.wrong)};
}

StatementChange change_of(const Program& program, const InsertionPoints& places, const Edit& edit) {
  using Kind = StatementChange::Kind;
  if (edit.kind == Edit::Kind::exchange) return exchange_of(program, edit);
  StatementChange change{.text = spelled(program, edit.statement)};
  if (edit.place != kNoOp)
    change.place = edit.behind ? places.after(edit.place) : places.before(edit.place);
  else
    change.place = places.at(edit.op);
  switch (edit.kind) {
    case Edit::Kind::remove:
      change.kind = Kind::remove;
      break;
    case Edit::Kind::write:
      change.kind = Kind::write;
      break;
    case Edit::Kind::add:
      change.kind = Kind::add;
      break;
    default:
      change.kind = Kind::move;
      change.former = place(program, edit.op);
  }
  return change;
}

std::vector<StatementChange> changes_of(const Program& program, const Repair& repair) {
  const InsertionPoints places(program);
  std::vector<StatementChange> changes;
  for (const Edit& edit : repair.edits) changes.push_back(change_of(program, places, edit));
  return changes;
}

/// Whether a fix says the same, perhaps with a reason.
bool begins_with(const Fix& fix, const std::vector<StatementChange>& changes) {
  const auto* given = std::get_if<ChangeStatements>(&fix.action());
  return given != nullptr && given->lead.empty() &&
         (changes.size() == 1 || given->join == ChangeStatements::Join::conjunction) &&
         given->changes.size() >= changes.size() &&
         std::ranges::equal(std::span(given->changes).first(changes.size()), changes);
}

/// Writes statements and operands into a program, and puts new ones in.
class EditApplier {
 public:
  EditApplier(Program& program, const Repair& repair) : program_(program), repair_(repair) {}

  void run() {
    const auto inserts = [](const Edit& edit) { return edit.place != kNoOp || edit.number; };
    if (std::ranges::any_of(repair_.edits, inserts)) rewriter_.emplace(program_);
    for (const Edit& edit : repair_.edits) {
      if (edit.kind == Edit::Kind::write) fill(program_, program_.ops[edit.op], edit.statement);
      if (edit.kind == Edit::Kind::remove || edit.kind == Edit::Kind::move) drop(program_.ops[edit.op]);
      if (edit.kind == Edit::Kind::exchange) exchange(edit);
    }
    if (!rewriter_) return;
    for (const Edit& edit : repair_.edits) {
      if (edit.place != kNoOp && !edit.behind) insert(edit);
    }
    // The first one is the nearest.
    for (auto edit = repair_.edits.rbegin(); edit != repair_.edits.rend(); ++edit) {
      if (edit->place != kNoOp && edit->behind) insert(*edit);
    }
    rewriter_->finish();
  }

 private:
  static void drop(Op& op) {
    op.row = nothing();
    op.n_results = 0;
  }

  void insert(const Edit& edit) {
    edit.behind ? rewriter_->set_after(edit.place) : rewriter_->set_before(edit.place);
    rewriter_->create(edit.statement.row, edit.statement.operands, {}, edit.statement.attrs);
  }

  void exchange(const Edit& edit) {
    ValueId right = edit.right;
    if (edit.number) {
      rewriter_->set_before(edit.op);
      right = rewriter_->constant(program_.values[edit.wrong].type, *edit.number);
    }
    const OpView view(program_, edit.op);
    for (unsigned slot = 0; slot < isa::schema(view.op().row).operands.size(); ++slot) {
      const std::span<const ValueId> values = view.operands(slot);
      for (unsigned i = 0; i < values.size(); ++i) {
        if (values[i] == edit.wrong && (!edit.at || *edit.at == OperandAt{slot, i}))
          program_.operands[static_cast<size_t>(&values[i] - program_.operands.data())] = right;
      }
    }
  }

  Program& program_;
  const Repair& repair_;
  std::optional<Rewriter> rewriter_;
};

/// Behind a vector function, or the next operation.
uint32_t vector_scope_end(const Program& program, uint32_t op) {
  return opens_vector_scope(OpView(program, op)) ? program.end_of(op) : op + 1;
}

/// Looks for the first cure that passes.
class RepairValidator {
 public:
  RepairValidator(const Program& program, const std::vector<Repair>& repairs, const TrialBudget& trials)
      : program_(program),
        repairs_(repairs),
        trials_(trials),
        changed_(program),
        end_(std::min(repairs.size(), trials.max_trials)) {}

  const Repair* first() {
    size_t found = 0;
    while (found < end_ && !passes(found)) ++found;
    if (found == end_ || (repairs_[found].alternative_group != 0 && !is_unambiguous(found))) return nullptr;
    return &repairs_[nearest(found)];
  }

 private:
  bool passes(size_t at) {
    const Repair& repair = repairs_[at];
    const auto reported = [this](const Edit& edit) { return can_be_told(program_, edit); };
    return std::ranges::all_of(repair.edits, reported) && trials_.clean(changed_.apply(repair)) &&
           leaves_what_it_should(repair) &&
           (repair.suspects.empty() ||
            !std::ranges::all_of(repair.suspects, [this](uint32_t op) { return needed(op); }));
  }

  bool leaves_what_it_should(const Repair& repair) {
    switch (repair.outputs) {
      case Repair::Outputs::as_before:
        return outputs(repair) == before();
      case Repair::Outputs::other_than_in_order:
        if (!in_order_) in_order_ = trials_.outputs(in_order(program_));
        return outputs(repair) != *in_order_;
      default:
        return true;
    }
  }

  /// What the same operand may be else, or outputs do not tell.
  bool is_unambiguous(size_t found) {
    const size_t wanted = trials_.meaning(changed_.apply(repairs_[found]));
    for (size_t at = found + 1; at < end_; ++at) {
      if (repairs_[at].alternative_group == repairs_[found].alternative_group && passes(at) &&
          trials_.meaning(changed_.apply(repairs_[at])) != wanted)
        return false;
    }
    return true;
  }

  size_t nearest(size_t found) {
    constexpr size_t kFruitless = 8;
    for (size_t at = found + 1; at < end_ && repairs_[at].prefer_later_position && at <= found + kFruitless;
         ++at) {
      if (passes(at)) found = at;
    }
    return found;
  }

  /// Whether outputs are others without an operation.
  bool needed(uint32_t op) {
    Program without = program_;
    without.ops[op].row = nothing();
    return trials_.outputs(without) != before();
  }
  size_t outputs(const Repair& repair) { return trials_.outputs(changed_.apply(repair)); }
  size_t before() {
    if (!before_) before_ = trials_.outputs(program_);
    return *before_;
  }

  const Program& program_;
  const std::vector<Repair>& repairs_;
  const TrialBudget& trials_;
  PatchedProgram changed_;
  const size_t end_;
  std::optional<size_t> before_, in_order_;
};

}  // namespace

Statement::Statement(const Program& program, uint32_t op) : row(program.ops[op].row) {
  const Op& from = program.ops[op];
  operands.assign(program.operands.begin() + from.operands,
                  program.operands.begin() + from.operands + from.n_operand_words);
  const auto written = program.attrs_of(from);
  attrs.assign(written.begin(), written.end());
}

const AttrValue* Statement::attr(std::string_view name) const {
  const int spec = isa::schema(row).attr_index(name);
  const auto found = std::ranges::find_if(attrs, [&](const Attr& each) { return each.spec == spec; });
  return found == attrs.end() ? nullptr : &found->value;
}

void Statement::put(std::string_view name, int64_t value) {
  drop(name);
  const int spec = isa::schema(row).attr_index(name);
  Attr built;
  built.spec = static_cast<uint16_t>(spec);
  built.value.kind = isa::schema(row).attrs[static_cast<size_t>(spec)].domain != nullptr
                         ? AttrValue::Kind::enumerant
                         : AttrValue::Kind::integer;
  built.value.integer = value;
  // In the order of the row.
  attrs.insert(std::ranges::upper_bound(attrs, built.spec, {}, &Attr::spec), built);
}

void Statement::drop(std::string_view name) {
  const int spec = isa::schema(row).attr_index(name);
  std::erase_if(attrs, [&](const Attr& each) { return each.spec == spec; });
}

RowId nothing() { return isa::id_of(OpcodeClass::memory_barrier); }

bool is_of_order(const Diagnostic& finding) { return is_error_with(finding, kOfOrder); }

bool is_of_flags(const Diagnostic& finding) { return is_error_with(finding, kOfFlags); }

bool is_repairable(const Diagnostic& finding) { return is_error_with(finding, kRepairable); }

bool is_out_of_bounds(const Diagnostic& finding) {
  return finding.severity == Severity::error && finding.id == FindingId::bounds;
}

bool is_of_cores(const Diagnostic& finding) {
  if (is_error_with(finding, kOfCores)) return true;
  return finding.severity == Severity::error && finding.id == FindingId::race && finding.moment &&
         !finding.notes.empty() && finding.notes.front().moment &&
         finding.notes.front().moment->core != finding.moment->core;
}

const Program& PatchedProgram::apply(const Repair& repair) {
  program_.values.resize(original_.values.size());
  program_.ops = original_.ops;
  program_.regions = original_.regions;
  program_.attrs.resize(original_.attrs.size());
  program_.operands = original_.operands;
  EditApplier(program_, repair).run();
  return program_;
}

Program in_order(const Program& program) {
  Statement barrier;
  barrier.row = isa::id_of(OpcodeClass::barrier);
  barrier.put("pipe", static_cast<int64_t>(Pipe::all));
  Repair repair;
  for (uint32_t op = 0; op < program.ops.size(); op = vector_scope_end(program, op)) {
    const OpView view(program, op);
    const bool works = isa::pipe_of(view) != Pipe::none && isa::pipe_of(view) != Pipe::s;
    if (works && !isa::is_synchronisation(isa::opcode_class(view)))
      repair.edits.push_back({.kind = Edit::Kind::add, .statement = barrier, .place = op, .behind = true});
  }
  return PatchedProgram(program).apply(repair);
}

const Repair* first_validated(const Program& program, const std::vector<Repair>& repairs,
                              const TrialBudget& trials) {
  return repairs.empty() ? nullptr : RepairValidator(program, repairs, trials).first();
}

void advise_each(const Program& program, const Repair& repair, Diagnostics& findings) {
  const std::vector<StatementChange> changes = changes_of(program, repair);
  for (Diagnostic& each : findings.all()) {
    // What the finding itself found says why.
    if (is_of_order(each) && !begins_with(each.help, changes))
      each.help = ChangeStatements{changes, std::string(kTried)};
  }
}

void advise_first(const Program& program, const Repair& repair, Diagnostics& findings) {
  Diagnostic& first = *std::ranges::find_if(findings.all(), is_repairable);
  const auto follows = [message = first.message, op = first.anchor.op](const Diagnostic& each) {
    return is_repairable(each) && (each.message != message || each.anchor.op != op);
  };
  first.help =
      ChangeStatements{changes_of(program, repair), ": tried, the error is gone then and none has come"};
  std::vector<Note> notes;
  for (const Diagnostic& each : findings.all()) {
    if (follows(each)) notes.push_back(derived_note(each));
  }
  findings.remove_if(follows);
  std::ranges::move(notes, std::back_inserter(std::ranges::find_if(findings.all(), is_repairable)->notes));
}

}  // namespace pto::sim
