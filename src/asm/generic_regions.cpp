// The generic form of operations with regions, whose types stand behind them.
#include <fmt/format.h>

#include <algorithm>

#include "asm/binder.hpp"
#include "asm/lex.hpp"

namespace pto::text {

namespace {

bool is_symbol_name(std::string_view name) {
  return !name.empty() && scan_name(name.data(), name.data() + name.size()) == name.data() + name.size();
}

}  // namespace

/// Emits the operation and opens its first region.
void Binder::open_generic(const isa::Schema& schema) {
  if (schema.row->regions.most == 0) {
    fail("E0120", statement_.name, fmt::format("{} has no regions", op_name()));
    return;
  }
  if (schema.row->does == isa::Does::module) look_ahead_for_target();
  unsigned regions = isa::usual_regions(*schema.row);
  if (schema.row->does == isa::Does::index_switch) {
    for (const Attr& attr : draft_.attrs) {
      if (attr.spec == 0 && attr.value.kind == AttrValue::Kind::int_array)
        regions = attr.value.array.count + 1;
    }
    set_attr("default_first", {});  // the generic form's order
    if (regions > 255) fail("E0120", statement_.name, fmt::format("{} has at most 254 cases", op_name()));
  }
  const bool declaration = schema.row->does == isa::Does::function && reader_.region_is_empty();
  const std::vector<Draft::Result> args = declaration ? function_args_ : std::vector<Draft::Result>{};
  const uint32_t op = emit(regions);
  if (failed_) return;
  open_region(op, 0, args, {});
  frames_.back().generic = true;
  frames_.back().arguments = function_args_;
}

/// A module's attributes stand behind its body, whose types depend on the target: they are read now and again
/// later.
void Binder::look_ahead_for_target() {
  if (!frames_.empty() && !frames_.back().made && program_.target_stated) return;
  const uint32_t here = reader_.offset();
  Statement tail;
  if (reader_.skip_regions()) reader_.resume(tail, op_name());
  reader_.seek(here);
  for (uint32_t i = 0; tail.kind == StatementKind::operation && i < tail.nodes.size(); ++i) {
    const Node& entry = tail.nodes[i];
    if (entry.kind != NodeKind::entry || i + 3 >= tail.nodes.size() ||
        tail.nodes[i + 2].kind != NodeKind::equal)
      continue;
    std::string_view key = text(tail.nodes[i + 1]), value = text(tail.nodes[i + 3]);
    if (key.starts_with('"')) key = key.substr(1, key.size() - 2);
    if (value.size() >= 2 && value.starts_with('"')) note_target(key, value.substr(1, value.size() - 2));
  }
}

namespace {

/// Whether the arguments of a region are these types.
bool same_types(const Program& program, const Region& region, std::span<const TypeId> types) {
  if (region.n_args != types.size()) return false;
  for (uint32_t i = 0; i < region.n_args; ++i) {
    if (program.values[region.first_arg + i].type != types[i]) return false;
  }
  return true;
}

}  // namespace

/// The structured operations say in their own syntax what their regions' arguments are.
void Binder::check_region_arguments(const Frame& frame) {
  const OpView view(program_, frame.op);
  const std::string_view name = view.mnemonic();
  const isa::Does does = isa::does(view);
  const std::span<const Region> regions = program_.regions_of(view.op());
  std::vector<TypeId> wanted;
  const auto wrong = [&](std::string_view what) {
    fail("E0151", frame.name,
         fmt::format("{}: its first region has {} argument{}; it takes {}", name, regions[0].n_args,
                     regions[0].n_args == 1 ? "" : "s", what));
  };
  const auto add = [&](std::span<const ValueId> values) {
    for (const ValueId value : values) wanted.push_back(type_of(value));
  };
  if (does == isa::Does::function) {
    for (const Draft::Result& arg : frame.arguments) wanted.push_back(arg.type);
    if (!same_types(program_, regions[0], wanted))
      wrong(fmt::format("the {} of function_type, with their types", wanted.size()));
  } else if (does == isa::Does::loop) {
    add(view.operands(0));
    add(view.operands(3));
    if (!same_types(program_, regions[0], wanted))
      wrong("the loop variable and one for every initial value, with their types");
    for (unsigned slot = 1; slot < 3; ++slot) {
      if (type_of(view.operand(slot)) != type_of(view.operand(0)))
        fail("E0115", frame.name, fmt::format("{}: its bounds and step differ in type", name));
    }
    std::vector<TypeId> results;
    for (uint32_t i = 0; i < view.op().n_results; ++i) results.push_back(type_of(view.result(i)));
    wanted.erase(wanted.begin());
    if (!failed_ && results != wanted)
      fail("E0115", frame.name,
           fmt::format("{}: its results and initial values differ in number or type", name));
  } else if (does == isa::Does::while_loop) {
    add(view.operands(0));
    if (!same_types(program_, regions[0], wanted)) wrong("one for every initial value, with their types");
  } else if (does != isa::Does::strict_vecscope && regions[0].n_args != 0) {
    wrong("none");
  }
}

/// A declaration whose function_type stands behind its empty region.
void Binder::declare_arguments(const Frame& frame) {
  Region& region = program_.regions[program_.ops[frame.op].regions];
  if (region.begin != region.end || region.n_args != 0) return;
  region.first_arg = static_cast<uint32_t>(program_.values.size());
  region.n_args = static_cast<uint32_t>(frame.arguments.size());
  for (const Draft::Result& arg : frame.arguments) builder_.new_value(arg.type);
}

/// Behind the last region: `{attributes} : (types) -> (types) loc(..)`.
void Binder::finish_generic(const Frame& frame) {
  statement_.quoted = true;
  strip_location();
  if (written_location_) program_.ops[frame.op].where = *written_location_;
  note_location(frame.op);
  function_args_ = frame.arguments;
  Cursor cursor = items();
  const isa::Schema& schema = isa::schema(program_.ops[frame.op].row);
  draft_.reset(schema);
  if (cursor.is(NodeKind::dict)) {
    dictionary(cursor.take());
    append_attrs(frame.op);
  }
  if (failed_ || !expect(cursor, NodeKind::colon, "':' and types")) return;
  std::vector<Draft::Result> written, results;
  if (!types(cursor, written) || !expect(cursor, NodeKind::arrow, "'->' and the result types") ||
      !types(cursor, results) || !expect_end(cursor))
    return;
  const OpView view(program_, frame.op);
  std::vector<ValueId> operands;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : view.operands(slot)) operands.push_back(value);
  }
  if (written.size() != operands.size()) {
    fail("E0116", frame.name,
         fmt::format("{}: {} operands but {} types", op_name(), operands.size(), written.size()));
    return;
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string_view name = program_.name_of(operands[i]);
    if (type_of(operands[i]) == written[i].type) continue;
    fail("E0115", written[i].span,
         fmt::format("{} of {} is {}, but {} is written",
                     name.empty() ? fmt::format("operand {}", i) : fmt::format("%{}", name), op_name(),
                     to_string(program_.types[type_of(operands[i])]),
                     to_string(program_.types[written[i].type])));
  }
  const Op& op = program_.ops[frame.op];
  if (results.size() != op.n_results)
    fail("E0119", frame.name,
         fmt::format("{} has {} result{}, but {} {} named", op_name(), results.size(),
                     results.size() == 1 ? "" : "s", op.n_results, op.n_results == 1 ? "is" : "are"));
  for (size_t i = 0; i < results.size() && i < op.n_results; ++i)
    program_.values[op.first_result + i].type = results[i].type;
  if (failed_) return;
  Frame completed = frame;
  completed.arguments = function_args_;
  declare_arguments(completed);
  require_positional_attributes(schema, program_.attrs_of(op));
  check_region_arguments(completed);
  check_symbol(frame.op);
}

/// Names and visibility have a place in the function's and module's own syntax: they must be words there.
void Binder::check_symbol(uint32_t op) {
  const OpView view(program_, op);
  const AttrValue* name = view.attr("sym_name");
  if (name != nullptr &&
      (name->kind != AttrValue::Kind::string || !is_symbol_name(program_.strings[name->text])))
    fail("E0108", statement_.name,
         fmt::format("{}: sym_name is a string of letters, digits and _ . $ -", op_name()));
  const AttrValue* visibility = view.attr("sym_visibility");
  if (visibility == nullptr) return;
  const std::string_view word =
      visibility->kind == AttrValue::Kind::string ? program_.strings[visibility->text] : std::string_view{};
  if (word != "private" && word != "public" && word != "nested")
    fail("E0108", statement_.name,
         fmt::format("{}: sym_visibility is \"private\", \"public\" or \"nested\"", op_name()));
}

}  // namespace pto::text
