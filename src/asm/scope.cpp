#include "asm/scope.hpp"

#include <functional>

namespace pto::text {

Scope::Entry& Scope::find(std::string_view name) {
  if (entries_.size() * 2 >= slots_.size()) grow();
  const size_t mask = slots_.size() - 1;
  for (size_t at = std::hash<std::string_view>{}(name) & mask;; at = (at + 1) & mask) {
    if (slots_[at] == 0) {
      entries_.push_back({name.data(), static_cast<uint32_t>(name.size())});
      slots_[at] = static_cast<uint32_t>(entries_.size());
      return entries_.back();
    }
    if (entries_[slots_[at] - 1].name() == name) return entries_[slots_[at] - 1];
  }
}

void Scope::grow() {
  slots_.assign(slots_.size() * 2, 0);
  const size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < entries_.size(); ++i) {
    size_t at = std::hash<std::string_view>{}(entries_[i].name()) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<uint32_t>(i + 1);
  }
}

void Scope::define(Entry& entry, ValueId value, uint32_t at, uint32_t count) {
  log_.push_back({static_cast<uint32_t>(&entry - entries_.data()), entry.value});
  entry.value = value;
  entry.defined_at = at;
  entry.count = count;
}

void Scope::leave(size_t mark) {
  while (log_.size() > mark) {
    entries_[log_.back().entry].value = log_.back().value;
    log_.pop_back();
  }
}

std::vector<std::string_view> Scope::visible() const {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries_) {
    if (entry.value != kNoValue) names.push_back(entry.name());
  }
  return names;
}

}  // namespace pto::text
