// pto-as: program text -> object file.
#include <fmt/format.h>

#include <malloc.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/plan.hpp"
#include "pto/verify.hpp"
#include "support/file.hpp"
#include "timing/cost.hpp"

namespace {

using namespace pto;

// Exit codes of all tools.
constexpr int kOk = 0, kFinding = 1, kUsage = 2, kUnsupported = 3, kInternal = 70;

struct Options {
  std::string input, output, target, level, emit = "obj", diagnostics = "text", format = "md", explain;
  bool no_verify = false, strip = false, embed_source = false, locations = false, list = false, unsupported = false;
};

int fail(const std::string& message, int code = kUsage) {
  fmt::print(stderr, "pto-as: error: {}\n", message);
  return code;
}

std::optional<Target> target_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  return name == "a5" ? Target::a5 : name == "cpu" ? Target::cpu : Target::a2a3;
}

std::optional<Level> level_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  return static_cast<Level>(name.back() - '0');
}

std::string shown_name(const Options& options) { return options.input == "-" ? "<stdin>" : options.input; }

void print_diagnostics(const Options& options, const Diagnostics& diagnostics, std::string_view source) {
  if (options.diagnostics == "json") {
    fmt::print(stderr, "{}\n", format_json(diagnostics.all(), shown_name(options)));
    return;
  }
  for (const Diagnostic& diagnostic : diagnostics.all()) fmt::print(stderr, "{}", format_text(diagnostic, shown_name(options), source));
  if (diagnostics.full()) fmt::print(stderr, "{}: {} errors, stopped there\n", shown_name(options), diagnostics.errors());
}

int explain(std::string_view id) {
  for (const Rule& rule : rules()) {
    if (rule.id != id) continue;
    fmt::print("{}: {}\n\n{}\n\nExample:\n{}\n\nFix: {}\n", rule.id, rule.title, rule.cause, rule.example, rule.fix);
    return kOk;
  }
  return fail(fmt::format("there is no rule '{}'", id));
}

/// Addresses and flags for what the program leaves open; the result is a level 3 program.
Result<bool> complete(Program& program, const Options& options, Diagnostics& diagnostics) {
  const auto config = timing::load_target(to_string(program.target));
  if (!config) return config.error();
  bool any_sync = false;
  for (const FunctionInfo& function : functions(program)) any_sync = any_sync || (!function.declaration && has_sync(program, function.op));
  PlanOptions plan_options;
  plan_options.sync = any_sync ? PlanOptions::Sync::explicit_ : PlanOptions::Sync::automatic;
  plan_options.plan_memory = level_named(options.level).value_or(infer_level(program)) != Level::level3;
  if (any_sync && !plan_options.plan_memory) return true;
  return plan(program, config->machine, plan_options, diagnostics);
}

std::string output_name(const Options& options) {
  if (!options.output.empty()) return options.output;
  if (options.emit != "obj" || options.input == "-") return "-";
  return std::filesystem::path(options.input).replace_extension(".bin").string();
}

Result<bool> write_output(const Program& program, const Options& options) {
  if (options.emit != "obj") return write_file(output_name(options), print(program, {.locations = options.locations}));
  const std::vector<std::byte> bytes = write_object(program, {.lines = !options.strip, .source = options.embed_source});
  return write_file(output_name(options), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

int assemble(const Options& options) {
  auto source = read_file(options.input);
  if (!source) return fail(source.error().message);
  if (source->empty()) return fail(options.input + ": the file is empty");

  Diagnostics diagnostics;
  const ParseOptions parse_options{.name = shown_name(options), .target = target_named(options.target), .level = level_named(options.level),
                                   .keep_source = options.embed_source};
  auto program = parse(*source, parse_options, diagnostics);
  bool good = program.has_value();
  if (good && !options.no_verify) good = verify(*program, {level_named(options.level)}, diagnostics);
  if (good && options.emit == "pto") {
    const auto completed = complete(*program, options, diagnostics);
    if (!completed) return fail(completed.error().message);
    good = *completed;
  }
  if (program) resolve_anchors(*program, *source, diagnostics);
  if (!diagnostics.all().empty()) print_diagnostics(options, diagnostics, *source);
  if (!good) return diagnostics.only_unsupported() ? kUnsupported : kFinding;

  *source = {};   // its memory is free for the object
  const auto written = write_output(*program, options);
  return written ? kOk : fail(written.error().message);
}

void add_options(CLI::App& app, Options& o) {
  app.add_option("file", o.input, "program text, - for standard input");
  app.add_option("-o,--output", o.output, "where to write; default: FILE with .bin, or standard output for text");
  app.add_option("--target,--pto-arch", o.target, "target; default: what the module says, else a2a3")->check(CLI::IsMember({"a2a3", "a2", "a3", "a5", "cpu"}));
  app.add_option("--level,--pto-level", o.level, "what the program leaves to the tools; default: level3 when every tile has an address")
      ->check(CLI::IsMember({"level1", "level2", "level3"}));
  app.add_option("--emit", o.emit, "obj: an object; text: the program as canonical text; pto: with addresses and flags, as level 3 text")
      ->check(CLI::IsMember({"obj", "text", "pto"}));
  app.add_flag("--no-verify", o.no_verify, "assemble illegal programs too");
  app.add_flag("--strip", o.strip, "leave the line table out");
  app.add_flag("--embed-source", o.embed_source, "put the text into the object");
  app.add_flag("--locations", o.locations, "print loc(..) behind every operation of emitted text");
  app.add_option("--diagnostics", o.diagnostics, "how messages look")->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--list-instructions", o.list, "print the instruction reference");
  app.add_option("--format", o.format, "of the reference")->check(CLI::IsMember({"md", "json"}));
  app.add_flag("--unsupported", o.unsupported, "only what is not supported yet");
  app.add_option("--explain", o.explain, "say what an error id means, e.g. E0115");
  app.set_version_flag("--version", "pto-as 0.1.0");
}

int run(const Options& options) {
  if (!options.explain.empty()) return explain(options.explain);
  if (options.list) {
    fmt::print("{}", list_instructions(options.format, target_named(options.target), options.unsupported));
    return kOk;
  }
  if (options.input.empty()) return fail("no input file; --help shows the options");
  return assemble(options);
}

}  // namespace

int main(int argc, char** argv) {
  // What a vector leaves behind when it grows goes back to the system at once; glibc would keep most of it.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  Options options;
  CLI::App app{"Assembles PTO program text into an object."};
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kUsage;
  }
  try {
    return run(options);
  } catch (const std::exception& error) {
    return fail(fmt::format("internal error: {}", error.what()), kInternal);
  }
}
