// Case files: program + arguments + expectations (docs/case-file.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/result.hpp"
#include "pto/simulator.hpp"
#include "pto/type.hpp"

namespace pto {

struct Select { int64_t offset = 0, rows = 1, cols = 0, stride = 0; };
struct Compare {
  std::optional<double> atol, rtol, eps, max_bad;
  std::optional<uint64_t> ulp;
  bool nan_equal = false;
};
struct CaseArg {
  std::string name;
  Elem dtype = Elem::none;
  std::vector<int64_t> shape;                  ///< empty for scalars
  std::optional<double> fill;
  std::string input, output, expect;           ///< resolved paths, empty when absent
  std::optional<Select> select;
  Compare compare;
  std::optional<std::string> value;            ///< scalar, as written
};
struct Case {
  std::filesystem::path file;
  std::string program, entry, target, level, sync;
  uint32_t blocks = 1;
  std::vector<CaseArg> args;
};

/// Reads a case file; `defines` feed ${NAME} (then the environment). Unknown keys outside [meta] are errors.
Result<Case> read_case(const std::filesystem::path& file, const std::map<std::string, std::string>& defines);
/// --arg a=a.npy | c=f32[16x16] | n=i32:64 and --out c=c.npy, on top of or instead of a case.
Result<CaseArg> parse_arg(std::string_view text);

/// Loads inputs into simulator arguments. Sizes above the available memory are refused before allocation.
Result<std::vector<Argument>> load_arguments(const Case& the_case);
/// Writes the outputs (raw or .npy); existing files are replaced only when everything was written.
Result<bool> write_outputs(const Case& the_case, const std::vector<Argument>& arguments);

struct Mismatch { std::string arg; uint64_t index = 0, count = 0, of = 0; std::string message; };
/// Compares with the expectations; empty when all hold.
Result<std::vector<Mismatch>> compare_expected(const Case& the_case, const std::vector<Argument>& arguments);

/// .npy and raw files.
Result<std::vector<std::byte>> read_buffer(const std::filesystem::path& file, Elem dtype, uint64_t elements);
Result<bool> write_buffer(const std::filesystem::path& file, Elem dtype, const std::vector<int64_t>& shape, const std::vector<std::byte>& bytes);

}  // namespace pto
