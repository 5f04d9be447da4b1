// Fuzz target: a session of the language server. A line of the input is a message: JSON, or else the text of
// the document, about every few letters of which questions are asked.
#include <cstdlib>
#include <string>
#include <string_view>

#include "lsp/json_access.hpp"
#include "lsp/jsonrpc_frames.hpp"
#include "lsp/server.hpp"
#include "testing/fuzz_target.hpp"

namespace pto::fuzz {

namespace {

using lsp::Json;

struct Session {
  size_t answers = 0, asked = 0;
  lsp::Server server{[this](std::string_view message) {
    const Json json = Json::parse(message, nullptr, false);
    if (json.is_discarded()) std::abort();
    if (json.contains("id")) ++answers;
  }};

  void say(std::string_view method, Json params, bool question) {
    Json message = {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
    if (question) message["id"] = ++asked;
    server.receive(lsp::dump(message), {});
    if (answers != asked) std::abort();  // each question has one answer
  }
};

constexpr std::string_view kUri = "file:///fuzz.pto";

/// As a client would get it: valid UTF-8.
Json text_of(std::string_view bytes) { return Json::parse(lsp::dump(Json(bytes))); }

void ask_all(Session& session, uint32_t line, uint32_t character) {
  const Json at = {{"line", line}, {"character", character}};
  const Json document = {{"uri", kUri}};
  for (const std::string_view method : lsp::Server::questions())
    session.say(method,
                {{"textDocument", document},
                 {"position", at},
                 {"range", {{"start", at}, {"end", {{"line", line + 3}, {"character", 0}}}}},
                 {"context", {{"diagnostics", Json::array()}, {"includeDeclaration", true}}},
                 {"options", {{"tabSize", 2}, {"insertSpaces", true}}},
                 {"newName", "renamed"}},
                true);
}

}  // namespace

int language_server(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  lsp::Frames frames;
  frames.add(input);
  while (frames.next()) {
  }
  Session session;
  session.say("initialize", Json::object(), true);
  session.say("textDocument/didOpen",
              {{"textDocument", {{"uri", kUri}, {"version", 1}, {"text", text_of(input)}}}}, false);
  session.server.work({});
  // The first bytes choose places.
  for (size_t i = 0; i + 1 < size && i < 2; i += 2) {
    const uint32_t line = data[i] % 64u;
    const uint32_t character = data[i + 1] % 128u;
    ask_all(session, line, character);
    session.say("textDocument/didChange",
                {{"textDocument", {{"uri", kUri}, {"version", 2 + i}}},
                 {"contentChanges",
                  {{{"range",
                     {{"start", {{"line", line}, {"character", character}}},
                      {"end", {{"line", line + data[i] / 128u}, {"character", character}}}}},
                    {"text", text_of(input.substr(size - 1 - i, 3))}}}}},
                false);
    session.server.work(lsp::Server::Clock::time_point::max());
  }
  session.server.receive(input, {});  // mostly no message
  return 0;
}

}  // namespace pto::fuzz
