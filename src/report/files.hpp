// The files of a case: which ones it reads and writes, and where they may lie.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pto/case_file.hpp"
#include "pto/result.hpp"
#include "support/output_files.hpp"

namespace pto::report {

/// Adds the outputs of a run to the files that are put in place together.
Result<bool> add_outputs(OutputFiles& files, const Case& the_case, const std::vector<Argument>& arguments);

/// What is known about a run's files before any of them is opened.
struct FilePolicy {
  std::vector<NamedFile> reports;   ///< written beside the case's outputs: --trace, --stats, standard output
  std::string source_root;          ///< where the texts of objects are looked for; empty: beside the object
  bool sandbox = false;             ///< nothing outside the folder of `file` is read or written
};
/// Refuses outputs that are one file, outputs that are inputs, and with `sandbox` what lies elsewhere. `file` is what the tool was
/// given: the case or the program.
Result<bool> check_files(const Case& the_case, const std::filesystem::path& file, const FilePolicy& policy);

/// The text an object was made from: the file of that name beside the object, or below `root`. Never a file elsewhere, also not by
/// way of ".." or links; "" when there is none.
std::string source_text(const std::string& source_name, const std::filesystem::path& object, const std::filesystem::path& root);

}  // namespace pto::report
