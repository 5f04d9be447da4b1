// One type's spelling -> Type. Grammar: docs/language.md, section "Types".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "asm/lex.hpp"
#include "pto/assembler.hpp"

namespace pto {
namespace {

using text::is;

struct ElemName { std::string_view name; Elem elem; };
constexpr ElemName kElemNames[] = {
    {"i1", Elem::i1},         {"i4", Elem::i4},           {"i8", Elem::i8},          {"i16", Elem::i16},
    {"i32", Elem::i32},       {"i64", Elem::i64},         {"si8", Elem::si8},        {"si16", Elem::si16},
    {"si32", Elem::si32},     {"si64", Elem::si64},       {"ui8", Elem::ui8},        {"ui16", Elem::ui16},
    {"ui32", Elem::ui32},     {"ui64", Elem::ui64},       {"index", Elem::index},    {"f16", Elem::f16},
    {"bf16", Elem::bf16},     {"f32", Elem::f32},         {"f64", Elem::f64},        {"f8E4M3FN", Elem::f8e4m3},
    {"f8E5M2", Elem::f8e5m2}, {"f8E8M0FNU", Elem::f8e8m0}, {"!pto.hif8", Elem::hif8}, {"!pto.hif8x2", Elem::hif8x2},
    {"!pto.f4E1M2x2", Elem::f4e1m2x2}, {"!pto.f4E2M1x2", Elem::f4e2m1x2},
    {"f8E4M3", Elem::f8e4m3},   // the older name; the chip has one format with four exponent bits
};

Elem find_elem(std::string_view name) {
  for (const ElemName& entry : kElemNames) {
    if (entry.name == name) return entry.elem;
  }
  return Elem::none;
}

struct SpaceName { std::string_view name; Space space; };
constexpr SpaceName kSpaceNames[] = {
    {"gm", Space::gm},     {"ub", Space::ub},       {"vec", Space::ub},    {"l1", Space::l1},     {"mat", Space::l1},
    {"l0a", Space::l0a},   {"left", Space::l0a},    {"l0b", Space::l0b},   {"right", Space::l0b}, {"l0c", Space::l0c},
    {"acc", Space::l0c},   {"bt", Space::bt},       {"bias", Space::bt},   {"fb", Space::fb},     {"scaling", Space::fb},
};

Space find_space(std::string_view name) {
  for (const SpaceName& entry : kSpaceNames) {
    if (entry.name == name) return entry.space;
  }
  return Space::none;
}

/// A cursor over the spelling. Every step returns false and states the problem when the text does not fit.
class TypeReader {
 public:
  TypeReader(std::string_view text, Target target, std::string& problem)
      : at_(text.data()), last_(text.data() + text.size()), target_(target), problem_(problem) {}

  bool type(Type& type) {
    skip();
    if (at_ == last_) return fail("a type is missing");
    if (*at_ == '!') return dialect_type(type);
    const std::string_view word = take_word();
    if (word == "vector") return vector_type(type);
    if (word == "memref") return memref_type(type);
    if (word == "none" || word == "tensor" || word == "tuple" || word == "complex") return opaque(type, word);
    const Elem elem = find_elem(word);
    if (elem != Elem::none) {
      type = scalar_type(elem);
      return true;
    }
    if (is_other_scalar(word)) return opaque(type, word);
    return fail(word.empty() ? "this is not a type" : fmt::format("unknown type '{}'", word));
  }

  bool at_end() {
    skip();
    return at_ == last_ || fail(fmt::format("unexpected '{}' after the type", std::string_view(at_, std::min<size_t>(8, rest()))));
  }

 private:
  [[nodiscard]] size_t rest() const { return static_cast<size_t>(last_ - at_); }
  void skip() { at_ = text::skip_trivia(at_, last_); }
  bool fail(std::string message) {
    if (problem_.empty()) problem_ = std::move(message);
    return false;
  }
  bool take(char c) {
    skip();
    if (at_ == last_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool need(char c) { return take(c) || fail(fmt::format("expected '{}' in the type", c)); }
  std::string_view take_word() {
    skip();
    const char* begin = at_;
    while (at_ != last_ && (is(*at_, text::kLetter | text::kDigit) || *at_ == '.')) ++at_;
    return {begin, static_cast<size_t>(at_ - begin)};
  }
  /// iN of a width and floats that no instruction takes: kept as written, so that messages can name them.
  static bool is_other_scalar(std::string_view word) {
    if (word.size() > 1 && word[0] == 'i' && is(word[1], text::kDigit)) return true;
    return word.starts_with("f8E") || word == "tf32" || word == "f80" || word == "f128";
  }
  bool integer(int64_t& value) {
    skip();
    const auto [end, error] = std::from_chars(at_, last_, value);
    if (error == std::errc::result_out_of_range) return fail("the number in the type is too large");
    if (error != std::errc()) return fail("expected a number in the type");
    at_ = end;
    return true;
  }

  bool opaque(Type& type, std::string_view word) {
    type.kind = TypeKind::opaque;
    const char* begin = word.data();
    if (at_ != last_ && *at_ == '<') {
      const char* end = text::scan_angle(at_, last_);
      if (end == nullptr) return fail("the type's '<' is not closed");
      at_ = end;
    }
    type.text.assign(begin, at_);
    return true;
  }

  /// `16x?x` before an element type. Dimensions are sizes; zero is left to the verifier.
  bool dimension(int64_t& size) {
    if (at_ != last_ && *at_ == '?') {
      ++at_;
      size = kDynamic;
      return true;
    }
    return integer(size);
  }
  bool shaped(Type& type) {
    skip();
    while (at_ != last_ && (is(*at_, text::kDigit) || *at_ == '?')) {
      int64_t size = 0;
      if (!dimension(size)) return false;
      if (type.rank == kMaxRank) return fail(fmt::format("more than {} dimensions", kMaxRank));
      type.dims[type.rank++] = size;
      if (at_ == last_ || *at_ != 'x') return fail("expected 'x' and an element type after the dimensions");
      ++at_;
    }
    return element(type);
  }
  bool element(Type& type) {
    skip();
    const char* begin = at_;
    if (at_ != last_ && *at_ == '!') ++at_;
    take_word();
    const std::string_view name(begin, static_cast<size_t>(at_ - begin));
    if (name == "vector" && at_ != last_ && *at_ == '<') return vector_element(type);
    type.elem = find_elem(name);
    if (type.elem != Elem::none) return true;
    if (is_other_scalar(name)) return fail(fmt::format("element type '{}' is not supported yet", name));
    return fail(name.empty() ? "the element type is missing" : fmt::format("unknown element type '{}'", name));
  }
  bool vector_element(Type& type) {
    if (++nesting_ > 2) return fail("vectors of vectors are not supported yet");
    Type vector;
    if (!vector_type(vector)) return false;
    if (vector.rank != 1 || vector.dims[0] < 1 || vector.dims[0] > 255) return fail("a packed element holds 1 to 255 values");
    type.elem = vector.elem;
    type.vec_lanes = static_cast<uint8_t>(vector.dims[0]);
    return true;
  }

  bool vector_type(Type& type) {
    type.kind = TypeKind::vector;
    return need('<') && shaped(type) && need('>');
  }
  bool memref_type(Type& type) {
    type.kind = TypeKind::memref;
    if (!need('<') || !shaped(type)) return false;
    while (take(',')) {
      if (!memref_part(type)) return false;
    }
    return need('>');
  }
  /// A layout (`strided<..>`, kept as written), `#pto.address_space<..>`, or that attribute's number.
  bool memref_part(Type& type) {
    skip();
    const char* begin = at_;
    while (at_ != last_ && *at_ != '<' && *at_ != ',' && *at_ != '>') ++at_;
    const std::string_view head = text::trim({begin, static_cast<size_t>(at_ - begin)});
    if (at_ != last_ && *at_ == '<') {
      const char* open = at_;
      at_ = text::scan_angle(at_, last_);
      if (at_ == nullptr) return fail_at_end("the '<' in the memref is not closed");
      if (head == "#pto.address_space") return address_space(type, text::trim({open + 1, static_cast<size_t>(at_ - open - 2)}));
    } else if (!head.empty() && is(head[0], text::kDigit)) {
      return numbered_space(type, head);
    }
    if (!type.text.empty()) type.text += ", ";
    type.text.append(begin, at_);
    return true;
  }
  bool address_space(Type& type, std::string_view name) {
    if (name == "zero") return true;   // not stated
    type.space = find_space(name);
    return type.space != Space::none || fail(fmt::format("unknown address space '{}'; it is gm, vec, mat, left, right, acc, bias or scaling", name));
  }
  /// The numbers of `#pto.address_space`, as lowered programs write them.
  bool numbered_space(Type& type, std::string_view number) {
    static constexpr Space kSpaces[] = {Space::none, Space::gm, Space::l1, Space::l0a, Space::l0b, Space::l0c, Space::ub, Space::bt, Space::fb};
    if (number.size() != 1 || number[0] > '8') return fail(fmt::format("unknown address space {}; the numbers are 0 to 8", number));
    type.space = kSpaces[number[0] - '0'];
    return true;
  }
  bool fail_at_end(const char* message) {
    at_ = last_;
    return fail(message);
  }

  bool dialect_type(Type& type) {
    const char* begin = at_++;
    const std::string_view word = take_word();
    const std::string_view name = word.starts_with("pto.") ? word.substr(4) : std::string_view{};
    if (name == "ptr") return pointer(type);
    if (name == "tile_buf" || name == "tile") return tile(type, name == "tile");
    if (name == "tensor_view") return view(type, TypeKind::tensor_view);
    if (name == "partition_tensor_view" || name == "tile_view") return view(type, TypeKind::partition_view);
    if (name == "vreg") return view(type, TypeKind::vreg);
    if (name == "local_array") return local_array(type);
    if (name == "mask") return mask(type);
    if (name == "eventid_array") return event_array(type);
    if (const TypeKind kind = plain_kind(name); kind != TypeKind::none) {
      type.kind = kind;
      return true;
    }
    if (const Elem elem = find_elem({begin, static_cast<size_t>(at_ - begin)}); elem != Elem::none) {
      type = scalar_type(elem);
      return true;
    }
    if (word.starts_with("llvm.") || word == "pto.fmatrix_config" || word == "pto.memref")
      return opaque(type, {begin, static_cast<size_t>(at_ - begin)});
    return fail(fmt::format("unknown type '!{}'", word));
  }
  static TypeKind plain_kind(std::string_view name) {
    if (name == "align") return TypeKind::align;
    if (name == "pipe") return TypeKind::pipe;
    if (name == "async_session") return TypeKind::async_session;
    if (name == "async_event") return TypeKind::async_event;
    return TypeKind::none;
  }
  bool view(Type& type, TypeKind kind) {
    type.kind = kind;
    return need('<') && shaped(type) && need('>');
  }
  bool local_array(Type& type) {
    if (!view(type, TypeKind::local_array)) return false;
    if (type.rank == 0) return fail("a local array has at least one dimension");
    for (int i = 0; i < type.rank; ++i) {
      if (type.dims[static_cast<size_t>(i)] <= 0) return fail("the dimensions of a local array are positive numbers");
    }
    return true;
  }
  bool pointer(Type& type) {
    type.kind = TypeKind::ptr;
    type.space = Space::gm;
    if (!need('<') || !element(type)) return false;
    if (take(',')) {
      std::string_view name = take_word();
      if (name.empty() && take('#')) {   // #pto.address_space<ub>
        take_word();
        if (!need('<')) return false;
        name = take_word();
        if (!need('>')) return false;
      }
      type.space = find_space(name);
      if (type.space == Space::none)
        return fail(fmt::format("unknown memory space '{}'; the spaces are gm, ub, l1, l0a, l0b, l0c, bt, fb", name));
    }
    return need('>');
  }
  bool mask(Type& type) {
    type.kind = TypeKind::mask;
    if (!need('<')) return false;
    const std::string_view name = take_word();
    if (name == "b8") type.elem = Elem::i8;
    else if (name == "b16") type.elem = Elem::i16;
    else if (name == "b32") type.elem = Elem::i32;
    else return fail(fmt::format("unknown mask granularity '{}'; it is b8, b16 or b32", name));
    return need('>');
  }
  bool event_array(Type& type) {
    type.kind = TypeKind::eventid_array;
    type.rank = 1;
    return need('<') && integer(type.dims[0]) && need('>');
  }

  // Tiles: `<loc=vec, dtype=f32, rows=..>`, `<vec, 16x64xf32, valid=..>` and `!pto.tile<16x64xf32>`.
  bool tile(Type& type, bool short_name) {
    type.kind = TypeKind::tile_buf;
    type.rank = 2;
    type.fractal = 512;
    type.space = Space::ub;
    type.valid = {-1, -1};
    if (!need('<')) return false;
    skip();
    const char* begin = at_;
    const std::string_view word = take_word();
    skip();
    const bool keyed = at_ != last_ && *at_ == '=';
    const bool shape_first = !word.empty() && is(word[0], text::kDigit);
    if (keyed) {
      at_ = begin;
    } else if (shape_first && !short_name) {
      at_ = begin;
      return memref_like_tile(type);
    } else if (shape_first) {
      at_ = begin;
      if (!tile_shape(type)) return false;
      if (!take(',') || keys_follow()) return tile_tail(type);
      return place(type, take_word()) && tile_tail(type);
    } else if (!place(type, word) || !need(',') || !tile_shape(type)) {
      return false;
    } else {
      return take(',') ? tile_tail(type) : finish_tile(type);
    }
    return tile_tail(type);
  }
  bool keys_follow() {
    const char* begin = at_;
    take_word();
    skip();
    const bool keyed = at_ != last_ && *at_ == '=';
    at_ = begin;
    return keyed;
  }
  /// The old spelling `!pto.tile_buf<32x64xf32, strided<..>, #pto.address_space<vec>>`. Strides are those of the tile that
  /// a window belongs to; the tile itself knows them.
  bool memref_like_tile(Type& type) {
    if (!tile_shape(type)) return false;
    Type parts;
    while (take(',')) {
      if (!memref_part(parts)) return false;
    }
    if (parts.space == Space::none || parts.space == Space::gm) return fail("the tile's #pto.address_space is missing");
    type.space = parts.space;
    return finish_tile(type);
  }
  bool tile_shape(Type& type) {
    Type shape;
    if (!shaped(shape)) return false;
    if (shape.rank != 2) return fail(fmt::format("a tile has two dimensions, not {}", shape.rank));
    type.dims = shape.dims;
    type.elem = shape.elem;
    type.vec_lanes = shape.vec_lanes;
    return true;
  }
  bool place(Type& type, std::string_view name) {
    type.space = find_space(name);
    if (type.space == Space::none || type.space == Space::gm)
      return fail(fmt::format("unknown tile location '{}'; it is vec, mat, left, right, acc, bias or scaling", name));
    return true;
  }
  /// `key=value` pairs up to '>'.
  bool tile_tail(Type& type) {
    if (take('>')) return finish_closed_tile(type);
    do {
      if (!tile_key(type)) return false;
    } while (take(','));
    return finish_tile(type);
  }
  bool finish_tile(Type& type) { return need('>') && finish_closed_tile(type); }
  bool finish_closed_tile(Type& type) {
    if (type.elem == Elem::none) return fail("the tile has no element type");
    for (size_t i = 0; i < 2; ++i) {
      if (type.dims[i] == kDynamic || type.dims[i] <= 0) return fail("a tile's rows and columns are positive numbers");
      if (type.valid[i] == -1) type.valid[i] = given_valid_[i] ? kDynamic : type.dims[i];
    }
    // The left operand's base layout follows the chip, whatever is written: Zz on A2/A3, Nz on A5.
    if (type.space == Space::l0a) type.blayout = target_ == Target::a5 ? BLayout::col_major : BLayout::row_major;
    return true;
  }
  bool tile_key(Type& type) {
    const std::string_view key = take_word();
    if (!need('=')) return false;
    if (given_twice(key)) return fail(fmt::format("the tile key '{}' is given twice", key));
    if (key == "loc") return place(type, take_word());
    if (key == "dtype") return element(type);
    if (key == "rows") return integer(type.dims[0]);
    if (key == "cols") return integer(type.dims[1]);
    if (key == "v_row") return valid(type, 0);
    if (key == "v_col") return valid(type, 1);
    if (key == "valid") return valid(type, 0) && (need('x') && valid(type, 1));
    if (key == "blayout") return blayout(type, take_word());
    if (key == "slayout") return slayout(type, take_word());
    if (key == "fractal") return fractal(type);
    if (key == "pad") return small(type.pad, 3, "pad");
    if (key == "compact") return small(type.compact, 2, "compact");
    return fail(fmt::format("unknown tile key '{}'", key));
  }
  bool given_twice(std::string_view key) {
    static constexpr std::string_view kKeys[] = {"loc", "dtype", "rows", "cols", "v_row", "v_col", "valid", "blayout", "slayout", "fractal", "pad", "compact"};
    const auto index = std::ranges::find(kKeys, key) - std::begin(kKeys);
    const uint32_t bit = 1u << index;
    const bool again = index != std::ssize(kKeys) && (keys_ & bit) != 0;
    keys_ |= bit;
    return again;
  }
  bool valid(Type& type, size_t axis) {
    skip();
    given_valid_[axis] = true;
    return dimension(type.valid[axis]);
  }
  bool blayout(Type& type, std::string_view name) {
    if (name != "row_major" && name != "col_major") return fail(fmt::format("unknown blayout '{}'; it is row_major or col_major", name));
    type.blayout = name == "row_major" ? BLayout::row_major : BLayout::col_major;
    return true;
  }
  bool slayout(Type& type, std::string_view name) {
    if (name == "none_box") type.slayout = SLayout::none_box;
    else if (name == "row_major") type.slayout = SLayout::row_major;
    else if (name == "col_major") type.slayout = SLayout::col_major;
    else return fail(fmt::format("unknown slayout '{}'; it is none_box, row_major or col_major", name));
    return true;
  }
  bool fractal(Type& type) {
    int64_t value = 0;
    if (!integer(value)) return false;
    if (value != 32 && value != 512 && value != 1024) return fail(fmt::format("fractal is 32, 512 or 1024, not {}", value));
    type.fractal = static_cast<uint16_t>(value);
    return true;
  }
  bool small(uint8_t& field, int64_t most, std::string_view key) {
    int64_t value = 0;
    if (!integer(value)) return false;
    if (value < 0 || value > most) return fail(fmt::format("{} is 0 to {}, not {}", key, most, value));
    field = static_cast<uint8_t>(value);
    return true;
  }

  const char* at_;
  const char* last_;
  Target target_;
  std::string& problem_;
  bool given_valid_[2] = {false, false};
  uint32_t keys_ = 0;   ///< of the tile, those read
  int nesting_ = 0;
};

}  // namespace

std::optional<Type> parse_type(std::string_view text, Target target, std::string& problem) {
  problem.clear();
  Type type;
  TypeReader reader(text, target, problem);
  if (!reader.type(type) || !reader.at_end()) return std::nullopt;
  return type;
}

}  // namespace pto
