// Whole files in and out.
#include "support/file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace pto {
namespace {

namespace fs = std::filesystem;

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

Error cannot(std::string_view what, const fs::path& file, std::string_view why) {
  return Error{fmt::format("cannot {} {}: {}", what, file.string(), why)};
}

bool read_all(std::FILE* file, std::string& bytes) {
  char buffer[1 << 16];
  for (size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) bytes.append(buffer, n);
  return std::ferror(file) == 0;
}

/// A link stays a link: what it points to is replaced.
fs::path resolved(const fs::path& file) {
  std::error_code ignored;
  return fs::is_symlink(file, ignored) ? fs::weakly_canonical(file, ignored) : file;
}

}  // namespace

Result<std::string> read_file(const fs::path& file) {
  std::string bytes;
  if (file == "-")
    return read_all(stdin, bytes) ? Result<std::string>(std::move(bytes)) : cannot("read", file, std::strerror(errno));
  std::error_code error;
  if (fs::is_directory(file, error)) return cannot("read", file, "it is a directory");
  const File in(std::fopen(file.c_str(), "rb"));
  if (const uintmax_t size = fs::file_size(file, error); !error) bytes.reserve(size);
  if (!in || !read_all(in.get(), bytes)) return cannot("read", file, std::strerror(errno));
  return bytes;
}

Result<bool> write_file(const fs::path& file, std::string_view bytes) {
  if (file == "-") {
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0;
    return written ? Result<bool>(true) : cannot("write", file, std::strerror(errno));
  }
  std::error_code error;
  if (fs::is_directory(file, error)) return cannot("write", file, "it is a directory");
  const fs::path target = resolved(file);
  // Devices and pipes (/dev/null, /dev/stdout) are written in place; a file is replaced by a finished one.
  const bool in_place = fs::exists(target, error) && !fs::is_regular_file(target, error);
  const fs::path temporary = in_place ? target : fs::path(fmt::format("{}.{}.tmp", target.string(), getpid()));
  File out(std::fopen(temporary.c_str(), "wb"));
  if (!out) return cannot("write", file, std::strerror(errno));
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), out.get()) == bytes.size();
  const bool closed = std::fclose(out.release()) == 0;
  const std::string why = std::strerror(errno);
  if (written && closed && in_place) return true;
  if (written && closed) fs::rename(temporary, target, error);
  if (written && closed && !error) return true;
  if (!in_place) fs::remove(temporary, error);
  return cannot("write", file, why);
}

}  // namespace pto
