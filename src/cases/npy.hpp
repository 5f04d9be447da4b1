// NumPy's .npy files: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pto/result.hpp"
#include "pto/type.hpp"

namespace pto::report {

struct NpyHeader {
  std::string descr;  ///< "<f4", "|b1", ..
  bool fortran_order = false;
  std::vector<int64_t> shape;  ///< empty: one scalar
  size_t data = 0;             ///< offset of the first element
};

/// Reads the header of a file's first bytes. Everything is bounds-checked.
Result<NpyHeader> parse_npy_header(std::span<const std::byte> bytes);
/// Whether a file with this descr holds elements of `dtype`. Formats that NumPy lacks are stored as raw words
/// ("|V2",
/// "<u2").
bool npy_matches(std::string_view descr, Elem dtype);
/// The format a descr names by itself: "|V2" is bf16; Elem::none when it names none of ours.
Elem npy_elem(std::string_view descr);
/// The elements in row-major order, checked against format and count.
Result<std::vector<std::byte>> npy_elements(std::span<const std::byte> file, Elem dtype, uint64_t elements);
/// A version 1.0 header for the shape, padded so that data starts at a multiple of 64.
std::string npy_header(Elem dtype, const std::vector<int64_t>& shape);

}  // namespace pto::report
