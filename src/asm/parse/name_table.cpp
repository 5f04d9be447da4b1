#include "asm/parse/name_table.hpp"

#include <algorithm>

#include "asm/parse/text/scanner.hpp"

namespace pto::text {

bool is_number_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return is(c, kDigit); });
}

NameTable::Key NameTable::key_of(std::string_view name) {
  const bool number = is_number_name(name);
  return 2 * (number ? numbers_ : *names_).intern(name) + (number ? 1u : 0u);
}

void NameTable::define(Key key, ValueId value, uint32_t at_byte, uint32_t count) {
  Entry& entry = at(key);
  log_.push_back({key, entry.value});
  entry = {value, at_byte, count};
}

void NameTable::leave(size_t mark) {
  while (log_.size() > mark) {
    at(log_.back().key).value = log_.back().value;
    log_.pop_back();
  }
}

std::vector<std::string_view> NameTable::visible() const {
  std::vector<std::string_view> found;
  for (const auto& [table, entries] : {std::pair{static_cast<const StringTable*>(names_), &named_},
                                       std::pair{static_cast<const StringTable*>(&numbers_), &numbered_}}) {
    for (StrId id = 0; id < entries->size(); ++id) {
      if ((*entries)[id].value != kNoValue) found.push_back((*table)[id]);
    }
  }
  return found;
}

}  // namespace pto::text
