#include "support/json.hpp"

#include "testing/catch_main.hpp"

namespace pto {
namespace {

std::string nested(size_t levels, const std::string& inside = "") {
  return std::string(levels, '[') + inside + std::string(levels, ']');
}

TEST_CASE("JSON from outside is nested so deep at most", "[json]") {
  CHECK(parse_json(nested(kMaxJsonDepth)).is_array());
  CHECK(parse_json(nested(kMaxJsonDepth + 1)).is_discarded());
  CHECK(parse_json("{\"a\":" + nested(100000) + ",\"z\":1}").is_discarded());
  CHECK(parse_json("{\"a\":" + std::string(100000, '{')).is_discarded());
}

TEST_CASE("brackets in texts of JSON are no nesting", "[json]") {
  CHECK(parse_json("[\"" + std::string(1000, '[') + "\"]").is_array());
  CHECK(parse_json("[\"\\\"" + std::string(1000, '{') + "\\\\\", 1]").is_array());
  std::string many = "[";
  for (int i = 0; i < 1000; ++i) many += "[],";
  CHECK(parse_json(many + "0]").size() == 1001);
}

TEST_CASE("what is no JSON is discarded", "[json]") {
  for (const char* text : {"", "[", "]", "\"", "{\"a\"", "[1,]", "nul", "[\"\\"})
    CHECK(parse_json(text).is_discarded());
}

}  // namespace
}  // namespace pto
