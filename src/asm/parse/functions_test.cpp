// What a symbol means, and who calls whom.
#include "ir/call_graph.hpp"
#include "pto/assembler.hpp"
#include "testing/catch_main.hpp"

using namespace pto;

namespace {

Program read(std::string_view text) {
  Diagnostics diagnostics;
  std::optional<Program> program = parse(text, {}, diagnostics);
  REQUIRE(program.has_value());
  return std::move(*program);
}

const Function& named(const Functions& functions, std::string_view name) {
  for (const Function& function : functions.all()) {
    if (function.info.name == name) return function;
  }
  FAIL("no such function");
  return functions[0];
}

constexpr std::string_view kModules = R"(
module {
  module @A attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    func.func @h() { return }
    func.func @both() { return }
    module @inner { func.func @deep() { return } }
    func.func @in_a() { return }
  }
  module @B attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {
    func.func @h() { return }
    func.func @both() { return }
    func.func @in_b() { return }
  }
  module @C attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    func.func private @h()
    func.func @in_c() { return }
  }
  module @D attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {
    func.func @h() { return }
    func.func private @nowhere()
  }
  func.func @outside() { return }
})";

}  // namespace

TEST_CASE(
    "A symbol means the definition of its own module, then that of a module around, then all of the program",
    "[support][functions]") {
  const Program program = read(kModules);
  const Functions functions(program);
  const auto meant = [&](std::string_view name, std::string_view from) {
    return functions.named(name, named(functions, from).module);
  };
  REQUIRE(meant("h", "in_a").size() == 1);
  CHECK(functions[meant("h", "in_a")[0]].module == named(functions, "in_a").module);
  CHECK(functions[meant("h", "in_b")[0]].module == named(functions, "in_b").module);
  CHECK(functions[meant("h", "deep")[0]].module == named(functions, "in_a").module);
  CHECK(meant("h", "in_c").size() == 3);  // a declaration is no definition
  CHECK(meant("h", "outside").size() == 3);
  CHECK(functions.ambiguous(meant("h", "outside")));  // two vector modules
  CHECK(meant("both", "outside").size() == 2);
  CHECK_FALSE(functions.ambiguous(meant("both", "outside")));
  CHECK(functions[meant("nowhere", "in_a")[0]].info.declaration);
  CHECK(meant("none", "in_a").empty());
}

TEST_CASE("Callees come before their callers, circles are found, however long the chain",
          "[support][functions]") {
  std::string text;
  constexpr uint32_t kLength = 20000;
  for (uint32_t i = 0; i < kLength; ++i)
    text += "func.func @f" + std::to_string(i) + "() { func.call @f" + std::to_string(i + 1) +
            "() : () -> () return }\n";
  text += "func.func @f" + std::to_string(kLength) + "() { return }\n";
  text +=
      "func.func @x() { func.call @y() : () -> () return }\nfunc.func @y() { func.call @x() : () -> () "
      "return }\n";
  text += "func.func @self() { func.call @self() : () -> () return }\n";
  const Program program = read(text);
  const Functions functions(program);
  const CallGraph graph(program, functions);
  REQUIRE(functions.all().size() == kLength + 4);
  std::vector<uint32_t> position(functions.all().size());
  for (uint32_t i = 0; i < graph.callees_first().size(); ++i) position[graph.callees_first()[i]] = i;
  for (uint32_t i = 0; i < kLength; ++i) {
    if (position[i + 1] >= position[i]) FAIL("f" << i + 1 << " stands behind its caller");
  }
  CHECK(graph.recursive() == std::vector<uint32_t>{kLength + 1, kLength + 2, kLength + 3});
  CHECK(graph.calls_of(0).size() == 1);
}
