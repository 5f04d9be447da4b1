#include "report/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/plan.hpp"
#include "pto/vector_scope.hpp"
#include "pto/verify.hpp"
#include "report/binding.hpp"
#include "report/report.hpp"
#include "support/file.hpp"
#include "timing/cost.hpp"

namespace pto::report {
namespace {

std::span<const std::byte> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

Result<std::map<std::string, std::string>> parse_defines(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> defines;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return Error{fmt::format("-D {}: write NAME=VALUE", text)};
    defines[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return defines;
}

/// Command-line values win over the case's.
Result<Case> the_case_of(const std::string& file, const LaunchOptions& options) {
  Case the_case;
  const auto defines = parse_defines(options.defines);
  if (!defines) return defines.error();
  if (file.ends_with(".toml")) {
    auto read = read_case(file, *defines);
    if (!read) return read.error();
    the_case = std::move(*read);
  } else {
    the_case.program = file;
  }
  for (const auto& [from, to] : {std::pair(&options.entry, &the_case.entry), std::pair(&options.target, &the_case.target),
                                 std::pair(&options.level, &the_case.level), std::pair(&options.sync, &the_case.sync)}) {
    if (!from->empty()) *to = *from;
  }
  if (options.blocks) the_case.blocks = options.blocks;
  for (const std::string& text : options.args) {
    auto arg = parse_arg(text);
    if (!arg) return arg.error();
    const auto same = std::find_if(the_case.args.begin(), the_case.args.end(),
                                   [&](const CaseArg& other) { return other.name == arg->name; });
    if (same == the_case.args.end()) {
      the_case.args.push_back(std::move(*arg));
      continue;
    }
    arg->added = same->added;
    *same = std::move(*arg);
  }
  for (const std::string& text : options.outputs) {
    if (auto added = add_output(the_case, text); !added) return added.error();
  }
  if (auto good = check_files(the_case, file, options.files); !good) return good.error();
  if (auto done = complete_arguments(the_case); !done) return done.error();
  return the_case;
}

/// The target and the machine the name or configuration file stands for.
Result<std::optional<Target>> target_of(const std::string& name) {
  if (name.empty()) return std::optional<Target>();
  if (const auto target = target_named(name)) return target;
  const auto config = timing::load_target(name);
  if (!config) return config.error();
  return std::optional<Target>(config->machine.target);
}

/// The kernel's definition: by name, or the only one that can be launched.
const FunctionInfo* find_entry(const std::vector<FunctionInfo>& all, std::string_view name) {
  const FunctionInfo* found = nullptr;
  for (const FunctionInfo& info : all) {
    if (!info.declaration && (name.empty() ? info.entry : info.name == name)) return &info;
    if (!info.declaration) found = &info;
  }
  return name.empty() ? found : nullptr;
}

bool any_sync(const Program& program) {
  const auto all = functions(program);
  return std::any_of(all.begin(), all.end(),
                     [&](const FunctionInfo& info) { return !info.declaration && has_sync(program, info.op); });
}

std::optional<Level> level_named(std::string_view name) {
  if (name == "level1") return Level::level1;
  if (name == "level2") return Level::level2;
  if (name == "level3") return Level::level3;
  return std::nullopt;
}

/// An object is run for another target than it was assembled for.
void run_for(Program& program, Target target, Diagnostics& diagnostics) {
  if (program.target_stated && program.target != target && target != Target::cpu) {  // cpu takes programs for both
    diagnostics
        .warning("W0101", fmt::format("the object is assembled for {}, but is run for {}", to_string(program.target),
                                      to_string(target)))
        .help = "--target wins; leave it out, or assemble for that target";
  }
  program.target = target;
  program.target_stated = true;
}

/// Reads an object or assembles text into launch.program. False: diagnostics say why.
Result<bool> load(Launch& launch, std::optional<Target> target, const std::string& source_root, Diagnostics& diagnostics) {
  auto text = read_file(launch.the_case.program);
  if (!text) return text.error();
  if (is_object(as_bytes(*text))) {
    auto program = read_object(as_bytes(*text));
    if (!program)
      return Error{fmt::format("{}: {}", launch.the_case.program, program.error().message), program.error().kind};
    launch.program = std::move(*program);
    launch.source = launch.program.source_text;
    if (launch.source.empty()) launch.source = source_text(launch.program.source_name, launch.the_case.program, source_root);
    if (target) run_for(launch.program, *target, diagnostics);
    return diagnostics.errors() == 0;
  }
  launch.source = std::move(*text);
  auto program =
      parse(launch.source, {launch.the_case.program == "-" ? "<stdin>" : launch.the_case.program, target, level_named(launch.the_case.level), false}, diagnostics);
  if (!program) return false;
  launch.program = std::move(*program);
  infer_vector_scopes(launch.program, diagnostics);
  return true;
}

/// Gives addresses and flags to a program that leaves them to the tools.
Result<bool> complete(Launch& launch, Diagnostics& diagnostics) {
  const Case& the_case = launch.the_case;
  const Level level = level_named(the_case.level).value_or(infer_level(launch.program));
  PlanOptions options;
  const bool explicit_sync = the_case.sync.empty() ? any_sync(launch.program) : the_case.sync == "explicit";
  options.sync = explicit_sync ? PlanOptions::Sync::explicit_ : PlanOptions::Sync::automatic;
  options.plan_memory = level != Level::level3;
  options.entry = the_case.entry;
  options.machine = launch.target;
  if (explicit_sync && !options.plan_memory) return true;
  const auto machine = load_machine(launch.target);
  if (!machine) return machine.error();
  return plan(launch.program, *machine, options, diagnostics);
}

}  // namespace

std::optional<Target> target_named(std::string_view name) {
  if (name == "a5") return Target::a5;
  if (name == "a2a3" || name == "a2" || name == "a3") return Target::a2a3;
  if (name == "cpu") return Target::cpu;
  return std::nullopt;
}

Result<Launch> prepare(const std::string& file, const LaunchOptions& options, Diagnostics& diagnostics) {
  auto the_case = the_case_of(file, options);
  if (!the_case) return the_case.error();
  Launch launch;
  launch.the_case = std::move(*the_case);
  const auto target = target_of(launch.the_case.target);
  if (!target) return target.error();
  const auto loaded = load(launch, *target, options.files.source_root, diagnostics);
  if (!loaded) return loaded.error();
  if (!*loaded) return launch;
  launch.target = launch.the_case.target.empty() ? std::string(to_string(launch.program.target)) : launch.the_case.target;
  if (target_named(launch.target)) launch.target = to_string(*target_named(launch.target));
  // The run itself shows what is wrong with flags and orders.
  const bool legal = verify(launch.program, {.level = level_named(launch.the_case.level), .synchronisation = false}, diagnostics);
  resolve_anchors(launch.program, launch.source, diagnostics);   // before the planner renumbers operations
  if (!legal) return launch;
  const auto all = functions(launch.program);
  if (const FunctionInfo* entry = find_entry(all, launch.the_case.entry)) {
    if (auto good = order_arguments(launch.the_case, launch.program, *entry); !good) return good.error();
    if (auto good = check_types(launch.the_case, launch.program, *entry); !good) return good.error();
  }
  const auto completed = complete(launch, diagnostics);
  if (!completed) return completed.error();
  resolve_anchors(launch.program, launch.source, diagnostics);
  launch.ready = *completed;
  return launch;
}

Result<bool> judge(const Launch& launch, const SimOptions& options, const std::vector<Argument>& arguments,
                   SimResult& result) {
  const auto mismatches = compare_expected(launch.the_case, arguments);
  if (!mismatches) return mismatches.error();
  for (const Mismatch& mismatch : *mismatches) {
    Provenance provenance(static_cast<uint32_t>(mismatch.argument), mismatch.byte);
    Observer* const observers[] = {&provenance};
    auto again = load_arguments(launch.the_case);
    const bool known = again.ok() && simulate(launch.program, *again, options, observers).ok();
    result.findings.add(mismatch_finding(mismatch, launch.program, known ? &provenance : nullptr));
  }
  return true;
}

}  // namespace pto::report
