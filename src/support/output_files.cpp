#include "pto/output_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <compare>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include "support/file.hpp"
#include "support/temporary_files.hpp"

namespace pto {
namespace {

namespace fs = std::filesystem;

Error cannot(std::string_view what, const fs::path& file, std::string_view why) {
  return Error{fmt::format("cannot {} {}: {}", what, file == "-" ? "standard output" : file.string(), why)};
}
Error cannot_write(const fs::path& file, int why) { return cannot("write", file, std::strerror(why)); }

#ifdef __wasi__
constexpr bool kHasModes = false;
#else
constexpr bool kHasModes = true;  ///< files say who may write them
#endif

bool same(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// The standard stream that a file is already open as, such as /dev/stdout.
std::FILE* standard_stream(const struct stat& status) {
  struct stat own {};
  for (std::FILE* stream : {stdout, stderr}) {
    if (fstat(fileno(stream), &own) == 0 && !S_ISCHR(own.st_mode) && same(own, status)) return stream;
  }
  return nullptr;
}

/// A new file of a name that nobody can foresee. It is never a link: O_EXCL refuses what exists.
int create_temporary(const fs::path& folder, mode_t mode, fs::path& name, TemporaryName& registered) {
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = folder / fmt::format(".pto-{:08x}{:08x}", random(), random());
    registered.set(name);
    const int fd = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd >= 0) return fd;
    const int why = errno;
    registered.forget();  // somebody else's, or nobody's
    errno = why;
    if (why != EEXIST) return fd;
  }
  return -1;
}

/// Owner and mode of the file that will be replaced. Set-id bits are kept for the same owner only.
void take_over(int fd, const struct stat& old) {
  const bool owned = fchown(fd, old.st_uid, old.st_gid) == 0;
  (void)fchmod(fd, old.st_mode & (owned ? 07777 : 0777));
}

/// Puts a finished file at its place so that the old one, if any, gets the temporary name. Not every file
/// system can exchange two names at once.
bool exchange(const fs::path& temporary, const fs::path& target) {
  if (renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return false;
  const fs::path aside = temporary.string() + "-old";
  if (rename(target.c_str(), aside.c_str()) != 0) return false;
  if (rename(temporary.c_str(), target.c_str()) == 0) return rename(aside.c_str(), temporary.c_str()) == 0;
  const int why = errno;
  (void)rename(aside.c_str(), target.c_str());
  errno = why;
  return false;
}

}  // namespace

OutputFile::OutputFile() : unfinished_(std::make_unique<TemporaryName>()) {}

OutputFile::~OutputFile() {
  if (stream_ && !borrowed_) std::fclose(stream_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  if (bytes.empty() || problem_ != 0) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size()) problem_ = errno;
}

bool OutputFile::finish() {
  if (!stream_) return problem_ == 0;
  if (std::fflush(stream_) != 0 && problem_ == 0) problem_ = errno;
  if (borrowed_) return problem_ == 0;
  if (std::fclose(stream_) != 0 && problem_ == 0) problem_ = errno;
  stream_ = nullptr;
  return problem_ == 0;
}

OutputFiles::~OutputFiles() = default;

Result<bool> FileGuard::may_touch(const NamedFile& file) const {
  if (folder.empty() || file.file == "-" || lies_below(folder, file.file)) return true;
  return Error{fmt::format("--sandbox: {} lies outside of the folder {}: {}", file.what, folder.string(),
                           file.file.string())};
}

Result<bool> FileGuard::may_write(const NamedFile& file) const {
  if (auto good = may_touch(file); !good) return good;
  return inputs.empty() ? Result<bool>(true) : check_distinct({&file, 1}, inputs);
}

Result<OutputFile*> OutputFiles::open(const fs::path& file) {
  if (auto good = guard_.may_write({"an output", file}); !good) return good.error();
  std::unique_ptr<OutputFile> out(new OutputFile);
  out->named_ = file;
  struct stat status {};
  const bool exists = file != "-" && stat(file.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return cannot("write", file, "it is a directory");
  std::FILE* const stream = file == "-" ? stdout : exists ? standard_stream(status) : nullptr;
  int fd = -1;
  if (stream) {
    out->stream_ = stream;
    out->borrowed_ = true;
  } else if (exists && !S_ISREG(status.st_mode)) {
    fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  } else {
    out->target_ = behind_links(file);
    out->replaces_ = exists;
    if (exists && ((kHasModes && (status.st_mode & 0222) == 0) || access(file.c_str(), W_OK) != 0))
      return cannot("replace", file, "it is read-only");
    fd = create_temporary(out->target_.parent_path(), exists ? 0600 : 0666, out->temporary_,
                          *out->unfinished_);
    if (fd < 0) out->temporary_.clear();
    if (fd >= 0 && exists) take_over(fd, status);
  }
  if (!stream && (fd < 0 || !(out->stream_ = fdopen(fd, "wb")))) return cannot_write(file, errno);
  files_.push_back(std::move(out));
  return files_.back().get();
}

Result<bool> OutputFiles::commit() {
  for (const auto& file : files_) {
    if (!file->finish()) return cannot_write(file->named_, file->problem_);
  }
  const auto placed = put_in_place();
  files_.clear();  // removes temporary names: of new files after a failure, of old ones after success
  return placed;
}

/// The last file is renamed; those before it are exchanged with the old ones, and exchanged back when a later
/// one fails.
Result<bool> OutputFiles::put_in_place() {
  std::vector<OutputFile*> pending;
  for (const auto& file : files_) {
    if (!file->in_place()) pending.push_back(file.get());
  }
  for (size_t i = 0; i < pending.size(); ++i) {
    OutputFile& file = *pending[i];
    const bool keep_old = file.replaces_ && i + 1 < pending.size();
    if (keep_old ? exchange(file.temporary_, file.target_)
                 : rename(file.temporary_.c_str(), file.target_.c_str()) == 0) {
      if (!keep_old) {
        file.temporary_.clear();
        file.unfinished_->forget();
      }  // the name is gone
      continue;
    }
    const int why = errno;
    while (i-- > 0) {
      if (pending[i]->replaces_)
        (void)exchange(pending[i]->temporary_, pending[i]->target_);
      else
        unlink(pending[i]->target_.c_str());
    }
    return cannot("replace", file.named_, std::strerror(why));
  }
  return true;
}

void remove_unfinished_files() noexcept { TemporaryName::remove_all(); }

namespace {

/// What makes two names one file: device and inode of a regular file, folder and name of one that does not
/// exist yet, else the name.
struct Identity {
  dev_t device = 0;
  ino_t inode = 0;
  std::string name;
  auto operator<=>(const Identity&) const = default;
};

std::optional<Identity> identity_of(const fs::path& file, int standard) {
  struct stat status {};
  const bool exists = (file == "-" ? fstat(standard, &status) : stat(file.c_str(), &status)) == 0;
  if (exists && S_ISREG(status.st_mode)) return Identity{status.st_dev, status.st_ino, {}};
  if (file == "-") return standard == STDIN_FILENO ? std::nullopt : std::optional(Identity{0, 0, "-"});
  if (exists && S_ISCHR(status.st_mode)) return std::nullopt;
  const fs::path target = exists ? file : behind_links(file);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!exists && stat(folder.c_str(), &status) == 0)
    return Identity{status.st_dev, status.st_ino, target.filename().string()};
  std::error_code ignored;
  return Identity{0, 0, fs::absolute(target, ignored).lexically_normal().string()};
}

}  // namespace

Result<bool> check_distinct(std::span<const NamedFile> outputs, std::span<const NamedFile> inputs) {
  std::map<Identity, const NamedFile*> known;
  for (const NamedFile& file : inputs) {
    if (const auto identity = identity_of(file.file, STDIN_FILENO)) known.emplace(*identity, &file);
  }
  for (const NamedFile& file : outputs) {
    const auto identity = identity_of(file.file, STDOUT_FILENO);
    if (!identity) continue;
    const auto [other, fresh] = known.emplace(*identity, &file);
    if (!fresh)
      return Error{
          fmt::format("{} and {} are one file: {}", file.what, other->second->what, file.file.string())};
  }
  return true;
}

}  // namespace pto
