// Program, OpView and ProgramBuilder: storage and access of the operation stream.
#include "pto/program.hpp"

#include <algorithm>

#include "ir/kernel_entries.hpp"
#include "ir/op_queries.hpp"
#include "ir/regions.hpp"
#include "isa/row.hpp"
#include "pto/sync_mode.hpp"
#include "support/hash.hpp"

namespace pto {

namespace {
constexpr StrId kFree = ~0u;
}

StringTable::StringTable() : offsets_{0}, slots_(64, Slot{kFree, 0}) { intern(""); }

size_t StringTable::slot_of(std::string_view text, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  const auto tag = static_cast<uint32_t>(hash >> 32);
  size_t at = hash & mask;
  while (slots_[at].id != kFree && (slots_[at].tag != tag || (*this)[slots_[at].id] != text))
    at = (at + 1) & mask;
  return at;
}

void StringTable::grow() {
  std::vector<Slot> larger(slots_.size() * 2, Slot{kFree, 0});
  const size_t mask = larger.size() - 1;
  for (StrId id = 0; id < size(); ++id) {  // all texts differ
    const uint64_t hash = hash_text((*this)[id]);
    size_t at = hash & mask;
    while (larger[at].id != kFree) at = (at + 1) & mask;
    larger[at] = {id, static_cast<uint32_t>(hash >> 32)};
  }
  slots_ = std::move(larger);
}

const Origin* Program::origin_of(Location where) const {
  const auto key = [](Location at) { return std::pair(at.line, at.col); };
  const auto found = std::ranges::lower_bound(origins, key(where), {},
                                              [&](const Origin& origin) { return key(origin.where); });
  return found != origins.end() && found->where == where ? &*found : nullptr;
}

void StringTable::reserve(size_t texts, size_t bytes) {
  offsets_.reserve(texts + 1);
  bytes_.reserve(bytes);
}

StrId StringTable::intern(std::string_view text) {
  const uint64_t hash = hash_text(text);
  size_t at = slot_of(text, hash);
  if (slots_[at].id != kFree) return slots_[at].id;
  if (4 * (size() + 1) > 3 * slots_.size()) {
    grow();
    at = slot_of(text, hash);
  }
  bytes_.append(text);
  offsets_.push_back(static_cast<uint32_t>(bytes_.size()));
  slots_[at] = {static_cast<StrId>(offsets_.size() - 2), static_cast<uint32_t>(hash >> 32)};
  return slots_[at].id;
}

std::string_view OpView::mnemonic() const { return isa::row(op_->row).name; }

namespace {

/// Where a slot's entries begin in an operation's operand words.
uint32_t slot_offset(const Program& program, const Op& op, const isa::Schema& schema, unsigned slot) {
  if (!schema.has_variadic) return slot;
  uint32_t at = 0;
  for (unsigned i = 0; i < slot; ++i)
    at += schema.operands[i].arity == isa::Arity::variadic ? 1 + program.operands[op.operands + at] : 1;
  return at;
}

const Type& no_type() {
  static const Type none;
  return none;
}

}  // namespace

std::span<const ValueId> OpView::operands(unsigned slot) const {
  const isa::Schema& schema = isa::schema(op_->row);
  if (slot >= schema.operands.size()) return {};
  const ValueId* at = program_->operands.data() + op_->operands + slot_offset(*program_, *op_, schema, slot);
  if (schema.operands[slot].arity == isa::Arity::variadic) return {at + 1, *at};
  return {at, *at == kNoValue ? size_t{0} : size_t{1}};
}

ValueId OpView::operand(unsigned slot) const {
  const isa::Schema& schema = isa::schema(op_->row);
  if (!schema.has_variadic)
    return slot < schema.operands.size() ? program_->operands[op_->operands + slot] : kNoValue;
  const std::span<const ValueId> all = operands(slot);
  return all.empty() ? kNoValue : all.front();
}

const Type& OpView::type(unsigned slot) const {
  const ValueId value = operand(slot);
  return value == kNoValue ? no_type() : program_->type_of(value);
}

const AttrValue* OpView::attr(unsigned spec) const {
  for (const Attr& attr : program_->attrs_of(*op_)) {
    if (attr.spec == spec) return &attr.value;
  }
  return nullptr;
}

const AttrValue* OpView::attr(std::string_view name) const {
  if (op_->n_attrs == 0) return nullptr;
  const std::vector<isa::AttrSpec>& specs = isa::schema(op_->row).attrs;
  for (const Attr& attr : program_->attrs_of(*op_)) {
    if (attr.spec < specs.size() && specs[attr.spec].name == name) return &attr.value;
  }
  return nullptr;
}

int64_t OpView::attr_int(std::string_view name) const {
  const isa::Schema& schema = isa::schema(op_->row);
  const int spec = schema.attr_index(name);
  if (spec < 0) return 0;
  const AttrValue* value = attr(static_cast<unsigned>(spec));
  if (value == nullptr) return schema.attrs[static_cast<size_t>(spec)].default_int;
  return value->kind == AttrValue::Kind::unit ? 1 : value->integer;
}

ValueId ProgramBuilder::new_value(TypeId type, StrId name) {
  program_->values.push_back({type, name});
  return static_cast<ValueId>(program_->values.size() - 1);
}

uint32_t ProgramBuilder::begin_op(RowId row, Location where, std::span<const ValueId> operand_words,
                                  std::span<const Attr> attrs, std::span<const TypeId> results,
                                  std::span<const StrId> result_names, unsigned n_regions) {
  Program& p = *program_;
  Op op;
  op.row = row;
  op.where = where;
  op.operands = static_cast<uint32_t>(p.operands.size());
  op.n_operand_words = static_cast<uint16_t>(operand_words.size());
  p.operands.insert(p.operands.end(), operand_words.begin(), operand_words.end());
  op.attrs = static_cast<uint32_t>(p.attrs.size());
  op.n_attrs = static_cast<uint8_t>(attrs.size());
  p.attrs.insert(p.attrs.end(), attrs.begin(), attrs.end());
  op.first_result = static_cast<uint32_t>(p.values.size());
  op.n_results = static_cast<uint16_t>(results.size());
  for (size_t i = 0; i < results.size(); ++i)
    new_value(results[i], i < result_names.size() ? result_names[i] : 0);
  op.regions = static_cast<uint32_t>(p.regions.size());
  op.n_regions = static_cast<uint8_t>(n_regions);
  p.regions.resize(p.regions.size() + n_regions);
  p.ops.push_back(op);
  return static_cast<uint32_t>(p.ops.size() - 1);
}

void ProgramBuilder::begin_region(uint32_t op, unsigned i, std::span<const TypeId> arg_types,
                                  std::span<const StrId> arg_names) {
  Region& region = program_->regions[program_->ops[op].regions + i];
  region.begin = static_cast<uint32_t>(program_->ops.size());
  region.end = region.begin;
  region.first_arg = static_cast<uint32_t>(program_->values.size());
  region.n_args = static_cast<uint32_t>(arg_types.size());
  for (size_t k = 0; k < arg_types.size(); ++k)
    new_value(arg_types[k], k < arg_names.size() ? arg_names[k] : 0);
}

void ProgramBuilder::end_region(uint32_t op, unsigned i) {
  program_->regions[program_->ops[op].regions + i].end = static_cast<uint32_t>(program_->ops.size());
}

namespace {

/// pto.kernel_kind of a function or module: its numeric value (cube 0, vector 1), or -1.
int64_t kernel_kind(const OpView& op) {
  const AttrValue* kind = op.attr("pto.kernel_kind");
  return kind == nullptr ? -1 : kind->integer;
}

}  // namespace

bool marked_entry(const OpView& func) {
  return func.attr("pto.kernel") || func.attr("pto.aicore") || func.attr("pto.entry") ||
         func.attr("hacc.entry");
}

std::vector<FunctionInfo> functions(const Program& program) {
  std::vector<FunctionInfo> found;
  EnclosingOps modules(program);
  for (uint32_t i = 0; i < program.ops.size();) {
    const OpView view(program, i);
    modules.advance_to(i);
    if (isa::opcode_class(view) == isa::OpcodeClass::module) {
      modules.enter(i++);
      continue;
    }
    if (isa::opcode_class(view) == isa::OpcodeClass::function) {
      FunctionInfo info;
      info.op = i;
      const AttrValue* name = view.attr("sym_name");
      info.name = name == nullptr ? std::string_view{} : program.strings[name->text];
      const std::span<const Region> regions = program.regions_of(program.ops[i]);
      info.declaration = regions.empty() || regions[0].begin == regions[0].end;
      const bool more = view.op().n_attrs > (name == nullptr ? 0 : 1);  // mostly the name is all
      info.entry = more && marked_entry(view);
      int64_t kind = more ? kernel_kind(view) : -1;
      for (size_t around = modules.all().size(); kind < 0 && around-- > 0;)
        kind = kernel_kind(OpView(program, modules.all()[around]));
      info.kind = kind < 0    ? FunctionInfo::Kind::unknown
                  : kind == 0 ? FunctionInfo::Kind::cube
                              : FunctionInfo::Kind::vector;
      found.push_back(info);
    }
    i = program.end_of(i);
  }
  const auto defined = [](const FunctionInfo& f) { return !f.declaration; };
  if (std::none_of(found.begin(), found.end(), [](const FunctionInfo& f) { return f.entry; }) &&
      std::count_if(found.begin(), found.end(), defined) == 1)
    std::find_if(found.begin(), found.end(), defined)->entry = true;
  return found;
}

}  // namespace pto

namespace pto {

std::optional<SyncBy> sync_named(std::string_view name) {
  if (name == "auto") return SyncBy::tools;
  if (name == "explicit") return SyncBy::program;
  return std::nullopt;
}

std::optional<Level> level_named(std::string_view name) {
  if (name == "level1") return Level::level1;
  if (name == "level2") return Level::level2;
  if (name == "level3") return Level::level3;
  return std::nullopt;
}

}  // namespace pto

namespace pto::isa {

unsigned flat_index(const OpView& op, unsigned slot) {
  unsigned flat = 0;
  for (unsigned i = 0; i < slot; ++i) flat += static_cast<unsigned>(op.operands(i).size());
  return flat;
}

}  // namespace pto::isa
