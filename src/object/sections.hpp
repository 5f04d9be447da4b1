// The layout that writer and reader share; docs/reference/object-format.md describes it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/row.hpp"
#include "pto/program.hpp"
#include "pto/result.hpp"

namespace pto::object {

/// Like PNG's: a byte no text has, a name, and line ends that a transfer in text mode would change.
inline constexpr std::array<uint8_t, 8> kMagic = {0x8f, 'P', 'T', 'O', '\r', '\n', 0x1a, '\n'};
inline constexpr uint16_t kMajor = 1;  ///< another one: not readable
inline constexpr uint16_t kMinor = 1;

inline constexpr size_t kHeaderBytes = 48;
inline constexpr size_t kHeaderChecksumAt = 44;
inline constexpr size_t kSectionEntryBytes = 24;
inline constexpr size_t kSectionAlignment = 8;

/// Sections are in this order; those behind constants may be missing.
enum class Section : uint32_t {
  strings = 1,
  types,
  instructions,
  functions,
  code,
  constants,
  lines,
  source,
  origins
};
inline constexpr uint32_t kLastSection = static_cast<uint32_t>(Section::origins);
std::string_view to_string(Section section);

inline constexpr uint8_t kHasType = 0x20, kHasText = 0x40, kKindMask = 0x1f;  ///< an attribute's first byte

/// Bits of a function in the functions section: 1 declaration, 2 entry, kind << 2.
inline uint8_t function_flags(const FunctionInfo& function) {
  return static_cast<uint8_t>(int{function.declaration} | int{function.entry} << 1 |
                              static_cast<int>(function.kind) << 2);
}

uint32_t crc32(std::span<const std::byte> bytes);
/// Hash of the parts of a row that determine the encoding of its operations: operand and attribute
/// lists, results, enum values.
uint64_t signature(const isa::Schema& schema);
/// Position of a row among the forms of its mnemonic.
uint32_t form_of(RowId row);

struct ReadOptions {
  bool checksums = true;  ///< off for fuzzing: a changed byte must be found by the checks behind
};
Result<Program> read(std::span<const std::byte> bytes, const ReadOptions& options);

}  // namespace pto::object
