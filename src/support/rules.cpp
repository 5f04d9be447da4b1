// Every rule of the tools in one list.
#include <algorithm>
#include <vector>

#include "asm/rules.hpp"
#include "pto/verify.hpp"
#include "verify/checker.hpp"

namespace pto {

namespace {

constexpr Rule kPlannerRules[] = {
    {"E0601", "on-chip memory", "The tiles that live at the same time do not fit into their memory.", "eight 64 KiB tiles in vec, all used by the last operation",
     "use smaller tiles, or let tiles end before others begin; the map shows who is in the way"},
    {"E0602", "loop-carried tile", "A tile is handed to the next iteration, which still reads it after its successor is written.",
     "scf.yield %next where the next iteration reads the old and the new tile", "copy the tile before it is overwritten"},
    {"E0603", "queued work outside sections", "An instruction stands beside the sections of a mixed kernel, where no flags can be inserted for it.",
     "pto.tload in front of pto.section.cube", "move it into a section, or write the flags by hand"},
    {"E0604", "nesting too deep to plan", "Loops, branches and sections are nested deeper than 200.", "201 scf.if in each other", "flatten the control flow"},
};

}  // namespace

std::span<const Rule> rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> list;
    for (const std::span<const Rule> part : {text::assembler_rules(), legality::verifier_rules(), legality::memref_rule_texts(), std::span<const Rule>(kPlannerRules)}) list.insert(list.end(), part.begin(), part.end());
    std::stable_sort(list.begin(), list.end(), [](const Rule& a, const Rule& b) { return a.id < b.id; });
    return list;
  }();
  return all;
}

}  // namespace pto
