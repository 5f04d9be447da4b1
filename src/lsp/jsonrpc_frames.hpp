// Messages in a stream of bytes: `Content-Length: N`, an empty line, N bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pto::lsp {

inline constexpr size_t kMaxMessageBytes = size_t{256} << 20, kMaxHeaderBytes = size_t{8} << 10;

class Frames {
 public:
  void add(std::string_view bytes) { bytes_ += bytes; }
  /// The next message; nothing when it is not complete yet, or when nothing more can be understood.
  std::optional<std::string> next();
  /// Why the rest of the stream cannot be understood; "" when it can.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  bool read_header();
  bool read_field(std::string_view line);

  std::string bytes_;
  size_t at_ = 0;  ///< bytes before it are consumed
  std::optional<size_t> length_;
  bool in_body_ = false;
  std::string problem_;
};

/// A message with its header.
std::string framed(std::string_view message);

}  // namespace pto::lsp
