// pto-lsp: the language server, over standard input and output.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

#include "cli/manual.hpp"
#include "cli/option_facts.hpp"
#include "cli/tool_main.hpp"
#include "lsp/jsonrpc_frames.hpp"
#include "lsp/server.hpp"
#include "pto/version.hpp"

namespace {

using namespace pto;
using namespace pto::tools;

constexpr std::string_view kTool = "pto-lsp";

/// Milliseconds until the next scheduled work of the server; -1: there is none.
int poll_timeout(const lsp::Server& server) {
  const auto due = server.due();
  if (!due) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*due - lsp::Server::Clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 60'000));
}

/// Moves the available bytes into `frames`; false at the end of the stream.
bool read_some(lsp::Frames& frames) {
  std::array<char, 1 << 16> buffer{};
  const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
  if (count > 0) frames.add({buffer.data(), static_cast<size_t>(count)});
  return count > 0 || (count < 0 && errno == EINTR);
}

int serve() {
  lsp::Frames frames;
  lsp::Server server([](std::string_view message) {
    put(stdout, lsp::framed(message));
    if (std::fflush(stdout) != 0 && output_problem() == 0) output_problem() = errno;
  });
  while (!server.ended() && output_problem() == 0) {
    // Of standard output only the error is of interest: the client has closed it.
    pollfd streams[] = {{STDIN_FILENO, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
    const int ready = poll(streams, 2, poll_timeout(server));
    if (ready < 0 && errno != EINTR) return fail(kTool, "cannot wait for standard input");
    if (ready > 0 && (streams[1].revents & POLLERR) != 0) break;
    if (ready > 0 && streams[0].revents != 0 && !read_some(frames)) break;
    while (const auto message = frames.next()) {
      server.receive(*message, lsp::Server::Clock::now());
      if (server.ended()) break;
    }
    if (!frames.problem().empty()) {
      server.refuse(frames.problem());
      return fail(kTool, frames.problem());
    }
    if (ready <= 0) server.work(lsp::Server::Clock::now());
  }
  return server.exit_code() == 0 ? kOk : kFinding;
}

const ManualText kManual = {
    kTool,
    "pto-lsp reads requests of the Language Server Protocol from standard input and writes replies to "
    "standard "
    "output. It offers diagnostics, completion, hover texts, definitions, code actions and formatting.",
    {{"Show the version of the server and of the language:", "pto-lsp --version"}},
    {}};

}  // namespace

int main(int argc, char** argv) {
  bool stdio = false;
  CLI::App app{
      "Language server for PTO program text. Editors start it and exchange messages over standard input and "
      "output."};
  begin_group(app, group::kGeneral);
  app.add_flag("--stdio", stdio,
               "use standard input and output (default); for clients that pass this option");
  app.set_version_flag("--version", fmt::format("pto-lsp {} (language of {})", kVersion, kUpstream),
                       "print the version and exit");
  add_manual_options(app, kManual);
  return tool_main(kTool, app, argc, argv, serve);
}
