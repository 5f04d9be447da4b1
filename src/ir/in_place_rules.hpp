// Whether an instruction may write the tile that it reads: one answer for the verifier (E0370) and the
// planner (E0602).
#pragma once

#include <string_view>

#include "isa/row.hpp"
#include "pto/program.hpp"
#include "pto/type.hpp"

namespace pto::isa {

/// What the row states about a source and a destination that are one tile: `distinct` forbids it, `in_place`
/// allows it; without either the result is not known.
enum class InPlace : uint8_t { unstated, allowed, forbidden };
InPlace in_place(const OpView& op, Target target, std::string_view source, std::string_view destination);
/// The same of all operations of a row: statements with a condition do not count.
InPlace in_place(const isa::Row& row, Target target, std::string_view source, std::string_view destination);

}  // namespace pto::isa
