// How messages name values and flags, and what a wait without a set may have meant.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "pto/fix.hpp"
#include "pto/pipe.hpp"
#include "pto/program.hpp"

namespace pto::isa {

/// `%name`; its number when it has none.
std::string value_name(const Program& program, ValueId value);

inline constexpr int kEventIds = 8;  ///< of every ordered pair of pipes, on all targets of the tools

struct FlagName {
  Pipe src = Pipe::none, dst = Pipe::none;
  int id = 0;
  auto operator<=>(const FlagName&) const = default;
};

/// "flag PIPE_MTE2 -> PIPE_V EVENT_ID0"
std::string to_string(const FlagName& flag);
/// `[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]`, as written behind set_flag and wait_flag.
std::string brackets(const FlagName& flag);
/// A flag as an operation names it: by its id, or by the value that is it (`set_flag_dyn`).
struct SpeltFlag {
  FlagName name;  ///< of a computed id: 0
  ValueId computed = kNoValue;
  bool operator==(const SpeltFlag&) const = default;
};
/// `pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]` or `pto.wait_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %id]`;
/// the verb is `set` or `wait`.
std::string spelt(const Program& program, std::string_view verb, const SpeltFlag& flag);
/// How near a set is to a wait that has none; 0 when they have too little in common.
int likeness(const FlagName& set, const FlagName& wait);
/// Of a set that nothing waits for, what the wait may have meant.
std::string slip(const FlagName& set, const FlagName& wait);
inline constexpr std::string_view kSlipHelp = "let the set and the wait name the same pipes and the same id";

/// The advice where a flag is missing and every id of the two pipes is in use; `where`: "before k.pto:12".
Fix no_free_flag(Pipe src, Pipe dst, int ids, TextPlace place);

}  // namespace pto::isa
