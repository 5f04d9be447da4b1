// Element formats as case files, command lines and .npy files name them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pto/result.hpp"
#include "pto/type.hpp"

namespace pto::report {

/// "f16", "i8", "f4e2m1x2", ..; nullopt when there is no such format.
std::optional<Elem> parse_dtype(std::string_view name);
std::string_view dtype_name(Elem dtype);
/// "f16, bf16, f32, ..", for messages.
std::string dtype_list();
std::vector<std::string_view> dtype_names();

/// Formats without a tolerance rule: compared bit by bit only.
bool bits_only(Elem dtype);

/// The bits of a number written in decimal ("64", "-1.5", "nan", "-inf", "true"). The number must fit the
/// format.
Result<uint64_t> bits_of_number(Elem dtype, std::string_view number);
/// Little-endian bits of element `index`.
uint64_t element_bits(Elem dtype, const std::byte* data, uint64_t index);
/// "1.5 (0x3fc00000)"; formats without a decimal spelling show the bits only.
std::string show_element(Elem dtype, uint64_t bits);

/// Product of the sizes; nullopt when it does not fit 64 bits or a size is negative.
std::optional<uint64_t> element_count(const std::vector<int64_t>& shape);
/// "[16, 64]"
std::string show_shape(const std::vector<int64_t>& shape);

}  // namespace pto::report
