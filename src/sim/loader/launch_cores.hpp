// Which function a launch runs, and on which cores of a block.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pto/machine.hpp"
#include "pto/program.hpp"
#include "pto/result.hpp"

namespace pto::sim {

struct EntryRole {
  CoreKind kind = CoreKind::mixed;
  uint32_t cores = 1;                   ///< AIC 1; AIV 1, or 2 beside an AIC
  std::vector<FunctionInfo> functions;  ///< the one function of the kernel's name that this kind of core runs
};
struct EntryPlan {
  std::string name;
  std::vector<EntryRole> roles;  ///< AIC first
};

/// Finds the kernel and decides its cores. A kernel of both kinds (sections, helpers of both kinds, or one
/// name in a cube and a vector module) runs on one AIC and two AIVs; a vector kernel on one AIV; a function
/// without kind on the kind of core its operations need, or on one core that has every pipe.
Result<EntryPlan> plan_entry(const Program& program, const std::string& entry);

/// The pipe an attribute names: a pipe, or a kind of operation (SyncOpType) that stands for the pipe it runs
/// on.
std::optional<Pipe> named_pipe(const Program& program, const OpView& view, std::string_view attribute,
                               const AttrValue& value);

}  // namespace pto::sim
