// The spellings of tile types: `<loc=vec, dtype=f32, rows=..>`, `<vec, 16x64xf32, valid=..>` and
// `!pto.tile<16x64xf32>`.
#pragma once

#include <vector>

#include "asm/parse/types/type_cursor.hpp"
#include "isa/tile_defaults.hpp"

namespace pto::text {

class TileTypeReader : public TypeCursor {
 public:
  using TypeCursor::TypeCursor;

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
    const bool shape_first = !word.empty() && is(word[0], kDigit);
    if (keyed) {
      at_ = begin;
    } else if (shape_first && !short_name) {
      at_ = begin;
      return memref_like_tile(type);
    } else if (shape_first) {
      at_ = begin;
      if (!tile_shape(type)) return false;
      if (!take_token(',') || keys_follow()) return tile_tail(type);
      return place(type, take_word()) && tile_tail(type);
    } else if (!place(type, word) || !need(',') || !tile_shape(type)) {
      return false;
    } else {
      return take_token(',') ? tile_tail(type) : finish_tile(type);
    }
    return tile_tail(type);
  }

 private:
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
    while (take_token(',')) {
      if (old_key(type, parts)) continue;
      if (!problem_.message.empty() || !memref_part(parts)) return false;
    }
    if (parts.space == Space::none || parts.space == Space::gm)
      return fail("the tile's #pto.address_space is missing");
    type.space = parts.space;
    return finish_tile(type);
  }
  /// `memory_space = #pto.address_space<vec>` and `config = #pto.tile_buf_config<..>` of the first texts.
  bool old_key(Type& type, Type& parts) {
    const char* begin = at_;
    const std::string_view key = take_word();
    if (!take_token('=') || (key != "memory_space" && key != "config")) {
      at_ = begin;
      return false;
    }
    problem_.old = key;
    problem_.now = "the tile as <vec, 32x32xf32, blayout=.., slayout=..>";
    if (key == "memory_space") return memref_part(parts);
    skip();
    const char* open = std::find(at_, last_, '<');
    const char* end = open == last_ ? nullptr : scan_angle(open, last_);
    if (end == nullptr || std::string_view(at_, static_cast<size_t>(open - at_)) != "#pto.tile_buf_config")
      return fail("expected #pto.tile_buf_config<..> behind 'config ='");
    at_ = open + 1;
    while (at_ < end - 1) {
      if (!config_entry(type)) return false;
      take_token(',');
    }
    at_ = end;
    return true;
  }
  /// `blayout=1 : i32`: layouts by their numbers.
  bool config_entry(Type& type) {
    const std::string_view key = take_word();
    int64_t value = 0;
    skip();
    const char* begin = at_ == last_ ? at_ : at_ + 1;
    if (!need('=') || !integer(value)) return false;
    if (take_token(':')) take_word();
    if (key == "blayout" && value >= 0 && value <= 1) {
      type.blayout = value == 0 ? BLayout::row_major : BLayout::col_major;
    } else if (key == "slayout" && value >= 0 && value <= 2) {
      type.slayout = value == 0 ? SLayout::none_box : value == 1 ? SLayout::row_major : SLayout::col_major;
    } else if (key == "s_fractal_size" && value > 0 && value <= 0xffff) {
      type.fractal = static_cast<decltype(type.fractal)>(value);
      keys_.push_back("fractal");
    } else if (key == "pad" && value >= 0 && value <= 3) {
      type.pad = static_cast<decltype(type.pad)>(value);
    } else {
      return fail(fmt::format("'{}' of #pto.tile_buf_config is not {}", key, value), since(begin));
    }
    return true;
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
    type.space = find_tile_location(name);
    if (type.space == Space::none && name == "ub") {  // before March 2026
      type.space = Space::ub;
      problem_.old = "loc=ub";
      problem_.now = "loc=vec";
    }
    if (type.space != Space::none) return true;
    return fail(
        fmt::format("unknown tile location '{}'; it is vec, mat, left, right, acc, bias or scaling", name),
        name, tile_location_help(name));
  }
  /// `key=value` pairs up to '>'.
  bool tile_tail(Type& type) {
    if (take_token('>')) return finish_closed_tile(type);
    do {
      if (!tile_key(type)) return false;
    } while (take_token(','));
    return finish_tile(type);
  }
  bool finish_tile(Type& type) { return need('>') && finish_closed_tile(type); }
  bool finish_closed_tile(Type& type) {
    // A missing key is reported at the end of the type.
    const std::string_view end(at_ - 1, 1);
    if (type.elem == Elem::none)
      return fail("the tile type lacks 'dtype'", end, "every tile has loc, dtype, rows and cols");
    for (size_t i = 0; i < 2; ++i) {
      const std::string_view name = i == 0 ? "rows" : "cols";
      const std::string_view written = extent_[i].empty() ? end : extent_[i];
      if (type.dims[i] == 0 && extent_[i].empty())
        return fail(fmt::format("the tile type lacks '{}'", name), end,
                    "every tile has loc, dtype, rows and cols");
      if (type.dims[i] == kDynamic)
        return fail(fmt::format("the {} of a tile are an integer", name), written,
                    "write the largest size, and v_row or v_col = ? for the used part");
      if (type.dims[i] <= 0)
        return fail(fmt::format("a tile's {} are a positive integer, not {}", name, type.dims[i]), written);
      if (type.valid[i] == -1) type.valid[i] = given_valid_[i].empty() ? type.dims[i] : kDynamic;
      if (type.valid[i] > type.dims[i])
        return fail(fmt::format("{} valid {} in a tile of {} {}", type.valid[i], i == 0 ? "rows" : "columns",
                                type.dims[i], name),
                    given_valid_[i], "the valid region lies inside the tile", E0382);
    }
    if (std::find(keys_.begin(), keys_.end(), "fractal") == keys_.end())
      type.fractal = default_fractal(type.space);
    // The base layout of the left operand follows the chip, independent of the text: Zz on A2/A3,
    // Nz on A5.
    if (type.space == Space::l0a)
      type.blayout = target_ == Target::a5 ? BLayout::col_major : BLayout::row_major;
    return true;
  }
  bool tile_key(Type& type) {
    const std::string_view key = take_word();
    if (key.empty()) return fail("expected a key of the tile type", {}, tile_key_help(key));
    const auto unknown = [&] {
      return fail(fmt::format("unknown tile key '{}'", key), key, tile_key_help(key));
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
                  suggest(name, {"row_major", "col_major"}, "values"));
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
                  suggest(name, {"none_box", "row_major", "col_major"}, "values"));
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

  std::string_view given_valid_[2], extent_[2];  ///< as written
  std::vector<std::string_view> keys_;
};

}  // namespace pto::text
