// The binary container. Format: docs/reference/object-format.md. Same program, same bytes, on any machine.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pto/program.hpp"
#include "pto/result.hpp"

namespace pto {

struct WriteOptions {
  bool lines = true;    ///< line table
  bool source = false;  ///< embed the source text
};
std::vector<std::byte> write_object(const Program& program, const WriteOptions& options = {});
/// Reads an object with all bounds checked. The error gives offset and reason; for a different
/// instruction table it gives both versions.
Result<Program> read_object(std::span<const std::byte> bytes);
/// Whether the bytes start with the magic number.
bool is_object(std::span<const std::byte> bytes);

}  // namespace pto
