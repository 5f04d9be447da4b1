#include "lower/lowering.hpp"

#include <algorithm>
#include <numeric>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "lower/operation_table.hpp"
#include "lower/register_forms.hpp"

namespace pto::lower {
namespace {

using isa::OpcodeClass;

/// Whether a function works on registers outside of vector scopes: all of it is one, then.
bool is_scope(const Program& program, const Values& values, uint32_t function) {
  for (uint32_t at = function + 1; at < program.end_of(function); ++at) {
    const OpView op(program, at);
    if (opens_vector_scope(op))
      at = program.end_of(at) - 1;
    else if (is_vmi(op) && (op.op().n_results == 0 || !values[op.result(0)].made_anew))
      return true;
  }
  return false;
}

}  // namespace

void VectorLowering::run() {
  for (uint32_t op = 0; op < state_.input.ops.size() && !state_.refusal; op = state_.input.end_of(op))
    copy(op);
}

void VectorLowering::copy(uint32_t at) {
  const OpView op(state_.input, at);
  state_.op = at;
  state_.writer.where = op.op().where;
  const OpcodeClass opcode_class = isa::opcode_class(op);
  if (opcode_class == OpcodeClass::memory_barrier) state_.stores.clear();
  if (opcode_class == OpcodeClass::function) return copy_function(op);
  if (!in_function_) {
    if (opcode_class != OpcodeClass::module && state_.task.alone &&
        opcode_class != OpcodeClass::section_vector)
      return;
    state_.output.ops.push_back(op.op());
    return copy_regions(op);
  }
  if (is_vmi(op)) return lower_logical(op);
  copy_structure(op);
}

/// Regions keep their numbers; where they begin and end is new.
void VectorLowering::copy_regions(const OpView& op) {
  around_.push_back(op.index());
  for (uint32_t i = 0; i < op.op().n_regions; ++i) copy_region(op, op.op().regions + i);
  around_.pop_back();
}

void VectorLowering::copy_region(const OpView& op, uint32_t number) {
  const Region old = state_.input.regions[number];
  std::vector<TypeId> types;
  for (uint32_t i = 0; i < old.n_args; ++i) expand_types(old.first_arg + i, types);
  bool expands = types.size() != old.n_args;
  for (uint32_t i = 0; i < old.n_args; ++i)
    expands = expands || (in_function_ && state_.values.is_logical(old.first_arg + i));
  ValueId first = old.first_arg;
  if (expands) {
    first = static_cast<ValueId>(state_.output.values.size());
    for (const TypeId type : types) state_.output.values.push_back({type, 0});
    state_.output.regions[number].first_arg = first;
    state_.output.regions[number].n_args = static_cast<uint32_t>(types.size());
  }
  state_.output.regions[number].begin = static_cast<uint32_t>(state_.output.ops.size());
  if (in_function_ && isa::opcode_class(op) == OpcodeClass::function) {
    state_.writer.begin_function();
    if (is_scope(state_.input, state_.values, op.index())) {
      state_.writer.begin_scope(op.index());
    }
  }
  if (opens_vector_scope(op) && in_function_) begin_scope(op);
  if (expands) {
    for (uint32_t i = 0; i < old.n_args; ++i) first = bind_value(old.first_arg + i, first);
  }
  for (uint32_t at = old.begin; at < old.end && !state_.refusal; at = state_.input.end_of(at)) copy(at);
  state_.output.regions[number].end = static_cast<uint32_t>(state_.output.ops.size());
}

void VectorLowering::copy_function(const OpView& op) {
  in_function_ = state_.task.functions.contains(op.index());
  if (in_function_ || !state_.task.alone) {
    state_.function = op.index();
    output_function_ = static_cast<uint32_t>(state_.output.ops.size());
    state_.output.ops.push_back(op.op());
    copy_regions(op);
    if (in_function_ && !state_.refusal) write_results(op.index());
    state_.writer.end_scope();
    state_.forms.clear();
  }
  in_function_ = false;
}

void VectorLowering::write_results(uint32_t function) {
  if (state_.task.alone || !std::ranges::any_of(state_.values.returned(function), [&](ValueId value) {
        return state_.values.is_logical(value);
      }))
    return;
  const isa::Schema& schema = isa::schema(state_.input.ops[function].row);
  const int spec = schema.attr_index("function_results");
  std::vector<TypeId> types;
  for (const ValueId value : state_.values.returned(function)) expand_types(value, types);
  std::string text;
  for (const TypeId type : types) text += (text.empty() ? "" : ", ") + to_string(state_.output.types[type]);
  Op& built = state_.output.ops[output_function_];
  const auto first = static_cast<uint32_t>(state_.output.attrs.size());
  for (uint32_t i = 0; i < built.n_attrs; ++i) {
    Attr attr = state_.output.attrs[built.attrs + i];
    if (attr.spec == spec) attr.value.text = state_.output.strings.intern(text);
    state_.output.attrs.push_back(attr);
  }
  built.attrs = first;
}

void VectorLowering::begin_scope(const OpView& op) {
  state_.writer.begin_scope(op.index());
  state_.stores.clear();
  const auto wanted = state_.wanted.forms[op.index()];
  for (const auto& [value, forms] : wanted) {
    const uint32_t defining_op = state_.info(value).defining_op;
    if (defining_op != kNoOp && defining_op < op.index()) materialize_requested(state_, value);
  }
}

bool VectorLowering::touches_logical(const OpView& op) const {
  const size_t slots = isa::schema(op.op().row).operands.size();
  for (unsigned slot = 0; slot < slots; ++slot)
    for (const ValueId value : op.operands(slot))
      if (state_.values.is_logical(value)) return true;
  for (unsigned i = 0; i < op.op().n_results; ++i)
    if (state_.values.is_logical(op.result(i))) return true;
  return false;
}

bool VectorLowering::is_defined(const OpView& call) const {
  const Functions functions(state_.input);
  return std::ranges::any_of(functions.called(call, *functions.enclosing_function(call.index())),
                             [&](uint32_t index) { return !functions[index].info.declaration; });
}

void VectorLowering::expand_types(ValueId value, std::vector<TypeId>& types) {
  if (!in_function_ || !state_.values.is_logical(value)) {
    types.push_back(state_.input.values[value].type);
    return;
  }
  const Logical& of = state_.info(value);
  const unsigned n = state_.assigned_layout(value).registers(of.shape());
  types.insert(types.end(), n,
               of.kind == Logical::Kind::mask ? state_.writer.mask_type(of.width == 0 ? kWordBytes : of.width)
                                              : state_.writer.vector_type(of.elem));
}

ValueId VectorLowering::bind_value(ValueId value, ValueId first) {
  if (!state_.values.is_logical(value)) {
    state_.output.values[first].name = state_.input.values[value].name;
    state_.renamed[value] = first;
    return first + 1;
  }
  const Logical& of = state_.info(value);
  const Layout layout = state_.assigned_layout(value);
  Regs regs(layout.registers(of.shape()));
  std::iota(regs.begin(), regs.end(), first);
  if (of.kind == Logical::Kind::mask)
    define_mask(state_, value, layout, of.width, regs);
  else
    define_vector(state_, value, layout, regs);
  return first + static_cast<ValueId>(regs.size());
}

std::vector<ValueId> VectorLowering::forwarded_to(const OpView& op, unsigned slot) const {
  std::vector<ValueId> found;
  const auto results_of = [&](const OpView& of) {
    for (unsigned i = 0; i < of.op().n_results; ++i) found.push_back(of.result(i));
  };
  const auto arguments_of = [&](const Region& region) {
    for (uint32_t i = 0; i < region.n_args; ++i) found.push_back(region.first_arg + i);
  };
  switch (isa::opcode_class(op)) {
    case OpcodeClass::loop:
      results_of(op);
      break;
    case OpcodeClass::while_loop:
      arguments_of(state_.input.regions_of(op.op())[0]);
      break;
    case OpcodeClass::condition:
      results_of(OpView(state_.input, around_.back()));
      break;
    case OpcodeClass::yield: {
      const OpView around(state_.input, around_.back());
      if (isa::opcode_class(around) == OpcodeClass::while_loop)
        arguments_of(state_.input.regions_of(around.op())[0]);
      else
        results_of(around);
      break;
    }
    case OpcodeClass::call: {
      const Functions functions(state_.input);
      const Function* here = functions.enclosing_function(op.index());
      for (const uint32_t index : functions.called(op, *here)) {
        if (functions[index].info.declaration) continue;
        arguments_of(body_of(state_.input, functions[index].info.op));
        break;
      }
      break;
    }
    case OpcodeClass::ret:
      return state_.values.returned(state_.function);
    case OpcodeClass::jump:
    case OpcodeClass::cond_jump: {
      const unsigned way = slot == 2 ? 1 : 0;
      for (const uint32_t at : descendants(state_.input, state_.function)) {
        const OpView block(state_.input, at);
        if (isa::opcode_class(block) == OpcodeClass::block && block.attr("name")->text == op.attr(way)->text)
          results_of(block);
      }
      break;
    }
    default:
      break;
  }
  return found;
}

std::vector<ValueId> VectorLowering::expand_operands(const OpView& op) {
  std::vector<ValueId> words;
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    const std::span<const ValueId> values = op.operands(slot);
    if (schema.operands[slot].arity != isa::Arity::variadic) {
      if (!values.empty() && state_.values.is_logical(values[0])) state_.refuse("takes a logical value");
      words.push_back(values.empty() ? kNoValue : state_.scalar(values[0]));
      continue;
    }
    const std::vector<ValueId> become = touches_logical(op) ? forwarded_to(op, slot) : std::vector<ValueId>();
    const size_t count = words.size();
    words.push_back(0);
    for (size_t i = 0; i < values.size(); ++i) {
      if (!state_.values.is_logical(values[i])) {
        words.push_back(state_.scalar(values[i]));
        continue;
      }
      if (i >= become.size() || !state_.values.is_logical(become[i])) {
        state_.refuse("hands a logical value on");
        continue;
      }
      const Logical& as = state_.info(become[i]);
      const unsigned width = as.width == 0 ? kWordBytes : as.width;
      const Regs regs =
          as.kind == Logical::Kind::mask
              ? materialize_mask(state_, values[i], state_.assigned_layout(become[i]), width, true)
              : materialize_vector(state_, values[i], state_.assigned_layout(become[i]));
      words.insert(words.end(), regs.begin(), regs.end());
    }
    words[count] = static_cast<ValueId>(words.size() - count - 1);
  }
  return words;
}

void VectorLowering::copy_structure(const OpView& op) {
  const std::vector<ValueId> words = expand_operands(op);
  Op built = op.op();
  const std::span<const ValueId> old(state_.input.operands.data() + built.operands, built.n_operand_words);
  if (!std::ranges::equal(words, old)) {
    built.operands = static_cast<uint32_t>(state_.output.operands.size());
    built.n_operand_words = static_cast<uint16_t>(words.size());
    state_.output.operands.insert(state_.output.operands.end(), words.begin(), words.end());
  }
  std::vector<TypeId> types;
  bool expands = false;
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    expand_types(op.result(i), types);
    expands = expands || state_.values.is_logical(op.result(i));
  }
  if (expands && isa::opcode_class(op) == OpcodeClass::call && !is_defined(op))
    return state_.refuse("calls a function that is not defined here");
  ValueId first = built.first_result;
  if (expands) {
    first = built.first_result = static_cast<ValueId>(state_.output.values.size());
    built.n_results = static_cast<uint16_t>(types.size());
    for (const TypeId type : types) state_.output.values.push_back({type, 0});
  }
  state_.output.ops.push_back(built);
  const bool loops =
      isa::opcode_class(op) == OpcodeClass::loop || isa::opcode_class(op) == OpcodeClass::while_loop;
  if (loops) state_.writer.enter_loop();
  copy_regions(op);
  if (loops) state_.writer.leave_loop();
  if (opens_vector_scope(op)) {
    state_.writer.end_scope();
    state_.forms.clear();
  }
  state_.op = op.index();
  state_.writer.where = op.op().where;
  if (expands)
    for (unsigned i = 0; i < op.op().n_results; ++i) first = bind_value(op.result(i), first);
}

void VectorLowering::lower_logical(const OpView& op) {
  const bool anew = op.op().n_results > 0 && state_.info(op.result(0)).made_anew;
  if (state_.writer.scope() == kNoOp) {
    if (!anew) state_.refuse("is in no vector scope");
    return;
  }
  if (anew) return materialize_requested(state_, op.result(0));
  const int pmode = isa::schema(op.op().row).attr_index("pmode");
  const bool merges =
      pmode >= 0 && op.attr(static_cast<unsigned>(pmode)) != nullptr && op.attr_int("pmode") == 0;
  if (merges && isa::row(op.op().row).lowering != Lowering::choose)
    return state_.refuse("a new value has no contents that inactive lanes could keep");
  lower_operation(state_, op);
}

}  // namespace pto::lower
