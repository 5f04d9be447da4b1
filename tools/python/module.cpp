// The compiled part of the Python package: prepare, run, rules and examples of the library, with buffers that
// stay Python's. tools/python/pto/__init__.py makes the interface of it.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "analysis/launch_groups.hpp"
#include "cases/argument_binding.hpp"
#include "driver/argument_checks.hpp"
#include "pto/diagnostic_formats.hpp"
#include "pto/examples.hpp"
#include "pto/launch.hpp"
#include "pto/prepare.hpp"
#include "pto/report.hpp"
#include "pto/rules.hpp"
#include "pto/version.hpp"

namespace py = pybind11;

namespace {

using namespace pto;

[[noreturn]] void fail(const Error& error) {
  if (error.kind == Error::Kind::unsupported) {
    PyErr_SetString(PyExc_NotImplementedError, error.message.c_str());
    throw py::error_already_set();
  }
  throw py::value_error(error.message);
}

template <typename T>
T value_or_raise(Result<T> result) {
  if (!result) fail(result.error());
  return std::move(*result);
}

py::dict dict_of(const Diagnostic& found, std::string_view file, std::string_view source) {
  py::dict out;
  out["id"] = std::string(to_string(found.id));
  out["severity"] = found.severity == Severity::error     ? "error"
                    : found.severity == Severity::warning ? "warning"
                                                          : "note";
  out["message"] = full_message(found);
  out["line"] = found.where.line;
  out["column"] = found.where.col;
  out["operand"] = found.operand;
  out["help"] = to_string(found.help);
  out["unsupported"] = found.unsupported;
  out["cycle"] = found.moment ? py::object(py::int_(found.moment->cycle)) : py::none();
  py::list notes;
  for (const Note& note : found.notes) notes.append(note.message);
  out["notes"] = notes;
  out["text"] = format_text(found, file, source);
  return out;
}

py::list list_of(const Diagnostics& all, std::string_view file, std::string_view source) {
  py::list list;
  for (const Diagnostic& one : all.all()) list.append(dict_of(one, file, source));
  return list;
}

struct Kernel {
  Prepared prepared;
  std::string name, entry;
  double clock_ghz = 0;
};

struct Parameter {
  std::string name, dtype, type;
  bool buffer = false;
};

/// Of the launch that `entry` means; none for a declaration.
std::vector<Parameter> parameters(const Kernel& kernel) {
  const Program& program = kernel.prepared.program;
  const Functions all(program);
  const auto launch = value_or_raise(find_launch(program, all, CallGraph(program, all), kernel.entry));
  const Op& op = program.ops[all[launch.functions.front()].info.op];
  std::vector<Parameter> list;
  if (op.n_regions == 0) return list;
  const Region& body = program.regions[op.regions];
  for (uint32_t i = 0; i < body.n_args; ++i) {
    const Type& type = program.type_of(body.first_arg + i);
    list.push_back({std::string(program.name_of(body.first_arg + i)),
                    type.elem == Elem::none ? "u8" : std::string(report::dtype_of(type.elem)),
                    to_string(type), type.kind != TypeKind::scalar});
  }
  return list;
}

WarningPolicy policy_of(const std::vector<std::string>& switches) {
  WarningPolicy policy;
  for (const std::string& text : switches) value_or_raise(apply_switch(policy, text));
  return policy;
}

Kernel assemble(std::string text, const std::string& name, const std::string& target,
                const std::string& entry, const std::string& level, const std::string& sync,
                const std::vector<std::string>& settings, const std::vector<std::string>& warnings,
                bool check_synchronisation) {
  PrepareOptions options;
  options.name = name;
  options.target = target;
  options.entry = entry;
  options.settings = settings;
  options.check_synchronisation = check_synchronisation;
  if (!level.empty()) options.level = level_named(level);
  if (!sync.empty()) options.sync = sync_named(sync).value_or(options.sync);
  options.diagnostics = Diagnostics(Diagnostics::kDefaultLimit, policy_of(warnings));
  if (!check_synchronisation) {  // it is to run
    constexpr size_t kMax = 10'000;
    options.fold_warnings = Diagnostics(kMax, policy_of(warnings));
    options.of_entry = true;
  }
  Kernel kernel;
  {
    const py::gil_scoped_release others_run;
    auto prepared = prepare(std::move(text), options);
    const py::gil_scoped_acquire back;
    kernel.prepared = value_or_raise(std::move(prepared));
  }
  kernel.name = name;
  kernel.entry = entry;
  if (kernel.prepared.ready) kernel.clock_ghz = value_or_raise(kernel.prepared.machine()).clock_ghz;
  return kernel;
}

/// What Python gives for a run: buffers as (writable or read-only) memory, or None for one of unknown
/// contents; scalars as bits.
std::vector<Argument> arguments_of(const py::list& given, const std::vector<Parameter>& wanted,
                                   std::vector<py::buffer_info>& held) {
  std::vector<Argument> arguments;
  for (size_t i = 0; i < given.size(); ++i) {
    Argument argument;
    argument.name = i < wanted.size() ? wanted[i].name : std::string();
    const py::tuple item = given[i];
    argument.is_buffer = item[0].cast<std::string>() == "buffer";
    if (argument.is_buffer) {
      held.push_back(item[1].cast<py::buffer>().request(/*writable=*/true));
      const py::buffer_info& info = held.back();
      argument.home = {static_cast<std::byte*>(info.ptr), static_cast<size_t>(info.size * info.itemsize)};
      argument.initialised = item[2].cast<bool>();
    } else {
      argument.scalar = item[1].cast<uint64_t>();
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

py::list pipes_of(const SimResult& result) {
  py::list list;
  for (const PipeStats& pipe : result.pipes) {
    if (pipe.instructions == 0 && pipe.busy_cycles == 0) continue;
    py::dict row, stalls;
    const CoreInfo core = pipe.core < result.cores.size() ? result.cores[pipe.core] : CoreInfo{};
    row["core"] = pipe.core;
    row["kind"] = core.kind == CoreKind::aic ? "AIC" : core.kind == CoreKind::aiv ? "AIV" : "core";
    row["block"] = core.block;
    row["pipe"] = std::string(to_string(pipe.pipe));
    row["busy_cycles"] = pipe.busy_cycles;
    row["instructions"] = pipe.instructions;
    for (size_t s = 1; s < std::size(pipe.stall_cycles); ++s)
      if (pipe.stall_cycles[s] != 0)
        stalls[py::str(std::string(to_string(static_cast<Stall>(s))))] = pipe.stall_cycles[s];
    row["stall_cycles"] = stalls;
    list.append(row);
  }
  return list;
}

/// What a run gave, in plain Python values.
py::dict run(const Kernel& kernel, const py::list& given, uint32_t blocks, const std::string& mode,
             const std::vector<std::string>& warnings, bool checks, bool watch, uint64_t max_cycles,
             uint32_t threads) {
  if (!kernel.prepared.ready) throw py::value_error("the program has errors");
  const std::vector<Parameter> wanted = parameters(kernel);
  std::vector<py::buffer_info> held;
  std::vector<Argument> arguments = arguments_of(given, wanted, held);
  SimOptions options;
  options.mode = mode == "time" ? Mode::time : mode == "check" ? Mode::check : Mode::run;
  options.entry = kernel.entry;
  options.blocks = blocks;
  options.checks.races = checks;
  options.checks.uninitialised = checks;
  options.limits.cycles = max_cycles;
  options.threads = threads;
  options.count_written = checks;
  options.warnings = policy_of(warnings);
  options.limits.findings = 500;  // shown are fewer: folded() below
  std::string printed;
  options.print = [&](const Printed& one) { printed += print_text(kernel.prepared.program, one); };
  std::atomic<bool> stop = false;
  options.stop = &stop;
  options.progress = [&](uint64_t, uint64_t) {  // about every 100 ms: somebody may have pressed Ctrl-C
    const py::gil_scoped_acquire back;
    if (PyErr_CheckSignals() != 0) stop = true;
  };
  ReportOptions reports_options;
  reports_options.target = kernel.prepared.target;
  reports_options.settings = kernel.prepared.settings;
  reports_options.inserted = kernel.prepared.inserted;
  reports_options.timeline = reports_options.advice = watch;
  std::string trace_text;
  if (watch) reports_options.trace = [&](std::string_view piece) { trace_text += piece; };
  Reports reports(std::move(reports_options));
  std::optional<Result<SimResult>> result;
  const auto begin = std::chrono::steady_clock::now();
  {
    const py::gil_scoped_release others_run;
    result = simulate(kernel.prepared, arguments, options, reports.observers());
    if (result->ok())
      driver::tell_unwritten(kernel.prepared, kernel.entry, blocks, arguments,
                             std::vector<driver::ExpectedWrites>(arguments.size(), {.whole = true}),
                             **result);
  }
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  SimResult done = value_or_raise(std::move(*result));
  done.findings = folded(kernel.prepared, std::move(done.findings),
                         Diagnostics(Diagnostics::kDefaultLimit, options.warnings));
  const Program& program = kernel.prepared.program;
  reports.finish(program, done);
  py::dict out;
  out["cycles"] = done.total_cycles;
  out["launch_cycles"] = done.launch_cycles;
  out["instructions"] = done.instructions;
  out["ended"] = done.ended;
  out["us"] = kernel.clock_ghz > 0 ? static_cast<double>(done.total_cycles) / kernel.clock_ghz / 1e3 : 0.0;
  out["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  out["findings"] = list_of(done.findings, kernel.name, kernel.prepared.source);
  out["pipes"] = pipes_of(done);
  out["report"] = reports.text(program, done);
  out["timeline"] = reports.timeline(program, done);
  out["advice"] = reports.advice(program, done, 8);
  out["printed"] = printed;
  if (watch) out["trace"] = trace_text;
  return out;
}

py::dict explain(const std::string& name) {
  const Rule* rule = find_rule(name);
  if (rule == nullptr) {
    const std::string near = nearest_rule(name);
    throw py::key_error("there is no rule '" + name + "'" +
                        (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  py::dict out;
  out["id"] = std::string(to_string(rule->id));
  out["title"] = std::string(rule->title);
  out["cause"] = std::string(rule->cause);
  out["example"] = std::string(rule->example);
  out["fix"] = std::string(rule->fix);
  return out;
}

py::dict examples_by_name() {
  py::dict all;
  for (const Example& example : examples()) {
    py::dict files;
    for (const ExampleFile& file : example.files)
      files[py::str(std::string(file.name))] = py::bytes(file.bytes.data(), file.bytes.size());
    all[py::str(std::string(example.name))] = files;
  }
  return all;
}

/// A case file, run and judged as pto-sim does it.
py::dict run_case(const std::string& file, const std::string& target) {
  LaunchOptions launch_options;
  launch_options.target = target;
  std::optional<Result<Launch>> launch;
  std::optional<Result<SimResult>> result;
  std::string problem;
  std::vector<Agreement> agreements;
  {
    const py::gil_scoped_release others_run;
    launch = prepare_launch(file, launch_options);
    if (launch->ok() && (*launch)->prepared.ready) {
      auto arguments = load_arguments((**launch).the_case);
      if (!arguments) {
        problem = arguments.error().message;
      } else {
        result = simulate(**launch, *arguments);
        if (result->ok() && (*result)->ended) {
          auto judged = judge(**launch, {}, *arguments, **result);
          if (judged)
            agreements = std::move(*judged);
          else
            problem = judged.error().message;
        }
      }
    }
  }
  if (!launch->ok()) fail(launch->error());
  if (!problem.empty()) throw py::value_error(problem);
  const Prepared& prepared = (*launch)->prepared;
  py::dict out;
  if (!prepared.ready) {
    out["findings"] = list_of(prepared.diagnostics, (*launch)->the_case.program, prepared.source);
    return out;
  }
  if (!result->ok()) fail(result->error());
  const std::string& name = prepared.program.source_name;
  out["findings"] =
      list_of(folded(prepared, std::move((*result)->findings), Diagnostics()), name, prepared.source);
  out["cycles"] = (*result)->total_cycles;
  py::dict agree;
  for (const Agreement& one : agreements)
    agree[py::str(one.arg)] = py::make_tuple(one.count, one.of, one.largest_error);
  out["agreements"] = agree;
  return out;
}

}  // namespace

PYBIND11_MODULE(_pto, module) {
  module.attr("__version__") = std::string(kVersion);
  py::class_<Kernel>(module, "Kernel")
      .def_property_readonly("ready", [](const Kernel& k) { return k.prepared.ready; })
      .def_property_readonly("target", [](const Kernel& k) { return k.prepared.target; })
      .def_property_readonly("clock_ghz", [](const Kernel& k) { return k.clock_ghz; })
      .def_property_readonly(
          "diagnostics",
          [](const Kernel& k) { return list_of(k.prepared.diagnostics, k.name, k.prepared.source); })
      .def_property_readonly("parameters",
                             [](const Kernel& k) {
                               py::list list;
                               for (const Parameter& p : parameters(k))
                                 list.append(py::make_tuple(p.name, p.dtype, p.buffer, p.type));
                               return list;
                             })
      .def("run", run);
  module.def("assemble", assemble);
  module.def("run_case", run_case);
  module.def("explain", explain);
  module.def("examples", examples_by_name);
}
