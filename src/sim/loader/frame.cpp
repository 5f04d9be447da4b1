#include "sim/loader/frame.hpp"

namespace pto::sim {

uint32_t Frame::at(ValueId value) {
  if (!in_vector_function()) return scalar.at(value);
  if (const auto found = local_.find(value); found != local_.end()) return found->second;
  const uint32_t words = exec::words_of(program_.type_of(value));
  const uint32_t offset = vector.reserve(words);
  local_.emplace(value, offset);
  if (defined_.contains(value)) return offset;
  if (constants_.contains(value)) {
    for (uint32_t i = 0; i < words; ++i) vector.set(offset + i, scalar.word(scalar.at(value) + i));
  } else {
    captures_->push_back({scalar.at(value), offset, words});
  }
  return offset;
}

uint32_t Frame::define(ValueId value) {
  if (in_vector_function()) defined_.insert(value);
  return at(value);
}

std::vector<uint32_t> Frame::define_range(ValueId first, uint32_t count) {
  std::vector<uint32_t> offsets(count);
  for (uint32_t i = 0; i < count; ++i) offsets[i] = define(first + i);
  return offsets;
}

void Frame::begin_captures(std::vector<Copy>& captures) {
  captures_ = &captures;
  local_.clear();
  defined_.clear();
}

std::optional<int64_t> Frame::known_constant(ValueId value) {
  if (!constants_.contains(value)) return std::nullopt;
  const uint32_t offset = at(value);
  return static_cast<int64_t>(current().word(offset));
}

}  // namespace pto::sim
