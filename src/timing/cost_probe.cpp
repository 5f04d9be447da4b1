#include "timing/cost_probe.hpp"

#include <cstring>

namespace pto::timing {

namespace {

template <typename T>
std::vector<decode::Word> words_of_value(const T& value) {
  std::vector<decode::Word> words(decode::words_of_bytes(sizeof(T)));
  std::memcpy(words.data(), &value, sizeof(T));
  return words;
}

}  // namespace

Probe::Probe(RowId row)
    : schema_(&isa::schema(row)),
      operands_(schema_->operands.size()),
      attrs_(schema_->attrs.size()),
      attr_set_(schema_->attrs.size()) {
  inst_.row = row;
  inst_.schema = schema_;
  for (size_t i = 0; i < attrs_.size(); ++i) attrs_[i].integer = schema_->attrs[i].default_int;
}

Probe::Operand* Probe::add(std::string_view operand) {
  const int slot = schema_->operand_slot(operand);
  ok_ = ok_ && slot >= 0;
  built_ = false;
  return slot < 0 ? nullptr : &operands_[static_cast<size_t>(slot)].emplace_back();
}

Probe& Probe::tile(std::string_view operand, const ProbeTile& tile) {
  Operand* added = add(operand);
  if (!added) return *this;
  added->type.kind = TypeKind::tile_buf;
  added->type.elem = tile.elem;
  added->type.space = tile.space;
  added->type.blayout = tile.layout;
  added->type.rank = 2;
  added->type.dims = {tile.rows, tile.cols};
  const uint32_t rows = tile.valid_rows ? tile.valid_rows : tile.rows;
  const uint32_t cols = tile.valid_cols ? tile.valid_cols : tile.cols;
  if (tile.fixed)
    added->type.valid = {rows, cols};
  else
    added->type.valid = {kDynamic, kDynamic};
  added->words = words_of_value(decode::TileDesc{tile.addr, rows, cols, tile.rows, tile.cols});
  return *this;
}

Probe& Probe::view(std::string_view operand, Elem elem, int64_t rows, int64_t cols) {
  Operand* added = add(operand);
  if (!added) return *this;
  added->type.kind = TypeKind::partition_view;
  added->type.elem = elem;
  added->words = words_of_value(decode::ViewDesc{0, {1, 1, 1, rows, cols}, {0, 0, 0, cols, 1}, 0});
  return *this;
}

Probe& Probe::pointer(std::string_view operand, Elem elem, Space space, uint64_t addr) {
  Operand* added = add(operand);
  if (!added) return *this;
  added->type.kind = TypeKind::ptr;
  added->type.elem = elem;
  added->type.space = space;
  added->words = {addr};
  return *this;
}

Probe& Probe::integer(std::string_view operand, int64_t value) {
  Operand* added = add(operand);
  if (!added) return *this;
  added->type = scalar_type(Elem::i64);
  added->words = {static_cast<decode::Word>(value)};
  return *this;
}

Probe& Probe::attribute(std::string_view name, int64_t value) {
  const int index = schema_->attr_index(name);
  ok_ = ok_ && index >= 0;
  if (index < 0) return *this;
  attrs_[static_cast<size_t>(index)].integer = value;
  attr_set_[static_cast<size_t>(index)] = 1;
  return *this;
}

const decode::Inst& Probe::inst() {
  build();
  return inst_;
}

const decode::Word* Probe::frame() {
  build();
  return frame_.data();
}

void Probe::build() {
  if (built_) return;
  built_ = true;
  values_.clear();
  slot_begin_.clear();
  frame_.clear();
  for (const std::deque<Operand>& slot : operands_) {
    slot_begin_.push_back(static_cast<uint32_t>(values_.size()));
    for (const Operand& operand : slot) {
      values_.push_back({static_cast<uint32_t>(frame_.size()), &operand.type});
      frame_.insert(frame_.end(), operand.words.begin(), operand.words.end());
    }
  }
  slot_begin_.push_back(static_cast<uint32_t>(values_.size()));
  inst_.slot_begin = slot_begin_;
  inst_.values = values_;
  inst_.attrs = attrs_;
  inst_.attr_set = attr_set_;
}

}  // namespace pto::timing
