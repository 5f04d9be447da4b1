// One form of an instruction, taken from the table and put into words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/row.hpp"
#include "pto/finding_id.hpp"

namespace pto::reference {

struct OperandFacts {
  std::string_view name;
  std::vector<std::string_view> kinds;  ///< "tile", "pointer", ..
  std::string_view role;                ///< in, out, inout, scratch
  std::string_view arity;               ///< one, optional, variadic
  std::vector<std::string> places;      ///< memories the rules fix; empty: any
};

struct AttributeFacts {
  std::string_view name, type;
  std::vector<std::string_view> values;  ///< of enumerations, canonical spellings
  bool required = false;
  std::optional<std::string_view> fallback;
};

/// The facts of a form on one target.
struct TargetFacts {
  Target target;
  bool legal = false;
  std::vector<std::string> types;  ///< alternatives in words; empty: any
  std::string pipe;
};

struct RuleFacts {
  std::string_view name;
  std::optional<Target> target;  ///< only on this one
  std::vector<FindingId> ids;
  std::string demands;
};

struct FormFacts {
  const isa::Row* row = nullptr;
  std::string_view layer;
  std::string syntax;
  std::vector<OperandFacts> operands, results;
  std::vector<AttributeFacts> attributes;
  std::vector<TargetFacts> targets;  ///< a2a3, a5
  std::vector<RuleFacts> rules;
  std::vector<std::string_view> remarks;  ///< its permitted positions
  bool readable = false;                  ///< has a textual form
  bool executed = false;
};

FormFacts facts_of(const isa::Row& row);

}  // namespace pto::reference
