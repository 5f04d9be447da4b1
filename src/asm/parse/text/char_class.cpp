#include "asm/parse/text/char_class.hpp"

#include <fmt/format.h>

#include <array>

namespace pto::text {
namespace {

struct Lookalike {
  char32_t code;
  std::string_view name, meant;
};
/// What editors, documents and input methods put in place of ASCII.
constexpr Lookalike kLookalikes[] = {
    {0x00a0, "NO-BREAK SPACE", " "},
    {0x00ad, "SOFT HYPHEN", "-"},
    {0x00d7, "MULTIPLICATION SIGN", "x"},
    {0x037e, "GREEK QUESTION MARK", ";"},
    {0x2009, "THIN SPACE", " "},
    {0x200b, "ZERO WIDTH SPACE", ""},
    {0x200c, "ZERO WIDTH NON-JOINER", ""},
    {0x200d, "ZERO WIDTH JOINER", ""},
    {0x2010, "HYPHEN", "-"},
    {0x2011, "NON-BREAKING HYPHEN", "-"},
    {0x2012, "FIGURE DASH", "-"},
    {0x2013, "EN DASH", "-"},
    {0x2014, "EM DASH", "-"},
    {0x2018, "LEFT SINGLE QUOTATION MARK", "\""},
    {0x2019, "RIGHT SINGLE QUOTATION MARK", "\""},
    {0x201c, "LEFT DOUBLE QUOTATION MARK", "\""},
    {0x201d, "RIGHT DOUBLE QUOTATION MARK", "\""},
    {0x2026, "HORIZONTAL ELLIPSIS", "..."},
    {0x202f, "NARROW NO-BREAK SPACE", " "},
    {0x2190, "LEFTWARDS ARROW", ""},
    {0x2192, "RIGHTWARDS ARROW", "->"},
    {0x2212, "MINUS SIGN", "-"},
    {0x2264, "LESS-THAN OR EQUAL TO", ""},
    {0x3000, "IDEOGRAPHIC SPACE", " "},
    {0x3001, "IDEOGRAPHIC COMMA", ","},
    {0x3002, "IDEOGRAPHIC FULL STOP", "."},
    {0x3008, "LEFT ANGLE BRACKET", "<"},
    {0x3009, "RIGHT ANGLE BRACKET", ">"},
    {0x300a, "LEFT DOUBLE ANGLE BRACKET", "<"},
    {0x300b, "RIGHT DOUBLE ANGLE BRACKET", ">"},
    {0x3010, "LEFT BLACK LENTICULAR BRACKET", "["},
    {0x3011, "RIGHT BLACK LENTICULAR BRACKET", "]"},
    {0xfeff, "BYTE ORDER MARK", ""},
};

/// Full-width forms U+FF01 .. U+FF5E are the ASCII characters ! .. ~.
constexpr std::string_view kAsciiNames[] = {
    "EXCLAMATION MARK", "QUOTATION MARK", "NUMBER SIGN",      "DOLLAR SIGN",       "PERCENT SIGN",
    "AMPERSAND",        "APOSTROPHE",     "LEFT PARENTHESIS", "RIGHT PARENTHESIS", "ASTERISK",
    "PLUS SIGN",        "COMMA",          "HYPHEN-MINUS",     "FULL STOP",         "SOLIDUS"};

std::string fullwidth_name(char ascii) {
  if (ascii >= '!' && ascii <= '/') return std::string(kAsciiNames[static_cast<size_t>(ascii - '!')]);
  if (ascii >= '0' && ascii <= '9') return fmt::format("DIGIT {}", ascii);
  if (ascii >= 'A' && ascii <= 'Z') return fmt::format("LATIN CAPITAL LETTER {}", ascii);
  if (ascii >= 'a' && ascii <= 'z')
    return fmt::format("LATIN SMALL LETTER {}", static_cast<char>(ascii - 32));
  switch (ascii) {
    case ':':
      return "COLON";
    case ';':
      return "SEMICOLON";
    case '<':
      return "LESS-THAN SIGN";
    case '=':
      return "EQUALS SIGN";
    case '>':
      return "GREATER-THAN SIGN";
    case '?':
      return "QUESTION MARK";
    case '@':
      return "COMMERCIAL AT";
    case '[':
      return "LEFT SQUARE BRACKET";
    case ']':
      return "RIGHT SQUARE BRACKET";
    case '{':
      return "LEFT CURLY BRACKET";
    case '}':
      return "RIGHT CURLY BRACKET";
    default:
      return "FORM";
  }
}

/// The code point at the begin of `text` and its length; length 0 when it is not UTF-8.
std::pair<char32_t, unsigned> decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const unsigned length = lead < 0x80       ? 1
                          : lead >> 5 == 6  ? 2
                          : lead >> 4 == 14 ? 3
                          : lead >> 3 == 30 ? 4
                                            : 0;
  if (length == 0 || length > text.size()) return {0, 0};
  char32_t code = length == 1 ? lead : lead & (0xffu >> (length + 1));
  for (unsigned i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return {0, 0};
    code = (code << 6) | (byte & 0x3f);
  }
  return {code, length};
}

/// All ASCII characters, so that a suggestion can be a view of one.
constexpr std::array<char, 128> kAscii = [] {
  std::array<char, 128> table{};
  for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<char>(i);
  return table;
}();

}  // namespace

Character describe_character(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte >= 0x21 && byte < 0x7f) return {fmt::format("'{}'", text[0]), {}, 1};
  const auto [code, length] = decode(text);
  if (length < 2) return {fmt::format("byte 0x{:02x}", byte), {}, 1};
  if (code >= 0xff01 && code <= 0xff5e) {
    const auto ascii = static_cast<char>(code - 0xff01 + '!');
    return {fmt::format("U+{:04X} FULLWIDTH {}", static_cast<uint32_t>(code), fullwidth_name(ascii)),
            {&kAscii[static_cast<size_t>(ascii)], 1},
            length};
  }
  for (const Lookalike& item : kLookalikes) {
    if (item.code == code)
      return {fmt::format("U+{:04X} {}", static_cast<uint32_t>(code), item.name), item.meant, length};
  }
  return {fmt::format("'{}' (U+{:04X})", text.substr(0, length), static_cast<uint32_t>(code)), {}, length};
}

NotText not_text(std::string_view source) {
  const std::string_view head = source.substr(0, 512);
  if (head.starts_with("\x8fPTO"))
    return {"this is an assembled object, not program text", "pto-dis prints it as text, pto-sim runs it"};
  if (head.starts_with("\x7f"
                       "ELF"))
    return {"this is an ELF file, not program text", "give the .pto file"};
  if (head.starts_with("ML\xefR"))
    return {"this is MLIR bytecode, not program text", "write it as text (mlir-opt prints text by default)"};
  if (head.starts_with("BC\xc0\xde")) return {"this is LLVM bitcode, not program text", "give the .pto file"};
  if (head.starts_with("PK\x03\x04") || head.starts_with("\x1f\x8b"))
    return {"this is a compressed archive, not program text", "unpack it first"};
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff"))
    return {"this is UTF-16, not UTF-8", "store the file as UTF-8"};
  size_t control = 0;
  for (const char c : head) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) return {"this is not a text file: it has zero bytes", "give the .pto file"};
    control += byte < 0x20 && c != '\n' && c != '\t' && c != '\r' && c != '\f' ? 1 : 0;
  }
  if (control * 10 > head.size())
    return {"this is not a text file: it is full of control characters", "give the .pto file"};
  return {};
}

}  // namespace pto::text
