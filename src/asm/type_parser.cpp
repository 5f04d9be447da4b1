// One type's spelling -> Type. Grammar: docs/language.md, section "Types".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "asm/lex.hpp"
#include "asm/type_names.hpp"
#include "isa/tile_defaults.hpp"
#include "pto/assembler.hpp"

namespace pto {
namespace {

using text::find_elem;
using text::find_space;
using text::is;
using text::TypeProblem;

/// A cursor over the spelling. Every step returns false and states the problem when the text does not fit.
class TypeReader {
 public:
  TypeReader(std::string_view text, Target target, TypeProblem& problem)
      : begin_(text.data()), at_(begin_), last_(begin_ + text.size()), target_(target), problem_(problem) {}

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
    if (word.empty()) return fail("this is not a type");
    return fail(fmt::format("unknown type '{}'", word), word, text::elem_help(word));
  }

  bool at_end() {
    skip();
    return at_ == last_ || fail(fmt::format("unexpected '{}' after the type",
                                            std::string_view(at_, std::min<size_t>(8, rest()))));
  }

 private:
  [[nodiscard]] size_t rest() const { return static_cast<size_t>(last_ - at_); }
  void skip() { at_ = text::skip_trivia(at_, last_); }
  /// The first problem counts. `where` is a part of the text; without one it is the next byte.
  bool fail(std::string message, std::string_view where = {}, text::Hint hint = {},
            std::string_view id = "E0107") {
    if (!problem_.message.empty()) return false;
    if (where.empty()) where = {at_, at_ == last_ ? 0u : 1u};
    problem_.id = id;
    problem_.message = std::move(message);
    problem_.hint = std::move(hint);
    problem_.begin = static_cast<uint32_t>(where.data() - begin_);
    problem_.end = problem_.begin + static_cast<uint32_t>(where.size());
    return false;
  }
  /// Known, but not implemented.
  bool fail_unsupported(std::string message, std::string_view where = {}) {
    problem_.unsupported = problem_.unsupported || problem_.message.empty();
    return fail(std::move(message), where);
  }
  [[nodiscard]] std::string_view since(const char* begin) const {
    return {begin, static_cast<size_t>(at_ - begin)};
  }
  bool take(char c) {
    skip();
    if (at_ == last_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool need(char c) {
    if (take(c)) return true;
    return at_ == last_ ? fail(fmt::format("the type ends where '{}' is expected", c))
                        : fail(fmt::format("expected '{}' in the type, not '{}'", c, *at_));
  }
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
    if (is_other_scalar(name))
      return fail_unsupported(fmt::format("element type '{}' is not supported yet", name), name);
    if (name.empty()) return fail("the element type is missing");
    return fail(fmt::format("unknown element type '{}'", name), name, text::elem_help(name));
  }
  bool vector_element(Type& type) {
    if (++nesting_ > 2) return fail_unsupported("vectors of vectors are not supported yet");
    Type vector;
    if (!vector_type(vector)) return false;
    if (vector.rank != 1 || vector.dims[0] < 1 || vector.dims[0] > 255)
      return fail("a packed element holds 1 to 255 values");
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
      if (head == "#pto.address_space")
        return address_space(type, text::trim({open + 1, static_cast<size_t>(at_ - open - 2)}));
    } else if (!head.empty() && is(head[0], text::kDigit)) {
      return numbered_space(type, head);
    }
    if (!type.text.empty()) type.text += ", ";
    type.text.append(begin, at_);
    return true;
  }
  bool address_space(Type& type, std::string_view name) {
    if (name == "zero") return true;  // not stated
    type.space = find_space(name);
    return type.space != Space::none ||
           fail(fmt::format(
               "unknown address space '{}'; it is gm, vec, mat, left, right, acc, bias or scaling", name));
  }
  /// The numbers of `#pto.address_space`, as lowered programs write them.
  bool numbered_space(Type& type, std::string_view number) {
    static constexpr Space kSpaces[] = {Space::none, Space::gm, Space::l1, Space::l0a, Space::l0b,
                                        Space::l0c,  Space::ub, Space::bt, Space::fb};
    if (number.size() != 1 || number[0] > '8')
      return fail(fmt::format("unknown address space {}; the numbers are 0 to 8", number));
    type.space = kSpaces[number[0] - '0'];
    return true;
  }
  bool fail_at_end(const char* message) {
    at_ = last_;
    return fail(message);
  }

  static constexpr std::string_view kOwn = "pto.", kLlvm = "llvm.";  ///< dialects of types
  bool dialect_type(Type& type) {
    const char* begin = at_++;
    const std::string_view word = take_word();
    const std::string_view name = word.starts_with(kOwn) ? word.substr(kOwn.size()) : std::string_view{};
    if (name == "ptr") return pointer(type);
    if (name == "tile_buf" || name == "tile") return tile(type, name == "tile");
    if (name == "tensor_view") return view(type, TypeKind::tensor_view);
    if (name == "partition_tensor_view" || name == "tile_view") return view(type, TypeKind::partition_view);
    if (name == "vreg") return vreg(type);
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
    if (word.starts_with(kLlvm) || word == "pto.fmatrix_config" || word == "pto.memref")
      return opaque(type, {begin, static_cast<size_t>(at_ - begin)});
    return fail(fmt::format("unknown type '!{}'", word), since(begin), text::type_help(since(begin)));
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
      if (type.dims[static_cast<size_t>(i)] <= 0)
        return fail("the dimensions of a local array are positive numbers");
    }
    return true;
  }
  /// A register has 2048 bits.
  bool vreg(Type& type) {
    type.kind = TypeKind::vreg;
    if (!need('<')) return false;
    skip();
    const char* begin = at_;
    if (!shaped(type)) return false;
    const bool lanes = type.elem != Elem::index && type.elem != Elem::i1 &&
                       type.vec_lanes == 0;  // the verifier speaks of others
    const int64_t bits = lanes ? bit_width(type.elem) : 0;
    if (type.rank != 1)
      return fail("a vector register has one dimension", since(begin), "as in !pto.vreg<64xf32>");
    if (bits > 0 && type.dims[0] != 2048 / bits)
      return fail(fmt::format("!pto.vreg<{}> does not hold 2048 bits", since(begin)), since(begin),
                  fmt::format("a register has {} lanes of {}", 2048 / bits,
                              since(begin).substr(since(begin).find('x') + 1)),
                  "E0415");
    return need('>');
  }
  bool pointer(Type& type) {
    type.kind = TypeKind::ptr;
    type.space = Space::gm;
    if (!need('<') || !element(type)) return false;
    if (take(',')) {
      std::string_view name = take_word();
      if (name.empty() && take('#')) {  // #pto.address_space<ub>
        take_word();
        if (!need('<')) return false;
        name = take_word();
        if (!need('>')) return false;
      }
      type.space = find_space(name);
      if (type.space == Space::none)
        return fail(
            fmt::format("unknown memory space '{}'; the spaces are gm, ub, l1, l0a, l0b, l0c, bt, fb", name),
            name, text::space_help(name));
    }
    return need('>');
  }
  bool mask(Type& type) {
    type.kind = TypeKind::mask;
    if (!need('<')) return false;
    const std::string_view name = take_word();
    if (name == "b8")
      type.elem = Elem::i8;
    else if (name == "b16")
      type.elem = Elem::i16;
    else if (name == "b32")
      type.elem = Elem::i32;
    else
      return fail(fmt::format("unknown mask granularity '{}'; it is b8, b16 or b32", name), name,
                  text::suggest(name, {"b8", "b16", "b32"}, "granularities"));
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
    type.space = Space::ub;
    type.fractal = default_fractal(type.space);
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
  /// The old spelling `!pto.tile_buf<32x64xf32, strided<..>, #pto.address_space<vec>>`. Strides are those of
  /// the tile that a window belongs to; the tile itself knows them.
  bool memref_like_tile(Type& type) {
    if (!tile_shape(type)) return false;
    Type parts;
    while (take(',')) {
      if (!memref_part(parts)) return false;
    }
    if (parts.space == Space::none || parts.space == Space::gm)
      return fail("the tile's #pto.address_space is missing");
    type.space = parts.space;
    return finish_tile(type);
  }
  bool tile_shape(Type& type) {
    Type shape;
    skip();
    const char* begin = at_;
    if (!shaped(shape)) return false;
    if (shape.rank != 2)
      return fail(fmt::format("a tile has two dimensions, not {}", shape.rank), since(begin),
                  "as in 16x64xf32");
    extent_[0] = extent_[1] = since(begin);
    type.dims = shape.dims;
    type.elem = shape.elem;
    type.vec_lanes = shape.vec_lanes;
    return true;
  }
  bool place(Type& type, std::string_view name) {
    type.space = text::find_tile_location(name);
    if (type.space != Space::none) return true;
    return fail(
        fmt::format("unknown tile location '{}'; it is vec, mat, left, right, acc, bias or scaling", name),
        name, text::tile_location_help(name));
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
    // A missing key is marked at the end, where it would stand.
    const std::string_view end(at_ - 1, 1);
    if (type.elem == Elem::none)
      return fail("the tile type lacks 'dtype'", end, "every tile has loc, dtype, rows and cols");
    for (size_t i = 0; i < 2; ++i) {
      const std::string_view name = i == 0 ? "rows" : "cols", written = extent_[i].empty() ? end : extent_[i];
      if (type.dims[i] == 0 && extent_[i].empty())
        return fail(fmt::format("the tile type lacks '{}'", name), end,
                    "every tile has loc, dtype, rows and cols");
      if (type.dims[i] == kDynamic)
        return fail(fmt::format("the {} of a tile are a number", name), written,
                    "write the largest size, and v_row or v_col = ? for what is used of it");
      if (type.dims[i] <= 0)
        return fail(fmt::format("a tile's {} are a positive number, not {}", name, type.dims[i]), written);
      if (type.valid[i] == -1) type.valid[i] = given_valid_[i].empty() ? type.dims[i] : kDynamic;
      if (type.valid[i] > type.dims[i])
        return fail(fmt::format("{} valid {} in a tile of {} {}", type.valid[i], i == 0 ? "rows" : "columns",
                                type.dims[i], name),
                    given_valid_[i], "the valid region lies inside the tile", "E0382");
    }
    if (std::find(keys_.begin(), keys_.end(), "fractal") == keys_.end())
      type.fractal = default_fractal(type.space);
    // The left operand's base layout follows the chip, whatever is written: Zz on A2/A3, Nz on A5.
    if (type.space == Space::l0a)
      type.blayout = target_ == Target::a5 ? BLayout::col_major : BLayout::row_major;
    return true;
  }
  bool tile_key(Type& type) {
    const std::string_view key = take_word();
    if (key.empty()) return fail("expected a key of the tile type", {}, text::tile_key_help(key));
    const auto unknown = [&] {
      return fail(fmt::format("unknown tile key '{}'", key), key, text::tile_key_help(key));
    };
    skip();
    if (at_ == last_ || *at_ != '=') return is_tile_key(key) ? need('=') : unknown();
    ++at_;
    if (std::find(keys_.begin(), keys_.end(), key) != keys_.end())
      return fail(fmt::format("tile key '{}' is given twice", key), key);
    keys_.push_back(key);
    if (key == "loc") return place(type, take_word());
    if (key == "dtype") return element(type);
    if (key == "rows") return extent(type, 0);
    if (key == "cols") return extent(type, 1);
    if (key == "v_row") return valid(type, 0);
    if (key == "v_col") return valid(type, 1);
    if (key == "valid") return valid(type, 0) && (need('x') && valid(type, 1));
    if (key == "blayout") return blayout(type, take_word());
    if (key == "slayout") return slayout(type, take_word());
    if (key == "fractal") return fractal(type);
    if (key == "pad") return small(type.pad, 3, "pad");
    if (key == "compact") return small(type.compact, 2, "compact");
    return unknown();
  }
  static bool is_tile_key(std::string_view key) {
    static constexpr std::string_view kKeys[] = {"loc",     "dtype",   "rows",  "cols",
                                                 "v_row",   "v_col",   "valid", "blayout",
                                                 "slayout", "fractal", "pad",   "compact"};
    return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
  }
  bool extent(Type& type, size_t axis) {
    skip();
    const char* begin = at_;
    if (!dimension(type.dims[axis])) return false;
    extent_[axis] = since(begin);
    return true;
  }
  bool valid(Type& type, size_t axis) {
    skip();
    const char* begin = at_;
    if (!dimension(type.valid[axis])) return false;
    given_valid_[axis] = since(begin);
    return true;
  }
  bool blayout(Type& type, std::string_view name) {
    if (name != "row_major" && name != "col_major")
      return fail(fmt::format("unknown blayout '{}'; it is row_major or col_major", name), name,
                  text::suggest(name, {"row_major", "col_major"}, "values"));
    type.blayout = name == "row_major" ? BLayout::row_major : BLayout::col_major;
    return true;
  }
  bool slayout(Type& type, std::string_view name) {
    if (name == "none_box")
      type.slayout = SLayout::none_box;
    else if (name == "row_major")
      type.slayout = SLayout::row_major;
    else if (name == "col_major")
      type.slayout = SLayout::col_major;
    else
      return fail(fmt::format("unknown slayout '{}'; it is none_box, row_major or col_major", name), name,
                  text::suggest(name, {"none_box", "row_major", "col_major"}, "values"));
    return true;
  }
  bool fractal(Type& type) {
    int64_t value = 0;
    skip();
    const char* begin = at_;
    if (!integer(value)) return false;
    if (value != 32 && value != 512 && value != 1024)
      return fail(fmt::format("fractal is 32, 512 or 1024, not {}", value), since(begin));
    type.fractal = static_cast<uint16_t>(value);
    return true;
  }
  bool small(uint8_t& field, int64_t most, std::string_view key) {
    int64_t value = 0;
    skip();
    const char* begin = at_;
    if (!integer(value)) return false;
    if (value < 0 || value > most)
      return fail(fmt::format("{} is 0 to {}, not {}", key, most, value), since(begin));
    field = static_cast<uint8_t>(value);
    return true;
  }

  const char* begin_;
  const char* at_;
  const char* last_;
  Target target_;
  TypeProblem& problem_;
  std::string_view given_valid_[2], extent_[2];  ///< of a tile: as written
  std::vector<std::string_view> keys_;
  int nesting_ = 0;
};

}  // namespace

namespace text {

std::optional<Type> read_type(std::string_view text, Target target, TypeProblem& problem) {
  Type type;
  TypeReader reader(text, target, problem);
  if (!reader.type(type) || !reader.at_end()) return std::nullopt;
  return type;
}

}  // namespace text

std::optional<Type> parse_type(std::string_view text, Target target, std::string& problem) {
  text::TypeProblem found;
  std::optional<Type> type = text::read_type(text, target, found);
  problem = std::move(found.message);
  return type;
}

}  // namespace pto
