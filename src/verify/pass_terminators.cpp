// How regions end (E042x): a function with return, structures that have results with scf.yield, and both with as many
// values of the right types.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "verify/checker.hpp"

namespace pto::legality {
namespace {

constexpr uint32_t kNone = ~0u;

/// The last operation that stands directly in a region; kNone when the region is empty.
uint32_t last_of(const Program& program, const Region& region) {
  uint32_t last = kNone;
  for (uint32_t i = region.begin; i < region.end; i = program.end_of(i)) last = i;
  return last;
}

std::string count_of(size_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string type_list(const std::vector<std::string>& types) { return types.empty() ? "nothing" : fmt::format("{}", fmt::join(types, ", ")); }

/// `i32, !pto.ptr<f32, ub>` at its outer commas.
std::vector<std::string> split_types(std::string_view text) {
  std::vector<std::string> types;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '<') ++depth;
    if (i < text.size() && text[i] == '>') --depth;
    if (i < text.size() && (text[i] != ',' || depth != 0)) continue;
    while (begin < i && text[begin] == ' ') ++begin;
    if (begin < i) types.emplace_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return types;
}

class Terminators {
 public:
  explicit Terminators(Checker& check) : check_(check), program_(check.program()) {
    for (const FunctionInfo& info : functions(program_)) {
      if (info.entry) entries_.insert(info.op);
    }
  }

  void run() {
    for (uint32_t i = 0; i < program_.ops.size(); ++i) {
      const RowId row = program_.ops[i].row;
      if (row == kFunc) function(OpView(program_, i));
      else if (row == kFor) loop(OpView(program_, i));
      else if (row == kIf) choice(OpView(program_, i));
      else if (row == kWhile) while_loop(OpView(program_, i));
    }
  }

 private:
  static RowId id(std::string_view name) { return isa::id_of(*isa::find_row(name)); }

  [[nodiscard]] std::vector<std::string> result_types(const OpView& op) const {
    std::vector<std::string> types;
    for (unsigned i = 0; i < op.op().n_results; ++i) types.push_back(to_string(op.result_type(i)));
    return types;
  }

  void function(const OpView& op) {
    const std::span<const Region> regions = program_.regions_of(op.op());
    if (regions.empty() || regions[0].begin == regions[0].end) return;
    const AttrValue* written = op.attr("function_results");
    const std::vector<std::string> wanted = written == nullptr ? std::vector<std::string>{} : split_types(program_.strings[written->text]);
    const AttrValue* symbol = op.attr("sym_name");
    const std::string name = symbol == nullptr ? "the function" : fmt::format("@{}", program_.strings[symbol->text]);
    const uint32_t last = last_of(program_, regions[0]);
    for (uint32_t i = regions[0].begin; i < regions[0].end; i = program_.end_of(i)) {
      if (program_.ops[i].row == kBlock) return;   // E0443 speaks of blocks
    }
    if ((isa::row(program_.ops[last].row).flags & isa::kTerminator) == 0) {
      Diagnostic& made = check_.fail("E0421", op, Anchor::Part::end, 0, fmt::format("{} ends without return", name),
                                     wanted.empty() ? "write return in front of this brace" : fmt::format("return {} in front of this brace", type_list(wanted)));
      note(made, op, fmt::format("{} begins here", name));
      return;
    }
    // An entry that returns something has its own rule, E0407.
    if (program_.ops[last].row == kReturn && !(wanted.empty() && entries_.contains(op.index()))) values(op, OpView(program_, last), 0, wanted, name);
  }

  void loop(const OpView& op) {
    const std::span<const Region> regions = program_.regions_of(op.op());
    if (const std::optional<int64_t> step = check_.constant(op.operand(2)); step && *step <= 0) {
      Diagnostic& made = check_.fail("E0425", op, Anchor::Part::operand, 2, fmt::format("the step {} of the loop is {}: {}", value_name(program_, op.operand(2)), *step,
                                                                                        *step == 0 ? "it would never end" : "loops count upwards"),
                                     "use a positive step");
      check_.note_definition(made, op.operand(2));
    }
    region(op, 0, regions[0], result_types(op), "the loop");
  }

  void choice(const OpView& op) {
    const std::span<const Region> regions = program_.regions_of(op.op());
    const std::vector<std::string> wanted = result_types(op);
    if (!wanted.empty() && regions.size() > 1 && regions[1].begin == regions[1].end) {
      check_.fail("E0424", op, fmt::format("scf.if has {} ({}) but no else, so without the condition there is no value", count_of(wanted.size(), "result"), type_list(wanted)),
                  "add else { .. scf.yield .. }");
    }
    for (unsigned k = 0; k < regions.size(); ++k) {
      if (regions[k].begin != regions[k].end || k == 0) region(op, k, regions[k], wanted, k == 0 ? "this branch" : "the else branch");
    }
  }

  void while_loop(const OpView& op) {
    const std::span<const Region> regions = program_.regions_of(op.op());
    if (regions.size() < 2) return;
    const uint32_t last = regions[0].begin == regions[0].end ? kNone : last_of(program_, regions[0]);
    if (last == kNone || program_.ops[last].row != kCondition) {
      Diagnostic& made = check_.fail("E0421", op, Anchor::Part::end, 0, "the first region of scf.while ends without scf.condition", "write scf.condition(%c) in front of this brace");
      note(made, op, "the loop begins here");
    } else {
      values(op, OpView(program_, last), 1, result_types(op), "the loop");
    }
    std::vector<std::string> wanted;
    for (const ValueId init : op.operands(0)) wanted.push_back(to_string(program_.type_of(init)));
    region(op, 1, regions[1], wanted, "the loop");
  }

  /// A region that ends with scf.yield; without values the yield may be left out.
  void region(const OpView& op, unsigned index, const Region& region, const std::vector<std::string>& wanted, std::string_view what) {
    const uint32_t last = last_of(program_, region);
    if (last != kNone && program_.ops[last].row == kYield) return values(op, OpView(program_, last), 0, wanted, what);
    if (wanted.empty() || (last != kNone && (isa::row(program_.ops[last].row).flags & isa::kTerminator) != 0)) return;
    Diagnostic& made = check_.fail("E0421", op, Anchor::Part::end, index, fmt::format("{} ends without scf.yield, but {} has {} ({})", what, op.mnemonic(),
                                                                                       count_of(wanted.size(), "result"), type_list(wanted)),
                                   fmt::format("write scf.yield with {} in front of this brace", count_of(wanted.size(), "value")));
    note(made, op, fmt::format("{} is here", op.mnemonic()));
  }

  /// What a terminator hands on against what is expected there.
  void values(const OpView& op, const OpView& end, unsigned slot, const std::vector<std::string>& wanted, std::string_view what) {
    const std::span<const ValueId> given = end.operands(slot);
    if (given.size() != wanted.size()) {
      std::vector<std::string> types;
      for (const ValueId value : given) types.push_back(to_string(program_.type_of(value)));
      Diagnostic& made = check_.fail("E0422", end, fmt::format("{} hands on {} ({}), but {} has {} ({})", end.mnemonic(), count_of(given.size(), "value"), type_list(types),
                                                                what, count_of(wanted.size(), "result"), type_list(wanted)),
                                     fmt::format("hand on one value for each result of {}", what));
      note(made, op, "its results are stated here");
      return;
    }
    for (unsigned i = 0; i < given.size(); ++i) {
      const std::string type = to_string(program_.type_of(given[i]));
      if (type == wanted[i]) continue;
      Diagnostic& made = check_.fail("E0423", end, Anchor::Part::operand, flat_index(end, slot) + i,
                                     fmt::format("{} is {}, but result {} of {} is {}", value_name(program_, given[i]), type, i, what, wanted[i]),
                                     fmt::format("convert {} to {}, or state {} as the result's type", value_name(program_, given[i]), wanted[i], type));
      check_.note_definition(made, given[i]);
      note(made, op, "the results are stated here");
    }
  }

  void note(Diagnostic& made, const OpView& op, std::string text) const {
    Note note;
    note.message = std::move(text);
    note.where = op.op().where;
    note.anchor = {Anchor::Part::op, op.index(), 0};
    made.notes.push_back(std::move(note));
  }

  Checker& check_;
  const Program& program_;
  std::set<uint32_t> entries_;
  const RowId kBlock = id("builtin.block"), kFunc = id("func.func"), kReturn = id("func.return"), kFor = id("scf.for"), kIf = id("scf.if"), kWhile = id("scf.while"),
              kYield = id("scf.yield"), kCondition = id("scf.condition");
};

}  // namespace

void check_terminators(Checker& check) { Terminators(check).run(); }

}  // namespace pto::legality
