// What every tool does around its work: standard streams, signals, the command line, errors that are bugs,
// the exit code.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "cli/exit_codes.hpp"
#include "cli/options.hpp"
#include "pto/output_files.hpp"
#include "pto/result.hpp"
#include "support/printable.hpp"

namespace pto::tools {

/// Why standard output took no more, the first time.
inline int& output_problem() {
  static int problem = 0;
  return problem;
}

/// Writes to a standard stream. A failure stays with the stream; `finish` tells it.
inline void put(std::FILE* stream, std::string_view text) {
  if (text.empty()) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() && stream == stdout &&
      output_problem() == 0)
    output_problem() = errno;
}

/// Program text, which may hold names and strings of strangers: as it is for files and pipes, printable on a
/// terminal.
inline std::string for_output(std::string text, std::string_view output) {
  return output == "-" && isatty(STDOUT_FILENO) != 0 ? printable_text(text) : std::move(text);
}

inline int fail(std::string_view tool, std::string_view message, int code = kUsage) {
  put(stderr, fmt::format("{}: error: {}\n", tool, printable_line(message, kMaxPathLength)));
  return code;
}

inline int fail(std::string_view tool, const Error& error) {
  return fail(tool, error.message, error.kind == Error::Kind::unsupported ? kUnsupported : kUsage);
}

/// A closed standard stream is opened so that using it fails: otherwise the next file would take its place.
inline void open_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) == -1) (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// In a handler: no unfinished files stay behind, and the exit is that of the signal.
inline void end_by_signal(int signal) {
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// For all signals with which processes are asked to end.
inline void clean_up_on_signals() {
  struct sigaction action = {};
  action.sa_handler = end_by_signal;
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction before = {};
    // One that whoever started the program ignores (nohup) stays so.
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
}

/// The exit code, once everything that was printed has left. A report that nobody got is a failure.
inline int finish(std::string_view tool, int code) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int problem = output_problem() != 0 ? output_problem() : errno;
  const std::string why = problem != 0 ? fmt::format(": {}", std::strerror(problem)) : "";
  const bool printed = flushed && std::ferror(stdout) == 0;
  // Whoever closed the pipe, as `head` does, wants to hear no more.
  if (!printed && code != kUsage && problem != EPIPE) fail(tool, "cannot write standard output" + why);
  const bool reported = std::fflush(stderr) == 0 && std::ferror(stderr) == 0;
  return (printed && reported) || code == kInternal ? code : kUsage;
}

/// The conversion to a number without a sign would take -1 for the greatest one.
inline void refuse_negative_counts(CLI::App& app) {
  for (CLI::Option* const option : app.get_options()) {
    if (!option->get_type_name().starts_with("UINT")) continue;
    option->check([](const std::string& text) {
      return text.starts_with('-') ? fmt::format("{} is less than 0", text) : std::string();
    });
  }
  for (CLI::App* const command : app.get_subcommands([](CLI::App*) { return true; }))
    refuse_negative_counts(*command);
}

/// Parses the command line and runs `body`, which returns the exit code.
template <typename Body>
int tool_main(std::string_view tool, CLI::App& app, int argc, char** argv, const Body& body) {
  open_standard_streams();
  // Writing too much, or to nobody, is an error of that write and not the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  clean_up_on_signals();
  int code = kInternal;
  try {
    refuse_negative_counts(app);
    app.parse(argc, argv);
    code = body();
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      std::ostringstream text;
      code = app.exit(error, text, text);
      put(stdout, text.str());
    } else {
      code = fail(tool, explain(app, error));
    }
  } catch (const std::bad_alloc&) {
    code = fail(tool, "out of memory", kInternal);
  } catch (const std::exception& error) {
    code = fail(tool, fmt::format("internal error: {}", error.what()), kInternal);
  }
  return finish(tool, code);
}

}  // namespace pto::tools
