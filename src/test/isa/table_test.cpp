#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "ir/op_queries.hpp"
#include "isa/rows/families.hpp"
#include "testing/catch_main.hpp"

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

TEST_CASE("syntax: clauses, conditions, mixed lists, regions and their words", "[isa]") {
  using Kind = SyntaxNode::Kind;
  const auto of = [](std::string_view name) -> const Schema& { return schema(id_of(*find_row(name))); };
  const Schema& gm = of("pto.mte_l0c_gm");
  const auto clauses = std::ranges::find(gm.syntax, Kind::clauses, &SyntaxNode::kind);
  REQUIRE(clauses != gm.syntax.end());
  CHECK(clauses->children.size() == 7);
  const SyntaxNode& layout = clauses->children[3].children.at(1);
  REQUIRE(layout.kind == Kind::choice);
  CHECK(layout.children[1].children.at(1).kind == Kind::is);
  CHECK(layout.children[1].children.at(1).value == 1);
  const Schema& window = of("memref.subview");
  REQUIRE(window.mixed.size() == 3);
  CHECK(window.attrs[window.mixed[1].attr].name == "static_sizes");
  CHECK(window.operands[window.mixed[1].slot].name == "sizes");
  const Schema& branch = of("scf.if");
  REQUIRE(branch.regions.size() == 2);
  CHECK(branch.regions[1].word == "else");
  CHECK(branch.regions[1].optional);
  const Schema& loop = of("scf.while");
  REQUIRE(loop.regions.size() == 2);
  CHECK(loop.regions[1].word == "do");
  CHECK_FALSE(loop.regions[1].optional);
  CHECK(loop.regions[0].arguments.size() == 1);
  CHECK(loop.names_arguments);
  CHECK(of("pto.tgather").tile.inside);
  CHECK(of("pto.tgather").tile.ins == std::vector<uint16_t>{0, 3, 5, 4});
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
  CHECK(problem_of({.name = "x", .attrs = "a:cmp", .syntax = "$a=bigger"}) ==
        "x: unknown case 'bigger' at ''");
  CHECK(problem_of({.name = "x", .syntax = "region"}) == "x: its syntax has 1 regions, its row says 0");
  CHECK(problem_of({.name = "x", .syntax = "@dps order(y)"}) == "x: unknown tile form at 'order(y)'");
  CHECK(problem_of({.name = "x", .operands = "y:i32", .syntax = "($y"}) == "x: missing ')' at ''");
}

// The numbers in the program are those that the rows of this build give at run time, and a changed row gives
// another.
TEST_CASE("the hash of the table follows the table", "[isa]") {
  for (const Family& family : families()) {
    INFO(family.name);
    CHECK(family.hash == layout_hash(family.rows));
    for (std::string_view Row::*part : {&Row::name, &Row::operands, &Row::results, &Row::attrs}) {
      std::vector<Row> changed(family.rows.begin(), family.rows.end());
      changed.back().*part = "other";
      CHECK(layout_hash(changed) != family.hash);
    }
    std::vector<Row> documented(family.rows.begin(), family.rows.end());
    documented.front().doc = "other";
    CHECK(layout_hash(documented) == family.hash);
  }
  CHECK(enums_hash() == layout_hash(enum_domains()));
  uint64_t hash = layout_hash(enum_domains());
  for (const Family& family : families())
    hash = std::rotl(hash, 7) * 0x9e3779b97f4a7c15ULL ^ layout_hash(family.rows);
  CHECK(table_hash() == hash);
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
