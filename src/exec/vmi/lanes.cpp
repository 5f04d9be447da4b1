#include "exec/vmi/lanes.hpp"

#include <algorithm>
#include <vector>

namespace pto::exec {

namespace vmi {
namespace {

Type type_of(TypeKind kind, Elem elem, unsigned width) {
  Type type;
  type.kind = kind;
  type.elem = elem;
  if (kind != TypeKind::scalar) {
    type.rank = 1;
    type.dims[0] = vec::kVRegBytes / width;
  }
  return type;
}
const Type& register_type(Elem elem) {
  static const auto all = [] {
    std::array<Type, kElemCount> types;
    for (size_t i = 1; i < kElemCount; ++i) {
      const auto each = static_cast<Elem>(i);
      types[i] = type_of(TypeKind::vreg, each, std::max(byte_width(each), 1U));
    }
    return types;
  }();
  return all[static_cast<size_t>(elem)];
}
const Type& mask_type() {
  static const Type type = type_of(TypeKind::mask, Elem::i8, 1);
  return type;
}
const Type& word_type() {
  static const Type type = type_of(TypeKind::scalar, Elem::i64, 8);
  return type;
}

/// Bit i of the result's every second bit.
uint64_t spread_by_two(uint64_t bits) {
  bits &= 0xffffffff;
  bits = (bits | bits << 16) & 0x0000ffff0000ffffu;
  bits = (bits | bits << 8) & 0x00ff00ff00ff00ffu;
  bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0fu;
  bits = (bits | bits << 2) & 0x3333333333333333u;
  return (bits | bits << 1) & 0x5555555555555555u;
}
/// Bits of lanes as bits of their lowest bytes, `width` bytes to a lane.
uint64_t spread(uint64_t bits, unsigned width) {
  for (; width > 1; width /= 2) bits = spread_by_two(bits);
  return bits;
}

}  // namespace

Lanes result(const Context& ctx, unsigned i) {
  const Type& type = ctx.result_type(i);
  uint8_t* bytes = ctx.result<VReg>(i).byte;
  std::memset(bytes, 0, size_t{registers_of(type)} * vec::kVRegBytes);
  return {bytes, type};
}
Bits mask_result(const Context& ctx, unsigned i) {
  const Bits bits(&ctx.result<Word>(i), ctx.result_type(i));
  std::memset(&bits.word(0), 0, bits.words() * sizeof(Word));
  return bits;
}

Mask Bits::of_register(unsigned first, unsigned width) const {
  Mask mask{};
  const unsigned per_word = 64 / width;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned lane = first + i * per_word;
    if (lane >= count_) break;
    const unsigned left = std::min(count_ - lane, per_word);
    uint64_t bits = words_[lane / 64] >> (lane % 64);
    if (left < 64) bits &= (uint64_t{1} << left) - 1;
    mask.bit[i] = spread(bits, width);
  }
  return mask;
}
void Bits::set_lanes(const Mask& mask, unsigned first, unsigned width) const {
  const unsigned end = std::min(count_, first + vec::kVRegBytes / width);
  for (unsigned lane = first; lane < end; ++lane)
    if (vec::active(mask, lane - first, width)) set(lane);
}
Mask first_lanes(unsigned count, unsigned first, unsigned width) {
  Mask mask{};
  const unsigned per_word = 64 / width;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned lane = first + i * per_word;
    if (lane >= count) break;
    mask.bit[i] = vec::lane_pattern(width);
    if (count - lane < per_word) mask.bit[i] &= (uint64_t{1} << ((count - lane) * width)) - 1;
  }
  return mask;
}

bool refuses_merge(const Context& ctx) {
  const int pmode = ctx.inst->schema->attr_index("pmode");
  if (pmode < 0 || !ctx.attr_set(static_cast<unsigned>(pmode)) || ctx.attr(static_cast<unsigned>(pmode)) != 0)
    return false;
  ctx.fault(Fault::unsupported,
            "pmode \"merge\": a new value has no contents that inactive lanes could keep");
  return true;
}

ValueRef Micro::place(uint32_t kinds, Elem elem) {
  const bool reg = (kinds & isa::kVReg) != 0;
  const bool mask = (kinds & isa::kMask) != 0;
  const ValueRef ref{used_, reg ? &register_type(elem) : mask ? &mask_type() : &word_type()};
  used_ += decode::words_of(*ref.type);
  return ref;
}

Micro::Micro(const Context& ctx, const isa::Row& row, Elem elem, Elem result_elem) : context_(ctx) {
  const isa::Schema& schema = isa::schema(isa::id_of(row));
  for (unsigned i = 0; i < schema.operands.size(); ++i) {
    slots_[i] = i;
    values_[i] = place(schema.operands[i].kinds, elem);
  }
  slots_[schema.operands.size()] = static_cast<uint32_t>(schema.operands.size());
  for (unsigned i = 0; i < schema.results.size(); ++i)
    results_[i] = place(schema.results[i].kinds, result_elem);
  for (unsigned i = 0; i < schema.attrs.size(); ++i) attrs_[i].integer = schema.attrs[i].default_int;
  inst_.pc = ctx.inst->pc;
  inst_.row = schema.id;
  inst_.pipe = ctx.inst->pipe;
  inst_.fn = find(row.name);
  inst_.schema = &schema;
  inst_.slot_begin = {slots_.data(), schema.operands.size() + 1};
  inst_.values = {values_.data(), schema.operands.size()};
  inst_.results = {results_.data(), schema.results.size()};
  inst_.attrs = {attrs_.data(), schema.attrs.size()};
  inst_.attr_set = {written_.data(), schema.attrs.size()};
  context_.inst = &inst_;
  context_.frame = words_.data();
}
Micro::Micro(const Context& ctx, std::string_view name, Elem elem, Elem result_elem)
    : Micro(ctx, *isa::find_row(name), elem, result_elem) {}

void Micro::attribute(std::string_view name, std::string_view value) {
  const auto spec = static_cast<size_t>(inst_.schema->attr_index(name));
  attrs_[spec].integer = isa::find_case(*inst_.schema->attrs[spec].domain, value)->value;
  written_[spec] = 1;
}

}  // namespace vmi

}  // namespace pto::exec
