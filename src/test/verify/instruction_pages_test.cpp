// The legality that the pages of tcvt, trem, tpartmul, mad and settf32mode state, transcribed as they state
// it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "pto/assembler.hpp"
#include "pto/verify.hpp"
#include "testing/catch_main.hpp"

namespace pto {
namespace {

Diagnostics check(std::string_view body, Target target) {
  const std::string text = fmt::format(
      "module {{\n  func.func @k() attributes {{pto.kernel}} {{\n{}\n    return\n  }}\n}}\n", body);
  Diagnostics out;
  ParseOptions options;
  options.target = target;
  const std::optional<Program> program = parse(text, options, out);
  if (program) verify(*program, {}, out);
  return out;
}

std::string listing(const Diagnostics& out) {
  std::string text;
  for (const Diagnostic& d : out.all())
    text += fmt::format("{} {} ({})\n", to_string(d.id), d.message, to_string(d.help));
  return text;
}

bool refused(const Diagnostics& out, FindingId id) {
  return std::ranges::any_of(out.all(), [&](const Diagnostic& d) { return d.id == id; });
}

std::string tile(std::string_view elem, std::string_view shape = "16x64", std::string_view rest = "") {
  return fmt::format("!pto.tile_buf<vec, {}x{}{}>", shape, elem, rest);
}

// ---- tcvt: the table of conversions, row by row; names as on the page.

const std::map<std::string_view, std::string_view> kElements = {
    {"FP32", "f32"},
    {"FP16", "f16"},
    {"BF16", "bf16"},
    {"I16", "i16"},
    {"I32", "i32"},
    {"I64", "i64"},
    {"U8", "ui8"},
    {"I8", "i8"},
    {"S4", "i4"},
    {"U32", "ui32"},
    {"U16", "ui16"},
    {"FP8_E4M3", "f8E4M3FN"},
    {"FP8_E5M2", "f8E5M2"},
    {"H8", "!pto.hif8"},
    {"FP4_E1M2X2", "!pto.f4E1M2x2"},
    {"FP4_E2M1X2", "!pto.f4E2M1x2"},
};
using Row = std::pair<std::string_view, std::set<std::string_view>>;
const std::vector<Row> kA2a3 = {
    {"FP32", {"FP16", "FP32", "BF16", "I16", "I32", "I64"}},
    {"FP16", {"FP32", "I32", "I16", "I8", "U8", "S4"}},
    {"BF16", {"FP32", "I32"}},
    {"I16", {"FP16", "FP32"}},
    {"I32", {"FP32", "I16", "I64", "FP16"}},
    {"I64", {"FP32", "I32"}},
    {"U8", {"FP16"}},
    {"I8", {"FP16"}},
    {"S4", {"FP16"}},
};
const std::vector<Row> kA5 = {
    {"FP32", {"FP32", "FP16", "BF16", "I16", "I32", "I64", "FP8_E4M3", "FP8_E5M2", "H8"}},
    {"FP16", {"FP32", "I32", "I16", "I8", "U8", "H8"}},
    {"BF16", {"FP32", "I32", "FP16", "FP4_E1M2X2", "FP4_E2M1X2"}},
    {"I16", {"U8", "FP16", "FP32", "U32", "I32"}},
    {"I32", {"FP32", "I16", "U16", "I64", "U8"}},
    {"I64", {"FP32", "I32"}},
    {"U8", {"FP16", "U16"}},
    {"I8", {"FP16", "I16", "I32"}},
    {"U32", {"U8", "U16", "I16"}},
    {"FP8_E4M3", {"FP32"}},
    {"FP8_E5M2", {"FP32"}},
    {"H8", {"FP32"}},
    {"FP4_E1M2X2", {"BF16"}},
    {"FP4_E2M1X2", {"BF16"}},
};

bool listed(const std::vector<Row>& table, std::string_view from, std::string_view to) {
  return std::ranges::any_of(table,
                             [&](const Row& row) { return row.first == from && row.second.contains(to); });
}

/// 64 values; those of 4 bits are two to a column.
std::string_view columns(std::string_view elem) { return elem.starts_with("FP4") ? "16x32" : "16x64"; }

TEST_CASE("tcvt takes the conversions of its table, per target", "[verify]") {
  for (const auto& [from, from_text] : kElements) {
    for (const auto& [to, to_text] : kElements) {
      const std::string body = fmt::format(
          "%s = pto.alloc_tile : {0}\n%d = pto.alloc_tile : {1}\npto.tcvt ins(%s : {0}) outs(%d : {1})",
          tile(from_text, columns(from)), tile(to_text, columns(to)));
      const bool a2a3 = listed(kA2a3, from, to);
      const bool a5 = listed(kA5, from, to);
      const Diagnostics on_a2a3 = check(body, Target::a2a3);
      const Diagnostics on_a5 = check(body, Target::a5);
      const Diagnostics on_cpu = check(body, Target::cpu);
      INFO(from << " -> " << to << "\n" << listing(on_a2a3) << listing(on_a5));
      CHECK(refused(on_a2a3, E0331) == !a2a3);
      CHECK(refused(on_a5, E0331) == !a5);
      CHECK(refused(on_cpu, E0331) == !(a2a3 || a5));
      CHECK((on_a2a3.errors() == 0) == a2a3);
      CHECK((on_a5.errors() == 0) == a5);
    }
  }
}

TEST_CASE("tcvt takes every rounding mode and both saturation modes", "[verify]") {
  for (const std::string_view mode :
       {"NONE", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD", "CAST_RINT", "CAST_ROUND"}) {
    for (const std::string_view sat :
         {"", ", sat_mode = #pto<saturation_mode ON>", ", sat_mode = #pto<saturation_mode OFF>"}) {
      const std::string body = fmt::format(
          "%s = pto.alloc_tile : {0}\n%d = pto.alloc_tile : {1}\npto.tcvt ins(%s {{rmode = #pto<round_mode "
          "{2}>{3}}} : {0}) outs(%d : {1})",
          tile("f32"), tile("i32"), mode, sat);
      const Diagnostics out = check(body, Target::a5);
      INFO(mode << sat << "\n" << listing(out));
      CHECK(out.errors() == 0);
    }
  }
}

// ---- trem

std::string trem(std::string_view elem, std::string_view tmp = "") {
  const std::string data = tile(elem);
  if (tmp.empty())
    return fmt::format(
        "%s = pto.alloc_tile : {0}\n%d = pto.alloc_tile : {0}\npto.trem ins(%s, %s : {0}, {0}) outs(%d : "
        "{0})",
        data);
  return fmt::format(
      "%s = pto.alloc_tile : {0}\n%t = pto.alloc_tile : {1}\n%d = pto.alloc_tile : {0}\npto.trem ins(%s, %s, "
      "%t : {0}, {0}, {1}) outs(%d : {0})",
      data, tmp);
}

TEST_CASE("trem: element types per target", "[verify]") {
  const std::set<std::string_view> a2a3 = {"f32", "i32", "si32"};
  const std::set<std::string_view> a5 = {"f32", "i32", "si32", "ui32", "f16", "i16", "si16", "ui16", "i64"};
  for (const std::string_view elem :
       {"f32", "f16", "bf16", "i8", "ui8", "i16", "si16", "ui16", "i32", "si32", "ui32", "i64"}) {
    INFO(elem);
    CHECK((check(trem(elem), Target::a2a3).errors() == 0) == a2a3.contains(elem));
    CHECK((check(trem(elem), Target::a5).errors() == 0) == a5.contains(elem));
  }
}

TEST_CASE("trem: the scratch tile is checked on a2a3, accepted on a5, optional on both", "[verify]") {
  struct Tmp {
    std::string type;
    bool fits;
  };
  for (const Tmp& tmp : {Tmp{tile("f32", "2x64"), true}, Tmp{tile("f32", "1x64"), true},
                         Tmp{tile("f32", "2x32"), false}, Tmp{tile("f32", "16x64", ", valid=16x63"), false},
                         Tmp{tile("i32", "2x64"), false}, Tmp{tile("f32", "16x128"), true}}) {
    INFO(tmp.type);
    CHECK((check(trem("f32", tmp.type), Target::a2a3).errors() == 0) == tmp.fits);
    CHECK(check(trem("f32", tmp.type), Target::a5).errors() == 0);
  }
}

// ---- tpartmul

std::string tpartmul(std::string_view elem, std::string_view v0, std::string_view v1, std::string_view vd) {
  const auto typed = [&](std::string_view valid) {
    return tile(elem, "16x64", fmt::format(", valid={}", valid));
  };
  return fmt::format(
      "%a = pto.alloc_tile : {0}\n%b = pto.alloc_tile : {1}\n%d = pto.alloc_tile : {2}\npto.tpartmul ins(%a, "
      "%b : {0}, {1}) outs(%d : {2})",
      typed(v0), typed(v1), typed(vd));
}

TEST_CASE("tpartmul: element types per target", "[verify]") {
  const std::set<std::string_view> a2a3 = {"i32", "i16", "f16", "f32"};
  const std::set<std::string_view> a5 = {"ui8", "i8", "ui16", "i16", "ui32", "i32", "f16", "f32", "bf16"};
  for (const std::string_view elem :
       {"i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "f16", "bf16", "f32"}) {
    INFO(elem);
    CHECK((check(tpartmul(elem, "16x64", "16x64", "16x64"), Target::a2a3).errors() == 0) ==
          a2a3.contains(elem));
    CHECK((check(tpartmul(elem, "16x64", "16x64", "16x64"), Target::a5).errors() == 0) == a5.contains(elem));
  }
}

TEST_CASE("tpartmul: one source equals dst's valid region, the other does not exceed it", "[verify]") {
  struct Regions {
    std::string_view src0, src1, dst;
    bool legal;
  };
  for (const Regions& r : {Regions{"16x64", "16x64", "16x64", true}, Regions{"16x64", "8x64", "16x64", true},
                           Regions{"8x32", "16x64", "16x64", true}, Regions{"8x64", "16x32", "16x64", false},
                           Regions{"16x64", "16x64", "16x63", false}, Regions{"8x64", "8x64", "16x64", false},
                           Regions{"16x64", "16x64", "8x64", false}}) {
    INFO(r.src0 << " " << r.src1 << " " << r.dst);
    CHECK(refused(check(tpartmul("f32", r.src0, r.src1, r.dst), Target::a2a3), E0357) == !r.legal);
  }
}

// ---- mad

std::string mad(std::string_view lhs, std::string_view rhs, std::string_view dst, std::string_view clauses,
                int k = 32) {
  return fmt::format(
      "%m = arith.constant 16 : i64\n%k = arith.constant {4} : i64\n%z = arith.constant 0 : i64\n%a = "
      "pto.castptr %z : i64 -> !pto.ptr<{0}, l0a>\n%b = pto.castptr %z : i64 "
      "-> !pto.ptr<{1}, l0b>\n%c = pto.castptr %z : i64 -> !pto.ptr<{2}, l0c>\npto.mad %a, %b, %c, %m, %m, "
      "%k {3} : !pto.ptr<{0}, l0a>, !pto.ptr<{1}, l0b>, !pto.ptr<{2}, "
      "l0c>, i64, i64, i64",
      lhs, rhs, dst, clauses, k);
}

TEST_CASE("mad: clauses and their conditions", "[verify]") {
  for (const Target target : {Target::a2a3, Target::a5, Target::cpu}) {
    CHECK(check(mad("f16", "f16", "f32", ""), target).errors() == 0);
    CHECK(check(mad("f16", "f16", "f32", "unit_flag(check_only) disable_gemv sat n_dir"), target).errors() ==
          0);
    CHECK(check(mad("f32", "f32", "f32", "unit_flag(check_and_set) nosat tf32_mode(round_away)"), target)
              .errors() == 0);
    CHECK(check(mad("i8", "i8", "i32", ""), target).errors() == 0);
    CHECK(refused(check(mad("f16", "f16", "f32", "tf32_mode(round_even)"), target), E0412));
    CHECK(refused(check(mad("i8", "i8", "i32", "sat"), target), E0412));
    CHECK(refused(check(mad("f16", "f16", "f32", "", 0), target), E0413));
    CHECK(refused(check(mad("f16", "f16", "f32", "", 4096), target), E0413));
    CHECK(refused(check(mad("f16", "bf16", "f32", ""), target), E0331));
  }
}

// ---- settf32mode

TEST_CASE("settf32mode: legal on every target, reserved modes refused on a5", "[verify]") {
  for (const std::string_view form :
       {"pto.settf32mode {{enable = {}, mode = #pto<round_mode {}>}}",
        "pto.settf32mode ins({{enable = {}, mode = #pto<round_mode {}>}}) outs()"}) {
    for (const Target target : {Target::a2a3, Target::a5, Target::cpu}) {
      for (const std::string_view enable : {"true", "false"}) {
        const Diagnostics out = check(fmt::format(fmt::runtime(form), enable, "CAST_ROUND"), target);
        INFO(form << " on " << to_string(target) << "\n" << listing(out));
        CHECK(out.errors() == 0);
        CHECK(refused(check(fmt::format(fmt::runtime(form), enable, "FLOOR"), target), E0313) ==
              (target == Target::a5));
      }
    }
  }
}

}  // namespace
}  // namespace pto
