// pto-as: program text -> object file.
#include <fmt/format.h>

#include <malloc.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "diagnostic_options.hpp"
#include "document_options.hpp"
#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/plan.hpp"
#include "pto/vector_scope.hpp"
#include "pto/verify.hpp"
#include "pto/version.hpp"
#include "support/file.hpp"
#include "support/output_files.hpp"
#include "tool_main.hpp"

namespace {

using namespace pto;
using namespace pto::tools;

struct Options {
  std::string input, output, target, level, sync, emit = "obj";
  bool no_verify = false, strip = false, embed_source = false, locations = false;
  DiagnosticOptions diagnostics;
  DocumentOptions documents;
};

constexpr std::string_view kTool = "pto-as";

std::optional<Target> target_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  return name == "a5" ? Target::a5 : name == "cpu" ? Target::cpu : Target::a2a3;
}

SyncBy sync_named(std::string_view name) { return name.empty() ? SyncBy::by_program : name == "auto" ? SyncBy::tools : SyncBy::program; }

std::optional<Level> level_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  return static_cast<Level>(name.back() - '0');
}

std::string shown_name(const Options& options) { return options.input == "-" ? "<stdin>" : options.input; }

/// Addresses and flags for what the program leaves open; the result is a level 3 program.
Result<bool> complete(Program& program, const Options& options, Diagnostics& diagnostics) {
  const auto machine = load_machine(to_string(program.target));
  if (!machine) return machine.error();
  bool any_sync = false;
  for (const FunctionInfo& function : functions(program)) any_sync = any_sync || (!function.declaration && has_sync(program, function.op));
  PlanOptions plan_options;
  const bool by_hand = options.sync.empty() ? any_sync : options.sync == "explicit";
  plan_options.sync = by_hand ? PlanOptions::Sync::explicit_ : PlanOptions::Sync::automatic;
  plan_options.plan_memory = level_named(options.level).value_or(infer_level(program)) != Level::level3;
  if (by_hand && !plan_options.plan_memory) return true;
  return plan(program, *machine, plan_options, diagnostics);
}

std::string output_name(const Options& options) {
  if (!options.output.empty()) return options.output;
  if (options.emit != "obj" || options.input == "-") return "-";
  return std::filesystem::path(options.input).replace_extension(".bin").string();
}

Result<bool> write_output(const Program& program, const Options& options) {
  if (options.emit != "obj") return write_file(output_name(options), for_output(print(program, {.locations = options.locations}), output_name(options)));
  const std::vector<std::byte> bytes = write_object(program, {.lines = !options.strip, .source = options.embed_source});
  return write_file(output_name(options), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

int assemble(const Options& options) {
  const NamedFile output[] = {{"the output", output_name(options)}}, input[] = {{"the program", options.input}};
  if (const auto distinct = check_distinct(output, input); !distinct) return fail(kTool, distinct.error());
  auto source = read_file(options.input);
  if (!source) return fail(kTool, source.error());

  Diagnostics diagnostics = make_diagnostics(options.diagnostics);
  const ParseOptions parse_options{.name = shown_name(options), .target = target_named(options.target), .level = level_named(options.level),
                                   .keep_source = options.embed_source};
  auto program = parse(*source, parse_options, diagnostics);
  bool good = program.has_value();
  if (good && !options.no_verify) infer_vector_scopes(*program, diagnostics);
  if (good && !options.no_verify) good = verify(*program, {.level = level_named(options.level), .sync = sync_named(options.sync)}, diagnostics);
  if (program) resolve_anchors(*program, *source, diagnostics);   // before the planner renumbers operations
  if (good && options.emit == "pto") {
    const auto completed = complete(*program, options, diagnostics);
    if (!completed) return fail(kTool, completed.error());
    good = *completed;
  }
  const bool planned = program && level_named(options.level).value_or(infer_level(*program)) != Level::level3;
  if (good && options.emit != "pto" && planned && !options.no_verify) good = check_capacity(*program, diagnostics);
  if (program) resolve_anchors(*program, *source, diagnostics);
  diagnostics.sort();
  print_diagnostics(options.diagnostics, diagnostics, shown_name(options), *source, kTool);
  if (!good) return exit_code(diagnostics);

  *source = {};   // its memory is free for the object
  const auto written = write_output(*program, options);
  return written ? kOk : fail(kTool, written.error());
}

void add_options(CLI::App& app, Options& o) {
  app.add_option("file", o.input, "program text, - for standard input");
  app.add_option("-o,--output", o.output, "where to write; default: FILE with .bin, or standard output for text");
  app.add_option("--target,--pto-arch", o.target, "target; default: what the module says, else a2a3")->check(one_of({"a2a3", "a2", "a3", "a5", "cpu"}));
  app.add_option("--level,--pto-level", o.level, "what the program leaves to the tools; default: level3 when every tile has an address")
      ->check(one_of({"level1", "level2", "level3"}));
  app.add_option("--emit", o.emit, "obj: an object; text: the program as canonical text; pto: with addresses and flags, as level 3 text")
      ->check(one_of({"obj", "text", "pto"}));
  app.add_option("--sync", o.sync, "who orders the pipes: auto: flags are inserted (--emit pto); explicit: the program; default: explicit where it holds flags")
      ->check(one_of({"auto", "explicit"}));
  app.add_flag_callback("--enable-insert-sync", [&o] { o.sync = "auto"; }, "the same as --sync auto");
  app.add_flag("--no-verify", o.no_verify, "assemble illegal programs too");
  app.add_flag("--strip", o.strip, "leave the line table out");
  app.add_flag("--embed-source", o.embed_source, "put the text into the object");
  app.add_flag("--locations", o.locations, "print loc(..) behind every operation of emitted text");
  add_diagnostic_options(app, o.diagnostics);
  add_document_options(app, o.documents);
  app.set_version_flag("--version", fmt::format("pto-as {}", kVersion));
}

int run(const Options& options) {
  if (wants_documents(options.documents)) {
    const auto printed = print_documents(options.documents, target_named(options.target));
    return printed ? kOk : fail(kTool, printed.error());
  }
  if (options.input.empty()) return fail(kTool, "no input file; --help shows the options");
  return assemble(options);
}

}  // namespace

int main(int argc, char** argv) {
  // What a vector leaves behind when it grows goes back to the system at once; glibc would keep most of it.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  Options options;
  CLI::App app{"Assembles PTO program text into an object."};
  add_options(app, options);
  return tool_main(kTool, app, argc, argv, [&] { return run(options); });
}
