#include "ir/instruction_phases.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "ir/pipe_rules.hpp"
#include "support/strings.hpp"

namespace pto::isa {
namespace {

std::vector<uint8_t> slots_of(const Schema& schema, std::string_view names) {
  std::vector<uint8_t> found;
  for (const std::string_view name : split(names, ',')) {
    if (const int slot = schema.operand_slot(name); slot >= 0) found.push_back(static_cast<uint8_t>(slot));
  }
  return found;
}

Phase parse_phase(const Schema& schema, std::string_view text) {
  Phase built;
  if (const size_t colon = text.find(':'); colon != text.npos) {
    for (const std::string_view pipe : split(text.substr(0, colon), ','))
      built.waits.push_back(named_pipe(pipe).value_or(Pipe::none));
    text.remove_prefix(colon + 1);
  }
  const size_t reads = std::min(text.find('<'), text.size()), writes = std::min(text.find('>'), text.size()),
               end_of_pipe = std::min(reads, writes);
  built.pipe = named_pipe(text.substr(0, end_of_pipe)).value_or(Pipe::none);
  built.rest = end_of_pipe == text.size();
  if (reads < text.size()) built.reads = slots_of(schema, text.substr(reads + 1, writes - reads - 1));
  if (writes < text.size()) built.writes = slots_of(schema, text.substr(writes + 1));
  return built;
}

void add_events(std::string_view text, std::vector<InternalEvent>& events) {
  for (const std::string_view each : split(text, ';')) {
    const size_t arrow = each.find('>'), equals = each.find('=');
    for (const std::string_view number : split(each.substr(equals + 1), ',')) {
      InternalEvent event{named_pipe(each.substr(0, arrow)).value_or(Pipe::none),
                          named_pipe(each.substr(arrow + 1, equals - arrow - 1)).value_or(Pipe::none)};
      std::from_chars(number.data(), number.data() + number.size(), event.id);
      events.push_back(event);
    }
  }
}

/// The first tile among the operands; null when there is none.
const Type* first_tile(const OpView& op) {
  const Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    if (!op.operands(slot).empty() && op.operand(slot) != kNoValue && op.type(slot).is_tile())
      return &op.type(slot);
  }
  return nullptr;
}

const Type* tile_at(const OpView& op, std::string_view name) {
  const int slot = isa::schema(op.op().row).operand_slot(name);
  if (slot < 0 || op.operand(static_cast<unsigned>(slot)) == kNoValue) return nullptr;
  const Type& type = op.type(static_cast<unsigned>(slot));
  return type.is_tile() ? &type : nullptr;
}

bool attribute_is(const OpView& op, std::string_view name, std::string_view wanted) {
  const Schema& schema = isa::schema(op.op().row);
  const int index = schema.attr_index(name);
  if (index < 0) return false;
  const AttrSpec& spec = schema.attrs[static_cast<size_t>(index)];
  const AttrValue* value = op.attr(static_cast<unsigned>(index));
  if (value == nullptr && !spec.has_default) return false;
  const int64_t number = value != nullptr ? value->integer : spec.default_int;
  if (spec.domain != nullptr) return case_name(*spec.domain, number) == wanted;
  return wanted == "true" ? number != 0 : number == 0;
}

/// Which of src0 and src1 gives one number, or one block, for a whole row of several.
bool spreads(const OpView& op, std::string_view source, std::string_view other) {
  const Type *spread = tile_at(op, source), *whole = tile_at(op, other), *dst = tile_at(op, "dst");
  if (spread == nullptr || whole == nullptr || dst == nullptr || dst->valid[0] <= 1) return false;
  return spread->valid[1] != kDynamic && whole->valid[1] == dst->valid[1] && spread->valid[1] < dst->valid[1];
}

bool one_holds(const OpView& op, std::string_view condition) {
  if (condition.starts_with('!')) return !one_holds(op, condition.substr(1));
  if (condition == "wider") {
    const Type *src = tile_at(op, "src"), *dst = tile_at(op, "dst");
    return src != nullptr && dst != nullptr && bit_width(dst->elem) > bit_width(src->elem);
  }
  if (condition == "rows" || condition == "one_row") {
    const Type* dst = tile_at(op, "dst");
    return dst != nullptr && (condition == "rows" ? dst->valid[0] > 1 : dst->valid[0] <= 1);
  }
  if (condition == "longer_rows") {
    const Type *src = tile_at(op, "src"), *dst = tile_at(op, "dst");
    return src != nullptr && dst != nullptr && dst->valid[0] > 1 && dst->cols() > src->cols();
  }
  constexpr int64_t kRepeat = 256;
  if (condition == "repeats" || condition == "pairs") {
    const Type* dst = tile_at(op, "dst");
    const int64_t most = condition == "pairs" ? 2 * kRepeat : kRepeat;
    return dst != nullptr && dst->valid[1] * byte_width(dst->elem) > most;
  }
  if (condition == "short_rows" || condition == "short_halves") {
    const Type* src = tile_at(op, "src");
    const bool wanted = condition == "short_rows" || (src != nullptr && byte_width(src->elem) == 2);
    return src != nullptr && wanted && src->valid[1] * byte_width(src->elem) <= kRepeat;
  }
  if (condition == "spreads_src0") return spreads(op, "src0", "src1");
  if (condition == "spreads_src1") return spreads(op, "src1", "src0");
  if (const size_t equals = condition.find('='); equals != condition.npos)
    return attribute_is(op, condition.substr(0, equals), condition.substr(equals + 1));
  if (const int slot = isa::schema(op.op().row).operand_slot(condition); slot >= 0)
    return op.operand(static_cast<unsigned>(slot)) != kNoValue;
  const Type* tile = first_tile(op);
  return tile != nullptr && to_string(signless(tile->elem)) == condition;
}

}  // namespace

bool condition_holds(const OpView& op, std::string_view condition) {
  if (condition.empty()) return true;
  return !for_each_part(condition, '|', [&](std::string_view each) { return !one_holds(op, each); });
}

std::span<const Phase> Phases::early() const {
  const auto own = std::ranges::find_if(phases, &Phase::rest);
  return {phases.begin(), own};
}

std::span<const Phase> Phases::late() const {
  const auto own = std::ranges::find_if(phases, &Phase::rest);
  return own == phases.end() ? std::span<const Phase>() : std::span<const Phase>(own + 1, phases.end());
}

std::vector<std::vector<InternalEvent>> Phases::events_in_order() const {
  std::vector<std::vector<InternalEvent>> built(phases.size() + 1);
  std::vector<InternalEvent> left = events;
  const auto move_to = [&](std::vector<InternalEvent>& to, Pipe source, Pipe destination) {
    const auto found = std::ranges::find_if(left, [&](const InternalEvent& event) {
      return event.source == source && event.destination == destination;
    });
    if (found == left.end()) return;
    to.push_back(*found);
    left.erase(found);
  };
  for (size_t i = 0; i < phases.size(); ++i) {
    for (const Pipe pipe : phases[i].waits) move_to(built[i], pipe, phases[i].pipe);
    if (i > 0) move_to(built[i], phases[i - 1].pipe, phases[i].pipe);
  }
  if (!phases.empty()) built.back() = std::move(left);
  return built;
}

bool Phases::changes(unsigned slot) const {
  const auto in = [&](const std::vector<uint8_t>& list) {
    return std::ranges::find(list, slot) != list.end();
  };
  return in(clobbers) || in(restores);
}

bool has_phases(const Row& row) {
  return row.rule_names.has_any(
      {RuleName::phases, RuleName::events, RuleName::reserves, RuleName::clobbers, RuleName::restores});
}

Phases phases_of(const OpView& op) {
  Phases built;
  if (!has_phases(isa::row(op.op().row))) return built;
  const Schema& schema = isa::schema(op.op().row);
  static constexpr RuleNames kStatements = {RuleName::phases, RuleName::events, RuleName::clobbers,
                                            RuleName::restores};
  for (const RowRule& rule : schema.rules) {
    const bool counts = kStatements.has(rule.id) && rule.holds_on(op.program().target);
    if (!counts || !condition_holds(op, rule.condition())) continue;
    if (rule.id == RuleName::phases) {
      for (const std::string_view each : split(rule.words(), ';'))
        built.phases.push_back(parse_phase(schema, each));
    } else if (rule.id == RuleName::events) {
      add_events(rule.words(), built.events);
    } else {
      std::vector<uint8_t>& list = rule.id == RuleName::clobbers ? built.clobbers : built.restores;
      for (const uint8_t slot : slots_of(schema, rule.words())) list.push_back(slot);
    }
  }
  return built;
}

std::vector<InternalEvent> internal_events(const Row& row, Target target) {
  std::vector<InternalEvent> events;
  if (!has_phases(row)) return events;
  for (const RowRule& rule : isa::schema(id_of(row)).rules) {
    const bool uses = rule.id == RuleName::events || rule.id == RuleName::reserves;
    if (uses && rule.holds_on(target)) add_events(rule.words(), events);
  }
  return events;
}

}  // namespace pto::isa
