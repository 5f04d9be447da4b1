#include "timing/operand_features.hpp"

#include <array>
#include <utility>

namespace pto::timing {

namespace {

using Kind = OperandVar::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 11> kProperties = {{
    {"rows", Kind::rows},
    {"cols", Kind::cols},
    {"count", Kind::count},
    {"bytes", Kind::bytes},
    {"bits", Kind::bits},
    {"elem", Kind::elem},
    {"stored_rows", Kind::stored_rows},
    {"stored_cols", Kind::stored_cols},
    {"present", Kind::present},
    {"product", Kind::product},
    {"n", Kind::n},
}};

constexpr uint32_t kData = isa::kTile | isa::kView | isa::kTView | isa::kPtr | isa::kMemRef | isa::kVReg;
constexpr uint32_t kShaped = isa::kTile | isa::kView | isa::kTView | isa::kMemRef | isa::kVReg | isa::kAny;
constexpr uint32_t kNumber = isa::kI1 | isa::kI8 | isa::kI16 | isa::kI32 | isa::kI64 | isa::kIndex |
                             isa::kInt | isa::kScalar | isa::kAny;

int find_slot(std::string_view name, const isa::Schema& schema) {
  const int slot = schema.operand_slot(name);
  if (slot >= 0) return slot;
  if (name == "dst") {
    const int out = data_slot(schema, isa::Role::out, 0);
    return out >= 0 ? out : data_slot(schema, isa::Role::inout, 0);
  }
  if (name == "src" || name == "src0") return data_slot(schema, isa::Role::in, 0);
  if (name == "src1") return data_slot(schema, isa::Role::in, 1);
  return -1;
}

bool fits(Kind kind, const isa::OperandSpec& spec) {
  switch (kind) {
    case Kind::value:
      return (spec.kinds & kNumber) != 0 && spec.arity != isa::Arity::variadic;
    case Kind::product:
      return (spec.kinds & kNumber) != 0 && spec.arity == isa::Arity::variadic;
    case Kind::present:
      return spec.arity == isa::Arity::optional;
    case Kind::n:
      return spec.arity == isa::Arity::variadic;
    case Kind::bits:
    case Kind::elem:
      return (spec.kinds & (kData | isa::kAny)) != 0;
    default:
      return (spec.kinds & kShaped) != 0;
  }
}

std::optional<OperandVar> bind_attr(std::string_view name, const isa::Schema& schema) {
  const bool set = name.ends_with(".set");
  if (set) name.remove_suffix(4);
  const int index = schema.attr_index(name);
  if (index < 0) return std::nullopt;
  return OperandVar{set ? Kind::attr_set : Kind::attr, static_cast<uint16_t>(index)};
}

struct Extent {
  int64_t rows, cols;
};

/// Saturating product, so that absurd run-time shapes stay absurd instead of wrapping around.
int64_t product(int64_t a, int64_t b) {
  int64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? INT64_MAX : out;
}

std::optional<Extent> extent(const decode::ValueRef& ref, const decode::Word* frame) {
  const Type& type = *ref.type;
  switch (type.kind) {
    case TypeKind::tile_buf: {
      const auto& tile = *reinterpret_cast<const decode::TileDesc*>(frame + ref.offset);
      return Extent{tile.valid_rows, tile.valid_cols};
    }
    case TypeKind::tensor_view:
    case TypeKind::partition_view:
    case TypeKind::memref: {
      const auto& view = *reinterpret_cast<const decode::ViewDesc*>(frame + ref.offset);
      return Extent{product(product(view.shape[0], view.shape[1]), product(view.shape[2], view.shape[3])),
                    view.shape[4]};
    }
    case TypeKind::vreg:
      return Extent{1, type.dims[0]};
    default:
      return std::nullopt;
  }
}

std::optional<int64_t> read_shape(Kind kind, const decode::ValueRef& ref, const decode::Word* frame) {
  const Type& type = *ref.type;
  if (kind == Kind::bits) return bit_width(type.elem);
  if (kind == Kind::elem) return byte_width(type.elem);
  if (kind == Kind::stored_rows || kind == Kind::stored_cols) {
    if (type.kind != TypeKind::tile_buf) return std::nullopt;
    const auto& tile = *reinterpret_cast<const decode::TileDesc*>(frame + ref.offset);
    return kind == Kind::stored_rows ? tile.storage_rows : tile.storage_cols;
  }
  const std::optional<Extent> size = extent(ref, frame);
  if (!size) return std::nullopt;
  if (kind == Kind::rows) return size->rows;
  if (kind == Kind::cols) return size->cols;
  const int64_t count = product(size->rows, size->cols);
  if (kind == Kind::count) return count;
  const int64_t bits = product(count, bit_width(type.elem));
  return bits / 8 + (bits % 8 != 0);
}

constexpr std::array<std::pair<std::string_view, Kind>, 4> kRegisters = {{
    {"ctrl.tf32", Kind::tf32},
    {"ctrl.loops_out_ub", Kind::loops_out_ub},
    {"ctrl.loops_ub_out", Kind::loops_ub_out},
    {"ctrl.loops_out_l1", Kind::loops_out_l1},
}};

/// loop1 in bits 0 to 20, loop2 above.
int64_t loops(uint64_t size) {
  return product(static_cast<int64_t>(size & 0x1fffff), static_cast<int64_t>(size >> 21 & 0x1fffff));
}

int64_t read_register(Kind kind, const decode::ControlState& control) {
  switch (kind) {
    case Kind::loops_out_ub:
      return loops(control.loop_size_out_ub);
    case Kind::loops_ub_out:
      return loops(control.loop_size_ub_out);
    case Kind::loops_out_l1:
      return loops(control.loop_size_out_l1);
    default:
      return static_cast<int64_t>(control.ctrl >> decode::kCtrlTf32 & 1);
  }
}

}  // namespace

int data_slot(const isa::Schema& schema, isa::Role role, int n) {
  for (size_t slot = 0; slot < schema.operands.size(); ++slot) {
    const isa::OperandSpec& spec = schema.operands[slot];
    if (spec.role == role && (spec.kinds & kData) != 0 && n-- == 0) return static_cast<int>(slot);
  }
  return -1;
}

std::optional<OperandVar> bind_variable(std::string_view name, const isa::Schema& schema) {
  for (const auto& [text, kind] : kRegisters) {
    if (text == name) return OperandVar{kind};
  }
  if (name.starts_with("attr.")) return bind_attr(name.substr(5), schema);
  const size_t dot = name.find('.');
  const int slot = find_slot(name.substr(0, dot), schema);
  if (slot < 0) return std::nullopt;
  Kind kind = Kind::value;
  if (dot != std::string_view::npos) {
    const std::string_view property = name.substr(dot + 1);
    size_t i = 0;
    while (i < kProperties.size() && kProperties[i].first != property) ++i;
    if (i == kProperties.size()) return std::nullopt;
    kind = kProperties[i].second;
  }
  if (!fits(kind, schema.operands[static_cast<size_t>(slot)])) return std::nullopt;
  return OperandVar{kind, static_cast<uint16_t>(slot)};
}

std::optional<int64_t> read_variable(OperandVar var, const decode::Inst& inst, const decode::Word* frame,
                                     const decode::ControlState* control) {
  if (var.kind >= Kind::tf32) return read_register(var.kind, control ? *control : decode::ControlState{});
  if (var.kind == Kind::attr) return inst.attrs[var.index].integer;
  if (var.kind == Kind::attr_set) return inst.attr_set[var.index];
  const uint32_t begin = inst.slot_begin[var.index];
  const uint32_t end = inst.slot_begin[var.index + 1u];
  if (var.kind == Kind::n || var.kind == Kind::present) return end - begin;
  if (var.kind == Kind::product) {
    int64_t all = 1;
    for (uint32_t i = begin; i < end; ++i)
      all = product(all, static_cast<int64_t>(frame[inst.values[i].offset]));
    return all;
  }
  if (begin == end) return 0;  // absent optional operand
  const decode::ValueRef& ref = inst.values[begin];
  if (var.kind == Kind::value) return static_cast<int64_t>(frame[ref.offset]);
  return read_shape(var.kind, ref, frame);
}

}  // namespace pto::timing
