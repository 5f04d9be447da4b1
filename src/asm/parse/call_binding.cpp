#include "asm/parse/call_binding.hpp"

#include <fmt/format.h>

#include "asm/parse/text/scanner.hpp"
#include "ir/symbol_table.hpp"

namespace pto::text {

void Calls::define(uint32_t module, StrId name, Span where) {
  const auto [first, fresh] = functions_.try_emplace({module, name}, where);
  if (fresh) return;
  Diagnostic& d = report_.fail(E0126, where, fmt::format("{} is defined already", report_.text(where)));
  report_.note(d, "the first definition", first->second);
  d.help = "rename one of them";
}

void Calls::note(uint32_t op) {
  if (reader_.statement().quoted) return;
  for (const Node& node : reader_.nodes()) {
    if (node.kind != NodeKind::symbol) continue;
    calls_.push_back({program_.strings.intern(reader_.text(node).substr(1)), span_of(node), op});
    return;
  }
}

void Calls::shift() {
  for (Call& call : calls_) ++call.op;
}

/// The i-th value in the parentheses behind a callee.
Span Calls::argument_span(Span callee, uint32_t index) const {
  const std::string_view source = report_.source();
  size_t at = source.find('%', callee.end);
  for (; index > 0 && at != source.npos; --index) at = source.find('%', at + 1);
  if (at == source.npos) return callee;
  const char* end = scan_name(source.data() + at + 1, source.data() + source.size());
  return {static_cast<uint32_t>(at), static_cast<uint32_t>(end - source.data())};
}

void Calls::check_results(const Call& call, const Op& function) {
  const AttrValue* written =
      OpView(program_, static_cast<uint32_t>(&function - program_.ops.data())).attr("function_results");
  std::string given;
  const Op& op = program_.ops[call.op];
  for (uint32_t i = 0; i < op.n_results; ++i)
    given += (i == 0 ? "" : ", ") + types_.name(types_.type_of(op.first_result + i));
  const std::string_view wanted = written == nullptr ? std::string_view{} : program_.strings[written->text];
  if (given == wanted) return;
  report_.fail(E0115, call.span,
               fmt::format("{} returns {}, but the call states {}", report_.text(call.span),
                           wanted.empty() ? "nothing" : wanted, given.empty() ? "nothing" : given));
}

void Calls::check() {
  if (calls_.empty()) return;
  const Functions functions(program_);
  for (const Call& call : calls_) {
    const std::string_view callee = program_.strings[call.callee];
    const Function* from = functions.enclosing_function(call.op);
    const std::span<const uint32_t> meant = functions.named(callee, from == nullptr ? 0 : from->module);
    if (meant.empty()) {
      Diagnostic& d = report_.fail(E0114, call.span, fmt::format("there is no function @{}", callee));
      report_.suggest(d, callee, functions.names(), "@");
    }
    for (const uint32_t index : meant) check(call, program_.ops[functions[index].info.op]);
  }
}

void Calls::check(const Call& call, const Op& function) {
  if (function.n_regions == 0) return;
  const std::string_view callee = program_.strings[call.callee];
  const Region& body = program_.regions[function.regions];
  const std::span<const ValueId> args = OpView(program_, call.op).operands(0);
  if (args.size() != body.n_args) {
    report_.fail(E0116, call.span,
                 fmt::format("@{} takes {} argument{}, but {} {} given", callee, body.n_args,
                             body.n_args == 1 ? "" : "s", args.size(), args.size() == 1 ? "is" : "are"));
    return;
  }
  for (uint32_t i = 0; i < body.n_args; ++i) {
    const TypeId wants = program_.values[body.first_arg + i].type;
    const TypeId has = program_.values[args[i]].type;
    if (wants == has) continue;
    const Span given = argument_span(call.span, i);
    report_.fail(E0115, given,
                 fmt::format("argument {} of @{} is {}, but {} is {}", i, callee, types_.name(wants),
                             report_.text(given), types_.name(has)));
  }
  check_results(call, function);
}

}  // namespace pto::text
