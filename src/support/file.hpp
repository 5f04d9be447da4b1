// Whole files in and out, with errors as values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "pto/result.hpp"

namespace pto {

/// Most bytes that a file of each kind may have. A larger one is refused before it is read; a pipe, a device
/// or standard input as soon as it has given more.
inline constexpr uint64_t kMaxProgramBytes = uint64_t{1} << 30;
inline constexpr uint64_t kMaxSourceBytes = uint64_t{64}
                                            << 20;  ///< text that only serves to show lines of it
inline constexpr uint64_t kMaxCaseBytes = uint64_t{16} << 20;
inline constexpr uint64_t kMaxConfigBytes = uint64_t{8} << 20;

/// The file's bytes; "-" is standard input. A missing file, a directory or an unreadable file is an error.
Result<std::string> read_file(const std::filesystem::path& file, uint64_t limit = kMaxProgramBytes);
Result<std::vector<std::byte>> read_bytes(const std::filesystem::path& file, uint64_t limit);
/// At most the first `count` bytes of a regular file.
Result<std::string> read_head(const std::filesystem::path& file, size_t count);

/// Whether a file, which need not exist, lies in the folder or below it once all links and ".." are resolved.
bool lies_below(const std::filesystem::path& folder, const std::filesystem::path& file);
/// Where the last link of a chain leads; the file need not exist.
std::filesystem::path behind_links(std::filesystem::path file);

/// One file that is replaced only when everything was written (pto/output_files.hpp); "-" is standard
/// output.
Result<bool> write_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace pto
