// pto-dis: object file -> canonical text.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <string>

#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "exit_codes.hpp"
#include "pto/version.hpp"
#include "support/file.hpp"

namespace {

// Exit codes of all tools.
using namespace pto::tools;

struct Options {
  std::string input, output = "-";
  bool no_loc = false, check = false, source = false;
};

int report(const std::string& message, int code) {
  fmt::print(stderr, "pto-dis: error: {}\n", message);
  return code;
}

int report(const std::string& file, const pto::Error& error) {
  return report(fmt::format("{}: {}", file, error.message),
                error.kind == pto::Error::Kind::unsupported ? kUnsupported : kUsage);
}

int disassemble(const Options& options) {
  const auto bytes = pto::read_file(options.input);
  if (!bytes) return report(bytes.error().message, kUsage);
  if (bytes->empty()) return report(options.input + ": the file is empty", kUsage);
  const std::span data(reinterpret_cast<const std::byte*>(bytes->data()), bytes->size());
  if (!pto::is_object(data)) return report(options.input + ": not a PTO object; pto-as makes one from text", kUsage);
  const auto program = pto::read_object(data);
  if (!program) return report(options.input, program.error());
  if (options.check) return kOk;
  if (options.source && program->source_text.empty())
    return report(options.input + ": no source text in it; assemble with --embed-source", kUsage);
  const std::string text = options.source ? program->source_text : pto::print(*program, {.locations = !options.no_loc});
  const auto written = pto::write_file(options.output, text);
  return written ? kOk : report(written.error().message, kUsage);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Disassembles a PTO object into canonical text."};
  app.add_option("file", options.input, "object file, - for standard input")->required();
  app.add_option("-o,--output", options.output, "where to write the text, - for standard output");
  app.add_flag("--no-loc", options.no_loc,
               "leave out loc(..), so that the text is clean; line numbers are then those of the text");
  app.add_flag("--source", options.source, "print the embedded source text instead");
  app.add_flag("--check", options.check, "only check that the object can be read");
  app.set_version_flag("--version", fmt::format("pto-dis {}", pto::kVersion));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kUsage;
  }
  try {
    return disassemble(options);
  } catch (const std::bad_alloc&) {
    return report("out of memory", kInternal);
  } catch (const std::exception& error) {
    return report(fmt::format("internal error: {}", error.what()), kInternal);
  }
}
