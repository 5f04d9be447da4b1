// Fuzz target: texts in which tokens have become others of their kind (numbers, values, types, memories,
// pipes, mnemonics), lines were copied or are gone: programs that are nearly legal.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "asm/parse/text/scanner.hpp"
#include "fuzz/program_generator.hpp"
#include "isa/row.hpp"
#include "pto/assembler.hpp"
#include "pto/prepare.hpp"
#include "testing/fuzz_target.hpp"

namespace pto::fuzz {
namespace {

constexpr std::array kNumbers = {"0",
                                 "-1",
                                 "1",
                                 "2",
                                 "3",
                                 "7",
                                 "8",
                                 "15",
                                 "16",
                                 "31",
                                 "32",
                                 "63",
                                 "64",
                                 "65",
                                 "128",
                                 "255",
                                 "256",
                                 "4096",
                                 "65535",
                                 "65536",
                                 "1048576",
                                 "2147483647",
                                 "2147483648",
                                 "4294967295",
                                 "1e308",
                                 "9223372036854775807",
                                 "-9223372036854775808",
                                 "18446744073709551615",
                                 "?",
                                 "0xFFFFFFFFFFFFFFFF",
                                 "-0.0",
                                 "nan"};
constexpr std::array kTypes = {"f16", "f32",      "bf16",   "i8",        "i16",          "i32",
                               "i64", "i1",       "index",  "ui8",       "ui32",         "f64",
                               "si8", "f8E4M3FN", "f8E5M2", "!pto.hif8", "!pto.f4E2M1x2"};
constexpr std::array kPlaces = {"vec",     "mat",       "left",      "right",    "acc", "bias",
                                "scaling", "row_major", "col_major", "none_box", "gm",  "ub",
                                "l1",      "l0a",       "l0b",       "l0c"};
constexpr std::array kPipes = {"PIPE_S",    "PIPE_V",    "PIPE_M",   "PIPE_MTE1",
                               "PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX", "PIPE_ALL"};

enum class Kind : uint8_t { number, value, type, place, pipe, mnemonic, other, blank };

template <typename List>
bool among(const List& list, std::string_view text) {
  return std::ranges::find(list, text) != std::end(list);
}

Kind kind_of(std::string_view token) {
  const char first = token.front();
  if (first == ' ' || first == '\n' || first == '\t' || token.starts_with("//")) return Kind::blank;
  if (first == '%') return Kind::value;
  if (token.starts_with("pto.")) return Kind::mnemonic;
  if (among(kTypes, token)) return Kind::type;
  if (among(kPlaces, token)) return Kind::place;
  if (token.starts_with("PIPE_")) return Kind::pipe;
  const bool digit =
      text::is(first, text::kDigit) || (first == '-' && token.size() > 1 && text::is(token[1], text::kDigit));
  return digit ? Kind::number : Kind::other;
}

/// Extents and element types of `16x16xf32` are tokens of their own.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = at + 1;
    const auto more = [&](auto wanted) {
      while (end < text.size() && wanted(text[end])) ++end;
    };
    const char first = text[at];
    const bool sign = first == '%' || first == '@' || first == '!' || first == '#' || first == '^';
    if (text.substr(at).starts_with("//"))
      more([](char c) { return c != '\n'; });
    else if (first == ' ' || first == '\n')
      more([](char c) { return c == ' ' || c == '\n'; });
    else if (text::is(first, text::kDigit) ||
             (first == '-' && end < text.size() && text::is(text[end], text::kDigit)))
      more([](char c) { return text::is(c, text::kDigit); });
    else if (first == 'x' && at > 0 && text::is(text[at - 1], text::kDigit))
      ;  // between extents
    else if (sign || text::is_word_char(first))
      more([](char c) { return text::is_word_char(c); });
    tokens.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

std::string joined(const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

class Mutator {
 public:
  Mutator(std::string_view text, Choices& choices) : c_(choices), tokens_(tokens_of(text)) {}

  std::string run() {
    constexpr std::array<size_t, 7> kHowOften = {1, 1, 1, 2, 2, 3, 5};
    for (size_t n = kHowOften[c_.below(kHowOften.size())]; n > 0 && !tokens_.empty(); --n) change();
    return joined(tokens_);
  }

 private:
  void change() {
    switch (c_.below(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return replace(Kind::number, [&] { return std::string(kNumbers[c_.below(kNumbers.size())]); });
      case 4:
      case 5:
      case 6:
        return replace(Kind::value, [&] { return tokens_[one_of(Kind::value)]; });
      case 7:
      case 8:
        return types();
      case 9:
        return replace(Kind::place, [&] { return std::string(kPlaces[c_.below(kPlaces.size())]); });
      case 10:
        return replace(Kind::pipe, [&] { return std::string(kPipes[c_.below(kPipes.size())]); });
      case 11:
        return replace(Kind::mnemonic, [&] {
          const auto rows = isa::rows();
          return std::string(rows[c_.below(rows.size())].name);
        });
      case 12:
        return lines();
      case 13:
        return void(tokens_[c_.below(tokens_.size())].clear());
      case 14:
        return std::swap(tokens_[c_.below(tokens_.size())], tokens_[c_.below(tokens_.size())]);
      default: {
        std::string& token = tokens_[c_.below(tokens_.size())];
        token += " " + token;
      }
    }
  }

  /// A token of the kind; npos when there is none.
  size_t one_of(Kind kind) {
    std::vector<size_t> found;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (!tokens_[i].empty() && kind_of(tokens_[i]) == kind) found.push_back(i);
    }
    return found.empty() ? std::string::npos : found[c_.below(found.size())];
  }
  template <typename Make>
  void replace(Kind kind, Make make) {
    const size_t at = one_of(kind);
    if (at != std::string::npos) tokens_[at] = make();
  }
  /// One, or everywhere alike.
  void types() {
    const size_t at = one_of(Kind::type);
    if (at == std::string::npos) return;
    const std::string before = tokens_[at];
    const std::string now = kTypes[c_.below(kTypes.size())];
    if (c_.chance(128))
      std::ranges::replace(tokens_, before, now);
    else
      tokens_[at] = now;
  }
  void lines() {
    std::vector<std::string> all;
    const std::string text = joined(tokens_);
    for (size_t at = 0; at <= text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      all.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    const size_t one = c_.below(all.size());
    const size_t other = c_.below(all.size());
    const auto place = all.begin() + static_cast<std::ptrdiff_t>(one);
    switch (c_.below(3)) {
      case 0:
        all[one] = all[other];
        break;
      case 1:
        all.erase(place);
        break;
      default:
        all.insert(place, std::string(all[other]));
        break;
    }
    std::string built;
    for (const std::string& line : all) built += line + "\n";
    tokens_ = tokens_of(built);
  }

  Choices& c_;
  std::vector<std::string> tokens_;
};

void require(bool law) {
  if (!law) std::abort();
}

/// The static order check looks at flags of a program only, so it reports a source that an instruction has
/// left with other bytes (E0519) when the planned text is read, not before (docs/status.md).
bool is_clobbered_source(const Diagnostic& one) { return one.severity != Severity::error || one.id == E0519; }

/// What the tools make of a program is a program for them.
void require_accepted_again(const std::string& text) {
  const auto first = prepare(text, {.objects = false});
  require(first.ok());
  if (!first->ready) return;
  const auto again = prepare(print(first->program), {.objects = false});
  require(again && (again->ready || std::ranges::all_of(again->diagnostics.all(), is_clobbered_source)));
}

}  // namespace

int mutated_text(const uint8_t* data, size_t size) {
  const size_t head = std::min<size_t>(size, 32);
  Choices choices(data, head);
  const std::string text = Mutator({reinterpret_cast<const char*>(data) + head, size - head}, choices).run();
  require_accepted_again(text);
  parser(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  return pipeline(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

}  // namespace pto::fuzz
