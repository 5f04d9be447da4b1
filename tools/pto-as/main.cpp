// pto-as: program text -> object file.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "cli/diagnostic_options.hpp"
#include "cli/document_options.hpp"
#include "cli/lowering_options.hpp"
#include "cli/manual.hpp"
#include "cli/program_options.hpp"
#include "cli/tool_main.hpp"
#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/output_files.hpp"
#include "pto/prepare.hpp"
#include "pto/version.hpp"
#include "support/file.hpp"

namespace {

using namespace pto;
using namespace pto::tools;

struct Options {
  std::string input, output, emit = "obj";
  bool strip = false, embed_source = false, locations = false, prove = false;
  PrepareOptions prepare;
  std::vector<std::string> defines;
  PtoasOptions ptoas;
  std::vector<std::string> remarks;
  DiagnosticOptions diagnostics;
  DocumentOptions documents;
};

constexpr std::string_view kTool = "pto-as";

std::string shown_name(const Options& options) { return options.input == "-" ? "<stdin>" : options.input; }

std::string output_name(const Options& options) {
  if (!options.output.empty()) return options.output;
  if (options.emit != "obj" || options.input == "-") return "-";
  return std::filesystem::path(options.input).replace_extension(".bin").string();
}

Result<bool> write_output(const Program& program, const Options& options) {
  if (options.emit != "obj")
    return write_file(output_name(options),
                      for_output(print(program, {.locations = options.locations}), output_name(options)));
  const std::vector<std::byte> bytes =
      write_object(program, {.lines = !options.strip, .source = options.embed_source});
  return write_file(output_name(options), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

PrepareOptions prepare_options(const Options& options) {
  PrepareOptions prepare = options.prepare;
  prepare.name = shown_name(options);
  prepare.objects = false;
  prepare.complete = options.emit == "pto" || options.emit == "vpto" ? PrepareOptions::Complete::yes
                     : prepare.verify                                ? PrepareOptions::Complete::check
                                                                     : PrepareOptions::Complete::no;
  if (options.emit == "vpto") prepare.vectors = Vectors::all_lowered;
  prepare.backend = options.ptoas.backend;
  prepare.diagnostics = make_diagnostics(options.diagnostics);
  prepare.fold_warnings = folded_warnings(options.diagnostics);
  note_unused(options.ptoas, prepare.diagnostics);
  return prepare;
}

/// The error for a command line that asks for an unsupported output; "" if there is none.
std::string refused(const Options& options) {
  const std::string extension = std::filesystem::path(options.output).extension().string();
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx")
    return fmt::format("-o {}: C++ output is not supported; {}", options.output, kOutputs);
  return refusal(options.ptoas, options.prepare.target);
}

int assemble(const Options& options) {
  if (const std::string why = refused(options); !why.empty()) return fail(kTool, why);
  const NamedFile output[] = {{"the output", output_name(options)}},
                  input[] = {{"the program", options.input}};
  if (const auto distinct = check_distinct(output, input); !distinct) return fail(kTool, distinct.error());
  auto source = read_file(options.input);
  if (!source) return fail(kTool, source.error());

  const Result<Defines> defines = Defines::parse(options.defines);
  if (!defines) return fail(kTool, defines.error());
  PrepareOptions wanted = prepare_options(options);
  wanted.defines = &*defines;
  auto prepared = prepare(std::move(*source), wanted);
  if (!prepared) return fail(kTool, prepared.error());
  print_diagnostics(options.diagnostics, prepared->diagnostics, shown_name(options), prepared->source, kTool);
  if (!prepared->ready) return exit_code(prepared->diagnostics);
  print_layouts(options.remarks, prepared->lowered, shown_name(options));

  prepared->source = {};  // its memory is free for the object
  prepared->expansion = {};
  const auto written = write_output(prepared->program, options);
  return written ? kOk : fail(kTool, written.error());
}

void add_common_options(CLI::App& app, Options& o) {
  begin_group(app, group::kProgram);
  app.add_option("file", o.input, "program text; - is standard input")->type_name("FILE");
  begin_group(app, group::kOutput);
  app.add_option("-o,--output", o.output,
                 "output file; - is standard output (default: the input file with .bin; standard output for "
                 "text)")
      ->type_name("FILE");
  app.add_option("--emit", o.emit,
                 "obj: object (default); text: canonical text; pto: text with addresses and flags (level 3); "
                 "vpto: as pto, with logical vectors lowered to registers")
      ->check(one_of({"obj", "text", "pto", "vpto"}));
  begin_group(app, group::kTarget);
  app.add_option("--target,--pto-arch", o.prepare.target,
                 "target (default: the target of the module, else a2a3)")
      ->check(one_of({"a2a3", "a2", "a3", "a5", "cpu"}));
  begin_group(app, group::kCompilation);
  add_level_option(app, "--level,--pto-level", o.prepare.level,
                   "level of the program: the tools choose addresses and flags below level3 (default: level3 "
                   "if every tile has an address)");
  begin_group(app, group::kGeneral);
  app.set_version_flag("--version", fmt::format("pto-as {} (language of {})", kVersion, kUpstream),
                       "print the version and exit");
}

void add_other_options(CLI::App& app, Options& o) {
  begin_group(app, group::kCompilation);
  add_sync_option(app, o.prepare.sync);
  add_buffer_option(app, o.prepare.buffers);
  app.add_flag_callback("--emit-pto-ir", [&o] { o.emit = "pto"; })->group(group::kHidden);
  app.add_flag_callback(
      "--no-verify", [&o] { o.prepare.verify = false; }, "do not check the program; assemble it if possible");
  app.add_flag("--prove", o.prove,
               "do not assemble: check the program for all inputs and timings (pto-sim prove)");
  add_remark_option(app, o.remarks);
  begin_group(app, group::kProgram);
  app.add_option("-D", o.defines, "value of ${NAME} in the text, and of constants with pto.param")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  begin_group(app, group::kTarget);
  app.add_option("--set", o.prepare.settings,
                 "override a key of the target's configuration: machine.flags=bit")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  begin_group(app, group::kOutput);
  app.add_flag("--strip", o.strip, "omit the line table");
  app.add_flag("--embed-source", o.embed_source, "store the program text in the object");
  app.add_flag("--locations", o.locations, "print loc(..) after every operation of emitted text");
  add_diagnostic_options(app, o.diagnostics);
  add_document_options(app, o.documents);
}

/// Runs pto-sim from the folder of this program. Without a simulator in it, pto-as starts faster.
int prove(int argc, char** argv) {
  std::error_code problem;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", problem);
  const std::string simulator = problem ? "pto-sim" : (self.parent_path() / "pto-sim").string();
  std::vector<char*> arguments{const_cast<char*>(simulator.c_str()), const_cast<char*>("prove")};
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--prove") arguments.push_back(argv[i]);
  }
  arguments.push_back(nullptr);
  execvp(simulator.c_str(), arguments.data());
  return fail(kTool, fmt::format("--prove: {}: {}", simulator, std::strerror(errno)));
}

const ManualText kManual = {
    kTool,
    "pto-as checks a program, chooses addresses and inserts flags where the program leaves them to the "
    "tools, "
    "and writes an object that pto-sim runs. With --emit it writes program text instead.",
    {{"Write the files of an example, and assemble its kernel into add/vector_add.bin:",
      "pto-as --example vector_add --output-dir add\npto-as add/vector_add.pto --target a5"},
     {"Print the program with the addresses and flags that the tools choose:",
      "pto-as add/vector_add.pto --target a5 --emit pto"},
     {"Explain an error:", "pto-as --explain E0115"}},
    {}};

int run(const Options& options) {
  if (wants_documents(options.documents)) {
    const auto printed = print_documents(options.documents, target_named(options.prepare.target));
    return printed ? kOk : fail(kTool, printed.error());
  }
  if (options.input.empty()) return fail(kTool, "no input file; --help shows the options");
  return assemble(options);
}

}  // namespace

int main(int argc, char** argv) {
  // Returns memory that a growing vector leaves to the system at once; glibc would keep most of it.
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  Options options;
  CLI::App app{"Assembles PTO program text into an object file."};
  add_in_stages<Options>(app, options, argc, argv,
                         {add_common_options, add_other_options, [](CLI::App& a, Options& o) {
                            add_ptoas_options(a, o.ptoas, true);
                            add_manual_options(a, kManual);
                          }});
  return tool_main(kTool, app, argc, argv, [&] { return options.prove ? prove(argc, argv) : run(options); });
}
