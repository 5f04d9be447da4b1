#include "lower/lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "ir/op_queries.hpp"
#include "ir/regions.hpp"

namespace pto::lower {
namespace {

using isa::OpcodeClass;

bool is_vmi(const OpView& op) { return isa::row(op.op().row).layer == isa::Layer::vmi; }

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

VectorLowering::VectorLowering(const Program& from, Program& to, const Values& values,
                               const LoweringTask& task, LayoutRequest& wanted, Lowered* report)
    : from_(from),
      to_(to),
      values_(values),
      task_(task),
      wanted_(wanted),
      report_(report),
      writer_(to, wanted.beginnings),
      renamed_(from.values.size()) {
  std::iota(renamed_.begin(), renamed_.end(), 0U);
  if (report_ != nullptr) writer_.keep_names(values);
}

void VectorLowering::run() {
  for (uint32_t op = 0; op < from_.ops.size() && !refusal_; op = from_.end_of(op)) copy(op);
}

void VectorLowering::refuse(const std::string& why) {
  if (refusal_) return;
  const OpView op(from_, op_);
  const AttrValue* name = function_ == kNoOp ? nullptr : OpView(from_, function_).attr("sym_name");
  refusal_ =
      NotLowered{op_, op.op().where, name == nullptr ? std::string() : std::string(from_.strings[name->text]),
                 fmt::format("{}: {}", op.mnemonic(), why)};
}

void VectorLowering::copy(uint32_t at) {
  const OpView op(from_, at);
  op_ = at;
  writer_.where = op.op().where;
  const OpcodeClass opcode_class = isa::opcode_class(op);
  if (opcode_class == OpcodeClass::memory_barrier) touched_.clear();
  if (opcode_class == OpcodeClass::function) return function(op);
  if (!in_function_) {
    if (opcode_class != OpcodeClass::module && task_.alone && opcode_class != OpcodeClass::section_vector)
      return;
    to_.ops.push_back(op.op());
    return copy_regions(op, static_cast<uint32_t>(to_.ops.size() - 1));
  }
  if (is_vmi(op)) return logical(op);
  structure(op);
}

/// Regions keep their numbers; where they begin and end is new.
void VectorLowering::copy_regions(const OpView& op, uint32_t) {
  around_.push_back(op.index());
  for (uint32_t i = 0; i < op.op().n_regions; ++i) copy_region(op, op.op().regions + i);
  around_.pop_back();
}
void VectorLowering::copy_region(const OpView& op, uint32_t number) {
  const Region old = from_.regions[number];
  std::vector<TypeId> types;
  for (uint32_t i = 0; i < old.n_args; ++i) expand_types(old.first_arg + i, types);
  bool expands = types.size() != old.n_args;
  for (uint32_t i = 0; i < old.n_args; ++i)
    expands = expands || (in_function_ && values_.is_logical(old.first_arg + i));
  ValueId first = old.first_arg;
  if (expands) {
    first = static_cast<ValueId>(to_.values.size());
    for (const TypeId type : types) to_.values.push_back({type, 0});
    to_.regions[number].first_arg = first;
    to_.regions[number].n_args = static_cast<uint32_t>(types.size());
  }
  to_.regions[number].begin = static_cast<uint32_t>(to_.ops.size());
  if (in_function_ && isa::opcode_class(op) == OpcodeClass::function) {
    writer_.begin_function();
    if (is_scope(from_, values_, op.index())) {
      writer_.begin_scope(op.index());
    }
  }
  if (opens_vector_scope(op) && in_function_) scope(op);
  if (expands) {
    for (uint32_t i = 0; i < old.n_args; ++i) first = take(old.first_arg + i, first);
  }
  for (uint32_t at = old.begin; at < old.end && !refusal_; at = from_.end_of(at)) copy(at);
  to_.regions[number].end = static_cast<uint32_t>(to_.ops.size());
}

void VectorLowering::function(const OpView& op) {
  in_function_ = task_.functions.contains(op.index());
  if (in_function_ || !task_.alone) {
    function_ = op.index();
    made_function_ = static_cast<uint32_t>(to_.ops.size());
    to_.ops.push_back(op.op());
    copy_regions(op, static_cast<uint32_t>(to_.ops.size() - 1));
    if (in_function_ && !refusal_) write_results(op.index());
    writer_.end_scope();
    forms_.clear();
  }
  in_function_ = false;
}

/// The types behind the arrow, where they were logical.
void VectorLowering::write_results(uint32_t function) {
  if (task_.alone || !std::ranges::any_of(values_.returned(function),
                                          [&](ValueId value) { return values_.is_logical(value); }))
    return;
  const isa::Schema& schema = isa::schema(from_.ops[function].row);
  const int spec = schema.attr_index("function_results");
  std::vector<TypeId> types;
  for (const ValueId value : values_.returned(function)) expand_types(value, types);
  std::string text;
  for (const TypeId type : types) text += (text.empty() ? "" : ", ") + to_string(to_.types[type]);
  Op& built = to_.ops[made_function_];
  const auto first = static_cast<uint32_t>(to_.attrs.size());
  for (uint32_t i = 0; i < built.n_attrs; ++i) {
    Attr attr = to_.attrs[built.attrs + i];
    if (attr.spec == spec) attr.value.text = to_.strings.intern(text);
    to_.attrs.push_back(attr);
  }
  built.attrs = first;
}

/// A scope begins: what it wants of values from outside is made anew.
void VectorLowering::scope(const OpView& op) {
  writer_.begin_scope(op.index());
  touched_.clear();
  const auto wanted = wanted_.forms[op.index()];
  for (const auto& [value, forms] : wanted) {
    const uint32_t defining_op = info(value).defining_op;
    if (defining_op != kNoOp && defining_op < op.index()) make_requested(value);
  }
}

bool VectorLowering::touches_logical(const OpView& op) const {
  const size_t slots = isa::schema(op.op().row).operands.size();
  for (unsigned slot = 0; slot < slots; ++slot)
    for (const ValueId value : op.operands(slot))
      if (values_.is_logical(value)) return true;
  for (unsigned i = 0; i < op.op().n_results; ++i)
    if (values_.is_logical(op.result(i))) return true;
  return false;
}

/// Whether what is called has a body.
bool VectorLowering::defined(const OpView& call) const {
  const Functions functions(from_);
  return std::ranges::any_of(functions.called(call, *functions.enclosing_function(call.index())),
                             [&](uint32_t index) { return !functions[index].info.declaration; });
}

/// Registers of a value, or the value itself.
void VectorLowering::expand_types(ValueId value, std::vector<TypeId>& types) {
  if (!in_function_ || !values_.is_logical(value)) {
    types.push_back(from_.values[value].type);
    return;
  }
  const Logical& of = info(value);
  const unsigned n = assigned_layout(value).registers(of.shape());
  types.insert(types.end(), n,
               of.kind == Logical::Kind::mask ? writer_.mask_type(of.width == 0 ? kWordBytes : of.width)
                                              : writer_.vector_type(of.elem));
}

/// The value stands in the new ones from `first` on; gives the one behind.
ValueId VectorLowering::take(ValueId value, ValueId first) {
  if (!values_.is_logical(value)) {
    to_.values[first].name = from_.values[value].name;
    renamed_[value] = first;
    return first + 1;
  }
  const Logical& of = info(value);
  const Layout layout = assigned_layout(value);
  Regs regs(layout.registers(of.shape()));
  std::iota(regs.begin(), regs.end(), first);
  if (of.kind == Logical::Kind::mask)
    define_mask(value, layout, of.width, regs);
  else
    define(value, layout, regs);
  return first + static_cast<ValueId>(regs.size());
}

/// For operands that are handed on: the value that they become.
std::vector<ValueId> VectorLowering::partners(const OpView& op, unsigned slot) const {
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
      arguments_of(from_.regions_of(op.op())[0]);
      break;
    case OpcodeClass::condition:
      results_of(OpView(from_, around_.back()));
      break;
    case OpcodeClass::yield: {
      const OpView around(from_, around_.back());
      if (isa::opcode_class(around) == OpcodeClass::while_loop)
        arguments_of(from_.regions_of(around.op())[0]);
      else
        results_of(around);
      break;
    }
    case OpcodeClass::call: {
      const Functions functions(from_);
      const Function* here = functions.enclosing_function(op.index());
      for (const uint32_t index : functions.called(op, *here)) {
        if (functions[index].info.declaration) continue;
        arguments_of(body_of(from_, functions[index].info.op));
        break;
      }
      break;
    }
    case OpcodeClass::ret:
      return values_.returned(function_);
    case OpcodeClass::jump:
    case OpcodeClass::cond_jump: {
      const unsigned way = slot == 2 ? 1 : 0;
      for (const uint32_t at : descendants(from_, function_)) {
        const OpView block(from_, at);
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

/// Operand words with registers in place of logical values.
std::vector<ValueId> VectorLowering::expanded(const OpView& op) {
  std::vector<ValueId> words;
  const isa::Schema& schema = isa::schema(op.op().row);
  for (unsigned slot = 0; slot < schema.operands.size(); ++slot) {
    const std::span<const ValueId> values = op.operands(slot);
    if (schema.operands[slot].arity != isa::Arity::variadic) {
      if (!values.empty() && values_.is_logical(values[0])) refuse("takes a logical value");
      words.push_back(values.empty() ? kNoValue : scalar(values[0]));
      continue;
    }
    const std::vector<ValueId> become = touches_logical(op) ? partners(op, slot) : std::vector<ValueId>();
    const size_t count = words.size();
    words.push_back(0);
    for (size_t i = 0; i < values.size(); ++i) {
      if (!values_.is_logical(values[i])) {
        words.push_back(scalar(values[i]));
        continue;
      }
      if (i >= become.size() || !values_.is_logical(become[i])) {
        refuse("hands a logical value on");
        continue;
      }
      const Logical& as = info(become[i]);
      const unsigned width = as.width == 0 ? kWordBytes : as.width;
      const Regs regs = as.kind == Logical::Kind::mask
                            ? mask(values[i], assigned_layout(become[i]), width, true)
                            : vector(values[i], assigned_layout(become[i]));
      words.insert(words.end(), regs.begin(), regs.end());
    }
    words[count] = static_cast<ValueId>(words.size() - count - 1);
  }
  return words;
}

void VectorLowering::structure(const OpView& op) {
  const std::vector<ValueId> words = expanded(op);
  Op built = op.op();
  const std::span<const ValueId> old(from_.operands.data() + built.operands, built.n_operand_words);
  if (!std::ranges::equal(words, old)) {
    built.operands = static_cast<uint32_t>(to_.operands.size());
    built.n_operand_words = static_cast<uint16_t>(words.size());
    to_.operands.insert(to_.operands.end(), words.begin(), words.end());
  }
  std::vector<TypeId> types;
  bool expands = false;
  for (unsigned i = 0; i < op.op().n_results; ++i) {
    expand_types(op.result(i), types);
    expands = expands || values_.is_logical(op.result(i));
  }
  if (expands && isa::opcode_class(op) == OpcodeClass::call && !defined(op))
    return refuse("calls what is not defined here");
  ValueId first = built.first_result;
  if (expands) {
    first = built.first_result = static_cast<ValueId>(to_.values.size());
    built.n_results = static_cast<uint16_t>(types.size());
    for (const TypeId type : types) to_.values.push_back({type, 0});
  }
  to_.ops.push_back(built);
  const bool loops =
      isa::opcode_class(op) == OpcodeClass::loop || isa::opcode_class(op) == OpcodeClass::while_loop;
  if (loops) writer_.enter_loop();
  copy_regions(op, 0);
  if (loops) writer_.leave_loop();
  if (opens_vector_scope(op)) {
    writer_.end_scope();
    forms_.clear();
  }
  op_ = op.index();
  writer_.where = op.op().where;
  if (expands)
    for (unsigned i = 0; i < op.op().n_results; ++i) first = take(op.result(i), first);
}

/// The forms of a value that its scope wants.
void VectorLowering::make_requested(ValueId value) {
  const auto scope = wanted_.forms.find(writer_.scope());
  if (scope == wanted_.forms.end()) return;
  const auto found = scope->second.find(value);
  if (found == scope->second.end()) return;
  const Logical& of = info(value);
  for (const Form& form : std::set(found->second)) {
    if (of.kind == Logical::Kind::mask)
      mask(value, form.layout, form.width, true);
    else
      vector(value, form.layout);
  }
}

void VectorLowering::logical(const OpView& op) {
  const bool anew = op.op().n_results > 0 && info(op.result(0)).made_anew;
  if (writer_.scope() == kNoOp) {
    if (!anew) refuse("stands in no vector scope");
    return;
  }
  if (anew) return make_requested(op.result(0));
  const int pmode = isa::schema(op.op().row).attr_index("pmode");
  const bool merges =
      pmode >= 0 && op.attr(static_cast<unsigned>(pmode)) != nullptr && op.attr_int("pmode") == 0;
  if (merges && isa::row(op.op().row).lowering != Lowering::choose)
    return refuse("a new value has no contents that inactive lanes could keep");
  dispatch(op);
}

void VectorLowering::dispatch(const OpView& op) {
  switch (isa::row(op.op().row).lowering) {
    case Lowering::lanes:
    case Lowering::product:
    case Lowering::multiply_add:
    case Lowering::choose:
      return lanes(op);
    case Lowering::logic_and:
    case Lowering::logic_or:
    case Lowering::logic_xor:
    case Lowering::logic_not:
      return logic(op);
    case Lowering::compare:
    case Lowering::compare_integers:
      return compare(op);
    case Lowering::convert:
      return convert(op);
    case Lowering::exp_difference:
      return exp_difference(op);
    case Lowering::recast:
      return recast(op);
    case Lowering::constant:
      return constant(op);
    case Lowering::broadcast:
      return broadcast(op);
    case Lowering::counted:
      return counted(op);
    case Lowering::count_down:
      return count_down(op);
    case Lowering::select_lanes:
      return select_lanes(op);
    case Lowering::shuffle:
      return shuffle(op);
    case Lowering::interleave:
      return interleave(op, false);
    case Lowering::deinterleave:
      return interleave(op, true);
    case Lowering::split:
      return split(op);
    case Lowering::merge:
      return merge(op);
    case Lowering::compress:
      return compress(op);
    case Lowering::active_below:
      return active_below(op);
    case Lowering::reduce_add:
    case Lowering::reduce_max:
    case Lowering::reduce_min:
      return reduce(op);
    case Lowering::histogram:
      return histogram(op);
    case Lowering::load:
      return load(op);
    case Lowering::load_pairs:
      return load_pairs(op);
    case Lowering::load_groups:
      return load_groups(op, false);
    case Lowering::load_group_broadcast:
      return load_groups(op, true);
    case Lowering::load_blocks:
      return load_blocks(op);
    case Lowering::load_masked:
      return load_masked(op);
    case Lowering::load_expanded:
      return load_expanded(op);
    case Lowering::gather:
      return gather(op);
    case Lowering::store:
      return store(op);
    case Lowering::store_groups:
      return store_groups(op);
    case Lowering::store_blocks:
      return store_blocks(op);
    case Lowering::store_pairs:
      return store_pairs(op);
    case Lowering::scatter:
      return scatter(op);
    case Lowering::store_compressed:
      return store_compressed(op);
    case Lowering::place:
      return place(op);
    case Lowering::unpack:
      return unpack(op);
    case Lowering::pack:
      return pack(op);
    default:
      return refuse("no vector instructions are known for it");
  }
}

}  // namespace pto::lower
