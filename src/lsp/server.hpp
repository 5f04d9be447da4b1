// The language server: messages in, messages out. It reads no stream and knows no clock.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lsp/json_access.hpp"
#include "lsp/open_document.hpp"

namespace pto::lsp {

class Server {
 public:
  using Clock = OpenText::Clock;
  using Send = std::function<void(std::string_view message)>;

  /// How long a text must be unchanged before its diagnostics are sent.
  static constexpr std::chrono::milliseconds kQuiet{15};

  explicit Server(Send send, Settings settings = {})
      : send_(std::move(send)), settings_(std::move(settings)) {}

  /// A message: JSON text.
  void receive(std::string_view message, Clock::time_point now);
  /// Reports a malformed stream to the client.
  void refuse(std::string_view problem);
  /// When work() has something to do; nothing: not before the next message.
  [[nodiscard]] std::optional<Clock::time_point> due() const;
  void work(Clock::time_point now);

  /// Methods that ask about an open text.
  static std::vector<std::string_view> questions();

  /// The editor said that it is over.
  [[nodiscard]] bool ended() const { return ended_; }
  /// 0 when it had said so before.
  [[nodiscard]] int exit_code() const { return shut_down_ ? 0 : 1; }

 private:
  struct Failure {
    int code;
    std::string message;
  };
  using Answer = std::variant<Json, Failure>;
  using Request = Answer (Server::*)(const Json& params);
  using Notification = void (Server::*)(const Json& params);
  static const std::map<std::string_view, Request>& requests();
  static const std::map<std::string_view, Notification>& notifications();

  void notify(std::string_view method, Json params);
  void answer(const Json& id, Answer answer);
  /// A fault of the editor, which it may show.
  void complain(const std::string& what);
  void request(const Json& id, const std::string& method, const Json& params);

  Answer initialize(const Json& params);
  Answer shutdown(const Json& params);
  /// Questions about a place of a text, about a part of it, about all of it.
  template <Json (*ask)(OpenText&, const Settings&, uint32_t)>
  Answer of_place(const Json& params);
  template <Json (*ask)(OpenText&, const Settings&, const Range&)>
  Answer of_range(const Json& params);
  template <Json (*ask)(OpenText&, const Settings&)>
  Answer of_text(const Json& params);
  Answer references(const Json& params);
  Answer rename(const Json& params);
  Answer resolve(const Json& params);

  void did_open(const Json& params);
  void did_change(const Json& params);
  void did_save(const Json& params);
  void did_close(const Json& params);
  void change_settings(const Json& params);
  void exit(const Json& params);
  void nothing(const Json&) {}

  struct Spot {
    OpenText* text = nullptr;
    uint32_t offset = 0;
  };
  /// The text that the parameters name.
  std::variant<OpenText*, Failure> text_of(const Json& params);
  /// And the place in it.
  std::variant<Spot, Failure> spot_of(const Json& params);
  void take_settings(const Json& given);
  void take_target(const std::string& target);
  void send_notification(OpenText& text);

  Send send_;
  Settings settings_;
  std::map<std::string, OpenText, std::less<>> texts_;  ///< by URI
  Clock::time_point now_;
  bool initialized_ = false, shut_down_ = false, ended_ = false;
};

}  // namespace pto::lsp
