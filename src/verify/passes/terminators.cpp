// How regions end (E042x): a function with return, structures that have results with scf.yield, and both with
// as many values of the right types.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "ir/regions.hpp"
#include "support/strings.hpp"
#include "verify/verifier_context.hpp"

namespace pto::legality {
namespace {

using isa::OpcodeClass;

std::string count_of(size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string type_list(const std::vector<std::string>& types) {
  return types.empty() ? "nothing" : fmt::format("{}", fmt::join(types, ", "));
}

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
    for (const Function& function : check.functions().all()) {
      if (function.info.entry) entries_.insert(function.info.op);
    }
  }

  void run() {
    for (uint32_t i = 0; i < program_.ops.size(); ++i) {
      const OpView op(program_, i);
      switch (isa::opcode_class(op)) {
        case OpcodeClass::function:
          function(op);
          break;
        case OpcodeClass::loop:
          loop(op);
          break;
        case OpcodeClass::branch:
          choice(op);
          break;
        case OpcodeClass::while_loop:
          while_loop(op);
          break;
        case OpcodeClass::inline_region:
          inline_region(op);
          break;
        default:
          break;
      }
    }
  }

 private:
  [[nodiscard]] OpcodeClass opcode_class(uint32_t op) const {
    return isa::row(program_.ops[op].row).opcode_class;
  }

  [[nodiscard]] std::vector<std::string> result_types(const OpView& op) const {
    std::vector<std::string> types;
    for (unsigned i = 0; i < op.op().n_results; ++i) types.push_back(to_string(op.result_type(i)));
    return types;
  }

  void function(const OpView& op) {
    const std::span<const Region> regions = program_.regions_of(op.op());
    if (regions.empty() || regions[0].begin == regions[0].end) return;
    const AttrValue* written = op.attr("function_results");
    const std::vector<std::string> wanted =
        written == nullptr ? std::vector<std::string>{} : split_types(program_.strings[written->text]);
    const AttrValue* symbol = op.attr("sym_name");
    const std::string name =
        symbol == nullptr ? "the function" : fmt::format("@{}", program_.strings[symbol->text]);
    const uint32_t last = last_of(program_, regions[0]);
    for (const uint32_t i : ops_in(program_, regions[0])) {
      if (opcode_class(i) == OpcodeClass::block) return;  // E0443 speaks of blocks
    }
    if (!is_terminator(program_, last)) {
      Diagnostic& built =
          check_.fail(E0421, op, Anchor::Part::end, 0, fmt::format("{} ends without return", name),
                      wanted.empty() ? Fix(WriteBeforeMarked{"return"})
                                     : fmt::format("return {} in front of this brace", type_list(wanted)));
      add_note(built, op, fmt::format("{} begins here", name));
      return;
    }
    // An entry that returns something has its own rule, E0407.
    if (opcode_class(last) == OpcodeClass::ret && !(wanted.empty() && entries_.contains(op.index())))
      values(op, OpView(program_, last), 0, wanted, name);
  }

  void loop(const OpView& op) {
    const std::span<const Region> regions = program_.regions_of(op.op());
    if (const std::optional<int64_t> step = check_.constant(op.operand(2)); step && *step <= 0) {
      Diagnostic& built =
          check_.fail(E0425, op, Anchor::Part::operand, 2,
                      fmt::format("the step {} of the loop is {}: {}", value_name(program_, op.operand(2)),
                                  *step, *step == 0 ? "it would never end" : "loops count upwards"),
                      "use a positive step");
      check_.note_definition(built, op.operand(2));
    }
    region(op, 0, regions[0], result_types(op), "the loop");
  }

  void choice(const OpView& op) {
    const std::span<const Region> regions = program_.regions_of(op.op());
    const std::vector<std::string> wanted = result_types(op);
    if (!wanted.empty() && regions.size() > 1 && regions[1].begin == regions[1].end) {
      check_.fail(E0424, op,
                  fmt::format("{} has {} ({}) but no else, so without the condition there is no value",
                              op.mnemonic(), count_of(wanted.size(), "result"), type_list(wanted)),
                  "add else { .. scf.yield .. }");
    }
    for (unsigned k = 0; k < regions.size(); ++k) {
      if (regions[k].begin != regions[k].end || k == 0)
        region(op, k, regions[k], wanted, k == 0 ? "this branch" : "the else branch");
    }
  }

  void while_loop(const OpView& op) {
    const std::span<const Region> regions = program_.regions_of(op.op());
    if (regions.size() < 2) return;
    const uint32_t last = last_of(program_, regions[0]);
    if (last == kNoOp || opcode_class(last) != OpcodeClass::condition) {
      Diagnostic& built = check_.fail(E0421, op, Anchor::Part::end, 0,
                                      "the first region of scf.while ends without scf.condition",
                                      WriteBeforeMarked{"scf.condition(%c)"});
      add_note(built, op, "the loop begins here");
    } else {
      values(op, OpView(program_, last), 1, result_types(op), "the loop");
    }
    std::vector<std::string> wanted;
    for (const ValueId init : op.operands(0)) wanted.push_back(to_string(program_.type_of(init)));
    region(op, 1, regions[1], wanted, "the loop");
  }

  /// What the row wants as the last operation of the region; empty: it leaves that open.
  static std::string_view wanted_end(const OpView& op) {
    const RowRule* rule = isa::schema(op.op().row).find_rule(RuleName::ends_with);
    return rule == nullptr ? std::string_view() : rule->argument;
  }

  /// Several of its blocks may yield.
  void inline_region(const OpView& op) {
    if (op.op().n_regions == 0) return;
    const Region& body = body_of(op);
    const std::vector<std::string> wanted = result_types(op);
    if (body.n_args != 0)
      check_.fail(E0445, op,
                  fmt::format("the first block of {} takes {}, which nothing passes", op.mnemonic(),
                              count_of(body.n_args, "value")),
                  "use the values from outside");
    if (const std::string_view end = wanted_end(op); !end.empty()) {
      const uint32_t last = last_of(program_, body);
      if (last == kNoOp || OpView(program_, last).mnemonic() != end) {
        Diagnostic& built = check_.fail(E0421, op, Anchor::Part::end, 0,
                                        fmt::format("the region of {} ends without {}", op.mnemonic(), end),
                                        WriteBeforeMarked{std::string(end)});
        add_note(built, op, fmt::format("{} is here", op.mnemonic()));
        return;
      }
    }
    bool blocks = false;
    for (const uint32_t i : ops_in(program_, body)) {
      blocks = blocks || opcode_class(i) == OpcodeClass::block;
      if (opcode_class(i) == OpcodeClass::yield && i != last_of(program_, body))
        values(op, OpView(program_, i), 0, wanted, "the region");
    }
    if (!blocks || opcode_class(last_of(program_, body)) == OpcodeClass::yield)
      region(op, 0, body, wanted, "the region");
  }

  /// A region that ends with scf.yield; without values the yield may be left out.
  void region(const OpView& op, unsigned index, const Region& region, const std::vector<std::string>& wanted,
              std::string_view what) {
    const uint32_t last = last_of(program_, region);
    if (last != kNoOp && opcode_class(last) == OpcodeClass::yield)
      return values(op, OpView(program_, last), 0, wanted, what);
    if (wanted.empty() || (last != kNoOp && is_terminator(program_, last))) return;
    Diagnostic& built = check_.fail(
        E0421, op, Anchor::Part::end, index,
        fmt::format("{} ends without scf.yield, but {} has {} ({})", what, op.mnemonic(),
                    count_of(wanted.size(), "result"), type_list(wanted)),
        fmt::format("write scf.yield with {} in front of this brace", count_of(wanted.size(), "value")));
    add_note(built, op, fmt::format("{} is here", op.mnemonic()));
  }

  /// What a terminator passes on against what is expected there.
  void values(const OpView& op, const OpView& end, unsigned slot, const std::vector<std::string>& wanted,
              std::string_view what) {
    const std::span<const ValueId> given = end.operands(slot);
    if (given.size() != wanted.size()) {
      std::vector<std::string> types;
      for (const ValueId value : given) types.push_back(to_string(program_.type_of(value)));
      Diagnostic& built = check_.fail(
          E0422, end,
          fmt::format("{} has {} ({}), but {} has {} ({})", end.mnemonic(), count_of(given.size(), "value"),
                      type_list(types), what, count_of(wanted.size(), "result"), type_list(wanted)),
          fmt::format("give one value for each result of {}", what));
      add_note(built, op, "its results are stated here");
      return;
    }
    for (unsigned i = 0; i < given.size(); ++i) {
      const std::string type = to_string(program_.type_of(given[i]));
      if (type == wanted[i]) continue;
      Diagnostic& built = check_.fail(E0423, end, Anchor::Part::operand, flat_index(end, slot) + i,
                                      fmt::format("{} is {}, but result {} of {} is {}",
                                                  value_name(program_, given[i]), type, i, what, wanted[i]),
                                      fmt::format("convert {} to {}, or state {} as the result's type",
                                                  value_name(program_, given[i]), wanted[i], type));
      check_.note_definition(built, given[i]);
      add_note(built, op, "the results are stated here");
    }
  }

  Checker& check_;
  const Program& program_;
  std::set<uint32_t> entries_;
};

constexpr Rule kTerminatorsRules[] = {
    {.id = E0421,
     .title = "missing terminator",
     .cause = "A function ends with return; a loop or branch that has results ends with scf.yield, the "
              "first region of scf.while with scf.condition.",
     .example = "func.func @k() { pto.barrier <PIPE_ALL> }",
     .fix = "Write it as the last operation of the region."},
    {.id = E0422,
     .title = "number of terminator values",
     .cause = "scf.yield, scf.condition or return has more or fewer values than the structure has results.",
     .example = "%r = scf.for .. iter_args(%x = %a) -> (i32) { scf.yield }",
     .fix = "Hand on one value for each result."},
    {.id = E0423,
     .title = "type of a terminator value",
     .cause = "A value of scf.yield, scf.condition or return has another type than the corresponding result.",
     .example = "%r = scf.if %c -> (i32) { scf.yield %f : f32 } else { .. }",
     .fix = "Convert the value, or change the type of the result."},
    {.id = E0424,
     .title = "results without else",
     .cause = "An scf.if with results needs a value for both cases.",
     .example = "%r = scf.if %c -> (i32) { scf.yield %x : i32 }",
     .fix = "Add an else region that yields."},
    {.id = E0425,
     .title = "loop step",
     .cause = "scf.for counts upwards by a positive step.",
     .example = "scf.for %i = %c0 to %c16 step %c0 { .. }",
     .fix = "Use a positive step; compute a falling index inside the loop."},
};

}  // namespace

RuleFamily terminator_rules() { return {.rules = kTerminatorsRules, .checks = {}}; }

void check_terminators(Checker& check) { Terminators(check).run(); }

}  // namespace pto::legality
