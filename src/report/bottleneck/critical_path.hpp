// The chain of work that a run's cycles consist of: from its last completion back to its begin, at every
// point to that which came last of all that was waited for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/bottleneck/dependence_graph.hpp"
#include "report/run_report.hpp"

namespace pto::report {

/// The event that a segment of the path follows.
enum class After : uint8_t {
  begin,       ///< nothing: the run begins
  in_order,    ///< earlier work of its pipe
  issue,       ///< the scalar unit, which put it into the queue
  flag,        ///< set_flag
  barrier,     ///< of a pipe, or PIPE_ALL
  buffer,      ///< rls_buf
  other_core,  ///< signals and meetings
  queue_room,  ///< the scalar unit: an entry that left a full queue
  result,      ///< the scalar unit: an instruction's result
  unit_flag,   ///< the other side of a unit flag
  flag_room,   ///< a set of a full flag: the wait that takes one
};

struct PathPart {
  uint32_t pc = ~0u;  ///< the instruction; of the scalar unit: the last that it worked for
  uint32_t core = 0;
  Pipe pipe = Pipe::none;
  uint64_t begin = 0, end = 0;  ///< the next part begins where it ends
  After after = After::begin;
  uint32_t wait_pc = ~0u;  ///< the wait or barrier in front of it
  uint32_t set_pc = ~0u;   ///< the set, release or signal that it waited for; of a set the wait
};

std::string_view to_string(After after);

/// From cycle 0 to the last one, without gaps: the lengths add up to the run's cycles.
std::vector<PathPart> critical_path(const StepGraph& graph, const StepTimes& times);

/// "MTE2 EVENT_ID0 at line 41", "barrier at line 7"
std::string after_words(const Program& program, const PathPart& part);

/// Parts of one place and pipe, summed over the run.
struct PathSum {
  uint32_t pc = ~0u;
  Pipe pipe = Pipe::none;
  uint64_t cycles = 0, times = 0;
};
/// Longest first. The scalar unit counts as one place, and so do all operations that the planner made of one
/// statement: `pc` is the first one's.
std::vector<PathSum> path_sums(const Program& program, const std::vector<PathPart>& path);

/// How long, and the shares of the pipes.
std::string path_head(const std::vector<PathPart>& path, uint64_t total);
/// The `limit` longest segments in the order of time; the segments between them are summed up in
/// separate lines.
std::string path_table(const Run& run, const std::vector<PathPart>& path, size_t limit);

}  // namespace pto::report
