#include "fuzz/program_generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "asm/parse/text/scanner.hpp"
#include "isa/row.hpp"

namespace pto::fuzz {

uint8_t Choices::byte() {
  if (left_ == 0) return 0;
  --left_;
  return *at_++;
}

size_t Choices::below(size_t n) {
  if (n <= 1) return 0;
  const size_t low = byte();
  return (n <= 256 ? low : low | static_cast<size_t>(byte()) << 8) % n;
}

namespace {

constexpr std::array kElems = {"f32", "f16",  "bf16", "i8",  "i16",      "i32",    "i64",
                               "ui8", "ui16", "ui32", "si8", "f8E4M3FN", "f8E5M2", "!pto.hif8"};
constexpr std::array kSpaces = {"vec", "mat", "left", "right", "acc", "bias", "scaling"};
constexpr std::array kExtents = {"16", "64", "1", "8", "32", "128", "7", "256", "0"};
constexpr std::array kPointerSpaces = {"gm", "ub", "l1", "l0a", "l0b", "l0c"};
constexpr std::array kSingleKinds = {isa::kTile,  isa::kView,   isa::kTView,  isa::kPtr,        isa::kMemRef,
                                     isa::kVReg,  isa::kMask,   isa::kAlign,  isa::kI1,         isa::kI8,
                                     isa::kI16,   isa::kI32,    isa::kI64,    isa::kIndex,      isa::kInt,
                                     isa::kFloat, isa::kScalar, isa::kVector, isa::kPipeHandle, isa::kAny};

constexpr size_t kMaxArguments = 64;

struct Value {
  std::string name, type;
  uint32_t kind;
};

class Generator {
  template <typename List>
  const auto& pick(const List& list) {
    return list[c_.below(std::size(list))];
  }

 public:
  explicit Generator(Choices& choices) : c_(choices) {}

  std::string program() {
    constexpr std::array kArchs = {"a5", "a3", "a2", "cpu"};
    out_ = fmt::format("module attributes {{pto.target_arch = \"{}\"}} {{\n", pick(kArchs));
    for (int i = 0; i < 4 && (i == 0 || !c_.done()); ++i) function();
    return out_ + "}\n";
  }

 private:
  // ---- types

  std::string tile() {
    std::string text = fmt::format("!pto.tile_buf<{}, {}x{}x{}", pick(kSpaces), pick(kExtents),
                                   pick(kExtents), pick(kElems));
    if (c_.chance(40))
      text += fmt::format(", valid={}x{}", c_.chance(128) ? "?" : pick(kExtents),
                          c_.chance(128) ? "?" : pick(kExtents));
    if (c_.chance(40)) text += ", blayout=col_major";
    if (c_.chance(40)) text += c_.chance(128) ? ", slayout=row_major" : ", slayout=col_major";
    if (c_.chance(20)) text += c_.chance(128) ? ", fractal=1024" : ", fractal=32";
    if (c_.chance(20)) text += ", pad=1";
    return text + ">";
  }

  std::string type_of(uint32_t kind) {
    switch (kind) {
      case isa::kTile:
        return tile();
      case isa::kView:
        return fmt::format("!pto.partition_tensor_view<{}x{}x{}>", pick(kExtents), pick(kExtents),
                           pick(kElems));
      case isa::kTView:
        return fmt::format("!pto.tensor_view<{}x{}x{}>", c_.chance(128) ? "?" : pick(kExtents),
                           pick(kExtents), pick(kElems));
      case isa::kPtr:
        return fmt::format("!pto.ptr<{}, {}>", pick(kElems), pick(kPointerSpaces));
      case isa::kMemRef:
        return fmt::format("memref<{}x{}x{}, #pto.address_space<{}>>", pick(kExtents), pick(kExtents),
                           pick(kElems), pick(kSpaces));
      case isa::kVReg: {
        constexpr std::array kRegisters = {"64xf32",  "128xf16", "128xbf16", "256xi8",
                                           "128xi16", "64xi32",  "32xi64",   "256xui8"};
        return fmt::format("!pto.vreg<{}>", pick(kRegisters));
      }
      case isa::kMask:
        return fmt::format("!pto.mask<b{}>", 8 << c_.below(3));
      case isa::kAlign:
        return "!pto.align";
      case isa::kI1:
        return "i1";
      case isa::kI8:
        return "i8";
      case isa::kI16:
        return "i16";
      case isa::kI32:
      case isa::kInt:
        return "i32";
      case isa::kI64:
        return "i64";
      case isa::kIndex:
        return "index";
      case isa::kFloat:
        return "f32";
      case isa::kVector:
        return "vector<2xf16>";
      case isa::kPipeHandle:
        return "!pto.pipe";
      default:
        return pick(kElems);
    }
  }

  uint32_t one_kind(uint32_t kinds) {
    std::vector<uint32_t> found;
    for (const uint32_t kind : kSingleKinds) {
      if ((kinds & kind) != 0) found.push_back(kind);
    }
    return found.empty() ? uint32_t{isa::kI32} : found[c_.below(found.size())];
  }

  // ---- values

  /// A visible value of the kind, or a new argument of the function.
  Value value(uint32_t kinds) {
    const uint32_t kind = one_kind(kinds);
    if (!c_.chance(60)) {
      for (size_t i = values_.size(); i-- > 0;) {
        if (values_[i].kind == kind) return values_[i];
      }
    }
    arguments_.push_back({fmt::format("%a{}", arguments_.size()), type_of(kind), kind});
    values_.insert(values_.begin(), arguments_.back());
    ++base_;
    return arguments_.back();
  }
  void define(const std::string& name, const std::string& type, uint32_t kind) {
    values_.push_back({name, type, kind});
  }
  std::string fresh() { return c_.chance(30) ? fmt::format("%{}", next_++) : fmt::format("%v{}", next_++); }

  // ---- attributes

  std::string attribute_value(const isa::AttrSpec& spec) {
    constexpr std::array kIntegers = {
        "1", "0", "-1", "2 : i32", "9223372036854775807", "-9223372036854775808", "0xFF", "16 : i64"};
    switch (spec.type) {
      case isa::AttrType::enumerant: {
        const isa::EnumCase& item = pick(spec.domain->cases);
        return c_.chance(128) ? fmt::format("#pto<{} {}>", spec.domain->name, item.name)
                              : fmt::format("\"{}\"", item.name);
      }
      case isa::AttrType::integer:
        return pick(kIntegers);
      case isa::AttrType::floating:
        return c_.chance(128) ? "1.5 : f32" : "0x7F800000 : f32";
      case isa::AttrType::boolean:
        return c_.chance(128) ? "true" : "false";
      case isa::AttrType::string:
        return "\"x\"";
      case isa::AttrType::symbol:
        return "@f0";
      case isa::AttrType::ints:
        return c_.chance(128) ? "[1, 2]" : "array<i64: 1, 2>";
      case isa::AttrType::type:
        return "i32";
      default:
        return "1 : i32";
    }
  }
  std::string attributes(const isa::Schema& schema) {
    std::string text;
    for (const isa::AttrSpec& spec : schema.attrs) {
      if (!spec.required && !c_.chance(50)) continue;
      text += fmt::format("{}{}", text.empty() ? " {" : ", ", spec.name);
      if (spec.type != isa::AttrType::unit) text += fmt::format(" = {}", attribute_value(spec));
    }
    if (c_.chance(8)) text += fmt::format("{}vendor.note = \"n\"", text.empty() ? " {" : ", ");
    return text.empty() ? text : text + "}";
  }

  // ---- statements

  void row_statement() {
    const std::span<const isa::Row> rows = isa::rows();
    const auto id = static_cast<RowId>(c_.below(rows.size()));
    const isa::Row& row = rows[id];
    if ((row.flags & isa::kAlias) != 0 || isa::is_region_terminator(row.opcode_class) ||
        row.regions.most != 0 || row.syntax == "@none" || row.name == "func.call")
      return;
    const isa::Schema& schema = isa::schema(id);
    std::string names, types, segments;
    for (const isa::OperandSpec& spec : schema.operands) {
      const size_t count =
          spec.arity == isa::Arity::one ? 1 : c_.below(spec.arity == isa::Arity::optional ? 2 : 4);
      segments += fmt::format("{}{}", segments.empty() ? "" : ", ", count);
      for (size_t i = 0; i < count; ++i) {
        const Value used = value(spec.kinds);
        names += fmt::format("{}{}", names.empty() ? "" : ", ", used.name);
        types += fmt::format("{}{}", types.empty() ? "" : ", ", used.type);
      }
    }
    std::vector<Value> results;
    for (const isa::OperandSpec& spec : schema.results) {
      const uint32_t kind = one_kind(spec.kinds);
      results.push_back({fresh(), type_of(kind), kind});
    }
    std::string left, result_types;
    for (const Value& result : results) {
      left += fmt::format("{}{}", left.empty() ? "" : ", ", result.name);
      result_types += fmt::format("{}{}", result_types.empty() ? "" : ", ", result.type);
    }
    line("{}{}\"{}\"({}) <{{operandSegmentSizes = array<i32{}{}>}}>{} : ({}) -> ({})", left,
         left.empty() ? "" : " = ", row.name, names, segments.empty() ? "" : ": ", segments,
         attributes(schema), types, result_types);
    for (const Value& result : results) define(result.name, result.type, result.kind);
  }

  /// Elementwise instructions in the forms that people write.
  void tile_statement() {
    constexpr std::array kNames = {"tadd", "tmul", "tmax", "trem", "tand", "tsub"};
    const std::string_view name = pick(kNames);
    const Value a = value(isa::kTile);
    if (c_.chance(128)) {
      line("pto.{} ins({}, {} : {}, {}) outs({} : {})", name, a.name, a.name, a.type, a.type, a.name, a.type);
      return;
    }
    const std::string result = fresh();
    line("{} = pto.{} {}, {} : ({}, {}) -> {}", result, name, a.name, a.name, a.type, a.type, a.type);
    define(result, a.type, isa::kTile);
  }

  void constant() {
    constexpr std::array kConstants = {"0 : index",          "4096 : i64", "1 : i32",
                                       "1.000000e+00 : f32", "true",       "-1 : i8"};
    constexpr std::array<uint32_t, 6> kKinds = {isa::kIndex, isa::kI64, isa::kI32,
                                                isa::kFloat, isa::kI1,  isa::kI8};
    constexpr std::array kTypes = {"index", "i64", "i32", "f32", "i1", "i8"};
    const size_t which = c_.below(kConstants.size());
    const std::string name = fresh();
    line("{} = arith.constant {}", name, kConstants[which]);
    define(name, kTypes[which], kKinds[which]);
  }

  /// A region's statements; what they define is gone afterwards.
  template <typename Last>
  void region(Last last) {
    ++depth_;
    const size_t mark = values_.size() - base_;
    for (size_t n = c_.below(6); n > 0 && budget_ > 0; --n) statement();
    last();
    values_.resize(base_ + mark);
    --depth_;
  }
  void region() {
    region([] {});
  }

  void loop() {
    const Value from = value(isa::kIndex);
    const Value to = value(isa::kIndex);
    const Value step = value(isa::kIndex);
    const std::string index = fresh();
    if (c_.chance(128)) {
      line("scf.for {} = {} to {} step {} {{", index, from.name, to.name, step.name);
      region();
      line("}}");
      return;
    }
    const Value init = value(isa::kAny);
    const std::string carried = fresh();
    const std::string result = fresh();
    line("{} = scf.for {} = {} to {} step {} iter_args({} = {}) -> ({}) {{", result, index, from.name,
         to.name, step.name, carried, init.name, init.type);
    region([&] { line("scf.yield {} : {}", carried, init.type); });
    line("}}");
    define(result, init.type, init.kind);
  }
  void condition() {
    const Value flag = value(isa::kI1);
    line("scf.if {} {{", flag.name);
    region();
    if (c_.chance(128)) {
      line("}} else {{");
      region();
    }
    line("}}");
  }
  void repetition() {
    const Value init = value(isa::kI32);
    const Value flag = value(isa::kI1);
    const std::string before = fresh();
    const std::string after = fresh();
    const std::string result = fresh();
    line("{} = scf.while ({} = {}) : (i32) -> (i32) {{", result, before, init.name);
    region([&] { line("scf.condition({}) {} : i32", flag.name, before); });
    line("}} do {{");
    line("^bb0({}: i32):", after);
    region([&] { line("scf.yield {} : i32", after); });
    line("}}");
    define(result, "i32", isa::kI32);
  }
  void scope() {
    constexpr std::array kScopes = {"pto.vecscope", "pto.section.vector", "pto.section.cube"};
    line("{} {{", pick(kScopes));
    region();
    line("}}");
  }
  void call() {
    if (functions_.empty()) return;
    const size_t callee = c_.below(functions_.size());
    const std::vector<Value> wanted = functions_[callee];
    // Every call passes on all arguments of its callee: without a bound they multiply from function to
    // function.
    if (arguments_.size() + wanted.size() > kMaxArguments) return;
    std::string names, types;
    for (const Value& argument : wanted) {
      arguments_.push_back({fmt::format("%a{}", arguments_.size()), argument.type, argument.kind});
      values_.insert(values_.begin(), arguments_.back());
      ++base_;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", arguments_.back().name);
      types += fmt::format("{}{}", types.empty() ? "" : ", ", argument.type);
    }
    line("func.call @f{}({}) : ({}) -> ()", callee, names, types);
  }
  void statement() {
    --budget_;
    switch (depth_ < 8 ? c_.below(16) : c_.below(10)) {
      case 0:
        constant();
        break;
      case 1:
      case 2:
        tile_statement();
        break;
      case 10:
        loop();
        break;
      case 11:
        condition();
        break;
      case 12:
        repetition();
        break;
      case 13:
      case 14:
        scope();
        break;
      case 15:
        call();
        break;
      default:
        row_statement();
        break;
    }
  }

  void function() {
    const std::string before = std::move(out_);
    out_.clear();
    values_.clear();
    arguments_.clear();
    base_ = 0;
    budget_ = 40;
    for (size_t n = 1 + c_.below(24); n > 0 && budget_ > 0; --n) statement();
    line("return");
    std::string arguments;
    for (const Value& argument : arguments_)
      arguments += fmt::format("{}{}: {}", arguments.empty() ? "" : ", ", argument.name, argument.type);
    out_ = fmt::format("{}func.func @f{}({}){} {{\n{}}}\n", before, functions_.size(), arguments,
                       c_.chance(100) ? " attributes {pto.entry}" : "", out_);
    functions_.push_back(arguments_);
  }

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }

  Choices& c_;
  std::string out_;
  std::vector<Value> values_;  ///< visible: arguments first, `base_` of them
  std::vector<Value> arguments_;
  std::vector<std::vector<Value>> functions_;  ///< their arguments
  size_t base_ = 0;
  size_t next_ = 0;
  int depth_ = 0;
  int budget_ = 0;
};

/// Names with their sigils, numbers, strings, and single characters.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  const char* at = text.data();
  const char* last = at + text.size();
  while (at != last) {
    const char* end = at + 1;
    if (text::is_word_char(*at) || *at == '%' || *at == '@' || *at == '!' || *at == '#') {
      while (end != last && text::is_word_char(*end)) ++end;
    } else if (*at == ' ') {
      while (end != last && *end == ' ') ++end;
    }
    tokens.emplace_back(at, end);
    at = end;
  }
  return tokens;
}

}  // namespace

std::string generate_program(Choices& choices) { return Generator(choices).program(); }

std::string mutate_tokens(std::string text, Choices& choices) {
  constexpr std::array kOther = {"%",
                                 "%v0",
                                 "-9223372036854775809",
                                 "0x",
                                 "\"",
                                 "<",
                                 ">",
                                 "{",
                                 "}",
                                 "(",
                                 ")",
                                 "[",
                                 "]",
                                 "1e999",
                                 "?",
                                 "->",
                                 "i1",
                                 "!pto.tile_buf<vec, 1x1xf32>",
                                 "pto.",
                                 "scf.yield",
                                 "^bb0",
                                 "array<i64: 1>",
                                 "4294967296",
                                 "\xff",
                                 "//",
                                 "loc(\"a\":1:1)"};
  std::vector<std::string> tokens = tokens_of(text);
  for (size_t n = 1 + choices.below(6); n > 0 && !tokens.empty(); --n) {
    const size_t at = choices.below(tokens.size());
    const size_t other = choices.below(tokens.size());
    const auto place = tokens.begin() + static_cast<ptrdiff_t>(at);
    switch (choices.below(6)) {
      case 0:
        tokens.erase(place);
        break;
      case 1:
        tokens.insert(place, std::string(tokens[at]));
        break;
      case 2:
        std::swap(tokens[at], tokens[other]);
        break;
      case 3:
        tokens[at] = tokens[other];
        break;
      case 4:
        tokens[at] = kOther[choices.below(kOther.size())];
        break;
      default:
        tokens.insert(place, kOther[choices.below(kOther.size())]);
        break;
    }
  }
  std::string joined;
  for (const std::string& token : tokens) joined += token;
  return joined;
}

}  // namespace pto::fuzz
