#include "asm/parse/text/defines_expansion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "asm/parse/text/scanner.hpp"

namespace pto::text {
namespace {

bool is_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// Where a comment that begins at `at` ends; `at` where none does.
size_t comment_end(std::string_view source, size_t at) {
  const char* begin = source.data() + at;
  const char* last = source.data() + source.size();
  const bool comment =
      is_hash_comment(begin, last) || (begin[0] == '/' && begin + 1 != last && begin[1] == '/');
  return comment ? std::min(source.find('\n', at), source.size()) : at;
}

class Expander {
 public:
  Expander(std::string_view source, const Defines& defines, Diagnostics& diagnostics)
      : source_(source), defines_(defines), diagnostics_(diagnostics) {}

  std::optional<Expansion> run() {
    bool in_string = false, good = true;
    for (size_t at = 0; at < source_.size();) {
      const char c = source_[at];
      if (c == '"' || (c == '\n' && in_string)) in_string = !in_string;
      if (in_string && c == '\\') {
        at += 2;
        continue;
      }
      if (!in_string && (c == '/' || c == '#')) {
        if (const size_t end = comment_end(source_, at); end != at) {
          at = end;
          continue;
        }
      }
      if (c != '$' || !source_.substr(at).starts_with("${")) {
        ++at;
        continue;
      }
      const size_t behind = placeholder(at, good);
      at = behind == at ? at + 1 : behind;
    }
    if (!good) return std::nullopt;
    if (!made_.pieces.empty()) made_.text += source_.substr(copied_);
    return std::move(made_);
  }

 private:
  /// Where the text goes on; `at` when this is none.
  size_t placeholder(size_t at, bool& good) {
    const std::optional<Placeholder> found = find_placeholder(source_, at);
    if (found->end == source_.npos || !is_name(found->name)) return at;
    const std::string* given = defines_.find(found->name);
    if (given == nullptr && !found->fallback) {
      good = false;
      missing(*found);
      return found->end;
    }
    made_.text += source_.substr(copied_, at - copied_);
    const auto begin = static_cast<uint32_t>(made_.text.size());
    made_.text += given != nullptr ? std::string_view(*given) : *found->fallback;
    made_.pieces.push_back({begin, static_cast<uint32_t>(made_.text.size()), static_cast<uint32_t>(at),
                            static_cast<uint32_t>(found->end)});
    copied_ = found->end;
    return copied_;
  }

  void missing(const Placeholder& found) {
    const std::string_view before = source_.substr(0, found.begin);
    const auto line = static_cast<uint32_t>(std::ranges::count(before, '\n')) + 1;
    const size_t start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
    diagnostics_
        .error(E0127, fmt::format("${{{}}} has no value", found.name),
               Span{static_cast<uint32_t>(found.begin), static_cast<uint32_t>(found.end)},
               Location{line, static_cast<uint32_t>(found.begin - start) + 1})
        .help = fmt::format("pass -D {0}=.., or write ${{{0}:-DEFAULT}}", found.name);
  }

  std::string_view source_;
  const Defines& defines_;
  Diagnostics& diagnostics_;
  Expansion made_;
  size_t copied_ = 0;
};

}  // namespace

std::optional<Expansion> expand(std::string_view source, const Defines& defines, Diagnostics& diagnostics) {
  if (source.find("${") == source.npos) return Expansion{};
  return Expander(source, defines, diagnostics).run();
}

}  // namespace pto::text
