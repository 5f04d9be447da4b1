// The files of a case: which ones it reads and writes, and where they may lie.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pto/case_file.hpp"
#include "pto/result.hpp"

namespace pto::report {

/// Where files of the case may lie, and which ones it reads. `file` is what the tool was given.
FileGuard guard_of(const Case& the_case, const std::filesystem::path& file, const FilePolicy& policy);

/// Refuses outputs that are one file, outputs that are inputs, and with `sandbox` what lies elsewhere. `file`
/// is what the tool was given: the case or the program.
Result<bool> check_files(const Case& the_case, const std::filesystem::path& file, const FilePolicy& policy);

/// The text (.pto) an object was made from: the file of that name beside the object, or below `root`. Never a
/// file elsewhere, also not by way of ".." or links; "" when there is none.
std::string source_text(const std::string& source_name, const std::filesystem::path& object,
                        const std::filesystem::path& root);

}  // namespace pto::report
