// Whole files in and out.
#include "support/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "pto/output_files.hpp"

namespace pto {
namespace {

namespace fs = std::filesystem;

Error cannot_read(const fs::path& file, std::string_view why) {
  return Error{fmt::format("cannot read {}: {}", file.string(), why)};
}

Error too_large(const fs::path& file, uint64_t limit) {
  return cannot_read(file, fmt::format("it has more than {} bytes, the most such a file may have", limit));
}

/// A file that is open for reading; standard input stays open.
class Input {
 public:
  explicit Input(const fs::path& file)
      : fd_(file == "-" ? STDIN_FILENO : open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY)) {}
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input() {
    if (fd_ > STDERR_FILENO) close(fd_);
  }
  [[nodiscard]] bool good() const { return fd_ >= 0; }
  [[nodiscard]] bool status(struct stat& out) const { return fstat(fd_, &out) == 0; }
  /// Bytes read, 0 at the end, negative for an error.
  ssize_t read(void* to, size_t size) const {
    ssize_t n = 0;
    do n = ::read(fd_, to, size);
    while (n < 0 && errno == EINTR);
    return n;
  }

 private:
  int fd_;
};

template <typename Bytes>
Result<Bytes> read_whole(const fs::path& file, uint64_t limit) {
  using Byte = typename Bytes::value_type;
  const Input in(file);
  struct stat status {};
  if (!in.good() || !in.status(status)) return cannot_read(file, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) return cannot_read(file, "it is a directory");
  Bytes bytes;
  if (S_ISREG(status.st_mode)) {
    if (static_cast<uint64_t>(status.st_size) > limit) return too_large(file, limit);
    bytes.reserve(static_cast<size_t>(status.st_size));
  }
  std::array<Byte, size_t{1} << 16> buffer;
  while (true) {
    const ssize_t n = in.read(buffer.data(), buffer.size());
    if (n < 0) return cannot_read(file, std::strerror(errno));
    if (n == 0) return bytes;
    if (bytes.size() + static_cast<size_t>(n) > limit) return too_large(file, limit);
    bytes.insert(bytes.end(), buffer.data(), buffer.data() + n);
  }
}

}  // namespace

Result<std::string> read_file(const fs::path& file, uint64_t limit) {
  return read_whole<std::string>(file, limit);
}

Result<std::vector<std::byte>> read_bytes(const fs::path& file, uint64_t limit) {
  return read_whole<std::vector<std::byte>>(file, limit);
}

Result<std::string> read_head(const fs::path& file, size_t count) {
  const Input in(file);
  struct stat status {};
  if (!in.good() || !in.status(status)) return cannot_read(file, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return cannot_read(file, "it is not a regular file");
  std::string head(std::min<size_t>(count, static_cast<size_t>(status.st_size)), '\0');
  const ssize_t n = in.read(head.data(), head.size());
  if (n < 0) return cannot_read(file, std::strerror(errno));
  head.resize(static_cast<size_t>(n));
  return head;
}

fs::path behind_links(fs::path file) {
  constexpr int kMaxLinks = 40;  // as the system allows
  std::error_code ignored;
  for (int i = 0; i < kMaxLinks && fs::is_symlink(file, ignored); ++i)
    file = file.parent_path() / fs::read_symlink(file, ignored);
  return file;
}

bool lies_below(const fs::path& folder, const fs::path& file) {
  std::error_code problem;
  const fs::path root = fs::canonical(folder, problem);
  if (problem) return false;
  const fs::path real = fs::weakly_canonical(fs::absolute(behind_links(file), problem), problem);
  if (problem || fs::is_symlink(real, problem)) return false;
  return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
}

Result<bool> write_file(const fs::path& file, std::string_view bytes) {
  OutputFiles files;
  const auto out = files.open(file);
  if (!out) return out.error();
  (*out)->write(bytes);
  return files.commit();
}

}  // namespace pto
