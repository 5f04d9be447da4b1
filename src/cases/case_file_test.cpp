#include "pto/case_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>

#include "cases/dtype.hpp"
#include "cases/npy.hpp"
#include "testing/catch_main.hpp"
#include "testing/temp_dir.hpp"

namespace pto {
namespace {

namespace fs = std::filesystem;

std::string problem_of(std::string_view text) {
  const auto result = parse_case(text, "dir/case.toml", {});
  return result ? "" : result.error().message;
}

template <typename T>
std::vector<std::byte> bytes_of(std::vector<T> values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::span<const std::byte> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

TEST_CASE("a full case file is read", "[case]") {
  const auto the_case = parse_case(R"(
program = "${WHERE}/k.pto"
entry = "k"
target = "a5"
blocks = 2
level = "level3"
sync = "explicit"
[[arg]]
name = "a"
dtype = "f16"
shape = [16, 16]
fill = nan
[[arg]]
name = "c"
dtype = "f32"
shape = [4]
expect = "golden.bin"
select = { cols = 2 }
compare = { atol = 1e-2, rtol = 1, nan_equal = true }
[[arg]]
name = "n"
dtype = "i32"
value = -64
[meta]
anything = { goes = [1, "x"] }
)",
                                   "dir/case.toml", Defines(Defines::Values{{"WHERE", "sub"}}));
  REQUIRE(the_case);
  CHECK(the_case->program == "dir/sub/k.pto");
  CHECK(the_case->blocks == 2);
  REQUIRE(the_case->args.size() == 3);
  CHECK(the_case->args[0].fill == "nan");
  CHECK(the_case->args[1].select->stride == 2);
  CHECK(the_case->args[1].compare.rtol == 1.0);
  CHECK(the_case->args[2].value == "-64");
}

TEST_CASE("mistakes in a case file are named with their line", "[case]") {
  CHECK(problem_of("program = \"k\"\nblcoks = 1\n") ==
        "dir/case.toml:2: unknown key 'blcoks', did you mean 'blocks'?");
  CHECK(problem_of("entry = \"k\"\n").find("no 'program'") != std::string::npos);
  CHECK(problem_of("program = 'k'\n[[arg]]\nname='a'\ndtype='f33'\nshape=[1]\n")
            .find(":4: there is no dtype 'f33'") != std::string::npos);
  CHECK(problem_of("program = 'k'\n[[arg]]\nname='a'\ndtype='i8'\nvalue=256\n")
            .find("'256' is not a value of i8") != std::string::npos);
  CHECK(problem_of("program = 'k'\n[[arg]]\ndtype='i8'\n").find("neither 'shape'") != std::string::npos);
  CHECK(problem_of("program = 'k'\n[[arg]]\ndtype='i8'\nshape=[2]\nfill=0\ninput='x'\n")
            .find("both 'input' and 'fill'") != std::string::npos);
  CHECK(problem_of("program = '${PTO_TEST_NOT_SET}/k'\n").find("-D PTO_TEST_NOT_SET=") != std::string::npos);
  CHECK(problem_of("program = 'k'\n[[arg]]\ndtype='f32'\nshape=[2]\nexpect='e'\ncompare={atoll=1}\n")
            .find("did you mean 'atol'?") != std::string::npos);
  CHECK(problem_of("program = \n").starts_with("dir/case.toml:1:"));
  CHECK(problem_of("blocks = 0\nprogram='k'\n").find("between 1 and 65535") != std::string::npos);
}

TEST_CASE("absurd sizes are refused before anything is allocated", "[case]") {
  for (const char* shape :
       {"[1099511627776]", "[1099511627776, 1099511627776]", "[9223372036854775807, 3]"}) {
    const auto the_case = parse_case(
        "program='k'\n[[arg]]\nname='big'\ndtype='f32'\nshape=" + std::string(shape) + "\n", "c.toml", {});
    REQUIRE(the_case);
    const auto arguments = load_arguments(*the_case);
    REQUIRE_FALSE(arguments);
    CHECK(arguments.error().message.find("does not fit") != std::string::npos);
  }
}

TEST_CASE("scalars and fills become bits", "[case]") {
  CHECK(*report::bits_of_number(Elem::i8, "-1") == 0xff);
  CHECK(*report::bits_of_number(Elem::ui64, "18446744073709551615") == ~uint64_t{0});
  CHECK(*report::bits_of_number(Elem::f32, "-0.5") == 0xbf000000);
  CHECK(*report::bits_of_number(Elem::f16, "inf") == 0x7c00);
  CHECK(*report::bits_of_number(Elem::i32, "3.0") == 3);
  CHECK_FALSE(report::bits_of_number(Elem::ui8, "-1"));
  CHECK_FALSE(report::bits_of_number(Elem::i32, "1.5"));
  CHECK_FALSE(report::bits_of_number(Elem::i32, "12x"));
  const auto the_case =
      parse_case("program='k'\n[[arg]]\ndtype='i16'\nvalue=-2\n[[arg]]\ndtype='i16'\nshape=[3]\nfill=-77\n",
                 "c.toml", {});
  REQUIRE(the_case);
  const auto arguments = load_arguments(*the_case);
  REQUIRE(arguments);
  CHECK((*arguments)[0].scalar == static_cast<uint64_t>(int64_t{-2}));
  CHECK(std::ranges::equal((*arguments)[1].data(), bytes_of<int16_t>({-77, -77, -77})));
}

TEST_CASE("arguments of the command line", "[case]") {
  CHECK(parse_arg("a=a.npy")->input == "a.npy");
  CHECK(parse_arg("c=f32[16x8]")->shape == std::vector<int64_t>{16, 8});
  CHECK(parse_arg("c=f32[4]:1.5")->fill == "1.5");
  CHECK(parse_arg("c=f32[4]@c.bin")->input == "c.bin");
  CHECK(parse_arg("n=i32:64")->value == "64");
  for (const char* with_bits :
       {"a=a.npy:bits", "c=f32[4]:bits", "c=f32[4]:1.5:bits", "c=f32[4]@c.bin:bits", "n=i32:64:bits"}) {
    INFO(with_bits);
    REQUIRE(parse_arg(with_bits));
    CHECK(parse_arg(with_bits)->bits);
  }
  CHECK(parse_arg("c=f32[4]@c.bin:bits")->input == "c.bin");
  CHECK_FALSE(parse_arg("c=f32[4]@c.bin")->bits);
  for (const char* wrong : {"a", "=f32[1]", "n=i32:bits", "a=x.bin", "a=f32", "a=f32[", "a=f32[1xx]",
                            "a=f32[1]tail", "n=i8:999", "n=i8:"}) {
    INFO(wrong);
    CHECK_FALSE(parse_arg(wrong));
  }
}

// Headers as NumPy 1.24 writes them, copied byte by byte from np.save.
const std::string kNumpyFile =
    std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
    "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" + std::string(58, ' ') + "\n" +
    std::string("\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40\0\0\xa0\x40", 24);
const std::string kNumpyFortran = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                                  "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }" +
                                  std::string(59, ' ') + "\n" + std::string("\x00\x03\x01\x04\x02\x05", 6);

TEST_CASE("npy files are read as NumPy writes them", "[case][npy]") {
  CHECK(*report::npy_elements(as_bytes(kNumpyFile), Elem::f32, 6) == bytes_of<float>({0, 1, 2, 3, 4, 5}));
  CHECK(*report::npy_elements(as_bytes(kNumpyFortran), Elem::ui8, 6) ==
        bytes_of<uint8_t>({0, 1, 2, 3, 4, 5}));
  CHECK(report::npy_header(Elem::f32, {2, 3}) == kNumpyFile.substr(0, 128));
  CHECK(report::parse_npy_header(as_bytes(kNumpyFile))->shape == std::vector<int64_t>{2, 3});
  CHECK(report::npy_elem("|V2") == Elem::bf16);
}

TEST_CASE("damaged npy files are errors", "[case][npy]") {
  for (size_t size = 0; size < kNumpyFile.size(); ++size)
    CHECK_FALSE(report::npy_elements(as_bytes(kNumpyFile).first(size), Elem::f32, 6));
  CHECK_FALSE(report::npy_elements(as_bytes(kNumpyFile), Elem::f16, 6));
  CHECK_FALSE(report::npy_elements(as_bytes(kNumpyFile), Elem::f32, 5));
  CHECK_FALSE(report::npy_elements(as_bytes(kNumpyFile + "x"), Elem::f32, 6));
  std::string huge = kNumpyFile;
  huge.replace(huge.find("(2, 3)"), 6, "(9999999999999999,)");
  CHECK_FALSE(report::npy_elements(as_bytes(huge), Elem::f32, 6));
}

Case comparing(const fs::path& expect, Elem dtype, int64_t n, Compare rule) {
  Case the_case;
  CaseArg arg;
  arg.name = "c";
  arg.dtype = dtype;
  arg.shape = {n};
  arg.expect = expect.string();
  arg.compare = rule;
  the_case.args.push_back(arg);
  return the_case;
}

template <typename T>
std::vector<Mismatch> judge(std::vector<T> got, std::vector<T> want, Elem dtype, Compare rule) {
  const test::TempDir folder;
  const auto bytes = bytes_of(want);
  const auto file = folder.put("want.bin", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::vector<Argument> arguments(1);
  arguments[0].bytes = bytes_of(got);
  const auto result =
      compare_expected(comparing(file, dtype, static_cast<int64_t>(got.size()), rule), arguments);
  REQUIRE(result);
  CHECK(result->mismatches.size() + result->agreements.size() == 1);
  return result->mismatches;
}

TEST_CASE("comparison rules", "[case][compare]") {
  const float inf = INFINITY, nan = NAN;
  Compare exact, close, ulp, eps, nan_rule;
  close.atol = 0.5;
  ulp.ulp = 1;
  eps.eps = 1e-3;
  eps.max_bad = 0.25;
  nan_rule.nan_equal = true;
  CHECK(judge<float>({1, nan}, {1, nan}, Elem::f32, exact).empty());
  CHECK(judge<float>({0.0F}, {-0.0F}, Elem::f32, exact).size() == 1);
  CHECK(judge<float>({0.0F, 1.25F}, {-0.0F, 1}, Elem::f32, close).empty());
  CHECK(judge<float>({inf}, {1}, Elem::f32, close).size() == 1);
  CHECK(judge<float>({inf}, {-inf}, Elem::f32, close).size() == 1);
  CHECK(judge<float>({nan}, {1}, Elem::f32, close).size() == 1);
  CHECK(judge<float>({-nan}, {nan}, Elem::f32, nan_rule).empty());
  CHECK(judge<float>({-nan}, {nan}, Elem::f32, close).size() == 1);
  CHECK(judge<float>({std::nextafter(1.0F, 2.0F)}, {1}, Elem::f32, ulp).empty());
  CHECK(judge<float>({1.0000003F}, {1}, Elem::f32, ulp).size() == 1);
  CHECK(judge<float>({1, 2, 3, 4.5F}, {1, 2, 3, 4}, Elem::f32, eps).empty());
  const auto found = judge<float>({1, 2.5F, 3.5F, 4}, {1, 2, 3, 4}, Elem::f32, eps);
  REQUIRE(found.size() == 1);
  CHECK(found[0].index == 1);
  CHECK(found[0].byte == 4);
  CHECK(found[0].message ==
        "c: 2 of 4 elements differ; first at element 1: expected 2 (0x40000000), got 2.5 (0x40200000), "
        "2097152 ulp apart");
}

TEST_CASE("select names the elements that are compared", "[case][compare]") {
  const test::TempDir folder;
  const std::string want("\x01\x02\x05\x06", 4);
  auto the_case = comparing(folder.put("want.bin", want), Elem::ui8, 8, {});
  the_case.args[0].select = Select{1, 2, 2, 4};
  std::vector<Argument> arguments(1);
  arguments[0].bytes = bytes_of<uint8_t>({9, 1, 2, 9, 9, 5, 7, 9});
  const auto result = compare_expected(the_case, arguments);
  REQUIRE(result);
  REQUIRE(result->mismatches.size() == 1);
  CHECK(result->mismatches[0].index == 6);
  the_case.args[0].select = Select{3, 2, 2, 4};
  CHECK_FALSE(compare_expected(the_case, arguments));
  // 2^61 elements of 8 bytes: their size is no number.
  the_case.args[0] = comparing(folder.put("none.bin", ""), Elem::i64, 1, {}).args[0];
  the_case.args[0].select = Select{0, int64_t{1} << 61, 1, 0};
  CHECK_FALSE(compare_expected(the_case, arguments));
}

TEST_CASE("what agrees is counted, with its largest error", "[case][compare]") {
  const test::TempDir folder;
  const auto want = bytes_of<float>({1, 2, 3, 4, INFINITY, 6});
  auto the_case = comparing(folder.put("want.bin", {reinterpret_cast<const char*>(want.data()), want.size()}),
                            Elem::f32, 6, {});
  the_case.args[0].shape = {2, 3};
  the_case.args[0].compare.atol = 0.5;
  the_case.args[0].compare.max_bad = 0.2;
  std::vector<Argument> arguments(1);
  arguments[0].bytes = bytes_of<float>({1.125, 2, 3, 3.75, INFINITY, 600});
  const auto result = compare_expected(the_case, arguments);
  REQUIRE(result);
  REQUIRE(result->mismatches.empty());
  REQUIRE(result->agreements.size() == 1);
  const Agreement& found = result->agreements[0];
  CHECK(found.arg == "c");
  CHECK(found.of == 6);
  CHECK(found.count == 5);  // one may be wrong; its error is not the largest
  CHECK(found.largest_error == 0.25);
  CHECK(found.where == std::vector<uint64_t>{1, 0});
}

TEST_CASE("outputs replace files only when all were written", "[case]") {
  const test::TempDir folder;
  folder.put("a.bin", "old");
  Case the_case;
  CaseArg a, b;
  a.name = "a";
  a.dtype = Elem::ui8;
  a.shape = {3};
  a.output = (folder.path / "a.bin").string();
  b = a;
  b.name = "b";
  b.output = (folder.path / "missing" / "b.npy").string();
  the_case.args = {a, b};
  std::vector<Argument> arguments(2);
  arguments[0].bytes = arguments[1].bytes = bytes_of<uint8_t>({1, 2, 3});
  CHECK_FALSE(write_outputs(the_case, arguments));
  CHECK(*read_buffer(a.output, Elem::ui8, 3) == bytes_of<uint8_t>({'o', 'l', 'd'}));
  fs::create_directory(folder.path / "missing");
  CHECK(write_outputs(the_case, arguments));
  CHECK(*read_buffer(a.output, Elem::ui8, 3) == arguments[0].bytes);
  CHECK(*read_buffer(the_case.args[1].output, Elem::ui8, 3) == arguments[0].bytes);
  CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 2);
}

TEST_CASE("short, missing and wrong inputs are clear errors", "[case]") {
  const test::TempDir folder;
  CHECK(read_buffer(folder.put("s.bin", "123"), Elem::f32, 1)
            .error()
            .message.find("has 3 bytes, 1 elements of f32 need 4") != std::string::npos);
  CHECK(read_buffer(folder.path / "none.bin", Elem::f32, 1).error().message.find("No such file") !=
        std::string::npos);
  CHECK_FALSE(read_buffer(folder.path, Elem::f32, 1));
}

}  // namespace
}  // namespace pto
