// Fuzz target: the whole path of a program text as pto-sim takes it, with small limits.
#include <bit>
#include <cstdlib>
#include <string_view>

#include "pto/assembler.hpp"
#include "pto/diagnostic_formats.hpp"
#include "pto/object.hpp"
#include "pto/prepare.hpp"
#include "pto/simulator.hpp"
#include "report/run_report.hpp"
#include "report/trace/timeline.hpp"
#include "report/trace/trace.hpp"
#include "testing/fuzz_target.hpp"

namespace pto::fuzz {
namespace {

constexpr uint64_t kCycles = 20000, kInstructions = 2000;
constexpr size_t kBufferBytes = 16 << 10;

/// What the program marks as kernel, or its first function.
const FunctionInfo* entry_of(const std::vector<FunctionInfo>& all) {
  const FunctionInfo* first = nullptr;
  for (const FunctionInfo& function : all) {
    if (function.declaration) continue;
    if (function.entry) return &function;
    if (first == nullptr) first = &function;
  }
  return first;
}

/// Small buffers and small numbers, of the kinds that the parameters have.
Argument argument_for(const Type& type) {
  Argument argument;
  argument.is_buffer = type.kind != TypeKind::scalar;
  if (argument.is_buffer) {
    argument.bytes.resize(kBufferBytes);
    for (size_t i = 0; i < kBufferBytes; ++i) argument.bytes[i] = std::byte(i % 61);
  } else {
    argument.scalar = type.elem == Elem::f32 ? std::bit_cast<uint32_t>(1.5f) : type.elem == Elem::i1 ? 1 : 16;
  }
  return argument;
}

std::vector<Argument> arguments_of(const Program& program, const FunctionInfo& entry) {
  std::vector<Argument> arguments;
  const Op& op = program.ops[entry.op];
  if (op.n_regions == 0) return arguments;
  const Region& body = program.regions[op.regions];
  for (uint32_t i = 0; i < body.n_args; ++i)
    arguments.push_back(argument_for(program.type_of(body.first_arg + i)));
  return arguments;
}

void write_all_reports(const report::Run& run, std::string_view text) {
  report::text_report(run);
  report::stats_json(run);
  Diagnostics findings = run.result.findings;
  resolve_anchors(run.program, text, findings);
  format_text(findings, "kernel.pto", text);
  format_sarif(findings, "kernel.pto", text, "pto-sim");
}

void simulate_bounded(const Program& program, std::string_view text) {
  const auto all = functions(program);
  const FunctionInfo* entry = entry_of(all);
  if (entry == nullptr) return;
  SimOptions options;
  options.target = to_string(program.target);
  options.entry = entry->name;
  options.limits.cycles = kCycles;
  options.limits.instructions = kInstructions;
  std::vector<Argument> arguments = arguments_of(program, *entry);
  report::Summary summary;
  report::Timeline timeline;
  const auto nowhere = [](std::string_view) {};
  report::JsonReport json(nowhere);
  report::TraceWriter trace(options.target, nowhere);
  Observer* const observers[] = {&summary, &timeline, &json, &trace};
  const auto result = simulate(program, arguments, options, observers);
  if (result) {
    const report::Run run{program, *result, summary, options.target};
    static_cast<void>(timeline.text(run));
    json.finish(run);
    write_all_reports(run, text);
  } else if (result.error().message.empty()) {
    std::abort();  // refused without saying why
  }
}

}  // namespace

int pipeline(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto prepared = prepare(std::string(text), {.objects = false});
  if (!prepared) std::abort();  // the built-in targets load
  if (!prepared->ready) {
    if (prepared->diagnostics.errors() == 0) std::abort();
    return 0;
  }
  const auto bytes = write_object(prepared->program);
  const auto loaded = read_object(bytes);
  if (!loaded || write_object(*loaded) != bytes) std::abort();
  simulate_bounded(*loaded, text);
  return 0;
}

}  // namespace pto::fuzz
