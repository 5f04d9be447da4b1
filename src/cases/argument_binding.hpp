// Binds the arguments of a case to the parameters of its kernel: order, and compatible element
// types.
#pragma once

#include "pto/case_file.hpp"
#include "pto/program.hpp"
#include "pto/result.hpp"

namespace pto::report {

/// How command lines and case files name the format of a parameter's elements; "i64" for index.
std::string_view dtype_of(Elem wanted);
/// Drops arguments that are parameters of other kernels only.
void keep_arguments(Case& the_case, const Program& program, const FunctionInfo& entry);
/// Brings the arguments into the kernel's order when their names are its parameters' names, and refuses a
/// name that is neither that nor the case's.
Result<bool> order_arguments(Case& the_case, const Program& program, const FunctionInfo& entry);
/// Refuses elements and scalars that the parameter's type cannot hold, or that hold another kind of value of
/// the same width unless the argument says `bits`. docs/user/case-file.md has the rule.
Result<bool> check_types(const Case& the_case, const Program& program, const FunctionInfo& entry);

}  // namespace pto::report
