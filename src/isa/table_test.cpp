#include <map>
#include <set>

#include "isa/row.hpp"
#include "support/catch.hpp"

namespace pto::isa {
namespace {

TEST_CASE("every schema compiles", "[isa]") {
  for (const Row& row : rows()) {
    Schema compiled;
    std::string problem;
    INFO(row.name);
    CHECK(compile_schema(row, compiled, problem));
    CHECK(problem.empty());
    CHECK(known_pipe(row));
    CHECK(&schema(id_of(row)) == &schema(id_of(row)));
  }
}

TEST_CASE("forms of one mnemonic stand together", "[isa]") {
  std::set<std::string_view> names;
  std::string_view last;
  for (const Row& row : rows()) {
    INFO(row.name);
    CHECK((row.name == last || names.insert(row.name).second));
    last = row.name;
  }
  CHECK(find_row("pto.tadd") != nullptr);
  CHECK(find_row("pto.tad") == nullptr);
}

TEST_CASE("operand specs: kind, arity and role", "[isa]") {
  const Schema& trem = schema(id_of(*find_row("pto.trem")));
  REQUIRE(trem.operands.size() == 4);
  CHECK(trem.operands[2].name == "tmp");
  CHECK(trem.operands[2].arity == Arity::optional);
  CHECK(trem.operands[2].role == Role::tmp);
  CHECK(trem.operands[3].role == Role::out);
  CHECK(trem.operands[3].kinds == kTile);
  CHECK(schema(id_of(*find_row("pto.make_tensor_view"))).has_variadic);
}

TEST_CASE("attribute specs: enumerant default and optional", "[isa]") {
  const Schema& tcvt = schema(id_of(*find_row("pto.tcvt")));
  const AttrSpec& rmode = tcvt.attrs[0];
  CHECK(rmode.has_default);
  CHECK(rmode.default_int == 7);
  CHECK_FALSE(rmode.required);
  CHECK_FALSE(tcvt.attrs[1].required);
  CHECK(schema(id_of(*find_row("pto.set_flag"))).attrs[0].required);
}

TEST_CASE("syntax: optional group, words and types", "[isa]") {
  const Schema& mad = schema(id_of(*find_row("pto.mad")));
  using Kind = SyntaxNode::Kind;
  REQUIRE(mad.syntax.size() > 11);
  CHECK(mad.syntax[0].kind == Kind::operand);
  CHECK(mad.syntax[1].kind == Kind::punct);
  const SyntaxNode& unit_flag = mad.syntax[11];
  CHECK(unit_flag.kind == Kind::optional);
  REQUIRE(unit_flag.children.size() == 2);
  CHECK(unit_flag.children[0].text == "unit_flag");
  CHECK(unit_flag.children[1].kind == Kind::group);
  CHECK(unit_flag.children[1].children.at(0).kind == Kind::attr);
}

TEST_CASE("malformed rows are refused with their name", "[isa]") {
  const auto problem_of = [](Row row) {
    Schema out;
    std::string problem;
    CHECK_FALSE(compile_schema(row, out, problem));
    return problem;
  };
  CHECK(problem_of({.name = "x", .operands = "a"}) == "x: operand 'a' lacks a kind");
  CHECK(problem_of({.name = "x", .operands = "a:tyle"}) == "x: unknown operand kind 'tyle'");
  CHECK(problem_of({.name = "x", .attrs = "a:colour"}) == "x: unknown attribute type 'colour'");
  CHECK(problem_of({.name = "x", .attrs = "a:cmp=bigger"}) == "x: default 'bigger' is not a case of cmp");
  CHECK(problem_of({.name = "x", .syntax = "$y"}) == "x: unknown name 'y' at ''");
  CHECK(problem_of({.name = "x", .operands = "y:i32", .syntax = "($y"}) == "x: missing ')' at ''");
}

TEST_CASE("enumerations: names and values are unique per domain, aliases follow", "[isa]") {
  for (const EnumDomain& domain : enum_domains()) {
    std::set<std::string_view> names;
    for (const EnumCase& item : domain.cases) {
      INFO(domain.name << " " << item.name);
      CHECK(names.insert(item.name).second);
      CHECK(find_case(domain, case_name(domain, item.value))->value == item.value);
    }
    CHECK(find_enum(domain.name) == &domain);
  }
}

}  // namespace
}  // namespace pto::isa
