// From a text or an object to a program that can run, in one call: read or assemble, insert vector
// scopes, verify, choose addresses and insert flags.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/assembler.hpp"
#include "pto/defines.hpp"
#include "pto/diagnostic.hpp"
#include "pto/lower.hpp"
#include "pto/machine.hpp"
#include "pto/program.hpp"
#include "pto/result.hpp"
#include "pto/simulator.hpp"
#include "pto/sync_mode.hpp"

namespace pto {

/// Treatment of logical vectors (pto.vmi). logical: unchanged. lowered: lowered to registers on A5,
/// with a warning if that is not possible. all_lowered: as lowered, with an error instead of the
/// warning.
enum class Vectors : uint8_t { logical, lowered, all_lowered };

/// Options for a program. Empty fields are taken from the program.
struct PrepareOptions {
  std::string name = "<input>";  ///< of the text, in diagnostics
  std::string target;            ///< a2a3, a5, cpu, or a configuration file
  /// The public back end for which the program is checked, "emitc" or "vpto": unsupported
  /// instructions are errors, and the name is stored in the program. Empty: the attributes of the
  /// modules decide.
  std::string backend = {};
  std::vector<std::string> settings =
      {};                      ///< KEY=VALUE that override its configuration: "machine.queue_depth=4"
  std::optional<Level> level;  ///< default: level 3 when every tile has an address, else level 2
  SyncBy sync = SyncBy::by_program;
  /// Overlapped iterations of a loop, each with its own copies of the tiles. 0: the count with the
  /// fewest simulated cycles; 1: no overlap; N: N in every loop, fewer if memory is full.
  unsigned buffers = 0;
  std::string entry;                  ///< complete only this function and its callees; empty: all
  bool objects = true;                ///< false: the input is always text
  bool verify = true;                 ///< false: accept illegal programs
  bool check_synchronisation = true;  ///< look for missing flags and orders, without running
  /// Whether missing addresses and flags are added. check: only checks that the tiles fit.
  enum class Complete : uint8_t { no, check, yes } complete = Complete::yes;
  Vectors vectors = Vectors::logical;
  /// Returns the text of an object that does not contain it, by its name; may return "".
  std::function<std::string(const std::string& name)> source_of = {};
  const Defines* defines = nullptr;         ///< for ${NAME} in a text, for constants with a name
  Reading* reading = nullptr;               ///< filled while a text is read
  Diagnostics diagnostics = Diagnostics();  ///< its limit and policy apply
  /// If it is set, warnings of one rule in one function are folded into one, with a note of the
  /// other lines. It collects the warnings beyond the limit of `diagnostics`. Editors leave it
  /// unset: they show each warning.
  std::optional<Diagnostics> fold_warnings = std::nullopt;
  bool of_entry = false;  ///< no warnings about functions that a launch of `entry` does not run
};

struct Prepared {
  Program program;
  std::string source;        ///< the text, if it is known
  Expansion expansion = {};  ///< the text with its placeholders replaced, if it has any
  std::string target;        ///< as simulate() and load_machine() take it: "a5", or the configuration file
  std::vector<std::string> settings;  ///< overrides of the configuration of `target`
  Diagnostics diagnostics;            ///< about the program, in the order of its text
  bool ready = false;                 ///< false: diagnostics hold an error
  size_t inserted = 0;                ///< count of flags and barriers that the tools inserted
  bool short_of_memory = false;       ///< the host had not enough memory to try all buffer counts
  Lowered lowered;                    ///< layouts of the lowered logical vectors
  /// Resolves the anchors of diagnostics to spans of the text.
  void locate(Diagnostics& reported) const;
  /// The machine of `target`, with the settings.
  [[nodiscard]] Result<Machine> machine() const;
};

/// Prepares program text or an object. Errors of the program are in Prepared::diagnostics, with
/// their positions in the text. Returns an error for everything else: a damaged object, a
/// configuration file.
Result<Prepared> prepare(std::string input, const PrepareOptions& options = {});

/// Runs a prepared program: simulate() of pto/simulator.hpp with its target.
Result<SimResult> simulate(const Prepared& prepared, std::vector<Argument>& arguments,
                           SimOptions options = {}, std::span<Observer* const> observers = {});

}  // namespace pto
