// What the rules of the table's `rules` column demand, in words, for the printed reference.
#pragma once

#include <string_view>

namespace pto::legality {

struct RuleWords {
  std::string_view name;      ///< as in the rules column, without target and argument
  std::string_view ids;       ///< what it reports, separated by spaces
  std::string_view demands;   ///< `$` stands for the argument up to its '=', `@` for what follows it
  std::string_view places;    ///< memories it fixes: "lhs=left dst=acc", "*" all tiles, "$" the argument; "=": the argument says it
};
/// nullptr when there is none.
const RuleWords* rule_words(std::string_view name);

}  // namespace pto::legality
