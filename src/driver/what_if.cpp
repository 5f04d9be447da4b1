#include "pto/what_if.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "ir/hardware_lanes.hpp"
#include "ir/pipe_rules.hpp"
#include "isa/row.hpp"

namespace pto {
namespace {

constexpr std::string_view kForms =
    "write \"free PIPE_MTE2\", \"no-wait LINE\", \"bandwidth x2\", or a setting as "
    "\"machine.queue_depth=64\"";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

Error wrong(std::string_view text, std::string_view why) {
  return Error{fmt::format("--what-if {}: {}", text, why)};
}

std::optional<Error> read_free(std::string_view text, std::string_view name, Hypotheses& hypotheses) {
  std::vector<std::string_view> names;
  for (const Pipe pipe : kQueuePipes) {
    names.push_back(to_string(pipe));
    if (name != to_string(pipe) && name != isa::short_name(pipe)) continue;
    hypotheses.free.push_back(pipe);
    return std::nullopt;
  }
  return wrong(text, fmt::format("'{}' is no pipe with a queue; these are {}", name, fmt::join(names, ", ")));
}

std::optional<Error> read_bandwidth(std::string_view text, std::string_view factor, Hypotheses& hypotheses) {
  if (factor.starts_with('x')) factor.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(factor.data(), factor.data() + factor.size(), value);
  constexpr double kMax = 1e6;
  if (problem != std::errc() || end != factor.data() + factor.size() || !(value > 0) || value > kMax)
    return wrong(text, fmt::format("'{}' is no factor: write \"bandwidth x2\"", factor));
  hypotheses.bandwidth = value;
  return std::nullopt;
}

/// A set waits as well where its flag is full.
bool sets(isa::OpcodeClass opcode_class) {
  return opcode_class == isa::OpcodeClass::set_flag || opcode_class == isa::OpcodeClass::set_flag_dyn;
}

/// Whether something waits here as a rule: a flag, a buffer id, a signal, a barrier, a meeting.
bool waits(isa::OpcodeClass opcode_class) {
  switch (opcode_class) {
    case isa::OpcodeClass::wait_flag:
    case isa::OpcodeClass::wait_flag_dyn:
    case isa::OpcodeClass::wait_event:
    case isa::OpcodeClass::barrier:
    case isa::OpcodeClass::barrier_kind:
    case isa::OpcodeClass::get_buf:
    case isa::OpcodeClass::wait_tiles:
    case isa::OpcodeClass::sync_wait:
    case isa::OpcodeClass::intra_wait:
    case isa::OpcodeClass::cross_wait:
      return true;
    default:
      return false;
  }
}

std::optional<Error> read_no_wait(std::string_view text, std::string_view number, const Program& program,
                                  Hypotheses& hypotheses) {
  uint32_t line = 0;
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), line);
  if (problem != std::errc() || end != number.data() + number.size() || line == 0)
    return wrong(text, fmt::format("'{}' is no line of the program", number));
  std::set<uint32_t> lines;
  for (uint32_t pc = 0; pc < program.ops.size(); ++pc) {
    const isa::OpcodeClass opcode_class = isa::row(program.ops[pc].row).opcode_class;
    if (!waits(opcode_class) && !sets(opcode_class)) continue;
    if (program.ops[pc].where.line == line) hypotheses.no_wait.push_back(pc);
    if (program.ops[pc].where.line != 0 && waits(opcode_class)) lines.insert(program.ops[pc].where.line);
  }
  if (!hypotheses.no_wait.empty()) return std::nullopt;
  if (lines.empty())
    return wrong(text,
                 "no line of the program holds a wait; waits that tools insert have no line: "
                 "print the program with pto-as --emit=pto and ask about that");
  const auto above = lines.lower_bound(line);
  std::vector<uint32_t> near;
  if (above != lines.begin()) near.push_back(*std::prev(above));
  if (above != lines.end()) near.push_back(*above);
  return wrong(text, fmt::format("nothing waits on line {}; the nearest wait is on line {}", line,
                                 fmt::join(near, " or ")));
}

}  // namespace

Result<WhatIf> parse_what_if(std::string_view text, const Program& program) {
  WhatIf question;
  question.text = trimmed(text);
  const std::string_view all = question.text;
  const size_t space = all.find_first_of(" \t");
  const std::string_view word = all.substr(0, space);
  const std::string_view rest =
      space == std::string_view::npos ? std::string_view() : trimmed(all.substr(space));
  std::optional<Error> problem;
  if (word == "free") {
    problem = read_free(all, rest, question.hypotheses);
  } else if (word == "bandwidth") {
    problem = read_bandwidth(all, rest, question.hypotheses);
  } else if (word == "no-wait") {
    problem = read_no_wait(all, rest, program, question.hypotheses);
  } else if (all.find('=') != std::string_view::npos && all.find('=') != 0) {
    question.settings.emplace_back(all);
  } else {
    problem = wrong(all, fmt::format("this is no change; {}", kForms));
  }
  if (problem) return *problem;
  return question;
}

Result<std::vector<WhatIfAnswer>> what_if(const Launch& launch, SimOptions options,
                                          std::span<const WhatIf> questions) {
  std::vector<WhatIfAnswer> answers;
  options.entry = launch.the_case.entry;
  options.blocks = launch.the_case.blocks;
  options.target = launch.prepared.target;
  options.checks.races = false;
  options.checks.uninitialised = false;
  options.watch.clear();
  options.print = nullptr;
  options.progress = nullptr;
  for (const WhatIf& question : questions) {
    auto arguments = load_arguments(launch.the_case);
    if (!arguments) return arguments.error();
    options.hypotheses = question.hypotheses;
    options.settings = launch.prepared.settings;
    options.settings.insert(options.settings.end(), question.settings.begin(), question.settings.end());
    const Result<SimResult> result = simulate(launch.prepared.program, *arguments, options);
    if (!result)
      return Error{fmt::format("--what-if {}: {}", question.text, result.error().message),
                   result.error().kind};
    WhatIfAnswer answer{question.text, result->total_cycles, result->ended, ""};
    if (!result->ended)
      answer.why = result->findings.all().empty() ? "stopped" : full_message(result->findings.all().front());
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace pto
