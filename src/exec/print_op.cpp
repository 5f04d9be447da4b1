// Print instructions of a program. The output has the format of the public library on the device
// (docs/internals/engine.md), but only with the valid elements of a tile: the elements around them
// may be uninitialised.
#include "exec/print_op.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cstdio>

#include "exec/fault_sink.hpp"
#include "exec/integer_ops.hpp"
#include "exec/tile/layout.hpp"
#include "exec/tile/view.hpp"
#include "numeric/float_formats.hpp"

namespace pto::exec {
namespace {

constexpr std::array<PrintFormat, 3> kFormats = {{{8, 4}, {8, 2}, {10, 6}}};
constexpr uint64_t kMaxElements = 1 << 20;

std::string_view layout_of(const Type& type) {
  const bool row_major = type.blayout == BLayout::row_major;
  switch (type.slayout) {
    case SLayout::row_major:
      return row_major ? "Zz" : "Nz";
    case SLayout::col_major:
      return row_major ? "Zn" : "Nn";
    default:
      return row_major ? "ND" : "DN";
  }
}

std::string type_name(Elem elem) {
  const std::string bits = std::to_string(bit_width(elem));
  switch (elem) {
    case Elem::f32:
    case Elem::f16:
      return "float" + bits;
    case Elem::bf16:
      return "bfloat16";
    default:
      break;
  }
  if (is_float(elem)) return std::string(to_string(elem));
  return (is_unsigned(elem) ? "uint" : "int") + bits;
}

std::string show_tile(Context& c, unsigned slot, PrintFormat format) {
  const Tile tile(c, slot, AccessMode::read);
  if (!tile.good()) return {};
  const Type& type = c.type(slot);
  std::string text = fmt::format("=== [TPRINT Tile] Data Type: {}, Layout: {}, Space: {} ===\n",
                                 type_name(type.elem), layout_of(type), to_string(type.space));
  text += fmt::format("  Shape: [{}, {}], Valid Shape: [{}, {}]\n", type.dims[0], type.dims[1], tile.rows(),
                      tile.cols());
  for (uint64_t row = 0; row < tile.rows(); ++row) {
    for (uint64_t col = 0; col < tile.cols(); ++col)
      text += (col == 0 ? "" : " ") + show_element(type.elem, tile.bits(row, col), format);
    text += '\n';
  }
  return text;
}

std::string show_view(Context& c, unsigned slot, PrintFormat format) {
  const ViewDesc& view = c.view(slot);
  const Type& type = c.type(slot);
  const WindowMap map(view);
  const uint64_t rows = map.rows();
  const uint64_t cols = map.cols();
  const uint32_t size = byte_width(type.elem);
  std::string text = fmt::format("=== [TPRINT GlobalTensor] Data Type: {} ===\n  Shape: [{}]\n",
                                 type_name(type.elem), fmt::join(view.shape, ", "));
  if (rows == 0 || cols == 0) return text;
  if (rows > kMaxElements / cols) {
    c.fault(Fault::unsupported, fmt::format("a print of {} x {} elements is too long", rows, cols));
    return {};
  }
  const Window window(c, view, AccessMode::read, rows, cols, size);
  if (!window.good()) return {};
  for (uint64_t row = 0; row < rows; ++row) {
    for (uint64_t col = 0; col < cols; ++col) {
      uint64_t bits = 0;
      std::memcpy(&bits, window.at(row, col), size);
      text += (col == 0 ? "" : " ") + show_element(type.elem, bits, format);
    }
    text += '\n';
  }
  return text;
}

void tprint(Context& c) {
  const auto format = static_cast<size_t>(c.attr(0));
  std::string text = show_operand(c, 0, kFormats[format < kFormats.size() ? format : 0]);
  if (!text.empty()) print(c, std::move(text));
}

// ---- pto.print: the conversions of printf that take one number

struct Conversion {
  size_t begin = 0, end = 0;  ///< of "%..d" in the format
  char kind = 0;
};

/// The first one; kind 0: there is none, or it is not one that takes a number.
Conversion find_conversion(std::string_view format) {
  for (size_t i = 0; i + 1 < format.size(); ++i) {
    if (format[i] != '%') continue;
    if (format[i + 1] == '%') {
      ++i;
      continue;
    }
    Conversion found{i, i + 1, 0};
    while (found.end < format.size() &&
           std::string_view("-+ #0123456789.").find(format[found.end]) != std::string_view::npos)
      ++found.end;
    while (found.end < format.size() &&
           std::string_view("hlzjt").find(format[found.end]) != std::string_view::npos)
      ++found.end;
    if (found.end < format.size() &&
        std::string_view("diuxXofFeEgG").find(format[found.end]) != std::string_view::npos)
      found.kind = format[found.end];
    ++found.end;
    return found;
  }
  return {};
}

std::string plain(std::string_view text) {
  std::string built;
  for (size_t i = 0; i < text.size(); ++i) {
    built += text[i];
    if (text[i] == '%' && i + 1 < text.size() && text[i + 1] == '%') ++i;
  }
  return built;
}

constexpr size_t kMaxFlags = 12;

/// A width or precision of more than two digits.
bool too_wide(std::string_view format) {
  size_t digits = 0;
  for (const char c : format) {
    digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
    if (digits > 2) return true;
  }
  return false;
}

/// `flags` is "%-8.3" of the format, without length and kind; its width and precision are bounded.
std::string converted(std::string_view flags, char kind, const Type& type, Word word) {
  constexpr size_t kMaxText = 512;
  std::array<char, kMaxText> out{};
  const bool wants_float = std::string_view("fFeEgG").find(kind) != std::string_view::npos;
  if (wants_float || is_float(type.elem)) {
    const double value =
        is_float(type.elem) ? num::to_f64(type.elem, word) : static_cast<double>(static_cast<int64_t>(word));
    const std::string format = std::string(flags) + (wants_float ? kind : 'f');
    (void)std::snprintf(out.data(), out.size(), format.c_str(), value);
  } else {
    const std::string format = std::string(flags) + "ll" + kind;
    const bool without_sign = kind != 'd' && kind != 'i';
    const unsigned bits = bit_width(type.elem);
    const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    (void)std::snprintf(out.data(), out.size(), format.c_str(),
                        static_cast<long long>(without_sign ? word & mask : word));
  }
  return out.data();
}

void print_scalar(Context& c) {
  std::string_view format = c.attr_text(0);
  if (format.empty()) format = "%f";
  const Conversion conversion = find_conversion(format);
  if (conversion.end == 0) return print(c, plain(format));
  if (conversion.kind == 0 || conversion.end - conversion.begin > kMaxFlags ||
      too_wide(format.substr(conversion.begin, conversion.end - conversion.begin)))
    return c.fault(Fault::bad_operand, fmt::format("'{}' is not a format of one value", format));
  std::string_view flags = format.substr(conversion.begin, conversion.end - conversion.begin - 1);
  while (!flags.empty() && std::isalpha(static_cast<unsigned char>(flags.back())) != 0)
    flags.remove_suffix(1);
  print(c, plain(format.substr(0, conversion.begin)) +
               converted(flags, conversion.kind, c.type(0), c.word(0)) +
               plain(format.substr(conversion.end)));
}

constexpr Semantics kPrintOpSemantics[] = {{"pto.print", print_scalar}, {"pto.tprint", tprint}};

}  // namespace

std::string show_element(Elem elem, uint64_t bits, PrintFormat format) {
  if (is_float(elem))
    return fmt::format("{:{}.{}f}", num::to_f64(elem, bits), format.width, format.precision);
  const uint64_t word = int_word(elem, bits);
  return is_unsigned(elem) ? fmt::format("{:{}}", word, format.width)
                           : fmt::format("{:{}}", static_cast<int64_t>(word), format.width);
}

std::string show_operand(Context& context, unsigned slot, PrintFormat format) {
  return context.type(slot).is_tile() ? show_tile(context, slot, format) : show_view(context, slot, format);
}

void print(const Context& context, std::string text) {
  if (context.faults != nullptr) context.faults->print(context, std::move(text));
}

std::span<const Semantics> prints() { return kPrintOpSemantics; }

}  // namespace pto::exec
