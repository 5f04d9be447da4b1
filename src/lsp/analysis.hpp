// Results of the analysis of one version of a text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lsp/document.hpp"
#include "pto/prepare.hpp"

namespace pto::lsp {

/// Settings of the editor; empty fields are taken from the program.
struct Settings {
  std::string target;
  std::optional<Level> level;
  SyncBy sync = SyncBy::by_program;
  std::vector<std::string> warnings;  ///< switches as behind -W
};

/// A fault as editors show it.
struct Finding {
  Diagnostic diagnostic;
  Range range;
  std::vector<std::pair<std::string, Range>> notes;  ///< those that have a place
};

class Analysis {
 public:
  Analysis(const Document& document, const std::string& name, const Settings& settings);

  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
  /// Whether there is no error.
  [[nodiscard]] bool ready() const { return ready_; }
  /// Whether all of the text was read: the program is whole.
  [[nodiscard]] bool whole() const { return whole_; }
  /// The program of the text, before planning.
  [[nodiscard]] const Program& program() const { return program_; }
  /// In the order of the text.
  [[nodiscard]] const std::vector<NameUse>& names() const { return names_; }
  /// The name at an offset, also directly behind it; nullptr: there is none.
  [[nodiscard]] const NameUse* name_at(uint32_t offset) const;
  /// All that mean the same value, in the order of the text.
  [[nodiscard]] std::vector<NameUse> uses_of(const NameUse& name) const;
  [[nodiscard]] uint32_t offset_of(Location where) const;
  /// The operation whose name begins at an offset; nothing: none does.
  [[nodiscard]] std::optional<uint32_t> op_named_at(uint32_t offset) const;

 private:
  void keep(const Document& document, std::vector<Diagnostic> diagnostics);

  std::vector<uint32_t> starts_;  ///< of the lines as the assembler counts them
  std::vector<Finding> findings_;
  Program program_;
  std::vector<NameUse> names_;
  bool ready_ = false, whole_ = false;
};

}  // namespace pto::lsp
