#include "lsp/jsonrpc_frames.hpp"

#include <fmt/format.h>

#include <charconv>

namespace pto::lsp {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

bool is_length(std::string_view name) {
  static constexpr std::string_view kName = "content-length";
  if (name.size() != kName.size()) return false;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i] >= 'A' && name[i] <= 'Z' ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
    if (c != kName[i]) return false;
  }
  return true;
}

}  // namespace

bool Frames::read_field(std::string_view line) {
  const size_t colon = line.find(':');
  if (colon == line.npos) {
    problem_ = "a line of the header is no 'Name: value'";
    return false;
  }
  if (!is_length(trimmed(line.substr(0, colon)))) return true;
  const std::string_view digits = trimmed(line.substr(colon + 1));
  size_t length = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (error == std::errc::result_out_of_range || (error == std::errc() && length > kMaxMessageBytes))
    problem_ = fmt::format("Content-Length is above {} bytes", kMaxMessageBytes);
  else if (error != std::errc() || end != digits.data() + digits.size())
    problem_ = "Content-Length is not an integer";
  length_ = length;
  return problem_.empty();
}

/// Up to the begin of a body; false when more bytes are needed, or nothing helps.
bool Frames::read_header() {
  while (!in_body_) {
    const size_t end = bytes_.find('\n', at_);
    if (end == bytes_.npos) {
      if (bytes_.size() - at_ > kMaxHeaderBytes) problem_ = "a line of the header does not end";
      return false;
    }
    const std::string_view line = trimmed(std::string_view(bytes_).substr(at_, end - at_));
    at_ = end + 1;
    if (line.empty() && !length_) problem_ = "a header has no Content-Length";
    if (!problem_.empty() || (!line.empty() && !read_field(line))) return false;
    in_body_ = line.empty();
  }
  return true;
}

std::optional<std::string> Frames::next() {
  if (!problem_.empty() || !read_header() || bytes_.size() - at_ < *length_) return std::nullopt;
  std::string message = bytes_.substr(at_, *length_);
  at_ += *length_;
  length_.reset();
  in_body_ = false;
  if (at_ == bytes_.size() || at_ > size_t{1} << 20) {
    bytes_.erase(0, at_);
    at_ = 0;
  }
  return message;
}

std::string framed(std::string_view message) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

}  // namespace pto::lsp
