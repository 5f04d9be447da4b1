// Which line of one text is which of another.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace pto::report {

/// Lines by number.
using Lines = std::map<uint32_t, std::string>;

/// The text of an instruction without the types of its operands.
std::string without_types(std::string_view text);
/// Lines of `a` and the lines of `b` that they have become, in the order of both texts. Lines that stay alone
/// are not in it.
std::map<uint32_t, uint32_t> align(const Lines& a, const Lines& b);

}  // namespace pto::report
