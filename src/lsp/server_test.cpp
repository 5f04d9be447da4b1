#include "lsp/server.hpp"

#include <vector>

#include "lsp/jsonrpc_frames.hpp"
#include "lsp/run_overlay.hpp"
#include "lsp/statement_at.hpp"
#include "lsp/text_edits.hpp"
#include "testing/catch_main.hpp"

namespace pto::lsp {

TEST_CASE("Frames: messages in any pieces", "[lsp]") {
  const std::string stream = framed("{}") + "content-length : 3\r\nContent-Type: x\r\n\r\nabc" + framed("");
  for (const size_t piece : {size_t{1}, size_t{5}, stream.size()}) {
    Frames frames;
    std::vector<std::string> messages;
    for (size_t at = 0; at < stream.size(); at += piece) {
      frames.add(std::string_view(stream).substr(at, piece));
      while (auto message = frames.next()) messages.push_back(std::move(*message));
    }
    CHECK(messages == std::vector<std::string>{"{}", "abc", ""});
    CHECK(frames.problem().empty());
  }
}

TEST_CASE("Server: faults are told when the text was quiet", "[lsp]") {
  std::vector<Json> sent;
  Server server([&](std::string_view message) { sent.push_back(Json::parse(message)); });
  const Server::Clock::time_point begin{};
  const auto say = [&](std::string_view message, std::chrono::milliseconds after) {
    server.receive(message, begin + after);
  };
  using std::chrono::milliseconds;
  say(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})", milliseconds(0));
  say(R"({"method":"textDocument/didOpen","params":{"textDocument":{"uri":"u","version":1,"text":"x"}}})",
      milliseconds(0));
  REQUIRE(server.due() == begin);
  server.work(begin);
  CHECK(sent.size() == 2);
  CHECK_FALSE(server.due());
  const std::string edit =
      R"({"method":"textDocument/didChange","params":{"textDocument":{"uri":"u","version":2},"contentChanges":[{"text":"y"}]}})";
  say(edit, milliseconds(100));
  say(edit, milliseconds(110));
  REQUIRE(server.due() == begin + milliseconds(110) + Server::kQuiet);
  server.work(begin + milliseconds(120));
  CHECK(sent.size() == 2);
  server.work(*server.due());
  REQUIRE(sent.size() == 3);
  CHECK(sent.back()["params"]["version"] == 2);
  CHECK_FALSE(server.due());
}

/// A server that was asked things, and what it sent.
struct Asked {
  std::vector<Json> sent;
  Server server{[this](std::string_view message) { sent.push_back(Json::parse(message)); }};

  Asked() { say(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"); }
  void say(std::string_view message) { server.receive(message, {}); }
};

TEST_CASE("Server: a message that is nested deeply is refused, whatever it asks", "[lsp]") {
  Asked asked;
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  for (const std::string& message :
       {R"({"id":2,"method":"x","params":{"a":)" + deep + R"(,"z":1}})",
        R"({"id":3,"method":"completionItem/resolve","params":{"label":"pto.tadd","data":)" + deep + "}}",
        R"({"id":)" + deep + R"(,"method":"shutdown"})"}) {
    asked.say(message);
    CHECK(asked.sent.back()["error"]["code"] == -32700);
  }
  asked.say(R"({"id":4,"method":"shutdown"})");
  CHECK(asked.sent.back()["id"] == 4);
}

TEST_CASE("Server: a comment is no markdown in what stands over a name", "[lsp]") {
  Asked asked;
  const std::string text =
      "module {\n  func.func @k() {\n    %c = arith.constant 1 : index // ` ![x](https://x.example/p.png) "
      "<b>\n"
      "    %d = arith.addi %c, %c : index\n    return\n  }\n}\n";
  asked.say(lsp::dump({{"method", "textDocument/didOpen"},
                       {"params", {{"textDocument", {{"uri", "u"}, {"version", 1}, {"text", text}}}}}}));
  asked.say(lsp::dump(
      {{"id", 2},
       {"method", "textDocument/hover"},
       {"params", {{"textDocument", {{"uri", "u"}}}, {"position", {{"line", 3}, {"character", 21}}}}}}));
  const std::string shown = asked.sent.back()["result"]["contents"]["value"];
  CHECK(shown.find("`%c = arith.constant 1 : index`") != std::string::npos);
  CHECK(shown.find("example") == std::string::npos);
}

TEST_CASE("Server: the outline of a text ends where it is nested too deeply", "[lsp]") {
  Asked asked;
  std::string text = "module {\nfunc.func @k(%c: i1) {\n";
  for (int i = 0; i < 20000; ++i) text += "scf.if %c {\n";
  for (int i = 0; i < 20000; ++i) text += "}\n";
  text += "return\n}\n}\n";
  asked.say(lsp::dump({{"method", "textDocument/didOpen"},
                       {"params", {{"textDocument", {{"uri", "u"}, {"version", 1}, {"text", text}}}}}}));
  asked.say(R"({"id":2,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"u"}}})");
  const Json* symbols = &asked.sent.back()["result"];
  size_t levels = 0;
  for (; !symbols->empty(); symbols = &symbols->front()["children"]) ++levels;
  CHECK(levels == 101);
}

TEST_CASE("Server: a target that is no regular file is not waited for", "[lsp]") {
  Asked asked;
  asked.say(
      R"({"method":"workspace/didChangeConfiguration","params":{"settings":{"pto":{"target":"/dev/zero"}}}})");
  REQUIRE(asked.sent.back()["method"] == "window/logMessage");
  CHECK(asked.sent.back()["params"]["message"] == "pto-lsp: the target /dev/zero is no regular file");
}

TEST_CASE("Cycles move with their lines", "[lsp]") {
  const RunCycles cycles = {{1, {1, 10}}, {2, {1, 20}}, {5, {1, 50}}};
  const RunCycles after = moved(cycles, {{2, 0}, {3, 1}}, "a\nb\nc");
  REQUIRE(after.size() == 2);
  CHECK(after.at(1).cycles == 10);
  CHECK(after.at(6).cycles == 50);  // three lines in place of two
}

TEST_CASE("Edits: in their order, at one place too", "[lsp]") {
  CHECK(applied("abcdef", {{{4, 5}, "X"}, {{1, 1}, "1"}, {{1, 1}, "2"}, {{2, 4}, ""}}) == "a12bXf");
}

TEST_CASE("Statement around a place", "[lsp]") {
  const std::string text = "  %a, %b:2 = scf.if %c -> (i1) {\n  // pto.tadd\n  \"arith.addi\"(%a,\n   %b)\n";
  const auto at = [&](std::string_view word) { return static_cast<uint32_t>(text.find(word)); };
  CHECK(statement_at(text, at("%c"))->row->name == "scf.if");
  CHECK(statement_at(text, at("   %b)") + 4)->row->name == "arith.addi");
  CHECK(in_comment(text, at("tadd")));
  CHECK_FALSE(in_comment(text, at("addi")));
  CHECK_FALSE(statement_at("", 0));
  CHECK_FALSE(statement_at("%", 1));
}

}  // namespace pto::lsp
