#include "asm/parse/op_draft.hpp"

namespace pto::text {

void Draft::reset(const isa::Schema& s) {
  schema = &s;
  if (slots.size() < s.operands.size()) slots.resize(s.operands.size());
  for (auto& slot : slots) slot.clear();
  attrs.clear();
  results.clear();
  arguments.clear();
}

void Draft::set(std::string_view attribute, AttrValue value) {
  const int spec = schema->attr_index(attribute);
  Attr attr;
  attr.spec = spec < 0 ? kUnknownAttr : static_cast<uint16_t>(spec);
  if (spec < 0) attr.name = strings_.intern(attribute);
  attr.value = value;
  attrs.push_back(attr);
}

void Draft::set(std::string_view attribute, AttrValue::Kind kind, std::string_view text) {
  AttrValue value;
  value.kind = kind;
  value.text = strings_.intern(text);
  set(attribute, value);
}

}  // namespace pto::text
