#include "timing/cost_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace pto::timing {

namespace {

constexpr size_t kMaxStack = 24;
constexpr int kMaxDepth = 64;
constexpr size_t kMaxSteps = 4096;

using Wide = __int128;

/// num/den back into 64 bits, reduced when it has to be.
bool narrow(Wide num, Wide den, Fraction& out) {
  constexpr Wide kMax = INT64_MAX;
  if (den < 0) {
    num = -num;
    den = -den;
  }
  if (num > kMax || -num > kMax || den > kMax) {
    Wide a = num < 0 ? -num : num;
    Wide b = den;
    while (b != 0) {
      const Wide rest = a % b;
      a = b;
      b = rest;
    }
    num /= a;
    den /= a;
    if (num > kMax || -num > kMax || den > kMax) return false;
  }
  out = {static_cast<int64_t>(num), static_cast<int64_t>(den)};
  return true;
}

bool add(const Fraction& a, const Fraction& b, Fraction& out) {
  if (a.den == 1 && b.den == 1) {
    int64_t sum = 0;  // `out` may be `a`: g++ 12 loses the overflow then
    if (__builtin_add_overflow(a.num, b.num, &sum)) return false;
    out = {sum, 1};
    return true;
  }
  if (a.den == b.den) return narrow(Wide{a.num} + b.num, a.den, out);
  Wide left = 0, right = 0, num = 0;
  if (__builtin_mul_overflow(Wide{a.num}, Wide{b.den}, &left) ||
      __builtin_mul_overflow(Wide{b.num}, Wide{a.den}, &right) || __builtin_add_overflow(left, right, &num)) {
    return false;
  }
  return narrow(num, Wide{a.den} * b.den, out);
}

bool multiply(const Fraction& a, const Fraction& b, Fraction& out) {
  return narrow(Wide{a.num} * b.num, Wide{a.den} * b.den, out);
}

bool divide(const Fraction& a, const Fraction& b, Fraction& out) {
  return b.num != 0 && narrow(Wide{a.num} * b.den, Wide{a.den} * b.num, out);
}

Fraction negate(const Fraction& a) { return {a.num == INT64_MIN ? INT64_MAX : -a.num, a.den}; }

int64_t floor_of(const Fraction& a) {
  const int64_t quotient = a.num / a.den;
  return a.num % a.den < 0 ? quotient - 1 : quotient;
}

bool less(const Fraction& a, const Fraction& b) { return Wide{a.num} * b.den < Wide{b.num} * a.den; }
bool equal(const Fraction& a, const Fraction& b) { return Wide{a.num} * b.den == Wide{b.num} * a.den; }

bool modulo(const Fraction& a, const Fraction& b, Fraction& out) {
  Fraction quotient, product;
  if (!divide(a, b, quotient) || !multiply({floor_of(quotient), 1}, b, product)) return false;
  return add(a, negate(product), out);
}

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// Recursive descent straight to steps; remembers the first problem.
class ExpressionCompiler {
 public:
  explicit ExpressionCompiler(std::string_view text) : text_(text) {}

  Result<Expression> run() {
    ternary();
    skip_space();
    if (problem_.empty() && at_ != text_.size()) fail(fmt::format("unexpected '{}'", text_[at_]));
    if (problem_.empty() && out_.steps_.size() > kMaxSteps) fail("expression too long");
    if (!problem_.empty()) return Error{problem_};
    return std::move(out_);
  }

 private:
  using Code = Expression::Code;

  void fail(std::string message) {
    if (problem_.empty()) problem_ = fmt::format("{} at column {} of '{}'", message, at_ + 1, text_);
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  bool take(std::string_view token) {
    skip_space();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  size_t emit(Code code, size_t arg = 0, int stack_change = 0) {
    out_.steps_.push_back({code, static_cast<uint16_t>(arg)});
    depth_on_stack_ += stack_change;
    if (depth_on_stack_ > static_cast<int>(kMaxStack)) fail("expression nested too deeply");
    return out_.steps_.size() - 1;
  }

  void binary(Code code) { emit(code, 0, -1); }
  void patch(size_t step) { out_.steps_[step].arg = static_cast<uint16_t>(out_.steps_.size()); }

  void ternary() {
    if (++nesting_ > kMaxDepth || out_.steps_.size() > kMaxSteps) fail("expression nested too deeply");
    if (problem_.empty()) {
      disjunction();
      if (take("?")) choice();
    }
    --nesting_;
  }

  void choice() {
    const size_t to_else = emit(Code::jump_if_zero, 0, -1);
    ternary();
    const size_t to_end = emit(Code::jump, 0, -1);
    if (!take(":")) fail("expected ':'");
    patch(to_else);
    ternary();
    patch(to_end);
  }

  /// a || b  is  a ? 1 : (b != 0);  a && b  is  a ? (b != 0) : 0.
  void disjunction() {
    conjunction();
    while (problem_.empty() && take("||")) {
      const size_t to_right = emit(Code::jump_if_zero, 0, -1);
      constant({1, 1});
      const size_t to_end = emit(Code::jump, 0, -1);
      patch(to_right);
      conjunction();
      truth();
      patch(to_end);
    }
  }

  void conjunction() {
    comparison();
    while (problem_.empty() && take("&&")) {
      const size_t to_zero = emit(Code::jump_if_zero, 0, -1);
      comparison();
      truth();
      const size_t to_end = emit(Code::jump, 0, -1);
      patch(to_zero);
      constant({0, 1});
      patch(to_end);
    }
  }

  void truth() {
    constant({0, 1});
    binary(Code::ne);
  }

  void comparison() {
    sum();
    if (take("<=")) return compare(Code::le, false);
    if (take(">=")) return compare(Code::lt, true);
    if (take("==")) return compare(Code::eq, false);
    if (take("!=")) return compare(Code::ne, false);
    if (take("<")) return compare(Code::lt, false);
    if (take(">")) return compare(Code::le, true);
  }

  void compare(Code code, bool inverted) {
    sum();
    binary(code);
    if (inverted) emit(Code::not_);
  }

  void sum() {
    term();
    while (problem_.empty()) {
      if (take("+")) {
        term();
        binary(Code::add);
      } else if (take("-")) {
        term();
        binary(Code::sub);
      } else {
        return;
      }
    }
  }

  void term() {
    unary();
    while (problem_.empty()) {
      const Code code = take("*")   ? Code::mul
                        : take("/") ? Code::div
                        : take("%") ? Code::mod
                                    : Code::constant;
      if (code == Code::constant) return;
      unary();
      binary(code);
    }
  }

  void unary() {
    if (++nesting_ > kMaxDepth) fail("expression nested too deeply");
    if (problem_.empty()) {
      if (take("-")) {
        unary();
        emit(Code::neg);
      } else if (take("!")) {
        unary();
        emit(Code::not_);
      } else {
        primary();
      }
    }
    --nesting_;
  }

  void primary() {
    skip_space();
    if (at_ >= text_.size()) return fail("expected a value");
    if (take("(")) {
      ternary();
      if (!take(")")) fail("expected ')'");
    } else if (is_digit(text_[at_])) {
      number();
    } else if (is_name_start(text_[at_])) {
      name();
    } else {
      fail("expected a value");
    }
  }

  void number() {
    Fraction value;
    bool point = false;
    for (; at_ < text_.size() && (is_digit(text_[at_]) || (text_[at_] == '.' && !point)); ++at_) {
      if (text_[at_] == '.') {
        point = true;
        continue;
      }
      if (__builtin_mul_overflow(value.num, 10, &value.num) ||
          __builtin_add_overflow(value.num, text_[at_] - '0', &value.num) ||
          (point && __builtin_mul_overflow(value.den, 10, &value.den))) {
        return fail("number too large");
      }
    }
    const int64_t divisor = std::gcd(value.num, value.den);
    constant({value.num / divisor, value.den / divisor});
  }

  void constant(Fraction value) {
    out_.constants_.push_back(value);
    emit(Code::constant, out_.constants_.size() - 1, 1);
  }

  void name() {
    const size_t begin = at_;
    while (at_ < text_.size() && (is_name_start(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.'))
      ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (take("(")) return call(word);
    auto& names = out_.variables_;
    const auto found = std::find(names.begin(), names.end(), word);
    const auto index = static_cast<size_t>(found - names.begin());
    if (found == names.end()) names.emplace_back(word);
    emit(Code::variable, index, 1);
  }

  void call(std::string_view function) {
    if (function == "ceildiv") {
      ternary();
      if (!take(",")) return fail("ceildiv takes two values");
      ternary();
      binary(Code::div);
      emit(Code::ceil);
    } else if (function == "min" || function == "max") {
      ternary();
      while (problem_.empty() && take(",")) {
        ternary();
        binary(function == "min" ? Code::min : Code::max);
      }
    } else if (function == "ceil" || function == "floor" || function == "round" || function == "odd") {
      ternary();
      emit(function == "ceil"    ? Code::ceil
           : function == "floor" ? Code::floor
           : function == "round" ? Code::round
                                 : Code::odd);
    } else {
      return fail(fmt::format("unknown function '{}'", function));
    }
    if (!take(")")) fail("expected ')'");
  }

  std::string_view text_;
  size_t at_ = 0;
  int nesting_ = 0, depth_on_stack_ = 0;
  Expression out_;
  std::string problem_;
};

Result<Expression> Expression::compile(std::string_view text) { return ExpressionCompiler(text).run(); }

std::optional<Fraction> Expression::eval(std::span<const int64_t> values) const {
  std::array<Fraction, kMaxStack + 1> stack;
  size_t top = 0;  // entries in use
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Step step = steps_[i];
    if (step.code == Code::constant) {
      stack[top++] = constants_[step.arg];
      continue;
    }
    if (step.code == Code::variable) {
      stack[top++] = {values[step.arg], 1};
      continue;
    }
    Fraction& last = stack[top - 1];
    bool ok = true;
    switch (step.code) {
      case Code::neg:
        last = negate(last);
        continue;
      case Code::not_:
        last = {last.num == 0, 1};
        continue;
      case Code::floor:
        last = {floor_of(last), 1};
        continue;
      case Code::ceil:
        last = {-floor_of(negate(last)), 1};
        continue;
      case Code::round:
        ok = add(last, {1, 2}, last);
        last = {floor_of(last), 1};
        break;
      case Code::odd:
        ok = last.den == 1 && last.num > 0;
        if (ok) last.num >>= std::countr_zero(static_cast<uint64_t>(last.num));
        break;
      case Code::jump_if_zero:
        if (last.num == 0) i = step.arg - 1u;
        --top;
        continue;
      case Code::jump:
        i = step.arg - 1u;
        continue;
      default: {
        Fraction& a = stack[top - 2];
        const Fraction b = last;
        --top;
        switch (step.code) {
          case Code::add:
            ok = add(a, b, a);
            break;
          case Code::sub:
            ok = add(a, negate(b), a);
            break;
          case Code::mul:
            ok = multiply(a, b, a);
            break;
          case Code::div:
            ok = divide(a, b, a);
            break;
          case Code::mod:
            ok = modulo(a, b, a);
            break;
          case Code::min:
            a = less(b, a) ? b : a;
            break;
          case Code::max:
            a = less(a, b) ? b : a;
            break;
          case Code::lt:
            a = {less(a, b), 1};
            break;
          case Code::le:
            a = {!less(b, a), 1};
            break;
          case Code::eq:
            a = {equal(a, b), 1};
            break;
          default:
            a = {!equal(a, b), 1};
            break;  // ne
        }
      }
    }
    if (!ok) return std::nullopt;
  }
  return stack[0];
}

std::optional<uint64_t> Expression::cycles(std::span<const int64_t> values) const {
  std::optional<Fraction> value = eval(values);
  if (!value || !add(*value, {1, 2}, *value)) return std::nullopt;
  const int64_t rounded = floor_of(*value);
  if (rounded < 0) return std::nullopt;
  return static_cast<uint64_t>(rounded);
}

}  // namespace pto::timing
