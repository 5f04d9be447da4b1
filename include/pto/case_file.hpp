// Case files: program + arguments + expectations (docs/user/case-file.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/defines.hpp"
#include "pto/output_files.hpp"
#include "pto/ranks.hpp"
#include "pto/result.hpp"
#include "pto/simulator.hpp"
#include "pto/sync_mode.hpp"
#include "pto/type.hpp"

namespace pto {

struct Select {
  int64_t offset = 0, rows = 1, cols = 0, stride = 0;
};
struct Compare {
  std::optional<double> atol, rtol, eps, max_bad;
  std::optional<uint64_t> ulp;
  bool nan_equal = false;
};
struct CaseArg {
  std::string name;
  Elem dtype = Elem::none;
  std::vector<int64_t> shape;         ///< empty for scalars
  std::optional<std::string> fill;    ///< a constant as written, or zeros, iota, random:SEED, range:A:B
  std::string input, output, expect;  ///< resolved paths, empty when absent
  std::optional<Select> select;
  Compare compare;
  std::optional<std::string> value;  ///< scalar, as written
  bool bits = false;                 ///< `dtype` only has the width; the parameter gives the type
  /// Of several devices: "x@3" is argument x of rank 3, in place of a buffer of this rank.
  std::string peer;
  std::optional<bool> window;  ///< of several devices: whether the others may access it
  bool added = false;          ///< given by --arg, beside the arguments of the case
};
struct Case {
  std::filesystem::path file;
  std::string program, entry, target;
  std::optional<Level> level;
  SyncBy sync = SyncBy::by_program;
  uint32_t blocks = 1;
  uint32_t ranks = 0;              ///< devices that run it together; 0: a single device without ranks
  std::string topology;            ///< name of a topology of the target; empty: its default
  std::vector<std::string> watch;  ///< as SimOptions::watch
  std::vector<CaseArg> args;
};

/// Reads a case file; `defines` feed ${NAME} (then the environment, then its default). Unknown keys outside
/// [meta] are errors. `settings` are KEY=VALUE in TOML, put over the file; arg.NAME.KEY is a key of the
/// argument of that name.
Result<Case> read_case(const std::filesystem::path& file, const Defines& defines,
                       std::span<const std::string> settings = {});
/// The same from text; `file` names it in messages and anchors relative paths.
Result<Case> parse_case(std::string_view text, const std::filesystem::path& file, const Defines& defines,
                        std::span<const std::string> settings = {});
/// The text of a case file for the path `file`; paths in it are relative to that. `notes` go into
/// [meta].
std::string case_text(const Case& the_case, const std::filesystem::path& file,
                      const std::vector<std::string>& notes = {});
/// The roles of a rank's arguments among the devices.
std::vector<RankArgument> rank_arguments(const Case& the_case);
/// The case of one of several devices: {rank}, {nranks}, {next} and {prev} are replaced by
/// integers.
Case case_of_rank(const Case& the_case, uint32_t rank);
/// --arg a=a.npy | c=f32[16x16] | c=f32[16x16]:1.5 (filled) | c=f32[16x16]@c.bin | n=i32:64, each also with
/// :bits behind it.
Result<CaseArg> parse_arg(std::string_view text);
/// --out c=c.npy: sets the output of the argument of that name.
Result<bool> add_output(Case& the_case, std::string_view text);

/// Fills in dtype and shape of arguments that were given as NAME=FILE.npy.
Result<bool> complete_arguments(Case& the_case);
/// Loads inputs into simulator arguments. Sizes above the available memory are refused before allocation.
Result<std::vector<Argument>> load_arguments(const Case& the_case);
/// Writes the outputs (raw or .npy): either all of them are written, or no file changes.
Result<bool> write_outputs(const Case& the_case, const std::vector<Argument>& arguments);

/// As write_outputs, into files that are committed together with others.
Result<bool> add_outputs(OutputFiles& files, const Case& the_case, const std::vector<Argument>& arguments);

/// File options of a run, which apply before any file is opened.
struct FilePolicy {
  std::vector<NamedFile> reports;  ///< written beside the case's outputs: --trace, --stats, standard output
  std::string source_root;         ///< where the texts of objects are looked for; empty: beside the object
  bool sandbox = false;            ///< nothing outside the folder of the case or program is read or written
};

struct Mismatch {
  std::string arg;
  size_t argument = 0;           ///< position among the arguments
  uint64_t index = 0, byte = 0;  ///< first differing element of the buffer, and its offset in bytes
  uint64_t count = 0, of = 0;    ///< how many of the expected elements differ
  std::string message;
  uint64_t got = 0;  ///< hash of all those elements
};
/// An expectation that holds.
struct Agreement {
  std::string arg;
  uint64_t of = 0;              ///< expected elements
  uint64_t count = 0;           ///< how many of them agree; the others are those that max_bad allows
  double largest_error = 0;     ///< absolute, over the finite elements that agree; 0: all are equal
  std::vector<uint64_t> where;  ///< of the largest error: the index of the element in each dimension
};
struct Comparison {
  std::vector<Mismatch> mismatches;
  std::vector<Agreement> agreements;
};
/// Compares with the expectations: each is in one of the two lists.
Result<Comparison> compare_expected(const Case& the_case, const std::vector<Argument>& arguments);

/// .npy and raw files.
Result<std::vector<std::byte>> read_buffer(const std::filesystem::path& file, Elem dtype, uint64_t elements);

}  // namespace pto
