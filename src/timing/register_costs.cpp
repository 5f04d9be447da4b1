#include "timing/register_costs.hpp"

#include <algorithm>

#include "support/rounding.hpp"

namespace pto::timing {
namespace {

constexpr uint64_t kRegisterBytes = sizeof(decode::VReg);
constexpr uint32_t kRegisterWords = sizeof(decode::VReg) / sizeof(decode::Word);

bool is_register(const Type& type) { return type.kind == TypeKind::vreg || type.kind == TypeKind::vmi_vreg; }

uint32_t registers_of_type(const Type& type) {
  if (type.kind != TypeKind::vmi_vreg && type.kind != TypeKind::vmi_mask) return 1;
  const uint32_t width = type.elem == Elem::i1 ? 4 : byte_width(type.elem);  // of a mask for any: the most
  return static_cast<uint32_t>(ceil_div(static_cast<uint64_t>(type.dims[0]) * width, kRegisterBytes));
}

}  // namespace

Elem register_elem(const decode::Inst& inst) {
  for (const auto& refs : {inst.values, inst.results}) {
    for (const decode::ValueRef& ref : refs)
      if (ref.type && is_register(*ref.type)) return ref.type->elem;
  }
  return Elem::none;
}

uint32_t registers_of(const decode::Inst& inst) {
  uint32_t most = 1;
  for (const auto& refs : {inst.values, inst.results}) {
    for (const decode::ValueRef& ref : refs)
      if (ref.type) most = std::max(most, registers_of_type(*ref.type));
  }
  return most;
}

size_t name_registers(std::span<const decode::ValueRef> values, uint32_t i, std::vector<uint32_t>& names) {
  for (const decode::ValueRef& ref : values) {
    if (!ref.type || !is_register(*ref.type)) continue;
    const uint32_t last = registers_of_type(*ref.type) - 1;
    names.push_back(ref.offset + std::min(i, last) * kRegisterWords);
  }
  const size_t vectors = names.size();
  for (const decode::ValueRef& ref : values) {
    const TypeKind kind = ref.type ? ref.type->kind : TypeKind::none;
    if (kind == TypeKind::mask || kind == TypeKind::vmi_mask || kind == TypeKind::align)
      names.push_back(ref.offset);
  }
  return vectors;
}

}  // namespace pto::timing
