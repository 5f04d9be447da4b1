// pto-dis: object file -> canonical text.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <span>
#include <string>

#include "cli/manual.hpp"
#include "cli/option_facts.hpp"
#include "cli/tool_main.hpp"
#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/output_files.hpp"
#include "pto/version.hpp"
#include "support/file.hpp"

namespace {

using namespace pto::tools;

struct Options {
  std::string input, output = "-";
  bool no_loc = false, check = false, source = false;
};

constexpr std::string_view kTool = "pto-dis";

int fail_about(const std::string& file, const pto::Error& error) {
  return fail(kTool, pto::Error{fmt::format("{}: {}", file, error.message), error.kind});
}

int disassemble(const Options& options) {
  const pto::NamedFile output[] = {{"the output", options.output}}, input[] = {{"the object", options.input}};
  if (const auto distinct = pto::check_distinct(output, input); !distinct)
    return fail(kTool, distinct.error());
  const auto bytes = pto::read_file(options.input);
  if (!bytes) return fail(kTool, bytes.error());
  if (bytes->empty()) return fail_about(options.input, {"the file is empty"});
  const std::span data(reinterpret_cast<const std::byte*>(bytes->data()), bytes->size());
  if (!pto::is_object(data))
    return fail_about(options.input, {"not a PTO object; pto-as makes one from text"});
  const auto program = pto::read_object(data);
  if (!program) return fail_about(options.input, program.error());
  if (options.check) return kOk;
  if (options.source && program->source_text.empty())
    return fail_about(options.input, {"no source text in it; assemble with --embed-source"});
  const std::string text =
      options.source ? program->source_text : pto::print(*program, {.locations = !options.no_loc});
  const auto written = pto::write_file(options.output, for_output(text, options.output));
  return written ? kOk : fail(kTool, written.error());
}

const ManualText kManual = {
    kTool,
    "pto-dis prints the program in an object as canonical text. pto-as assembles this text into an equal "
    "object.",
    {{"Assemble an example and print it:",
      "pto-as --example vector_add --output-dir add\npto-as add/vector_add.pto --target a5\n"
      "pto-dis add/vector_add.bin --no-loc"},
     {"Check an object:", "pto-dis --check add/vector_add.bin"}},
    {}};

void add_common_options(CLI::App& app, Options& o) {
  begin_group(app, group::kProgram);
  app.add_option("file", o.input, "object file; - is standard input")->type_name("FILE")->required();
  begin_group(app, group::kGeneral);
  app.set_version_flag("--version", fmt::format("pto-dis {}", pto::kVersion), "print the version and exit");
}

void add_other_options(CLI::App& app, Options& o) {
  begin_group(app, group::kOutput);
  app.add_option("-o,--output", o.output, "output file; - is standard output (default)")->type_name("FILE");
  app.add_flag("--no-loc", o.no_loc,
               "omit loc(..); if the text is assembled again, line numbers are those of the new text");
  app.add_flag("--source", o.source,
               "print the source text that the object contains (pto-as --embed-source)");
  app.add_flag("--check", o.check, "check that the object can be read, and print nothing");
  add_manual_options(app, kManual);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Disassembles a PTO object into canonical program text."};
  add_in_stages<Options>(app, options, argc, argv, {add_common_options, add_other_options});
  return tool_main(kTool, app, argc, argv, [&] { return disassemble(options); });
}
