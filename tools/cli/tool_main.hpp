// The frame of every tool: standard streams, signals, command line, internal errors, exit code.
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
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "pto/output_files.hpp"
#include "pto/result.hpp"
#include "support/printable.hpp"

namespace pto::tools {

/// The error number of the first failed write to standard output; 0 if there is none.
inline int& output_problem() {
  static int problem = 0;
  return problem;
}

/// Writes to a standard stream. `finish` reports a failure.
inline void put(std::FILE* stream, std::string_view text) {
  if (text.empty()) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() && stream == stdout &&
      output_problem() == 0)
    output_problem() = errno;
}

/// Program text as it is for files and pipes. For a terminal it is made printable, because names and strings
/// in it come from unknown sources.
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

/// Opens closed standard streams so that their use fails. Otherwise the next opened file would get their
/// descriptor.
inline void open_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) == -1) (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Signal handler: removes unfinished files, then ends the process by the same signal.
inline void end_by_signal(int signal) {
  remove_unfinished_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Installs `end_by_signal` for SIGHUP, SIGINT and SIGTERM.
inline void clean_up_on_signals() {
  struct sigaction action = {};
  action.sa_handler = end_by_signal;
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction before = {};
    // A signal that the parent process ignores (nohup) stays ignored.
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
}

/// Flushes the output and returns the exit code. Output that could not be written is a failure.
inline int finish(std::string_view tool, int code) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int problem = output_problem() != 0 ? output_problem() : errno;
  const std::string why = problem != 0 ? fmt::format(": {}", std::strerror(problem)) : "";
  const bool printed = flushed && std::ferror(stdout) == 0;
  // A reader that closed the pipe, as `head` does, gets no message.
  if (!printed && code != kUsage && problem != EPIPE) fail(tool, "cannot write standard output" + why);
  const bool reported = std::fflush(stderr) == 0 && std::ferror(stderr) == 0;
  return (printed && reported) || code == kInternal ? code : kUsage;
}

/// Parses the command line and runs `body`, which returns the exit code.
template <typename Body>
int tool_main(std::string_view tool, CLI::App& app, int argc, char** argv, const Body& body) {
  open_standard_streams();
  // A write beyond a limit or to a closed pipe fails; it does not end the program.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  clean_up_on_signals();
  int code = kInternal;
  try {
    use_help_text(app);
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
