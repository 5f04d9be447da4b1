// Characters, white space, comments and balanced brackets. The grammar and the type parser use it
// below the level of tokens.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace pto::text {

/// kInner: begins neither a statement nor a region.
enum CharClass : uint8_t {
  kSpace = 1,
  kDigit = 2,
  kLetter = 4,
  kHex = 8,
  kNamePart = 16,
  kAnglePart = 32,
  kInner = 64,
};

inline constexpr std::array<uint8_t, 256> kCharClass = [] {
  std::array<uint8_t, 256> table{};
  for (const char c : {' ', '\t', '\n', '\r'}) table[static_cast<uint8_t>(c)] = kSpace;
  for (char c = '0'; c <= '9'; ++c) table[static_cast<uint8_t>(c)] = kDigit | kHex;
  for (char c = 'a'; c <= 'z'; ++c) table[static_cast<uint8_t>(c)] = kLetter;
  for (char c = 'A'; c <= 'Z'; ++c) table[static_cast<uint8_t>(c)] = kLetter;
  for (char c = 'a'; c <= 'f'; ++c) table[static_cast<uint8_t>(c)] |= kHex;
  for (char c = 'A'; c <= 'F'; ++c) table[static_cast<uint8_t>(c)] |= kHex;
  table[static_cast<uint8_t>('_')] = kLetter;
  for (uint8_t& classes : table) classes |= (classes & (kLetter | kDigit)) != 0 ? kNamePart : 0;
  for (const char c : {',', ':', '-', '=', '<', '>', '[', '?', '*', '@'})
    table[static_cast<uint8_t>(c)] |= kInner;
  for (char c = '0'; c <= '9'; ++c) table[static_cast<uint8_t>(c)] |= kInner;
  for (const char c : {'.', '$'}) table[static_cast<uint8_t>(c)] |= kNamePart;
  for (uint8_t& classes : table) classes |= kAnglePart;
  for (const char c : {'<', '>', '"', '{', '}', '%', ';'})
    table[static_cast<uint8_t>(c)] &= static_cast<uint8_t>(~kAnglePart);
  return table;
}();

inline bool is(char c, unsigned classes) { return (kCharClass[static_cast<uint8_t>(c)] & classes) != 0; }
/// Letters, digits, '_' and the dots of `pto.mad_acc`.
inline bool is_word_char(char c) { return is(c, kNamePart); }

/// Whether a '#' begins a comment line (`# ..`) and not an attribute (`#pto.pipe<..>`).
inline bool is_hash_comment(const char* at, const char* last) {
  return *at == '#' && (at + 1 == last || is(at[1], kSpace) || at[1] == '#');
}

/// First byte that is neither white space nor part of a comment.
inline const char* skip_trivia(const char* at, const char* last) {
  while (true) {
    while (at != last && is(*at, kSpace)) ++at;
    if (at == last || (*at != '/' && *at != '#')) return at;
    const bool slashes = *at == '/' && last - at > 1 && at[1] == '/';
    if (!slashes && !is_hash_comment(at, last)) return at;
    const void* newline = std::memchr(at, '\n', static_cast<size_t>(last - at));
    if (newline == nullptr) return last;
    at = static_cast<const char*>(newline) + 1;
  }
}

/// End of a word that starts at `at` (a letter), or `at` if there is none. A final dot is not part
/// of the word.
inline const char* scan_word(const char* at, const char* last) {
  if (at == last || !is(*at, kLetter)) return at;
  const char* end = at + 1;
  while (end != last && is_word_char(*end)) ++end;
  while (end[-1] == '.') --end;
  return end;
}

/// End of the name behind '%', '@' or '^': letters, digits, `$._-`; a '-' that begins an arrow does not
/// belong to it.
inline const char* scan_name(const char* at, const char* last) {
  while (at != last && (is_word_char(*at) || (*at == '-' && last - at > 1 && at[1] != '>'))) ++at;
  return at;
}

/// End of the quoted string at `at`, or nullptr when its line ends first.
inline const char* scan_string(const char* at, const char* last) {
  for (++at; at != last && *at != '\n'; ++at) {
    if (*at == '"') return at + 1;
    if (*at == '\\' && last - at > 1) ++at;
  }
  return nullptr;
}

/// End of the `<...>` at `at` with nested pairs, strings and arrows inside, or nullptr when it is not closed.
/// `stop` is how far it looked then.
inline const char* scan_angle(const char* at, const char* last, const char** stop = nullptr) {
  const auto open = [&] {
    if (stop != nullptr) *stop = at == nullptr ? last : at;
    return nullptr;
  };
  size_t depth = 0;
  while (true) {
    while (at != last && is(*at, kAnglePart)) ++at;
    if (at == last) return open();
    switch (*at) {
      case '<':
        ++depth;
        break;
      case '>':
        if (at[-1] != '-' && --depth == 0) return at + 1;
        break;
      case '"':
        at = scan_string(at, last);
        if (at == nullptr) return open();
        continue;
      default:
        return open();  // { } % ;
    }
    ++at;
  }
}

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && is(text.front(), kSpace)) text.remove_prefix(1);
  while (!text.empty() && is(text.back(), kSpace)) text.remove_suffix(1);
  return text;
}

}  // namespace pto::text
