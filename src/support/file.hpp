// Whole files in and out, with errors as values.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "pto/result.hpp"

namespace pto {

/// The file's bytes; "-" is standard input. A missing file, a directory or an unreadable file is an error.
Result<std::string> read_file(const std::filesystem::path& file);
/// Replaces the file only when everything was written; "-" is standard output.
Result<bool> write_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace pto
