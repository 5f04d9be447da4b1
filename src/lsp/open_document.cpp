#include "lsp/open_document.hpp"

#include <algorithm>
#include <charconv>

namespace pto::lsp {

std::string path_of(std::string_view uri) {
  static constexpr std::string_view kFile = "file://";
  if (!uri.starts_with(kFile)) return std::string(uri);
  std::string path;
  for (size_t at = kFile.size(); at < uri.size(); ++at) {
    unsigned code = 0;
    if (uri[at] == '%' && at + 2 < uri.size() &&
        std::from_chars(uri.data() + at + 1, uri.data() + at + 3, code, 16).ptr == uri.data() + at + 3) {
      path += static_cast<char>(code);
      at += 2;
    } else {
      path += uri[at];
    }
  }
  return path;
}

OpenText::OpenText(std::string uri, std::string text, int64_t version)
    : uri_(std::move(uri)), name_(path_of(uri_)), document_(std::move(text)), version_(version) {}

void OpenText::forget() {
  analysis_.reset();
  places_.reset();
  told_ = false;
}

void OpenText::set(std::string text) {
  document_.set(std::move(text));
  cycles_.clear();
  dirty_ = true;
  forget();
}

bool OpenText::replace(const Range& range, std::string_view text) {
  if (!document_.replace(range, text)) return false;
  cycles_ = moved(cycles_, range, text);
  dirty_ = true;
  forget();
  return true;
}

const Analysis& OpenText::analysis(const Settings& settings) {
  if (!analysis_) {
    const Clock::time_point begin = Clock::now();
    analysis_.emplace(document_, name_, settings);
    took_ = Clock::now() - begin;
  }
  return *analysis_;
}

const Places& OpenText::places(const Settings& settings) {
  if (!places_) places_ = places_of(analysis(settings), document_.text(), settings);
  return *places_;
}

const RunCycles& OpenText::cycles() {
  std::error_code missing;
  const auto written = std::filesystem::last_write_time(stats_of(name_), missing);
  if (dirty_ || (!missing && written == run_)) return cycles_;
  run_ = missing ? std::filesystem::file_time_type() : written;
  return cycles_ = last_run(name_);
}

void OpenText::wait(Clock::time_point now, Clock::duration least) {
  using std::chrono::milliseconds;
  const Clock::duration large = took_ > milliseconds(50) ? took_ : Clock::duration::zero();
  due_ = now + std::max(least, std::min<Clock::duration>(large, milliseconds(1000)));
}

}  // namespace pto::lsp
