// A text that is open in the editor, and its analysis.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "lsp/analysis.hpp"
#include "lsp/document.hpp"
#include "lsp/run_overlay.hpp"
#include "lsp/source_positions.hpp"

namespace pto::lsp {

class OpenText {
 public:
  using Clock = std::chrono::steady_clock;

  OpenText(std::string uri, std::string text, int64_t version);

  [[nodiscard]] const std::string& uri() const { return uri_; }
  /// Of the file, for messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Document& document() const { return document_; }
  [[nodiscard]] int64_t version() const { return version_; }

  void set(std::string text);
  bool replace(const Range& range, std::string_view text);
  void set_version(int64_t version) { version_ = version; }
  /// Discards the analysis of an earlier version.
  void forget();

  /// Of the text as it is; made when it is asked for.
  const Analysis& analysis(const Settings& settings);
  const Places& places(const Settings& settings);
  /// Of the last run of the program as it was saved, moved along with the edits since.
  const RunCycles& cycles();
  void saved() { dirty_ = false; }
  /// Whether its diagnostics have been sent to the editor.
  [[nodiscard]] bool told() const { return told_; }
  void set_told() { told_ = true; }
  /// When its diagnostics are due.
  [[nodiscard]] Clock::time_point due() const { return due_; }
  /// The text is changed often while one types: it is looked at when it was quiet for a moment, and a large
  /// one less often.
  void wait(Clock::time_point now, Clock::duration least);

 private:
  std::string uri_, name_;
  Document document_;
  int64_t version_ = 0;
  std::optional<Analysis> analysis_;
  std::optional<Places> places_;
  RunCycles cycles_;
  std::filesystem::file_time_type run_;  ///< when its statistics were written
  bool told_ = false, dirty_ = false;
  Clock::duration took_{};
  Clock::time_point due_;
};

/// The path behind `file://`, decoded; another URI as it is.
std::string path_of(std::string_view uri);

}  // namespace pto::lsp
