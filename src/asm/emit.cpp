// From a filled draft to operations, results, regions and the names that denote them; calls against their
// functions.
#include <fmt/format.h>

#include <algorithm>

#include "asm/binder.hpp"
#include "asm/lex.hpp"
#include "isa/constants.hpp"
#include "isa/functions.hpp"

namespace pto::text {

/// Numbers are no names: they are given anew by the printer.
StrId Binder::name_id(std::string_view name) { return is_number_name(name) ? 0 : intern(name); }

const std::vector<Binder::ResultName>& Binder::result_names() {
  if (result_names_ready_) return result_names_;
  result_names_.clear();
  result_names_ready_ = true;
  Cursor cursor(statement_.nodes, 0, statement_.first_item);
  while (!cursor.done()) {
    const Node& name = cursor.take();
    uint32_t count = 0;
    if (cursor.accept(NodeKind::colon) && !cursor.done()) {
      const Node& number = cursor.take();
      for (const char c : text(number))
        count = std::min(count * 10 + static_cast<uint32_t>(c - '0'), 100000u);
      if (count == 0) fail("E0119", span(number), "a result pack has at least one value");
    }
    result_names_.push_back({text(name).substr(1), span(name), count});
    cursor.accept(NodeKind::comma);
  }
  return result_names_;
}

uint32_t Binder::result_count() {
  uint32_t n = 0;
  for (const ResultName& name : result_names()) n += std::max(name.count, 1u);
  return n;
}

uint32_t Binder::emit(unsigned n_regions) {
  if (result_count() != draft_.results.size() && !failed_) {
    const size_t has = draft_.results.size();
    const Span where =
        statement_.first_item == 0 ? statement_.name : Span{statement_.nodes[0].begin, statement_.name.begin};
    // Results that nobody names are allowed.
    if (statement_.first_item != 0)
      fail("E0119", where,
           fmt::format("{} has {} result{}, but {} {} named", op_name(), has, has == 1 ? "" : "s",
                       result_count(), result_count() == 1 ? "is" : "are"));
  }
  if (failed_) return 0;
  names_.clear();
  for (const ResultName& name : result_names()) {
    for (uint32_t i = 0; i < std::max(name.count, 1u); ++i) names_.push_back(i == 0 ? name_id(name.name) : 0);
  }
  const uint32_t op = emit_named(names_, n_regions);
  define_results(op);
  return op;
}

uint32_t Binder::emit_named(std::span<const StrId> names, unsigned n_regions) {
  std::vector<ValueId>& words = words_;
  words.clear();
  const isa::Schema& schema = *draft_.schema;
  for (size_t i = 0; i < schema.operands.size(); ++i) {
    const auto& values = draft_.slots[i];
    if (schema.operands[i].arity == isa::Arity::variadic) {
      words.push_back(static_cast<ValueId>(values.size()));
      for (const Draft::Operand& operand : values) words.push_back(operand.value);
    } else {
      if (values.empty() && schema.operands[i].arity == isa::Arity::one) {
        fail("E0116", statement_.name,
             fmt::format("{}: operand '{}' is missing", op_name(), schema.operands[i].name));
        return 0;
      }
      words.push_back(values.empty() ? kNoValue : values.front().value);
    }
  }
  if (words.size() > 0xffff || draft_.attrs.size() > kMaxAttributes || draft_.results.size() > 0xffff) {
    fail("E0116", statement_.name, fmt::format("{} has too many operands, results or attributes", op_name()));
    return 0;
  }
  std::stable_sort(draft_.attrs.begin(), draft_.attrs.end(),
                   [](const Attr& a, const Attr& b) { return a.spec < b.spec; });
  std::vector<TypeId>& types = types_;
  types.clear();
  for (const Draft::Result& result : draft_.results) types.push_back(result.type);
  const Location at = written_location_ ? *written_location_ : where();
  const uint32_t op = builder_.begin_op(schema.id, at, words, draft_.attrs, types, names, n_regions);
  note_location(op);
  return op;
}

void Binder::define_results(uint32_t op) {
  ValueId value = program_.ops[op].first_result;
  for (const ResultName& name : result_names()) {
    define(name.name, value, name.span, name.count);
    value += std::max(name.count, 1u);
  }
}

void Binder::define(std::string_view name, ValueId value, Span where, uint32_t count) {
  const Scope::Entry entry = scope_.find(name);
  if (entry.value != kNoValue && entry.value != poison_) {
    Diagnostic& d = fail("E0113", where, fmt::format("%{} is defined already", name));
    d.notes.push_back({"the first definition",
                       {entry.defined_at, entry.defined_at + static_cast<uint32_t>(name.size()) + 1},
                       locate(entry.defined_at),
                       {}});
    d.help = "rename one of them; a value is defined once in its region";
    return;
  }
  scope_.define(name, value, where.begin, count);
}

void Binder::open_region(uint32_t op, unsigned i, const std::vector<Draft::Result>& args,
                         const std::vector<Node>& names) {
  std::vector<TypeId> types;
  std::vector<StrId> ids;
  for (size_t k = 0; k < args.size(); ++k) {
    types.push_back(args[k].type);
    ids.push_back(k < names.size() ? name_id(text(names[k]).substr(1)) : 0);
  }
  frames_.push_back({op, static_cast<uint16_t>(i), program_.ops[op].n_regions, scope_.mark(), statement_.name,
                     !args.empty()});
  builder_.begin_region(op, i, types, ids);
  const uint32_t first = program_.regions[program_.ops[op].regions + i].first_arg;
  for (uint32_t k = 0; k < names.size(); ++k) define(text(names[k]).substr(1), first + k, span(names[k]));
  opened_ = op;
}

void Binder::empty_region(uint32_t op, const std::vector<Draft::Result>& args,
                          const std::vector<Node>& names) {
  types_.clear();
  names_.clear();
  for (const Draft::Result& arg : args) types_.push_back(arg.type);
  for (const Node& name : names) names_.push_back(name_id(text(name).substr(1)));
  builder_.begin_region(op, 0, types_, names_);
  builder_.end_region(op, 0);
}

void Binder::state_target(Target target, Span where) {
  program_.target_stated = true;
  if (!options_.target) {
    program_.target = target;
  } else if (*options_.target != target && *options_.target != Target::cpu) {  // cpu takes programs for both
    diagnostics_
        .warning("W0101",
                 fmt::format("the module is written for {}, but is assembled for {}", to_string(target),
                             to_string(*options_.target)),
                 where, locate(where.begin))
        .help = "--target wins; leave it out, or change the module";
  }
}

std::optional<int64_t> Binder::literal_of(ValueId value) const {
  const auto after = std::upper_bound(program_.ops.begin(), program_.ops.end(), value,
                                      [](ValueId v, const Op& op) { return v < op.first_result; });
  if (after == program_.ops.begin()) return std::nullopt;
  const OpView maker(program_, static_cast<uint32_t>(after - program_.ops.begin()) - 1);
  const bool literal = isa::does(maker) == isa::Does::constant && maker.result(0) == value;
  return literal ? fold(maker, {}) : std::nullopt;
}

uint32_t Binder::emit_alloc(TypeId type, StrId name) {
  const isa::Schema& schema = isa::schema(isa::id_of(isa::Does::alloc_tile));
  const std::vector<ValueId> words(schema.operands.size(), kNoValue);
  return builder_.begin_op(schema.id, where(), words, {}, {&type, 1}, {&name, 1});
}

uint32_t Binder::emit_constant(int64_t value, TypeId type) {
  const isa::Schema& schema = isa::schema(isa::id_of(isa::Does::constant));
  Attr attr;
  attr.spec = static_cast<uint16_t>(schema.attr_index("value"));
  attr.value.kind = AttrValue::Kind::integer;
  attr.value.integer = value;
  attr.value.type = type;
  return builder_.begin_op(schema.id, where(), {}, {&attr, 1}, {&type, 1}, {});
}

// ---- calls ----

void Binder::define_function(StrId name, Span where) {
  const auto [first, fresh] =
      functions_.try_emplace({frames_.empty() ? ~0u : frames_.back().op, name}, where);
  if (fresh) return;
  Diagnostic& d = fail("E0126", where, fmt::format("{} is defined already", text(where)));
  d.notes.push_back({"the first definition", first->second, locate(first->second.begin), {}});
  d.help = "rename one of them";
}

/// Remembers which function an operation names.
void Binder::call_of(uint32_t op) {
  if (statement_.quoted) return;
  for (const Node& node : statement_.nodes) {
    if (node.kind != NodeKind::symbol) continue;
    calls_.push_back({intern(text(node).substr(1)), span(node), op});
    return;
  }
}

/// The i-th value in the parentheses behind a callee.
Span Binder::argument_span(Span callee, uint32_t index) const {
  size_t at = source_.find('%', callee.end);
  for (; index > 0 && at != source_.npos; --index) at = source_.find('%', at + 1);
  if (at == source_.npos) return callee;
  const char* end = scan_name(source_.data() + at + 1, source_.data() + source_.size());
  return {static_cast<uint32_t>(at), static_cast<uint32_t>(end - source_.data())};
}

void Binder::check_call_results(const Call& call, const Op& function) {
  const AttrValue* written =
      OpView(program_, static_cast<uint32_t>(&function - program_.ops.data())).attr("function_results");
  std::string given;
  const Op& op = program_.ops[call.op];
  for (uint32_t i = 0; i < op.n_results; ++i)
    given += (i == 0 ? "" : ", ") + to_string(program_.types[program_.values[op.first_result + i].type]);
  const std::string_view wanted = written == nullptr ? std::string_view{} : program_.strings[written->text];
  if (given == wanted) return;
  fail("E0115", call.span,
       fmt::format("{} returns {}, but the call states {}", text(call.span),
                   wanted.empty() ? "nothing" : wanted, given.empty() ? "nothing" : given));
}

void Binder::check_calls() {
  if (calls_.empty()) return;
  const Functions functions(program_);
  for (const Call& call : calls_) {
    const std::string_view callee = program_.strings[call.callee];
    const Function* from = functions.around(call.op);
    const std::span<const uint32_t> meant = functions.named(callee, from == nullptr ? 0 : from->module);
    if (meant.empty()) {
      Diagnostic& d = fail("E0114", call.span, fmt::format("there is no function @{}", callee));
      suggest(d, callee, functions.names(), "@");
    }
    for (const uint32_t index : meant) check_call(call, program_.ops[functions[index].info.op]);
  }
}

void Binder::check_call(const Call& call, const Op& function) {
  if (function.n_regions == 0) return;
  const std::string_view callee = program_.strings[call.callee];
  const Region& body = program_.regions[function.regions];
  const std::span<const ValueId> args = OpView(program_, call.op).operands(0);
  if (args.size() != body.n_args) {
    fail("E0116", call.span,
         fmt::format("@{} takes {} argument{}, but {} {} given", callee, body.n_args,
                     body.n_args == 1 ? "" : "s", args.size(), args.size() == 1 ? "is" : "are"));
    return;
  }
  for (uint32_t i = 0; i < body.n_args; ++i) {
    const TypeId wants = program_.values[body.first_arg + i].type, has = program_.values[args[i]].type;
    if (wants == has) continue;
    const Span given = argument_span(call.span, i);
    fail("E0115", given,
         fmt::format("argument {} of @{} is {}, but {} is {}", i, callee, to_string(program_.types[wants]),
                     text(given), to_string(program_.types[has])));
  }
  check_call_results(call, function);
}

}  // namespace pto::text
