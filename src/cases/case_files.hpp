// The files of a case: which ones it reads and writes, and where they may lie.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pto/case_file.hpp"
#include "pto/result.hpp"

namespace pto::report {

/// Restrictions for the files of the case, and its input files. `file` is the argument of the tool.
FileGuard guard_of(const Case& the_case, const std::filesystem::path& file, const FilePolicy& policy);

/// Refuses two outputs that are one file, outputs that are inputs, and with `sandbox` files outside
/// the folder. `file` is the argument of the tool: the case or the program.
Result<bool> check_files(const Case& the_case, const std::filesystem::path& file, const FilePolicy& policy);

/// The text (.pto) an object was made from: the file of that name beside the object, or below `root`. Never a
/// file elsewhere, also not by way of ".." or links; "" when there is none.
std::string source_text(const std::string& source_name, const std::filesystem::path& object,
                        const std::filesystem::path& root);

}  // namespace pto::report
