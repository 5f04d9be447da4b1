// The generic form of operations with regions, whose types follow them.
#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/binder_context.hpp"
#include "asm/parse/text/scanner.hpp"
#include "ir/op_queries.hpp"

namespace pto::text {

namespace {

bool is_symbol_name(std::string_view name) {
  return !name.empty() && scan_name(name.data(), name.data() + name.size()) == name.data() + name.size();
}

}  // namespace

/// Emits the operation and opens its first region.
void GenericForm::open(const isa::Schema& schema) {
  if (schema.row->regions.most == 0) {
    p_.report.fail(E0120, p_.reader.statement().name, fmt::format("{} has no regions", p_.reader.op_name()));
    return;
  }
  if (schema.row->opcode_class == isa::OpcodeClass::module) look_ahead_for_target();
  unsigned regions = isa::usual_regions(*schema.row);
  if (schema.row->opcode_class == isa::OpcodeClass::index_switch) {
    for (const Attr& attr : p_.draft.attrs) {
      if (attr.spec == 0 && attr.value.kind == AttrValue::Kind::int_array)
        regions = attr.value.array.count + 1;
    }
    p_.draft.set("default_first", {});  // the generic form's order
    if (regions > 255)
      p_.report.fail(E0120, p_.reader.statement().name,
                     fmt::format("{} has at most 254 cases", p_.reader.op_name()));
  }
  const bool declaration =
      schema.row->opcode_class == isa::OpcodeClass::function && p_.reader.stream().region_is_empty();
  const std::vector<Draft::Result> args = declaration ? function_args_ : std::vector<Draft::Result>{};
  const uint32_t op = p_.emitter.emit(regions);
  if (p_.report.failed()) return;
  OpenRegion& frame = p_.regions.open(op, 0, args, {});
  frame.generic = true;
  frame.arguments = function_args_;
}

/// A module's attributes follow its body, whose types depend on the target: they are read now and again
/// later.
void GenericForm::look_ahead_for_target() {
  if (!p_.regions.outermost() && p_.program.target_stated) return;
  const uint32_t here = p_.reader.stream().offset();
  Statement tail;
  if (p_.reader.stream().skip_regions()) p_.reader.stream().resume(tail, p_.reader.op_name());
  p_.reader.stream().seek(here);
  for (uint32_t i = 0; tail.kind == StatementKind::operation && i < tail.nodes.size(); ++i) {
    const Node& entry = tail.nodes[i];
    if (entry.kind != NodeKind::entry || i + 3 >= tail.nodes.size() ||
        tail.nodes[i + 2].kind != NodeKind::equal)
      continue;
    std::string_view key = p_.reader.text(tail.nodes[i + 1]);
    std::string_view value = p_.reader.text(tail.nodes[i + 3]);
    if (key.starts_with('"')) key = key.substr(1, key.size() - 2);
    if (value.size() >= 2 && value.starts_with('"')) p_.targets.note(key, value.substr(1, value.size() - 2));
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
void GenericForm::check_region_arguments(const OpenRegion& frame, std::span<const Draft::Result> arguments) {
  const OpView view(p_.program, frame.op);
  const std::string_view name = view.mnemonic();
  const isa::OpcodeClass opcode_class = isa::opcode_class(view);
  const std::span<const Region> regions = p_.program.regions_of(view.op());
  std::vector<TypeId> wanted;
  const auto wrong = [&](std::string_view what) {
    p_.report.fail(E0151, frame.name,
                   fmt::format("{}: its first region has {} argument{}; it takes {}", name, regions[0].n_args,
                               regions[0].n_args == 1 ? "" : "s", what));
  };
  const auto add = [&](std::span<const ValueId> values) {
    for (const ValueId value : values) wanted.push_back(p_.types.type_of(value));
  };
  if (opcode_class == isa::OpcodeClass::function) {
    for (const Draft::Result& arg : arguments) wanted.push_back(arg.type);
    if (!same_types(p_.program, regions[0], wanted))
      wrong(fmt::format("the {} of function_type, with their types", wanted.size()));
  } else if (opcode_class == isa::OpcodeClass::loop) {
    add(view.operands(0));
    add(view.operands(3));
    if (!same_types(p_.program, regions[0], wanted))
      wrong("the loop variable and one for every initial value, with their types");
    for (unsigned slot = 1; slot < 3; ++slot) {
      if (p_.types.type_of(view.operand(slot)) != p_.types.type_of(view.operand(0)))
        p_.report.fail(E0115, frame.name, fmt::format("{}: its bounds and step differ in type", name));
    }
    std::vector<TypeId> results;
    for (uint32_t i = 0; i < view.op().n_results; ++i) results.push_back(p_.types.type_of(view.result(i)));
    wanted.erase(wanted.begin());
    if (!p_.report.failed() && results != wanted)
      p_.report.fail(E0115, frame.name,
                     fmt::format("{}: its results and initial values differ in count or type", name));
  } else if (opcode_class == isa::OpcodeClass::while_loop) {
    add(view.operands(0));
    if (!same_types(p_.program, regions[0], wanted)) wrong("one for every initial value, with their types");
  } else if (opcode_class != isa::OpcodeClass::strict_vecscope && regions[0].n_args != 0) {
    wrong("none");
  }
}

/// A declaration whose function_type follows its empty region.
void GenericForm::declare_arguments(const OpenRegion& frame) {
  Region& region = p_.program.regions[p_.program.ops[frame.op].regions];
  if (region.begin != region.end || region.n_args != 0) return;
  p_.emitter.region_arguments(region, function_args_);
}

/// The types behind the regions against those of the operands; false when their numbers differ.
bool GenericForm::check_written_types(const OpenRegion& frame, const std::vector<Draft::Result>& written) {
  const OpView view(p_.program, frame.op);
  const isa::Schema& schema = isa::schema(view.op().row);
  std::vector<ValueId> operands;
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    for (const ValueId value : view.operands(slot)) operands.push_back(value);
  }
  if (written.size() != operands.size()) {
    p_.report.fail(
        E0116, frame.name,
        fmt::format("{}: {} operands but {} types", p_.reader.op_name(), operands.size(), written.size()));
    return false;
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string_view name = p_.program.name_of(operands[i]);
    if (p_.types.type_of(operands[i]) == written[i].type) continue;
    p_.report.fail(E0115, written[i].span,
                   fmt::format("{} of {} is {}, but {} is written",
                               name.empty() ? fmt::format("operand {}", i) : fmt::format("%{}", name),
                               p_.reader.op_name(), p_.types.name(p_.types.type_of(operands[i])),
                               p_.types.name(written[i].type)));
  }
  return true;
}

void GenericForm::finish(const OpenRegion& frame) {
  p_.locations.strip();
  if (p_.locations.written()) p_.program.ops[frame.op].where = *p_.locations.written();
  p_.locations.belongs_to(frame.op);
  function_args_ = frame.arguments;
  Cursor cursor = p_.reader.items();
  const isa::Schema& schema = isa::schema(p_.program.ops[frame.op].row);
  p_.draft.reset(schema);
  if (cursor.is(NodeKind::dict)) {
    dictionary(cursor.take_token());
    p_.emitter.append_attrs(frame.op);
  }
  if (p_.report.failed() || !p_.reader.expect(cursor, NodeKind::colon, "':' and types")) return;
  std::vector<Draft::Result> written, results;
  if (!p_.types.list(cursor, written) ||
      !p_.reader.expect(cursor, NodeKind::arrow, "'->' and the result types") ||
      !p_.types.list(cursor, results) || !p_.reader.expect_end(cursor))
    return;
  if (!check_written_types(frame, written)) return;
  const Op& op = p_.program.ops[frame.op];
  if (results.size() != op.n_results)
    p_.report.fail(
        E0119, frame.name,
        fmt::format("{} has {} result{}, but {} {} named", p_.reader.op_name(), results.size(),
                    results.size() == 1 ? "" : "s", op.n_results, op.n_results == 1 ? "is" : "are"));
  for (size_t i = 0; i < results.size() && i < op.n_results; ++i)
    p_.program.values[op.first_result + i].type = results[i].type;
  if (p_.report.failed()) return;
  declare_arguments(frame);
  check_positional_attributes(schema, p_.program.attrs_of(op));
  check_region_arguments(frame, function_args_);
  check_symbol(frame.op);
}

/// Names and visibility have a place in the function's and module's own syntax: they must be words there.
void GenericForm::check_symbol(uint32_t op) {
  const OpView view(p_.program, op);
  const AttrValue* name = view.attr("sym_name");
  if (name != nullptr &&
      (name->kind != AttrValue::Kind::string || !is_symbol_name(p_.program.strings[name->text])))
    p_.report.fail(
        E0108, p_.reader.statement().name,
        fmt::format("{}: sym_name is a string of letters, digits and _ . $ -", p_.reader.op_name()));
  const AttrValue* visibility = view.attr("sym_visibility");
  if (visibility == nullptr) return;
  const std::string_view word =
      visibility->kind == AttrValue::Kind::string ? p_.program.strings[visibility->text] : std::string_view{};
  if (word != "private" && word != "public" && word != "nested")
    p_.report.fail(
        E0108, p_.reader.statement().name,
        fmt::format("{}: sym_visibility is \"private\", \"public\" or \"nested\"", p_.reader.op_name()));
}

}  // namespace pto::text
