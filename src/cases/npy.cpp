#include "cases/npy.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cstring>

#include "cases/dtype.hpp"

namespace pto::report {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kNpyMaxRank = 32;  // NumPy's own limit

Error bad(std::string what) { return {"not a valid .npy file: " + std::move(what)}; }

/// A cursor over the header's Python dictionary literal.
class Literal {
 public:
  explicit Literal(std::string_view text) : rest_(text) {}

  bool eat(char c) {
    skip();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool word(std::string_view expected) {
    skip();
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  bool string(std::string& out) {
    skip();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return false;
    const size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) return false;
    out = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return true;
  }
  bool number(int64_t& out) {
    skip();
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), out);
    if (problem != std::errc() || out < 0) return false;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return true;
  }
  bool shape(std::vector<int64_t>& out) {
    if (!eat('(')) return false;
    while (!eat(')')) {
      int64_t size = 0;
      if (out.size() == kNpyMaxRank || !number(size)) return false;
      out.push_back(size);
      if (!eat(',')) return eat(')');
    }
    return true;
  }

 private:
  void skip() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front()))) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

bool parse_entry(Literal& literal, NpyHeader& header, unsigned& seen) {
  std::string key;
  if (!literal.string(key) || !literal.eat(':')) return false;
  if (key == "descr") {
    seen |= 1;
    return literal.string(header.descr);
  }
  if (key == "shape") {
    seen |= 2;
    return literal.shape(header.shape);
  }
  if (key != "fortran_order") return false;
  seen |= 4;
  header.fortran_order = literal.word("True");
  return header.fortran_order || literal.word("False");
}

bool parse_dictionary(std::string_view text, NpyHeader& header) {
  Literal literal(text);
  unsigned seen = 0;
  if (!literal.eat('{')) return false;
  while (!literal.eat('}')) {
    if (!parse_entry(literal, header, seen)) return false;
    if (!literal.eat(',')) {
      if (!literal.eat('}')) return false;
      break;
    }
  }
  return seen == 7;
}

uint64_t little_endian(std::span<const std::byte> bytes, size_t at, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i) value |= std::to_integer<uint64_t>(bytes[at + i]) << (8 * i);
  return value;
}

/// Column-major elements to row-major.
std::vector<std::byte> to_row_major(std::span<const std::byte> from, const std::vector<int64_t>& shape,
                                    size_t width) {
  std::vector<std::byte> to(from.size());
  std::vector<size_t> stride(shape.size(), 1), index(shape.size(), 0);
  for (size_t d = 1; d < shape.size(); ++d) stride[d] = stride[d - 1] * static_cast<size_t>(shape[d - 1]);
  size_t source = 0;
  for (size_t i = 0; i * width < to.size(); ++i) {
    std::memcpy(to.data() + i * width, from.data() + source * width, width);
    for (size_t d = shape.size(); d-- > 0;) {
      source += stride[d];
      if (++index[d] < static_cast<size_t>(shape[d])) break;
      source -= stride[d] * index[d];
      index[d] = 0;
    }
  }
  return to;
}

/// What this project writes, then everything it accepts for the format.
std::array<std::string_view, 4> descrs(Elem dtype) {
  switch (dtype) {
    case Elem::f16:
      return {"<f2"};
    case Elem::f32:
      return {"<f4"};
    case Elem::f64:
      return {"<f8"};
    case Elem::i8:
      return {"|i1", "<i1"};
    case Elem::i16:
      return {"<i2"};
    case Elem::i32:
      return {"<i4"};
    case Elem::i64:
      return {"<i8"};
    case Elem::ui8:
      return {"|u1", "<u1"};
    case Elem::ui16:
      return {"<u2"};
    case Elem::ui32:
      return {"<u4"};
    case Elem::ui64:
      return {"<u8"};
    case Elem::i1:
      return {"|b1", "|u1", "|i1", "<b1"};
    case Elem::bf16:
      return {"|V2", "<V2", "<u2", "<i2"};
    default:
      return {"|V1", "<V1", "|u1", "|i1"};
  }
}

}  // namespace

Result<NpyHeader> parse_npy_header(std::span<const std::byte> bytes) {
  if (bytes.size() < 10 || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
    return bad("no magic number");
  const auto major = std::to_integer<unsigned>(bytes[6]);
  if (major < 1 || major > 3) return bad(fmt::format("version {} is not known", major));
  const size_t length_bytes = major == 1 ? 2 : 4;
  if (bytes.size() < 8 + length_bytes) return bad("the header is cut short");
  const uint64_t length = little_endian(bytes, 8, length_bytes);
  if (length > bytes.size() - 8 - length_bytes) return bad("the header is cut short");
  NpyHeader header;
  header.data = 8 + length_bytes + static_cast<size_t>(length);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + 8 + length_bytes,
                              static_cast<size_t>(length));
  if (!parse_dictionary(text, header)) return bad("the header's dictionary does not parse");
  return header;
}

bool npy_matches(std::string_view descr, Elem dtype) {
  for (const std::string_view accepted : descrs(dtype)) {
    if (!accepted.empty() && accepted == descr) return true;
  }
  return false;
}

Elem npy_elem(std::string_view descr) {
  constexpr std::array kByName = {Elem::f16,  Elem::f32, Elem::f64, Elem::i8,   Elem::i16,
                                  Elem::i32,  Elem::i64, Elem::ui8, Elem::ui16, Elem::ui32,
                                  Elem::ui64, Elem::i1,  Elem::bf16};
  for (const Elem elem : kByName) {
    if (npy_matches(descr, elem)) return elem;
  }
  return Elem::none;
}

Result<std::vector<std::byte>> npy_elements(std::span<const std::byte> file, Elem dtype, uint64_t elements) {
  const auto header = parse_npy_header(file);
  if (!header) return header.error();
  if (!npy_matches(header->descr, dtype)) {
    return Error{fmt::format(
        "holds elements of NumPy type '{}', the argument is {}{}", header->descr, dtype_name(dtype),
        header->descr.starts_with('>') ? "; big-endian files are not read, convert it with astype" : "")};
  }
  const auto count = element_count(header->shape);
  if (!count || *count != elements) {
    return Error{
        fmt::format("holds shape {}, the argument has {} elements", show_shape(header->shape), elements)};
  }
  const size_t width = byte_width(dtype);
  const auto data = file.subspan(header->data);
  if (data.size() / width < elements)
    return Error{fmt::format("is cut short: {} bytes of data, {} needed", data.size(), elements * width)};
  if (data.size() != elements * width)
    return Error{fmt::format("has {} bytes after the last element", data.size() - elements * width)};
  if (header->fortran_order && header->shape.size() > 1) return to_row_major(data, header->shape, width);
  return std::vector<std::byte>(data.begin(), data.end());
}

std::string npy_header(Elem dtype, const std::vector<int64_t>& shape) {
  std::string dims;
  for (const int64_t size : shape) dims += fmt::format("{}{}", dims.empty() ? "" : ", ", size);
  if (shape.size() == 1) dims += ',';
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descrs(dtype)[0], dims);
  const size_t before = kMagic.size() + 4;
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

}  // namespace pto::report
