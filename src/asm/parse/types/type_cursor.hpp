// A cursor over the spelling of a type, with parsers for words, integers, dimensions, element types
// and memory spaces.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "asm/parse/text/scanner.hpp"
#include "asm/parse/types/type_names.hpp"

namespace pto::text {

/// Every step returns false and states the problem when the text does not fit.
class TypeCursor {
 public:
  TypeCursor(std::string_view text, Target target, TypeProblem& problem)
      : begin_(text.data()), at_(begin_), last_(begin_ + text.size()), target_(target), problem_(problem) {}

  bool at_end() {
    skip();
    return at_ == last_ || fail(fmt::format("unexpected '{}' after the type",
                                            std::string_view(at_, std::min<size_t>(8, rest()))));
  }

 protected:
  [[nodiscard]] size_t rest() const { return static_cast<size_t>(last_ - at_); }
  void skip() { at_ = skip_trivia(at_, last_); }
  /// The first problem counts. `where` is a part of the text; without one it is the next byte.
  bool fail(std::string message, std::string_view where = {}, Hint hint = {}, FindingId id = E0107) {
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
  bool take_token(char c) {
    skip();
    if (at_ == last_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool need(char c) {
    if (take_token(c)) return true;
    return at_ == last_ ? fail(fmt::format("the type ends where '{}' is expected", c))
                        : fail(fmt::format("expected '{}' in the type, not '{}'", c, *at_));
  }
  std::string_view take_word() {
    skip();
    const char* begin = at_;
    while (at_ != last_ && (is(*at_, kLetter | kDigit) || *at_ == '.')) ++at_;
    return {begin, static_cast<size_t>(at_ - begin)};
  }
  /// iN of a width and floats that no instruction takes: kept as written, so that messages can name them.
  static bool is_other_scalar(std::string_view word) {
    if (word.size() > 1 && word[0] == 'i' && is(word[1], kDigit)) return true;
    return word.starts_with("f8E") || word == "tf32" || word == "f80" || word == "f128";
  }
  bool integer(int64_t& value) {
    skip();
    const auto [end, error] = std::from_chars(at_, last_, value);
    // The least integer represents `?`.
    if (error == std::errc::result_out_of_range || (error == std::errc() && value == kDynamic))
      return fail("the integer in the type is too large");
    if (error != std::errc()) return fail("expected an integer in the type");
    at_ = end;
    return true;
  }

  bool opaque(Type& type, std::string_view word) {
    type.kind = TypeKind::opaque;
    const char* begin = word.data();
    if (at_ != last_ && *at_ == '<') {
      const char* end = scan_angle(at_, last_);
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
    while (at_ != last_ && (is(*at_, kDigit) || *at_ == '?')) {
      int64_t size = 0;
      if (!dimension(size)) return false;
      if (type.rank == kMaxRank) return fail(fmt::format("more than {} dimensions", kMaxRank));
      type.dims[type.rank++] = size;
      skip();
      if (at_ == last_ || *at_ != 'x') return fail("expected 'x' and an element type after the dimensions");
      ++at_;
      skip();
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
    type.elem = elem_spelled(name);
    if (type.elem != Elem::none) return true;
    if (is_other_scalar(name))
      return fail_unsupported(fmt::format("element type '{}' is not supported yet", name), name);
    if (name.empty()) return fail("the element type is missing");
    return fail(fmt::format("unknown element type '{}'", name), name, elem_help(name));
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
    if (!need('<')) return false;
    skip();
    const char* begin = at_;
    if (!shaped(type)) return false;
    if (type.rank > 1) return fail_unsupported("vectors of several dimensions are not supported yet");
    if (type.rank == 0 || type.dims[0] < 1)
      return fail("a vector has one element or more, and so many as its type says", since(begin),
                  "as in vector<4xf32>");
    return need('>');
  }
  bool memref_type(Type& type) {
    type.kind = TypeKind::memref;
    if (!need('<') || !shaped(type)) return false;
    while (take_token(',')) {
      if (!memref_part(type)) return false;
    }
    return need('>');
  }
  /// A layout (`strided<..>`, kept as written), `#pto.address_space<..>`, or that attribute's number.
  bool memref_part(Type& type) {
    skip();
    const char* begin = at_;
    while (at_ != last_ && *at_ != '<' && *at_ != ',' && *at_ != '>') ++at_;
    const std::string_view head = trim({begin, static_cast<size_t>(at_ - begin)});
    if (at_ != last_ && *at_ == '<') {
      const char* open = at_;
      at_ = scan_angle(at_, last_);
      if (at_ == nullptr) return fail_at_end("the '<' in the memref is not closed");
      if (head == "#pto.address_space")
        return address_space(type, trim({open + 1, static_cast<size_t>(at_ - open - 2)}));
    } else if (!head.empty() && is(head[0], kDigit)) {
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
      return fail(fmt::format("unknown address space {}; address spaces are 0 to 8", number));
    type.space = kSpaces[number[0] - '0'];
    return true;
  }
  bool fail_at_end(const char* message) {
    at_ = last_;
    return fail(message);
  }

  const char* begin_;
  const char* at_;
  const char* last_;
  Target target_;
  TypeProblem& problem_;
  int nesting_ = 0;
};

}  // namespace pto::text
