// A hash of the parts of the instruction table that determine the numbering and layout of
// operations in an object. Families and enumerations are hashed at compile time.
#pragma once

#include <span>
#include <string_view>

#include "isa/row.hpp"
#include "support/hash.hpp"

namespace pto::isa {

/// Not the documentation, types, rules and pipes.
constexpr uint64_t layout_hash(std::span<const Row> rows) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const Row& row : rows) {
    for (const std::string_view text : {row.name, row.operands, row.results, row.attrs})
      hash = hash_text(text, hash);
  }
  return hash;
}

constexpr uint64_t layout_hash(std::span<const EnumDomain> domains) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const EnumDomain& domain : domains) {
    hash = hash_text(domain.name, hash);
    for (const EnumCase& item : domain.cases)
      hash = hash_text(item.name, hash) + static_cast<uint64_t>(item.value);
  }
  return hash;
}

/// Of all enumerations.
uint64_t enums_hash();

}  // namespace pto::isa
