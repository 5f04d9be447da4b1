#include "lsp/server.hpp"

#include <fmt/format.h>

#include "lsp/features.hpp"
#include "pto/version.hpp"
#include "support/json.hpp"

namespace pto::lsp {

namespace {

enum Code : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kRequestFailed = -32803,
  kNotInitialized = -32002,
};
enum MessageType : int { kError = 1 };

Json capabilities() {
  return {{"positionEncoding", "utf-16"},
          {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
          {"hoverProvider", true},
          {"completionProvider",
           {{"triggerCharacters", {"%", "@", "!", "#", ".", "<", "\"", "="}}, {"resolveProvider", true}}},
          {"definitionProvider", true},
          {"referencesProvider", true},
          {"documentHighlightProvider", true},
          {"renameProvider", {{"prepareProvider", true}}},
          {"documentSymbolProvider", true},
          {"documentFormattingProvider", true},
          {"inlayHintProvider", true},
          {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}}};
}

}  // namespace

// ---- questions ----

template <Json (*ask)(OpenText&, const Settings&, uint32_t)>
Server::Answer Server::of_place(const Json& params) {
  auto spot = spot_of(params);
  if (Failure* failure = std::get_if<Failure>(&spot)) return std::move(*failure);
  const auto [text, offset] = std::get<Spot>(spot);
  return ask(*text, settings_, offset);
}

template <Json (*ask)(OpenText&, const Settings&, const Range&)>
Server::Answer Server::of_range(const Json& params) {
  auto text = text_of(params);
  if (Failure* failure = std::get_if<Failure>(&text)) return std::move(*failure);
  const auto range = range_of(member(params, {"range"}));
  if (!range) return Failure{kInvalidParams, "range is missing, or is none"};
  return ask(*std::get<OpenText*>(text), settings_, *range);
}

template <Json (*ask)(OpenText&, const Settings&)>
Server::Answer Server::of_text(const Json& params) {
  auto text = text_of(params);
  if (Failure* failure = std::get_if<Failure>(&text)) return std::move(*failure);
  return ask(*std::get<OpenText*>(text), settings_);
}

Server::Answer Server::references(const Json& params) {
  auto spot = spot_of(params);
  if (Failure* failure = std::get_if<Failure>(&spot)) return std::move(*failure);
  const auto [text, offset] = std::get<Spot>(spot);
  return lsp::references(*text, settings_, offset,
                         flag_at(params, {"context", "includeDeclaration"}).value_or(true));
}

Server::Answer Server::rename(const Json& params) {
  auto spot = spot_of(params);
  if (Failure* failure = std::get_if<Failure>(&spot)) return std::move(*failure);
  const auto name = text_at(params, {"newName"});
  if (!name) return Failure{kInvalidParams, "newName is missing"};
  const auto [text, offset] = std::get<Spot>(spot);
  Result<Json> renamed = lsp::rename(*text, settings_, offset, *name);
  if (!renamed) return Failure{kRequestFailed, renamed.error().message};
  return std::move(*renamed);
}

Server::Answer Server::resolve(const Json& params) { return resolved(params); }

// ---- methods ----

const std::map<std::string_view, Server::Request>& Server::requests() {
  static const std::map<std::string_view, Request> table = {
      {"initialize", &Server::initialize},
      {"shutdown", &Server::shutdown},
      {"completionItem/resolve", &Server::resolve},
      {"textDocument/hover", &Server::of_place<lsp::hover>},
      {"textDocument/completion", &Server::of_place<lsp::completion>},
      {"textDocument/definition", &Server::of_place<lsp::definition>},
      {"textDocument/documentHighlight", &Server::of_place<lsp::highlights>},
      {"textDocument/references", &Server::references},
      {"textDocument/prepareRename", &Server::of_place<lsp::rename_range>},
      {"textDocument/rename", &Server::rename},
      {"textDocument/documentSymbol", &Server::of_text<lsp::outline>},
      {"textDocument/formatting", &Server::of_text<lsp::formatting>},
      {"textDocument/inlayHint", &Server::of_range<lsp::hints>},
      {"textDocument/codeAction", &Server::of_range<lsp::actions>},
  };
  return table;
}

const std::map<std::string_view, Server::Notification>& Server::notifications() {
  static const std::map<std::string_view, Notification> table = {
      {"initialized", &Server::nothing},
      {"exit", &Server::exit},
      {"textDocument/didOpen", &Server::did_open},
      {"textDocument/didChange", &Server::did_change},
      {"textDocument/didSave", &Server::did_save},
      {"textDocument/didClose", &Server::did_close},
      {"workspace/didChangeConfiguration", &Server::change_settings},
  };
  return table;
}

std::vector<std::string_view> Server::questions() {
  std::vector<std::string_view> methods;
  for (const auto& [method, answer] : requests()) {
    if (method.starts_with("textDocument/")) methods.push_back(method);
  }
  return methods;
}

// ---- messages ----

void Server::notify(std::string_view method, Json params) {
  send_(dump({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}}));
}

void Server::answer(const Json& id, Answer answer) {
  Json message = {{"jsonrpc", "2.0"}, {"id", id}};
  if (Failure* failure = std::get_if<Failure>(&answer))
    message["error"] = {{"code", failure->code}, {"message", std::move(failure->message)}};
  else
    message["result"] = std::move(std::get<Json>(answer));
  send_(dump(message));
}

void Server::complain(const std::string& what) {
  notify("window/logMessage", {{"type", kError}, {"message", "pto-lsp: " + what}});
}

void Server::refuse(std::string_view problem) { answer(nullptr, Failure{kParseError, std::string(problem)}); }

void Server::receive(std::string_view message, Clock::time_point now) {
  now_ = now;
  const Json json = parse_json(message);
  if (json.is_discarded()) return refuse("the message is no JSON, or nested too deeply");
  const Json* id = member(json, {"id"});
  const bool good_id = id == nullptr || id->is_string() || id->is_number_integer() || id->is_null();
  const auto method = text_at(json, {"method"});
  if (!json.is_object() || !good_id || (!method && id == nullptr))
    return answer(nullptr, Failure{kInvalidRequest, "the message is neither a request nor a notification"});
  if (!method) return;  // an answer; nothing was asked
  static const Json kNone;
  const Json* given = member(json, {"params"});
  const Json& params = given == nullptr ? kNone : *given;
  if (id != nullptr) return request(*id, *method, params);
  const auto found = notifications().find(*method);
  if (found != notifications().end() && (initialized_ || *method == "exit")) (this->*found->second)(params);
}

void Server::request(const Json& id, const std::string& method, const Json& params) {
  const auto found = requests().find(method);
  if (shut_down_) return answer(id, Failure{kInvalidRequest, "the server was shut down"});
  if (!initialized_ && method != "initialize")
    return answer(id, Failure{kNotInitialized, "initialize comes first"});
  if (found == requests().end())
    return answer(id, Failure{kMethodNotFound, fmt::format("there is no method {}", method)});
  answer(id, (this->*found->second)(params));
}

// ---- life ----

Server::Answer Server::initialize(const Json& params) {
  if (initialized_) return Failure{kInvalidRequest, "initialize comes once"};
  initialized_ = true;
  if (const Json* given = member(params, {"initializationOptions"})) take_settings(*given);
  return Json{{"capabilities", capabilities()}, {"serverInfo", {{"name", "pto-lsp"}, {"version", kVersion}}}};
}

Server::Answer Server::shutdown(const Json&) {
  shut_down_ = true;
  return Json(nullptr);
}

void Server::exit(const Json&) { ended_ = true; }

void Server::take_settings(const Json& given) {
  if (const auto target = text_at(given, {"target"})) take_target(*target);
  if (const auto level = text_at(given, {"level"})) settings_.level = level_named(*level);
  if (const auto sync = text_at(given, {"sync"}))
    settings_.sync = sync_named(*sync).value_or(SyncBy::by_program);
  if (const Json* warnings = member(given, {"warnings"}); warnings != nullptr && warnings->is_array()) {
    settings_.warnings.clear();
    for (const Json& one : *warnings) {
      if (one.is_string()) settings_.warnings.push_back(one.get<std::string>());
    }
  }
}

/// A configuration is read again and again while somebody types: a pipe would be waited for.
void Server::take_target(const std::string& target) {
  std::error_code missing;
  const auto status = std::filesystem::status(target, missing);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !target_named(target))
    return complain(fmt::format("the target {} is no regular file", target));
  settings_.target = target;
}

void Server::change_settings(const Json& params) {
  const Json* given = member(params, {"settings", "pto"});
  if (given == nullptr) return;
  take_settings(*given);
  for (auto& [uri, text] : texts_) {
    text.forget();
    text.wait(now_, Clock::duration::zero());
  }
}

// ---- texts ----

void Server::did_open(const Json& params) {
  const auto uri = text_at(params, {"textDocument", "uri"}), text = text_at(params, {"textDocument", "text"});
  if (!uri || !text) return complain("textDocument/didOpen names no text");
  const Json* version = member(params, {"textDocument", "version"});
  const bool counted = version != nullptr && version->is_number_integer();
  texts_.erase(*uri);
  OpenText& opened =
      texts_.try_emplace(*uri, *uri, *text, counted ? version->get<int64_t>() : 0).first->second;
  opened.wait(now_, Clock::duration::zero());
}

void Server::did_change(const Json& params) {
  const auto uri = text_at(params, {"textDocument", "uri"});
  const auto found = uri ? texts_.find(*uri) : texts_.end();
  const Json* changes = member(params, {"contentChanges"});
  if (found == texts_.end() || changes == nullptr || !changes->is_array())
    return complain("textDocument/didChange names no text that is open");
  OpenText& text = found->second;
  for (const Json& change : *changes) {
    const auto words = text_at(change, {"text"});
    const Json* where = member(change, {"range"});
    const auto range = range_of(where);
    bool good = words && (where == nullptr || range);
    if (good && range)
      good = text.replace(*range, *words);
    else if (good)
      text.set(*words);
    if (good) continue;
    complain(
        fmt::format("{}: an edit lies outside of the text; it is not known any more until it is opened again",
                    text.name()));
    notify("textDocument/publishDiagnostics", {{"uri", *uri}, {"diagnostics", Json::array()}});
    texts_.erase(found);
    return;
  }
  if (const Json* version = member(params, {"textDocument", "version"});
      version != nullptr && version->is_number_integer())
    text.set_version(version->get<int64_t>());
  text.wait(now_, kQuiet);
}

void Server::did_save(const Json& params) {
  const auto uri = text_at(params, {"textDocument", "uri"});
  const auto found = uri ? texts_.find(*uri) : texts_.end();
  if (found != texts_.end()) found->second.saved();
}

void Server::did_close(const Json& params) {
  const auto uri = text_at(params, {"textDocument", "uri"});
  if (!uri || texts_.erase(*uri) == 0) return;
  notify("textDocument/publishDiagnostics", {{"uri", *uri}, {"diagnostics", Json::array()}});
}

std::optional<Server::Clock::time_point> Server::due() const {
  std::optional<Clock::time_point> first;
  for (const auto& [uri, text] : texts_) {
    if (!text.told() && (!first || text.due() < *first)) first = text.due();
  }
  return first;
}

void Server::work(Clock::time_point now) {
  now_ = now;
  for (auto& [uri, text] : texts_) {
    if (!text.told() && text.due() <= now) send_notification(text);
  }
}

void Server::send_notification(OpenText& text) {
  text.set_told();
  notify("textDocument/publishDiagnostics", faults(text, settings_));
}

std::variant<OpenText*, Server::Failure> Server::text_of(const Json& params) {
  const auto uri = text_at(params, {"textDocument", "uri"});
  if (!uri) return Failure{kInvalidParams, "textDocument.uri is missing"};
  const auto found = texts_.find(*uri);
  if (found == texts_.end()) return Failure{kInvalidParams, fmt::format("{} is not open", *uri)};
  return &found->second;
}

std::variant<Server::Spot, Server::Failure> Server::spot_of(const Json& params) {
  auto text = text_of(params);
  if (Failure* failure = std::get_if<Failure>(&text)) return std::move(*failure);
  const auto position = position_of(member(params, {"position"}));
  if (!position) return Failure{kInvalidParams, "position is missing, or is none"};
  OpenText* of = std::get<OpenText*>(text);
  return Spot{of, of->document().offset(*position)};
}

}  // namespace pto::lsp
