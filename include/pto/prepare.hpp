// From text or an object to a program that can run, in one call: read or assemble, put vector scopes in,
// verify, give addresses and flags.
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

/// What becomes of logical vectors (pto.vmi): they stay as they are; they are lowered to registers on a5,
/// with a warning where that is not possible; it is an error then.
enum class Vectors : uint8_t { logical, lowered, all_lowered };

/// What the caller says about a program. Empty fields leave it to the program.
struct PrepareOptions {
  std::string name = "<input>";  ///< of the text, in diagnostics
  std::string target;            ///< a2a3, a5, cpu, or a configuration file
  /// The public back end that is to take the program, "emitc" or "vpto": what it does not make is an error
  /// then. Said in the program too; empty: what the modules say.
  std::string backend = {};
  std::vector<std::string> settings = {};  ///< KEY=VALUE put over its configuration: "machine.queue_depth=4"
  std::optional<Level> level;              ///< default: level 3 when every tile has an address, else level 2
  SyncBy sync = SyncBy::by_program;
  /// Turns of a loop that are under way at the same time, each with tiles of its own. 0: as many as make it
  /// faster by simulation; 1: one after the other; else so many in every loop, fewer where memory ends.
  unsigned buffers = 0;
  std::string entry;                  ///< complete only this function and what it calls; empty: all
  bool objects = true;                ///< false: the input is text, whatever it begins with
  bool verify = true;                 ///< false: illegal programs too
  bool check_synchronisation = true;  ///< look for missing flags and orders, without running
  /// What becomes of addresses and flags that the program leaves open. check: whether its tiles would fit.
  enum class Complete : uint8_t { no, check, yes } complete = Complete::yes;
  Vectors vectors = Vectors::logical;
  /// Asked for the text of an object that does not hold it, by its name; may return "".
  std::function<std::string(const std::string& name)> source_of = {};
  const Defines* defines = nullptr;         ///< for ${NAME} in a text, for constants with a name
  Reading* reading = nullptr;               ///< of a text: filled while it is read
  Diagnostics diagnostics = Diagnostics();  ///< whose limit and policy hold
  /// Where set, warnings of one rule in one function are one, with the lines of the others as its note; where
  /// `diagnostics` cannot keep all, they are collected here. Of an editor each counts.
  std::optional<Diagnostics> fold_warnings = std::nullopt;
  bool of_entry = false;  ///< no warnings about functions that a launch of `entry` does not run
};

struct Prepared {
  Program program;
  std::string source;        ///< the text, where it is known
  Expansion expansion = {};  ///< the text with what stands for its placeholders, where it has some
  std::string target;        ///< as simulate() and load_machine() take it: "a5", or the configuration file
  std::vector<std::string> settings;  ///< put over the configuration of `target`
  Diagnostics diagnostics;            ///< about the program, in the order of its text
  bool ready = false;                 ///< false: diagnostics hold an error
  size_t inserted = 0;  ///< flags and barriers that the tools put in, because the program orders nothing
  bool short_of_memory = false;  ///< the host had too little to try all numbers of buffers
  Lowered lowered;               ///< layouts of the logical vectors, where they were lowered
  /// Finds the spans of what diagnostics speak of.
  void locate(Diagnostics& reported) const;
  /// What `target` stands for, settings included.
  [[nodiscard]] Result<Machine> machine() const;
};

/// `input` is program text or an object. What is wrong with the program is in Prepared::diagnostics, also
/// with its place in the text; the error is about everything else: a damaged object, a configuration file.
Result<Prepared> prepare(std::string input, const PrepareOptions& options = {});

/// Runs a program that is ready: simulate() of pto/simulator.hpp with its target.
Result<SimResult> simulate(const Prepared& prepared, std::vector<Argument>& arguments,
                           SimOptions options = {}, std::span<Observer* const> observers = {});

}  // namespace pto
