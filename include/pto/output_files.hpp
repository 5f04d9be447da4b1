// The one way in which tools write files: finished beside their places, put there together.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/result.hpp"

namespace pto {

/// One file while it is written. What goes wrong is kept and told when the files are put in place.
class OutputFile {
 public:
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();
  void write(std::string_view bytes);
  /// Nothing more will be written: a run may have more files than can be open at once. False after a failure.
  bool finish();
  [[nodiscard]] bool good() const { return problem_ == 0; }

 private:
  friend class OutputFiles;
  OutputFile() = default;
  [[nodiscard]] bool in_place() const { return temporary_.empty(); }

  std::filesystem::path named_, target_, temporary_;  ///< as written; behind links; empty: written in place
  std::FILE* stream_ = nullptr;
  bool borrowed_ = false;  ///< standard output or standard error
  bool replaces_ = false;  ///< there is a file that the finished one replaces
  int problem_ = 0;        ///< errno of the first failure
};

/// Files of one run. `commit` puts all of them in place or leaves every file as it was; without it nothing is
/// left behind. Links are written through and modes are kept. Devices, pipes and the standard streams ("-" is
/// standard output) are written in place: what has gone there cannot be taken back.
class OutputFiles {
 public:
  OutputFiles() = default;
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;
  ~OutputFiles();
  /// Begins a file; it belongs to this object. Refuses what could not be replaced: a directory, a read-only
  /// file.
  Result<OutputFile*> open(const std::filesystem::path& file);
  Result<bool> commit();

 private:
  Result<bool> put_in_place();

  std::vector<std::unique_ptr<OutputFile>> files_;
};

/// A file that a run names, and as what: "--out c", "the program".
struct NamedFile {
  std::string what;
  std::filesystem::path file;
};
/// Refuses an output that is an input, and two outputs that are one file. The file counts, not its name;
/// character devices may be named twice.
Result<bool> check_distinct(std::span<const NamedFile> outputs, std::span<const NamedFile> inputs);

}  // namespace pto
