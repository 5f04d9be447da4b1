// Pipes by the names and words that instructions and people use for them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "isa/row.hpp"

namespace pto::isa {

/// "MTE2", "V", "S": the pipe's name without its prefix, as rows and reports write it.
std::string_view short_name(Pipe pipe);
/// The pipe of that name; `@all` is Pipe::all. Nothing for pipes that depend on the operation.
std::optional<Pipe> named_pipe(std::string_view name);
/// The pipe of all operations of a row; nothing where it depends on the operation.
std::optional<Pipe> fixed_pipe(RowId row);
/// The pipe that an operation kind (sync_op_type of record_event, wait_event, barrier_sync) runs on; S for
/// unknown kinds.
Pipe pipe_of_sync_op(int64_t kind);
/// Pipes that can signal other cores, and wait for them, on every target.
inline constexpr std::array kSignalPipes{Pipe::fix, Pipe::mte1, Pipe::mte2, Pipe::mte3, Pipe::v};
/// The pipe column in words: "V", "none", "the one that `src_pipe` names", or for rule pipes when which one:
/// "FIX for a source in acc, else MTE3".
std::string pipe_words(const Row& row, Target target);

}  // namespace pto::isa
