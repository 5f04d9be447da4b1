// The one way in which tools write files: finished beside their places, put there together.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pto/result.hpp"

namespace pto {

class TemporaryName;

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
  OutputFile();
  [[nodiscard]] bool in_place() const { return temporary_.empty(); }

  std::filesystem::path named_, target_, temporary_;  ///< as written; behind links; empty: written in place
  std::unique_ptr<TemporaryName> unfinished_;         ///< for signals that end the process
  std::FILE* stream_ = nullptr;
  bool borrowed_ = false;  ///< standard output or standard error
  bool replaces_ = false;  ///< there is a file that the finished one replaces
  int problem_ = 0;        ///< errno of the first failure
};

/// A file that a run names, and as what: "--out c", "the program".
struct NamedFile {
  std::string what;
  std::filesystem::path file;
};

/// What the files that a run writes must not be. Whoever opens one asks here (OutputFiles does).
struct FileGuard {
  std::filesystem::path folder;   ///< all files lie in it or below it; empty: anywhere
  std::vector<NamedFile> inputs;  ///< that no output replaces

  /// Links are followed; the file need not exist.
  [[nodiscard]] Result<bool> may_write(const NamedFile& file) const;
  /// Whether it lies where files may.
  [[nodiscard]] Result<bool> may_touch(const NamedFile& file) const;
};

/// Files of one run. `commit` puts all of them in place or leaves every file as it was; without it nothing is
/// left behind. Links are written through and modes are kept. Devices, pipes and the standard streams ("-" is
/// standard output) are written in place: what has gone there cannot be taken back.
class OutputFiles {
 public:
  OutputFiles() = default;
  explicit OutputFiles(FileGuard guard) : guard_(std::move(guard)) {}
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;
  ~OutputFiles();
  /// Begins a file; it belongs to this object. Refuses what the guard does not allow, and what could not be
  /// replaced: a directory, a read-only file.
  Result<OutputFile*> open(const std::filesystem::path& file);
  Result<bool> commit();

 private:
  Result<bool> put_in_place();

  FileGuard guard_;
  std::vector<std::unique_ptr<OutputFile>> files_;
};

/// Removes the unfinished files of all runs of this process; for handlers of signals that end it.
void remove_unfinished_files() noexcept;

/// Refuses an output that is an input, and two outputs that are one file. The file counts, not its name;
/// character devices may be named twice.
Result<bool> check_distinct(std::span<const NamedFile> outputs, std::span<const NamedFile> inputs);

}  // namespace pto
