// Output files of all tools: each is written to a temporary file, and all files of a run are
// committed together.
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

/// A file that is being written. Errors are stored, and reported by OutputFiles::commit().
class OutputFile {
 public:
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();
  void write(std::string_view bytes);
  /// Closes the file: a run may have more files than can be open at once. False after a failure.
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

/// A file name of a run and its role: "--out c", "the program".
struct NamedFile {
  std::string what;
  std::filesystem::path file;
};

/// Restrictions for the output files of a run. OutputFiles checks them.
struct FileGuard {
  std::filesystem::path folder;   ///< all files lie in it or below it; empty: anywhere
  std::vector<NamedFile> inputs;  ///< that no output replaces

  /// Links are followed; the file need not exist.
  [[nodiscard]] Result<bool> may_write(const NamedFile& file) const;
  /// Whether the file is in the permitted folder.
  [[nodiscard]] Result<bool> may_touch(const NamedFile& file) const;
};

/// The output files of one run. `commit` replaces all of them or none; without it no file changes.
/// Links are followed and modes are kept. Devices, pipes and the standard streams ("-" is standard
/// output) are written directly, and this cannot be undone.
class OutputFiles {
 public:
  OutputFiles() = default;
  explicit OutputFiles(FileGuard guard) : guard_(std::move(guard)) {}
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;
  ~OutputFiles();
  /// Opens a file, which this object owns. Refuses files that the guard does not permit,
  /// directories and read-only files.
  Result<OutputFile*> open(const std::filesystem::path& file);
  Result<bool> commit();

 private:
  Result<bool> put_in_place();

  FileGuard guard_;
  std::vector<std::unique_ptr<OutputFile>> files_;
};

/// Removes the unfinished files of all runs of this process; for handlers of signals that end it.
void remove_unfinished_files() noexcept;

/// Refuses an output that is also an input, and two outputs that are the same file. Files are
/// compared by identity, not by name; character devices may occur twice.
Result<bool> check_distinct(std::span<const NamedFile> outputs, std::span<const NamedFile> inputs);

}  // namespace pto
