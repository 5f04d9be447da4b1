// Laws of the object format: what was written is read, what was read is written; damage is an error, never a
// crash.
#include <bit>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "isa/row.hpp"
#include "object/sections.hpp"
#include "pto/assembler.hpp"
#include "pto/object.hpp"
#include "pto/plan.hpp"
#include "support/message_text.hpp"
#include "testing/catch_main.hpp"

namespace {

using namespace pto;
using Bytes = std::vector<std::byte>;

constexpr std::string_view kSmall = R"(module attributes {pto.target_arch = "a5"} {
  func.func @k(%a: !pto.ptr<f32, gm>, %n: i32) attributes {pto.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %half = arith.constant 5.000000e-01 : f32
    %v = pto.make_tensor_view %a, shape = [%c16, %c16], strides = [%c16, %c1] : !pto.tensor_view<?x?xf32>
    %p = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c16, %c16] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x16xf32>
    %x = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32>
    %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%s = %n) -> (i32) {
      pto.tload ins(%p : !pto.partition_tensor_view<16x16xf32>) outs(%x : !pto.tile_buf<vec, 16x16xf32>)
      %zero = arith.constant 0 : i32
      %c = arith.cmpi eq, %s, %zero : i32
      scf.if %c {
        pto.tmuls ins(%x, %half : !pto.tile_buf<vec, 16x16xf32>, f32) outs(%x : !pto.tile_buf<vec, 16x16xf32>)
      } else {
        pto.barrier <PIPE_V>
      }
      scf.yield %zero : i32
    }
    return
  }
}
)";

std::optional<Program> try_parse(std::string_view text) {
  Diagnostics diagnostics;
  ParseOptions options;
  options.name = "small.pto";
  std::optional<Program> program = parse(text, options, diagnostics);
  if (!program && !diagnostics.all().empty()) UNSCOPED_INFO(messages(diagnostics));
  return program;
}

Program parse_ok(std::string_view text) {
  std::optional<Program> program = try_parse(text);
  REQUIRE(program.has_value());
  return std::move(*program);
}

Program read_ok(const Bytes& bytes) {
  Result<Program> program = read_object(bytes);
  if (!program) FAIL(program.error().message);
  return std::move(*program);
}

/// Equality of programs up to the numbering of strings, types, values and side tables; written without the
/// writer.
class Same {
 public:
  Same(const Program& a, const Program& b) : a_(a), b_(b), number_(a.values.size(), kNoValue) {}

  bool run() {
    if (a_.ops.size() != b_.ops.size() || a_.target != b_.target || a_.target_stated != b_.target_stated)
      return false;
    for (size_t i = 0; i < a_.ops.size(); ++i) {
      if (!same(a_.ops[i], b_.ops[i])) return false;
    }
    return a_.values.size() == b_.values.size();
  }

 private:
  bool match(uint32_t first_a, uint32_t first_b, uint32_t n) {
    for (uint32_t i = 0; i < n; ++i) {
      number_[first_a + i] = first_b + i;
      if (a_.name_of(first_a + i) != b_.name_of(first_b + i) ||
          !(a_.type_of(first_a + i) == b_.type_of(first_b + i)))
        return false;
    }
    return true;
  }
  bool same(const Op& x, const Op& y) {
    if (x.row != y.row || x.n_results != y.n_results || x.n_regions != y.n_regions ||
        x.n_attrs != y.n_attrs || !(x.where == y.where))
      return false;
    if (x.n_operand_words != y.n_operand_words || !match(x.first_result, y.first_result, x.n_results))
      return false;
    for (unsigned slot = 0; slot < isa::schema(x.row).operands.size(); ++slot) {
      const auto p = OpView(a_, static_cast<uint32_t>(&x - a_.ops.data())).operands(slot);
      const auto q = OpView(b_, static_cast<uint32_t>(&y - b_.ops.data())).operands(slot);
      if (p.size() != q.size()) return false;
      for (size_t i = 0; i < p.size(); ++i)
        if (number_[p[i]] != q[i]) return false;
    }
    for (unsigned i = 0; i < x.n_attrs; ++i)
      if (!same(a_.attrs[x.attrs + i], b_.attrs[y.attrs + i])) return false;
    for (unsigned i = 0; i < x.n_regions; ++i) {
      const Region& p = a_.regions[x.regions + i];
      const Region& q = b_.regions[y.regions + i];
      if (p.begin != q.begin || p.end != q.end || p.n_args != q.n_args ||
          !match(p.first_arg, q.first_arg, p.n_args))
        return false;
    }
    return true;
  }
  bool same(const Attr& x, const Attr& y) const {
    using Kind = AttrValue::Kind;
    const AttrValue &v = x.value, &w = y.value;
    if (x.spec != y.spec || (x.spec == kUnknownAttr && a_.strings[x.name] != b_.strings[y.name]) ||
        v.kind != w.kind)
      return false;
    if (!(a_.types[v.type] == b_.types[w.type]) || a_.strings[v.text] != b_.strings[w.text]) return false;
    if (v.kind == Kind::boolean || v.kind == Kind::integer || v.kind == Kind::enumerant)
      return v.integer == w.integer;
    if (v.kind == Kind::floating)
      return std::bit_cast<uint64_t>(v.floating) == std::bit_cast<uint64_t>(w.floating);
    if (v.kind != Kind::int_array) return true;
    return std::equal(a_.ints.begin() + v.array.first, a_.ints.begin() + v.array.first + v.array.count,
                      b_.ints.begin() + w.array.first, b_.ints.begin() + w.array.first + w.array.count);
  }

  const Program &a_, &b_;
  std::vector<ValueId> number_;
};

void check_laws(const Program& program) {
  const Bytes bytes = write_object(program);
  const Program again = read_ok(bytes);
  CHECK(Same(program, again).run());
  CHECK(write_object(again) == bytes);
  const std::string text = print(again, {.locations = true});
  Diagnostics diagnostics;
  ParseOptions options;
  options.name = program.source_name;
  const std::optional<Program> assembled = parse(text, options, diagnostics);
  UNSCOPED_INFO(messages(diagnostics));
  REQUIRE(assembled.has_value());
  CHECK(write_object(*assembled) == bytes);               // as(dis(b)) == b
  CHECK(print(*assembled, {.locations = true}) == text);  // dis(as(t)) is a fixed point
}

}  // namespace

TEST_CASE("an object is read as it was written", "[object]") { check_laws(parse_ok(kSmall)); }

TEST_CASE("planned programs keep the laws", "[object]") {
  Program program = parse_ok(kSmall);
  Machine machine;
  machine.target = Target::a5;
  machine.bytes[static_cast<size_t>(Space::ub)] = 262144;
  Diagnostics diagnostics;
  Program with_flags = program;
  REQUIRE(plan(with_flags, machine, {}, diagnostics));
  check_laws(with_flags);
}

TEST_CASE("the project's own programs keep the laws", "[object]") {
  size_t checked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PTO_SOURCE_DIR "/asm-tests")) {
    if (entry.path().extension() != ".pto") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    INFO(entry.path());
    if (const std::optional<Program> program = try_parse(text.str())) {
      check_laws(*program);
      ++checked;
    }
  }
  CHECK(checked > 20);
}

TEST_CASE("without a line table, with the source", "[object]") {
  Program program = parse_ok(kSmall);
  program.source_text = kSmall;
  const Bytes plain = write_object(program, {.lines = false});
  const Bytes full = write_object(program, {.lines = true, .source = true});
  CHECK(plain.size() < write_object(program).size());
  CHECK(read_ok(plain).ops[1].where.line == 0);
  CHECK(read_ok(full).source_text == kSmall);
  CHECK(read_ok(full).source_name == "small.pto");
  CHECK(write_object(read_ok(plain)) == plain);
}

TEST_CASE("the order of strings and types in memory does not matter", "[object]") {
  const Program program = parse_ok(kSmall);
  Program other = parse_ok(std::string("// another spelling of the same\n") + std::string(kSmall));
  for (Op& op : other.ops) op.where.line -= op.where.line > 0;
  other.strings.intern("unused");
  other.types.intern(scalar_type(Elem::f8e5m2));
  CHECK(write_object(other) == write_object(program));
}

TEST_CASE("deep nesting is no matter", "[object]") {
  constexpr size_t kDepth = 20000;
  std::string text = "func.func @k(%c: i1) attributes {pto.kernel} {\n";
  for (size_t i = 0; i < kDepth; ++i) text += "scf.if %c {\n";
  for (size_t i = 0; i < kDepth; ++i) text += "}\n";
  const Program program = parse_ok(text + "return\n}\n");
  const Bytes bytes = write_object(program);
  CHECK(write_object(read_ok(bytes)) == bytes);
}

TEST_CASE("every truncation is an error", "[object]") {
  const Bytes bytes = write_object(parse_ok(kSmall), {.lines = true, .source = true});
  for (const bool checksums : {true, false}) {
    for (size_t n = 0; n < bytes.size(); ++n) {
      const Result<Program> program = object::read(std::span(bytes).first(n), {.checksums = checksums});
      REQUIRE_FALSE(program.ok());
      REQUIRE(program.error().message.find("offset") != std::string::npos);
    }
  }
}

TEST_CASE("every changed byte is found by the checksums", "[object]") {
  const Bytes bytes = write_object(parse_ok(kSmall));
  for (size_t i = 0; i < bytes.size(); ++i) {
    Bytes damaged = bytes;
    damaged[i] ^= std::byte{0x10};
    const Result<Program> program = read_object(damaged);
    INFO("byte " << i);
    REQUIRE_FALSE(program.ok());
    CHECK_FALSE(program.error().message.empty());
  }
}

TEST_CASE("behind the checksums, a changed byte gives an error or a program that can be written and printed",
          "[object]") {
  const Bytes bytes = write_object(parse_ok(kSmall));
  size_t accepted = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int change : {0x01, 0x02, 0x40, 0x80, 0xff, 0x7f}) {
      Bytes damaged = bytes;
      damaged[i] ^= static_cast<std::byte>(change);
      const Result<Program> program = object::read(damaged, {.checksums = false});
      if (!program) continue;
      ++accepted;
      const Bytes again = write_object(*program);
      CHECK(write_object(read_ok(again)) == again);
      CHECK_FALSE(print(*program, {.locations = true}).empty());
    }
  }
  CHECK(accepted > 0);
}

TEST_CASE("an operation that needs a region is refused without one", "[object]") {
  Program program =
      parse_ok("func.func @k() attributes {pto.kernel} {\n  pto.section.vector {\n  }\n  return\n}\n");
  for (Op& op : program.ops) {
    if (isa::row(op.row).opcode_class == isa::OpcodeClass::section_vector) op.n_regions = 0;
  }
  const Result<Program> read = read_object(write_object(program));
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().message.find("pto.section.vector with 0 regions") != std::string::npos);
}

TEST_CASE("a bad section size does not allocate", "[object]") {
  Bytes bytes = write_object(parse_ok(kSmall));
  // The strings section begins with its count: claim 2^28 strings.
  const size_t strings = 48 + 7 * 24;
  for (size_t i = 0; i < 4; ++i) bytes[strings + i] = std::byte{0xff};
  const Result<Program> program = object::read(bytes, {.checksums = false});
  REQUIRE_FALSE(program.ok());
  CHECK(program.error().message.find("strings at offset") != std::string::npos);
}

TEST_CASE("objects of other formats and tables say so", "[object]") {
  Bytes bytes = write_object(parse_ok(kSmall));
  bytes[8] = std::byte{2};
  Result<Program> program = read_object(bytes);
  REQUIRE_FALSE(program.ok());
  CHECK(program.error().message ==
        "object format 2.1 is not supported, this tool reads 1.x: assemble the source again");
  CHECK_FALSE(is_object({}));
  const std::string text = "module {}";
  CHECK_FALSE(is_object(std::as_bytes(std::span(text))));
}
