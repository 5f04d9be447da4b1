// One type's spelling -> Type. Grammar: docs/reference/language.md, section "Types".
#include <array>

#include "asm/parse/types/tile_type.hpp"
#include "asm/parse/types/vmi_layout.hpp"
#include "pto/assembler.hpp"

namespace pto {
namespace text {
namespace {

class TypeReader : public TileTypeReader {
 public:
  using TileTypeReader::TileTypeReader;

  bool type(Type& type) {
    skip();
    if (at_ == last_) return fail("a type is missing");
    if (*at_ == '!') return dialect_type(type);
    const std::string_view word = take_word();
    if (word == "vector") return vector_type(type);
    if (word == "memref") return memref_type(type);
    if (word == "none" || word == "tensor" || word == "tuple" || word == "complex") return opaque(type, word);
    const Elem elem = elem_spelled(word);
    if (elem != Elem::none) {
      type = scalar_type(elem);
      return true;
    }
    if (is_other_scalar(word)) return opaque(type, word);
    if (word.empty()) return fail("this is not a type");
    return fail(fmt::format("unknown type '{}'", word), word, elem_help(word));
  }

 private:
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
    if (name == "vmi.vreg") return vmi_vreg(type);
    if (name == "vmi.mask") return vmi_mask(type);
    if (name == "multi_tile_buf") return multi_tile(type);
    if (name == "struct") return structure(type);
    if (const TypeKind kind = plain_kind(name); kind != TypeKind::none) {
      type.kind = kind;
      return true;
    }
    if (const Elem elem = elem_spelled({begin, static_cast<size_t>(at_ - begin)}); elem != Elem::none) {
      type = scalar_type(elem);
      return true;
    }
    if (word.starts_with(kLlvm) || word == "pto.fmatrix_config" || word == "pto.memref")
      return opaque(type, {begin, static_cast<size_t>(at_ - begin)});
    return fail(fmt::format("unknown type '!{}'", word), since(begin), type_help(since(begin)));
  }
  static TypeKind plain_kind(std::string_view name) {
    if (name == "align") return TypeKind::align;
    if (name == "pipe") return TypeKind::pipe;
    if (name == "async_session") return TypeKind::async_session;
    if (name == "async_event") return TypeKind::async_event;
    if (name == "prefetch_async_context") return TypeKind::prefetch_context;
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
        return fail("the dimensions of a local array are positive integers");
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
                  E0415);
    return need('>');
  }
  /// `64xf32`, and `, #pto.vmi.layout<..>` where the placement is chosen.
  bool vmi_vreg(Type& type) {
    type.kind = TypeKind::vmi_vreg;
    if (!need('<')) return false;
    skip();
    const char* begin = at_;
    if (!shaped(type)) return false;
    const std::string_view written = since(begin);
    if (type.rank != 1 || type.dims[0] <= 0)
      return fail("a logical vector has one dimension, a positive number of lanes", written,
                  "as in !pto.vmi.vreg<64xf32>", E0580);
    const uint32_t bits = bit_width(type.elem);
    if (type.vec_lanes != 0 || (bits != 8 && bits != 16 && bits != 32))
      return fail(fmt::format("the lanes of !pto.vmi.vreg<{}> do not have 8, 16 or 32 bits", written),
                  written, {}, E0580);
    return vmi_layout(type) && need('>');
  }
  bool vmi_mask(Type& type) {
    type.kind = TypeKind::vmi_mask;
    if (!need('<')) return false;
    skip();
    const char* begin = at_;
    if (!integer(type.dims[0])) return false;
    type.rank = 1;
    if (type.dims[0] <= 0)
      return fail("a logical mask has a positive number of lanes", since(begin), {}, E0580);
    if (at_ == last_ || *at_ != 'x') return fail("expected 'x' and pred, b8, b16 or b32 after the lanes");
    ++at_;
    const std::string_view name = take_word();
    static constexpr std::pair<std::string_view, Elem> kGranularities[] = {
        {"pred", Elem::i1}, {"b8", Elem::i8}, {"b16", Elem::i16}, {"b32", Elem::i32}};
    const auto* found = std::ranges::find(kGranularities, name, &std::pair<std::string_view, Elem>::first);
    if (found == std::end(kGranularities))
      return fail(fmt::format("unknown mask granularity '{}'; it is pred, b8, b16 or b32", name), name,
                  text::suggest(name, {"pred", "b8", "b16", "b32"}, "granularities"));
    type.elem = found->second;
    return vmi_layout(type) && need('>');
  }
  bool vmi_layout(Type& type) {
    if (!take_token(',')) return true;
    skip();
    const char* begin = at_;
    while (at_ != last_ && *at_ != '<' && *at_ != '>') ++at_;
    const char* end =
        since(begin) == "#pto.vmi.layout" && at_ != last_ ? text::scan_angle(at_, last_) : nullptr;
    if (end == nullptr) return fail("expected #pto.vmi.layout<..> behind ','", since(begin));
    const std::string_view inner = text::trim({at_ + 1, static_cast<size_t>(end - at_ - 2)});
    at_ = end;
    std::string problem;
    type.text = text::vmi_layout(inner, type, problem);
    return problem.empty() || fail(std::move(problem), inner, {}, E0581);
  }
  /// `<vec, 16x64xf32, count=N>` or `<!pto.tile_buf<..>, count=N>`.
  bool multi_tile(Type& type) {
    skip();
    const char* open = at_;
    const char* end = at_ != last_ && *at_ == '<' ? text::scan_angle(at_, last_) : nullptr;
    if (end == nullptr) return need('<') && fail_at_end("the type's '<' is not closed");
    const std::string_view inner(open + 1, static_cast<size_t>(end - open - 2));
    const size_t comma = inner.rfind(',');
    const std::string_view slot = text::trim(inner.substr(0, comma));
    const std::string_view key =
        comma == inner.npos ? std::string_view{} : text::trim(inner.substr(comma + 1));
    if (!key.starts_with("count")) return fail("expected 'count=' at the end of the type", inner);
    const std::string spelling =
        slot.starts_with('!') ? std::string(slot) : fmt::format("!pto.tile_buf<{}>", slot);
    TypeProblem problem;
    const std::optional<Type> tile = text::read_type(spelling, target_, problem);
    if (!tile || !tile->is_tile())
      return fail(tile ? "the slots of a multi_tile_buf are tiles" : std::move(problem.message), slot);
    type = *tile;
    type.kind = TypeKind::multi_tile;
    at_ = key.data() + 5;
    if (!need('=') || !integer(type.dims[2])) return false;
    if (type.dims[2] < 2 || type.dims[2] > 16)
      return fail(fmt::format("a multi_tile_buf has 2 to 16 slots, not {}", type.dims[2]), key, {}, E0592);
    if (type.compact == 2)
      return fail("the slots of a multi_tile_buf are not compact=2 (row_plus_one)", slot, {}, E0592);
    return need('>');
  }
  /// Members are kept as their canonical spellings.
  bool structure(Type& type) {
    if (!need('<')) return false;
    if (++nesting_ > 4) return fail_unsupported("structs of structs of structs are not supported");
    do {
      Type member;
      skip();
      const char* begin = at_;
      if (!this->type(member)) return false;
      if (member.kind != TypeKind::scalar && member.kind != TypeKind::ptr &&
          member.kind != TypeKind::structure)
        return fail(fmt::format("a struct does not hold {}", to_string(member)), since(begin));
      type.text += (type.text.empty() ? "" : ", ") + to_string(member);
    } while (take_token(','));
    --nesting_;
    type.kind = TypeKind::structure;
    return need('>');
  }
  bool pointer(Type& type) {
    type.kind = TypeKind::ptr;
    type.space = Space::gm;
    if (!need('<') || !element(type)) return false;
    if (take_token(',')) {
      std::string_view name = take_word();
      if (name.empty() && take_token('#')) {  // #pto.address_space<ub>
        take_word();
        if (!need('<')) return false;
        name = take_word();
        if (!need('>')) return false;
      }
      type.space = find_space(name);
      if (type.space == Space::none)
        return fail(
            fmt::format("unknown memory space '{}'; the spaces are gm, ub, l1, l0a, l0b, l0c, bt, fb", name),
            name, space_help(name));
    }
    return need('>');
  }
  bool mask(Type& type) {
    type.kind = TypeKind::mask;
    skip();
    if (at_ == last_)
      return fail(
          "!pto.mask lacks its granularity, which nothing determines here", since(begin_),
          Fix::write_one_of({"!pto.mask<b8>", "!pto.mask<b16>", "!pto.mask<b32>"}, ", as wide as the lanes"));
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
                  suggest(name, {"b8", "b16", "b32"}, "granularities"));
    return need('>');
  }
  bool event_array(Type& type) {
    type.kind = TypeKind::eventid_array;
    type.rank = 1;
    if (!need('<')) return false;
    skip();
    const char* begin = at_;
    if (!integer(type.dims[0])) return false;
    if (type.dims[0] < 1) return fail("an eventid_array has one event or more", since(begin));
    return need('>');
  }
};

}  // namespace

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
